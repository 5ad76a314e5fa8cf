//! What is being done, for people who wait.

use std::sync::Arc;

use bailiwick_runs::RunId;

use crate::plan::Plan;

/// Told one line at a time. Cheap to clone.
#[derive(Clone)]
pub struct Progress {
    lines: Arc<dyn Fn(&str) + Send + Sync>,
    runs: Arc<dyn Fn(&RunId) + Send + Sync>,
    plans: Arc<dyn Fn(&Plan) + Send + Sync>,
    measures: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Progress {
    /// Passes each line on.
    pub fn to(listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { lines: Arc::new(listener), runs: Arc::new(|_| {}), plans: Arc::new(|_| {}), measures: Arc::new(|_| {}) }
    }

    /// Also passes on the name of each run as soon as it has one: before that nothing was changed.
    #[must_use]
    pub fn naming_runs(self, listener: impl Fn(&RunId) + Send + Sync + 'static) -> Self {
        Self { runs: Arc::new(listener), ..self }
    }

    /// Also passes on what a run is about to do, once, before it regenerates for the first time.
    #[must_use]
    pub fn showing_plans(self, listener: impl Fn(&Plan) + Send + Sync + 'static) -> Self {
        Self { plans: Arc::new(listener), ..self }
    }

    /// Also passes on, each second, how far the step has come that the last line named: `84 of about 185 MB`.
    #[must_use]
    pub fn measuring(self, listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { measures: Arc::new(listener), ..self }
    }

    /// There are no listeners.
    #[must_use]
    pub fn silent() -> Self {
        Self::to(|_| {})
    }

    /// Says one thing: a lower-case phrase.
    pub fn say(&self, text: &str) {
        (self.lines)(text);
    }

    /// Says that a run has begun.
    pub(crate) fn began(&self, run: &RunId) {
        (self.runs)(run);
    }

    /// Says what is about to be done.
    pub(crate) fn planned(&self, plan: &Plan) {
        (self.plans)(plan);
    }

    /// For [`bailiwick_toolchains::Toolchains`]: says what is installed.
    pub fn toolchain(&self) -> impl FnMut(bailiwick_toolchains::Progress) + Send + use<> {
        use bailiwick_toolchains::Progress as Step;
        let progress = self.clone();
        move |step| match step {
            Step::Waiting { set } => progress.say(&format!("waiting for another process that installs {set}")),
            Step::Installing { set, attempt: 1 } => progress.say(&format!("installing {set}")),
            Step::Installing { set, attempt } => progress.say(&format!("installing {set}, attempt {attempt}")),
            Step::Growing { megabytes, of: Some(all) } => {
                (progress.measures)(&format!("{megabytes} of about {all} MB"));
            }
            Step::Growing { megabytes, of: None } => (progress.measures)(&format!("{megabytes} MB")),
            Step::Note { .. } => {}
        }
    }
}
