//! `bailiwick agent`: agents in files, over the real binary.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod desk;
mod examples;
mod grants;
mod interrupted;
mod limits;
mod malformed;
mod readme;
mod recorded;
mod resumed;
mod running;
mod spelling;
mod standin;
