//! The tools of a server by name, their lists in one order, and the check of what they are called with.

use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Answer, Tasks, Tool};
use bailiwick_sandbox::{Complaint, Schema};
use rmcp::model::JsonObject;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many complaints about arguments are told at once.
const COMPLAINTS: usize = 3;
/// So many characters of each: it may repeat what was sent.
const COMPLAINT: usize = 300;

/// Tools by name, sorted by it.
#[derive(Default)]
pub struct Registry {
    tools: BTreeMap<String, Entry>,
    /// Further names, each with the name that is listed.
    aliases: BTreeMap<String, String>,
}

struct Entry {
    tool: Arc<dyn Tool>,
    input: Schema,
    listed: rmcp::model::Tool,
}

impl Registry {
    /// Adds a tool.
    ///
    /// # Errors
    /// Its input schema cannot be checked within bounds, or its name is taken.
    pub fn add(&mut self, tool: Arc<dyn Tool>) -> Result<(), Failure> {
        let definition = tool.definition();
        let name = definition.name.clone();
        // Those of components were compiled when they were loaded, and ours are the tests' to compile.
        let input = Schema::deferred(&Value::Object(definition.input_schema.as_ref().clone()))
            .map_err(|error| Failure::new(format!("the tool `{name}` cannot be offered: {error}")))?;
        let listed = definition.listed();
        if self.aliases.contains_key(&name) || self.tools.insert(name.clone(), Entry { tool, input, listed }).is_some()
        {
            return Err(Failure::new(format!("two tools are called `{name}`")));
        }
        Ok(())
    }

    /// Takes calls by a further name, which no list has.
    ///
    /// # Errors
    /// It is the name of a tool already, or there is no tool `name`.
    pub fn alias(&mut self, alias: &str, name: &str) -> Result<(), Failure> {
        if self.has(alias) {
            return Err(Failure::new(format!("two tools are called `{alias}`")));
        }
        if !self.tools.contains_key(name) {
            return Err(Failure::new(format!("there is no tool `{name}`")));
        }
        self.aliases.insert(alias.to_owned(), name.to_owned());
        Ok(())
    }

    /// All of them as the protocol has them, always in the same order.
    #[must_use]
    pub fn list(&self) -> Vec<rmcp::model::Tool> {
        self.tools.values().map(|entry| entry.listed.clone()).collect()
    }

    /// Whether a tool answers to this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// A tool as the protocol has it.
    #[must_use]
    pub fn listed(&self, name: &str) -> Option<&rmcp::model::Tool> {
        self.find(name).map(|entry| &entry.listed)
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        self.tools.get(self.aliases.get(name).map_or(name, String::as_str))
    }

    /// Whether calls of this tool can go on as tasks.
    #[must_use]
    pub fn tasks(&self, name: &str) -> Tasks {
        self.find(name).map_or(Tasks::Never, |entry| entry.tool.tasks())
    }

    /// The argument of this tool that names a run or a workflow, if it has one.
    #[must_use]
    pub fn about(&self, name: &str) -> Option<&'static str> {
        self.find(name).and_then(|entry| entry.tool.about())
    }

    /// Calls a tool, after its arguments were held against its schema.
    ///
    /// # Errors
    /// There is no such tool, the arguments do not fit, or the tool failed.
    pub async fn call(&self, name: &str, arguments: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let entry = self.find(name).ok_or_else(|| Failure::new(format!("there is no tool `{name}`")))?;
        let value = Value::Object(arguments);
        let complaints = entry.input.complaints(&value, COMPLAINTS);
        if !complaints.is_empty() {
            let said: Vec<_> = complaints.iter().map(complaint).collect();
            return Err(Failure::new(format!("the arguments do not fit: {}", said.join("; ")))
                .hint(format!("`tools/list` has the input schema of `{name}`")));
        }
        let Value::Object(arguments) = value else { return Err(Failure::new("the arguments are not an object")) };
        entry.tool.call(arguments, call).await
    }
}

fn complaint(complaint: &Complaint) -> String {
    let mut said: String = complaint.said.chars().take(COMPLAINT).collect();
    if said.len() < complaint.said.len() {
        said.push('…');
    }
    if complaint.place.is_empty() { said } else { format!("{said} at `{}`", complaint.place) }
}
