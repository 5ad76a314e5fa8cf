//! The texts that a target begins with.

use std::path::Path;

/// The files of a target's corpus in the order of their names, and an empty text.
pub(crate) fn read(name: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let listing = std::fs::read_dir(&directory)
        .unwrap_or_else(|error| panic!("the corpus `{}` cannot be read: {error}", directory.display()));
    let mut files: Vec<_> = listing.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut texts: Vec<Vec<u8>> = files.iter().filter_map(|file| std::fs::read(file).ok()).collect();
    assert!(!texts.is_empty(), "the corpus `{}` is empty", directory.display());
    texts.push(Vec::new());
    texts
}
