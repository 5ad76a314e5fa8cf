//! The same where `openat2` is refused, as container runtimes with an old filter do: fewer plans, and all the others.

use bailiwick_sandbox::fs::resolve::{self, Resolution};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use std::collections::BTreeMap;
use std::process::{Command, Output};

/// Set for the process that runs without `openat2`.
const MARK: &str = "BAILIWICK_TESTS_WITHOUT_OPENAT2";
const PLANS: u32 = 200;

#[test]
fn resolution_is_the_one_that_is_tested() {
    let expected = if std::env::var_os(MARK).is_some() { Resolution::Walk } else { Resolution::Openat2 };
    assert_eq!(resolve::available(), expected, "without it half of these tests repeats the other");
}

#[test]
fn oracle_holds_where_openat2_is_refused() {
    if std::env::var_os(MARK).is_some() {
        return;
    }
    // A filter is the thread's and its children's: this thread ends with them.
    let output = std::thread::spawn(again).join().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
    for test in [
        "differential::without_openat2::resolution_is_the_one_that_is_tested",
        "differential::random::sandbox_does_what_the_oracle_says",
    ] {
        assert!(told.contains(&format!("test {test} ... ok")), "{told}");
    }
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
    // The resolver was compared with both mechanisms already, and has only the one here.
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["differential::", "--skip", "resolver::", "--skip", "on_disk"]);
    // The same plans each time: what fails here failed for a change.
    command.env("PROPTEST_CASES", bailiwick_fuzz::cases(PLANS).to_string()).env("PROPTEST_RNG_SEED", "2026");
    command.env(MARK, "1").output().unwrap()
}
