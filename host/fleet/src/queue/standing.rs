//! How far a fleet is.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Queue;
use crate::error::FleetError;
use crate::jobs::State;
use crate::verdict::Verdict;

/// How far a fleet is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// Packages of the manifest, those included that are skipped.
    pub packages: usize,
    /// Packages without a verdict that no worker holds.
    pub waiting: usize,
    /// Packages that are worked on, with the attempt.
    pub at_work: Vec<(String, u32)>,
    /// Packages by verdict.
    pub verdicts: BTreeMap<Verdict, usize>,
}

impl Queue {
    /// How far the fleet is now.
    ///
    /// # Errors
    /// [`FleetError::Io`], [`FleetError::BadResult`].
    pub fn standing(&self) -> Result<Standing, FleetError> {
        let mut standing = Standing { packages: self.manifest.packages(), ..Standing::default() };
        if !self.manifest.skipped.is_empty() {
            standing.verdicts.insert(Verdict::Skipped, self.manifest.skipped.len());
        }
        for job in &self.manifest.jobs {
            if let Some(result) = self.result(&job.key)? {
                *standing.verdicts.entry(result.verdict).or_default() += 1;
            } else if let State::AtWork(attempt) = self.state(&job.key)? {
                standing.at_work.push((job.name(), attempt));
            } else {
                standing.waiting += 1;
            }
        }
        Ok(standing)
    }
}
