//! The build: Maven's `compile`, offline, on a copy that costs nothing.
//!
//! Maven writes beside what it reads, so the package is laid out anew in the work directory: its `pom.xml` copied,
//! everything else linked, and the repository around it, where parents of the `pom.xml` may lie.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use bailiwick_base::files::{Tree, Type};
use bailiwick_sdk::diagnostics::{javac, maven};
use bailiwick_sdk::tasks::Diagnostic;

use super::super::layout::{Layout, Shape};
use super::super::ran::{self, Ran};
use super::super::{
    BuildRequest, Built, Errors, LanguageError, LanguageService, content_of, open_package, package_files,
};
use super::{SOURCES, dependencies, tool_environment};
use bailiwick_toolchains::{BuildTools, Child, Children};

/// A large library takes some minutes.
const DEADLINE: Duration = Duration::from_secs(15 * 60);

/// What Maven writes, and what is not an input of a build.
const SHAPE: Shape<'static> = Shape { project_file: "pom.xml", mirrored: None, left_out: &["target", ".git"] };

/// Stronger than a property of the `pom.xml`, which an emitter may write.
const COMPILES: &str = "-Dmaven.main.skip=false";

/// With it the compiler's plugin notes what it compiled.
const NOTES: &str = "-Dmaven.compiler.useIncrementalCompilation=true";

/// Where it notes that, for each of its executions in a directory of its own.
const NOTED: (&str, &str) = ("target/maven-status/maven-compiler-plugin/compile", "inputFiles.lst");

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
    let mut arguments = vec!["--quiet", COMPILES, NOTES, "compile"];
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
    if failed && finished.stdout.omitted_bytes > 0 {
        let message = "Maven reports more errors than are read; what is missing cannot be told".to_owned();
        diagnostics.push(Diagnostic::without_place("maven", "maven", message));
    }
    if !finished.exit.is_success() && !failed {
        let words = maven::complaint(&log).unwrap_or_else(|| "it said nothing".to_owned());
        diagnostics.push(Diagnostic::without_place(
            "maven",
            "maven",
            format!("Maven failed ({}): {words}", finished.exit),
        ));
    } else if !failed {
        diagnostics.extend(not_compiled(&layout, package, &sources, &files));
    }
    Ok(Built::reporting(diagnostics, log, started))
}

/// Sources without a class. A build that leaves code out has not shown that it compiles, whatever its exit code: the
/// `pom.xml` decides what Maven compiles, and customization code runs while the package is written. A class that lies among the
/// `files` of the package is copied, as a resource is, and shows nothing; nor does one that was made of another source.
fn not_compiled(layout: &Layout, package: &Path, sources: &[&String], files: &[String]) -> Option<Diagnostic> {
    let laid_out = Tree::open(&layout.package).ok();
    let own = open_package(package).ok();
    let noted = noted(layout, own.as_ref(), (sources, files));
    let is_noted = |file: &str| match &noted {
        Some(noted) => noted.contains(&format!("sdk/{file}")),
        None => own.as_ref().is_some_and(|own| !has_second(own, file, files)),
    };
    let brought: Vec<&String> = files.iter().filter(|file| file.ends_with(".class")).collect();
    let is_compiled = |file: &str| {
        let name = file.trim_start_matches(SOURCES).trim_end_matches(".java");
        let class = format!("{name}.class");
        let made = format!("target/classes/{class}");
        let content = laid_out.as_ref().and_then(|laid_out| content_of(laid_out, &made).ok().flatten());
        let is_its_own = |content: Vec<u8>| {
            content.starts_with(&CLASS) && content.windows(name.len()).any(|part| part == name.as_bytes())
        };
        content.is_some_and(is_its_own) && !brought.iter().any(|file| file.ends_with(&format!("/{class}")))
    };
    let is_missing = |file: &&&String| !is_compiled(file) || !is_noted(file);
    let missing: Vec<&&String> =
        sources.iter().filter(|file| !file.ends_with("/package-info.java")).filter(is_missing).collect();
    let first = missing.first()?;
    let message = format!("Maven compiled nothing from {} of {} sources", missing.len(), sources.len());
    Some(Diagnostic {
        file: Some(format!("sdk/{first}")),
        ..Diagnostic::without_place("maven", "not-compiled", message)
    })
}

