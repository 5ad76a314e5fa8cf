//! A second opinion on wishes, by weights that were learned from requests.
//!
//! The rules of the other modules read the sentences that they know. This module looks at each thing of the request together
//! with each name, each group and each word of what is public ([`pairs`]), says what can be said of the two ([`features`]),
//! and adds up what that is worth ([`weights`]). A wish that the rules do not carry out is done where it is very likely. One
//! that they would carry out is left to a person where it is not likely. No weight counts against what the rules know for
//! certain: that something stays, waits, or is turned down.

mod columns;
mod features;
mod moods;
mod pairs;
mod publicity;
mod ruled;
mod spelled;
mod text;
#[cfg(feature = "training")]
mod training;
mod trees;
mod weights;
mod whole;

use std::collections::HashSet;
use std::ops::Range;

use bailiwick_sdk::tasks::{Language, Scope};

use self::features::Scene;
use self::pairs::{Weighed, pairs};
use self::ruled::{Ruled, Wish};
use self::text::{Placed, Split, names, things};
use super::document::{Ask, Asked, Doubt, Findings, doubt};
use super::scopes::{Said, said};
use super::sentence::Sentence;
use super::structure::units;
use super::{Item, Outcome, Reading, lexicon};
use crate::entities::Lookup;
use crate::names::key;

/// What a thing may get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Aim {
    Name,
    Group,
    Hidden,
    Shown,
}

impl Aim {
    /// Whether a thing that gets one cannot get the other.
    fn excludes(self, other: Self, one: &str, another: &str) -> bool {
        match (self, other) {
            (Self::Name, Self::Name) | (Self::Group, Self::Group) => one != another,
            (Self::Hidden, Self::Shown) | (Self::Shown, Self::Hidden) => true,
            _ => false,
        }
    }

    fn is_of_publicity(self) -> bool {
        matches!(self, Self::Hidden | Self::Shown)
    }

    /// How the weights call it.
    fn word(self) -> &'static str {
        match self {
            Self::Name => "rename",
            Self::Group => "move",
            Self::Hidden => "hide",
            Self::Shown => "show",
        }
    }

    fn ask(self, target: usize, text: String) -> Ask {
        match self {
            Self::Name => Ask::Rename { target, name: text },
            Self::Group => Ask::Move { target, to: text },
            Self::Hidden => Ask::Hide { target },
            Self::Shown => Ask::Show { target },
        }
    }
}

/// A rename that the rules do not make is done from this probability on: where they read it and leave it open, and where they
/// say nothing of it. What they leave open is likelier to be left open for a reason.
const OPEN: f64 = 0.75;
const UNREAD: f64 = 0.8;
/// A move, and a wish for what is public, is done from this probability on. Moves are told of in the words that ask for them.
const MOVED: f64 = 0.92;
const SEEN: f64 = 0.8;
/// A request in which something is at least so likely asks for something, although the rules find nothing in it.
const LIKELY: f64 = 0.5;
/// What a request asks for and something speaks against is done from this probability on: where the rules read it themselves, and
/// where they do not.
const READ_AND_DOUBTED: f64 = 0.85;
const OUTWEIGHS: f64 = 0.9;
/// A rename that is told in the words of one that is made is made from this probability on.
const KIN: f64 = 0.45;
/// What is asked about, or hidden, is not so where another name is at least so likely.
const RIVAL: f64 = 0.3;
/// A rename that the rules make is left to a person below this probability.
const DOUBTED: f64 = 0.5;

/// What weighing says beside the rules.
#[derive(Debug, Default)]
pub(super) struct Opinion {
    /// Wishes that are carried out, or one that waits for a person.
    pub(super) sure: Vec<Asked>,
    /// Renames of the rules that a person has to confirm: what is renamed, and how.
    pub(super) doubted: Vec<(usize, String)>,
    /// Which of `sure` the rules read themselves and doubt because of the rest of the request.
    pub(super) outweighed: Vec<Ask>,
    /// How likely nothing is asked, from 0 to 1, where the rules do nothing, no wish is likely, and the words do not settle it.
    pub(super) nothing_asked: Option<f64>,
}

