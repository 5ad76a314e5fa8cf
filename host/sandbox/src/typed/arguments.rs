//! JSON to values of WIT. What is off says where, as a JSON pointer.

use super::shape::{Shape, Width};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use wasmtime::component::Val;

/// Where a value is off its type, and how.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{wanted}{}", place_of(.place))]
pub(crate) struct Off {
    /// As a JSON pointer; empty for the whole.
    pub(crate) place: String,
    /// What was wanted there.
    pub(crate) wanted: String,
}

fn place_of(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!(" at `{place}`") }
}

fn off<T>(wanted: impl Into<String>) -> Result<T, Off> {
    Err(Off { place: String::new(), wanted: wanted.into() })
}

/// Says where in the whole something inside was off.
fn inside<T>(step: &str, result: Result<T, Off>) -> Result<T, Off> {
    result.map_err(|inner| {
        let step = step.replace('~', "~0").replace('/', "~1");
        Off { place: format!("/{step}{}", inner.place), wanted: inner.wanted }
    })
}

/// Values that one call may be given: each takes many times the memory of the bytes that it was written with.
const MOST_VALUES: usize = 1 << 20;

/// The parameters of a function from the object it was called with.
pub(crate) fn parameters(parameters: &[(String, Shape)], given: &Value) -> Result<Vec<Val>, Off> {
    Ok(members(parameters, given)?.into_iter().map(|(_, value)| value).collect())
}

/// A value of this shape.
pub(crate) fn value(shape: &Shape, given: &Value) -> Result<Val, Off> {
    Ok(match shape {
        Shape::Bool => match given {
            Value::Bool(value) => Val::Bool(*value),
            _ => return off("a boolean is wanted"),
        },
        Shape::Integer(width) => integer(*width, given)?,
        Shape::Float32 => {
            let wide = float(given)?;
            let narrow = wide as f32;
            if narrow.is_infinite() && wide.is_finite() {
                return off("the number is too large for 32 bits");
            }
            Val::Float32(narrow)
        }
        Shape::Float64 => Val::Float64(float(given)?),
        Shape::Char => {
            let mut characters = text(given)?.chars();
            match (characters.next(), characters.next()) {
                (Some(character), None) => Val::Char(character),
                _ => return off("exactly one character is wanted"),
            }
        }
        Shape::Text => Val::String(text(given)?.to_owned()),
        Shape::Bytes if text(given)?.len() / 4 * 3 > MOST_VALUES => {
            return off(format!("at most {MOST_VALUES} bytes are wanted"));
        }
        Shape::Bytes => match STANDARD.decode(text(given)?) {
            Ok(bytes) => Val::List(bytes.into_iter().map(Val::U8).collect()),
            Err(_) => return off("bytes in base64 are wanted"),
        },
        Shape::List(item) => Val::List(items(given, |_| Some(item))?),
        Shape::Array(item, length) => {
            exactly(given, *length)?;
            Val::FixedLengthList(items(given, |_| Some(item))?)
        }
        Shape::Map(key, inner) => Val::Map(map(key, inner, given)?),
        Shape::Record(fields) => Val::Record(members(fields, given)?),
        Shape::Tuple(shapes) => {
            exactly(given, shapes.len())?;
            Val::Tuple(items(given, |index| shapes.get(index))?)
        }
        Shape::Variant(cases) => variant(cases, given)?,
        Shape::Enum(names) => Val::Enum(one_of(names, text(given)?)?),
        Shape::Flags(names) => {
            let Value::Array(given) = given else { return off("an array of names is wanted") };
            let mut set: Vec<String> = Vec::new();
            for (index, name) in given.iter().enumerate() {
                let name = inside(&index.to_string(), text(name).and_then(|name| one_of(names, name)))?;
                if !set.contains(&name) {
                    set.push(name);
                }
            }
            Val::Flags(set)
        }
        Shape::Option(_) if given.is_null() => Val::Option(None),
        Shape::Option(inner) => {
            let some = match (&**inner, given) {
                (Shape::Option(_), Value::Object(wrapped)) if wrapped.len() == 1 && wrapped.contains_key("value") => {
                    inside("value", value(inner, &wrapped["value"]))?
                }
                (Shape::Option(_), _) => return off("null or an object with `value` is wanted"),
                _ => value(inner, given)?,
            };
            Val::Option(Some(Box::new(some)))
        }
        Shape::Result(ok, error) => result(ok.as_deref(), error.as_deref(), given)?,
    })
}

fn members(fields: &[(String, Shape)], given: &Value) -> Result<Vec<(String, Val)>, Off> {
    let given = object(given)?;
    if let Some(unknown) = given.keys().find(|name| fields.iter().all(|(field, _)| field != *name)) {
        return inside(unknown, off("nothing of this name is known"));
    }
    let member = |(name, shape): &(String, Shape)| {
        let read = match (given.get(name), shape) {
            (Some(given), _) => inside(name, value(shape, given))?,
            (None, Shape::Option(_)) => Val::Option(None),
            (None, _) => return off(format!("`{name}` is missing")),
        };
        Ok((name.clone(), read))
    };
    fields.iter().map(member).collect()
}

