//! What a request names, with every place: things of the specification, and names that a thing may get.

use bailiwick_sdk::tasks::{EntityKind, Language};

use super::super::document::sentence_spans;
use super::super::lexicon;
use super::super::names::is_shaped;
use super::super::sentence::{Mention, Sentence};
use super::super::structure::{Role, Unit};
use super::super::targets::Focus;
use super::super::token::{Kind, Token, tokenize};
use crate::entities::Lookup;
use crate::names::key;

/// The most things and names that are compared with each other.
const MOST: usize = 30;
/// The most meanings of a word.
const MEANINGS: usize = 6;
/// The most places of each.
const PLACES: usize = 20;
/// The most bytes of a name.
const LONGEST: usize = 200;
/// The most sentences that are looked at.
const SENTENCES: usize = 400;

/// A sentence where it stands.
pub(super) struct Placed<'a> {
    pub(super) sentence: Sentence<'a>,
    pub(super) unit: usize,
    pub(super) role: &'static str,
    /// Bytes of the request.
    pub(super) span: std::ops::Range<usize>,
}

/// Where a thing is named.
#[derive(Debug, Clone, Copy)]
pub(super) struct ThingPlace {
    pub(super) sentence: usize,
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) strong: bool,
    /// Whether the words leave one meaning.
    pub(super) settled: bool,
    pub(super) qualifies: bool,
    /// How many things the words can mean.
    pub(super) meanings: usize,
}

/// A thing that is named.
#[derive(Debug)]
pub(super) struct Thing {
    pub(super) entity: usize,
    pub(super) places: Vec<ThingPlace>,
}

/// Where a name stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamePlace {
    pub(super) sentence: usize,
    pub(super) at: usize,
    /// Whether something of the specification is called so.
    pub(super) known: bool,
    /// How much farther it counts than it stands.
    pub(super) farther: usize,
}

/// A name that a thing may get.
#[derive(Debug, Clone)]
pub(super) struct Name {
    /// Without the path in front of it, as it is written first.
    pub(super) text: String,
    pub(super) key: String,
    pub(super) places: Vec<NamePlace>,
    /// Whether it is the client itself.
    pub(super) is_root: bool,
}

/// Words that speak of what is public, and words that often do.
const SEEN: &[&str] = list! {
    "internal" "internally" "internals" "private" "hide" "hides" "hidden" "hiding" "unhide" "un-hide" "public" "publicly"
    "non-public" "nonpublic" "package-private" "publish" "published" "publishing" "expose" "exposed" "exposes" "exposing"
    "exposure" "export" "exported" "exports" "exporting" "unexport" "unexported" "unexporting" "visible" "visibility"
    "invisible" "surface" "surfaced" "surfaces" "surfacing"
};
const OFTEN: &[&str] = list! {
    "access" "accessible" "reachable" "callable" "see" "seen" "sees" "call" "reach" "touch" "show" "shown" "shows" "showing"
    "customers" "customer" "users" "user" "callers" "caller" "people" "outside" "nobody" "plumbing" "external"
    "externally" "leak" "leaks" "leaked" "leaking" "available" "offer" "offered" "back" "open" "api" "drop" "remove"
    "removed" "gone" "appear" "appears" "ship" "shipped" "off" "out"
};

/// The sentences of a request, split.
pub(super) struct Split {
    parts: Vec<(Vec<Token>, usize, &'static str, std::ops::Range<usize>)>,
}

impl Split {
    pub(super) fn of(request: &str, units: &[Unit]) -> Self {
        let mut parts = Vec::new();
        for (number, unit) in units.iter().enumerate() {
            let text = request.get(unit.span.clone()).unwrap_or_default();
            for part in sentence_spans(text) {
                let start = unit.span.start.saturating_add(part.start);
                let span = start..unit.span.start.saturating_add(part.end);
                if parts.len() == SENTENCES {
                    return Self { parts };
                }
                parts.push((tokenize(text.get(part).unwrap_or_default()), number, role(&unit.role), span));
            }
        }
        Self { parts }
    }

    /// Whether there may be more sentences than are looked at.
    pub(super) fn is_cut(&self) -> bool {
        self.parts.len() >= SENTENCES
    }

    pub(super) fn sentences<'a>(&'a self, lookup: &'a Lookup<'a>, language: Language) -> Vec<Placed<'a>> {
        let placed = |(tokens, unit, role, span): &'a (Vec<Token>, usize, &'static str, std::ops::Range<usize>)| {
            Placed { sentence: Sentence::new(tokens, lookup, language), unit: *unit, role, span: span.clone() }
        };
        self.parts.iter().map(placed).collect()
    }
}

