//! What a provider answered, as a turn.

use bailiwick_agent::{BackendError, ToolCall, ToolSpec, TurnResponse, Usage};
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

/// Why an answer ended.
enum Stop {
    /// The model was done, or the reason is unknown.
    End,
    /// At a limit of tokens.
    Limit,
    /// For what it said.
    Content,
    /// Gemini could not read its own model's call.
    Unreadable,
}

impl Stop {
    /// What the word of any provider means.
    fn of(reason: &str) -> Self {
        match reason {
            "length"
            | "max_tokens"
            | "MAX_TOKENS"
            | "incomplete"
            | "model_context_window_exceeded"
            | "model_length" => Self::Limit,
            "content_filter"
            | "refusal"
            | "SAFETY"
            | "RECITATION"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION"
            | "LANGUAGE"
            | "ERROR_TOXIC" => Self::Content,
            other if other.ends_with("_FUNCTION_CALL") || other.ends_with("_TOOL_CALL") => Self::Unreadable,
            _ => Self::End,
        }
    }
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
    /// When it was cut off, refused, or is not an answer.
    pub(crate) fn turn(self, tools: &[ToolSpec]) -> Result<TurnResponse, BackendError> {
        let usage = self.usage;
        let malformed = |message: String| BackendError::Malformed { message, usage };
        if let Some(message) = self.refusal {
            return Err(BackendError::Refused { message });
        }
        match self.stop.as_deref().map(|reason| (reason, Stop::of(reason))) {
            // Its calls may be half of what was meant, however well they parse.
            Some((_, Stop::Limit)) => return Err(BackendError::Truncated { usage }),
            Some((reason, Stop::Content)) => {
                let message = format!("the provider stopped the answer for its content (`{reason}`)");
                return Err(BackendError::Refused { message });
            }
            Some((reason, Stop::Unreadable)) => {
                return Err(malformed(format!("the provider could not read the model's call (`{reason}`)")));
            }
            Some((_, Stop::End)) | None => {}
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
            serde_json::from_str(&text).map_err(|_| format!("the arguments of `{name}` are not JSON"))?
        }
        Arguments::Json(value) => value,
    };
    let mut arguments = match arguments {
        Value::Null => Value::Object(Map::new()),
        arguments @ Value::Object(_) => arguments,
        _ => return Err(format!("the arguments of `{name}` are not a JSON object")),
    };
    if let Some(spec) = tools.iter().find(|spec| spec.name == name) {
        schema::restore(&mut arguments, &spec.input_schema);
    }
    Ok(ToolCall { id, name, arguments })
}
