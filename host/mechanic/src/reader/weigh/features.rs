//! What can be said of a thing and a name together, as words with which weights go.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Display;

use bailiwick_sdk::tasks::{Entity, EntityKind, Language};

use super::super::document::doubt;
use super::super::rename::tells;
use super::super::sentence::Sentence;
use super::super::visibility::{Wish, wished};
use super::Aim;
use super::publicity::classes;
use super::text::{Name, NamePlace, Placed, Thing, ThingPlace};
use crate::entities::Lookup;
use crate::names::{key, words};
use crate::work;

/// A request while its pairs are described.
pub(super) struct Scene<'a> {
    pub(super) sentences: &'a [Placed<'a>],
    pub(super) things: &'a [Thing],
    pub(super) names: &'a [Name],
    pub(super) lookup: &'a Lookup<'a>,
    pub(super) language: Language,
    pub(super) told: Vec<Told>,
    /// The prose directly above the list or table that a sentence stands in.
    pub(super) heads: Vec<Option<usize>>,
}

/// What is said of a sentence, whatever pair it is for.
pub(super) struct Told {
    /// Its words in their order, and each of them once.
    pub(super) words: Vec<String>,
    pub(super) each: BTreeSet<String>,
    /// What of it is said of the sentence before.
    next: BTreeSet<String>,
    pub(super) doubt: &'static str,
    pub(super) tells: bool,
    pub(super) turned: bool,
    /// The kinds of its words.
    pub(super) classes: BTreeSet<&'static str>,
    /// What the rules would make of its words about being public.
    pub(super) seen: Option<Wish>,
}

/// The most words of a sentence that are looked at.
const WORDS: usize = 150;
/// The most words of a sentence that say something of the sentence before it.
const NEXT: usize = 14;

impl Told {
    fn of(placed: &Placed<'_>, names: &HashSet<&str>) -> Self {
        let sentence = &placed.sentence;
        let words: Vec<String> = (0..sentence.tokens.len().min(WORDS)).map(|at| word(sentence, at, names)).collect();
        Self {
            each: words.iter().cloned().collect(),
            next: words.iter().take(NEXT).cloned().collect(),
            words,
            doubt: doubt(sentence).map_or("none", |doubt| doubt.word()),
            tells: tells(sentence),
            turned: sentence.is_turned(),
            classes: classes(sentence, 0..sentence.tokens.len()),
            seen: wished(sentence),
        }
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or(EDGE, String::as_str)
    }
}

/// Stands for the edge of a sentence.
pub(super) const EDGE: &str = "^$";

/// A word, or what it stands for: a thing, a name, a person, a number.
fn word(sentence: &Sentence<'_>, at: usize, names: &HashSet<&str>) -> String {
    work::steps(1);
    let Some(token) = sentence.get(at) else { return EDGE.to_owned() };
    let thing = sentence.mention_at(at).is_some_and(|mention| token.looks_like_name() || mention.strong);
    let class = match token.text.chars().next() {
        _ if thing => "<thing>",
        _ if token.looks_like_name() || names.contains(key(&token.text).as_str()) => "<name>",
        Some('@') => "<person>",
        Some(first) if first.is_numeric() => "<number>",
        _ => return token.lower.clone(),
    };
    class.to_owned()
}

/// What is said of a pair.
#[derive(Debug, Default)]
pub(super) struct Features(pub(super) Vec<String>);

impl Features {
    pub(super) fn when(&mut self, what: &str, holds: bool) {
        if holds {
            self.0.push(what.to_owned());
        }
    }

    pub(super) fn of(&mut self, what: &str, value: impl Display) {
        self.0.push(format!("{what}={value}"));
    }

    pub(super) fn each(&mut self, what: &str, words: &BTreeSet<String>) {
        words.iter().for_each(|word| self.of(what, word));
    }

    /// Says each, and each two of them.
    pub(super) fn pairs(&mut self, what: &str, classes: &BTreeSet<&'static str>) {
        for (number, one) in classes.iter().enumerate() {
            self.of(what, one);
            classes.iter().skip(number.saturating_add(1)).for_each(|other| self.of(what, format!("{one} {other}")));
        }
    }

