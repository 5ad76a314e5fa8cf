//! Moves that paths and arrows say: `client.list()` beside `client.items.list()`.

use bailiwick_sdk::tasks::{EntityKind, Language};

use super::super::lexicon as words;
use super::super::sentence::Sentence;
use super::super::targets::{Focus, Found};
use super::{Move, is_operation, one_group};

/// `client.group.operation` beside `client.operation` or `client.other.operation`: the path says where it goes.
pub(super) fn by_path(sentence: &Sentence<'_>, root: Option<usize>) -> Option<Move> {
    let arrow = sentence.tokens.iter().rposition(|token| token.kind == super::super::token::Kind::Arrow).unwrap_or(0);
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
        if is_how_it_is_today(sentence, at) {
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
            let today = |token: &super::super::token::Token| token.text.strip_prefix("client.") == Some(*name);
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
            || matches!(token.kind, super::super::token::Kind::Arrow)
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

/// `client.list() should not be public`, `client.list() should be client.find()`: the path only says what is spoken of.
fn is_how_it_is_today(sentence: &Sentence<'_>, at: usize) -> bool {
    let modal = at.saturating_add(1);
    let turned = modal.saturating_add(1);
    let be = turned.saturating_add(usize::from(sentence.is(turned, &["not", "no", "never"])));
    let said = be.saturating_add(1);
    let seen = ["public", "visible", "exposed", "exported", "called", "named"];
    sentence.is(modal, words::MODALS)
        && sentence.is(be, &["be"])
        && (sentence.is(said, words::HIDING) || sentence.is(said, &seen) || sentence.looks_like_name(said))
}

/// `A.list -> B.list`: the same name in another group.
pub(super) fn by_arrow(sentence: &Sentence<'_>, focus: &Focus) -> Option<Move> {
    let at = sentence.tokens.iter().position(|token| token.kind == super::super::token::Kind::Arrow)?;
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
        && super::super::names::is_shaped(token)
        && sentence.mention_at(name).is_none()
    {
        // `a, b and c -> new group Y`
        let all = match sentence.targets_between(0, at, focus) {
            Found::These(all) if all.iter().all(|&one| is_operation(sentence, one)) => all,
            _ => vec![operation],
        };
        let to = group_name(&token.text);
        return Some(Move { targets: Found::These(all), to, negated: sentence.negated(at), at, by_path: false });
    }
    let token = sentence.get(next).filter(|token| token.is_text())?;
    let (path, name) = token.text.rsplit_once('.')?;
    let entity = sentence.lookup.entity(operation);
    let today = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
    let group = one_group(sentence, path.rsplit('.').next().unwrap_or(path))?;
    let to = sentence.lookup.entity(group).reference.clone();
    let same = super::super::sentence::same_name(name, &entity.name) || super::super::sentence::same_name(name, today);
    let last = super::super::names::ends_here(sentence, at.saturating_add(2));
    (same && last && entity.container.as_ref() != Some(&to)).then(|| Move {
        targets: Found::These(vec![operation]),
        to,
        negated: sentence.negated(at),
        at,
        by_path: false,
    })
}

/// The groups on both sides of an arrow, where both are there.
fn groups_at(sentence: &Sentence<'_>, arrow: usize) -> Option<(usize, usize)> {
    let group = |at: usize| {
        let mention = sentence.mention_at(at).filter(|mention| mention.strong)?;
        let of_groups = |one: &usize| sentence.lookup.entity(*one).kind == EntityKind::Interface;
        let mut groups = mention.candidates.iter().copied().filter(of_groups);
        groups.next().filter(|_| groups.next().is_none() && mention.candidates.iter().all(of_groups))
    };
    Some((group(arrow.checked_sub(1)?)?, group(arrow.saturating_add(1))?)).filter(|(from, to)| from != to)
}

/// Whether an arrow stands between two groups that are there: nothing gets the name of another one.
pub(in crate::reader) fn are_groups(sentence: &Sentence<'_>, arrow: usize) -> bool {
    groups_at(sentence, arrow).is_some()
}

/// What a new group is called, however a language writes it.
pub(in crate::reader) fn group_name(text: &str) -> String {
    crate::names::words(text)
        .iter()
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
        })
        .collect()
}

/// The place that a path leads to: `client.group.operation`, `client.operation`.
pub(in crate::reader) fn place_of(sentence: &Sentence<'_>, path: &str, root: Option<usize>) -> Option<String> {
    let (groups, _) = path.strip_prefix("client.").map(|path| path.rsplit_once('.').unwrap_or(("", path)))?;
    let place = match groups.rsplit('.').next().filter(|group| !group.is_empty()) {
        // In Go `client` is a client of any group.
        None => root.filter(|_| sentence.language != Language::Go)?,
        Some(group) => one_group(sentence, group)?,
    };
    Some(sentence.lookup.entity(place).reference.clone())
}
