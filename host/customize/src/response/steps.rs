//! What to do next.

use super::{Disposition, RunFacts};
use crate::machine::Outcome;
use crate::surface::Surface;

/// The steps after a run, the sentence of the outcome first (seed 000), commands after it.
pub(super) fn next_steps(outcome: Outcome, facts: &RunFacts) -> Vec<String> {
    let RunFacts { run_id, disposition, leftovers, put_back, .. } = facts;
    let command = |verb: &str, what: &str| format!("`bailiwick run {verb} {run_id}` {what}");
    let mut steps = match (outcome, disposition) {
        (Outcome::Success, Disposition::Unchanged) => {
            vec!["Nothing was changed, so there is nothing to approve".to_owned()]
        }
        (Outcome::Success, _) => vec!["Review changes and commit if approved".to_owned()],
        (Outcome::Partial, _) => vec!["Some issues remain, review and fix manually".to_owned()],
        (Outcome::Failure, _) => vec!["Manual intervention required, see error details".to_owned()],
    };
    if outcome != Outcome::Failure {
        steps.extend(leftovers.iter().cloned());
        steps.extend(facts.surface.as_ref().and_then(Surface::dropped));
    }
    let beneath = |root: &str| facts.files.iter().any(|file| file.path.split('/').next() == Some(root));
    if outcome != Outcome::Failure && beneath("spec") && beneath("sdk") {
        steps.push(
            "Two repositories changed: open a pull request in each. When the one of the specification is merged, set \
             `commit` in `tsp-location.yaml` to the merged commit, or the next generation undoes the change"
                .to_owned(),
        );
    }
    if outcome != Outcome::Success && !facts.candidates.is_empty() {
        steps.push(
            "Give what is meant of `candidates` as directives: the request does not say it for certain".to_owned(),
        );
    }
    match disposition {
        Disposition::Pending => {
            steps.push(command("show", "shows the changes"));
            steps.push(command("approve", "keeps them and closes the run; nothing is committed for you"));
            steps.push(command("revert", "puts both repositories back as they were"));
        }
        Disposition::Kept => {
            steps.push(command("show", "shows what was kept although the run failed"));
            steps.push(command("revert", "puts both repositories back as they were"));
        }
        Disposition::Reverted => {
            steps.push(command("show", "shows what was tried; both repositories are as they were"));
            if let Some(patch) = put_back {
                steps.push(format!("`{patch}` is a patch of the changes of agents that were put back"));
            }
        }
        Disposition::Unchanged if outcome != Outcome::Success => {
            steps.push(command("show", "shows the details; nothing was changed"));
        }
        Disposition::Unchanged => {}
    }
    steps
}
