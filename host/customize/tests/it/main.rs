//! The tests of customization over its public interface.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod generated_code;
mod prompts;
