//! Moves: an operation, a word of moving, and the place that it gets.

use bailiwick_sdk::tasks::{EntityKind, Language};

use super::lexicon as words;
use super::members::all_of_a_group;
use super::sentence::{Sentence, Zone};
use super::targets::{Focus, Found};

/// A move as far as one sentence says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) targets: Found,
    /// A reference, or the name of a new group.
    pub(super) to: String,
    pub(super) negated: bool,
    pub(super) at: usize,
    /// Whether the paths of what there is say it, and no verb.
    pub(super) by_path: bool,
}

/// The move of a sentence, if it has one.
pub(super) fn movement(sentence: &Sentence<'_>, focus: &Focus, root: Option<usize>) -> Option<Move> {
    let path = by_path(sentence, root).or_else(|| by_arrow(sentence, focus));
    let verb = by_verb(sentence, focus, root);
    match (path, verb) {
        // `move X to the client, so that users can write client.x()`: the path repeats what the verb asks for.
        (Some(path), Some(verb)) if (&path.targets, &path.to) == (&verb.targets, &verb.to) => Some(verb),
        (Some(path), _) => Some(path),
        (None, verb) => verb,
    }
}

/// `client.group.operation` beside `client.operation` or `client.other.operation`: the path says where it goes.
fn by_path(sentence: &Sentence<'_>, root: Option<usize>) -> Option<Move> {
    let arrow = sentence.tokens.iter().rposition(|token| token.kind == super::token::Kind::Arrow).unwrap_or(0);
    let mut wanted = None;
    for (at, token) in sentence.tokens.iter().enumerate() {
        let Some(path) = token.text.strip_prefix("client.").filter(|_| token.is_text()) else { continue };
        if (at.saturating_sub(3)..at).any(|here| {
            sentence.phrase(here, &["instead", "of"])
                || sentence.phrase(here, &["rather", "than"])
                || sentence.is(here, &["from"])
        }) {
            continue;
        }
        let parts: Vec<&str> = path.split('.').collect();
        let Some((name, groups)) = parts.split_last() else { continue };
        // How it is today; and in Go `client` is a client of any group.
        if at < arrow || groups.is_empty() && sentence.language == Language::Go {
            continue;
        }
        let operations: Vec<usize> =
            sentence.lookup.find(name).into_iter().filter(|&at| is_operation(sentence, at)).collect();
        let [operation] = operations.as_slice() else { continue };
        let place = match groups.last() {
            None => root,
            Some(group) => one_group(sentence, group),
        };
        let entity = sentence.lookup.entity(*operation);
        let Some(place) = place else {
            // `client.list()` becomes `client.items.list()`: a group of its own.
            let today = |token: &super::token::Token| token.text.strip_prefix("client.") == Some(*name);
            if let [group] = groups
                && sentence.tokens.iter().any(today)
                && sentence.lookup.find(group).is_empty()
            {
                wanted = Some((at, *operation, group_name(group)));
            }
            continue;
        };
        let reference = &sentence.lookup.entity(place).reference;
        // Where it is today is no wish.
        if entity.container.as_ref() != Some(reference) || sentence.lookup.is_relocated(*operation) {
            wanted = Some((at, *operation, reference.clone()));
        }
    }
    let (at, operation, to) = wanted?;
    let asked = sentence.tokens.iter().enumerate().any(|(here, token)| {
        token.is(words::MOVING)
            || token.is(words::MODALS)
            || token.is(&["becomes", "become"])
            || here < at && token.is(&["so", "to", "people", "write", "instead"])
            || token.is(&["instead"])
            || matches!(token.kind, super::token::Kind::Arrow)
    });
    let bare = sentence.tokens.iter().filter(|token| token.is_text()).count() <= 3;
    let told = sentence.any(&["became", "was", "were", "had"]);
    ((asked || bare) && !told).then(|| Move {
        targets: Found::These(vec![operation]),
        negated: sentence.negated(at),
        at,
        by_path: to.contains('.'),
        to,
    })
}

