//! A clause ready for matching: its tokens, each with the vocabulary word it stands for.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

use super::entities::Lookup;
use super::patterns::{Part, Pattern, patterns};
use super::targets::Target;
use super::tokens::{Token, TokenKind};
use super::typo;
use super::words::{self, NamedLanguage};
use super::work;
use bailiwick_sdk::tasks::Language;

/// The forms and all words that can be meant by a misspelt one.
pub(crate) struct Grammar {
    pub(crate) patterns: Vec<Pattern>,
    vocabulary: Vec<&'static str>,
}

/// The grammar, read once.
pub(crate) static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    let patterns = patterns();
    let mut vocabulary: Vec<&'static str> = patterns
        .iter()
        .flat_map(|pattern| &pattern.parts)
        .flat_map(|part| match part {
            Part::Word { words, .. } => words.clone(),
            _ => Vec::new(),
        })
        .chain(
            [
                words::FILLERS,
                words::INTERNAL,
                words::VISIBLE,
                words::SDK_NOUNS,
                words::PEOPLE,
                words::SURFACE_NOUNS,
                words::KIND_NOUNS,
                words::LANGUAGE_WORDS,
                words::OTHER_VERBS,
                words::REASONS,
                words::COURTESY,
            ]
            .into_iter()
            .flatten()
            .copied(),
        )
        .chain(words::LEAD_INS.iter().flat_map(|phrase| phrase.split(' ')))
        .chain(["with", "using", "via", "through", "decorator", "within", "named", "called"])
        .filter(|word| !word.contains(' '))
        .collect();
    vocabulary.sort_unstable();
    vocabulary.dedup();
    Grammar { patterns, vocabulary }
});

impl Grammar {
    /// The vocabulary word for a word as written: itself, or the one word it can be a misspelling of.
    pub(crate) fn word(&self, lower: &str) -> Option<&'static str> {
        if let Ok(at) = self.vocabulary.binary_search(&lower) {
            return Some(self.vocabulary[at]);
        }
        typo::correct(lower, &self.vocabulary)
    }
}

/// A clause: what is asked, without its reason and without the dot at its end.
pub(crate) struct Clause<'a> {
    pub(crate) tokens: &'a [Token],
    /// For each token the vocabulary word, or what stands for it.
    pub(crate) words: Vec<String>,
    pub(crate) lookup: &'a Lookup<'a>,
    pub(crate) language: Language,
    /// What was found out about each position, for every form asks again.
    pub(crate) known: Known,
}

/// What is known about positions of a clause already.
#[derive(Default)]
pub(crate) struct Known {
    skips: RefCell<HashMap<usize, Rc<Vec<usize>>>>,
    pub(crate) targets: RefCell<HashMap<usize, Targets>>,
    pub(crate) inner_targets: RefCell<HashMap<usize, Targets>>,
}

/// Targets that begin at one position, each with the position after it.
pub(crate) type Targets = Rc<Vec<(usize, Target)>>;

