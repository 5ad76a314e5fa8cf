//! A whole request: its sentences in order, and what they say of each other.

mod by_evidence;
mod checkers;
mod clients;
mod corrections;
mod discourse;
mod elsewhere;
mod excerpt;
mod findings;
mod groups;
mod hunks;
mod pieces;
mod reading;
mod returned;
mod rows;
mod same;
mod sentences;
mod told;
mod vetoes;
mod wishes;

use std::ops::Range;

use bailiwick_sdk::tasks::{Language, Scope, SpecIndex};

use super::lexicon as words;
use super::license;
use super::rename;
use super::sentence::{LONGEST, Sentence, Zone};
use super::standing;
use super::structure::{Role, Unit, declared, is_between, is_heading, speaker, speakers, units};
use super::targets::{Focus, Found};
use super::token::{Kind, Token, tokenize};
use super::visibility::{Wish, wished};
use crate::entities::Lookup;
use bailiwick_sdk::diagnostics::pasted::entries;
pub(super) use findings::{Ask, Asked, Doubt, Findings, NewClient};
use hunks::Hunks;
use pieces::is_code_like;
pub(super) use sentences::sentence_spans;
pub(super) use wishes::doubt;

/// The most pieces of a request that are read. What stands behind them is for a person.
const MOST_UNITS: usize = 500;

/// The languages of a heading that names nothing else: `## Java`, `For Java and .NET:`.
fn section(sentence: &Sentence<'_>) -> Option<Scope> {
    let named = |at: usize| sentence.languages.iter().any(|(place, ..)| *place == at);
    let idle = |at: usize| {
        named(at)
            || sentence.get(at).is_none_or(|token| !token.is_text())
            || sentence.is(at, words::FILLERS)
            || sentence.is(
                at,
                &["for", "in", "and", "sdk", "sdks", "client", "library", "package", "changes", "api", "review"],
            )
    };
    let mut languages: Vec<Language> = sentence.languages.iter().map(|(_, language, _)| *language).collect();
    languages.dedup();
    ((0..sentence.tokens.len()).all(idle) && !languages.is_empty()).then_some(Scope::Only(languages))
}

/// `X is called Y` as a criterion: it shall be so.
fn oblige(tokens: &mut Vec<Token>) {
    let Some(at) = tokens.iter().position(|token| token.is(&["is", "are", "was", "were"])) else { return };
    if let Some(token) = tokens.get_mut(at) {
        token.lower = "should".to_owned();
        let be = Token {
            lower: "be".to_owned(),
            text: "be".to_owned(),
            span: token.span.end..token.span.end,
            ..token.clone()
        };
        tokens.insert(at.saturating_add(1), be);
    }
}

/// How far what a heading or an introduction turns down goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closed {
    Nothing,
    /// The paragraph at hand.
    Paragraph,
    /// Up to the next heading.
    Section,
    /// The list or the paragraph behind the unit.
    Behind(usize),
    /// The whole request.
    All,
}

/// A request while it is read.
pub(super) struct Document<'a> {
    text: &'a str,
    language: Language,
    index: &'a SpecIndex,
    lookup: &'a Lookup<'a>,
    found: Findings,
    focus: Focus,
    /// What the items of the list at hand begin with.
    heading: Focus,
    unit: usize,
    sentence: usize,
    /// The asks of the last sentence that had some.
    last: Range<usize>,
    /// Whether the next fragments are how things shall be.
    wanted: Option<bool>,
    before: Option<Vec<usize>>,
    root: Option<usize>,
    /// What other languages are said to do with a thing.
    elsewhere: Option<Wish>,
    /// What was proposed and waits for somebody to agree.
    pending: Vec<Asked>,
    /// A name that something had.
    former: Option<(usize, String)>,
    /// What stands above says that nothing of it is to be done.
    closed: Closed,
    /// The languages that a heading says it is about.
    section: Option<Scope>,
    /// Whether the words above a list ask for renames: `Please rename these:`.
    renaming: bool,
    /// Whether a piece stands in such a list.
    listed: bool,
    /// Whether a piece is an item of a list.
    item: bool,
    /// What the words above a list want of its items: `The following should be internal:`.
    seen: Option<Wish>,
    /// Whether code stands directly above.
    coded: bool,
    /// What a quoted decorator of the specification is about.
    decorated: Option<usize>,
    /// Whether the sentences before tell of a rename that was done.
    renamed_before: bool,
    /// Whether no line but the first one stands above others.
    single: bool,
    /// Whether several people speak in turns.
    conversation: bool,
    /// Whether the items below say how things shall be: `Acceptance criteria`.
    criteria: bool,
    /// What a checker suggests, and whether it suggests something else as well.
    suggested: Vec<checkers::Suggested>,
    unsuggested: bool,
    /// The sentences that say what was decided.
    decided: Vec<usize>,
    /// The languages that were named last.
    languages: Vec<Language>,
    /// Whether the last words were a question.
    questioned: bool,
    /// Whether what stands below tells changes that are to be made: `Implement this draft of the release notes`.
    told: bool,
    /// The last piece that quotes somebody.
    quoted: usize,
    /// The diffs at hand.
    hunks: Hunks,
}
impl<'a> Document<'a> {
    fn new(text: &'a str, language: Language, index: &'a SpecIndex, lookup: &'a Lookup<'a>) -> Self {
        let root = index
            .clients
            .iter()
            .find(|client| client.parent.is_none())
            .and_then(|client| client.reference.as_deref())
            .and_then(|reference| lookup.by_reference(reference));
        Self {
            text,
            language,
            index,
            lookup,
            found: Findings::default(),
            focus: Focus::default(),
            heading: Focus::default(),
            unit: 0,
            sentence: 0,
            last: 0..0,
            wanted: None,
            before: None,
            root,
            elsewhere: None,
            pending: Vec::new(),
            former: None,
            closed: Closed::Nothing,
            section: None,
            renaming: false,
            listed: false,
            seen: None,
            item: false,
            coded: false,
            decorated: None,
            renamed_before: false,
            single: false,
            conversation: false,
            criteria: false,
            suggested: Vec::new(),
            unsuggested: false,
            decided: Vec::new(),
            languages: Vec::new(),
            questioned: false,
            told: false,
            quoted: 0,
            hunks: Hunks::default(),
        }
    }

