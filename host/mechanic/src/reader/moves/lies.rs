//! Wishes that say where an operation lies: `X should be in Y`, `I'd expect X on Y`, `Y is the right place for X`.

use bailiwick_sdk::tasks::EntityKind;

use super::super::lexicon as words;
use super::super::names::is_shaped;
use super::super::sentence::{Mention, Sentence, Zone};
use super::super::targets::{Focus, Found};
use super::path::group_name;
use super::place::operations;
use super::{Move, is_operation};

/// Words of direction and place in front of a group.
const PREPOSITIONS: &[&str] = list! {
    "on" "onto" "in" "into" "inside" "within" "under" "below" "to" "among"
};

/// What stands between an operation and its place and says no more than that it lies or shall lie there.
const PLACED: &[&str] = list! {
    "be" "is" "are" "to" "live" "lives" "sit" "sits" "go" "put" "placed" "found" "find" "fit" "fits" "better" "best" "belong"
    "part" "method" "member" "operation" "function" "of" "moved" "attached" "grouped" "hosted" "right" "over" "down" "up" "being"
    "listed" "located" "see" "have" "and" "it" "so" "out" "from" "misplaced" "currently" "today" "off"
};

/// Orders whose object gets a place.
const ORDERS: &[&str] = list! {
    "attach" "group" "host" "have" "hang" "regroup" "list" "make" "get"
};

/// Nouns of a group, in front of its name or behind it.
const GROUPS: &[&str] = list! {
    "group" "groups" "subclient" "sub-client" "client" "interface" "class"
};

/// A group in a sentence.
pub(super) struct Group {
    /// A reference, or the name of a new group.
    pub(super) to: String,
    /// The mention of a group that is there.
    known: Option<usize>,
    /// Behind its last word.
    pub(super) end: usize,
}

/// The group whose name begins at a token: `Parts`, `the Parts group`, `a new group Catalog`, `a new group called Catalog`.
pub(super) fn group_at(sentence: &Sentence<'_>, at: usize) -> Option<Group> {
    let mut here = at;
    let (mut new, mut noun) = (false, false);
    while sentence.is(here, words::FILLERS)
        || sentence.is(here, &["operation", "separate", "dedicated", "own", "called", "named", "its", "their", "of"])
        || sentence.is(here, GROUPS)
    {
        new |= sentence.is(here, &["new", "separate", "dedicated", "own"]);
        noun |= sentence.is(here, GROUPS);
        here = here.saturating_add(1);
    }
    // `a separate group, let's say X`, `an own group with the name X`
    if new && noun {
        here = behind_the_naming(sentence, here);
    }
    if here > at.saturating_add(9) {
        return None;
    }
    if let Some(mention) = sentence.mention_at(here) {
        let known = mention.candidates.iter().copied().filter(|&one| {
            matches!(sentence.lookup.entity(one).kind, EntityKind::Interface | EntityKind::Namespace)
                && sentence.lookup.entity(one).client.is_some()
        });
        let known: Vec<usize> = known.collect();
        let [one] = known.as_slice() else { return None };
        let end = mention.end.saturating_add(usize::from(sentence.is(mention.end, GROUPS)));
        return Some(Group { to: sentence.lookup.entity(*one).reference.clone(), known: Some(*one), end });
    }
    let token = sentence.get(here).filter(|token| token.is_text() && crate::names::is_identifier(&token.text))?;
    let language = sentence.languages.iter().any(|(place, ..)| *place == here);
    (new && noun && is_shaped(token) && !language).then(|| Group {
        to: group_name(&token.text),
        known: None,
        end: here.saturating_add(1),
    })
}

/// Past words that lead to the name of a new group.
fn behind_the_naming(sentence: &Sentence<'_>, at: usize) -> usize {
    let sign = usize::from([',', ':', '('].iter().any(|sign| sentence.is_sign(at, *sign)));
    let from = at.saturating_add(sign);
    let length = if sentence.is(from, &["say"]) {
        1
    } else if sentence.is(from, &["let's", "lets"]) && sentence.is(from.saturating_add(1), &["say", "call"]) {
        2_usize.saturating_add(usize::from(sentence.is(from.saturating_add(2), &["it"])))
    } else if sentence.phrase(from, &["with", "the", "name"]) || sentence.phrase(from, &["by", "the", "name"]) {
        3
    } else {
        0
    };
    if length > 0 { from.saturating_add(length) } else { at }
}

