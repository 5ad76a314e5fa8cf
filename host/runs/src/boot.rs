//! Which start of the machine this is.

/// The kernel's name for this start; `None` where it gives none, and then no two moments belong to the same.
pub(crate) fn id() -> Option<String> {
    #[cfg(test)]
    if let Some(pretended) = PRETENDED.with_borrow(Clone::clone) {
        return Some(pretended);
    }
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned())
}

#[cfg(test)]
thread_local! {
    static PRETENDED: std::cell::RefCell<Option<String>> = const { std::cell::RefCell::new(None) };
}

/// This thread takes the machine for started anew.
#[cfg(test)]
pub(crate) fn pretend(name: Option<&str>) {
    PRETENDED.set(name.map(str::to_owned));
}
