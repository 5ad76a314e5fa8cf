//! Verbs that give a name: `should be called Y`, `call it Y`, `Y is what we want`.

use super::super::lexicon as words;
use super::super::names::{Plain, is_shaped, names_at};
use super::super::sentence::Sentence;
use super::super::token::Kind;
use super::Sign;
use super::fragments::is_comparative;
use super::statement::is_statement;

/// `should be called Y`, `call it Y`, `make it Y`, `use Y`, `becomes Y`.
pub(super) fn calling(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    let next = at.saturating_add(1);
    let start = sentence.clause_start(at);
    let lower = sentence.lower(at);
    let modal = (start..at).any(|here| {
        sentence.is(here, words::MODALS)
            || sentence.is(here, &["let", "let's", "lets"])
            || contracted(sentence.lower(here))
    }) || sentence.phrase(at.saturating_sub(2), &["is", "to"])
        || sentence.phrase(at.saturating_sub(2), &["gets", "to"])
        || sentence.phrase(at.saturating_sub(2), &["are", "to"])
        || (start..at).any(|here| {
            sentence.phrase(here, &["is", "to"])
                || sentence.phrase(here, &["are", "to"])
                || sentence.phrase(here, &["be", "to"])
        });
    let modal = modal || sentence.has(start..at, &["ensure", "sure"]);
    // `asked for X to be Y`, `X is meant to be Y`
    let meant = lower == "be"
        && sentence.is(at.saturating_sub(1), &["to"])
        && sentence.has(start..at, &["ask", "asks", "asked", "want", "wants", "like", "meant", "supposed"]);
    let modal = modal || meant;
    let imperative = start == at
        || at.checked_sub(1).is_some_and(|before| {
            sentence.is(before, words::POLITE)
                || sentence
                    .is(before, &["to", "and", "then", "so", "you", "we", "just", "i", "also", "should", "kindly"])
                || sentence.get(before).is_some_and(|token| token.kind == Kind::Arrow)
        });
    let pronoun = |at: usize| sentence.is(at, &["it", "this", "that", "them", "these", "those"]);
    let wished = modal || imperative;
    // `Finished would be friendlier`: what the sentence speaks for stands in front.
    let speaks_for_another = lower == "be"
        && at.checked_sub(2).is_some_and(|subject| {
            sentence.get(subject).is_some_and(is_shaped)
                && sentence.mention_at(subject).is_none()
                && sentence.mentions.iter().any(|mention| mention.strong && mention.end <= subject)
        });
    let (name, target) = match lower {
        "be" if speaks_for_another => return None,
        // `use X as the name of Y`: another sign.
        "use" | "take" | "choose" | "have" | "prefer"
            if (next..next.saturating_add(4)).any(|here| {
                sentence.is(here, &["as", "for"])
                    && (here..here.saturating_add(6)).any(|there| sentence.mention_at(there).is_some())
            }) =>
        {
            return None;
        }
        // `take X off the public API`
        "take" | "use" | "get"
            if sentence
                .mention_at(next)
                .is_some_and(|mention| sentence.is(mention.end, &["out", "off", "away", "from", "in", "on"])) =>
        {
            return None;
        }
        // `We use X`: what is so.
        "use" | "take" | "choose" | "pick" | "see" | "have" | "get" | "write"
            if !modal
                && at.checked_sub(1).is_some_and(|who| sentence.is(who, &["we", "i", "they", "you", "people"])) =>
        {
            return None;
        }
        // `X should have Y`, `X should use Y`: what it contains or does.
        "have" | "use" | "see" | "take" | "expect" | "want" | "get" | "write"
            if !sentence.is(next, &["the", "name", "its"])
                && at.checked_sub(1).is_some_and(|before| sentence.is(before, words::OBLIGING))
                && sentence.mentions.iter().any(|mention| mention.strong && mention.end <= at) =>
        {
            return None;
        }
        "be" if modal && !sentence.is(next, &["a", "an", "of", "in", "at", "on"]) => (next, at),
        // `Y is what we want`
        "is" | "was"
            if sentence.is(next, &["what"])
                && sentence.has(
                    next..next.saturating_add(5),
                    &[
                        "want", "prefer", "need", "agreed", "settled", "decided", "expect", "like", "expected",
                        "chose", "picked",
                    ],
                )
                && !sentence.is_turned()
                && at.checked_sub(1).is_some_and(|name| {
                    sentence.clause_start(name) == name
                        && sentence.get(name).is_some_and(is_shaped)
                        && sentence.mention_at(name).is_none()
                }) =>
        {
            (at.saturating_sub(1), at.saturating_sub(1))
        }
        // `what we would like to see is Y`
        "is" | "was"
            if sentence.is(start, &["what"])
                && (sentence.is(start.saturating_add(1), &["we", "i"])
                    || contracted(sentence.lower(start.saturating_add(1))))
                && !(start..at).any(|here| sentence.is(here, words::NEGATIONS))
                && sentence.has(start..at, &["want", "like", "need", "prefer", "expect", "expected", "see"])
                && sentence.looks_like_name(next) =>
        {
            (next, start)
        }
        // `the name I want is Y`
        "is" if sentence
            .is(at.saturating_sub(1), &["want", "prefer", "need", "like", "propose", "suggest", "chose"])
            && sentence.is(at.saturating_sub(2), &["i", "we", "would"])
            && sentence.has(start..at, &["name"])
            && !(start..at).any(|here| sentence.is(here, words::NEGATIONS))
            && sentence.looks_like_name(next) =>
        {
            (next, start)
        }
        // `X isn't readable, Y is`
        "is" | "are" if is_contrast(sentence, at) => (at.saturating_sub(1), start.saturating_sub(1)),
        // `Y is wished for`, `Y is preferred`
        "is" | "was"
            if sentence.is(next, &["wished", "wanted", "preferred", "desired", "requested"])
                && !sentence.is_turned()
                && at
                    .checked_sub(1)
                    .is_some_and(|name| sentence.looks_like_name(name) && sentence.mention_at(name).is_none()) =>
        {
            (at.saturating_sub(1), at.saturating_sub(1))
        }
        "i.e" | "ie" | "namely"
            if (0..sentence.tokens.len())
                .any(|here| sentence.is(here, words::POLITE) || sentence.is(here, words::OBLIGING)) =>
        {
            (next, at)
        }
        // `Y would be clearer`, of what is spoken of
        "would"
            if sentence.is(next, &["be"])
                && at.checked_sub(1).is_some_and(|name| {
                    sentence.clause_start(name) == name
                        && sentence.get(name).is_some_and(is_shaped)
                        && sentence.mention_at(name).is_none()
                })
                && (sentence.is(at.saturating_add(2), APPROVING)
                    || is_comparative(sentence, at.saturating_add(2))
                    // `Y would be the natural name`
                    || sentence.is(at.saturating_add(2), &["the", "a"])
                        && sentence.is(
                            at.saturating_add(3),
                            list! {
                                "natural" "better" "best" "obvious" "right" "proper" "correct" "usual" "good" "clearer"
                                "nicer" "common" "canonical" "fitting" "ideal"
                            },
                        )
                        && sentence.is(at.saturating_add(4), &["name", "term", "word", "choice"])) =>
        {
            (at.saturating_sub(1), at.saturating_sub(1))
        }
        "becomes" | "become" if !is_statement(sentence, at) => (next, at),
        // `we would be happy if X became Y`
        "became" | "was" | "were"
            if (0..at).any(|here| sentence.is(here, &["if"]))
                && (0..at).any(|here| sentence.is(here, &["would"]) || contracted(sentence.lower(here))) =>
        {
            (next, at)
        }
        "turns" | "turn" if sentence.is(next, &["into"]) && !is_statement(sentence, at) => (next.saturating_add(1), at),
        // `must be renamed Y`
        "renamed" if modal && !is_statement(sentence, at) && sentence.get(next).is_some_and(is_shaped) => (next, at),
        "reads" | "read" | "says" | "say" | "display" if modal => (next, at),
        "called" | "named" | "titled" | "spelled" | "spelt" | "labelled" if modal && !is_statement(sentence, at) => {
            (next, at)
        }
        // `X we would like named A, and Y named B`
        "called" | "named"
            if at.checked_sub(1).is_some_and(|before| sentence.mention_at(before).is_some())
                && sentence.get(next).is_some_and(|token| token.quoted)
                && (0..at).any(|here| sentence.is(here, words::MODALS) && !sentence.is(here, &["has", "have"])) =>
        {
            (next, at)
        }
        // `… and call it a day`: an idiom.
        "call" if sentence.phrase(next, &["it", "a", "day"]) => return None,
        "call" | "name" | "label" | "make" | "spell" | "title" | "calling" | "naming" | "spelling"
            if pronoun(next) && !of_two_nouns(sentence, at) && wished && (modal || !is_statement(sentence, at)) =>
        {
            (at.saturating_add(2), at)
        }
        "make"
            if wished
                && sentence.mention_at(next).is_some_and(|mention| {
                    sentence.looks_like_name(mention.end)
                        && sentence.is_text(mention.end)
                        && sentence.mention_at(mention.end).is_none()
                }) =>
        {
            let end = sentence.mention_at(next).map_or(next, |mention| mention.end);
            (end, end)
        }
        "call" | "name" | "spell"
            if wished && sentence.mention_at(next).is_some_and(|mention| sentence.is_text(mention.end)) =>
        {
            let end = sentence.mention_at(next).map_or(next, |mention| mention.end);
            (end, end)
        }
        // `rename type X OtherName`, and nothing behind it
        "rename" if imperative && named_behind(sentence, next).is_some() => {
            let end = named_behind(sentence, next).unwrap_or(next);
            (end, end)
        }
        // `X, which I would call Y`
        "call" | "name" | "title" if modal && sentence.is(start, &["which"]) => (next, at),
        // `call the model X`, of the model that is spoken of
        "call" | "name" | "make"
            if wished
                && sentence.is(next, &["the", "this", "that"])
                && words::kinds_of(sentence.lower(at.saturating_add(2))).is_some()
                && sentence.get(at.saturating_add(3)).is_some_and(is_shaped)
                && super::signs::is_free(sentence, at.saturating_add(3)) =>
        {
            (at.saturating_add(3), at)
        }
        // `name this operation group X`
        "call" | "name"
            if wished
                && of_two_nouns(sentence, at)
                && sentence.get(at.saturating_add(4)).is_some_and(is_shaped)
                && sentence.mention_at(at.saturating_add(4)).is_none() =>
        {
            (at.saturating_add(4), at)
        }
        // `give X its old name Y back`
        "give"
            if wished
                && sentence.mention_at(next).is_some_and(|mention| mention.strong)
                && named_its(sentence, next).is_some() =>
        {
            let end = sentence.mention_at(next).map_or(next, |mention| mention.end);
            (named_its(sentence, next).unwrap_or(next), end)
        }
        // `give it its full name X`
        "give" if pronoun(next) && wished => {
            let noun = (next..at.saturating_add(5)).find(|&here| sentence.is(here, &["name"]))?;
            (noun.saturating_add(1), at)
        }
        "wants" | "needs" | "deserves" | "bear" | "get" | "write" if wished => (next, at),
        "deserves" => (next, at),
        // `X should get @clientName("Y")`
        "@clientname" | "@@clientname"
            if !is_statement(sentence, at)
                && (modal
                    || (start..at).any(|here| {
                        sentence.is(here, words::POLITE)
                            || sentence
                                .is(here, &["add", "apply", "put", "use", "set", "give", "wants", "missing", "needs"])
                    })) =>
        {
            (next, at)
        }
        "say" if imperative || sentence.clause_start(at) == at => (next, at),
        "name"
            if at
                .checked_sub(1)
                .is_some_and(|before| sentence.is(before, &["the", "that", "this", "a", "its", "new"])) =>
        {
            (next.saturating_add(usize::from(sentence.is_sign(next, ','))), at.saturating_sub(1))
        }
        "want" | "wants" | "prefer" | "prefers" | "demand" | "demands" | "expect" | "expects"
            if at.checked_sub(1).is_some_and(|before| {
                is_said_of_us(sentence, before)
                    || sentence.is(
                        before,
                        list! {
                            "reviewers" "folks" "developers" "people" "now" "we" "i" "board" "team" "architects" "users"
                            "customers" "they" "everybody" "everyone" "all" "is" "was" "i.e" "ie" "namely" "would"
                            "owners" "service"
                        },
                    )
            }) && !sentence.is(next, &["a", "an", "to", "it"]) =>
        {
            (next, at)
        }
        "use" | "prefer" | "choose" | "pick" | "take" | "want" | "expect" | "favor" | "favour" | "have" if wished => {
            (next, at)
        }
        // `we would like X`
        "like" | "love"
            if modal
                && sentence.looks_like_name(next)
                && sentence.is_text(next)
                && sentence.mention_at(next).is_none() =>
        {
            (next, at)
        }
        // `we would like to see X`, and not `see the guidelines of X`
        "see" if modal => (next, at),
        "with" | "for"
            if at.checked_sub(1).is_some_and(|before| {
                sentence.is(before, &["go", "went", "ask", "asks", "asked", "stick", "vote", "opt", "happier"])
                    || sentence.is(before, &["goes", "go"])
                        && before.checked_sub(1).is_some_and(|who| is_said_of_us(sentence, who))
            }) =>
        {
            (next, at.saturating_sub(1))
        }
        "on" | "upon"
            if at.checked_sub(1).is_some_and(|before| {
                sentence.is(before, &["settled", "agreed", "consensus", "decided", "landed", "settle", "agree"])
            }) =>
        {
            (next, at.saturating_sub(1))
        }
        // `Y would tell people what it is`
        "would" if speaks_for_itself(sentence, at) => (at.saturating_sub(1), at.saturating_sub(1)),
        "proposes" | "suggests" | "recommends" => (next, at),
        "suggested" | "suggest" | "proposed" | "propose" | "proposal" | "suggestion" | "recommended" | "recommend"
        | "recommendation" => (next, at),
        _ => return None,
    };
    let weak = list! {
        "be" "would" "use" "prefer" "choose" "pick" "take" "want" "expect" "favor" "favour" "see" "have" "suggested"
        "suggest" "proposed" "propose" "proposal" "suggestion" "recommended" "recommend" "recommendation" "on"
        "proposes" "suggests" "recommends"
        "upon" "for" "with" "say" "says" "read" "reads" "display" "wants" "needs" "deserves" "bear" "get" "write"
    }
    .contains(&lower)
        || lower == "name" && target < at;
    if weak && names_at(sentence, name, Plain::Allowed).is_none() {
        return None;
    }
    let said = lower == "be" && sentence.has(start..at, &["name"]);
    let sure = ["called", "named", "call", "name", "title"].contains(&lower) && target == at || said;
    Some(Sign { negated: sentence.negated(at), reaches_back: true, sure, ..Sign::new(at, name, target) })
}

