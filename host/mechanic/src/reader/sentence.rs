//! One sentence with what its words stand for: names of the specification, languages, and which part of it reasons,
//! conditions or compares.

use std::ops::Range;

use bailiwick_sdk::tasks::{EntityKind, Language};

pub(super) use super::languages::LanguageRole;
use super::lexicon as words;
use super::token::{Kind, Token};
pub(super) use super::zones::Zone;
use super::zones::{is_boundary, zones};
use crate::entities::Lookup;
use crate::names::key;

/// The most tokens of a sentence that is read. Reading takes more than linear time.
pub(super) const LONGEST: usize = 300;

/// A name of the specification in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// The first token.
    pub(super) at: usize,
    /// Behind the last token.
    pub(super) end: usize,
    /// What it can mean.
    pub(super) candidates: Vec<usize>,
    /// Whether it is certainly meant as a name.
    pub(super) strong: bool,
}

/// A sentence with everything that is known of its words.
pub(super) struct Sentence<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) zones: Vec<Zone>,
    pub(super) mentions: Vec<Mention>,
    pub(super) languages: Vec<(usize, Language, LanguageRole)>,
    pub(super) lookup: &'a Lookup<'a>,
    pub(super) language: Language,
}

impl<'a> Sentence<'a> {
    pub(super) fn new(tokens: &'a [Token], lookup: &'a Lookup<'a>, language: Language) -> Self {
        let tokens = tokens.get(..LONGEST).unwrap_or(tokens);
        let mut sentence =
            Self { tokens, zones: zones(tokens), mentions: Vec::new(), languages: Vec::new(), lookup, language };
        sentence.languages = sentence.find_languages();
        sentence.mentions = sentence.find_mentions(language);
        sentence
    }

    /// The language in whose letter case new names may be: one that the changes are for, where it begins all names with a
    /// capital.
    pub(super) fn casing(&self) -> Language {
        let capital = |language: &Language| matches!(language, Language::Dotnet | Language::Go);
        let mut scope = self.languages.iter().filter(|(_, _, role)| *role == LanguageRole::Scope);
        scope.find(|(_, language, _)| capital(language)).map_or(self.language, |(_, language, _)| *language)
    }