impl Opinion {
    /// Whether it says of every wish what the rules say.
    pub(super) fn is_empty(&self) -> bool {
        self.sure.is_empty() && self.doubted.is_empty()
    }
}

/// Weighs the wishes of a request beside what the rules read.
pub(super) fn weigh(
    request: &str,
    language: Language,
    root: Option<usize>,
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
    let pairs = pairs(&scene, &ruled, found, root);
    #[cfg(feature = "training")]
    training::write(request, &pairs, &whole::described(&scene, found, reading), lookup);
    if is_training {
        return Opinion::default();
    }
    // A sentence that is not looked at may speak against what others say.
    let doubted = doubted(&ruled, &pairs);
    let mut sure = if split.is_cut() { Vec::new() } else { sure(&scene, &ruled, &pairs, found, reading, &doubted) };
    let likely = likely(&scene, &pairs, found);
    let acts = |item: &Item| matches!(item.outcome, Outcome::Act(_) | Outcome::Done(_));
    let is_open = likely.is_none() && found.log.is_empty() && !reading.items.iter().any(acts);
    let nothing_asked = is_open.then(|| whole::nothing_asked(&whole::described(&scene, found, reading)));
    let is_asked = |one: &&Asked| found.asked.iter().any(|asked| same_wish(&asked.ask, &one.ask));
    let outweighed = sure.iter().filter(is_asked).map(|one| one.ask.clone()).collect();
    if sure.is_empty() && reading.items.iter().all(|item| item.outcome == Outcome::Nothing) {
        sure.extend(likely);
    }
    Opinion { sure, doubted, outweighed, nothing_asked }
}

/// Whether two wishes are the same, however a language writes the name.
fn same_wish(one: &Ask, other: &Ask) -> bool {
    match (one, other) {
        (Ask::Rename { target, name }, Ask::Rename { target: other, name: new }) => {
            target == other && key(name) == key(new)
        }
        (Ask::Unsure(_), _) => false,
        _ => one == other,
    }
}

/// What a request that the rules find nothing in is likely to ask for. It waits for a person, and is not passed over.
fn likely(scene: &Scene<'_>, pairs: &[Weighed], found: &Findings) -> Option<Asked> {
    let best = pairs
        .iter()
        .filter(|pair| !pair.second.kept && !found.is_aside(pair.span.start))
        .max_by(|one, other| one.probability.total_cmp(&other.probability));
    let best = best.filter(|best| best.probability >= LIKELY)?;
    let mut asked = asked(best, best.text.clone(), scope(scene, best, found), usize::MAX);
    asked.hold(Doubt::Undecided);
    Some(asked)
}

fn asked(pair: &Weighed, text: String, scope: Option<Scope>, sentence: usize) -> Asked {
    Asked {
        ask: pair.aim.ask(pair.target, text),
        span: pair.span.clone(),
        scope,
        unit: pair.unit,
        sentence,
        feature: false,
    }
}

/// The renames of the rules that are not likely. One name for several things is beyond what a pair tells.
fn doubted(ruled: &Ruled<'_>, pairs: &[Weighed]) -> Vec<(usize, String)> {
    let mut doubted = Vec::new();
    // A thing that is moved as well stands between two names.
    let is_moved = |target| ruled.done.iter().any(|wish| wish.target == target && wish.aim == Aim::Group);
    let renames = || ruled.done.iter().filter(|wish| wish.aim == Aim::Name && !is_moved(wish.target));
    for wish in renames() {
        let of =
            |pair: &&Weighed| pair.aim == Aim::Name && pair.target == wish.target && wish.says(&pair.key, ruled.lookup);
        let mut same = pairs.iter().filter(of).peekable();
        let shared = renames().filter(|other| key(other.text) == key(wish.text)).count() > 1;
        if !shared && same.peek().is_some() && same.all(|pair| pair.probability < DOUBTED && pair.familiar) {
            doubted.push((wish.target, wish.text.to_owned()));
        }
    }
    doubted
}

