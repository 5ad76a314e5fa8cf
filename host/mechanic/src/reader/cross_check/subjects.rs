//! Sentences that say for themselves what they are about, and which of two things they mean.

use super::super::document::Ask;
use super::super::lexicon as words;
use super::super::sentence::{Sentence, same_name};

/// `we will write a wrapper that should be called x`, `the package should be x`: the name is for something that the
/// specification does not have, and not for what was spoken of before.
pub(super) fn has_a_subject_of_its_own(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let Ask::Rename { target, .. } = ask else { return false };
    let named = sentence.mentions.iter().any(|mention| mention.candidates.contains(target));
    let article = ["the", "a", "an", "our", "this", "its", "their", "your"];
    let verb =
        |at: usize| sentence.is(at, words::OBLIGING) || sentence.is(at, &["becomes", "shall", "will", "is", "has"]);
    !named
        && (stands_for_something_new(sentence)
            || (1..sentence.tokens.len()).any(|at| {
                let next = at.saturating_add(1);
                let behind = if sentence.is(next, &["that", "which"]) { next.saturating_add(1) } else { next };
                sentence.is(at.saturating_sub(1), &article) && sentence.is(at, FOREIGN) && verb(behind)
            }))
}

/// `it is replaced by a custom method, it should be called x`: the pronoun stands for what its sentence brings up.
fn stands_for_something_new(sentence: &Sentence<'_>) -> bool {
    let noun = |at: usize| words::kinds_of(sentence.lower(at)).is_some() || sentence.is(at, FOREIGN);
    // `it is a method that …`: the noun is what is spoken of.
    let said_of_it = ["is", "was", "it's", "that's", "as", "like", "such", "not", "really", "just", "actually"];
    let brought_up = (1..sentence.tokens.len()).find_map(|at| {
        let new = sentence.is(at, &["a", "an", "another"]) && !sentence.is(at.saturating_sub(1), &said_of_it);
        (at.saturating_add(1)..at.saturating_add(4)).find(|&here| new && noun(here))
    });
    brought_up.is_some_and(|noun| {
        (noun..sentence.tokens.len()).any(|at| {
            sentence.is(at, &["it", "that", "which", "this"])
                && (sentence.is(at.saturating_add(1), words::OBLIGING)
                    || sentence.is(at.saturating_add(1), &["is", "will", "shall", "would"]))
        })
    })
}

/// `the list version becomes x`: a word of a longer noun, and not the property of that name.
pub(super) fn is_part_of_a_noun(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let Some(target) = ask.target() else { return false };
    let mut own = sentence.mentions.iter().filter(|mention| mention.candidates.contains(&target)).peekable();
    let plain = |at: usize| {
        sentence.get(at).is_some_and(|token| !token.quoted && token.text == token.lower && !token.looks_like_name())
    };
    own.peek().is_some()
        && own.all(|mention| {
            let before = mention.at.saturating_sub(1);
            let noun = mention.at >= 2
                && sentence.is_text(before)
                && plain(before)
                && sentence.is(before.saturating_sub(1), &["the", "a", "this", "our"])
                && !sentence.is(before, words::FILLERS)
                && words::kinds_of(sentence.lower(before)).is_none()
                && sentence.languages.iter().all(|(at, ..)| *at != before)
                && sentence.mention_at(before).is_none_or(|other| !other.strong);
            !mention.strong && plain(mention.at) && noun
        })
}

/// `not to a but to b`, of which a was read.
pub(super) fn is_the_name_that_is_refused(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let Ask::Rename { name, .. } = ask else { return false };
    (1..sentence.tokens.len()).any(|at| {
        let named = sentence.get(at).is_some_and(|token| same_name(&token.text, name));
        let next = at.saturating_add(1);
        named
            && sentence.has(at.saturating_sub(2)..at, &["not"])
            && (sentence.is(next, &["but"]) || sentence.is(next.saturating_add(1), &["but"]))
    })
}

/// `renaming it would be nice, but for now hide it`: what comes behind is what is wanted.
pub(super) fn is_put_behind(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    matches!(ask, Ask::Rename { .. } | Ask::Move { .. })
        && (0..sentence.tokens.len()).any(|at| {
            sentence.phrase(at, &["would", "be"])
                && sentence.is(at.saturating_add(2), &["nice", "great", "good", "better", "ideal", "perfect"])
                && (at..sentence.tokens.len()).any(|here| sentence.is(here, &["but"]))
                && (sentence.any(&["only", "just"])
                    || (at..sentence.tokens.len()).any(|here| sentence.phrase(here, &["for", "now"])))
        })
}

/// What a package has beside what its specification declares.
const FOREIGN: &[&str] = list! {
    "wrapper" "package" "namespace" "module" "helper" "test" "tests" "sample" "file" "folder" "result" "result type" "library"
    "artifact" "branch" "repository" "variable" "alias" "overload" "extension" "subclass" "decorator" "version"
};
