//! Beginning a conversation under a definition, and going on with a saved one.

use super::{Conversation, kept};
use crate::definition::Definition;
use crate::transcript::Scrub;

/// Why a saved conversation cannot go on under a definition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// It was saved by a program that keeps its state in another form.
    #[error("the conversation was saved in format {found}, and this program reads format {expected}")]
    Format {
        /// What was saved.
        found: u32,
        /// What can be read.
        expected: u32,
    },
    /// It was begun under another definition.
    #[error("the conversation was begun with other {part} than the agent has now")]
    Changed {
        /// `instructions`, `task` or `tools`.
        part: &'static str,
    },
}

impl Definition {
    /// A conversation in which nothing was said yet.
    #[must_use]
    pub fn begin(&self) -> Conversation {
        Conversation::new(self.request().clone())
    }

    /// Whether a saved conversation may go on under this definition. The budget may differ: the present one holds.
    ///
    /// # Errors
    /// When instructions, task or tools are not those it was begun with, or its format is another.
    pub fn admits(&self, conversation: &Conversation) -> Result<(), ResumeError> {
        self.differs(conversation, None)
    }

    fn differs(&self, conversation: &Conversation, scrub: Option<&dyn Scrub>) -> Result<(), ResumeError> {
        conversation.check_format()?;
        let (saved, own) = (conversation.request(), kept::definition(self.request(), scrub));
        let part = if saved.tools != own.tools {
            "tools"
        } else if saved.instructions != own.instructions {
            "instructions"
        } else if saved.task != own.task {
            "task"
        } else {
            return Ok(());
        };
        Err(ResumeError::Changed { part })
    }

    /// A conversation that was kept with [`Conversation::kept`], under this definition, whose own texts take the place of
    /// those that were scrubbed. A call that was still to be run and held a secret is not run: the model is told.
    ///
    /// # Errors
    /// As [`Self::admits`].
    pub fn resume(&self, mut kept: Conversation, scrub: &dyn Scrub) -> Result<Conversation, ResumeError> {
        self.differs(&kept, Some(scrub))?;
        kept.put_back(self);
        Ok(kept)
    }
}
