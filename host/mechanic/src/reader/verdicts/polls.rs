//! Decisions at the end of the line that gives the wish: `A -> B .... no`, `| a | b | yes (8 : 1) |`, `A to B: 1 yes / 5 no`.

use super::{Said, Verdict, line_of};
use crate::reader::token::{Token, tokenize};

const YES: &[&str] = list! {
    "yes" "yep" "ok" "okay" "accepted" "approved" "agreed" "adopted" "carried" "passed"
};
const NO: &[&str] = list! {
    "no" "nope" "nah" "rejected" "declined" "refused" "denied" "vetoed" "dropped" "withdrawn" "failed" "lost"
};
/// What may stand beside such a word.
const BESIDE: &[&str] = list! {
    "of" "unanimously" "unanimous" "definitely" "clearly" "please"
};
/// Words of a poll.
const POLL: &[&str] = list! {
    "poll" "polled" "votes" "voting" "ballot" "ballots" "majority"
};

/// What the lines of wishes decide about them.
pub(super) fn verdicts(request: &str, said: &[Said], places: &[Option<usize>]) -> Vec<Option<Verdict>> {
    let decide = |place: &Option<usize>| place.and_then(|place| of_line(request, place));
    let mut verdicts: Vec<Option<Verdict>> = places.iter().map(decide).collect();
    let lines: Vec<usize> = places.iter().flatten().map(|place| line_of(request, *place).start).collect();
    let alone = |place: usize| lines.iter().filter(|other| **other == line_of(request, place).start).count() == 1;
    // A line with two wishes does not say which of them it refuses.
    for (verdict, place) in verdicts.iter_mut().zip(places) {
        if verdict.is_some_and(|verdict| verdict != Verdict::Accepted) && place.is_some_and(|place| !alone(place)) {
            *verdict = Some(Verdict::Open);
        }
    }
    let wishes = |sentence: &Said| places.iter().flatten().any(|place| sentence.span.contains(place));
    let polled = said.iter().any(|one| !wishes(one) && one.tokens.iter().any(|token| token.is(POLL)));
    match verdicts.iter().flatten().count() {
        0 if polled => verdicts.fill(Some(Verdict::Open)),
        _ if verdicts.iter().flatten().all(|verdict| *verdict == Verdict::Accepted) => {}
        // One word behind one of several wishes may be a note.
        1 if lines.len() > 1 && !polled => {
            for verdict in &mut verdicts {
                *verdict = verdict.map(|_| Verdict::Open);
            }
        }
        // A list in which some lines are decided: the others are not.
        _ => verdicts.iter_mut().for_each(|verdict| *verdict = verdict.or(Some(Verdict::Open))),
    }
    verdicts
}

/// The decision in the line of a wish: a word that stands apart behind it.
fn of_line(request: &str, place: usize) -> Option<Verdict> {
    let line = line_of(request, place);
    let mut tokens = tokenize(request.get(place..line.end)?);
    tokens.truncate(sentence_end(&tokens));
    let counted = |list: &[&str]| {
        let at = tokens.iter().position(|token| token.is(list))?;
        tokens.get(at.checked_sub(1)?)?.text.parse::<u32>().ok()
    };
    if let (Some(yes), Some(no)) = (counted(YES), counted(NO)) {
        return Some(match yes.cmp(&no) {
            std::cmp::Ordering::Greater => Verdict::Accepted,
            std::cmp::Ordering::Less => Verdict::Refused,
            std::cmp::Ordering::Equal => Verdict::Open,
        });
    }
    let apart = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let next = tokens.get(at.saturating_add(1));
        before.is_some_and(|token| !token.is_text()) && next.is_none_or(|token| !token.is_text() || token.is(BESIDE))
    };
    let decides = |at: &usize| tokens.get(*at).is_some_and(|token| token.is(YES) || token.is(NO)) && apart(at);
    let first = (0..tokens.len()).find(decides)?;
    let refused = tokens.get(first).is_some_and(|token| token.is(NO));
    Some(if refused { Verdict::Refused } else { Verdict::Accepted })
}

/// Where the sentence ends that begins here. Dots in a row lead to what stands behind them.
fn sentence_end(tokens: &[Token]) -> usize {
    let dot = |at: Option<usize>| at.and_then(|at| tokens.get(at)).is_some_and(|token| token.is_sign('.'));
    let ends = |at: &usize| {
        let alone = dot(Some(*at)) && !dot(at.checked_sub(1)) && !dot(at.checked_add(1));
        alone || tokens.get(*at).is_some_and(|token| ['?', '!', ';'].iter().any(|sign| token.is_sign(*sign)))
    };
    (0..tokens.len()).find(ends).unwrap_or(tokens.len())
}
