//! How emitters write the names of the client model.

use super::error_message::simple;
use crate::repair::has_word;
use bailiwick_sdk::tasks::EntityKind;

/// Where a written name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// By itself: a type, a function, a constant.
    Name,
    /// Behind a dot, or as a field of what is made.
    Member,
    /// In front of an argument.
    Argument,
}

/// One way to write a renamed thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) place: Place,
    pub(super) old: String,
    pub(super) new: String,
    /// What the rename is about.
    pub(super) kind: EntityKind,
    /// The names its class goes by; empty where it has none.
    pub(super) classes: Vec<String>,
    pub(super) part: Part,
}

/// How much of a written name the renamed thing makes up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    /// More words follow: `WidgetStatusActive` is a constant of the enum `WidgetStatus` in Go.
    Beginning,
    /// More words may stand before it: options of an operation, behind the name of the client.
    End,
}

impl Form {
    /// The name after the rename, if this is the one before it.
    pub(super) fn renamed(&self, name: &str) -> Option<String> {
        let new = &self.new;
        if name == self.old {
            return Some(new.clone());
        }
        match self.part {
            Part::Whole => None,
            Part::Beginning => {
                let rest = name.strip_prefix(self.old.as_str())?;
                rest.starts_with(char::is_uppercase).then(|| format!("{new}{rest}"))
            }
            Part::End => {
                let before = name.strip_suffix(self.old.as_str())?;
                let begins_word = self.old.starts_with(char::is_uppercase) && !before.ends_with(char::is_uppercase);
                begins_word.then(|| format!("{before}{new}"))
            }
        }
    }

    /// Whether the thing can be a member of the type that a message names.
    pub(super) fn is_of(&self, owner: &str) -> bool {
        let last = simple(owner);
        let begins = |class: &String| last.to_lowercase().starts_with(&class.to_lowercase());
        match self.kind {
            EntityKind::Property => self.classes.iter().any(|class| last == class || has_word(owner, class)),
            EntityKind::EnumMember => self
                .classes
                .iter()
                .any(|class| last == class || last == format!("Known{class}") || has_word(owner, class)),
            // Hand-written clients of Java call the class behind the generated one: `WidgetClientImpl`.
            EntityKind::Operation => {
                last.trim_end_matches("Impl").ends_with("Client") || self.classes.iter().any(begins)
            }
            EntityKind::Parameter => {
                self.classes.iter().any(|class| last.to_lowercase().contains(&class.to_lowercase()))
            }
            EntityKind::Interface => last.ends_with("Client"),
            // What makes instances of a model is named like the model; others are members of the model itself.
            _ => last.ends_with("ModelFactory") || self.classes.iter().any(|class| last == class),
        }
    }
}

/// `displayName` -> `DisplayName`.
pub(super) fn pascal(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

/// `DisplayName` -> `displayName`.
pub(super) fn camel(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
}
