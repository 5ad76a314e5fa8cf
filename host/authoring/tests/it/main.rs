//! The tests of projects of tools over their public interface.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod examples;
