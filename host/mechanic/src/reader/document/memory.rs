//! What the next sentence's pronouns stand for.

use bailiwick_sdk::tasks::EntityKind;

use super::super::lexicon as words;
use super::super::sentence::{Sentence, Zone};
use super::super::standing;
use super::super::structure::declared;
use super::super::targets::{Focus, Found, PLACING};
use super::{Ask, Document};

impl<'a> Document<'a> {
    /// What the next sentence's pronouns stand for.
    pub(super) fn remember(&mut self, sentence: &Sentence<'_>, count: usize) {
        let asked: Vec<usize> = self
            .found
            .asked
            .get(count..)
            .unwrap_or_default()
            .iter()
            .filter_map(|asked| match &asked.ask {
                Ask::Rename { target, .. } | Ask::Hide { target } | Ask::Show { target } | Ask::Move { target, .. } => {
                    Some(*target)
                }
                _ => None,
            })
            .collect();
        let mut mentioned: Vec<usize> = Vec::new();
        let mut unsettled = false;
        for mention in
            sentence.mentions.iter().filter(|mention| mention.strong && sentence.zone(mention.at) != Zone::Comparison)
        {
            // `the parameter x of op` is not about the operation.
            if sentence.unknown_inside(mention, 0).is_some() || sentence.part_of(mention).is_some() {
                unsettled = true;
                continue;
            }
            match sentence.settle(mention, &self.focus) {
                Ok(one) if !mentioned.contains(&one) => mentioned.push(one),
                Ok(_) => {}
                Err(_) => unsettled = true,
            }
        }
        let all = mentioned.clone();
        mentioned.retain(|&one| !all.iter().any(|&inner| self.lookup.holds(one, inner)) || all.len() == 1);
        // `What is n?`: what is spoken of next is nothing that is known.
        let asked_for = sentence.is(0, &["what"])
            && sentence.is(1, &["is", "are", "does"])
            && !sentence.is(2, &["it", "this", "that", "these", "those", "the", "a", "they"])
            && sentence.is_text(2)
            && sentence.mentions.is_empty();
        if asked_for {
            self.focus = Focus { root: self.root, ..Focus::default() };
            return;
        }
        // What is to be made is spoken of next, and it has no name yet.
        if asked.is_empty() && standing::creates(sentence) {
            self.focus = Focus { root: self.root, ..Focus::default() };
            return;
        }
        // `The field comes from X; call it Y there.`: the field is spoken of next, and not what it comes from.
        if asked.is_empty()
            && let Some(kinds) = self.spoken_of_by_noun(sentence)
        {
            let fits = |one: &usize| kinds.contains(&self.lookup.entity(*one).kind);
            if self.focus.subject.is_empty() || !self.focus.subject.iter().all(fits) {
                self.focus = Focus { root: self.root, holders: mentioned, ..Focus::default() };
            }
            return;
        }
        let mut subject = if asked.is_empty() { self.subject_of(sentence) } else { asked };
        if subject.iter().all(|&one| mentioned.iter().any(|&inner| self.lookup.holds(one, inner))) {
            subject.clone_from(&mentioned);
        }
        // What only says again a part of what is spoken of narrows nothing.
        let again = !mentioned.is_empty()
            && self.found.asked.len() == count
            && self.focus.subject.len() > 1
            && mentioned.iter().all(|one| self.focus.subject.contains(one));
        if again {
            return;
        }
        if let Some(one) = self.placed_below_code(sentence, &mentioned) {
            self.focus = Focus { root: self.root, ..Focus::on(vec![one]) };
            return;
        }
        if subject.is_empty()
            && mentioned.is_empty()
            && let Some(one) = self.stated(sentence)
        {
            self.focus.subject = vec![one];
            return;
        }
        let parts = self.parts_named(sentence);
        let parameters = !parts.is_empty()
            || (0..sentence.tokens.len())
                .any(|at| words::kinds_of(sentence.lower(at)) == Some(&[EntityKind::Parameter]));
        if subject.is_empty() && mentioned.is_empty() && parameters {
            self.focus.parts.extend(parts);
            self.focus.parameters = true;
            return;
        }
        if !subject.is_empty() || unsettled || !mentioned.is_empty() {
            let mut holders = subject.clone();
            holders.extend(self.focus.holders.iter().copied().take(8));
            let listed = if subject.len() > 1 { subject.clone() } else { self.focus.listed.clone() };
            let root = self.root;
            self.focus = Focus { subject, holders, mentioned, all, listed, root, excerpt: false, parts, parameters };
        }
    }

