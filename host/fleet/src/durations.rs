//! How long packages took last time.

use std::collections::BTreeMap;
use std::path::Path;

use bailiwick_base::files::{Replace, plain};
use serde::{Deserialize, Serialize};

use crate::error::FleetError;
use crate::manifest::{Action, Job};

/// Seconds by action and package. What is lost of it costs time and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Durations(BTreeMap<String, f64>);

impl Durations {
    /// What a file says; nothing if it is missing or cannot be used.
    #[must_use]
    pub fn read(path: &Path) -> Self {
        plain::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// How long this took last time, with its repository in front of the package.
    #[must_use]
    pub fn of(&self, action: Action, package: &str) -> Option<f64> {
        self.0.get(&name(action, package)).copied().filter(|seconds| seconds.is_finite() && *seconds >= 0.0)
    }

    /// All of them, in seconds.
    pub fn all(&self) -> impl Iterator<Item = f64> {
        self.0.values().copied().filter(|seconds| seconds.is_finite() && *seconds >= 0.0)
    }

    /// Records how long a job took.
    pub fn record(&mut self, job: &Job, seconds: f64) {
        self.0.insert(name(job.action, &job.name()), (seconds * 10.0).round() / 10.0);
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`FleetError::Io`].
    pub fn write(&self, path: &Path) -> Result<(), FleetError> {
        let text = serde_json::to_vec_pretty(self).unwrap_or_default();
        Replace { mode: 0o600, durable: false }.write(path, &text).map_err(FleetError::io(path, "written"))
    }
}

fn name(action: Action, package: &str) -> String {
    format!("{} {package}", action.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::testing;

    #[test]
    fn what_was_recorded_is_known_next_time_and_a_broken_file_is_ignored() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("durations.json");
        let mut durations = Durations::read(&path);
        let job = testing::job("a", None);
        durations.record(&job, 12.34);
        durations.write(&path).unwrap();
        assert_eq!(Durations::read(&path).of(Action::Fix, &job.name()), Some(12.3));
        assert_eq!(Durations::read(&path).of(Action::Build, &job.name()), None);
        for text in ["", "[]", "{\"fix a\": \"x\"}", "{\"a\": 1e999}"] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(Durations::read(&path), Durations::default(), "{text}");
        }
    }
}
