//! Model providers as backends of microagents.
//!
//! A [`Choice`] is what a person writes (`openai:gpt-5`, `ollama:qwen3@http://localhost:11434`); [`Settings`] is the
//! choice together with the key and the address it needs, taken from the environment and checked before anything runs;
//! a [`Provider`] is a [`Backend`](bailiwick_agent::Backend) made of it. Keys are [`Secret`]s, and stay in this crate.
//! [`TextOnly`] is a backend over a model that takes text and gives text.

pub mod address;
mod answer;
pub mod choice;
mod endpoint;
mod exchange;
mod failure;
mod framing;
pub mod keys;
pub mod preflight;
pub mod provider;
mod request;
pub mod retry;
mod schema;
mod scrub;
pub mod secret;
pub mod settings;
mod task;
pub mod text_only;
mod wire;

pub use choice::{Choice, ChoiceError, Dialect, Origin};
pub use preflight::PreflightError;
pub use provider::{Answering, Provider, SetupError};
pub use retry::Retries;
pub use secret::Secret;
pub use settings::{Settings, SettingsError};
pub use text_only::{TextAnswer, TextMessage, TextModel, TextOnly, TextPrompt};
