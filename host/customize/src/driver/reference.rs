//! The page about client customizations that a run's agents read.

use super::Progress;
use crate::knowledge::{IN_REPOSITORY, Origin, Reference};
use crate::typespec::SpecProject;

/// Takes the repository's own page about client customizations where there is one, and says so.
pub(super) fn read_reference(project: &SpecProject, progress: &Progress) -> Reference {
    let reference = Reference::of(project);
    match &reference.origin {
        Origin::Embedded => {}
        Origin::Repository(_) => progress.say(&format!("reading the repository's `{IN_REPOSITORY}`")),
        Origin::PassedOver { reason } => {
            progress.say(&format!("the repository's own reference is passed over: {reason}"));
        }
    }
    reference
}