/// Where the name stands in `X its old Java name Y`.
fn named_its(sentence: &Sentence<'_>, object: usize) -> Option<usize> {
    let its = sentence.mention_at(object)?.end;
    let name = (its..its.saturating_add(6)).find(|&at| sentence.is(at, &["name"]))?.saturating_add(1);
    let led = sentence.is(its, &["its", "the", "back"]) && sentence.get(name).is_some_and(is_shaped);
    (led && super::signs::is_free(sentence, name)).then_some(name)
}

/// `.NET and Java want X`: languages, and the one of the package among them.
fn is_said_of_us(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.languages.iter().any(|(place, ..)| *place == at)
        && sentence.languages.iter().any(|(place, language, _)| *place <= at && *language == sentence.language)
}

/// `name this operation group`: what is spoken of, by two nouns of its kind.
fn of_two_nouns(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at.saturating_add(1), &["the", "this", "that"])
        && (2..4).all(|step| words::kinds_of(sentence.lower(at.saturating_add(step))).is_some())
}

/// Where a name stands at the end of a sentence, directly behind a thing and the noun in front of it.
fn named_behind(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    let thing = at.saturating_add(usize::from(words::kinds_of(sentence.lower(at)).is_some()));
    let name = sentence.mention_at(thing).filter(|mention| mention.strong)?.end;
    let free = sentence.looks_like_name(name) && sentence.is_text(name) && sentence.mention_at(name).is_none();
    let last = sentence.get(name.saturating_add(1)).is_none_or(|token| token.is_sign('.') || token.is(words::POLITE));
    (free && last).then_some(name)
}

