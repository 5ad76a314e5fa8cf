//! The fallback: all of it again where `openat2` is refused, as container runtimes with an old filter do.

use super::special::cannot;
use bailiwick_sandbox::fs::resolve::{self, Resolution};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use std::collections::BTreeMap;
use std::process::{Command, Output};

/// Set for the process that runs without `openat2`.
const MARK: &str = "BAILIWICK_TESTS_WITHOUT_OPENAT2";

/// What resolves a path here is what this run is about.
#[test]
fn resolution_is_the_one_that_is_tested() {
    if std::env::var_os(MARK).is_some() {
        assert_eq!(resolve::available(), Resolution::Walk);
    } else if resolve::available() != Resolution::Openat2 {
        cannot("`openat2`", "the kernel or a filter refuses it");
    }
}

#[test]
fn every_test_holds_where_openat2_is_refused() {
    if std::env::var_os(MARK).is_some() {
        return;
    }
    // A filter is the thread's and its children's: this thread ends with them.
    let output = std::thread::spawn(again).join().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.contains("test hostile::without_openat2::resolution_is_the_one_that_is_tested ... ok"), "{told}");
    assert!(told.contains("test hostile::links::links_to_the_outside_are_never_followed ... ok"), "{told}");
}

fn again() -> Output {
    let filter: BpfProgram = SeccompFilter::new(
        BTreeMap::from([(libc::SYS_openat2, Vec::new())]),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EPERM.unsigned_abs()),
        std::env::consts::ARCH.try_into().unwrap(),
    )
    .unwrap()
    .try_into()
    .unwrap();
    apply_filter(&filter).unwrap();
    let tests: &[&str] =
        if bailiwick_fuzz::is_quick() { &["hostile::links::", "hostile::without_openat2::"] } else { &["hostile::"] };
    Command::new(std::env::current_exe().unwrap()).args(tests).env(MARK, "1").output().unwrap()
}
