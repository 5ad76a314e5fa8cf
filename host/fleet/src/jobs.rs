//! What a worker and the coordinator of a fleet ask of a queue, whatever it is made of.
//!
//! A queue hands out leases and takes results. It holds no truth: what there is to do is the manifest, and what was done
//! are the results with their artifacts. What a queue loses is offered again.

use async_trait::async_trait;

use crate::error::FleetError;
use crate::evidence::Left;
use crate::manifest::{Job, Key, Manifest};

/// A queue.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Whether the coordinator is on this machine, so that the clones that they name are here.
    fn is_of_this_machine(&self) -> bool;

    /// Has the jobs of the manifest done that have these keys. What is there already is not there twice afterwards.
    ///
    /// # Errors
    /// See [`FleetError`].
    async fn offer(&self, manifest: &Manifest, keys: &[Key]) -> Result<(), FleetError>;

    /// The next job. What a person took back and what killed too many workers gets its result here, and is not given out.
    ///
    /// # Errors
    /// See [`FleetError`].
    async fn take(&self) -> Result<Next, FleetError>;

    /// Takes one job of a fleet back, or all that have no result.
    ///
    /// # Errors
    /// See [`FleetError`].
    async fn cancel(&self, manifest: &Manifest, job: Option<&Key>) -> Result<(), FleetError>;

    /// How far the jobs of a fleet are.
    ///
    /// # Errors
    /// See [`FleetError`].
    async fn list(&self, manifest: &Manifest) -> Result<Vec<Listed>, FleetError>;
}

/// What a worker that asks for work is told.
pub enum Next {
    /// This is to be done.
    Job(Box<dyn Held>),
    /// Others are at work, and what they do may come back.
    Wait,
    /// There is nothing to do.
    Done,
}

/// The right to work on a job and to leave its result. It is kept for as long as its process lives, and until it is
/// dropped.
#[async_trait]
pub trait Held: Send + Sync {
    /// What is to be done.
    fn job(&self) -> &Job;

    /// Which attempt this is, from 1.
    fn attempt(&self) -> u32;

    /// Whether a person took the job back.
    fn is_cancelled(&self) -> bool;

    /// Keeps something beside the result.
    ///
    /// # Errors
    /// See [`FleetError`].
    async fn keep_artifact(&self, name: &str, content: &[u8]) -> Result<(), FleetError>;

    /// Leaves the one result of the job.
    ///
    /// # Errors
    /// See [`FleetError`]. The job has no result then, and is given to another worker.
    async fn finish(self: Box<Self>, left: Left) -> Result<Finished, FleetError>;

    /// Ends the lease without a result and without counting the attempt: the worker was told to end.
    ///
    /// # Errors
    /// See [`FleetError`].
    async fn give_back(self: Box<Self>) -> Result<(), FleetError>;
}

/// What became of a result that a worker left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finished {
    /// It is the job's result.
    Kept,
    /// The lease was over, and another worker has the job or has done it. Nothing was kept.
    Late,
}

/// A job and how far it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The job.
    pub key: Key,
    /// How far it is.
    pub state: State,
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It waits for a worker.
    Waiting,
    /// A worker has it, with the attempt.
    AtWork(u32),
    /// It has its result.
    Done,
}
