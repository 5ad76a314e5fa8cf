//! What the tests of every language ask about a customization.

use crate::{Snapshot, World};
use serde_json::Value;

/// How often the response says that the specification was edited, and then the code.
#[must_use]
pub fn attempts(response: &Value) -> (u64, u64) {
    (response["phaseAAttempts"].as_u64().unwrap(), response["phaseBAttempts"].as_u64().unwrap())
}

/// Asserts a success with a build, after as many attempts.
#[track_caller]
pub fn assert_success(response: &Value, wanted: (u64, u64)) {
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert_eq!(response["buildResult"]["success"], true, "{response:#}");
    assert_eq!(attempts(response), wanted, "{response:#}");
}

impl World {
    /// Reverts the run of this response, and asserts that both repositories are as they were.
    #[track_caller]
    pub fn assert_reverts(&self, response: &Value, before: &Snapshot) {
        let _ = self.bailiwick(&["run", "revert", response["runId"].as_str().unwrap()]).exits(0);
        before.assert_same(&self.snapshot());
    }

    /// The files of the SDK repository that are not as they were committed.
    #[must_use]
    pub fn changed(&self) -> Vec<String> {
        let status = self.git(self.sdk().repository(), &["status", "--porcelain", "-z", "-uall"]);
        status.split('\0').filter(|entry| entry.len() > 3).map(|entry| entry[3..].to_owned()).collect()
    }
}
