//! The agent file and what lies beside it: schemas and scripts.

use super::open_beneath::{self, OpenError};
use crate::exit::{Error, Result};
use bailiwick_agent::Microagent;
use bailiwick_agent::file::{
    AgentFile, FileError, Instructions, SchemaSource, check_input, filled, nearest, usable_schema,
};
use bailiwick_agent::script::Script;
use bailiwick_agent::templates::{Rendered, Values};
use bailiwick_customize::prompts::{self, PromptId};
use bailiwick_runs::Digest;
use rustix::fd::OwnedFd;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

// A file that a person wrote; anything larger is a mistake.
const LARGEST: u64 = 1 << 20;

/// An agent file with the directory it lies in.
pub(super) struct Source {
    pub(super) agent: AgentFile,
    /// Of its text.
    pub(super) digest: Digest,
    /// The schemas of `input`, if there is one, and of `result`.
    pub(super) schemas: Vec<(&'static str, Value)>,
    file: PathBuf,
    place: PathBuf,
    directory: OwnedFd,
}

impl Source {
    pub(super) fn read(file: &Path) -> Result<Self> {
        let place = file.parent().filter(|place| !place.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned();
        let unreadable = |reason: String| {
            Error::usage(format!("cannot read the agent file `{}`: {reason}", file.display()))
                .hint("`bailiwick agent run` takes the path of a TOML file; `examples/agents` has some")
        };
        // Looked at before it is opened: opening a pipe waits for a writer.
        let found = std::fs::metadata(file).map_err(|error| unreadable(error.to_string()))?;
        if !found.is_file() {
            return Err(unreadable("it is not a regular file".into()));
        }
        let opened = std::fs::File::open(file).map_err(|error| unreadable(error.to_string()))?;
        let text = open_beneath::read(opened, LARGEST).map_err(|unopened| match unopened {
            OpenError::Unusable(reason) => unreadable(reason),
            OpenError::Leaves => unreadable("it is a link".into()),
        })?;
        let directory = open_beneath::directory(&place).map_err(|errno| unreadable(errno.to_string()))?;
        let agent = AgentFile::parse(&text).map_err(|error| wrong(file, &error))?;
        let digest = Digest::of(text.as_bytes());
        let mut source = Self { agent, digest, schemas: Vec::new(), file: file.to_owned(), place, directory };
        for (key, schema) in [("input", source.agent.input.clone()), ("result", Some(source.agent.result.clone()))] {
            if let Some(schema) = schema {
                source.schemas.push((key, source.schema(key, &schema)?));
            }
        }
        Ok(source)
    }

    /// An error of the file with its name.
    pub(super) fn wrong(&self, error: &FileError) -> Error {
        wrong(&self.file, error)
    }

    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    pub(super) fn directory(&self) -> Result<OwnedFd> {
        rustix::io::fcntl_dupfd_cloexec(&self.directory, 0).map_err(|errno| Error::failed(errno.to_string()))
    }

    /// The agent, with the instructions of the file or of the template that it names.
    pub(super) fn microagent(&self, input: &Value) -> Result<Microagent<Value>> {
        let (task, budget) = (self.agent.task(input), self.agent.budget.clone());
        let agent = match &self.agent.instructions {
            Instructions::Text(text) => Microagent::new(text, task, budget),
            Instructions::Template { id, parameters } => {
                Microagent::templated(self.rendered(id, parameters, input)?, task, budget)
            }
        };
        let result = self.schemas.iter().find(|(key, _)| *key == "result").map(|(_, schema)| schema.clone());
        Ok(agent.named(self.agent.name.as_str()).with_result_schema(result.unwrap_or_default()))
    }

    fn rendered(&self, id: &str, parameters: &Map<String, Value>, input: &Value) -> Result<Rendered> {
        let unusable =
            |field: &str, problem: &str| Error::usage(format!("`{}`: `{field}`: {problem}", self.file.display()));
        let names = PromptId::ALL.map(PromptId::name);
        let template = PromptId::from_name(id).ok_or_else(|| {
            let near = nearest(id, &names);
            unusable("template.id", &format!("there is no template `{}`; did you mean `{near}`", id.escape_debug()))
                .hint(format!("the templates are {}", names.join(", ")))
        })?;
        let values = filled(parameters, input).map_err(|error| self.wrong(&error))?;
        let values: Values = serde_json::from_value(Value::Object(values)).map_err(|_| {
            unusable("template.parameters", "each is a text or a list of texts").hint("put numbers in quotes")
        })?;
        prompts::render(template, &values).map_err(|error| {
            unusable("template.parameters", &error.to_string())
                .hint("correct the parameters, or what the input gives for them")
        })
    }

    /// Holds an input against its schema; an agent that takes an input and gets none is given an empty object.
    pub(super) fn check_input(&self, input: Option<&Value>) -> Result<()> {
        let empty = Value::Object(Map::new());
        match (self.schemas.iter().find(|(key, _)| *key == "input"), input) {
            (None, None) => Ok(()),
            (None, Some(_)) => Err(Error::usage("the agent takes no input: its file has no `[input]`")
                .hint("leave the input out, or describe it in the agent file")),
            (Some((_, schema)), input) => check_input(schema, input.unwrap_or(&empty)).map_err(|error| match error {
                FileError::Input(_) => {
                    Error::usage(error.to_string()).hint("give what is asked for with `--input` or `--input-lines`")
                }
                other => self.wrong(&other),
            }),
        }
    }

    fn schema(&self, key: &str, source: &SchemaSource) -> Result<Value> {
        let file = match source {
            SchemaSource::Inline(schema) => return Ok(schema.clone()),
            SchemaSource::File(file) => file,
        };
        let text = self.beside(&format!("{key}.file"), file)?;
        let schema = serde_json::from_str(&text)
            .map_err(|error| Error::usage(format!("`{key}.file`: `{file}` is not JSON: {error}")).hint("correct it"))?;
        usable_schema(key, &schema).map_err(|error| self.wrong(&error))?;
        Ok(schema)
    }

    /// The script that the file names as its model.
    pub(super) fn script(&self, path: &str) -> Result<(Script, Digest)> {
        let text = self.beside("model", path)?;
        script(path, &text)
    }

    fn beside(&self, field: &str, path: &str) -> Result<String> {
        open_beneath::text(&self.directory, Path::new(path), LARGEST).map_err(|unopened| match unopened {
            OpenError::Leaves => Error::refused(format!(
                "`{field}`: `{}` leads, by its words or by a link, out of the agent file's directory",
                path.escape_debug()
            ))
            .hint("put the file beside the agent file"),
            OpenError::Unusable(reason) => {
                Error::usage(format!("`{field}`: cannot read `{}`: {reason}", path.escape_debug()))
                    .hint("name a file beneath the agent file's directory")
            }
        })
    }
}

/// A script that the command line names.
pub(super) fn script_of_person(path: &str) -> Result<(Script, Digest)> {
    let unreadable = |reason: String| {
        Error::usage(format!("cannot read the script `{path}`: {reason}"))
            .hint("`--model script:FILE` takes a TOML file")
    };
    // Looked at before it is opened: opening a pipe waits for a writer, and a device has no end.
    if !std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.is_file() {
        return Err(unreadable("it is not a regular file".into()));
    }
    let opened = std::fs::File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let text = open_beneath::read(opened, LARGEST).map_err(|unopened| match unopened {
        OpenError::Unusable(reason) => unreadable(reason),
        OpenError::Leaves => unreadable("it is a link".into()),
    })?;
    script(path, &text)
}

fn script(path: &str, text: &str) -> Result<(Script, Digest)> {
    let script = Script::parse(&format!("script:{path}"), text).map_err(|error| wrong(Path::new(path), &error))?;
    Ok((script, Digest::of(text.as_bytes())))
}

fn wrong(file: &Path, error: &FileError) -> Error {
    let hint = match error {
        FileError::Syntax { .. } => "the file is TOML: `key = \"value\"` lines and `[table]` lines".to_owned(),
        FileError::UnknownKey { nearest, .. } => format!("write `{nearest}`, or leave the key out"),
        FileError::UnknownTool { nearest, .. } => {
            format!("write `{nearest}`, or leave the tool out; `bailiwick tool list` shows all")
        }
        FileError::Missing { key, .. } => format!("add `{key}`"),
        _ => "correct it; nothing was started".to_owned(),
    };
    Error::usage(format!("`{}`: {error}", file.display())).hint(hint)
}
