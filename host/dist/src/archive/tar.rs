//! tar archives that belong to root and were made at no time.

use super::{Entry, Tree};
use std::io::{self, Read as _};
use tar::{Archive, Builder, EntryType, Header};

/// Writes a tree as a tar archive. `prefix` stands before each path, such as `./` for Debian.
///
/// # Errors
/// A path is one that tar cannot hold.
pub fn tar(tree: &Tree, prefix: &str) -> io::Result<Vec<u8>> {
    let mut builder = Builder::new(Vec::new());
    for (path, entry) in tree.entries() {
        let mut header = Header::new_gnu();
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        header.set_size(0);
        let path = format!("{prefix}{path}");
        match entry {
            Entry::Directory { mode } => {
                header.set_entry_type(EntryType::Directory);
                header.set_mode(*mode);
                builder.append_data(&mut header, format!("{path}/"), io::empty())?;
            }
            Entry::File { bytes, mode } => {
                header.set_entry_type(EntryType::Regular);
                header.set_mode(*mode);
                header.set_size(bytes.len() as u64);
                builder.append_data(&mut header, path, bytes.as_slice())?;
            }
            Entry::Link { to } => {
                header.set_entry_type(EntryType::Symlink);
                header.set_mode(0o777);
                builder.append_link(&mut header, path, to)?;
            }
        }
    }
    builder.into_inner()
}

/// Reads a tar archive. Hard links become copies; devices and the like are left out.
///
/// # Errors
/// It is not a tar archive, or a path in it is not UTF-8 or leads out of it.
pub fn read_tar(bytes: &[u8]) -> io::Result<Tree> {
    let mut tree = Tree::default();
    for entry in Archive::new(bytes).entries()? {
        let mut entry = entry?;
        let path = name(&entry.path_bytes())?;
        if path.is_empty() {
            continue;
        }
        let mode = entry.header().mode()? & 0o7777;
        match entry.header().entry_type() {
            EntryType::Directory => tree.directory(path, mode),
            EntryType::Regular => {
                let mut bytes = Vec::new();
                entry.read_to_end(&mut bytes)?;
                tree.0.insert(path, Entry::File { bytes, mode });
            }
            EntryType::Symlink => {
                let to = entry.link_name_bytes().unwrap_or_default();
                tree.link(path, String::from_utf8(to.into_owned()).map_err(io::Error::other)?);
            }
            EntryType::Link => {
                let to = name(&entry.link_name_bytes().unwrap_or_default())?;
                if let Some(Entry::File { bytes, mode }) = tree.0.get(&to).cloned() {
                    tree.0.insert(path, Entry::File { bytes, mode });
                }
            }
            _ => {}
        }
    }
    Ok(tree)
}

fn name(bytes: &[u8]) -> io::Result<String> {
    let path = std::str::from_utf8(bytes).map_err(io::Error::other)?;
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return Err(io::Error::other(format!("`{path}` leads out of the archive")));
    }
    Ok(parts.join("/"))
}
