//! What the sandbox must answer. Each operation is done to the twin tree by the ordinary call of the system, on the
//! path as it was given, once [`way`] has said that it stays inside. Where the sandbox is meant to do otherwise, there is
//! a rule, here or in `held.rs`, and it begins with `Rule:` and a reason. Nothing else may differ.

use super::expected::{
    EXISTS, Expected, HARD_LINK, INVALID, IS_DIRECTORY, LINK, METADATA, NO_DESCRIPTOR, NO_ENTRY, NOT_DIRECTORY,
    OUTSIDE, READ_ONLY, SENSITIVE, SPECIAL, fault,
};
use super::held::{Held, Result, list, look, proc, read_link, same, told};
use super::way::{Way, place, way};
use super::world::{GRANTED, World};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A file that the guest has made. The handle keeps its inode from being another's.
struct Made {
    handle: Rc<OwnedFd>,
    temporary: Option<(OwnedFd, OsString)>,
}

/// The twin tree and what the guest would hold open in it.
pub(crate) struct Twin {
    roots: Vec<Rc<OwnedFd>>,
    table: Vec<Option<Held>>,
    made: Vec<Made>,
}

/// The directory and the name in it that an operation is about to change.
struct Entry {
    parent: OwnedFd,
    name: OsString,
}

impl Twin {
    pub(crate) fn new(world: &World) -> Self {
        let open = |(tree, _): &(&str, bool)| Rc::new(directory(CWD, world.at(tree)).unwrap());
        let roots: Vec<_> = GRANTED.iter().map(open).collect();
        let held = |(grant, handle): (usize, &Rc<OwnedFd>)| Some(Held::Directory { handle: handle.clone(), grant });
        let table = roots.iter().enumerate().map(held).collect();
        Self { roots, table, made: Vec::new() }
    }

    /// Does one operation and says what the guest must be answered.
    pub(crate) fn answer(&mut self, operation: &Value) -> Expected {
        self.operate(operation).unwrap_or_else(Expected::Fails)
    }

    /// Rule: replacements that never came to their rename are taken away after the call, since nothing else does.
    pub(crate) fn end(self) {
        for Made { handle, temporary } in self.made {
            let Some((parent, name)) = temporary else { continue };
            let there = rustix::fs::statat(&parent, &*name, AtFlags::SYMLINK_NOFOLLOW);
            if there.is_ok_and(|there| same(&there, &rustix::fs::fstat(&handle).unwrap())) {
                rustix::fs::unlinkat(&parent, &*name, AtFlags::empty()).unwrap();
            }
        }
    }

    fn operate(&mut self, operation: &Value) -> Result<Expected> {
        let text = |at: usize| operation[at].as_str().unwrap();
        let number = |at: usize| operation[at].as_u64().unwrap();
        let held = self.held(&operation[1])?;
        match text(0) {
            "open-at" => {
                let open = self.open(&held, text(2), text(3))?;
                self.table.push(Some(open));
                return Ok(Expected::Is(json!(self.table.len() - 1)));
            }
            "stat-at" => {
                let (handle, _) = held.directory()?;
                return Ok(Expected::Stat(told(&look(handle, text(2), text(3) == "f")?)));
            }
            "metadata-hash-at" => {
                let (handle, _) = held.directory()?;
                look(handle, text(2), text(3) == "f")?;
                return Ok(Expected::Succeeds);
            }
            "readlink-at" => return read_link(held.directory()?.0, text(2)),
            "readdir" | "entries" => return list(held.directory()?.0),
            "create-directory-at" => {
                let (handle, _) = held.directory()?;
                self.entry(&held, text(2))?;
                rustix::fs::mkdirat(handle, text(2), Mode::from_raw_mode(0o777)).map_err(fault)?;
            }
            "remove-directory-at" => self.remove(&held, text(2), AtFlags::REMOVEDIR)?,
            "unlink-file-at" => self.remove(&held, text(2), AtFlags::empty())?,
            "rename-at" => {
                let target = self.held(&operation[3])?;
                self.rename((&held, text(2)), (&target, text(4)))?;
            }
            // Rule: a link is a way to somewhere, and what a guest may reach is said by the grants alone.
            "link-at" => {
                self.held(&operation[4])?;
                return Err(LINK);
            }
            "symlink-at" => return Err(LINK),
            // Rule: times are what build systems decide by; no tool needs to forge them.
            "set-times-at" => return Err(METADATA),
            "read" => return held.read(number(2), number(3)),
            "write" => return held.write(text(2).as_bytes(), number(3)),
            "set-size" => return held.set_size(number(2)),
            "stat" => return Ok(Expected::Stat(told(&held.stat()))),
            "get-type" => return Ok(Expected::Is(told(&held.stat())[0].take())),
            "get-flags" => return Ok(Expected::Is(json!(held.flags()))),
            "sync" | "sync-data" => {}
            "metadata-hash" => return Ok(Expected::Succeeds),
            "is-same-object" => {
                let other = self.held(&operation[2])?;
                return Ok(Expected::Is(json!(same(&held.stat(), &other.stat()))));
            }
            "drop" => self.table[usize::try_from(number(1)).unwrap()] = None,
            other => panic!("the oracle knows no `{other}`"),
        }
        Ok(Expected::Is(Value::Null))
    }

