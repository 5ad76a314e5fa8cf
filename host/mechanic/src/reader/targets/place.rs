//! Mentions that say where something is, and are no target themselves.

use super::super::lexicon as words;
use super::super::sentence::{Mention, Sentence};

impl Sentence<'_> {
    /// Whether a mention only says where another one is: `displayName of Widget`, `(Widget)`, `in Widget: displayName`.
    pub(in crate::reader) fn qualifies(&self, mention: &Mention) -> bool {
        let holds_other = self.mentions.iter().any(|other| {
            other.at != mention.at
                && other
                    .candidates
                    .iter()
                    .any(|&inner| mention.candidates.iter().any(|&outer| self.lookup.holds(outer, inner)))
        });
        self.place_of_another(mention)
            || holds_other
                && (self.follows_preposition(mention) || self.is_possessive(mention) || self.in_parentheses(mention))
    }

    /// `displayName on the parts`: whatever it is, it says where the other one is.
    fn place_of_another(&self, mention: &Mention) -> bool {
        let mut here = mention.at;
        for _ in 0..3 {
            let Some(before) = here.checked_sub(1) else { return false };
            if self.is(before, &["of", "in", "on", "from", "inside"]) {
                return before.checked_sub(1).and_then(|at| self.mention_at(at)).is_some_and(|other| {
                    other.strong && other.candidates.iter().all(|&at| !self.lookup.entity(at).kind.is_type())
                });
            }
            if !self.is(before, words::FILLERS) && words::kinds_of(self.lower(before)).is_none() {
                return false;
            }
            here = before;
        }
        false
    }

    pub(super) fn is_possessive(&self, mention: &Mention) -> bool {
        let behind = self.get(mention.end).is_some_and(|token| token.is_sign('\'') || token.is_sign('’'));
        let noun = words::kinds_of(self.lower(mention.end)).is_some();
        let after = mention.end.saturating_add(usize::from(noun));
        behind
            || self.is(mention.end, &["'s", "’s"])
            || self.get(after).is_some_and(|token| token.is_sign('\'') || token.is_sign('’'))
    }

    fn in_parentheses(&self, mention: &Mention) -> bool {
        mention.at.checked_sub(1).and_then(|before| self.get(before)).is_some_and(|token| token.is_sign('('))
            || self.is_sign(mention.end, ')')
    }

    fn follows_preposition(&self, mention: &Mention) -> bool {
        let mut here = mention.at;
        for _ in 0..4 {
            let Some(before) = here.checked_sub(1) else { return false };
            if self.is(before, &["of", "in", "on", "from", "inside", "within", "under", "for", "at", "to", "model"]) {
                return true;
            }
            let skip = self.is(before, words::FILLERS)
                || words::kinds_of(self.lower(before)).is_some()
                || self.is(before, &["same", "that", "this"]);
            if !skip {
                return false;
            }
            here = before;
        }
        false
    }
}
