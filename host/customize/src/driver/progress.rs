//! What is being done, for people who wait.

use std::sync::Arc;

/// Told one line at a time. Cheap to clone.
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(&str) + Send + Sync>);

impl Progress {
    /// Passes each line on.
    pub fn to(listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(listener))
    }

    /// Nobody listens.
    #[must_use]
    pub fn silent() -> Self {
        Self::to(|_| {})
    }

    /// Says one thing: a lower-case phrase.
    pub fn say(&self, text: &str) {
        (self.0)(text);
    }

    pub(crate) fn toolchain(&self) -> impl FnMut(crate::toolchain::Progress) + Send + use<> {
        use crate::toolchain::Progress as Step;
        let progress = self.clone();
        move |step| match step {
            Step::Waiting { set } => progress.say(&format!("waiting for another process that installs {set}")),
            Step::Installing { set, attempt: 1 } => progress.say(&format!("installing {set}")),
            Step::Installing { set, attempt } => progress.say(&format!("installing {set}, attempt {attempt}")),
            Step::Note { .. } => {}
        }
    }
}
