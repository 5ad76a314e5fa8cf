//! `--spec-commit`: which commit of the specification a command works with.

use super::package::Target;
use crate::exit::{Code, Error, Result};
use crate::{output, places};
use bailiwick_customize::checkout::{
    CheckoutError, Edits, SpecCommit, SpecCopy, specification_at, sweep, working_tree_at,
};
use bailiwick_customize::driver::with_sources;
use bailiwick_customize::typespec::TypespecError;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct AtCommit {
    /// The commit of the specification: `pinned` is the one that `tsp-location.yaml` names, `head` the one that the clone
    /// stands at, without what is not committed. It is checked out in a directory of its own, which is removed afterwards.
    /// If this is left out, the clone is taken as it stands.
    #[arg(long, value_name = "pinned|head|SHA")]
    pub(crate) spec_commit: Option<SpecCommit>,
}

impl AtCommit {
    /// The target with the specification at the commit, and what has to be kept until the work is done.
    pub(crate) fn read(&self, target: &Target) -> Result<(Target, Option<SpecCopy>)> {
        let Some(commit) = &self.spec_commit else { return Ok((target.clone(), None)) };
        let place = places::checkouts()?;
        let project = target.typespec_project_path.as_deref();
        let copy = specification_at(&target.package_path, project, commit, Edits::Never, &place).map_err(failure)?;
        output::progress(&format!("the specification is at commit {}", copy.commit()));
        let target = Target { typespec_project_path: Some(copy.project()), ..target.clone() };
        Ok((target, Some(copy)))
    }

    /// For a command that edits the specification, in the person's checkout: that has to be what the commit holds.
    pub(crate) fn edit(&self, target: &Target) -> Result<()> {
        let Some(commit) = &self.spec_commit else { return Ok(()) };
        let project = target.typespec_project_path.as_deref();
        working_tree_at(&target.package_path, project, commit, &places::checkouts()?).map_err(failure)
    }
}

/// Removes what a killed command left.
pub(crate) fn tidy() {
    let swept = places::checkouts().and_then(|place| sweep(&place).map_err(failure));
    if let Err(error) = swept {
        output::progress(&format!("warning: a checkout that a killed command left was not removed: {}", error.message));
    }
}

/// An error of a checkout with its exit code.
#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
pub(crate) fn failure(error: CheckoutError) -> Error {
    let code = match &error {
        CheckoutError::Typespec(TypespecError::Io { .. })
        | CheckoutError::Git { .. }
        | CheckoutError::NoGit(_)
        | CheckoutError::Io { .. }
        | CheckoutError::Tree { .. } => Code::NoSuccess,
        CheckoutError::Differs { .. } | CheckoutError::Place { .. } | CheckoutError::NotPlain { .. } => Code::Refused,
        _ => Code::Usage,
    };
    Error { message: with_sources(&error), hint: error.hint(), code }
}
