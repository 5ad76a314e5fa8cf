//! What a request asks for, typed; and why a request is not acted on.

use super::client_layout::Regrouping;
use super::names::pascal;
use super::out_of_reach;
use bailiwick_sdk::tasks::{Access, Decoration, Decorator, Diagnostic, Entity, EntityKind, Language, Rename};

/// One thing a request asks for. Every intent is about the package's own language and no other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Intent {
    /// The target shall not be part of the public surface.
    Hide { target: Entity },
    /// The target shall be part of the public surface again.
    Show { target: Entity },
    /// The target shall have another name. `new` is already written in the case of its kind; the specification's own name
    /// takes an earlier rename back. `also` are the other operations that have the parameter from the same property.
    Rename { target: Entity, new: String, also: Vec<String> },
    /// The target shall have the decorator with these arguments, written as TypeSpec in `source`. `done` says that the
    /// client of the package's language has it.
    Decorate { target: Entity, decoration: Decoration, source: String, done: bool },
    /// The target shall not have the decorator.
    Undecorate { target: Entity, decorator: Decorator, done: bool },
    /// The operation or parameter shall be in another group, or in the client itself. `done` says that it is there.
    Move { target: Entity, place: Place, done: bool },
    /// The operations shall be spread over clients of their own.
    Regroup { plan: Regrouping },
    /// The specification has changed and hand-written code has not followed: regenerate, then repair.
    Refresh { renames: Vec<Rename> },
    /// A remark that asks for no change (`LGTM`).
    Nothing,
}

impl Intent {
    /// Whether the client, as the index sees it, already is as asked.
    pub(crate) fn is_done(&self) -> bool {
        match self {
            Self::Hide { target } => target.client.as_ref().is_some_and(|client| client.access == Access::Internal),
            Self::Show { target } => target.client.as_ref().is_some_and(|client| client.access == Access::Public),
            // Every language writes the words of a name in its own letter case.
            Self::Rename { target, new, .. } => {
                target.client.as_ref().is_some_and(|client| pascal(&client.name) == pascal(new))
            }
            Self::Move { done, .. } | Self::Decorate { done, .. } | Self::Undecorate { done, .. } => *done,
            Self::Regroup { plan } => plan.done,
            Self::Refresh { .. } => false,
            Self::Nothing => true,
        }
    }

    /// The intent as one clause: `hide the operation Widgets.deleteWidget`.
    pub(crate) fn describe(&self, language: Language) -> String {
        match self {
            Self::Hide { target } => {
                format!("hide the {} `{}` from the {language} client", target.kind.noun(), target.reference)
            }
            Self::Show { target } => {
                format!("show the {} `{}` in the {language} client", target.kind.noun(), target.reference)
            }
            Self::Rename { target, new, also } if *new == target.name => {
                format!(
                    "take back the rename of the {} `{}` in the {language} client{}",
                    target.kind.noun(),
                    target.reference,
                    out_of_reach::shared(target, also)
                )
            }
            Self::Rename { target, new, also } => {
                format!(
                    "rename the {} `{}` to `{new}` in the {language} client{}",
                    target.kind.noun(),
                    target.reference,
                    out_of_reach::shared(target, also)
                )
            }
            Self::Move { target, place, .. } => {
                let kind = target.kind.noun();
                format!("move the {kind} `{}` {} in the {language} client", target.reference, place.describe())
            }
            Self::Decorate { target, decoration: Decoration::Scope, .. } => {
                format!("take the {} `{}` out of the {language} client", target.kind.noun(), target.reference)
            }
            Self::Decorate { target, decoration, source, .. } => {
                let (kind, name) = (target.kind.noun(), decoration.decorator().name());
                let with = if source.is_empty() { String::new() } else { format!("({source})") };
                format!("decorate the {kind} `{}` with `@{name}{with}` in the {language} client", target.reference)
            }
            Self::Undecorate { target, decorator, .. } => {
                let (kind, name) = (target.kind.noun(), decorator.name());
                format!("take `@{name}` off the {kind} `{}` in the {language} client", target.reference)
            }
            Self::Regroup { plan } => format!("make the {language} clients {}", plan.describe()),
            Self::Refresh { .. } => format!("regenerate the {language} client and repair what refers to old names"),
            Self::Nothing => "change nothing".into(),
        }
    }
}

