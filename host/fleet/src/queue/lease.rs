//! Taking a job, and leaving its result.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;

use bailiwick_base::files::plain;
use bailiwick_base::time::Moment;

use super::{MOST_ATTEMPTS, Queue};
use crate::error::FleetError;
use crate::manifest::{Job, Key};
use crate::verdict::{JobResult, Verdict};

/// What a worker that asks for work is told.
#[derive(Debug)]
pub enum Taken {
    /// This is to be done.
    Job(Box<Lease>),
    /// Others are at work, and what they do may come back.
    Wait,
    /// Everything has its result.
    Done,
}

/// The right to work on a job and to leave its result. It ends with the process.
#[derive(Debug)]
pub struct Lease {
    queue: Queue,
    job: Job,
    attempt: u32,
    held: Held,
}

/// A lock, given back in words: a child that is just being started holds a copy of the handle.
#[derive(Debug)]
struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

impl Queue {
    /// The next job, longest first. Jobs that a person took back, and those that killed too many workers, get their result
    /// here and are not given out.
    ///
    /// # Errors
    /// [`FleetError::Io`], [`FleetError::BadResult`].
    pub fn take(&self) -> Result<Taken, FleetError> {
        let mut busy = false;
        for key in &self.order {
            if self.has_result(key) {
                continue;
            }
            let Some(lease) = self.lease(key)? else {
                busy = true;
                continue;
            };
            // Another worker may have left one before we had the lock.
            if self.has_result(key) {
                continue;
            }
            if self.is_cancelled(key) {
                lease.finish(lease.of_fleet(Verdict::Cancelled, "it was cancelled before it was begun"))?;
            } else if lease.attempt > MOST_ATTEMPTS {
                let died = format!("{MOST_ATTEMPTS} workers died of it");
                lease.finish(lease.of_fleet(Verdict::KilledItsWorker, &died))?;
            } else {
                lease.count()?;
                return Ok(Taken::Job(Box::new(lease)));
            }
        }
        Ok(if busy { Taken::Wait } else { Taken::Done })
    }

    /// Settles what was cancelled and is not at work.
    ///
    /// # Errors
    /// As for [`Self::take`].
    pub fn settle_cancelled(&self) -> Result<(), FleetError> {
        for key in self.order.iter().filter(|key| self.is_cancelled(key) && !self.has_result(key)) {
            if let Some(lease) = self.lease(key)?
                && !self.has_result(key)
            {
                lease.finish(lease.of_fleet(Verdict::Cancelled, "it was cancelled before it was begun"))?;
            }
        }
        Ok(())
    }

    /// The lock of a job; `None` where another worker holds it.
    pub(super) fn lease(&self, key: &Key) -> Result<Option<Lease>, FleetError> {
        let Some(job) = self.manifest.job(key) else { return Ok(None) };
        let path = self.directory.join("jobs").join(key.as_str());
        let file = plain::open(&path, OpenOptions::new().read(true).append(true).create(true).mode(0o600));
        let file = file.map_err(FleetError::io(&path, "opened"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(FleetError::io(&path, "locked")(error)),
        }
        let mut begun = String::new();
        (&file).read_to_string(&mut begun).map_err(FleetError::io(&path, "read"))?;
        // A line that is not whole was an attempt all the same.
        let attempts = u32::try_from(begun.lines().count()).unwrap_or(u32::MAX);
        let lease =
            Lease { queue: self.clone(), job: job.clone(), attempt: attempts.saturating_add(1), held: Held(file) };
        Ok(Some(lease))
    }
}

impl Lease {
    pub(super) fn queue(&self) -> &Queue {
        &self.queue
    }

    /// What is to be done.
    #[must_use]
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Which attempt this is, from 1.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// A result that the fleet itself gives.
    #[must_use]
    pub fn of_fleet(&self, verdict: Verdict, message: &str) -> JobResult {
        JobResult::of_fleet(&self.job, verdict, self.attempt.saturating_sub(1), message)
    }

    /// Leaves the one result of the job. The lease ends when it is dropped.
    ///
    /// # Errors
    /// [`FleetError::Io`]. The job has no result then, and can be taken again.
    #[expect(clippy::needless_pass_by_value, reason = "a result is left once")]
    pub fn finish(&self, result: JobResult) -> Result<(), FleetError> {
        self.queue.keep_result(&result)
    }

    /// Ends the lease without a result and without counting the attempt: the worker was told to end.
    ///
    /// # Errors
    /// [`FleetError::Io`].
    pub fn give_back(self) -> Result<(), FleetError> {
        let path = self.queue.directory.join("jobs").join(self.job.key.as_str());
        let file = &self.held.0;
        let mut begun = String::new();
        let read = File::open(&path).and_then(|mut file| file.read_to_string(&mut begun));
        read.map_err(FleetError::io(&path, "read"))?;
        let lines: Vec<&str> = begun.lines().collect();
        let kept = lines.len().saturating_sub(1);
        let length = lines.iter().take(kept).map(|line| line.len().saturating_add(1)).sum::<usize>();
        file.set_len(u64::try_from(length).unwrap_or(0)).map_err(FleetError::io(&path, "written"))
    }

    /// Counts the attempt, before anything of it is begun.
    fn count(&self) -> Result<(), FleetError> {
        let path = self.queue.directory.join("jobs").join(self.job.key.as_str());
        let line = format!("{} {}\n", Moment::now().rfc3339(), std::process::id());
        let mut file = &self.held.0;
        file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).map_err(FleetError::io(&path, "written"))
    }
}
