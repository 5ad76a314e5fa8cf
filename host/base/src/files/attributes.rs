//! Extended attributes that are a person's: access lists, and those that programs of users set.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::fd::AsFd;

use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
use rustix::io::{Errno, Result};
use serde::{Deserialize, Serialize};

use super::failpoint;
use super::open::open_file;

const ACCESS_LIST: &str = "system.posix_acl_access";
/// What a directory gives to what is made in it.
const DEFAULT_LIST: &str = "system.posix_acl_default";
const OF_USERS: &str = "user.";
/// What a mode lets the group and others do.
const ALL_BUT_THE_OWNER: u32 = 0o077;
/// The most bytes of names, and of one value, that Linux hands out.
const LARGEST: usize = 64 << 10;
/// The most bytes of all values that are taken over.
const MOST: usize = 1 << 20;

/// The attributes of one file or directory by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attributes(BTreeMap<String, Vec<u8>>);

impl Attributes {
    /// Those of an open file. None where the file system has no such thing.
    ///
    /// # Errors
    /// Those of the system; [`Errno::FBIG`] where the values are too large to be kept.
    pub fn of(file: impl AsFd) -> Result<Self> {
        let mut all = BTreeMap::new();
        let mut total = 0_usize;
        for name in names(&file)?.into_iter().filter(|name| is_a_persons(name)) {
            // Removed since it was listed, or listed by a file system that does not hand it out.
            let Some(value) = value(&file, &name)? else { continue };
            total = total.saturating_add(value.len());
            if total > MOST {
                return Err(Errno::FBIG);
            }
            all.insert(name, value);
        }
        Ok(Self(all))
    }

    /// Gives an open file these and no others of their kind: a new file may have got an access list from its directory, and
    /// would give access to a user who had none to the old one. Gives whether something changed.
    ///
    /// # Errors
    /// The first of the system; whatever else can be set is set nevertheless.
    pub fn put_on(&self, file: impl AsFd) -> Result<bool> {
        let all = self.0.keys().cloned().chain(names(&file)?);
        bring(&file, all, |name| Ok(self.0.get(name).cloned()))
    }

    /// Gives an open file these in the place of those that were `left` on it. What somebody set since is neither, and stays.
    /// Gives whether something changed.
    ///
    /// # Errors
    /// As for [`Self::put_on`].
    pub fn put_back_on(&self, left: &Self, file: impl AsFd) -> Result<bool> {
        let mut all = Vec::new();
        for name in self.0.keys().chain(left.0.keys()) {
            if self.0.get(name) != left.0.get(name) && value(&file, name)?.as_ref() == left.0.get(name) {
                all.push(name.clone());
            }
        }
        bring(&file, all, |name| Ok(self.0.get(name).cloned()))
    }

    /// The mode that a file gets in place of `mode` where these could not be put on it: without the access list that it is to have,
    /// the bits of the group, and those of others, would give access to users to whom the list gives none.
    #[must_use]
    pub fn mode_without(&self, file: impl AsFd, mode: u32) -> u32 {
        let same = value(file, ACCESS_LIST).is_ok_and(|now| now.as_ref() == self.0.get(ACCESS_LIST));
        if same { mode } else { Self::without_list(mode) }
    }

    /// Gives `new`, which is about to take the place of `old`, its attributes and no others of their kind, however large they are.
    /// Gives the mode that `new` gets in place of `mode`. What the file system or the system's policy refuses is lost and fails no
    /// write, and `new` gives access to no user who had none to `old`.
    ///
    /// # Errors
    /// Those of a disk.
    pub fn carry(old: impl AsFd, new: impl AsFd, mode: u32) -> Result<u32> {
        // One value at a time, so that no number of them takes memory.
        match bring(&new, names(&old)?.into_iter().chain(names(&new)?), |name| value(&old, name)) {
            Ok(_) => Ok(mode),
            Err(errno) if Self::are_refused(errno) => match (value(&old, ACCESS_LIST), value(&new, ACCESS_LIST)) {
                (Ok(old), Ok(new)) if old == new => Ok(mode),
                _ => Ok(Self::without_list(mode)),
            },
            Err(errno) => Err(errno),
        }
    }