/// Where an operation shall be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// The group of the interface with this reference.
    Group(String),
    /// The client of the service's namespace with this reference.
    Root(String),
    /// A group that nothing in the specification declares.
    New(String),
    /// The group with this reference, by its name: its reference in front of its declaration would change the order in
    /// which the compiler has the clients, for every language.
    Named { reference: String, name: String },
}

impl Place {
    /// What stands in the decorator.
    pub(crate) fn source(&self) -> String {
        match self {
            Self::Group(reference) | Self::Root(reference) => reference.clone(),
            Self::New(name) | Self::Named { name, .. } => format!("\"{name}\""),
        }
    }

    /// What in the specification the place is made of.
    pub(crate) fn reference(&self) -> Option<&str> {
        match self {
            Self::Group(reference) | Self::Root(reference) | Self::Named { reference, .. } => Some(reference),
            Self::New(_) => None,
        }
    }

    /// For people: `to the group of …`.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Group(reference) | Self::Named { reference, .. } => format!("to the group of `{reference}`"),
            Self::Root(_) => "to the root client".to_owned(),
            Self::New(name) => format!("to a new group `{name}`"),
        }
    }
}

/// Why a request is not acted on. Each becomes guidance with four parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// What is asked waits for something else.
    Condition { sentence: String },
    /// A target that does not exist, with names that are close to it.
    NotFound { text: String, near: Vec<Entity> },
    /// A rename without a usable new name.
    MissingName { sentence: String },
    /// A name that several entities have.
    Ambiguous { text: String, candidates: Vec<Entity> },
    /// The noun beside the name says another kind than the entity has.
    KindMismatch { text: String, noun: String, found: Vec<Entity> },
    /// A kind of entity that cannot be hidden by a decorator.
    CannotHide { target: Box<Entity> },
    /// A type that public operations take or return, so that `@access` on it changes nothing.
    StaysPublic { target: Box<Entity>, operations: Vec<String> },
    /// The same of a type that properties of public models have.
    HeldPublic { target: Box<Entity>, properties: Vec<String> },
    /// A kind of entity that no decorator makes public.
    CannotShow { target: Box<Entity> },
    /// A kind of entity whose client name is not one decorator's business.
    CannotRename { target: Box<Entity> },
    /// A parameter that no decorator in `client.tsp` names, or none that is for it alone. `name` is what it should be called.
    OutOfReach { target: Box<Entity>, name: Option<String>, also: Vec<String> },
    /// The client of this language has no such entity.
    NotInClient { target: Box<Entity> },
    /// A new name that is not an identifier or is reserved in the language.
    BadName { name: String, problem: String },
    /// A new name that something else in the client already has.
    Collision { name: String, other: Box<Entity> },
    /// What is asked is not decided.
    Undecided { sentence: String },
    /// A wish for another package, or for a tool.
    Elsewhere { place: String, sentence: String },
    /// A question rather than a request.
    Question { sentence: String },
    /// Two items that contradict each other.
    Contradiction { first: String, second: String },
    /// A decorator that cannot stand there, or not with these arguments.
    Decoration { decorator: Decorator, problem: String, near: Vec<Entity> },
    /// A decorator that the library of a language does not follow.
    NoEffect { decorator: Decorator, language: Language, reason: &'static str },
    /// A change of the clients' structure that is not certain, or not possible beside what is there.
    Structure { problem: String },
    /// A move between declared clients that is not certain to be one, or to change this language alone.
    Place { problem: String, approach: String },
    /// A rule of the .NET analyzers to which no name answers for certain.
    Analyzer { diagnostic: Box<Diagnostic>, problem: String },
    /// A log from which no change follows.
    Log { diagnostics: Vec<Diagnostic> },
    /// Nothing was asked.
    Empty,
    /// It asks for something, and what that is is not certain.
    Unclear { sentence: String, about: Vec<Entity> },
    /// A likely reading, as the option that asks for it, with what speaks against it.
    Held { refusal: Box<Refusal>, option: String, words: Option<String> },
}

/// Whether `@@access` can stand on an entity of this kind and Python, Java, .NET, JavaScript and Go emitters follow it.
pub(crate) fn can_be_hidden(kind: EntityKind) -> bool {
    matches!(kind, EntityKind::Operation | EntityKind::Model | EntityKind::Enum | EntityKind::Union)
}

/// Whether `@@clientName` on an entity of this kind renames it and nothing else.
pub(crate) fn can_be_renamed(kind: EntityKind) -> bool {
    !matches!(kind, EntityKind::Namespace | EntityKind::Scalar)
}
