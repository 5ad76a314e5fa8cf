//! Writing a tree as JSON while it is walked, two spaces deeper at each level.

use bailiwick_tool_sdk::{EntryKind, Output, ToolError};
use file_kit::path_glob::PathGlob;
use file_kit::tree::{LeftOut, Tree, is_skipped};

/// The most entries of one answer.
const MOST_ENTRIES: usize = 10_000;

/// A pattern for what is left out.
pub(crate) struct Exclude(Vec<PathGlob>);

impl Exclude {
    /// A path beneath the start if it has a `*`, otherwise a name or a path at any depth, and all that is in it.
    ///
    /// # Errors
    /// Those of [`PathGlob::new`].
    pub(crate) fn new(pattern: &str) -> Result<Self, ToolError> {
        let mut globs = vec![PathGlob::new(pattern)?];
        if !pattern.contains('*') {
            globs.push(PathGlob::new(&format!("**/{pattern}"))?);
            globs.push(PathGlob::new(&format!("**/{pattern}/**"))?);
        }
        Ok(Self(globs))
    }

    fn matches(&self, path: &str) -> bool {
        self.0.iter().any(|glob| glob.matches(path))
    }
}

/// What was written so far.
pub(crate) struct Writer {
    exclude: Vec<Exclude>,
    json: String,
    indent: usize,
    entries: usize,
    left_out: LeftOut,
}

impl Writer {
    pub(crate) fn new(exclude: Vec<Exclude>) -> Self {
        Self { exclude, json: String::new(), indent: 0, entries: 0, left_out: LeftOut::default() }
    }

    /// The JSON, and what was left out.
    pub(crate) fn finish(self) -> (String, LeftOut) {
        (self.json, self.left_out)
    }

    /// Writes the list of what `directory` holds, whose paths beneath the start begin with `prefix`.
    ///
    /// # Errors
    /// When it cannot be read; nothing is written then.
    pub(crate) fn directory<T: Tree>(&mut self, directory: &T, prefix: &str, depth: usize) -> Result<(), ToolError> {
        let names = directory.names(if prefix.is_empty() { "the directory" } else { prefix })?;
        self.left_out.undecodable = self.left_out.undecodable.saturating_add(names.undecodable);
        self.left_out.hidden = self.left_out.hidden.saturating_add(names.hidden);
        let mut first = true;
        self.json.push('[');
        self.indent += 1;
        for entry in names.entries {
            let path = format!("{prefix}{}", entry.name);
            if self.exclude.iter().any(|exclude| exclude.matches(&path)) {
                continue;
            }
            if self.entries >= MOST_ENTRIES {
                let ended =
                    format!("the tree ends after {MOST_ENTRIES} entries; ask for a directory in it, or exclude some");
                self.left_out.ended = Some(ended);
                break;
            }
            self.entries += 1;
            if !first {
                self.json.push(',');
            }
            first = false;
            self.line("{");
            self.indent += 1;
            self.property("name", entry.name.clone().to_json().as_str());
            self.json.push(',');
            if entry.kind == EntryKind::Directory {
                self.property("type", "\"directory\"");
                self.json.push(',');
                self.property("children", "");
                self.children(directory, &entry.name, path, depth);
            } else {
                self.property("type", "\"file\"");
            }
            self.indent -= 1;
            self.line("}");
        }
        self.indent -= 1;
        if first {
            self.json.push(']');
        } else {
            self.line("]");
        }
        Ok(())
    }

    fn children<T: Tree>(&mut self, directory: &T, name: &str, path: String, depth: usize) {
        if is_skipped(name) {
            self.json.push_str("[],");
            self.property("skipped", "true");
            self.left_out.skipped.push(path);
            return;
        }
        let written = match depth.checked_sub(1) {
            Some(depth) => {
                directory.inner(name, &path).and_then(|inner| self.directory(&inner, &format!("{path}/"), depth))
            }
            None => Err(ToolError::too_large("too deep")),
        };
        if written.is_err() {
            self.json.push_str("[]");
            self.left_out.unreadable.push(path);
        }
    }

    fn property(&mut self, name: &str, json: &str) {
        self.line("\"");
        self.json.extend([name, "\": ", json]);
    }

    fn line(&mut self, start: &str) {
        self.json.push('\n');
        self.json.extend(std::iter::repeat_n("  ", self.indent));
        self.json.push_str(start);
    }
}
