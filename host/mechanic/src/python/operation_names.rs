//! The methods that an operation has in generated code, and what they are called after its rename.

use super::generated::Generated;
use bailiwick_sdk::tasks::{EntityKind, Rename};

/// Whether a rename hides an operation.
pub(super) fn hides(rename: &Rename) -> bool {
    rename.kind == EntityKind::Operation && rename.new.strip_prefix('_') == Some(rename.old.as_str())
}

/// What a member is called after a rename, if the rename is about it.
///
/// A long-running operation begins with `begin_` and sends its first request in `_…_initial`; an internal one has an underscore
/// in front. Whether these exist is not known from the specification: a name of the last two kinds follows only where generated
/// code has the new one and the old one no longer.
pub(super) fn renamed(rename: &Rename, generated: &Generated, name: &str) -> Option<String> {
    if rename.kind != EntityKind::Operation {
        return (name == rename.old).then(|| rename.new.clone());
    }
    let (is_internal, rest) = name.strip_prefix('_').map_or((false, name), |rest| (true, rest));
    let (begin, rest) = rest.strip_prefix("begin_").map_or(("", rest), |rest| ("begin_", rest));
    let (initial, old) = match rest.strip_suffix("_initial").filter(|_| is_internal) {
        Some(old) => ("_initial", old),
        None => ("", rest),
    };
    let plain = rename.new.trim_start_matches('_');
    let with = |underscore: &str| format!("{underscore}{begin}{plain}{initial}");
    // The whole name could be the operation's own: an operation `begin_x`.
    if name == rename.old && generated.has_method(&rename.new) {
        return Some(rename.new.clone());
    }
    if old != rename.old {
        return (name == rename.old).then(|| rename.new.clone());
    }
    let gone = !generated.has_method(name);
    if is_internal {
        let new = with("_");
        return (new != name && gone && generated.has_method(&new)).then_some(new);
    }
    let new = with(if rename.new.starts_with('_') { "_" } else { "" });
    if gone && !generated.has_method(&new) && generated.has_method(&with("_")) {
        return Some(with("_"));
    }
    // Another operation of the old name is still there, and none of the new one.
    (gone || generated.has_method(&new)).then_some(new)
}

/// How the names of the functions begin that make an operation's request.
pub(super) const BUILDER: &str = "build_";

/// The name of a function that holds the name of a renamed operation, after the rename: `build_widgets_get_request`.
pub(super) fn of_helper(rename: &Rename, name: &str) -> Option<String> {
    if rename.kind != EntityKind::Operation || hides(rename) || !name.starts_with(BUILDER) {
        return None;
    }
    // The name of an internal method has an underscore in front, and that of its builder has not.
    let rest = name.strip_suffix("_request")?.strip_suffix(rename.old.trim_start_matches('_'))?;
    rest.ends_with('_').then(|| format!("{rest}{}_request", rename.new.trim_start_matches('_')))
}
