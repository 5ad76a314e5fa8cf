//! Limits of the engine that a guest ran into.
//!
//! wasmtime 48 has no public type for these two: its `HostcallFuelExhausted` is private, and the limit of handles is a text.
//! Both are therefore recognised by the whole text of the cause. A text that only contains one of these, say in a word of
//! the guest's, is not a limit. `tests/limits/{strings,handles}.rs` run into both, so a new wasmtime with other texts fails
//! there.

/// What a guest wanted too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EngineLimit {
    /// Bytes copied between guest and host in one call (`Store::set_hostcall_fuel`).
    CopiedBytes,
    /// Handles of the component model (`Store::set_max_component_handles`).
    Handles,
}

const TEXTS: [(EngineLimit, &str); 3] = [
    (
        EngineLimit::CopiedBytes,
        "too much data is being copied between the host and the guest: fuel allocated for hostcalls has been exhausted",
    ),
    (EngineLimit::Handles, "cannot allocate another handle: store handle limit exceeded"),
    (EngineLimit::Handles, "cannot lend resource: store handle limit exceeded"),
];

impl EngineLimit {
    /// The limit that the cause of an error of the engine names.
    pub(crate) fn of(cause: &str) -> Option<Self> {
        TEXTS.into_iter().find(|(_, text)| *text == cause).map(|(limit, _)| limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_guest_are_not_a_limit() {
        for (limit, text) in TEXTS {
            assert_eq!(EngineLimit::of(text), Some(limit));
            assert_eq!(EngineLimit::of(&format!("import `{text}` has the wrong type")), None);
        }
    }
}