/// `A.list -> B.list`: the same name in another group.
fn by_arrow(sentence: &Sentence<'_>, focus: &Focus) -> Option<Move> {
    let at = sentence.tokens.iter().position(|token| token.kind == super::token::Kind::Arrow)?;
    let mention = sentence.mentions.iter().find(|mention| mention.end == at && mention.strong)?;
    let mut mention = mention.clone();
    mention.candidates.retain(|&one| is_operation(sentence, one));
    let operation = if mention.candidates.is_empty() { None } else { sentence.settle(&mention, focus).ok() }?;
    // `X -> new operation group Y`
    let next = at.saturating_add(1);
    let group = (next..next.saturating_add(5)).find(|&here| sentence.is(here, &["group", "subclient", "sub-client"]));
    let made = group.is_some_and(|group| sentence.has(next..group, &["new", "own", "separate", "dedicated"]));
    if let Some(name) = group.filter(|_| made).map(|group| group.saturating_add(1))
        && let Some(token) =
            sentence.get(name).filter(|token| token.is_text() && crate::names::is_identifier(&token.text))
        && super::names::is_shaped(token)
        && sentence.mention_at(name).is_none()
    {
        let (targets, to) = (Found::These(vec![operation]), group_name(&token.text));
        return Some(Move { targets, to, negated: sentence.negated(at), at, by_path: false });
    }
    let token = sentence.get(next).filter(|token| token.is_text())?;
    let (path, name) = token.text.rsplit_once('.')?;
    let entity = sentence.lookup.entity(operation);
    let today = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
    let group = one_group(sentence, path.rsplit('.').next().unwrap_or(path))?;
    let to = sentence.lookup.entity(group).reference.clone();
    let same = super::sentence::same_name(name, &entity.name) || super::sentence::same_name(name, today);
    let last = super::names::ends_here(sentence, at.saturating_add(2));
    (same && last && entity.container.as_ref() != Some(&to)).then(|| Move {
        targets: Found::These(vec![operation]),
        to,
        negated: sentence.negated(at),
        at,
        by_path: false,
    })
}

/// What a new group is called, however a language writes it.
fn group_name(text: &str) -> String {
    crate::names::words(text)
        .iter()
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
        })
        .collect()
}

/// The place that a path leads to: `client.group.operation`, `client.operation`.
pub(super) fn place_of(sentence: &Sentence<'_>, path: &str, root: Option<usize>) -> Option<String> {
    let (groups, _) = path.strip_prefix("client.").map(|path| path.rsplit_once('.').unwrap_or(("", path)))?;
    let place = match groups.rsplit('.').next().filter(|group| !group.is_empty()) {
        // In Go `client` is a client of any group.
        None => root.filter(|_| sentence.language != Language::Go)?,
        Some(group) => one_group(sentence, group)?,
    };
    Some(sentence.lookup.entity(place).reference.clone())
}

fn is_operation(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.lookup.entity(at).kind == EntityKind::Operation
}

fn one_group(sentence: &Sentence<'_>, name: &str) -> Option<usize> {
    let mut found = sentence.lookup.find(name);
    found.extend(sentence.lookup.find_elsewhere(name));
    found.retain(|&at| sentence.lookup.entity(at).kind == EntityKind::Interface);
    found.dedup();
    if found.len() == 1 { found.first().copied() } else { None }
}

