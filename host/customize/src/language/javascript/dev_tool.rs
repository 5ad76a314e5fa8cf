//! The repository's own way to carry generated code over: `npx dev-tool customization apply`.
//!
//! It is used where it is installed, in the package's `node_modules` or the repository's; nothing is fetched, for it runs
//! beside code that an agent wrote.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_base::files::Tree;
use bailiwick_process::ProcessError;
use bailiwick_sdk::tasks::Diagnostic;

use super::super::{Carried, CarriedFile, CarryRequest, LanguageError, Verdict, content_of, files_of, listed_content};
use super::layout::SOURCES;
use crate::shown::{Shown, shown};
use bailiwick_toolchains::{BuildTools, Child, Children};

const DEADLINE: Duration = Duration::from_secs(5 * 60);

/// The script behind `node_modules/.bin/dev-tool`, beside the package or above it in its repository.
pub(super) fn find(package: &Path) -> Option<PathBuf> {
    for directory in package.ancestors() {
        let script = directory.join("node_modules/.bin/dev-tool");
        if let Some(script) = script.canonicalize().ok().filter(|script| script.is_file()) {
            return Some(script);
        }
        if directory.join(".git").exists() {
            return None;
        }
    }
    None
}

pub(super) async fn apply(
    script: &Path,
    request: CarryRequest<'_>,
    tools: &BuildTools,
    children: &Children,
) -> Result<Carried, LanguageError> {
    let (tree, package) = (request.package, request.package.path());
    let before = sources(tree)?;
    let repository = package.ancestors().find(|directory| directory.join(".git").exists()).unwrap_or(package);
    let Shown { mut read, list } = shown(repository, package);
    let scratch = request.work.join("dev-tool");
    let node = &tools.node;
    read.push(node.root.clone());
    let mut arguments = vec![script.as_os_str().to_owned()];
    arguments.extend(["customization", "apply"].map(OsString::from));
    let child = Child {
        program: &node.executable,
        arguments,
        directory: package,
        path: node.executable.parent().map(Path::to_owned).into_iter().collect(),
        environment: vec![("NODE_NO_WARNINGS", "1".into())],
        read,
        list,
        write: vec![package.to_owned()],
        scratch: &scratch,
        deadline: DEADLINE,
    };
    let (passed, log) = match children.run(child, &mut |_| {}).await {
        Ok(finished) => (finished.exit.is_success(), finished.stdout.text + &finished.stderr.text),
        Err(ProcessError::Deadline { stdout, stderr, .. }) => (false, stdout.text + &stderr.text),
        Err(error) => return Err(error.into()),
    };
    let log = log.replace(&*package.to_string_lossy(), "sdk");
    let after = sources(tree)?;
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    let mut files = Vec::new();
    for name in names.into_iter().filter(|name| before.get(*name) != after.get(*name)) {
        let twin = format!("generated/{}", &name[SOURCES.len()..]);
        files.push(CarriedFile {
            path: name.clone(),
            from: request.before.get(&twin).cloned(),
            to: content_of(tree, &twin)?,
            before: before.get(name).cloned(),
            after: after.get(name).cloned(),
        });
    }
    let mut diagnostics: Vec<Diagnostic> = files.iter().filter_map(conflict).collect();
    if !passed && diagnostics.is_empty() {
        let words = log.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("it said nothing");
        diagnostics.push(Diagnostic::without_place(
            "dev-tool",
            "merge-conflict",
            format!("`dev-tool customization apply` failed: {words}"),
        ));
    }
    let verdict = if diagnostics.is_empty() { Verdict::Passed } else { Verdict::Failed };
    if verdict == Verdict::Failed {
        // The tool leaves what it could not merge with marks in it; the package is put back to before.
        for file in files.drain(..) {
            match &file.before {
                Some(content) => drop(tree.write(&file.path, content)?),
                None => tree.remove(&file.path)?,
            }
        }
    }
    Ok(Carried { verdict, diagnostics, files, log })
}

type Contents = std::collections::BTreeMap<String, Vec<u8>>;

fn sources(package: &Tree) -> Result<Contents, LanguageError> {
    let mut contents = Contents::new();
    for file in files_of(package)? {
        if file.starts_with(SOURCES) {
            let content = listed_content(package, &file)?;
            contents.insert(file, content);
        }
    }
    Ok(contents)
}

/// Marks of a merge that a person has to finish.
fn conflict(file: &CarriedFile) -> Option<Diagnostic> {
    let after = String::from_utf8_lossy(file.after.as_deref()?).into_owned();
    let before = file.before.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    let marked = |text: &str| text.lines().position(|line| line.starts_with("<<<<<<< "));
    let at = marked(&after).filter(|_| marked(&before).is_none())?;
    let message = "the customization changed lines that are generated in another way now".to_owned();
    Some(Diagnostic {
        file: Some(format!("sdk/{}", file.path)),
        line: u32::try_from(at + 1).ok(),
        ..Diagnostic::without_place("dev-tool", "merge-conflict", message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_is_found_where_the_repository_installed_it_and_not_outside() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        let package = base.join("repo/sdk/w/w");
        std::fs::create_dir_all(&package).unwrap();
        std::fs::create_dir(base.join("repo/.git")).unwrap();
        let install = |at: &Path| {
            let bin = at.join("node_modules/.bin");
            std::fs::create_dir_all(&bin).unwrap();
            std::fs::write(bin.join("dev-tool"), "").unwrap();
            bin.join("dev-tool")
        };
        install(&base);
        assert_eq!(find(&package), None);
        let script = install(&base.join("repo"));
        assert_eq!(find(&package), Some(script));
        let own = install(&package);
        assert_eq!(find(&package), Some(own));
    }

    #[test]
    fn marks_that_a_merge_left_are_a_conflict_and_those_of_before_are_not() {
        let file = |before: &str, after: &str| CarriedFile {
            path: "src/a.ts".into(),
            from: None,
            to: None,
            before: Some(before.into()),
            after: Some(after.into()),
        };
        let found = conflict(&file("a\n", "a\n<<<<<<< src\nb\n=======\nc\n>>>>>>> generated\n")).unwrap();
        assert_eq!(found.place(), "sdk/src/a.ts:2");
        assert_eq!(conflict(&file("a\n", "b\n")), None);
        assert_eq!(conflict(&file("<<<<<<< x\n", "<<<<<<< x\ny\n")), None);
    }
}
