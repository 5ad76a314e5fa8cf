//! What a guest says while it works. It can say it in a loop, so both the number and the length are bounded, and the
//! call ends where it says more.

use super::bindings::bailiwick::tool::notices as contract;
use super::clean::line;
use tokio::sync::mpsc::UnboundedSender;
use wasmtime::component::{HasData, Linker};

pub use contract::Level;

/// One thing that a guest said. Texts are one line without unseen characters.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// How far it is. `done` is finite and grows from notice to notice.
    Progress {
        /// So much is done.
        done: f64,
        /// Of so much, where that is known.
        total: Option<f64>,
        /// What is being done.
        message: Option<String>,
    },
    /// A line for debugging.
    Log {
        /// How much it matters.
        level: Level,
        /// Which part of the guest says it.
        logger: Option<String>,
        /// What it says.
        text: String,
    },
}

/// What one call may say. There is no default: the caller says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoticeLimits {
    /// How many notices.
    pub count: u32,
    /// Bytes of all their texts.
    pub bytes: usize,
}

/// Where the notices of one call go. The bounds hold even if there is no listener.
#[derive(Debug, Clone)]
pub struct Notices {
    /// The listener.
    pub sender: UnboundedSender<Notice>,
    /// The bounds.
    pub limits: NoticeLimits,
}

/// The guest's way to say something, in the store of its call.
pub(crate) struct Speaker {
    notices: Notices,
    count: u32,
    bytes: usize,
    done: Option<f64>,
}

/// The guest said more than it may. Ends the call.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("too many notices")]
pub(crate) struct Flood {
    pub(crate) limits: NoticeLimits,
}

impl Speaker {
    pub(crate) fn new(notices: Notices) -> Self {
        Self { notices, count: 0, bytes: 0, done: None }
    }

    /// Counts before anything is kept: what is over the bound is never stored.
    fn take(&mut self, texts: &[Option<&str>]) -> wasmtime::Result<()> {
        let limits = self.notices.limits;
        self.count = self.count.saturating_add(1);
        self.bytes = texts.iter().flatten().fold(self.bytes, |sum, text| sum.saturating_add(text.len()));
        if self.count > limits.count || self.bytes > limits.bytes {
            return Err(wasmtime::Error::new(Flood { limits }));
        }
        Ok(())
    }

    fn say(&self, notice: Notice) {
        // A caller that does not listen is not a failure of the guest.
        let _ = self.notices.sender.send(notice);
    }
}

/// Names the part of the state that speaks.
pub(crate) struct Speaks;

impl HasData for Speaks {
    type Data<'a> = &'a mut Option<Speaker>;
}

impl contract::Host for Option<Speaker> {
    fn progress(&mut self, done: f64, total: Option<f64>, message: Option<String>) -> wasmtime::Result<()> {
        let Some(speaker) = self else { return Ok(()) };
        speaker.take(&[message.as_deref()])?;
        // The protocol wants numbers that grow; one that does not says nothing new.
        if done.is_finite() && speaker.done.is_none_or(|before| done > before) {
            speaker.done = Some(done);
            let total = total.filter(|total| total.is_finite());
            speaker.say(Notice::Progress { done, total, message: message.map(|message| line(&message)) });
        }
        Ok(())
    }

    fn log(&mut self, level: Level, logger: Option<String>, data: String) -> wasmtime::Result<()> {
        let Some(speaker) = self else { return Ok(()) };
        speaker.take(&[logger.as_deref(), Some(&data)])?;
        speaker.say(Notice::Log { level, logger: logger.map(|logger| line(&logger)), text: line(&data) });
        Ok(())
    }
}

/// Links `bailiwick:tool/notices`.
pub(crate) fn link<T>(
    linker: &mut Linker<T>,
    notices: fn(&mut T) -> <Speaks as HasData>::Data<'_>,
) -> wasmtime::Result<()> {
    contract::add_to_linker::<T, Speaks>(linker, notices)
}
