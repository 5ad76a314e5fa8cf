//! The forms of requests, as data.
//!
//! One form a line. A word stands for itself, `a|b` for either, `[a|b]` may be missing. The capitals are slots:
//! `{T}` the target with its kind and what holds it, `{N}` a new name, `{I}` a word such as `internal`, `{V}` a word such
//! as `public`, `{L}` where an operation shall live (an interface, the root client, a new group), `{K}` a noun for a kind, `{P}` the public surface, `{S}` the client library as the subject of the sentence. Courtesy, articles and
//! the package's language may stand between any two parts; every other word must be named here.

use super::intents::Verb;

/// Requests to hide something.
const HIDE: &[&str] = &[
    "hide|hides|conceal {T} [away]",
    "make|mark|set|turn|declare|flag|treat|change|switch|render {T} [as|to|into] [be] {I} [{K}]",
    "set|change|make|switch|turn access|visibility|accessibility|access-level of|for|on {T} [to|as|into] {I}",
    "set|change|make|switch|turn {T} ['s] access|visibility|accessibility|access-level [to|as|into] {I}",
    "give {T} {I} access|visibility|accessibility",
    "change|switch|turn|make {T} from {V} [to|into] {I}",
    "add|apply|put|use|set [@access] access.internal to|on|for {T}",
    "remove|drop|take|pull|strip|exclude|omit|withdraw {T} from|off {P}",
    "take|pull|move {T} out of {P}",
    "{T} should|must|shall be [made|marked|set|kept] [as] {I} [{K}]",
    "can|could|would|will {T} be [made|marked|set] [as] {I} [{K}]",
    "{T} needs|has|ought to be [made|marked|set] [as] {I}",
    "[i|we] [would] want|need|like {T} [to] [be] [made|marked|set] [as] {I}",
    "{T} should|must|shall not be [part] [of|in|on] {P}",
    "{T} should|must|shall not be {V}",
    "{T} should|must|shall no longer be {V}",
    "{T} should|must|shall not appear|show|be [up] in|on {P}",
    "{T} ought not to be {V}",
    "{T} is not supposed|meant|intended to be {V}",
    "{T} is not supposed|meant|intended to be [part] of|in {P}",
    "do not expose|publish|surface|export {T} [publicly]",
    "[we|you|{S}] should|must not expose|publish|surface|export {T} [publicly]",
    "[i|we] do not want {T} [to] [be] {V}",
    "[i|we] do not want {T} [to] [be] [part] in|of|on {P}",
    "users|customers|developers|callers|consumers|people should|must not see|call|access|reach {T}",
    "users|customers|developers|callers|consumers|people should|must not be able to see|call|access|reach {T}",
    "restrict|limit {T} to internal use",
    "mark|make|set {T} for internal use",
    "{T} should|must be for internal use",
    "{T} is|was already [made|marked|set] [as] {I}",
    "{T} has|have already been [made|marked|set] [as] {I}",
    "[i|we] [have] already hid|hidden {T}",
    "[i|we] [have] already made|marked|set {T} [as|to] {I}",
    "make sure|certain [that] {T} is|gets|becomes|stays|remains [made|marked|set] [as] {I}",
    "ensure [that] {T} is|gets|becomes|stays|remains [made|marked|set] [as] {I}",
    "make sure|certain [that] {T} is not [part] of|in|on {P}",
    "make sure|certain [that] {T} is not {V}",
    "ensure [that] {T} is not [part] of|in|on {P}",
    "ensure [that] {T} is not {V}",
    "make sure|certain to hide {T}",
];

