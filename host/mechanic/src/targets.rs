//! Reads what a request is about: an entity with the kind and the holder that people put beside it.

use std::rc::Rc;

use super::clause::{Clause, Targets, looks_like_name};
use super::tokens::TokenKind;
use super::words::{self, stop_kind};
use bailiwick_sdk::tasks::EntityKind;

/// A target as far as the words say; which entity it is may still be open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    /// The name as written.
    pub(crate) text: String,
    /// The entities that fit all that was said.
    pub(crate) candidates: Vec<usize>,
    /// The entities of that name, whatever else was said.
    pub(crate) named: Vec<usize>,
    /// The noun that says the kind.
    pub(crate) noun: Option<String>,
}

/// A name may be spread over this many words: `create or update widget`.
const LONGEST_NAME: usize = 5;

impl Clause<'_> {
    /// All targets that begin at `at`, with the position after each.
    pub(crate) fn targets(&self, at: usize) -> Targets {
        if let Some(known) = self.known.targets.borrow().get(&at) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        for (after_noun, noun) in self.kind_noun(at) {
            for &start in self.skips(after_noun).iter() {
                let start = start + usize::from(noun.is_some() && self.is(start, &["named", "called"]));
                self.named_targets(start, noun.as_ref(), &mut found);
            }
        }
        let found = Rc::new(unique(found));
        self.known.targets.borrow_mut().insert(at, Rc::clone(&found));
        found
    }

    fn named_targets(&self, start: usize, noun: Option<&KindNoun>, found: &mut Vec<(usize, Target)>) {
        for (end, text, named) in self.names(start) {
            let plain = Target { text, candidates: named.clone(), named, noun: noun.map(|noun| noun.text.clone()) };
            let plain = restricted(self, plain, noun);
            self.continue_target(end, &plain, found);
        }
    }

    /// What can follow a name: a kind (`… operation`), then what holds it (`… of Widget`, `'s displayName`, ` displayName`).
    fn continue_target(&self, end: usize, target: &Target, found: &mut Vec<(usize, Target)>) {
        for (after_noun, noun) in self.kind_noun(end) {
            let target = restricted(
                self,
                Target { noun: noun.as_ref().map(|noun| noun.text.clone()).or(target.noun.clone()), ..target.clone() },
                noun.as_ref(),
            );
            found.push((after_noun, target.clone()));
            for &here in self.skips(after_noun).iter() {
                if self.is(here, &["of", "in", "on", "from", "inside", "within", "under"]) {
                    for (after, holder) in self.targets_shallow(here + 1).iter() {
                        found.push((*after, self.held(&target, holder)));
                    }
                }
            }
            // `Widget's displayName`, `the Widget model's displayName`, `Widget displayName`
            let possessive = self.word(after_noun) == "'s";
            let next = after_noun + usize::from(possessive);
            if target.named.is_empty() {
                continue;
            }
            for (after, inner) in self.targets_shallow(next).iter() {
                // Side by side, without `of` or `'s`, only a name that really is inside counts. What a comma or a colon
                // sets apart is a second target.
                let held = self.held(inner, &target);
                let apart = self.tokens[next..*after].iter().any(super::tokens::Token::is_punctuation);
                if possessive || (!apart && !held.candidates.is_empty()) {
                    found.push((*after, held));
                }
            }
        }
    }

    /// Targets without a holder of their own: what stands behind `of`. One more level of holders is allowed.
    fn targets_shallow(&self, at: usize) -> Targets {
        if let Some(known) = self.known.inner_targets.borrow().get(&at) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        for &here in self.skips(at).iter() {
            for (after_noun, noun) in self.kind_noun(here) {
                // Without a noun in between this start is one of the loop around.
                let starts = if noun.is_some() { self.skips(after_noun) } else { Rc::new(vec![here]) };
                for &start in starts.iter() {
                    for (end, text, named) in self.names(start) {
                        for (after, behind) in self.kind_noun(end) {
                            let said = noun.as_ref().or(behind.as_ref());
                            let target = Target {
                                text: text.clone(),
                                candidates: named.clone(),
                                named: named.clone(),
                                noun: said.map(|noun| noun.text.clone()),
                            };
                            found.push((after, restricted(self, target, said)));
                        }
                    }
                }
            }
        }
        let found = Rc::new(unique(found));
        self.known.inner_targets.borrow_mut().insert(at, Rc::clone(&found));
        found
    }

    fn held(&self, inner: &Target, outer: &Target) -> Target {
        let inside = |at: &usize| outer.candidates.iter().any(|&holder| self.lookup.holds(holder, *at));
        let candidates: Vec<usize> = inner.candidates.iter().copied().filter(inside).collect();
        Target {
            text: format!("{}.{}", outer.text, inner.text),
            named: candidates.clone(),
            candidates,
            noun: inner.noun.clone(),
        }
    }

    /// Names that begin at `at`: quoted, a single word, or several plain words that together are an entity's name.
    fn names(&self, at: usize) -> Vec<(usize, String, Vec<usize>)> {
        let Some(token) = self.tokens.get(at) else { return Vec::new() };
        let mut found = Vec::new();
        if token.kind == TokenKind::Quoted {
            return vec![(at + 1, token.text.clone(), self.lookup.find(&token.text))];
        }
        if !token.is_word() {
            return found;
        }
        let single = self.lookup.find(&token.text);
        if !single.is_empty() {
            found.push((at + 1, token.text.clone(), single));
        } else if self.may_be_unknown_name(at) {
            found.push((at + 1, token.text.clone(), Vec::new()));
        }
        let mut text = token.text.clone();
        for end in at + 1..(at + LONGEST_NAME).min(self.len()) {
            let next = &self.tokens[end];
            // Words that turn a request round, and signs, are no part of a name unless they are quoted.
            let plain = |token: &super::tokens::Token| {
                token.is_word()
                    && token.text.contains(char::is_alphanumeric)
                    && stop_kind(&token.lower).is_none_or(|_| token.lower == "or" || token.lower == "and")
            };
            if !plain(next) || !plain(token) || text.len() > self.lookup.longest_key() + 2 * LONGEST_NAME {
                break;
            }
            text.push(' ');
            text.push_str(&next.text);
            if !text.contains(['.', '#']) {
                let named = self.lookup.find(&text);
                if !named.is_empty() {
                    found.push((end + 1, text.clone(), named));
                }
            }
        }
        found
    }

    /// Whether a word that is no entity may be meant as one, so that the refusal can say so.
    fn may_be_unknown_name(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let capital = token.text.starts_with(char::is_uppercase);
        looks_like_name(token) || (!self.is_known_word(at) && (capital || token.lower.chars().count() > 2))
    }

    /// Whether the vocabulary has the word.
    pub(crate) fn is_known_word(&self, at: usize) -> bool {
        let word = self.word(at);
        !word.is_empty()
            && (super::clause::GRAMMAR.word(word).is_some_and(|known| known == word)
                || stop_kind(word).is_some()
                || words::language(word).is_some()
                || ["'s", "->"].contains(&word))
    }

    /// The kind nouns that begin at `at`, with the position after each; the first is always none at all.
    fn kind_noun(&self, at: usize) -> Vec<(usize, Option<KindNoun>)> {
        let mut found = vec![(at, None)];
        for &here in self.skips(at).iter() {
            let two = format!("{}-{}", self.word(here), self.word(here + 1));
            for (text, end) in [(self.word(here), here + 1), (two.as_str(), here + 2)] {
                if let Some(kinds) = words::kinds_of_noun(text).filter(|_| end <= self.len()) {
                    let text = text.replace('-', " ");
                    found.push((end, Some(KindNoun { text, kinds })));
                }
            }
        }
        found
    }
}

fn unique(found: Vec<(usize, Target)>) -> Vec<(usize, Target)> {
    let mut unique: Vec<(usize, Target)> = Vec::new();
    for one in found {
        if !unique.contains(&one) {
            unique.push(one);
        }
    }
    unique
}

struct KindNoun {
    text: String,
    kinds: &'static [EntityKind],
}

fn restricted(clause: &Clause<'_>, mut target: Target, noun: Option<&KindNoun>) -> Target {
    if let Some(noun) = noun {
        target.candidates.retain(|&at| noun.kinds.contains(&clause.lookup.entity(at).kind));
    }
    target
}
