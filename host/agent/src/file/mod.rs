//! An agent in a file: what `bailiwick agent run` reads.
//!
//! [`AgentFile::parse`] takes text and does no I/O. What the file says is a *request*: the person who runs it decides which
//! directories to open, and may give less than was asked for, never more.
//!
//! ```toml
//! name = "summary"
//! instructions = "Read the text files in `docs` and summarise them."
//! tools = ["ListFiles", "ReadFile", "added:outline=docs"]   # the last one is not ours; it gets `docs` and nothing else
//!
//! [[grant]]
//! name = "docs"
//! path = "docs"             # beneath the file's directory; "{folder}" takes it from the input; without: --grant docs=DIR
//! access = "ro"
//!
//! [limits]
//! tool-calls = 30
//! seconds = 120
//!
//! [result]                  # JSON Schema; or file = "result.schema.json"
//! type = "string"
//! ```

mod error;
mod grant;
pub(crate) mod json;
mod limits;
pub(crate) mod reader;
mod tool;

use serde_json::{Map, Value, json};

use crate::budget::Budget;
use crate::schema::Schema;
use reader::Reader;

pub use error::{FileError, nearest};
pub use grant::{GrantRequest, Place, stays_beneath};
pub use json::{SchemaSource, usable_schema};
pub use tool::ToolRequest;

/// What a file says, checked for its form.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentFile {
    /// Letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// For people.
    pub description: String,
    /// What the model is told to do.
    pub instructions: Instructions,
    /// The directories it asks for.
    pub grants: Vec<GrantRequest>,
    /// The tools it asks for, in its order.
    pub tools: Vec<ToolRequest>,
    /// What it may spend.
    pub budget: Budget,
    /// What its tokens may cost, in millionths of the unit that prices are in.
    pub money: Option<u64>,
    /// What each call of a tool may spend.
    pub call_limits: bailiwick_sandbox::Limits,
    /// The model it was written for; the command line goes before it.
    pub model: Option<String>,
    /// JSON Schema of its input. Without one it takes none.
    pub input: Option<SchemaSource>,
    /// JSON Schema of its result.
    pub result: SchemaSource,
}

/// Where the instructions come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Instructions {
    /// They stand in the file.
    Text(String),
    /// A template of this program, by its id, with parameters.
    Template {
        /// Its id, such as `readme-generation`.
        id: String,
        /// Its parameters; a text `"{title}"` stands for what the input has as `title`, and `"{}"` for the whole of it
        /// (see [`filled`]).
        parameters: Map<String, Value>,
    },
}

const KEYS: [&str; 10] =
    ["name", "description", "instructions", "template", "model", "tools", "grant", "limits", "input", "result"];

impl AgentFile {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// With the field that is wrong and what would be right. A key that is not known is an error: a misspelt limit
    /// would otherwise not be a limit.
    pub fn parse(text: &str) -> Result<Self, FileError> {
        let mut reader = Reader::of_file(text, &KEYS)?;
        let name = reader.required_text("name")?;
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
            return Err(FileError::wrong("name", "1 to 64 letters, digits, `-`, `_` or `.`"));
        }
        let description = reader.text("description")?.unwrap_or_default();
        let instructions = instructions(&mut reader)?;
        let model = reader.text("model")?;
        let tools = tool::read(&mut reader)?;
        let grants = grant::read(&mut reader)?;
        tool::check(&tools, &grants)?;
        let limits::Limited { budget, money, call: call_limits } = limits::read(&mut reader)?;
        let input = json::schema(&mut reader, "input")?;
        let result = json::schema(&mut reader, "result")?
            .ok_or_else(|| FileError::missing("result", "a JSON Schema as a table, such as `type = \"string\"`"))?;
        Ok(Self { name, description, instructions, grants, tools, budget, money, call_limits, model, input, result })
    }

    /// Holds the tools it asks for of this program's own against those there are.
    ///
    /// # Errors
    /// With the first one that there is not, and the nearest one that there is.
    pub fn check_tools(&self, known: &[&str]) -> Result<(), FileError> {
        for (index, tool) in self.tools.iter().enumerate() {
            if let ToolRequest::Own(tool) = tool
                && !known.contains(&tool.as_str())
            {
                return Err(FileError::unknown_tool(&format!("tools[{index}]"), tool, known));
            }
        }
        Ok(())
    }

    /// The structured task of a run.
    #[must_use]
    pub fn task(&self, input: &Value) -> Value {
        json!({ "kind": "agent", "agent": self.name, "input": input })
    }
}