    /// The same for the file of this name. One that its owner may not read tells nothing of its access list.
    ///
    /// # Errors
    /// Those of a disk.
    pub fn carry_named((parent, name): (impl AsFd, &OsStr), new: impl AsFd, mode: u32) -> Result<u32> {
        match open_file(parent, name) {
            Ok((old, _)) => Self::carry(&old, new, mode),
            Err(Errno::ACCESS) => Ok(Self::without_list(mode)),
            // What is gone, or no file any more, has nothing.
            Err(Errno::NOENT | Errno::LOOP | Errno::INVAL) => Ok(mode),
            Err(errno) => Err(errno),
        }
    }

    /// The mode of a file whose access list is unknown or lost. The bits of the group may be those of the list, and a user whom
    /// the list denies everything would be one of the others.
    #[must_use]
    pub fn without_list(mode: u32) -> u32 {
        mode & !ALL_BUT_THE_OWNER
    }

    /// Whether the file system or the system's policy refuses attributes.
    pub(super) fn are_refused(errno: Errno) -> bool {
        [Errno::INVAL, Errno::OPNOTSUPP, Errno::PERM, Errno::ACCESS, Errno::TOOBIG, Errno::RANGE].contains(&errno)
    }

    /// Whether the file has no attribute that is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn is_a_persons(name: &str) -> bool {
    [ACCESS_LIST, DEFAULT_LIST].contains(&name) || name.starts_with(OF_USERS)
}

/// The order in which attributes change. Some file systems have little room for them (ext4 one block), so those that make room
/// come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Removed,
    Shorter,
    Longer,
    /// The access list last: with it the owner may lose the right to set the others.
    List,
}

/// Makes those of these attributes that are a person's what is `wanted`. Gives whether something changed.
fn bring(
    file: impl AsFd,
    names: impl IntoIterator<Item = String>,
    wanted: impl Fn(&str) -> Result<Option<Vec<u8>>>,
) -> Result<bool> {
    let mut steps = Vec::new();
    let mut done = Ok(false);
    for name in names.into_iter().filter(|name| is_a_persons(name)).collect::<BTreeSet<_>>() {
        match (value(&file, &name), wanted(&name)) {
            (Ok(now), Ok(wanted)) if now == wanted => {}
            (Ok(_), Ok(None)) => steps.push((Step::Removed, name)),
            (Ok(_), Ok(Some(_))) if name == ACCESS_LIST => steps.push((Step::List, name)),
            (Ok(now), Ok(Some(wanted))) if now.as_ref().is_some_and(|now| now.len() >= wanted.len()) => {
                steps.push((Step::Shorter, name));
            }
            (Ok(_), Ok(Some(_))) => steps.push((Step::Longer, name)),
            (Err(errno), _) | (_, Err(errno)) => done = done.and(Err(errno)),
        }
    }
    steps.sort_unstable();
    for (_, name) in &steps {
        failpoint::hit()?;
        let one = wanted(name).and_then(|wanted| match wanted {
            Some(value) => fsetxattr(&file, name.as_str(), &value, XattrFlags::empty()),
            None => fremovexattr(&file, name.as_str()),
        });
        done = done.and_then(|_| one.map(|()| true));
    }
    done
}

/// One attribute; `None` where the file has none of this name.
fn value(file: impl AsFd, name: &str) -> Result<Option<Vec<u8>>> {
    let mut value = vec![0; LARGEST];
    match fgetxattr(file, name, value.as_mut_slice()) {
        Ok(length) => {
            value.truncate(length);
            Ok(Some(value))
        }
        Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(None),
        Err(errno) => Err(errno),
    }
}

