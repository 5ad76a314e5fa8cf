//! Where a generation wrote: an emitter that reports no error may have written no code, or code beside the package's own.
//!
//! `tspconfig.yaml` decides it. Without `namespace` an emitter takes the namespace of the specification, and the code that
//! people use is gone while new code stands in another directory.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_sdk::tasks::{Diagnostic, Language, Severity};
use serde_yaml_ng::Value;

use super::error::TypespecError;
use super::stale::Before;
use crate::language::{LanguageService, Origin, files_of, is_aside, listed_content, service_for};

/// Where a generation wrote in place of the directory that holds the package's code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Misplaced {
    /// No code was written.
    Nothing,
    /// The directory that held most of the code holds none any more. Directories are relative to the package.
    Elsewhere {
        /// The directory.
        was: String,
        /// Where generated code lies now.
        now: Vec<String>,
    },
}

/// Looks where the generation after `before` wrote, which ended without an error; `None` where it wrote the package. All
/// generated code that it does not update was removed before it: a file that is there was written by it, or is untouched.
///
/// # Errors
/// A file of the package cannot be read.
pub(super) fn misplaced(before: &Before, language: &dyn LanguageService) -> Result<Option<Misplaced>, TypespecError> {
    let package = before.package();
    let old: BTreeSet<&str> = before.generated().keys().map(String::as_str).filter(|path| !is_aside(path)).collect();
    let is_code = |path: &str, content: &[u8]| {
        language.public(path, &String::from_utf8_lossy(content)).is_none_or(|public| !public.is_empty())
    };
    let roots = roots(&old, |path| Ok(before.generated().get(path).is_some_and(|content| is_code(path, content))))?;
    let beneath = |root: &str| old.iter().filter(|path| lies_beneath(path, root)).count();
    let Some(was) = roots.into_iter().max_by_key(|root| beneath(root)) else {
        // A new package, or one whose generated code cannot be told from what people wrote.
        let written = files_of(package)?.into_iter().any(|path| language.is_source(&path));
        return Ok((!written).then_some(Misplaced::Nothing));
    };
    for path in old.iter().filter(|path| parent(path) == was) {
        if package.kind(path)?.is_some() && !before.is_untouched(path)? {
            return Ok(None);
        }
    }
    let mut now = BTreeMap::new();
    for path in files_of(package)? {
        if !language.is_source(&path) || is_aside(&path) || before.is_untouched(&path)? {
            continue;
        }
        let content = listed_content(package, &path)?;
        if language.origin(&path, &content) == Origin::Generated {
            now.insert(path, content);
        }
    }
    if now.keys().any(|path| parent(path) == was) {
        return Ok(None);
    }
    let paths = now.keys().map(String::as_str).collect();
    let now = self::roots(&paths, |path| Ok(now.get(path).is_some_and(|content| is_code(path, content))))?;
    Ok(Some(if now.is_empty() { Misplaced::Nothing } else { Misplaced::Elsewhere { was, now } }))
}

/// The directories nearest to the package's own that hold code themselves.
fn roots(
    paths: &BTreeSet<&str>,
    mut is_code: impl FnMut(&str) -> Result<bool, TypespecError>,
) -> Result<Vec<String>, TypespecError> {
    let mut directories: BTreeMap<(usize, &str), Vec<&str>> = BTreeMap::new();
    for path in paths {
        let directory = parent(path);
        let depth = if directory.is_empty() { 0 } else { directory.split('/').count() };
        directories.entry((depth, directory)).or_default().push(path);
    }
    let mut found: Vec<String> = Vec::new();
    for ((_, directory), files) in directories {
        if found.iter().any(|root| lies_beneath(directory, root)) {
            continue;
        }
        for file in files {
            if is_code(file)? {
                found.push(directory.to_owned());
                break;
            }
        }
    }
    Ok(found)
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Whether `path` is `root` or lies beneath it; the package itself is empty.
fn lies_beneath(path: &str, root: &str) -> bool {
    root.is_empty() || path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Misplaced {
    /// Where generated code lies now.
    pub(super) fn directories(&self) -> &[String] {
        match self {
            Self::Nothing => &[],
            Self::Elsewhere { now, .. } => now,
        }
    }

    /// As an error of the emitter that wrote so.
    pub(super) fn diagnostic(&self, emitter: &str) -> Diagnostic {
        let shown = |directory: &str| format!("`{}`", ["sdk", directory].join("/").trim_end_matches('/'));
        match self {
            Self::Nothing => of_configuration(
                "no-code-written",
                format!(
                    "`{emitter}` reported no error and wrote no code into the package: check `emitter-output-dir` in its options"
                ),
            ),
            Self::Elsewhere { was, now } => of_configuration(
                "code-written-elsewhere",
                format!(
                    "`{emitter}` wrote the code to {}, and {} holds none any more: check `namespace` in its options. To move \
                     the code on purpose, remove the generated code in the old directory first",
                    now.iter().map(|one| shown(one)).collect::<Vec<_>>().join(", "),
                    shown(was),
                ),
            ),
        }
    }
}

/// What the options of the repository's emitter lack, where that explains a generation which failed without a place.
/// `configuration` is what `tspconfig.yaml` says; one that goes on with another file is not judged.
pub(super) fn missing_options(configuration: &Value, emitter: &str, language: Language) -> Option<Diagnostic> {
    if !configuration.is_mapping() || configuration.get("extends").is_some() {
        return None;
    }
    let options = configuration.get("options").and_then(Value::as_mapping);
    let missing = match options.and_then(|options| options.get(emitter)) {
        Some(own) if own.get("emitter-output-dir").is_some() => return None,
        Some(_) => {
            format!("the options for `{emitter}` lack `emitter-output-dir`, so that it does not write the package")
        }
        None => {
            let mut names = options.into_iter().flat_map(|options| options.keys()).filter_map(Value::as_str);
            let other = names.find(|name| service_for(name).is_ok_and(|service| service.language() == language));
            let other = other.map_or_else(String::new, |other| format!(" (those for `{other}` do not apply to it)"));
            format!("there are no options for `{emitter}`, the emitter of the SDK repository{other}")
        }
    };
    Some(of_configuration(
        "emitter-options",
        format!(
            "{missing}: add `emitter-output-dir: \"{{output-dir}}/{{service-dir}}/<package>\"` and `namespace` to its options"
        ),
    ))
}

/// An error in `tspconfig.yaml`.
fn of_configuration(code: &str, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: Some("spec/tspconfig.yaml".to_owned()),
        line: None,
        column: None,
        code: Some(code.to_owned()),
        message,
        symbol: None,
        tool: "regeneration".to_owned(),
    }
}

#[cfg(test)]
mod tests;
