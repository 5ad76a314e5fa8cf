//! Replacing a file in one step: a new file beside it, then a rename over it. A reader meanwhile sees the old
//! content or the new, and a tool that is stopped half way leaves the old. The host keeps the mode at the rename.

use crate::make::{self, make_parents};
use crate::{Place, ToolError};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, DescriptorType, ErrorCode, OpenFlags, PathFlags};

/// How many leftovers of stopped calls are stepped over before giving up.
const ATTEMPTS: u32 = 64;
/// How many links in a row are followed to the file they mean, as many as Linux follows.
const LINKS: u32 = 40;

/// What a write did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// The file was not there before.
    Created,
    /// It was.
    Replaced,
}

impl Place<'_> {
    /// Writes `content` as the whole content of the file at this place, in one step. Directories that are missing on
    /// the way are made. A link to a file is kept, and the file it means is replaced.
    ///
    /// # Errors
    /// Not permitted (a grant that is read-only, a link that leads out), wrong kind when something other than a
    /// regular file is there, invalid input when the path can only mean a directory, failed when the host cannot write.
    /// Nothing is changed then.
    pub fn write(&self, content: &[u8]) -> Result<Replaced, ToolError> {
        let mut target = self.relative.to_owned();
        for _ in 0..LINKS {
            let there = self.directory.open_at(PathFlags::empty(), &target, OpenFlags::empty(), DescriptorFlags::READ);
            match there.map(|there| there.get_type()) {
                Ok(Ok(DescriptorType::RegularFile)) => {
                    self.swap_in(&target, content)?;
                    return Ok(Replaced::Replaced);
                }
                Ok(Ok(DescriptorType::Directory)) => return Err(self.explain(ErrorCode::IsDirectory)),
                Ok(Ok(_)) => return Err(self.explain(ErrorCode::Unsupported)),
                // A link, which was not followed.
                Err(ErrorCode::Loop) => target = self.follow(&target)?,
                Err(ErrorCode::NoEntry) => {
                    if !names_file(&target) {
                        return Err(ToolError::invalid_input(format!("`{}` names no file", self.shown)));
                    }
                    let mut made = Vec::new();
                    let created = make_parents(self.directory, &target, &mut made)
                        .map_err(|code| self.refusal(code))
                        .and_then(|()| self.swap_in(&target, content));
                    if created.is_err() {
                        make::take_back(self.directory, made);
                    }
                    return created.map(|()| Replaced::Created);
                }
                Ok(Err(code)) | Err(code) => return Err(self.explain(code)),
            }
        }
        Err(self.explain(ErrorCode::Loop))
    }

    /// Where the link at `link` leads, as a path beneath the grant. The host refuses one that leads out: it is asked
    /// for what the link means before the link is read.
    fn follow(&self, link: &str) -> Result<String, ToolError> {
        match self.directory.open_at(PathFlags::SYMLINK_FOLLOW, link, OpenFlags::empty(), DescriptorFlags::READ) {
            Ok(_) => {}
            Err(ErrorCode::NoEntry) => {
                return Err(ToolError::wrong_kind(format!(
                    "`{}` is a link to something that is not there",
                    self.shown
                )));
            }
            Err(code) => return Err(self.explain(code)),
        }
        let target = self.directory.readlink_at(link).map_err(|code| self.explain(code))?;
        Ok(beside(link, &target))
    }

    fn swap_in(&self, target: &str, content: &[u8]) -> Result<(), ToolError> {
        let hash = fnv1a(target.as_bytes());
        for number in 0..ATTEMPTS {
            let temporary = beside(target, &format!(".bailiwick-tmp-{hash:016x}-{number}"));
            let created = self.directory.open_at(
                PathFlags::empty(),
                &temporary,
                OpenFlags::CREATE | OpenFlags::EXCLUSIVE,
                DescriptorFlags::WRITE,
            );
            let file = match created {
                Ok(file) => file,
                Err(ErrorCode::Exist) => continue,
                Err(code) => return Err(self.refusal(code)),
            };
            let written = write_all(&file, content);
            drop(file);
            let renamed = written.and_then(|()| self.directory.rename_at(&temporary, self.directory, target));
            return renamed.map_err(|code| {
                // What is left behind would be a stranger's file in the package; the first error is the one to tell.
                let _ = self.directory.unlink_file_at(&temporary);
                self.refusal(code)
            });
        }
        Err(ToolError::failed(format!("`{}` cannot be written: too many temporary files lie beside it", self.shown)))
    }

    pub(crate) fn explain(&self, code: ErrorCode) -> ToolError {
        ToolError::from_code(code, self.shown)
    }

    /// What `code` means as the answer to a change. That the path stays beneath the grant is known by then.
    pub(crate) fn refusal(&self, code: ErrorCode) -> ToolError {
        if !matches!(code, ErrorCode::NotPermitted | ErrorCode::Access | ErrorCode::ReadOnly) {
            return self.explain(code);
        }
        let flags = self.directory.get_flags();
        let refused = match flags.map(|flags| flags.contains(DescriptorFlags::MUTATE_DIRECTORY)) {
            Ok(true) if code == ErrorCode::ReadOnly => Refused::This,
            Ok(true) => Refused::There,
            Ok(false) | Err(_) => Refused::Grant,
        };
        refused_change(self.shown, self.grant, self.relative, refused)
    }
}

