//! What stands behind a change in its own sentence, or speaks of what was changed, and is not done by a new name: `and make it
//! iterable`, `keep the old name importable`, `It should be read-only, too`.

use std::ops::Range;

use super::super::document::{Ask, Asked};
use super::super::lexicon as words;
use super::super::sentence::{Sentence, Zone, same_name};
use super::super::token::Token;
use super::idle::is_idle;
use super::{ALL, CHANGING, JOINING, LEADING, LOOKING};

/// Whether a sentence goes on behind what was read of it with an order that nothing reads: `and make it iterable`, `then publish`.
pub(super) fn orders_more(sentence: &Sentence<'_>, read: &[&Asked]) -> bool {
    let rests = |at: usize| read.iter().any(|one| rests_on(sentence, at, &one.ask));
    let Some(first) = (0..sentence.tokens.len()).find(|&at| rests(at)) else { return false };
    (first..sentence.tokens.len()).any(|at| {
        let Some(joint) = joint(sentence, at) else { return false };
        let mut verb = at.saturating_add(1);
        while sentence.is(verb, THEN) || sentence.is(verb, words::POLITE) {
            verb = verb.saturating_add(1);
        }
        let part = verb..sentence.clause_end(verb);
        // `X is for engineers, remove it`: the order is how the sentence says what was read.
        let second = joint == Joint::Word || (0..at).any(|before| is_known_verb(sentence, before));
        second
            && begins_an_order(sentence, verb, joint)
            && !part.clone().any(rests)
            && !rests_elsewhere(sentence, &part)
    }) || asks_for_texts(sentence, first)
}

/// Whether a part leaves the library as it is. A part that asks for a text about the library, such as the README, does not.
fn rests_elsewhere(sentence: &Sentence<'_>, part: &Range<usize>) -> bool {
    let asks_for_them = sentence.has(part.clone(), TEXTS) && !sentence.has(part.clone(), words::NEGATIONS);
    is_idle(sentence, part.clone()) && !asks_for_them
}

/// `(README and samples included)`, `also the docs`: texts that are to follow.
fn asks_for_texts(sentence: &Sentence<'_>, from: usize) -> bool {
    (from..sentence.tokens.len()).any(|at| {
        let near = at.saturating_sub(4).max(from)..at.saturating_add(5).min(sentence.clause_end(at));
        sentence.is(at, TEXTS)
            && sentence.has(near.clone(), &["too", "also", "included", "including", "likewise", "well"])
            && !sentence.has(sentence.clause_start(at)..sentence.clause_end(at), words::NEGATIONS)
            && !sentence.has(near, words::KEEPING)
            && sentence.zone(at) == Zone::Main
    })
}

fn is_known_verb(sentence: &Sentence<'_>, at: usize) -> bool {
    (sentence.is(at, CHANGING) || sentence.is(at, WORK)) && sentence.mention_at(at).is_none_or(|one| !one.strong)
}

/// Whether a part of which nothing was read orders something: `and make it iterable`, `Document it.`
pub(super) fn is_an_order(sentence: &Sentence<'_>, part: &Range<usize>) -> bool {
    let joint = joint(sentence, part.start).unwrap_or(Joint::Sign);
    let leads = |at: usize| {
        !sentence.is_text(at)
            || sentence.is(at, &["and", "then", "plus"])
            || sentence.is(at, LEADING)
            || sentence.is(at, words::POLITE)
    };
    let Some(verb) = part.clone().find(|&at| !leads(at)) else { return false };
    let starts = joint == Joint::Word || !(0..part.start).any(|at| sentence.is_text(at));
    starts && begins_an_order(sentence, verb, joint) && !rests_elsewhere(sentence, part)
}

/// How one order is joined to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// `and`, `then`: what follows is of the same kind.
    Word,
    /// A comma, a semicolon, a bracket: a reason or a remark may follow.
    Sign,
}

fn joint(sentence: &Sentence<'_>, at: usize) -> Option<Joint> {
    if sentence.is(at, &["and", "then", "plus"]) {
        return Some(Joint::Word);
    }
    [',', ';', '('].iter().any(|sign| sentence.is_sign(at, *sign)).then_some(Joint::Sign)
}

fn begins_an_order(sentence: &Sentence<'_>, verb: usize, joint: Joint) -> bool {
    let plain = sentence.get(verb).is_some_and(is_plain) && sentence.mention_at(verb).is_none_or(|one| !one.strong);
    let aside = sentence.is(verb, LOOKING)
        || sentence.is(verb, PROCESS)
        || sentence.phrase(verb, &["make", "sure"])
        || sentence.is(verb, &["make"]) && sentence.has(verb..verb.saturating_add(3), &["true", "so", "happen"])
        || sentence.zone(verb) != Zone::Main;
    if !plain || aside {
        return false;
    }
    let next = verb.saturating_add(1);
    let last = !(next..sentence.clause_end(verb)).any(|at| sentence.is_text(at));
    // `and move of B`: a noun.
    let noun = sentence.is(next, &["of", "is", "are", "was"]);
    let known = is_known_verb(sentence, verb);
    let object =
        sentence.is(next, OBJECT) || sentence.get(next).is_some_and(|token| !is_plain(token) && token.is_text());
    match joint {
        _ if noun => false,
        Joint::Word if known => true,
        Joint::Word => !last && object && !sentence.is(verb, NO_VERB) && !ends_otherwise(sentence.lower(verb)),
        Joint::Sign => known || sentence.is(verb, GOING_ON) && !last,
    }
}

