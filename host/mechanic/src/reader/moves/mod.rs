//! Moves: an operation, a word of moving, and the place that it gets.

mod lies;
mod path;
mod place;

use bailiwick_sdk::tasks::EntityKind;
pub(in crate::reader) use lies::{names_a_new_group, place_below};
pub(in crate::reader) use path::{are_groups, group_name, place_of};

use super::lexicon as words;
use super::members::all_of_a_group;
use super::sentence::{Sentence, Zone};
use super::targets::{Focus, Found};
use lies::{lies_at, receives};
use path::{by_arrow, by_path};
use place::{leaves_its_group, on, operations, own_place, place, place_spoken_of, spoken_of};

/// A move as far as one sentence says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::reader) struct Move {
    pub(in crate::reader) targets: Found,
    /// A reference, or the name of a new group.
    pub(in crate::reader) to: String,
    pub(in crate::reader) negated: bool,
    pub(in crate::reader) at: usize,
    /// Whether the paths of what there is say it, and no verb.
    pub(in crate::reader) by_path: bool,
}

/// The move of a sentence, if it has one.
pub(in crate::reader) fn movement(sentence: &Sentence<'_>, focus: &Focus, root: Option<usize>) -> Option<Move> {
    let path = by_path(sentence, root).or_else(|| by_arrow(sentence, focus));
    let verb = by_verb(sentence, focus, root).or_else(|| receives(sentence, focus));
    match (path, verb) {
        // `move X to the client, so that users can write client.x()`: the path repeats what the verb asks for.
        (Some(path), Some(verb)) if (&path.targets, &path.to) == (&verb.targets, &verb.to) => Some(verb),
        (Some(path), _) => Some(path),
        (None, verb) => verb,
    }
}

fn is_operation(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.lookup.entity(at).kind == EntityKind::Operation
}

/// The group that a name means, if it means one.
pub(in crate::reader) fn one_group(sentence: &Sentence<'_>, name: &str) -> Option<usize> {
    let mut found = sentence.lookup.find(name);
    found.extend(sentence.lookup.find_elsewhere(name));
    found.retain(|&at| sentence.lookup.entity(at).kind == EntityKind::Interface);
    found.sort_unstable();
    found.dedup();
    keep_what_clients_have(sentence, &mut found);
    if found.len() == 1 { found.first().copied() } else { None }
}

/// Of several groups, those that clients have: where `client.tsp` declares the clients, an interface of the service may be
/// called as one of them is, and nothing can be moved there.
fn keep_what_clients_have(sentence: &Sentence<'_>, groups: &mut Vec<usize>) {
    let held = |at: &usize| sentence.lookup.entity(*at).client.is_some();
    if groups.iter().any(held) {
        groups.retain(held);
    }
}

fn by_verb(sentence: &Sentence<'_>, focus: &Focus, root: Option<usize>) -> Option<Move> {
    let verb = (0..sentence.tokens.len()).find(|&at| {
        sentence.is(at, words::MOVE_PROPER) && sentence.zone(at) == Zone::Main
            || sentence.is(at, &["be"])
                && sentence.is(on(sentence, at), &["on", "in", "under"])
                && leaves_its_group(sentence, at)
            || lies_at(sentence, at)
            || comes_back(sentence, at)
            || sentence.is(at, words::MOVING) && sentence.zone(at) == Zone::Main && is_wish(sentence, at)
            || moves_out(sentence, at)
            || goes_to_its_own(sentence, at)
    })?;
    if sentence.negated(verb) {
        return None;
    }
    // `return X to A` moves, `return a list` does not.
    let gives_back = sentence.is(verb, &["return"]);
    if gives_back
        && !(sentence.is(verb.saturating_add(1), &["it", "this", "that", "them"])
            || sentence.mention_at(verb.saturating_add(1)).is_some())
    {
        return None;
    }
    let decided = is_decided(sentence, verb) || goes_to_its_own(sentence, verb) || lies_at(sentence, verb);
    if super::rename::is_statement(sentence, verb) && !sentence.is(verb, &["belongs", "belong"]) && !decided {
        return None;
    }
    let (place_at, to, mut consumed) = place(sentence, verb, root)
        .or_else(|| place_spoken_of(sentence, verb, focus))
        .or_else(|| own_place(sentence, verb, focus))?;
    // `X should hang off Y`, and an operation is called `hang`.
    if sentence.get(verb).is_some_and(|token| !token.quoted) {
        consumed.push(verb);
    }
    if let Some(all) = all_of_a_group(sentence, 0, place_at) {
        return Some(Move {
            targets: Found::These(all),
            to,
            negated: sentence.negated(verb),
            at: verb,
            by_path: false,
        });
    }
    let own = operations(sentence, sentence.clause_start(verb), place_at, &consumed, focus);
    let before = || operations(sentence, 0, place_at, &consumed, focus);
    let targets = match if own == Found::Nothing { before() } else { own } {
        Found::Nothing => match operations(sentence, place_at, sentence.tokens.len(), &consumed, focus) {
            Found::Nothing => spoken_of(sentence, focus),
            other => other,
        },
        other => other,
    };
    Some(Move { targets, to, negated: sentence.negated(verb), at: verb, by_path: false })
}

