//! How the public surface of a client changes: what users of it gain, lose, or find under another name, and why.
//!
//! | module | subject |
//! |---|---|
//! | `model` | two states of the client model: what `client.tsp` does to a client |
//! | `code` | two states of generated code: what a regeneration did to it |
//! | `foreseen` | what typed actions would do to the client model, before a compiler reads them |
//! | `signatures` | what becomes of the parameters of an operation |
//! | `missing` | what a regeneration left out although the specification has it |
//! | `inherited` | what a change of a base model's property does to other models |
//! | `names` | one thing under the names that specification, client model and code give it |

pub(crate) mod code;
mod foreseen;
mod inherited;
mod missing;
mod model;
mod names;
mod signatures;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use foreseen::foreseen;
pub(crate) use model::between;
pub(crate) use names::folded;

use bailiwick_sdk::tasks::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The changes that are listed one by one.
const LISTED: usize = 100;

/// How a public surface changes. Parameters are compared in the client model and in generated Python.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Surface {
    /// What was compared.
    pub seen_in: SeenIn,
    /// What is gone or renamed first, then what is new; by name. At most 100.
    pub changes: Vec<SurfaceChange>,
    /// How many more there are.
    #[serde(default)]
    pub omitted: usize,
    /// How many of all changes break code that uses the client.
    #[serde(default)]
    pub breaking: usize,
    /// What else users of the package notice, or why something could not be compared: a sentence each.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// How the client of one language changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LanguageEffect {
    /// The language, as a scope names it.
    pub language: Language,
    /// How its public surface changes; null where no name changes.
    pub public_surface: Option<Surface>,
}

/// What was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SeenIn {
    /// The generated code before and after the regeneration.
    GeneratedCode,
    /// The compiler's client model before and after the edit. Emitters write names in their own letter case.
    ClientModel,
    /// The client model before the edit, and the actions: no compiler has read the edit.
    Actions,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SurfaceChange {
    /// What happens to it.
    pub change: SurfaceChangeKind,
    /// The name before, for something new the name after: `Widget.displayName`.
    pub name: String,
    /// The name after, where it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub new_name: Option<String>,
    /// `operation`, `model`, `property`, `enum`, `member` and their like, as far as it can be told.
    pub kind: String,
    /// What changes of the parameters of an operation, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// What causes it.
    pub cause: Cause,
    /// The cause in words.
    pub because: String,
}

/// What happens to a part of the public surface. In the order in which changes are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SurfaceChangeKind {
    /// It is gone.
    Removed,
    /// It has another name, or is reached another way.
    Renamed,
    /// Its parameters are others, so that calls of it have to follow.
    Changed,
    /// Its parameters are others, and calls of it stay as they are.
    Extended,
    /// It is new.
    Added,
}

impl SurfaceChangeKind {
    /// Whether code that uses the client has to follow.
    #[must_use]
    pub fn is_breaking(self) -> bool {
        matches!(self, Self::Removed | Self::Renamed | Self::Changed)
    }
}

/// What causes a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Cause {
    /// A decorator that this run writes.
    Decorator,
    /// The specification as it stands, with what `client.tsp` said before: the package was generated from an older one.
    Specification,
    /// The emitter: the specification says nothing of the kind.
    Emitter,
    /// The specification or the emitter; which of them cannot be told without the state the package was generated from.
    SpecificationOrEmitter,
}

impl Surface {
    /// The changes in order, as far as they are listed; `None` where nothing changes and nothing is to be said.
    fn of(seen_in: SeenIn, mut changes: Vec<SurfaceChange>, notes: Vec<String>) -> Option<Self> {
        changes.sort();
        changes.dedup();
        if changes.is_empty() && notes.is_empty() {
            return None;
        }
        let breaking = changes.iter().filter(|one| one.change.is_breaking()).count();
        let omitted = changes.len().saturating_sub(LISTED);
        changes.truncate(LISTED);
        Some(Self { seen_in, changes, omitted, breaking, notes })
    }

    /// The same surface with more to say of it.
    pub(crate) fn noting(surface: Option<Self>, notes: Vec<String>) -> Option<Self> {
        match surface {
            Some(mut surface) => {
                surface.notes.extend(notes);
                Some(surface)
            }
            None => Self::of(SeenIn::GeneratedCode, Vec::new(), notes),
        }
    }
}
