//! Trees as JSON: one line of fields for each entry, parents before what they hold.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use bailiwick_base::files::{Attributes, Facts};
use bailiwick_base::time::Moment;
use serde::{Deserialize, Serialize};

use super::node::{Children, Content, Node};
use super::walk::DEPTH;
use crate::digest::Digest;
use crate::error::StoreError;

/// The state of every root of a run at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// When the reading began. Facts newer than this do not vouch for a content.
    pub(crate) taken: Moment,
    pub(crate) roots: Vec<RootTree>,
}

/// One root and its tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RootTree {
    pub(crate) name: String,
    pub(crate) node: Node,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    schema: u32,
    taken: Moment,
    /// Whether attributes were looked at: an entry without a field for them has none then.
    #[serde(default)]
    attributes: bool,
    /// Whether those of directories were, too.
    #[serde(default)]
    directories: bool,
    roots: Vec<StoredRoot>,
}

#[derive(Serialize, Deserialize)]
struct StoredRoot {
    name: String,
    entries: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    path: Text,
    r#type: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<Facts>,
    #[serde(default, skip_serializing_if = "Attributes::is_empty")]
    attributes: Attributes,
    #[serde(default, skip_serializing_if = "Looked::is_at")]
    looked: Looked,
}

/// Whether attributes of a file or directory were kept, in a manifest that has those of others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Looked {
    /// All that it had.
    #[default]
    At,
    /// It had more than is kept.
    TooMany,
}

impl Looked {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_at(&self) -> bool {
        *self == Self::At
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Kind {
    File,
    Dir,
    Symlink,
    Special,
    Absent,
    Way,
    MissingWay,
}

/// A name that need not be UTF-8.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Text {
    Plain(String),
    Bytes { bytes: Vec<u8> },
}

impl Text {
    fn new(bytes: &[u8]) -> Self {
        match str::from_utf8(bytes) {
            Ok(text) => Self::Plain(text.to_owned()),
            Err(_) => Self::Bytes { bytes: bytes.to_vec() },
        }
    }

    fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Plain(text) => text.into_bytes(),
            Self::Bytes { bytes } => bytes,
        }
    }
}

impl Manifest {
    pub(crate) fn root(&self, name: &str) -> Option<&RootTree> {
        self.roots.iter().find(|root| root.name == name)
    }
}

impl Serialize for Manifest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let attributes = self.roots.iter().any(|root| has_attributes(&root.node));
        let roots = self
            .roots
            .iter()
            .map(|root| {
                let mut entries = Vec::new();
                flatten(&root.node, attributes, &mut Vec::new(), &mut entries);
                StoredRoot { name: root.name.clone(), entries }
            })
            .collect();
        Stored { schema: 1, taken: self.taken, attributes, directories: attributes, roots }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Manifest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        if stored.schema != 1 {
            return Err(serde::de::Error::custom("written by a newer version"));
        }
        let seen = Seen { files: stored.attributes, directories: stored.directories };
        let roots = stored.roots.into_iter().map(|root| gather(root, seen)).collect::<Result<_, _>>();
        Ok(Self { taken: stored.taken, roots: roots.map_err(serde::de::Error::custom)? })
    }
}

/// Whether attributes of files were looked at.
fn has_attributes(node: &Node) -> bool {
    node.attributes.is_some() || node.children().into_iter().flatten().any(|(_, child)| has_attributes(child))
}

fn flatten(node: &Node, with_attributes: bool, path: &mut Vec<u8>, entries: &mut Vec<Entry>) {
    let (facts, attributes) = (node.facts, node.attributes.clone().unwrap_or_default());
    let may_have = matches!(node.content, Content::File(_) | Content::Directory(_));
    let too_many = with_attributes && node.attributes.is_none() && may_have;
    let looked = if too_many { Looked::TooMany } else { Looked::At };
    let mut entry =
        Entry { path: Text::new(path), r#type: Kind::Absent, sha256: None, target: None, facts, attributes, looked };
    entry.r#type = match &node.content {
        Content::File(digest) => {
            entry.sha256 = Some(*digest);
            Kind::File
        }
        Content::Symlink(target) => {
            entry.target = Some(Text::new(target.as_bytes()));
            Kind::Symlink
        }
        Content::Directory(_) => Kind::Dir,
        Content::Special => Kind::Special,
        Content::Absent => Kind::Absent,
        Content::Way(_) => Kind::Way,
        Content::MissingWay(_) => Kind::MissingWay,
    };
    entries.push(entry);
    for (name, child) in node.children().into_iter().flatten() {
        let length = path.len();
        if length > 0 {
            path.push(b'/');
        }
        path.extend_from_slice(name.as_bytes());
        flatten(child, with_attributes, path, entries);
        path.truncate(length);
    }
}

/// The reverse of `flatten`; the root's own entry comes first and has an empty path.
fn gather(stored: StoredRoot, seen: Seen) -> Result<RootTree, StoreError> {
    let damaged = || StoreError::Damaged { what: format!("the manifest of `{}` is not a tree", stored.name) };
    let mut entries = stored.entries.into_iter();
    let (_, mut node) = entry(entries.next().ok_or_else(damaged)?, seen).ok_or_else(damaged)?;
    for stored in entries {
        let (path, fresh) = entry(stored, seen).ok_or_else(damaged)?;
        let mut names: Vec<OsString> =
            path.split(|byte| *byte == b'/').map(|name| OsString::from_vec(name.to_vec())).collect();
        let name = names.pop().ok_or_else(damaged)?;
        // No walk goes deeper, and everything that reads a manifest goes as deep as it does.
        if names.len() > DEPTH {
            return Err(damaged());
        }
        let mut parent = &mut node;
        for name in &names {
            parent = children_mut(parent).and_then(|children| children.get_mut(name)).ok_or_else(damaged)?;
        }
        children_mut(parent).ok_or_else(damaged)?.insert(name, fresh);
    }
    Ok(RootTree { name: stored.name, node })
}

fn children_mut(node: &mut Node) -> Option<&mut Children> {
    match &mut node.content {
        Content::Directory(children) | Content::Way(children) | Content::MissingWay(children) => Some(children),
        _ => None,
    }
}

/// Of what attributes were looked at.
#[derive(Clone, Copy)]
struct Seen {
    files: bool,
    directories: bool,
}

fn entry(entry: Entry, seen: Seen) -> Option<(Vec<u8>, Node)> {
    let content = match entry.r#type {
        Kind::File => Content::File(entry.sha256?),
        Kind::Symlink => Content::Symlink(OsString::from_vec(entry.target?.into_bytes())),
        Kind::Dir => Content::Directory(Children::new()),
        Kind::Special => Content::Special,
        Kind::Absent => Content::Absent,
        Kind::Way => Content::Way(Children::new()),
        Kind::MissingWay => Content::MissingWay(Children::new()),
    };
    let seen = match content {
        Content::File(_) => seen.files,
        Content::Directory(_) => seen.directories,
        _ => false,
    };
    let attributes = (seen && entry.looked == Looked::At).then_some(entry.attributes);
    Some((entry.path.into_bytes(), Node { attributes, ..Node::new(entry.facts, content) }))
}
