//! Many packages, and exactly one verdict for each.
//!
//! ```text
//! manifest   which packages, at which commits, and what is to be done: the truth about what there is to do
//! schedule   longest first; shards of the same length
//! queue      a directory: one lease a job, which ends with its process, and one result, which is never replaced
//! judge      what a command printed about one package -> verdict and causes
//! report     manifest + results -> counts, groups by cause, numbers; an error where the sum is wrong
//! matrix     shards as the pipelines of Azure and GitHub want them
//! step       the step of a pipeline that repairs the packages of one pull request
//! ```
//!
//! This crate starts no process and prints nothing. The queue is only a way to hand out leases: what counts is the manifest
//! and the results, which can be carried from machine to machine as files.

mod durations;
mod error;
#[cfg(test)]
mod fuzzing;
mod judge;
mod manifest;
mod matrix;
mod queue;
mod report;
mod schedule;
mod step;
mod verdict;

pub use durations::Durations;
pub use error::FleetError;
pub use judge::{Ended, Judged, judge};
pub use manifest::{Action, FleetId, Job, Key, Manifest, Skipped, Source, Specification};
pub use matrix::{Pipeline, PipelineFile, pipeline};
pub use queue::{Lease, MOST_ATTEMPTS, Queue, Standing, Taken};
pub use report::{Changed, Group, Metrics, Report, Row};
pub use schedule::{longest_first, makespan, shards, workers};
pub use step::{Totals, step};
pub use verdict::{Cause, JobResult, Patch, Verdict};
