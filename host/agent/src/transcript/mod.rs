//! The record of a conversation: JSON Lines, written as things happen.
//!
//! Every line is an object with `seq` (from 0), `at` (milliseconds since 1970, UTC) and the fields of an [`Entry`].
//! Secrets are scrubbed from every text before it is bounded, so that none is left over in halves.

mod bound;
mod entry;

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use crate::spent::Spent;

pub use bailiwick_audit::{KnownSecrets, REDACTED, Scrub, scrubbed};
pub use entry::{Entry, Outcome};

/// Writes entries, one per line, and flushes each.
pub struct Transcript {
    writer: Box<dyn Write + Send>,
    max_field_bytes: usize,
    scrub: Option<Box<dyn Scrub>>,
    next: u64,
    pub(crate) spent: Spent,
}

impl Transcript {
    /// A transcript in which the text within one field of an entry takes at most about `max_field_bytes` bytes of
    /// UTF-8; what is left out is counted where it stood.
    pub fn new(writer: impl Write + Send + 'static, max_field_bytes: usize) -> Self {
        Self { writer: Box::new(writer), max_field_bytes, scrub: None, next: 0, spent: Spent::default() }
    }

    /// A transcript that is not kept.
    #[must_use]
    pub fn discarded() -> Self {
        Self::new(io::sink(), 0)
    }

    /// The transcript with a scrubber for every text in it, names of fields included.
    #[must_use]
    pub fn scrubbed_by(mut self, scrub: impl Scrub + 'static) -> Self {
        self.scrub = Some(Box::new(scrub));
        self
    }

    /// What every stretch of work in this transcript took together, those that failed or were interrupted included.
    #[must_use]
    pub fn spent(&self) -> &Spent {
        &self.spent
    }

    /// The transcript as the continuation of one that has so many lines already.
    #[must_use]
    pub fn after(mut self, lines: u64) -> Self {
        self.next = lines;
        self
    }

    /// Writes one entry.
    ///
    /// # Errors
    /// When the writer fails. The agent then stops: what it does has to be on record.
    pub fn record(&mut self, entry: &Entry) -> io::Result<()> {
        let mut line = Map::new();
        line.insert("seq".into(), json!(self.next));
        line.insert("at".into(), json!(now()));
        if let Value::Object(fields) = serde_json::to_value(entry)? {
            for (name, value) in fields {
                let value = match &self.scrub {
                    Some(scrub) => scrubbed(value, scrub.as_ref()),
                    None => value,
                };
                line.insert(name, bound::value(value, self.max_field_bytes));
            }
        }
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        self.writer.write_all(&text)?;
        self.writer.flush()?;
        self.next += 1;
        Ok(())
    }
}

/// A clock before 1970 counts as 1970.
fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis()
}