    /// Reads a request.
    pub(super) fn read(text: &'a str, language: Language, index: &'a SpecIndex, lookup: &'a Lookup<'a>) -> Findings {
        let mut document = Self::new(text, language, index, lookup);
        let speakers = speakers(text);
        document.conversation = text.lines().filter(|line| speaker(line, &speakers).is_some()).count() > 1;
        let stands_above = |line: &str| {
            let line = line.trim();
            (line.ends_with(':') || is_heading(line)) && !line.starts_with('>') && declared(line).is_none()
        };
        document.single = !text.lines().skip(1).any(stands_above);
        let start = text.trim_start().to_lowercase();
        if ["[draft]", "[wip]", "[rfc]", "draft:", "wip:"].iter().any(|label| start.starts_with(label)) {
            document.closed = Closed::All;
            document.found.closed = true;
        }
        let units = units(text);
        let mut log = String::new();
        for (at, unit) in units.iter().enumerate().take(MOST_UNITS) {
            document.unit = at;
            document.unit(unit, units.get(at.wrapping_sub(1)), &mut log);
        }
        if let Some(rest) = units.get(MOST_UNITS) {
            document.unit = MOST_UNITS;
            document.ask(Ask::Unsure(Doubt::Unclear), rest.span.clone(), None);
        }
        document.end_of_hunk();
        document.weigh_hunks();
        document.by_evidence(&units);
        document.found.log = entries(&log);
        document.found.log_text = log;
        document.found
    }

