//! A directory by the listing of `wasi:filesystem`. The guest that imports what built-in tools do lists it their way as
//! well, and holds one against the other.

use crate::names;
use crate::report::Told;
#[cfg(feature = "built-in")]
use crate::whole;
use wasip2::filesystem::types::{Descriptor, ErrorCode};

/// What a directory holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) entries: Vec<(String, &'static str)>,
    pub(crate) undecodable: u32,
    pub(crate) hidden: u32,
}

/// Lists it, in both ways where there are two. Where they differ the program ends, which no test expects of one that
/// lists.
pub(crate) fn readdir(directory: &Descriptor) -> Result<Listed, ErrorCode> {
    let streamed = streamed(directory);
    #[cfg(feature = "built-in")]
    assert_eq!(streamed, whole::entries(directory), "the two ways of listing a directory differ");
    streamed
}

fn streamed(directory: &Descriptor) -> Result<Listed, ErrorCode> {
    let stream = directory.read_directory()?;
    let mut listed = Listed::default();
    loop {
        match stream.read_directory_entry() {
            Ok(Some(entry)) => listed.entries.push((entry.name, names::kind(entry.type_))),
            Ok(None) => break,
            Err(ErrorCode::IllegalByteSequence) => listed.undecodable += 1,
            Err(code) => return Err(code),
        }
    }
    while let Err(ErrorCode::Access) = stream.read_directory_entry() {
        listed.hidden += 1;
    }
    Ok(listed)
}

/// The names in a directory, sorted. What is hidden is not told: tests hold against it what is there.
impl Told for Listed {
    fn told(self) -> String {
        let mut names: Vec<String> = self.entries.into_iter().map(|(name, _)| name).collect();
        names.extend((0..self.undecodable).map(|_| format!("({})", ErrorCode::IllegalByteSequence.name())));
        names.sort();
        names.join("|")
    }
}
