//! What an executable says of the machine it runs on.

use crate::DistError;
use crate::release::Machine;
use object::elf::FileHeader64;
use object::read::elf::{FileHeader as _, SectionHeader as _};
use object::{Architecture, Endianness, Object as _};

/// For which machine an executable is.
///
/// # Errors
/// It is no Linux executable, or of a machine that packages are not made for.
pub fn machine(binary: &[u8]) -> Result<Machine, DistError> {
    let file = object::File::parse(binary).map_err(|error| DistError::Binary(error.to_string()))?;
    match file.architecture() {
        Architecture::X86_64 => Ok(Machine::X64),
        Architecture::Aarch64 => Ok(Machine::Arm64),
        other => Err(DistError::Binary(format!("no packages are made for {other:?}"))),
    }
}

/// The newest version of glibc whose symbols or format an executable uses, which is the oldest it runs on.
///
/// # Errors
/// It is no executable of 64 bits that is linked with glibc.
pub fn glibc(binary: &[u8]) -> Result<(u32, u32), DistError> {
    let unreadable = |error: object::Error| DistError::Binary(error.to_string());
    let header = FileHeader64::<Endianness>::parse(binary).map_err(unreadable)?;
    let endian = header.endian().map_err(unreadable)?;
    let sections = header.sections(endian, binary).map_err(unreadable)?;
    let mut newest = None;
    for section in sections.iter() {
        let Some((mut needed, strings)) = section.gnu_verneed(endian, binary).map_err(unreadable)? else { continue };
        let strings = sections.strings(endian, binary, strings).map_err(unreadable)?;
        while let Some((_, mut versions)) = needed.next().map_err(unreadable)? {
            while let Some(version) = versions.next().map_err(unreadable)? {
                let name = version.name(endian, strings).map_err(unreadable)?;
                newest = newest.max(std::str::from_utf8(name).ok().and_then(glibc_version));
            }
        }
    }
    newest.ok_or_else(|| DistError::Binary("it is not linked with glibc".into()))
}

/// The version of the first glibc that reads packed relocations, by which linkers ask for it.
const PACKED_RELOCATIONS: (&str, (u32, u32)) = ("GLIBC_ABI_DT_RELR", (2, 36));

/// `GLIBC_2.34` as `(2, 34)`.
fn glibc_version(symbol: &str) -> Option<(u32, u32)> {
    let (packed, since) = PACKED_RELOCATIONS;
    if symbol == packed {
        return Some(since);
    }
    let mut numbers = symbol.strip_prefix("GLIBC_")?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_of_these_tests_is_for_this_machine_and_needs_a_glibc() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let expected = if cfg!(target_arch = "aarch64") { Machine::Arm64 } else { Machine::X64 };
        assert_eq!(machine(&own).unwrap(), expected);
        let (major, minor) = glibc(&own).unwrap();
        assert!(major == 2 && (17..100).contains(&minor), "{major}.{minor}");
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(glibc_version("GLIBC_2.4") < glibc_version("GLIBC_2.34"));
        assert_eq!(glibc_version("GLIBC_2.2.5"), Some((2, 2)));
        assert_eq!(glibc_version("GLIBC_ABI_DT_RELR"), Some((2, 36)));
        assert_eq!(glibc_version("GCC_3.0"), None);
        assert_eq!(glibc_version("GLIBC_ABI_OTHER"), None);
    }

    #[test]
    fn file_that_is_not_an_executable_is_refused() {
        assert!(machine(b"#!/bin/sh\n").is_err() && glibc(b"").is_err());
    }
}
