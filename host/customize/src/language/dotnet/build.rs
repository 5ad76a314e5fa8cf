//! The build: `dotnet build` of the package's project, without a network, on a copy that costs nothing.
//!
//! MSBuild writes `bin`, `obj` and often `artifacts` beside what it reads, so the package is laid out anew in the work
//! directory, its sources down to the files. Packages come from what the user restored before and are only read.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use bailiwick_sdk::diagnostics::msbuild;
use bailiwick_sdk::tasks::Diagnostic;

use super::super::layout::{Layout, Shape};
use super::super::ran::{self, Ran};
use super::super::{
    BuildRequest, Built, Errors, LanguageError, LanguageService as _, content_of, open_package, package_files,
};
use super::compiled::not_compiled;
use super::switched_off::moves_errors;
use super::{Dotnet, SOURCES, tool_environment};
use bailiwick_toolchains::{BuildTools, Child, Children};

/// A large library with all its target frameworks takes some minutes.
const DEADLINE: Duration = Duration::from_secs(15 * 60);

/// A property of the compiler's own targets. On the command line it is stronger than one of a project.
pub(super) const WITHOUT_ANALYZERS: &str = "-property:RunAnalyzers=false";

/// What MSBuild writes, and what is not an input of a build.
const LEFT_OUT: [&str; 4] = ["bin", "obj", "artifacts", ".git"];

pub(super) async fn build(
    request: BuildRequest<'_>,
    tools: &BuildTools,
    children: &Children,
) -> Result<Built, LanguageError> {
    let started = Instant::now();
    let package = request.package;
    let project = project_file(package)?;
    let (Some(dotnet), Some(project)) = (&tools.dotnet, project) else {
        return Err(LanguageError::NothingToBuild { package: package.to_owned() });
    };
    let root = request.work.join("build");
    std::fs::create_dir_all(&root).map_err(LanguageError::io(&root, "created"))?;
    let root = root.canonicalize().map_err(LanguageError::io(&root, "read"))?;
    let shape = Shape { project_file: &project, mirrored: Some(SOURCES.trim_end_matches('/')), left_out: &LEFT_OUT };
    let layout = Layout::make(request, &root, shape)?;
    let scratch = root.join("dotnet");
    let place = Place { dotnet, project: &project, layout: &layout, package, scratch: &scratch, tools, children };
    let Printed { mut log, mut diagnostics } = place.built(&[]).await?;
    let mut analyzed = Analyzed::Whole;
    if request.errors == Errors::All && stops_behind_analyzers(&diagnostics) {
        // Nothing that MSBuild does after the compiler was done.
        let behind = place.built(&[WITHOUT_ANALYZERS]).await?;
        let more = hidden_behind(&log, &behind, place.project).into_iter().chain(moved_elsewhere(package)?);
        log.push_str("# without analyzers\n");
        log.push_str(&behind.log);
        diagnostics = Diagnostic::unique(diagnostics.into_iter().chain(behind.diagnostics).chain(more));
        analyzed = Analyzed::Apart;
    }
    if diagnostics.iter().any(|one| one.is_error() && is_of_nuget(one)) {
        let message =
            "a build has no network: run `dotnet restore` in the package once, so that its packages are there";
        diagnostics.push(Diagnostic::without_place("dotnet", "not-restored", message.to_owned()));
    }
    let is_through = match analyzed {
        Analyzed::Whole => !diagnostics.iter().any(Diagnostic::is_error),
        Analyzed::Apart => stops_behind_analyzers(&diagnostics),
    };
    if is_through {
        diagnostics.extend(not_compiled(&request, &place, analyzed).await?);
    }
    // An error that was printed counts, whatever the exit code.
    Ok(Built::reporting(diagnostics, log, started))
}

/// How analyzers were asked in a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Analyzed {
    /// As the project has it.
    Whole,
    /// They have errors, behind which MSBuild stops, so that the rest of the build was done without them.
    Apart,
}

/// What a build printed.
struct Printed {
    log: String,
    diagnostics: Vec<Diagnostic>,
}

/// Whether a build has errors of analyzers alone.
fn stops_behind_analyzers(diagnostics: &[Diagnostic]) -> bool {
    let mut errors = diagnostics.iter().filter(|one| one.is_error()).peekable();
    errors.peek().is_some() && errors.all(msbuild::goes_on_after)
}

