//! What a clause says that leaves everything as it is: it keeps, praises, tells, or is about somewhere else.

use std::ops::Range;

use super::super::lexicon as words;
use super::super::sentence::{Sentence, Zone};
use super::{CHANGING, JOINING, obliges};

/// Whether a clause leaves things as they are, praises them, tells of them, or is about other languages or the wire.
pub(super) fn is_idle(sentence: &Sentence<'_>, clause: Range<usize>) -> bool {
    let has = |list: &[&str]| sentence.has(clause.clone(), list);
    let at = clause.start;
    // `do not hide B`
    let refused = |at: usize| {
        let not = sentence.is(at, &["don't", "dont", "never"]) || sentence.phrase(at, &["do", "not"]);
        let verb = if sentence.is(at, &["do"]) { at.saturating_add(2) } else { at.saturating_add(1) };
        not && sentence.is(verb, CHANGING)
    };
    let kept = has(words::KEEPING) && !turns_behind_keeping(sentence, &clause);
    let wished = |at: usize| at.checked_sub(1).is_some_and(|before| sentence.is(before, &["be"]));
    let praised = clause.clone().any(|at| sentence.is(at, words::APPROVING) && !sentence.negated(at) && !wished(at));
    kept || praised
        || clause.clone().any(refused)
        || has(words::WIRE)
        || has(words::ELSEWHERE)
        || has(TELLING) && !presses(sentence, &clause)
        || sentence.is_about_others(at)
        || clause.clone().any(|at| sentence.zone(at) == Zone::Condition)
}

/// `B keeps its wire name but is exposed as b`, `keep B under the name b`: it goes on with a change.
fn turns_behind_keeping(sentence: &Sentence<'_>, clause: &Range<usize>) -> bool {
    let keeping = clause.clone().find(|&at| sentence.is(at, words::KEEPING)).unwrap_or(clause.end);
    sentence.has(keeping..clause.end, &["but", "under"]) || sentence.is(keeping.saturating_add(1), &["to", "out"])
}

/// Whether a clause that tells of something says that it is not as it should be: `B was never meant to be public`,
/// `the board asked to hide B too`.
fn presses(sentence: &Sentence<'_>, clause: &Range<usize>) -> bool {
    let has = |list: &[&str]| sentence.has(clause.clone(), list);
    let seen = (has(words::HIDING) || has(words::PUBLICITY)) && !has(&["already"]);
    let turned = clause.clone().any(|at| sentence.is(at, words::NEGATIONS) && !sentence.is_idle_negation(at));
    obliges(sentence, clause.clone())
        || has(&["mistake", "accident"])
        || clause.clone().any(|at| sentence.phrase(at, &["be", "renamed"]))
        || turned && (has(words::RENAME_PROPER) || has(&["changed"]))
        || seen && (turned || has(JOINING) || has(&["be"]))
}

/// Whether a sentence that orders nothing says that there is nothing to do: `B.c: no change`, `B is clear`. A part behind
/// `but`, or one that denies what was said before it, speaks for itself.
pub(super) fn is_settled(sentence: &Sentence<'_>, part: Range<usize>) -> bool {
    let copula = |at: usize| sentence.is(at, &["is", "are", "does", "do"]);
    let last = |part: &Range<usize>| part.clone().rev().find(|&at| sentence.is_text(at));
    let denied = last(&part).is_some_and(|at| {
        sentence.is(at, &["not", "isn't", "aren't"])
            && (sentence.is(at, &["isn't", "aren't"]) || at.checked_sub(1).is_some_and(copula))
    });
    if denied {
        return false;
    }
    let turns = part.start.checked_sub(1).is_some_and(|before| sentence.is(before, &["but"]))
        || sentence.is(part.start, &["but"]);
    let heard = if turns { part } else { 0..sentence.tokens.len() };
    let has = |list: &[&str]| sentence.has(heard.clone(), list);
    is_idle(sentence, heard.clone())
        || has(SETTLED)
        || last(&heard).is_some_and(|at| sentence.is(at, &["no", "not"]))
        || has(&["no", "not", "without"]) && has(&["change", "changes", "objection", "objections", "affected"])
}

/// Words of what needs no change.
const SETTLED: &[&str] = list! {
    "clear" "known" "done" "skip" "skipped" "wording" "objections" "denied" "declined" "rejected" "discussed" "reserved" "confuse"
    "approved" "official" "agreed" "everybody" "everyone" "became" "thank" "thanks" "see" "matter" "unaffected" "excluded"
};

/// Words of what was, and of what somebody does who is not asked.
const TELLING: &[&str] = list! {
    "was" "were" "had" "been" "did" "already" "myself" "ourselves" "me" "i'll" "we'll" "asked" "told" "said" "added"
    "introduced" "checked" "noticed" "found" "saw" "merged" "instead"
};