    pub(super) fn get(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    /// The words from a token on, as far as they belong together.
    pub(super) fn words_at(&self, at: usize) -> String {
        let end = self.clause_end(at).min(at.saturating_add(4));
        let words = self.tokens.get(at..end).unwrap_or_default().iter().filter(|token| token.is_text());
        words.map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn is(&self, at: usize, list: &[&str]) -> bool {
        crate::work::steps(1);
        self.get(at).is_some_and(|token| token.is(list))
    }

    /// Whether any word of a part is one of these.
    pub(super) fn has(&self, part: Range<usize>, list: &[&str]) -> bool {
        part.into_iter().any(|at| self.is(at, list))
    }

    /// Whether any word of it is one of these.
    pub(super) fn any(&self, list: &[&str]) -> bool {
        self.has(0..self.tokens.len(), list)
    }

    pub(super) fn is_sign(&self, at: usize, sign: char) -> bool {
        self.get(at).is_some_and(|token| token.is_sign(sign))
    }

    pub(super) fn is_text(&self, at: usize) -> bool {
        self.get(at).is_some_and(Token::is_text)
    }

    pub(super) fn looks_like_name(&self, at: usize) -> bool {
        self.get(at).is_some_and(Token::looks_like_name)
    }

    pub(super) fn lower(&self, at: usize) -> &str {
        self.get(at).filter(|token| !token.quoted).map_or("", |token| token.lower.as_str())
    }

    pub(super) fn zone(&self, at: usize) -> Zone {
        self.zones.get(at).copied().unwrap_or(Zone::Main)
    }

    pub(super) fn mention_at(&self, at: usize) -> Option<&Mention> {
        crate::work::steps(1);
        self.mentions.iter().find(|mention| mention.at <= at && at < mention.end)
    }

    /// Whether a sequence of words begins at a token.
    pub(super) fn phrase(&self, at: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(offset, word)| self.is(at.saturating_add(offset), &[word]))
    }

    /// The same for a phrase of the lexicon, whose words stand between spaces.
    pub(super) fn says(&self, at: usize, phrase: &str) -> bool {
        phrase.split(' ').enumerate().all(|(offset, word)| self.is(at.saturating_add(offset), &[word]))
    }

    /// Where the clause of a token begins.
    pub(super) fn clause_start(&self, at: usize) -> usize {
        let mut here = at;
        while let Some(before) = here.checked_sub(1) {
            if self.get(before).is_some_and(is_boundary) || self.is(before, &["but"]) {
                return here;
            }
            here = before;
        }
        0
    }

    /// Where the clause of a token ends.
    pub(super) fn clause_end(&self, at: usize) -> usize {
        (at..self.tokens.len())
            .find(|&here| here > at && (self.get(here).is_some_and(is_boundary) || self.is(here, &["but"])))
            .unwrap_or(self.tokens.len())
    }

    /// Whether a word of the clause in front of a token turns it round.
    pub(super) fn negated(&self, at: usize) -> bool {
        let start = self.clause_start(at);
        (start..at).any(|here| self.is(here, words::NEGATIONS) && !self.is_idle_negation(here))
    }

    /// Whether anything in it is turned round.
    pub(super) fn is_turned(&self) -> bool {
        (0..self.tokens.len()).any(|here| self.is(here, words::NEGATIONS) && !self.is_idle_negation(here))
    }

    /// `no longer than`, `not only`, `no change in`, `why not`.
    pub(super) fn is_idle_negation(&self, at: usize) -> bool {
        let next = at.saturating_add(1);
        // `can't we`, `why don't you`: a request.
        let asks = self.is(at, &["can't", "couldn't", "won't", "wouldn't", "cant", "shouldn't", "don't", "isn't"])
            && self.is(next, &["we", "you", "it", "this", "that"])
            && self.tokens.iter().any(|token| token.is_sign('?'));
        // `Shouldn't X be Y?`: who asks so thinks that it should.
        let begins = self.is(at, &["shouldn't", "wouldn't", "couldn't", "isn't", "aren't", "shouldnt"])
            && !(0..at).any(|before| self.is_text(before))
            && self.tokens.last().is_some_and(|token| token.is_sign('?'));
        asks || begins || self
            .is(next, &["only", "sure", "to", "mind", "problem", "objections", "native", "conflict", "clash", "doubt"])
            && !self.phrase(at, &["not", "to"])
            || at.checked_sub(1).is_some_and(|before| self.is(before, &["why"]))
            // `listTemplates and nothing more`
            || self.is(at, &["nothing"])
                && self.is(next, &["more", "else", "further"])
                && at.checked_sub(1).is_some_and(|before| self.is(before, &["and"]))
            // `twice and not three times`
            || self.is(at, &["not"])
                && self.is(at.saturating_sub(1), &["and"])
                && self.is(next.saturating_add(1), &["times"])
            || self.is(at, &["no"]) && self.is(next, &["change", "changes", "worries", "rush", "hurry", "impact"])
    }

    fn find_mentions(&self, language: Language) -> Vec<Mention> {
        let mut found: Vec<Mention> = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let next = at.saturating_add(1);
            if let Some(mention) = self.spelled_out(at).or_else(|| self.single(at, language)) {
                at = mention.end;
                found.push(mention);
            } else {
                at = next;
            }
        }
        found
    }

