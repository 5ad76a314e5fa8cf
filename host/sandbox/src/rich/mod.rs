//! Rich components: several tools in one, answers of more than one text, questions before an answer, resources and
//! prompts. They are limited, recorded and instantiated anew for each call like every other tool.
//!
//! A guest never waits for a person. It returns what it asks ([`Asks`]), its instance is dropped, and it is called again
//! with the answers and with what it wanted to remember ([`Again`]). Who asks is the host's caller, and so is the bound
//! on how often.
//!
//! | module | subject |
//! |---|---|
//! | [`tools`], [`prompts`], [`resources`] | the types of the contract, as `wit/` has them |
//! | [`Component`] | one that was loaded |
//! | [`Notices`] | where a guest's progress and log lines go, and how many there may be |
//!
//! What a guest says is checked before it leaves this crate: addresses, kinds of data and keys have their forms, JSON is
//! valid against its schema, texts for people are one line without unseen characters, and everything together is no
//! longer than the call's output limit.

#[expect(missing_docs, reason = "generated from `wit/`, where each part is explained")]
mod bindings;
mod check;
mod clean;
mod component;
mod describe;
mod guest;
mod notice;
mod request;

pub use bindings::bailiwick::tool::content::{
    Abilities, Again, Asks, Block, Body, Completion, Data, Document, Form, Link, Message, Question, Role,
};
pub use component::{Component, Offers, RichTool, ToolDescriptor};
pub use notice::{Level, Notice, NoticeLimits, Notices};

pub(crate) use bindings::exports::bailiwick::tool as exports;
pub(crate) use component::Loaded;
pub(crate) use describe::{MOST_TOOLS, described};
pub(crate) use guest::Parts;
pub(crate) use notice::{Flood, Speaker, link};
pub(crate) use request::{RichRequest, RichResponse, What};

/// Calls of tools.
pub mod tools {
    pub use super::bindings::exports::bailiwick::tool::rich_tools::{Answer, Call, Outcome};
}

/// Prompts and calls for them.
pub mod prompts {
    pub use super::bindings::exports::bailiwick::tool::prompts::{Argument, Call, Got, Outcome, Prompt};
}

/// Resources and their templates.
pub mod resources {
    pub use super::bindings::exports::bailiwick::tool::resources::Template;
}
