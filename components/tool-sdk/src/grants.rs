//! Paths as a caller writes them, `sdk/src/x.py`, resolved to a granted directory and a path beneath it.
//!
//! What is refused here is refused for a clear message. That nothing outside is reached does not rest on it: the host
//! resolves every path beneath the granted handle.

use crate::{Directory, ToolError};
use wasip2::filesystem::preopens;
use wasip2::filesystem::types::Descriptor;

/// Every directory this call was granted.
pub struct Grants {
    granted: Vec<(String, Descriptor)>,
}

/// A path beneath a granted directory.
pub struct Place<'a> {
    pub(crate) grant: &'a str,
    pub(crate) directory: &'a Descriptor,
    /// Never empty and never with a leading slash; `.` is the granted directory itself.
    pub(crate) relative: &'a str,
    /// What the caller wrote, for messages.
    pub(crate) shown: &'a str,
}

/// What a path that may also mean "everything granted" resolves to.
pub enum Root<'a> {
    /// All grants together, by name: the path was `.` and there is more than one.
    All(Vec<&'a str>),
    /// A place within one.
    Within(Place<'a>),
}

impl Grants {
    /// What the host granted to the call that is running.
    pub fn of_this_call() -> Self {
        let granted = preopens::get_directories()
            .into_iter()
            .map(|(directory, path)| (path.trim_matches('/').to_owned(), directory))
            .collect();
        Self { granted }
    }

    /// The name of every granted directory.
    pub fn names(&self) -> Vec<&str> {
        self.granted.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Finds the place `path` names: `sdk/src/x.py` is `src/x.py` in the grant `sdk`. With a single grant its name may
    /// be left out; should a directory in it have the grant's own name, the grant is meant.
    ///
    /// # Errors
    /// Invalid input when the path is empty or has a NUL; not permitted when it is absolute or names no grant.
    pub fn resolve<'a>(&'a self, path: &'a str) -> Result<Place<'a>, ToolError> {
        match self.resolve_or_all(path)? {
            Root::Within(place) => Ok(place),
            Root::All(names) => Err(no_grant(path, &names)),
        }
    }

    /// [`resolve`](Self::resolve), except that `.` means all grants when there are several.
    ///
    /// # Errors
    /// Those of [`resolve`](Self::resolve).
    pub fn resolve_or_all<'a>(&'a self, path: &'a str) -> Result<Root<'a>, ToolError> {
        let names = self.names();
        match select(&names, path)? {
            Selected::All => Ok(Root::All(names)),
            Selected::Within { index, relative } => {
                let (grant, directory) = &self.granted[index];
                Ok(Root::Within(Place { grant, directory, relative, shown: path }))
            }
        }
    }
}

impl<'a> Place<'a> {
    /// The name of the grant.
    pub fn grant(&self) -> &'a str {
        self.grant
    }

    /// The path beneath the grant, `.` for the granted directory itself.
    pub fn relative(&self) -> &'a str {
        self.relative
    }

    /// The path as the caller wrote it.
    pub fn shown(&self) -> &'a str {
        self.shown
    }

    /// Opens the directory at this place.
    ///
    /// # Errors
    /// Not found, wrong kind when it is not a directory, not permitted.
    pub fn open_directory(&self) -> Result<Directory, ToolError> {
        Directory::open(self.directory, self.relative, self.shown)
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Selected<'a> {
    All,
    Within { index: usize, relative: &'a str },
}

fn select<'a>(names: &[&str], path: &'a str) -> Result<Selected<'a>, ToolError> {
    if path.is_empty() {
        return Err(ToolError::invalid_input("the path is empty"));
    }
    if path.contains('\0') {
        return Err(ToolError::invalid_input("the path contains a NUL character"));
    }
    if path.starts_with('/') {
        let start = names.first().map_or_else(String::new, |name| format!(", such as `{name}/…`"));
        return Err(ToolError::not_permitted(format!(
            "`{path}` is absolute; a path starts with the name of a granted directory{start}"
        )));
    }
    let plain = without_leading_dots(path);
    let (first, rest) = plain.split_once('/').unwrap_or((plain, ""));
    if let Some(index) = names.iter().position(|name| *name == first) {
        let relative = without_leading_dots(rest.trim_start_matches('/'));
        return Ok(Selected::Within { index, relative });
    }
    match names {
        [] => Err(ToolError::not_permitted(format!("`{path}` cannot be reached: no directory was granted"))),
        [_] => Ok(Selected::Within { index: 0, relative: plain }),
        _ if plain == "." => Ok(Selected::All),
        _ => Err(no_grant(path, names)),
    }
}

/// Without `./` at the start, however often; what is empty then is the directory itself.
fn without_leading_dots(path: &str) -> &str {
    let mut plain = path;
    while let Some(rest) = plain.strip_prefix("./") {
        plain = rest.trim_start_matches('/');
    }
    if plain.is_empty() { "." } else { plain }
}

fn no_grant(path: &str, names: &[&str]) -> ToolError {
    let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    ToolError::not_permitted(format!("`{path}` lies in no granted directory; start the path with one of {names}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    fn within(index: usize, relative: &str) -> Result<Selected<'_>, ToolError> {
        Ok(Selected::Within { index, relative })
    }

    #[test]
    fn a_path_is_split_at_the_name_of_its_grant() {
        let two = ["sdk", "spec"];
        for (path, expected) in [
            ("sdk/src/x.py", within(0, "src/x.py")),
            ("spec/client.tsp", within(1, "client.tsp")),
            ("./spec/./client.tsp", within(1, "client.tsp")),
            ("spec", within(1, ".")),
            ("spec/", within(1, ".")),
            ("spec/.", within(1, ".")),
            (".", Ok(Selected::All)),
            ("./", Ok(Selected::All)),
        ] {
            assert_eq!(select(&two, path), expected, "{path}");
        }
    }

    #[test]
    fn the_name_of_a_single_grant_may_be_left_out() {
        for (path, relative) in [("src/x.py", "src/x.py"), ("sdk/src/x.py", "src/x.py"), (".", "."), ("sdk", ".")] {
            assert_eq!(select(&["sdk"], path), within(0, relative), "{path}");
        }
    }

    #[test]
    fn parent_steps_are_left_for_the_host_to_refuse() {
        assert_eq!(select(&["sdk"], "../x"), within(0, "../x"));
        assert_eq!(select(&["sdk", "spec"], "sdk/../../x"), within(0, "../../x"));
    }

    #[test]
    fn a_doubled_slash_after_the_grant_does_not_make_the_path_absolute() {
        assert_eq!(select(&["sdk"], "sdk//etc/passwd"), within(0, "etc/passwd"));
        assert_eq!(select(&["sdk"], ".//etc/passwd"), within(0, "etc/passwd"));
    }

    #[test]
    fn what_cannot_be_beneath_a_grant_is_refused_by_kind() {
        for (names, path, kind) in [
            (&["sdk"][..], "", ErrorKind::InvalidInput),
            (&["sdk"], "a\0b", ErrorKind::InvalidInput),
            (&["sdk"], "/etc/passwd", ErrorKind::NotPermitted),
            (&["sdk"], "/sdk/x.py", ErrorKind::NotPermitted),
            (&["sdk", "spec"], "other/x", ErrorKind::NotPermitted),
            (&["sdk", "spec"], "../x", ErrorKind::NotPermitted),
            (&[], "x", ErrorKind::NotPermitted),
        ] {
            assert_eq!(select(names, path).unwrap_err().kind, kind, "{path}");
        }
    }
}
