//! `bailiwick fleet run` and `resume`: starts workers, starts others for those that die, and says what it came to.

use super::files::{durations, fleets, queue};
use super::report::summary;
use super::room::Room;
use super::{Server, Working, failure, manifest};
use crate::exit::{Code, Error, Result};
use crate::{output, runtime};
use bailiwick_fleet::{Durations, Key, Manifest, Queue, Report, Verdict, workers};
use clap::Args;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::{Child, Command};

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// What `bailiwick fleet plan` wrote.
    #[arg(value_name = "MANIFEST")]
    manifest: PathBuf,
    #[command(flatten)]
    crew: Crew,
}

#[derive(Debug, Args)]
pub(crate) struct Resume {
    /// Its name, or an unambiguous beginning of it.
    fleet: String,
    /// Make packages again that ended so, such as `failed` or `timed-out`.
    #[arg(long, value_name = "VERDICT", value_parser = verdict)]
    retry: Vec<Verdict>,
    #[command(flatten)]
    crew: Crew,
}

fn verdict(text: &str) -> std::result::Result<Verdict, String> {
    let known = Verdict::ALL.into_iter().filter(|verdict| *verdict != Verdict::Skipped);
    let names = || known.clone().map(Verdict::name).collect::<Vec<_>>().join(", ");
    known.clone().find(|verdict| verdict.name() == text).ok_or_else(|| format!("the verdicts are {}", names()))
}

#[derive(Debug, Args)]
struct Crew {
    /// How many packages to work on at once; as many as processors and memory allow if this is left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    workers: Option<u16>,
    /// Seconds after which packages without a verdict are cancelled, those at work included.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=864_000))]
    time_limit: Option<u64>,
    #[command(flatten)]
    server: Server,
    /// The monitoring port of that server, which is asked whether it writes to its disk at once: `HOST:8222`.
    #[arg(long, value_name = "HOST:PORT", requires = "queue")]
    queue_monitor: Option<String>,
    /// Seconds after which a worker of that server that says nothing is taken for dead.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "queue", value_parser = clap::value_parser!(u64).range(5..=3600))]
    queue_lease: u64,
    #[command(flatten)]
    working: Working,
}

pub(super) fn execute(run: &Run, as_json: bool) -> Result<Code> {
    let manifest = manifest(&run.manifest)?;
    run.crew.check(&manifest)?;
    let directory = fleets()?.join(manifest.fleet.as_str());
    let queue = Queue::create(&directory, manifest).map_err(|error| failure(&error))?;
    run.crew.work(&queue, as_json)
}

pub(super) fn resume(resume: &Resume, as_json: bool) -> Result<Code> {
    let mut queue = queue(&resume.fleet)?;
    let _alone = alone(&queue)?;
    queue.go_on().map_err(|error| failure(&error))?;
    if let Some(manifest) = queue.rebased().map_err(|error| failure(&error))? {
        queue.replace_manifest(manifest).map_err(|error| failure(&error))?;
    }
    let mut again = Vec::new();
    for result in queue.results().map_err(|error| failure(&error))? {
        if resume.retry.contains(&result.verdict) {
            queue.again(&result.key).map_err(|error| failure(&error))?;
            again.push(result.key);
        }
    }
    drop(_alone);
    resume.crew.check(queue.manifest())?;
    resume.crew.forget(&queue, &again)?;
    resume.crew.work(&queue, as_json)
}

/// One process at a time starts the workers of a fleet.
fn alone(queue: &Queue) -> Result<File> {
    let path = queue.directory().join("coordinator");
    let file = File::options().create(true).append(true).open(&path);
    let file = file.map_err(|error| Error::failed(format!("`{}` cannot be opened: {error}", path.display())))?;
    file.try_lock().map_err(|_| {
        Error::refused(format!("the fleet `{}` is at work", queue.manifest().fleet))
            .hint("`bailiwick fleet status` shows how far it is")
    })?;
    Ok(file)
}