/// A lower-case word of letters.
fn is_plain(token: &Token) -> bool {
    token.is_text() && !token.quoted && token.text.chars().all(|one| one.is_ascii_lowercase())
}

/// Endings that no verb of an order has.
fn ends_otherwise(word: &str) -> bool {
    ["ly", "ing", "ed", "tion", "ness", "ity", "ency"].iter().any(|ending| word.ends_with(ending))
        || word.ends_with('s') && !word.ends_with("ss")
}

/// Whether a word is the target or the new name of what was read.
fn rests_on(sentence: &Sentence<'_>, at: usize, ask: &Ask) -> bool {
    let place = matches!(ask, Ask::Move { to, .. }
        if sentence.get(at).is_some_and(|token| to.rsplit('.').next().is_some_and(|last| same_name(&token.text, last))));
    let target = ask.target().is_some_and(|target| {
        sentence.mention_at(at).is_some_and(|mention| mention.strong && mention.candidates.contains(&target))
    });
    let named = matches!(ask, Ask::Rename { name, .. }
        if sentence.get(at).is_some_and(|token| same_name(&token.text, name)));
    target || named || place
}

/// Whether a part wants users of the old name to be served: `keep X importable`, `with an alias`, `without breaking anybody`.
pub(super) fn keeps_the_old(sentence: &Sentence<'_>, part: Range<usize>) -> bool {
    let denied = |at: usize| {
        sentence.negated(at)
            || sentence.has(sentence.clause_start(at)..sentence.clause_end(at), &["unneeded", "unnecessary", "breaks"])
    };
    part.clone().any(|at| {
        let before = at.saturating_sub(4)..at;
        let kept = sentence.is(at, SERVED)
            && sentence.has(before.clone(), &["keep", "still", "stay", "stays", "remain", "remains", "be"]);
        let left = sentence.is(at, REMNANT) && sentence.has(before.clone(), LEFT);
        let compatible = sentence.is(at, &["compatible", "compatibility"])
            && sentence.has(before.clone(), &["backward", "backwards", "stay", "remain"]);
        let old = sentence.is(at, &["old", "previous", "existing", "former"])
            && sentence.is(at.saturating_add(1), &["name", "names", "one", "ones", "code", "callers", "users"])
            && sentence.has(sentence.clause_start(at)..sentence.clause_end(at), WORKS)
            && !sentence.has(sentence.clause_start(at)..sentence.clause_end(at), words::WIRE);
        let unbroken = sentence.is(at, &["break", "breaking"])
            && at.checked_sub(1).is_some_and(|not| sentence.is(not, &["without", "not", "n't"]));
        (kept || left || compatible || old) && !denied(at) || unbroken
    })
}

/// Whether a part says of what was changed that it is to be something that a name does not make it: `It should be read-only`.
pub(super) fn wants_a_quality(sentence: &Sentence<'_>, part: &Range<usize>) -> bool {
    let subject = part.start..part.start.saturating_add(2).min(part.end);
    let Some(pronoun) = subject.clone().find(|&at| sentence.is(at, &["it", "they", "this", "that", "both"])) else {
        return false;
    };
    let modal = pronoun.saturating_add(1);
    if !sentence.is(modal, words::OBLIGING) && !sentence.phrase(modal, &["has", "to"]) {
        return false;
    }
    let be = (modal..part.end.min(modal.saturating_add(5))).find(|&at| sentence.is(at, &["be"]));
    let Some(quality) = be.map(|be| be.saturating_add(1)) else { return false };
    if sentence.has(quality..part.end, &["none", "null", "empty", "read-only", "readonly", "optional", "required"]) {
        return true;
    }
    let said = quality..part.end;
    let harmless = sentence.has(said.clone(), EASY)
        || is_idle(sentence, part.clone())
        || (said.clone()).any(|at| sentence.mention_at(at).is_some() || sentence.looks_like_name(at))
        || sentence.lower(quality).ends_with("er")
        || sentence.has(said.clone(), words::PUBLICITY)
        || sentence.has(said.clone(), words::HIDING)
        || sentence.has(said.clone(), words::RENAMING);
    !harmless && sentence.get(quality).is_some_and(is_plain)
}

