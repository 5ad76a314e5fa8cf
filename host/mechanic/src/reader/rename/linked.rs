//! A thing and its new name with nothing but known words between them: `X is to be replaced by Y`, `X please as Y`,
//! `the new name for X is Y`.

use super::super::lexicon as words;
use super::super::names::{ends_here, is_shaped, name_of};
use super::super::sentence::{Sentence, Zone};
use super::Sign;

/// Words that may stand between a thing and the name that it gets.
const LINKS: &[&str] = list! {
    "please" "pls" "as" "is" "are" "going" "to" "be" "being" "should" "must" "shall" "will" "has" "have" "needs" "ought"
    "replaced" "renamed" "changed" "called" "named" "by" "with" "into" "become" "henceforth" "from" "now" "on" "then"
    "therefore" "the" "name" "bear" "simply" "just" "also" "thus"
};

/// Verbs by which it gets one.
const GIVING: &[&str] = list! { "replaced" "renamed" "changed" "called" "named" "become" "be" "as" "bear" };

/// What is between the thing in front of a token and the name behind it, where a new name stands at it.
pub(super) fn linked(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    let mention = sentence.mentions.iter().find(|mention| mention.end == at && mention.strong)?;
    let last = (at..sentence.tokens.len().min(at.saturating_add(8))).find(|&here| !sentence.is(here, LINKS))?;
    let words = at..last;
    let has = |list: &[&str]| sentence.has(words.clone(), list);
    let coming = has(words::POLITE)
        || has(&["should", "must", "shall", "henceforth", "needs", "ought"])
        || words.clone().any(|here| {
            sentence.phrase(here, &["from", "now", "on"])
                || sentence.phrase(here, &["going", "to"])
                || sentence.phrase(here, &["is", "to"])
                || sentence.phrase(here, &["are", "to"])
                || sentence.phrase(here, &["has", "to"])
                || sentence.phrase(here, &["have", "to"])
        })
        || sentence.is(at, &["to"]) && sentence.is(at.saturating_add(1), &["be", "become"]);
    // `please as`, and not `please be as …`
    let polite = has(words::POLITE) && !sentence.is(last.saturating_sub(1), &["as"]);
    let exchanged = has(&["by", "with"]) && !has(&["replaced"]);
    // `X is Y from now on`
    let henceforth =
        words.len() == 1 && has(&["is", "becomes"]) && sentence.phrase(last.saturating_add(1), &["from", "now", "on"]);
    let given = has(GIVING) && coming && !polite && !exchanged && words.len() > 1 || henceforth;
    let open = sentence.zone(mention.at) == Zone::Main && sentence.zone(last) == Zone::Main;
    (given && open && is_new(sentence, last)).then(|| Sign {
        negated: sentence.negated(last),
        sure: true,
        ..Sign::new(at, last, at)
    })
}

/// `the new name for X is Y`, `the name of X changes to Y`.
pub(super) fn name_of_a_thing(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    let named = sentence.is(at, &["name"]) && sentence.is(at.saturating_add(1), &["for", "of"]);
    let article = at.checked_sub(1).is_some_and(|before| sentence.is(before, &["the", "new", "a", "its"]));
    let new = (at.saturating_sub(2)..at).any(|here| sentence.is(here, &["new", "agreed", "final", "better"]));
    let mention = sentence
        .mentions
        .iter()
        .find(|mention| mention.strong && sentence.adjoins(at.saturating_add(2), mention.at))?;
    if !named || !article {
        return None;
    }
    let verb = mention.end;
    let becomes = sentence.phrase(verb, &["changes", "to"])
        || sentence.phrase(verb, &["changes", "into"])
        || sentence.phrase(verb, &["should", "be"])
        || sentence.phrase(verb, &["must", "be"])
        || sentence.phrase(verb, &["shall", "be"])
        || sentence.phrase(verb, &["will", "be"]);
    let length = match (becomes, sentence.is(verb, &["is", "becomes"]) && new) {
        (true, _) => 2,
        (_, true) => 1,
        _ => return None,
    };
    let name = verb.saturating_add(length);
    is_new(sentence, name).then(|| Sign { negated: sentence.negated(verb), sure: true, ..Sign::new(verb, name, verb) })
}

fn is_new(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.get(at).is_some_and(is_shaped)
        && sentence.mention_at(at).is_none()
        && name_of(sentence, at).is_some()
        && ends_here(sentence, at.saturating_add(1))
}
