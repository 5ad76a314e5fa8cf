//! Reads the classifier's answer so that nothing is taken for done that it did not say is done.

use bailiwick_sdk::tasks::{Classification, ItemVerdict, ManualGuidance, Route};

/// The verdicts after an answer. Every item known so far keeps its text and what it was
/// understood to ask for; one that the answer leaves out, or answers in
/// two ways, is for a person. Items that are new in the answer are added.
pub(crate) fn merge(known: &[ItemVerdict], request: &str, answer: Classification) -> Vec<ItemVerdict> {
    if known.is_empty() && answer.items.is_empty() {
        return unanswered(&[], request, "the classifier answered for no item");
    }
    let mut answers = distinct(answer.items);
    // A request of one item is the same item whatever the classifier calls it.
    if let ([item], [only]) = (known, answers.as_mut_slice()) {
        only.id.clone_from(&item.id);
    }
    let mut merged = Vec::with_capacity(known.len() + answers.len());
    for item in known {
        let position = answers.iter().position(|answer| answer.id == item.id);
        merged.push(match position {
            Some(position) => {
                let mut answer = answers.remove(position);
                if !item.directives.is_empty() {
                    answer.directives.clone_from(&item.directives);
                }
                ItemVerdict { text: item.text.clone(), ..answer }
            }
            None => failed(item.clone(), "the classifier did not answer for this item"),
        });
    }
    merged.extend(answers);
    merged.into_iter().map(with_guidance).collect()
}

/// The verdicts when there is no answer at all: everything is for a person.
pub(crate) fn unanswered(known: &[ItemVerdict], request: &str, reason: &str) -> Vec<ItemVerdict> {
    if known.is_empty() {
        let item = ItemVerdict {
            id: "request".to_owned(),
            text: first_line(request),
            route: Route::Failure,
            reason: reason.to_owned(),
            directives: Vec::new(),
            guidance: None,
        };
        return vec![with_guidance(item)];
    }
    known.iter().map(|item| with_guidance(failed(item.clone(), reason))).collect()
}

/// One verdict per id. Two different routes for one id are refused.
fn distinct(items: Vec<ItemVerdict>) -> Vec<ItemVerdict> {
    let mut distinct: Vec<ItemVerdict> = Vec::with_capacity(items.len());
    for item in items {
        match distinct.iter_mut().find(|known| known.id == item.id) {
            None => distinct.push(item),
            Some(known) if known.route == item.route => {}
            Some(known) => {
                let reason = "the classifier answered for this item in two ways";
                *known = failed(known.clone(), reason);
            }
        }
    }
    distinct
}

fn failed(item: ItemVerdict, reason: &str) -> ItemVerdict {
    ItemVerdict { route: Route::Failure, reason: reason.to_owned(), guidance: None, ..item }
}

/// A failed item always carries guidance, and no other does.
fn with_guidance(mut item: ItemVerdict) -> ItemVerdict {
    match item.route {
        Route::PhaseA | Route::Success => item.guidance = None,
        Route::Failure if item.guidance.is_none() => {
            item.guidance = Some(ManualGuidance {
                issue: item.text.clone(),
                files: Vec::new(),
                approach: "make this change by hand, or ask for it in words that name the \
                           operation, model or property"
                    .to_owned(),
                reason: item.reason.clone(),
            });
        }
        Route::Failure => {}
    }
    item
}

fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty());
    let line: String = line.unwrap_or_default().trim().chars().take(200).collect();
    if line.is_empty() { "an empty request".to_owned() } else { line }
}