/// The sources that the compiler's plugin notes, as `sdk/<path>`; `None` where it keeps no notes: the `pom.xml` itself says so,
/// or the plugin is of a version that keeps others. A file of that name in the package may have been copied there; where it
/// could name a source, nothing is shown.
fn noted(layout: &Layout, own: Option<&Tree>, (sources, files): (&[&String], &[String])) -> Option<BTreeSet<String>> {
    let (directory, name) = NOTED;
    let brought: Vec<&String> = files.iter().filter(|file| file.rsplit('/').next() == Some(name)).collect();
    if !brought.is_empty() && !own.is_some_and(|own| name_no_source(layout, own, &brought, sources)) {
        return Some(BTreeSet::new());
    }
    let mut lists = Vec::new();
    let notes = Tree::open(&layout.package.join(directory)).ok()?;
    let found = notes.entries(
        |_, _| true,
        |path, kind, _| {
            if kind == Type::File && path.ends_with(name) {
                lists.extend(path.to_str().and_then(|path| content_of(&notes, path).ok().flatten()));
            }
            Ok(())
        },
    );
    let text = lists.iter().fold(String::new(), |text, list| text + &String::from_utf8_lossy(list) + "\n");
    (found.is_ok() && !lists.is_empty()).then(|| layout.readable(&text).lines().map(str::to_owned).collect())
}

/// Whether these files of the package, which an earlier build of a directory in it may have left, name none of its sources, also
/// where Maven copies them: it changes what they say only where the `pom.xml` has it filter them.
fn name_no_source(layout: &Layout, own: &Tree, brought: &[&String], sources: &[&String]) -> bool {
    let read = |file: &str| content_of(own, file).ok().flatten().and_then(|content| String::from_utf8(content).ok());
    // A declaration of a document type could spell the word in parts.
    let changes_nothing =
        |pom: String| !pom.to_ascii_lowercase().contains("filter") && !pom.contains("<!DOCTYPE") && !pom.contains('\0');
    let sources: BTreeSet<String> = sources.iter().map(|file| format!("sdk/{file}")).collect();
    let is_harmless = |text: String| !layout.readable(&text).lines().any(|line| sources.contains(line));
    read(SHAPE.project_file).is_some_and(changes_nothing)
        && brought.iter().all(|file| read(file).is_some_and(is_harmless))
}

