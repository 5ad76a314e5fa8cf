//! Flags and kinds as text, and back.

use wasip2::filesystem::types::{DescriptorFlags, DescriptorType, OpenFlags, PathFlags};

/// The three kinds of flags of one `open-at`.
#[derive(Clone, Copy)]
pub(crate) struct Flags {
    pub(crate) path: PathFlags,
    pub(crate) open: OpenFlags,
    pub(crate) rights: DescriptorFlags,
}

const OPEN: [(char, OpenFlags); 4] =
    [('c', OpenFlags::CREATE), ('d', OpenFlags::DIRECTORY), ('x', OpenFlags::EXCLUSIVE), ('t', OpenFlags::TRUNCATE)];

const RIGHTS: [(char, DescriptorFlags); 6] = [
    ('r', DescriptorFlags::READ),
    ('w', DescriptorFlags::WRITE),
    ('m', DescriptorFlags::MUTATE_DIRECTORY),
    ('i', DescriptorFlags::FILE_INTEGRITY_SYNC),
    ('a', DescriptorFlags::DATA_INTEGRITY_SYNC),
    ('q', DescriptorFlags::REQUESTED_WRITE_SYNC),
];

impl Flags {
    /// Reads the letters of the crate's documentation; `None` when one of them is none.
    pub(crate) fn parse(letters: &str) -> Option<Self> {
        let mut flags = Self { path: PathFlags::empty(), open: OpenFlags::empty(), rights: DescriptorFlags::empty() };
        for letter in letters.chars() {
            if letter == 'f' {
                flags.path |= PathFlags::SYMLINK_FOLLOW;
            } else if let Some((_, flag)) = OPEN.iter().find(|(known, _)| *known == letter) {
                flags.open |= *flag;
            } else {
                let (_, flag) = RIGHTS.iter().find(|(known, _)| *known == letter)?;
                flags.rights |= *flag;
            }
        }
        Some(flags)
    }

    /// The letters of these flags, always in the same order.
    pub(crate) fn letters(self) -> String {
        let mut letters = String::new();
        if self.path.contains(PathFlags::SYMLINK_FOLLOW) {
            letters.push('f');
        }
        letters.extend(OPEN.iter().filter(|(_, flag)| self.open.contains(*flag)).map(|(letter, _)| letter));
        letters.push_str(&rights(self.rights));
        letters
    }
}

/// The letters of a descriptor's flags.
pub(crate) fn rights(flags: DescriptorFlags) -> String {
    RIGHTS.iter().filter(|(_, flag)| flags.contains(*flag)).map(|(letter, _)| letter).collect()
}

/// The contract's name of a type.
pub(crate) fn kind(kind: DescriptorType) -> &'static str {
    match kind {
        DescriptorType::Unknown => "unknown",
        DescriptorType::BlockDevice => "block-device",
        DescriptorType::CharacterDevice => "character-device",
        DescriptorType::Directory => "directory",
        DescriptorType::Fifo => "fifo",
        DescriptorType::SymbolicLink => "symbolic-link",
        DescriptorType::RegularFile => "regular-file",
        DescriptorType::Socket => "socket",
    }
}
