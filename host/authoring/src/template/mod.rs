//! A new project: files of a template with the tool's name in them.

mod files;

use crate::error::AuthoringError;
use bailiwick_tools::manifest::Language;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Makes a project for a tool called `name` in `directory`, which is made if it is not there. Returns its files.
///
/// # Errors
/// The name cannot be used, or the directory is there and has something in it. Nothing is ever written over: where something
/// fails half way, what this call wrote is taken away again.
pub fn create(name: &str, language: Language, directory: &Path) -> Result<Vec<PathBuf>, AuthoringError> {
    check(name)?;
    match fs::read_dir(directory).map(|mut entries| entries.next().is_some()) {
        Ok(true) => return Err(AuthoringError::Occupied(directory.to_owned())),
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(AuthoringError::io(directory, "read")(error));
        }
        _ => {}
    }
    let mut written = Vec::new();
    let all = files::of(language).iter().try_for_each(|(path, text)| {
        let place = directory.join(path);
        write(&place, filled(path, text, name, language).as_bytes())?;
        written.push(place);
        Ok(())
    });
    if all.is_err() {
        for file in &written {
            // What cannot be taken away is the author's to look at; the error below says what went wrong.
            let _ = fs::remove_file(file);
        }
    }
    all.map(|()| written)
}

fn write(path: &Path, content: &[u8]) -> Result<(), AuthoringError> {
    let written = || AuthoringError::io(path, "written");
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(written())?;
    }
    let mut file = fs::File::create_new(path).map_err(written())?;
    file.write_all(content).map_err(written())
}

/// What is a name of a crate and of a tool, and easy to type.
fn check(name: &str) -> Result<(), AuthoringError> {
    // Names that cargo or a language keeps for itself.
    const TAKEN: [&str; 7] = ["app", "build", "core", "std", "alloc", "test", "tool"];
    let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    let begins = name.starts_with(|first: char| first.is_ascii_lowercase());
    if !plain || !begins || name.len() > 64 || name.ends_with('-') || TAKEN.contains(&name) {
        return Err(AuthoringError::Name(name.to_owned()));
    }
    Ok(())
}

fn filled(path: &str, text: &str, name: &str, language: Language) -> String {
    let (key, spoken, files) = match language {
        Language::Rust => (
            "rust",
            "Rust",
            "| `src/lib.rs` | the tool: types of its input and output, and one function |\n| `sdk/` | what it is built on, as of the day it was made |",
        ),
        Language::Python => (
            "python",
            "Python",
            "| `app.py` | the tool: one function with types |\n| `bailiwick_tool.py` | makes the tool's schemas of the types |\n| `wit/` | the contract between host and tools |",
        ),
        Language::Js => (
            "js",
            "JavaScript",
            "| `app.js` | the tool: types of its input and output, and one function |\n| `bailiwick-tool.js` | types, files, errors |\n| `wit/` | the contract between host and tools |",
        ),
    };
    let text = text
        .replace("{{name}}", name)
        .replace("{{language}}", key)
        .replace("{{Language}}", spoken)
        .replace("{{files}}", files);
    if path == "Cargo.lock" { sorted(&text) } else { text }
}

/// A lock file with its packages in the order that cargo keeps them in.
fn sorted(lock: &str) -> String {
    const PACKAGE: &str = "[[package]]\n";
    let (head, packages) = lock.split_once(PACKAGE).unwrap_or((lock, ""));
    let mut packages: Vec<&str> =
        packages.split(PACKAGE).map(str::trim_end).filter(|package| !package.is_empty()).collect();
    let name = |package: &&str| package.lines().next().unwrap_or_default().to_owned();
    packages.sort_by_key(name);
    let packages: Vec<String> = packages.iter().map(|package| format!("{PACKAGE}{package}\n")).collect();
    format!("{head}{}", packages.join("\n"))
}

#[cfg(test)]
mod tests;
