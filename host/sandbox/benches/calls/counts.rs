//! Instructions in user space of one call: this program runs itself under callgrind twice, with few and with more
//! calls, and the difference is what the calls took. The kernel's part is not in it.

use crate::world::{Case, World};
use bailiwick_sandbox::Allocation;
use std::process::Command;

/// Asks this program to make calls and to print nothing.
pub(crate) const FLAG: &str = "--count";

const FEW: u64 = 20;

/// What [`FLAG`] does.
pub(crate) fn repeat(case: &str, calls: u64) {
    let case = Case::ALL.into_iter().find(|known| known.name() == case).unwrap();
    // Callgrind has no room for the address space that a pool reserves.
    let world = World::new(Allocation::OnDemand);
    for _ in 0..calls {
        world.invoke(case);
    }
}

/// The instructions of one call, or why there is no number.
pub(crate) fn measure(case: Case) -> String {
    let more = if case == Case::Large { 60 } else { 420 };
    match (run(case, FEW), run(case, more)) {
        (Ok(few), Ok(many)) => format!("{}", many.saturating_sub(few) / (more - FEW)),
        (Err(reason), _) | (_, Err(reason)) => format!("not counted: {reason}"),
    }
}

fn run(case: Case, calls: u64) -> Result<u64, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--"])
        .arg(own)
        .args([FLAG, case.name(), &calls.to_string()])
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text.lines().find_map(|line| line.split_once("Collected : "));
    collected
        .and_then(|(_, number)| number.trim().parse().ok())
        .ok_or_else(|| text.lines().last().unwrap_or("valgrind said nothing").to_owned())
}