/// What keeps such a build and the one without analyzers from having shown all errors, as an error without a place, which is
/// never known.
fn hidden_behind(log: &str, behind: &Printed, project: &str) -> Option<Diagnostic> {
    let project = format!("sdk/{project}");
    let other = msbuild::projects_with_errors(log).into_iter().find(|one| *one != Some(project.as_str()));
    let message = if let Some(other) = other {
        let other = other.unwrap_or("a project that is not named");
        format!("`dotnet build` did not come to all of {project}, because {other} has errors")
    } else if behind.diagnostics.iter().any(|one| one.is_error() && msbuild::goes_on_after(one)) {
        format!("analyzers report errors with `{WITHOUT_ANALYZERS}` too, so nothing shows what is hidden behind them")
    } else {
        return None;
    };
    Some(Diagnostic::without_place("dotnet", "hidden", message))
}

/// A source of the library that says of its own errors that they stand elsewhere, as an error: by their places, old errors could
/// not be told from new ones.
fn moved_elsewhere(package: &Path) -> Result<Option<Diagnostic>, LanguageError> {
    let tree = open_package(package)?;
    for file in package_files(package)? {
        if !file.starts_with(SOURCES) || !Dotnet.is_source(&file) {
            continue;
        }
        let content = content_of(&tree, &file)?.unwrap_or_default();
        if let Some(line) = moves_errors(&String::from_utf8_lossy(&content)) {
            let message =
                format!("`{line}` in sdk/{file} says that errors stand elsewhere, so old ones cannot be told");
            return Ok(Some(Diagnostic::without_place("dotnet", "hidden", message)));
        }
    }
    Ok(None)
}

/// A package that is laid out, and what runs in it.
pub(super) struct Place<'a> {
    dotnet: &'a bailiwick_toolchains::Dotnet,
    /// The project file, relative to the package.
    pub(super) project: &'a str,
    pub(super) layout: &'a Layout,
    package: &'a Path,
    scratch: &'a Path,
    tools: &'a BuildTools,
    children: &'a Children,
}

impl Place<'_> {
    /// Builds the project, with these arguments beside the usual ones.
    async fn built(&self, further: &[&str]) -> Result<Printed, LanguageError> {
        let all: Vec<&str> = arguments(self.project).into_iter().chain(further.iter().copied()).collect();
        let finished = match self.run(&all, "`dotnet build`").await? {
            Ran::Ended(finished) => finished,
            Ran::Stopped { log, error } => return Ok(Printed { log, diagnostics: vec![error] }),
        };
        let log = self.layout.readable(&format!("{}{}", finished.stdout.text, finished.stderr.text));
        let mut diagnostics = msbuild::parse(&log);
        let failed = !finished.exit.is_success() || diagnostics.iter().any(Diagnostic::is_error);
        if failed && finished.stdout.omitted_bytes > 0 {
            let message = "`dotnet build` reports more errors than are read; what is missing cannot be told";
            diagnostics.push(Diagnostic::without_place("dotnet", "dotnet", message.to_owned()));
        }
        if !finished.exit.is_success() && !diagnostics.iter().any(Diagnostic::is_error) {
            let words = log.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it said nothing");
            diagnostics.push(Diagnostic::without_place(
                "dotnet",
                "dotnet",
                format!("`dotnet build` failed ({}): {words}", finished.exit),
            ));
        }
        Ok(Printed { log, diagnostics })
    }

    /// Runs `dotnet` in the package. `name` is what people call the command.
    pub(super) async fn run(&self, arguments: &[&str], name: &str) -> Result<Ran, LanguageError> {
        let around = tool_environment(self.tools, self.scratch);
        let mut read = around.read;
        let list = self.layout.show(self.package, &mut read);
        let child = Child {
            program: &self.dotnet.program,
            arguments: arguments.iter().map(OsString::from).collect(),
            directory: &self.layout.package,
            path: around.path,
            environment: around.environment,
            read,
            list,
            write: vec![self.layout.tree.clone()],
            scratch: self.scratch,
            deadline: DEADLINE,
        };
        ran::run(child, self.children, "dotnet", name).await
    }
}

fn is_of_nuget(diagnostic: &Diagnostic) -> bool {
    diagnostic.code.as_deref().is_some_and(|code| code.starts_with("NU"))
}

