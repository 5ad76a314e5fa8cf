//! One sentence with what its words stand for: names of the specification, languages, and which part of it reasons,
//! conditions or compares.

use bailiwick_sdk::tasks::{EntityKind, Language};

use super::lexicon as words;
use super::token::{Kind, Token};
use crate::entities::Lookup;
use crate::names::key;

/// The most tokens of a sentence that is read. Reading takes more than linear time.
pub(super) const LONGEST: usize = 300;

/// What a part of a sentence does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// It says what is so or what shall be.
    Main,
    /// It explains.
    Reason,
    /// It restricts.
    Condition,
    /// It says how something else is.
    Comparison,
}

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

/// What a language is mentioned for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LanguageRole {
    /// The change is for it.
    Scope,
    /// The change is not for it.
    Excluded,
    /// It is compared with, or something is said about it.
    Other,
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

    pub(super) fn get(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    pub(super) fn is(&self, at: usize, list: &[&str]) -> bool {
        self.get(at).is_some_and(|token| token.is(list))
    }

    pub(super) fn lower(&self, at: usize) -> &str {
        self.get(at).filter(|token| !token.quoted).map_or("", |token| token.lower.as_str())
    }

    pub(super) fn zone(&self, at: usize) -> Zone {
        self.zones.get(at).copied().unwrap_or(Zone::Main)
    }

    pub(super) fn mention_at(&self, at: usize) -> Option<&Mention> {
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
        self.is(next, &["only", "sure", "to", "mind", "problem", "objections", "native", "conflict", "clash", "doubt"])
            && !self.phrase(at, &["not", "to"])
            || at.checked_sub(1).is_some_and(|before| self.is(before, &["why"]))
            || self.is(at, &["no"]) && self.is(next, &["change", "changes", "worries", "rush", "hurry", "impact"])
    }

    fn find_languages(&self) -> Vec<(usize, Language, LanguageRole)> {
        let mut found = Vec::new();
        for at in 0..self.tokens.len() {
            let Some(token) = self.get(at).filter(|token| !token.quoted && token.kind == Kind::Word) else { continue };
            let Some(language) = words::language(&token.lower) else { continue };
            if self.lower(at) == "go" && !self.is_go(at)
                || self.lower(at) == "net"
                || self.lower(at) == "node" && token.text != "Node"
            {
                continue;
            }
            found.push((at, language, self.role(at)));
        }
        self.spread(&mut found);
        found
    }

    /// `Go` is a language where it is written so and no verb stands for it.
    fn is_go(&self, at: usize) -> bool {
        let written = self.get(at).is_some_and(|token| token.text == "Go");
        let verb = self.is(at.saturating_add(1), &["ahead", "for", "with", "to", "on", "back", "live", "with"])
            && self.clause_start(at) == at
            || self.phrase(at, &["go", "ahead"]);
        written && !verb
    }

    /// Languages that are joined have one role: `Java and .NET already keep it`, `in Python and Java`.
    fn spread(&self, found: &mut [(usize, Language, LanguageRole)]) {
        let joined = |left: usize, right: usize| {
            let gap = left.saturating_add(1)..right;
            gap.len() <= 4
                && gap.clone().all(|at| {
                    self.is(at, &["and", "or", "in", "for", "also", "&", "plus", "as", "well"])
                        || self
                            .get(at)
                            .is_some_and(|token| [',', '/', '&', '+'].iter().any(|sign| token.is_sign(*sign)))
                })
        };
        for at in (1..found.len()).rev() {
            let (Some(&(left, ..)), Some(&(right, _, role))) = (found.get(at.saturating_sub(1)), found.get(at)) else {
                continue;
            };
            if joined(left, right)
                && let Some(before) = found.get_mut(at.saturating_sub(1))
                && before.2 != LanguageRole::Excluded
            {
                before.2 = role;
            }
        }
        for at in 1..found.len() {
            let (Some(&(left, _, role)), Some(&(right, ..))) = (found.get(at.saturating_sub(1)), found.get(at)) else {
                continue;
            };
            if joined(left, right)
                && role == LanguageRole::Excluded
                && let Some(behind) = found.get_mut(at)
            {
                behind.2 = role;
            }
        }
    }

    fn role(&self, at: usize) -> LanguageRole {
        let next = at.saturating_add(1);
        let before = |distance: usize| at.checked_sub(distance);
        let is_before = |distance: usize, list: &[&str]| before(distance).is_some_and(|at| self.is(at, list));
        let excluding = ["except", "excluding", "without", "but", "leave", "not", "excepting", "besides"];
        if is_before(1, &excluding)
            || is_before(2, &excluding) && is_before(1, &["in", "for", "the", "on", "from"])
            || is_before(2, &["other"]) && is_before(1, &["than"])
            || is_before(3, &["other"]) && is_before(2, &["than"])
            || is_before(2, &["apart", "aside"]) && is_before(1, &["from"])
        {
            return LanguageRole::Excluded;
        }
        if self.zone(at) == Zone::Comparison {
            return LanguageRole::Other;
        }
        // What is said of the language itself: `Java can keep`, `.NET has`.
        let skip_noun = next.saturating_add(usize::from(self.is(
            next,
            &[
                "team",
                "people",
                "folks",
                "side",
                "crew",
                "colleagues",
                "developers",
                "devs",
                "owners",
                "reviewers",
                "architects",
                "group",
                "world",
                "reviewer",
                "architect",
                "developer",
                "board",
                "community",
                "version",
                "package",
                "library",
                "sdk",
                "client",
                "users",
                "guys",
                "already",
                "still",
            ],
        )));
        let says = |at: usize| {
            self.is(
                at,
                &[
                    "has",
                    "have",
                    "had",
                    "hides",
                    "hid",
                    "keeps",
                    "keep",
                    "can",
                    "does",
                    "do",
                    "did",
                    "uses",
                    "calls",
                    "already",
                    "is",
                    "are",
                    "was",
                    "were",
                    "may",
                    "says",
                    "shows",
                    "exposes",
                    "names",
                    "called",
                    "named",
                    "stays",
                    "still",
                    "will",
                    "got",
                    "went",
                    "makes",
                    "ships",
                    "renamed",
                    "never",
                    "isn't",
                    "doesn't",
                    "don't",
                    "hasn't",
                    "won't",
                    "must",
                    "should",
                    "needs",
                    "wants",
                    "want",
                    "generates",
                    "gets",
                    "runs",
                    "would",
                    "could",
                    "asked",
                    "decided",
                    "plan",
                    "plans",
                    "wants",
                ],
            )
        };
        let subject = says(skip_noun) && !is_before(1, &["in", "for"]);
        let modal = self.is(skip_noun, &["should", "must", "needs", "wants", "want", "would"]);
        if subject && !modal {
            return LanguageRole::Other;
        }
        if is_before(1, &["like", "than", "as", "unlike", "from", "versus", "vs"])
            || is_before(2, &["like", "than", "as", "unlike"]) && is_before(1, &["in", "the", "for", "with", "our"])
            || is_before(3, &["like", "as", "than", "same"]) && is_before(1, &["in", "for", "the"])
        {
            return LanguageRole::Other;
        }
        let scoped = is_before(1, &["in", "for", "on", "only", "to", "of", "across"])
            || is_before(2, &["in", "for", "from", "on", "of", "to"])
                && is_before(1, &["the", "our", "this", "my", "a", "public", "shipped", "both"])
            || self.is(
                next,
                &["only", "package", "client", "library", "sdk", "api", "surface", "side", "too", "users", "packages"],
            )
            || self.alone(at)
            || modal;
        if scoped { LanguageRole::Scope } else { LanguageRole::Other }
    }

    /// A language that stands by itself: `(python)`, `Java.`, `.NET:`, `Go: …`.
    fn alone(&self, at: usize) -> bool {
        let edge = |token: Option<&Token>| {
            token.is_none_or(|token| {
                matches!(token.kind, Kind::Arrow)
                    || ['(', ')', ',', ';', ':', '.', '!', '/', '-', '–', '—', '&', '[', ']', '?']
                        .iter()
                        .any(|sign| token.is_sign(*sign))
                    || token.is(&[
                        "and", "or", "only", "please", "pls", "plz", "as", "too", "thx", "thanks", "also", "i.e",
                        "here", "rename", "alike", "both", "in", "everyone",
                    ])
            })
        };
        edge(at.checked_sub(1).and_then(|before| self.get(before))) && edge(self.get(at.saturating_add(1)))
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
        if self.languages.iter().any(|(place, ..)| *place == at) {
            return None;
        }
        if let Some(mention) = self.argument(at) {
            return Some(mention);
        }
        // `the rest`, `list of` and the like are words before they are names.
        let plain = !token.looks_like_name();
        let mut candidates = self.lookup.find(&token.text);
        if candidates.is_empty() {
            candidates = self.lookup.find_elsewhere(&token.text);
        }
        if candidates.is_empty() && token.text.starts_with('.') {
            candidates = self.lookup.find(token.text.trim_start_matches('.'));
        }
        if candidates.is_empty() {
            return None;
        }
        let candidates = self.preferred(&token.text, candidates, language);
        let entity = |at: &usize| self.lookup.entity(*at);
        let exact = candidates.iter().any(|at| {
            let entity = entity(at);
            entity.name == token.text || entity.client.as_ref().is_some_and(|client| client.name == token.text)
        });
        let capital = token.text.starts_with(char::is_uppercase);
        let multi = crate::names::words(&token.text).len() > 1;
        let noun_beside = kind_noun_beside(self, at, next_of(at))
            .is_some_and(|kinds| candidates.iter().any(|at| kinds.contains(&entity(at).kind)));
        let first = self.clause_start(at) == at;
        let strong = !plain || multi && capital || capital && exact && (!first || candidates.len() == 1) || noun_beside;
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
        // Words of the language and single letters are names only where a sign or a noun says so.
        let common = words::FILLERS.contains(&token.lower.as_str())
            || words::NEVER_NAMES.contains(&token.lower.as_str())
            || words::MODALS.contains(&token.lower.as_str())
            || words::NEGATIONS.contains(&token.lower.as_str())
            || words::CONDITIONS.contains(&token.lower.as_str())
            || token.text.chars().count() <= 2 && !token.text.chars().any(|c| c.is_ascii_digit());
        let signed = self
            .get(next_of(at))
            .is_some_and(|next| next.kind == Kind::Arrow || next.is_sign(':') || next.is_sign('/'));
        if plain
            && common
            && !signed
            && !(noun_beside && token.text.chars().count() > 2)
            && !(capital && exact && token.text.chars().count() > 2 && !first)
        {
            return None;
        }
        Some(Mention { at, end: next_of(at), candidates, strong })
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
                && (candidates.len() != 1
                    || call.arguments.len() != 1
                    || self.get(at.saturating_add(1)).is_some_and(Token::looks_like_name))
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
        if candidates.iter().any(|at| entity(at).kind != EntityKind::Parameter) {
            candidates.retain(|at| entity(at).kind != EntityKind::Parameter);
        }
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

fn is_boundary(token: &Token) -> bool {
    [',', ';', ':', '(', ')', '—', '–', '-', '…', '?', '!', '.'].iter().any(|sign| token.is_sign(*sign))
}

/// The zones of a sentence's tokens.
fn zones(tokens: &[Token]) -> Vec<Zone> {
    let word = |at: usize| tokens.get(at).filter(|token| !token.quoted).map_or("", |token| token.lower.as_str());
    let mut zones = Vec::with_capacity(tokens.len());
    let mut zone = Zone::Main;
    let mut idle = false;
    for (at, token) in tokens.iter().enumerate() {
        let next = word(at.saturating_add(1));
        let after = word(at.saturating_add(2));
        let first = at == 0 || tokens.get(at.saturating_sub(1)).is_some_and(is_boundary);
        if is_boundary(token) {
            zone = Zone::Main;
            zones.push(zone);
            continue;
        }
        let lower = if token.quoted { "" } else { token.lower.as_str() };
        let starts = match lower {
            "because" | "since" | "otherwise" | "whereas" | "cause" | "cuz" | "although" | "though" | "due" => {
                Some(Zone::Reason)
            }
            "so" if next == "that" || ["people", "users", "callers", "it", "they", "we", "you"].contains(&next) => {
                Some(Zone::Reason)
            }
            "which" | "who" if !first || lower == "which" => Some(Zone::Reason),
            "as" => as_zone(next, after),
            "like" | "unlike" | "than"
                if !["to", "it", "you"].contains(&next) && lower != "like"
                    || lower == "like" && is_comparison(tokens, at) =>
            {
                Some(Zone::Comparison)
            }
            "same" if next == "as" => Some(Zone::Comparison),
            "once" if at > 0 && word(at.saturating_sub(1)) == "at" || ["more", "again", "and"].contains(&next) => None,
            // `it would help if`: a wish.
            "if" if (at.saturating_sub(8)..at)
                .any(|here| ["would", "'d", "i'd", "we'd", "appreciate", "love"].contains(&word(here)))
                && !(at.saturating_sub(8)..at)
                    .any(|here| ["rename", "hide", "called", "renamed"].contains(&word(here))) =>
            {
                None
            }
            "if" | "unless" | "once" | "until" | "till" | "whenever" | "provided" | "assuming" | "pending"
            | "depending" | "supposing" => Some(if is_polite_condition(next, after, word(at.saturating_add(3))) {
                Zone::Reason
            } else {
                Zone::Condition
            }),
            "when" => Some(
                if ["you", "i", "we", "using", "reading", "it", "possible"].contains(&next) || next.ends_with("ing") {
                    Zone::Reason
                } else {
                    Zone::Condition
                },
            ),
            "after" if !first => Some(Zone::Condition),
            "before" | "after" => {
                Some(if is_time(next, after) || !has_verb(tokens, at) { Zone::Reason } else { Zone::Condition })
            }
            // `while you are at it`: nothing but courtesy, up to its end.
            "it" | "there" if zone == Zone::Reason && idle => {
                idle = false;
                zones.push(zone);
                zone = Zone::Main;
                continue;
            }
            "while" => {
                idle = ["you", "we", "you're", "we're", "at"].contains(&next);
                Some(Zone::Reason)
            }
            "but" if zone == Zone::Comparison => Some(Zone::Main),
            "and"
                if zone == Zone::Comparison
                    && words::language(next).is_none()
                    && !["the", "in", "for", "as"].contains(&next) =>
            {
                Some(Zone::Main)
            }
            _ => None,
        };
        if let Some(start) = starts {
            zone = start;
        }
        zones.push(zone);
    }
    zones
}

/// What `as` begins: `as .NET has it` compares, `as it confuses` explains, `as title` names.
fn as_zone(next: &str, after: &str) -> Option<Zone> {
    if words::language(next).is_some()
        || ["in", "has", "before", "usual", "agreed", "everywhere", "elsewhere", "with", "is", "was", "discussed"]
            .contains(&next)
        || ["the", "our"].contains(&next) && words::language(after).is_some()
    {
        return Some(Zone::Comparison);
    }
    if next == "well" || next == "soon" {
        return None;
    }
    if ["it", "they", "we", "you", "this", "that", "there", "nobody", "people", "users", "customers", "i"]
        .contains(&next)
    {
        // `as it is in .NET`, `as it's done for Python`
        return Some(if ["is", "was", "does", "do", "has", "did"].contains(&after) || next.contains('\'') {
            Zone::Comparison
        } else {
            Zone::Reason
        });
    }
    if ["it's", "we've", "they're", "it'd"].contains(&next) {
        return Some(Zone::Comparison);
    }
    None
}

/// `like in Python`, `like the others`, and not `I would like`.
fn is_comparison(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map_or("", |token| token.lower.as_str());
    !["would", "i'd", "we'd", "i", "we", "you'd", "they'd", "should", "'d", "d", "really", "also", "you", "love"]
        .contains(&before)
}

/// `if possible`, `if you can`, `once more`: courtesy, and no condition.
fn is_polite_condition(next: &str, after: &str, third: &str) -> bool {
    ["possible", "you", "more", "again", "feasible", "needed", "ok", "okay", "i", "anything"].contains(&next)
        && (next != "you"
            || ["can", "could", "would", "agree", "don't", "like", "have", "please", "get", "wish", "want", "do"]
                .contains(&after))
        && (next != "i" || ["may", "might", "remember", "recall", "understand", "read"].contains(&after))
        || ["that's", "thats"].contains(&next) && ["ok", "okay", "fine", "possible", "alright"].contains(&after)
        || ["it's", "its"].contains(&next) && ["ok", "not", "possible", "fine"].contains(&after)
        || next == "nothing" && ["speaks", "else"].contains(&after)
        || next == "it" && after == "imported"
        || next == "it's" && after == "imported"
        || next == "not" && third.is_empty()
}

/// `before GA`, `after the last regeneration`, `when you have time`: a time, and no condition.
fn is_time(next: &str, after: &str) -> bool {
    let nominal = [
        "ga",
        "the",
        "this",
        "our",
        "we",
        "release",
        "next",
        "it",
        "shipping",
        "regeneration",
        "regenerating",
        "beta",
        "preview",
        "that",
        "all",
        "reading",
    ];
    nominal.contains(&next) && !["is", "agrees", "approves", "signs", "says", "confirms", "has"].contains(&after)
        || [
            "you",
            "i",
            "writing",
            "reviewing",
            "trying",
            "using",
            "going",
            "looking",
            "migrating",
            "upgrading",
            "reading",
        ]
        .contains(&next)
}

/// Whether a part that begins at a token says that something is or happens.
fn has_verb(tokens: &[Token], at: usize) -> bool {
    tokens.iter().skip(at).take_while(|token| !is_boundary(token)).any(|token| {
        token.is(&[
            "is",
            "are",
            "was",
            "were",
            "has",
            "have",
            "agrees",
            "agree",
            "approves",
            "approve",
            "signs",
            "signed",
            "decides",
            "confirms",
            "confirm",
            "says",
            "said",
            "ships",
            "gets",
            "goes",
            "lands",
            "does",
            "did",
            "merged",
            "approved",
            "agreed",
            "decided",
            "confirmed",
            "speaks",
            "spoke",
            "checks",
            "checked",
            "answers",
            "replies",
            "knows",
            "can",
            "will",
        ])
    })
}

/// Whether two names are spellings of one.
pub(super) fn same_name(one: &str, other: &str) -> bool {
    key(one) == key(other)
}
