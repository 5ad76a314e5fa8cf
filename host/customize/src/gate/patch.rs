//! Phase B: what may change in customization files.

mod calls;

use bailiwick_sdk::tasks::Language;

use crate::language::{
    go_header, go_package, java_header, java_own_members_alone, java_shared, python_around, python_header, python_patch,
};

use super::text::checked_text;
use super::{Candidate, Rule, Verdict, Violation, lines};

/// How much a repair may change, in all attempts of a run together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatchLimits {
    /// Changed lines, counted as [`super::changed_lines`] does. The workflow's own limit is 19.
    pub lines: usize,
    /// Changed files. The workflow's own limit is 4.
    pub files: usize,
    /// Bytes of one file.
    pub file_bytes: usize,
    /// Characters of a line that is added or replaced, unless what it replaces is as long.
    pub line_characters: usize,
}

/// A customization file that an earlier attempt of the run changed and this one did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// The path, relative to the root of the grant.
    pub path: String,
    /// When the run began.
    pub original: Option<Vec<u8>>,
    /// In the repository now.
    pub now: Option<Vec<u8>>,
}

/// What an attempt of Phase B left in its stage.
#[derive(Debug, Clone, Copy)]
pub struct PatchDifference<'a> {
    /// The language of the package.
    pub language: Language,
    /// The package's customization files, relative to the root of the grant: the only files that may change.
    pub customization_files: &'a [String],
    /// The files that differ from what the agent was given.
    pub candidates: &'a [Candidate],
    /// The files that earlier attempts changed.
    pub earlier: &'a [Touched],
    /// The limits.
    pub limits: PatchLimits,
}

/// Judges an attempt of Phase B. Lines and files are counted over all attempts: each file as it would be against its
/// before-image of the run.
#[must_use]
pub fn judge_patch(difference: &PatchDifference<'_>) -> Verdict {
    let mut violations = Vec::new();
    let mut files = 0_usize;
    let mut changed = 0_usize;
    for candidate in difference.candidates {
        if let Some(violation) = misplaced(difference, candidate) {
            violations.push(violation);
            continue;
        }
        let limit = difference.limits.file_bytes;
        let Some(after) = checked_text(candidate, limit, &mut violations) else {
            continue;
        };
        let Some(before) = text_of(candidate.original.as_deref()) else {
            let message = "the file was not UTF-8 when the run began, so it is left alone";
            violations.push(Violation::new(Rule::NotText, &candidate.path, message));
            continue;
        };
        judge_lines(difference.limits, candidate, before, after, &mut violations);
        judge_silencing(candidate, before, after, &mut violations);
        // Parsing a text that is refused for its size would only take time.
        if before != after && count(before, after, difference.limits.lines) <= difference.limits.lines {
            calls::judge(difference.language, candidate, before, after, &mut violations);
        }
        judge_owner(difference.language, candidate, before, after, &mut violations);
        files += usize::from(before != after);
        changed += count(before, after, difference.limits.lines);
    }
    for touched in not_in(difference.earlier, difference.candidates) {
        if touched.original == touched.now {
            continue;
        }
        files += 1;
        let before = text_of(touched.original.as_deref());
        let after = text_of(touched.now.as_deref());
        changed += match (before, after) {
            (Some(before), Some(after)) => count(before, after, difference.limits.lines),
            _ => difference.limits.lines + 1,
        };
    }
    let first = difference.candidates.first().map(|candidate| candidate.path.as_str()).unwrap_or_default();
    if files > difference.limits.files {
        let message = format!(
            "{files} files are changed in this run, at most {} may be; explain what is left instead",
            difference.limits.files
        );
        violations.push(Violation::new(Rule::TooManyFiles, first, message));
    }
    if changed > difference.limits.lines {
        let message = format!(
            "at least {changed} lines are changed in this run, at most {} may be; explain what is left instead",
            difference.limits.lines
        );
        violations.push(Violation::new(Rule::TooManyLines, first, message));
    }
    Verdict::of(difference.candidates, violations)
}

fn not_in<'a>(earlier: &'a [Touched], candidates: &'a [Candidate]) -> impl Iterator<Item = &'a Touched> {
    earlier.iter().filter(|touched| !candidates.iter().any(|candidate| candidate.path == touched.path))
}

/// The bytes as text, an absent file as an empty one.
fn text_of(bytes: Option<&[u8]>) -> Option<&str> {
    bytes.map_or(Some(""), |bytes| std::str::from_utf8(bytes).ok())
}

/// Changed lines. A difference that is over the limit by the quick bound is not compared line by line.
fn count(before: &str, after: &str, limit: usize) -> usize {
    let (old, new) = (lines::split(before), lines::split(after));
    let bound = lines::at_least(&old, &new);
    if bound > limit {
        return bound;
    }
    lines::hunks(&old, &new).iter().map(lines::Hunk::changed_lines).sum()
}

/// What is wrong with the place of a change; nothing more has to be said of it then.
fn misplaced(difference: &PatchDifference<'_>, candidate: &Candidate) -> Option<Violation> {
    // The list comes from the language service; the shape of the path is checked beside it, so that a mistake there
    // does not open generated code.
    if is_generated(difference.language, candidate) {
        let message = "generated code is overwritten by the next regeneration; \
                       change the customization file or the specification";
        return Some(Violation::new(Rule::GeneratedCode, &candidate.path, message));
    }
    if !difference.customization_files.contains(&candidate.path) {
        let message = format!("only these files may be changed: {}", difference.customization_files.join(", "));
        return Some(Violation::new(Rule::OutsideEditable, &candidate.path, message));
    }
    None
}

