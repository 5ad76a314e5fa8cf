//! Which renames of the specification hand-written code has not followed, told from what a build reports.

use bailiwick_sdk::renames::made_renames;
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Language, Rename, SpecIndex};

use super::work;
use bailiwick_sdk::diagnostics::quoted;

/// Whether a diagnostic says that a name is missing which a rename took away.
pub(crate) fn is_explained_by(diagnostic: &Diagnostic, rename: &Rename) -> bool {
    work::steps(diagnostic.message.len());
    let names = quoted(&diagnostic.message);
    let is_old = |name: &String| {
        name.rsplit('.').next() == Some(rename.old.as_str())
            || rename.kind == EntityKind::Operation && *name == format!("begin_{}", rename.old)
    };
    if !names.iter().any(is_old) {
        return false;
    }
    match &rename.container {
        // Types are missing from modules.
        None => true,
        Some(class) => names.iter().any(|name| {
            let name = name.strip_prefix("type[").and_then(|name| name.strip_suffix(']')).unwrap_or(name);
            name.rsplit('.').next() == Some(class.as_str())
        }),
    }
}

/// The renames that explain every error of a log, or `None` if one error has another cause or there is no error.
pub(crate) fn renames_behind(diagnostics: &[Diagnostic], language: Language, index: &SpecIndex) -> Option<Vec<Rename>> {
    let made = made_renames(language, index);
    match language {
        Language::Java => return super::java::renames_behind(diagnostics, &made),
        Language::Dotnet => return super::compiled_languages::CSHARP.renames_behind(diagnostics, &made),
        Language::Javascript => return super::compiled_languages::TYPESCRIPT.renames_behind(diagnostics, &made),
        Language::Go => return super::compiled_languages::GO.renames_behind(diagnostics, &made),
        Language::Python => {}
    }
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|one| one.is_error()).collect();
    if errors.is_empty() {
        return None;
    }
    let mut used: Vec<Rename> = Vec::new();
    for error in errors {
        let hand_written = error.file.as_ref().is_some_and(|file| file.ends_with("_patch.py"));
        let cause = made.iter().find(|rename| is_explained_by(error, rename)).filter(|_| hand_written)?;
        if !used.contains(cause) {
            used.push(cause.clone());
        }
    }
    Some(used)
}