fn by_verb(sentence: &Sentence<'_>, focus: &Focus, root: Option<usize>) -> Option<Move> {
    let verb = (0..sentence.tokens.len()).find(|&at| {
        sentence.is(at, words::MOVE_PROPER) && sentence.zone(at) == Zone::Main
            || sentence.is(at, &["be"])
                && sentence.is(on(sentence, at), &["on", "in", "under"])
                && (lies_elsewhere(sentence, at) || leaves_its_group(sentence, at))
            || expects(sentence, at)
            || comes_back(sentence, at)
            || sentence.is(at, words::MOVING) && sentence.zone(at) == Zone::Main && is_wish(sentence, at)
            || moves_out(sentence, at)
            || becomes_a_member(sentence, at)
            || has_elsewhere(sentence, at)
            || goes_to_its_own(sentence, at)
    })?;
    if sentence.negated(verb) {
        return None;
    }
    // `return X to A` moves, `return a list` does not.
    let gives_back = sentence.is(verb, &["return"]);
    if gives_back
        && !(sentence.is(verb.saturating_add(1), &["it", "this", "that", "them"])
            || sentence.mention_at(verb.saturating_add(1)).is_some())
    {
        return None;
    }
    let decided = is_decided(sentence, verb) || goes_to_its_own(sentence, verb);
    if super::rename::is_statement(sentence, verb) && !sentence.is(verb, &["belongs", "belong"]) && !decided {
        return None;
    }
    let (place_at, to, consumed) = place(sentence, verb, root)
        .or_else(|| place_spoken_of(sentence, verb, focus))
        .or_else(|| own_place(sentence, verb, focus))?;
    if let Some(all) = all_of_a_group(sentence, 0, place_at) {
        return Some(Move {
            targets: Found::These(all),
            to,
            negated: sentence.negated(verb),
            at: verb,
            by_path: false,
        });
    }
    let own = operations(sentence, sentence.clause_start(verb), place_at, &consumed, focus);
    let before = || operations(sentence, 0, place_at, &consumed, focus);
    let targets = match if own == Found::Nothing { before() } else { own } {
        Found::Nothing => match operations(sentence, place_at, sentence.tokens.len(), &consumed, focus) {
            Found::Nothing => spoken_of(sentence, focus),
            other => other,
        },
        other => other,
    };
    Some(Move { targets, to, negated: sentence.negated(verb), at: verb, by_path: false })
}

/// `make X a method of Y`, `X should be a member of Y`: behind it a group.
fn becomes_a_member(sentence: &Sentence<'_>, at: usize) -> bool {
    let noun = at.saturating_add(1);
    let of = noun.saturating_add(1);
    let member = sentence.is(at, &["a", "an", "part"])
        && (sentence.is(noun, &["method", "member", "operation", "function"]) && sentence.is(of, &["of", "on"])
            || sentence.is(at, &["part"]) && sentence.is(noun, &["of"]));
    let group = (noun..of.saturating_add(4)).any(|here| {
        sentence.mention_at(here).is_some_and(|mention| {
            mention.candidates.iter().any(|&one| sentence.lookup.entity(one).kind == EntityKind::Interface)
        })
    });
    let start = sentence.clause_start(at);
    let asked = sentence.is(start, &["make", "turn"])
        || (start..at).any(|here| sentence.is(here, words::OBLIGING) || sentence.is(here, words::POLITE));
    let operation = sentence.mentions.iter().any(|mention| {
        mention.strong && mention.end <= at && mention.candidates.iter().all(|&one| is_operation(sentence, one))
    });
    member && group && asked && operation
}

/// `can we have X on Y instead`: an operation, and behind it a group that is not its own.
fn has_elsewhere(sentence: &Sentence<'_>, at: usize) -> bool {
    let asked = sentence.is(at, &["have", "get", "see"])
        && (sentence.is(at.saturating_sub(1), &["we", "i", "you"]) || sentence.clause_start(at) == at)
        && (sentence.any(words::POLITE) || sentence.any(&["can", "could", "would"]));
    let object = sentence.mentions.iter().find(|mention| mention.at > at && mention.strong);
    asked
        && object.is_some_and(|object| {
            sentence.adjoins(at.saturating_add(1), object.at)
                && sentence.is(object.end, &["on", "under", "in"])
                && lies_behind(sentence, object.end, object)
        })
}

/// `we want it back on Y`: directly behind it a group.
fn comes_back(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["back"])
        && sentence.is(at.saturating_add(1), &["on", "in", "under", "to"])
        && sentence.mention_at(at.saturating_add(2)).is_some_and(|mention| {
            mention.candidates.iter().any(|&one| sentence.lookup.entity(one).kind == EntityKind::Interface)
        })
        && is_wish(sentence, at)
}

