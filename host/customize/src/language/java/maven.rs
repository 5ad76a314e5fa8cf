//! The build: Maven's `compile`, offline, on a copy that costs nothing.
//!
//! Maven writes beside what it reads, so the package is laid out anew in the work directory: its `pom.xml` copied,
//! everything else linked, and the repository around it, where parents of the `pom.xml` may lie.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use bailiwick_base::files::Tree;
use bailiwick_sdk::diagnostics::{javac, maven};
use bailiwick_sdk::tasks::Diagnostic;

use super::super::layout::{Layout, Shape};
use super::super::ran::{self, Ran};
use super::super::{BuildRequest, Built, Errors, LanguageError, LanguageService, content_of, package_files};
use super::{SOURCES, dependencies, tool_environment};
use bailiwick_toolchains::{BuildTools, Child, Children};

/// A large library takes some minutes.
const DEADLINE: Duration = Duration::from_secs(15 * 60);

/// What Maven writes, and what is not an input of a build.
const SHAPE: Shape<'static> = Shape { project_file: "pom.xml", mirrored: None, left_out: &["target", ".git"] };

/// Stronger than a property of the `pom.xml`, which an emitter may write.
const COMPILES: &str = "-Dmaven.main.skip=false";

/// How a class begins.
const CLASS: [u8; 4] = [0xca, 0xfe, 0xba, 0xbe];

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
    let files = package_files(package)?;
    let is_of_library = |file: &&String| file.starts_with(SOURCES) && language.is_source(file);
    let sources: Vec<&String> = files.iter().filter(is_of_library).collect();
    let Some(java) = tools.java.as_ref().filter(|_| !sources.is_empty() && package.join("pom.xml").is_file()) else {
        return Err(LanguageError::NothingToBuild { package: package.to_owned() });
    };
    let root = request.work.join("build");
    std::fs::create_dir_all(&root).map_err(LanguageError::io(&root, "created"))?;
    let root = root.canonicalize().map_err(LanguageError::io(&root, "read"))?;
    let layout = Layout::make(request, &root, SHAPE)?;
    let scratch = root.join("maven");
    let (path, mut environment, mut read) = tool_environment(tools, &scratch).into_parts();
    let mut arguments = vec!["--quiet", COMPILES, "compile"];
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
        diagnostics.extend(not_compiled(&layout.package, &sources, &files));
    }
    Ok(Built::reporting(diagnostics, log, started))
}

/// Sources without a class. A build that leaves code out has not shown that it compiles, whatever its exit code: the
/// `pom.xml` decides what Maven compiles, and customization code runs while the package is written. A class that lies among the
/// `files` of the package is copied, as a resource is, and shows nothing.
fn not_compiled(package: &Path, sources: &[&String], files: &[String]) -> Option<Diagnostic> {
    let classes = Tree::open(&package.join("target/classes")).ok();
    let brought: Vec<&String> = files.iter().filter(|file| file.ends_with(".class")).collect();
    let is_compiled = |file: &str| {
        let name = file.trim_start_matches(SOURCES).trim_end_matches(".java");
        let class = format!("{name}.class");
        let content = classes.as_ref().and_then(|classes| content_of(classes, &class).ok().flatten());
        let is_its_own = |content: Vec<u8>| {
            content.starts_with(&CLASS) && content.windows(name.len()).any(|part| part == name.as_bytes())
        };
        content.is_some_and(is_its_own) && !brought.iter().any(|file| file.ends_with(&format!("/{class}")))
    };
    let missing: Vec<&&String> =
        sources.iter().filter(|file| !file.ends_with("/package-info.java")).filter(|file| !is_compiled(file)).collect();
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
        let class = |name: &str, content: &[u8]| std::fs::write(classes.join(name), content).unwrap();
        let judged = |names: &[&str], files: &[&str]| {
            let sources: Vec<String> = names.iter().map(|name| format!("{SOURCES}a/{name}.java")).collect();
            let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
            not_compiled(directory.path(), &sources.iter().collect::<Vec<_>>(), &files).and_then(|one| one.file)
        };
        assert!(judged(&["A"], &[]).is_some(), "nothing was compiled");
        std::fs::create_dir_all(&classes).unwrap();
        class("A.class", &[&CLASS[..], b"a/A"].concat());
        class("Empty.class", b"");
        class("Other.class", &[&CLASS[..], b"a/A"].concat());
        assert_eq!(judged(&["A", "package-info"], &["src/main/resources/b/A.class"]), None);
        for name in ["B", "Empty", "Other"] {
            assert_eq!(judged(&["A", name], &[]), Some(format!("sdk/src/main/java/a/{name}.java")));
        }
        let copied = ["src/main/resources/a/A.class"];
        assert_eq!(judged(&["A"], &copied).as_deref(), Some("sdk/src/main/java/a/A.java"));
    }
}
