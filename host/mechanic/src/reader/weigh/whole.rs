//! What a whole request is like, and how likely it is by that that nothing is asked: praise, news, a turned-down proposal.
//!
//! What is said of it are its words, two words beside each other, and what the rules found. `whole.txt`, which
//! `cargo xtask weights --whole` learns, says what each is worth.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use super::super::document::{Ask, Doubt, Findings, Why};
use super::super::{Outcome, Reading};
use super::features::{EDGE, Features, Scene};
use super::text::ThingPlace;
use crate::intents::Refusal;

/// A line is what is said and what it is worth, with a tab between. What is said of every request is `any`.
const TEXT: &str = include_str!("whole.txt");
/// The most words of a request that are looked at.
const WORDS: usize = 1000;

/// How likely nothing is asked, from 0 to 1, by what is said of a request.
pub(super) fn nothing_asked(features: &BTreeSet<String>) -> f64 {
    static WORTH: OnceLock<HashMap<&'static str, f64>> = OnceLock::new();
    // A test holds that each line can be read.
    let worth = WORTH.get_or_init(|| parse(TEXT).unwrap_or_default());
    let sum: f64 = features.iter().filter_map(|one| worth.get(one.as_str())).sum();
    1.0 / (1.0 + (-sum).exp())
}

fn parse(text: &'static str) -> Option<HashMap<&'static str, f64>> {
    let line = |line: &'static str| line.rsplit_once('\t').and_then(|(what, worth)| Some((what, worth.parse().ok()?)));
    text.lines().map(line).collect()
}

/// What is said of a request. Nothing of it depends on the weights of pairs.
pub(super) fn described(scene: &Scene<'_>, found: &Findings, reading: &Reading) -> BTreeSet<String> {
    let mut features = Features::default();
    features.when("any", true);
    wording(&mut features, scene);
    ruled(&mut features, found, reading);
    named(&mut features, scene);
    features.0.into_iter().collect()
}

fn wording(features: &mut Features, scene: &Scene<'_>) {
    let is_spoken = |role: &str| matches!(role, "prose" | "item" | "quote" | "row" | "element" | "aside");
    let sentences = || scene.sentences.iter().zip(&scene.told).filter(|(placed, _)| is_spoken(placed.role));
    let mut words = 0_usize;
    for (_, told) in sentences() {
        if words > WORDS {
            break;
        }
        words = words.saturating_add(told.words.len());
        for at in 0..=told.words.len() {
            let before = at.checked_sub(1).map_or(EDGE, |before| told.word(before));
            features.of("two", format!("{before} {}", told.word(at)));
        }
        features.each("word", &told.each);
        if let Some(first) = told.words.first() {
            features.of("first", first);
        }
        features.pairs("class", &told.classes);
        features.of("doubt", told.doubt);
        features.when("tells", told.tells);
        features.when("asserts", !told.tells);
        features.when("turned", told.turned);
    }
    if let Some((_, last)) = sentences().next_back() {
        features.each("last", &last.each);
        last.classes.iter().for_each(|class| features.of("lastclass", class));
        features.of("lastdoubt", last.doubt);
        features.when("lasttells", last.tells);
    }
    if let Some((_, begin)) = sentences().next() {
        features.each("begin", &begin.each);
        begin.classes.iter().for_each(|class| features.of("beginclass", class));
        features.of("begindoubt", begin.doubt);
    }
    for placed in scene.sentences {
        features.of("role", placed.role);
    }
    features.of("sentences", size(sentences().count()));
    features.of("words", size(words / 4));
    features.of("questions", size(sentences().filter(|(_, told)| told.each.contains("?")).count()));
}

fn ruled(features: &mut Features, found: &Findings, reading: &Reading) {
    for item in &reading.items {
        features.of("item", kind(&item.outcome));
    }
    features.of("items", size(reading.items.len()));
    for candidate in &reading.candidates {
        let kind = format!("{:?}", candidate.change);
        features.of("candidate", kind.split([' ', '(']).next().unwrap_or_default());
    }
    features.of("candidates", size(reading.candidates.len()));
    let mut doubts = 0_usize;
    for asked in &found.asked {
        if let Ask::Unsure(doubt) = &asked.ask {
            doubts = doubts.saturating_add(1);
            features.of("asked", doubt.word());
            if let Doubt::Held(held) = doubt {
                features.of("held", wish(&held.reading));
            }
        }
        features.when("feature", asked.feature);
    }
    features.of("doubts", size(doubts));
    let flags = [
        ("wished", found.wished),
        ("unheard", found.unheard),
        ("open", found.open),
        ("judged", found.judged),
        ("repair", found.repair),
        ("closed", found.closed),
        ("retracted", found.retracted),
        ("to tools", found.to_tools),
        ("log", !found.log.is_empty()),
        ("scope", found.scope.is_some()),
        ("aside", !found.aside.is_empty()),
        ("answered", !found.answered.is_empty()),
        ("proposed", !found.proposed.is_empty()),
        ("keeps", found.vetoes.iter().any(|veto| veto.why == Why::Kept)),
        ("leaves unheard", found.vetoes.iter().any(|veto| veto.why != Why::Kept)),
    ];
    flags.into_iter().for_each(|(what, holds)| features.when(what, holds));
    features.of("background", size(reading.background.len()));
}

fn named(features: &mut Features, scene: &Scene<'_>) {
    let strong = |place: &ThingPlace| place.strong;
    let things = scene.things.iter().filter(|thing| thing.places.iter().any(strong)).count();
    let new = scene.names.iter().filter(|name| name.places.iter().all(|place| !place.known)).count();
    features.of("things", size(things));
    features.of("new", size(new));
    features.of("thingsnew", format!("{} {}", size(things), size(new)));
}

fn wish(reading: &Ask) -> &'static str {
    match reading {
        Ask::Rename { .. } => "rename",
        Ask::Hide { .. } => "hide",
        Ask::Show { .. } => "show",
        Ask::Move { .. } => "move",
        Ask::Clients(_) => "clients",
        Ask::Unsure(_) => "unsure",
    }
}

