//! A part of a name: `drop the Rec suffix of PartRec` takes it away, `add the prefix Part` puts it in front, and
//! `Stat -> Statistics` beside `PartStat` writes it in full.

use super::super::lexicon as words;
use super::super::names::{NewName, resembles};
use super::super::sentence::{LanguageRole, Sentence, Zone, same_name};
use super::super::targets::Focus;
use super::super::token::Kind;
use super::Rename;

/// Nouns of a part of a name.
const AFFIXES: &[&str] = list! { "suffix" "prefix" "postfix" "ending" };

/// Verbs that take a part away.
const TAKING_AWAY: &[&str] = list! { "drop" "remove" "strip" "lose" "omit" "cut" "delete" "rid" };

/// Verbs that put a part in front or behind.
const PUTTING: &[&str] = list! { "add" "append" "prepend" "give" };

/// Verbs that do so behind a word that obliges: `A should get the prefix Part`.
const GETTING: &[&str] = &["get", "take", "have"];

/// What becomes of a part.
enum Turn {
    Gone,
    Written(String),
    InFront,
    Behind,
}

/// A part that changes.
struct Change {
    /// The part, and where it stands.
    part: String,
    at: usize,
    turn: Turn,
    /// The sign that asks for it.
    sign: usize,
    /// The last word of what asks for it.
    last: usize,
}

/// The renames of a sentence that changes a part of the names that it, or the sentence before it, is about.
pub(super) fn parts(sentence: &Sentence<'_>, focus: &Focus) -> Vec<Rename> {
    let change = affix(sentence).or_else(|| put_in_front(sentence)).or_else(|| taken_from(sentence));
    let Some(change) = change.or_else(|| redundant(sentence)).or_else(|| written_out(sentence)) else {
        return Vec::new();
    };
    let mut targets: Vec<usize> = Vec::new();
    for mention in
        sentence.mentions.iter().filter(|mention| mention.strong && !(mention.at..mention.end).contains(&change.at))
    {
        let holder = sentence.qualifies(mention);
        match sentence.settle(mention, focus) {
            Ok(one) if !holder && !targets.contains(&one) => targets.push(one),
            Ok(_) => {}
            Err(_) => return Vec::new(),
        }
    }
    let named = !targets.is_empty();
    if !named {
        targets.clone_from(&focus.subject);
    }
    let turned: Vec<(usize, Option<String>)> =
        targets.into_iter().map(|one| (one, without(sentence, one, &change))).collect();
    // A name that has no such part: what is spoken of is something else.
    if turned.is_empty() || turned.iter().any(|(_, name)| name.is_none()) {
        return Vec::new();
    }
    let rename = |(one, name): (usize, Option<String>)| {
        let name = NewName { at: change.last, text: name? };
        let negated = sentence.negated(change.sign);
        Some(Rename { target: Ok(one), name, alternatives: false, negated, at: change.sign, bare: false })
    };
    turned.into_iter().filter_map(rename).collect()
}

/// `drop the Rec suffix`, `get rid of the prefix Pf`, `add the prefix Widget`
fn affix(sentence: &Sentence<'_>) -> Option<Change> {
    let noun = (0..sentence.tokens.len()).find(|&at| sentence.is(at, AFFIXES) && sentence.mention_at(at).is_none())?;
    let sign = (sentence.clause_start(noun)..noun).find(|&at| {
        let obliged = at.checked_sub(1).is_some_and(|before| sentence.is(before, &["should", "must", "shall"]));
        let puts = sentence.is(at, PUTTING) || sentence.is(at, GETTING) && obliged;
        sentence.is(at, TAKING_AWAY) || puts && at.saturating_add(4) > noun
    })?;
    let puts = sentence.is(sign, PUTTING) || sentence.is(sign, GETTING);
    let turn = match puts {
        true if sentence.is(noun, &["prefix"]) => Turn::InFront,
        true => Turn::Behind,
        false => Turn::Gone,
    };
    let beside = [noun.checked_sub(1), Some(noun.saturating_add(1))];
    let at = beside.into_iter().flatten().find(|&at| {
        sentence.get(at).is_some_and(|token| {
            token.is_text()
                && (token.looks_like_name()
                    || token.text.starts_with(char::is_uppercase) && !words::FILLERS.contains(&token.lower.as_str()))
        })
    })?;
    let main = sentence.zone(sign) == Zone::Main;
    // `add the prefix to the messages of X`
    let behind = sentence.mentions.iter().find(|mention| mention.at > noun.max(at));
    let far = puts && behind.is_some_and(|one| !sentence.adjoins(noun.max(at).saturating_add(1), one.at));
    // `.NET drops the suffix`
    let others = sentence.languages.iter().any(|(at, _, role)| *at < sign && *role == LanguageRole::Other);
    // What takes its place is another change.
    let replaced =
        sentence.tokens.iter().any(|token| token.kind == Kind::Arrow) || sentence.any(&["replace", "instead"]);
    let part = sentence.get(at).map(|token| token.text.trim_matches(['-', '_', '*']).to_owned())?;
    let sign = if sentence.is(sign, &["rid"]) { sign.saturating_sub(1) } else { sign };
    (!replaced && !others && main && !far).then_some(Change { part, at, turn, sign, last: noun.max(at) })
}

/// A part as people write it: between quotes, or with a capital letter.
fn part_at(sentence: &Sentence<'_>, at: usize) -> Option<String> {
    let token = sentence.get(at).filter(|token| token.is_text())?;
    let written = token.looks_like_name() || token.text.starts_with(char::is_uppercase);
    let part = token.text.trim_matches(['-', '_', '*']);
    (written && !words::FILLERS.contains(&token.lower.as_str())).then(|| part.to_owned())
}