impl Crew {
    /// Workers of a server say themselves which models their jobs may use.
    fn check(&self, manifest: &Manifest) -> Result<()> {
        if self.server.queue.is_some() { Ok(()) } else { self.working.check(manifest) }
    }

    fn work(&self, queue: &Queue, as_json: bool) -> Result<Code> {
        let alone = alone(queue)?;
        crate::commands::spec_commit::tidy();
        let fleet = &queue.manifest().fleet;
        let count = usize::from(self.workers.unwrap_or(0));
        let count = if count > 0 { count } else { fitting(self.working.memory << 20) };
        let jobs = queue.manifest().jobs.len();
        let ended = if self.server.queue.is_some() {
            output::progress(&format!("fleet {fleet}: {jobs} packages, for the workers of the queue"));
            runtime::block_on(self.remote(queue))?
        } else {
            output::progress(&format!("fleet {fleet}: {jobs} packages, {count} at once"));
            runtime::block_on(self.crew(queue, count))?
        };
        record(queue)?;
        let _ = alone.unlock();
        match ended? {
            Progress::Stopped => Err(Error::interrupted("stopped; what has a verdict keeps it")
                .hint(format!("go on with `bailiwick fleet resume {fleet}`"))),
            Progress::Done => {
                let results = queue.results().map_err(|error| failure(&error))?;
                let report = Report::of(queue.manifest(), &results).map_err(|error| failure(&error))?;
                if as_json {
                    output::json(&report);
                } else {
                    output::line(&summary(&report));
                }
                Ok(if report.is_success() { Code::Done } else { Code::NoSuccess })
            }
        }
    }

    #[cfg(feature = "nats")]
    async fn remote(&self, queue: &Queue) -> Result<Progress> {
        if let Some(monitor) = &self.queue_monitor {
            super::remote::warn(monitor).await;
        }
        let Some(nats) = self.server.connect(Vec::new()).await? else { return Ok(Progress::Stopped) };
        let nats = nats.with_lease(Duration::from_secs(self.queue_lease));
        super::remote::Remote::new(queue, &nats).work(self.time_limit.map(Duration::from_secs)).await
    }

    #[cfg(not(feature = "nats"))]
    async fn remote(&self, _: &Queue) -> Result<Progress> {
        self.server.refuse().map(|()| Progress::Stopped)
    }

    /// Has the server forget what it knows of a fleet that is gone on with: words to cancel, and jobs to make again.
    #[cfg(feature = "nats")]
    fn forget(&self, queue: &Queue, again: &[Key]) -> Result<()> {
        let forget = async {
            let Some(nats) = self.server.connect(Vec::new()).await? else { return Ok(()) };
            let nats = nats.with_lease(Duration::from_secs(self.queue_lease));
            nats.go_on(queue.manifest()).await.map_err(|error| failure(&error))?;
            for key in again {
                nats.again(queue.manifest(), key).await.map_err(|error| failure(&error))?;
            }
            Ok(())
        };
        runtime::block_on(forget)?
    }

    #[cfg(not(feature = "nats"))]
    fn forget(&self, _: &Queue, _: &[Key]) -> Result<()> {
        self.server.refuse()
    }

