//! Finds the program of a configured script and runs it, confined.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_base::programs::find_program;
use bailiwick_process::{Exit, ProcessError};

use super::command;
use super::error::ScriptError;
use super::file::Script;
use crate::language::LanguageService;
use crate::shown::{Shown, shown};
use bailiwick_toolchains::{BuildTools, Child, Children};

/// A large library takes some minutes.
const DEADLINE: Duration = Duration::from_secs(15 * 60);

/// A script with its values and what it may do.
pub(crate) struct Invocation<'a> {
    /// What is run.
    pub(crate) script: &'a Script,
    /// The key under `packageOptions`, for messages.
    pub(crate) key: &'static str,
    /// The working directory, and the value of `{packagePath}` and `-PackagePath`.
    pub(crate) package: &'a Path,
    /// Further values by name: `Version` is `{version}` and `-Version`. An empty one is left out for PowerShell, whose
    /// scripts have defaults.
    pub(crate) values: Vec<(&'static str, String)>,
    /// The package in its repository: what is hidden on the way to it is not read.
    pub(crate) original: &'a Path,
    /// The SDK repository, which is read. Programs with a slash and without a root count from here.
    pub(crate) repository: &'a Path,
    /// What is written besides the scratch directory.
    pub(crate) write: Vec<PathBuf>,
    /// A directory for home, caches and temporary files.
    pub(crate) scratch: &'a Path,
}

/// A program with its arguments, not yet looked up.
pub(crate) struct Program<'a> {
    /// The words, the program first.
    pub(crate) words: Vec<String>,
    /// Who needs it, for messages.
    pub(crate) key: &'static str,
    /// The working directory.
    pub(crate) directory: &'a Path,
    /// The package in its repository: what is hidden on the way to it is not read.
    pub(crate) original: &'a Path,
    /// The SDK repository, which is read.
    pub(crate) repository: &'a Path,
    /// Variables.
    pub(crate) environment: Vec<(&'static str, OsString)>,
    /// What is read besides the tools and the repository.
    pub(crate) read: Vec<PathBuf>,
    /// What is written besides the scratch directory.
    pub(crate) write: Vec<PathBuf>,
    /// A directory for home, caches and temporary files.
    pub(crate) scratch: &'a Path,
}

/// A script that ran.
pub(crate) struct Ran {
    /// Whether it returned 0 in time.
    pub(crate) succeeded: bool,
    /// How it ended, for people: `exit code 1`.
    pub(crate) ended: String,
    /// What was run, as a person would type it.
    pub(crate) shown: String,
    /// What was printed, as far as it is kept.
    pub(crate) log: String,
    /// Whether all of it is kept.
    pub(crate) whole: bool,
}

/// Runs a script to its end. There is no network.
///
/// # Errors
/// See [`ScriptError`]. A script that fails is not an error.
pub(crate) async fn run(
    invocation: Invocation<'_>,
    language: &dyn LanguageService,
    tools: &BuildTools,
    children: &Children,
) -> Result<Ran, ScriptError> {
    let words = words(&invocation);
    let Invocation { key, package, original, repository, write, scratch, .. } = invocation;
    let (environment, read) = Default::default();
    let program = Program { words, key, directory: package, original, repository, environment, read, write, scratch };
    run_program(program, language, tools, children).await
}

/// The words with every value in its place.
fn words(invocation: &Invocation<'_>) -> Vec<String> {
    let package = invocation.package.to_string_lossy();
    let mut values = vec![("PackagePath", &*package)];
    values.extend(invocation.values.iter().map(|(name, value)| (*name, value.as_str())));
    match invocation.script {
        Script::Command(words) => words.iter().map(|word| command::substitute(word, &values)).collect(),
        Script::PowerShell(path) => {
            let mut words = ["pwsh", "-NoLogo", "-NoProfile", "-NonInteractive", "-File"].map(str::to_owned).to_vec();
            words.push(path.to_string_lossy().into_owned());
            for (name, value) in values.into_iter().filter(|(_, value)| !value.is_empty()) {
                words.extend([format!("-{name}"), value.to_owned()]);
            }
            words
        }
    }
}

