//! Programs that are named without a path: found in the absolute entries of `PATH` alone. The others are looked up in the working
//! directory, which an agent or a repository may write.

use std::ffi::{OsStr, OsString};
use std::io::{Error, ErrorKind};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The entries of a `PATH` that are absolute.
#[must_use]
pub fn absolute_entries(path: &OsStr) -> OsString {
    let absolute: Vec<_> = std::env::split_paths(path).filter(|entry| Path::is_absolute(entry)).collect();
    // Joining what splitting gave cannot meet a separator inside an entry.
    std::env::join_paths(absolute).unwrap_or_default()
}

/// The path of `program` in the absolute entries of `path`, or `None`.
#[must_use]
pub fn find_program(program: &str, path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path).filter(|entry| entry.is_absolute()).map(|entry| entry.join(program)).find(|candidate| {
        candidate.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    })
}

/// A command of a program that a person named: with a slash it is a path; by its name it is found in this process's `PATH`. It
/// is handed the absolute entries of that.
///
/// # Errors
/// There is no such program.
pub fn command(program: &str) -> Result<Command, Error> {
    let path = absolute_entries(&std::env::var_os("PATH").unwrap_or_default());
    let found = if program.contains('/') { Some(program.into()) } else { find_program(program, &path) };
    let mut command = Command::new(found.ok_or(ErrorKind::NotFound)?);
    command.env("PATH", path);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_is_found_where_an_absolute_entry_leads_and_only_if_it_may_be_run() {
        let directory = tempfile::tempdir().unwrap();
        let place = |entry: &str, mode: u32| {
            let path = directory.path().join(entry).join("tool");
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            path.parent().unwrap().to_owned()
        };
        let (text, program) = (place("text", 0o644), place("program", 0o755));
        let path =
            std::env::join_paths([Path::new("."), Path::new(""), &text, Path::new("program"), &program]).unwrap();
        assert_eq!(find_program("tool", &path), Some(program.join("tool")));
        assert_eq!(find_program("other", &path), None);
        assert_eq!(absolute_entries(&path), std::env::join_paths([text, program]).unwrap());
    }

    #[test]
    fn program_is_named_by_its_path_or_found() {
        assert_eq!(command("./a/tool").unwrap().get_program(), "./a/tool");
        assert!(Path::new(command("sh").unwrap().get_program()).is_absolute());
        assert_eq!(command("there-is-no-such-program").unwrap_err().kind(), ErrorKind::NotFound);
    }
}
