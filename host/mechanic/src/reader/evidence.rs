//! What a request names as a whole: things, and names that nothing has. A new name that spells out the old one needs no
//! sentence of a known form.

use std::ops::Range;

use bailiwick_sdk::tasks::{EntityKind, Language, Scope};

use super::cross_check::spells;
use super::document::doubt;
use super::lexicon as words;
use super::names::{is_ending, is_shaped, name_of, resembles, suits};
use super::scopes::{self, Said};
use super::sentence::{LanguageRole, Sentence, Zone};
use super::targets::Focus;
use super::token::Kind;
use crate::entities::Lookup;
use crate::names::key;

/// The most names of each kind that are compared with each other.
const MOST: usize = 200;

/// A name that nothing has, where a person wrote it.
#[derive(Debug, Clone)]
struct New {
    text: String,
    span: Range<usize>,
    unit: usize,
    /// Whether its sentence speaks for it.
    open: bool,
    /// The kinds that a noun in front of it names.
    kinds: Option<&'static [EntityKind]>,
}

/// The names of a request.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    things: Vec<usize>,
    new: Vec<New>,
    wished: bool,
    blocked: bool,
    scopes: Vec<Scope>,
}

impl Evidence {
    /// Takes in a sentence. Names count only in a person's `own` words.
    pub(super) fn add(&mut self, sentence: &Sentence<'_>, unit: usize, own: bool, span: Range<usize>) {
        if self.things.len() > MOST || self.new.len() > MOST {
            self.blocked = true;
            return;
        }
        let mut focus = Focus { holders: self.things.clone(), ..Focus::default() };
        focus.subject.clone_from(&self.things);
        for mention in sentence.mentions.iter().filter(|mention| mention.strong) {
            if let Ok(one) = sentence.settle(mention, &focus)
                && !self.things.contains(&one)
            {
                self.things.push(one);
            }
        }
        if !own {
            return;
        }

        // `X would have been a better name`
        let past = (0..sentence.tokens.len()).any(|at| {
            sentence.is(at, &["have"])
                && sentence.is(at.saturating_add(1), &["been", "called", "named", "used", "chosen", "picked", "gone"])
        });
        let told = past || sentence.any(words::REPORTING) || sentence.any(words::KEEPING);
        let against =
            (0..sentence.tokens.len()).any(|at| sentence.is(at, words::NEGATIONS) && !sentence.is_idle_negation(at));
        let unsure = doubt(sentence).is_some();
        let bad = sentence.any(super::standing::BAD) || sentence.any(&["else"]);
        let speaks = !bad && naming(sentence) && !sentence.any(words::FEATURES) && !sentence.any(BEHAVING);
        let open = !told && !against && !unsure && !super::rename::tells(sentence) && speaks;
        self.wished |= !unsure
            && (sentence.any(words::OBLIGING)
                || sentence.any(words::POLITE)
                || sentence.any(words::RENAME_PROPER)
                || sentence.any(list! {
                    "want" "wanted" "like" "love" "appreciate" "prefer" "ask" "make" "call" "use" "take" "go"
                    "adopt" "called" "named" "name" "now" "becomes" "won" "decision" "decided" "fixes" "follow"
                    "settled" "listed" "wish" "better"
                })
                || sentence.tokens.iter().filter(|token| token.is_text()).count() <= 4);
        // What is turned down, asked or put off anywhere may be about any name.
        self.blocked |= sentence.any(words::KEEPING) && against
            || sentence.any(list! {
                "declined" "rejected" "vetoed" "undecided" "withdrawn" "postponed" "waits" "waiting" "pending"
            })
            || against && sentence.any(&["change", "changes", "action", "rename", "renaming", "follow"]);
        // `can we find something shorter for X`: the name is not given.
        let nameless = (0..sentence.tokens.len()).any(|at| {
            sentence.is(at, &["something", "anything", "alternative", "alternatives"])
                && (sentence.lower(at.saturating_add(1)).ends_with("er")
                    || sentence.any(&["find", "suggest", "propose", "come"]))
        });
        self.blocked |= nameless || super::standing::creates(sentence);
        if let Said::For(scope) = scopes::said(sentence) {
            self.scopes.push(scope);
        }
        for (at, token) in sentence.tokens.iter().enumerate() {
            // `Java calls it X`
            let start = sentence.clause_start(at);
            let others = sentence
                .languages
                .iter()
                .any(|(place, _, role)| *role == LanguageRole::Other && *place >= start && *place < at);
            // `In Java it is X`
            let there = sentence.is_about_others(at)
                && at.checked_sub(1).is_some_and(|before| sentence.is(before, &["is", "are", "was", "has", "uses"]));
            let others = others || there;
            let shouted = token.text.chars().count() > 3 && token.text.chars().all(|c| c.is_uppercase() || c == '_');
            let naming = sentence.any(&["name", "call", "spell", "say", "write", "full"])
                && (sentence.any(words::POLITE) || sentence.any(words::OBLIGING))
                && token.text.chars().count() > 4
                && !words::NEVER_NAMES.contains(&token.lower.as_str())
                && !words::FEATURES.contains(&token.lower.as_str());
            let shaped = shouted
                || naming && token.kind == Kind::Word
                || token.looks_like_name() && token.kind != Kind::Word
                || token.quoted && is_shaped(token)
                || multiword(&token.text);
            let file = token.text.contains('/') || token.text.matches('.').count() > 1;
            if !shaped
                || file
                || is_ending(sentence, at)
                || sentence.mention_at(at).is_some()
                || sentence.zone(at) != Zone::Main
                || token.called
            {
                continue;
            }
            let placed = at.checked_sub(1).is_some_and(|before| {
                sentence.is(before, &["with", "in", "by", "from", "to", "of", "than"])
                    && !sentence.is(before.saturating_sub(1), &["go", "stick", "went"])
            });
            let open = open && !others && !placed;
            let name = name_of(sentence, at).or_else(|| {
                (naming && crate::names::is_identifier(&token.text))
                    .then(|| super::names::NewName { at, text: token.text.clone() })
            });
            if let Some(name) = name {
                let kinds = at.checked_sub(1).and_then(|before| words::kinds_of(sentence.lower(before)));
                self.new.push(New { text: name.text, span: span.clone(), unit, open, kinds });
            }
        }
    }

