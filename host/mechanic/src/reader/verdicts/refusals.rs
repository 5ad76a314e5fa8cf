//! Answers that turn a wish down and name nothing: `We should not do this.`, `Not for now.`, `I'd keep the current name.`

use bailiwick_sdk::tasks::EntityKind;

use super::Said;
use crate::reader::lexicon;

/// What is done with a wish, or thought of one.
const DOING: &[&str] = list! {
    "do" "change" "merge" "touch" "rename" "want" "wants" "wanted" "approve" "accept" "take" "agree" "support" "apply" "go" "land"
    "ask" "asked" "like" "likes" "liked" "make" "doing" "renaming" "changing"
};
/// What it is called where it is not named.
const POINTING: &[&str] = &["it", "this", "that", "these", "those", "them", "either", "so", "any"];
/// What turns a verb round.
const TURNING: &[&str] = list! {
    "not" "don't" "dont" "doesn't" "didn't" "won't" "can't" "cannot" "cant" "shouldn't" "mustn't" "wouldn't" "couldn't" "never" "nobody"
};
/// How such a sentence goes on behind that.
const BEHIND: &[&str] = list! {
    "yet" "now" "anymore" "any" "here" "there" "again" "at" "for" "in" "after" "until" "today" "either" "too" "and" "one" "rename" "change"
    "this" "next" "as" "on" "with"
};
/// Answers that stand by themselves.
const CURT: &[&str] = list! {
    "wait a sec" "wait a second" "hold on" "hang on" "not so fast" "could be that we" "not for now" "not now" "not yet" "not this one"
    "not these" "not for us" "not for me" "maybe later" "perhaps later" "no way" "hard no" "strongly against"
    "wrong package" "wrong repo" "wrong library" "works as intended" "by design" "can be ignored" "no thanks" "rather not"
    "not what we want" "not needed anymore" "no longer needed" "no longer wanted" "no code change" "no code changes" "needs no change"
    "can't do that" "can't do it" "did this already" "did that already" "isn't true anymore" "is not true anymore" "no need to rename"
};
/// Who is against it.
const AGAINST: &[&str] = list! {
    "is against it" "was against it" "are against it" "were against it" "i'm against it" "is against this" "was against this" "are against this"
    "against the rename" "against renaming" "against this change" "against that change" "speaks against it"
};
/// What a name of today is called.
const PRESENT: &[&str] = &["current", "existing", "present", "old", "original"];
/// What somebody has for it.
const FOR_IT: &[&str] = list! {
    "keep" "keeping" "keeps" "kept" "prefer" "prefers" "preferred" "stick" "sticking" "stay" "stays" "fine" "good" "clearer" "better" "ok" "okay"
};
/// Words by which such a sentence is for the wish all the same, or speaks of something else.
const STILL: &[&str] = list! {
    "please" "but" "however" "anyway" "otherwise" "forget" "hesitate" "why" "unless" "lightly" "only" "before" "because" "since"
    "than" "without" "if"
};

/// Where an answer turns down what stands in front of it.
pub(super) fn refuses(sentence: &Said) -> Option<usize> {
    let count = sentence.tokens.len();
    let named = sentence.tokens.iter().any(|token| {
        token.is_text() && token.looks_like_name() && !token.text.starts_with('@') && token.lower != "sdk"
    });
    if named || count > 24 {
        return None;
    }
    let has = |list: &[&str]| (0..count).find(|&at| list.iter().any(|phrase| sentence.says(at, phrase)));
    let any = |list: &[&str]| sentence.tokens.iter().any(|token| token.is(list));
    // `We do not like it any more.`, `Nobody asked for this.`
    let turned = (0..count).find(|&at| {
        let verb = (1..4).map(|step| at.saturating_add(step)).find(|&next| sentence.is(next, DOING));
        let points = verb.is_some_and(|verb| {
            let next = verb.saturating_add(1);
            let object = if sentence.is(next, &["for", "to", "on", "with"]) { next.saturating_add(1) } else { next };
            // `touch this file`: something else.
            let alone = !sentence.is_text(object.saturating_add(1)) || sentence.is(object.saturating_add(1), BEHIND);
            sentence.is(object, POINTING) && alone
        });
        let alone = verb.is_some_and(|verb| {
            sentence.is(verb, &["agree", "merge", "approve"]) && !sentence.is_text(verb.saturating_add(1))
        });
        sentence.is(at, TURNING) && (points || alone)
    });
    let people = any(&["users", "customers", "people", "readers", "who"]);
    let turned = turned.filter(|_| !any(STILL) && !people && !sentence.tokens.iter().any(|token| token.is_sign('?')));
    // `The team prefers the current name.`
    let present = (0..count).find(|&at| {
        sentence.is(at, PRESENT) && sentence.is(at.saturating_add(1), &["name", "names", "one"])
            || sentence.says(at, "what we have")
    });
    let speaks_for = any(FOR_IT) && !any(TURNING) && !any(lexicon::RENAME_PROPER) && !any(STILL);
    let against = has(AGAINST);
    let curt = has(CURT).filter(|_| !any(&["please", "but", "however", "was"]));
    turned.or(present.filter(|_| speaks_for)).or(against).or(curt)
}