/// What came of an item.
fn kind(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Act(_) => "act",
        Outcome::Done(_) => "done",
        Outcome::Nothing => "nothing",
        Outcome::Guide(refusal) => match refusal {
            Refusal::Unclear { .. } => "unclear",
            Refusal::Undecided { .. } => "undecided",
            Refusal::Held { .. } => "held",
            Refusal::Question { .. } => "question",
            Refusal::Condition { .. } => "condition",
            Refusal::Ambiguous { .. } => "ambiguous",
            Refusal::NotFound { .. } => "unknown",
            Refusal::MissingName { .. } => "nameless",
            Refusal::Contradiction { .. } => "contradiction",
            Refusal::Log { .. } => "log",
            Refusal::Structure { .. } => "structure",
            _ => "other",
        },
    }
}

/// Small numbers as they are, and larger ones by about how large they are.
fn size(count: usize) -> usize {
    const STEPS: [usize; 6] = [3, 5, 8, 12, 20, 40];
    STEPS.into_iter().rev().find(|step| count >= *step).unwrap_or(count)
}

#[cfg(test)]
mod tests {
    use bailiwick_sdk::tasks::Language;

    use super::super::super::Item;
    use super::super::super::structure::units;
    use super::super::text::{Split, names, things};
    use super::*;
    use crate::entities::Lookup;

    fn said(request: &str) -> BTreeSet<String> {
        let index = crate::sample::index();
        let lookup = Lookup::new(&index);
        let split = Split::of(request, &units(request));
        let sentences = split.sentences(&lookup, Language::Python);
        let (things, names) = (things(&sentences, &lookup), names(&sentences));
        let scene = Scene::new(&sentences, &things, &names, &lookup, Language::Python);
        let items = vec![Item { text: request.to_owned(), outcome: Outcome::Nothing }];
        let reading = Reading { items, candidates: Vec::new(), background: Vec::new() };
        described(&scene, &Findings::default(), &reading)
    }

    #[test]
    fn words_are_said_alone_beside_each_other_and_by_where_they_stand() {
        let said = said("Thank you for the 3 fixes of `Widget`. All tests pass on my_branch.");
        for one in [
            "word=fixes",
            "two=thank you",
            "two=^$ all",
            "first=all",
            "begin=fixes",
            "last=pass",
            "word=<number>",
            "two=of <thing>",
            "two=on <name>",
            "item=nothing",
            "sentences=2",
            "things=1",
            "new=1",
        ] {
            assert!(said.contains(one), "{one}: {said:#?}");
        }
        for other in ["last=fixes", "begin=pass", "word=3", "word=widget", "word=my_branch", "first=tests"] {
            assert!(!said.contains(other), "{other}");
        }
    }

    #[test]
    fn learned_weights_can_be_read() {
        let worth = parse(TEXT).expect("each line is what is said and what it is worth");
        assert!(worth.contains_key("any") && worth.len() > 500 && worth.len() < 2000, "{}", worth.len());
        assert_eq!(worth.len(), TEXT.lines().count(), "each is said once");
    }

    #[test]
    fn text_that_is_no_table_is_not_read() {
        for text in ["word", "word\tmuch", "any\t1\n\n"] {
            assert!(parse(text).is_none(), "{text}");
        }
    }
}