    /// Adds what holds together.
    fn cross(&mut self) {
        let named = |what: &str| self.0.iter().find(|one| one.split('=').next() == Some(what));
        let both = |(one, other): &(&str, &str)| Some(format!("{}&{}", named(one)?, named(other)?));
        let crossed: Vec<String> = CROSSED.iter().filter_map(both).collect();
        self.0.extend(crossed);
    }
}

/// What says more together than each alone.
const CROSSED: [(&str, &str); 39] = [
    ("thing-2", "thing-1"),
    ("thing+0", "thing+1"),
    ("name-1", "name+1"),
    ("name-1", "case"),
    ("rank", "sentences"),
    ("rank", "thingshere"),
    ("namerole", "thingrole"),
    ("name-1", "rank"),
    ("name-1", "thing+0"),
    ("overlap", "rank"),
    ("overlap", "sentences"),
    ("aliker", "rank"),
    ("middle", "kindcase"),
    ("nameshere", "thingshere"),
    ("things", "names"),
    ("doubt", "name-1"),
    ("name-2", "name-1"),
    ("short", "namerole"),
    ("sentences", "namerole"),
    ("kindcase", "rank"),
    ("name+0", "name-1"),
    ("name+0", "name+1"),
    ("name+0", "doubt"),
    ("name+0", "sentences"),
    ("name+0", "kind"),
    ("name+0", "hidden"),
    ("name+0", "thingshere"),
    ("name+0", "before"),
    ("below", "thingrole"),
    ("wish", "hidden"),
    ("wishhere", "hidden"),
    ("wishthing", "hidden"),
    ("wish", "sentences"),
    ("wishhere", "sentences"),
    ("hiddens", "hidden"),
    ("name+0", "negated"),
    ("things", "hidden"),
    ("relocated", "inside"),
    ("relocated", "root"),
];