    /// The kinds that a noun in front of the first name stands for, if the thing that is named has another kind.
    fn spoken_of_by_noun(&self, sentence: &Sentence<'_>) -> Option<&'static [EntityKind]> {
        let first = sentence.mentions.iter().find(|mention| mention.strong)?;
        let kinds = (0..first.at).find_map(|at| sentence.bare_noun(at))?;
        let another = |one: &usize| !kinds.contains(&self.lookup.entity(*one).kind);
        first.candidates.iter().all(another).then_some(kinds)
    }

    /// `weight is in grams`, below the type that has it: what a plain word at the start of a statement names.
    fn stated(&self, sentence: &Sentence<'_>) -> Option<usize> {
        let at = usize::from(sentence.is(0, &["the"]));
        let mention = sentence.mention_at(at).filter(|mention| mention.at == at && !mention.strong)?;
        let states = sentence.is(mention.end, &["is", "are", "was", "has", "takes", "holds", "contains", "means"]);
        let types: Vec<usize> =
            self.focus.holders.iter().copied().filter(|&one| self.lookup.entity(one).kind.is_type()).collect();
        let mut held = mention.candidates.clone();
        held.retain(|&one| types.iter().any(|&outer| self.lookup.holds(outer, one)));
        if let ([one], true) = (held.as_slice(), states) { Some(*one) } else { None }
    }

    /// `in Part`, below a line of code: what that line declares, in the type that is named.
    fn placed_below_code(&self, sentence: &Sentence<'_>, mentioned: &[usize]) -> Option<usize> {
        let [outer] = mentioned else { return None };
        let first = sentence.mentions.iter().find(|mention| mention.strong)?;
        let placed = first.at.checked_sub(1).is_some_and(|at| sentence.is(at, PLACING))
            && (0..first.at).all(|at| {
                !sentence.is_text(at)
                    || sentence.is(at, PLACING)
                    || sentence.is(at, words::FILLERS)
                    || sentence.is(at, &["that's", "thats", "this", "that", "it", "it's", "is"])
            });
        let line = self.suggestions.last_shown().filter(|_| placed)?;
        let declared = declared(self.slice(line))?;
        let mut found = self.lookup.find(declared.name);
        found.retain(|&one| self.lookup.holds(*outer, one));
        if let [one] = found.as_slice() { Some(*one) } else { None }
    }

    /// What plain words name of the operation that is spoken of: its parameters.
    fn parts_named(&self, sentence: &Sentence<'_>) -> Vec<usize> {
        const COMMON: &[&str] = &["name", "names", "type", "kind", "id", "value", "values", "request", "response"];
        let spoken: Vec<usize> = self.focus.subject.clone();
        let plain = sentence.mentions.iter().filter(|mention| !mention.strong && !sentence.is(mention.at, COMMON));
        let held = plain.flat_map(|mention| mention.candidates.iter().copied()).filter(|&one| {
            self.lookup.entity(one).kind == EntityKind::Parameter
                && spoken.iter().any(|&outer| self.lookup.holds(outer, one))
        });
        held.collect()
    }

    /// What a sentence is about: the first names that are certain, joined ones together.
    pub(super) fn subject_of(&self, sentence: &Sentence<'_>) -> Vec<usize> {
        let mut strong = sentence.mentions.iter().filter(|mention| {
            mention.strong && sentence.zone(mention.at) != Zone::Comparison && !sentence.qualifies(mention)
        });
        let Some(first) = strong.next() else { return Vec::new() };
        if sentence.unknown_inside(first, 0).is_some() {
            return Vec::new();
        }
        let end = strong
            .take_while(|mention| {
                (first.end..mention.at).all(|at| {
                    sentence.is(at, &["and", "or", "&"])
                        || sentence
                            .get(at)
                            .is_some_and(|token| [',', '/', '&', '.'].iter().any(|sign| token.is_sign(*sign)))
                        || sentence.mention_at(at).is_some()
                })
            })
            .last()
            .map_or(first.end, |mention| mention.end);
        match sentence.targets_between(first.at, end, &self.focus) {
            Found::These(targets) => targets,
            _ => Vec::new(),
        }
    }
}
