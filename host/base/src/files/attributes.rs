//! Extended attributes that are a person's: the access list of a file, and those that programs of users set.

use std::collections::BTreeMap;
use std::os::fd::AsFd;

use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
use rustix::io::{Errno, Result};
use serde::{Deserialize, Serialize};

use super::failpoint;

const ACCESS_LIST: &str = "system.posix_acl_access";
const OF_USERS: &str = "user.";
/// What a mode lets the group do.
const GROUP: u32 = 0o070;
/// The most bytes of names, and of one value, that Linux hands out.
const LARGEST: usize = 64 << 10;
/// The most bytes of all values that are taken over.
const MOST: usize = 1 << 20;

/// The attributes of one file by name.
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
            let mut value = vec![0; LARGEST];
            let length = match fgetxattr(&file, name.as_str(), value.as_mut_slice()) {
                Ok(length) => length,
                // Removed since it was listed, or listed by a file system that does not hand it out.
                Err(Errno::NODATA | Errno::OPNOTSUPP) => continue,
                Err(errno) => return Err(errno),
            };
            total = total.saturating_add(length);
            if total > MOST {
                return Err(Errno::FBIG);
            }
            value.truncate(length);
            all.insert(name, value);
        }
        Ok(Self(all))
    }

    /// Gives an open file these and no others of their kind: a new file may have got an access list from its directory, and
    /// would let in whom the old one did not. Gives whether something changed.
    ///
    /// # Errors
    /// The first of the system; whatever else can be set is set nevertheless.
    pub fn put_on(&self, file: impl AsFd) -> Result<bool> {
        let now = Self::of(&file)?;
        if *self == now {
            return Ok(false);
        }
        failpoint::hit()?;
        let others = now.0.keys().filter(|name| !self.0.contains_key(*name)).map(|name| (name, None));
        let own = self.0.iter().filter(|(name, value)| now.0.get(*name) != Some(value));
        let mut changes: Vec<_> = others.chain(own.map(|(name, value)| (name, Some(value)))).collect();
        // The access list last: with it the owner may lose the right to set the others.
        changes.sort_by_key(|(name, _)| *name == ACCESS_LIST);
        let mut done = Ok(true);
        for (name, value) in changes {
            let one = match value {
                Some(value) => fsetxattr(&file, name.as_str(), value, XattrFlags::empty()),
                None => fremovexattr(&file, name.as_str()),
            };
            done = done.and_then(|_| one.map(|()| true));
        }
        done
    }

    /// The mode that a file gets in place of `mode` where these could not be put on it: without the access list that it is to have,
    /// the bits of the group would let in whom the list keeps out.
    #[must_use]
    pub fn mode_without(&self, file: impl AsFd, mode: u32) -> u32 {
        let same = Self::of(file).is_ok_and(|now| now.0.get(ACCESS_LIST) == self.0.get(ACCESS_LIST));
        if same { mode } else { mode & !GROUP }
    }

    /// Whether the file has no attribute that is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn is_a_persons(name: &str) -> bool {
    name == ACCESS_LIST || name.starts_with(OF_USERS)
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
    fn attribute_that_cannot_be_set_keeps_no_other_away_and_the_mode_of_a_file_without_its_list_admits_no_group() {
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
        assert_eq!(wanted(vec![1, 2, 3]).mode_without(&broken, 0o2675), 0o2605);
        let Attributes(set) = Attributes::of(&whole).unwrap();
        if fsetxattr(file("other"), "user.z", b"z", XattrFlags::empty()).is_ok() {
            assert_eq!(set.get("user.z"), Some(&b"z".to_vec()));
        }
        if fsetxattr(file("another"), ACCESS_LIST, &access_list(), XattrFlags::empty()).is_ok() {
            assert_eq!(set.get(ACCESS_LIST), Some(&access_list()));
            assert_eq!(wanted(access_list()).mode_without(&whole, 0o660), 0o660);
            // The access list of the directory, say, of which the old file had none.
            assert_eq!(Attributes::default().mode_without(&whole, 0o660), 0o600);
        }
    }
}