    fn slice(&self, span: &Range<usize>) -> &'a str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    fn unit(&mut self, unit: &Unit, before: Option<&Unit>, log: &mut String) {
        let text = self.slice(&unit.span);
        if !matches!(unit.role, Role::Diff { .. }) {
            self.end_of_hunk();
        }
        let listed = before.is_some_and(|before| before.role != Role::Prose);
        if let Closed::Behind(at) = self.closed
            && unit.role == Role::Prose
            && (listed || self.unit > at.saturating_add(1))
        {
            self.closed = Closed::Nothing;
        }
        if text.contains("<-") && matches!(unit.role, Role::Prose | Role::Code | Role::Item) {
            self.pointed_at(text, unit.span.start);
            return;
        }
        self.coded = before.is_some_and(|before| before.role == Role::Code);
        match &unit.role {
            Role::Prose => {
                self.told &= is_heading(text) || text.ends_with(':');
                let head = text.trim_matches(['#', '*', ':', ' ']).to_lowercase();
                let criteria = ["acceptance criteria", "acceptance criterion", "definition of done"];
                self.criteria = criteria.iter().any(|known| head == *known || head.ends_with(&format!("\n{known}")));
                self.prose(text, unit.span.start);
            }
            Role::Item => {
                if before.is_none_or(|before| before.role != Role::Item && before.role != Role::Aside) {
                    self.heading = self.focus.clone();
                }
                let previous = self.focus.subject.clone();
                self.focus = self.heading.clone();
                self.focus.holders.extend(previous);
                self.listed = self.renaming;
                self.item = true;
                let count = (self.found.asked.len(), self.found.vetoes.len());
                self.prose(text, unit.span.start);
                // `rewrite that section`: an item that is not passed over.
                if count == (self.found.asked.len(), self.found.vetoes.len())
                    && (wishes::orders(text) || wishes::obliges(text))
                {
                    self.ask(Ask::Unsure(Doubt::Unclear), unit.span.clone(), None);
                }
                (self.listed, self.item) = (false, false);
            }
            Role::Quote => {
                self.quoted = self.unit;
                // What stands between two quotations decided about the first.
                if before.is_some_and(|before| before.role != Role::Quote) {
                    self.pending.clear();
                }
                let follows = before.is_some_and(|before| before.role == Role::Quote);
                if declared(text).is_some() || is_between(text) {
                    self.code(text, follows);
                } else {
                    self.propose(text, unit.span.start);
                    self.context(text, follows);
                }
                self.found.background.push(unit.span.clone());
            }
            Role::Code if self.wanted.is_some() => {
                let wanted = self.wanted.take().unwrap_or_default();
                self.example(text, &unit.span, wanted);
            }
            Role::Code => {
                self.suggests(text, &unit.span);
                let follows = before.is_some_and(|before| matches!(before.role, Role::Code));
                self.code(text, follows);
                self.found.background.push(unit.span.clone());
            }
            Role::Element => self.element(text, before.is_some_and(|before| before.role == Role::Element)),
            Role::Suggestion => self.suggestion(text, &unit.span, before),
            Role::Row { heads, cells } => self.row(heads, cells, &unit.span),
            Role::Example { wanted } => {
                self.wanted = Some(*wanted);
                if !text.trim().is_empty() {
                    self.example(text, &unit.span, *wanted);
                }
            }
            Role::Log => {
                self.suggests(text, &unit.span);
                log.push_str(text);
                log.push('\n');
                self.log_line(text);
            }
            Role::Diff { added } => self.changed_line(&unit.span, *added),
            Role::Aside => {
                // What a mail is about may be spoken of below.
                let head = text.split_once(':').map(|(head, _)| head.trim().to_lowercase()).unwrap_or_default();
                if ["re", "subject"].contains(&head.as_str()) {
                    self.context(text, false);
                }
                self.found.background.push(unit.span.clone());
            }
        }
    }

    fn ask(&mut self, ask: Ask, span: Range<usize>, scope: Option<Scope>) {
        let ask = if self.closed == Closed::Nothing { ask } else { ask.held(Doubt::Undecided, None) };
        self.last = self.found.asked.len()..self.found.asked.len().saturating_add(1);
        let scope = scope.or_else(|| self.section.clone());
        self.found.asked.push(Asked { ask, span, scope, unit: self.unit, sentence: self.sentence, feature: false });
        self.sentence = self.sentence.saturating_add(1);
    }

    /// Sentences, one after the other.
    fn prose(&mut self, text: &str, offset: usize) {
        // `Please change`, code, `to`, code.
        let plain: Vec<String> = text.to_lowercase().split(|c: char| !c.is_alphabetic()).map(str::to_owned).collect();
        let words: Vec<&str> = plain.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        let joins = ["to", "into", "with", "should", "expect", "want", "like", "prefer", "must"];
        let idle = [
            "and", "i", "we", "would", "be", "it", "is", "this", "read", "instead", "rather", "have", "see", "a", "the",
        ];
        let joined = !words.is_empty()
            && words.iter().any(|word| joins.contains(word))
            && words.iter().all(|word| joins.contains(word) || idle.contains(word));
        if joined && self.coded && !self.focus.subject.is_empty() {
            self.before = Some(self.focus.subject.clone());
            self.wanted = Some(true);
            return;
        }
        if let Some(wanted) = self.wanted.take_if(|_| !text.trim().is_empty() && is_code_like(text)) {
            self.example(text, &(offset..offset.saturating_add(text.len())), wanted);
            return;
        }
        let plain = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        if words::TO_TOOLS.iter().any(|phrase| plain.contains(phrase)) {
            self.found.background.push(offset..offset.saturating_add(text.len()));
            return;
        }
        if self.closed == Closed::Nothing && standing::quotes_several(text) {
            self.closed = Closed::Paragraph;
            self.found.closed = true;
        }
        for span in sentence_spans(text) {
            let Some(part) = text.get(span.clone()) else { continue };
            let start = offset.saturating_add(span.start);
            self.sentence(part, start);
        }
        if self.closed == Closed::Paragraph {
            self.closed = Closed::Nothing;
        }
    }

    fn sentence(&mut self, text: &str, start: usize) {
        let mut tokens = tokenize(text);
        // `@somebody hide X`: whom it speaks to.
        if tokens.len() > 2 && tokens.first().is_some_and(|token| token.text.starts_with('@') && !token.called) {
            tokens.remove(0);
        }
        if !tokens.iter().any(Token::is_text) {
            return;
        }
        let span = start..start.saturating_add(text.len());
        if tokens.len() > LONGEST {
            self.ask(Ask::Unsure(Doubt::Unclear), span, None);
            return;
        }
        // `s/x/y/g`
        let flag = tokens.len() == 7 && tokens.first().is_some_and(|token| token.is(&["s"]));
        if flag && tokens.last().is_some_and(|token| token.is(&["g", "i", "gi"])) {
            tokens.pop();
        }
        // `- x to y` below `Please rename these:`
        let to = tokens.iter().position(|token| token.is(&["to"])).filter(|at| *at > 0);
        if to.is_some() && self.listed && !tokens.iter().any(|token| token.is(words::RENAMING)) {
            let verb = tokenize("rename").into_iter().map(|token| Token { span: 0..0, ..token });
            tokens.splice(0..0, verb);
        }
        let begins = |sentence: &Sentence<'_>| sentence.mentions.first().is_some_and(|first| first.at < 2);
        if self.item && self.criteria && begins(&Sentence::new(&tokens, self.lookup, self.language)) {
            oblige(&mut tokens);
        }
        if self.item && self.told {
            told::wish(&mut tokens);
        }
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        self.sentence = self.sentence.saturating_add(1);
        if self.closed == Closed::Nothing && !self.item && self.carries_out(&sentence, text.ends_with(':')) {
            self.told = true;
            self.found.background.push(span);
            return;
        }
        if self.closed == Closed::Nothing && self.takes_suggestions(&sentence, &span) {
            return;
        }
        self.renaming = text.ends_with(':')
            && (0..tokens.len())
                .any(|at| sentence.is(at, words::RENAME_PROPER) && !rename::is_statement(&sentence, at))
            && !sentence.is_turned()
            && doubt(&sentence).is_none()
            && !license::closes(&sentence)
            || self.renaming && self.listed;
        let here = sentence.languages.iter().all(|(_, language, _)| *language == self.language);
        let above = text.ends_with(':') && here && sentence.mentions.is_empty() && doubt(&sentence).is_none();
        if above {
            self.seen = wished(&sentence).filter(|_| !license::closes(&sentence));
        } else if !self.item {
            self.seen = None;
        }
        let heading = is_heading(text);
        self.questioned = !heading && doubt(&sentence) == Some(Doubt::Question);
        if heading || text.ends_with(':') {
            let section = section(&sentence);
            if heading || section.is_some() {
                self.section.clone_from(&section);
            }
            if section.is_some() {
                if self.closed != Closed::All {
                    self.closed = Closed::Nothing;
                }
                self.found.background.push(span);
                return;
            }
        }
        if heading || text.ends_with(':') {
            let closes = standing::closes(&sentence)
                || license::closes(&sentence)
                || !heading && license::holds_paragraph(&sentence);
            self.found.closed |= closes;
            self.closed = match closes {
                _ if self.closed == Closed::All => Closed::All,
                // Nothing else stands above a part of the request.
                true if self.unit == 0 && self.single => Closed::All,
                true if heading => Closed::Section,
                true => Closed::Behind(self.unit),
                false if heading || !matches!(self.closed, Closed::Section | Closed::Paragraph) => Closed::Nothing,
                false => self.closed,
            };
        }
        if self.closed == Closed::Nothing && !text.ends_with(':') && license::holds_paragraph(&sentence) {
            self.closed = Closed::Paragraph;
            self.found.closed = true;
        }
        self.beside_hunks(&sentence);
        let count = self.found.asked.len();
        if self.is_decision(start) || tokens.first().is_some_and(|token| token.kind == Kind::Arrow) {
            self.decided.push(self.sentence);
        }
        let group = self.group(&sentence);
        self.read_sentence(&sentence, &span);
        match group {
            Some(groups::Group::For(scope)) => {
                for asked in self.found.asked.iter_mut().skip(count) {
                    asked.scope = Some(scope.clone());
                }
            }
            Some(groups::Group::Unclear) => self.hold_group(count),
            None => {}
        }
        self.remember_languages(&sentence);
        if self.found.asked.len() > count {
            self.last = count..self.found.asked.len();
        } else {
            self.judges(&sentence);
            self.found.background.push(span);
        }
        self.renamed_before |= rename::tells(&sentence);
        self.remember(&sentence, count);
    }

    /// What the next sentence's pronouns stand for.
    fn remember(&mut self, sentence: &Sentence<'_>, count: usize) {
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
        if !subject.is_empty() || unsettled || !mentioned.is_empty() {
            let mut holders = subject.clone();
            holders.extend(self.focus.holders.iter().copied().take(8));
            let listed = if subject.len() > 1 { subject.clone() } else { self.focus.listed.clone() };
            self.focus = Focus { subject, holders, mentioned, all, listed, root: self.root, excerpt: false };
        }
    }

    /// What a sentence is about: the first names that are certain, joined ones together.
    fn subject_of(&self, sentence: &Sentence<'_>) -> Vec<usize> {
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
