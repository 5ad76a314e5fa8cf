//! Decisions at the end of the line that gives the wish: `A -> B .... no`, `| a | b | yes (8 : 1) |`, `A to B: 1 yes / 5 no`.

use std::collections::HashMap;

use super::{Ask, Asked, Said, Verdict, line_of, wish};
use crate::reader::sentence::same_name;
use crate::reader::token::{Token, tokenize};

const YES: &[&str] = list! {
    "yes" "yep" "accepted" "approved" "agreed" "adopted" "carried" "passed"
};
const NO: &[&str] = list! {
    "no" "nope" "nah" "rejected" "declined" "refused" "denied" "vetoed" "dropped" "withdrawn"
};
/// What may stand beside such a word.
const BESIDE: &[&str] = list! {
    "of" "unanimously" "unanimous" "definitely" "clearly" "please" "for" "against" "course" "votes" "to"
};
/// Nouns of a poll, and what is said of one that is over.
const POLL: &[&str] = &["poll", "vote", "votes", "ballot", "ballots", "voting"];
const OVER: &[&str] = &["result", "results", "outcome", "closed", "counted", "here"];
/// Heads and labels of a decision.
const DECIDING: &[&str] = list! {
    "result" "results" "vote" "votes" "decision" "decided" "verdict" "outcome" "status" "accepted" "approved" "agreed" "poll"
};

/// What the lines of wishes decide about them.
pub(super) fn verdicts(
    request: &str,
    said: &[Said],
    asked: &[Asked],
    places: &[Option<usize>],
) -> Vec<Option<Verdict>> {
    let mut lines: HashMap<usize, usize> = HashMap::new();
    let starts: Vec<Option<usize>> =
        places.iter().map(|place| place.map(|place| line_of(request, place).start)).collect();
    for start in starts.iter().flatten() {
        let count = lines.entry(*start).or_default();
        *count = count.saturating_add(1);
    }
    let alone = |start: &Option<usize>| start.is_some_and(|start| lines.get(&start) == Some(&1));
    let decide = |((one, place), start): ((&Asked, &Option<usize>), &Option<usize>)| {
        // A line with two wishes does not say which of them it decides.
        place.filter(|_| alone(start)).and_then(|place| of_line(request, place, one))
    };
    let mut verdicts: Vec<Option<Verdict>> = asked.iter().zip(places).zip(&starts).map(decide).collect();
    let wishes = |sentence: &Said| places.iter().flatten().any(|place| sentence.span.contains(place));
    let has = |sentence: &Said, list: &[&str]| sentence.tokens.iter().any(|token| token.is(list));
    let votes_in = |sentence: &Said| (0..sentence.tokens.len()).any(|at| sentence.says(at, "votes are in"));
    let polled = said.iter().any(|one| !wishes(one) && (has(one, POLL) && has(one, OVER) || votes_in(one)));
    match verdicts.iter().flatten().count() {
        0 if polled => verdicts.fill(Some(Verdict::Open)),
        _ if verdicts.iter().flatten().all(|verdict| *verdict == Verdict::Accepted) => {}
        // One word behind one wish may be a note.
        1 if !polled => verdicts.iter_mut().for_each(|verdict| *verdict = verdict.map(|_| Verdict::Open)),
        // A list in which some lines are decided: the others are not.
        _ => verdicts.iter_mut().for_each(|verdict| *verdict = verdict.or(Some(Verdict::Open))),
    }
    verdicts
}

/// The decision in the line of a wish: a word that stands apart behind its names, and nothing else.
fn of_line(request: &str, place: usize, asked: &Asked) -> Option<Verdict> {
    let line = line_of(request, place);
    let text = request.get(line.clone())?;
    if text.trim_start().starts_with('|') && !decides_in(request, line.start) {
        return None;
    }
    let mut tokens = tokenize(request.get(place..line.end)?);
    tokens.truncate(sentence_end(&tokens));
    let own = |token: &Token| matches!(wish(asked), Some(Ask::Rename { name, .. }) if same_name(&token.text, name));
    let behind = tokens.iter().position(own).unwrap_or_default().saturating_add(1);
    let rest = tokens.get(behind..)?;
    let counted = |list: &[&str]| {
        let at = rest.iter().position(|token| token.is(list))?;
        rest.get(at.checked_sub(1)?)?.text.parse::<u32>().ok()
    };
    if let (Some(yes), Some(no)) = (counted(YES), counted(NO)) {
        return Some(match yes.cmp(&no) {
            std::cmp::Ordering::Greater => Verdict::Accepted,
            std::cmp::Ordering::Less => Verdict::Refused,
            std::cmp::Ordering::Equal => Verdict::Open,
        });
    }
    let at = rest.iter().position(|token| token.is(YES) || token.is(NO))?;
    let before = at.checked_sub(1).and_then(|before| rest.get(before))?;
    let apart = matches!(before.kind, crate::reader::token::Kind::Sign(_));
    // `breaking: no`
    let label = before.is_sign(':')
        && at
            .checked_sub(2)
            .and_then(|label| rest.get(label))
            .is_some_and(|token| token.is_text() && !token.is(DECIDING));
    let number = |token: &Token| token.text.chars().all(|c| c.is_ascii_digit());
    let next = rest.get(at.saturating_add(1));
    let ends =
        rest.iter().skip(at.saturating_add(1)).all(|token| !token.is_text() || number(token) || token.is(BESIDE));
    let goes_on = next.is_some_and(|token| token.is_sign(','));
    if !apart || label || !(ends || goes_on) {
        return None;
    }
    Some(if rest.get(at).is_some_and(|token| token.is(NO)) { Verdict::Refused } else { Verdict::Accepted })
}

/// Whether the head of the table that a line stands in names decisions.
fn decides_in(request: &str, start: usize) -> bool {
    let above = request.get(..start).unwrap_or_default();
    let rows = above.lines().rev().take_while(|line| line.trim_start().starts_with('|'));
    let head = rows.last().unwrap_or_default().to_lowercase();
    head.split(|c: char| !c.is_alphanumeric()).any(|word| DECIDING.contains(&word))
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
