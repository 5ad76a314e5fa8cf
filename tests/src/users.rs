//! Small programs that use the library: they show that a customized library still does its work.

use crate::{World, cache};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the directories of Maven's repository are called that a Java library of Azure needs.
const JARS: [&str; 5] =
    ["com/azure", "com/fasterxml", "io/projectreactor", "org/reactivestreams", "org/slf4j/slf4j-api"];

/// Compiles the class `User` against the package's sources, runs it, and returns what it prints.
///
/// # Panics
/// When it does not compile or does not run; the message holds what the compiler or the program said.
#[must_use]
#[track_caller]
pub fn java_user(world: &World, program: &str) -> String {
    let work = tempfile::Builder::new().prefix("bailiwick-user-").tempdir().unwrap();
    let (sources, classes) = (work.path().join("sources"), work.path().join("classes"));
    std::fs::create_dir(&sources).unwrap();
    // Without the module's declaration, which would ask for a module path.
    symlink(world.package().join("src/main/java/com"), sources.join("com")).unwrap();
    let user = work.path().join("User.java");
    std::fs::write(&user, program).unwrap();
    let jars = jars();
    let mut javac = Command::new("javac");
    javac.args(["-proc:none", "-implicit:class", "-cp", &jars]);
    javac.args(["-sourcepath".as_ref(), sources.as_os_str(), "-d".as_ref(), classes.as_os_str(), user.as_os_str()]);
    let _ = output(&mut javac);
    output(Command::new("java").args(["-cp", &format!("{}:{jars}", classes.display()), "User"]))
}

/// Runs a program with the package on its path, and returns what it prints.
///
/// # Panics
/// When it fails; the message holds what it said.
#[must_use]
#[track_caller]
pub fn python_user(world: &World, program: &str) -> String {
    let python = installed("python-", "venv/bin/python");
    output(Command::new(python).args(["-B", "-c", program]).env("PYTHONPATH", world.package()))
}

#[track_caller]
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?} fails:\n{said}", command.get_program());
    String::from_utf8(output.stdout).unwrap()
}

/// A path in the installed set whose name begins like this.
fn installed(prefix: &str, path: &str) -> PathBuf {
    let sets = std::fs::read_dir(cache()).expect("the cache is filled before the tests run");
    let mut found: Vec<PathBuf> = sets
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path().join(path))
        .filter(|path| path.exists())
        .collect();
    found.sort();
    found.into_iter().next().unwrap_or_else(|| panic!("`{prefix}…/{path}` is not installed"))
}

/// The class path: the newest of each library that Maven fetched for the package, which come first.
fn jars() -> String {
    // The repository of the emitter has libraries of Azure; one for packages that are only built has none.
    let azure = installed("java-", "repository/com/azure");
    let repository = azure.ancestors().nth(2).expect("the path has two parts below the repository");
    let mut found = Vec::new();
    for directory in JARS {
        gather(&repository.join(directory), &mut found);
    }
    found.sort();
    found.dedup();
    found.reverse();
    let found: Vec<String> = found.iter().map(|path| path.display().to_string()).collect();
    found.join(":")
}

fn gather(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("com/azure/tools") {
            gather(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "jar") {
            found.push(path);
        }
    }
}