    fn single(&self, at: usize, language: Language) -> Option<Mention> {
        let token = self.get(at).filter(|token| token.is_text())?;
        // `I'd` is no name.
        if !token.quoted && token.text.contains(['\'', '’']) {
            return None;
        }
        if self.languages.iter().any(|(place, ..)| *place == at) {
            return None;
        }
        if let Some(mention) = self.argument(at) {
            return Some(mention);
        }
        // `these operations`, whatever group is called so.
        if token.kind == Kind::Word
            && !token.quoted
            && token.text == token.lower
            && words::kinds_of(&token.lower).is_some()
            && token.lower.ends_with('s')
        {
            return None;
        }
        if self.points_back(at) || self.is_noun_of_a_type(at) {
            return None;
        }
        // `the rest`, `list of` and the like are words before they are names.
        let plain = !token.looks_like_name();
        let mut candidates = self.lookup.find(&token.text);
        if candidates.is_empty() {
            candidates = self.lookup.find_elsewhere(&token.text);
        }
        if candidates.is_empty() && language == Language::Go {
            candidates = self.lookup.find_constant(&token.text);
        }
        if candidates.is_empty() && language == Language::Javascript {
            candidates = self.lookup.find_known(&token.text);
        }
        if candidates.is_empty() && token.text.starts_with('.') {
            candidates = self.lookup.find(token.text.trim_start_matches('.'));
        }
        // Types are written with a capital where they are quoted.
        let last = token.text.rsplit(['.', '#']).next().unwrap_or(&token.text);
        if token.quoted && last.starts_with(char::is_lowercase) && kind_noun_beside(self, at, next_of(at)).is_none() {
            let declared = [EntityKind::Model, EntityKind::Enum, EntityKind::Union, EntityKind::Scalar];
            candidates.retain(|&one| !declared.contains(&self.lookup.entity(one).kind) || last.contains('-'));
        }
        if candidates.is_empty() {
            return None;
        }
        // `the argument x`: the noun says which of several it is.
        let named = kind_noun_beside(self, at, next_of(at)).map(|kinds| {
            let fitting = candidates.iter().copied().filter(|&one| kinds.contains(&self.lookup.entity(one).kind));
            fitting.collect::<Vec<_>>()
        });
        let candidates = match named.filter(|named| !named.is_empty()) {
            Some(named) => named,
            None => self.preferred(&token.text, candidates, language),
        };
        let entity = |at: &usize| self.lookup.entity(*at);
        let exact = candidates.iter().any(|at| {
            let entity = entity(at);
            entity.name == token.text || entity.client.as_ref().is_some_and(|client| client.name == token.text)
        });
        let capital = token.text.starts_with(char::is_uppercase);
        if let Some(mention) = self.inside_of_type(at, &candidates) {
            return Some(mention);
        }
        // As the language writes it: `K1` for `k1`.
        let written = matches!(language, Language::Dotnet | Language::Go)
            && capital
            && at.checked_sub(1).and_then(|before| self.get(before)).is_some_and(Token::is_text)
            && !words::NEVER_NAMES.contains(&token.lower.as_str())
            && candidates.iter().any(|at| entity(at).name.eq_ignore_ascii_case(&token.text));
        let exact = exact || written;
        let multi = crate::names::words(&token.text).len() > 1;
        let noun_beside = kind_noun_beside(self, at, next_of(at))
            .is_some_and(|kinds| candidates.iter().any(|at| kinds.contains(&entity(at).kind)));
        let first = self.clause_start(at) == at;
        // The name of a member as its language writes it.
        let member = matches!(language, Language::Python | Language::Java)
            && token.text.chars().count() > 2
            && token.text.chars().all(char::is_uppercase)
            && candidates.iter().all(|at| entity(at).kind == EntityKind::EnumMember);
        let strong = member
            || !plain
            || multi && capital
            || capital && exact && (!first || candidates.len() == 1)
            || noun_beside;
        // `Drop it`: a verb in front of a sentence.
        let verb = [words::REMOVING, words::RENAMING, words::FEATURES, words::MOVING, words::HIDING, words::POLITE]
            .iter()
            .any(|list| token.is(list));
        if plain
            && first
            && verb
            && !self.get(next_of(at)).is_some_and(|next| next.kind == Kind::Arrow || next.is_sign(':'))
        {
            return None;
        }
        // `Please create a group`: what is ordered.
        let ordered = (0..at).all(|before| !self.is_text(before) || self.is(before, words::POLITE));
        if plain && ordered && self.is(next_of(at), &["a", "an", "another"]) {
            return None;
        }
        // Words of the language and single letters are names only where a sign or a noun says so.
        let common = words::FILLERS.contains(&token.lower.as_str())
            || words::NEVER_NAMES.contains(&token.lower.as_str())
            || words::MODALS.contains(&token.lower.as_str())
            || words::NEGATIONS.contains(&token.lower.as_str())
            || words::CONDITIONS.contains(&token.lower.as_str())
            || token.text.chars().count() <= 2 && !token.text.chars().any(|c| c.is_ascii_digit());
        let signed = self.get(next_of(at)).is_some_and(|next| {
            next.kind == Kind::Arrow || next.is_sign(':') || next.is_sign('/') || next.is_sign('=')
        });
        // `rename next to next_action`
        let ordered = at.checked_sub(1).is_some_and(|before| self.is(before, &["rename"]))
            && self.is(next_of(at), &["to"])
            && self.get(at.saturating_add(2)).is_some_and(Token::is_text)
            && !self.is(at, &["it", "this", "that", "these", "those", "them", "both", "all", "one", "everything"]);
        // `tz?: string`
        let signed = signed || ordered || self.is_sign(next_of(at), '?') && self.is_sign(at.saturating_add(2), ':');
        if plain
            && common
            && !signed
            && !(noun_beside && (token.text.chars().count() > 2 || self.is_short_name(at)))
            && !(capital && exact && token.text.chars().count() > 2 && !first)
        {
            return None;
        }
        Some(Mention { at, end: next_of(at), candidates, strong })
    }

