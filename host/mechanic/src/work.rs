//! Counts the steps that reading takes, so that tests can tell whether they grow with the text and no faster.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts so many steps; nothing outside tests.
#[inline(always)]
pub(crate) fn steps(count: usize) {
    #[cfg(test)]
    STEPS.with(|steps| steps.set(steps.get() + count as u64));
    #[cfg(not(test))]
    let _ = count;
}

/// The steps that a piece of work takes.
#[cfg(test)]
pub(crate) fn of(work: impl FnOnce()) -> u64 {
    STEPS.with(|steps| steps.set(0));
    work();
    STEPS.with(std::cell::Cell::get)
}
