//! What a pasted build log of a Java package says about its cause.

// The log may be pasted by any person.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::evidence::{class_of, is_duplicate, is_missing};
use bailiwick_sdk::java::member_names;
use bailiwick_sdk::tasks::{Diagnostic, Rename};

/// The renames that explain every error of a log, or `None` if one error has another cause or there is no error. A
/// member that is defined twice needs none: the service has it by now, and the customization adds it as well.
pub(crate) fn renames_behind(diagnostics: &[Diagnostic], made: &[Rename]) -> Option<Vec<Rename>> {
    let mut errors = diagnostics.iter().filter(|one| one.is_error()).peekable();
    errors.peek()?;
    let mut used: Vec<Rename> = Vec::new();
    for error in errors {
        let class = class_of(error)?;
        if is_duplicate(error) {
            continue;
        }
        let symbol = error.symbol.as_deref().filter(|_| is_missing(error))?;
        let cause = made.iter().find(|rename| match &rename.container {
            Some(container) => {
                container == class && member_names(rename.kind, &rename.old).iter().any(|name| name == symbol)
            }
            None => rename.old == symbol,
        })?;
        if !used.contains(cause) {
            used.push(cause.clone());
        }
    }
    Some(used)
}