    fn held(&self, index: &Value) -> Result<Held> {
        let index = usize::try_from(index.as_u64().unwrap()).unwrap();
        self.table.get(index).and_then(Clone::clone).ok_or(NO_DESCRIPTOR)
    }

    fn open(&mut self, held: &Held, path: &str, flags: &str) -> Result<Held> {
        let (handle, grant) = held.directory()?;
        let has = |letter| flags.contains(letter);
        // Rule: making and emptying are writing, whatever right was asked for (GHSA-2r75-cxrj-cmph).
        let writes = has('c') || has('t') || has('w');
        let follow = if has('f') { OFlags::empty() } else { OFlags::NOFOLLOW };
        if has('d') && writes {
            return Err(INVALID);
        }
        if writes {
            return self.open_for_writing(handle, grant, path, flags);
        }
        let stat = look(handle, path, has('f'))?;
        let kind = FileType::from_raw_mode(stat.st_mode);
        if kind == FileType::Directory || has('d') {
            let opened = rustix::fs::openat(handle, path, OFlags::RDONLY | OFlags::DIRECTORY | follow, Mode::empty());
            let handle = Rc::new(opened.map_err(fault)?);
            if has('d') && has('m') && !GRANTED[grant].1 {
                return Err(READ_ONLY);
            }
            return Ok(Held::Directory { handle, grant });
        }
        // Rule: what is neither file nor directory may block for ever or do something when it is opened.
        if !matches!(kind, FileType::RegularFile | FileType::Symlink) {
            return Err(SPECIAL);
        }
        let opened = rustix::fs::openat(handle, path, OFlags::RDONLY | follow, Mode::empty());
        // Rule: whatever is opened for nothing in particular can be read.
        Ok(Held::File { handle: Rc::new(opened.map_err(fault)?), readable: true, writable: false })
    }

