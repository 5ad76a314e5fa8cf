//! What every queue is held to, whatever it is made of.

use std::time::Duration;

use crate::evidence::Left;
use crate::jobs::{Finished, Held, Jobs, Next, State};
use crate::manifest::{Job, Manifest};
use crate::queue::MOST_ATTEMPTS;
use crate::verdict::{JobResult, Verdict};

/// A queue under test, with a fleet that was offered.
#[async_trait::async_trait]
pub(crate) trait Bench: Sync {
    fn queue(&self) -> &dyn Jobs;

    fn manifest(&self) -> &Manifest;

    /// The verdict of a job, as the coordinator sees it.
    async fn verdict(&self, job: &Job) -> Option<Verdict>;

    async fn state(&self, at: usize) -> State {
        self.queue().list(self.manifest()).await.unwrap()[at].state
    }
}

/// The next job, as soon as there is one.
pub(crate) async fn taken(queue: &dyn Jobs) -> Box<dyn Held> {
    for _ in 0..600 {
        match queue.take().await.unwrap() {
            Next::Job(held) => return held,
            Next::Wait | Next::Done => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    panic!("there is no job");
}

/// Waits until nothing is to do and nobody is at work.
async fn until_done(queue: &dyn Jobs) {
    for _ in 0..600 {
        match queue.take().await.unwrap() {
            Next::Done => return,
            Next::Wait => tokio::time::sleep(Duration::from_millis(50)).await,
            Next::Job(held) => panic!("{} is given out, attempt {}", held.job().package, held.attempt()),
        }
    }
    panic!("it never ends");
}

/// A result that no command stands behind, as a worker leaves it whose checkout failed.
pub(crate) fn left(held: &dyn Held, verdict: Verdict) -> Left {
    JobResult::of_fleet(held.job(), verdict, held.attempt(), "done").into()
}

async fn finish(held: Box<dyn Held>) {
    let left = left(&*held, Verdict::Failed);
    assert_eq!(held.finish(left).await.unwrap(), Finished::Kept);
}

pub(crate) async fn one_worker_at_a_time(bench: &dyn Bench) {
    let queue = bench.queue();
    let first = taken(queue).await;
    assert!(matches!(queue.take().await.unwrap(), Next::Wait));
    assert_eq!(bench.state(0).await, State::AtWork(1));
    // Its worker dies.
    drop(first);
    let second = taken(queue).await;
    assert_eq!(second.attempt(), 2);
    finish(second).await;
    until_done(queue).await;
    assert_eq!(bench.state(0).await, State::Done);
    assert_eq!(bench.verdict(&bench.manifest().jobs[0]).await, Some(Verdict::Failed));
}

pub(crate) async fn given_up(bench: &dyn Bench) {
    let queue = bench.queue();
    for attempt in 1..=MOST_ATTEMPTS {
        assert_eq!(taken(queue).await.attempt(), attempt);
    }
    until_done(queue).await;
    assert_eq!(bench.verdict(&bench.manifest().jobs[0]).await, Some(Verdict::KilledItsWorker));
}

pub(crate) async fn given_back(bench: &dyn Bench) {
    let queue = bench.queue();
    drop(taken(queue).await);
    let second = taken(queue).await;
    assert_eq!(second.attempt(), 2);
    second.give_back().await.unwrap();
    assert_eq!(taken(queue).await.attempt(), 2);
}

pub(crate) async fn cancelled(bench: &dyn Bench) {
    let (queue, manifest) = (bench.queue(), bench.manifest());
    let at_work = taken(queue).await;
    let others: Vec<&Job> = manifest.jobs.iter().filter(|job| job.key != at_work.job().key).collect();
    queue.cancel(manifest, Some(&others[0].key)).await.unwrap();
    // A word is seen soon, and not at once everywhere.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(!at_work.is_cancelled());
    let next = taken(queue).await;
    assert_eq!(next.job().key, others[1].key);
    finish(next).await;
    queue.cancel(manifest, None).await.unwrap();
    for _ in 0..100 {
        if at_work.is_cancelled() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(at_work.is_cancelled());
    finish(at_work).await;
    until_done(queue).await;
    assert_eq!(bench.verdict(others[0]).await, Some(Verdict::Cancelled));
}

pub(crate) async fn offered_twice(bench: &dyn Bench) {
    let (queue, manifest) = (bench.queue(), bench.manifest());
    let keys: Vec<_> = manifest.jobs.iter().map(|job| job.key.clone()).collect();
    queue.offer(manifest, &keys).await.unwrap();
    let first = taken(queue).await;
    queue.offer(manifest, &keys).await.unwrap();
    let second = taken(queue).await;
    assert_ne!(first.job().key, second.job().key);
    finish(first).await;
    finish(second).await;
    until_done(queue).await;
}

/// Several workers of which each third attempt dies: each job is done once.
pub(crate) async fn crowd(bench: &dyn Bench) {
    let queue = bench.queue();
    let worker = || async {
        let (mut done, mut taken) = (Vec::new(), 0_u32);
        loop {
            match queue.take().await.unwrap() {
                Next::Done => return done,
                Next::Wait => tokio::time::sleep(Duration::from_millis(50)).await,
                Next::Job(held) => {
                    taken += 1;
                    if taken % 3 == 0 && held.attempt() == 1 {
                        continue;
                    }
                    let key = held.job().key.clone();
                    tokio::time::sleep(Duration::from_millis(5)).await;
                    finish(held).await;
                    done.push(key);
                }
            }
        }
    };
    let (one, two, three, four) = tokio::join!(worker(), worker(), worker(), worker());
    let mut done = [one, two, three, four].concat();
    done.sort();
    let mut all: Vec<_> = bench.manifest().jobs.iter().map(|job| job.key.clone()).collect();
    all.sort();
    assert_eq!(done, all);
}

/// The tests of a queue that `$make` makes with so many jobs; nothing where it cannot be made here.
macro_rules! held_to_the_suite {
    ($make:path) => {
        #[tokio::test(flavor = "multi_thread")]
        async fn job_is_given_to_one_worker_at_a_time_and_comes_back_when_that_one_dies() {
            let Some(bench) = $make(1).await else { return };
            crate::suite::one_worker_at_a_time(&bench).await;
        }

        #[tokio::test(flavor = "multi_thread")]
        async fn job_that_kills_every_worker_is_given_up() {
            let Some(bench) = $make(1).await else { return };
            crate::suite::given_up(&bench).await;
        }

        #[tokio::test(flavor = "multi_thread")]
        async fn worker_that_is_told_to_end_gives_its_job_back_uncounted() {
            let Some(bench) = $make(1).await else { return };
            crate::suite::given_back(&bench).await;
        }

        #[tokio::test(flavor = "multi_thread")]
        async fn cancelled_jobs_are_not_given_out_and_have_that_verdict() {
            let Some(bench) = $make(3).await else { return };
            crate::suite::cancelled(&bench).await;
        }

        #[tokio::test(flavor = "multi_thread")]
        async fn job_that_is_offered_twice_is_done_once() {
            let Some(bench) = $make(2).await else { return };
            crate::suite::offered_twice(&bench).await;
        }

        #[tokio::test(flavor = "multi_thread")]
        async fn several_workers_do_each_job_once_though_some_die() {
            let Some(bench) = $make(20).await else { return };
            crate::suite::crowd(&bench).await;
        }
    };
}
pub(crate) use held_to_the_suite;
