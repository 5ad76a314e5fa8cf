//! The forms in which providers are spoken to: what is sent, and what is made of an answer, whole or in pieces.
//!
//! Written here because no client library does all of it: `genai` can neither bound an answer nor say what it would send,
//! drops an answer that comes whole where a stream was asked for, and loses events whose line ends are split between two
//! reads. `bodies.rs` compares what is sent here with what `genai` sends.

// A server of models writes the answer.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

mod anthropic;
#[cfg(test)]
mod bodies;
mod chat;
#[cfg(test)]
mod fuzzing;
mod gemini;
mod ollama;
mod responses;

use serde_json::Value;

use crate::answer::Answer;
use crate::choice::Dialect;
use crate::request::Chat;

/// A form that one or several providers speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// OpenAI chat completions.
    Chat,
    /// OpenAI Responses.
    Responses,
    /// Anthropic messages.
    Anthropic,
    /// Gemini `generateContent`.
    Gemini,
    /// Ollama's `/api/chat`.
    Ollama,
}

/// Whether an answer is to come as it is made or in one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// As it is made.
    Streamed,
    /// In one piece.
    Whole,
}

/// How a stream is cut into pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Server-sent events.
    Events,
    /// A JSON text a line.
    Lines,
}

/// What is asked.
pub(crate) struct Ask<'a> {
    pub(crate) chat: &'a Chat,
    pub(crate) model: &'a str,
    /// The most tokens of the answer; the provider's own limit without it.
    pub(crate) output_limit: Option<u32>,
    pub(crate) delivery: Delivery,
}

/// Puts the pieces of a streamed answer together to the body that would have come in one piece.
pub(crate) trait Assemble: Send {
    /// Takes in the next piece and says how many characters of the answer it brought.
    ///
    /// # Errors
    /// When it is not a piece of an answer: what was wrong with it.
    fn take(&mut self, piece: &Value) -> Result<usize, String>;

    /// A piece that is not JSON, such as `[DONE]`. Returns whether it has a meaning.
    fn take_word(&mut self, _word: &str) -> bool {
        false
    }

    /// The whole body, once the provider has said that the answer is at its end. `None` before.
    fn whole(&mut self) -> Option<Value>;
}

impl Form {
    /// The form that a dialect has.
    pub(crate) fn of(dialect: Dialect) -> Self {
        match dialect {
            Dialect::OpenAi | Dialect::Azure | Dialect::OpenAiCompatible => Self::Chat,
            Dialect::OpenAiResponses => Self::Responses,
            Dialect::Anthropic => Self::Anthropic,
            Dialect::Gemini => Self::Gemini,
            Dialect::Ollama => Self::Ollama,
        }
    }

    /// The body of a request.
    pub(crate) fn request(self, ask: &Ask<'_>) -> Value {
        match self {
            Self::Chat => chat::request(ask),
            Self::Responses => responses::request(ask),
            Self::Anthropic => anthropic::request(ask),
            Self::Gemini => gemini::request(ask),
            Self::Ollama => ollama::request(ask),
        }
    }

    /// What is made of a body that came whole or was put together.
    pub(crate) fn read(self, body: &Value) -> Answer {
        match self {
            Self::Chat => chat::read(body),
            Self::Responses => responses::read(body),
            Self::Anthropic => anthropic::read(body),
            Self::Gemini => gemini::read(body),
            Self::Ollama => ollama::read(body),
        }
    }

    /// What puts a streamed answer together.
    pub(crate) fn assembler(self) -> Box<dyn Assemble> {
        match self {
            Self::Chat => Box::<chat::Stream>::default(),
            Self::Responses => Box::<responses::Stream>::default(),
            Self::Anthropic => Box::<anthropic::Stream>::default(),
            Self::Gemini => Box::<gemini::Stream>::default(),
            Self::Ollama => Box::<ollama::Stream>::default(),
        }
    }

    /// How its streams are cut into pieces.
    pub(crate) fn framing(self) -> Framing {
        if self == Self::Ollama { Framing::Lines } else { Framing::Events }
    }
}

/// What stands at a place; null where nothing does.
fn at<'a>(value: &'a Value, place: &str) -> &'a Value {
    value.pointer(place).unwrap_or(&Value::Null)
}

/// Sets a member of an object, and does nothing to any other value.
fn put(object: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(name.to_owned(), value.into());
    }
}

/// The number at a place; 0 where there is none.
fn count(value: &Value, place: &str) -> u64 {
    value.pointer(place).and_then(Value::as_u64).unwrap_or_default()
}

/// The text at a place; empty where there is none.
fn text<'a>(value: &'a Value, place: &str) -> &'a str {
    value.pointer(place).and_then(Value::as_str).unwrap_or_default()
}

fn owned(value: &Value, place: &str) -> Option<String> {
    value.pointer(place).and_then(Value::as_str).map(str::to_owned)
}

fn items<'a>(value: &'a Value, place: &str) -> impl Iterator<Item = &'a Value> {
    value.pointer(place).and_then(Value::as_array).into_iter().flatten()
}

/// Puts the fields of a later report over those of an earlier one, unless they are null.
fn overlay(earlier: &mut Value, later: &Value) {
    match (earlier.as_object_mut(), later.as_object()) {
        (Some(fields), Some(later)) => {
            fields.extend(
                later.iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.clone(), value.clone())),
            );
        }
        (None, Some(_)) => *earlier = later.clone(),
        _ => {}
    }
}
