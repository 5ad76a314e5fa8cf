//! The build: `go build` and `go vet`, without a network. The package is only read; what is compiled goes to a cache in
//! the work directory, which begins as a copy of what the modules give.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bailiwick_process::Finished;
use bailiwick_sdk::diagnostics::go;
use bailiwick_sdk::tasks::{Diagnostic, Severity};

use super::super::ran::{self, Ran};
use super::super::{
    BuildRequest, Built, LanguageError, LanguageService, Origin, content_of, open_package, package_files,
};
use super::platform::is_of_another_platform;
use crate::shown::{Shown, shown};
use bailiwick_toolchains::{BuildTools, Child, Children, Go as GoTools, QUICK_GO, copy_go_cache, go_module_directory};

/// A large module takes some minutes.
const DEADLINE: Duration = Duration::from_secs(10 * 60);

/// All errors of the package itself, and not the first ten.
const ALL_ERRORS: &str = "-gcflags=./...=-N -l -e";

pub(super) async fn build(
    request: BuildRequest<'_>,
    tools: &BuildTools,
    children: &Children,
    language: &dyn LanguageService,
) -> Result<Built, LanguageError> {
    let started = Instant::now();
    let package = request.package;
    let files = package_files(package)?;
    let has_code = files.iter().any(|file| language.is_source(file) && !file.ends_with("_test.go"));
    let Some(go) = tools.go.as_ref().filter(|_| has_code && go_module_directory(package).is_some()) else {
        return Err(LanguageError::NothingToBuild { package: package.to_owned() });
    };
    let root = request.work.join("build/go");
    std::fs::create_dir_all(&root).map_err(LanguageError::io(&root, "created"))?;
    let root = root.canonicalize().map_err(LanguageError::io(&root, "read"))?;
    let cache = root.join("cache");
    if !cache.is_dir() {
        copy_go_cache(&go.warm_cache(), &cache).map_err(LanguageError::io(&cache, "written"))?;
    }
    let place = Place { package, root: &root, cache: &cache, go };
    let mut log = String::new();
    let mut diagnostics = Vec::new();
    for verb in ["build", "vet"] {
        let (text, found) = place.run(verb, children).await?;
        log.push_str(&format!("# go {verb}\n{text}"));
        // Vet begins by compiling: after a build that failed it says the same again.
        let failed = found.iter().any(Diagnostic::is_error);
        diagnostics
            .extend(found.into_iter().map(|one| if verb == "vet" { weighed(one, package, language) } else { one }));
        if failed {
            break;
        }
    }
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(not_compiled(&place.compiled(children).await?, package, language)?);
    }
    Ok(Built::reporting(diagnostics, log, started))
}

/// What vet reports in generated code cannot be repaired by a customization, and tests are not part of the library: both are warnings.
fn weighed(diagnostic: Diagnostic, package: &Path, language: &dyn LanguageService) -> Diagnostic {
    let path = diagnostic.file.as_deref().and_then(|file| file.strip_prefix("sdk/"));
    let aside = path.is_some_and(|path| {
        let content = text_of(package, path);
        path.ends_with("_test.go") || language.origin(path, content.as_bytes()) != Origin::HandWritten
    });
    if aside { Diagnostic { severity: Severity::Warning, ..diagnostic } } else { diagnostic }
}

/// The text of a file; empty where it cannot be read.
fn text_of(package: &Path, file: &str) -> String {
    let content = open_package(package).and_then(|package| content_of(&package, file));
    String::from_utf8_lossy(&content.ok().flatten().unwrap_or_default()).into_owned()
}