/// The places of a pair that are nearest to each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    distance: usize,
    pub(super) name: NamePlace,
    pub(super) thing: ThingPlace,
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        sentences: &'a [Placed<'a>],
        things: &'a [Thing],
        names: &'a [Name],
        lookup: &'a Lookup<'a>,
        language: Language,
    ) -> Self {
        let keys = names.iter().map(|name| name.key.as_str()).collect();
        let told = sentences.iter().map(|placed| Told::of(placed, &keys)).collect();
        Self { sentences, things, names, lookup, language, told, heads: heads(sentences) }
    }

    /// Each word of a sentence once.
    pub(super) fn words(&self, sentence: usize) -> impl Iterator<Item = &str> {
        self.told.get(sentence).into_iter().flat_map(|told| told.each.iter().map(String::as_str))
    }

    pub(super) fn entity(&self, thing: &Thing) -> &Entity {
        self.lookup.entity(thing.entity)
    }

    /// How many sentences two places are apart. A list counts as one behind the words above it.
    fn apart(&self, name: usize, thing: usize, aim: Aim) -> usize {
        let below = aim != Aim::Name && self.heads.get(thing).copied().flatten() == Some(name);
        if below { 1 } else { name.abs_diff(thing) }
    }

    fn nearest(&self, name: &Name, thing: &Thing, aim: Aim) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        for &at in &name.places {
            for &place in &thing.places {
                let within = at.sentence == place.sentence && place.at <= at.at && at.at < place.end;
                let behind = usize::from((place.sentence, place.at) > (at.sentence, at.at));
                let distance = self
                    .apart(at.sentence, place.sentence, aim)
                    .saturating_mul(60)
                    .saturating_add(at.at.abs_diff(place.at))
                    .saturating_add(behind.saturating_mul(15))
                    .saturating_add(at.farther);
                if !within && best.is_none_or(|known| distance < known.distance) {
                    best = Some(Nearest { distance, name: at, thing: place });
                }
            }
        }
        best
    }

    /// Each thing that a name may be for, with what is said of both.
    pub(super) fn pairs(&self, name: &Name, aim: Aim) -> Vec<(usize, Features, Nearest)> {
        let mut near: Vec<(usize, Nearest)> = self
            .things
            .iter()
            .enumerate()
            .filter_map(|(at, thing)| self.nearest(name, thing, aim).map(|nearest| (at, nearest)))
            .collect();
        near.sort_by_key(|(_, nearest)| nearest.distance);
        let alike: Vec<f64> = self.things.iter().map(|thing| likeness(&self.entity(thing).name, &name.text)).collect();
        let described = near
            .iter()
            .enumerate()
            .map(|(rank, &(at, nearest))| (at, self.describe((name, aim), at, nearest, rank, &alike), nearest));
        described.collect()
    }

    fn describe(&self, (name, aim): (&Name, Aim), at: usize, near: Nearest, rank: usize, alike: &[f64]) -> Features {
        let mut features = Features::default();
        let Some(thing) = self.things.get(at) else { return features };
        self.kinds(&mut features, name, thing);
        self.places(&mut features, near, rank);
        self.company(&mut features, thing, near);
        match aim {
            Aim::Name => {
                self.spelling(&mut features, name, at, alike);
                self.moods(&mut features, near);
            }
            Aim::Group => self.lies(&mut features, name, thing),
            Aim::Hidden | Aim::Shown => self.seen(&mut features, thing, near),
        }
        self.wording(&mut features, near);
        if aim != Aim::Name {
            self.more_wording(&mut features, near);
        }
        features.cross();
        features
    }

    fn kinds(&self, features: &mut Features, name: &Name, thing: &Thing) {
        let (kind, case) = (group(self.entity(thing).kind), casing(&name.text));
        features.of("kind", kind);
        features.of("case", case);
        features.of("kindcase", format!("{kind}/{case}"));
        features.of("kindcaselang", format!("{kind}/{case}/{:?}", self.language));
    }

    fn places(&self, features: &mut Features, near: Nearest, rank: usize) {
        let (Some(of_name), Some(of_thing)) =
            (self.sentences.get(near.name.sentence), self.sentences.get(near.thing.sentence))
        else {
            return;
        };
        let same = near.name.sentence == near.thing.sentence;
        features.when("same", same);
        features.of("sentences", near.name.sentence.abs_diff(near.thing.sentence).min(4));
        features.of("units", of_name.unit.abs_diff(of_thing.unit).min(3));
        features.when("before", (near.thing.sentence, near.thing.at) < (near.name.sentence, near.name.at));
        if same {
            features.of("tokens", (near.name.at.abs_diff(near.thing.at) / 2).min(8));
        }
        features.of("rank", rank.min(3));
        features.of("things", self.things.len().min(5));
        features.of("names", self.names.len().min(5));
        features.of("namerole", of_name.role);
        features.of("thingrole", of_thing.role);
        if let Some(token) = of_name.sentence.get(near.name.at) {
            features.when("quoted", token.quoted);
            features.when("called", token.called);
        }
        features.when("known", near.name.known);
        features.of("zone", format!("{:?}", of_name.sentence.zone(near.name.at)));
        features.when("thingquoted", of_thing.sentence.get(near.thing.at).is_some_and(|token| token.quoted));
        features.when("qualifies", near.thing.qualifies);
        features.when("strong", near.thing.strong);
        features.when("settled", near.thing.settled);
        features.of("meanings", near.thing.meanings.min(4));
    }

    fn company(&self, features: &mut Features, thing: &Thing, near: Nearest) {
        let here = |one: &Thing| one.places.iter().any(|place| place.sentence == near.name.sentence);
        let others = || self.things.iter().filter(|other| other.entity != thing.entity);
        let holds = |other: &&Thing| self.lookup.holds(thing.entity, other.entity);
        features.of("thingshere", self.things.iter().filter(|one| here(one)).count().min(4));
        let names = self.names.iter().filter(|one| one.places.iter().any(|at| at.sentence == near.name.sentence));
        features.of("nameshere", names.count().min(4));
        features.when("holds", others().any(|other| holds(&other)));
        features.when("holdshere", others().filter(|other| here(other)).any(|other| holds(&other)));
        let held = others().filter(|other| here(other)).any(|other| self.lookup.holds(other.entity, thing.entity));
        features.when("heldhere", held);
        features.when("held", others().any(|other| self.lookup.holds(other.entity, thing.entity)));
    }

    fn spelling(&self, features: &mut Features, name: &Name, at: usize, alike: &[f64]) {
        let Some(thing) = self.things.get(at) else { return };
        let entity = self.entity(thing);
        let lower = |text: &str| words(text).iter().map(|word| word.to_lowercase()).collect::<Vec<String>>();
        let (old, new) = (lower(&entity.name), lower(&name.text));
        let shared = new.iter().filter(|word| old.contains(word)).count();
        let all = old.iter().filter(|word| !new.contains(word)).count().saturating_add(new.len());
        features.of("shared", shared.min(3));
        features.when("adds", old.iter().all(|word| new.contains(word)));
        features.when("drops", new.iter().all(|word| old.contains(word)));
        features.of("overlap", shared.saturating_mul(4) / all.max(1));
        let own = alike.get(at).copied().unwrap_or_default();
        let best = alike.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, one)| *one);
        let best = best.fold(0.0_f64, f64::max);
        features.of("alike", (own * 5.0).floor());
        // Without a sign where it is nothing.
        features.of("aliker", ((own - best) * 4.0).round() + 0.0);
        features.when("sameletters", name.key == key(&entity.name));
        let client = entity.client.as_ref().is_some_and(|client| key(&client.name) == name.key);
        features.when("clientname", client);
        features.when("taken", self.things.iter().any(|other| key(&self.entity(other).name) == name.key));
    }

    /// What a move has beside what a rename has.
    fn lies(&self, features: &mut Features, name: &Name, thing: &Thing) {
        let entity = self.entity(thing);
        features.when("inside", entity.container.as_deref() == Some(name.text.as_str()));
        features.when("root", name.is_root);
        features.when("relocated", self.lookup.is_relocated(thing.entity));
    }

    fn wording(&self, features: &mut Features, near: Nearest) {
        let (name, thing) = (near.name, near.thing);
        let (Some(of_name), Some(of_thing)) = (self.told.get(name.sentence), self.told.get(thing.sentence)) else {
            return;
        };
        for step in [-3, -2, -1, 1, 2] {
            let at = name.at.checked_add_signed(step);
            features.of(&format!("name{step:+}"), at.map_or(EDGE, |at| of_name.word(at)));
        }
        for step in [2, 1] {
            let at = thing.at.checked_sub(step);
            features.of(&format!("thing-{step}"), at.map_or(EDGE, |at| of_thing.word(at)));
        }
        for step in [0, 1, 2] {
            features.of(&format!("thing+{step}"), of_thing.word(thing.end.saturating_add(step)));
        }
        if name.sentence == thing.sentence {
            let between = if thing.at < name.at { thing.end..name.at } else { name.at.saturating_add(1)..thing.at };
            let between = of_name.words.get(between).unwrap_or_default();
            if between.len() <= 4 {
                features.of("middle", between.join(" "));
            }
            features.each("between", &between.iter().cloned().collect());
        }
        features.each("word", &of_name.each);
        if let Some(next) = self.told.get(name.sentence.saturating_add(1)) {
            features.when("short", !next.words.is_empty() && next.words.len() <= 6);
            features.each("next", &next.next);
        }
        for (which, told) in [("", of_name), ("thing", of_thing)] {
            features.of(&format!("{which}doubt"), told.doubt);
            features.when(&format!("{which}tells"), told.tells);
            features.when(&format!("{which}turned"), told.turned);
        }
    }
}

fn group(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::Operation => "operation",
        EntityKind::Property => "property",
        EntityKind::Parameter => "parameter",
        EntityKind::EnumMember => "member",
        EntityKind::Interface | EntityKind::Namespace => "group",
        _ => "type",
    }
}

fn casing(text: &str) -> &'static str {
    let upper = text.chars().any(char::is_uppercase);
    let lower = text.chars().any(char::is_lowercase);
    match (text.contains('_'), text.starts_with(char::is_uppercase)) {
        _ if upper && !lower && text.chars().count() > 1 => "shouted",
        (true, _) => "snake",
        (false, true) => "pascal",
        (false, false) if upper => "camel",
        (false, false) => "lower",
    }
}

/// From 0 to 1.
fn likeness(old: &str, new: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(&key(old), &key(new))
}

/// The prose directly above the list, table or code that each sentence stands in.
fn heads(sentences: &[Placed<'_>]) -> Vec<Option<usize>> {
    let mut prose = None;
    let head = |(at, placed): (usize, &Placed<'_>)| {
        if placed.role == "prose" {
            prose = Some(at);
            return None;
        }
        prose
    };
    sentences.iter().enumerate().map(head).collect()
}
