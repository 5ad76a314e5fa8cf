//! One entry of a restore.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::path::Path;

use bailiwick_base::files::{self, Attributes, Facts, Type};
use rustix::io::Errno;

use super::node::Content;
use super::restore::Restorer;
use super::room::Room;
use super::walk::DEPTH;
use super::want::{ModeRule, Rest, Want};
use crate::attributes::{Attribute, allowed};
use crate::content;
use crate::digest::Digest;
use crate::error::StoreError;

/// What a file was before.
#[derive(Clone, Copy)]
struct Original<'a> {
    digest: &'a Digest,
    facts: &'a Facts,
    attributes: Option<&'a Attributes>,
}

impl Restorer<'_> {
    /// Makes `name` what is wanted. `entered` are the facts of the directory before the pass.
    pub(super) fn entry(
        &mut self,
        parent: &OwnedFd,
        entered: &Facts,
        name: &OsStr,
        path: &Path,
        want: &Want,
    ) -> Result<(), StoreError> {
        let found = files::present(parent, name).map_err(self.failed("look at", path))?;
        match (want, found) {
            (Want::Gone | Want::Emptied(_), None) => Ok(()),
            (Want::Gone, Some(_)) => self.remove(parent, entered, name, path),
            (Want::Emptied(entries), Some((Type::Directory, _))) => {
                let below = self.enter(parent, name, path)?;
                let inside = self.look(&below, path)?;
                self.directory(&below, &inside, path, entries, Rest::Keep)?;
                self.remove_if_empty(parent, name, path)
            }
            (Want::Emptied(_), Some(_)) => self.remove(parent, entered, name, path),
            (Want::File { digest, facts, attributes }, found) => {
                let original = Original { digest, facts, attributes: attributes.as_ref() };
                if let Some((Type::File, now)) = found
                    && self.touch_up(parent, name, path, &now, original)?
                {
                    return Ok(());
                }
                self.make_way(parent, entered, name, path)?;
                self.write_file(parent, name, path, original)
            }
            (Want::Symlink { target, facts }, found) => {
                if let Some((Type::Symlink, now)) = found
                    && files::link_target(parent, name).map_err(self.failed("read", path))? == *target
                {
                    return self.link_times(parent, name, path, &now, facts);
                }
                self.make_way(parent, entered, name, path)?;
                let fresh = self.fresh();
                files::make_link(parent, &fresh, target).map_err(self.failed("create", path))?;
                files::set_link_times(parent, &fresh, facts.modified).map_err(self.failed("set the time of", path))?;
                self.place(parent, &fresh, name, path)
            }
            (Want::Directory { entries, rest, facts, mode, times, attributes }, found) => {
                if !matches!(found, Some((Type::Directory, _))) {
                    // Unlike a file, a directory does not replace what has its name.
                    self.remove(parent, entered, name, path)?;
                    files::make_directory(parent, name, 0o700).map_err(self.failed("create", path))?;
                    self.restored(path);
                }
                let below = self.enter(parent, name, path)?;
                let mut inside = self.look(&below, path)?;
                if let Some((Type::Directory, now)) = found {
                    // What it had before it was made accessible.
                    inside.mode = now.mode;
                } else if *mode == ModeRule::Leave {
                    inside.mode = facts.mode;
                }
                self.directory(&below, &inside, path, entries, *rest)?;
                self.leave(&below, &inside, path, (facts, attributes.as_ref()), *mode, times)
            }
            (Want::Times { before, after, attributes }, Some((kind, now))) => {
                let time = (before != after && now.modified == *after).then_some(*before);
                if kind != Type::File {
                    let set = time.map(|time| files::set_link_times(parent, name, time));
                    return set.map_or(Ok(()), |done| self.timed(done, path));
                }
                if time.is_none() && attributes.is_none() {
                    return Ok(());
                }
                let (file, _) = match files::open_file(parent, name) {
                    // Not readable any more: its content is right, and that counts.
                    Err(Errno::ACCESS) => return self.timed(Err(Errno::PERM), path),
                    other => other.map_err(self.failed("open", path))?,
                };
                if let Some(taken) = attributes
                    && files::names_of(&file).map_err(self.failed("look at", path))? < 2
                {
                    let put = taken.put_on(&file);
                    if self.attributed(put, path) && put == Ok(true) {
                        self.restored(path);
                    }
                }
                time.map_or(Ok(()), |time| self.timed(files::set_times(&file, time), path))
            }
            (Want::Times { .. }, None) => Ok(()),
        }
    }

    /// Whether the file at `name` has the content wanted; then its mode and times are set too.
    fn touch_up(
        &mut self,
        parent: &OwnedFd,
        name: &OsStr,
        path: &Path,
        now: &Facts,
        Original { digest, facts, attributes }: Original<'_>,
    ) -> Result<bool, StoreError> {
        // The time of the last change covers mode, owner and number of names too.
        if facts.vouches_for(self.taken, now) {
            return Ok(true);
        }
        if now.size != facts.size {
            return Ok(false);
        }
        let (file, opened) = match files::open_file(parent, name) {
            // Not readable any more: it is written anew.
            Err(Errno::ACCESS) => return Ok(false),
            other => other.map_err(self.failed("open", path))?,
        };
        let mut buffer = vec![0; 64 * 1024];
        let read = content::stream(&file, &opened, &mut buffer, |_| Ok(()))
            .map_err(|error| StoreError::io("read", self.shown(path), error))?;
        if read.torn || read.digest != *digest {
            return Ok(false);
        }
        let handle = OwnedFd::from(file);
        let owned = self.own(&handle, &opened, facts, path)?;
        let differing = attributes.filter(|wanted| Attributes::of(&handle).as_ref() != Ok(*wanted));
        if owned || opened.mode != facts.mode || differing.is_some() {
            let (mut changed, mut mode) = (owned, facts.mode);
            if files::names_of(&handle).map_err(self.failed("look at", path))? > 1 {
                // Another name of the file may lie outside the tree; its mode is not ours to set.
                return Ok(false);
            }
            if let Some(wanted) = differing {
                let noted = self.report.without_attributes.contains(&self.shown(path));
                match wanted.put_on(&handle) {
                    Ok(_) => changed = self.attributed(Ok(true), path),
                    // A new file could not have them either.
                    Err(_) if noted => mode = wanted.mode_without(&handle, mode),
                    Err(_) => return Ok(false),
                }
            }
            // An access list has a part of the mode.
            if changed || self.look(&handle, path)?.mode != mode {
                match allowed(files::set_mode(&handle, mode)).map_err(self.failed("set the mode of", path))? {
                    Attribute::Set => self.restored(path),
                    // A new file has the mode that it is to have.
                    Attribute::OfAnotherUser => return Ok(false),
                }
            }
        }
        if opened.modified != facts.modified {
            self.timed(files::set_times(&handle, facts.modified), path)?;
        }
        Ok(true)
    }

    fn write_file(
        &mut self,
        parent: &OwnedFd,
        name: &OsStr,
        path: &Path,
        original: Original<'_>,
    ) -> Result<(), StoreError> {
        let fresh = self.fresh();
        let file = files::create(parent, &fresh, 0o600).map_err(self.failed("create", path))?;
        let placed = self.fill(file, path, original).and_then(|()| self.place(parent, &fresh, name, path));
        if placed.is_err() {
            // The next restore would remove it too, but there may be none.
            let _ = files::remove_file(parent, &fresh);
        }
        placed
    }

    /// Content, owner, attributes, mode and time of a file under its temporary name.
    fn fill(
        &mut self,
        file: File,
        path: &Path,
        Original { digest, facts, attributes }: Original<'_>,
    ) -> Result<(), StoreError> {
        self.objects
            .copy(digest, |piece| files::write(&file, piece))
            .map_err(|error| StoreError::io("write", self.shown(path), error))?;
        let handle = OwnedFd::from(file);
        let now = self.look(&handle, path)?;
        // The owner first: changing it clears the set-user-id bit.
        let _ = self.own(&handle, &now, facts, path)?;
        // The mode last: an access list has a part of it.
        let mode = match attributes {
            Some(wanted) if !self.attributed(wanted.put_on(&handle), path) => wanted.mode_without(&handle, facts.mode),
            _ => facts.mode,
        };
        files::set_mode(&handle, mode).map_err(self.failed("set the mode of", path))?;
        files::set_times(&handle, facts.modified).map_err(self.failed("set the time of", path))
    }

    fn link_times(
        &mut self,
        parent: &OwnedFd,
        name: &OsStr,
        path: &Path,
        now: &Facts,
        facts: &Facts,
    ) -> Result<(), StoreError> {
        if now.modified != facts.modified {
            self.timed(files::set_link_times(parent, name, facts.modified), path)?;
        }
        Ok(())
    }

    /// Whether a file or directory has the attributes that it is to have. Nothing is held up by those that it cannot get, whatever the
    /// reason: the content counts. The next pass tries once more, and the report names the file.
    pub(super) fn attributed(&mut self, put_on: Result<bool, Errno>, path: &Path) -> bool {
        let shown = self.shown(path);
        if put_on.is_ok() {
            self.report.without_attributes.remove(&shown);
        } else if self.report.without_attributes.insert(shown) {
            self.steps += 1;
        }
        put_on.is_ok()
    }

    /// Counts a time that was set.
    fn timed(&mut self, done: Result<(), Errno>, path: &Path) -> Result<(), StoreError> {
        self.steps += u64::from(self.set(done, "set the time of", path)?);
        Ok(())
    }

    fn fresh(&mut self) -> OsString {
        self.counter += 1;
        OsString::from(format!("{}r{}", self.prefix, self.counter))
    }

    fn place(&mut self, parent: &OwnedFd, fresh: &OsStr, name: &OsStr, path: &Path) -> Result<(), StoreError> {
        files::rename(parent, fresh, name).map_err(self.failed("replace", path))?;
        self.restored(path);
        Ok(())
    }

    /// Lets entries be created in `parent`, and removes what a rename could not replace, or what stands in the way of the
    /// original on a full disk.
    fn make_way(&mut self, parent: &OwnedFd, entered: &Facts, name: &OsStr, path: &Path) -> Result<(), StoreError> {
        if entered.mode & 0o700 != 0o700 {
            files::relax(parent).map_err(self.failed("open", path))?;
        }
        match files::present(parent, name).map_err(self.failed("look at", path))? {
            None => Ok(()),
            Some((kind, _)) if kind == Type::Directory || self.room > Room::Enough => {
                self.remove(parent, entered, name, path)
            }
            Some(_) => self.save_all(parent, name, path, 1),
        }
    }

    /// Opens a directory for work in it, whatever its mode.
    fn enter(&self, parent: &OwnedFd, name: &OsStr, path: &Path) -> Result<OwnedFd, StoreError> {
        match files::open_directory(parent, name) {
            Err(Errno::ACCESS) => files::make_accessible(parent, name)
                .and_then(|()| files::open_directory(parent, name))
                .map_err(self.failed("open", path)),
            other => other.map_err(self.failed("open", path)),
        }
    }

    /// Removes whatever is at `name`.
    pub(super) fn remove(
        &mut self,
        parent: &OwnedFd,
        entered: &Facts,
        name: &OsStr,
        path: &Path,
    ) -> Result<(), StoreError> {
        if entered.mode & 0o700 != 0o700 {
            files::relax(parent).map_err(self.failed("open", path))?;
        }
        self.save_all(parent, name, path, 1)?;
        files::remove_any(parent, name).map_err(self.failed("remove", path))?;
        self.steps += 1;
        if !name.as_encoded_bytes().starts_with(self.prefix.as_bytes()) {
            let shown = self.shown(path);
            self.report.removed.insert(shown);
        }
        Ok(())
    }

    fn remove_if_empty(&mut self, parent: &OwnedFd, name: &OsStr, path: &Path) -> Result<(), StoreError> {
        let shown = self.shown(path);
        match files::remove_directory(parent, name) {
            Ok(()) => {
                self.steps += 1;
                self.report.removed.insert(shown);
            }
            Err(Errno::NOENT) => {}
            Err(Errno::NOTEMPTY | Errno::EXIST) => {
                self.report.left.insert(shown);
            }
            Err(error) => return Err(self.failed("remove", path)(error)),
        }
        Ok(())
    }

    /// Keeps a copy of the files and links at `name` and beneath it.
    fn save_all(&mut self, parent: &OwnedFd, name: &OsStr, path: &Path, depth: usize) -> Result<(), StoreError> {
        // No real tree is that deep; only a hostile build nests like that.
        if self.aside.is_none() || depth > DEPTH {
            return Ok(());
        }
        match files::present(parent, name).map_err(self.failed("look at", path))? {
            Some((Type::File | Type::Symlink, _)) => self.save(parent, name, path),
            Some((Type::Directory, _)) => {
                let below = self.enter(parent, name, path)?;
                for name in files::names(&below).map_err(self.failed("list", path))? {
                    self.save_all(&below, &name, &path.join(&name), depth + 1)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Whether a file or link is what the run left there.
    fn is_as_left(&self, parent: &OwnedFd, name: &OsStr, path: &Path) -> Result<bool, StoreError> {
        let names: Vec<OsString> = path.iter().map(OsString::from).collect();
        let Some(left) = self.left else { return Ok(false) };
        let Some(node) = left.root(self.root).and_then(|root| root.node.find(&names)) else { return Ok(false) };
        match &node.content {
            Content::Symlink(target) => Ok(files::link_target(parent, name).is_ok_and(|now| now == *target)),
            Content::File(digest) => {
                let (file, opened) = match files::open_file(parent, name) {
                    Err(Errno::ACCESS | Errno::LOOP) => return Ok(false),
                    other => other.map_err(self.failed("open", path))?,
                };
                if node.facts.is_some_and(|facts| facts.vouches_for(left.taken, &opened)) {
                    return Ok(true);
                }
                let mut buffer = vec![0; 64 * 1024];
                let read = content::stream(&file, &opened, &mut buffer, |_| Ok(()))
                    .map_err(|error| StoreError::io("read", self.shown(path), error))?;
                Ok(!read.torn && read.digest == *digest)
            }
            _ => Ok(false),
        }
    }

    /// Keeps a copy of one file or link. A full disk keeps nothing back: the restore counts more.
    fn save(&mut self, parent: &OwnedFd, name: &OsStr, path: &Path) -> Result<(), StoreError> {
        if name.as_encoded_bytes().starts_with(self.prefix.as_bytes()) || self.is_as_left(parent, name, path)? {
            return Ok(());
        }
        let Some(aside) = &mut self.aside else { return Ok(()) };
        // In each pass another thing may have the name.
        match aside.keep((parent, name), self.pass, &Path::new(self.root).join(path)) {
            Ok(()) => self.report.set_aside = Some(aside.directory().to_owned()),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {}
            // Exchanged for something else: the next pass finds it.
            Err(error) if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => {}
            Err(error) => return Err(StoreError::io("save", self.shown(path), error)),
        }
        Ok(())
    }
}
