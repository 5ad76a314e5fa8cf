//! Parts of a sentence that no sign separates: `A should be called b and C should stay`.

use super::lexicon as words;
use super::sentence::Sentence;

/// Where the part of a token begins: with its clause, or with the `and` behind an order about something else.
pub(super) fn part_start(sentence: &Sentence<'_>, at: usize) -> usize {
    let start = sentence.clause_start(at);
    let named = |part: std::ops::Range<usize>| sentence.mentions.iter().any(|mention| part.contains(&mention.at));
    (start.saturating_add(1)..at)
        .rev()
        .find(|&join| joins(sentence, join) && orders(sentence, start..join) && named(start..join) && named(join..at))
        .map_or(start, |join| join.saturating_add(1))
}

/// Where a part that begins at a token ends: with its clause, or with `and` and another verb.
pub(super) fn part_end(sentence: &Sentence<'_>, from: usize) -> usize {
    let end = sentence.clause_end(from).max(from.saturating_add(1));
    let verb = |at: usize| sentence.is(at, words::OBLIGING) || sentence.is(at, words::KEEPING);
    (from.saturating_add(1)..end)
        .find(|&at| joins(sentence, at) && (from..at).any(verb) && (at..end).any(verb))
        .unwrap_or(end)
}

fn joins(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["and", "while", "whereas", "but"])
}

fn orders(sentence: &Sentence<'_>, part: std::ops::Range<usize>) -> bool {
    [words::OBLIGING, words::RENAME_PROPER, words::HIDING, words::MOVE_PROPER]
        .iter()
        .any(|list| sentence.has(part.clone(), list))
}
