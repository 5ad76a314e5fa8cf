//! Paths as a caller writes them, `sdk/src/x.py`, resolved to a granted directory and a path beneath it.
//!
//! A host whose callers know directories by paths of their own says so by preopens whose paths end in a slash, each
//! behind that of its grant: after `/sdk`, `/home/me/sdk/` means that the caller calls the directory `/home/me/sdk`.
//!
//! What is refused here is refused for a clear message. That nothing outside is reached does not rest on it: the host
//! resolves every path beneath the granted handle.

use crate::{Directory, ToolError};
use wasip2::filesystem::preopens;
use wasip2::filesystem::types::{Descriptor, DescriptorFlags};

/// Every directory this call was granted.
pub struct Grants {
    granted: Vec<Granted>,
}

/// One directory this call was granted.
pub struct Granted {
    name: String,
    called: Vec<String>,
    directory: Descriptor,
}

impl Granted {
    /// Its name, with which a path of the caller's begins.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The absolute paths by which the caller may call it, without a slash at the end; the first is the one to tell.
    pub fn called(&self) -> &[String] {
        &self.called
    }

    /// Whether something in it can be changed.
    pub fn is_writable(&self) -> bool {
        self.directory.get_flags().is_ok_and(|flags| flags.contains(DescriptorFlags::MUTATE_DIRECTORY))
    }
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
        let mut granted: Vec<Granted> = Vec::new();
        for (directory, path) in preopens::get_directories() {
            match (path.strip_suffix('/'), granted.last_mut()) {
                (Some(called), Some(grant)) => grant.called.push(called.to_owned()),
                _ => {
                    let name = path.trim_matches('/').to_owned();
                    granted.push(Granted { name, called: Vec::new(), directory });
                }
            }
        }
        Self { granted }
    }

    /// Every granted directory.
    pub fn iter(&self) -> impl Iterator<Item = &Granted> {
        self.granted.iter()
    }

    /// The name of every granted directory.
    pub fn names(&self) -> Vec<&str> {
        self.granted.iter().map(Granted::name).collect()
    }

    /// Finds the place `path` names: `sdk/src/x.py` is `src/x.py` in the grant `sdk`. With a single grant its name may
    /// be left out; should a directory in it have the grant's own name, the grant is meant. An absolute path names the
    /// grant whose own path it begins with, the innermost if there are several.
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
        let known: Vec<Known<'_>> =
            self.granted.iter().map(|granted| Known { name: &granted.name, called: &granted.called }).collect();
        match select(&known, path)? {
            Selected::All => Ok(Root::All(self.names())),
            Selected::Within { index, relative } => {
                let Granted { name, directory, .. } = &self.granted[index];
                Ok(Root::Within(Place { grant: name, directory, relative, shown: path }))
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

/// By what a caller names a grant.
#[derive(Clone, Copy)]
struct Known<'a> {
    /// May have several parts.
    name: &'a str,
    called: &'a [String],
}

fn select<'a>(known: &[Known<'_>], path: &'a str) -> Result<Selected<'a>, ToolError> {
    if path.is_empty() {
        return Err(ToolError::invalid_input("the path is empty"));
    }
    if path.contains('\0') {
        return Err(ToolError::invalid_input("the path contains a NUL character"));
    }
    if path.starts_with('/') {
        return absolute(known, path);
    }
    let plain = without_leading_dots(path);
    let names = known.iter().enumerate().filter_map(|(index, known)| Some((index, beneath(plain, known.name)?)));
    if let Some((index, rest)) = names.min_by_key(|(_, rest)| rest.len()) {
        return Ok(Selected::Within { index, relative: without_leading_dots(rest) });
    }
    match known {
        [] => Err(ToolError::not_permitted(format!("`{path}` cannot be reached: no directory was granted"))),
        [_] => Ok(Selected::Within { index: 0, relative: plain }),
        _ if plain == "." => Ok(Selected::All),
        _ => Err(no_grant(path, &known.iter().map(|known| known.name).collect::<Vec<_>>())),
    }
}