fn object(given: &Value) -> Result<&Map<String, Value>, Off> {
    given.as_object().map_or_else(|| off("an object is wanted"), Ok)
}

fn text(given: &Value) -> Result<&str, Off> {
    given.as_str().map_or_else(|| off("a string is wanted"), Ok)
}

fn exactly(given: &Value, length: usize) -> Result<(), Off> {
    match given.as_array() {
        Some(items) if items.len() == length => Ok(()),
        _ => off(format!("an array of {length} is wanted")),
    }
}

fn items<'a>(given: &Value, shape: impl Fn(usize) -> Option<&'a Shape>) -> Result<Vec<Val>, Off> {
    let Value::Array(given) = given else { return off("an array is wanted") };
    let item = |(index, given): (usize, &Value)| match shape(index) {
        Some(shape) => inside(&index.to_string(), value(shape, given)),
        None => off("the array is too long"),
    };
    given.iter().enumerate().map(item).collect()
}

fn one_of(names: &[String], name: &str) -> Result<String, Off> {
    match names.iter().find(|known| *known == name) {
        Some(known) => Ok(known.clone()),
        None => off("a name of the list is wanted"),
    }
}

fn map(key: &Shape, inner: &Shape, given: &Value) -> Result<Vec<(Val, Val)>, Off> {
    if *key == Shape::Text {
        let entry =
            |(name, given): (&String, &Value)| Ok((Val::String(name.clone()), inside(name, value(inner, given))?));
        return object(given)?.iter().map(entry).collect();
    }
    let Value::Array(pairs) = given else { return off("an array of pairs is wanted") };
    let pair = |(index, pair): (usize, &Value)| {
        let read = || {
            exactly(pair, 2)?;
            Ok((inside("0", value(key, &pair[0]))?, inside("1", value(inner, &pair[1]))?))
        };
        inside(&index.to_string(), read())
    };
    pairs.iter().enumerate().map(pair).collect()
}

fn variant(cases: &[(String, Option<Shape>)], given: &Value) -> Result<Val, Off> {
    let given = object(given)?;
    let kind = given.get("kind").and_then(Value::as_str);
    let Some((name, payload)) = kind.and_then(|kind| cases.iter().find(|(name, _)| name == kind)) else {
        return inside("kind", off("a name of the list is wanted"));
    };
    let wanted = 1 + usize::from(payload.is_some());
    let read = match (payload, given.get("value")) {
        (Some(shape), Some(given)) => Some(Box::new(inside("value", value(shape, given))?)),
        (None, None) => None,
        (Some(_), None) => return off("`value` is missing"),
        (None, Some(_)) => return inside("value", off("nothing of this name is known")),
    };
    if given.len() != wanted {
        return off("only `kind` and `value` are known");
    }
    Ok(Val::Variant(name.clone(), read))
}

fn result(ok: Option<&Shape>, error: Option<&Shape>, given: &Value) -> Result<Val, Off> {
    let given = object(given)?;
    let payload = |name: &str, shape: Option<&Shape>, given: &Value| match shape {
        Some(shape) => inside(name, value(shape, given)).map(|value| Some(Box::new(value))),
        None if given.is_null() => Ok(None),
        None => inside(name, off("null is wanted")),
    };
    match (given.len(), given.get("ok"), given.get("error")) {
        (1, Some(given), None) => payload("ok", ok, given).map(|value| Val::Result(Ok(value))),
        (1, None, Some(given)) => payload("error", error, given).map(|value| Val::Result(Err(value))),
        _ => off("an object with either `ok` or `error` is wanted"),
    }
}

fn float(given: &Value) -> Result<f64, Off> {
    match given {
        Value::Number(number) => number.as_f64().map_or_else(|| off("a number is wanted"), Ok),
        Value::String(name) => match name.as_str() {
            "NaN" => Ok(f64::NAN),
            "Infinity" => Ok(f64::INFINITY),
            "-Infinity" => Ok(f64::NEG_INFINITY),
            _ => off("a number is wanted"),
        },
        _ => off("a number is wanted"),
    }
}

fn integer(width: Width, given: &Value) -> Result<Val, Off> {
    let number = match given {
        Value::Number(number) => number
            .as_i64()
            .map(i128::from)
            .or_else(|| number.as_u64().map(i128::from))
            // 3.0 is a whole number in JSON Schema.
            .or_else(|| {
                number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 9e15).map(|float| float as i128)
            }),
        Value::String(digits) if width.is_wide() => {
            let plain = digits.strip_prefix('-').unwrap_or(digits);
            let only_digits = !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_digit());
            only_digits.then(|| digits.parse().ok()).flatten()
        }
        _ => None,
    };
    let (least, greatest) = width.bounds();
    let Some(number) = number.filter(|number| (least..=greatest).contains(number)) else {
        return off(format!("a whole number from {least} to {greatest} is wanted"));
    };
    Ok(match width {
        Width::S8 => Val::S8(number as i8),
        Width::U8 => Val::U8(number as u8),
        Width::S16 => Val::S16(number as i16),
        Width::U16 => Val::U16(number as u16),
        Width::S32 => Val::S32(number as i32),
        Width::U32 => Val::U32(number as u32),
        Width::S64 => Val::S64(number as i64),
        Width::U64 => Val::U64(number as u64),
    })
}