/// `prefix A and B with Part`
fn put_in_front(sentence: &Sentence<'_>) -> Option<Change> {
    let orders = |at: usize| {
        let before = at.checked_sub(1);
        sentence.clause_start(at) == at
            || before.is_some_and(|at| sentence.is(at, words::POLITE) || sentence.is(at, &["to", "should", "must"]))
    };
    let sign = (0..sentence.tokens.len()).find(|&at| {
        let followed = sentence.mention_at(at.saturating_add(1)).is_some_and(|mention| mention.strong);
        sentence.is(at, &["prefix"]) && followed && orders(at)
    })?;
    let joint = (sign..sentence.tokens.len()).find(|&at| sentence.is(at, &["with", "by"]))?;
    let at = joint.saturating_add(1);
    let ends = super::super::names::ends_here(sentence, at.saturating_add(1));
    let part = part_at(sentence, at).filter(|_| ends)?;
    Some(Change { part, at, turn: Turn::InFront, sign, last: at })
}

/// `remove Part from A`
fn taken_from(sentence: &Sentence<'_>) -> Option<Change> {
    let sign = (0..sentence.tokens.len())
        .find(|&at| sentence.is(at, TAKING_AWAY) && sentence.is(at.saturating_add(2), &["from"]))?;
    let at = sign.saturating_add(1);
    let behind = sentence.mentions.iter().any(|one| one.strong && one.at > at.saturating_add(1));
    let single = |part: &String| crate::names::words(part).len() == 1;
    let part = part_at(sentence, at).filter(single).filter(|_| behind && sentence.mention_at(at).is_none())?;
    Some(Change { part, at, turn: Turn::Gone, sign, last: at })
}

/// `the Rec suffix of A is redundant, drop it`, `the "Rec" at the end of A is redundant, please remove it`
fn redundant(sentence: &Sentence<'_>) -> Option<Change> {
    let idle = (0..sentence.tokens.len())
        .find(|&at| sentence.is(at, &["redundant", "superfluous", "unnecessary", "needless", "noise"]))?;
    let sign = (idle..sentence.tokens.len())
        .find(|&at| sentence.is(at, TAKING_AWAY) && sentence.is(at.saturating_add(1), &["it", "that", "this"]))?;
    let at = (0..idle).find(|&at| {
        let next = at.saturating_add(1);
        let place = sentence.phrase(next, &["at", "the", "end", "of"]) || sentence.phrase(next, &["in", "front", "of"]);
        part_at(sentence, at).is_some() && (sentence.is(next, AFFIXES) || place)
    })?;
    Some(Change { part: part_at(sentence, at)?, at, turn: Turn::Gone, sign, last: sign.saturating_add(1) })
}

/// `Stat -> Statistics`, where nothing is called `Stat` and the one word spells out the other.
fn written_out(sentence: &Sentence<'_>) -> Option<Change> {
    let sign = (1..sentence.tokens.len()).find(|&at| {
        let verb =
            || (0..at).any(|verb| sentence.is(verb, &["expand", "spell", "write", "change", "replace", "lengthen"]));
        sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow)
            || sentence.is(at, &["to", "as", "into", "by", "with"]) && verb()
    })?;
    let (at, new) = (sign.checked_sub(1)?, sign.saturating_add(1));
    let word = |at: usize| {
        let token = sentence.get(at).filter(|token| token.is_text())?;
        let one = crate::names::words(&token.text).len() == 1 && crate::names::is_identifier(&token.text);
        (one && sentence.mention_at(at).is_none()).then(|| token.text.clone())
    };
    let (part, new) = (word(at)?, word(new)?);
    let ends = super::super::names::ends_here(sentence, sign.saturating_add(2));
    let longer = new.chars().count() > part.chars().count() && part.chars().count() > 1;
    (ends && longer && resembles(&part, &new)).then_some(Change {
        part,
        at,
        turn: Turn::Written(new),
        sign,
        last: sign.saturating_add(1),
    })
}

/// The name of a thing with its part changed, if it has that part exactly once.
fn without(sentence: &Sentence<'_>, one: usize, change: &Change) -> Option<String> {
    let entity = sentence.lookup.entity(one);
    let today = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
    let mut words = crate::names::words(today);
    let same = |word: &String| word.eq_ignore_ascii_case(&change.part);
    let mut places = words.iter().enumerate().filter(|(_, word)| same(word)).map(|(at, _)| at);
    let place = places.next().filter(|_| places.next().is_none());
    match (&change.turn, place) {
        (Turn::Gone, Some(place)) if words.len() > 1 && (place == 0 || place.saturating_add(1) == words.len()) => {
            words.remove(place);
        }
        (Turn::Written(new), Some(place)) if words.len() > 1 => *words.get_mut(place)? = new.clone(),
        (Turn::InFront, None) => words.insert(0, change.part.clone()),
        (Turn::Behind, None) => words.push(change.part.clone()),
        _ => return None,
    }
    let name = crate::names::client_name(entity.kind, today, &words.join("_"));
    // A name that the sentence gives besides has to be the same.
    let another = sentence.tokens.iter().enumerate().any(|(at, token)| {
        let part = crate::names::words(today).iter().any(|word| word.eq_ignore_ascii_case(&token.text));
        at != change.at
            && at != change.last
            && token.is_text()
            && token.looks_like_name()
            && !part
            && sentence.mention_at(at).is_none()
            && !same_name(&token.text, &name)
    });
    (!another).then_some(name)
}
