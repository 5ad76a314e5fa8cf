//! What is being done, for people who wait.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bailiwick_runs::RunId;

use crate::plan::Plan;

/// Told one line at a time. Cheap to clone.
#[derive(Clone)]
pub struct Progress {
    lines: Arc<dyn Fn(&str) + Send + Sync>,
    runs: Arc<dyn Fn(&RunId) + Send + Sync>,
    plans: Arc<dyn Fn(&Plan) + Send + Sync>,
    measures: Arc<dyn Fn(&str) + Send + Sync>,
    /// Whether somebody listens to the measures.
    measured: bool,
}

/// Without a listener to measures, a line says so often how far an installation has come.
const EVERY: Duration = Duration::from_secs(20);

impl Progress {
    /// Passes each line on.
    pub fn to(listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self {
            lines: Arc::new(listener),
            runs: Arc::new(|_| {}),
            plans: Arc::new(|_| {}),
            measures: Arc::new(|_| {}),
            measured: false,
        }
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
        Self { measures: Arc::new(listener), measured: true, ..self }
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
        self.installing(EVERY)
    }

    /// The same, with a line each `every` for output that shows no measures.
    fn installing(&self, every: Duration) -> impl FnMut(bailiwick_toolchains::Progress) + Send + use<> {
        use bailiwick_toolchains::Progress as Step;
        let progress = self.clone();
        let mut said = Instant::now();
        let mut measure = move |progress: &Self, text: &str| {
            (progress.measures)(text);
            if !progress.measured && said.elapsed() >= every {
                said = Instant::now();
                progress.say(&format!("still installing: {text}"));
            }
        };
        move |step| match step {
            Step::Waiting { set } => progress.say(&format!("waiting for another process that installs {set}")),
            Step::Installing { set, attempt: 1 } => progress.say(&format!("installing {set}")),
            Step::Installing { set, attempt } => progress.say(&format!("installing {set}, attempt {attempt}")),
            Step::Growing { megabytes, of: Some(all) } => {
                measure(&progress, &format!("{megabytes} of about {all} MB"));
            }
            Step::Growing { megabytes, of: None } => measure(&progress, &format!("{megabytes} MB")),
            Step::Note { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use bailiwick_toolchains::Progress as Step;

    use super::*;

    fn lines(every: Duration, measured: bool) -> Vec<String> {
        let said = Arc::new(Mutex::new(Vec::new()));
        let listener = said.clone();
        let progress = Progress::to(move |line| listener.lock().unwrap().push(line.to_owned()));
        let progress = if measured { progress.measuring(|_| {}) } else { progress };
        let mut installing = progress.installing(every);
        installing(Step::Installing { set: "what `pom.xml` names".into(), attempt: 1 });
        installing(Step::Growing { megabytes: 12, of: None });
        installing(Step::Growing { megabytes: 20, of: Some(185) });
        said.lock().unwrap().clone()
    }

    #[test]
    fn long_installation_says_how_far_it_has_come_for_output_that_shows_no_measures() {
        let all = lines(Duration::ZERO, false);
        assert_eq!(all[1..], ["still installing: 12 MB", "still installing: 20 of about 185 MB"]);
        assert_eq!(lines(Duration::ZERO, true).len(), 1);
        assert_eq!(lines(Duration::from_secs(3600), false).len(), 1);
    }
}
