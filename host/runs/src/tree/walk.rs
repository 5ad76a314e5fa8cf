//! Reading a covered tree.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};

use bailiwick_base::files::{self, Attributes, Facts, Type};
use bailiwick_base::time::Moment;
use rustix::io::Errno;

use super::node::{Children, Content, Node};
use super::skip::Skip;
use crate::content;
use crate::error::StoreError;
use crate::objects::PackWriter;
use crate::path::{RelativePath, join};
use crate::record::Coverage;

/// Deepest nesting of directories that is read. Each level holds one handle.
pub(super) const DEPTH: usize = 128;
/// How often a file is read again when it is written to meanwhile.
const ATTEMPTS: usize = 5;
/// Contents pass through memory in pieces of this size.
const BUFFER: usize = 128 * 1024;

/// What a reading is for.
pub(crate) enum Mode<'a> {
    /// The before-images: contents go into the pack; what could not be restored is refused.
    Keep(&'a mut PackWriter),
    /// The state now. Contents that the facts of an earlier reading vouch for are not read again.
    Compare { before: &'a Node, taken: Moment },
    /// A digest of the whole; what has no digest is refused.
    Fingerprint,
}

/// Reads one root.
pub(crate) struct Walker<'a> {
    root: &'a str,
    skip: Skip<'a>,
    mode: Mode<'a>,
    buffer: Vec<u8>,
}

/// Covered files as a tree of names.
#[derive(Default)]
struct Chosen(BTreeMap<OsString, Option<Chosen>>);

impl<'a> Walker<'a> {
    pub(crate) fn new(root: &'a str, mode: Mode<'a>) -> Self {
        Self { root, skip: Skip::default(), mode, buffer: vec![0; BUFFER] }
    }

    /// Reads everything that `coverage` names beneath `handle`.
    pub(crate) fn read(mut self, handle: &OwnedFd, coverage: &'a Coverage) -> Result<Node, StoreError> {
        let facts = files::facts_of(handle).map_err(|error| StoreError::io("look at", self.root, error))?;
        let known = match self.mode {
            Mode::Compare { before, .. } => Some(before),
            _ => None,
        };
        let (content, attributes) = match coverage {
            Coverage::Tree { .. } => {
                self.skip = Skip::of(coverage);
                (Content::Directory(self.directory(handle, "", known, 1)?), self.attributes(handle, "", &facts, known)?)
            }
            Coverage::Files(paths) => (Content::Way(self.chosen(handle, "", &chosen(paths)?, known)?), None),
        };
        Ok(Node { attributes, ..Node::new(Some(facts), content) })
    }

    /// Reads what `names` lead to beneath `handle`, as the one entry of a directory; nothing where a directory on the way is
    /// missing or is none. Without a name it is the mode of `handle` itself that counts.
    pub(crate) fn read_at(mut self, handle: &OwnedFd, names: &[OsString]) -> Result<Node, StoreError> {
        let shown = names.iter().fold(String::new(), |parent, name| join(&parent, name));
        let mut children = Children::new();
        match names.split_last() {
            None => {
                let facts = files::facts_of(handle).map_err(self.failed("look at", ""))?;
                children.insert(OsString::new(), Node::new(Some(facts), Content::Directory(Children::new())));
            }
            Some((name, parents)) => {
                let parent = match files::descend(handle, parents) {
                    Ok(parent) => Some(parent),
                    Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => None,
                    Err(error) => return Err(self.failed("open", &shown)(error)),
                };
                let found = parent.as_ref().map(|parent| files::present(parent, name)).transpose();
                if let (Some(parent), Some(found)) = (&parent, found.map_err(self.failed("look at", &shown))?.flatten())
                    && let Some(node) = self.entry(parent, name, &shown, found, None, 1)?
                {
                    children.insert(name.clone(), node);
                }
            }
        }
        Ok(Node::new(None, Content::Directory(children)))
    }

