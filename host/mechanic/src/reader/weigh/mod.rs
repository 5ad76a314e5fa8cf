//! A second opinion on renames, by weights that were learned from requests.
//!
//! The rules of the other modules read the sentences that they know. This module looks at each pair of a thing and a name of
//! the request, says what can be said of the two ([`features`]), and adds up what that is worth ([`weights`]). A rename that
//! the rules do not make is done where it is very likely. One that they would make is left to a person where it is not likely. No
//! weight counts against what the rules know for certain: that something stays, waits, or is turned down.

mod features;
mod text;
#[cfg(feature = "training")]
mod training;
mod weights;

use std::ops::Range;

use bailiwick_sdk::tasks::{Change, Directive, EntityKind, Language};

use self::features::Scene;
use self::text::{Name, Placed, Split, names, things};
use self::weights::{Second, Weights};
use super::document::{Ask, Asked, Doubt, Findings, doubt};
use super::sentence::Sentence;
use super::structure::units;
use super::{Outcome, Reading, lexicon};
use crate::entities::Lookup;
use crate::names::key;

/// A rename that the rules do not make is done from this probability on: where they read it and leave it open, and where they
/// say nothing of it. What they leave open is likelier to be left open for a reason.
const OPEN: f64 = 0.9;
const UNREAD: f64 = 0.85;
/// A rename that the rules make is left to a person below this probability: where it is the only one, and where there are more,
/// which are likelier to be read right together.
const ONE: f64 = 0.8;
const SEVERAL: f64 = 0.75;

/// A thing and a name that it may get.
#[derive(Debug)]
struct Weighed {
    target: usize,
    /// Which name of the request.
    name: usize,
    span: Range<usize>,
    unit: usize,
    /// Whether the sentence of the name leaves open whether it holds, holds under a condition, or says what a thing has.
    waits: bool,
    /// Whether enough words of the sentence have a weight to judge it.
    familiar: bool,
    #[cfg(feature = "training")]
    features: Vec<String>,
    first: f64,
    second: Second,
    probability: f64,
}

/// What weighing says beside the rules.
#[derive(Debug, Default)]
pub(super) struct Opinion {
    /// Renames that are done.
    pub(super) sure: Vec<Asked>,
    /// Renames of the rules that a person has to confirm: what is renamed, and how.
    pub(super) doubted: Vec<(usize, String)>,
}

impl Opinion {
    /// Whether it says what the rules say.
    pub(super) fn is_empty(&self) -> bool {
        self.sure.is_empty() && self.doubted.is_empty()
    }
}

