//! Reads a whole request into items, each with what it asks for or why it is not acted on.

use super::check::check_all;
use super::intents::{Intent, Refusal};
use super::reader::{self, Outcome};
use bailiwick_sdk::tasks::{Directive, Language, SpecIndex};

/// One item of a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) text: String,
    /// What it asks for; none where nothing is to be done.
    pub(crate) directives: Vec<Directive>,
    /// What that comes to.
    pub(crate) outcome: Result<Vec<Intent>, Refusal>,
}

/// A request that was read.
pub(crate) struct Read {
    /// There is always at least one.
    pub(crate) items: Vec<Item>,
    /// What it may ask for beside them, and does not say for certain.
    pub(crate) candidates: Vec<Directive>,
    /// The pieces that ask for nothing.
    pub(crate) background: Vec<String>,
}

/// Reads a request.
pub(crate) fn read(request: &str, language: Language, index: &SpecIndex) -> Read {
    let reading = reader::read(request, language, index);
    let mut checked = {
        let acting = reading.items.iter().filter_map(|item| match &item.outcome {
            Outcome::Act(directives) | Outcome::Done(directives) => Some(directives),
            _ => None,
        });
        check_all(&acting.flatten().collect::<Vec<_>>(), index, language).into_iter()
    };
    let items = reading.items.into_iter().map(|item| match item.outcome {
        Outcome::Act(directives) | Outcome::Done(directives) => {
            let outcome = checked.by_ref().take(directives.len()).collect();
            Item { text: item.text, directives, outcome }
        }
        Outcome::Nothing => Item { text: item.text, directives: Vec::new(), outcome: Ok(Vec::new()) },
        Outcome::Guide(refusal) => Item { text: item.text, directives: Vec::new(), outcome: Err(refusal) },
    });
    Read { items: items.collect(), candidates: reading.candidates, background: reading.background }
}
