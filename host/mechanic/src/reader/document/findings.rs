//! What was read: asks, doubts, and what speaks against them.

use std::ops::Range;

use bailiwick_sdk::diagnostics::pasted::Entry;
use bailiwick_sdk::tasks::{ClientParameter, Scope};

use super::super::lexicon::VALUES;
use super::super::sentence::same_name;
use super::super::weigh::Opinion;

/// What a sentence asks for.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::reader) enum Ask {
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
    pub(in crate::reader) fn target(&self) -> Option<usize> {
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
    pub(in crate::reader) fn held(self, doubt: Doubt, words: Option<String>) -> Self {
        match self {
            // A condition stays one, whatever else is said.
            Self::Unsure(Doubt::Held(held)) if held.doubt == Doubt::Condition => Self::Unsure(Doubt::Held(held)),
            Self::Unsure(Doubt::Held(held)) => Self::Unsure(Doubt::Held(Box::new(Held { doubt, ..*held }))),
            Self::Unsure(_) | Self::Clients(_) => Self::Unsure(doubt),
            reading => Self::Unsure(Doubt::Held(Box::new(Held { reading, doubt, words }))),
        }
    }
}

/// An ask that rests on its whole sentence.
pub(super) fn whole(ask: Ask) -> (Ask, Vec<usize>) {
    (ask, Vec::new())
}

/// A client of its own.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::reader) struct NewClient {
    pub(in crate::reader) name: String,
    pub(in crate::reader) operations: Vec<String>,
    pub(in crate::reader) parameters: Vec<ClientParameter>,
}

/// Why something is not read for sure.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::reader) enum Doubt {
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
pub(in crate::reader) struct Held {
    pub(in crate::reader) reading: Ask,
    /// What it waits for, or what is open.
    pub(in crate::reader) doubt: Doubt,
    /// The words that speak against it.
    pub(in crate::reader) words: Option<String>,
}

impl Doubt {
    /// The kind of doubt in a word.
    pub(in crate::reader) fn word(&self) -> &'static str {
        match self.plain() {
            Self::Ambiguous(..) => "ambiguous",
            Self::Unknown(_) => "unknown",
            Self::Question => "question",
            Self::Condition => "condition",
            Self::Undecided => "undecided",
            Self::Unclear => "unclear",
            Self::MissingName => "nameless",
            Self::Structure(_) => "structure",
            Self::Affix(_) => "affix",
            Self::Held(_) => "held",
        }
    }

    /// Without the reading that it holds back.
    pub(in crate::reader) fn plain(&self) -> &Self {
        match self {
            Self::Held(held) => held.doubt.plain(),
            other => other,
        }
    }
}

/// One ask, where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::reader) struct Asked {
    pub(in crate::reader) ask: Ask,
    pub(in crate::reader) span: Range<usize>,
    pub(in crate::reader) scope: Option<Scope>,
    /// The unit that it stands in.
    pub(in crate::reader) unit: usize,
    /// The sentence, counted through the request.
    pub(in crate::reader) sentence: usize,
    /// Whether the words speak of a feature, a type or behaviour.
    pub(in crate::reader) feature: bool,
}

impl Asked {
    /// It is not acted on.
    pub(in crate::reader) fn hold(&mut self, doubt: Doubt) {
        self.ask = self.ask.clone().held(doubt, None);
    }
}

/// Why an entity is not changed by another sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::reader) enum Why {
    /// It shall stay as it is.
    Kept,
    /// The sentence that begins here asks something of it that has no reading.
    Unheard(usize),
}

/// What speaks against changing an entity.
#[derive(Debug, Clone, Copy)]
pub(in crate::reader) struct Veto {
    pub(in crate::reader) target: usize,
    /// The sentence that says so, counted through the request.
    pub(in crate::reader) sentence: usize,
    pub(in crate::reader) why: Why,
}

impl Veto {
    /// An entity that a sentence keeps.
    pub(in crate::reader) const fn kept(target: usize, sentence: usize) -> Self {
        Self { target, sentence, why: Why::Kept }
    }
}

