//! The type checker.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use bailiwick_process::{Exit, ProcessError};
use bailiwick_sdk::diagnostics::mypy;
use bailiwick_sdk::tasks::Diagnostic;

use super::super::{BuildRequest, LanguageError};
use super::modules::{Author, Module, own_package};
use super::{Step, cache, checks};
use crate::shown::{Shown, shown};
use bailiwick_toolchains::{BuildTools, Child, Children, MYPY_CONFIGURATION};

const DEADLINE: Duration = Duration::from_secs(5 * 60);

/// Checks these files of the package. Nothing of it is executed.
///
/// Each file is named: where `mypy` is given a directory, a stub in it stands for the code beside it, and the names of modules end
/// below a namespace.
pub(super) async fn run(
    request: &BuildRequest<'_>,
    root: &Path,
    (modules, files): (&[Module], &[String]),
    tools: &BuildTools,
    children: &Children,
) -> Result<Step, LanguageError> {
    let package = request.package;
    let configuration = root.join("mypy.ini");
    std::fs::write(&configuration, configuration_for(modules)).map_err(LanguageError::io(&configuration, "written"))?;
    let scratch = root.join("mypy");
    let cache = scratch.join("cache");
    cache::begin(&cache, tools.python.seed.as_deref())?;
    let mut arguments: Vec<OsString> = ["-I", "-B", "-m", "mypy", "--config-file"].map(OsString::from).to_vec();
    arguments.push(configuration.clone().into());
    arguments.push("--cache-dir".into());
    arguments.push(cache.into());
    if tools.python.seed.is_some() {
        arguments.push("--sqlite-cache".into());
    }
    // Where the package's own requirements are installed, from which mypy is never run.
    if tools.python.executable != tools.python.checker.executable {
        arguments.extend(["--python-executable".into(), tools.python.executable.clone().into()]);
    }
    arguments.extend(["--output", "json", "--no-error-summary"].map(OsString::from));
    arguments.push("--explicit-package-bases".into());
    let listed = root.join("mypy-files");
    std::fs::write(&listed, files.join("\n")).map_err(LanguageError::io(&listed, "written"))?;
    arguments.push(format!("@{}", listed.display()).into());
    let Shown { mut read, list } = shown(package, package);
    read.extend([
        tools.python.root.clone(),
        tools.python.checker.root.clone(),
        tools.python.base.prefix.clone(),
        configuration,
        listed,
    ]);
    let child = Child {
        program: &tools.python.checker.executable,
        arguments,
        directory: package,
        path: Vec::new(),
        environment: Vec::new(),
        read,
        list,
        write: Vec::new(),
        scratch: &scratch,
        deadline: DEADLINE,
    };
    let finished = match children.run(child, &mut |_| {}).await {
        Ok(finished) => finished,
        Err(ProcessError::Deadline { after, .. }) => {
            let message = format!("the type checker did not end within {} s", after.as_secs());
            let found = vec![Diagnostic::without_place("mypy", "mypy", message)];
            return Ok(Step { diagnostics: checks::held(found, request, modules), log: String::new() });
        }
        Err(error) => return Err(error.into()),
    };
    let mut diagnostics = mypy::parse(&finished.stdout.text);
    // Exit code 1 means that something was reported, be it a note; more means that mypy itself gave up, and says why where
    // it can. Where so much was reported that some of it is not here, an error may be among what is missing.
    let reported = mypy::is_report(&finished.stdout.text);
    let ended = finished.exit.is_success() || finished.exit == Exit::Code(1) && reported;
    let said_why = diagnostics.iter().any(|one| !mypy::goes_on_after(one));
    if finished.stdout.omitted_bytes > 0 {
        let message = "mypy reports more errors than are read; what is missing cannot be told".to_owned();
        diagnostics.push(Diagnostic::without_place("mypy", "mypy", message));
    } else if !ended && !said_why {
        let words = finished.stderr.text.lines().last().unwrap_or("it said nothing");
        diagnostics.push(Diagnostic::without_place(
            "mypy",
            "mypy",
            format!("mypy failed ({}): {words}", finished.exit),
        ));
    }
    let diagnostics = checks::held(diagnostics, request, modules);
    Ok(Step { diagnostics, log: finished.stdout.text + &finished.stderr.text })
}

/// The configuration of the repository's own checks, but for bodies without annotations: they are checked where people
/// customize, because a name that is gone would not be missed there. Elsewhere they would only show the looseness of
/// emitters and their helpers.
fn configuration_for(modules: &[Module]) -> String {
    let mut text = MYPY_CONFIGURATION.to_owned();
    for module in modules.iter().filter(|module| module.author == Author::Person) {
        let _ = write!(text, "[mypy-{}]\ncheck_untyped_defs = True\n", module.name);
    }
    // A module of the package itself that is gone is missed, also where only a function imports it.
    if let Some(own) = own_package(modules) {
        let _ = write!(text, "[mypy-{own}.*]\nignore_missing_imports = False\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_modules_are_checked_less() {
        let module = |name: &str, author| Module { name: name.to_owned(), file: String::new(), author };
        let text = configuration_for(&[
            module("azure.w._serialization", Author::Other),
            module("azure.w._patch", Author::Person),
        ]);
        assert!(text.contains("[mypy-azure.w._patch]\ncheck_untyped_defs = True"));
        assert!(!text.contains("_serialization"));
    }
}
