//! Sensitive places inside a granted directory: writing there makes other programs run something, or hands out a
//! secret, the next time a person opens the project. Writes are refused unless the grant allows the place by name.
//!
//! This is a policy inside what was granted and not what keeps a guest inside. It is judged by where the kernel says
//! an open handle lies, so a link or a handle that leads there is the same as the name.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

/// The names, in any letter case, as directories or as files, at any depth.
pub const SENSITIVE: [&str; 35] = [
    // Version control: hooks and configuration run commands.
    ".git",
    ".gitmodules",
    ".gitconfig",
    ".hg",
    ".svn",
    ".jj",
    ".husky",
    // Editors: tasks, settings and extensions run commands.
    ".vscode",
    ".idea",
    ".vs",
    ".zed",
    ".fleet",
    ".devcontainer",
    // Agents and the servers they start.
    ".mcp.json",
    ".cursor",
    ".claude",
    ".codex",
    ".gemini",
    ".bailiwick",
    "bailiwick.toml",
    // Shells and the tools that change a directory's environment.
    ".envrc",
    ".bashrc",
    ".bash_profile",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".mise.toml",
    // Credentials, and where packages are fetched from.
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".netrc",
    ".npmrc",
    ".pypirc",
];

/// What is about to be done at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Making a directory, which an allowed file may need above it, or removing one, which has to be empty.
    MakeDirectory,
    /// Anything else that changes.
    Change,
}

/// Sensitive places that a grant allows.
#[derive(Debug, Clone)]
pub(crate) struct Places(Vec<Vec<OsString>>);

impl Places {
    pub(crate) const fn none() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a place. Returns whether it is one.
    pub(crate) fn add(&mut self, place: &str) -> bool {
        let mut names = Vec::new();
        for component in Path::new(place).components() {
            let Component::Normal(name) = component else { return false };
            names.push(name.to_owned());
        }
        let sensitive = names.first().is_some_and(|name| is_sensitive(name));
        if sensitive {
            self.0.push(names);
        }
        sensitive
    }

    /// Whether `act` at `path`, relative to the root of the grant and free of links, is allowed. `temporary` tells
    /// which last names stand for a replacement of the file beside them.
    pub(crate) fn permit(&self, path: &Path, act: Act, temporary: impl Fn(&OsStr) -> bool) -> bool {
        let names: Vec<&OsStr> = path.components().map(Component::as_os_str).collect();
        let mut at = 0;
        while let Some(found) = names[at..].iter().position(|name| is_sensitive(name)) {
            let rest = &names[at + found..];
            match self.0.iter().map(|place| covers(place, rest, act, &temporary)).max() {
                Some(Cover::Below) => return true,
                Some(Cover::This) => at += found + 1,
                Some(Cover::Nothing) | None => return false,
            }
        }
        true
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cover {
    Nothing,
    /// What leads to the place, and no more.
    This,
    /// The place and everything in it.
    Below,
}

fn covers(place: &[OsString], rest: &[&OsStr], act: Act, temporary: impl Fn(&OsStr) -> bool) -> Cover {
    let same = |count: usize| place.iter().zip(rest).take(count).all(|(one, other)| one.eq_ignore_ascii_case(other));
    if rest.len() >= place.len() {
        if same(place.len()) {
            return Cover::Below;
        }
        let beside = rest.len() == place.len() && rest.last().is_some_and(|name| temporary(name));
        return if beside && same(place.len() - 1) { Cover::This } else { Cover::Nothing };
    }
    if act == Act::MakeDirectory && same(rest.len()) { Cover::This } else { Cover::Nothing }
}

fn is_sensitive(name: &OsStr) -> bool {
    SENSITIVE.iter().any(|sensitive| name.as_bytes().eq_ignore_ascii_case(sensitive.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permit(allowed: &[&str], path: &str, act: Act) -> bool {
        let mut places = Places::none();
        for place in allowed {
            assert!(places.add(place), "{place}");
        }
        places.permit(Path::new(path), act, |name| name.as_bytes().starts_with(b".tmp-"))
    }

    #[test]
    fn sensitive_names_are_refused_at_any_depth_and_in_any_case() {
        for path in
            [".git", ".git/config", ".GIT/config", "a/b/.git/hooks/x", ".vscode/tasks.json", "x/.envrc", ".Mcp.json"]
        {
            assert!(!permit(&[], path, Act::Change), "{path}");
            assert!(!permit(&[], path, Act::MakeDirectory), "{path}");
        }
        for path in ["", "a", ".github/workflows/x.yml", ".gitignore", "git", ".git2/x", "a.envrc", ".env"] {
            assert!(permit(&[], path, Act::Change), "{path}");
        }
    }

    #[test]
    fn allowed_name_opens_all_that_is_in_it_and_nothing_else() {
        for path in [".git", ".git/config", "sub/.git/hooks/x", ".git/.vscode/x"] {
            assert!(permit(&[".git"], path, Act::Change), "{path}");
        }
        for path in [".vscode/x", ".vscode/.git", ".envrc"] {
            assert!(!permit(&[".git"], path, Act::Change), "{path}");
        }
    }

    #[test]
    fn allowed_file_opens_itself_and_what_making_it_takes() {
        let allowed = [".vscode/cspell.json"];
        assert!(permit(&allowed, ".vscode/cspell.json", Act::Change));
        assert!(permit(&allowed, "sub/.vscode/cspell.json", Act::Change));
        assert!(permit(&allowed, ".vscode", Act::MakeDirectory));
        assert!(permit(&allowed, ".vscode/.tmp-1", Act::Change));
        for path in [".vscode", ".vscode/tasks.json", ".vscode/cspell.json.bak", ".vscode/.tmp-1/x", ".git/cspell.json"]
        {
            assert!(!permit(&allowed, path, Act::Change), "{path}");
        }
        for path in [".vscode/cspell", ".vscode/other", ".git"] {
            assert!(!permit(&allowed, path, Act::MakeDirectory), "{path}");
        }
    }

    #[test]
    fn what_is_not_sensitive_cannot_be_allowed() {
        for place in ["", "src", "src/.git", "/.git", "../.git", "./.git/.."] {
            assert!(!Places::none().add(place), "{place}");
        }
    }
}
