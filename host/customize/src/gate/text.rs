//! The rules that hold for every file: it exists, it is text, it is small, and it is still what was staged.

use super::hidden::{is_control, is_hidden};
use super::{Candidate, Rule, Violation};

/// Checks one changed file and gives its text. Violations are appended; `None` means that there is no text to go on with.
pub(super) fn checked_text<'a>(
    candidate: &'a Candidate,
    file_bytes: usize,
    violations: &mut Vec<Violation>,
) -> Option<&'a str> {
    let refuse = |rule, message: &str| Violation::new(rule, &candidate.path, message);
    if candidate.now != candidate.staged {
        violations.push(refuse(
            Rule::ChangedSinceStaged,
            "the repository's file was changed by someone else while the agent worked on it",
        ));
    }
    let Some(bytes) = &candidate.after else {
        violations.push(refuse(Rule::FileRemoved, "the file was removed; edit it instead"));
        return None;
    };
    if bytes.len() > file_bytes {
        violations.push(refuse(Rule::TooLarge, &format!("{} bytes are over the limit of {file_bytes}", bytes.len())));
        return None;
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        violations.push(refuse(Rule::NotText, "the content is not UTF-8"));
        return None;
    };
    if let Some(control) = text.chars().find(|character| is_control(*character)) {
        let message = format!("the content holds the control character {control:?}");
        violations.push(refuse(Rule::NotText, &message));
        return None;
    }
    let before = candidate.original.as_deref().map(String::from_utf8_lossy);
    let before = before.as_deref().unwrap_or_default();
    if hidden_count(text) > hidden_count(before) {
        violations.push(refuse(
            Rule::HiddenCharacters,
            "the content gained invisible or reordering characters; write them as escapes",
        ));
    }
    Some(text)
}

fn hidden_count(text: &str) -> usize {
    text.chars().filter(|character| is_hidden(*character)).count()
}