impl<'a> Clause<'a> {
    pub(crate) fn new(tokens: &'a [Token], lookup: &'a Lookup<'a>, language: Language) -> Self {
        let words = tokens
            .iter()
            .map(|token| match token.kind {
                TokenKind::Word if words::stop_kind(&token.lower).is_some() => token.lower.clone(),
                TokenKind::Word if words::language(&token.lower).is_some() => token.lower.clone(),
                // A word that is an entity's name is no misspelling of anything.
                TokenKind::Word if looks_like_name(token) || !lookup.find(&token.text).is_empty() => {
                    token.lower.clone()
                }
                TokenKind::Word => GRAMMAR.word(&token.lower).map_or_else(|| token.lower.clone(), str::to_owned),
                TokenKind::Possessive => "'s".to_owned(),
                TokenKind::Arrow => "->".to_owned(),
                TokenKind::Quoted | TokenKind::Punctuation(_) => String::new(),
            })
            .collect();
        Self { tokens, words, lookup, language, known: Known::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The vocabulary word at a position; empty for quoted names, punctuation and past the end.
    pub(crate) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    pub(crate) fn is(&self, at: usize, list: &[&str]) -> bool {
        !self.word(at).is_empty() && list.contains(&self.word(at))
    }

    /// Whether the word names the package's language.
    pub(crate) fn is_own_language(&self, at: usize) -> bool {
        words::language(self.word(at)) == Some(NamedLanguage::Ours(self.language))
    }

    /// Whether the word names another language.
    pub(crate) fn is_other_language(&self, at: usize) -> bool {
        !self.word(at).is_empty() && words::language(self.word(at)).is_some() && !self.is_own_language(at)
    }

    /// The clause as written, for messages.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let mut end = self.tokens.first().map_or(0, |token| token.start);
        for token in self.tokens {
            if token.start > end {
                text.push(' ');
            }
            if token.kind == TokenKind::Quoted {
                text.push('`');
                text.push_str(&token.text);
                text.push('`');
            } else if token.start >= end || token.end > end {
                text.push_str(&token.text);
            }
            end = token.end;
        }
        text
    }

    /// All positions that can be reached from `at` by dropping courtesy, articles, punctuation and phrases that name the
    /// package's own client library. `at` itself comes first.
    pub(crate) fn skips(&self, at: usize) -> Rc<Vec<usize>> {
        if let Some(known) = self.known.skips.borrow().get(&at) {
            return Rc::clone(known);
        }
        let reached = Rc::new(self.reached(at));
        self.known.skips.borrow_mut().insert(at, Rc::clone(&reached));
        reached
    }

    fn reached(&self, at: usize) -> Vec<usize> {
        let mut reached = vec![at];
        let mut next = 0;
        while next < reached.len() {
            work::steps(reached.len());
            let here = reached[next];
            next += 1;
            for to in self.steps(here) {
                if !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        reached
    }

    fn steps(&self, at: usize) -> Vec<usize> {
        let mut steps = Vec::new();
        if at >= self.len() {
            return steps;
        }
        if self.tokens[at].is_punctuation() || self.is(at, words::FILLERS) {
            steps.push(at + 1);
        }
        if self.is_own_language(at) {
            // `the Python operation deleteWidget`, `… deleteWidget python sdk`
            steps.extend(self.noun_run(at + 1));
        }
        steps.extend(self.scope_phrase(at));
        steps.extend(self.means_phrase(at));
        steps
    }

    /// The positions after a run of library nouns, an empty run included.
    fn noun_run(&self, at: usize) -> Vec<usize> {
        let mut ends = vec![at];
        let mut here = at;
        while self.is(here, words::SDK_NOUNS) {
            here += 1;
            ends.push(here);
        }
        ends
    }

    fn after_articles(&self, at: usize) -> usize {
        (at..self.len()).find(|&here| !self.is(here, words::FILLERS)).unwrap_or(self.len())
    }

    /// `in Python`, `from the Python SDK`, `for users of the SDK for Python`, `to customers`.
    pub(crate) fn scope_phrase(&self, at: usize) -> Vec<usize> {
        let mut ends = Vec::new();
        let first = self.after_articles(at + 1);
        if self.is(at, &["in", "for", "from", "of", "on", "within", "inside", "across", "by"]) {
            if self.is_own_language(first) {
                let noun = first + 1 + usize::from(self.word(first + 1) == "'s");
                ends.extend(self.noun_run(noun));
            }
            let nouns: Vec<usize> = self.noun_run(first).into_iter().skip(1).collect();
            ends.extend(&nouns);
        }
        if self.word(at) == "to" {
            let people = if self.is_own_language(first) { first + 1 } else { first };
            if self.is(people, words::PEOPLE) {
                ends.push(people + 1);
            }
        }
        ends
    }

    /// `with @access`, `in client.tsp`, `using a decorator`: how the mechanic does it anyway.
    fn means_phrase(&self, at: usize) -> Option<usize> {
        let first = self.after_articles(at + 1);
        let means =
            ["client.tsp", "typespec", "@access", "@clientname", "@@access", "@@clientname", "decorator", "clientname"];
        if !self.is(at, &["with", "using", "via", "through", "in"]) || !self.is(first, &means) {
            return None;
        }
        Some(first + 1 + usize::from(self.word(first + 1) == "decorator"))
    }

    /// The positions after a phrase that makes the client library the subject: `the Python SDK`, `our client`.
    pub(crate) fn subject(&self, at: usize) -> Vec<usize> {
        let first = self.after_articles(at);
        if self.is_own_language(first) {
            self.noun_run(first + 1)
        } else {
            self.noun_run(first).into_iter().skip(1).collect()
        }
    }

    /// The positions after a phrase that means the public surface: `the public API of Python`, `Python's public surface`.
    pub(crate) fn public_surface(&self, at: usize) -> Vec<usize> {
        let mut here = self.after_articles(at);
        let mut public = false;
        let mut nouns = 0;
        loop {
            if self.word(here) == "public" {
                public = true;
            } else if self.is_own_language(here) || self.word(here) == "'s" {
                // Belongs to the surface it stands beside.
            } else if self.is(here, words::SURFACE_NOUNS) {
                public |= self.word(here) == "surface";
                nouns += 1;
            } else {
                break;
            }
            here += 1;
        }
        if public && nouns > 0 { vec![here] } else { Vec::new() }
    }
}

/// Whether a word is written as names are and prose is not.
pub(crate) fn looks_like_name(token: &Token) -> bool {
    let inner_capital =
        token.text.chars().skip(1).any(char::is_uppercase) && token.text.chars().any(char::is_lowercase);
    inner_capital || token.text.contains('_') || token.text.contains('.') && !token.text.starts_with('.')
}
