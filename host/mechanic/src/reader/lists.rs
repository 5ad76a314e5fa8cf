//! Lists of holders behind a preposition: `the property x of A, B and C`.

use super::sentence::{Sentence, Zone};
use super::targets::PLACING;

impl Sentence<'_> {
    /// `the property x of A, B and C`: each of the types that are named has one, and one of each is meant.
    pub(super) fn is_spread(&self, candidates: &[usize]) -> bool {
        let holder = |at: usize| self.lookup.entity(at).container.clone();
        let mut holders: Vec<Option<String>> = candidates.iter().map(|&at| holder(at)).collect();
        holders.sort();
        holders.dedup();
        let listed = self.listed_holders();
        let named = |at: usize| listed.iter().any(|one| one.iter().any(|&outer| self.lookup.holds(outer, at)));
        holders.len() == candidates.len()
            && listed.len() == candidates.len()
            && candidates.iter().all(|&at| !self.lookup.entity(at).kind.is_type() && named(at))
    }

    /// The types in the list behind a preposition, each with what its name can mean.
    fn listed_holders(&self) -> Vec<Vec<usize>> {
        let lists = (0..self.tokens.len()).filter(|&at| self.is(at, PLACING)).map(|at| self.list_behind(at));
        let types = |items: Vec<usize>| -> Vec<Vec<usize>> {
            items
                .iter()
                .filter_map(|&at| self.mention_at(at))
                .map(|mention| mention.candidates.clone())
                .filter(|all| all.iter().any(|&one| self.lookup.entity(one).kind.is_type()))
                .collect()
        };
        lists.map(types).max_by_key(Vec::len).unwrap_or_default()
    }

    /// A name that nothing has, in a list that says where something is: `x on Model as well as on Nodel`.
    pub(super) fn unknown_in_list(&self) -> Option<String> {
        (0..self.tokens.len()).filter(|&at| self.is(at, PLACING)).find_map(|at| {
            let items = self.list_behind(at);
            let known = items.iter().any(|&at| self.mention_at(at).is_some_and(|mention| mention.strong));
            let unknown = items.into_iter().find(|&at| self.mention_at(at).is_none())?;
            (known && self.zone(unknown) == Zone::Main)
                .then(|| self.get(unknown).map(|token| token.text.clone()))
                .flatten()
        })
    }

    /// Where the names of a list behind a preposition stand: mentions, and words written as names.
    fn list_behind(&self, preposition: usize) -> Vec<usize> {
        let mut items = Vec::new();
        let mut here = preposition.saturating_add(1);
        loop {
            while self.is(here, &["the", "both", "model", "models", "class", "classes"]) || self.is(here, PLACING) {
                here = here.saturating_add(1);
            }
            let end = match self.mention_at(here) {
                Some(mention) if mention.at == here => mention.end,
                None if self.get(here).is_some_and(|token| token.is_text() && token.looks_like_name())
                    && !self.languages.iter().any(|(place, ..)| *place == here) =>
                {
                    here.saturating_add(1)
                }
                _ => break,
            };
            items.push(here);
            let mut next = end;
            while self.get(next).is_some_and(|token| token.is_sign(',') || token.is_sign('/') || token.is_sign('&'))
                || self.is(next, &["and", "as", "well", "plus"])
            {
                next = next.saturating_add(1);
            }
            if next == end {
                break;
            }
            here = next;
        }
        items
    }
}
