//! Carries what a generation changed over to customized copies, where the repository's own `dev-tool` is not installed.
//!
//! `generated/` before and after the generation and the copy in `src/` are merged, three ways, line by line. Where the
//! generation and a person changed the same lines, and the generation changed more than names ([`Renamed`]), the copy is left
//! alone and the generation counts as failed, with the place: a build of a copy that was only partly carried over would show nothing about the package.

use std::time::{Duration, Instant};

use bailiwick_sdk::tasks::{Diagnostic, Severity};

use super::super::{Carried, CarriedFile, CarryRequest, LanguageError, LanguageService, Verdict, content_of, files_of};
use super::layout::SOURCES;
use super::merge::{Conflict, merge};
use super::renamed::Renamed;

const GENERATED: &str = "generated/";

/// How long the comparisons of one generation may take together. What is not told apart by then may be a conflict.
pub(in crate::language) const PATIENCE: Duration = Duration::from_secs(20);

pub(super) fn carry_over(request: CarryRequest<'_>, language: &dyn LanguageService) -> Result<Carried, LanguageError> {
    let package = request.package;
    let read = |file: &str| content_of(package, file);
    let mut names: Vec<String> = files_of(package)?
        .into_iter()
        .filter(|file| file.starts_with(GENERATED) && language.is_source(file))
        .chain(request.before.keys().filter(|file| file.starts_with(GENERATED)).cloned())
        .collect();
    names.sort();
    names.dedup();
    // A hostile generator decides how many files there are, and how little they have in common.
    let deadline = Instant::now().checked_add(PATIENCE);
    let mut carried =
        Carried { verdict: Verdict::Passed, diagnostics: Vec::new(), files: Vec::new(), log: String::new() };
    for name in names {
        let path = format!("{SOURCES}{}", &name[GENERATED.len()..]);
        let from = request.before.get(&name).cloned();
        let to = read(&name)?;
        let before = read(&path)?;
        match carry(from.as_deref(), to.as_deref(), before.as_deref(), deadline) {
            Ok(after) if after == before => {}
            Ok(after) => carried.files.push(CarriedFile { path, from, to, before, after }),
            Err(conflicts) => carried.diagnostics.extend(conflicts.iter().map(|one| diagnostic(&path, one))),
        }
    }
    if !carried.diagnostics.is_empty() {
        carried.verdict = Verdict::Failed;
        carried.files.clear();
        return Ok(carried);
    }
    for file in &carried.files {
        match &file.after {
            Some(content) => drop(package.write(&file.path, content)?),
            None => package.remove(&file.path)?,
        }
        carried.log.push_str(&format!("carried over to {}\n", file.path));
    }
    Ok(carried)
}

/// What becomes of a copy, `before`, when the generated file goes `from` one content `to` another. `None` means that there is no file.
pub(in crate::language) fn carry(
    from: Option<&[u8]>,
    to: Option<&[u8]>,
    before: Option<&[u8]>,
    deadline: Option<Instant>,
) -> Result<Option<Vec<u8>>, Vec<Conflict>> {
    let owned = |bytes: Option<&[u8]>| bytes.map(<[u8]>::to_vec);
    if before == from || before == to {
        return Ok(owned(to));
    }
    if from == to {
        // Nothing changed; a removed copy stays removed.
        return Ok(owned(before));
    }
    let Some(copy) = before else {
        // The copy of a file that is still generated was removed.
        return Ok(None);
    };
    let Some(to) = to else {
        // Generated no more. What a person made of it stays theirs.
        return Ok(Some(copy.to_vec()));
    };
    let text = std::str::from_utf8;
    let (Ok(base), Ok(ours), Ok(theirs)) = (text(from.unwrap_or_default()), text(copy), text(to)) else {
        return Err(vec![Conflict { line: 1, theirs: String::new() }]);
    };
    let renamed = Renamed::default();
    let merged = merge([base, ours, theirs], deadline, &|base, ours, theirs| renamed.follow(base, ours, theirs));
    merged.map(|merged| Some(renamed.finish(merged, [base, ours, theirs]).into_bytes()))
}