/// What a good name is.
const NAME_QUALITIES: &[&str] = list! {
    "readable" "clear" "english" "idiomatic" "descriptive" "understandable" "pythonic" "obvious" "meaningful" "intuitive"
    "legible" "pronounceable" "self-explanatory"
};

/// `X isn't readable, Y is`: what is denied of the one is said of the other, and of nothing else.
fn is_contrast(sentence: &Sentence<'_>, at: usize) -> bool {
    let start = sentence.clause_start(at);
    let Some(before) = start.checked_sub(1) else { return false };
    let first = sentence.clause_start(before.saturating_sub(1));
    let denied = (first..before).any(|here| {
        sentence.is(here, &["isn't", "aren't", "isnt"])
            || sentence.is(here, &["is", "are"]) && sentence.is(here.saturating_add(1), &["not"])
    });
    let quality =
        (first..before).any(|here| sentence.is(here, NAME_QUALITIES) || sentence.lower(here).ends_with("-like"));
    let name = quality && start.saturating_add(1) == at && sentence.mention_at(start).is_none();
    denied && name && sentence.clause_end(at) == at.saturating_add(1)
}

/// `Y would tell people what it is`: a free name at the start, and what it would do.
fn speaks_for_itself(sentence: &Sentence<'_>, would: usize) -> bool {
    let does =
        list! { "tell" "say" "make" "help" "read" "show" "match" "fit" "describe" "explain" "sound" "work" "suit" };
    sentence.is(would.saturating_add(1), does)
        && would.checked_sub(1).is_some_and(|name| {
            sentence.clause_start(name) == name
                && sentence.looks_like_name(name)
                && sentence.is_text(name)
                && sentence.mention_at(name).is_none()
        })
}

/// Whether the sign of a rename only says what a tool or a name itself speaks for.
pub(in crate::reader) fn suggests(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["proposes", "suggests", "recommends"])
        || sentence.is(at, &["with"]) && sentence.is(at.saturating_sub(1), &["happier"])
        || sentence.is(at, &["would"]) && speaks_for_itself(sentence, at)
        || sentence.is(at.saturating_add(1), &["would"]) && speaks_for_itself(sentence, at.saturating_add(1))
}

/// What is said for a name that is proposed.
pub(super) const APPROVING: &[&str] = list! {
    "better" "nicer" "clearer" "more" "consistent" "good" "great" "best" "preferable" "right" "correct" "fine"
    "idiomatic" "enough" "ok" "okay" "nice"
};

pub(super) fn contracted(word: &str) -> bool {
    word.ends_with("'d") || word.ends_with("'ll")
}
