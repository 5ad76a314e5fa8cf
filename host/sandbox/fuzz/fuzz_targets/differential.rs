//! The sandbox against its oracle, on plans that coverage finds worth trying.
//!
//! ```sh
//! cargo xtask guests                                # the guest that carries the plans out
//! cd host/sandbox && cargo +nightly fuzz run --sanitizer none differential
//! ```
//!
//! Without a sanitizer: it would watch memory, which is not what is compared, and wasmtime takes twice as long to build.
//!
//! The oracle, the world and the form of a plan are those of `host/sandbox/tests/it/differential`. A finding is printed as
//! a plan, which goes into `regressions.rs` there.

#![no_main]
#![expect(clippy::unwrap_used, reason = "a fuzzer stops at the first surprise")]

#[path = "../../tests/it/differential/check.rs"]
mod check;
#[path = "../../tests/it/common/mod.rs"]
#[expect(dead_code, reason = "the tests use the rest")]
mod common;
#[path = "../../tests/it/differential/expected.rs"]
mod expected;
#[path = "../../tests/it/differential/held.rs"]
mod held;
#[path = "../../tests/it/differential/oracle.rs"]
mod oracle;
#[path = "../../tests/it/differential/plan.rs"]
mod plan;
#[path = "../../tests/it/differential/way.rs"]
mod way;
#[path = "../../tests/it/differential/world.rs"]
mod world;

use libfuzzer_sys::fuzz_target;

/// Where the hostile guest is, from the directory of the crate.
const GUEST: &str = "../../../components/dist/hostile-built-in-guest.wasm";

fuzz_target!(|bytes: &[u8]| {
    let plan = plan::Plan::from_bytes(bytes);
    // Numbers of removed files come back on a disk alone, which is much slower.
    let ground = if bytes.len() % 32 == 31 { world::Ground::Disk } else { world::Ground::Memory };
    if let Err(findings) = check::check(ground, &plan) {
        panic!("{findings}\nfor `regressions.rs`:\n{plan}");
    }
});
