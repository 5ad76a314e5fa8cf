//! The file of a script.

use serde_json::Value;

use super::pattern::Pattern;
use crate::file::FileError;
use crate::file::json::from_toml;
use crate::file::reader::Reader;

/// One step, which is one turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    /// What later steps call its answer; unique.
    pub(super) id: String,
    pub(super) tool: String,
    pub(super) arguments: Value,
    /// Leads to a list; the step calls its tool once for each element.
    pub(super) for_each: Option<String>,
    /// Takes elements that are texts apart, and passes over those that do not match.
    pub(super) pattern: Option<Pattern>,
    pub(super) may_fail: bool,
}

/// Steps, and then the result.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Steps {
    pub(super) steps: Vec<Step>,
    pub(super) result: Value,
}

pub(super) fn parse(text: &str) -> Result<Steps, FileError> {
    let mut reader = Reader::of_file(text, &["step", "exit"])?;
    let mut steps: Vec<Step> = Vec::new();
    for mut table in reader.tables("step", &["id", "tool", "arguments", "for-each", "pattern", "may-fail"])? {
        let id = table.text("id")?.unwrap_or_else(|| format!("step-{}", steps.len() + 1));
        if matches!(id.as_str(), "input" | "each") || steps.iter().any(|step| step.id == id) {
            return Err(FileError::wrong(
                &table.name("id"),
                "another name than `input`, `each` and those of other steps",
            ));
        }
        let key = table.name("arguments");
        let arguments = table.value("arguments").unwrap_or_else(|| toml::Value::Table(toml::Table::new()));
        let for_each = table.text("for-each")?;
        let pattern = match table.text("pattern")? {
            Some(_) if for_each.is_none() => {
                let expected = "left out where there is no `for-each` whose elements it takes apart";
                return Err(FileError::wrong(&table.name("pattern"), expected));
            }
            Some(text) => Some(Pattern::parse(&text).ok_or_else(|| {
                let expected = "a text with names in braces, such as `\"{file}:{line}: {word}\"`, each there once and with \
                                something between them";
                FileError::wrong(&table.name("pattern"), expected)
            })?),
            None => None,
        };
        steps.push(Step {
            id,
            tool: table.required_text("tool")?,
            arguments: from_toml(&key, arguments)?,
            for_each,
            pattern,
            may_fail: table.flag("may-fail")?,
        });
    }
    let missing = || FileError::missing("exit", "a table `[exit]` with the `result`");
    let mut exit = reader.table("exit", &["result"])?.ok_or_else(missing)?;
    let result = from_toml("exit.result", exit.value("result").ok_or_else(missing)?)?;
    Ok(Steps { steps, result })
}
