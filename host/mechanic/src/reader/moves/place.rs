//! Where something moves to, and what moves there.

use bailiwick_sdk::tasks::{EntityKind, Language};

use super::super::lexicon as words;
use super::super::sentence::{Sentence, Zone};
use super::super::targets::{Focus, Found};
use super::path::group_name;
use super::{is_operation, is_wish, keep_what_clients_have};

/// `move it there`: the one group that the sentences before name and that is not its own.
pub(super) fn place_spoken_of(
    sentence: &Sentence<'_>,
    verb: usize,
    focus: &Focus,
) -> Option<(usize, String, Vec<usize>)> {
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
pub(super) fn own_place(sentence: &Sentence<'_>, verb: usize, focus: &Focus) -> Option<(usize, String, Vec<usize>)> {
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
pub(super) fn on(sentence: &Sentence<'_>, be: usize) -> usize {
    let next = be.saturating_add(1);
    next.saturating_add(usize::from(sentence.is(next, &["directly", "right", "straight", "rather", "better"])))
}

/// `X should be on the client itself`: an operation, and the client where it is in a group.
pub(super) fn leaves_its_group(sentence: &Sentence<'_>, be: usize) -> bool {
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
pub(super) fn spoken_of(sentence: &Sentence<'_>, focus: &Focus) -> Found {
    if sentence.speaks_of_some() {
        return Found::Unfit;
    }
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

/// The operations among the mentions of a part.
pub(super) fn operations(
    sentence: &Sentence<'_>,
    start: usize,
    end: usize,
    consumed: &[usize],
    focus: &Focus,
) -> Found {
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
pub(super) fn place(sentence: &Sentence<'_>, verb: usize, root: Option<usize>) -> Option<(usize, String, Vec<usize>)> {
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
                || sentence.phrase(here, &["an", "own"])
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
                let mut group = mention
                    .candidates
                    .iter()
                    .copied()
                    .filter(|&one| sentence.lookup.entity(one).kind == EntityKind::Interface || Some(one) == root)
                    .collect::<Vec<_>>();
                keep_what_clients_have(sentence, &mut group);
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