    /// Each thing with the new name that spells it out, where there is one of the one and one of the other.
    pub(super) fn pairs(&self, lookup: &Lookup<'_>, language: Language) -> Vec<(usize, String, Range<usize>, usize)> {
        if !self.wished || self.blocked {
            return Vec::new();
        }
        let spelled = |thing: usize, new: &New| {
            crate::work::steps(1);
            let entity = lookup.entity(thing);
            let last = new.text.rsplit(['.', '#']).next().unwrap_or(&new.text);
            let renamed =
                entity.kind != EntityKind::Namespace && new.kinds.is_none_or(|kinds| kinds.contains(&entity.kind));
            renamed
                && suits(entity.kind, &new.text, language)
                && key(&entity.name) != key(last)
                && expands(&entity.name, last)
        };
        let mut found: Vec<(usize, String, Range<usize>, usize)> = Vec::new();
        for new in &self.new {
            let things: Vec<usize> = self.things.iter().copied().filter(|&thing| spelled(thing, new)).collect();
            let [thing] = things.as_slice() else { continue };
            // `TermId and TermUnit … BillingTermUnit`: it has all words of another one.
            let of_another = |&&other: &&usize| other != *thing && adds(&lookup.entity(other).name, &new.text);
            if self.things.iter().any(|other| of_another(&other)) {
                continue;
            }
            let names: Vec<&New> = self.new.iter().filter(|other| spelled(*thing, other)).collect();
            let one = names.iter().all(|other| key(&other.text) == key(&new.text));
            let open = names.iter().all(|other| other.open);
            if one && open && !found.iter().any(|(known, ..)| known == thing) {
                found.push((*thing, new.text.clone(), new.span.clone(), new.unit));
            }
        }
        found
    }

    /// The new names of a person's own words.
    pub(super) fn names(&self) -> Vec<String> {
        self.new.iter().map(|new| new.text.clone()).collect()
    }

    /// Whether the request names a thing and, in words of its own, a name that nothing has.
    pub(super) fn is_open(&self) -> bool {
        !self.things.is_empty() && !self.blocked && !self.new.is_empty()
    }

    /// The scope that is said for all.
    pub(super) fn scope(&self, language: Language) -> Option<Scope> {
        let mut wide = self.scopes.iter().filter(|scope| **scope != Scope::Only(vec![language]));
        wide.next().cloned()
    }
}

/// Words by which a sentence speaks of a name that something shall have.
const CUES: &[&str] = list! {
    "be" "convention" "call" "called" "name" "named" "rename" "spell" "spelled" "spelt" "say" "write" "read"
    "reads" "prefer" "expect" "expects" "better" "use" "become" "becomes" "settled" "agreed" "like" "want" "go"
    "wish" "suggest" "propose" "instead" "wins" "won" "now" "full" "heißen" "nennen" "umbenennen" "renommer"
    "appeler" "renombrar" "llamar" "llamarse"
};

/// Words by which a sentence speaks of what a thing does or has.
const BEHAVING: &[&str] = list! {
    "uses" "has" "had" "is" "was" "formerly" "depends" "match" "matches" "tested" "set" "sets" "validated"
    "next" "near" "similar" "why" "contains" "includes" "calls" "sent" "fails" "see"
};

/// Whether a sentence speaks of a name that something shall have, or is nothing but names.
fn naming(sentence: &Sentence<'_>) -> bool {
    let beside = |at: usize| {
        sentence.get(at).is_some_and(|token| {
            !token.is_text()
                || is_shaped(token)
                || token.is(words::FILLERS)
                || token.is(words::POLITE)
                || token.is(&["and", "or"])
                || sentence.languages.iter().any(|(place, ..)| *place == at)
                || sentence.mention_at(at).is_some()
        })
    };
    sentence.any(CUES) || (0..sentence.tokens.len()).all(beside)
}

/// `PartWarranty`: a capital in front and another one inside.
fn multiword(text: &str) -> bool {
    text.starts_with(char::is_uppercase)
        && crate::names::words(text).len() > 1
        && text.chars().all(char::is_alphanumeric)
}

/// Whether a name has all words of another one.
fn adds(old: &str, new: &str) -> bool {
    let words = |name: &str| crate::names::words(name).iter().map(|word| word.to_lowercase()).collect::<Vec<_>>();
    let long = words(new);
    words(old).iter().all(|word| long.contains(word))
}

/// Whether the new name spells out the old one: more letters, in the same order. One that only adds words spells out
/// nothing.
fn expands(old: &str, new: &str) -> bool {
    let words = |name: &str| crate::names::words(name).iter().map(|word| word.to_lowercase()).collect::<Vec<_>>();
    let (short, long) = (words(old), words(new));
    // `MessagePart` and `PartCatalogClientBuilder` have a word in common, and are names of different things.
    let kin = long.len() <= short.len().saturating_add(1);
    !adds(old, new)
        && kin | spells(old, new)
        && resembles(old, new)
        && key(new).chars().count() > key(old).chars().count()
}
