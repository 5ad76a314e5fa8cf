//! A whole request: its sentences in order, and what they say of each other.

mod beside;
mod by_evidence;
mod checkers;
mod client_wishes;
mod clients;
mod corrections;
mod coverage;
mod decorators;
mod discourse;
mod elsewhere;
mod examples;
mod excerpt;
mod findings;
mod former;
mod groups;
mod heads;
mod hunks;
mod judging;
mod memory;
mod phrases;
mod pieces;
mod plain;
mod proposals;
mod reading;
mod regrouped;
mod removed;
mod returned;
mod rows;
mod same;
mod sentences;
mod suggestions;
mod table_heads;
mod tables;
mod text;
mod told;
mod undone;
mod vetoes;
mod wishes;

use std::ops::Range;

use bailiwick_sdk::tasks::{Language, Scope, SpecIndex};

use super::lexicon as words;
use super::structure::{
    Role, Unit, declared, example_label, is_a_pointer, is_between, is_heading, speaker, speakers, units,
};
use super::targets::Focus;
use super::visibility::Wish;
use crate::entities::Lookup;
use bailiwick_sdk::diagnostics::pasted::entries;
pub(super) use findings::{Ask, Asked, Doubt, Findings, NewClient, Veto, Why};
use former::Former;
use hunks::Hunks;
pub(super) use regrouped::regroup;
pub(super) use sentences::sentence_spans;
use suggestions::Suggestions;
pub(super) use wishes::doubt;

/// The most pieces of a request that are read. What stands behind them is for a person.
const MOST_UNITS: usize = 500;

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

/// What the words above a list want of its items.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Listed {
    Hidden,
    Shown,
    /// A reference, or the name of a new group.
    MovedTo(String),
}

impl Listed {
    fn of(&self, target: usize) -> Ask {
        match self {
            Self::Shown => Ask::Show { target },
            Self::Hidden => Ask::Hide { target },
            Self::MovedTo(to) => Ask::Move { target, to: to.clone() },
        }
    }
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
    /// How an example calls what is there today.
    before_path: Option<String>,
    before_text: Option<String>,
    root: Option<usize>,
    /// What other languages are said to do with a thing.
    elsewhere: Option<Wish>,
    /// What was proposed and waits for somebody to agree.
    pending: Vec<Asked>,
    /// Names that things had.
    former: Vec<Former>,
    /// What stands above says that nothing of it is to be done.
    closed: Closed,
    /// The languages that a heading says it is about.
    section: Option<Scope>,
    /// Whether the words above a list ask for renames: `Please rename these:`.
    renaming: bool,
    /// What the words above say of the renames below them: `Remove the following renames:`.
    removing: Option<removed::Removal>,
    /// Whether a piece stands in such a list.
    listed: bool,
    /// Whether a piece is an item of a list.
    item: bool,
    /// What the words above a list want of its items: `The following should be internal:`.
    seen: Option<Listed>,
    /// Where a piece ends that stands above a list or a table.
    head: Option<usize>,
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
    /// The last sentence that asked about something that nothing is asked of: what is said behind it answers it.
    aside: usize,
    /// The sentence that began the topic at hand: `Item 4 - …`. What is said behind it is not said of the topics before.
    topic: usize,
    /// Whether what stands below tells changes that are to be made: `Implement this draft of the release notes`.
    told: bool,
    /// Whether a sentence anywhere says that what is told as done is to be made so: `Nothing of it is done yet.`
    ahead: bool,
    /// Whether the request gives several things new names by `X is Y`.
    paired: bool,
    /// Where the rows stand that are about types: each of their tables can speak of nothing else.
    typed: Vec<usize>,
    /// The last piece that quotes somebody.
    quoted: usize,
    /// The diffs at hand.
    hunks: Hunks,
    /// A client that the sentences before wish for.
    client_wish: Option<client_wishes::ClientWish>,
    /// Code that is shown, and what is suggested for it.
    suggestions: Suggestions,
}
impl<'a> Document<'a> {
    fn new(text: &'a str, language: Language, index: &'a SpecIndex, lookup: &'a Lookup<'a>) -> Self {
        let root = super::root(index, lookup);
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
            before_path: None,
            before_text: None,
            root,
            elsewhere: None,
            pending: Vec::new(),
            former: Vec::new(),
            closed: Closed::Nothing,
            section: None,
            renaming: false,
            removing: None,
            listed: false,
            seen: None,
            item: false,
            head: None,
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
            aside: 0,
            topic: 0,
            told: false,
            ahead: false,
            paired: false,
            typed: Vec::new(),
            quoted: 0,
            hunks: Hunks::default(),
            client_wish: None,
            suggestions: Suggestions::default(),
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
        document.look_ahead(&units);
        let mut log = String::new();
        for (at, unit) in units.iter().enumerate().take(MOST_UNITS) {
            document.unit = at;
            let below = units.get(at.saturating_add(1)..).unwrap_or_default();
            document.head = (unit.role == Role::Prose && heads::is_list(below)).then_some(unit.span.end);
            document.unit(unit, units.get(at.wrapping_sub(1)), &mut log);
        }
        if let Some(rest) = units.get(MOST_UNITS) {
            document.unit = MOST_UNITS;
            document.ask(Ask::Unsure(Doubt::Unclear), rest.span.clone(), None);
        }
        document.end_of_hunk();
        document.end_of_suggestion();
        document.end_of_client_wish();
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
        if unit.role != Role::Suggestion {
            self.end_of_suggestion();
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
                let head = before.filter(|before| before.role == Role::Prose).map(|before| self.slice(&before.span));
                let expected = head.is_some_and(|head| is_heading(head) && example_label(head) == Some(true));
                if expected && self.is_a_value(text) {
                    self.ask(Ask::Unsure(Doubt::Unclear), unit.span.clone(), None);
                    return;
                }
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
                if is_a_pointer(text) {
                    self.points_at(&unit.span);
                } else if declared(text).is_some() || is_between(text) {
                    self.show_line(&unit.span);
                    self.code(text, follows);
                } else {
                    self.waits_as_quoted(text);
                    self.propose(text, unit.span.start);
                    self.context(text, follows);
                }
                self.found.background.push(unit.span.clone());
            }
            Role::Code if self.wanted.is_some() => {
                let wanted = self.wanted.take().unwrap_or_default();
                self.example(text, &unit.span, wanted);
            }
            Role::Code if is_a_pointer(text) => {
                self.points_at(&unit.span);
                self.found.background.push(unit.span.clone());
            }
            Role::Code => {
                self.suggests(text, &unit.span);
                let follows = before.is_some_and(|before| matches!(before.role, Role::Code));
                self.show_line(&unit.span);
                self.code(text, follows);
                self.opens_a_decorator(text);
                self.found.background.push(unit.span.clone());
            }
            Role::Element => self.element(text, before.is_some_and(|before| before.role == Role::Element)),
            Role::Suggestion if text.trim_start().starts_with('@') => self.suggestion(text, &unit.span),
            Role::Suggestion => self.suggest_line(&unit.span),
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
            Role::Diff { added } => self.shown_line(&unit.span, *added),
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
}