/// The wishes that the rules do not carry out and that are very likely.
fn sure(
    scene: &Scene<'_>,
    ruled: &Ruled<'_>,
    pairs: &[Weighed],
    found: &Findings,
    reading: &Reading,
    doubted: &[(usize, String)],
) -> Vec<Asked> {
    let sentences = || scene.sentences.iter();
    let against: Vec<&Range<usize>> =
        sentences().filter(|placed| speaks_against(placed)).map(|placed| &placed.span).collect();
    let refused = sentences().any(|placed| placed.sentence.any(lexicon::REFUSED));
    if sentences().any(|placed| wants_nothing(&placed.sentence)) {
        return Vec::new();
    }
    let likely = |pair: &&Weighed| match pair.aim {
        Aim::Name => pair.probability >= if pair.second.open && !pair.asks { OPEN } else { UNREAD },
        Aim::Group => pair.probability >= MOVED && !refused,
        Aim::Hidden | Aim::Shown => pair.probability >= SEEN && !refused,
    };
    let mut sure = Vec::new();
    for (number, pair) in pairs.iter().filter(likely).enumerate() {
        let quoted = scene.sentences.get(pair.sentence).is_some_and(|placed| placed.role == "quote");
        let held = is_refused(pair, ruled, found)
            || is_outdone(pair, pairs)
            || pair.aim.is_of_publicity() && quoted
            || !outweighs(pair, ruled, against.iter().any(|span| **span != pair.span));
        if !is_likeliest(pair, pairs) || is_done(pair, ruled, doubted) || held {
            continue;
        }
        let known = read(pair, ruled, reading);
        let is_read = known.is_some();
        let (text, scope) = known.unwrap_or_else(|| (pair.text.clone(), scope(scene, pair, found)));
        // `Java and Go say X. Same here.`: what others have is no scope.
        let several = matches!(&scope, Some(Scope::Only(languages)) if languages.len() > 1);
        let others = several && !is_read && scope != found.scope;
        if others || scope.as_ref().is_some_and(|scope| !scope.covers(scene.language)) {
            continue;
        }
        sure.push(asked(pair, text, scope, usize::MAX.saturating_sub(number)));
    }
    sure.extend(kin(scene, ruled, pairs, found, (&sure, !against.is_empty())));
    sure
}

/// Renames that stand in the words of those that are made, in a list or a table with them: `X, expected Y` below `A, expected B`.
fn kin(
    scene: &Scene<'_>,
    ruled: &Ruled<'_>,
    pairs: &[Weighed],
    found: &Findings,
    (sure, against): (&[Asked], bool),
) -> Vec<Asked> {
    let listed = |pair: &&Weighed| {
        let role = scene.sentences.get(pair.sentence).map(|placed| placed.role);
        pair.aim == Aim::Name && matches!(role, Some("item" | "row"))
    };
    // Below the same words.
    let head = |pair: &Weighed| scene.heads.get(pair.sentence).copied().flatten();
    let framed = |pair: &Weighed| form(scene, pair).map(|form| (head(pair), form));
    let is = |one: &Asked, pair: &Weighed| matches!(&one.ask, Ask::Rename { target, name } if *target == pair.target && key(name) == pair.key);
    let made = |pair: &&Weighed| pair.second.done || sure.iter().any(|one| is(one, pair));
    let forms: HashSet<(Option<usize>, Vec<&str>)> =
        pairs.iter().filter(listed).filter(made).filter_map(framed).collect();
    let told = |pair: &&Weighed| !against && framed(pair).is_some_and(|framed| forms.contains(&framed));
    let free = |pair: &&Weighed| {
        let taken = |one: &Asked| {
            one.ask.target() == Some(pair.target)
                || matches!(&one.ask, Ask::Rename { name, .. } if key(name) == pair.key)
        };
        !pair.waits
            && !sure.iter().any(taken)
            && !is_refused(pair, ruled, found)
            && !is_outdone(pair, pairs)
            && !is_done(pair, ruled, &[])
            && is_likeliest(pair, pairs)
    };
    let likely =
        |pair: &&Weighed| pair.probability >= KIN && pair.probability < if pair.second.open { OPEN } else { UNREAD };
    pairs
        .iter()
        .filter(listed)
        .filter(likely)
        .filter(told)
        .filter(free)
        .enumerate()
        .map(|(number, pair)| {
            let place = usize::MAX.saturating_sub(pairs.len()).saturating_sub(number);
            asked(pair, pair.text.clone(), scope(scene, pair, found), place)
        })
        .collect()
}

