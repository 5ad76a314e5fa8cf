//! Properties of the parser: what holds for every text, and for every sentence of the grammar.

use proptest::test_runner::{Config, RngSeed};

use super::intents::Intent;
use super::request::{Item, read};
use super::sample;
use bailiwick_sdk::tasks::Language;

mod changed;
mod choices;
mod meaning;
mod named_like_words;
mod robust;
mod same;
mod sentences;
mod typos;

/// The same cases in each run, so that a failure is one of the change and not of the day.
fn cases(cases: u32) -> Config {
    Config {
        cases: bailiwick_fuzz::cases(cases),
        rng_seed: RngSeed::Fixed(2026),
        failure_persistence: None,
        ..Config::default()
    }
}

fn items(request: &str, language: Language) -> Vec<Item> {
    read(request, language, &sample::index())
}

/// The one edit that a request asks for, as `verb reference [name]`.
fn asked(request: &str, language: Language) -> Result<String, Vec<Item>> {
    let items = items(request, language);
    match items.as_slice() {
        [Item { outcome: Ok(intent), .. }] => edit(intent).ok_or(items),
        _ => Err(items),
    }
}

fn edit(intent: &Intent) -> Option<String> {
    match intent {
        Intent::Hide { target } => Some(format!("hide {}", target.reference)),
        Intent::Rename { target, new } => Some(format!("rename {} {new}", target.reference)),
        Intent::Move { target, place, .. } => Some(format!("move {} {}", target.reference, place.source())),
        Intent::Regroup { plan } => Some(format!("regroup {}", plan.describe())),
        Intent::Refresh { .. } | Intent::Nothing => None,
    }
}

/// All edits that a request asks for.
fn edits(request: &str, language: Language) -> Vec<String> {
    items(request, language).iter().filter_map(|item| edit(item.outcome.as_ref().ok()?)).collect()
}