    fn open_for_writing(&mut self, handle: &OwnedFd, grant: usize, path: &str, flags: &str) -> Result<Held> {
        let has = |letter| flags.contains(letter);
        if !GRANTED[grant].1 {
            return Err(READ_ONLY);
        }
        let access = if has('r') { OFlags::RDWR } else { OFlags::WRONLY };
        let open = |flags, mode| rustix::fs::openat(handle, path, flags, Mode::from_raw_mode(mode)).map(Rc::new);
        let file = |handle: Rc<OwnedFd>| Held::File { handle, readable: has('r'), writable: true };
        match way(handle, path.as_bytes(), has('f')) {
            Way::Outside => return Err(OUTSIDE),
            Way::Inside(_) if has('c') && has('x') => return Err(EXISTS),
            Way::Inside(there) => {
                let stat = look(handle, path, has('f'))?;
                match FileType::from_raw_mode(stat.st_mode) {
                    FileType::RegularFile => {}
                    FileType::Directory => return Err(IS_DIRECTORY),
                    // Rule: the system says that there is a loop, and means a link that is not to be followed.
                    FileType::Symlink => return Err(LINK),
                    _ => return Err(SPECIAL),
                }
                self.guard(handle, grant, &there)?;
                // Rule: the other name may lie outside of the grant.
                if stat.st_nlink > 1 {
                    return Err(HARD_LINK);
                }
                let truncate = if has('t') { OFlags::TRUNC } else { OFlags::empty() };
                let opened = open(access | truncate, 0).map_err(fault)?;
                // Rule: the set-id bits were given to another content, and the superuser's writes leave them.
                if stat.st_mode & 0o6000 != 0 {
                    rustix::fs::fchmod(&opened, Mode::from_raw_mode(stat.st_mode & 0o777)).unwrap();
                }
                return Ok(file(opened));
            }
            Way::Fails(Errno::NOENT) if !has('c') => return Err(NO_ENTRY),
            Way::Fails(Errno::NOENT) => {}
            Way::Fails(errno) => return Err(fault(errno)),
        }
        // Rule: the system says so too, unless there is not even the directory that it would lie in.
        if path.ends_with('/') {
            return Err(IS_DIRECTORY);
        }
        let entry = self.entry(&Held::Directory { handle: Rc::new(handle.try_clone().unwrap()), grant }, path)?;
        // Rule: a file that is to replace another belongs to its call until it does.
        let temporary = is_temporary(&entry.name);
        let mode = if temporary { 0o600 } else { 0o666 };
        // Rule: nothing is made through a link that leads nowhere (CVE-2024-38358, CVE-2025-53109).
        let made = open(access | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW, mode)
            .map_err(|errno| if errno == Errno::EXIST { LINK } else { fault(errno) })?;
        let temporary = temporary.then_some((entry.parent, entry.name));
        self.made.push(Made { handle: made.clone(), temporary });
        Ok(file(made))
    }

    fn remove(&mut self, held: &Held, path: &str, flags: AtFlags) -> Result<()> {
        // Rule: a slash says that it is a directory, of which the system says different things in different cases.
        if flags.is_empty() && path.ends_with('/') {
            return Err(NOT_DIRECTORY);
        }
        let (handle, _) = held.directory()?;
        let entry = self.entry(held, path)?;
        let own = self.own(&entry.stat()?);
        rustix::fs::unlinkat(handle, path, flags).map_err(fault)?;
        own.map(|own| self.made.swap_remove(own));
        Ok(())
    }

