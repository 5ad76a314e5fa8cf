//! Text to a manifest.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::{FILE, LONGEST, Manifest, ManifestError, check, schema};
use bailiwick_base::text::nearest;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error};

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// The text is not TOML, or has an unknown key or an invalid value; with the line of it.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        if text.len() > LONGEST {
            return Err(ManifestError::TooLong { found: text.len(), limit: LONGEST });
        }
        let table = DeTable::parse(text).map_err(|error| ManifestError::Syntax {
            line: error.span().map_or(1, |span| line(text, &span)),
            reason: said(&error),
        })?;
        let schema = schema().to_value();
        known(text, &schema, &schema, table.get_ref(), "")?;
        let manifest = Self::deserialize(Deserializer::from(table.clone())).map_err(|error| {
            let span = error.span().unwrap_or_default();
            let key = key_of(table.get_ref(), &span, "").unwrap_or_else(|| FILE.to_owned());
            ManifestError::Wrong { line: line(text, &span), key, reason: format!("cannot be used: {}", said(&error)) }
        })?;
        match check::check(&manifest) {
            Ok(()) => Ok(manifest),
            Err(wrong) => {
                let span = span_of(table.get_ref(), &wrong.key).unwrap_or_default();
                Err(ManifestError::Wrong { line: line(text, &span), key: wrong.key, reason: wrong.reason })
            }
        }
    }
}

/// What the parser says, on one line.
fn said(error: &Error) -> String {
    error
        .message()
        .lines()
        .collect::<Vec<_>>()
        .join(", ")
        .escape_debug()
        .to_string()
        .replace("\\\"", "\"")
        .replace("\\'", "'")
}

/// Counted from 1.
fn line(text: &str, span: &Range<usize>) -> usize {
    text.as_bytes().iter().take(span.start).filter(|byte| **byte == b'\n').count().saturating_add(1)
}

/// Refuses a key that the schema does not have.
fn known(text: &str, whole: &Value, schema: &Value, table: &DeTable<'_>, place: &str) -> Result<(), ManifestError> {
    let Some(properties) = properties(whole, schema) else { return Ok(()) };
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        let here = format!("{place}{name}");
        let Some(inner) = properties.get(name) else {
            let nearest = nearest(name, properties.keys().map(String::as_str)).unwrap_or_default();
            let nearest = format!("{place}{nearest}");
            return Err(ManifestError::UnknownKey { line: line(text, &key.span()), key: here, nearest });
        };
        match value.get_ref() {
            DeValue::Table(table) => known(text, whole, inner, table, &format!("{here}."))?,
            DeValue::Array(array) => {
                for (index, element) in array.iter().enumerate() {
                    let (Some(table), Some(items)) =
                        (element.get_ref().as_table(), resolved(whole, inner).get("items"))
                    else {
                        continue;
                    };
                    known(text, whole, items, table, &format!("{here}[{index}]."))?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn properties<'a>(whole: &'a Value, schema: &'a Value) -> Option<&'a Map<String, Value>> {
    resolved(whole, schema).get("properties")?.as_object()
}

/// What a schema refers to, also where it may be `null` instead.
fn resolved<'a>(whole: &'a Value, schema: &'a Value) -> &'a Value {
    let choice = schema.get("anyOf").and_then(Value::as_array).and_then(|choices| choices.first());
    let schema = choice.unwrap_or(schema);
    let named = schema.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix('#'));
    named.and_then(|pointer| whole.pointer(pointer)).unwrap_or(schema)
}

/// The key whose value a span lies in.
fn key_of(table: &DeTable<'_>, span: &Range<usize>, place: &str) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        let here = format!("{place}{}", key.get_ref());
        within(value, span, &here)
    })
}

fn within(value: &Spanned<DeValue<'_>>, span: &Range<usize>, here: &str) -> Option<String> {
    let inner = match value.get_ref() {
        DeValue::Table(table) => key_of(table, span, &format!("{here}.")),
        DeValue::Array(array) => {
            array.iter().enumerate().find_map(|(index, element)| within(element, span, &format!("{here}[{index}]")))
        }
        _ => None,
    };
    let holds = value.span().start <= span.start && span.end <= value.span().end;
    inner.or_else(|| holds.then(|| here.to_owned()))
}

/// Where a key such as `network[0].host` stands, or the table it is missing in.
fn span_of(table: &DeTable<'_>, key: &str) -> Option<Range<usize>> {
    let (part, rest) = key.split_once('.').unwrap_or((key, ""));
    let (name, index) = match part.split_once('[') {
        Some((name, index)) => (name, index.trim_end_matches(']').parse::<usize>().ok()),
        None => (part, None),
    };
    let (stands, value) = table.iter().find(|(known, _)| known.get_ref() == name)?;
    let (span, value) = match (index, value.get_ref()) {
        (Some(index), DeValue::Array(array)) => {
            let element = array.get(index)?;
            (element.span(), element.get_ref())
        }
        (_, value) => (stands.span(), value),
    };
    match value.as_table().filter(|_| !rest.is_empty()) {
        Some(table) => span_of(table, rest).or(Some(span)),
        None => Some(span),
    }
}