/// What is not to be changed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refused {
    /// Anything in the grant.
    Grant,
    /// This file, in a grant where others are.
    This,
    /// Something in this place.
    There,
}

fn refused_change(shown: &str, grant: &str, relative: &str, refused: Refused) -> ToolError {
    // Which places are sensitive is the host's to know. Nearly all of them are named like this.
    let hidden = |part: &&str| part.starts_with('.') && !matches!(*part, "." | "..");
    let why = match (refused, relative.split('/').find(hidden)) {
        (Refused::Grant, _) => format!("`{grant}` is granted read-only; a person can grant it with `:rw`"),
        (Refused::This, _) => format!("`{grant}` is granted with some files open to change, and this is none of them"),
        (Refused::There, None) => format!("`{grant}` is granted for writing, but not there"),
        (Refused::There, Some(place)) => {
            let whole = &relative[relative.find(place).unwrap_or_default()..];
            format!(
                "`{grant}` is granted for writing, but a sensitive place such as `{place}` only when the grant also \
                 allows it by name, as `{whole}`"
            )
        }
    };
    ToolError::not_permitted(format!("`{shown}` cannot be written: {why}"))
}

/// Whether `path` can be that of a file. `x/`, `x/.` and `x/..` are directories, or nothing.
fn names_file(path: &str) -> bool {
    !matches!(path.rsplit('/').next(), None | Some("" | "." | ".."))
}

fn write_all(file: &Descriptor, content: &[u8]) -> Result<(), ErrorCode> {
    let mut written = 0;
    while written < content.len() {
        let count = file.write(&content[written..], written as u64)?;
        if count == 0 {
            return Err(ErrorCode::Io);
        }
        written += usize::try_from(count).map_err(|_| ErrorCode::Overflow)?;
    }
    Ok(())
}

/// The path of `name` in the directory that `path` lies in.
fn beside(path: &str, name: &str) -> String {
    match path.rsplit_once('/') {
        Some((directory, _)) if !name.starts_with('/') => format!("{directory}/{name}"),
        _ => name.to_owned(),
    }
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_can_only_mean_a_directory_names_no_file() {
        for path in ["x/", "x//", "x/.", "x/..", "a/x/./", ".", "..", ""] {
            assert!(!names_file(path), "{path}");
        }
        for path in ["x", "a/x", "a/.x", "a/..x", "a/x."] {
            assert!(names_file(path), "{path}");
        }
    }

    #[test]
    fn a_refused_change_says_when_the_grant_is_read_only_and_how_to_change_that() {
        let error = refused_change("sdk/a.py", "sdk", "a.py", Refused::Grant);
        assert_eq!(error.kind, crate::ErrorKind::NotPermitted);
        assert!(error.message.contains("`sdk` is granted read-only") && error.message.contains("`:rw`"), "{error}");
        assert!(!refused_change("sdk/a.py", "sdk", "a.py", Refused::There).message.contains("read-only"));
    }

    #[test]
    fn a_change_refused_in_a_hidden_place_says_which_and_how_a_grant_allows_it() {
        let path = "src/.vscode/cspell.json";
        let error = refused_change(path, "sdk", path, Refused::There);
        assert!(
            error.message.contains("such as `.vscode`") && error.message.ends_with("as `.vscode/cspell.json`"),
            "{error}"
        );
        assert!(!refused_change("../a.py", "sdk", "../a.py", Refused::There).message.contains("by name"));
    }

    #[test]
    fn a_name_is_put_beside_a_path() {
        for (path, name, expected) in [
            ("a/b/c.txt", "d.txt", "a/b/d.txt"),
            ("c.txt", "d.txt", "d.txt"),
            ("a/link", "../b/c", "a/../b/c"),
            ("a/link", "/etc/passwd", "/etc/passwd"),
        ] {
            assert_eq!(beside(path, name), expected);
        }
    }
}
