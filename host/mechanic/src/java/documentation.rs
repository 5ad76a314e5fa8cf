//! Javadoc that a customization writes. A build never asks for it, so it is followed where it is certain, and blocks nothing.

use super::change::{File, Findings};
use super::rename::Member;
use crate::repair::{Change, words};
use bailiwick_sdk::java::Use;
use bailiwick_sdk::tasks::Rename;

/// What stands in front of a name that is one, however it is spelt.
const LINKS: &[&str] = &["{@link ", "{@linkplain ", "{@code ", "@see ", "@throws ", "<code>"];

/// A type by its whole name: where that is no word of English, or where the text marks it as code.
pub(super) fn of_type(at: usize, file: &File, one: &Use, rename: &Rename, findings: &mut Findings) {
    for word in words(&one.name, &rename.old) {
        let before = one.name.get(..word.start).unwrap_or_default();
        let after = one.name.get(word.end..).unwrap_or_default();
        let is_code = LINKS.iter().any(|link| before.ends_with(link)) || after.starts_with(['#', '<']);
        // Behind a dot it is a member's, unless the dot is a package's.
        let is_member = before.ends_with('.') && !before.trim_end_matches('.').ends_with(char::is_lowercase);
        if (is_code || is_compound(&rename.old)) && !is_member {
            change(at, file, one, word, &rename.new, findings);
        }
    }
}

/// A member behind `#`, of the class that is named in front of it, or of the one whose documentation it is.
pub(super) fn of_member(at: usize, file: &File, one: &Use, member: &Member<'_>, findings: &mut Findings) {
    for (old, new) in &member.forms {
        for word in words(&one.name, old) {
            let Some(before) = one.name.get(..word.start).and_then(|before| before.strip_suffix('#')) else { continue };
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            let named = before.strip_prefix(before.trim_end_matches(is_name)).unwrap_or_default();
            let class = if named.is_empty() { one.owner.as_deref() } else { Some(named) };
            if class.is_some_and(|class| member.belongs_to(class)) {
                change(at, file, one, word, new, findings);
            }
        }
    }
}

/// Whether a name is put together of several words: `MessageTemplate`, and not `Result`.
fn is_compound(name: &str) -> bool {
    name.chars().skip(1).any(|c| c.is_uppercase() || c == '_' || c.is_ascii_digit())
}

fn change(at: usize, file: &File, one: &Use, word: std::ops::Range<usize>, new: &str, findings: &mut Findings) {
    let span = one.span.start + word.start..one.span.start + word.end;
    // What stands behind a backslash may be a part of an escape.
    if !file.source.text[..span.start].ends_with('\\') {
        findings.documented.push(Change::new(at, span, new));
    }
}
