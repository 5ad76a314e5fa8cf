//! Hostile text for the readers of foreign text.
//!
//! A target is a unit test beside its reader, in a module called `fuzzing`, that calls [`Target::run`]. It reads every file
//! of the target's corpus (`host/fuzz/corpus/NAME`), then copies of them that proptest changed: pieces removed, repeated,
//! exchanged, and words of the format put in between. All of it happens on a stack of 1 MiB, so that a reader which goes
//! as deep as its text ends the test.
//!
//! `cargo test` tries a few hundred copies, the same ones each time. `cargo xtask fuzz --seconds 60 [TARGET]` goes on with
//! others for that long. A text that makes a reader panic is made small by proptest, printed and left in a file; it belongs
//! into the corpus, where every later test reads it. What ends the process or never comes back cannot be printed by it:
//! the text stands in the file that is named at the start.

mod change;
mod corpus;
mod target;
mod watch;

pub use target::Target;

/// Whether tests are to be short: `cargo xtask test --quick` sets `BAILIWICK_TESTS_QUICK`.
#[must_use]
pub fn is_quick() -> bool {
    std::env::var_os("BAILIWICK_TESTS_QUICK").is_some()
}

/// How many cases a property is tried with: all of them, or the first eighth where tests are to be short.
#[must_use]
pub fn cases(all: u32) -> u32 {
    if is_quick() { all.div_ceil(8) } else { all }
}

/// The step of a test that tries every place: 1, or 7 where tests are to be short. 7 and the 8 bits of a byte have no
/// factor in common, so that each bit has its turn.
#[must_use]
pub fn stride() -> usize {
    if is_quick() { 7 } else { 1 }
}

/// Half of what a worker of tokio has. (Unoptimised, the 128 levels that JSON and YAML may have take half of it.)
pub const SMALL_STACK: usize = 1024 * 1024;

/// Does something on a thread with a [`SMALL_STACK`] and gives what it gave.
///
/// # Panics
/// When `work` does, or no thread can be started. A stack that overflows ends the process.
pub fn on_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(SMALL_STACK).spawn(work);
    match thread.expect("a thread can be started").join() {
        Ok(done) => done,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
