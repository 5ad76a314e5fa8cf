//! Attempts that were refused: what a run and the audit log show of a tool that reached for more than it had.

use serde::Serialize;

/// Why an attempt was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DenialReason {
    /// The path leads out of the grant.
    Outside,
    /// The grant, or the layer that has the file, is read-only.
    ReadOnly,
    /// A FIFO, a socket or a device.
    Special,
    /// A write to a sensitive place that the grant does not allow.
    Sensitive,
    /// A place that the grant hides.
    Hidden,
    /// A write in place to a file with more than one name.
    HardLink,
    /// Making a symbolic or a hard link, or writing through one that leads nowhere.
    Link,
    /// Setting times.
    Metadata,
    /// Making a socket, or looking up a name.
    Network,
    /// A filesystem of the kernel's, mounted inside the grant.
    Kernel,
    /// No rule is about the scheme, host and port of a request.
    Host,
    /// A rule is about the place, and none allows the method.
    Method,
    /// The host has an address that the rule does not reach: of this machine, of a private network, or reserved.
    Address,
    /// A request that could be read in two ways: an odd host, a user's name in it, a header that is the connection's.
    Request,
    /// One request more than the call may make.
    Budget,
}

impl DenialReason {
    /// The reason in one word, as the audit log has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Outside => "outside",
            Self::ReadOnly => "read-only",
            Self::Special => "special",
            Self::Sensitive => "sensitive",
            Self::Hidden => "hidden",
            Self::HardLink => "hard-link",
            Self::Link => "link",
            Self::Metadata => "metadata",
            Self::Network => "network",
            Self::Kernel => "kernel",
            Self::Host => "host",
            Self::Method => "method",
            Self::Address => "address",
            Self::Request => "request",
            Self::Budget => "budget",
        }
    }
}

/// One refused attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Denial {
    /// The call of `wasi:filesystem`, such as `open-at`, or `http-request`.
    pub operation: &'static str,
    /// The path as the guest gave it, or method, scheme and authority of a request; cut after 256 bytes. Text from the guest: escape it before showing it.
    pub path: String,
    /// Why.
    pub reason: DenialReason,
}

/// How many of a call's refused attempts are kept; all of them are counted.
pub(crate) const KEPT: usize = 16;

const LONGEST_PATH: usize = 256;

impl Denial {
    pub(crate) fn new(operation: &'static str, path: &str, reason: DenialReason) -> Self {
        let end = path.floor_char_boundary(LONGEST_PATH);
        Self { operation, path: path[..end].to_owned(), reason }
    }
}
