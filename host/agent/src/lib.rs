//! Microagents: definition, loop, model backends.
//!
//! A [`Microagent`] has instructions, a structured task, a [`Budget`] and a result type. [`run`] asks a [`Backend`] turn
//! by turn, runs the calls it asks for on a [`Toolbox`], and ends when the model hands in a valid result by calling
//! [`EXIT`]. The rules of the loop are in [`conversation`], which does no I/O and can be saved between any two events;
//! [`drive`] performs what it asks for.
//!
//! ```
//! use std::time::Duration;
//! use async_trait::async_trait;
//! use bailiwick_agent::*;
//! use serde_json::{Value, json};
//!
//! /// One tool that only reads.
//! struct Dictionary;
//!
//! #[async_trait]
//! impl Toolbox for Dictionary {
//!     fn specs(&self) -> Vec<ToolSpec> {
//!         let input_schema = json!({
//!             "type": "object",
//!             "properties": { "word": { "type": "string" } },
//!             "required": ["word"],
//!         });
//!         let description = "Says what a word means.".into();
//!         vec![ToolSpec { name: "LookUp".into(), description, input_schema, effect: ToolEffect::Reads }]
//!     }
//!
//!     async fn call(&self, _name: &str, arguments: &Value) -> ToolReply {
//!         let outcome = match arguments["word"].as_str() {
//!             Some("bailiwick") => Ok(json!("the sphere in which one has authority")),
//!             _ => Err(ToolFailure::new("not-found", "the dictionary does not have this word")),
//!         };
//!         ToolReply { outcome, cost: Value::Null }
//!     }
//! }
//!
//! /// Stands in for a model: looks the word up, then hands in what it read.
//! struct Reader;
//!
//! #[async_trait]
//! impl Backend for Reader {
//!     fn name(&self) -> &str {
//!         "reader"
//!     }
//!
//!     async fn turn(&self, request: &TurnRequest) -> Result<TurnResponse, BackendError> {
//!         let (name, arguments) = match request.messages.last() {
//!             Some(Message::ToolResults(results)) => (EXIT, json!({ "result": results[0].content })),
//!             _ => ("LookUp", json!({ "word": request.task["word"] })),
//!         };
//!         let call = ToolCall { id: String::new(), name: name.into(), arguments };
//!         Ok(TurnResponse { calls: vec![call], ..TurnResponse::default() })
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), AgentError> {
//! let budget = Budget { max_tool_calls: 10, tokens: None, wall: Duration::from_secs(60) };
//! let agent = Microagent::<String>::new("Explain the word.", json!({ "kind": "explain", "word": "bailiwick" }), budget)
//!     .validated_by(|text: &String| match text.is_empty() {
//!         true => Validation::refused("the explanation is empty"),
//!         false => Validation::Accepted,
//!     });
//! let completed = run(&agent, &Dictionary, &Reader, &mut Transcript::discarded()).await?;
//! assert_eq!(completed.result, "the sphere in which one has authority");
//! assert_eq!(completed.totals.tool_calls, 2);
//! # Ok(())
//! # }
//! ```

pub mod backend;
pub mod budget;
pub mod conversation;
pub mod definition;
pub mod driver;
pub mod error;
pub mod exit;
pub mod file;
#[cfg(test)]
mod fuzzing;
pub mod message;
pub mod microagent;
pub mod prices;
pub mod replay;
pub mod sandboxed;
mod schema;
pub mod script;
pub mod spent;
pub mod templates;
pub mod toolbox;
pub mod transcript;
pub mod typed;
pub mod validation;

pub use backend::{Backend, BackendError, Retry, TurnRequest, TurnResponse};
pub use budget::{Budget, Exceeded, Totals, USUAL_TOOL_CALLS};
pub use conversation::{Conversation, Effect, Ending, Event, Misplaced, PlannedCall, ResumeError};
pub use definition::{Definition, DefinitionError};
pub use driver::{Completed, Save, drive, run};
pub use error::AgentError;
pub use exit::EXIT;
pub use message::{Message, ToolCall, ToolResult, Usage};
pub use microagent::Microagent;
pub use prices::Prices;
pub use spent::Spent;
pub use toolbox::{ToolEffect, ToolFailure, ToolReply, ToolSpec, Toolbox};
pub use transcript::{Entry, KnownSecrets, Outcome, Scrub, Transcript};
pub use typed::{TypedTool, TypedTools};
pub use validation::{Validation, Validator};