/// `quiet` leaves messages and errors alone; the terminal logger would draw.
fn arguments(project: &str) -> [&str; 6] {
    ["build", project, "-nologo", "-verbosity:quiet", "-terminalLogger:off", "-nodeReuse:false"]
}

/// The one project file in `src/`, relative to the package.
pub(in crate::language) fn project_file(package: &Path) -> Result<Option<String>, LanguageError> {
    let sources = package.join(SOURCES);
    let entries = match std::fs::read_dir(&sources) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(LanguageError::io(&sources, "read")(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let name = entry.map_err(LanguageError::io(&sources, "read"))?.file_name();
        if let Some(name) = name.to_str().filter(|name| name.ends_with(".csproj")) {
            found.push(format!("{SOURCES}{name}"));
        }
    }
    // With several, it is unknown which one is the library.
    Ok(if found.len() == 1 { found.pop() } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_is_the_only_one_in_the_sources() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(project_file(directory.path()).unwrap(), None);
        std::fs::create_dir(directory.path().join("src")).unwrap();
        std::fs::write(directory.path().join("src/Azure.Widget.csproj"), "").unwrap();
        assert_eq!(project_file(directory.path()).unwrap().as_deref(), Some("src/Azure.Widget.csproj"));
        std::fs::write(directory.path().join("src/Other.csproj"), "").unwrap();
        assert_eq!(project_file(directory.path()).unwrap(), None);
    }

    fn printed(line: &str) -> Printed {
        Printed { log: line.to_owned(), diagnostics: msbuild::parse(line) }
    }

    #[test]
    fn what_a_build_without_analyzers_does_not_show_is_an_error_that_is_never_known() {
        const KNOWN: &str = "sdk/src/A.cs(1,2): error AZC0012: x [sdk/src/W.csproj::TargetFramework=net8.0]\n";
        let plain = printed("sdk/src/A.cs(1,2): warning CS0618: x [sdk/src/W.csproj]\n");
        let judged = |log: &str, behind: &Printed| hidden_behind(log, behind, "src/W.csproj");
        assert_eq!(judged(KNOWN, &plain), None);
        let of_another = format!("{KNOWN}sdk/shared/B.cs(1,2): error AZC0012: x [sdk/shared/B.csproj]\n");
        let of_none = format!("{KNOWN}sdk/src/B.cs(1,2): error AZC0012: x\n");
        for (log, behind) in [(of_another.as_str(), &plain), (of_none.as_str(), &plain), (KNOWN, &printed(KNOWN))] {
            let found = judged(log, behind).unwrap();
            assert!(found.is_error() && !msbuild::goes_on_after(&found), "{found:?}");
        }
    }

    #[test]
    fn build_stops_behind_analyzers_where_it_has_no_other_error() {
        let stops = |text: &str| stops_behind_analyzers(&msbuild::parse(text));
        let analyzer = "sdk/src/A.cs(1,2): error AZC0012: x [sdk/src/W.csproj]\n";
        let compiler = "sdk/src/A.cs(1,2): error CS0103: x [sdk/src/W.csproj]\n";
        let warning = "sdk/src/A.cs(1,2): warning CS0618: x [sdk/src/W.csproj]\n";
        assert!(stops(analyzer) && stops(&format!("{warning}{analyzer}")));
        assert!(!stops("") && !stops(warning) && !stops(&format!("{analyzer}{compiler}")));
    }

    #[test]
    fn source_that_moves_its_errors_elsewhere_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let package = directory.path().canonicalize().unwrap();
        std::fs::create_dir_all(package.join("src/Generated")).unwrap();
        let source = package.join("src/Generated/A.cs");
        for (text, moves) in [
            ("class A { } // #line 3 \"B.cs\"\n", false),
            ("#line default\nclass A { }\n", false),
            ("class B { }\n  # line 3 \"A.cs\"\nclass A { }\n", true),
            ("\u{feff}#line (1, 2) - (3, 4) \"A.cs\"\n", true),
        ] {
            std::fs::write(&source, text).unwrap();
            let found = moved_elsewhere(&package).unwrap();
            assert_eq!(found.is_some_and(|one| one.message.contains("sdk/src/Generated/A.cs")), moves, "{text}");
        }
    }
}
