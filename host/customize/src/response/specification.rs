//! The answer to the customization of a specification without a package.
//!
//! It is another type than [`Response`](super::Response), without its `success`, so that no reader takes it for a package
//! that was generated and built.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use bailiwick_agent::Spent;
use bailiwick_sdk::tasks::{ManualGuidance, TypeSpecChange};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::text::{write_background, write_guidance, write_list, write_titled};
use crate::surface::LanguageEffect;

/// What the customization of a specification came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpecificationResponse {
    /// What the run came to. None of the values is that of a package.
    pub outcome: SpecificationOutcome,
    /// Always false: no package was generated and nothing was built.
    pub built: NotBuilt,
    /// One sentence for people.
    pub message: String,
    /// The run, for `bailiwick run show`, `approve` and `revert`.
    pub run_id: String,
    /// Decorators that were added, changed or removed and are in `client.tsp`.
    pub type_spec_changes: Vec<TypeSpecChange>,
    /// How the client of each language changes, as the compiler's client model has it.
    pub effects: Vec<LanguageEffect>,
    /// What needs no change, and why: one sentence each.
    pub settled: Vec<String>,
    /// Pieces of the request that ask for nothing, verbatim: what was read as background.
    #[serde(default)]
    pub background: Vec<String>,
    /// What is to be done by hand.
    pub manual_guidance: Vec<ManualGuidance>,
    /// `spec/client.tsp`, if it differs from before the run.
    pub modified_files: Vec<String>,
    /// The directory of the grant that the paths here begin with: `spec`.
    pub directories: BTreeMap<String, String>,
    /// What to do next.
    pub next_steps: Vec<String>,
    /// What its agents took, those that failed included.
    #[serde(default)]
    pub usage: Spent,
    /// A unified diff of `client.tsp`.
    pub diff: String,
}

/// What the customization of a specification comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SpecificationOutcome {
    /// All of it is in `client.tsp`. The compiler and the gate have accepted it; nothing was built.
    EditedNotBuilt,
    /// Some of it is in `client.tsp`, and the rest is for a person; nothing was built.
    PartlyEditedNotBuilt,
    /// Nothing is asked for, or all of it is so already.
    NothingToEdit,
    /// Nothing was edited, and a person has something to do or to decide.
    NotEdited,
}

/// The value `false`, and no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "bool", into = "bool")]
pub struct NotBuilt;

impl From<NotBuilt> for bool {
    fn from(_: NotBuilt) -> Self {
        false
    }
}

impl TryFrom<bool> for NotBuilt {
    type Error = &'static str;

    fn try_from(built: bool) -> Result<Self, Self::Error> {
        if built { Err("a specification alone is never built") } else { Ok(Self) }
    }
}

impl JsonSchema for NotBuilt {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "NotBuilt".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "boolean", "const": false })
    }
}

impl SpecificationOutcome {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::EditedNotBuilt => "edited, not built",
            Self::PartlyEditedNotBuilt => "edited in part, not built",
            Self::NothingToEdit => "nothing to edit",
            Self::NotEdited => "not edited",
        }
    }

    /// From what landed and what is left to a person.
    pub(crate) fn of(edited: bool, guidance: bool) -> Self {
        match (edited, guidance) {
            (true, false) => Self::EditedNotBuilt,
            (true, true) => Self::PartlyEditedNotBuilt,
            (false, true) => Self::NotEdited,
            (false, false) => Self::NothingToEdit,
        }
    }

    /// Whether nothing is left to a person. It says nothing about any package.
    #[must_use]
    pub fn is_complete(self) -> bool {
        matches!(self, Self::EditedNotBuilt | Self::NothingToEdit)
    }

    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::EditedNotBuilt => {
                "`client.tsp` is edited, and the compiler and the gate accept it; no package was generated or built"
            }
            Self::PartlyEditedNotBuilt => {
                "part of the request is in `client.tsp`, and the rest is for a person; no package was generated or built"
            }
            Self::NothingToEdit => "nothing of the request needs a change of `client.tsp`; nothing was built",
            Self::NotEdited => "`client.tsp` is as before, and what was asked for is for a person; nothing was built",
        }
    }
}

/// The steps after a run over a specification.
pub(crate) fn next_steps(outcome: SpecificationOutcome, run: &str, effects: &[LanguageEffect]) -> Vec<String> {
    let command = |verb: &str, what: &str| format!("`bailiwick run {verb} {run}` {what}");
    let edited = matches!(outcome, SpecificationOutcome::EditedNotBuilt | SpecificationOutcome::PartlyEditedNotBuilt);
    if !edited {
        return vec![command("show", "shows the details; nothing was changed")];
    }
    let names: Vec<&str> = effects.iter().map(|effect| effect.language.display_name()).collect();
    vec![
        format!(
            "Generate and build the package of each language ({}): `bailiwick package generate` and `bailiwick package \
             build`, or `bailiwick package customize` in its package",
            names.join(", ")
        ),
        command("show", "shows the change"),
        command("approve", "keeps it and closes the run; nothing is committed for you"),
        command("revert", "puts the specification back as it was"),
    ]
}

impl SpecificationResponse {
    /// The whole answer as text. The diff is left out unless the caller prints it too.
    #[must_use]
    pub fn format(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "{}: {}", self.outcome.words(), self.message)?;
        writeln!(text, "run: {}", self.run_id)?;
        writeln!(text, "build: none; no package was generated or built")?;
        if self.usage.turns > 0 {
            writeln!(text, "usage: {}", self.usage)?;
        }
        let changes = self.type_spec_changes.iter().map(|change| {
            let scope = if change.scope.is_empty() { "every language" } else { &change.scope };
            format!("{}: `@@{}` on `{}` for {scope}", change.file_path, change.decorator_name, change.target)
        });
        write_list(text, "changes", &changes.collect::<Vec<_>>())?;
        for effect in &self.effects {
            let (title, lines) = effect.lines();
            write_titled(text, &title, &lines)?;
        }
        write_list(text, "settled", &self.settled)?;
        write_background(text, &self.background)?;
        write_guidance(text, &self.manual_guidance)?;
        write_list(text, "next steps", &self.next_steps)
    }
}
