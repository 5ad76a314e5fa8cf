//! The agent file and what lies beside it: schemas and scripts.

use super::beneath::{self, Unopened};
use crate::exit::{Error, Result};
use bailiwick_agent::file::{AgentFile, FileError, Instructions, SchemaSource, check_input, filled, usable_schema};
use bailiwick_agent::script::Script;
use rustix::fd::OwnedFd;
use serde_json::Value;
use std::path::{Path, PathBuf};

// A file that a person wrote; anything larger is a mistake.
const LARGEST: u64 = 1 << 20;

/// An agent file with the directory it lies in.
pub(super) struct Source {
    pub(super) agent: AgentFile,
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
            return Err(unreadable("it is no plain file".into()));
        }
        let opened = std::fs::File::open(file).map_err(|error| unreadable(error.to_string()))?;
        let text = beneath::read(opened, LARGEST).map_err(|unopened| match unopened {
            Unopened::Unusable(reason) => unreadable(reason),
            Unopened::Leaves => unreadable("it is a link".into()),
        })?;
        let directory = beneath::directory(&place).map_err(|errno| unreadable(errno.to_string()))?;
        let agent = AgentFile::parse(&text).map_err(|error| wrong(file, &error))?;
        Ok(Self { agent, file: file.to_owned(), place, directory })
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

    pub(super) fn instructions(&self, input: &Value) -> Result<String> {
        match &self.agent.instructions {
            Instructions::Text(text) => Ok(text.clone()),
            // The one place where templates come in.
            Instructions::Template { id, parameters } => {
                let _ = filled(parameters, input).map_err(|error| self.wrong(&error))?;
                let (file, id) = (self.file.display(), id.escape_debug());
                Err(Error::usage(format!("`{file}`: `template.id`: there is no template `{id}`"))
                    .hint("write `instructions = \"…\"` in its place"))
            }
        }
    }

    /// The schema of the result.
    pub(super) fn result(&self) -> Result<Value> {
        self.schema("result", &self.agent.result)
    }

    /// The input, held against its schema.
    pub(super) fn input(&self, text: Option<&str>) -> Result<Value> {
        let input = match text {
            None => Value::Object(serde_json::Map::new()),
            Some(text) => serde_json::from_str(text).map_err(|error| {
                Error::usage(format!("`--input` is not JSON: {error}"))
                    .hint("write for example `--input '{\"name\": \"value\"}'`, `--input @FILE` or `--input -`")
            })?,
        };
        match &self.agent.input {
            Some(source) => {
                let schema = self.schema("input", source)?;
                check_input(&schema, &input).map_err(|error| match error {
                    FileError::Input(_) => {
                        Error::usage(error.to_string()).hint("give what is asked for with `--input`")
                    }
                    other => self.wrong(&other),
                })?;
            }
            None if text.is_some() => {
                return Err(Error::usage("the agent takes no input: its file has no `[input]`")
                    .hint("leave `--input` out, or describe the input in the agent file"));
            }
            None => {}
        }
        Ok(input)
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
    pub(super) fn script(&self, path: &str) -> Result<Script> {
        let text = self.beside("model", path)?;
        script(path, &text)
    }

    fn beside(&self, field: &str, path: &str) -> Result<String> {
        beneath::text(&self.directory, Path::new(path), LARGEST).map_err(|unopened| match unopened {
            Unopened::Leaves => Error::refused(format!(
                "`{field}`: `{}` leads, by its words or by a link, out of the agent file's directory",
                path.escape_debug()
            ))
            .hint("put the file beside the agent file"),
            Unopened::Unusable(reason) => {
                Error::usage(format!("`{field}`: cannot read `{}`: {reason}", path.escape_debug()))
                    .hint("name a file beneath the agent file's directory")
            }
        })
    }
}

/// A script that the command line names.
pub(super) fn script_of_person(path: &str) -> Result<Script> {
    let unreadable = |reason: String| {
        Error::usage(format!("cannot read the script `{path}`: {reason}"))
            .hint("`--model script:FILE` takes a TOML file")
    };
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    script(path, &text)
}

fn script(path: &str, text: &str) -> Result<Script> {
    Script::parse(&format!("script:{path}"), text).map_err(|error| wrong(Path::new(path), &error))
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