/// `we want it back on Y`: directly behind it a group.
fn comes_back(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["back"])
        && sentence.is(at.saturating_add(1), &["on", "in", "under", "to"])
        && sentence.mention_at(at.saturating_add(2)).is_some_and(|mention| {
            mention.candidates.iter().any(|&one| sentence.lookup.entity(one).kind == EntityKind::Interface)
        })
        && is_wish(sentence, at)
}

fn is_wish(sentence: &Sentence<'_>, at: usize) -> bool {
    let start = sentence.clause_start(at);
    if is_decided(sentence, at) || moves_out(sentence, at) || goes_to_its_own(sentence, at) {
        return true;
    }
    (start..at).any(|here| {
        sentence.is(here, words::MODALS)
            || sentence.lower(here).ends_with("'d")
            || sentence.is(here, words::POLITE)
            || sentence.is(here, &["let's", "want"])
    })
}

/// `Decision: X goes to Y`, `X goes back to Y`
fn is_decided(sentence: &Sentence<'_>, at: usize) -> bool {
    let label = (0..sentence.clause_start(at)).any(|here| {
        sentence
            .is(here, &["decision", "decided", "agreed", "outcome", "verdict", "conclusion", "result", "resolution"])
            && sentence.is_sign(here.saturating_add(1), ':')
    });
    label && sentence.is(at, &["goes", "moves", "go", "move"])
}

/// `X goes to a new group B`, `X moves from A to B`: told as what comes, for nothing is so yet.
fn goes_to_its_own(sentence: &Sentence<'_>, at: usize) -> bool {
    if !sentence.is(at, &["goes", "moves", "go", "move"]) || sentence.mention_at(at).is_some() {
        return false;
    }
    let end = sentence.clause_end(at);
    let start = sentence.clause_start(at);
    let new = (at..end).any(|here| sentence.is(here, &["new", "own", "separate", "dedicated"]))
        && sentence.has(at..end, &["group", "subclient", "sub-client"]);
    let group = |here: usize| {
        sentence.mention_at(here).is_some_and(|mention| {
            mention.candidates.iter().any(|&one| sentence.lookup.entity(one).kind == EntityKind::Interface)
        })
    };
    let from = (at..end).find(|&here| sentence.is(here, &["from"]) && group(here.saturating_add(1)));
    let exchanged = from.is_some_and(|from| {
        (from..end).any(|here| sentence.is(here, &["to", "into"]) && group(here.saturating_add(1)))
    });
    let operation = sentence.mentions.iter().any(|mention| {
        mention.strong
            && mention.end <= at
            && mention.at >= start
            && mention.candidates.iter().all(|&one| is_operation(sentence, one))
    });
    let pronoun = sentence.is(start, &["it", "this", "that", "they", "both"]);
    let told = sentence.any(&["when", "already", "was", "were", "had", "once", "always", "usually", "automatically"]);
    (new && (operation || pronoun) || exchanged && operation) && !told && !sentence.is_turned()
}

/// `take X out of A into a new group B`, `pull X out into B`
fn moves_out(sentence: &Sentence<'_>, at: usize) -> bool {
    let end = sentence.clause_end(at);
    let first = (sentence.clause_start(at)..at).all(|here| !sentence.is_text(here) || sentence.is(here, words::POLITE));
    let into = (at..end).any(|here| sentence.is(here, &["into", "to", "under"]));
    sentence.is(at, &["take", "pull", "split", "bring"]) && sentence.has(at..end, &["out"]) && into && first
}