/// The names of all attributes.
fn names(file: impl AsFd) -> Result<Vec<String>> {
    // Most files have few or none, and those need no large buffer.
    let (mut small, mut large) = ([0; 256], Vec::new());
    let mut list = small.as_mut_slice();
    let mut listed = flistxattr(&file, &mut *list);
    if listed == Err(Errno::RANGE) {
        large.resize(LARGEST, 0);
        list = large.as_mut_slice();
        listed = flistxattr(&file, &mut *list);
    }
    match listed {
        Ok(length) => {
            let names = list.get(..length).unwrap_or_default().split(|byte| *byte == 0);
            Ok(names.filter(|name| !name.is_empty()).map(|name| String::from_utf8_lossy(name).into_owned()).collect())
        }
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(Vec::new()),
        Err(errno) => Err(errno),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use rustix::fs::{XattrFlags, setxattr};

    use super::*;
    use crate::files::Tree;

    /// The owner reads and writes, and so does the user with this number.
    fn access_list() -> Vec<u8> {
        let mut list = 2_u32.to_le_bytes().to_vec();
        for (kind, rights, user) in
            [(1_u16, 6_u16, u32::MAX), (2, 6, 65_534), (4, 4, u32::MAX), (16, 6, u32::MAX), (32, 0, u32::MAX)]
        {
            list.extend(kind.to_le_bytes());
            list.extend(rights.to_le_bytes());
            list.extend(user.to_le_bytes());
        }
        list
    }

    #[test]
    fn file_that_is_put_back_keeps_access_list_attributes_mode_and_owner() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().canonicalize().unwrap().join("_patch.py");
        fs::write(&path, "formatted").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        // A file system without attributes has none to keep.
        for (name, value) in [(ACCESS_LIST, access_list()), ("user.tag", b"own".to_vec())] {
            let _ = setxattr(&path, name, &value, XattrFlags::empty());
        }
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(&path, Some(65_534), Some(65_534)).unwrap();
        }
        let seen = || {
            let own = fs::metadata(&path).unwrap();
            (Attributes::of(fs::File::open(&path).unwrap()).unwrap(), own.mode(), own.uid(), own.gid())
        };
        let before = seen();
        Tree::open(path.parent().unwrap()).unwrap().write("_patch.py", b"by hand").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"by hand");
        assert_eq!(seen(), before);
    }

    #[test]
    fn attributes_that_are_refused_fail_no_write_and_give_no_user_access() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str| fs::File::create_new(directory.path().join(name)).unwrap();
        let [plain, tagged, listed, new] = ["plain", "tagged", "listed", "new"].map(file);
        let tag = |file: &fs::File| fsetxattr(file, "user.tag", b"own", XattrFlags::empty()).is_ok();
        let list = |file: &fs::File| fsetxattr(file, ACCESS_LIST, &access_list(), XattrFlags::empty()).is_ok();
        let is_tagged = tag(&tagged);
        let is_listed = tag(&listed) == is_tagged && list(&listed);
        // A pipe can have none.
        let refused = |old: &fs::File| Attributes::carry(old, std::io::pipe().unwrap().0, 0o664).unwrap();
        assert_eq!((refused(&plain), refused(&tagged)), (0o664, 0o664));
        // A user whom the list denies everything is one of the others.
        assert_eq!(refused(&listed), if is_listed { 0o600 } else { 0o664 });
        // The access list that a new file has of its directory goes, too.
        let _ = list(&new);
        assert_eq!(Attributes::carry(&tagged, &new, 0o640).unwrap(), 0o640);
        assert_eq!(Attributes::of(&new).unwrap(), Attributes::of(&tagged).unwrap());
        assert_eq!(Attributes::carry(&listed, &new, 0o660).unwrap(), 0o660);
        assert_eq!(Attributes::of(&new).unwrap(), Attributes::of(&listed).unwrap());
        let parent = fs::File::open(directory.path()).unwrap();
        assert_eq!(Attributes::carry_named((&parent, OsStr::new("gone")), &plain, 0o640).unwrap(), 0o640);
        assert!(Attributes::of(&plain).unwrap().is_empty());
    }

    #[test]
    fn attribute_that_cannot_be_set_keeps_no_other_away_and_the_mode_of_a_file_without_its_list_admits_its_owner_alone()
    {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str| fs::File::create_new(directory.path().join(name)).unwrap();
        // No attribute has an empty name.
        let wanted = |list| {
            let all = [(OF_USERS, b"x".to_vec()), ("user.z", b"z".to_vec()), (ACCESS_LIST, list)];
            Attributes(all.map(|(name, value)| (name.to_owned(), value)).into())
        };
        let (whole, broken) = (file("whole"), file("broken"));
        wanted(access_list()).put_on(&whole).unwrap_err();
        wanted(vec![1, 2, 3]).put_on(&broken).unwrap_err();
        assert_eq!(wanted(vec![1, 2, 3]).mode_without(&broken, 0o2675), 0o2600);
        let Attributes(set) = Attributes::of(&whole).unwrap();
        if fsetxattr(file("other"), "user.z", b"z", XattrFlags::empty()).is_ok() {
            assert_eq!(set.get("user.z"), Some(&b"z".to_vec()));
        }
        if fsetxattr(file("another"), ACCESS_LIST, &access_list(), XattrFlags::empty()).is_ok() {
            assert_eq!(set.get(ACCESS_LIST), Some(&access_list()));
            assert_eq!(wanted(access_list()).mode_without(&whole, 0o660), 0o660);
            // The access list of the directory, say, of which the old file had none.
            assert_eq!(Attributes::default().mode_without(&whole, 0o664), 0o600);
        }
    }

    /// Some that hold more than is kept have to be on a file system in memory.
    #[test]
    fn attributes_that_stand_there_are_replaced_however_many_they_are_and_whatever_room_there_is() {
        let wanted =
            Attributes([("user.a", 3000), ("user.b", 100)].map(|(name, size)| (name.to_owned(), vec![1; size])).into());
        for parent in [std::env::temp_dir(), "/dev/shm".into()] {
            let Ok(directory) = tempfile::tempdir_in(parent) else { continue };
            let file = fs::File::create_new(directory.path().join("file")).unwrap();
            let set = |name: &str, size| fsetxattr(&file, name, &vec![0; size], XattrFlags::empty()).is_ok();
            // Of one block there is no room for two of these.
            if !set("user.a", 100) || !set("user.b", 3000) {
                continue;
            }
            assert_eq!(wanted.put_on(&file), Ok(true));
            assert_eq!(Attributes::of(&file).as_ref(), Ok(&wanted));
            let many = (0..20).take_while(|number| set(&format!("user.c{number}"), LARGEST)).count();
            let is_too_many = Attributes::of(&file) == Err(Errno::FBIG);
            assert_eq!(is_too_many, many > 16);
            assert_eq!(wanted.put_on(&file), Ok(many > 0));
            assert_eq!(Attributes::of(&file).as_ref(), Ok(&wanted));
        }
    }

    #[test]
    fn attributes_are_put_back_in_the_place_of_those_that_were_left_and_of_no_others() {
        let of = |all: &[(&str, &str)]| {
            Attributes(all.iter().map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec())).collect())
        };
        let before =
            of(&[("user.kept", "own"), ("user.changed", "own"), ("user.removed", "own"), ("user.later", "own")]);
        let left = of(&[("user.kept", "own"), ("user.changed", "run"), ("user.added", "run"), ("user.later", "run")]);
        let now = of(&[
            ("user.kept", "later"),
            ("user.changed", "run"),
            ("user.added", "run"),
            ("user.later", "later"),
            ("user.new", "later"),
        ]);
        let file = tempfile::tempfile().unwrap();
        if now.put_on(&file).is_err() {
            return;
        }
        let expected = of(&[
            ("user.kept", "later"),
            ("user.changed", "own"),
            ("user.removed", "own"),
            ("user.later", "later"),
            ("user.new", "later"),
        ]);
        for is_changed in [true, false] {
            assert_eq!(before.put_back_on(&left, &file), Ok(is_changed));
            assert_eq!(Attributes::of(&file).as_ref(), Ok(&expected));
        }
    }
}
