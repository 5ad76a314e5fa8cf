//! The same where `openat2` is refused, as container runtimes with an old filter do: fewer plans, and all the others.

use crate::without_openat2::{is_refused, passes};
use bailiwick_sandbox::fs::resolve::{self, Resolution};

const PLANS: u32 = 200;

#[test]
fn resolution_is_the_one_that_is_tested() {
    let expected = if is_refused() { Resolution::Walk } else { Resolution::Openat2 };
    assert_eq!(resolve::available(), expected, "without it half of these tests repeats the other");
}

#[test]
fn oracle_holds_where_openat2_is_refused() {
    if is_refused() {
        return;
    }
    passes(
        |command| {
            // The resolver was compared with both mechanisms already, and has only the one here.
            command.args(["differential::", "--skip", "resolver::", "--skip", "on_disk"]);
            // The same plans each time: what fails here failed for a change.
            command.env("PROPTEST_CASES", bailiwick_fuzz::cases(PLANS).to_string()).env("PROPTEST_RNG_SEED", "2026");
        },
        &[
            "differential::without_openat2::resolution_is_the_one_that_is_tested",
            "differential::random::sandbox_does_what_the_oracle_says",
        ],
    );
}