/// `move it there`: the one group that the sentences before name and that is not its own.
fn place_spoken_of(sentence: &Sentence<'_>, verb: usize, focus: &Focus) -> Option<(usize, String, Vec<usize>)> {
    let there = (verb..verb.saturating_add(5)).find(|&at| sentence.is(at, &["there"]))?;
    let Found::These(operations) = spoken_of(sentence, focus) else { return None };
    let own = |group: usize| operations.iter().any(|&one| sentence.lookup.holds(group, one));
    let mut groups: Vec<usize> = focus.subject.iter().chain(&focus.mentioned).chain(&focus.holders).copied().collect();
    groups.retain(|&one| sentence.lookup.entity(one).kind == EntityKind::Interface && !own(one));
    groups.sort_unstable();
    groups.dedup();
    let [group] = groups.as_slice() else { return None };
    Some((there, sentence.lookup.entity(*group).reference.clone(), Vec::new()))
}

/// `move it back`: where the specification has it, if the client has it elsewhere.
fn own_place(sentence: &Sentence<'_>, verb: usize, focus: &Focus) -> Option<(usize, String, Vec<usize>)> {
    let told = sentence.lower(verb).ends_with("ed") && !is_wish(sentence, verb);
    let end = sentence.clause_end(verb);
    // `put it where it is in the other languages`, `where the specification has it`
    let where_it_is = |at: usize| {
        sentence.is(at, &["where"])
            && (sentence.is(at.saturating_add(1), &["it"])
                && sentence.is(at.saturating_add(2), &["is", "belongs", "was", "lives"])
                || sentence.has(at..at.saturating_add(5), &["spec", "specification", "service", "others", "languages"]))
    };
    let there = (verb..end).find(|&at| where_it_is(at));
    let back = there.or_else(|| (verb..end).find(|&at| sentence.is(at, &["back"])))?;
    let idle = |at: usize| {
        !sentence.is_text(at)
            || sentence.is(at, words::FILLERS)
            || sentence.is(at, words::POLITE)
            || sentence.is(at, &["there", "in", "for", "where", "it", "belongs", "was", "and"])
            || sentence.languages.iter().any(|(place, ..)| *place == at)
    };
    let own = operations(sentence, sentence.clause_start(verb), back, &[], focus);
    let (Found::These(all), true) =
        (if own == Found::Nothing { spoken_of(sentence, focus) } else { own }, (back.saturating_add(1)..end).all(idle))
    else {
        return None;
    };
    let [one] = all.as_slice() else { return None };
    let entity = sentence.lookup.entity(*one);
    if told {
        return None;
    }
    let to = entity.container.clone().filter(|_| sentence.lookup.is_relocated(*one))?;
    Some((back, to, Vec::new()))
}

/// The word behind `be`, past `directly`.
fn on(sentence: &Sentence<'_>, be: usize) -> usize {
    let next = be.saturating_add(1);
    next.saturating_add(usize::from(sentence.is(next, &["directly", "right", "straight", "rather", "better"])))
}

/// `I'd expect X under Y`, `we want X on Y`: an operation, and behind it a group that is not its own.
fn expects(sentence: &Sentence<'_>, at: usize) -> bool {
    let wish = sentence.is(at, &["expect", "want", "like", "prefer", "need"])
        && at.checked_sub(1).is_some_and(|who| {
            sentence.is(who, &["i", "we", "would", "i'd", "we'd", "i’d", "we’d", "rather", "users", "customers"])
        });
    let object = sentence.mentions.iter().find(|mention| mention.at > at && mention.strong);
    wish && object.is_some_and(|object| {
        sentence.adjoins(at.saturating_add(1), object.at)
            && sentence.is(object.end, &["on", "under", "in"])
            && lies_behind(sentence, object.end, object)
    })
}