fn absolute<'a>(known: &[Known<'_>], path: &'a str) -> Result<Selected<'a>, ToolError> {
    let called = known.iter().enumerate().flat_map(|(index, known)| known.called.iter().map(move |path| (index, path)));
    let within = called.filter_map(|(index, called)| Some((index, beneath(path, called)?)));
    if let Some((index, rest)) = within.min_by_key(|(_, rest)| rest.len()) {
        return Ok(Selected::Within { index, relative: without_leading_dots(rest) });
    }
    if known.iter().any(|known| !known.called.is_empty()) {
        return Err(ToolError::not_permitted(format!("`{path}` lies in no granted directory")));
    }
    let start = known.first().map_or_else(String::new, |known| format!(", such as `{}/…`", known.name));
    Err(ToolError::not_permitted(format!(
        "`{path}` is absolute; a path starts with the name of a granted directory{start}"
    )))
}

/// What follows `directory` in `path`, compared part by part. Empty parts and `.` count for nothing; `..` is a part like
/// any other and so stands in no directory's name. What follows is left as it is, for the host to resolve.
fn beneath<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    let mut rest = path;
    for expected in directory.split('/').filter(|part| !part.is_empty()) {
        let (part, after) = next_part(rest);
        if part != expected {
            return None;
        }
        rest = after;
    }
    Some(rest.trim_start_matches('/'))
}

/// The next part that says something, and what follows it.
fn next_part(path: &str) -> (&str, &str) {
    let mut rest = path;
    loop {
        rest = rest.trim_start_matches('/');
        let (part, after) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if part != "." {
            return (part, after);
        }
        rest = after;
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

    fn select<'a>(names: &[&str], path: &'a str) -> Result<Selected<'a>, ToolError> {
        let known: Vec<Known<'_>> = names.iter().map(|name| Known { name, called: &[] }).collect();
        super::select(&known, path)
    }

    fn called<'a>(grants: &[(&str, &[&str])], path: &'a str) -> Result<Selected<'a>, ToolError> {
        let paths: Vec<Vec<String>> =
            grants.iter().map(|(_, paths)| paths.iter().map(|path| (*path).to_owned()).collect()).collect();
        let known: Vec<Known<'_>> =
            grants.iter().zip(&paths).map(|((name, _), called)| Known { name, called }).collect();
        super::select(&known, path)
    }

    #[test]
    fn an_absolute_path_selects_the_innermost_grant_part_by_part() {
        let grants: &[(&str, &[&str])] =
            &[("work", &["/tmp/work", "/private/tmp/work"]), ("inner", &["/tmp/work/a/inner"]), ("top", &["/srv"])];
        for (path, expected) in [
            ("/tmp/work", within(0, ".")),
            ("/tmp/work/", within(0, ".")),
            ("//tmp/./work//x", within(0, "x")),
            ("/private/tmp/work/x", within(0, "x")),
            ("/tmp/work/a/inner/x", within(1, "x")),
            ("/tmp/work/a/inner2/x", within(0, "a/inner2/x")),
            ("/tmp/work/a/../b", within(0, "a/../b")),
            ("/tmp/work/../../etc/passwd", within(0, "../../etc/passwd")),
            ("/srv/%2e%2e/~", within(2, "%2e%2e/~")),
            ("work/x", within(0, "x")),
        ] {
            assert_eq!(called(grants, path), expected, "{path}");
        }
        for path in
            ["/tmp/work_evil/x", "/tmp", "/", "/tmp/x/../work/y", "/TMP/work/x", "/tmp/work\\x", "/proc/self/root"]
        {
            let error = called(grants, path).unwrap_err();
            assert_eq!(error.kind, ErrorKind::NotPermitted, "{path}");
            assert_eq!(error.message, format!("`{path}` lies in no granted directory"));
        }
    }

    #[test]
    fn the_root_itself_can_be_a_grant() {
        assert_eq!(called(&[("all", &[""])], "/etc/x"), within(0, "etc/x"));
        assert_eq!(called(&[("all", &[""])], "/"), within(0, "."));
    }

    #[test]
    fn a_grant_within_another_is_named_by_several_parts() {
        let grants: &[(&str, &[&str])] = &[("work/a", &[]), ("work/b", &[])];
        assert_eq!(called(grants, "work/b/x"), within(1, "x"));
        assert_eq!(called(grants, "./work/./a"), within(0, "."));
        assert_eq!(called(grants, "work/c").unwrap_err().kind, ErrorKind::NotPermitted);
    }

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