/// Whether a name is said of a new group: `a separate group, let's say X`. It is the name of nothing else.
pub(in crate::reader) fn names_a_new_group(sentence: &Sentence<'_>, at: usize) -> bool {
    const LEADING: &[&str] = list! {
        "let's" "lets" "say" "called" "named" "name" "with" "the" "it" "call" "and" "of" "its" "their" "own" "e" "g" "e.g" "eg"
        "like" "maybe" "perhaps" "probably" "for" "example" "which" "could" "be" "should" "is"
    };
    let noun = (at.saturating_sub(10)..at).rev().find(|&here| sentence.is(here, GROUPS));
    let Some(noun) = noun.filter(|_| !sentence.any(words::RENAME_PROPER)) else { return false };
    let between = noun.saturating_add(1)..at;
    let new = sentence.has(noun.saturating_sub(4)..noun, &["new", "separate", "dedicated", "own"])
        || sentence.has(between.clone(), &["own"]);
    new && between.clone().all(|here| !sentence.is_text(here) || sentence.is(here, LEADING))
}

/// Whether a thought ends at a token: what follows belongs to no object of the group.
fn ends(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.get(at).is_none_or(|token| {
        super::super::zones::is_boundary(token)
            || token.is(words::POLITE)
            || token.is(words::FILLERS)
            || token.is(&["as", "because", "since", "and", "for", "not", "like", "itself", "where", "rather", "so"])
    })
}

/// Whether a mention is of operations that are not in a group.
fn lies_outside(sentence: &Sentence<'_>, mention: &Mention, group: &Group) -> bool {
    mention.strong
        && mention.candidates.iter().all(|&one| {
            let container = sentence.lookup.entity(one).container.as_ref();
            is_operation(sentence, one) && (container != Some(&group.to) || sentence.lookup.is_relocated(one))
        })
}

/// Whether a preposition of a wish places the operation in front of it in the group behind it.
pub(super) fn lies_at(sentence: &Sentence<'_>, at: usize) -> bool {
    let member = sentence.is(at, &["of"])
        && at
            .checked_sub(1)
            .is_some_and(|before| sentence.is(before, &["part", "method", "member", "operation", "function"]));
    if !member && !sentence.is(at, PREPOSITIONS) || sentence.zone(at) != Zone::Main {
        return false;
    }
    let Some(group) = group_at(sentence, at.saturating_add(1)) else { return false };
    let Some(operation) =
        sentence.mentions.iter().rev().find(|one| one.end <= at && lies_outside(sentence, one, &group))
    else {
        return false;
    };
    let between = |here: usize| {
        !sentence.is_text(here)
            || sentence.is(here, PLACED)
            || sentence.is(here, PREPOSITIONS)
            || sentence.is(here, words::FILLERS)
            || sentence.is(here, words::MODALS)
            || sentence.is(here, words::OBLIGING)
            || sentence.is(here, &["but"])
            || sentence.mention_at(here).is_some_and(|mention| {
                mention.candidates.iter().all(|&one| sentence.lookup.entity(one).kind == EntityKind::Interface)
            })
    };
    ends(sentence, group.end)
        && (operation.end..at).all(between)
        && !sentence.negated(at)
        && places(sentence, operation, at)
}

/// Whether an operation in front of a preposition is wished to be there.
fn places(sentence: &Sentence<'_>, operation: &Mention, at: usize) -> bool {
    let order = operation.at.checked_sub(1).is_some_and(|before| {
        let verb = (0..=before).rev().find(|&here| !sentence.is(here, words::FILLERS)).unwrap_or(before);
        let first = (0..verb).all(|here| !sentence.is_text(here) || sentence.is(here, words::POLITE));
        first && sentence.is(verb, ORDERS)
    });
    let better = sentence.has(operation.end..at, &["better", "best", "misplaced"]);
    let wished = (0..operation.at).any(|here| {
        sentence.is(here, &["expect", "want", "like", "prefer", "need", "let's"])
            && !sentence.is(here.saturating_sub(1), &["users", "they", "people", "you"])
    }) && sentence.adjoins_wish(operation.at);
    let obliged = sentence.has(operation.end..at, words::OBLIGING);
    let short = sentence.any(words::POLITE) && !(0..operation.at).any(|here| sentence.is_text(here));
    order || better || wished || obliged || short
}

impl Sentence<'_> {
    /// Whether nothing but courtesy stands between a verb of wishing and its object: `I would expect to find X`.
    fn adjoins_wish(&self, object: usize) -> bool {
        (0..object)
            .rev()
            .take_while(|&here| !self.is(here, &["expect", "want", "like", "prefer", "need", "let's"]))
            .all(|here| {
                !self.is_text(here)
                    || self.is(here, words::FILLERS)
                    || self.is(here, &["to", "find", "see", "have"])
                    || words::kinds_of(self.lower(here)).is_some()
            })
    }
}