/// The parameters of a template with `"{name}"` replaced by what the input has under that name, and `"{}"` by the input.
///
/// # Errors
/// With the parameter whose argument the input lacks.
pub fn filled(parameters: &Map<String, Value>, input: &Value) -> Result<Map<String, Value>, FileError> {
    let each = parameters.iter().map(|(name, value)| {
        let argument = value.as_str().and_then(|text| text.strip_prefix('{')).and_then(|text| text.strip_suffix('}'));
        let value = match argument {
            None => value.clone(),
            Some("") => input.clone(),
            Some(argument) => input.get(argument).cloned().ok_or_else(|| {
                let key = format!("template.parameters.{name}");
                FileError::wrong(&key, &format!("an argument that the input has, and it has no `{argument}`"))
            })?,
        };
        Ok((name.clone(), value))
    });
    each.collect()
}

/// Holds an input against its schema.
///
/// # Errors
/// With what does not fit.
pub fn check_input(schema: &Value, input: &Value) -> Result<(), FileError> {
    let schema = Schema::compile(schema).map_err(|reason| FileError::Schema { key: "input".into(), reason })?;
    schema.check(input).map_err(FileError::Input)
}

fn instructions(reader: &mut Reader) -> Result<Instructions, FileError> {
    let text = reader.text("instructions")?;
    let template = reader.table("template", &["id", "parameters"])?;
    match (text, template) {
        (Some(text), None) if text.trim().is_empty() => {
            Err(FileError::wrong("instructions", "a text that says what to do"))
        }
        (Some(text), None) => Ok(Instructions::Text(text)),
        (None, Some(mut template)) => {
            let id = template.required_text("id")?;
            let parameters = match template.value("parameters") {
                None => Map::new(),
                Some(value) => match json::from_toml("template.parameters", value)? {
                    Value::Object(parameters) => parameters,
                    _ => return Err(FileError::wrong("template.parameters", "a table")),
                },
            };
            Ok(Instructions::Template { id, parameters })
        }
        (Some(_), Some(_)) => Err(FileError::wrong("template", "left out where there are `instructions`")),
        (None, None) => {
            Err(FileError::missing("instructions", "a text that says what to do, or a table `[template]` with an `id`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_a_template_are_taken_from_the_input() {
        let text = "name = 'a'\n[template]\nid = 'x'\nparameters = { a = '{word}', b = 'b', c = ['c'] }\n[result]\n";
        let Instructions::Template { id, parameters } = AgentFile::parse(text).unwrap().instructions else { panic!() };
        assert_eq!(id, "x");
        let filled_in = filled(&parameters, &json!({"word": ["one", "two"]})).unwrap();
        assert_eq!(Value::Object(filled_in), json!({"a": ["one", "two"], "b": "b", "c": ["c"]}));
        let whole = Map::from_iter([("a".to_owned(), json!("{}"))]);
        assert_eq!(filled(&whole, &json!(["one"])).unwrap()["a"], json!(["one"]));
        let error = filled(&parameters, &json!({})).unwrap_err();
        assert!(error.to_string().contains("`template.parameters.a`"), "{error}");
    }

    #[test]
    fn what_is_left_out_has_its_usual_value() {
        let file = AgentFile::parse("name = 'a'\ninstructions = 'b'\n[result]\n").unwrap();
        assert_eq!(file.budget.max_tool_calls, 100);
        assert_eq!(file.budget.wall.as_secs(), 600);
        assert_eq!(file.call_limits.memory_bytes, 64 << 20);
        assert_eq!((file.tools.len(), file.grants.len(), file.model, file.input, file.money), (0, 0, None, None, None));
    }
}
