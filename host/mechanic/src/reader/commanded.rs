//! Names that are plain nouns: `rename displayName to name`. They are names only where a command leaves nothing else.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::lexicon as words;
use super::names::{NewName, ends_thought, opens_a_pair};
use super::sentence::Sentence;
use super::token::Kind;

/// Nouns that are names only where a command leaves nothing else: `rename displayName to name`.
const NOUNS: &[&str] = list! {
    "name" "kind" "note" "comment" "comments" "request" "review" "level" "list" "page" "example" "instance" "option" "question" "service"
    "client" "model" "property" "parameter" "method" "operation" "field" "place" "part" "sort" "reminder" "suggestion" "idea" "first"
    "second" "third" "last" "next" "previous" "open" "closed" "active" "inactive" "pending" "change" "changes" "set" "thing" "things"
};

/// The name of `rename displayName to name`: the verb begins the clause, its object is certain, and nothing follows but the
/// language.
pub(super) fn commanded(sentence: &Sentence<'_>, at: usize) -> Option<NewName> {
    let token = sentence.get(at).filter(|token| token.kind == Kind::Word && !token.quoted && token.is(NOUNS))?;
    let to = at.checked_sub(1).filter(|&to| sentence.is(to, &["to"]))?;
    let verb = object(sentence, to)?.checked_sub(1).filter(|&verb| sentence.is(verb, words::RENAME_PROPER))?;
    let start = sentence.clause_start(verb);
    let start = sentence.behind_place(start).unwrap_or(start);
    let begins =
        (start..verb).all(|here| sentence.is(here, words::POLITE) || sentence.is(here, &["and", "also", "then"]));
    let next = at.saturating_add(1);
    let ends = ends_thought(sentence, sentence.behind_place(next).unwrap_or(next)) || opens_a_pair(sentence, next);
    (begins && ends).then(|| NewName { at, text: token.text.clone() })
}

/// Where the object begins that ends at a token: `X.y`, `the property y of the model X`.
fn object(sentence: &Sentence<'_>, end: usize) -> Option<usize> {
    let start = thing(sentence, end)?;
    let of = start.checked_sub(1).filter(|&of| sentence.is(of, &["of", "on"]));
    match of {
        Some(of) => thing(sentence, of),
        None => Some(start),
    }
}

/// Where a thing begins that is certainly named and ends at a token, with its kind and its article: `the X property`.
fn thing(sentence: &Sentence<'_>, end: usize) -> Option<usize> {
    let is_kind = |at: usize| words::kinds_of(sentence.lower(at)).is_some();
    let named = |end: usize| sentence.mentions.iter().find(|mention| mention.strong && mention.end == end);
    let behind = end.checked_sub(1).filter(|&last| is_kind(last));
    let mut start = named(end).or_else(|| named(behind?))?.at;
    let steps: [&dyn Fn(usize) -> bool; 2] = [&is_kind, &|at| sentence.is(at, &["the"])];
    for skipped in steps {
        start = start.checked_sub(1).filter(|&before| skipped(before)).unwrap_or(start);
    }
    Some(start)
}
