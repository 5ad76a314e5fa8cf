//! A directory as the built-in tools list it, in one call: read by the description in `wit/built-in`, and not by the code
//! that the tools use.

use crate::listing::Listed;
use crate::names;
use bindings::bailiwick::built_in::directories;
use wasip2::filesystem::types::{Descriptor, DescriptorType, ErrorCode};

mod bindings {
    //! The world `file-tool`, as generated when this crate is built.
    wit_bindgen::generate!({
        path: "wit",
        world: "file-tool",
        runtime_path: "::wit_bindgen::rt",
        with: { "wasi:filesystem/types@0.2.12": wasip2::filesystem::types },
    });
}

/// In one call.
pub(crate) fn entries(directory: &Descriptor) -> Result<Listed, ErrorCode> {
    let packed = directories::entries(directory)?;
    let mut rest = packed.as_slice();
    let mut take = |length: usize| {
        let (taken, after) = rest.split_at_checked(length)?;
        rest = after;
        Some(taken)
    };
    let mut count = || u32::from_le_bytes(take(4).expect("both counts are there").try_into().expect("four bytes"));
    let mut listed = Listed { undecodable: count(), hidden: count(), entries: Vec::new() };
    while let Some(kind) = take(1) {
        let kind = KINDS[usize::from(kind[0])];
        let length = u16::from_le_bytes(take(2).expect("a length follows").try_into().expect("two bytes"));
        let name = take(length.into()).expect("the name follows").to_vec();
        listed.entries.push((String::from_utf8(name).expect("a name is text"), names::kind(kind)));
    }
    assert!(rest.is_empty() && listed.entries.is_sorted_by(|one, next| one.0 < next.0), "{listed:?}");
    Ok(listed)
}

/// In the order of WASI.
const KINDS: [DescriptorType; 8] = [
    DescriptorType::Unknown,
    DescriptorType::BlockDevice,
    DescriptorType::CharacterDevice,
    DescriptorType::Directory,
    DescriptorType::Fifo,
    DescriptorType::SymbolicLink,
    DescriptorType::RegularFile,
    DescriptorType::Socket,
];
