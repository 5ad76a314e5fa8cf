//! Words of a sentence by which a reading is about something else than the name of its target: a part of the thing, a text
//! about it, or something new in it.

use super::super::document::Ask;
use super::super::lexicon as words;
use super::super::sentence::{Sentence, Zone};

/// What a thing has beside its name, and what is written of it elsewhere. No name of the client changes with them.
pub(super) const PARTS: &[&str] = list! {
    "doc" "docs" "documentation" "docstring" "docstrings" "summary" "summaries" "description" "descriptions" "comment" "comments"
    "remark" "label" "labels" "entry" "entries" "reference" "references" "changelog" "readme" "title" "header" "heading"
    "copyright" "license" "link" "links" "page" "caption"
};

/// What changes with the name, or with who sees it.
const NAMES: &[&str] = list! {
    "name" "names" "naming" "identifier" "spelling" "casing" "case" "capitalization" "capitalisation" "wording" "word" "term"
    "visibility" "accessibility" "access" "exposure" "rename" "renaming" "renames" "all" "any" "some" "each" "both" "one" "most"
    "rest" "instance" "occurrence" "instances" "occurrences" "use" "usage" "uses" "spellings" "instead" "favor" "favour"
    "because" "out" "outside" "inside" "speaking" "think" "part" "kind" "sort" "sake" "place" "lieu" "list" "top"
};

/// `the summary of X`, `update the docs from X`, `the comment says X`, `in the description`, `X should have a property called Y`:
/// a part of the thing, a text about it or a new thing, where its name or its place would change.
pub(super) fn is_about_a_part(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let Some(target) = ask.target() else { return false };
    let plain = |at: usize| sentence.is_text(at) && sentence.mention_at(at).is_none() && !is_quoted(sentence, at);
    let open = |at: usize| !matches!(sentence.zone(at), Zone::Reason | Zone::Comparison);
    sentence.mentions.iter().filter(|mention| mention.candidates.contains(&target)).any(|mention| {
        let mut at = mention.at;
        while let Some(before) = at.checked_sub(1)
            && (sentence.is(before, ARTICLES) || is_kind(sentence, before) || !sentence.is_text(before))
            && !sentence.is_sign(before, ':')
            && !sentence.is_sign(before, ',')
            && !sentence.is(before, PARTS)
        {
            at = before;
        }
        let Some(before) = at.checked_sub(1) else { return has_something_new(sentence, mention.end) };
        let noun = before.checked_sub(1);
        let of_a_part = sentence.is(before, &["of"])
            && noun.is_some_and(|noun| {
                sentence.is_text(noun)
                    && !is_quoted(sentence, noun)
                    && open(noun)
                    && !is_name(sentence, noun)
                    && follows_article(sentence, noun)
            });
        // `the audit entries operations (X, Y)`: words of the kind, and no part of the thing.
        let named = is_kind(sentence, before.saturating_add(1));
        let in_a_text = sentence.is(before, PARTS) && plain(before) && open(before) && !named
            || sentence.is(before, &["from", "says", "say", "reads", "mentions", "contains"])
                && noun.is_some_and(|noun| sentence.is(noun, PARTS) && plain(noun) && open(noun));
        // `q of queryStore should be text`, `Endpoint on the receiver should be Address`: what is in it, or at it.
        let of_another = sentence.is(before, &["of", "on", "in", "at"])
            && noun.is_some_and(|noun| {
                let single = sentence.get(noun).is_some_and(|token| {
                    token.text.chars().count() == 1
                        && token.text.chars().all(char::is_alphabetic)
                        && !token.is(&["a", "i"])
                });
                let named = sentence.get(noun).is_some_and(|token| token.text.starts_with(char::is_uppercase))
                    && sentence.clause_start(noun) == noun
                    && sentence.is(at, ARTICLES);
                let kind =
                    &["method", "property", "parameter", "class", "field", "operation", "argument", "name", "member"];
                single || named && !sentence.is(noun, kind)
            });
        of_a_part
            || of_another
            || in_a_text
            || has_something_new(sentence, mention.end)
            || stands_in_a_text(sentence, mention.end)
    })
}

/// `the name of X`, `the Java version of X`, and not `the wire name of X`
fn is_name(sentence: &Sentence<'_>, noun: usize) -> bool {
    let before = noun.checked_sub(1);
    let wire =
        before.is_some_and(|before| sentence.is(before, words::WIRE) || sentence.is(before, &["wire", "json", "rest"]));
    let spoken = before.is_some_and(|before| sentence.languages.iter().any(|(at, ..)| *at == before));
    // `drop the suffix of X` makes the new name of the old one.
    let of_the_name = sentence.is(
        noun,
        &["suffix", "prefix", "ending", "end", "beginning", "abbreviation", "postfix", "half", "letters", "scope"],
    ) && sentence.any(&[
        "drop",
        "remove",
        "strip",
        "lose",
        "omit",
        "cut",
        "add",
        "expand",
        "spell",
        "write",
        "shorten",
        "trim",
        "take",
        "prepend",
        "append",
        "without",
        "delete",
        "put",
        "needs",
        "unnecessary",
        "redundant",
    ]);
    sentence.is(noun, NAMES) && !wire || spoken || of_the_name
}

const ARTICLES: &[&str] = list! { "the" "a" "an" "our" "its" "this" "that" "these" "those" };

fn is_kind(sentence: &Sentence<'_>, at: usize) -> bool {
    words::KIND_NOUNS.iter().any(|(nouns, _)| sentence.is(at, nouns))
}

fn is_quoted(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.get(at).is_some_and(|token| token.quoted)
}

/// Whether an article stands at most two words before a noun: `the wire name`, `the HTTP path`.
fn follows_article(sentence: &Sentence<'_>, noun: usize) -> bool {
    (1..=3).filter_map(|back| noun.checked_sub(back)).any(|at| sentence.is(at, ARTICLES))
}

/// `X should have a property called Y`, `X needs a field named Y`
fn has_something_new(sentence: &Sentence<'_>, end: usize) -> bool {
    let has = |at: usize| sentence.is(at, &["have", "get", "gain", "receive", "contain", "include"]);
    let wants = sentence.is(end, words::MODALS) && has(end.saturating_add(1))
        || sentence.is(end, &["needs", "lacks", "misses", "gets", "wants"]);
    let from = end.saturating_add(1);
    wants
        && (from..from.saturating_add(4)).any(|at| {
            sentence.is(at, &["a", "an", "another", "new"]) && {
                let next = at.saturating_add(1);
                (next..next.saturating_add(2)).any(|at| is_kind(sentence, at))
            }
        })
}

/// `… in the comment`, `… in the doc comment of the class` behind what is asked.
fn stands_in_a_text(sentence: &Sentence<'_>, end: usize) -> bool {
    (end..sentence.tokens.len()).any(|at| {
        let noun = (1..=3).map(|ahead| at.saturating_add(ahead)).find(|&noun| sentence.is(noun, PARTS));
        sentence.is(at, &["in", "inside", "within"])
            && sentence.is(at.saturating_add(1), ARTICLES)
            && !matches!(sentence.zone(at), Zone::Reason | Zone::Comparison)
            && noun.is_some_and(|noun| !is_quoted(sentence, noun) && !is_kind(sentence, noun.saturating_add(1)))
    })
}
