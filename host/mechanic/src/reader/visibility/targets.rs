//! What a wish to hide or to show is about.

use super::super::lexicon as words;
use super::super::members::all_of_a_group;
use super::super::sentence::Sentence;
use super::super::targets::{Focus, Found};
use super::super::token::Kind;

pub(super) fn targets(sentence: &Sentence<'_>, at: usize, focus: &Focus) -> Found {
    if let Some(all) = all_of_a_group(sentence, 0, sentence.tokens.len()) {
        return Found::These(all);
    }
    // `neither X nor Y`
    let start = sentence.clause_start(at);
    if sentence.is(start, &["neither"]) && sentence.has(start..at, &["nor"]) {
        let named =
            sentence.mentions.iter().filter(|mention| mention.at > start && mention.end <= at && mention.strong);
        let all: Result<Vec<usize>, Vec<usize>> = named.map(|mention| sentence.settle(mention, focus)).collect();
        return all.map_or(Found::Unfit, Found::These);
    }
    // `hide X`, `mark X internal`, `X must not be public`.
    let imperative = sentence.is(
        at,
        &[
            "hide", "hiding", "unexport", "conceal", "expose", "exposing", "export", "unhide", "show", "publish",
            "keep", "take", "remove", "bring", "open", "surface",
        ],
    );
    if is_of_another_kind(sentence, at) {
        return Found::Unfit;
    }
    let behind = if imperative {
        sentence.group_after(at.saturating_add(usize::from(sentence.phrase(at, &["bring", "back"]))), focus)
    } else {
        Found::Nothing
    };
    // `hide the spinner`: an object of its own that no name explains.
    let object = (at.saturating_add(1)..sentence.tokens.len()).find(|&here| !sentence.is(here, words::FILLERS));
    let foreign = object.is_some_and(|object| {
        let article = sentence.is(object.saturating_sub(1), &["the", "a", "an", "our", "its"]);
        article
            && sentence.mention_at(object).is_none()
            && sentence.get(object).is_some_and(|token| token.kind == Kind::Word)
            && words::kinds_of(sentence.lower(object)).is_none()
    });
    // `hide its progress bar`: a part of what is spoken of.
    let part = object.is_some_and(|object| {
        let next = object.saturating_add(1);
        sentence.is(object, &["its", "their", "his", "her"])
            && sentence.mention_at(next).is_none()
            && words::kinds_of(sentence.lower(next)).is_none()
    });
    if part && imperative && behind == Found::Nothing {
        return Found::Unfit;
    }
    if sentence.is(at, &["hide", "conceal", "hiding"]) && behind == Found::Nothing && foreign {
        return Found::Unfit;
    }
    // `hide NoSuchThing`
    let unknown = object.and_then(|object| {
        sentence.get(object).filter(|token| token.looks_like_name() && sentence.mention_at(object).is_none())
    });
    if let Some(token) = unknown.filter(|_| sentence.is(at, &["hide", "conceal", "unexport"])) {
        return Found::Unknown(token.text.clone());
    }
    // `mark the thread as private`
    let made = (sentence.clause_start(at)..at).find(|&here| sentence.is(here, &["mark", "make", "set", "keep"]));
    let thing = made
        .map(|made| made.saturating_add(1))
        .filter(|&thing| sentence.is(thing, &["the", "this", "that", "a", "my", "our"]));
    if let Some(thing) = thing.map(|thing| thing.saturating_add(1)).filter(|&thing| thing < at)
        && sentence.mention_at(thing).is_none()
        && sentence
            .get(thing)
            .is_some_and(|token| token.kind == Kind::Word && !token.is(words::FILLERS) && !token.is(&["one", "ones"]))
        && words::kinds_of(sentence.lower(thing)).is_none()
        && !sentence.mentions.iter().any(|mention| mention.at > thing && mention.end <= at)
    {
        return Found::Unfit;
    }
    let pronoun =
        imperative && sentence.is(at.saturating_add(1), &["it", "this", "that", "them", "these", "those", "both"]);
    if pronoun && !focus.subject.is_empty() {
        // In a sentence that names the thing itself the pronoun stands for that.
        let hidden = |one: usize| crate::intents::can_be_hidden(sentence.lookup.entity(one).kind);
        return match sentence.targets_fitting(0, at, focus, &hidden) {
            found @ Found::These(_) => found,
            _ => spoken_of(sentence, focus),
        };
    }
    match behind {
        Found::Nothing => {}
        other => return other,
    }
    match sentence.targets_between(0, at, focus) {
        Found::Nothing => {}
        other => return other,
    }
    match sentence.targets_between(at, sentence.tokens.len(), focus) {
        Found::Nothing => spoken_of(sentence, focus),
        other => other,
    }
}

/// Whom or where a client's names are hidden from.
const FROM_WHOM: &[&str] = list! {
    "users" "user" "customers" "people" "callers" "developers" "consumers" "everyone" "everybody" "client"
    "clients" "sdk" "sdks" "package" "packages" "library" "libraries" "outside" "view" "sight" "them" "us"
    "here" "reference" "namespace" "module" "exports" "world" "index" "completion" "all" "customer" "every"
    "any" "end-users" "sdk's" "consumer" "caller"
};

/// `hidden behind a flag`, `hidden from the dashboard`: a hiding that is no matter of a client's surface.
pub(super) fn is_of_another_kind(sentence: &Sentence<'_>, at: usize) -> bool {
    let next = at.saturating_add(1);
    let noun = (next.saturating_add(1)..sentence.tokens.len()).find(|&here| {
        !sentence.is(here, words::FILLERS) && !sentence.languages.iter().any(|(place, ..)| *place == here)
    });
    let from = sentence.is(at, words::HIDING)
        && sentence.is(next, &["from"])
        && noun.is_some_and(|noun| {
            sentence.get(noun).is_some_and(|token| token.kind == Kind::Word)
                && sentence.mention_at(noun).is_none()
                && !sentence.is(noun, FROM_WHOM)
                && !sentence.is(noun, words::SURFACE)
                && !sentence.is(noun, words::PUBLICITY)
        });
    from || sentence.is(at, words::HIDING) && sentence.is(next, &["behind", "inside"])
}

/// What a pronoun stands for: nothing, where the sentences before name several things that it could be.
pub(super) fn spoken_of(sentence: &Sentence<'_>, focus: &Focus) -> Found {
    if sentence.speaks_of_some() {
        return Found::Unfit;
    }
    let both = sentence.any(&["both", "all", "they", "them", "these", "those", "neither", "none"]);
    let of = |from: &[usize]| -> Vec<usize> {
        from.iter().copied().filter(|&one| crate::intents::can_be_hidden(sentence.lookup.entity(one).kind)).collect()
    };
    let (subject, mentioned) = (of(&focus.subject), of(&focus.mentioned));
    if both && mentioned.len() > 1 {
        return Found::These(mentioned);
    }
    // Of two operations one may be meant.
    let same_kind = subject.first().map_or(0, |&first| {
        mentioned.iter().filter(|&&one| sentence.lookup.entity(one).kind == sentence.lookup.entity(first).kind).count()
    });
    if subject.is_empty() {
        if mentioned.len() == 1 { Found::These(mentioned) } else { Found::Nothing }
    } else if same_kind > subject.len() {
        Found::Unfit
    } else {
        Found::These(subject)
    }
}
