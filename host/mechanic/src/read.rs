//! What a request says, for tools that measure the reader.

use bailiwick_sdk::tasks::{Directive, Language, ManualGuidance, SpecIndex};

use crate::reader::{self, Outcome};

/// A request in the terms of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Understood {
    /// What would be done, in the order of the request.
    pub actions: Vec<Directive>,
    /// What it may ask for beside them, and does not say for certain.
    pub candidates: Vec<Directive>,
    /// Pieces of the request that ask for nothing.
    pub background: Vec<String>,
    /// What a person has to decide or to do.
    pub guidance: Vec<ManualGuidance>,
}

/// Reads a request.
#[must_use]
pub fn understand(request: &str, language: Language, index: &SpecIndex) -> Understood {
    let reading = reader::read(request, language, index);
    let mut understood = Understood {
        actions: Vec::new(),
        candidates: reading.candidates,
        background: reading.background,
        guidance: Vec::new(),
    };
    for item in reading.items {
        match item.outcome {
            Outcome::Act(directives) => understood.actions.extend(directives),
            Outcome::Done(_) | Outcome::Nothing => {}
            Outcome::Guide(refusal) => {
                let said = crate::guidance::guidance(&refusal, language);
                understood.guidance.push(crate::nameless::explain(said, &item.text, index));
            }
        }
    }
    understood
}
