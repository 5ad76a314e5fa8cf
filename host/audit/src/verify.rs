//! Verification: the whole chain, from its first line to the one that `head` knows.

use crate::chain::{Chain, Fed};
use crate::error::{AuditError, Broken, Fault};
use crate::files::{Directory, Use};
use crate::head::{self, Head, file_name};
use crate::line::{self, Hash};
use crate::read::{FileLines, Snapshot};
use crate::recover::{Found, examine};
use serde::Serialize;
use std::path::Path;

/// Warnings that are kept; the rest are only counted.
const MOST_WARNINGS: usize = 100;

/// An intact chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    /// How many lines it has, those included that close off torn ones.
    pub lines: u64,
    /// How many files.
    pub files: usize,
    /// The hash of its last line, which is worth keeping elsewhere; zeros when there is none.
    pub head: String,
    /// The time of the first line.
    pub from: Option<String>,
    /// The time of the last line.
    pub to: Option<String>,
    /// What processes left that died while they appended, the first hundred.
    pub warnings: Vec<Warning>,
    /// How many there are.
    pub warned: u64,
}

/// What a crash left behind. Nothing that was on record is lost by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Warning {
    /// A process died in the middle of a line.
    Torn {
        /// The file.
        file: String,
        /// The line that was begun.
        line: u64,
        /// How much of it is there.
        bytes: u64,
    },
    /// A process died before it could count the last line in `head`; the next append does that.
    HeadBehind {
        /// The file.
        file: String,
        /// The line that is not counted.
        line: u64,
    },
}

/// Walks the log in `directory` from its first line to its last. `anchor` is the hash of a line, kept elsewhere, that has
/// to be among them. Where there is no log there are no lines.
///
/// # Errors
/// [`AuditError::Broken`] names the first place where the chain does not hold. Any other error means that the log could
/// not be read, or that appending to it would be refused for the same reason.
pub fn verify(directory: &Path, anchor: Option<&str>) -> Result<Verified, AuditError> {
    let anchor = match anchor {
        Some(text) => Some(Hash::parse(text.as_bytes()).ok_or_else(|| AuditError::NoHash(text.into()))?),
        None => None,
    };
    let mut walk = Walk {
        chain: Chain::at(0, Hash::GENESIS),
        head: Head::GENESIS,
        at_head: Place::Before,
        anchor,
        last_number: 0,
        verified: Verified {
            lines: 0,
            files: 0,
            head: Hash::GENESIS.to_string(),
            from: None,
            to: None,
            warnings: Vec::new(),
            warned: 0,
        },
    };
    if let Some(directory) = Directory::existing(directory)? {
        directory.check()?;
        let snapshot = Snapshot::take(&directory, Use::Judge)?;
        if let Some(head) = snapshot.head {
            walk.head = head;
            walk.files(&directory, &snapshot)?;
        }
    }
    walk.finish()
}

/// Where the walk is in relation to the line that `head` knows as the last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Before,
    At,
}

struct Walk {
    chain: Chain,
    head: Head,
    at_head: Place,
    /// As long as it was not found.
    anchor: Option<Hash>,
    /// Lines in the file that was read last.
    last_number: u64,
    verified: Verified,
}

impl Walk {
    fn files(&mut self, directory: &Directory, snapshot: &Snapshot) -> Result<(), AuditError> {
        self.verified.files = snapshot.files.len();
        for (expected, &(number, length)) in (1..).zip(&snapshot.files) {
            if number != expected {
                return Err(broken(file_name(expected), 1, self.missing_file(expected)));
            }
            if number > self.head.file && length > 0 {
                return Err(broken(file_name(number), 1, Fault::Added));
            }
            // What stands behind the end that `head` knows is for another rule.
            let known = if number == self.head.file { length.min(self.head.length) } else { length };
            let mut lines = FileLines::open(directory, number, known)?
                .ok_or_else(|| broken(file_name(number), 1, self.missing_file(number)))?;
            self.pass_head(number, &lines)?;
            self.file(directory, snapshot, number, &mut lines)?;
            self.last_number = lines.number;
            if number == self.head.file && length > known {
                self.behind(directory, length, &lines)?;
            }
        }
        let last = snapshot.files.last().map_or(0, |(number, _)| *number);
        if self.at_head == Place::Before && self.head != Head::GENESIS {
            return Err(broken(file_name(last.max(1)), 1, Fault::Truncated { expected: self.head.seq }));
        }
        Ok(())
    }

    fn missing_file(&self, number: u32) -> Fault {
        if number >= self.head.file {
            Fault::Truncated { expected: self.head.seq }
        } else {
            Fault::Removed { expected: self.chain.seq + 1 }
        }
    }

