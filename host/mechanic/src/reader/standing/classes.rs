//! Classes of words that speak of the standing of a wish.

/// Verbs that ask for a change, in the form behind `to` or at the start of a clause.
pub(super) const ASKING: &[&str] = list! {
    "rename" "respell" "retitle" "relabel" "hide" "unhide" "conceal" "unexport" "internalize" "move" "relocate"
    "expose"
};

/// The same as nouns.
pub(super) const GERUNDS: &[&str] = list! {
    "renaming" "hiding" "moving" "relocating" "exposing" "unexporting" "relabeling"
};

/// Verbs that ask for something else than a change, whatever they speak of.
pub(super) const OTHER_ACTS: &[&str] = list! {
    "confirm" "check" "verify" "ask" "tell" "inform" "remind" "estimate" "evaluate" "assess" "investigate"
    "vote" "file" "explain" "translate" "discuss" "clarify" "pretend" "imagine" "suppose" "describe" "decide"
    "advise" "approve"
};

/// Judgements by which a thing is not to be done.
pub(in crate::reader) const BAD: &[&str] = list! {
    "wrong" "mistake" "mistaken" "bad" "harmful" "dangerous" "risky" "pointless" "silly" "terrible" "unwise"
    "premature" "late" "early" "overkill" "foolish" "crazy" "useless" "unacceptable" "nonsense" "disaster"
    "absurd" "inappropriate"
};

/// What stands above or beside something that is not to be done, or not now.
pub(super) const CLOSED: &[&str] = list! {
    "rejected" "declined" "refused" "denied" "vetoed" "withdrawn" "closed" "postponed" "deferred" "parked"
    "blocked" "blocks" "on hold" "pending" "won't" "wontfix" "won't fix" "not to" "do not" "don't" "not do" "not doing"
    "never" "undo" "revert" "reverted" "non-goal" "non-goals" "out of scope" "already done" "done" "resolved"
    "implemented" "merged" "draft" "wip" "rfc" "poll" "vote" "votes" "ideas" "brainstorming" "open questions"
    "open question" "open" "open points" "agenda" "to be clarified" "question" "next meeting" "considered" "example" "examples" "for example" "e.g" "changelog" "release notes" "history"
    "test case" "fyi" "no action" "later" "future" "backlog" "someday" "hypothetical" "hypothetically" "wait"
    "undecided" "tbd" "discussion" "superseded" "obsolete" "next sprint" "next year" "next quarter" "next major"
    "next semester" "thumbsdown" "kidding" "abandoned" "wrong thread" "dropped" "turned down" "against"
};

/// What follows `wait` where it puts off, and takes nothing back.
pub(in crate::reader) const AWAITED: &[&str] = list! {
    "for" "until" "till" "with" "before" "on"
};

/// Words that make another thing of a kind's noun: `the base class of X`.
pub(super) const INNER: &[&str] = list! {
    "base" "parent" "super" "child" "element" "item" "return" "default" "underlying" "initial" "type"
};

/// Nouns of a thing's own name.
pub(super) const NAMING: &[&str] = list! {
    "name" "names" "naming" "spelling" "casing" "case" "rename" "renaming" "instead" "out" "all" "rest" "both"
    "one" "part" "place" "any" "each" "some" "none" "lieu" "sake" "because" "kind" "version" "use" "usage"
    "visibility"
};

/// Nouns of things that are no part of a client. In front of a name they say what it is the name of.
pub(super) const ARTIFACTS: &[&str] = list! {
    "folder" "file" "directory" "branch" "repo" "repository" "variable" "helper" "test" "sample" "script"
    "snippet" "mapping" "heading" "section" "page" "header" "tag" "command" "secret" "bucket" "image" "pipeline"
    "ticket" "issue" "wiki" "button" "tab" "screen" "menu" "table" "database" "fixture" "recording"
};
