//! Renames that a request takes out again: ``Remove `A -> B` ``, and the pairs below `Remove the following renames:`.

use super::super::lexicon as words;
use super::super::sentence::{Sentence, same_name};
use super::super::token::Kind;
use super::{Ask, Document, Doubt, Veto};

/// Verbs that take a line or a rename out, in every form that a list of changes has.
const REMOVING: &[&str] = list! {
    "remove" "removes" "removed" "removing" "drop" "drops" "dropped" "dropping" "delete" "deletes" "deleted" "deleting" "revert"
    "reverts" "reverted" "reverting" "undo" "undoes" "undid" "undoing" "discard" "discards" "discarded" "strip" "strips"
    "stripped" "scrap" "scraps" "scrapped" "withdraw" "withdraws" "withdrew" "retire" "retires" "retired"
};
/// What is taken out, and what may stand in front of it.
const RENAMES: &[&str] = list! {
    "rename" "renames" "renaming" "renamings" "alias" "aliases" "mapping" "mappings" "override" "overrides" "decorator"
    "decorators" "clientname" "@clientname" "@@clientname"
};
const BETWEEN: &[&str] = list! {
    "the" "this" "that" "these" "those" "following" "also" "both" "all" "our" "line" "lines" "entry" "entries" "of" "for" "from"
    "old" "custom" "client" "name" "names" "csharp" "c#" "java" "python" "go" "javascript" "unneeded" "unused" "stale"
};

impl Document<'_> {
    /// The pairs of a sentence that takes them out: the specification's own name where the client has the other one, and
    /// else nothing that could be done.
    pub(super) fn removed_pairs(&mut self, sentence: &Sentence<'_>) -> Option<Vec<Ask>> {
        let pairs = self.pairs(sentence);
        let (first, ..) = pairs.first()?;
        if !self.removing && !takes_out(sentence, *first) {
            return None;
        }
        // `Drop the rename A -> B`, and there is none: it is so already.
        let named = (0..*first).any(|at| sentence.is(at, RENAMES));
        let mut asks = Vec::new();
        for (_, target, name) in pairs {
            let entity = self.lookup.entity(target);
            let stands = entity.client.as_ref().is_some_and(|client| same_name(&client.name, &name));
            if stands && self.is_customized(target) || named && !self.is_customized(target) {
                asks.push(Ask::Rename { target, name: entity.name.clone() });
            } else {
                self.found.vetoes.push(Veto::kept(target, self.sentence));
                asks.push(Ask::Rename { target, name }.held(Doubt::Undecided, None));
            }
        }
        Some(asks)
    }

    /// Whether words above a list or a section say that its renames are taken out.
    pub(super) fn removes_below(sentence: &Sentence<'_>) -> bool {
        let count = sentence.tokens.len();
        let verb = (0..count).find(|&at| sentence.is(at, REMOVING));
        let named = (0..count).any(|at| sentence.is(at, RENAMES));
        verb.is_some_and(|verb| !sentence.negated(verb)) && named && sentence.mentions.iter().all(|one| !one.strong)
    }

    /// The place of each pair, its thing and its new name.
    fn pairs(&self, sentence: &Sentence<'_>) -> Vec<(usize, usize, String)> {
        let quoted = |at: usize| sentence.get(at).is_some_and(|token| token.quoted);
        let arrows = (1..sentence.tokens.len()).filter(|&at| {
            let colon = sentence.get(at).is_some_and(|token| token.is_sign(':'));
            sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow)
                || colon && quoted(at.saturating_sub(1)) && quoted(at.saturating_add(1))
        });
        let pair = |arrow: usize| {
            let mention = sentence.mentions.iter().find(|one| one.at < arrow && one.end >= arrow)?;
            let target = sentence.settle(mention, &self.focus).ok()?;
            let behind = (arrow.saturating_add(1)..sentence.tokens.len()).find(|&at| sentence.is_text(at))?;
            let name = sentence.get(behind)?;
            Some((mention.at, target, name.text.clone()))
        };
        arrows.filter_map(pair).collect()
    }
}

/// Whether a verb in front of the first pair takes it out.
fn takes_out(sentence: &Sentence<'_>, first: usize) -> bool {
    let idle = |at: usize| !sentence.is_text(at) || sentence.is(at, BETWEEN) || sentence.is(at, RENAMES);
    (0..first).any(|at| {
        let end = if sentence.is(at, REMOVING) {
            at.saturating_add(1)
        } else if sentence.phrase(at, &["get", "rid", "of"]) || sentence.phrase(at, &["gets", "rid", "of"]) {
            at.saturating_add(3)
        } else if sentence.phrase(at, &["take", "out"]) || sentence.phrase(at, &["takes", "out"]) {
            at.saturating_add(2)
        } else {
            return false;
        };
        let begins = (0..at).all(|before| {
            !sentence.is_text(before) || sentence.is(before, words::POLITE) || sentence.is(before, words::FILLERS)
        }) || at.checked_sub(1).is_some_and(|before| {
            sentence.is(before, words::POLITE) || sentence.is(before, &["let's", "lets", "to", "and", "should", "must"])
        });
        begins && !sentence.negated(at) && (end..first).all(idle)
    })
}
