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
use super::super::{BuildRequest, Built, LanguageError};
use super::compiled::not_compiled;
use super::{SOURCES, tool_environment};
use bailiwick_toolchains::{BuildTools, Child, Children};

/// A large library with all its target frameworks takes some minutes.
const DEADLINE: Duration = Duration::from_secs(15 * 60);

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
    let finished = match place.run(&arguments(&project), "`dotnet build`").await? {
        Ran::Ended(finished) => finished,
        Ran::Stopped { log, error } => return Ok(Built::reporting(vec![error], log, started)),
    };
    let log = layout.readable(&format!("{}{}", finished.stdout.text, finished.stderr.text));
    let mut diagnostics = msbuild::parse(&log);
    if !finished.exit.is_success() && !diagnostics.iter().any(Diagnostic::is_error) {
        let words = log.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it said nothing");
        diagnostics.push(Diagnostic::without_place(
            "dotnet",
            "dotnet",
            format!("`dotnet build` failed ({}): {words}", finished.exit),
        ));
    }
    if diagnostics.iter().any(|one| one.is_error() && is_of_nuget(one)) {
        let message =
            "a build has no network: run `dotnet restore` in the package once, so that its packages are there";
        diagnostics.push(Diagnostic::without_place("dotnet", "not-restored", message.to_owned()));
    }
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(not_compiled(&request, &place).await?);
    }
    // An error that was printed counts, whatever the exit code.
    Ok(Built::reporting(diagnostics, log, started))
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
}
