//! Hiding and showing: words of being seen, and what turns them round.

mod targets;
mod wish;

use super::lexicon as words;
use super::sentence::{Sentence, Zone};
use super::targets::{Focus, Found};
use targets::targets;
use wish::is_hidden;
pub(in crate::reader) use wish::wish_at;

/// What a clause wants seen or not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::reader) enum Wish {
    Hide,
    Show,
    /// It stays as it is.
    Keep,
}

/// A wish with what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::reader) struct Visibility {
    pub(in crate::reader) wish: Wish,
    pub(in crate::reader) targets: Found,
    pub(in crate::reader) at: usize,
}

/// The wish of a sentence, if it has one.
pub(in crate::reader) fn visibility(sentence: &Sentence<'_>, focus: &Focus) -> Option<Visibility> {
    let mut found: Option<(usize, Wish)> = None;
    for at in 0..sentence.tokens.len() {
        // `Nobody should see it, so please hide it`: the clause that asks says it best.
        let asks = |at: usize| sentence.has(sentence.clause_start(at)..sentence.clause_end(at), words::POLITE);
        if let Some((first, wish)) = found
            && wish != Wish::Keep
            && (asks(first) || !asks(at) || wish_at(sentence, at) != Some(wish))
        {
            continue;
        }
        if sentence.zone(at) == Zone::Reason || sentence.zone(at) == Zone::Comparison {
            continue;
        }
        if sentence.mention_at(at).is_some() || sentence.zone(at) == Zone::Condition {
            continue;
        }
        if let Some(wish) = wish_at(sentence, at) {
            found = Some((at, wish));
        }
    }
    let (at, wish) = found?;
    let targets = with_the_others(sentence, at, targets(sentence, at, focus), focus);
    let targets = with_no_group_left(sentence, at, targets);
    // `We need it back`, of what is hidden.
    let seen = |found: &Found| match found {
        Found::These(all) => !all.iter().all(|&one| is_hidden(sentence, one)),
        _ => true,
    };
    if sentence.is(at, &["back"]) && seen(&targets) {
        return None;
    }
    Some(Visibility { wish, targets, at })
}

/// `the generated X of A and the generated Y of B must be internal`: both of them, or it is not certain which.
fn with_the_others(sentence: &Sentence<'_>, at: usize, found: Found, focus: &Focus) -> Found {
    let Found::These(known) = &found else { return found };
    let start = sentence.clause_start(at);
    let in_front = |mention: &&super::sentence::Mention| {
        mention.strong && mention.at >= start && mention.end <= at && !sentence.qualifies(mention)
    };
    let named: Vec<_> = sentence.mentions.iter().filter(in_front).collect();
    let (Some(first), Some(last)) = (named.first(), named.last()) else { return found };
    let joined = named.len() > 1 && sentence.has(first.end..last.at, &["and"]);
    let kind = known.first().map(|&one| sentence.lookup.entity(one).kind);
    let alike: Vec<usize> = named
        .iter()
        .filter_map(|mention| sentence.settle(mention, focus).ok())
        .filter(|&one| Some(sentence.lookup.entity(one).kind) == kind)
        .collect();
    let missing = alike.iter().any(|one| !known.contains(one));
    let own = known.iter().all(|one| alike.contains(one));
    if !joined || !missing || !own {
        return found;
    }
    let plain = (first.end..last.at).all(|here| {
        !sentence.is_text(here)
            || sentence.mention_at(here).is_some()
            || sentence.is(here, words::FILLERS)
            || sentence.is(here, &["and", "of", "on", "in", "from", "generated", "public", "both"])
            || words::kinds_of(sentence.lower(here)).is_some()
    });
    if plain { Found::These(alike) } else { Found::Unfit }
}

/// `hide get of Widgets and delete of Parts`, where only the last was found: a group that holds nothing of it is that of
/// something else.
fn with_no_group_left(sentence: &Sentence<'_>, at: usize, found: Found) -> Found {
    let Found::These(known) = &found else { return found };
    let start = sentence.clause_start(at);
    let lost = sentence.mentions.iter().any(|mention| {
        let of = mention.at.checked_sub(1).is_some_and(|before| sentence.is(before, &["of"]));
        let [group] = mention.candidates.as_slice() else { return false };
        let is_group = sentence.lookup.entity(*group).kind == bailiwick_sdk::tasks::EntityKind::Interface;
        let inside = mention.at >= start && mention.end <= sentence.clause_end(at);
        of && is_group
            && inside
            && mention.strong
            && sentence.zone(mention.at) == Zone::Main
            && !known
                .iter()
                .any(|&one| one == *group || sentence.lookup.holds(*group, one) || sentence.lookup.is_relocated(one))
    });
    if lost { Found::Unfit } else { found }
}

/// Every further command of a sentence that hides or shows something else: `hide A, rename B to C, hide D`. Without a wish
/// where it is not certain that it is a command, so that it is not passed over.
pub(in crate::reader) fn further(
    sentence: &Sentence<'_>,
    first: &Visibility,
    focus: &Focus,
) -> Vec<(Option<Wish>, Visibility)> {
    let Found::These(known) = &first.targets else { return Vec::new() };
    let mut found = Vec::new();
    for at in first.at.saturating_add(1)..sentence.tokens.len() {
        let aside = matches!(sentence.zone(at), Zone::Reason | Zone::Comparison | Zone::Condition);
        let command = sentence.is(at, &["conceal", "expose", "hide", "unexport", "unhide"]);
        if aside || !command || sentence.mention_at(at).is_some() || sentence.negated(at) {
            continue;
        }
        let targets = match sentence.group_after(at, focus) {
            Found::These(mut targets) => {
                targets.retain(|target| !known.contains(target));
                if targets.is_empty() { Found::Nothing } else { Found::These(targets) }
            }
            other => other,
        };
        if matches!(targets, Found::Nothing | Found::Unfit) {
            continue;
        }
        let wish = wish_at(sentence, at).filter(|wish| *wish != Wish::Keep);
        found.push((wish, Visibility { wish: wish.unwrap_or(first.wish), targets, at }));
    }
    found
}

/// What a sentence without names wants of what stands below it.
pub(in crate::reader) fn wished(sentence: &Sentence<'_>) -> Option<Wish> {
    (0..sentence.tokens.len()).find_map(|at| wish_at(sentence, at)).filter(|wish| *wish != Wish::Keep)
}
