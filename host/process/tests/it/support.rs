//! What is said to be enforced is what a confined run enforces.

use bailiwick_process::{Availability, Confinement, ProcessError, Supervisor};

use crate::{command, place, rules, run, supervisor};

#[tokio::test]
async fn run_is_confined_exactly_where_support_says_so() {
    let place = place();
    let support = supervisor().support();
    assert_eq!(support.mechanisms.len(), 12);
    let result = run(&command("true", &[], Confinement::Confined(rules(&place.inside)))).await;
    match support.confines() {
        Ok(()) => assert!(result.is_ok(), "{result:?}"),
        Err(missing) => assert!(matches!(result, Err(ProcessError::CannotConfine { .. })), "{missing}: {result:?}"),
    }
}

#[test]
fn program_that_is_not_a_helper_supports_nothing_and_says_why() {
    let support = Supervisor::new("/bin/true".into()).support();
    assert!(support.confines().unwrap_err().contains("/bin/true"));
    assert!(support.mechanisms.iter().all(|mechanism| matches!(mechanism.availability, Availability::No(_))));
}
