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

/// An arrow in front of a verb begins another clause: `we need it -> make it public`.
fn arrows(tokens: &mut [Token]) {
    for at in 1..tokens.len() {
        let word =
            |offset: usize, words: &[&str]| tokens.get(at.saturating_add(offset)).is_some_and(|token| token.is(words));
        let verb = word(1, &["make", "hide", "show", "move", "rename", "expose"])
            && word(2, &["it", "this", "that", "them"])
            || word(1, &["please", "pls"]) && word(2, &["make", "hide", "show", "move", "rename", "expose"]);
        if let Some(token) = tokens.get_mut(at).filter(|token| token.kind == Kind::Arrow && verb) {
            token.kind = Kind::Sign(',');
        }
    }
}

/// Reads the phrases of a text as the words that they stand for.
pub(super) fn plain(tokens: &mut [Token]) {
    arrows(tokens);
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
