//! Random plans, shrunk to what is needed for a disagreement.

use super::check::check;
use super::plan::{LONGEST, Plan, RECORD};
use super::world::Ground;
use proptest::array::uniform24;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Of each run; `PROPTEST_CASES` asks for another number.
const IN_MEMORY: u32 = 600;
const ON_DISK: u32 = 30;

fn plan() -> impl Strategy<Value = Plan> {
    // Whole records, so that leaving one out is a step of shrinking.
    vec(uniform24(any::<u8>()), 1..=LONGEST)
        .prop_map(|records: Vec<[u8; RECORD]>| Plan::from_bytes(records.as_flattened()))
}

/// The same plans each time, unless a number of them is asked for: what fails here failed for a change.
fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig { failure_persistence: None, max_shrink_iters: 2000, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        default
    } else {
        ProptestConfig { cases: bailiwick_fuzz::cases(cases), rng_seed: RngSeed::Fixed(2026), ..default }
    }
}

fn agree(ground: Ground, plan: &Plan) -> Result<(), TestCaseError> {
    check(ground, plan).map_err(|findings| TestCaseError::fail(format!("{findings}\nfor `regressions.rs`:\n{plan}")))
}

proptest! {
    #![proptest_config(config(IN_MEMORY))]
    #[test]
    fn sandbox_does_what_the_oracle_says(plan in plan()) {
        agree(Ground::Memory, &plan)?;
    }
}

proptest! {
    #![proptest_config(config(ON_DISK))]
    #[test]
    fn sandbox_does_what_the_oracle_says_on_disk(plan in plan()) {
        agree(Ground::Disk, &plan)?;
    }
}
