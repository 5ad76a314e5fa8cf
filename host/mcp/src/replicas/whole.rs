//! Whether the registry still has what was entered into it. A server that lost its disk and a directory that was removed have
//! lost every entry, and a replica that reads in them finds no run of another one.
//!
//! A replica that does not find its own entry as it last wrote it knows that the registry lost more than that. It enters its
//! runs again, as every other one does that is there, and until these have had the time for it, none says for certain that there
//! is no such run. The same holds for a replica that has just started: what was lost before, it cannot notice.

use super::{Announcement, Replicas};
use crate::failure::Failure;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// What a replica knows of it.
#[derive(Default)]
pub(super) struct Whole {
    said: Mutex<Option<Said>>,
    /// When entries were last found to be lost.
    lost: Mutex<Option<Instant>>,
}

/// What this replica last entered to say that it is there.
#[derive(Clone)]
pub(super) struct Said {
    /// In seconds since 1970.
    pub(super) at: u64,
    /// The content of its entry.
    pub(super) sealed: Vec<u8>,
}

impl Whole {
    pub(super) fn said(&self) -> Option<Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn say(&self, said: Said) {
        *self.said.lock().unwrap_or_else(PoisonError::into_inner) = Some(said);
    }
}

impl Replicas {
    /// Whether this replica stands in the registry as it last said.
    ///
    /// # Errors
    /// The registry cannot be reached.
    async fn is_whole(&self) -> Result<bool, Failure> {
        let said = self.0.whole.said();
        let found = self.read::<Announcement>(&self.0.name).await?;
        // An older one is out of a copy that was played back.
        Ok(found.is_some_and(|found| said.is_none_or(|said| found.at >= said.at)))
    }

    /// Other replicas may have to enter their runs, from now on.
    pub(super) fn lost(&self) {
        *self.0.whole.lost.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// As if others had had the time to enter theirs.
    #[cfg(test)]
    pub(crate) fn settled(&self) {
        *self.0.whole.lost.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether the registry may lack entries of others. One that cannot be read may.
    pub(crate) async fn may_lack(&self) -> bool {
        match self.is_whole().await {
            Ok(true) => {}
            Ok(false) => self.lost(),
            Err(_) => return true,
        }
        let lost = *self.0.whole.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.is_some_and(|lost| lost.elapsed() < self.limits().settle)
    }
}

/// A failure of a call about a run while the registry may lack that run.
pub(crate) fn uncertain(failure: Failure) -> Failure {
    let Failure { message, hint } = failure;
    let message =
        format!("{message}, as far as this replica knows; the registry of replicas may lack entries of others for now");
    Failure { message, hint: hint.or_else(|| Some("try again a little later".to_owned())) }
}