/// Whether a group stands behind a word of place that the operation in front of it is not in.
fn lies_behind(sentence: &Sentence<'_>, place: usize, operation: &super::sentence::Mention) -> bool {
    let mut at = place.saturating_add(1);
    while sentence.is(at, words::FILLERS) {
        at = at.saturating_add(1);
    }
    let is_place = |one: &usize| {
        matches!(sentence.lookup.entity(*one).kind, EntityKind::Interface | EntityKind::Namespace)
            && sentence.lookup.entity(*one).client.is_some()
    };
    let groups: Vec<usize> = sentence
        .mention_at(at)
        .map(|mention| mention.candidates.iter().copied().filter(is_place).collect())
        .unwrap_or_default();
    let [group] = groups.as_slice() else { return false };
    // `we want X on Y to fail`
    let end = sentence.mention_at(at).map_or(at, |mention| mention.end);
    let ends = sentence.get(end).is_none_or(|token| {
        super::zones::is_boundary(token)
            || token.is(words::POLITE)
            || token.is(words::FILLERS)
            || token.is(&["as", "because", "since", "and", "for", "not", "like", "itself", "where"])
    });
    if !ends {
        return false;
    }
    let container = |one: usize| sentence.lookup.entity(one).container.as_ref();
    operation.candidates.iter().all(|&one| {
        let elsewhere = container(one) != Some(&sentence.lookup.entity(*group).reference);
        is_operation(sentence, one) && (elsewhere || sentence.lookup.is_relocated(one))
    })
}

/// `X should be on Y`: an operation, and directly behind it a group that is not its own.
fn lies_elsewhere(sentence: &Sentence<'_>, be: usize) -> bool {
    sentence.is(be.saturating_sub(1), words::OBLIGING)
        && sentence
            .mentions
            .iter()
            .any(|mention| mention.end < be && mention.strong && lies_behind(sentence, on(sentence, be), mention))
}

/// `X should be on the client itself`: an operation, and the client where it is in a group.
fn leaves_its_group(sentence: &Sentence<'_>, be: usize) -> bool {
    let behind = be.saturating_add(2)..be.saturating_add(6);
    let top = sentence.has(behind.clone(), &["top-level", "toplevel", "root"])
        || sentence.language != Language::Go && behind.clone().any(|at| sentence.phrase(at, &["client", "itself"]));
    let asked = (sentence.clause_start(be)..be)
        .any(|at| sentence.is(at, words::OBLIGING) || sentence.is(at, &["could", "can", "would"]));
    let grouped = |&one: &usize| {
        let holder =
            sentence.lookup.entity(one).container.as_deref().and_then(|full| sentence.lookup.by_reference(full));
        holder.is_some_and(|holder| sentence.lookup.entity(holder).kind == EntityKind::Interface)
    };
    top && asked
        && sentence.mentions.iter().any(|mention| {
            mention.end <= be
                && mention.strong
                && mention.candidates.iter().all(|one| is_operation(sentence, *one) && grouped(one))
        })
}

/// The operations that the sentences before are about.
fn spoken_of(sentence: &Sentence<'_>, focus: &Focus) -> Found {
    let of = |from: &[usize]| from.iter().copied().filter(|&at| is_operation(sentence, at)).collect::<Vec<_>>();
    let subject = of(&focus.subject);
    let mentioned = of(&focus.mentioned);
    if !subject.is_empty() {
        Found::These(subject)
    } else if mentioned.len() == 1 {
        Found::These(mentioned)
    } else if let (true, Some(&last)) = (mentioned.is_empty(), of(&focus.holders).first()) {
        Found::These(vec![last])
    } else {
        Found::Nothing
    }
}

fn is_wish(sentence: &Sentence<'_>, at: usize) -> bool {
    let start = sentence.clause_start(at);
    if is_decided(sentence, at) || moves_out(sentence, at) || goes_to_its_own(sentence, at) {
        return true;
    }
    (start..at).any(|here| {
        sentence.is(here, words::MODALS)
            || sentence.lower(here).ends_with("'d")
            || sentence.is(here, words::POLITE)
            || sentence.is(here, &["let's", "want"])
    })
}

