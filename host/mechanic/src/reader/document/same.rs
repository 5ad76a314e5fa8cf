//! `The same for X`: what was asked last, of another thing.

use super::super::lexicon as words;
use super::super::names::{Plain, names_at};
use super::super::sentence::{LanguageRole, Sentence, Zone, same_name};
use super::super::token::Kind;
use super::super::visibility::Wish;
use super::{Ask, Document};
use bailiwick_sdk::tasks::{Entity, EntityKind, Language};

impl<'a> Document<'a> {
    /// `Same for X`, `so should we`, `do the same`.
    pub(super) fn same_again(&self, sentence: &Sentence<'_>) -> Vec<Ask> {
        let place = (0..sentence.tokens.len()).find(|&at| {
            sentence.is(at, &["same", "ditto", "likewise", "similarly"]) && sentence.zone(at) != Zone::Comparison
                || sentence.phrase(at, &["so", "should"])
                || sentence.phrase(at, &["so", "must"])
                || sentence.is(at, &["do"])
                    && sentence.is(at.saturating_add(1), &["that", "this", "so", "it"])
                    && sentence.has(at..sentence.tokens.len(), &["too", "also", "well"])
        });
        let same = place.is_some();
        // What stands behind it in another clause is about something else.
        let end = place.map_or(sentence.tokens.len(), |at| sentence.clause_end(at));
        let turned = (0..end).any(|at| sentence.is(at, words::NEGATIONS) && !sentence.is_idle_negation(at));
        let follows = same
            || (0..sentence.tokens.len()).any(|at| {
                sentence.is(at, words::FOLLOWING)
                    || sentence.phrase(at, &["in", "line"])
                    || sentence.phrase(at, &["how", "c#"])
                    || sentence.is(at, &["how", "like"])
                        && sentence.languages.iter().any(|(place, ..)| *place == at.saturating_add(1))
            });
        let follows = follows || self.adopts(sentence);
        let of_code = super::discourse::speaks_of_code(sentence);
        let of_theirs = sentence.any(&["they", "their", "ours"]);
        if !follows || of_code || of_theirs || turned || super::super::license::puts_off(sentence) {
            return Vec::new();
        }
        if self.elsewhere == Some(Wish::Hide) && place.is_none_or(|at| asks_for_the_same(sentence, at)) {
            return self.named_or_spoken_of(sentence).into_iter().map(|target| Ask::Hide { target }).collect();
        }
        if let Some(ask) = self.as_elsewhere(sentence) {
            return vec![ask];
        }
        if !same {
            return Vec::new();
        }
        let Some(last) = self.found.asked.get(self.last.clone()).and_then(|asked| asked.last()) else {
            return Vec::new();
        };
        match &last.ask {
            Ask::Hide { .. } => {
                self.named_or_spoken_of(sentence).into_iter().map(|target| Ask::Hide { target }).collect()
            }
            Ask::Show { .. } => {
                self.named_or_spoken_of(sentence).into_iter().map(|target| Ask::Show { target }).collect()
            }
            Ask::Rename { target, name } => self.same_member(sentence, *target, name).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn named_or_spoken_of(&self, sentence: &Sentence<'_>) -> Vec<usize> {
        let named = self.named_here(sentence);
        if named.is_empty() { self.focus.subject.clone() } else { named }
    }

    /// `Do as .NET does`: the name that other languages give to what is spoken of, if they give it one.
    pub(super) fn as_elsewhere(&self, sentence: &Sentence<'_>) -> Option<Ask> {
        // What the sentence itself names, if it says that it speaks of a name or of another language.
        let others = sentence.languages.iter().filter(|(_, _, role)| *role == LanguageRole::Other);
        let asked: Vec<Language> =
            others.map(|(_, language, _)| *language).filter(|language| *language != self.language).collect();
        let mut named = self.named_here(sentence);
        named.dedup();
        let spoken_of = if named.is_empty() || !self.adopts(sentence) { &self.focus.subject } else { &named };
        let [target] = spoken_of.as_slice() else { return None };
        let entity = self.lookup.entity(*target);
        let mut names: Vec<String> = Vec::new();
        for one in self
            .index
            .customizations
            .iter()
            .filter(|one| one.decorator == "clientName" && one.target == entity.reference)
        {
            let covers = |language: &Language| {
                one.scope.as_deref().is_none_or(|scope| crate::client_file::covers(scope, *language))
            };
            // The languages that the change is for do not say so yet.
            let mut wanted = sentence.languages.iter().filter(|(_, _, role)| *role == LanguageRole::Scope);
            if wanted.any(|(_, language, _)| covers(language)) {
                continue;
            }
            if let Some(name) = one.arguments.first().filter(|_| asked.is_empty() || asked.iter().any(covers)) {
                let name = name.trim_matches('"').to_owned();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        // A name of the sentence that is another one.
        let [name] = names.as_slice() else { return None };
        let another = sentence.tokens.iter().enumerate().any(|(at, token)| {
            token.looks_like_name()
                && token.is_text()
                && sentence.mention_at(at).is_none()
                && !same_name(&token.text, name)
        });
        (!another).then(|| Ask::Rename { target: *target, name: name.clone() })
    }

    /// `please use that name`, `Python should too`, `take over the .NET name`: a wish for a name that something has elsewhere,
    /// and no word of anything else.
    fn adopts(&self, sentence: &Sentence<'_>) -> bool {
        let count = sentence.tokens.len();
        let language = |at: usize| sentence.languages.iter().any(|(place, ..)| *place == at);
        let first = (0..count).find(|&at| sentence.is_text(at)).unwrap_or(0);
        let wish = (0..count).any(|at| {
            sentence.is(at, &["should", "must", "please", "pls", "let's", "shall"])
                || sentence.is(at, &["could", "can"]) && sentence.is(at.saturating_add(1), &["we", "you", "i"])
        }) || (first..count).any(|at| {
            sentence.clause_start(at) == at && sentence.is(at, &["use", "take", "adopt", "have", "align", "follow"])
        });
        let known = |at: usize| {
            sentence.get(at).is_none_or(|token| {
                !token.is_text()
                    || token.looks_like_name()
                    || token.is(ADOPTING)
                    || token.is(words::FILLERS)
                    || token.is(words::POLITE)
                    || words::kinds_of(&token.lower).is_some()
            }) || language(at)
                || sentence.mention_at(at).is_some()
                || sentence.zone(at) == Zone::Reason
        };
        let said = sentence.any(words::FOLLOWING)
            || sentence.any(&["name", "names"])
            || sentence.any(&["too", "same"]) && sentence.any(words::OBLIGING);
        wish && said && (0..count).all(known)
    }

    pub(super) fn named_here(&self, sentence: &Sentence<'_>) -> Vec<usize> {
        sentence.mentions.iter().filter_map(|mention| sentence.settle(mention, &self.focus).ok()).collect()
    }

    /// The member of the same name in another holder.
    pub(super) fn same_member(&self, sentence: &Sentence<'_>, target: usize, name: &str) -> Option<Ask> {
        let entity = self.lookup.entity(target);
        let given = names_after_as(sentence);
        // `the spare one, i.e. spare_count`
        let one = (1..sentence.tokens.len()).find(|&at| sentence.is(at, &["one"]));
        if let (Some(word), Some(given)) =
            (one.map(|at| sentence.lower(at.saturating_sub(1)).to_owned()), given.clone())
        {
            let siblings: Vec<usize> = (0..self.index.entities.len())
                .filter(|&at| {
                    let other = self.lookup.entity(at);
                    other.container == entity.container
                        && other.reference != entity.reference
                        && other.kind == entity.kind
                        && crate::names::words(&other.name).iter().any(|part| part.to_lowercase() == word)
                })
                .collect();
            if let [sibling] = siblings.as_slice() {
                return Some(Ask::Rename { target: *sibling, name: given });
            }
        }
        let holders = self.holders_named(sentence, entity);
        let members: Vec<usize> = (0..self.index.entities.len())
            .filter(|&at| {
                let one = self.lookup.entity(at);
                one.reference != entity.reference
                    && same_name(&one.name, &entity.name)
                    && holders.iter().any(|&holder| self.lookup.holds(holder, at))
            })
            .collect();
        let [member] = members.as_slice() else { return None };
        Some(Ask::Rename { target: *member, name: given.unwrap_or_else(|| name.to_owned()) })
    }

    pub(super) fn holders_named(&self, sentence: &Sentence<'_>, entity: &Entity) -> Vec<usize> {
        let mut holders: Vec<usize> = self
            .named_here(sentence)
            .into_iter()
            .filter(|&at| self.lookup.entity(at).kind.is_type() || self.lookup.entity(at).kind == EntityKind::Operation)
            .collect();
        if !holders.is_empty() {
            return holders;
        }
        // `the response model`, beside a request model of the same stem.
        let Some(own) = entity.container.as_deref().and_then(|full| self.lookup.by_reference(full)) else {
            return holders;
        };
        let stem: Vec<String> = crate::names::words(&self.lookup.entity(own).name);
        for token in sentence.tokens.iter().filter(|token| token.kind == Kind::Word) {
            let mut wanted = stem.clone();
            wanted.pop();
            wanted.push(token.text.clone());
            let found = self.lookup.find(&wanted.concat());
            holders.extend(found.into_iter().filter(|&at| self.lookup.entity(at).kind == EntityKind::Model));
        }
        holders
    }
}

/// Whether the clause of `same` asks, and is about nothing else: `the same for X, please`, and neither `X has the same` nor
/// `the same test fails in Java`.
fn asks_for_the_same(sentence: &Sentence<'_>, at: usize) -> bool {
    let clause = || sentence.clause_start(at)..sentence.clause_end(at);
    let asks = clause().any(|here| {
        sentence.is(here, words::OBLIGING)
            || sentence.is(here, words::POLITE)
            || sentence.is(here, &["can", "could", "let's", "do", "make", "apply"])
    });
    let told = sentence.has(clause(), &["is", "are", "has", "have", "had", "was", "were", "did"]);
    let known = |here: usize| {
        sentence.get(here).is_none_or(|token| {
            !token.is_text()
                || token.looks_like_name()
                || token.is(ADOPTING)
                || token.is(words::FILLERS)
                || token.is(words::POLITE)
                || words::kinds_of(&token.lower).is_some()
                || token.is(&[
                    "ditto",
                    "likewise",
                    "similarly",
                    "apply",
                    "applies",
                    "goes",
                    "make",
                    "package",
                    "client",
                    "library",
                ])
        }) || sentence.languages.iter().any(|(place, ..)| *place == here)
            || sentence.mention_at(here).is_some()
    };
    (asks || !told) && clause().all(known)
}

/// Words of a sentence that asks for a name which something has elsewhere.
const ADOPTING: &[&str] = list! {
    "use" "take" "over" "adopt" "have" "has" "follow" "align" "match" "go" "with" "by" "should" "must" "shall" "could" "can"
    "we" "you" "i" "it" "its" "is" "are" "do" "does" "call" "calls" "called" "named" "same" "that" "this" "name" "names" "for"
    "in" "as" "of" "all" "other" "others" "rest" "sdk" "sdks" "languages" "managed" "already" "let's" "and" "or" "so" "to" "too"
    "also" "well" "where" "i.e" "namely" "now" "like" "consistency" "consistent" "be" "on" "at" "both" "libraries"
};

/// `i.e. spare_count`, `which should be title`.
pub(super) fn names_after_as(sentence: &Sentence<'_>) -> Option<String> {
    let at = (0..sentence.tokens.len()).find(|&at| sentence.is(at, &["i.e", "be", "namely", "called", "as"]))?;
    let names = names_at(sentence, at.saturating_add(1), Plain::Refused)?;
    match names.names.as_slice() {
        [one] => Some(one.text.clone()),
        _ => None,
    }
}
