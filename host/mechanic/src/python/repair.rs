//! Collects what a repair of hand-written Python code changes, and compares it with what was reported.

use super::evidence::Evidence;
use super::generated::Generated;
use super::operation_names::BUILDER;
use super::package::Package;
use super::rename_type::Named;
use super::sites::{Edit, Findings, has_word};
use super::source::Source;
use super::{
    arguments, consequences, docstrings, duplicate, missing_import, module_names, moved_modules, rename_member,
    rename_type,
};
use crate::repair::{Case, Change, Doubt, Hunk, Reader, Text, Wanted, errors_that, settle};
use bailiwick_sdk::diagnostics::quoted;
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, PatchTask, Rename};

/// The reader of Python code.
pub(crate) struct Python;

impl Reader for Python {
    fn is_hopeless(&self, task: &PatchTask) -> bool {
        let begins = |error: &Diagnostic| {
            missing_import::missing(error).is_some()
                || duplicate::overrides(error)
                || module_names::begins(error)
                || moved_modules::begins(error)
                || arguments::begins(error)
        };
        task.renames.is_empty() && !task.diagnostics.iter().any(begins)
    }

    fn wanted(&self, task: &PatchTask, files: &[Text]) -> Vec<Wanted> {
        let mut wanted = duplicate::wanted(&task.diagnostics);
        wanted.extend(missing_import::wanted(&task.diagnostics));
        wanted.extend(module_names::wanted(&task.diagnostics));
        wanted.extend(moved_modules::wanted(&task.diagnostics, files));
        if task.renames.iter().any(|rename| rename.kind == EntityKind::Operation) {
            let directory = root(&task.customization_files);
            wanted.push(Wanted::Named { directory, pattern: "*_operations.py".to_owned() });
        }
        wanted
    }

    fn repair(&self, case: &Case<'_>) -> Result<Vec<Hunk>, Vec<Doubt>> {
        repair(case)
    }
}

/// The directory of a package's own code, told from hand-written files in it.
fn root(files: &[String]) -> String {
    let directories = files.iter().filter_map(|file| file.rsplit_once('/').map(|(directory, _)| directory));
    let mut root = directories.min_by_key(|directory| directory.len()).unwrap_or_default();
    while let Some((above, "models" | "operations" | "_operations" | "aio")) = root.rsplit_once('/') {
        root = above;
    }
    root.to_owned()
}

fn repair(case: &Case<'_>) -> Result<Vec<Hunk>, Vec<Doubt>> {
    let mut sources = Vec::new();
    for Text { path, text } in case.files {
        match Source::parse(path, text) {
            Some(source) => sources.push(source),
            None => return Err(vec![Doubt::new("the file cannot be parsed", vec![path.clone()])]),
        }
    }
    let package = Package::new(sources, case.package);
    let evidence = Evidence::new(case.diagnostics);
    let generated = Generated::new(case.generated);
    let mut findings = Findings::default();
    let is_followed =
        |rename: &&Rename| rename.kind != EntityKind::Parameter || !arguments::is_told(case.diagnostics, rename);
    for rename in case.renames.iter().filter(is_followed) {
        collect(&package, rename, case.renames, &evidence, &generated, &mut findings);
    }
    for rename in module_names::renames(case.diagnostics, &generated, case.renames) {
        rename_type::collect(&package, &rename, named(&rename), &evidence, &mut findings);
    }
    moved_modules::collect(&package, case.diagnostics, &generated, &mut findings);
    arguments::collect(&package, case.diagnostics, case.renames, &mut findings);
    arguments::collect_moved(&package, case.diagnostics, &mut findings);
    let edits: Vec<&Edit> = findings.edits.iter().collect();
    let mut doubts = std::mem::take(&mut findings.doubts);
    let mut changes: Vec<Change> = edits.iter().map(|edit| edit.plain()).collect();
    let mut unexplained = evidence.unexplained(&package, &edits, case.renames);
    unexplained.retain(|error| {
        let imported =
            missing_import::collect(&package, case.generated, error).map(|one| one.map(|change| vec![change]));
        match imported.or_else(|| duplicate::collect(&package, case.generated, error)) {
            Some(Ok(more)) => changes.extend(more),
            _ if consequences::follows(&package, &edits, error) => {}
            _ if moved_modules::settles(&package, &edits, error) => {}
            Some(Err(doubt)) => doubts.push(doubt),
            None => return true,
        }
        false
    });
    doubts.extend(of_unexplained(&unexplained, case.renames));
    // Documentation follows as far as the limits let it; the build does not ask for it.
    let followed = |rename: &&Rename| {
        let replaces = |edit: &&Edit| {
            package.sources.get(edit.file).and_then(|one| edit.replaced(one)) == Some(rename.old.as_str())
        };
        edits.iter().any(|edit| edit.new == rename.new && replaces(edit))
    };
    let followed: Vec<&Rename> = case.renames.iter().filter(followed).collect();
    let documented =
        docstrings::collect(&package, &followed).into_iter().chain(docstrings::members(&package, &followed));
    let documented: Vec<Change> = changes.iter().cloned().chain(documented).collect();
    if doubts.is_empty()
        && !changes.is_empty()
        && let Ok(hunks) = settle(case.files, documented, Vec::new(), case.limits)
    {
        return Ok(hunks);
    }
    settle(case.files, changes, doubts, case.limits)
}

