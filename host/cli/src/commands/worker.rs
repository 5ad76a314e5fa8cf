//! `bailiwick worker`: does the jobs of a fleet, one after the other.

use super::fleet::{self, Bounds, Clones, Ending, Room, Server, Working, fleets, perform, ran_out};
use super::spec_commit;
use crate::exit::{Code, Error, Result};
use crate::{output, runtime};
use bailiwick_fleet::{Finished, FleetError, Held, Jobs, Next, Queue, shards};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  bailiwick worker --shard 3/10 fleet.json --results results
  bailiwick worker --queue tls://queue.example:4222 --queue-login worker.login --languages python,java --sdk azure-sdk-for-python --sdk azure-sdk-for-java --spec azure-rest-api-specs")]
pub(crate) struct Worker {
    /// The manifest, where a shard of it is to be done.
    #[arg(value_name = "MANIFEST", required_unless_present_any = ["fleet", "queue"], requires = "results")]
    manifest: Option<PathBuf>,
    /// The part to do: the first of ten is `1/10`. Every machine cuts a manifest alike.
    #[arg(long, value_name = "K/N", value_parser = shard, conflicts_with = "fleet")]
    shard: Option<(usize, usize)>,
    /// Where the results go. What lies there of the same fleet is gone on with.
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Help with a fleet of this machine: its whole name.
    #[arg(long, value_name = "FLEET", conflicts_with_all = ["manifest", "queue"])]
    fleet: Option<String>,
    #[command(flatten)]
    server: Server,
    /// The languages whose packages this machine can work on, with `--queue`: `python`, `java`, `csharp`, `javascript`, `go`.
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', requires = "queue", value_parser = language)]
    languages: Vec<String>,
    /// End as soon as the queue has nothing to do, instead of waiting for the next fleet.
    #[arg(long, requires = "queue")]
    once: bool,
    /// A clone of an SDK repository of the manifest, if it is not where the manifest says.
    #[arg(long, value_name = "DIR")]
    sdk: Vec<PathBuf>,
    /// The clone of the specifications, if it is not where the manifest says.
    #[arg(long, value_name = "DIR")]
    spec: Option<PathBuf>,
    #[command(flatten)]
    working: Working,
    /// End when stdin does: with the process that started this one, whatever ends that.
    #[arg(long, hide = true)]
    until_stdin_ends: bool,
}

fn shard(text: &str) -> std::result::Result<(usize, usize), String> {
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    numbers.filter(|(k, n)| (1..=*n).contains(k)).ok_or_else(|| "give the shard as `3/10`".to_owned())
}

fn language(text: &str) -> std::result::Result<String, String> {
    let known = ["python", "java", "csharp", "javascript", "go"];
    if known.contains(&text) { Ok(text.to_owned()) } else { Err(format!("the languages are {}", known.join(", "))) }
}

/// How long to wait for jobs that others have.
const WAIT: Duration = Duration::from_millis(300);
/// How long to wait where something is wrong that may pass.
const REST: Duration = Duration::from_secs(2);

pub(crate) fn execute(worker: &Worker) -> Result<Code> {
    spec_commit::tidy();
    let absolute = |path: &PathBuf| {
        path.canonicalize().map_err(|error| Error::usage(format!("there is no clone `{}`: {error}", path.display())))
    };
    let clones = Clones {
        sdk: worker.sdk.iter().map(absolute).collect::<Result<_>>()?,
        specification: worker.spec.as_ref().map(absolute).transpose()?,
    };
    let bounds = Bounds { working: worker.working.clone() };
    if worker.server.queue.is_some() {
        return runtime::block_on(worker.serve(&clones, &bounds))?;
    }
    let queue = worker.queue()?;
    let work =
        Work { jobs: &queue, room: Room::of(queue.directory())?, clones: &clones, bounds: &bounds, rest: Rest::End };
    runtime::block_on(work.until_done(worker.until_stdin_ends))?
}

impl Worker {
    /// Works for the server of a queue.
    #[cfg(feature = "nats")]
    async fn serve(&self, clones: &Clones, bounds: &Bounds) -> Result<Code> {
        if self.languages.is_empty() || self.sdk.is_empty() {
            return Err(Error::usage("a worker of a queue needs `--languages` and its own clones (`--sdk`, `--spec`)"));
        }
        let Some(nats) = self.server.connect(self.languages.clone()).await? else { return Ok(Code::Done) };
        let rest = if self.once { Rest::End } else { Rest::Wait };
        let work = Work { jobs: &nats, room: Room::of(&crate::places::state()?)?, clones, bounds, rest };
        work.until_done(self.until_stdin_ends).await
    }

    #[cfg(not(feature = "nats"))]
    async fn serve(&self, _: &Clones, _: &Bounds) -> Result<Code> {
        self.server.refuse().map(|()| Code::Done)
    }

