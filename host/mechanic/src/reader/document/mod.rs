//! A whole request: its sentences in order, and what they say of each other.

mod clients;
mod discourse;
mod hunks;
mod pieces;
mod same;
mod sentences;
mod wishes;

use std::ops::Range;

use bailiwick_sdk::tasks::{ClientParameter, Language, Scope, SpecIndex};

use super::evidence::Evidence;
use super::lexicon as words;
use super::license;
use super::moves::movement;
use super::rename::{self, Rename, renames};
use super::scopes::{self, Said};
use super::sentence::{LONGEST, LanguageRole, Sentence, Zone, same_name};
use super::standing;
use super::structure::{Role, Unit, is_heading, units};
use super::targets::{Focus, Found};
use super::token::{Token, tokenize};
use super::visibility::{Visibility, Wish, visibility, wished};
use crate::entities::Lookup;
use bailiwick_sdk::diagnostics::pasted::{Entry, entries};
use hunks::Hunks;
use pieces::is_code_like;
use sentences::sentence_spans;
pub(super) use wishes::doubt;
use wishes::hopes;

/// The most pieces of a request that are read. What stands behind them is for a person.
const MOST_UNITS: usize = 500;

/// What a sentence asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ask {
    Rename {
        target: usize,
        name: String,
    },
    Hide {
        target: usize,
    },
    Show {
        target: usize,
    },
    Move {
        target: usize,
        to: String,
    },
    Clients(Vec<NewClient>),
    /// Something that is asked and cannot be read for sure.
    Unsure(Doubt),
}

impl Ask {
    /// The one thing that it is about.
    pub(super) fn target(&self) -> Option<usize> {
        match self {
            Self::Rename { target, .. } | Self::Hide { target } | Self::Show { target } | Self::Move { target, .. } => {
                Some(*target)
            }
            Self::Clients(_) | Self::Unsure(_) => None,
        }
    }
}

impl Ask {
    /// The same, and not acted on.
    pub(super) fn held(self, doubt: Doubt, words: Option<String>) -> Self {
        match self {
            Self::Unsure(Doubt::Held(held)) => Self::Unsure(Doubt::Held(Box::new(Held { doubt, ..*held }))),
            Self::Unsure(_) | Self::Clients(_) => Self::Unsure(doubt),
            reading => Self::Unsure(Doubt::Held(Box::new(Held { reading, doubt, words }))),
        }
    }
}

/// An ask that rests on its whole sentence.
fn whole(ask: Ask) -> (Ask, Vec<usize>) {
    (ask, Vec::new())
}

/// A client of its own.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NewClient {
    pub(super) name: String,
    pub(super) operations: Vec<String>,
    pub(super) parameters: Vec<ClientParameter>,
}

/// Why something is not read for sure.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Doubt {
    Ambiguous(String, Vec<usize>),
    Unknown(String),
    Question,
    Condition,
    Undecided,
    Unclear,
    MissingName,
    /// The clients cannot be made up so.
    Structure(String),
    /// A name that would be the same but for what a language puts around it.
    Affix(String),
    /// A reading that something speaks against.
    Held(Box<Held>),
}

/// A reading that is not acted on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Held {
    pub(super) reading: Ask,
    /// What it waits for, or what is open.
    pub(super) doubt: Doubt,
    /// The words that speak against it.
    pub(super) words: Option<String>,
}

impl Doubt {
    /// Without the reading that it holds back.
    pub(super) fn plain(&self) -> &Self {
        match self {
            Self::Held(held) => held.doubt.plain(),
            other => other,
        }
    }
}

/// One ask, where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    pub(super) ask: Ask,
    pub(super) span: Range<usize>,
    pub(super) scope: Option<Scope>,
    /// The unit that it stands in.
    pub(super) unit: usize,
    /// The sentence, counted through the request.
    pub(super) sentence: usize,
    /// Whether the words speak of a feature, a type or behaviour.
    pub(super) feature: bool,
}

impl Asked {
    /// It is not acted on.
    pub(super) fn hold(&mut self, doubt: Doubt) {
        self.ask = self.ask.clone().held(doubt, None);
    }
}

