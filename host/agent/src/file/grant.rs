//! The directories that an agent file asks for.

use std::path::{Component, PathBuf};

use bailiwick_sandbox::{Access, MOST_PATTERNS};

use super::FileError;
use super::reader::Reader;

/// One directory that an agent file asks for. Asking is not getting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantRequest {
    /// The name it has for the tools.
    pub name: String,
    /// Where it is to be.
    pub place: Place,
    /// What is to be done there.
    pub access: Access,
    /// Sensitive places that are to be written.
    pub allow_sensitive: Vec<String>,
    /// Patterns of what is to be hidden, beyond what always is.
    pub hide: Vec<String>,
}

/// Where a file says that a directory is. None of these may lead out of where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: the person who runs the agent has to say.
    Asked,
    /// Beneath the directory of the file.
    Beside(PathBuf),
    /// Where this argument of the input says, beneath the working directory.
    Argument(String),
}

/// More than anyone asks for, and few enough to be held open.
const MOST: usize = 32;

pub(super) fn read(reader: &mut Reader) -> Result<Vec<GrantRequest>, FileError> {
    let mut grants: Vec<GrantRequest> = Vec::new();
    for mut table in reader.tables("grant", &["name", "path", "access", "allow-sensitive", "hide"])? {
        if grants.len() == MOST {
            return Err(FileError::wrong("grant", &format!("there at most {MOST} times")));
        }
        let name = table.required_text("name")?;
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.len() > 64 || name.starts_with('.') || !name.chars().all(plain) {
            let expected = "letters, digits, `-`, `_` and `.`, without a dot at its start";
            return Err(FileError::wrong(&table.name("name"), expected));
        }
        if grants.iter().any(|other| other.name == name) {
            return Err(FileError::wrong(&table.name("name"), "a name that no other grant has"));
        }
        let place = match table.text("path")? {
            None => Place::Asked,
            Some(path) => place(&path).ok_or_else(|| {
                let expected = "a path beneath the directory of the agent file, without `..`, or an argument of the \
                                input such as `\"{folder}\"`; any other directory is for the person who runs the agent to \
                                name with `--grant`";
                FileError::wrong(&table.name("path"), expected)
            })?,
        };
        let access = match table.required_text("access")?.as_str() {
            "ro" => Access::ReadOnly,
            "rw" => Access::ReadWrite,
            _ => return Err(FileError::wrong(&table.name("access"), "`\"ro\"` or `\"rw\"`")),
        };
        let allow_sensitive = table.texts("allow-sensitive")?;
        if access == Access::ReadOnly && !allow_sensitive.is_empty() {
            let expected = "left out where `access` is `\"ro\"`: it is about writing";
            return Err(FileError::wrong(&table.name("allow-sensitive"), expected));
        }
        let hide = table.texts("hide")?;
        if hide.len() > MOST_PATTERNS {
            return Err(FileError::wrong(&table.name("hide"), &format!("a list of at most {MOST_PATTERNS} patterns")));
        }
        grants.push(GrantRequest { name, place, access, allow_sensitive, hide });
    }
    Ok(grants)
}

fn place(path: &str) -> Option<Place> {
    if let Some(argument) = path.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let plain = !argument.is_empty() && argument.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        return plain.then(|| Place::Argument(argument.to_owned()));
    }
    stays_beneath(path).then(|| Place::Beside(PathBuf::from(path)))
}

/// Whether a path goes nowhere but down, by its words. Links are judged where it is opened.
#[must_use]
pub fn stays_beneath(path: &str) -> bool {
    let down = |component| matches!(component, Component::Normal(_) | Component::CurDir);
    !path.is_empty() && std::path::Path::new(path).components().all(down)
}