    /// `qty in Part`: a word at the start of a clause, and behind it a type that has something of that name.
    fn inside_of_type(&self, at: usize, candidates: &[usize]) -> Option<Mention> {
        let word = self.get(at).filter(|token| token.kind == Kind::Word && !token.quoted)?;
        let common = [words::FILLERS, words::NEVER_NAMES, words::MODALS, words::NEGATIONS, words::CONDITIONS]
            .iter()
            .any(|list| list.contains(&word.lower.as_str()));
        let first = self.clause_start(at) == at || self.is(at.saturating_sub(1), words::RENAME_PROPER);
        // `since last week reboot on PartsClient is gone`
        let operation = |one: &usize| self.lookup.entity(*one).kind == EntityKind::Operation;
        let opens = first || candidates.iter().all(operation) && !self.is(at.saturating_sub(1), words::FILLERS);
        let preposition = next_of(at);
        if common || !opens || !self.is(preposition, &["in", "on", "of"]) {
            return None;
        }
        let holder = self.get(next_of(preposition)).filter(|token| token.text.starts_with(char::is_uppercase))?;
        let holders = self.lookup.find(&holder.text);
        let held = candidates.iter().copied().filter(|&one| {
            let inner = !self.lookup.entity(one).kind.is_type();
            inner && holders.iter().any(|&outer| self.lookup.holds(outer, one))
        });
        let held: Vec<usize> = held.collect();
        (held.len() == 1).then(|| Mention { at, end: next_of(at), candidates: held, strong: true })
    }

    /// `argument bb`: letters behind a noun, which are no word of the language.
    fn is_short_name(&self, at: usize) -> bool {
        let noun = at.checked_sub(1).is_some_and(|before| words::kinds_of(self.lower(before)).is_some());
        let word = [words::FILLERS, words::NEVER_NAMES, words::MODALS, words::NEGATIONS, words::CONDITIONS]
            .iter()
            .any(|list| self.is(at, list));
        noun && !word
    }

    /// A parameter that a call in the sentence names among its arguments: `list(filter=…)` and then `filter`.
    fn argument(&self, at: usize) -> Option<Mention> {
        let token = self.get(at)?;
        let noun = token.is(&["argument", "parameter", "param", "keyword", "kwarg"]);
        for call in self.tokens.iter().filter(|call| call.called && !call.arguments.is_empty()) {
            let named: Vec<&String> =
                call.arguments.iter().filter(|name| noun || same_name(name, &token.text)).collect();
            if named.is_empty() {
                continue;
            }
            let operations: Vec<usize> = self
                .lookup
                .find(&call.text)
                .into_iter()
                .filter(|&at| self.lookup.entity(at).kind == EntityKind::Operation)
                .collect();
            let candidates: Vec<usize> = named
                .iter()
                .flat_map(|name| self.lookup.find(name))
                .filter(|&one| {
                    self.lookup.entity(one).kind == EntityKind::Parameter
                        && operations.iter().any(|&operation| self.lookup.holds(operation, one))
                })
                .collect();
            // `the argument`, where there is one.
            if noun
                && (candidates.len() != 1 || call.arguments.len() != 1 || self.looks_like_name(at.saturating_add(1)))
            {
                continue;
            }
            if candidates.is_empty() || call.span.start <= token.span.start && token.span.end <= call.span.end {
                continue;
            }
            return Some(Mention { at, end: next_of(at), candidates, strong: true });
        }
        None
    }

    /// A name in several plain words, beside a noun of its kind: `the caption files group`.
    fn spelled_out(&self, at: usize) -> Option<Mention> {
        for length in [4_usize, 3, 2] {
            let end = at.saturating_add(length);
            let part = self.tokens.get(at..end)?;
            let plain = |token: &Token| token.kind == Kind::Word && !token.quoted;
            if !part.iter().all(plain) {
                continue;
            }
            let text: Vec<&str> = part.iter().map(|token| token.text.as_str()).collect();
            let joined = text.join(" ");
            let found = self.lookup.find(&joined);
            let own_words = |at: &usize| crate::names::words(&self.lookup.entity(*at).name).len() >= 2;
            let candidates: Vec<usize> = found.into_iter().filter(own_words).collect();
            if candidates.is_empty() {
                continue;
            }
            let kinds = kind_noun_beside(self, at, end);
            let fitting: Vec<usize> = candidates
                .iter()
                .copied()
                .filter(|&at| kinds.is_some_and(|kinds| kinds.contains(&self.lookup.entity(at).kind)))
                .collect();
            let strong = !fitting.is_empty();
            return Some(Mention { at, end, candidates: if strong { fitting } else { candidates }, strong });
        }
        None
    }

