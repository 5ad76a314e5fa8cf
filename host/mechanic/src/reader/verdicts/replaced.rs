//! A new name that another one takes the place of behind it: `So not X but Y.`, `Decision: Y`.

use std::ops::Range;

use super::{Ask, Asked, Doubt, Said, wish};
use crate::reader::sentence::same_name;
use crate::reader::token::Token;

/// Words by which a sentence only thinks of something.
const IMAGINED: &[&str] = list! {
    "would" "could" "might" "may" "maybe" "perhaps" "why" "if" "unless" "whether" "should've" "was" "were" "had" "used"
};
/// Labels of what was decided in the end.
const DECIDED: &[&str] = list! {
    "decision" "decided" "outcome" "resolution" "conclusion" "verdict" "consensus" "agreed" "result"
};

/// Words of a sentence that says what was agreed on.
const AGREED: &[&str] = &["agreement", "consensus", "agreed", "decision"];

/// Gives wishes the name that replaces theirs behind them, and drops the names that a decision leaves out.
pub(super) fn replace(said: &[Said], asked: &mut Vec<Asked>) {
    for sentence in said {
        if let Some((old, new)) = exchanged(sentence) {
            for one in asked.iter_mut().filter(|one| one.span.end <= sentence.span.start) {
                if let Some(Ask::Rename { target, name }) = wish(one)
                    && same_name(name, &old)
                {
                    one.ask = Ask::Rename { target: *target, name: new.clone() };
                    one.span = sentence.span.clone();
                }
            }
        }
        if sentence.tokens.iter().any(|token| token.is(AGREED)) {
            hold_others(asked, &sentence.span);
        }
        if let Some(decided) = decided(sentence) {
            settle(asked, &sentence.span, &decided);
        }
    }
}

/// `not X but Y`, where nothing of the sentence only imagines it.
fn exchanged(sentence: &Said) -> Option<(String, String)> {
    let name = |at: usize| sentence.tokens.get(at).filter(|token| is_given(token)).map(last_part);
    let thought = sentence.tokens.iter().any(|token| token.is(IMAGINED) || token.is_sign('?'));
    (0..sentence.tokens.len()).filter(|_| !thought).find_map(|at| {
        let old = name(at.saturating_add(1)).filter(|_| sentence.is(at, &["not"]))?;
        let comma = usize::from(sentence.is_sign(at.saturating_add(2), ','));
        let but = at.saturating_add(2).saturating_add(comma);
        let new = name(but.saturating_add(1)).filter(|_| sentence.is(but, &["but"]))?;
        (!same_name(&old, &new)).then_some((old, new))
    })
}

/// The one name behind a label: `Decision: Y.`
fn decided(sentence: &Said) -> Option<String> {
    let label = (0..sentence.tokens.len())
        .find(|&at| sentence.is(at, DECIDED) && sentence.is_sign(at.saturating_add(1), ':'))?;
    let behind = sentence.tokens.get(label.saturating_add(2)..)?;
    let mut names = behind.iter().filter(|token| token.is_text());
    let name = names.next().filter(|token| is_given(token))?;
    names.next().is_none().then(|| last_part(name))
}

/// `Agreement was to rename it to Y`: the names in front of it wait for a person.
fn hold_others(asked: &mut [Asked], agreed: &Range<usize>) {
    let rename = |one: &Asked| match wish(one) {
        Some(Ask::Rename { target, name }) => Some((*target, name.clone())),
        _ => None,
    };
    let within = |one: &&Asked| agreed.start <= one.span.start && one.span.end <= agreed.end;
    let given: Vec<(usize, String)> = asked.iter().filter(within).filter_map(rename).collect();
    for one in asked.iter_mut().filter(|one| one.span.end <= agreed.start) {
        let is_another = |(target, name): (usize, String)| {
            given.iter().any(|(other, new)| *other == target && !same_name(new, &name))
        };
        if rename(one).is_some_and(is_another) {
            one.hold(Doubt::Undecided);
        }
    }
}

/// Of several names of one thing, the decided one is left.
fn settle(asked: &mut Vec<Asked>, decision: &Range<usize>, decided: &str) {
    let renames = |one: &Asked, is_decided: bool| match wish(one) {
        Some(Ask::Rename { target, name }) if same_name(name, decided) == is_decided => Some(*target),
        _ => None,
    };
    let settled: Vec<usize> = asked.iter().filter_map(|one| renames(one, true)).collect();
    asked.retain(|one| {
        one.span.start >= decision.start || renames(one, false).is_none_or(|target| !settled.contains(&target))
    });
}

fn is_given(token: &Token) -> bool {
    token.is_text() && (token.quoted || token.looks_like_name())
}

fn last_part(token: &Token) -> String {
    token.text.rsplit(['.', '#', ':']).next().unwrap_or_default().to_owned()
}
