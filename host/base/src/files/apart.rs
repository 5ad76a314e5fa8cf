//! Files with several names: what writes one of them changes all, wherever they lie.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};

use super::attributes::Attributes;
use super::change;
use super::copy::copy_with_holes;
use super::error::FileError;
use super::facts::Type;
use super::open::{facts_of, names_of, open_file};
use super::tree::{Tree, TreeError};

impl Tree {
    /// Gives every file of the tree that has other names a content of its own, so that writing it changes nothing else.
    /// Mode, owner, attributes and time of change stay, as far as the system lets a file have them. A name is replaced in one step.
    ///
    /// # Errors
    /// [`TreeError`]; the files before it are apart already.
    pub fn set_apart(&self) -> Result<(), TreeError> {
        self.entries(
            |_, _| true,
            |path, kind, parent| {
                let Some(name) = path.file_name().filter(|_| kind == Type::File) else { return Ok(()) };
                let failed = FileError::at(&self.path().join(path), "separated from its other names");
                Ok(set_apart(parent, name).map_err(failed)?)
            },
        )
    }
}

fn set_apart(parent: &OwnedFd, name: &OsStr) -> std::io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    if links(parent, name)? < 2 {
        return Ok(());
    }
    let (source, facts) = open_file(parent, name)?;
    if names_of(&source)? < 2 {
        return Ok(());
    }
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = OsString::from(format!(".bailiwick-{}-apart-{number}", std::process::id()));
    let put = || -> std::io::Result<()> {
        let file = change::create(parent, &temporary, 0o600)?;
        copy_with_holes(&source, &file)?;
        let own = facts_of(&file)?;
        if (own.uid, own.gid) != (facts.uid, facts.gid) {
            change::set_owner(&file, facts.uid, facts.gid)?;
        }
        let mode = Attributes::carry(&source, &file, facts.mode)?;
        change::set_mode(&file, mode)?;
        change::set_times(&file, facts.modified)?;
        // What a person wrote meanwhile is not replaced by what was there before.
        let now = facts_of(&source)?;
        if (now.size, now.modified) != (facts.size, facts.modified) {
            return Err(std::io::Error::other("it changed meanwhile"));
        }
        Ok(change::rename(parent, &temporary, name)?)
    };
    put().inspect_err(|_| {
        let _ = change::remove_file(parent, &temporary);
    })
}

/// How many names a file has; 0 where it is gone.
fn links(parent: &OwnedFd, name: &OsStr) -> std::io::Result<u64> {
    match rustix::fs::statat(parent, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW) {
        #[expect(clippy::useless_conversion, reason = "the field's type differs between platforms")]
        Ok(stat) => Ok(stat.st_nlink.into()),
        Err(rustix::io::Errno::NOENT) => Ok(0),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use super::*;

    #[test]
    fn file_with_a_second_name_gets_a_content_of_its_own_and_keeps_mode_and_time() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        fs::create_dir_all(base.join("tree/deep/.git/objects")).unwrap();
        for name in ["tree/deep/a.py", "tree/deep/.git/objects/1"] {
            let other = base.join(name.replace('/', "-"));
            fs::write(&other, "precious").unwrap();
            fs::set_permissions(&other, fs::Permissions::from_mode(0o751)).unwrap();
            let _ = rustix::fs::setxattr(&other, "user.tag", b"own", rustix::fs::XattrFlags::empty());
            fs::hard_link(&other, base.join(name)).unwrap();
        }
        fs::write(base.join("tree/alone"), "alone").unwrap();
        let alone = fs::metadata(base.join("tree/alone")).unwrap().ino();
        let time = |path: &str| fs::metadata(base.join(path)).unwrap().modified().unwrap();
        let before = time("tree/deep/a.py");

        Tree::open(&base.join("tree")).unwrap().set_apart().unwrap();
        assert_eq!(time("tree/deep/a.py"), before);
        for name in ["tree/deep/a.py", "tree/deep/.git/objects/1"] {
            let own = fs::metadata(base.join(name)).unwrap();
            assert_eq!((own.nlink(), own.mode() & 0o7777), (1, 0o751), "{name}");
            let tag = |path: &std::path::Path| {
                let file = fs::File::open(path).unwrap();
                Attributes::of(file).unwrap()
            };
            assert_eq!(tag(&base.join(name)), tag(&base.join(name.replace('/', "-"))), "{name}");
            fs::write(base.join(name), "written in place").unwrap();
            assert_eq!(fs::read(base.join(name.replace('/', "-"))).unwrap(), b"precious", "{name}");
        }
        assert_eq!(fs::metadata(base.join("tree/alone")).unwrap().ino(), alone);
        assert_eq!(fs::read_dir(base.join("tree/deep")).unwrap().count(), 2, "a temporary file is left");
    }
}
