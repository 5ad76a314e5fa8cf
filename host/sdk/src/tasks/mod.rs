//! What each customization agent is given and what it must return.
//!
//! The types are the contract between the customization driver (which builds a task), the loop (which
//! hands it to a backend as JSON) and every backend. All of them serialise in camelCase; a task carries
//! its `kind` as a tag ([`AgentTask`]), a result is the argument of the `Exit` tool.

mod agent_task;
mod asked;
mod classify;
mod decoration;
mod decorator;
mod diagnostic;
mod directive;
mod effects;
mod guidance;
mod language;
mod patch;
mod scope;
mod spec_clients;
mod spec_index;
mod typespec;

pub use agent_task::AgentTask;
pub use asked::{AskedAction, AskedChange, AskedDirective, DirectiveError};
pub use classify::{Classification, ClassifyTask, ItemVerdict, Route, ValidationReport};
pub use decoration::{
    AlternateType, Decoration, Documentation, DocumentationMode, EmitterOption, ExternalType, Initialization,
    InitializedBy, OptionValue, Signature, Usage,
};
pub use decorator::Decorator;
pub use diagnostic::{Diagnostic, Severity};
pub use directive::{Change, ClientParameter, Directive};
pub use effects::Effect;
pub use guidance::ManualGuidance;
pub use language::Language;
pub use patch::{CodePatchDetail, PatchResult, PatchTask};
pub use scope::Scope;
pub use spec_clients::{ClientEntry, ClientOperation, OperationParameter};
pub use spec_index::{
    Access, ClientView, Customization, CustomizationForm, Entity, EntityKind, INDEX_SCHEMA, Nameless, NamelessForm,
    Reach, SpecIndex,
};
pub use typespec::{Rename, TypeSpecChange, TypespecResult, TypespecTask};
