//! What a call cost, known even when it failed.

use serde::Serialize;
use std::time::Duration;

/// Measured cost of one call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// Microseconds on the worker: store, instance, call and tear-down.
    #[serde(serialize_with = "micros")]
    pub wall: Duration,
    /// Microseconds of that before the guest ran: the store, the limits, the instance.
    #[serde(serialize_with = "micros")]
    pub setup: Duration,
    /// Microseconds of that after the guest had answered: its memory wiped, its handles closed.
    #[serde(serialize_with = "micros")]
    pub teardown: Duration,
    /// Microseconds of checking input and output against the schemas, on the calling thread.
    #[serde(serialize_with = "micros")]
    pub checking: Duration,
    /// Largest size of the guest's linear memory, in bytes.
    pub memory_bytes: usize,
    /// Bytes of the input JSON.
    pub input_bytes: usize,
    /// Bytes of the output JSON.
    pub output_bytes: usize,
    /// Bytes read from files.
    pub read_bytes: u64,
    /// Bytes written to files.
    pub written_bytes: u64,
    /// Calls into the host's filesystem.
    pub host_calls: u32,
    /// Requests that were let go out.
    pub requests: u32,
    /// Bytes of their bodies.
    pub sent_bytes: u64,
    /// Bytes of the bodies of their answers.
    pub received_bytes: u64,
    /// Attempts the sandbox refused: outside a grant, through a read-only one, on a special file, or a request that no
    /// rule allows.
    pub denied: u32,
}

fn micros<S: serde::Serializer>(value: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(value.as_micros()).unwrap_or(u64::MAX))
}