    fn shown(&self, path: &str) -> String {
        format!("{}/{path}", self.root)
    }

    fn failed(&self, doing: &'static str, path: &str) -> impl Fn(Errno) -> StoreError {
        let shown = self.shown(path);
        move |error| StoreError::io(doing, shown.clone(), error)
    }

    fn directory(
        &mut self,
        handle: &OwnedFd,
        path: &str,
        known: Option<&Node>,
        depth: usize,
    ) -> Result<Children, StoreError> {
        if depth > DEPTH {
            return Err(StoreError::TooDeep { path: self.shown(path), limit: DEPTH });
        }
        // A directory that the run added is the run's with everything in it, skipped names too.
        let added = matches!(self.mode, Mode::Compare { .. }) && known.and_then(Node::children).is_none();
        let mut children = Children::new();
        for name in files::names(handle).map_err(self.failed("list", path))? {
            let skipped = !added && self.skip.holds(path, &name);
            let path = join(path, &name);
            // What vanishes between the listing and the look was not there for us.
            let Some((kind, facts)) = files::present(handle, &name).map_err(self.failed("look at", &path))? else {
                continue;
            };
            if skipped && kind == Type::Directory {
                continue;
            }
            let known = known.and_then(Node::children).and_then(|children| children.get(&name));
            if let Some(node) = self.entry(handle, &name, &path, (kind, facts), known, depth)? {
                children.insert(name, node);
            }
        }
        Ok(children)
    }

    /// `None` when the entry vanished.
    fn entry(
        &mut self,
        parent: &OwnedFd,
        name: &OsStr,
        path: &str,
        (kind, facts): (Type, Facts),
        known: Option<&Node>,
        depth: usize,
    ) -> Result<Option<Node>, StoreError> {
        let (facts, content) = match kind {
            Type::File => return self.file(parent, name, path, facts, known),
            Type::Symlink => match files::link_target(parent, name) {
                Ok(target) => (facts, Content::Symlink(target)),
                Err(Errno::NOENT) => return Ok(None),
                Err(error) => return Err(self.failed("read", path)(error)),
            },
            Type::Directory => match files::open_directory(parent, name) {
                Ok(handle) => {
                    let content = Content::Directory(self.directory(&handle, path, known, depth + 1)?);
                    let attributes = self.attributes(&handle, path, &facts, known)?;
                    return Ok(Some(Node { attributes, ..Node::new(Some(facts), content) }));
                }
                Err(Errno::NOENT) => return Ok(None),
                Err(error) => return Err(self.failed("open", path)(error)),
            },
            Type::Special(_) if matches!(self.mode, Mode::Compare { .. }) => (facts, Content::Special),
            Type::Special(kind) => return Err(StoreError::UnsupportedFile { path: self.shown(path), kind }),
        };
        Ok(Some(Node::new(Some(facts), content)))
    }

    /// The attributes that go back, or those that a run left, which say whether it changed them. What has more than is kept goes back
    /// without them.
    fn attributes(
        &self,
        handle: impl AsFd,
        path: &str,
        facts: &Facts,
        known: Option<&Node>,
    ) -> Result<Option<Attributes>, StoreError> {
        match self.mode {
            Mode::Keep(_) => match Attributes::of(handle) {
                Err(Errno::FBIG) => Ok(None),
                own => own.map(Some).map_err(self.failed("read", path)),
            },
            Mode::Compare { taken, .. } => {
                let known = known.filter(|known| known.facts.is_some_and(|before| before.vouches_for(taken, facts)));
                Ok(known.map_or_else(|| Attributes::of(handle).ok(), |known| known.attributes.clone()))
            }
            Mode::Fingerprint => Ok(None),
        }
    }

