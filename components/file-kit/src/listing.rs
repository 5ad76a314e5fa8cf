//! What a directory holds, in one call of the host. Built-in tools alone may import it; those of other authors list a
//! directory by [`Directory::entries`].

use crate::bindings::bailiwick::built_in::directories;
use bailiwick_tool_sdk::{Directory, Entries, Entry, EntryKind, ToolError};
use wasip2::filesystem::types::ErrorCode;

/// Lists `directory`, sorted by name. A name that is not text is counted and hides no other; one that the grant hides is
/// counted.
///
/// # Errors
/// Whatever the host says, with `shown` in the message; too large when it has more than `limit` names.
pub fn entries(directory: &Directory, limit: usize, shown: &str) -> Result<Entries, ToolError> {
    let packed = directories::entries(directory.descriptor()).map_err(|code| match code {
        ErrorCode::FileTooLarge => {
            ToolError::too_large(format!("`{shown}` has more names than can be looked through; ask for one of them"))
        }
        code => ToolError::from_code(code, shown),
    })?;
    let found = unpacked(&packed).ok_or_else(|| ToolError::failed(format!("`{shown}` cannot be listed")))?;
    if found.entries.len() + found.undecodable as usize > limit {
        return Err(ToolError::too_large(format!("`{shown}` has more than {limit} names")));
    }
    Ok(found)
}

/// Reads what `wit/built-in/directories.wit` describes; `None` where it is not that.
fn unpacked(packed: &[u8]) -> Option<Entries> {
    let (undecodable, rest) = packed.split_first_chunk()?;
    let (hidden, mut rest) = rest.split_first_chunk()?;
    let mut entries = Vec::with_capacity(rest.len() / USUAL);
    while let Some(([kind, length @ ..], after)) = rest.split_first_chunk::<3>() {
        let (name, after) = after.split_at_checked(u16::from_le_bytes(*length).into())?;
        let name = str::from_utf8(name).ok()?.to_owned();
        entries.push(Entry { name, kind: kind_of(*kind) });
        rest = after;
    }
    let counts = [undecodable, hidden].map(|count| u32::from_le_bytes(*count));
    rest.is_empty().then_some(Entries { entries, undecodable: counts[0], hidden: counts[1] })
}

/// What an entry takes, more or less.
const USUAL: usize = 16;

/// The places of cases in `descriptor-type` of WASI.
fn kind_of(place: u8) -> EntryKind {
    match place {
        3 => EntryKind::Directory,
        5 => EntryKind::Link,
        6 => EntryKind::File,
        _ => EntryKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKED: &[u8] = b"\x02\0\0\0\x01\0\0\0\x03\x01\0a\x06\x02\0\xc3\xa9\x05\x01\0z";

    #[test]
    fn packed_listing_is_read_name_by_name() {
        let found = unpacked(PACKED).unwrap();
        let entries: Vec<_> = found.entries.iter().map(|entry| (entry.name.as_str(), entry.kind)).collect();
        assert_eq!(entries, [("a", EntryKind::Directory), ("é", EntryKind::File), ("z", EntryKind::Link)]);
        assert_eq!((found.undecodable, found.hidden), (2, 1));
        assert!(unpacked(&[0; 8]).unwrap().entries.is_empty());
    }

    #[test]
    fn what_is_cut_short_or_not_text_is_no_listing() {
        for end in (0..PACKED.len()).filter(|end| ![8, 12, 17].contains(end)) {
            assert!(unpacked(&PACKED[..end]).is_none(), "{end}");
        }
        assert!(unpacked(b"\0\0\0\0\0\0\0\0\x06\x01\0\xff").is_none());
    }
}