    fn file(
        &mut self,
        directory: &Directory,
        snapshot: &Snapshot,
        number: u32,
        lines: &mut FileLines,
    ) -> Result<(), AuditError> {
        // The first of the lines that cannot be read.
        let mut torn_at = 0;
        while let Some((line, ended)) = lines.next(directory)? {
            let begun = self.chain.torn.is_some();
            // A line without its line break is not finished, whatever it says.
            let fed = if ended { self.chain.feed(line) } else { Fed::Torn };
            match fed {
                Fed::Line(parsed, closed) => {
                    self.anchor = self.anchor.filter(|anchor| *anchor != parsed.hash);
                    let time = parsed.time.to_owned();
                    let _ = self.verified.from.get_or_insert_with(|| time.clone());
                    self.verified.to = Some(time);
                    self.verified.lines += 1;
                    if let Some(bytes) = closed {
                        self.warn(Warning::Torn { file: lines.name.clone(), line: torn_at, bytes });
                    }
                    self.pass_head(number, lines)?;
                }
                Fed::Torn => {
                    if !begun {
                        torn_at = lines.number;
                    }
                    if !ended {
                        return self.unfinished(number, lines, torn_at);
                    }
                }
                Fed::OutOfPlace(parsed) => {
                    let (expected, found) = (self.chain.seq + 1, parsed.seq);
                    let at = lines.number;
                    let fault = if found < expected {
                        Fault::Inserted { found }
                    } else if comes_later(directory, snapshot, number, lines, expected)? {
                        Fault::Reordered { expected, found }
                    } else {
                        Fault::Removed { expected }
                    };
                    return Err(broken(lines.name.clone(), at, fault));
                }
                Fed::Unconnected => return Err(broken(lines.name.clone(), lines.number, Fault::Altered)),
                Fed::Unclosed => return Err(broken(lines.name.clone(), torn_at.max(1), Fault::Altered)),
            }
        }
        if self.chain.torn.is_some() {
            return self.unfinished(number, lines, torn_at);
        }
        if number == self.head.file && self.at_head == Place::Before {
            let short = lines.offset < self.head.length;
            let fault = if short { Fault::Truncated { expected: self.head.seq } } else { Fault::Head };
            return Err(if short {
                broken(lines.name.clone(), lines.number + 1, fault)
            } else {
                broken(head::NAME.into(), 1, fault)
            });
        }
        Ok(())
    }

    /// The file ends in bytes that do not form a line.
    fn unfinished(&self, number: u32, lines: &FileLines, torn_at: u64) -> Result<(), AuditError> {
        let fault = if number == self.head.file && self.at_head == Place::Before && lines.offset < self.head.length {
            Fault::Truncated { expected: self.head.seq }
        } else {
            Fault::Altered
        };
        Err(broken(lines.name.clone(), torn_at, fault))
    }

    /// Compares with `head` after each line, and before the first of each file.
    fn pass_head(&mut self, number: u32, lines: &FileLines) -> Result<(), AuditError> {
        if number != self.head.file {
            return Ok(());
        }
        match self.at_head {
            Place::Before if lines.offset == self.head.length => {
                if self.chain.seq != self.head.seq || self.chain.hash != self.head.hash {
                    return Err(broken(head::NAME.into(), 1, Fault::Head));
                }
                self.at_head = Place::At;
            }
            Place::Before if lines.offset > self.head.length => return Err(broken(head::NAME.into(), 1, Fault::Head)),
            Place::Before | Place::At => {}
        }
        Ok(())
    }

    /// What stands behind the last line that `head` knows, by the rule of the process that appends next.
    fn behind(&mut self, directory: &Directory, length: u64, lines: &FileLines) -> Result<(), AuditError> {
        let io = |error| directory.io("read", &lines.name, error);
        let Some(file) = directory.open(&lines.name, Use::Judge)? else {
            return Err(broken(lines.name.clone(), 1, self.missing_file(self.head.file)));
        };
        let (name, next) = (lines.name.clone(), lines.number + 1);
        let found = examine(&file, &self.head, length).map_err(io)?;
        match found {
            Found::Line { hash, time, unended: false, lines: count, closed } => {
                self.anchor = self.anchor.filter(|anchor| *anchor != hash);
                let _ = self.verified.from.get_or_insert_with(|| time.clone());
                self.verified.to = Some(time);
                self.verified.lines += 1;
                self.chain = Chain::at(self.head.seq + 1, hash);
                if let Some(bytes) = closed {
                    self.warn(Warning::Torn { file: name.clone(), line: next, bytes });
                }
                self.warn(Warning::HeadBehind { file: name, line: lines.number + count });
            }
            // A line without its line break is not finished, whatever it says.
            Found::Line { .. } | Found::Torn { .. } => {
                self.warn(Warning::Torn { file: name, line: next, bytes: length - self.head.length });
            }
            Found::Added => return Err(broken(name, next, Fault::Added)),
        }
        Ok(())
    }

    fn warn(&mut self, warning: Warning) {
        self.verified.warned += 1;
        if self.verified.warnings.len() < MOST_WARNINGS {
            self.verified.warnings.push(warning);
        }
    }

    fn finish(mut self) -> Result<Verified, AuditError> {
        if self.anchor.is_some() {
            let last = u32::try_from(self.verified.files).unwrap_or(u32::MAX).max(1);
            return Err(broken(file_name(last), self.last_number, Fault::AnchorMissing));
        }
        self.verified.head = self.chain.hash.to_string();
        Ok(self.verified)
    }
}

/// Whether an entry that is not in its place stands somewhere after it.
fn comes_later(
    directory: &Directory,
    snapshot: &Snapshot,
    number: u32,
    lines: &mut FileLines,
    seq: u64,
) -> Result<bool, AuditError> {
    let is_there = |lines: &mut FileLines| -> Result<bool, AuditError> {
        while let Some((line, _)) = lines.next(directory)? {
            if line::parse(line).is_some_and(|parsed| parsed.seq == seq) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    if is_there(lines)? {
        return Ok(true);
    }
    for &(later, length) in snapshot.files.iter().filter(|(later, _)| *later > number) {
        if let Some(mut lines) = FileLines::open(directory, later, length)?
            && is_there(&mut lines)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn broken(file: String, line: u64, fault: Fault) -> AuditError {
    Broken { file, line, fault }.into()
}