fn diagnostic(path: &str, conflict: &Conflict) -> Diagnostic {
    const SHOWN: usize = 300;
    let theirs = conflict.theirs.split_whitespace().collect::<Vec<_>>().join(" ");
    let theirs: String = theirs.chars().take(SHOWN).collect();
    let message = if theirs.is_empty() {
        "the customization changed lines that are generated no more".to_owned()
    } else {
        format!("the customization changed lines that are generated in another way now: `{theirs}`")
    };
    Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{path}")),
        line: u32::try_from(conflict.line).ok(),
        column: None,
        code: Some("merge-conflict".to_owned()),
        message,
        symbol: None,
        tool: "customization".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::super::super::open_package;
    use super::super::Javascript;
    use super::*;
    use crate::laid_out::write;

    fn before(files: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
        files.iter().map(|(file, content)| ((*file).to_owned(), content.as_bytes().to_vec())).collect()
    }

    fn run(package: &Path, before: &BTreeMap<String, Vec<u8>>) -> Carried {
        let open = open_package(package).unwrap();
        let request = CarryRequest { package: &open, before, work: package };
        carry_over(request, &Javascript::of(package)).unwrap()
    }

    #[test]
    fn copies_follow_the_generated_code_and_keep_what_people_made_of_them() {
        let directory = tempfile::tempdir().unwrap();
        let package = directory.path();
        let old = before(&[
            ("generated/models.ts", "export interface Widget {\n  displayName: string;\n}\n"),
            ("generated/api.ts", "one\n"),
            ("generated/gone.ts", "gone\n"),
            ("generated/kept.ts", "gone\n"),
            ("generated/removed.ts", "one\n"),
        ]);
        write(package, "generated/models.ts", "export interface Widget {\n  title: string;\n}\n");
        write(package, "generated/api.ts", "two\n");
        write(package, "generated/new.ts", "new\n");
        write(package, "generated/removed.ts", "two\n");
        write(
            package,
            "src/models.ts",
            "export interface Widget {\n  displayName: string;\n}\n\nexport const own = 1;\n",
        );
        write(package, "src/api.ts", "one\n");
        write(package, "src/gone.ts", "gone\n");
        write(package, "src/kept.ts", "gone, and more\n");
        write(package, "src/own.ts", "own\n");

        let carried = run(package, &old);
        assert_eq!(carried.verdict, Verdict::Passed, "{:?}", carried.diagnostics);
        let read = |file: &str| std::fs::read_to_string(package.join(file)).ok();
        assert_eq!(
            read("src/models.ts").unwrap(),
            "export interface Widget {\n  title: string;\n}\n\nexport const own = 1;\n"
        );
        assert_eq!(read("src/api.ts").unwrap(), "two\n");
        assert_eq!(read("src/new.ts").unwrap(), "new\n");
        assert_eq!(read("src/gone.ts"), None);
        assert_eq!(read("src/kept.ts").unwrap(), "gone, and more\n");
        assert_eq!(read("src/own.ts").unwrap(), "own\n");
        assert_eq!(read("src/removed.ts"), None, "a removed copy stays removed");
        // The next generation writes the same, and nothing moves.
        let again = before(&[
            ("generated/models.ts", "export interface Widget {\n  title: string;\n}\n"),
            ("generated/api.ts", "two\n"),
            ("generated/new.ts", "new\n"),
            ("generated/removed.ts", "two\n"),
        ]);
        assert_eq!(run(package, &again).files.len(), 0);
    }

    #[test]
    fn change_that_was_carried_over_is_told_from_what_an_agent_did() {
        let file = |before: &str, after: &str| CarriedFile {
            path: "src/a.ts".into(),
            from: Some("a\nb\nc\nd\n".into()),
            to: Some("A\nb\nc\nd\n".into()),
            before: Some(before.into()),
            after: Some(after.into()),
        };
        let text = |bytes: Option<Vec<u8>>| String::from_utf8(bytes.unwrap()).unwrap();
        // The file was not touched in this run.
        let own = "a\nb\nc\nd\nown\n";
        assert_eq!(text(file(own, "A\nb\nc\nd\nown\n").carried_into(Some(own.into()))), "A\nb\nc\nd\nown\n");
        // An agent had: its line is not in what counts as the original.
        let edited = "a\nb\nc\nd\nedited\n";
        let carried = file(edited, "A\nb\nc\nd\nedited\n").carried_into(Some(own.into()));
        assert_eq!(text(carried), "A\nb\nc\nd\nown\n");
        // What cannot be told stays.
        let other = "mine\nb\nc\nd\n";
        assert_eq!(text(file(edited, edited).carried_into(Some(other.into()))), other);
    }

    #[test]
    fn lines_that_both_changed_are_told_with_their_place_and_nothing_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let package = directory.path();
        let old = before(&[("generated/a.ts", "one\ntwo\n"), ("generated/b.ts", "one\n")]);
        write(package, "generated/a.ts", "one\nTWO();\n");
        write(package, "generated/b.ts", "two\n");
        write(package, "src/a.ts", "one\nmine\n");
        write(package, "src/b.ts", "one\n");
        let carried = run(package, &old);
        assert_eq!(carried.verdict, Verdict::Failed);
        assert_eq!(carried.diagnostics.len(), 1);
        assert_eq!(carried.diagnostics[0].place(), "sdk/src/a.ts:2");
        assert!(carried.diagnostics[0].message.contains("`TWO();`"));
        assert_eq!(std::fs::read_to_string(package.join("src/a.ts")).unwrap(), "one\nmine\n");
        assert_eq!(std::fs::read_to_string(package.join("src/b.ts")).unwrap(), "one\n");
    }
}