/// What the rules did with renames.
struct Ruled<'a> {
    done: Vec<(usize, &'a str)>,
    open: Vec<(usize, &'a str)>,
    /// What sentences ask for with certainty, whatever comes of it.
    asked: Vec<(usize, &'a str)>,
    /// What sentences ask for and something speaks against.
    held: Vec<(usize, &'a str, &'a Doubt)>,
    lookup: &'a Lookup<'a>,
}

impl<'a> Ruled<'a> {
    fn of(reading: &'a Reading, found: &'a Findings, lookup: &'a Lookup<'a>) -> Self {
        let rename = |directive: &'a Directive| match &directive.change {
            Change::Rename { target, name, .. } => lookup.by_reference(target).map(|at| (at, name.as_str())),
            _ => None,
        };
        let acts = reading.items.iter().filter_map(|item| match &item.outcome {
            Outcome::Act(directives) => Some(directives),
            _ => None,
        });
        let done = acts.flatten().filter_map(rename).collect();
        let open = reading.candidates.iter().filter_map(rename).collect();
        let asked = found.asked.iter().filter_map(|asked| match &asked.ask {
            Ask::Rename { target, name } => Some((*target, name.as_str())),
            _ => None,
        });
        let held = found.asked.iter().filter_map(|asked| match &asked.ask {
            Ask::Unsure(Doubt::Held(held)) => match &held.reading {
                Ask::Rename { target, name } => Some((*target, name.as_str(), held.doubt.plain())),
                _ => None,
            },
            _ => None,
        });
        Self { done, open, asked: asked.collect(), held: held.collect(), lookup }
    }

    /// Whether the rules hold it back for a reason that stays: a condition, or what the request says as a whole.
    fn refuses(&self, pair: &Weighed, name: &Name) -> bool {
        let kind = self.lookup.entity(pair.target).kind;
        let mut held = self.held.iter().filter(|(target, ..)| *target == pair.target);
        held.any(|(_, new, doubt)| {
            is_called(kind, &name.key, &key(new)) && (!pair.second.open || **doubt == Doubt::Condition)
        })
    }

    fn is(&self, list: &[(usize, &str)], target: usize, name: &Name) -> bool {
        let kind = self.lookup.entity(target).kind;
        list.iter().any(|(known, new)| *known == target && is_called(kind, &name.key, &key(new)))
    }
}

/// Whether a name as a language writes it is a name: `getSize` and `size`.
fn is_called(kind: EntityKind, written: &str, name: &str) -> bool {
    const BEFORE: [&str; 6] = ["get", "set", "is", "with", "begin", "has"];
    const BEHIND: [&str; 3] = ["async", "withresponse", "pager"];
    let bare = |text: &str| BEFORE.iter().any(|part| text.strip_prefix(part) == Some(name));
    let tail = BEHIND.iter().find_map(|part| written.strip_suffix(part));
    written == name
        || bare(written)
        || tail.is_some_and(|stem| stem == name || bare(stem) || stem.strip_prefix("new") == Some(name))
        || kind == EntityKind::EnumMember && written.ends_with(name)
}

/// Weighs the renames of a request beside what the rules read.
pub(super) fn weigh(
    request: &str,
    language: Language,
    lookup: &Lookup<'_>,
    found: &Findings,
    reading: &Reading,
) -> Opinion {
    let ruled = Ruled::of(reading, found, lookup);
    let is_training = cfg!(feature = "training");
    let settled = found.closed || found.retracted || found.to_tools;
    if settled && !is_training {
        return Opinion::default();
    }
    let split = Split::of(request, &units(request));
    let sentences = split.sentences(lookup, language);
    let (things, names) = (things(&sentences, lookup), names(&sentences));
    let scene = Scene::new(&sentences, &things, &names, lookup, language);
    let pairs = pairs(&scene, &ruled, found);
    #[cfg(feature = "training")]
    training::write(request, &pairs, &names, lookup);
    if is_training {
        return Opinion::default();
    }
    // A sentence that is not looked at may speak against what others say.
    let sure = if split.is_cut() { Vec::new() } else { sure(&scene, &ruled, &pairs, found, reading) };
    Opinion { sure, doubted: doubted(&names, &ruled, &pairs) }
}

/// The renames of the rules that are not likely. One name for several things is beyond what a pair tells.
fn doubted(names: &[Name], ruled: &Ruled<'_>, pairs: &[Weighed]) -> Vec<(usize, String)> {
    let mut doubted = Vec::new();
    let least = if ruled.done.len() > 1 { SEVERAL } else { ONE };
    for &(target, name) in &ruled.done {
        let of = |pair: &&Weighed| {
            let written = names.get(pair.name).map_or("", |one| one.key.as_str());
            pair.target == target && is_called(ruled.lookup.entity(target).kind, written, &key(name))
        };
        let mut same = pairs.iter().filter(of).peekable();
        let shared = ruled.done.iter().filter(|(_, new)| key(new) == key(name)).count() > 1;
        if !shared && same.peek().is_some() && same.all(|pair| pair.probability < least && pair.familiar) {
            doubted.push((target, name.to_owned()));
        }
    }
    doubted
}

/// The renames that the rules do not make and that are very likely.
fn sure(scene: &Scene<'_>, ruled: &Ruled<'_>, pairs: &[Weighed], found: &Findings, reading: &Reading) -> Vec<Asked> {
    let against: Vec<&Range<usize>> =
        scene.sentences.iter().filter(|placed| speaks_against(placed)).map(|placed| &placed.span).collect();
    let mut sure = Vec::new();
    for pair in pairs.iter().filter(|pair| pair.probability >= if pair.second.open { OPEN } else { UNREAD }) {
        let Some(name) = scene.names.get(pair.name) else { continue };
        let best = |other: &Weighed| other.probability <= pair.probability;
        let alone = pairs.iter().filter(|other| other.target == pair.target || other.name == pair.name).all(best);
        let done = ruled.done.iter().any(|(target, new)| {
            *target == pair.target || is_called(ruled.lookup.entity(*target).kind, &name.key, &key(new))
        });
        // What a sentence asks for and the rules neither do nor leave open is refused by what the whole request says.
        let asked = ruled.is(&ruled.asked, pair.target, name);
        let refused = asked || pair.waits || pair.second.kept || ruled.refuses(pair, name);
        if !alone || done || refused || against.iter().any(|span| **span != pair.span) {
            continue;
        }
        let entity = ruled.lookup.entity(pair.target);
        let read = reading.candidates.iter().find_map(|candidate| match &candidate.change {
            Change::Rename { target, name: new, .. }
                if *target == entity.reference && is_called(entity.kind, &name.key, &key(new)) =>
            {
                Some((new.clone(), &candidate.scope))
            }
            _ => None,
        });
        let (new, scope) = read.unwrap_or_else(|| (name.text.clone(), &found.scope));
        sure.push(Asked {
            ask: Ask::Rename { target: pair.target, name: new },
            span: pair.span.clone(),
            scope: scope.clone(),
            unit: pair.unit,
            sentence: usize::MAX.saturating_sub(pair.name),
            feature: false,
        });
    }
    sure
}

/// Whether a sentence that names nothing turns down or puts off what another one says: `Please do not do this.`, `Not yet.`
fn speaks_against(placed: &Placed<'_>) -> bool {
    const BACK: [&str; 9] = ["it", "this", "that", "these", "those", "them", "so", "yet", "others"];
    const CURT: usize = 4;
    let sentence = &placed.sentence;
    let speaks_of_another = sentence.any(&BACK) || sentence.tokens.len() <= CURT;
    let turns = sentence.any(lexicon::NEGATIONS) || doubt(sentence).is_some();
    sentence.mentions.is_empty() && speaks_of_another && turns
}

/// Whether a name is what a thing has or needs: `Widget has WidgetInfo`.
fn is_had(sentence: &Sentence<'_>, at: usize) -> bool {
    const HAVING: &[&str] = &[
        "has", "have", "had", "needs", "need", "contains", "includes", "uses", "use", "returns", "takes", "holds",
        "gets", "extends",
    ];
    let before = |distance: usize| at.checked_sub(distance).is_some_and(|before| sentence.is(before, HAVING));
    before(1) || before(2) && at.checked_sub(1).is_some_and(|before| sentence.is(before, &["a", "an", "the", "its"]))
}

/// The weighed pairs of a request.
fn pairs(scene: &Scene<'_>, ruled: &Ruled<'_>, found: &Findings) -> Vec<Weighed> {
    let weights = Weights::get();
    let mut pairs = Vec::new();
    for (number, name) in scene.names.iter().enumerate() {
        for (thing, features, place) in scene.pairs(name) {
            let (Some(thing), Some(placed)) = (scene.things.get(thing), scene.sentences.get(place.sentence)) else {
                continue;
            };
            let target = thing.entity;
            let done = ruled.is(&ruled.done, target, name);
            let second = Second {
                done,
                open: ruled.is(&ruled.open, target, name),
                other_name: !done && ruled.done.iter().any(|(known, _)| *known == target),
                other_thing: !done && ruled.done.iter().any(|(_, new)| key(new) == name.key),
                any: !ruled.done.is_empty(),
                kept: found.vetoes.iter().any(|veto| veto.target == target),
                ..Second::default()
            };
            let first = weights.first(&features.0);
            let familiar = weights.know_most_of(scene.words(place.sentence));
            pairs.push(Weighed {
                target,
                name: number,
                span: placed.span.clone(),
                unit: placed.unit,
                waits: matches!(doubt(&placed.sentence), Some(Doubt::Undecided | Doubt::Condition))
                    || is_had(&placed.sentence, place.at),
                familiar,
                #[cfg(feature = "training")]
                features: features.0,
                first,
                second,
                probability: 0.0,
            });
        }
    }
    let scores: Vec<(usize, usize, f64)> = pairs.iter().map(|pair| (pair.target, pair.name, pair.first)).collect();
    for pair in &mut pairs {
        let rival = |same: fn(&(usize, usize, f64), &Weighed) -> bool| {
            scores.iter().filter(|one| same(one, pair)).map(|one| one.2).fold(weights::LEAST, f64::max)
        };
        let things = rival(|one, pair| one.1 == pair.name && one.0 != pair.target);
        let names = rival(|one, pair| one.0 == pair.target && one.1 != pair.name);
        (pair.second.thing_rival, pair.second.name_rival) = (things, names);
        pair.probability = weights.second(pair.first, &pair.second);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::super::document::Doubt;
    use super::*;

    fn asked(ask: Ask, span: Range<usize>) -> Asked {
        Asked { ask, span, scope: None, unit: 0, sentence: 0, feature: false }
    }

    #[test]
    fn name_is_that_of_a_thing_without_what_a_language_puts_around_it() {
        for (kind, written, name) in [
            (EntityKind::Property, "getsize", "size"),
            (EntityKind::Operation, "beginstart", "start"),
            (EntityKind::Operation, "getwidgetasync", "getwidget"),
            (EntityKind::Operation, "newlistpager", "list"),
            (EntityKind::EnumMember, "colorred", "red"),
        ] {
            assert!(is_called(kind, written, name), "{written} {name}");
        }
        for (written, name) in [("colorred", "red"), ("settings", "tings2"), ("size", "getsize")] {
            assert!(!is_called(EntityKind::Property, written, name), "{written} {name}");
        }
    }

    #[test]
    fn sure_rename_takes_the_place_of_what_was_not_certain_of_its_words_and_of_nothing_else() {
        let rename = |target| Ask::Rename { target, name: "size".to_owned() };
        let read = vec![
            asked(rename(1).held(Doubt::Undecided, None), 0..20),
            asked(rename(2).held(Doubt::Undecided, None), 0..20),
            asked(Ask::Unsure(Doubt::Unclear), 0..20),
            asked(Ask::Unsure(Doubt::Unknown("x".to_owned())), 0..20),
            asked(Ask::Unsure(Doubt::Unclear), 30..40),
        ];
        let mut found = Findings { asked: read, ..Findings::default() };
        found.adopt(Opinion { sure: vec![asked(rename(1), 5..15)], doubted: Vec::new() });
        let left: Vec<Ask> = found.asked.into_iter().map(|one| one.ask).collect();
        let held = rename(2).held(Doubt::Undecided, None);
        let unknown = Ask::Unsure(Doubt::Unknown("x".to_owned()));
        assert_eq!(left, [held, unknown, Ask::Unsure(Doubt::Unclear), rename(1)]);
    }

    #[test]
    fn doubted_rename_waits_for_a_person_and_stays_the_likely_reading() {
        let rename = |target| Ask::Rename { target, name: "size".to_owned() };
        let read = vec![asked(rename(1), 0..20), asked(rename(2), 0..20)];
        let mut found = Findings { asked: read, ..Findings::default() };
        found.adopt(Opinion { sure: Vec::new(), doubted: vec![(1, "Size".to_owned())] });
        let left: Vec<Ask> = found.asked.into_iter().map(|one| one.ask).collect();
        assert_eq!(left, [rename(1).held(Doubt::Undecided, None), rename(2)]);
    }

    #[test]
    fn score_and_what_the_rules_say_decide_together() {
        let weights = Weights::get();
        let rules =
            |done| Second { done, thing_rival: weights::LEAST, name_rival: weights::LEAST, ..Second::default() };
        let likely = |score, done| weights.second(score, &rules(done));
        assert!(likely(4.0, false) > likely(0.0, false));
        assert!(likely(0.0, true) > likely(0.0, false));
        let rival = Second { thing_rival: 6.0, ..rules(true) };
        assert!(weights.second(0.0, &rival) < likely(0.0, true));
    }
}
