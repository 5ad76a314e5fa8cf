//! What differs between two states of a root.

use std::ffi::OsStr;

use super::node::Node;
use crate::path::join;
use crate::record::{ChangeKind, ChangedFile};

/// Every covered entry that was added, removed or modified, in the order of the tree.
pub(crate) fn changes(root: &str, before: &Node, now: &Node) -> Vec<ChangedFile> {
    let mut found = Vec::new();
    compare(root, "", Some(before), Some(now), &mut found);
    found
}

fn compare(root: &str, path: &str, before: Option<&Node>, now: Option<&Node>, found: &mut Vec<ChangedFile>) {
    let kinds = (before.and_then(Node::kind), now.and_then(Node::kind));
    let change = match kinds {
        (None, None) => None,
        (None, Some(kind)) => Some((ChangeKind::Added, kind)),
        (Some(kind), None) => Some((ChangeKind::Removed, kind)),
        (Some(_), Some(kind)) => {
            let same = before.zip(now).is_some_and(|(before, now)| before.same(now));
            (!same).then_some((ChangeKind::Modified, kind))
        }
    };
    if let Some((change, kind)) = change {
        found.push(ChangedFile { root: root.to_owned(), path: path.to_owned(), change, kind });
    }
    merged(before, now, |name, before, now| compare(root, &join(path, name), before, now, found));
}

/// Visits the entries of two directories side by side, in order of name.
pub(super) fn merged<'a>(
    before: Option<&'a Node>,
    after: Option<&'a Node>,
    mut visit: impl FnMut(&'a OsStr, Option<&'a Node>, Option<&'a Node>),
) {
    let mut one = before.and_then(Node::children).into_iter().flatten().peekable();
    let mut two = after.and_then(Node::children).into_iter().flatten().peekable();
    loop {
        match (one.peek(), two.peek()) {
            (None, None) => return,
            (Some((name, _)), Some((other, _))) if name == other => {
                if let (Some((name, before)), Some((_, after))) = (one.next(), two.next()) {
                    visit(name, Some(before), Some(after));
                }
            }
            (Some((name, _)), other) if other.is_none_or(|(other, _)| name < other) => {
                if let Some((name, before)) = one.next() {
                    visit(name, Some(before), None);
                }
            }
            _ => {
                if let Some((name, after)) = two.next() {
                    visit(name, None, Some(after));
                }
            }
        }
    }
}
