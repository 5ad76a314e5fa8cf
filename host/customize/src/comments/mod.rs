//! Exported reviews: comments of GitHub and of APIView in, a ledger with a row for each comment out.
//!
//! What a reviewer exports was written by many people and by programs. It is read within limits, nothing in it is taken
//! for anything but text, and every comment has a row whatever becomes of it.

mod ledger;
mod read;
#[cfg(test)]
mod tests;

pub use ledger::{End, Ledger, LedgerRow, RowOutcome};
pub use read::{Comment, CommentsError, Review, Standing, read};