/// What is said of errors that no edit answers: whether one comes from a rename is told by the names in it.
fn of_unexplained(errors: &[&Diagnostic], renames: &[Rename]) -> Vec<Doubt> {
    let cause = |error: &Diagnostic| renames.iter().find(|rename| is_about(error, rename));
    let (of_renames, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
        errors.iter().copied().partition(|error| cause(error).is_some());
    let places = |errors: &[&Diagnostic]| errors.iter().map(|one| one.place()).collect();
    let mut doubts = Vec::new();
    if let Some((first, rename)) = of_renames.first().and_then(|first| Some((first, cause(first)?))) {
        let what = format!(
            "what has another name now (`{}` is `{}`), and what is to stand there is not certain",
            rename.old, rename.new
        );
        let (one, more) = (format!("names {what}"), format!("name {what}"));
        let issue = errors_that(of_renames.len(), (&one, &more), &first.message);
        doubts.push(Doubt::new(issue, places(&of_renames)));
    }
    if let Some(first) = others.first() {
        let verbs = ("does not come from a rename", "do not come from a rename");
        let issue = errors_that(others.len(), verbs, &first.message);
        doubts.push(Doubt::new(issue, places(&others)));
    }
    doubts
}

/// Whether an error lacks the old name of a rename, or a function that is called after it: `build_widgets_get_request`.
fn is_about(error: &Diagnostic, rename: &Rename) -> bool {
    let lacks = matches!(error.code.as_deref(), Some("attr-defined" | "ImportError" | "AttributeError"));
    let (old, new) = (rename.old.trim_start_matches('_'), rename.new.trim_start_matches('_'));
    // The first quotations are of what has not the name, and of the name; what is suggested comes behind them.
    let quoted = quoted(&error.message);
    let says = |name: &String| {
        let plain = name.trim_start_matches('_');
        let builds = rename.kind == EntityKind::Operation
            && name.starts_with(BUILDER)
            && name.ends_with(&format!("_{old}_request"));
        let of_operation = || {
            let plain = plain.strip_prefix("begin_").unwrap_or(plain);
            rename.kind == EntityKind::Operation && plain.strip_suffix("_initial").unwrap_or(plain) == old
        };
        plain == old || builds || of_operation()
    };
    // Drift is about renames alone, and its message names both.
    let drifted =
        || error.tool == "drift" && [&rename.old, &rename.new].into_iter().all(|name| has_word(&error.message, name));
    old != new && (drifted() || (lacks && quoted.iter().take(2).any(says)))
}

/// Whose a name is.
fn named(rename: &Rename) -> Named {
    if module_names::is_mixin(rename) { Named::ByEmitter } else { Named::BySpecification }
}

fn collect(
    package: &Package,
    rename: &Rename,
    all: &[Rename],
    evidence: &Evidence<'_>,
    generated: &Generated,
    findings: &mut Findings,
) {
    match rename.kind {
        EntityKind::Parameter | EntityKind::Namespace => {
            let issue = format!("a renamed {} is not repaired mechanically", rename.kind.noun());
            findings.doubts.push(Doubt::new(issue, Vec::new()));
        }
        kind if kind.is_type() => rename_type::collect(package, rename, named(rename), evidence, findings),
        _ => {
            // While its class is renamed as well, the class goes by either name.
            let class = rename.container.iter().flat_map(|class| {
                let other = all.iter().filter(|one| one.kind.is_type()).find_map(|one| {
                    (one.old == *class).then_some(&one.new).or_else(|| (one.new == *class).then_some(&one.old))
                });
                [Some(class.clone()), other.cloned()].into_iter().flatten()
            });
            rename_member::collect(package, rename, class.collect(), evidence, generated, findings);
        }
    }
}
