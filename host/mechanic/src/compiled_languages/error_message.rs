//! What an error of a compiler says, as far as a repair can follow from it.

// The log may be pasted by any person.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::diagnostics::quoted;
use bailiwick_sdk::tasks::Diagnostic;

/// What an error says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ErrorMessage {
    /// Nothing of this name is known there.
    Name(String),
    /// A namespace has no type of this name.
    InNamespace { name: String, namespace: String },
    /// A type has no member of this name.
    Member { name: String, owner: String },
    /// Something has no parameter of this name.
    Argument { name: String, of: String },
    /// Generated code of this name is asked for where the compiler does not look; `owner` is whose member it is.
    Drift { name: String, owner: Option<String> },
    /// A name is declared twice. Without a name, what is declared on the line is meant.
    Duplicate { name: Option<String>, owner: Option<String>, other: Option<String> },
    /// An import is of no use.
    Unused(String),
    /// That there are more errors than are told.
    More,
    /// Something else.
    Other,
}

impl ErrorMessage {
    /// A member of a type, if the message named both.
    pub(super) fn member(name: Option<&String>, owner: Option<&String>) -> Self {
        match (name, owner) {
            (Some(name), Some(owner)) => Self::Member { name: name.clone(), owner: owner.clone() },
            _ => Self::Other,
        }
    }

    /// A name, if the message had one.
    pub(super) fn name(name: Option<&String>) -> Self {
        name.map_or(Self::Other, |name| Self::Name(simple(name).to_owned()))
    }

    /// A name that is declared twice, if the message had one.
    pub(super) fn twice(name: Option<&String>, owner: Option<&String>) -> Self {
        Self::Duplicate {
            name: name.map(|name| simple(name).to_owned()),
            owner: owner.map(|owner| simple(owner).to_owned()),
            other: None,
        }
    }
}

/// What the drift check says: `name` alone, or `name` of `owner`.
pub(super) fn drift(error: &Diagnostic) -> Option<ErrorMessage> {
    let symbol = error.symbol.as_deref().filter(|_| error.tool == "drift")?;
    let name = symbol.rsplit('.').next().unwrap_or(symbol).to_owned();
    let owner = error.message.split_once("` of `").and_then(|(_, rest)| rest.split('`').next()).map(str::to_owned);
    Some(ErrorMessage::Drift { name, owner })
}

/// What stands in quotes, whichever quotes a compiler takes.
pub(super) fn names(message: &str) -> Vec<String> {
    quoted(&message.replace(['`', '‘', '’'], "'"))
}

/// The last part of a type's name, without what it is made of: `Widget` of `*azwidget.Widget`, `List` of `A.List<B>`.
pub(super) fn simple(name: &str) -> &str {
    let name = name.trim_start_matches("typeof ").trim_start_matches(['*', '&', '[', ']']);
    let name = name.split(['<', '(', '?', '[', ' ', '`']).next().unwrap_or_default();
    name.rsplit('.').next().unwrap_or_default()
}
