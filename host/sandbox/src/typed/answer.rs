//! Values of WIT to JSON.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::EXACT;
use super::shape::Shape;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use wasmtime::component::Val;

/// The value is not of the shape its type promised: a defect of this host and not of the guest, whose values the engine
/// has checked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a value is not of its type")]
pub(crate) struct Mismatch;

/// The JSON of a value of this shape.
pub(crate) fn value(shape: &Shape, given: &Val) -> Result<Value, Mismatch> {
    Ok(match (shape, given) {
        (Shape::Bool, Val::Bool(value)) => json!(value),
        (Shape::Integer(_), number) => integer(number)?,
        (Shape::Float32, Val::Float32(number)) => float(f64::from(*number)),
        (Shape::Float64, Val::Float64(number)) => float(*number),
        (Shape::Char, Val::Char(character)) => json!(character),
        (Shape::Text, Val::String(text)) => json!(text),
        (Shape::Bytes, Val::List(bytes)) => {
            let byte = |value: &Val| if let Val::U8(byte) = value { Ok(*byte) } else { Err(Mismatch) };
            json!(STANDARD.encode(bytes.iter().map(byte).collect::<Result<Vec<_>, _>>()?))
        }
        (Shape::List(item), Val::List(items)) | (Shape::Array(item, _), Val::FixedLengthList(items)) => {
            items.iter().map(|given| value(item, given)).collect::<Result<_, _>>()?
        }
        (Shape::Map(key, inner), Val::Map(entries)) => map(key, inner, entries)?,
        (Shape::Record(fields), Val::Record(given)) if fields.len() == given.len() => {
            let mut members = Map::new();
            for ((name, shape), (_, given)) in fields.iter().zip(given) {
                // What may be left out is left out.
                if !matches!(given, Val::Option(None)) {
                    members.insert(name.clone(), value(shape, given)?);
                }
            }
            Value::Object(members)
        }
        (Shape::Tuple(shapes), Val::Tuple(items)) if shapes.len() == items.len() => {
            shapes.iter().zip(items).map(|(shape, given)| value(shape, given)).collect::<Result<_, _>>()?
        }
        (Shape::Variant(cases), Val::Variant(name, payload)) => {
            let (_, shape) = cases.iter().find(|(known, _)| known == name).ok_or(Mismatch)?;
            match (shape, payload) {
                (Some(shape), Some(given)) => json!({ "kind": name, "value": value(shape, given)? }),
                (None, None) => json!({ "kind": name }),
                _ => return Err(Mismatch),
            }
        }
        (Shape::Enum(_), Val::Enum(name)) => json!(name),
        (Shape::Flags(_), Val::Flags(names)) => json!(names),
        (Shape::Option(_), Val::Option(None)) => Value::Null,
        (Shape::Option(inner), Val::Option(Some(given))) => {
            let written = value(inner, given)?;
            if matches!(**inner, Shape::Option(_)) { json!({ "value": written }) } else { written }
        }
        (Shape::Result(ok, error), Val::Result(given)) => match given {
            Ok(given) => json!({ "ok": payload(ok.as_deref(), given.as_deref())? }),
            Err(given) => json!({ "error": payload(error.as_deref(), given.as_deref())? }),
        },
        _ => return Err(Mismatch),
    })
}

/// The JSON of what may be nothing.
pub(crate) fn payload(shape: Option<&Shape>, given: Option<&Val>) -> Result<Value, Mismatch> {
    match (shape, given) {
        (Some(shape), Some(given)) => value(shape, given),
        (None, None) => Ok(Value::Null),
        _ => Err(Mismatch),
    }
}

fn map(key: &Shape, inner: &Shape, entries: &[(Val, Val)]) -> Result<Value, Mismatch> {
    if *key != Shape::Text {
        let pair = |(name, given): &(Val, Val)| Ok(json!([value(key, name)?, value(inner, given)?]));
        return entries.iter().map(pair).collect();
    }
    let entry = |(name, given): &(Val, Val)| match name {
        Val::String(name) => Ok((name.clone(), value(inner, given)?)),
        _ => Err(Mismatch),
    };
    Ok(Value::Object(entries.iter().map(entry).collect::<Result<_, _>>()?))
}

fn integer(number: &Val) -> Result<Value, Mismatch> {
    Ok(match number {
        Val::S8(number) => json!(number),
        Val::U8(number) => json!(number),
        Val::S16(number) => json!(number),
        Val::U16(number) => json!(number),
        Val::S32(number) => json!(number),
        Val::U32(number) => json!(number),
        Val::S64(number) if number.unsigned_abs() <= EXACT => json!(number),
        Val::S64(number) => json!(number.to_string()),
        Val::U64(number) if *number <= EXACT => json!(number),
        Val::U64(number) => json!(number.to_string()),
        _ => return Err(Mismatch),
    })
}

fn float(number: f64) -> Value {
    match number {
        number if number.is_nan() => json!("NaN"),
        f64::INFINITY => json!("Infinity"),
        f64::NEG_INFINITY => json!("-Infinity"),
        number => json!(number),
    }
}
