//! A fleet whose workers are on other machines: what has no result is offered to the server, and what is there is taken
//! over into the directory of the fleet, where its truth is. What the server loses is offered again.

use super::failure;
use super::run::{Progress, tell};
use crate::exit::Result;
use crate::{output, runtime};
use bailiwick_fleet::{
    Cause, Fetched, FleetError, Job, JobResult, Jobs as _, Key, MOST_ATTEMPTS, Nats, Queue, Setting, Verdict,
};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// How often results are looked for.
const LOOK: Duration = Duration::from_millis(500);
/// How often what has no result is offered again. What is there already is not there twice.
const OFFER: Duration = Duration::from_secs(10);

/// A fleet and the server of its queue.
pub(super) struct Remote<'a> {
    queue: &'a Queue,
    nats: &'a Nats,
    told: BTreeSet<Key>,
    /// Words to cancel that the server was told.
    cancelled: BTreeSet<String>,
    /// How often what was left of a job was not taken.
    refused: BTreeMap<Key, u32>,
    /// Whether the server could be reached last time, so that this is said once.
    is_away: bool,
}

impl<'a> Remote<'a> {
    pub(super) fn new(queue: &'a Queue, nats: &'a Nats) -> Self {
        let (told, cancelled, refused) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
        Self { queue, nats, told, cancelled, refused, is_away: false }
    }

    /// Works until every job has its result, or until it is interrupted. What is on the server stays there then.
    pub(super) async fn work(&mut self, time_limit: Option<Duration>) -> Result<Progress> {
        let interrupted = runtime::interrupted();
        tokio::pin!(interrupted);
        let limit = async {
            match time_limit {
                Some(limit) => tokio::time::sleep(limit).await,
                None => std::future::pending().await,
            }
        };
        tokio::pin!(limit);
        let mut is_over = false;
        let mut offered: Option<Instant> = None;
        loop {
            tell(self.queue, &mut self.told)?;
            let missing = self.missing();
            if missing.is_empty() {
                return Ok(Progress::Done);
            }
            let is_due = offered.is_none_or(|last| last.elapsed() >= OFFER);
            let passed = self.pass(&missing, is_due).await;
            match passed {
                Ok(()) => self.is_away = false,
                Err(error @ FleetError::Server { .. }) if !self.is_away => {
                    output::progress(&format!("warning: {error}; it is tried again all the while"));
                    self.is_away = true;
                }
                Err(FleetError::Server { .. }) => {}
                Err(error) => return Err(failure(&error)),
            }
            if is_due {
                offered = Some(Instant::now());
            }
            tokio::select! {
                () = &mut interrupted => return Ok(Progress::Stopped),
                () = &mut limit, if !is_over => {
                    is_over = true;
                    output::progress("the time limit is over; packages without a verdict are cancelled");
                    self.queue.cancel(None).map_err(|error| failure(&error))?;
                    // Nobody else gives a verdict to what no worker ever took.
                    self.queue.settle_cancelled().map_err(|error| failure(&error))?;
                }
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    fn missing(&self) -> Vec<&'a Job> {
        self.queue.manifest().jobs.iter().filter(|job| !self.queue.has_result(&job.key)).collect()
    }

    /// Offers, passes a person's word on, and takes over what is there.
    async fn pass(&mut self, missing: &[&'a Job], is_due: bool) -> std::result::Result<(), FleetError> {
        let manifest = self.queue.manifest();
        if is_due {
            let keys: Vec<Key> = missing.iter().map(|job| job.key.clone()).collect();
            self.nats.offer(manifest, &keys).await?;
        }
        for job in missing {
            if self.queue.is_cancelled(&job.key) && self.cancelled.insert(job.key.to_string()) {
                let told = self.nats.cancel(manifest, Some(&job.key)).await;
                if told.is_err() {
                    self.cancelled.remove(job.key.as_str());
                }
                told?;
            }
            match self.nats.fetch(manifest, job).await? {
                Fetched::Nothing => {}
                Fetched::Left(left, _)
                    if left.result.verdict == Verdict::Cancelled && !self.queue.is_cancelled(&job.key) =>
                {
                    self.refuse(job, "it says `cancelled`, and the fleet was not cancelled").await?;
                }
                Fetched::Left(left, artifacts) => self.queue.adopt(&left, &artifacts)?,
                Fetched::Refused { reason } => self.refuse(job, &reason).await?,
            }
        }
        Ok(())
    }

    /// Has a job made again whose result is not taken. After so many the job has failed.
    async fn refuse(&mut self, job: &Job, reason: &str) -> std::result::Result<(), FleetError> {
        let times = self.refused.entry(job.key.clone()).or_default();
        *times += 1;
        output::progress(&format!("warning: what was left of `{}` is not taken: {reason}", job.name()));
        if *times >= MOST_ATTEMPTS {
            let message = format!("what its workers left was not taken: {reason}");
            let mut result = JobResult::of_fleet(job, Verdict::Failed, *times, &message);
            result.causes = vec![Cause { tool: "fleet".into(), code: Some("refused".into()), message }];
            return self.queue.adopt(&result.into(), &[]);
        }
        let manifest = self.queue.manifest();
        self.nats.again(manifest, &job.key).await?;
        self.nats.offer(manifest, std::slice::from_ref(&job.key)).await
    }
}

/// Warns where the server may lose what it has acknowledged.
pub(super) async fn warn(monitor: &str) {
    match Setting::of(monitor).await {
        Setting::Always => {}
        Setting::Late(after) => output::progress(&format!(
            "warning: the server writes to its disk only every {} seconds; what a loss of power takes from it is done again. \
             `sync_interval: always` avoids that",
            after.as_secs()
        )),
        Setting::Unknown(reason) => {
            output::progress(&format!("note: how soon the server writes to its disk is not known: {reason}"));
        }
    }
}
