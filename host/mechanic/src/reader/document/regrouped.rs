//! A new name whose path leads to another group: `A.get` becomes `B.get_old`.

use bailiwick_sdk::tasks::{EntityKind, Language};

use super::super::moves::{group_name, one_group};
use super::super::sentence::{Sentence, same_name};
use super::super::token::{Token, tokenize};
use super::{Ask, Asked, Findings};
use crate::entities::Lookup;

/// Adds the moves that the paths of old and new names say. Both paths have to be written: a path in front of the new name alone
/// may only say where it is today.
pub(in crate::reader) fn regroup(
    request: &str,
    language: Language,
    lookup: &Lookup<'_>,
    root: Option<usize>,
    found: &mut Findings,
) {
    let mut moves = Vec::new();
    for asked in &found.asked {
        let Ask::Rename { target, name } = &asked.ask else { continue };
        let is_moved = |other: &Asked| matches!(&other.ask, Ask::Move { target: moved, .. } if moved == target);
        if lookup.entity(*target).kind != EntityKind::Operation || found.asked.iter().any(is_moved) {
            continue;
        }
        let tokens = tokenize(request.get(asked.span.clone()).unwrap_or_default());
        let sentence = Sentence::new(&tokens, lookup, language);
        let paths = || tokens.iter().filter_map(path);
        let old = paths().find(|(_, last)| lookup.find(last).contains(target));
        // A name that stands alone first is compared with what a later path names.
        let named = tokens.iter().find(|token| token.is_text() && same_name(last_of(&token.text), name));
        let new = named.and_then(path);
        let (Some((from, _)), Some((to, _))) = (old, new) else { continue };
        if same_name(from, to) || place(&sentence, from, root).as_ref() != lookup.entity(*target).container.as_ref() {
            continue;
        }
        let is_new = from.starts_with("client.") && lookup.find(last_of(to)).is_empty();
        let made = to.strip_prefix("client.").filter(|group| is_new && !group.contains('.')).map(group_name);
        if let Some(to) = place(&sentence, to, root).or(made) {
            moves.push(Asked { ask: Ask::Move { target: *target, to }, ..asked.clone() });
        }
    }
    found.asked.extend(moves);
}

/// A path and what it leads to.
fn path(token: &Token) -> Option<(&str, &str)> {
    let text = token.text.as_str();
    token
        .is_text()
        .then(|| text.rsplit_once(['.', '#']))
        .flatten()
        .filter(|(path, last)| !path.is_empty() && !last.is_empty())
}

fn last_of(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The group that a path in front of an operation names.
fn place(sentence: &Sentence<'_>, path: &str, root: Option<usize>) -> Option<String> {
    // In Go `client` is a client of any group.
    let is_root = path == "client" && sentence.language != Language::Go;
    let group = if is_root { root } else { one_group(sentence, last_of(path)) };
    group.map(|group| sentence.lookup.entity(group).reference.clone())
}
