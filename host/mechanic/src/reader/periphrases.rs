//! Phrases that stand for one plain word: they are read as that word.

use super::token::{Kind, Token};

/// Each place of a phrase with the words that may stand there, and the plain words, the last one for all places left.
type Periphrasis = (&'static [&'static [&'static str]], &'static [&'static str]);

const PERIPHRASES: &[Periphrasis] = &[
    (&[&["had", "'d"], &["better"], &["be", "become", "read", "say", "go", "use", "make"]], &["should", "rather", ""]),
    (
        &[&["can", "could", "may", "might"], &["i", "we"], &["ask", "beg", "bother", "trouble"], &["you"], &["to"]],
        &["please"],
    ),
    (&[&["be"], &["so"], &["kind", "good", "nice"], &["as"], &["to"]], &["please"]),
    (&[&["be"], &["so"], &["kind", "good", "nice"], &["to"]], &["please"]),
    (&[&["go"], &["ahead"], &["and"]], &["please"]),
    (&[&["do"], &["me", "us"], &["a", "the"], &["favour", "favor"], &["and"]], &["please"]),
    (&[&["u"]], &["you"]),
    // Of an outcome that is told as what will be.
    (&[&["gets", "get"], &["spelled", "spelt", "renamed", "called"], &["out", "to", "as"]], &["should", "renamed", ""]),
    (&[&["is", "are"], &["kindly", "please"], &["to"]], &["is", "to"]),
];

/// Reads the phrases of a text as the words that they stand for.
pub(super) fn plain(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let stands = |phrase: &[&[&str]]| {
            phrase.iter().enumerate().all(|(offset, words)| {
                let token = tokens.get(at.saturating_add(offset));
                token.is_some_and(|token| token.kind == Kind::Word && token.is(words))
            })
        };
        let Some((phrase, words)) = PERIPHRASES.iter().find(|(phrase, _)| stands(phrase)) else { continue };
        for offset in 0..phrase.len() {
            let word = words.get(offset).or(words.last()).filter(|word| !word.is_empty());
            if let (Some(token), Some(word)) = (tokens.get_mut(at.saturating_add(offset)), word) {
                token.lower = (*word).to_owned();
            }
        }
    }
}
