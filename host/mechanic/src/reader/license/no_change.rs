//! What a text says of having no wish, or of a wish that is still to be carried out.

use super::super::lexicon as words;
use super::super::sentence::Sentence;

/// `Nothing to change here.`, `No action needed.`: it begins with that.
pub(in crate::reader) fn says_no_change(sentence: &Sentence<'_>) -> bool {
    let count = sentence.tokens.len();
    let first = (0..count).find(|&at| sentence.is_text(at));
    first.is_some_and(|at| no_change(sentence, at, sentence.clause_end(at)))
}

/// `nothing to change for us`, `no changes needed`: what is not said of other languages, of the wire, or of the rest.
pub(super) fn no_change(sentence: &Sentence<'_>, at: usize, end: usize) -> bool {
    let next = at.saturating_add(1);
    let ours = |words: &[&str]| sentence.has(next..end, words);
    let nothing = sentence.is(at, &["nothing"])
        && !sentence.phrase(at, &["nothing", "to", "do", "with"])
        && (sentence.is(next, &["to", "for", "needs", "changes"]))
        && ours(&["to", "us", "needs", "changes", "here"]);
    // `No code change from this.`
    let in_code = sentence.is(at, &["no"])
        && sentence.is(next, &["code"])
        && sentence.is(next.saturating_add(1), &["change", "changes"])
        && sentence.clause_start(at) == at;
    let none = in_code && !ours(words::WIRE)
        || sentence.is(at, &["no"])
            && sentence.is(next, &["change", "changes", "action", "rename", "renames", "work"])
            && ours(&["needed", "required", "necessary", "us", "here", "our", "please"]);
    let elsewhere = ours(&["else", "more", "further", "other", "others", "rest"])
        || ours(words::WIRE)
        || sentence
            .languages
            .iter()
            .any(|(place, language, _)| (at..end).contains(place) && *language != sentence.language);
    // `tsp format has nothing to change`
    let of_a_tool = sentence.has(0..at, &["format", "formatter", "lint", "linter", "prettier", "tsp", "diff", "ci"]);
    (nothing || none) && !elsewhere && !of_a_tool
}

/// `not yet done`
pub(super) fn is_done(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["done", "applied", "implemented", "merged", "renamed", "addressed", "resolved"])
}
