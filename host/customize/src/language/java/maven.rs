//! The build: Maven's `compile`, offline, on a copy that costs nothing.
//!
//! Maven writes beside what it reads, so the package is laid out anew in the work directory: its `pom.xml` copied,
//! everything else linked, and the repository around it, where parents of the `pom.xml` may lie.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use bailiwick_sdk::diagnostics::{javac, maven};
use bailiwick_sdk::tasks::Diagnostic;

use super::super::layout::{Layout, Shape};
use super::super::ran::{self, Ran};
use super::super::{BuildRequest, Built, Errors, LanguageError, LanguageService, package_files};
use super::{SOURCES, dependencies, tool_environment};
use bailiwick_toolchains::{BuildTools, Child, Children};

/// A large library takes some minutes.
const DEADLINE: Duration = Duration::from_secs(15 * 60);

/// What Maven writes, and what is not an input of a build.
const SHAPE: Shape<'static> = Shape { project_file: "pom.xml", mirrored: None, left_out: &["target", ".git"] };

/// The compiler reads its options from the environment only where it is a program of its own.
const IN_A_PROCESS_OF_ITS_OWN: &str = "-Dmaven.compiler.fork=true";

/// After an error in a type `javac` looks no further than at the types of all others: a missing `return` or an exception
/// that is not caught goes unsaid. And it prints 100 errors at most. Names are written whole, as Maven has them written.
const ALL_ERRORS: &str = "--should-stop=ifError=FLOW -Xmaxerrs 1000000 -XDdiags.formatterOptions=-simpleNames";

pub(super) async fn build(
    request: BuildRequest<'_>,
    tools: &BuildTools,
    children: &Children,
    language: &dyn LanguageService,
) -> Result<Built, LanguageError> {
    let started = Instant::now();
    let package = request.package;
    let sources: Vec<String> = package_files(package)?
        .into_iter()
        .filter(|file| file.starts_with(SOURCES) && language.is_source(file))
        .collect();
    let Some(java) = tools.java.as_ref().filter(|_| !sources.is_empty() && package.join("pom.xml").is_file()) else {
        return Err(LanguageError::NothingToBuild { package: package.to_owned() });
    };
    let root = request.work.join("build");
    std::fs::create_dir_all(&root).map_err(LanguageError::io(&root, "created"))?;
    let root = root.canonicalize().map_err(LanguageError::io(&root, "read"))?;
    let layout = Layout::make(request, &root, SHAPE)?;
    let scratch = root.join("maven");
    let (path, mut environment, mut read) = tool_environment(tools, &scratch).into_parts();
    let mut arguments = vec!["--quiet", "compile"];
    if request.errors == Errors::All {
        arguments.push(IN_A_PROCESS_OF_ITS_OWN);
        environment.push(("JDK_JAVAC_OPTIONS", ALL_ERRORS.into()));
    }
    let list = layout.show(package, &mut read);
    let maven = java.maven();
    let child = Child {
        program: &maven,
        arguments: arguments.into_iter().map(OsString::from).collect(),
        directory: &layout.package,
        path,
        environment,
        read,
        list,
        write: vec![layout.tree.clone()],
        scratch: &scratch,
        deadline: DEADLINE,
    };
    let finished = match ran::run(child, children, "maven", "Maven").await? {
        Ran::Ended(finished) => finished,
        Ran::Stopped { log, error } => return Ok(Built::reporting(vec![error], log, started)),
    };
    let log = layout.readable(&format!("{}{}", finished.stdout.text, finished.stderr.text));
    let mut diagnostics = javac::parse(&log, |path| path.starts_with("sdk/").then(|| path.to_owned()));
    if request.errors == Errors::All {
        // Of a compiler in a process of its own Maven counts columns from 0.
        diagnostics.iter_mut().for_each(|one| one.column = one.column.map(|column| column.saturating_add(1)));
    }
    diagnostics.splice(..0, dependencies::older(package, &diagnostics));
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    if !finished.exit.is_success() && !failed {
        let words = maven::complaint(&log).unwrap_or_else(|| "it said nothing".to_owned());
        diagnostics.push(Diagnostic::without_place(
            "maven",
            "maven",
            format!("Maven failed ({}): {words}", finished.exit),
        ));
    } else if !failed {
        diagnostics.extend(not_compiled(&layout.package, &sources));
    }
    Ok(Built::reporting(diagnostics, log, started))
}

/// Sources without a class. A build that leaves code out has not shown that it compiles, whatever its exit code: the
/// `pom.xml` decides what Maven compiles, and customization code runs while the package is written.
fn not_compiled(package: &Path, sources: &[String]) -> Option<Diagnostic> {
    let classes = package.join("target/classes");
    let missing: Vec<&String> = sources
        .iter()
        .filter(|file| !file.ends_with("/package-info.java"))
        .filter(|file| {
            let class = file.trim_start_matches(SOURCES).replace(".java", ".class");
            !classes.join(class).is_file()
        })
        .collect();
    let first = missing.first()?;
    let message = format!("Maven compiled nothing from {} of {} sources", missing.len(), sources.len());
    Some(Diagnostic {
        file: Some(format!("sdk/{first}")),
        ..Diagnostic::without_place("maven", "not-compiled", message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_without_a_class_is_not_a_success() {
        let directory = tempfile::tempdir().unwrap();
        let classes = directory.path().join("target/classes/a");
        std::fs::create_dir_all(&classes).unwrap();
        std::fs::write(classes.join("A.class"), "").unwrap();
        let sources = |names: &[&str]| names.iter().map(|name| format!("{SOURCES}a/{name}")).collect::<Vec<_>>();
        assert_eq!(not_compiled(directory.path(), &sources(&["A.java", "package-info.java"])), None);
        let found = not_compiled(directory.path(), &sources(&["A.java", "B.java"])).unwrap();
        assert_eq!(found.file.as_deref(), Some("sdk/src/main/java/a/B.java"));
    }
}