/// `Decision: X goes to Y`, `X goes back to Y`
fn is_decided(sentence: &Sentence<'_>, at: usize) -> bool {
    let label = (0..sentence.clause_start(at)).any(|here| {
        sentence
            .is(here, &["decision", "decided", "agreed", "outcome", "verdict", "conclusion", "result", "resolution"])
            && sentence.is_sign(here.saturating_add(1), ':')
    });
    label && sentence.is(at, &["goes", "moves", "go", "move"])
}

/// `X goes to a new group B`, `X moves from A to B`: told as what comes, for nothing is so yet.
fn goes_to_its_own(sentence: &Sentence<'_>, at: usize) -> bool {
    if !sentence.is(at, &["goes", "moves", "go", "move"]) || sentence.mention_at(at).is_some() {
        return false;
    }
    let end = sentence.clause_end(at);
    let start = sentence.clause_start(at);
    let new = (at..end).any(|here| sentence.is(here, &["new", "own", "separate", "dedicated"]))
        && sentence.has(at..end, &["group", "subclient", "sub-client"]);
    let group = |here: usize| {
        sentence.mention_at(here).is_some_and(|mention| {
            mention.candidates.iter().any(|&one| sentence.lookup.entity(one).kind == EntityKind::Interface)
        })
    };
    let from = (at..end).find(|&here| sentence.is(here, &["from"]) && group(here.saturating_add(1)));
    let exchanged = from.is_some_and(|from| {
        (from..end).any(|here| sentence.is(here, &["to", "into"]) && group(here.saturating_add(1)))
    });
    let operation = sentence.mentions.iter().any(|mention| {
        mention.strong
            && mention.end <= at
            && mention.at >= start
            && mention.candidates.iter().all(|&one| is_operation(sentence, one))
    });
    let pronoun = sentence.is(start, &["it", "this", "that", "they", "both"]);
    let told = sentence.any(&["when", "already", "was", "were", "had", "once", "always", "usually", "automatically"]);
    (new && (operation || pronoun) || exchanged && operation) && !told && !sentence.is_turned()
}

/// `take X out of A into a new group B`, `pull X out into B`
fn moves_out(sentence: &Sentence<'_>, at: usize) -> bool {
    let end = sentence.clause_end(at);
    let first = (sentence.clause_start(at)..at).all(|here| !sentence.is_text(here) || sentence.is(here, words::POLITE));
    let into = (at..end).any(|here| sentence.is(here, &["into", "to", "under"]));
    sentence.is(at, &["take", "pull", "split", "bring"]) && sentence.has(at..end, &["out"]) && into && first
}

/// The operations among the mentions of a part.
fn operations(sentence: &Sentence<'_>, start: usize, end: usize, consumed: &[usize], focus: &Focus) -> Found {
    let mut found = Vec::new();
    for mention in sentence.mentions.iter().filter(|mention| mention.at >= start && mention.end <= end) {
        if consumed.contains(&mention.at) || sentence.zone(mention.at) == Zone::Comparison {
            continue;
        }
        let mut mention = mention.clone();
        mention.candidates.retain(|&at| is_operation(sentence, at));
        if mention.candidates.is_empty() {
            continue;
        }
        match sentence.settle(&mention, focus) {
            Ok(one) if !found.contains(&one) => found.push(one),
            Ok(_) => {}
            Err(candidates) => {
                let text = sentence.get(mention.at).map(|token| token.text.clone()).unwrap_or_default();
                return Found::Ambiguous(text, candidates);
            }
        }
    }
    if found.is_empty() { Found::Nothing } else { Found::These(found) }
}

/// Words of direction.
const TOWARDS: &[&str] =
    &["to", "onto", "into", "under", "on", "in", "with", "at", "below", "beside", "back", "among", "inside", "within"];

