//! One digest of a whole tree.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use bailiwick_base::files;

use super::node::{Content, Node};
use super::walk::{Mode, Walker};
use crate::digest::{Digest, Hasher};
use crate::error::StoreError;
use crate::record::Coverage;

/// Digest of everything in a directory: paths, kinds, permission bits, contents and link targets,
/// empty directories included; not the directory's own name and mode, nor any times.
///
/// Directories whose name is in `skip` are left out at every level. Links on the way to `directory`
/// are followed, links in it are not. Reads every file.
///
/// # Errors
/// When something cannot be read, or is a FIFO, socket or device.
pub fn tree_digest(directory: &Path, skip: &[String]) -> Result<Digest, StoreError> {
    let shown = directory.display().to_string();
    let resolved = directory.canonicalize().map_err(|error| StoreError::io("resolve", &shown, error))?;
    let (handle, _) = files::open_root(&resolved).map_err(|error| StoreError::io("open", &shown, error))?;
    let coverage = Coverage::Tree { skip: skip.to_vec(), skip_at_root: Vec::new() };
    let node = Walker::new(&shown, Mode::Fingerprint).read(&handle, &coverage)?;
    Ok(fingerprint(&node))
}

/// Digest of what is beneath `node`.
pub(crate) fn fingerprint(node: &Node) -> Digest {
    let mut hasher = Hasher::default();
    for (name, child) in node.children().into_iter().flatten() {
        // Lengths make the encoding unambiguous: no name can imitate two.
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
        let (kind, digest) = match &child.content {
            Content::File(digest) => (1_u8, *digest),
            Content::Symlink(target) => (2, Digest::of(target.as_bytes())),
            Content::Directory(_) => (3, fingerprint(child)),
            Content::Special => (4, Digest::of(b"")),
            Content::Absent => (5, Digest::of(b"")),
            // Whether a directory exists that holds no covered file makes no difference.
            Content::Way(_) | Content::MissingWay(_) => (6, fingerprint(child)),
        };
        hasher.update(&[kind]);
        let mode = if matches!(child.content, Content::File(_) | Content::Directory(_)) { child.mode() } else { None };
        hasher.update(&mode.unwrap_or(0).to_le_bytes());
        hasher.update(digest.as_bytes());
    }
    hasher.finish()
}
