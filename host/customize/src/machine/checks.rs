//! Which checks still hold for the files as they are now.

use serde::{Deserialize, Serialize};

/// What is known of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Check {
    /// It never ran in this run.
    NotRun,
    /// It ran, but something landed or was regenerated since.
    Stale,
    /// It ran after everything it depends on and passed.
    Passed,
    /// It ran after everything it depends on and failed.
    Failed,
}

/// The three checks of a validation. Each depends on the one before it, and all depend on the last landed edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checks {
    /// Regeneration from TypeSpec.
    pub regeneration: Check,
    /// The build.
    pub build: Check,
    /// The drift check.
    pub drift: Check,
}

impl Checks {
    /// Nothing has run.
    pub(super) const NONE: Self = Self { regeneration: Check::NotRun, build: Check::NotRun, drift: Check::NotRun };

    /// Whether the last regeneration, build and drift check passed and ran after the last landed edit, in that order.
    #[must_use]
    pub fn all_passed(self) -> bool {
        [self.regeneration, self.build, self.drift] == [Check::Passed; 3]
    }

    /// Whether no check ran in this run.
    #[must_use]
    pub fn none_ran(self) -> bool {
        self == Self::NONE
    }

    /// Something landed in a repository.
    pub(super) fn landed(&mut self) {
        self.regeneration = self.regeneration.outdated();
        self.build = self.build.outdated();
        self.drift = self.drift.outdated();
    }

    /// A regeneration ended; what it wrote has not been built.
    pub(super) fn regenerated(&mut self, check: Check) {
        self.regeneration = check;
        self.build = self.build.outdated();
        self.drift = self.drift.outdated();
    }

    /// A build ended.
    pub(super) fn built(&mut self, check: Check) {
        self.build = check;
        self.drift = self.drift.outdated();
    }

    /// A drift check ended.
    pub(super) fn drift_checked(&mut self, check: Check) {
        self.drift = check;
    }
}

impl Check {
    fn outdated(self) -> Self {
        match self {
            Self::NotRun => Self::NotRun,
            Self::Stale | Self::Passed | Self::Failed => Self::Stale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Check, Checks};

    #[test]
    fn landing_makes_every_check_stale() {
        let mut checks = Checks { regeneration: Check::Passed, build: Check::Passed, drift: Check::Passed };
        assert!(checks.all_passed());
        checks.landed();
        let all = [checks.regeneration, checks.build, checks.drift];
        assert_eq!(all, [Check::Stale; 3]);
    }

    #[test]
    fn check_without_the_one_before_it_is_not_enough() {
        let mut checks = Checks::NONE;
        checks.built(Check::Passed);
        checks.drift_checked(Check::Passed);
        assert!(!checks.all_passed());
        checks.regenerated(Check::Passed);
        assert!(!checks.all_passed());
    }
}
