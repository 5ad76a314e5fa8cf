//! One entry of a covered tree.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeMap;
use std::ffi::OsString;

use bailiwick_base::files::{Attributes, Facts};

use crate::digest::Digest;
use crate::record::EntryKind;

/// Entries of a directory by name.
pub(crate) type Children = BTreeMap<OsString, Node>;

/// An entry and, for a directory, everything beneath it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    /// `None` for what is not there.
    pub(crate) facts: Option<Facts>,
    /// Attributes of a file or directory; `None` where they were not looked at, as in manifests of older versions, or are too many.
    pub(crate) attributes: Option<Attributes>,
    pub(crate) content: Content,
}

/// What an entry is, or that it is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    File(Digest),
    Symlink(OsString),
    /// A directory that is covered with everything in it.
    Directory(Children),
    /// A FIFO, socket or device. Never in a before-image.
    Special,
    /// A covered file that does not exist.
    Absent,
    /// A directory on the way to covered files, itself not covered.
    Way(Children),
    /// The same, where it does not exist.
    MissingWay(Children),
}

impl Node {
    pub(crate) fn absent() -> Self {
        Self::new(None, Content::Absent)
    }

    /// An entry of whose attributes nothing is known.
    pub(crate) fn new(facts: Option<Facts>, content: Content) -> Self {
        Self { facts, attributes: None, content }
    }

    /// What is there in a report's terms; `None` when nothing is, or nothing that is covered.
    pub(crate) fn kind(&self) -> Option<EntryKind> {
        match self.content {
            Content::File(_) => Some(EntryKind::File),
            Content::Symlink(_) => Some(EntryKind::Symlink),
            Content::Directory(_) => Some(EntryKind::Directory),
            Content::Special => Some(EntryKind::Special),
            Content::Absent | Content::Way(_) | Content::MissingWay(_) => None,
        }
    }

    pub(crate) fn children(&self) -> Option<&Children> {
        match &self.content {
            Content::Directory(children) | Content::Way(children) | Content::MissingWay(children) => Some(children),
            _ => None,
        }
    }

    /// The entry beneath this one that `names` lead to.
    pub(crate) fn find(&self, names: &[OsString]) -> Option<&Self> {
        match names.split_first() {
            None => Some(self),
            Some((name, rest)) => self.children()?.get(name)?.find(rest),
        }
    }

    /// Whether content, target and mode are the same, for entries that are there. A directory's
    /// entries are not compared, nor are times.
    pub(crate) fn same(&self, other: &Self) -> bool {
        let content = match (&self.content, &other.content) {
            (Content::File(one), Content::File(two)) => one == two,
            // Links have no mode of their own.
            (Content::Symlink(one), Content::Symlink(two)) => return one == two,
            (Content::Directory(_), Content::Directory(_)) | (Content::Special, Content::Special) => true,
            _ => false,
        };
        content && self.mode() == other.mode()
    }

    pub(crate) fn mode(&self) -> Option<u32> {
        self.facts.map(|facts| facts.mode)
    }
}
