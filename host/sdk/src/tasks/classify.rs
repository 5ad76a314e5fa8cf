//! The classifier's task and result.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Diagnostic, Directive, Language, ManualGuidance, SpecIndex};

/// What the classifier is given. It routes; it edits nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClassifyTask {
    /// The customization request as the person wrote it: a sentence, review comments, a build log or a mix.
    pub request: String,
    /// The language of the package that is customized.
    pub language: Language,
    /// The package's name, for example `azure-widget`; `None` where a specification alone is customized.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The TypeSpec project as it stands now, after whatever attempt came last.
    pub index: SpecIndex,
    /// What happened so far in this run, as text; empty before the first attempt.
    #[serde(default)]
    pub history: String,
    /// The validation of the last attempt; `None` before the first attempt.
    #[serde(default)]
    pub validation: Option<ValidationReport>,
    /// The first classification of this run: what was understood then stays what is asked for. `None` at the first.
    #[serde(default)]
    pub first: Option<Classification>,
}

/// The outcome of regeneration, build and drift check of one attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValidationReport {
    /// Whether all of it succeeded.
    pub succeeded: bool,
    /// What was reported on the way, warnings included.
    #[serde(default)]
    pub diagnostics: Vec<Diagnostic>,
}

/// The classifier's result: one verdict per item of the request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Classification {
    /// The verdicts, in the order of the request.
    pub items: Vec<ItemVerdict>,
    /// Pieces of the request that ask for nothing, verbatim: reasons, greetings, quotations, what others do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub background: Vec<String>,
    /// What the request may ask for and does not say for certain. Nothing of it is done before a person gives it as a
    /// directive. The built-in reader alone says so: models are not asked for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub candidates: Vec<Directive>,
}

/// Where one item of the request goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemVerdict {
    /// An id that is unique within the classification and the same for the same item in later classifications.
    pub id: String,
    /// The item's own text.
    pub text: String,
    /// Where it goes.
    pub route: Route,
    /// Why, in one sentence.
    pub reason: String,
    /// What the item asks for, as far as it is understood; the same in later classifications.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directives: Vec<Directive>,
    /// What to do by hand; present exactly when the route is [`Route::Failure`].
    #[serde(default)]
    pub guidance: Option<ManualGuidance>,
}

/// The routes of a classifier. There is deliberately none that leads to code repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Route {
    /// A TypeSpec customization can do it.
    PhaseA,
    /// It is done, or nothing is to be done.
    Success,
    /// It is for a person.
    Failure,
}
