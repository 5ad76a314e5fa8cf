//! Many packages, and exactly one verdict for each.
//!
//! ```text
//! manifest   which packages, at which commits, and what is to be done: the truth about what there is to do
//! schedule   longest first; shards of the same length
//! jobs       what is asked of a queue, whatever it is made of
//! queue      a directory: one lease a job, which ends with its process, and one result, which is never replaced
//! nats       many machines over NATS JetStream, behind the feature `nats`
//! evidence   whether a verdict that came from another machine is what the command said
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
mod evidence;
#[cfg(test)]
mod fuzzing;
mod jobs;
mod judge;
mod manifest;
mod matrix;
#[cfg(feature = "nats")]
mod nats;
mod patch;
mod queue;
mod report;
mod schedule;
mod step;
#[cfg(test)]
mod suite;
mod verdict;

pub use durations::Durations;
pub use error::FleetError;
pub use evidence::{Left, contradiction};
pub use jobs::{Finished, Held, Jobs, Listed, Next, State};
pub use judge::{Ended, Judged, judge};
pub use manifest::{Action, FleetId, Job, Key, Manifest, Skipped, Source, Specification};
pub use matrix::{Pipeline, PipelineFile, pipeline};
#[cfg(feature = "nats")]
pub use nats::{Fetched, Nats, Setting};
pub use queue::{Lease, MOST_ATTEMPTS, Queue, Standing, Taken};
pub use report::{Changed, Group, Metrics, Report, Row};
pub use schedule::{longest_first, makespan, shards, workers};
pub use step::{Totals, step};
pub use verdict::{Cause, JobResult, Patch, Verdict};
