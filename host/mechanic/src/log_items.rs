//! The items of a pasted log: what each of its errors asks for.

// Anybody may have written the log.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::analyzer;
use super::drift::renames_behind;
use super::intents::{Intent, Refusal};
use super::logs::{Entry, entries};
use super::request::Item;
use bailiwick_sdk::tasks::{Diagnostic, Language, SpecIndex};

/// A log with more errors is not gone through one by one: what is left over is one item.
const MOST_ERRORS: usize = 50;

/// The items of a log, at least one. `beside` holds the names that are given beside the log, if anything is asked there.
pub(super) fn read(
    request: &str,
    log: &str,
    beside: Option<Vec<String>>,
    language: Language,
    index: &SpecIndex,
) -> Vec<Item> {
    let entries = entries(log);
    let naming = |one: &Diagnostic| language == Language::Dotnet && analyzer::is_naming(one);
    let reported: Vec<&Entry> =
        entries.iter().filter(|entry| entry.diagnostic.is_error() || naming(&entry.diagnostic)).collect();
    let diagnostics: Vec<Diagnostic> = entries.iter().map(|entry| entry.diagnostic.clone()).collect();
    let together = |outcome| {
        // The whole text would be read as everything beside the log again.
        let text = if beside.is_some() { format!("fix the errors\n{log}") } else { request.trim().to_owned() };
        vec![Item { text, outcome }]
    };
    if let Some(renames) = renames_behind(&diagnostics, language, index) {
        return together(Ok(Intent::Refresh { renames }));
    }
    if reported.len() < 2 && !reported.iter().any(|entry| naming(&entry.diagnostic)) {
        return together(Err(Refusal::Log { diagnostics }));
    }
    one_by_one(&reported, beside.unwrap_or_default(), language, index)
}

fn one_by_one(reported: &[&Entry], mut taken: Vec<String>, language: Language, index: &SpecIndex) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut left: Vec<Diagnostic> = Vec::new();
    for entry in reported {
        let one = &entry.diagnostic;
        let outcome = if language == Language::Dotnet && analyzer::is_naming(one) {
            analyzer::rename(one, index)
        } else {
            match renames_behind(std::slice::from_ref(one), language, index) {
                Some(renames) => Ok(Intent::Refresh { renames }),
                None => Err(Refusal::Log { diagnostics: vec![one.clone()] }),
            }
        };
        if items.iter().any(|item| is_same(&item.outcome, &outcome)) {
            continue;
        }
        if items.len() >= MOST_ERRORS {
            left.push(one.clone());
            continue;
        }
        // Each item is read alone again, so it cannot take the second best name because of another.
        let outcome = match outcome {
            Ok(Intent::Rename { new, .. }) if taken.contains(&new) => {
                let problem = format!("`{new}` is given to another type in this request");
                Err(analyzer::refused(one, problem))
            }
            Ok(Intent::Rename { target, new }) => {
                taken.push(new.clone());
                Ok(Intent::Rename { target, new })
            }
            other => other,
        };
        items.push(Item { text: entry.text.clone(), outcome });
    }
    if !left.is_empty() {
        let text = format!("{} more errors of the log", left.len());
        items.push(Item { text, outcome: Err(Refusal::Log { diagnostics: left }) });
    }
    items
}

/// Whether two errors come to the same: one type reported in two of its files or by two rules, one message at two places.
fn is_same(one: &Result<Intent, Refusal>, other: &Result<Intent, Refusal>) -> bool {
    let said = |diagnostic: &Diagnostic| (diagnostic.code.clone(), diagnostic.message.clone());
    match (one, other) {
        (Ok(Intent::Rename { target, .. }), Ok(Intent::Rename { target: same, .. })) => {
            target.reference == same.reference
        }
        (Err(Refusal::Analyzer { diagnostic, .. }), Err(Refusal::Analyzer { diagnostic: same, .. })) => {
            said(diagnostic) == said(same)
        }
        _ => one == other,
    }
}