/// The words of a sentence that stand around the thing and the name; `None` where both are not in it.
fn form<'a>(scene: &'a Scene<'_>, pair: &Weighed) -> Option<Vec<&'a str>> {
    let sentence = &scene.sentences.get(pair.sentence)?.sentence;
    let thing = sentence.mentions.iter().find(|mention| mention.candidates.contains(&pair.target))?;
    let of_thing = |at: usize| (thing.at..thing.end).contains(&at);
    let of_name = |token: &str| key(token.rsplit(['.', '#']).next().unwrap_or(token)) == pair.key;
    let around = sentence.tokens.iter().enumerate().filter(|(at, token)| !of_thing(*at) && !of_name(&token.text));
    let form: Vec<&str> = around.map(|(_, token)| token.lower.as_str()).collect();
    (!form.is_empty() && form.len() <= 8).then_some(form)
}

/// Whether no other pair of the thing, or of the name, is likelier.
fn is_likeliest(pair: &Weighed, pairs: &[Weighed]) -> bool {
    let rival = |other: &&Weighed| {
        let other_name = other.target == pair.target && pair.aim.excludes(other.aim, &pair.key, &other.key);
        let other_thing = pair.aim == Aim::Name && other.aim == Aim::Name && other.key == pair.key;
        other_name || other_thing
    };
    pairs.iter().filter(rival).all(|other| other.probability <= pair.probability)
}

/// Whether the rules do it, or something that excludes it.
fn is_done(pair: &Weighed, ruled: &Ruled<'_>, doubted: &[(usize, String)]) -> bool {
    let stands = |wish: &&Wish<'_>| !doubted.iter().any(|(target, name)| *target == wish.target && name == wish.text);
    ruled.done.iter().filter(stands).any(|wish| {
        wish.target == pair.target && (wish.aim == pair.aim || pair.aim.excludes(wish.aim, "", "other"))
            || pair.aim == Aim::Name && wish.aim == Aim::Name && wish.says(&pair.key, ruled.lookup)
    })
}

/// Whether the request, or the sentence, holds it back for a reason that no probability outweighs.
fn is_refused(pair: &Weighed, ruled: &Ruled<'_>, found: &Findings) -> bool {
    // Two letters of the name of today: what somebody says of them.
    let is_short = pair.aim == Aim::Name && pair.text.chars().count() < 3;
    // The thing that is moved or hidden needs no other name.
    let is_settled = pair.aim == Aim::Name && pair.second.other_wish && !pair.second.open;
    is_short
        || is_settled
        || pair.second.kept
        || found.is_aside(pair.span.start)
        || ruled.asks_the_opposite(pair)
        || ruled.waits(pair.target, pair.aim, &pair.key)
}

