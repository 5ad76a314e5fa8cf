//! Each thing of a request with what it may get: a name, a group, or to be public or not.

use std::ops::Range;

use bailiwick_sdk::tasks::EntityKind;

use super::super::document::{Doubt, Findings, Why, doubt};
use super::super::lexicon;
use super::super::moves::names_a_new_group;
use super::super::rename::is_label;
use super::super::sentence::Sentence;
use super::super::token::Kind;
use super::Aim;
use super::columns::{Alone, Beside};
use super::features::{Nearest, Scene};
use super::ruled::Ruled;
use super::text::{Name, groups, seen};
use super::trees::Trees;
use super::weights::{self, Second, Weights};

/// A thing and what it may get.
#[derive(Debug)]
pub(super) struct Weighed {
    pub(super) target: usize,
    pub(super) aim: Aim,
    /// The new name or the group as the request writes it, and the same for comparison.
    pub(super) text: String,
    pub(super) key: String,
    pub(super) span: Range<usize>,
    pub(super) unit: usize,
    pub(super) sentence: usize,
    /// Whether the sentences leave open whether it holds or of what, hold under a condition, or say what a thing has.
    pub(super) waits: bool,
    /// Whether the sentence of the name is a question.
    pub(super) asks: bool,
    /// Whether enough words of the sentence have a weight to judge it.
    pub(super) familiar: bool,
    #[cfg(feature = "training")]
    pub(super) features: Vec<String>,
    pub(super) first: f64,
    pub(super) second: Second,
    /// What the last step knows of a rename.
    alone: Option<Alone>,
    #[cfg(feature = "training")]
    pub(super) columns: Vec<f64>,
    pub(super) probability: f64,
}

/// Whether a thing can be what a pair is about.
fn fits(kind: EntityKind, aim: Aim) -> bool {
    match aim {
        Aim::Name => true,
        Aim::Group => kind == EntityKind::Operation,
        Aim::Hidden | Aim::Shown => kind != EntityKind::Namespace,
    }
}

/// The weighed pairs of a request.
pub(super) fn pairs(scene: &Scene<'_>, ruled: &Ruled<'_>, found: &Findings, root: Option<usize>) -> Vec<Weighed> {
    let mut pairs = Vec::new();
    for name in scene.names {
        of(&mut pairs, scene, ruled, found, (name, Aim::Name));
    }
    for group in &groups(scene.sentences, scene.things, scene.names, ruled.lookup, root) {
        of(&mut pairs, scene, ruled, found, (group, Aim::Group));
    }
    let seen = seen(scene.sentences);
    for aim in [Aim::Hidden, Aim::Shown] {
        of(&mut pairs, scene, ruled, found, (&seen, aim));
    }
    compare(&mut pairs);
    pairs
}

/// The pairs of one name, group or wish.
fn of(pairs: &mut Vec<Weighed>, scene: &Scene<'_>, ruled: &Ruled<'_>, found: &Findings, (name, aim): (&Name, Aim)) {
    let weights = Weights::get(aim);
    for (thing, mut features, near) in scene.pairs(name, aim) {
        let place = near.name;
        let (Some(thing), Some(placed)) = (scene.things.get(thing), scene.sentences.get(place.sentence)) else {
            continue;
        };
        // The rules take the sentence for one that asks for nothing.
        let is_passed_over = found.background.iter().any(|span| span.contains(&placed.span.start));
        features.when("background", aim == Aim::Name && is_passed_over);
        let target = thing.entity;
        if !fits(ruled.lookup.entity(target).kind, aim) {
            continue;
        }
        let done = ruled.is(&ruled.done, target, aim, &name.key);
        let mut others = ruled.done.iter().filter(|_| !done);
        let second = Second {
            done,
            open: ruled.is(&ruled.open, target, aim, &name.key),
            other_name: others.clone().any(|wish| wish.target == target && wish.aim == aim),
            other_thing: others.any(|wish| wish.aim == aim && wish.says(&name.key, ruled.lookup)),
            other_wish: ruled.done.iter().any(|wish| wish.target == target && wish.aim != aim),
            any: ruled.done.iter().any(|wish| wish.aim == aim),
            kept: found.vetoes.iter().any(|veto| veto.target == target && veto.why == Why::Kept),
            unheard: found.vetoes.iter().any(|veto| veto.target == target && veto.why != Why::Kept),
            ..Second::default()
        };
        pairs.push(Weighed {
            target,
            aim,
            text: name.text.clone(),
            key: name.key.clone(),
            span: placed.span.clone(),
            unit: placed.unit,
            sentence: place.sentence,
            asks: matches!(doubt(&placed.sentence), Some(Doubt::Question)),
            waits: waits(scene, near, aim, ruled.lookup.entity(target).kind),
            familiar: weights.know_most_of(scene.words(place.sentence)),
            first: weights.first(&features.0),
            alone: (aim == Aim::Name).then(|| Alone::of(&features, &ruled.lookup.entity(target).name, &name.text)),
            #[cfg(feature = "training")]
            features: features.0,
            #[cfg(feature = "training")]
            columns: Vec::new(),
            second,
            probability: 0.0,
        });
    }
}

