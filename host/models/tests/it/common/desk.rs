//! Tools and a result for agents that run whole.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use bailiwick_agent::{Budget, Microagent, ToolEffect, ToolFailure, ToolReply, ToolSpec, Toolbox};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What is done at a call, before it answers.
type Hook = Box<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// `Read` reads one of three texts, `Put` keeps one, `Label` takes free names and so cannot be strict.
#[derive(Default)]
pub(crate) struct Desk {
    pub(crate) calls: Mutex<Vec<(String, Value)>>,
    pub(crate) put: Mutex<BTreeMap<String, String>>,
    pub(crate) at_put: Option<Hook>,
}

/// What the agents of these tests hand in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    /// What was found.
    pub(crate) findings: Vec<Finding>,
    /// How it went.
    pub(crate) end: End,
    /// What is left, if anything.
    #[serde(default)]
    pub(crate) left: Option<String>,
}

/// One line of a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Finding {
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) line: Option<u32>,
}

/// How it went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "camelCase")]
pub(crate) enum End {
    /// All of it was read.
    Whole,
    /// A part of it.
    Part {
        /// What is missing.
        missing: Vec<String>,
    },
}

fn spec(name: &str, description: &str, properties: &Value, required: &[&str], effect: ToolEffect) -> ToolSpec {
    let input_schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false
    });
    ToolSpec { name: name.into(), description: description.into(), input_schema, effect }
}

#[async_trait]
impl Toolbox for Desk {
    fn specs(&self) -> Vec<ToolSpec> {
        let path = json!({"type": "string", "description": "which text"});
        let line = json!({"type": "integer", "format": "uint32", "minimum": 1, "description": "one line of it alone"});
        let mode = json!({"type": "string", "enum": ["new", "over"], "default": "new"});
        let labels = json!({"type": "object", "additionalProperties": {"type": "string"}});
        vec![
            spec("Read", "Reads a text.", &json!({"path": path, "line": line}), &["path"], ToolEffect::Reads),
            spec(
                "Put",
                "Keeps a text.",
                &json!({"path": path, "content": {"type": "string"}, "mode": mode}),
                &["path", "content"],
                ToolEffect::Writes,
            ),
            spec("Label", "Labels texts.", &json!({"labels": labels}), &["labels"], ToolEffect::Writes),
        ]
    }

    async fn call(&self, name: &str, arguments: &Value) -> ToolReply {
        self.calls.lock().unwrap().push((name.to_owned(), arguments.clone()));
        let path = arguments["path"].as_str().unwrap_or_default();
        let outcome = match name {
            "Read" if ["a", "c", "d"].contains(&path) => {
                Ok(json!({"content": format!("text of {path}\r\nend\u{feff}")}))
            }
            "Read" => Err(ToolFailure::new("not-found", format!("there is no `{path}`"))),
            "Put" => {
                if let Some(hook) = &self.at_put {
                    hook().await;
                }
                let content = arguments["content"].as_str().unwrap_or_default();
                self.put.lock().unwrap().insert(path.to_owned(), content.to_owned());
                Ok(json!("kept"))
            }
            _ => Ok(Value::Null),
        };
        ToolReply { outcome, cost: Value::Null }
    }
}

/// An agent with a task that the mock server's fixtures know.
pub(crate) fn agent(max_tool_calls: u32) -> Microagent<Report> {
    let budget = Budget { max_tool_calls, tokens: None, wall: Duration::from_secs(120) };
    Microagent::new("Do the task.", json!({"kind": "sample", "word": "bailiwick"}), budget)
}
