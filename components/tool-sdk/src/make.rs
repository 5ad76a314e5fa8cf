//! Making directories.

use crate::{Place, ToolError};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, ErrorCode, OpenFlags, PathFlags};

/// Whether a directory had to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// It was not there.
    New,
    /// It was.
    Already,
}

impl Place<'_> {
    /// Makes the directory at this place and those above it that are missing.
    ///
    /// # Errors
    /// Not permitted (a grant that is read-only, a link that leads out), wrong kind when something other than a directory
    /// is there or on the way, failed when the host cannot. Nothing is made then.
    pub fn make_directory(&self) -> Result<Made, ToolError> {
        let mut made = Vec::new();
        let within = format!("{}/", self.relative.trim_end_matches('/'));
        match make_parents(self.directory, &within, &mut made) {
            Ok(()) if made.is_empty() => Ok(Made::Already),
            Ok(()) => Ok(Made::New),
            Err(code) => {
                take_back(self.directory, made);
                Err(self.refusal(code))
            }
        }
    }
}

/// Removes what was made. One that somebody else has put something into meanwhile stays, and so do those above it.
pub(crate) fn take_back(beneath: &Descriptor, mut made: Vec<&str>) {
    while let Some(directory) = made.pop() {
        let _ = beneath.remove_directory_at(directory);
    }
}

/// Makes the directories above `path` that are missing, and notes them in `made`.
pub(crate) fn make_parents<'a>(beneath: &Descriptor, path: &'a str, made: &mut Vec<&'a str>) -> Result<(), ErrorCode> {
    let Some((parents, _)) = path.rsplit_once('/') else { return Ok(()) };
    let open = |path: &str| {
        beneath.open_at(PathFlags::SYMLINK_FOLLOW, path, OpenFlags::DIRECTORY, DescriptorFlags::READ).map(drop)
    };
    match open(parents) {
        Err(ErrorCode::NoEntry) => {}
        there => return there,
    }
    // A step up through a directory that has yet to be made means nothing good.
    if parents.split('/').any(|part| part == "..") {
        return Err(ErrorCode::NotPermitted);
    }
    let ends = parents.match_indices('/').map(|(at, _)| at).chain([parents.len()]);
    for end in ends.filter(|end| *end > 0) {
        match open(&parents[..end]) {
            Err(ErrorCode::NoEntry) => match beneath.create_directory_at(&parents[..end]) {
                Ok(()) => made.push(&parents[..end]),
                // Somebody else made it in between.
                Err(ErrorCode::Exist) => {}
                Err(code) => return Err(code),
            },
            there => there?,
        }
    }
    Ok(())
}
