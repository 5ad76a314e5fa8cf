//! Walking a tree in the order of its paths, without following links.

use crate::page::Page;
use bailiwick_tool_sdk::{Entries, EntryKind, ErrorKind, Place, ToolError};
use file_kit::tree::{DEPTH_LIMIT, Tree, is_skipped};

/// Fills `page` with what the directory at `place` holds.
///
/// # Errors
/// When that directory itself cannot be read. One beneath it is noted on the page.
pub(crate) fn walk(place: &Place<'_>, recursive: bool, page: &mut Page) -> Result<(), ToolError> {
    let directory = place.open_directory()?;
    let relative = place.relative().trim_end_matches('/');
    let prefix = if relative == "." { String::new() } else { format!("{relative}/") };
    let names = directory.names(place.shown())?;
    let depth = if recursive { Depth::Beneath(DEPTH_LIMIT) } else { Depth::Here };
    visit(&directory, &names, &prefix, depth, page);
    Ok(())
}

/// How far down a walk goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Not into any directory.
    Here,
    /// Into this many directories one in another. What is deeper is noted as unreadable.
    Beneath(usize),
}

/// Offers everything in `directory`, whose paths start with `prefix`, in the order of the paths as text. That order is
/// not the order of names: `a-b` stands between `a` and `a/c`, so a directory has two turns, its own and its content's.
fn visit<T: Tree>(directory: &T, names: &Entries, prefix: &str, depth: Depth, page: &mut Page) {
    page.undecodable = page.undecodable.saturating_add(names.undecodable);
    page.hidden = page.hidden.saturating_add(names.hidden);
    let mut turns: Vec<(String, usize)> = Vec::with_capacity(names.entries.len());
    for (index, entry) in names.entries.iter().enumerate() {
        turns.push((entry.name.clone(), index));
        if depth != Depth::Here && entry.kind == EntryKind::Directory {
            turns.push((format!("{}/", entry.name), index));
        }
    }
    turns.sort_unstable();
    for (key, index) in turns {
        if page.is_full() {
            return;
        }
        let entry = &names.entries[index];
        let path = format!("{prefix}{}", entry.name);
        if !key.ends_with('/') {
            page.offer(&path, &entry.name, entry.kind);
        } else if is_skipped(&entry.name) {
            if !page.is_before(&format!("{path}/")) {
                page.skipped.push(path);
            }
        } else if !page.is_past(&path) {
            let Depth::Beneath(further @ 1..) = depth else {
                page.unreadable.push(path);
                continue;
            };
            let inner = directory.inner(&entry.name, &path);
            match inner.and_then(|inner| Ok((inner.names(&path)?, inner))) {
                Ok((names, inner)) => visit(&inner, &names, &format!("{path}/"), Depth::Beneath(further - 1), page),
                // Removed since its name was read.
                Err(error) if error.kind == ErrorKind::NotFound => {}
                Err(_) => page.unreadable.push(path),
            }
        }
    }
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