/// A build that leaves code out has not shown that it compiles, whatever its exit code. Customizations for another platform,
/// tests, files that `go` never reads, those with a build constraint and those of a module of their own are left out as people
/// meant it: the gate lets no agent rename a file or add a constraint, and no generation makes a module. Of generated files an
/// emitter could say it for itself: names of tests and platforms count, and modules.
fn not_compiled(
    compiled: &BTreeSet<String>,
    package: &Path,
    language: &dyn LanguageService,
) -> Result<Option<Diagnostic>, LanguageError> {
    let by_name = |file: &str| {
        let name = file.rsplit('/').next().unwrap_or(file);
        is_of_another_platform(name) || name.ends_with("_test.go")
    };
    let meant = |file: &str| {
        // `_draft.go`, `.old.go`, `testdata/a.go`
        let unread = |part: &str| part.starts_with(['_', '.']) || part == "testdata";
        by_name(file)
            || file.split('/').any(unread)
            || is_constrained(&text_of(package, file))
            || has_module(package, file)
    };
    let (customizations, generated) = (language.customization_files(package)?, language.generated_files(package)?);
    let own = customizations.iter().filter(|file| !meant(file));
    let emitted = generated.iter().filter(|file| !by_name(file) && !has_module(package, file));
    let first = own.chain(emitted).find(|file| !compiled.contains(*file));
    Ok(first.map(|file| {
        let message = "`go build` left this file out, so nothing shows that it compiles".to_owned();
        Diagnostic { file: Some(format!("sdk/{file}")), ..Diagnostic::without_place("go", "not-compiled", message) }
    }))
}

/// Whether a build constraint stands where `go` reads one: on a line of its own before the package clause.
fn is_constrained(text: &str) -> bool {
    let mut in_comment = false;
    for line in text.lines() {
        if in_comment || line.trim_start().starts_with("/*") {
            in_comment = !line.contains("*/");
        } else if line.starts_with("//go:build ") {
            return true;
        } else if !line.trim().is_empty() && !line.trim_start().starts_with("//") {
            return false;
        }
    }
    false
}

/// Whether a file lies in a module of its own within the package's.
fn has_module(package: &Path, file: &str) -> bool {
    let directories = Path::new(file).ancestors().skip(1).filter(|directory| !directory.as_os_str().is_empty());
    directories.into_iter().any(|directory| package.join(directory).join("go.mod").is_file())
}

/// What `go list` prints of every file that it compiles.
const COMPILED: &str = "{{range .GoFiles}}{{$.Dir}}/{{.}}\n{{end}}";

struct Place<'a> {
    package: &'a Path,
    root: &'a Path,
    cache: &'a Path,
    go: &'a GoTools,
}

impl Place<'_> {
    /// Runs `go build ./...` or `go vet ./...` and gives what it printed and what that means.
    async fn run(&self, verb: &str, children: &Children) -> Result<(String, Vec<Diagnostic>), LanguageError> {
        self.go(&[verb, QUICK_GO, ALL_ERRORS, "./..."], children).await
    }

    /// The package's files that are compiled, relative to it.
    async fn compiled(&self, children: &Children) -> Result<BTreeSet<String>, LanguageError> {
        let (text, _) = self.go(&["list", "-e", "-f", COMPILED, "./..."], children).await?;
        Ok(text.lines().filter_map(|line| line.strip_prefix("./")).map(str::to_owned).collect())
    }

    async fn go(&self, arguments: &[&str], children: &Children) -> Result<(String, Vec<Diagnostic>), LanguageError> {
        let verb = arguments.first().copied().unwrap_or_default();
        let scratch = self.root.join("scratch");
        let mut read = self.go.read();
        // Replacements lead to other modules of the repository.
        let Shown { read: shown, list } = shown(&repository(self.package), self.package);
        read.extend(shown);
        let child = Child {
            program: &self.go.executable,
            arguments: arguments.iter().map(OsString::from).collect(),
            directory: self.package,
            path: vec![self.go.home.join("bin")],
            environment: self.go.environment(self.cache),
            read,
            list,
            write: vec![self.cache.to_owned()],
            scratch: &scratch,
            deadline: DEADLINE,
        };
        let finished = match ran::run(child, children, "go", &format!("`go {verb}`")).await? {
            Ran::Ended(finished) => finished,
            Ran::Stopped { log, error } => return Ok((log, vec![error])),
        };
        let text = self.readable(&finished);
        let mut found = go::parse(&text);
        if !finished.exit.is_success() && !found.iter().any(Diagnostic::is_error) {
            let words = go::complaint(&text).unwrap_or("it said nothing");
            found.push(Diagnostic::without_place(
                "go",
                "go",
                format!("`go {verb}` failed ({}): {words}", finished.exit),
            ));
        }
        Ok((text, found))
    }

    /// What was printed, with paths as people know them.
    fn readable(&self, finished: &Finished) -> String {
        let text = format!("{}{}", finished.stdout.text, finished.stderr.text);
        text.replace(&format!("{}/", self.package.display()), "./")
    }
}

