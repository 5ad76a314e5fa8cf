//! From the text of the file and words to the edits. Nothing here touches a file.

use crate::config::{self, Config, Problem};
use crate::list::{Layout, List, Source, indent_of};
use crate::words::{self, LetterCase};
use bailiwick_tool_sdk::Output as _;
use bailiwick_tool_sdk::diff::Edit;
use bailiwick_tool_sdk::lines::BOM;
use jsonc_parser::ast::{Array, Value};

/// Indentation where the file shows none.
const STEP: &str = "  ";

/// What is to be done.
#[derive(Debug)]
pub(crate) struct Update {
    /// The edits, sorted and apart; none when every word is there.
    pub(crate) edits: Vec<Edit>,
    /// The words they add.
    pub(crate) added: Vec<String>,
    /// The words that are there.
    pub(crate) already_present: Vec<String>,
}

/// A file that has only `words`.
pub(crate) fn fresh(words: &[String]) -> Update {
    let sorted = words::sort(&[], words, LetterCase::Ignored);
    let added: Vec<String> = sorted.new.into_iter().map(|(_, word)| word).collect();
    let lines: Vec<String> = added.iter().map(|word| format!("\n    {}", word.as_str().to_json())).collect();
    let with =
        format!("{{\n  \"version\": \"0.2\",\n  \"language\": \"en\",\n  \"words\": [{}\n  ]\n}}\n", lines.join(","));
    Update { edits: vec![Edit { span: 0..0, with }], added, already_present: Vec::new() }
}

/// Adds `words` to the list in `text`.
///
/// # Errors
/// When the text is not what the spelling checker could read.
pub(crate) fn update(text: &str, words: &[String]) -> Result<Update, Problem> {
    let mark = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let mut update = update_without_mark(&text[mark..], words)?;
    for edit in &mut update.edits {
        edit.span = edit.span.start + mark..edit.span.end + mark;
    }
    Ok(update)
}

fn update_without_mark(text: &str, words: &[String]) -> Result<Update, Problem> {
    let config = config::read(text)?;
    let case = match config.property(text, "caseSensitive")?.map(|property| &property.value) {
        Some(Value::BooleanLit(literal)) if literal.value => LetterCase::Distinguished,
        _ => LetterCase::Ignored,
    };
    let array = match config.property(text, "words")? {
        Some(property) => Some(
            property
                .value
                .as_array()
                .ok_or_else(|| Problem::at(text, value_start(&property.value), "`words` is not a list"))?,
        ),
        None => None,
    };
    let there = array.map_or_else(|| Ok(Vec::new()), |array| strings(text, array))?;
    let sorted = words::sort(&there, words, case);
    let mut edits = Vec::new();
    if !sorted.new.is_empty() {
        let source = Source { text, tokens: &config.tokens, step: step(text, &config) };
        match array {
            Some(array) => insert(source, array, &sorted.new, &mut edits),
            None => edits = add_property(source, &config, &sorted.new),
        }
    }
    let added = sorted.new.into_iter().map(|(_, word)| word).collect();
    Ok(Update { edits, added, already_present: sorted.present })
}

/// The words of the list.
fn strings<'a>(text: &str, array: &'a Array<'_>) -> Result<Vec<&'a str>, Problem> {
    let word = |value: &'a Value<'_>| match value {
        Value::StringLit(literal) => Ok(literal.value.as_ref()),
        other => Err(Problem::at(text, value_start(other), "`words` has something that is not a string")),
    };
    array.elements.iter().map(word).collect()
}

fn insert(source: Source<'_>, array: &Array<'_>, new: &[(usize, String)], edits: &mut Vec<Edit>) {
    let items: Vec<_> = array.elements.iter().map(value_range).collect();
    for group in new.chunk_by(|left, right| left.0 == right.0) {
        let texts: Vec<String> = group.iter().map(|(_, word)| word.as_str().to_json()).collect();
        let Some((at, _)) = group.first() else { continue };
        match items.get(*at) {
            Some(item) => edits.push(source.before(item, &texts)),
            None => {
                let list = List { span: array.range.start..array.range.end, items: items.clone() };
                edits.extend(source.append(&list, |_| texts.clone()));
            }
        }
    }
}

/// Adds the list itself, as the last property.
fn add_property(source: Source<'_>, config: &Config<'_>, new: &[(usize, String)]) -> Vec<Edit> {
    let properties = &config.root.properties;
    let items = properties.iter().map(|property| property.range.start..property.range.end).collect();
    let list = List { span: config.root.range.start..config.root.range.end, items };
    let texts: Vec<String> = new.iter().map(|(_, word)| word.as_str().to_json()).collect();
    let ending = if source.text.contains("\r\n") { "\r\n" } else { "\n" };
    source.append(&list, |layout| {
        let words = match layout {
            Layout::Inline => format!("\"words\": [{}]", texts.join(", ")),
            Layout::Lines(indent) => {
                let separator = format!("{ending}{indent}{}", source.step);
                format!("\"words\": [{separator}{}{ending}{indent}]", texts.join(&format!(",{separator}")))
            }
        };
        vec![words]
    })
}

/// One step of indentation: that of the first property, beyond that of the whole.
fn step<'a>(text: &'a str, config: &Config<'_>) -> &'a str {
    let line_start = |offset: usize| text[..offset].rfind('\n').map_or(0, |feed| feed + 1);
    let outer = indent_of(&text[line_start(config.root.range.start)..]);
    let first = config.root.properties.first().map(|property| property.range.start);
    let line = first.map(|start| &text[line_start(start)..start]).filter(|line| indent_of(line).len() == line.len());
    line.and_then(|line| line.strip_prefix(outer)).filter(|step| !step.is_empty()).unwrap_or(STEP)
}

fn value_range(value: &Value<'_>) -> std::ops::Range<usize> {
    let range = jsonc_parser::common::Ranged::range(value);
    range.start..range.end
}

fn value_start(value: &Value<'_>) -> usize {
    value_range(value).start
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
