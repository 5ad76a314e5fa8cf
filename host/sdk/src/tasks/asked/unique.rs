//! JSON in which no object has a key twice: what is meant would be one of both, and a reader cannot see which.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A value that was read with each key of an object once.
pub(super) struct Unique(pub(super) Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Read).map(Self)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Unique(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some((key, Unique(value))) = object.next_entry::<String, Unique>()? {
            if members.contains_key(&key) {
                return Err(A::Error::custom(format!("`{}` stands twice in one object", key.escape_debug())));
            }
            members.insert(key, value);
        }
        Ok(members.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_read_as_it_stands_unless_a_key_stands_twice() {
        for text in ["null", "[1, -2, 0.5, true, \"a\", [], {}]", r#"[{"a": {"b": 1}}, {"a": {"b": "\u00e4"}}]"#] {
            let read: Unique = serde_json::from_str(text).unwrap();
            assert_eq!(read.0, serde_json::from_str::<Value>(text).unwrap(), "{text}");
        }
        for text in [r#"{"a": 1, "b": 2, "a": 1}"#, r#"[{"a": {"b": 1, "\u0062": 2}}]"#] {
            let error = serde_json::from_str::<Unique>(text).err().unwrap().to_string();
            assert!(error.contains("stands twice in one object"), "{error}");
        }
    }
}
