//! The fallback: all of it again where `openat2` is refused, as container runtimes with an old filter do.

use super::special::cannot;
use crate::without_openat2::{is_refused, passes};
use bailiwick_sandbox::fs::resolve::{self, Resolution};

/// What resolves a path here is what this run is about.
#[test]
fn resolution_is_the_one_that_is_tested() {
    if is_refused() {
        assert_eq!(resolve::available(), Resolution::Walk);
    } else if resolve::available() != Resolution::Openat2 {
        cannot("`openat2`", "the kernel or a filter refuses it");
    }
}

#[test]
fn every_test_holds_where_openat2_is_refused() {
    if is_refused() {
        return;
    }
    let tests: &[&str] =
        if bailiwick_fuzz::is_quick() { &["hostile::links::", "hostile::without_openat2::"] } else { &["hostile::"] };
    passes(
        |command| {
            command.args(tests);
        },
        &[
            "hostile::without_openat2::resolution_is_the_one_that_is_tested",
            "hostile::links::links_to_the_outside_are_never_followed",
        ],
    );
}
