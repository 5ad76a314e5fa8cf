//! Tests once more where `openat2` is refused, as container runtimes with an old filter do.

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use std::collections::BTreeMap;
use std::process::Command;

/// Set for the process that runs without `openat2`.
const MARK: &str = "BAILIWICK_TESTS_WITHOUT_OPENAT2";

/// Whether this is that process.
pub(crate) fn is_refused() -> bool {
    std::env::var_os(MARK).is_some()
}

/// Runs this program of tests so, as `given` says. Each of the named tests has to pass, and no other may fail.
#[track_caller]
pub(crate) fn passes(given: impl FnOnce(&mut Command), named: &[&str]) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    given(command.env(MARK, "1"));
    // A filter is the thread's and its children's: this thread ends with them.
    let output = std::thread::spawn(move || {
        refuse();
        command.output().unwrap()
    });
    let output = output.join().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
    for test in named {
        assert!(told.contains(&format!("test {test} ... ok")), "{told}");
    }
}

fn refuse() {
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
}
