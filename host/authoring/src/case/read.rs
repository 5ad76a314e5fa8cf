//! Text to cases.

use super::{Case, Expect};
use crate::error::AuthoringError;
use bailiwick_tools::manifest::Access;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// The kinds of error of `wit/tool.wit`, `host` for what ended the call from outside, and `asks` for a question.
const KINDS: [&str; 11] = [
    "invalid-input",
    "not-permitted",
    "not-found",
    "wrong-kind",
    "too-large",
    "not-text",
    "ambiguous",
    "no-match",
    "failed",
    "host",
    "asks",
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    case: Vec<Raw>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    name: String,
    tool: Option<String>,
    #[serde(default)]
    input: toml::Table,
    #[serde(default)]
    access: BTreeMap<String, Access>,
    #[serde(default)]
    before: BTreeMap<String, Content>,
    expect: RawExpect,
    #[serde(default)]
    after: BTreeMap<String, After>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExpect {
    output: Option<toml::Table>,
    error: Option<String>,
    message: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    From { from: String },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum After {
    Gone(bool),
    There(Content),
}

/// The cases of a project, in the order of their files.
///
/// # Errors
/// There are none, or one cannot be used; with its file and its name.
pub fn read(project: &Path) -> Result<Vec<Case>, AuthoringError> {
    let directory = project.join("tests");
    let mut files: Vec<PathBuf> = match fs::read_dir(&directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(AuthoringError::NoCases(directory)),
        entries => entries
            .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
            .map_err(AuthoringError::io(&directory, "read"))?,
    };
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut cases = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).map_err(AuthoringError::io(&path, "read"))?;
        cases.extend(parse(&text, &path)?);
    }
    if cases.is_empty() { Err(AuthoringError::NoCases(directory)) } else { Ok(cases) }
}

fn parse(text: &str, path: &Path) -> Result<Vec<Case>, AuthoringError> {
    let file: File = toml::from_str(text).map_err(|error| {
        let before = error.span().map_or(0, |span| span.start).min(text.len());
        let line = text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count() + 1;
        let reason = format!("line {line}: {}", error.message().replace('\n', " "));
        AuthoringError::Case { path: path.to_owned(), case: None, reason }
    })?;
    file.case.into_iter().map(|raw| case(raw, path)).collect()
}

fn case(raw: Raw, path: &Path) -> Result<Case, AuthoringError> {
    let name = raw.name.clone();
    let wrong = |reason: String| AuthoringError::Case { path: path.to_owned(), case: Some(name.clone()), reason };
    let beside = path.parent().unwrap_or(Path::new("."));
    let named = |file: &str| {
        if beneath(file) && file.contains('/') {
            Ok(file.to_owned())
        } else {
            Err(wrong(format!(
                "`{}` has to be a directory's name and a path in it, such as `notes/a.md`",
                file.escape_debug()
            )))
        }
    };
    let content = |content: Content| match content {
        Content::Text(text) => Ok(text.into_bytes()),
        Content::From { from } if !beneath(&from) => {
            Err(wrong(format!("`from = \"{}\"` has to be a path beneath `tests`", from.escape_debug())))
        }
        Content::From { from } => fs::read(beside.join(&from))
            .map_err(|error| wrong(format!("`{}` cannot be read: {error}", from.escape_debug()))),
    };
    let mut before = BTreeMap::new();
    for (file, text) in raw.before {
        before.insert(named(&file)?, content(text)?);
    }
    let mut after = BTreeMap::new();
    for (file, text) in raw.after {
        let text = match text {
            After::Gone(false) => None,
            After::Gone(true) => {
                return Err(wrong(format!(
                    "`after.\"{}\"` has to be a text, or `false` for a file that is gone",
                    file.escape_debug()
                )));
            }
            After::There(text) => Some(content(text)?),
        };
        after.insert(named(&file)?, text);
    }
    let RawExpect { output, error, message } = raw.expect;
    let expect = match (output, error) {
        (Some(_), None) if message.is_some() => return Err(wrong("`expect.message` goes with `expect.error`".into())),
        (Some(output), None) => Expect::Output(json(output).map_err(&wrong)?),
        (None, Some(kind)) if KINDS.contains(&kind.as_str()) => Expect::Error { kind, message },
        (None, Some(_)) => return Err(wrong(format!("`expect.error` has to be one of {}", KINDS.join(", ")))),
        _ => return Err(wrong("`expect` has to have `output` or `error`, and not both".into())),
    };
    let input = json(raw.input).map_err(&wrong)?;
    Ok(Case { file: path.to_owned(), name: raw.name, tool: raw.tool, input, access: raw.access, before, expect, after })
}

fn beneath(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

fn json(table: toml::Table) -> Result<Value, String> {
    let mut map = Map::new();
    for (key, value) in table {
        map.insert(key, value_of(value)?);
    }
    Ok(Value::Object(map))
}

fn value_of(value: toml::Value) -> Result<Value, String> {
    Ok(match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => serde_json::Number::from_f64(number).ok_or("JSON has no such number")?.into(),
        toml::Value::Boolean(flag) => flag.into(),
        toml::Value::Datetime(_) => return Err("JSON has no dates: write one in quotes".into()),
        toml::Value::Array(values) => Value::Array(values.into_iter().map(value_of).collect::<Result<_, _>>()?),
        toml::Value::Table(table) => json(table)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Vec<Case>, String> {
        parse(text, Path::new("tests/a.toml")).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_wrong_with_a_case_is_said_with_its_name() {
        for (text, said) in [
            ("[[case]]\nname = 'a'\nexpect = {}", "has to have `output` or `error`"),
            ("[[case]]\nname = 'a'\nexpect = { error = 'gone' }", "`expect.error` has to be one of"),
            ("[[case]]\nname = 'a'\nbefore = { '../x' = '' }\nexpect = { error = 'failed' }", "a directory's name"),
            ("[[case]]\nname = 'a'\nbefore = { 'x' = '' }\nexpect = { error = 'failed' }", "a directory's name"),
            (
                "[[case]]\nname = 'a'\nbefore = { 'n/x' = { from = '/etc/passwd' } }\nexpect = { error = 'failed' }",
                "beneath `tests`",
            ),
            ("[[case]]\nname = 'a'\nafter = { 'n/x' = true }\nexpect = { error = 'failed' }", "`false` for a file"),
            ("[[case]]\nname = 'a'\nexpect = { output = {}, message = 'x' }", "goes with `expect.error`"),
            ("[[case]]\nname = 'a'\ninput = { d = 1979-05-27 }\nexpect = { output = {} }", "no dates"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(said) && error.contains("case `a`"), "{error}");
        }
        assert!(parsed("[[case]]\nname = 'a'\nexpected = {}\n").unwrap_err().contains("line "));
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    #[test]
    fn cases() {
        const WORDS: &[&str] = &[
            "[[case]]\n",
            "name = 'a'\n",
            "tool = 'a'\n",
            "input = { a = 1 }\n",
            "before = { 'n/x' = '' }\n",
            "after = { 'n/x' = false }\n",
            "from = '../x'",
            "expect = { error = 'failed' }\n",
            "expect = { output = { a = nan } }\n",
            "1979-05-27",
            "[[[[",
            "{a={a={a=",
        ];
        Target { name: "cases", words: WORDS }.run_text(|text| {
            // No file is read for it: `beside` is a directory that is not there.
            let _ = super::parse(text, std::path::Path::new("/nowhere/tests/a.toml"));
        });
    }
}