/// Whether the name at a token is turned down together with what would be done with it: `don't do the X rename`, `not call it X`.
pub(super) fn turns_down_the_name(sentence: &Said, at: usize) -> bool {
    const TAKING: &[&str] = list! {
        "do" "make" "take" "apply" "accept" "approve" "want" "need" "merge" "use" "call" "name" "rename" "like" "go"
    };
    const BETWEEN: &[&str] = list! {
        "the" "that" "this" "a" "it" "them" "to" "into" "as" "with" "for" "name" "rename" "change" "method" "property" "class" "type"
    };
    let between = |here: usize| !sentence.is_text(here) || sentence.is(here, BETWEEN);
    let verb = (at.saturating_sub(5)..at)
        .rev()
        .find(|&here| sentence.is(here, TAKING) && !sentence.is(here, &["name", "rename"]))
        .or_else(|| (at.saturating_sub(5)..at).rev().find(|&here| sentence.is(here, TAKING)));
    let Some(verb) = verb.filter(|&verb| (verb.saturating_add(1)..at).all(between)) else { return false };
    let turned = (verb.saturating_sub(2)..verb).any(|here| sentence.is(here, TURNING));
    // `Don't use X as the wire name.`: something else.
    let next = at.saturating_add(1);
    let end = next.saturating_add(usize::from(sentence.is(next, &["rename", "change", "renaming", "name"])));
    let turned = turned && (!sentence.is_text(end) || sentence.is_sign(end, '-'));
    turned && !sentence.tokens.iter().any(|token| token.is_sign('?'))
}

/// `The method stays.`, `the name stays as it is`: where it is said, and of which kind of thing; of every kind where the list is
/// empty.
pub(super) fn leaves_as_it_is(sentence: &Said) -> Option<(usize, &'static [EntityKind])> {
    let at = (0..sentence.tokens.len()).find(|&at| {
        let next = at.saturating_add(1);
        let end = if sentence.says(next, "as it is") {
            next.saturating_add(3)
        } else if sentence.says(next, "as is") {
            next.saturating_add(2)
        } else if sentence.is(next, &["unchanged", "as-is"]) {
            next.saturating_add(1)
        } else {
            next
        };
        sentence.is(at, &["stays", "remains"]) && !sentence.is_text(end)
    })?;
    let noun = at.checked_sub(1)?;
    // `In Java the name stays.`, `Only the name changes, the model stays.`
    let begins = (0..noun.saturating_sub(1))
        .all(|here| !sentence.is_text(here) || sentence.is(here, &["ok", "okay", "no", "well", "so"]));
    if !begins {
        return None;
    }
    let article = noun.checked_sub(1).is_some_and(|before| sentence.is(before, &["the", "that", "this"]));
    let kinds = lexicon::kinds_of(&sentence.tokens.get(noun)?.lower);
    let named = sentence.tokens.iter().any(|token| token.is_text() && token.looks_like_name());
    match kinds {
        _ if named => None,
        Some(kinds) if article => Some((at, kinds)),
        None if article && sentence.is(noun, &["name"]) => Some((at, &[])),
        _ => None,
    }
}