    async fn crew(&self, queue: &Queue, count: usize) -> Result<Progress> {
        let jobs = queue.manifest().jobs.len();
        let room = Room::of(queue.directory())?;
        let mut told: BTreeSet<Key> = BTreeSet::new();
        let mut crew: Vec<Child> = Vec::new();
        // Each job may kill as many workers as it may; more deaths have another reason.
        let mut births = count.saturating_add(jobs.saturating_mul(4)).saturating_add(4);
        let interrupted = runtime::interrupted();
        tokio::pin!(interrupted);
        let limit = async {
            match self.time_limit {
                Some(seconds) => tokio::time::sleep(Duration::from_secs(seconds)).await,
                None => std::future::pending().await,
            }
        };
        tokio::pin!(limit);
        let mut is_over = false;
        loop {
            tell(queue, &mut told)?;
            if queue.manifest().jobs.iter().all(|job| queue.has_result(&job.key)) {
                break;
            }
            crew.retain_mut(|worker| matches!(worker.try_wait(), Ok(None)));
            let mut missing = count.min(jobs.saturating_sub(told.len())).saturating_sub(crew.len());
            // Others may still make room.
            if let Err(full) = room.to_begin() {
                if crew.is_empty() {
                    return Err(full);
                }
                missing = 0;
            }
            for _ in 0..missing {
                if births == 0 {
                    stop(crew).await;
                    return Err(Error::failed("workers die and nothing gets done")
                        .hint("run `bailiwick worker --fleet` with the fleet's name to see what it says"));
                }
                births = births.saturating_sub(1);
                crew.push(self.worker(queue)?);
            }
            tokio::select! {
                () = &mut interrupted => {
                    output::progress("stopping; what is at work is put back");
                    stop(crew).await;
                    return Ok(Progress::Stopped);
                }
                () = &mut limit, if !is_over => {
                    is_over = true;
                    output::progress("the time limit is over; packages without a verdict are cancelled");
                    queue.cancel(None).map_err(|error| failure(&error))?;
                    queue.settle_cancelled().map_err(|error| failure(&error))?;
                }
                () = tokio::time::sleep(Duration::from_millis(250)) => {}
            }
        }
        stop(crew).await;
        Ok(Progress::Done)
    }

    fn worker(&self, queue: &Queue) -> Result<Child> {
        let program = std::env::current_exe()
            .map_err(|error| Error::failed(format!("this program cannot find itself: {error}")))?;
        let mut command = Command::new(program);
        command.arg("worker").arg("--fleet").arg(queue.manifest().fleet.as_str()).arg("--until-stdin-ends");
        command.arg("--deadline").arg(self.working.deadline.to_string());
        command.arg("--memory").arg(self.working.memory.to_string());
        if self.working.unconfined_builds {
            command.arg("--unconfined-builds");
        }
        command.args(self.working.models.iter().flat_map(|model| ["--allow-model", model]));
        // In a group of its own: who interrupts this process from a terminal has it tell its workers.
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        command.spawn().map_err(|error| Error::failed(format!("a worker cannot be started: {error}")))
    }
}

/// How the work on a fleet ended.
pub(super) enum Progress {
    /// Every job has its result.
    Done,
    /// It was interrupted.
    Stopped,
}

/// Tells the workers to end, and waits for them.
async fn stop(crew: Vec<Child>) {
    for mut worker in crew {
        drop(worker.stdin.take());
        let _ = worker.wait().await;
    }
}

/// Says which packages have got their verdict.
pub(super) fn tell(queue: &Queue, told: &mut BTreeSet<Key>) -> Result<()> {
    for job in &queue.manifest().jobs {
        if !told.contains(&job.key)
            && let Some(result) = queue.result(&job.key).map_err(|error| failure(&error))?
        {
            told.insert(job.key.clone());
            let (done, all) = (told.len(), queue.manifest().jobs.len());
            output::progress(&format!("{done}/{all} {}: {} ({:.0} s)", result.verdict, result.package, result.seconds));
        }
    }
    Ok(())
}

/// Remembers how long packages took.
fn record(queue: &Queue) -> Result<()> {
    let path = durations()?;
    let mut known = Durations::read(&path);
    for result in queue.results().map_err(|error| failure(&error))? {
        let worked =
            matches!(result.verdict, Verdict::Succeeded | Verdict::Repaired | Verdict::Guidance | Verdict::Failed);
        if let (true, Some(job)) = (worked && result.attempt > 0, queue.manifest().job(&result.key)) {
            known.record(job, result.seconds);
        }
    }
    known.write(&path).map_err(|error| failure(&error))
}

/// How many jobs fit on this machine.
fn fitting(job_bytes: u64) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let information = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available = information.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.split_whitespace().next());
    let kibibytes: u64 = available.and_then(|number| number.parse().ok()).unwrap_or(0);
    workers(processors, kibibytes << 10, job_bytes)
}