/// Says of each pair how the others do beside it, and how likely that makes it.
fn compare(pairs: &mut [Weighed]) {
    let scores: Vec<(usize, Aim, String, f64)> =
        pairs.iter().map(|pair| (pair.target, pair.aim, pair.key.clone(), pair.first)).collect();
    let fuller: Vec<(usize, String)> = pairs
        .iter()
        .filter(|pair| pair.alone.as_ref().is_some_and(|alone| alone.spelled.is_fuller()))
        .map(|pair| (pair.target, pair.key.clone()))
        .collect();
    for pair in pairs {
        let best = |rival: &dyn Fn(usize, Aim, &str) -> bool| {
            let rivals = scores.iter().filter(|(target, aim, key, _)| rival(*target, *aim, key));
            rivals.map(|one| one.3).fold(weights::LEAST, f64::max)
        };
        pair.second.thing_rival = best(&|target, aim, key| aim == pair.aim && key == pair.key && target != pair.target);
        pair.second.name_rival =
            best(&|target, aim, key| target == pair.target && pair.aim.excludes(aim, &pair.key, key));
        pair.probability = Weights::get(pair.aim).second(pair.first, &pair.second);
        if let Some(alone) = &pair.alone {
            let beside = Beside {
                other_thing: fuller.iter().any(|(target, key)| *key == pair.key && *target != pair.target),
                other_name: fuller.iter().any(|(target, key)| *target == pair.target && *key != pair.key),
                any: !fuller.is_empty(),
            };
            let columns = alone.columns(pair.first, &pair.second, beside);
            pair.probability = Trees::get().probability(&columns);
            #[cfg(feature = "training")]
            {
                pair.columns = columns;
            }
        }
    }
}

/// `Let's pretend that X is Y`, `I could call it Y`, `Y would be the wrong name`.
fn is_imagined(sentence: &Sentence<'_>) -> bool {
    const IMAGINING: [&str; 7] = ["pretend", "imagine", "suppose", "assume", "assuming", "supposing", "hypothetically"];
    let phrases = [["i", "could"], ["we", "could"], ["wrong", "name"], ["bad", "name"], ["worse", "name"]];
    sentence.any(&IMAGINING)
        || (0..sentence.tokens.len()).any(|at| phrases.iter().any(|phrase| sentence.phrase(at, phrase)))
}

/// `Widget getWidget(id)` -> `Part fetchPart(id)`: more than a name is another.
fn is_other_code(sentence: &Sentence<'_>, near: Nearest) -> bool {
    let code = |at: usize| sentence.get(at).map(|token| token.arguments.as_slice()).filter(|code| !code.is_empty());
    let (old, new) = (code(near.thing.at), code(near.name.at));
    near.name.sentence == near.thing.sentence && old.is_some() && new.is_some() && old != new
}

/// `Parts: size -> partSize`: the name is for the word in front of the arrow.
fn is_anothers(sentence: &Sentence<'_>, near: Nearest) -> bool {
    let is_arrow = |at: usize| sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow);
    let Some(before) = near.name.at.checked_sub(2).filter(|before| is_arrow(before.saturating_add(1))) else {
        return false;
    };
    sentence.is_text(before)
        && sentence.mention_at(before).is_none()
        && !(near.thing.at..near.thing.end).contains(&before)
}

/// `Widget is WidgetItem`: what is, and no wish.
fn is_stated(sentence: &Sentence<'_>, near: Nearest) -> bool {
    near.thing.end.saturating_add(1) == near.name.at && sentence.is(near.thing.end, &["is", "was", "are", "were"])
}

/// `@@access(X, …)`: what the rules read, or leave to a person.
fn has_a_decorator(sentence: &Sentence<'_>) -> bool {
    sentence.tokens.windows(2).any(|pair| {
        matches!(pair, [sign, name] if sign.is_sign('@') && name.text.starts_with('@') && sign.span.end == name.span.start)
    })
}