/// `Y should get X`, `Y is the right place for X`, `the right place for X is Y`, `a new group Y with a and b`.
pub(super) fn receives(sentence: &Sentence<'_>, focus: &Focus) -> Option<Move> {
    const HOLDING: &[&str] = list! { "have" "get" "hold" "holds" "contain" "contains" "own" "with" "containing" "holding" "for" "that" "which" };
    const HOMES: &[&str] = list! { "place" "home" "group" };
    let first = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at) && !sentence.is(at, words::POLITE))?;
    // `We want a new group Y with …`, `Please create a group Y for …`
    let made = sentence.is(first, &["create", "introduce", "add", "make"])
        || (first..first.saturating_add(4)).any(|at| sentence.is(at, &["want", "need", "like", "propose", "suggest"]));
    // `we would need a new group for it`: what it would take.
    let supposed = sentence.any(&["would"]) && !sentence.any(&["like", "love", "prefer", "be"]);
    let made = made && !supposed && !sentence.any(words::ELSEWHERE);
    let from = (first..first.saturating_add(if made { 5 } else { 1 })).find(|&at| {
        group_at(sentence, at).is_some_and(|group| made == group.known.is_none() || sentence.is_sign(group.end, ':'))
    });
    if let Some(group) = from.and_then(|from| group_at(sentence, from)) {
        let rest = sentence.tokens.len();
        let names = operations(sentence, group.end, rest, &[], focus);
        let holds = (group.end..rest).find(|&at| sentence.is(at, HOLDING) || sentence.is_sign(at, ':'))?;
        let object = sentence.mentions.iter().find(|mention| mention.at > group.end && mention.strong)?;
        let idle = |at: usize| {
            !sentence.is_text(at)
                || sentence.is(at, HOLDING)
                || sentence.is(at, HOMES)
                || sentence.is(at, words::FILLERS)
                || sentence.is(at, words::OBLIGING)
                || sentence
                    .is(at, &["is", "would", "be", "better", "right", "best", "natural", "proper", "obvious", "to"])
        };
        let home = sentence.has(group.end..object.at, HOMES)
            && sentence.has(group.end..object.at, &["for"])
            && sentence.has(group.end..object.at, &["better", "right", "best", "natural", "proper", "obvious"]);
        let asked =
            made || home || sentence.has(group.end..object.at, words::OBLIGING) || sentence.is_sign(group.end, ':');
        let outside = matches!(&names, Found::These(all) if all.iter().all(|&one| {
            sentence.lookup.entity(one).container.as_ref() != Some(&group.to)
        }));
        let plain = object.candidates.iter().all(|&one| is_operation(sentence, one));
        let fits = asked && outside && plain && (group.end..object.at).all(idle) && !sentence.is_turned();
        return fits.then_some(Move { targets: names, to: group.to, negated: false, at: holds, by_path: home });
    }
    // `The right place for X is Y`
    let home = (first..first.saturating_add(4)).find(|&at| sentence.is(at, HOMES))?;
    let chosen = sentence.has(first..home, &["right", "better", "best", "natural", "proper", "obvious"]);
    let is = (home..sentence.tokens.len()).find(|&at| sentence.is(at, &["is", "would"]))?;
    let group = group_at(
        sentence,
        is.saturating_add(1).saturating_add(usize::from(sentence.is(is.saturating_add(1), &["be"]))),
    )?;
    let names = operations(sentence, home, is, &[], focus);
    let fits = chosen
        && sentence.is(home.saturating_add(1), &["for"])
        && matches!(names, Found::These(_))
        && ends(sentence, group.end)
        && !sentence.is_turned();
    fits.then_some(Move { targets: names, to: group.to, negated: false, at: is, by_path: true })
}

/// Where the items below go: `Move these to a new group Y:`, `The following operations belong in Y:`.
pub(in crate::reader) fn place_below(sentence: &Sentence<'_>) -> Option<String> {
    const ITEMS: &[&str] = list! { "these" "those" "following" "below" "operations" "methods" "them" "functions" };
    let at = (0..sentence.tokens.len()).find(|&at| {
        sentence.is(at, PREPOSITIONS)
            && group_at(sentence, at.saturating_add(1)).is_some()
            && sentence.has(0..at, ITEMS)
    })?;
    let group = group_at(sentence, at.saturating_add(1))?;
    let told = |verb: usize| super::super::rename::is_statement(sentence, verb) && !sentence.is(verb, &["belong"]);
    let moves = (0..at).any(|verb| sentence.is(verb, words::MOVE_PROPER) && !told(verb))
        || sentence.has(0..at, words::OBLIGING);
    let others = sentence.mentions.iter().filter(|mention| mention.strong && mention.end <= at).count();
    (moves && others == 0 && !sentence.is_turned()).then_some(group.to)
}
