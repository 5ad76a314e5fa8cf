//! Words that stand for another thing than their own: nouns that point back, and verbs whose sense is turned behind them.

use super::lexicon as words;
use super::sentence::Sentence;
use super::token::Kind;

impl Sentence<'_> {
    /// `keep X out of the public API`, `kept away from customers`: it is not to be seen.
    pub(super) fn keeps_out(&self, at: usize) -> bool {
        let next = at.saturating_add(1);
        let listed = |here: usize| {
            self.mention_at(here).is_some()
                || self.looks_like_name(here)
                || self.is_sign(here, ',')
                || self.is(here, words::FILLERS)
                || self.is(here, &["and", "or", "both", "it", "them", "this", "that", "these"])
                || words::kinds_of(self.lower(here)).is_some()
        };
        let behind = (next..self.tokens.len()).find(|&here| !listed(here));
        let surface = |out: usize| self.has(out..out.saturating_add(6).min(self.clause_end(out)), words::SURFACE);
        let out = |at: usize| self.phrase(at, &["out", "of"]) && surface(at) || self.phrase(at, &["away", "from"]);
        self.is(at, words::KEEPING) && behind.is_some_and(out)
    }

    /// `One of them should be internal.`: which one is not said.
    pub(super) fn speaks_of_some(&self) -> bool {
        (0..self.tokens.len())
            .any(|at| self.is(at, &["one", "either", "some", "most"]) && self.is(at.saturating_add(1), &["of"]))
    }

    /// `that value`, `the second operation`: a thing of that kind, whatever is called so.
    pub(super) fn points_back(&self, at: usize) -> bool {
        const DETERMINERS: &[&str] = list! {
            "that" "this" "the" "its" "first" "second" "third" "last" "other" "same" "which" "each" "every" "another"
        };
        let noun =
            self.get(at).is_some_and(|token| token.kind == Kind::Word && !token.quoted && token.text == token.lower)
                && words::kinds_of(self.lower(at)).is_some();
        let determined = at.checked_sub(1).is_some_and(|before| self.is(before, DETERMINERS));
        // `the value property`: the noun behind says what is called so.
        noun && determined && words::kinds_of(self.lower(at.saturating_add(1))).is_none()
    }
}
