//! What a build reported, compared with what would be changed.

use super::change::{Change, File, Kind};
use bailiwick_sdk::tasks::Diagnostic;

/// Whether an error comes from what this change puts right.
pub(super) fn explains(change: &Change, error: &Diagnostic, files: &[File]) -> bool {
    let symbol = error.symbol.as_deref();
    let here = || files.get(change.file).is_some_and(|file| error.file.as_deref() == Some(file.source.path.as_str()));
    let within = |(first, last): (u32, u32)| error.line.is_some_and(|line| (first..=last).contains(&line));
    match (error.tool.as_str(), change.kind) {
        ("drift", Kind::Renamed) => symbol == Some(change.name.as_str()) && here() && within(change.statement),
        // Whatever the customization stumbled over, it was looked up somewhere in the same method.
        ("customization", Kind::Renamed) => error.code.as_deref() == Some("thrown") && here() && within(change.method),
        (_, Kind::Renamed) => {
            is_missing(error)
                && symbol == Some(change.name.as_str())
                && (change.owner.is_none() || change.owner.as_deref() == class_of(error))
        }
        (_, Kind::Removed) => {
            is_duplicate(error) && symbol == Some(change.name.as_str()) && change.owner.as_deref() == class_of(error)
        }
    }
}

/// Whether the compiler misses a name.
pub(super) fn is_missing(error: &Diagnostic) -> bool {
    error.message.starts_with("cannot find symbol")
}

/// Whether a class has a member twice.
pub(super) fn is_duplicate(error: &Diagnostic) -> bool {
    error.message.contains(" is already defined in class ")
}

/// The class of the generated file that an error is reported in.
pub(super) fn class_of(error: &Diagnostic) -> Option<&str> {
    let name = error.file.as_deref()?.rsplit('/').next()?;
    name.strip_suffix(".java")
}