/// The same for any program.
///
/// # Errors
/// See [`ScriptError`].
pub(crate) async fn run_program(
    program: Program<'_>,
    language: &dyn LanguageService,
    tools: &BuildTools,
    children: &Children,
) -> Result<Ran, ScriptError> {
    let surroundings = language.build_surroundings(tools, program.scratch);
    let mut path = surroundings.path;
    path.extend(tools.node.executable.parent().map(Path::to_owned));
    path.extend(tools.python.executable.parent().map(Path::to_owned));
    let name = program.words.first().cloned().unwrap_or_default();
    let found = find(&name, program.repository, &path)
        .ok_or_else(|| ScriptError::NoProgram { program: name.clone(), key: program.key })?;
    let canonical = found.canonicalize().map_err(ScriptError::io(&found, "read"))?;
    let mut read = surroundings.read;
    read.extend(program.read);
    read.extend([tools.node.root.clone(), tools.python.root.clone(), tools.python.base.prefix.clone()]);
    let Shown { read: shown, list } = shown(program.repository, program.original);
    read.extend(shown);
    if !program.directory.starts_with(program.repository) {
        read.push(program.directory.to_owned());
    }
    // A program brings what lies beside it. System directories are there anyway, and a whole home would be too much.
    // What the repository has is shown already, as far as it is.
    let brings = |parent: &&Path| parent.components().count() > 3 && !program.repository.starts_with(parent);
    let beside = canonical.parent().filter(|_| !canonical.starts_with(program.repository)).filter(brings);
    read.extend(beside.map(Path::to_owned));
    read.push(canonical);
    path.extend(found.parent().map(Path::to_owned));
    let mut environment = surroundings.environment;
    environment.extend(program.environment);
    environment.push(("POWERSHELL_TELEMETRY_OPTOUT", "1".into()));
    environment.push(("POWERSHELL_UPDATECHECK", "Off".into()));
    let child = Child {
        program: &found,
        arguments: program.words.iter().skip(1).map(OsString::from).collect(),
        directory: program.directory,
        path,
        environment,
        read,
        list,
        write: program.write,
        scratch: program.scratch,
        deadline: DEADLINE,
    };
    let shown = command::shown(program.words.iter().map(String::as_str));
    let (succeeded, ended, stdout, stderr) = match children.run(child, &mut |_| {}).await {
        Ok(finished) => {
            let exit: Exit = finished.exit;
            (exit.is_success(), exit.to_string(), finished.stdout, finished.stderr)
        }
        Err(ProcessError::Deadline { after, stdout, stderr, .. }) => {
            (false, format!("not ended within {} s", after.as_secs()), stdout, stderr)
        }
        Err(error) => return Err(error.into()),
    };
    let mut log = stdout.text;
    if !log.is_empty() && !log.ends_with('\n') {
        log.push('\n');
    }
    log.push_str(&stderr.text);
    let whole = stdout.omitted_bytes == 0 && stderr.omitted_bytes == 0;
    Ok(Ran { succeeded, ended, shown, log, whole })
}

/// A name with a slash counts from the repository; any other is looked for among the tools, then where the caller
/// would find it.
fn find(name: &str, repository: &Path, path: &[PathBuf]) -> Option<PathBuf> {
    if name.contains('/') {
        // What lies elsewhere is not the repository's to name, by a link neither.
        let inside = |found: &PathBuf| matches!((found.canonicalize(), repository.canonicalize()), (Ok(found), Ok(root)) if found.starts_with(&root));
        return Some(repository.join(name)).filter(|found| found.is_file() && inside(found));
    }
    let tools = std::env::join_paths(path).unwrap_or_default();
    find_program(name, &tools).or_else(|| find_program(name, &std::env::var_os("PATH").unwrap_or_default()))
}

/// The last lines that say something, joined.
pub(crate) fn last_words(log: &str) -> String {
    let lines: Vec<&str> = log.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    match &lines[lines.len().saturating_sub(3)..] {
        [] => "it said nothing".to_owned(),
        last => last.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invocation<'a>(script: &'a Script, values: Vec<(&'static str, String)>) -> Invocation<'a> {
        let at = Path::new("/r");
        Invocation {
            script,
            key: "x",
            package: Path::new("/r/a b"),
            values,
            original: at,
            repository: at,
            write: Vec::new(),
            scratch: at,
        }
    }

    #[test]
    fn values_stand_in_a_command_and_behind_a_powershell_script() {
        let command = Script::Command(
            ["mvn", "-f", "{PACKAGEPATH}/pom.xml", "{Version}", "--date={releaseDate}"].map(str::to_owned).to_vec(),
        );
        let version = || vec![("Version", "1.2.0".to_owned()), ("ReleaseDate", String::new())];
        assert_eq!(words(&invocation(&command, version())), ["mvn", "-f", "/r/a b/pom.xml", "1.2.0", "--date="]);
        let script = Script::PowerShell("/r/eng/b.ps1".into());
        let words = words(&invocation(&script, version()));
        assert_eq!(words[0], "pwsh");
        assert_eq!(words[4..], ["-File", "/r/eng/b.ps1", "-PackagePath", "/r/a b", "-Version", "1.2.0"]);
    }

    #[test]
    fn program_with_a_slash_counts_from_the_repository_and_another_from_the_tools() {
        let directory = tempfile::tempdir().unwrap();
        let script = directory.path().join("eng/b");
        std::fs::create_dir(directory.path().join("eng")).unwrap();
        std::fs::write(&script, "").unwrap();
        assert_eq!(
            find("./eng/b", directory.path(), &[]).unwrap().canonicalize().unwrap(),
            script.canonicalize().unwrap()
        );
        assert_eq!(find("eng/none", directory.path(), &[]), None);
        assert!(find("sh", directory.path(), &[PathBuf::from("/bin")]).unwrap().starts_with("/bin"));
        assert_eq!(find("no-such-program-anywhere", directory.path(), &[]), None);
    }

    #[test]
    fn last_words_are_the_last_lines_that_say_something() {
        assert_eq!(last_words("a\n\nb\nc\n d \n\n"), "b; c; d");
        assert_eq!(last_words("\n"), "it said nothing");
    }
}