/// Whether another file of the package may be the source of the same class.
fn has_second(package: &Tree, source: &str, files: &[String]) -> bool {
    let (directory, name) = source.trim_start_matches(SOURCES).rsplit_once('/').unwrap_or(("", source));
    let declared = format!("package{};", directory.replace('/', "."));
    let others = files.iter().filter(|file| *file != source && file.ends_with(&format!("/{name}")));
    others.filter_map(|file| content_of(package, file).ok().flatten()).any(|content| {
        let mut text = String::from_utf8_lossy(&content).into_owned();
        text.retain(|one| !one.is_whitespace());
        text.contains(&declared) || text.contains("\\u")
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A package with these classes, laid out, and what is noted of it.
    struct Fixture {
        _directory: tempfile::TempDir,
        package: PathBuf,
        layout: Layout,
    }

    fn fixture(classes: &[(&str, &[u8])]) -> Fixture {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        let (package, work) = (base.join("package"), base.join("work"));
        std::fs::create_dir_all(package.join(SOURCES)).unwrap();
        std::fs::write(package.join("pom.xml"), "").unwrap();
        let layout = Layout::make(BuildRequest::plain(&package, &work), &work, SHAPE).unwrap();
        let fixture = Fixture { _directory: directory, package, layout };
        for (name, content) in classes {
            fixture.put(&format!("target/classes/a/{name}.class"), content);
        }
        fixture
    }

    impl Fixture {
        /// Puts a file where Maven works.
        fn put(&self, file: &str, content: &[u8]) {
            crate::laid_out::write(&self.layout.package, file, content);
        }

        fn judged(&self, names: &[&str], files: &[&str]) -> Option<String> {
            let sources: Vec<String> = names.iter().map(|name| format!("{SOURCES}a/{name}.java")).collect();
            let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
            let sources: Vec<&String> = sources.iter().collect();
            not_compiled(&self.layout, &self.package, &sources, &files).and_then(|one| one.file)
        }
    }

    #[test]
    fn source_without_a_class_is_not_a_success() {
        assert!(fixture(&[]).judged(&["A"], &[]).is_some(), "nothing was compiled");
        let a = [&CLASS[..], b"a/A"].concat();
        let fixture = fixture(&[("A", &a), ("Empty", b""), ("Other", &a)]);
        assert_eq!(fixture.judged(&["A", "package-info"], &["src/main/resources/b/A.class"]), None);
        for name in ["B", "Empty", "Other"] {
            assert_eq!(fixture.judged(&["A", name], &[]), Some(format!("sdk/src/main/java/a/{name}.java")));
        }
        let copied = ["src/main/resources/a/A.class"];
        assert_eq!(fixture.judged(&["A"], &copied).as_deref(), Some("sdk/src/main/java/a/A.java"));
    }

    #[test]
    fn class_that_was_made_of_another_source_is_not_a_success() {
        let fixture = fixture(&[("A", &[&CLASS[..], b"a/A"].concat())]);
        let (own, other) = ("src/main/java/a/A.java", "src/main/java11/A.java");
        let missing = Some(format!("sdk/{own}"));
        std::fs::create_dir_all(fixture.package.join("src/main/java11")).unwrap();
        // Without notes, which a `pom.xml` can switch off, no other source may be of the same class.
        for (text, is_missing) in
            [("package\na ;", true), ("\\u0070ackage a;", true), ("package b;", false), ("class A {}", false)]
        {
            std::fs::write(fixture.package.join(other), text).unwrap();
            assert_eq!(fixture.judged(&["A"], &[own, other]).is_some(), is_missing, "{text}");
        }
        let (directory, name) = NOTED;
        let noted = |execution: &str, file: &str| {
            let line = fixture.layout.package.join(file).display().to_string();
            fixture.put(&format!("{directory}/{execution}/{name}"), line.as_bytes());
        };
        noted("default-compile", other);
        assert_eq!(fixture.judged(&["A"], &[own, other]), missing);
        noted("of-java-11", own);
        assert_eq!(fixture.judged(&["A"], &[own, other]), None);
        let copied = "src/main/resources/x/inputFiles.lst";
        assert_eq!(fixture.judged(&["A"], &[own, copied]), missing, "it cannot be read");
        for (pom, text, shows) in [
            ("", "/home/a/samples/src/main/java/b/B.java\n", true),
            ("", "sdk/src/main/java/a/A.java", false),
            ("", &format!("x\n{}\n", fixture.package.join(own).display()), false),
            ("", &fixture.layout.package.join(own).display().to_string(), false),
            ("<Filtering>true</Filtering>", "@a@", false),
            ("<!DOCTYPE a [<!ENTITY b \"filt\">]>", "@a@", false),
        ] {
            std::fs::create_dir_all(fixture.package.join("src/main/resources/x")).unwrap();
            std::fs::write(fixture.package.join(copied), text).unwrap();
            std::fs::write(fixture.package.join("pom.xml"), pom).unwrap();
            assert_eq!(fixture.judged(&["A"], &[own, copied]).is_none(), shows, "{pom}: {text}");
        }
    }
}
