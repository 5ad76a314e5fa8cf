//! Members of enums that have no name in JavaScript: the emitter writes an enum that cannot be extended as a type of its values
//! (`"auto" | "manual"`), and a decorator on a member changes nothing there.

use bailiwick_sdk::tasks::{Change, EntityKind, Language, ManualGuidance};

use super::Seen;
use super::sources::Sources;
use crate::language::Origin;

impl Seen<'_> {
    /// Guidance for a member of an enum that was to have another name, where no generated file gives any member that name.
    pub(super) fn nameless(&self, sources: &Sources, change: &Change) -> Option<ManualGuidance> {
        let Change::Rename { kind: EntityKind::EnumMember, target, name } = change else { return None };
        let says = |(path, text): &(String, Vec<u8>)| {
            self.language.origin(path, text) != Origin::HandWritten && names(text, name)
        };
        if self.language.language() != Language::Javascript || sources.iter().any(says) {
            return None;
        }
        let member = target.rsplitn(3, '.').take(2).collect::<Vec<_>>();
        let member: Vec<&str> = member.into_iter().rev().collect();
        Some(ManualGuidance {
            issue: format!("no generated code says `{name}`: `{}` has no name in this library", member.join(".")),
            files: vec!["spec/client.tsp".to_owned()],
            approach: "take the decorator out again: users write the value itself, which no decorator changes"
                .to_owned(),
            reason: "the emitter of this language writes the enum as a type of its values, without names for them"
                .to_owned(),
        })
    }
}

/// Whether a member of an enum is written under this name: `Auto = "auto",`. Emitters write names with capitals of their own.
fn names(text: &[u8], name: &str) -> bool {
    let plain = |text: &str| -> String {
        text.chars().filter(|one| one.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let name = plain(name);
    let text = String::from_utf8_lossy(text);
    text.lines().filter_map(|line| line.split_once('=')).any(|(before, _)| plain(before) == name)
}
