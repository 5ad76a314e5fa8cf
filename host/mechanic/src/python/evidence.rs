//! Compares edits with what the build reported: each error must follow from a rename, and each doubtful place must be
//! vouched for by an error.

use super::package::Package;
use super::sites::{Edit, has_word};
use bailiwick_sdk::diagnostics::quoted;
use bailiwick_sdk::tasks::{Diagnostic, Rename};

/// The errors of a build, ready to be asked about places.
pub(crate) struct Evidence<'a> {
    errors: Vec<&'a Diagnostic>,
}

/// What the errors say about an access to a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// An error names the member, the class and this very place.
    Missing,
    /// An error names this line, and several places on it could be meant.
    OneOfSeveral,
    /// No error is about it.
    Silent,
}

impl<'a> Evidence<'a> {
    pub(crate) fn new(diagnostics: &'a [Diagnostic]) -> Self {
        Self { errors: diagnostics.iter().filter(|one| one.is_error()).collect() }
    }

    /// Whether a type checker ran, so that its silence means something. What drifted is looked for after it passed.
    pub(crate) fn has_type_checker(&self) -> bool {
        self.errors.iter().any(|error| error.tool == "mypy" || error.tool == "drift")
    }

    /// What is said about `old` of one of `classes` at a place: a line, and a column unless errors give another one there.
    /// `rivals` is how many places of the line could be meant.
    pub(crate) fn about(
        &self,
        path: &str,
        place: (u32, Option<u32>),
        rivals: usize,
        old: &str,
        classes: &[String],
    ) -> Verdict {
        let (line, column) = place;
        let mut verdict = Verdict::Silent;
        for error in &self.errors {
            let here = error.file.as_deref().is_some_and(|file| is_same_file(file, path)) && error.line == Some(line);
            if !here || !names_member(&error.message, old, classes) {
                continue;
            }
            verdict = match error.column.zip(column) {
                Some((at, column)) if at == column => return Verdict::Missing,
                Some(_) => verdict,
                None if rivals == 1 => return Verdict::Missing,
                None => Verdict::OneOfSeveral,
            };
        }
        verdict
    }

    /// Whether an error at this very place says that something has no attribute of this name.
    pub(crate) fn misses(&self, path: &str, place: (u32, u32), name: &str) -> bool {
        let said = format!("no attribute \"{name}\"");
        self.errors.iter().any(|error| {
            error.file.as_deref().is_some_and(|file| is_same_file(file, path))
                && (error.line, error.column) == (Some(place.0), Some(place.1))
                && error.message.contains(&said)
        })
    }

    /// The errors that no edit answers.
    pub(crate) fn unexplained(&self, package: &Package, edits: &[&Edit], renames: &[Rename]) -> Vec<&'a Diagnostic> {
        self.errors
            .iter()
            .filter(|error| !edits.iter().any(|edit| explains(package, edit, error, renames)))
            .copied()
            .collect()
    }
}

/// Paths with and without their grant, or from another directory, name one file if one ends with the other.
pub(crate) fn is_same_file(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let short = short.trim_start_matches("./");
    long == short || long.ends_with(&format!("/{short}"))
}

/// `"Widget" has no attribute "display_name"`, also of `type[Widget]` and inside a union.
fn names_member(message: &str, old: &str, classes: &[String]) -> bool {
    let names = quoted(message);
    let member = names.iter().any(|name| name == old);
    let class = classes.is_empty() || names.iter().any(|name| classes.iter().any(|class| has_word(name, class)));
    member && class
}

fn explains(package: &Package, edit: &Edit, error: &Diagnostic, renames: &[Rename]) -> bool {
    let Some(source) = package.sources.get(edit.file) else { return false };
    let mentions = |name: &str| has_word(&error.message, name);
    let replaced = edit.replaced(source);
    let class = || renames.iter().any(|rename| rename.container.as_deref().is_some_and(mentions));
    if !replaced.is_some_and(mentions) && !class() {
        return false;
    }
    if error.tool == "import" {
        // The failing frame may be any module that imports this one.
        return true;
    }
    let (first, last) = edit.statement;
    error.file.as_deref().is_some_and(|file| is_same_file(file, &source.path))
        && error.line.is_some_and(|line| (first..=last).contains(&line))
}