/// Requests to rename something.
const RENAME: &[&str] = &[
    "rename|renames {T} to|as|into|-> [name] {N}",
    "rename from {T} to|-> [name] {N}",
    "{T} should|must|shall be called|named|renamed|known [to|as|->] {N}",
    "{T} needs|has|ought to be called|named|renamed [to|as|->] {N}",
    "can|could|would|will {T} be called|named|renamed [to|as|->] {N}",
    "[i|we] [would] want|need|like {T} [to] [be] called|named|renamed [to|as|->] {N}",
    "call|name {T} [as] {N}",
    "change|set|update|switch|alter [client|display] name of|for {T} to|into|as|-> {N}",
    "change|set|update|switch|alter {T} ['s] [client] name to|into|as|-> {N}",
    "change|switch|update name from {T} to|into|-> {N}",
    "replace name of {T} with|by {N}",
    "replace name {T} with|by {N}",
    "replace {T} ['s] name with|by {N}",
    "use|take|choose|pick|adopt [client|new] name {N} for|on {T}",
    "use|take|choose|pick|adopt {N} as|for [client|new] name of|for {T}",
    "use|take|choose|pick|adopt {N} as {T} ['s] [client|new] name",
    "give {T} [client|new] name [of] {N}",
    "[client] name of|for {T} should|must|shall be [changed|set] [to] {N}",
    "[client] name of|for {T} needs|has|ought to be [changed|set] [to] {N}",
    "{T} ['s] [client] name should|must|shall be [changed|set] [to] {N}",
    "refer to {T} as {N}",
    "add|apply|set|put|use client name|@clientname {N} to|on|for {T}",
    "{T} is|was already called|named|renamed|known [to|as] {N}",
    "{T} has|have already been called|named|renamed [to|as] {N}",
    "[i|we] [have] already renamed {T} to|as|into|-> {N}",
    "[i|we] [have] already called|named {T} [as] {N}",
    "make sure|certain [that] {T} is|gets|becomes called|named|renamed|known [to|as] {N}",
    "ensure [that] {T} is|gets|becomes called|named|renamed|known [to|as] {N}",
    "make sure|certain to rename {T} to|as|into|-> {N}",
];

/// Requests to move an operation.
const MOVE: &[&str] = &[
    "move|moves|relocate {T} to|into|onto|under {L}",
    "put|place {T} in|into|on|onto|under {L}",
    "{T} should|must|shall be [moved|placed|put] to|into|in|on|under {L}",
    "{T} should|must|shall live in|on|under {L}",
    "{T} needs|has|ought to be moved to|into {L}",
    "[i|we] [would] want|need|like {T} [to] [be] moved to|into {L}",
    "{T} has|have already been moved to|into {L}",
    "make sure|certain to move {T} to|into {L}",
];

/// Requests to put a pasted error right; they are about nothing but the log below them.
const FIX: &[&str] = &[
    "fix|repair|resolve|correct build|mypy|compile|type|compilation|import [error|errors|failure|failures|problem|problems|break] [below|above]",
    "fix|repair|resolve|correct error|errors|failure|failures|problem|problems [below|above]",
    "fix|repair|resolve|correct this|these|following build|mypy|compile|type|compilation|import [error|errors|failure|failures|problem|problems] [below|above]",
    "fix|repair|resolve|correct this|these|following error|errors|failure|failures|problem|problems [below|above]",
    "fix|repair|resolve|correct this|it",
    "fix|repair {S}",
    "regenerate {S}",
];

/// Remarks that ask for nothing.
const NOTHING: &[&str] = &["lgtm", "looks good [to] [me]", "no changes|change needed|required|necessary"];

/// One place of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Word {
        words: Vec<&'static str>,
        optional: bool,
    },
    Target,
    Name,
    /// Where an operation shall live.
    Place,
    Internal,
    Visible,
    Public,
    /// A noun for a kind, which the target must have. May be missing.
    Kind,
    Subject {
        optional: Vec<&'static str>,
    },
}

/// One form of a request.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    pub(crate) verb: Verb,
    pub(crate) parts: Vec<Part>,
}

/// All forms as written, by what they ask for.
pub(crate) fn forms() -> [(Verb, &'static [&'static str]); 5] {
    [(Verb::Hide, HIDE), (Verb::Rename, RENAME), (Verb::Move, MOVE), (Verb::Fix, FIX), (Verb::Nothing, NOTHING)]
}

/// All forms, in the order of the lists above.
pub(crate) fn patterns() -> Vec<Pattern> {
    forms()
        .into_iter()
        .flat_map(|(verb, forms)| forms.iter().map(move |form| Pattern { verb, parts: parse(form) }))
        .collect()
}

fn parse(form: &'static str) -> Vec<Part> {
    form.split(' ').map(part).collect()
}

fn part(text: &'static str) -> Part {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let words: Vec<&'static str> = inner.unwrap_or(text).split('|').collect();
    match text {
        "{T}" => Part::Target,
        "{N}" => Part::Name,
        "{L}" => Part::Place,
        "{I}" => Part::Internal,
        "{V}" => Part::Visible,
        "{P}" => Part::Public,
        "[{K}]" => Part::Kind,
        _ if words.contains(&"{S}") => Part::Subject { optional: if inner.is_some() { words } else { Vec::new() } },
        _ => Part::Word { words, optional: inner.is_some() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_reads_and_asks_about_something() {
        for pattern in patterns() {
            let slots = pattern.parts.iter().filter(|part| **part == Part::Target).count();
            let expected = usize::from(matches!(pattern.verb, Verb::Hide | Verb::Rename | Verb::Move));
            assert_eq!(slots, expected, "{pattern:?}");
        }
    }
}
