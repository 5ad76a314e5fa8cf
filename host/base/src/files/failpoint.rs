//! Every step that changes a disk passes here, so that tests can fail or end the process at each one.

/// Passes a step. Without the feature `failpoints` nothing happens here.
#[cfg(not(feature = "failpoints"))]
#[inline]
pub fn hit() -> rustix::io::Result<()> {
    Ok(())
}

#[cfg(feature = "failpoints")]
pub use armed::{Call, Mode, arm, arm_calls, disarm, hit, resume, suspend};

/// Whether this thread pretends that the file system cannot exchange files.
pub(super) fn no_exchange() -> bool {
    #[cfg(feature = "failpoints")]
    return armed::exchange_is_unsupported();
    #[cfg(not(feature = "failpoints"))]
    false
}

#[cfg(feature = "failpoints")]
mod armed {
    use std::cell::{Cell, RefCell};

    /// What happens at the chosen step.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Mode {
        /// The step fails once with an input/output error.
        Error,
        /// The thread ends there. Nothing in the crate cleans up while unwinding, so for the disk
        /// this is the same as a killed process.
        Crash,
        /// Atomic exchange of two files is reported as unsupported, from the first step on.
        NoExchange,
        /// Both of the above.
        ErrorWithoutExchange,
    }

    /// An action of another process just before a step.
    pub type Call = Box<dyn FnOnce()>;

    thread_local! {
        static CALLS: RefCell<Vec<(u64, Call)>> = const { RefCell::new(Vec::new()) };
        static ARMED: Cell<Option<(u64, Mode)>> = const { Cell::new(None) };
        static PASSED: Cell<u64> = const { Cell::new(0) };
    }

    /// The `step`th step from now on, counted from 0, ends in `mode`.
    pub fn arm(step: u64, mode: Mode) {
        ARMED.set(Some((step, mode)));
        PASSED.set(0);
    }

    /// Runs an action of another process just before the named steps. The action itself passes no failpoint.
    pub fn arm_calls(calls: Vec<(u64, Call)>) {
        CALLS.set(calls);
        PASSED.set(0);
    }

    /// Nothing fails any more; returns how many steps have passed since `arm`.
    pub fn disarm() -> u64 {
        ARMED.set(None);
        CALLS.take();
        PASSED.get()
    }

    /// Takes what is armed away until `resume`.
    pub fn suspend() -> (Option<(u64, Mode)>, u64) {
        (ARMED.take(), PASSED.get())
    }

    /// Arms again what was taken away.
    pub fn resume((armed, passed): (Option<(u64, Mode)>, u64)) {
        ARMED.set(armed);
        PASSED.set(passed);
    }

    /// Passes a step: fails, ends the thread or runs the action that is armed for it.
    pub fn hit() -> rustix::io::Result<()> {
        crate::files::observer::tell(crate::files::observer::Passed::Step);
        let passed = PASSED.get();
        let due = CALLS.with_borrow_mut(|calls| {
            let (due, later) = calls.drain(..).partition(|(step, _)| *step == passed);
            *calls = later;
            due
        });
        call(due);
        PASSED.set(passed + 1);
        let Some((step, mode)) = ARMED.get() else { return Ok(()) };
        if step != passed {
            return Ok(());
        }
        match mode {
            Mode::Error | Mode::ErrorWithoutExchange => Err(rustix::io::Errno::IO),
            Mode::Crash => {
                ARMED.set(None);
                std::panic::panic_any("crash at a failpoint");
            }
            Mode::NoExchange => Ok(()),
        }
    }

    fn call(due: Vec<(u64, Call)>) {
        if !due.is_empty() {
            let rest = CALLS.take();
            let armed = suspend();
            for (_, call) in due {
                call();
            }
            resume(armed);
            CALLS.set(rest);
        }
    }

    pub(super) fn exchange_is_unsupported() -> bool {
        matches!(ARMED.get(), Some((_, Mode::NoExchange | Mode::ErrorWithoutExchange)))
    }
}