/// Everything that was read.
#[derive(Debug, Default)]
pub(in crate::reader) struct Findings {
    /// Sentences that others answer: what adopts a proposal, and the words above a list.
    pub(in crate::reader) answered: Vec<Range<usize>>,
    pub(in crate::reader) asked: Vec<Asked>,
    /// What was asked and is decided against.
    pub(in crate::reader) refused: Vec<Asked>,
    /// What speaks against changing an entity.
    pub(in crate::reader) vetoes: Vec<Veto>,
    /// Pieces that ask for nothing.
    pub(in crate::reader) background: Vec<Range<usize>>,
    /// The scope that is said for all.
    pub(in crate::reader) scope: Option<Scope>,
    /// Errors of logs.
    pub(in crate::reader) log: Vec<Entry>,
    pub(in crate::reader) log_text: String,
    /// Whether the prose wants hand-written code to follow.
    pub(in crate::reader) repair: bool,
    /// Whether something is wished that has no reading.
    pub(in crate::reader) wished: bool,
    /// Whether a heading or an introduction turns down what stands below it.
    pub(in crate::reader) closed: bool,
    /// Whether something is obliged or asked of a thing that nothing was read of.
    pub(in crate::reader) unheard: bool,
    /// Whether a sentence without a reading says something of a thing that is not certainly nothing to do.
    pub(in crate::reader) open: bool,
    /// The names that nothing has, in a person's own words.
    pub(in crate::reader) proposed: Vec<String>,
    /// Whether a piece speaks to tools.
    pub(in crate::reader) to_tools: bool,
    /// Whether a sentence judged what it does not name.
    pub(in crate::reader) judged: bool,
    /// Whether something was taken back.
    pub(in crate::reader) retracted: bool,
    /// What a later sentence sets aside, in bytes of the request.
    pub(in crate::reader) aside: Vec<Range<usize>>,
    /// What is so likely that it is done although the rest of the request makes the rules doubt it.
    pub(in crate::reader) outweighed: Vec<Ask>,
}

impl Findings {
    /// What these parts of the request ask for waits for a person, but for a name that was corrected to one behind them.
    pub(in crate::reader) fn set_aside(&mut self, request: &str, parts: Vec<Range<usize>>) {
        self.aside = parts;
        for asked in &mut self.asked {
            let part = self.aside.iter().find(|part| part.contains(&asked.span.start));
            let text = part.and_then(|part| request.get(part.clone()));
            let corrected =
                |text: &str| matches!(&asked.ask, Ask::Rename { name, .. } if !text.contains(name.as_str()));
            if text.is_some_and(|text| !corrected(text)) {
                asked.hold(Doubt::Undecided);
            }
        }
    }

    /// `Expected: zero`: a value is not a name.
    pub(in crate::reader) fn hold_values(&mut self) {
        for asked in &mut self.asked {
            if matches!(&asked.ask, Ask::Rename { name, .. } if VALUES.contains(&name.as_str())) {
                asked.hold(Doubt::Undecided);
            }
        }
    }

    /// Whether a later sentence sets aside what begins here.
    pub(in crate::reader) fn is_aside(&self, start: usize) -> bool {
        self.aside.iter().any(|part| part.contains(&start))
    }

    /// Takes over what weighing says beside the rules.
    pub(in crate::reader) fn adopt(&mut self, opinion: Opinion) {
        for asked in &mut self.asked {
            let doubted = |target: usize, name: &str| {
                opinion.doubted.iter().any(|(known, new)| *known == target && same_name(new, name))
            };
            if matches!(&asked.ask, Ask::Rename { target, name } if doubted(*target, name)) {
                asked.hold(Doubt::Undecided);
            }
        }
        for sure in opinion.sure {
            // The sentence has a reading now.
            let heard = |veto: &Veto| {
                matches!(veto.why, Why::Unheard(start) if sure.span.contains(&start))
                    && sure.ask.target() == Some(veto.target)
            };
            self.vetoes.retain(|veto| !heard(veto));
            let over = |asked: &Asked| asked.span.start < sure.span.end && sure.span.start < asked.span.end;
            // What was not certain of these words is certain now; what they ask of something else is not.
            let settled = |ask: &Ask| match ask {
                Ask::Unsure(Doubt::Held(held)) => {
                    // What was doubted because the name suits another thing better, which has it now.
                    let doubted = matches!(&held.reading, Ask::Rename { target, name } if opinion.doubted.iter().any(|(known, new)| {
                        known == target && same_name(new, name)
                    }));
                    held.reading.target() == sure.ask.target() || doubted && gives_the_name(&held.reading, &sure.ask)
                }
                Ask::Unsure(Doubt::Ambiguous(..) | Doubt::Unknown(_) | Doubt::Structure(_)) => false,
                ask => matches!(ask, Ask::Unsure(_)),
            };
            self.asked.retain(|asked| !(over(asked) && settled(&asked.ask)));
            self.asked.push(sure);
        }
        self.outweighed = opinion.outweighed;
    }
}

/// Whether two renames give one name, to whichever thing.
fn gives_the_name(one: &Ask, other: &Ask) -> bool {
    matches!((one, other), (Ask::Rename { name, .. }, Ask::Rename { name: new, .. }) if same_name(name, new))
}