    /// What the way of writing a name says about its kind.
    fn preferred(&self, text: &str, candidates: Vec<usize>, language: Language) -> Vec<usize> {
        let entity = |at: &usize| self.lookup.entity(*at);
        let last = text.rsplit(['.', '#']).next().unwrap_or(text);
        let pascal_everywhere = matches!(language, Language::Dotnet | Language::Go);
        let is_type = |at: &usize| entity(at).kind.is_type() || entity(at).kind == EntityKind::Namespace;
        let keep = |test: &dyn Fn(&usize) -> bool| -> Vec<usize> {
            let kept: Vec<usize> = candidates.iter().copied().filter(|at| test(at)).collect();
            if kept.is_empty() { candidates.clone() } else { kept }
        };
        let mut candidates = if last.contains('_') || last.starts_with(char::is_lowercase) {
            if last.contains('_') && !last.chars().any(char::is_lowercase) {
                keep(&|at| entity(at).kind == EntityKind::EnumMember)
            } else {
                keep(&|at| !is_type(at))
            }
        } else if last.len() > 1 && last.chars().all(|c| c.is_uppercase() || c.is_ascii_digit()) {
            keep(&|at| entity(at).kind == EntityKind::EnumMember || is_type(at))
        } else if !pascal_everywhere && last.starts_with(char::is_uppercase) {
            keep(&is_type)
        } else {
            candidates
        };
        // A bare name that is exactly a type's is the type.
        if pascal_everywhere && !text.contains(['.', '#'])
            || text.split('.').count() == 2 && text.starts_with(|c: char| c.is_lowercase())
        {
            let exact: Vec<usize> =
                candidates.iter().copied().filter(|at| is_type(at) && entity(at).name == last).collect();
            if !exact.is_empty() {
                candidates = exact;
            }
        }
        // A parameter is meant where nothing else has the name, or where the words say so.
        if candidates.iter().any(|at| !matches!(entity(at).kind, EntityKind::Parameter | EntityKind::Property)) {
            candidates.retain(|at| entity(at).kind != EntityKind::Parameter);
        }
        self.lookup.without_spread(&mut candidates);
        // A service's own namespace before the ones around it.
        if candidates.iter().any(|at| entity(at).kind != EntityKind::Namespace) {
            candidates.retain(|at| entity(at).kind != EntityKind::Namespace);
        }
        candidates
    }
}

fn next_of(at: usize) -> usize {
    at.saturating_add(1)
}

/// The kinds that a noun in front of or behind a name says.
fn kind_noun_beside(sentence: &Sentence<'_>, at: usize, end: usize) -> Option<&'static [EntityKind]> {
    let behind = words::kinds_of(sentence.lower(end)).filter(|_| sentence.get(end).is_some());
    let front = at.checked_sub(1).and_then(|before| {
        let before = if sentence.is(before, &["named", "called"]) { before.checked_sub(1)? } else { before };
        words::kinds_of(sentence.lower(before))
    });
    front.or(behind)
}

/// The noun beside a mention whose kind nothing else has: `the model X`, `X operation`.
pub(super) fn plain_noun_of(sentence: &Sentence<'_>, mention: &Mention) -> Option<&'static [EntityKind]> {
    let plain = |at: usize| {
        sentence
            .is(at, &["property", "field", "operation", "method", "parameter", "model", "class", "enum"])
            .then(|| words::kinds_of(sentence.lower(at)))
            .flatten()
    };
    let front = mention.at.checked_sub(1).and_then(plain);
    front.or_else(|| plain(mention.end).filter(|_| !sentence.is(mention.end.saturating_add(1), &["of"])))
}

/// The noun beside a mention, if any.
pub(super) fn noun_of(sentence: &Sentence<'_>, mention: &Mention) -> Option<&'static [EntityKind]> {
    kind_noun_beside(sentence, mention.at, mention.end)
}

/// Whether two names are spellings of one.
pub(super) fn same_name(one: &str, other: &str) -> bool {
    key(one) == key(other)
}