    fn rename(&mut self, (source, old): (&Held, &str), (target, new): (&Held, &str)) -> Result<()> {
        let (from, _) = source.directory()?;
        let (to, _) = target.directory()?;
        let old_entry = self.entry(source, old)?;
        let new_entry = self.entry(target, new)?;
        // Rule: such a name is for a new file that takes another's place, and would be swept up with it.
        if is_temporary(&new_entry.name) {
            return Err(INVALID);
        }
        let moving = old_entry.stat()?;
        let own = self.own(&moving);
        // Rule: a directory that a sensitive place of several components lies in neither comes nor goes.
        let leads = |entry: &Entry| entry.name.eq_ignore_ascii_case(".github");
        if FileType::from_raw_mode(moving.st_mode) == FileType::Directory && (leads(&old_entry) || leads(&new_entry)) {
            return Err(SENSITIVE);
        }
        let replaced = new_entry.stat().ok();
        let kind = replaced.map(|stat| FileType::from_raw_mode(stat.st_mode));
        // Rule: what others wait on is not taken from under them.
        if !matches!(kind, None | Some(FileType::RegularFile | FileType::Directory | FileType::Symlink)) {
            return Err(SPECIAL);
        }
        // Rule: only what the call made itself takes the place of something.
        let flags = if own.is_some() { RenameFlags::empty() } else { RenameFlags::NOREPLACE };
        rustix::fs::renameat_with(from, old, to, new, flags).map_err(fault)?;
        let Some(own) = own else { return Ok(()) };
        let Made { handle, temporary } = self.made.swap_remove(own);
        // Rule: a new file takes over the mode of the one in whose place it comes, without the set-id bits; one that
        // was made as a replacement and replaces nothing gets the mode of any new file.
        let mode = match replaced {
            Some(replaced) if kind == Some(FileType::RegularFile) => replaced.st_mode & 0o777,
            _ if temporary.is_some() => mode_of_new_files(&new_entry.parent),
            _ => return Ok(()),
        };
        std::fs::set_permissions(proc(&handle), std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        Ok(())
    }

    /// What must hold before anything is changed at `path`.
    fn entry(&self, held: &Held, path: &str) -> Result<Entry> {
        let (handle, grant) = held.directory()?;
        if !GRANTED[grant].1 {
            return Err(READ_ONLY);
        }
        let name = path.trim_end_matches('/');
        if name.is_empty() {
            return Err(if path.is_empty() { NO_ENTRY } else { OUTSIDE });
        }
        let (before, name) = name.rfind('/').map_or((".", name), |slash| name.split_at(slash + 1));
        // Rule: `.` and `..` name no entry of a directory; the system says that it is busy.
        match name {
            "." => return Err(INVALID),
            ".." => return Err(OUTSIDE),
            _ => {}
        }
        let inside = match way(handle, before.as_bytes(), true) {
            Way::Inside(inside) => inside,
            Way::Outside => return Err(OUTSIDE),
            Way::Fails(errno) => return Err(fault(errno)),
        };
        let parent = directory(handle, dotted(&inside)).map_err(fault)?;
        self.guard(handle, grant, &inside.join(name))?;
        Ok(Entry { parent, name: name.into() })
    }

    /// Rule: sensitive places are read and never changed, wherever they are and whatever leads there. A directory that
    /// was moved out of its grant has no place any more that could be judged.
    fn guard(&self, from: &OwnedFd, grant: usize, inside: &Path) -> Result<()> {
        let place_in_grant = place(from).strip_prefix(place(&self.roots[grant])).map(|start| start.join(inside));
        match place_in_grant {
            Ok(place) if !place.iter().any(is_sensitive) => Ok(()),
            _ => Err(SENSITIVE),
        }
    }

    fn own(&self, stat: &Stat) -> Option<usize> {
        self.made.iter().position(|made| same(stat, &rustix::fs::fstat(&made.handle).unwrap()))
    }
}

impl Entry {
    fn stat(&self) -> Result<Stat> {
        rustix::fs::statat(&self.parent, &*self.name, AtFlags::SYMLINK_NOFOLLOW).map_err(fault)
    }
}

fn directory(at: impl AsFd, path: impl rustix::path::Arg) -> std::result::Result<OwnedFd, Errno> {
    rustix::fs::openat(at, path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

fn dotted(path: &Path) -> PathBuf {
    Path::new(".").join(path)
}

fn is_temporary(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b".bailiwick-tmp-")
}

/// Those that a plan can name. The whole list is the sandbox's own business and tested there.
fn is_sensitive(name: &OsStr) -> bool {
    [".git", ".vscode", ".envrc"].iter().any(|sensitive| name.eq_ignore_ascii_case(sensitive))
}

/// By making one.
fn mode_of_new_files(parent: &OwnedFd) -> u32 {
    let name = "made to see its mode";
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY;
    let made = rustix::fs::openat(parent, name, flags, Mode::from_raw_mode(0o666)).unwrap();
    rustix::fs::unlinkat(parent, name, AtFlags::empty()).unwrap();
    rustix::fs::fstat(made).unwrap().st_mode & 0o777
}