/// Whether a file of a package is generated code: by the shape of its path, and in Java and Python, where people write beside
/// generated code, also by its header.
fn is_generated(language: Language, candidate: &Candidate) -> bool {
    let path = candidate.path.as_str();
    let has_directory = |name: &str| {
        let mut parts = path.split('/').rev().skip(1);
        parts.any(|part| part == name)
    };
    match language {
        Language::Python => {
            let is_own = candidate.now.as_deref().is_some_and(|text| !python_header(text));
            !(python_patch(path) || python_around(path) && is_own)
        }
        Language::Java => {
            let is_own = candidate.now.as_deref().is_some_and(|text| !java_header(text) || java_shared(text));
            path.starts_with("src/") && !(path.starts_with("src/main/java/") && is_own)
        }
        Language::Dotnet => has_directory("Generated") || path.ends_with(".g.cs"),
        Language::Javascript => has_directory("generated"),
        Language::Go => path.rsplit('/').next().is_some_and(|name| name.starts_with("zz_")),
    }
}

fn judge_lines(limits: PatchLimits, candidate: &Candidate, before: &str, after: &str, violations: &mut Vec<Violation>) {
    let (old, new) = (lines::split(before), lines::split(after));
    if lines::at_least(&old, &new) > limits.lines {
        return;
    }
    let length = |line: &&str| line.chars().count();
    for hunk in lines::hunks(&old, &new) {
        let replaced = old[hunk.before].iter().map(length).max().unwrap_or_default();
        let longest = new[hunk.after.clone()].iter().map(length).max().unwrap_or_default();
        // A long line may stay long when a name in it grows.
        let limit = limits.line_characters.max(replaced.saturating_add(replaced / 4));
        if longest > limit {
            let message =
                format!("a line near {} has {longest} characters, at most {limit} fit here", hunk.after.start + 1);
            violations.push(Violation::new(Rule::LineTooLong, &candidate.path, message));
        }
    }
}

/// A file of Go, Java or Python that says it is generated would belong to the next generation. A Go file of another package than before is
/// compiled no more with the others, or not at all.
fn judge_owner(language: Language, candidate: &Candidate, before: &str, after: &str, violations: &mut Vec<Violation>) {
    if language == Language::Go && go_header(after.as_bytes()) {
        let message = "with `// Code generated … DO NOT EDIT.` the file would count as generated and be removed";
        violations.push(Violation::new(Rule::GeneratedCode, &candidate.path, message));
    }
    if language == Language::Python && !python_patch(&candidate.path) && python_header(after.as_bytes()) {
        let message = "with the header of generated code the file would count as generated";
        violations.push(Violation::new(Rule::GeneratedCode, &candidate.path, message));
    }
    let now = candidate.now.as_deref().unwrap_or_default();
    if language == Language::Java && candidate.path.starts_with("src/") {
        let message = match (java_header(now), java_header(after.as_bytes())) {
            (false, true) => Some("with the header of generated code the file would count as generated"),
            (true, _) if !java_own_members_alone(now, after) => {
                Some("in a generated file only imports and members without `@Generated` may be changed")
            }
            _ => None,
        };
        violations.extend(message.map(|message| Violation::new(Rule::GeneratedCode, &candidate.path, message)));
    }
    if language == Language::Go
        && let Some(stood) = go_package(before)
        && go_package(after).as_ref() != Some(&stood)
    {
        let message = format!("the file belongs to `package {stood}`; with another package clause it leaves the build");
        violations.push(Violation::new(Rule::CheckSilenced, &candidate.path, message));
    }
}

/// Comments and annotations that switch a check off. Compared without white space and letter case.
const SILENCERS: [&str; 22] = [
    "#type:ignore",
    "#noqa",
    "#pylint:disable",
    "#mypy:",
    "#pyright:",
    "@no_type_check",
    "@suppresswarnings",
    "//checkstyle:off",
    "#pragmawarningdisable",
    "suppressmessage(",
    "suppressmessageattribute",
    // Many analyzers of .NET pass over generated code, which says so with these.
    "<auto-generated",
    "<autogenerated",
    "generatedcode(",
    "generatedcodeattribute",
    "@ts-ignore",
    "@ts-nocheck",
    "@ts-expect-error",
    "eslint-disable",
    "//nolint",
    // A file with a constraint that does not hold is not compiled.
    "//go:build",
    "//+build",
];

fn judge_silencing(candidate: &Candidate, before: &str, after: &str, violations: &mut Vec<Violation>) {
    let squeezed = |text: &str| -> String {
        text.chars().filter(|character| !character.is_whitespace()).flat_map(char::to_lowercase).collect()
    };
    let (before, after) = (squeezed(before), squeezed(after));
    for silencer in SILENCERS {
        if after.matches(silencer).count() > before.matches(silencer).count() {
            let message = format!("`{silencer}` switches a check off; repair the cause instead");
            violations.push(Violation::new(Rule::CheckSilenced, &candidate.path, message));
        }
    }
}

#[cfg(test)]
mod tests;
