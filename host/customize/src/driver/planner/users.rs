//! What users of a package will see of what is planned.

use bailiwick_sdk::tasks::{Classification, ManualGuidance};

use super::super::CustomizeError;
use super::super::prepare::Prepared;
use super::super::seen::Seen;
use super::{Reading, items_of};
use crate::plan::PlannedEdit;

impl Reading {
    fn seen(&self) -> Option<Seen<'_>> {
        let Prepared { project, language, .. } = self.package.as_ref()?;
        let index = &self.view().before;
        Some(Seen { language: language.as_ref(), package: &project.package, before: index, after: index })
    }

    /// Items that are called done and that users of the package do not see are for a person.
    pub(super) fn as_users_see(&self, classification: Classification) -> Result<Classification, CustomizeError> {
        match self.seen() {
            Some(seen) => seen.corrected(classification, None),
            None => Ok(classification),
        }
    }

    /// What users of the package will see still when this is carried out.
    pub(super) fn foretold(
        &self,
        of: &Classification,
        edit: &PlannedEdit,
    ) -> Result<Vec<ManualGuidance>, CustomizeError> {
        let Some(seen) = self.seen() else { return Ok(Vec::new()) };
        let carried_out = items_of(of).filter(|item| !edit.refused.iter().any(|(id, _)| *id == item.id)).cloned();
        seen.foretold(&Classification { items: carried_out.collect(), ..Classification::default() })
    }
}
