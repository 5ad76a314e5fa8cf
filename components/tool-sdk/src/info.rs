//! What the host tells of a file beside its content. A component that asks imports the types of `wasi:clocks`, which have
//! nothing that can be called.

use crate::directory::{Directory, EntryKind, kind};
use crate::{Place, ToolError};
use wasip2::filesystem::types::{Descriptor, DescriptorStat, PathFlags};

/// Kind, size and times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Info {
    /// What it is. Links were followed as far as they stay beneath the grant.
    pub kind: EntryKind,
    /// In bytes.
    pub size: u64,
    /// When its content last changed, in seconds since 1970 and nanoseconds.
    pub modified: Option<(u64, u32)>,
    /// When it was last read, as far as the filesystem notes that.
    pub accessed: Option<(u64, u32)>,
}

impl Place<'_> {
    /// What is at this place.
    ///
    /// # Errors
    /// Not found; not permitted.
    pub fn info(&self) -> Result<Info, ToolError> {
        of(self.directory, self.relative, self.shown)
    }
}

impl Directory {
    /// What `name` in this directory is; `shown` stands in messages.
    ///
    /// # Errors
    /// Not found; not permitted, as for a link that leads out.
    pub fn info(&self, name: &str, shown: &str) -> Result<Info, ToolError> {
        of(&self.descriptor, name, shown)
    }
}

fn of(directory: &Descriptor, path: &str, shown: &str) -> Result<Info, ToolError> {
    let stat: DescriptorStat =
        directory.stat_at(PathFlags::SYMLINK_FOLLOW, path).map_err(|code| ToolError::from_code(code, shown))?;
    let time = |time: Option<wasip2::clocks::wall_clock::Datetime>| time.map(|time| (time.seconds, time.nanoseconds));
    Ok(Info {
        kind: kind(stat.type_),
        size: stat.size,
        modified: time(stat.data_modification_timestamp),
        accessed: time(stat.data_access_timestamp),
    })
}