/// Whether it is likely enough for what speaks against it without settling it.
fn outweighs(pair: &Weighed, ruled: &Ruled<'_>, is_spoken_against: bool) -> bool {
    // What a sentence asks for and the rules neither do nor leave open is doubted because of what the whole request says.
    let is_asked = ruled.is(&ruled.asked, pair.target, pair.aim, &pair.key);
    let is_held = ruled.holds(pair.target, pair.aim, &pair.key, pair.second.open);
    let reasons = [is_asked, is_held, pair.waits, is_spoken_against].into_iter().filter(|reason| *reason).count();
    match reasons {
        0 => true,
        // A move, and what is public, is told of in the words that ask for it.
        _ if pair.aim != Aim::Name => false,
        // `It is not so nice to read` speaks of no wish that the rules read, either.
        1 if is_asked || is_spoken_against && pair.second.open => pair.probability >= READ_AND_DOUBTED,
        _ => pair.probability >= OUTWEIGHS,
    }
}

/// Whether another name is likely enough to hold it back. `X => Y? … Z, we have that elsewhere.` does not ask for `Y`, and
/// `X? We don't ship that. Y, please.` does not ask to hide `X`.
fn is_outdone(pair: &Weighed, pairs: &[Weighed]) -> bool {
    let names = || pairs.iter().filter(|other| other.aim == Aim::Name && other.target == pair.target);
    match pair.aim {
        Aim::Name => pair.asks && names().any(|other| other.key != pair.key && other.probability >= RIVAL),
        Aim::Group => false,
        Aim::Hidden | Aim::Shown => names().any(|other| other.probability >= RIVAL && !other.second.done),
    }
}

/// How the rules read what they leave open.
fn read(pair: &Weighed, ruled: &Ruled<'_>, reading: &Reading) -> Option<(String, Option<Scope>)> {
    reading.candidates.iter().find_map(|candidate| {
        let wish = Wish::of_change(&candidate.change, ruled.lookup)?;
        let same = wish.target == pair.target && wish.aim == pair.aim && wish.says(&pair.key, ruled.lookup);
        same.then(|| (wish.text.to_owned(), candidate.scope.clone()))
    })
}

/// The languages of a wish that the rules did not read: those of its sentence, or of the whole request.
fn scope(scene: &Scene<'_>, pair: &Weighed, found: &Findings) -> Option<Scope> {
    let said = scene.sentences.get(pair.sentence).map(|placed| said(&placed.sentence));
    match said {
        Some(Said::For(scope)) => Some(scope),
        _ => found.scope.clone(),
    }
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

/// `No change needed in the SDK.`, `no action`: a text that says it wishes nothing.
fn wants_nothing(sentence: &Sentence<'_>) -> bool {
    const WISHES: [&str; 5] = ["change", "changes", "action", "actions", "renames"];
    let said = (0..sentence.tokens.len()).any(|at| {
        let next = at.saturating_add(1);
        sentence.is(at, &["no"]) && (sentence.is(next, &WISHES) || sentence.is(next, &["sdk"]))
            || sentence.is(at, &["nothing"]) && sentence.is(next, &["to"])
    });
    said && sentence.mentions.iter().all(|mention| !mention.strong)
}

#[cfg(test)]
mod tests {
    use super::super::document::Doubt;
    use super::*;

    fn asked(ask: Ask, span: Range<usize>) -> Asked {
        Asked { ask, span, scope: None, unit: 0, sentence: 0, feature: false }
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
        found.adopt(Opinion {
            sure: vec![asked(rename(1), 5..15)],
            doubted: Vec::new(),
            outweighed: Vec::new(),
            nothing_asked: None,
        });
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
        found.adopt(Opinion {
            sure: Vec::new(),
            doubted: vec![(1, "Size".to_owned())],
            outweighed: Vec::new(),
            nothing_asked: None,
        });
        let left: Vec<Ask> = found.asked.into_iter().map(|one| one.ask).collect();
        assert_eq!(left, [rename(1).held(Doubt::Undecided, None), rename(2)]);
    }
}
