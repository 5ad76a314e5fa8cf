//! What the rules did with the wishes of a request.

use bailiwick_sdk::tasks::{Change, Directive, EntityKind};

use super::super::document::{Ask, Doubt, Findings};
use super::super::{Outcome, Reading};
use super::Aim;
use super::pairs::Weighed;
use crate::entities::Lookup;
use crate::names::key;

/// A wish of the rules: for what, and the new name or the group where it has one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wish<'a> {
    pub(super) target: usize,
    pub(super) aim: Aim,
    pub(super) text: &'a str,
}

impl<'a> Wish<'a> {
    pub(super) fn of(ask: &'a Ask) -> Option<Self> {
        let (target, aim, text) = match ask {
            Ask::Rename { target, name } => (*target, Aim::Name, name.as_str()),
            Ask::Hide { target } => (*target, Aim::Hidden, ""),
            Ask::Show { target } => (*target, Aim::Shown, ""),
            Ask::Move { target, to } => (*target, Aim::Group, to.as_str()),
            Ask::Clients(_) | Ask::Unsure(_) => return None,
        };
        Some(Self { target, aim, text })
    }

    pub(super) fn of_change(change: &'a Change, lookup: &Lookup<'_>) -> Option<Self> {
        let (target, aim, text) = match change {
            Change::Rename { target, name, .. } => (target, Aim::Name, name.as_str()),
            Change::Hide { target, .. } => (target, Aim::Hidden, ""),
            Change::Show { target, .. } => (target, Aim::Shown, ""),
            Change::Move { target, to, .. } => (target, Aim::Group, to.as_str()),
            Change::Client { .. } | Change::Decorate { .. } | Change::Undecorate { .. } | Change::Repair { .. } => {
                return None;
            }
        };
        Some(Self { target: lookup.by_reference(target)?, aim, text })
    }

    /// Whether a name or a group, as the request writes it, is that of the wish.
    pub(super) fn says(&self, written: &str, lookup: &Lookup<'_>) -> bool {
        match self.aim {
            Aim::Name => is_called(lookup.entity(self.target).kind, written, &key(self.text)),
            // The rules name a group that is there by its whole reference.
            Aim::Group => written == key(self.text.rsplit('.').next().unwrap_or(self.text)),
            Aim::Hidden | Aim::Shown => true,
        }
    }
}

/// What the rules did.
pub(super) struct Ruled<'a> {
    pub(super) done: Vec<Wish<'a>>,
    pub(super) open: Vec<Wish<'a>>,
    /// What sentences ask for with certainty, whatever comes of it.
    pub(super) asked: Vec<Wish<'a>>,
    /// What sentences ask for and something speaks against.
    held: Vec<(Wish<'a>, &'a Doubt)>,
    pub(super) lookup: &'a Lookup<'a>,
}

impl<'a> Ruled<'a> {
    pub(super) fn of(reading: &'a Reading, found: &'a Findings, lookup: &'a Lookup<'a>) -> Self {
        let wish = |directive: &'a Directive| Wish::of_change(&directive.change, lookup);
        let acts = reading.items.iter().filter_map(|item| match &item.outcome {
            Outcome::Act(directives) => Some(directives),
            _ => None,
        });
        let done = acts.flatten().filter_map(wish).collect();
        let open = reading.candidates.iter().filter_map(wish).collect();
        let asked = found.asked.iter().filter_map(|asked| Wish::of(&asked.ask)).collect();
        let held = found.asked.iter().filter_map(|asked| match &asked.ask {
            Ask::Unsure(Doubt::Held(held)) => Some((Wish::of(&held.reading)?, held.doubt.plain())),
            _ => None,
        });
        Self { done, open, asked, held: held.collect(), lookup }
    }

    /// Whether a list of wishes holds one.
    pub(super) fn is(&self, list: &[Wish<'_>], target: usize, aim: Aim, written: &str) -> bool {
        list.iter().any(|wish| wish.target == target && wish.aim == aim && wish.says(written, self.lookup))
    }

    /// Whether a sentence certainly asks for what excludes a pair: to hide what the pair would show.
    pub(super) fn asks_the_opposite(&self, pair: &Weighed) -> bool {
        let seen = matches!(pair.aim, Aim::Hidden | Aim::Shown);
        seen && self.asked.iter().any(|wish| wish.target == pair.target && pair.aim.excludes(wish.aim, "", ""))
    }

    /// Whether the rules hold it back until something has happened.
    pub(super) fn waits(&self, target: usize, aim: Aim, written: &str) -> bool {
        self.doubts(target, aim, written).any(|doubt| *doubt == Doubt::Condition)
    }

    /// Whether the rules hold it back because of what the sentence or the whole request says.
    pub(super) fn holds(&self, target: usize, aim: Aim, written: &str, open: bool) -> bool {
        self.doubts(target, aim, written)
            .any(|doubt| !open || aim != Aim::Name && matches!(doubt, Doubt::Undecided | Doubt::Question))
    }

    /// Why the rules hold it back.
    fn doubts(&self, target: usize, aim: Aim, written: &str) -> impl Iterator<Item = &'a Doubt> {
        self.held.iter().filter_map(move |(wish, doubt)| {
            let same = wish.target == target && wish.aim == aim && wish.says(written, self.lookup);
            same.then_some(*doubt)
        })
    }
}

/// Whether a name as a language writes it is a name: `getSize` and `size`.
pub(super) fn is_called(kind: EntityKind, written: &str, name: &str) -> bool {
    const BEFORE: [&str; 6] = ["get", "set", "is", "with", "begin", "has"];
    const BEHIND: [&str; 3] = ["async", "withresponse", "pager"];
    let bare = |text: &str| BEFORE.iter().any(|part| text.strip_prefix(part) == Some(name));
    let tail = BEHIND.iter().find_map(|part| written.strip_suffix(part));
    written == name
        || bare(written)
        || tail.is_some_and(|stem| stem == name || bare(stem) || stem.strip_prefix("new") == Some(name))
        || kind == EntityKind::EnumMember && written.ends_with(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_is_that_of_a_thing_without_what_a_language_puts_around_it() {
        for (kind, written, name) in [
            (EntityKind::Property, "getsize", "size"),
            (EntityKind::Operation, "beginstart", "start"),
            (EntityKind::Operation, "getwidgetasync", "getwidget"),
            (EntityKind::Operation, "newlistpager", "list"),
            (EntityKind::EnumMember, "colorred", "red"),
        ] {
            assert!(is_called(kind, written, name), "{written} {name}");
        }
        for (written, name) in [("colorred", "red"), ("settings", "tings2"), ("size", "getsize")] {
            assert!(!is_called(EntityKind::Property, written, name), "{written} {name}");
        }
    }
}
