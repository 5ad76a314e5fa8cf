//! Whether a verb tells what was done, or is a noun, and asks for nothing.

use super::super::lexicon as words;
use super::super::sentence::Sentence;
use super::calling::contracted;

/// `a name`, `the call`, `the rename`: no verb.
pub(in crate::reader) fn is_noun(sentence: &Sentence<'_>, at: usize) -> bool {
    let follows = at.checked_sub(1).is_some_and(|before| {
        sentence.is(
            before,
            &[
                "the", "a", "an", "this", "that", "its", "old", "new", "wire", "class", "property", "model", "method",
                "my", "our", "python", "java", "poor", "bad", "good", "better", "type", "in", "of", "each", "any",
            ],
        )
            // `change name to X`
            || sentence.is(at, &["name"]) && sentence.is(before, words::RENAMING)
    });
    follows
        && !sentence.commands_in_place(at)
        && sentence.is(
            at,
            &[
                "name", "call", "rename", "change", "update", "label", "fix", "surface", "switch", "read", "set",
                "use", "like", "show", "turn", "go", "named", "called", "project", "see", "write", "have", "get",
            ],
        )
}

/// Whether a sentence tells of a renaming that was done, or that something does.
pub(in crate::reader) fn tells(sentence: &Sentence<'_>) -> bool {
    // `two renames: A to B`: a noun.
    let noun = |at: usize| {
        sentence.is(at, &["renames"])
            && (sentence.is_sign(at.saturating_add(1), ':')
                || sentence.is(at.saturating_add(1), words::POLITE)
                || at.checked_sub(1).is_some_and(|before| {
                    sentence.is(
                        before,
                        &["two", "three", "four", "these", "those", "the", "following", "some", "more", "all"],
                    )
                }))
    };
    (0..sentence.tokens.len()).filter(|&at| !noun(at)).any(|at| {
        sentence.is(at, words::RENAMING)
            && (sentence.lower(at).ends_with("ed") || sentence.is(at, &["renames"]))
            && sentence.mention_at(at).is_none()
            && is_statement(sentence, at)
    })
}

/// Whether a verb tells what was done or is so, and asks for nothing.
pub(in crate::reader) fn is_statement(sentence: &Sentence<'_>, verb: usize) -> bool {
    let start = sentence.clause_start(verb);
    let window = start..verb;
    let modal = window.clone().any(|here| {
        sentence.is(here, &["ensure", "sure"])
            || sentence.is(here, words::MODALS) && !sentence.is(here, &["has", "have"])
            || contracted(sentence.lower(here))
            || sentence.phrase(here, &["has", "to"])
            || sentence.phrase(here, &["have", "to"])
            || sentence.phrase(here, &["is", "to"])
            || sentence.phrase(here, &["are", "to"])
            || sentence.is(here, words::POLITE)
            || sentence.is(here, &["let", "let's", "lets", "want", "like", "needs", "prefer", "can", "possible"])
    });
    if modal {
        return false;
    }
    let lower = sentence.lower(verb);
    if lower == "renames"
        || lower == "turned"
        || window.clone().any(|here| {
            sentence.is(here, &["formerly", "previously", "originally", "also"])
                && sentence.is(here.saturating_add(1), &["known", "called", "named"])
        })
    {
        return true;
    }
    let past = lower.ends_with("ed")
        || ["spelt", "written", "known", "made", "hid", "hidden", "set", "put", "shown", "called"].contains(&lower);
    let told = window.clone().any(|here| {
        sentence.lower(here).ends_with("'ve")
            || sentence.is(
                here,
                &[
                    "was", "were", "is", "are", "got", "been", "being", "has", "have", "had", "gets", "already",
                    "isn't", "aren't",
                ],
            )
    });
    let person = window.clone().any(|here| {
        sentence.is(here, &["i", "we", "they", "you", "somebody", "someone", "he", "she", "people", "reviewers"])
    });
    let by_verb = verb.checked_sub(1).is_some_and(|before| {
        sentence.is(before, &["i", "we", "they", "people", "users", "customers", "everybody", "everyone", "nobody"])
    });
    // `two of our SDKs (Java and Go) show X as Y`: what some have.
    let bracket = start
        .checked_sub(1)
        .filter(|&close| verb == start && sentence.is_sign(close, ')'))
        .and_then(|close| (0..close).rev().find(|&at| sentence.is_sign(at, '(')));
    let some = [bracket, Some(verb)].into_iter().flatten().filter_map(|at| at.checked_sub(1)).any(|at| {
        sentence.is(at, &["sdks", "languages", "libraries", "clients", "packages", "teams", "others", "them", "ones"])
    });
    if some {
        return true;
    }
    // `our fork renamed X to Y`: a subject of its own.
    let subject = ["renamed", "changed", "replaced"].contains(&lower)
        && verb > start
        && verb.checked_sub(1).is_some_and(|before| {
            sentence.get(before).is_some_and(|token| token.kind == super::super::token::Kind::Word && !token.quoted)
                && sentence.mention_at(before).is_none()
                && words::kinds_of(sentence.lower(before)).is_none()
        });
    // `renamed X to Y`: a line of a list of changes.
    let listed = verb == start && ["renamed", "changed"].contains(&lower);
    past && (told || person || listed || subject)
        || by_verb
            && !sentence
                .is(verb, &["prefer", "suggest", "propose", "recommend", "use", "want", "like", "need", "expect"])
        || told && ["rename", "call", "name"].contains(&lower) && !window.clone().any(|here| sentence.is(here, &["to"]))
}
