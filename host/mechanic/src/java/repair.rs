//! Collects what a repair changes, and compares it with what was reported. Customization classes are repaired here, other
//! hand-written sources by `compiled_languages`.

use super::change::{Change, File, Findings};
use super::evidence::{explains, is_duplicate};
use super::{duplicate, rename};
use crate::compiled_languages;
use crate::repair::{Case, Doubt, Hunk, Limits, Reader, Text, Wanted, errors_that, settle};
use bailiwick_sdk::java::{GeneratedCode, Source};
use bailiwick_sdk::tasks::{Diagnostic, PatchTask};

/// More generated files than this are not compared.
const MOST_GENERATED: usize = 10;

/// Where the sources of a library lie. Beside them customization classes lie, which run inside the generator.
const SOURCES: &str = "sdk/src/main/java/";

/// The reader of customization classes, and of what people wrote beside generated code.
pub(crate) struct Java;

impl Reader for Java {
    fn is_hopeless(&self, task: &PatchTask) -> bool {
        task.renames.is_empty() && generated_files(task).is_empty()
    }

    /// All customization classes, and the sources that have an error: a source that uses a name imports its type.
    fn reads(&self, task: &PatchTask, path: &str) -> bool {
        !is_beside_generated(path) || task.diagnostics.iter().any(|one| one.file.as_deref() == Some(path))
    }

    fn wanted(&self, task: &PatchTask, _: &[Text]) -> Vec<Wanted> {
        generated_files(task).into_iter().map(Wanted::File).collect()
    }

    fn repair(&self, case: &Case<'_>) -> Result<Vec<Hunk>, Vec<Doubt>> {
        let (sources, classes): (Vec<Text>, Vec<Text>) =
            case.files.iter().cloned().partition(|file| is_beside_generated(&file.path));
        let in_sources = |error: &Diagnostic| {
            let file = sources.iter().find(|file| error.file.as_deref() == Some(&file.path));
            file.is_some_and(|file| is_own(file, error.line.unwrap_or_default()))
        };
        let (of_sources, others): (Vec<Diagnostic>, Vec<Diagnostic>) =
            case.diagnostics.iter().cloned().partition(in_sources);
        let any = |all: &[Diagnostic]| all.iter().any(Diagnostic::is_error);
        let of_classes = repair(&Case { files: &classes, diagnostics: &others, ..*case });
        if !any(&of_sources) {
            return of_classes;
        }
        // What no error asks for follows where it is certain.
        let hunks = if any(&others) { of_classes? } else { of_classes.unwrap_or_default() };
        let limits = left(case.limits, &hunks);
        let code = Case { files: &sources, diagnostics: &of_sources, limits, ..*case };
        Ok(hunks.into_iter().chain(compiled_languages::JAVA.repair(&code)?).collect())
    }
}

/// Whether a hand-written file is compiled with generated code.
fn is_beside_generated(path: &str) -> bool {
    path.starts_with(SOURCES)
}

/// Whether a person wrote a line of a file. What is generated in a file that holds members of a person has `@Generated`.
fn is_own(file: &Text, line: u32) -> bool {
    let source = Source::parse(&file.path, &file.text);
    source.is_none_or(|source| !source.has_own_members() || source.is_own_line(line))
}

/// What the limits of a repair leave when a part of it is made.
fn left(limits: Limits, made: &[Hunk]) -> Limits {
    let lines = |hunk: &Hunk| hunk.old.lines().count().max(hunk.new.lines().count());
    let mut files: Vec<&str> = made.iter().map(|hunk| hunk.path.as_str()).collect();
    files.dedup();
    Limits {
        lines: limits.lines.saturating_sub(made.iter().map(lines).sum()),
        files: limits.files.saturating_sub(files.len()),
    }
}

/// The generated files that hold a member twice: what both declarations are has to be seen there.
fn generated_files(task: &PatchTask) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    let named = task.diagnostics.iter().filter(|one| one.is_error() && is_duplicate(one));
    for file in named.filter_map(|one| one.file.clone()) {
        if files.len() < MOST_GENERATED && !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

fn repair(case: &Case<'_>) -> Result<Vec<Hunk>, Vec<Doubt>> {
    let mut parsed = Vec::new();
    for Text { path, text } in case.files {
        match File::parse(path, text) {
            Some(file) => parsed.push(file),
            None => return Err(vec![Doubt::new("the file cannot be parsed", vec![path.clone()])]),
        }
    }
    let mut code = GeneratedCode::default();
    for Text { path, text } in case.generated {
        if let Some(source) = Source::parse(path, text) {
            code.add(&source);
        }
    }
    let errors: Vec<&Diagnostic> = case.diagnostics.iter().filter(|one| one.is_error()).collect();
    let mut findings = Findings::default();
    for one in case.renames {
        rename::collect(&parsed, one, case.renames, &errors, &mut findings);
    }
    for error in errors.iter().filter(|error| is_duplicate(error)) {
        duplicate::collect(&parsed, error, &code, &mut findings);
    }
    let Findings { changes, documented, mut doubts } = findings;
    let unexplained: Vec<&&Diagnostic> =
        errors.iter().filter(|error| !changes.iter().any(|change| explains(change, error, &parsed))).collect();
    if let Some(first) = unexplained.first() {
        let places = unexplained.iter().map(|one| one.place()).collect();
        const NEITHER: &str = "neither from a rename nor from a member that is added twice";
        let (one, more) = (format!("comes {NEITHER}"), format!("come {NEITHER}"));
        let issue = errors_that(unexplained.len(), (&one, &more), &first.message);
        doubts.push(Doubt::new(issue, places));
    }
    let changes: Vec<_> = changes.into_iter().map(Change::plain).collect();
    // Documentation follows as far as the limits let it.
    let all = changes.iter().cloned().chain(documented).collect();
    if doubts.is_empty()
        && !changes.is_empty()
        && let Ok(hunks) = settle(case.files, all, Vec::new(), case.limits)
    {
        return Ok(hunks);
    }
    settle(case.files, changes, doubts, case.limits)
}