    fn queue(&self) -> Result<Queue> {
        let (Some(manifest), Some(results)) = (&self.manifest, &self.results) else {
            let name = self.fleet.as_deref().unwrap_or_default();
            return Queue::open(&fleets()?.join(name)).map_err(|error| fleet::failure(&error));
        };
        let manifest = fleet::manifest(manifest)?;
        self.working.check(&manifest)?;
        let results = std::path::absolute(results).unwrap_or_else(|_| results.clone());
        let queue = Queue::create(&results, manifest).map_err(|error| fleet::failure(&error))?;
        Ok(match self.shard {
            None => queue,
            Some((k, n)) => {
                let shards = shards(&queue.manifest().jobs, n);
                let part = shards.get(k.saturating_sub(1)).map(|(part, _)| part.iter().map(|job| job.key.clone()));
                let keys: Vec<_> = part.into_iter().flatten().collect();
                queue.of_these(&keys)
            }
        })
    }
}

/// What a worker does where there is nothing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// It ends.
    End,
    /// It waits for the next fleet.
    Wait,
}

/// The work on the jobs of a queue, one after the other.
struct Work<'a> {
    jobs: &'a dyn Jobs,
    room: Room,
    clones: &'a Clones,
    bounds: &'a Bounds,
    rest: Rest,
}

type Stopped = tokio::sync::watch::Receiver<bool>;

async fn told(mut stopped: Stopped) {
    // The sender is kept until the stop was told.
    let _ = stopped.wait_for(|stop| *stop).await;
}

impl Work<'_> {
    async fn until_done(&self, until_stdin_ends: bool) -> Result<Code> {
        let (stop, stopped) = tokio::sync::watch::channel(false);
        tokio::spawn(async move {
            tokio::select! {
                () = runtime::interrupted() => {}
                () = stdin_ended(), if until_stdin_ends => {}
            }
            let _ = stop.send(true);
        });
        let mut is_away = false;
        loop {
            if *stopped.borrow() {
                return Ok(Code::Interrupted);
            }
            self.room.to_begin()?;
            match self.jobs.take().await {
                Ok(Next::Done) if self.rest == Rest::End => return Ok(Code::Done),
                Ok(Next::Job(held)) if !self.is_possible(&*held) => {
                    output::progress(&format!(
                        "there is no clone here for `{}`; another worker gets it",
                        held.job().name()
                    ));
                    held.give_back().await.map_err(|error| fleet::failure(&error))?;
                    pause(REST, &stopped).await;
                }
                Ok(Next::Job(held)) => {
                    is_away = false;
                    self.one(held, &stopped).await?;
                }
                Ok(Next::Done | Next::Wait) => pause(WAIT, &stopped).await,
                Err(error @ FleetError::Server { .. }) => {
                    if !is_away {
                        output::progress(&format!("warning: {error}; it is tried again all the while"));
                    }
                    is_away = true;
                    pause(REST, &stopped).await;
                }
                Err(error) => return Err(fleet::failure(&error)),
            }
        }
    }

    /// A job of a server names clones of another machine: those of this one have to be known.
    fn is_possible(&self, held: &dyn Held) -> bool {
        self.jobs.is_of_this_machine() || self.clones.has(held.job())
    }

    async fn one(&self, held: Box<dyn Held>, stopped: &Stopped) -> Result<()> {
        let name = held.job().name();
        output::progress(&format!("begun: {name} (attempt {})", held.attempt()));
        match perform(&*held, self.clones, self.bounds, &self.room, told(stopped.clone())).await? {
            Ending::Result(left) => {
                output::progress(&format!("{}: {}: {}", left.result.verdict, left.result.package, left.result.message));
                if held.finish(*left).await.map_err(|error| fleet::failure(&error))? == Finished::Late {
                    output::progress(&format!("too late: another worker has `{name}`, and this result is not kept"));
                }
                Ok(())
            }
            Ending::Told => held.give_back().await.map_err(|error| fleet::failure(&error)),
            // The attempt counts: a package that fills every disk is given up like one that kills every worker.
            Ending::NoRoom => Err(ran_out(&name)),
        }
    }
}

async fn pause(time: Duration, stopped: &Stopped) {
    tokio::select! {
        () = told(stopped.clone()) => {}
        () = tokio::time::sleep(time) => {}
    }
}

async fn stdin_ended() {
    use tokio::io::AsyncReadExt as _;
    let mut stdin = tokio::io::stdin();
    let mut chunk = [0; 64];
    while stdin.read(&mut chunk).await.is_ok_and(|count| count > 0) {}
}

#[cfg(test)]
mod tests {
    use super::shard;

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!(shard("3/10"), Ok((3, 10)));
        for text in ["0/3", "4/3", "", "3", "1/0", "a/b", "-1/3"] {
            assert!(shard(text).is_err(), "{text}");
        }
    }
}
