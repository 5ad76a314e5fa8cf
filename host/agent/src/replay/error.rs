//! Why a conversation cannot be replayed.

use serde::{Deserialize, Serialize};

/// Where a conversation is not the one that was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "replay", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum ReplayError {
    /// Something else was sent.
    #[error("turn {turn} of the replay was sent something else at `{place}`: expected {expected}, and {came} came")]
    Differs {
        /// The turn, from 1.
        turn: usize,
        /// The first place that differs, such as `task.items[0].text`.
        place: String,
        /// What was recorded there, cut to what surrounds the difference.
        expected: String,
        /// What came, cut in the same way.
        came: String,
    },
    /// A turn was asked for that was not recorded.
    #[error("the conversation goes on after the {turns} turns that were recorded")]
    TooLong {
        /// How many there are.
        turns: usize,
    },
    /// The work was over before the recording was.
    #[error("the conversation ended after {used} of the {turns} turns that were recorded")]
    TooShort {
        /// How many were asked for.
        used: usize,
        /// How many there are.
        turns: usize,
    },
    /// The file does not say what has to be sent.
    #[error("turn {turn} of the replay does not say what was sent, so nothing can be compared")]
    Unsaid {
        /// The turn, from 1.
        turn: usize,
    },
    /// The request cannot be written as JSON.
    #[error("what turn {turn} of the replay was sent cannot be read: {reason}")]
    Unreadable {
        /// The turn, from 1.
        turn: usize,
        /// Why.
        reason: String,
    },
}

/// Why a file holds no conversation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The first line is not a header of this format.
    #[error("it does not begin with the header of a recorded conversation: {reason}")]
    Header {
        /// What is wrong.
        reason: String,
    },
    /// It was written in another version of the format.
    #[error("it has version {found} of the format, and this program reads version {expected}")]
    Version {
        /// What was found.
        found: u32,
        /// What can be read.
        expected: u32,
    },
    /// A line makes no sense.
    #[error("its line {line} cannot be used: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// There is no turn in it.
    #[error("it holds no turn")]
    Empty,
}
