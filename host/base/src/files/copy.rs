//! Copying a file so that the copy takes no more of the disk.

use std::fs::File;
use std::io::{Read as _, Result, Seek as _, SeekFrom, copy};

/// Copies all of `from` to `to`, which is empty, and leaves out what `from` has no blocks for: a program may make a file of
/// any length that takes nothing of the disk.
///
/// # Errors
/// Those of the system.
pub fn copy_with_holes(mut from: &File, mut to: &File) -> Result<()> {
    let mut position = 0;
    while let Some((start, end)) = next_data(from, position)? {
        from.seek(SeekFrom::Start(start))?;
        to.seek(SeekFrom::Start(start))?;
        let copied = copy(&mut from.take(end.saturating_sub(start)), &mut to)?;
        position = start.saturating_add(copied);
        if copied == 0 {
            break;
        }
    }
    to.set_len(from.metadata()?.len().max(position))
}

/// The next part of a file that is not a hole; `None` behind the last one.
#[cfg(target_os = "linux")]
fn next_data(file: &File, position: u64) -> Result<Option<(u64, u64)>> {
    use rustix::fs::{SeekFrom as From, seek};
    use rustix::io::Errno;

    let start = match seek(file, From::Data(position)) {
        Ok(start) => start,
        Err(Errno::NXIO) => return Ok(None),
        // A file system that knows no holes.
        Err(Errno::INVAL | Errno::OPNOTSUPP) => return Ok((position == 0).then_some((0, u64::MAX))),
        Err(error) => return Err(error.into()),
    };
    Ok(Some((start, seek(file, From::Hole(start))?)))
}

#[cfg(not(target_os = "linux"))]
fn next_data(_: &File, position: u64) -> Result<Option<(u64, u64)>> {
    Ok((position == 0).then_some((0, u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::os::unix::fs::MetadataExt as _;

    #[test]
    fn copy_has_the_same_bytes_and_the_same_holes() {
        for parts in [&[][..], &[(0, "begin")], &[(1 << 20, "middle"), (5 << 20, "later")], &[(0, "a"), (3 << 20, "b")]]
        {
            let (mut from, to) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
            for (position, text) in parts {
                from.seek(SeekFrom::Start(*position)).unwrap();
                from.write_all(text.as_bytes()).unwrap();
            }
            from.set_len(8 << 20).unwrap();
            copy_with_holes(&from, &to).unwrap();
            let bytes = |mut file: &File| {
                let mut bytes = Vec::new();
                file.rewind().unwrap();
                file.read_to_end(&mut bytes).unwrap();
                bytes
            };
            assert!(bytes(&from) == bytes(&to), "{parts:?}");
            assert!(to.metadata().unwrap().blocks() <= from.metadata().unwrap().blocks(), "{parts:?}");
        }
    }
}