fn repository(package: &Path) -> PathBuf {
    package.ancestors().find(|directory| directory.join(".git").exists()).unwrap_or(package).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::Go;
    use super::*;

    const GENERATED: &str = "// Code generated by Microsoft (R) Go Code Generator. DO NOT EDIT.\n\npackage w\n";

    #[test]
    fn file_that_is_not_compiled_is_not_a_success_unless_it_was_meant() {
        let directory = tempfile::tempdir().unwrap();
        let judged = |file: &str, content: &str, compiled: &[&str]| {
            crate::laid_out::write(directory.path(), file, content);
            let compiled = compiled.iter().map(|file| (*file).to_owned()).collect();
            let found = not_compiled(&compiled, directory.path(), &Go).unwrap();
            std::fs::remove_file(directory.path().join(file)).unwrap();
            found.and_then(|one| one.file)
        };
        let constraint = "// A program.\n\n//go:build ignore\n\npackage main\n\nfunc main() {}\n";
        for (file, content) in [
            ("dial_windows.go", "package w\n\nvar x = 1\n"),
            ("tool.go", constraint),
            ("_draft.go", "package w\n\nvar x = 1\n"),
            ("testdata/a.go", "package a\n\nvar x = 1\n"),
            ("zz_models_test.go", GENERATED),
            ("zz_models_windows.go", GENERATED),
        ] {
            assert_eq!(judged(file, content, &[]), None, "{file}");
        }
        for (file, content) in [
            ("custom.go", "package w\n\nimport \"C\"\n"),
            ("summary_helpers.go", "package documentation\n\nvar x = 1\n"),
            ("extras/extras.go", "package extras\n\nvar x = 1\n"),
            ("late.go", "package w\n\n//go:build ignore\n\nvar x = 1\n"),
            ("quoted.go", "/*\n//go:build ignore\n*/\npackage w\n\nvar x = 1\n"),
            ("zz_models.go", GENERATED),
            ("zz_ignored.go", &format!("//go:build ignore\n\n{GENERATED}")),
            ("_x/zz_models.go", GENERATED),
        ] {
            assert_eq!(judged(file, content, &[]), Some(format!("sdk/{file}")), "{file}");
            assert_eq!(judged(file, content, &[file]), None, "{file}");
        }
        // What `azidentity/cache` and stress tests do: a module of people in the module.
        std::fs::create_dir_all(directory.path().join("stress")).unwrap();
        std::fs::write(directory.path().join("stress/go.mod"), "module x\n").unwrap();
        assert_eq!(judged("stress/run/run.go", "package main\n\nvar x = 1\n", &[]), None);
    }

    #[test]
    fn vet_is_an_error_where_people_write_and_a_remark_elsewhere() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("custom.go"), "package w\n").unwrap();
        for (file, error) in [("custom.go", true), ("zz_models.go", false), ("custom_test.go", false)] {
            let found = Diagnostic {
                file: Some(format!("sdk/{file}")),
                ..Diagnostic::without_place("go", "go", "x".to_owned())
            };
            assert_eq!(weighed(found, directory.path(), &Go).is_error(), error, "{file}");
        }
        assert!(weighed(Diagnostic::without_place("go", "deadline", "x".to_owned()), directory.path(), &Go).is_error());
    }
}