/// `Like Y?`: one name of several that could be.
fn is_likened(sentence: &Sentence<'_>) -> bool {
    sentence.is(0, &["like", "or"]) && sentence.tokens.last().is_some_and(|token| token.is_sign('?'))
}

/// `X for the first and Y for the second`: of what stands elsewhere, in an order that a pair does not tell.
fn counts_off(sentence: &Sentence<'_>) -> bool {
    const PLACES: [&str; 5] = ["first", "second", "third", "former", "latter"];
    (0..sentence.tokens.len())
        .filter(|&at| sentence.is(at, &["for"]) && sentence.is(at.saturating_add(1), &["the"]))
        .any(|at| sentence.is(at.saturating_add(2), &PLACES))
}

/// A move or what is public rests on what the words of the thing mean, and on what both sentences leave open.
fn waits(scene: &Scene<'_>, near: Nearest, aim: Aim, kind: EntityKind) -> bool {
    let sentence = |at: usize| scene.sentences.get(at).map(|placed| &placed.sentence);
    // A question in a cell is answered in it, or not at all.
    let asks_in_a_row = scene
        .sentences
        .get(near.name.sentence)
        .is_some_and(|placed| placed.role == "row" && placed.sentence.tokens.iter().any(|token| token.is_sign('?')));
    if asks_in_a_row || sentence(near.name.sentence).is_some_and(has_a_decorator) {
        return true;
    }
    let doubts = |at: usize| sentence(at).and_then(doubt);
    if aim == Aim::Name {
        let open = |sentence: &Sentence<'_>| {
            is_had(sentence, near.name.at)
                || is_turned_down(sentence, near.name.at)
                || sentence.any(lexicon::ELSEWHERE)
                || is_of_others(sentence)
                || counts_off(sentence)
                || is_imagined(sentence)
                || is_likened(sentence)
                || is_asked_about(sentence)
                || is_former(sentence, near.name.at)
                || is_other_code(sentence, near)
                || names_a_new_group(sentence, near.name.at)
                || is_what_was(sentence, near.name.at)
                || near.name.at.checked_sub(1).is_some_and(|colon| is_label(sentence, colon))
        };
        let both = [near.name.sentence, near.thing.sentence];
        return sentence(near.name.sentence).is_some_and(open)
            || both.into_iter().filter_map(sentence).any(|sentence| speaks_of_a_part(sentence, kind))
            || near.name.sentence == near.thing.sentence
                && sentence(near.name.sentence)
                    .is_some_and(|sentence| is_anothers(sentence, near) || is_stated(sentence, near))
            || matches!(doubts(near.name.sentence), Some(Doubt::Undecided | Doubt::Condition));
    }
    !near.thing.settled
        || doubts(near.name.sentence).is_some()
        || doubts(near.thing.sentence).is_some()
        || sentence(near.name.sentence).is_some_and(is_told)
        || [near.name.sentence, near.thing.sentence].into_iter().filter_map(sentence).any(is_elsewhere)
        || aim == Aim::Group && sentence(near.name.sentence).is_some_and(|sentence| sentence.negated(near.name.at))
        || aim == Aim::Shown && sentence(near.name.sentence).is_some_and(|sentence| is_denied(sentence, near.name.at))
        || is_one_of_several(scene, near)
        || aim != Aim::Group && is_one_of_many(scene, near)
}

/// Whether what shall be hidden or shown is named in another sentence, and the request names more than one operation.
fn is_one_of_many(scene: &Scene<'_>, near: Nearest) -> bool {
    let is_below = scene.heads.get(near.thing.sentence).copied().flatten() == Some(near.name.sentence);
    let named = scene.things.iter().filter(|thing| {
        let strong = thing.places.iter().any(|place| place.strong && place.settled);
        strong && scene.entity(thing).kind == EntityKind::Operation
    });
    near.name.sentence != near.thing.sentence && !is_below && named.count() > 1
}

/// `In Java it is X`, of a package of another language.
fn is_of_others(sentence: &Sentence<'_>) -> bool {
    let own = sentence.languages.iter().any(|(_, language, _)| *language == sentence.language);
    !own && !sentence.languages.is_empty()
}

/// `X instead of Y`: Y is what there was.
fn is_what_was(sentence: &Sentence<'_>, at: usize) -> bool {
    at.checked_sub(2)
        .is_some_and(|here| sentence.phrase(here, &["instead", "of"]) || sentence.phrase(here, &["rather", "than"]))
}

