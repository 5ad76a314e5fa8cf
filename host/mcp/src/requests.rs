//! A client's wish for a tool, and where it is put before a person.
//!
//! A client can only request a tool: a person installs, approves and offers it at a
//! command line. What is behind this trait keeps the wish and answers what is known of the tool.

use crate::failure::Failure;

/// What a client asks for, as it says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// The tool: a name, or where it could be had.
    pub tool: String,
    /// What it is wanted for.
    pub what_for: String,
    /// What the client calls itself.
    pub client: String,
}

/// How a tool stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stands {
    /// A person added and approved it.
    Approved,
    /// It was added, and waits for a person's approval.
    Unapproved,
    /// Nothing of this name was added.
    Unknown,
}

/// What became of a wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It waits for a person, under this number.
    Waits(u64),
    /// So many wait that no further one is taken.
    TooMany,
}

/// Puts wishes before a person.
pub trait Requests: Send + Sync {
    /// How the tool of this name stands.
    ///
    /// # Errors
    /// What was added cannot be read.
    fn stands(&self, tool: &str) -> Result<Stands, Failure>;

    /// Keeps a wish until a person answers it. The same one again is the one that waits.
    ///
    /// # Errors
    /// It cannot be kept.
    fn keep(&self, wish: &Wish) -> Result<Kept, Failure>;
}