/// The place behind a word of direction: a group, the client itself, a new group.
fn place(sentence: &Sentence<'_>, verb: usize, root: Option<usize>) -> Option<(usize, String, Vec<usize>)> {
    let from = sentence.clause_start(verb);
    // `a group called X`, `a group of its own, named X`
    let called = (0..sentence.tokens.len()).find_map(|at| {
        let beside = |here: usize| {
            sentence.is(here, &["of", "its", "their", "own", "to", "be", "which", "is"]) || sentence.is_sign(here, ',')
        };
        let idle = (at.saturating_add(1)..sentence.tokens.len()).take_while(|&here| beside(here)).count();
        let verb = at.saturating_add(1).saturating_add(idle);
        (sentence.is(at, &["group", "subclient", "sub-client", "client"]) && sentence.is(verb, &["called", "named"]))
            .then(|| (at, (verb..).find(|&here| here > verb && !sentence.is_sign(here, '`')).unwrap_or(verb)))
    });
    if let Some((at, name)) = called
        && let Some(token) =
            sentence.get(name).filter(|token| token.is_text() && crate::names::is_identifier(&token.text))
        && sentence.mention_at(name).is_none()
    {
        return Some((at, token.text.clone(), Vec::new()));
    }
    for at in from..sentence.tokens.len() {
        let member = sentence.is(at, &["of"])
            && at.checked_sub(1).is_some_and(|before| sentence.is(before, &["method", "member", "operation", "part"]));
        let hangs = sentence.is(at, &["off"]) && sentence.is(at.saturating_sub(1), &["hang", "hangs"]);
        if !sentence.is(at, TOWARDS) && !member && !hangs
            || at < verb && !sentence.is(verb, &["natural", "home", "reachable", "accessible"])
        {
            continue;
        }
        let end = at.saturating_add(8).min(sentence.tokens.len());
        // `an operation group called Billing`
        // `a group of its own, Billing`, `a new group called Billing`
        let new = (at..end).any(|here| {
            sentence.phrase(here, &["of", "its", "own"])
                || sentence.phrase(here, &["its", "own"])
                || sentence.phrase(here, &["their", "own"])
                || sentence.is(here, &["new", "separate", "dedicated"])
        }) && sentence.has(at..end, &["group", "client", "subclient", "sub-client", "interface", "class"]);
        if new {
            let name = (at..sentence.tokens.len()).find_map(|here| {
                let token = sentence.get(here)?;
                let capital = (token.quoted || token.text.starts_with(char::is_uppercase))
                    && crate::names::is_identifier(&token.text);
                let language = sentence.languages.iter().any(|(place, ..)| *place == here);
                (capital
                    && !language
                    && sentence
                        .mention_at(here)
                        .is_none_or(|mention| !mention.candidates.iter().any(|&one| is_operation(sentence, one))))
                .then(|| (here, group_name(&token.text)))
            });
            return name.map(|(here, name)| (at, name, vec![here]));
        }
        let mut here = at.saturating_add(1);
        while here < end {
            if let Some(mention) = sentence.mention_at(here) {
                let group = mention
                    .candidates
                    .iter()
                    .copied()
                    .filter(|&one| sentence.lookup.entity(one).kind == EntityKind::Interface || Some(one) == root)
                    .collect::<Vec<_>>();
                if let [one] = group.as_slice() {
                    return Some((at, sentence.lookup.entity(*one).reference.clone(), vec![mention.at]));
                }
                break;
            }
            // `in the Java client` says for whom, not where.
            let scope = sentence.languages.iter().any(|(place, ..)| *place == here);
            if scope && !sentence.has(here..end, &["root", "top-level", "itself", "main"]) {
                break;
            }
            let client = sentence.is(here, &["client", "root"]) || sentence.is(here, &["top-level", "toplevel"]);
            if client {
                return root.map(|root| (at, sentence.lookup.entity(root).reference.clone(), Vec::new()));
            }
            let stops =
                sentence.get(here).is_some_and(|token| !token.is_text() && !token.is_sign('"') && !token.is_sign('`'))
                    || sentence.is(here, TOWARDS) && !sentence.is(here, &["to", "with", "on", "under", "in"]);
            if stops {
                break;
            }
            here = here.saturating_add(1);
        }
    }
    None
}
