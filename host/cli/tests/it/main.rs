//! The tests of the `bailiwick` command that need its own features.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod requests;
#[cfg(feature = "opentelemetry")]
mod telemetry;