/// Everything that was read.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) asked: Vec<Asked>,
    /// Entities that shall stay as they are, with the sentence that says so.
    pub(super) vetoes: Vec<(usize, usize)>,
    /// Pieces that ask for nothing.
    pub(super) background: Vec<Range<usize>>,
    /// The scope that is said for all.
    pub(super) scope: Option<Scope>,
    /// Errors of logs.
    pub(super) log: Vec<Entry>,
    pub(super) log_text: String,
    /// Whether the prose wants hand-written code to follow.
    pub(super) repair: bool,
    /// Whether something is wished that has no reading.
    pub(super) wished: bool,
    /// Whether a heading or an introduction turns down what stands below it.
    pub(super) closed: bool,
    /// Whether something is obliged or asked of a thing that nothing was read of.
    pub(super) unheard: bool,
    /// Whether a sentence without a reading says something of a thing that is not certainly nothing to do.
    pub(super) open: bool,
    /// The names that nothing has, in a person's own words.
    pub(super) proposed: Vec<String>,
    /// Whether something was taken back.
    pub(super) retracted: bool,
}

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

/// How far what a heading or an introduction turns down goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closed {
    Nothing,
    /// Up to the next heading.
    Section,
    /// The list or the paragraph behind the unit.
    Behind(usize),
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
    /// The diffs at hand.
    hunks: Hunks,
}
impl<'a> Document<'a> {
    /// Reads a request.
    pub(super) fn read(text: &'a str, language: Language, index: &'a SpecIndex, lookup: &'a Lookup<'a>) -> Findings {
        let root = index
            .clients
            .iter()
            .find(|client| client.parent.is_none())
            .and_then(|client| client.reference.as_deref())
            .and_then(|reference| lookup.by_reference(reference));
        let mut document = Self {
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
            hunks: Hunks::default(),
        };
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

    /// Names that nothing was read of, each with the one thing that it spells out: where what people write of both is a
    /// wish and nothing speaks against it, that is the reading.
    fn by_evidence(&mut self, units: &[Unit]) {
        if self.found.retracted || self.found.closed {
            return;
        }
        let mut gathered = Evidence::default();
        for (number, unit) in units.iter().enumerate().take(MOST_UNITS) {
            if matches!(unit.role, Role::Aside | Role::Suggestion | Role::Row { .. }) {
                continue;
            }
            let text = self.slice(&unit.span);
            let own = matches!(unit.role, Role::Prose | Role::Item);
            for span in sentence_spans(text) {
                let Some(part) = text.get(span.clone()) else { continue };
                let start = unit.span.start.saturating_add(span.start);
                let tokens = tokenize(part);
                let sentence = Sentence::new(&tokens, self.lookup, self.language);
                gathered.add(&sentence, number, own, start..start.saturating_add(part.len()));
            }
        }
        let acted = |found: &Findings, target: usize| {
            found.asked.iter().any(|asked| match &asked.ask {
                Ask::Rename { target: other, .. }
                | Ask::Hide { target: other }
                | Ask::Show { target: other }
                | Ask::Move { target: other, .. } => *other == target,
                _ => false,
            })
        };
        self.found.wished |= gathered.is_open();
        self.found.proposed = gathered.names();
        for (target, name, span, unit) in gathered.pairs(self.lookup, self.language) {
            let vetoed = self.found.vetoes.iter().any(|(one, _)| *one == target);
            // What the same piece leaves open is not settled by the names alone.
            let open = self.found.asked.iter().any(|asked| {
                asked.unit == unit
                    && matches!(&asked.ask, Ask::Unsure(doubt) if matches!(doubt.plain(), Doubt::Undecided | Doubt::Condition))
            });
            if acted(&self.found, target) || vetoed || open {
                continue;
            }
            // What was not clear of these words is clear now.
            self.found.asked.retain(|asked| {
                !(asked.unit == unit
                    && matches!(asked.ask, Ask::Unsure(Doubt::Unclear | Doubt::Unknown(_)))
                    && !asked.feature)
            });
            let said = self.found.asked.len();
            self.found.asked.push(Asked {
                ask: Ask::Rename { target, name },
                span,
                scope: gathered.scope(self.language),
                unit,
                sentence: usize::MAX.saturating_sub(said),
                feature: false,
            });
        }
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
            Role::Prose => self.prose(text, unit.span.start),
            Role::Item => {
                if before.is_none_or(|before| before.role != Role::Item && before.role != Role::Aside) {
                    self.heading = self.focus.clone();
                }
                let previous = self.focus.subject.clone();
                self.focus = self.heading.clone();
                self.focus.holders.extend(previous);
                self.listed = self.renaming;
                self.item = true;
                self.prose(text, unit.span.start);
                (self.listed, self.item) = (false, false);
            }
            Role::Quote => {
                // What stands between two quotations decided about the first.
                if before.is_some_and(|before| before.role != Role::Quote) {
                    self.pending.clear();
                }
                self.propose(text, unit.span.start);
                self.context(text, before.is_some_and(|before| before.role == Role::Quote));
                self.found.background.push(unit.span.clone());
            }
            Role::Code if self.wanted.is_some() => {
                let wanted = self.wanted.take().unwrap_or_default();
                self.example(text, &unit.span, wanted);
            }
            Role::Code => {
                let follows = before.is_some_and(|before| matches!(before.role, Role::Code));
                self.code(text, follows);
                self.found.background.push(unit.span.clone());
            }
            Role::Element => self.element(text, before.is_some_and(|before| before.role == Role::Element)),
            Role::Suggestion => self.suggestion(text, &unit.span),
            Role::Row { heads, cells } => self.row(heads, cells, &unit.span),
            Role::Example { wanted } => {
                self.wanted = Some(*wanted);
                if !text.trim().is_empty() {
                    self.example(text, &unit.span, *wanted);
                }
            }
            Role::Log => {
                log.push_str(text);
                log.push('\n');
                self.log_line(text);
            }
            Role::Diff { added } => self.changed_line(&unit.span, *added),
            Role::Aside => self.found.background.push(unit.span.clone()),
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
        for span in sentence_spans(text) {
            let Some(part) = text.get(span.clone()) else { continue };
            let start = offset.saturating_add(span.start);
            self.sentence(part, start);
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
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        self.sentence = self.sentence.saturating_add(1);
        self.renaming = text.ends_with(':')
            && (0..tokens.len())
                .any(|at| sentence.is(at, words::RENAME_PROPER) && !rename::is_statement(&sentence, at))
            && !sentence.is_turned()
            && doubt(&sentence).is_none()
            && !license::closes(&sentence)
            || self.renaming && self.listed;
        let above = text.ends_with(':') && sentence.mentions.is_empty() && doubt(&sentence).is_none();
        if above {
            self.seen = wished(&sentence).filter(|_| !license::closes(&sentence));
        } else if !self.item {
            self.seen = None;
        }
        let heading = is_heading(text);
        if heading || text.ends_with(':') {
            let section = section(&sentence);
            if heading || section.is_some() {
                self.section.clone_from(&section);
            }
            if section.is_some() {
                self.closed = Closed::Nothing;
                self.found.background.push(span);
                return;
            }
        }
        if heading || text.ends_with(':') {
            let closes = standing::closes(&sentence) || license::closes(&sentence);
            self.found.closed |= closes;
            self.closed = match closes {
                true if heading => Closed::Section,
                true => Closed::Behind(self.unit),
                false if heading || self.closed != Closed::Section => Closed::Nothing,
                false => self.closed,
            };
        }
        self.beside_hunks(&sentence);
        let count = self.found.asked.len();
        self.read_sentence(&sentence, &span);
        if self.found.asked.len() > count {
            self.last = count..self.found.asked.len();
        } else {
            self.judges(&sentence);
            self.found.background.push(span);
        }
        self.remember(&sentence, count);
    }

    fn read_sentence(&mut self, sentence: &Sentence<'_>, span: &Range<usize>) {
        self.focus.root = self.root;
        if self.about_others(sentence) {
            return;
        }
        if self.retracts(sentence) {
            return;
        }
        if hopes(sentence)
            && renames(sentence, &self.focus).is_empty()
            && visibility(sentence, &self.focus).is_none()
            && movement(sentence, &self.focus, self.root).is_none()
        {
            self.ask(Ask::Unsure(Doubt::Unclear), span.clone(), None);
            return;
        }
        if self.noted(sentence) || self.postpones(sentence) || self.agrees(sentence, span) {
            return;
        }
        self.repairs(sentence);
        self.heard(sentence);
        let said = scopes::said(sentence);
        if let Said::For(scope) = &said
            && scopes::is_only_about_languages(sentence)
            && self.scope_of_all(sentence, scope)
        {
            return;
        }
        let scope = match said {
            Said::For(scope) => self.here(sentence, scope),
            Said::Nothing => self.section.clone(),
        };
        let doubt = doubt(sentence).or((self.closed != Closed::Nothing).then_some(Doubt::Undecided));
        if self.vetoes(sentence) {
            return;
        }
        // Each with the places of the sentence that it rests on.
        let mut rested: Vec<(Ask, Vec<usize>)> = Vec::new();
        let mut bare = false;
        let same_first = (0..sentence.tokens.len().min(3)).any(|at| sentence.is(at, &["same", "ditto", "likewise"]))
            || sentence.phrase(0, &["do", "that"])
            || sentence.phrase(0, &["do", "so"]);
        let again = if same_first && renames(sentence, &self.focus).is_empty() {
            self.same_again(sentence)
        } else {
            Vec::new()
        };
        if !again.is_empty() {
            rested.extend(again.into_iter().map(whole));
        } else if let Some(asks) = self.listed_wish(sentence) {
            rested.extend(asks.into_iter().map(whole));
        } else if let Some(clients) = self.clients(sentence) {
            rested.push(whole(clients));
        } else if let Some(restored) = self.restored(sentence) {
            rested.push(whole(restored));
        } else if let Some(drop) = self.dropped(sentence) {
            rested.push(whole(drop));
        } else if let Some(moved) = movement(sentence, &self.focus, self.root) {
            match moved.targets {
                _ if moved.negated => {}
                Found::These(targets) => {
                    let rests = if moved.by_path { Vec::new() } else { vec![moved.at] };
                    let to = |target| (Ask::Move { target, to: moved.to.clone() }, rests.clone());
                    rested.extend(targets.into_iter().map(to));
                }
                Found::Ambiguous(text, candidates) => {
                    rested.push(whole(Ask::Unsure(Doubt::Ambiguous(text, candidates))));
                }
                Found::Unknown(text) => rested.push(whole(Ask::Unsure(Doubt::Unknown(text)))),
                Found::Nothing | Found::Unfit => rested.push(whole(Ask::Unsure(Doubt::Unclear))),
            }
        } else {
            let renamed = renames(sentence, &self.focus);
            bare = renamed.iter().any(|rename| rename.bare);
            let visible = visibility(sentence, &self.focus);
            for rename in &renamed {
                rested.extend(self.rename(rename, sentence).map(|ask| (ask, vec![rename.at, rename.name.at])));
            }
            // `Do not expose X as Y` says nothing of hiding.
            let named = |visible: &Visibility| {
                renamed.iter().any(|rename| {
                    rename.name.at == visible.at
                        || rename.negated && sentence.clause_start(rename.at) == sentence.clause_start(visible.at)
                })
            };
            if let Some(visible) = visible
                && !named(&visible)
            {
                match (visible.wish, visible.targets) {
                    (Wish::Keep, Found::These(targets)) => {
                        let sentence = self.sentence;
                        self.found.vetoes.extend(targets.into_iter().map(|target| (target, sentence)));
                    }
                    (Wish::Hide, Found::These(targets)) => {
                        rested.extend(targets.into_iter().map(|target| (Ask::Hide { target }, vec![visible.at])));
                    }
                    (Wish::Show, Found::These(targets)) => {
                        rested.extend(targets.into_iter().map(|target| (Ask::Show { target }, vec![visible.at])));
                    }
                    (Wish::Hide, Found::Ambiguous(text, candidates)) => {
                        rested.push(whole(Ask::Unsure(Doubt::Ambiguous(text, candidates))));
                    }
                    (Wish::Show, Found::Ambiguous(text, candidates)) => {
                        rested.push(whole(Ask::Unsure(Doubt::Ambiguous(text, candidates))));
                    }
                    (Wish::Hide | Wish::Show, Found::Unknown(text)) => {
                        rested.push(whole(Ask::Unsure(Doubt::Unknown(text))));
                    }
                    // `Please make it public again`, and nothing says what.
                    (Wish::Show, Found::Nothing | Found::Unfit)
                        if (0..sentence.tokens.len()).any(|at| sentence.is(at, &["please", "pls"])) =>
                    {
                        rested.push(whole(Ask::Unsure(Doubt::Unclear)));
                    }
                    _ => {}
                }
            }
            if rested.is_empty() {
                rested.extend(self.same_again(sentence).into_iter().map(whole));
            }
            // An item of such a list that says more than its name.
            if rested.is_empty() && self.item && self.seen.is_some() && !sentence.mentions.is_empty() {
                rested.push(whole(Ask::Unsure(Doubt::Unclear)));
            }
        }
        let objected = |(ask, places): (Ask, Vec<usize>)| match ask.target() {
            Some(_) if !places.is_empty() => match license::objection(sentence, &ask, &places, bare) {
                Some(found) => {
                    let words = sentence.words_at(found.at);
                    ask.held(found.doubt, Some(words))
                }
                None => ask,
            },
            _ => ask,
        };
        let mut asks: Vec<Ask> = rested.into_iter().map(objected).collect();
        // `Same for Java`: the language joins the scope of what was asked last.
        if asks.is_empty() && same_first && sentence.mentions.iter().all(|mention| !mention.strong) {
            let more: Vec<Language> = sentence
                .languages
                .iter()
                .filter(|(_, _, role)| *role != LanguageRole::Excluded)
                .map(|(_, language, _)| *language)
                .collect();
            if !more.is_empty() && more.iter().all(|language| *language != self.language) && !sentence.is_turned() {
                let own = self.language;
                for asked in self.found.asked.get_mut(self.last.clone()).unwrap_or_default() {
                    let mut all = vec![own];
                    all.extend(more.iter().copied());
                    asked.scope = Some(Scope::Only(all));
                }
                return;
            }
        }
        let real = asks.iter().any(|ask| !matches!(ask, Ask::Unsure(_)));
        if real && wishes::adds_more(sentence) {
            asks.push(Ask::Unsure(Doubt::Unclear));
        }
        if doubt == Some(Doubt::Question) && real {
            self.pending = asks
                .iter()
                .map(|ask| Asked {
                    ask: ask.clone(),
                    span: span.clone(),
                    scope: scope.clone(),
                    unit: self.unit,
                    sentence: self.sentence,
                    feature: false,
                })
                .collect();
        }
        if let Some(doubt) = doubt.filter(|_| real || asks.iter().any(|ask| matches!(ask, Ask::Unsure(_)))) {
            asks = match asks.iter().position(|ask| ask.target().is_some()) {
                Some(at) => vec![asks.swap_remove(at).held(doubt, None)],
                None => vec![Ask::Unsure(doubt)],
            };
        }
        let kept = self.found.vetoes.iter().any(|(_, at)| *at == self.sentence);
        if asks.is_empty()
            && !kept
            && let Some(doubt) = self.unread(sentence)
        {
            asks.push(Ask::Unsure(doubt));
        }
        if asks.is_empty() && !kept {
            self.found.wished |= self.wishes(sentence);
            let open = wishes::is_open(sentence);
            self.found.open |= open;
            // A name that is proposed for a thing is never passed over.
            let proposed = sentence.tokens.iter().enumerate().any(|(at, token)| {
                token.looks_like_name()
                    && super::names::is_shaped(token)
                    && token.is_text()
                    && !token.called
                    && !token.text.contains(['/', '.', ':', '@'])
                    && sentence.mention_at(at).is_none()
                    && sentence.zone(at) == Zone::Main
            });
            if open && proposed {
                asks.push(Ask::Unsure(Doubt::Unclear));
            }
        }
        // A wish about a thing that nothing was read of speaks against what else is read of the thing.
        let obliges =
            (0..sentence.tokens.len()).any(|at| sentence.is(at, words::OBLIGING) || sentence.is(at, words::POLITE));
        let wire = (0..sentence.tokens.len()).any(|at| sentence.is(at, words::WIRE));
        if asks.is_empty() && obliges && !wire && !kept {
            let named = self.named_here(sentence);
            let at = self.sentence;
            let asks = (0..sentence.tokens.len()).any(|at| {
                sentence.is(at, words::OBLIGING)
                    || sentence.is(at, words::POLITE) && !sentence.is(at, &["thanks", "thx", "ty"])
            });
            self.found.unheard |= asks && !named.is_empty();
            self.found.vetoes.extend(named.into_iter().map(|one| (one, at)));
        }
        let feature = (0..sentence.tokens.len()).any(|at| sentence.is(at, words::FEATURES));
        for ask in asks {
            self.found.asked.push(Asked {
                ask,
                span: span.clone(),
                scope: scope.clone(),
                unit: self.unit,
                sentence: self.sentence,
                feature,
            });
        }
    }

    /// An item that is nothing but names, below words that want such things hidden or shown.
    fn listed_wish(&self, sentence: &Sentence<'_>) -> Option<Vec<Ask>> {
        let wish = self.seen.filter(|_| self.item)?;
        let idle = |at: usize| {
            sentence.get(at).is_none_or(|token| !token.is_text())
                || sentence.mention_at(at).is_some()
                || words::kinds_of(sentence.lower(at)).is_some()
                || sentence.is(at, &["and"])
        };
        let all = !sentence.mentions.is_empty() && (0..sentence.tokens.len()).all(idle);
        let named = sentence.mentions.iter().filter(|mention| !sentence.qualifies(mention));
        let settled: Option<Vec<usize>> = named.map(|mention| sentence.settle(mention, &self.focus).ok()).collect();
        let ask = |target| match wish {
            Wish::Show => Ask::Show { target },
            Wish::Hide | Wish::Keep => Ask::Hide { target },
        };
        settled.filter(|_| all).map(|all| all.into_iter().map(ask).collect())
    }

    fn rename(&mut self, rename: &Rename, sentence: &Sentence<'_>) -> Option<Ask> {
        if rename.negated {
            if let Ok(target) = rename.target {
                self.found.vetoes.push((target, self.sentence));
            }
            return None;
        }
        if rename.alternatives {
            return Some(Ask::Unsure(Doubt::Undecided));
        }
        Some(match &rename.target {
            Ok(target) => {
                let last = rename.name.text.rsplit(['.', '#']).next().unwrap_or(&rename.name.text);
                if self.drops_an_affix(sentence, *target, last) {
                    return Some(Ask::Unsure(Doubt::Affix(last.to_owned())));
                }
                Ask::Rename { target: *target, name: last.to_owned() }
            }
            Err(Found::Ambiguous(text, candidates)) => Ask::Unsure(Doubt::Ambiguous(text.clone(), candidates.clone())),
            Err(Found::Unknown(text)) => Ask::Unsure(Doubt::Unknown(text.clone())),
            Err(_) => Ask::Unsure(Doubt::Unclear),
        })
    }

    /// `rename begin_x to x`: the name is what it is, and the language puts something in front of it.
    fn drops_an_affix(&self, sentence: &Sentence<'_>, target: usize, name: &str) -> bool {
        let entity = self.lookup.entity(target);
        let today = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
        let written = sentence.mentions.iter().filter(|mention| mention.candidates.contains(&target));
        let mut texts = written
            .filter_map(|mention| sentence.get(mention.at))
            .map(|token| token.text.rsplit(['.', '#']).next().unwrap_or(&token.text));
        same_name(name, today)
            && texts.any(|text| {
                !same_name(text, &entity.name)
                    && !same_name(text, today)
                    && crate::names::key(text).contains(&crate::names::key(today))
            })
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
            self.focus = Focus { subject, holders, mentioned, all, listed, root: self.root };
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
