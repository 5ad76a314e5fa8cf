//! A new name that another one takes the place of behind it: `So not X but Y.`, `Decision: Y`.

use std::ops::Range;

use bailiwick_sdk::tasks::Language;

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
pub(super) fn replace(said: &[Said], language: Language, asked: &mut Vec<Asked>) {
    for sentence in said.iter().filter(|sentence| !sentence.is_of_others(language)) {
        for (old, new) in exchanged(sentence) {
            for one in asked.iter_mut().filter(|one| one.span.end <= sentence.span.start) {
                exchange(one, &old, &new, &sentence.span);
            }
        }
        if sentence.tokens.iter().any(|token| token.is(AGREED)) {
            hold_others(asked, &sentence.span);
        }
        if leaves_it(sentence) {
            let before = |one: &&mut Asked| one.span.end <= sentence.span.start;
            asked.iter_mut().filter(before).for_each(|one| one.hold(Doubt::Undecided));
        }
        if let Some(decided) = decided(sentence) {
            settle(asked, &sentence.span, &decided);
        }
    }
}

/// Gives a wish the new name. What it waits for stays.
fn exchange(one: &mut Asked, old: &str, new: &str, said: &Range<usize>) {
    match &mut one.ask {
        Ask::Rename { name, .. } if same_name(name, old) => {
            new.clone_into(name);
            one.span = said.clone();
        }
        Ask::Unsure(Doubt::Held(held)) => {
            let Ask::Rename { name, .. } = &mut held.reading else { return };
            if !same_name(name, old) {
                return;
            }
            new.clone_into(name);
            // What is set aside waits for this very decision.
            if held.doubt == Doubt::Undecided {
                one.ask = held.reading.clone();
                one.span = said.clone();
            }
        }
        _ => {}
    }
}

/// `not X but Y`, where nothing of the sentence only imagines it.
fn exchanged(sentence: &Said) -> Vec<(String, String)> {
    let name = |at: usize| sentence.tokens.get(at).filter(|token| is_given(token)).map(last_part);
    let thought = sentence.tokens.iter().any(|token| token.is(IMAGINED) || token.is_sign('?'));
    // `Ines wants not X but Y`: what somebody wants.
    let own = |at: usize| {
        at.checked_sub(1).is_none_or(|before| {
            !sentence.is_text(before)
                || sentence.is(before, &["so", "be", "is", "it", "should", "called", "named", "to", "rather", "then"])
        })
    };
    let pair = |at: usize| {
        let old = name(at.saturating_add(1)).filter(|_| sentence.is(at, &["not"]) && own(at))?;
        let comma = usize::from(sentence.is_sign(at.saturating_add(2), ','));
        let but = at.saturating_add(2).saturating_add(comma);
        let new = name(but.saturating_add(1)).filter(|_| sentence.is(but, &["but"]))?;
        (!same_name(&old, &new)).then_some((old, new))
    };
    (0..sentence.tokens.len()).filter(|_| !thought).filter_map(pair).collect()
}

/// Where a label stands that says what was decided: `Decision:`, `Final decision:`, and not `No decision:`.
fn label(sentence: &Said) -> Option<usize> {
    let label = (0..sentence.tokens.len())
        .find(|&at| sentence.is(at, DECIDED) && sentence.is_sign(at.saturating_add(1), ':'))?;
    let leads = |at: usize| !sentence.is_text(at) || sentence.is(at, &["final", "the", "our"]);
    let open = sentence.tokens.iter().any(|token| token.is(IMAGINED) || token.is_sign('?'));
    ((0..label).all(leads) && !open).then_some(label)
}

/// `Decision: keep.`, `Decision: as is`, `Consensus: no rename.`
fn leaves_it(sentence: &Said) -> bool {
    const LEAVING: &[&str] = list! {
        "keep" "keeps" "kept" "stays" "stay" "no" "not" "defer" "deferred" "later" "current" "existing" "unchanged" "rejected" "declined"
        "wontfix" "none" "postponed" "👎" "-1"
    };
    label(sentence).is_some_and(|label| {
        let behind = sentence.tokens.get(label.saturating_add(2)..).unwrap_or_default();
        let text = || behind.iter().filter(|token| token.is_text());
        let as_is = (label..sentence.tokens.len()).any(|at| sentence.says(at, "as is"));
        let leaves = behind.first().is_some_and(|token| token.is(LEAVING)) || as_is;
        leaves && text().count() < 6 && !text().any(Token::looks_like_name)
    })
}

/// The one name behind a label: `Decision: Y.`
fn decided(sentence: &Said) -> Option<String> {
    let behind = sentence.tokens.get(label(sentence)?.saturating_add(2)..)?;
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