/// `Is it true that X becomes Y?`, `Did somebody decide …?`: what is asked about, and no polite wish.
fn is_asked_about(sentence: &Sentence<'_>) -> bool {
    const ASKING: [&str; 12] = ["is", "are", "was", "were", "did", "does", "do", "has", "have", "had", "why", "when"];
    let first = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at)).unwrap_or(0);
    sentence.is(first, &ASKING) && sentence.tokens.iter().any(|token| token.is_sign('?'))
}

/// `Was: X`, `Old: X`: what something was called.
fn is_former(sentence: &Sentence<'_>, at: usize) -> bool {
    const LABELS: [&str; 7] = ["was", "old", "before", "previously", "formerly", "former", "earlier"];
    let label = at.checked_sub(2).is_some_and(|before| sentence.is(before, &LABELS));
    label && at.checked_sub(1).is_some_and(|before| sentence.is_sign(before, ':'))
}

/// `X takes a keyword that …`: of what is renamed it is not X.
fn speaks_of_a_part(sentence: &Sentence<'_>, kind: EntityKind) -> bool {
    let is_part =
        |one: &EntityKind| matches!(one, EntityKind::Parameter | EntityKind::Property | EntityKind::EnumMember);
    let kinds = (0..sentence.tokens.len()).filter_map(|at| lexicon::kinds_of(sentence.lower(at)));
    let parts: Vec<&EntityKind> = kinds.filter(|kinds| kinds.iter().all(is_part)).flatten().collect();
    !parts.is_empty() && !is_part(&kind)
}

/// Whether a sentence speaks of other places than the library: documents, tools, tests.
fn is_elsewhere(sentence: &Sentence<'_>) -> bool {
    const TOOLS: [&str; 8] =
        ["powershell", "terraform", "extension", "chapter", "manual", "contents", "laptop", "studio"];
    sentence.any(lexicon::ELSEWHERE) || sentence.any(&TOOLS)
}

/// `X should not be shown`, unlike `X should not be internal`.
fn is_denied(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is_turned() && !sentence.is(at, lexicon::HIDING)
}

/// `They were moved to X`: what was done, without a word that asks for it.
fn is_told(sentence: &Sentence<'_>) -> bool {
    let told = sentence.any(&["was", "were", "been"])
        || (0..sentence.tokens.len()).any(|at| sentence.phrase(at, &["already", "moved"]));
    told && !sentence.any(lexicon::OBLIGING) && !sentence.any(lexicon::POLITE)
}

/// Whether a sentence speaks of one of several things that another one names: `A and B are alike. One of them should go.`
fn is_one_of_several(scene: &Scene<'_>, near: Nearest) -> bool {
    let at = near.thing.sentence;
    let is_below = scene.heads.get(at).copied().flatten() == Some(near.name.sentence);
    let named = scene.things.iter().filter(|thing| thing.places.iter().any(|place| place.sentence == at));
    at != near.name.sentence && !is_below && named.count() > 1
}

/// Whether a name is one of two, hides what it is given to, or is turned down by what its sentence goes on to say: `to a and b`,
/// `internal class B`, `but we keep it`.
fn is_turned_down(sentence: &Sentence<'_>, at: usize) -> bool {
    let next = at.saturating_add(1);
    let other = next.saturating_add(1);
    let two = sentence.is(next, &["and", "or"])
        && sentence.is_text(other)
        && sentence.mention_at(other).is_none()
        && other.saturating_add(1) >= sentence.clause_end(next);
    // The code around a name that is declared.
    let around = sentence.get(at).into_iter().flat_map(|token| &token.arguments);
    let hidden = sentence.has(at.saturating_sub(2)..at, lexicon::HIDING)
        || around.flat_map(|code| code.split_whitespace()).any(|word| lexicon::HIDING.contains(&word));
    let kept = (next..sentence.tokens.len()).any(|here| {
        sentence.is(here, lexicon::KEEPING) && sentence.is(here.saturating_add(1), &["it", "this", "that", "them"])
    });
    two || hidden || kept
}

/// Whether a name is what a thing has or needs: `Widget has WidgetInfo`.
fn is_had(sentence: &Sentence<'_>, at: usize) -> bool {
    const HAVING: &[&str] = &[
        "has", "have", "had", "needs", "need", "contains", "includes", "uses", "use", "returns", "takes", "holds",
        "gets", "get", "extends", "throws", "throw", "raises", "raise",
    ];
    let before = |distance: usize| at.checked_sub(distance).is_some_and(|before| sentence.is(before, HAVING));
    before(1) || before(2) && at.checked_sub(1).is_some_and(|before| sentence.is(before, &["a", "an", "the", "its"]))
}