/// `Every other confidence likewise`, `And everywhere else it occurs`: a sentence without a verb that widens what was asked.
pub(super) fn widens(sentence: &Sentence<'_>, part: &Range<usize>) -> bool {
    let others = (part.clone())
        .any(|at| sentence.is(at, &["every", "all"]) && sentence.is(at.saturating_add(1), &["other", "others", "the"]));
    let else_too = (part.clone())
        .any(|at| sentence.phrase(at, &["everywhere", "else"]) || sentence.phrase(at, &["anywhere", "else"]));
    let joined = sentence.has(part.clone(), JOINING) || sentence.phrase(part.end.saturating_sub(2), &["as", "well"]);
    (others && joined || else_too && sentence.has(part.clone(), ALL)) && !is_idle(sentence, part.clone())
}

/// `X was renamed to y in .NET; follow suit`
pub(super) fn follows_suit(sentence: &Sentence<'_>) -> bool {
    (0..sentence.tokens.len()).any(|at| {
        let says = sentence.phrase(at, &["follow", "suit"])
            || sentence.phrase(at, &["do", "the", "same"])
            || sentence.phrase(at, &["do", "likewise"])
            || sentence.phrase(at, &["same", "here"]);
        says && sentence.zone(at) == Zone::Main && !sentence.negated(at) && !sentence.any(&["case", "if", "will"])
    })
}

/// Words between two orders.
const THEN: &[&str] = list! { "and" "then" "also" "so" "just" "finally" "next" "now" "secondly" "lastly" };

/// What an order about the library begins with, beside verbs of changing.
const WORK: &[&str] = list! {
    "regenerate" "release" "ship" "deploy" "test" "run" "rerun" "build" "bump" "format" "sort" "speed" "support" "default" "type"
    "annotate" "validate" "implement" "optimise" "optimize" "refactor" "rewrite" "clean" "allow" "require" "return" "raise" "offer"
    "provide" "create" "write" "register" "inline" "cache" "log" "throw" "ensure"
};

/// What an order is about when its verb is not known.
const OBJECT: &[&str] = list! {
    "it" "them" "this" "that" "these" "those" "its" "their" "the" "a" "an" "my" "our" "both" "all" "every" "any" "some"
};

/// What begins a part and no order.
const NO_VERB: &[&str] = list! {
    "as" "at" "by" "for" "from" "in" "into" "of" "off" "on" "onto" "over" "per" "since" "than" "to" "under" "until" "via" "with" "within"
    "without" "like" "unlike" "across" "after" "before" "about" "above" "below" "beside" "between" "through" "despite" "because" "if"
    "while" "when" "where" "whether" "which" "who" "whose" "what" "why" "how" "once" "unless" "though" "although" "that" "so" "thus"
    "hence" "or" "nor" "but" "yet" "not" "no" "is" "are" "was" "were" "be" "been" "am" "do" "does" "did" "has" "have" "had" "will"
    "would" "can" "could" "may" "might" "shall" "should" "must" "the" "a" "an" "this" "these" "those" "my" "our" "its" "their" "his"
    "her" "your" "it" "they" "we" "you" "he" "she" "i" "me" "us" "them" "him" "all" "both" "each" "every" "some" "any" "none" "same" "only"
    "just" "even" "maybe" "perhaps" "sorry" "thank" "given" "such" "much" "more" "most" "less" "least" "half" "quite" "all"
};

/// What is said of the review and not of the library.
const PROCESS: &[&str] = list! {
    "close" "resolve" "ping" "ask" "tell" "reply" "wait" "thank" "hope" "think" "know" "go" "feel" "remember" "consider" "report"
    "apply" "implement" "approve" "say" "talk" "agree" "confirm" "sync" "discuss" "review" "enjoy" "call" "see" "have"
};

/// What goes on with more work behind a comma.
const GOING_ON: &[&str] =
    list! { "adding" "leaving" "keeping" "making" "removing" "moving" "exporting" "deprecating" "turning" };

/// What a name is that is still there.
const SERVED: &[&str] = list! { "importable" "usable" "callable" "working" "available" "accessible" };

/// Texts about a library, which no decorator changes.
const TEXTS: &[&str] = list! {
    "readme" "changelog" "docs" "documentation" "sample" "samples" "test" "tests" "docstring" "docstrings" "snippets" "migration"
};

/// What is left of an old name.
const REMNANT: &[&str] = list! { "alias" "aliases" "shim" "deprecation" "forwarder" "redirect" };

const LEFT: &[&str] = list! {
    "keep" "keeping" "leave" "leaving" "with" "add" "adding" "plus" "provide" "providing" "have" "need" "want" "as" "put" "and"
};

/// How an old name serves on.
const WORKS: &[&str] = list! {
    "keep" "keeps" "keeping" "work" "works" "working" "available" "usable" "run" "compile" "compiles" "around" "valid" "importable"
};

/// What is said of a change that is wished, and of nothing that would have to be made.
const EASY: &[&str] = list! {
    "easy" "trivial" "quick" "enough" "obvious" "safe" "consistent" "simple" "straightforward" "possible" "done" "same" "like" "all"
    "it" "in" "self-explanatory" "familiar" "understood" "understandable" "recognisable" "about" "one" "so" "that" "there" "true"
    "left" "used" "seen" "read" "ready" "aligned" "uncontroversial" "harmless" "no"
};
