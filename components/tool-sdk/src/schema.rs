//! JSON Schema 2020-12 of Rust types, written beside the type so that the two cannot drift apart.

use serde_json::{Map, Value, json};
use std::num::NonZeroU32;

/// A type that can say what its JSON looks like.
pub trait Schema {
    /// Whether an object must have a property of this type.
    const REQUIRED: bool = true;

    /// The schema of this type.
    fn schema() -> Value;
}

impl Schema for String {
    fn schema() -> Value {
        json!({"type": "string"})
    }
}

impl Schema for &str {
    fn schema() -> Value {
        String::schema()
    }
}

impl Schema for bool {
    fn schema() -> Value {
        json!({"type": "boolean"})
    }
}

impl Schema for u32 {
    fn schema() -> Value {
        json!({"type": "integer", "minimum": 0, "maximum": u32::MAX})
    }
}

impl Schema for u64 {
    fn schema() -> Value {
        json!({"type": "integer", "minimum": 0})
    }
}

impl Schema for i64 {
    fn schema() -> Value {
        json!({"type": "integer"})
    }
}

impl Schema for f64 {
    fn schema() -> Value {
        json!({"type": "number"})
    }
}

/// A number that counts from one, such as a line.
impl Schema for NonZeroU32 {
    fn schema() -> Value {
        json!({"type": "integer", "minimum": 1, "maximum": u32::MAX})
    }
}

/// Left out or `null`, since some model APIs always send every property.
impl<T: Schema> Schema for Option<T> {
    const REQUIRED: bool = false;

    fn schema() -> Value {
        let mut schema = T::schema();
        if let Some(kind) = schema.get_mut("type") {
            *kind = json!([kind.take(), "null"]);
        }
        if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
            words.push(Value::Null);
        }
        schema
    }
}

impl<T: Schema> Schema for Vec<T> {
    fn schema() -> Value {
        json!({"type": "array", "items": T::schema()})
    }
}

/// One property as the macros hand it over.
pub struct Property {
    /// The Rust name, in snake case.
    pub name: &'static str,
    /// Its doc comment.
    pub description: &'static str,
    /// Whether it may be missing.
    pub required: bool,
    /// The schema of its type.
    pub schema: Value,
}

/// The schema of an object with exactly these properties.
pub fn object(properties: Vec<Property>) -> Value {
    let mut map = Map::new();
    let mut required = Vec::new();
    for property in properties {
        let name = camel_case(property.name);
        let mut schema = property.schema;
        if let Some(object) = schema.as_object_mut() {
            object.insert("description".to_owned(), Value::from(property.description.trim().replace("\n ", "\n")));
        }
        if property.required {
            required.push(Value::from(name.clone()));
        }
        map.insert(name, schema);
    }
    json!({"type": "object", "properties": map, "required": required, "additionalProperties": false})
}

/// `file_path` as `filePath`.
pub(crate) fn camel_case(snake: &str) -> String {
    let mut camel = String::with_capacity(snake.len());
    let mut capital = false;
    for character in snake.chars() {
        if character == '_' {
            capital = true;
        } else {
            camel.push(if capital { character.to_ascii_uppercase() } else { character });
            capital = false;
        }
    }
    camel
}

/// Declares the input of a tool: a struct read from JSON, with the schema that says so. Field names are camel case in
/// JSON, doc comments become descriptions, an `Option` may be left out, and an unknown property is refused.
#[macro_export]
macro_rules! input {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident { $($body:tt)* }) => {
        #[derive($crate::private::serde::Deserialize)]
        #[serde(crate = "::bailiwick_tool_sdk::private::serde", rename_all = "camelCase", deny_unknown_fields)]
        $(#[$meta])*
        $visibility struct $name { $($body)* }
        $crate::__schema! { $name { $($body)* } }
    };
}

/// Declares an output, or a part of one: a struct written as JSON, with the schema that says so. Rules are those of
/// [`input!`](crate::input); a `None` is left out.
#[macro_export]
macro_rules! output {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident {
        $($(#[doc = $doc:literal])* $field_visibility:vis $field:ident: $type:ty),* $(,)?
    }) => {
        $(#[$meta])*
        $visibility struct $name { $($(#[doc = $doc])* $field_visibility $field: $type),* }
        $crate::__schema! { $name { $($(#[doc = $doc])* $field_visibility $field: $type),* } }
        impl $crate::Output for $name {
            fn write_json(self, out: &mut ::std::string::String) {
                $crate::private::open(out);
                $($crate::private::field(out, ::std::stringify!($field), self.$field);)*
                $crate::private::close(out);
            }
            fn size_hint(&self) -> usize {
                2 $(+ ::std::stringify!($field).len() + 4 + $crate::Output::size_hint(&self.$field))*
            }
        }
    };
}

/// The schema of a struct; not for use by hand.
#[doc(hidden)]
#[macro_export]
macro_rules! __schema {
    ($name:ident { $($(#[doc = $doc:literal])* $visibility:vis $field:ident: $type:ty),* $(,)? }) => {
        impl $crate::Schema for $name {
            fn schema() -> $crate::private::serde_json::Value {
                $crate::private::object(::std::vec![$($crate::private::Property {
                    name: ::std::stringify!($field),
                    description: ::std::concat!($($doc, "\n",)* ""),
                    required: <$type as $crate::Schema>::REQUIRED,
                    schema: <$type as $crate::Schema>::schema(),
                }),*])
            }
        }
    };
}
