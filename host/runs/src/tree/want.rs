//! What a directory has to become. Carrying out a want twice does nothing the second time, so an
//! interrupted restore is completed by beginning it again.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::fd::AsFd;

use bailiwick_base::files::{Attributes, Facts};
use bailiwick_base::time::Moment;
use rustix::io::Errno;

use super::diff::merged;
use super::node::{Content, Node};
use crate::digest::Digest;

/// What one name has to become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Want {
    /// Nothing, whatever is there.
    Gone,
    /// These entries as they say, then the directory itself gone unless something else is in it.
    Emptied(Wants),
    File {
        digest: Digest,
        facts: Facts,
        attributes: Option<Attributes>,
    },
    Symlink {
        target: OsString,
        facts: Facts,
    },
    Directory {
        entries: Wants,
        rest: Rest,
        facts: Facts,
        mode: ModeRule,
        times: TimeRule,
        attributes: Option<Taken>,
    },
    /// A file or link whose content is right: its attributes, and its time, unless it has changed since `after`.
    Times {
        before: Moment,
        after: Moment,
        attributes: Option<Taken>,
    },
}

pub(crate) type Wants = BTreeMap<OsString, Want>;

/// Attributes that a file or directory had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    attributes: Attributes,
    /// Those that the run left on it: what somebody set later stays. `None` where nothing else can have set any, or where it is
    /// not known what the run left.
    left: Option<Attributes>,
}

impl Taken {
    fn always(attributes: &Attributes) -> Self {
        Self { attributes: attributes.clone(), left: None }
    }

    /// Those that the run took or changed; `None` where it did neither.
    fn from(before: &Node, after: &Node) -> Option<Self> {
        let (own, left) = (before.attributes.as_ref()?, after.attributes.clone());
        match &left {
            Some(left) => (own != left).then(|| Self { attributes: own.clone(), left: Some(left.clone()) }),
            // More than are read, say, and so not those that it had.
            None => (before.facts?.changed != after.facts?.changed).then(|| Self::always(own)),
        }
    }

    /// Puts them on an open file or directory; gives whether that changed anything.
    pub(crate) fn put_on(&self, handle: impl AsFd) -> Result<bool, Errno> {
        match &self.left {
            None => self.attributes.put_on(handle),
            Some(left) => self.attributes.put_back_on(left, handle),
        }
    }

    /// As [`Attributes::mode_without`].
    pub(crate) fn mode_without(&self, handle: impl AsFd, mode: u32) -> u32 {
        self.attributes.mode_without(handle, mode)
    }
}

/// What happens to entries of a directory that its wants do not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// They were added and go.
    Remove,
    /// They are not looked at.
    Keep,
}

/// Whether a directory's mode is restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModeRule {
    Set,
    Leave,
}

/// Whether a directory's modification time is restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TimeRule {
    Set,
    /// Only if the directory holds exactly these names again. Another process may have added one
    /// since, and then the time is theirs.
    WithNames(BTreeSet<OsString>),
    Leave,
}

/// Everything back to `before`, where only the run can have changed anything.
pub(crate) fn back(before: &Node) -> Want {
    rebuilt(before, Rest::Remove)
}

fn rebuilt(before: &Node, rest: Rest) -> Want {
    let entries = |node: &Node| -> Wants {
        let children = node.children().into_iter().flatten();
        children.map(|(name, child)| (name.clone(), rebuilt(child, rest))).collect()
    };
    match (&before.content, before.facts) {
        (Content::File(digest), Some(facts)) => {
            Want::File { digest: *digest, facts, attributes: before.attributes.clone() }
        }
        (Content::Symlink(target), Some(facts)) => Want::Symlink { target: target.clone(), facts },
        (Content::Directory(_), Some(facts)) => {
            let (mode, times, attributes) =
                (ModeRule::Set, TimeRule::Set, before.attributes.as_ref().map(Taken::always));
            Want::Directory { entries: entries(before), rest, facts, mode, times, attributes }
        }
        (Content::Way(_), Some(facts)) => Want::Directory {
            entries: entries(before),
            rest: Rest::Keep,
            facts,
            mode: ModeRule::Leave,
            times: TimeRule::Leave,
            attributes: None,
        },
        (Content::MissingWay(_), _) => Want::Emptied(entries(before)),
        _ => Want::Gone,
    }
}

/// From `after` back to `before`, touching only what differs between them. `None` when nothing does.
pub(crate) fn undo(before: &Node, after: &Node) -> Option<Want> {
    undo_one(Some(before), Some(after))
}

fn undo_one(before: Option<&Node>, after: Option<&Node>) -> Option<Want> {
    use Content::{Absent, Directory, File, MissingWay, Special, Symlink, Way};

    let entries = || {
        let mut entries = Wants::new();
        merged(before, after, |name, before, after| {
            if let Some(want) = undo_one(before, after) {
                entries.insert(name.to_owned(), want);
            }
        });
        entries
    };
    let some = |entries: Wants| (!entries.is_empty()).then_some(entries);
    match (before.map(|node| &node.content), after.map(|node| &node.content)) {
        (None | Some(Absent), None | Some(Absent)) => None,
        (None | Some(Absent), Some(Directory(_))) => Some(Want::Emptied(entries())),
        (None | Some(Absent), Some(Way(_) | MissingWay(_))) => some(entries()).map(Want::Emptied),
        (None | Some(Absent), Some(File(_) | Symlink(_) | Special)) => Some(Want::Gone),
        (Some(MissingWay(_)), Some(Way(_))) => Some(Want::Emptied(entries())),
        (Some(MissingWay(_)), Some(MissingWay(_))) => None,
        (Some(MissingWay(_)), _) => Some(Want::Gone),
        (Some(Way(_)), Some(Way(_))) => {
            let (entries, facts) = (some(entries())?, before?.facts?);
            let (mode, times) = (ModeRule::Leave, TimeRule::Leave);
            Some(Want::Directory { entries, rest: Rest::Keep, facts, mode, times, attributes: None })
        }
        (Some(Directory(children)), Some(Directory(_))) => {
            let (entries, facts, now) = (entries(), before?.facts?, after?.facts?);
            let mode = if facts.mode == now.mode { ModeRule::Leave } else { ModeRule::Set };
            let attributes = Taken::from(before?, after?);
            let same = mode == ModeRule::Leave && facts.modified == now.modified && attributes.is_none();
            if entries.is_empty() && same {
                return None;
            }
            let times = TimeRule::WithNames(children.keys().cloned().collect());
            Some(Want::Directory { entries, rest: Rest::Keep, facts, mode, times, attributes })
        }
        (Some(File(_) | Symlink(_)), Some(_)) if before?.same(after?) => {
            let (facts, now) = (before?.facts?, after?.facts?);
            let attributes = Taken::from(before?, after?);
            let (before, after) = (facts.modified, now.modified);
            (before != after || attributes.is_some()).then_some(Want::Times { before, after, attributes })
        }
        (Some(_), _) => before.map(|before| rebuilt(before, Rest::Keep)),
    }
}