fn role(role: &Role) -> &'static str {
    match role {
        Role::Prose => "prose",
        Role::Item => "item",
        Role::Quote => "quote",
        Role::Code => "code",
        Role::Diff { added: true } => "added",
        Role::Diff { added: false } => "taken",
        Role::Suggestion => "suggestion",
        Role::Element => "element",
        Role::Row { .. } => "row",
        Role::Example { .. } => "example",
        Role::Log => "log",
        Role::Aside => "aside",
    }
}

/// The things that the sentences name. What is named elsewhere tells what a word means, and first what is named before it.
pub(super) fn things(sentences: &[Placed<'_>], lookup: &Lookup<'_>) -> Vec<Thing> {
    let certain = certain(sentences);
    let mut things = Things::default();
    let mut known: Vec<usize> = Vec::new();
    for (number, placed) in sentences.iter().enumerate() {
        let sentence = &placed.sentence;
        let (before, anywhere) = (focus(&known), focus(&certain));
        for mention in &sentence.mentions {
            let settled = sentence.settle(mention, &before).or_else(|_| sentence.settle(mention, &anywhere)).ok();
            if let Some(one) = settled.filter(|one| mention.strong && !known.contains(one)) {
                known.push(one);
            }
            let several = on_several(sentence, mention, lookup);
            let place = ThingPlace {
                sentence: number,
                at: mention.at,
                end: mention.end,
                strong: mention.strong,
                settled: settled.is_some() || !several.is_empty(),
                qualifies: sentence.qualifies(mention),
                meanings: mention.candidates.len(),
            };
            let meant = match settled {
                _ if !several.is_empty() => several,
                Some(one) => vec![one],
                None => likely(&mention.candidates, &certain, lookup),
            };
            meant.into_iter().for_each(|entity| things.add(entity, place));
        }
        for (at, token) in sentence.tokens.iter().enumerate().filter(|(_, token)| token.is_text()) {
            let meant = sentence.mention_at(at).map_or(&[] as &[usize], |mention| &mention.candidates);
            for text in [&token.text].into_iter().chain(&token.arguments) {
                let mut parts = parts(text, &certain, lookup);
                parts.retain(|part| !meant.contains(part));
                let place = ThingPlace {
                    sentence: number,
                    at,
                    end: at.saturating_add(1),
                    strong: token.looks_like_name(),
                    settled: parts.len() == 1,
                    qualifies: false,
                    meanings: parts.len(),
                };
                parts.into_iter().take(MEANINGS).for_each(|entity| things.add(entity, place));
            }
        }
    }
    things.0
}

/// The things that were found.
#[derive(Default)]
struct Things(Vec<Thing>);

impl Things {
    fn add(&mut self, entity: usize, place: ThingPlace) {
        if let Some(thing) = self.0.iter_mut().find(|thing| thing.entity == entity) {
            if thing.places.len() < PLACES {
                thing.places.push(place);
            }
        } else if self.0.len() < MOST {
            self.0.push(Thing { entity, places: vec![place] });
        }
    }
}

/// The parts of things that are named for certain that a word means: `body`, of an operation with a parameter of that name.
fn parts(text: &str, certain: &[usize], lookup: &Lookup<'_>) -> Vec<usize> {
    if text.len() > LONGEST || certain.is_empty() {
        return Vec::new();
    }
    let found = lookup.find(text);
    let part = |one: &usize| {
        let holder = lookup.entity(*one).container.as_deref().and_then(|holder| lookup.by_reference(holder));
        holder.is_some_and(|holder| certain.contains(&holder))
    };
    found.into_iter().filter(part).collect()
}

/// What is named for certain anywhere.
fn certain(sentences: &[Placed<'_>]) -> Vec<usize> {
    let nothing = Focus::default();
    let strong = sentences.iter().flat_map(|placed| {
        let strong = placed.sentence.mentions.iter().filter(|mention| mention.strong);
        strong.filter_map(|mention| placed.sentence.settle(mention, &nothing).ok())
    });
    let mut certain: Vec<usize> = Vec::new();
    for one in strong.take(SENTENCES) {
        if !certain.contains(&one) && certain.len() < MOST {
            certain.push(one);
        }
    }
    certain
}

fn focus(holders: &[usize]) -> Focus {
    Focus { holders: holders.to_vec(), subject: holders.to_vec(), ..Focus::default() }
}

/// What a name means on each of several groups or types behind it: `delete on Widgets, Parts and Orders`.
fn on_several(sentence: &Sentence<'_>, mention: &Mention, lookup: &Lookup<'_>) -> Vec<usize> {
    const OF: [&str; 4] = ["of", "on", "in", "from"];
    if mention.candidates.len() < 2 || !sentence.is(mention.end, &OF) {
        return Vec::new();
    }
    let joins = |at: usize| {
        sentence.is(at, &OF)
            || sentence.is(at, &["and", "the", "both"])
            || sentence.is_sign(at, ',')
            || lexicon::kinds_of(sentence.lower(at)).is_some()
    };
    let mut holders = Vec::new();
    let mut at = mention.end;
    while at < sentence.tokens.len() {
        match sentence.mention_at(at) {
            Some(holder) => {
                holders.push(holder);
                at = holder.end.max(at.saturating_add(1));
            }
            None if joins(at) => at = at.saturating_add(1),
            None => break,
        }
    }
    let held = |holder: &Mention| {
        let mut held = mention.candidates.iter().copied();
        held.find(|&one| holder.candidates.iter().any(|&outer| lookup.holds(outer, one)))
    };
    let meant: Option<Vec<usize>> = holders.into_iter().take(MEANINGS).map(held).collect();
    meant.filter(|meant| meant.len() > 1).unwrap_or_default()
}

/// The first meanings of a word, of those that lie in something that is named, if any does.
fn likely(candidates: &[usize], certain: &[usize], lookup: &Lookup<'_>) -> Vec<usize> {
    let lies = |one: &usize| certain.iter().any(|&holder| lookup.holds(holder, *one));
    let within: Vec<usize> = candidates.iter().copied().filter(lies).take(MEANINGS).collect();
    if within.is_empty() { candidates.iter().copied().take(MEANINGS).collect() } else { within }
}

/// The names that the sentences hold.
pub(super) fn names(sentences: &[Placed<'_>]) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    for (number, placed) in sentences.iter().enumerate() {
        for (at, token) in placed.sentence.tokens.iter().enumerate() {
            if !is_name(&placed.sentence, at, token) {
                continue;
            }
            let text = last_part(&token.text);
            let place = NamePlace { sentence: number, at, known: placed.sentence.mention_at(at).is_some(), farther: 0 };
            let key = key(text);
            if let Some(name) = names.iter_mut().find(|name| name.key == key) {
                if name.places.len() < PLACES {
                    name.places.push(place);
                }
            } else if names.len() < MOST && !key.is_empty() {
                names.push(Name { text: text.to_owned(), key, places: vec![place], is_root: false });
            }
        }
    }
    names
}

/// A name without the path in front of it.
fn last_part(text: &str) -> &str {
    text.rsplit(['.', '#']).next().unwrap_or(text)
}

fn is_name(sentence: &Sentence<'_>, at: usize, token: &Token) -> bool {
    let inner = token.text.contains('_') || token.text.chars().skip(1).any(char::is_uppercase);
    token.is_text()
        && token.text.len() <= LONGEST
        && !token.text.contains('/')
        && !lexicon::VALUES.contains(&token.text.as_str())
        && !lexicon::DECORATORS.contains(&token.lower.trim_start_matches('@'))
        && !is_argument(sentence, at)
        && (inner || is_shaped(token) || is_announced(sentence, at, token))
}

/// Whether a name is one of several types in the brackets of a signature: `Start(context.Context, string, *StartOptions)`,
/// `(id: string, options?: StartOptions) =>`.
fn is_argument(sentence: &Sentence<'_>, at: usize) -> bool {
    const TYPES: [&str; 8] = ["string", "error", "context.context", "int", "bool", "boolean", "any", "interface"];
    let mut depth = 0_usize;
    let open = (0..at).rev().find(|&before| {
        if sentence.is_sign(before, ')') {
            depth = depth.saturating_add(1);
        } else if sentence.is_sign(before, '(') && depth > 0 {
            depth = depth.saturating_sub(1);
        } else {
            return sentence.is_sign(before, '(');
        }
        false
    });
    let Some(open) = open else { return false };
    let close = (at..sentence.tokens.len()).find(|&behind| sentence.is_sign(behind, ')'));
    let mut inside = open..close.unwrap_or(sentence.tokens.len());
    let has = |sign: char| inside.clone().any(|at| sentence.is_sign(at, sign));
    let typed = has('*') || has(':');
    has(',') && (typed || inside.any(|at| TYPES.contains(&sentence.lower(at))))
}

/// Whether a plain word stands where names do: `to size`, `: size`.
fn is_announced(sentence: &Sentence<'_>, at: usize, token: &Token) -> bool {
    const ANNOUNCING: [&str; 10] = ["to", "as", "into", "named", "called", "call", "it", "be", "just", "simply"];
    let Some(before) = at.checked_sub(1).and_then(|before| sentence.get(before)) else { return false };
    let announced =
        before.is(&ANNOUNCING) || before.kind == Kind::Arrow || matches!(before.kind, Kind::Sign(':' | '=' | '|'));
    let ends = sentence.get(at.saturating_add(1)).is_none_or(|next| matches!(next.kind, Kind::Sign(_)));
    announced && token.text.len() > 1 && (ends || !lexicon::NEVER_NAMES.contains(&token.lower.as_str()))
}

/// The words that speak of what is public.
pub(super) fn seen(sentences: &[Placed<'_>]) -> Name {
    /// How far a word that speaks of it for certain may stand behind one that often does.
    const DOUBTFUL: usize = 25;
    let mut seen = Name { text: String::new(), key: String::new(), places: Vec::new(), is_root: false };
    for (sentence, placed) in sentences.iter().enumerate() {
        for (at, token) in placed.sentence.tokens.iter().enumerate().filter(|(_, token)| token.is_text()) {
            let certain = token.is(SEEN);
            if certain || token.is(OFTEN) {
                let farther = if certain { 0 } else { DOUBTFUL };
                seen.places.push(NamePlace { sentence, at, known: false, farther });
            }
        }
    }
    seen
}

/// The places that operations may be moved to: the client itself, the groups that are named, and names that nothing has.
pub(super) fn groups(
    sentences: &[Placed<'_>],
    things: &[Thing],
    names: &[Name],
    lookup: &Lookup<'_>,
    root: Option<usize>,
) -> Vec<Name> {
    const ROOT: [&str; 5] = ["root", "top-level", "client", "directly", "flat"];
    let mut groups: Vec<Name> = Vec::new();
    let mut add = |entity: usize, places: Vec<NamePlace>| {
        let (text, is_root) = (lookup.entity(entity).reference.clone(), root == Some(entity));
        if let Some(known) = groups.iter_mut().find(|known| known.text == text) {
            known.places.extend(places);
        } else if !places.is_empty() {
            groups.push(Name { key: key(&lookup.entity(entity).name), text, places, is_root });
        }
    };
    let is_group = |one: usize| matches!(lookup.entity(one).kind, EntityKind::Interface | EntityKind::Namespace);
    for thing in things.iter().filter(|thing| is_group(thing.entity)) {
        let place = |at: &ThingPlace| NamePlace { sentence: at.sentence, at: at.at, known: true, farther: 0 };
        add(thing.entity, thing.places.iter().map(place).collect());
    }
    // A word that means something else in the first place: a property that is called as the group is.
    for (sentence, placed) in sentences.iter().enumerate() {
        for mention in placed.sentence.mentions.iter().take(PLACES) {
            for &one in mention.candidates.iter().take(MEANINGS).filter(|&&one| is_group(one)) {
                let is_thing = |thing: &Thing| {
                    thing.entity == one && thing.places.iter().any(|at| (at.sentence, at.at) == (sentence, mention.at))
                };
                if !things.iter().any(is_thing) {
                    add(one, vec![NamePlace { sentence, at: mention.at, known: true, farther: 0 }]);
                }
            }
        }
    }
    if let Some(root) = root {
        let words = sentences.iter().enumerate().flat_map(|(sentence, placed)| {
            let tokens = placed.sentence.tokens.iter().enumerate().filter(|(_, token)| token.is(&ROOT));
            tokens.map(move |(at, _)| NamePlace { sentence, at, known: true, farther: 0 })
        });
        add(root, words.take(PLACES).collect());
    }
    // A new group may have a name that something else has, written as groups are.
    let is_free = |place: &NamePlace| {
        let mention = sentences.get(place.sentence).and_then(|placed| placed.sentence.mention_at(place.at));
        mention.is_none_or(|mention| !mention.candidates.iter().any(|&one| is_group(one)))
    };
    let is_new = |name: &&Name| {
        let known = name.places.iter().any(|place| place.known);
        (!known || name.text.starts_with(char::is_uppercase)) && name.places.iter().all(is_free)
    };
    groups.extend(names.iter().filter(is_new).take(MOST.saturating_sub(groups.len())).cloned());
    groups
}
