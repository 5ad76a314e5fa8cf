//! Directories of a covered tree that a run neither looks into nor changes.

use std::ffi::OsStr;
use std::path::Path;

use crate::record::Coverage;

/// The names of such directories, borrowed from a [`Coverage`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Skip<'a> {
    anywhere: &'a [String],
    at_root: &'a [String],
}

impl<'a> Skip<'a> {
    /// What `coverage` names; nothing where it covers single files.
    pub(crate) fn of(coverage: &'a Coverage) -> Self {
        match coverage {
            Coverage::Tree { skip, skip_at_root } => Self { anywhere: skip, at_root: skip_at_root },
            Coverage::Files(_) => Self::default(),
        }
    }

    /// Whether the directory `name` in `parent` is one of them. `parent` is relative to the root, which is the empty path.
    pub(crate) fn holds(self, parent: impl AsRef<Path>, name: &OsStr) -> bool {
        let among = |names: &[String]| names.iter().any(|skip| name == OsStr::new(skip));
        among(self.anywhere) || parent.as_ref().as_os_str().is_empty() && among(self.at_root)
    }
}