    fn file(
        &mut self,
        parent: &OwnedFd,
        name: &OsStr,
        path: &str,
        facts: Facts,
        known: Option<&Node>,
    ) -> Result<Option<Node>, StoreError> {
        if let Mode::Compare { taken, .. } = self.mode
            && let Some(Node { facts: Some(before), content: Content::File(digest), attributes }) = known
            && before.vouches_for(taken, &facts)
        {
            let attributes = attributes.clone();
            return Ok(Some(Node { attributes, ..Node::new(Some(facts), Content::File(*digest)) }));
        }
        for _ in 0..ATTEMPTS {
            let (file, facts) = match files::open_file(parent, name) {
                Ok(opened) => opened,
                Err(Errno::NOENT) => return Ok(None),
                Err(error) => return Err(self.failed("open", path)(error)),
            };
            let read = match &mut self.mode {
                Mode::Keep(pack) => pack.keep(&file, &facts, &mut self.buffer),
                _ => content::stream(&file, &facts, &mut self.buffer, |_| Ok(())),
            };
            let read = read.map_err(|error| StoreError::io("read", self.shown(path), error))?;
            if !read.torn {
                let attributes = self.attributes(&file, path, &read.facts, known)?;
                return Ok(Some(Node { attributes, ..Node::new(Some(read.facts), Content::File(read.digest)) }));
            }
        }
        Err(StoreError::KeepsChanging { path: self.shown(path) })
    }

    /// Reads single files and the directories on the way to them.
    fn chosen(
        &mut self,
        handle: &OwnedFd,
        path: &str,
        chosen: &Chosen,
        known: Option<&Node>,
    ) -> Result<Children, StoreError> {
        let mut children = Children::new();
        for (name, below) in &chosen.0 {
            let path = join(path, name);
            let known = known.and_then(Node::children).and_then(|children| children.get(name));
            let found = files::present(handle, name).map_err(self.failed("look at", &path))?;
            let wrong =
                |found: Type, wanted| StoreError::WrongKind { path: self.shown(&path), found: found.name(), wanted };
            let comparing = matches!(self.mode, Mode::Compare { .. });
            let node = match (below, found) {
                (None, None) => Node::absent(),
                (Some(below), None) => Node::new(None, Content::MissingWay(missing(below))),
                (Some(below), Some((Type::Directory, facts))) => {
                    let handle = files::open_directory(handle, name).map_err(self.failed("open", &path))?;
                    let children = self.chosen(&handle, &path, below, known)?;
                    Node::new(Some(facts), Content::Way(children))
                }
                (Some(_), Some((kind, _))) if !comparing => return Err(wrong(kind, "a directory")),
                (None, Some((Type::Directory, _))) if !comparing => return Err(wrong(Type::Directory, "a file")),
                (_, Some(found)) => self.entry(handle, name, &path, found, known, 1)?.unwrap_or_else(Node::absent),
            };
            children.insert(name.clone(), node);
        }
        Ok(children)
    }
}

fn missing(chosen: &Chosen) -> Children {
    let node = |below: &Option<Chosen>| match below {
        None => Node::absent(),
        Some(below) => Node::new(None, Content::MissingWay(missing(below))),
    };
    chosen.0.iter().map(|(name, below)| (name.clone(), node(below))).collect()
}

fn chosen(paths: &[String]) -> Result<Chosen, StoreError> {
    let mut all = Chosen::default();
    for text in paths {
        let path = RelativePath::parse(text)?;
        let (parents, name) = path.split();
        let clash = || StoreError::BadPath { path: text.clone(), reason: "is a directory of another covered file" };
        let mut directory = &mut all;
        for parent in parents {
            let below = directory.0.entry(parent.clone()).or_insert_with(|| Some(Chosen::default()));
            directory = below.as_mut().ok_or_else(clash)?;
        }
        if let Some(Some(_)) = directory.0.insert(name.to_owned(), None) {
            return Err(clash());
        }
    }
    Ok(all)
}

/// Checks the paths of a coverage by files without opening anything.
pub(crate) fn check_files(paths: &[String]) -> Result<(), StoreError> {
    chosen(paths).map(|_| ())
}
