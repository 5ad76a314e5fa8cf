//! What a provider answered, as a turn.

use bailiwick_agent::{BackendError, ToolCall, ToolSpec, TurnResponse, Usage};
use genai::chat::StopReason;
use serde_json::{Map, Value};

use crate::schema;

/// An answer as all forms have it.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) calls: Vec<RawCall>,
    pub(crate) usage: Usage,
    /// The provider's word for why the answer ended.
    pub(crate) stop: Option<String>,
    /// What it said instead of an answer.
    pub(crate) refusal: Option<String>,
    /// The error that stands where an answer should.
    pub(crate) error: Option<Value>,
    pub(crate) presence: Presence,
}

/// Whether there is an answer at all: a model may well have nothing to say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum Presence {
    #[default]
    Missing,
    There,
}

/// A call as it came.
#[derive(Debug)]
pub(crate) struct RawCall {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: Arguments,
}

/// The arguments of a call as they came.
#[derive(Debug)]
pub(crate) enum Arguments {
    /// JSON in a text.
    Text(String),
    Json(Value),
}

impl Answer {
    /// One that is there.
    pub(crate) fn said() -> Self {
        Self { presence: Presence::There, ..Self::default() }
    }

    /// None, with the error that the body may hold instead.
    pub(crate) fn silent(body: &Value) -> Self {
        let body = body.get(0).unwrap_or(body);
        Self { error: body.get("error").filter(|error| !error.is_null()).cloned(), ..Self::default() }
    }

    /// The turn that it is.
    ///
    /// # Errors
    /// When it was cut off, refused, or is none.
    pub(crate) fn turn(self, tools: &[ToolSpec]) -> Result<TurnResponse, BackendError> {
        let usage = self.usage;
        let malformed = |message: String| BackendError::Malformed { message, usage };
        if let Some(message) = self.refusal {
            return Err(BackendError::Refused { message });
        }
        match self.stop.map(StopReason::from) {
            // Whatever calls it has may be half of what was meant, however well they parse.
            Some(StopReason::MaxTokens(_)) => return Err(BackendError::Truncated { usage }),
            Some(StopReason::ContentFilter(reason)) => {
                let message = format!("the provider stopped the answer for its content (`{reason}`)");
                return Err(BackendError::Refused { message });
            }
            // Gemini could not read its own model's call.
            Some(StopReason::Other(reason)) if reason.ends_with("_FUNCTION_CALL") || reason.ends_with("_TOOL_CALL") => {
                return Err(malformed(format!("the provider could not read the model's call (`{reason}`)")));
            }
            _ => {}
        }
        if self.presence == Presence::Missing {
            return Err(malformed("there is no answer in what the provider sent".into()));
        }
        let calls: Result<Vec<ToolCall>, String> = self.calls.into_iter().map(|call| read_call(call, tools)).collect();
        Ok(TurnResponse { text: self.text, calls: calls.map_err(malformed)?, usage })
    }
}

/// The message of an error as every provider words it.
pub(crate) fn error_message(body: &Value) -> Option<String> {
    let error = body.get("error").or_else(|| body.get(0)?.get("error"))?;
    error.get("message").unwrap_or(error).as_str().map(str::to_owned)
}

fn read_call(call: RawCall, tools: &[ToolSpec]) -> Result<ToolCall, String> {
    let RawCall { id, name, arguments } = call;
    if name.is_empty() {
        return Err("a call names no tool".into());
    }
    let arguments = match arguments {
        Arguments::Text(text) if text.trim().is_empty() => Value::Null,
        Arguments::Text(text) => {
            serde_json::from_str(&text).map_err(|_| format!("the arguments of `{name}` are no JSON"))?
        }
        Arguments::Json(value) => value,
    };
    let mut arguments = match arguments {
        Value::Null => Value::Object(Map::new()),
        arguments @ Value::Object(_) => arguments,
        _ => return Err(format!("the arguments of `{name}` are no JSON object")),
    };
    if let Some(spec) = tools.iter().find(|spec| spec.name == name) {
        schema::restore(&mut arguments, &spec.input_schema);
    }
    Ok(ToolCall { id, name, arguments })
}
