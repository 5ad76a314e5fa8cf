//! `bailiwick worker`: does the jobs of a fleet, one after the other.

use super::fleet::{self, Bounds, Clones, Working, fleets, perform};
use super::spec_commit;
use crate::exit::{Code, Error, Result};
use crate::{output, runtime};
use bailiwick_fleet::{Queue, Taken, shards};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bailiwick worker --shard 3/10 fleet.json --results results")]
pub(crate) struct Worker {
    /// The manifest, where a shard of it is to be done.
    #[arg(value_name = "MANIFEST", required_unless_present = "fleet", requires = "results")]
    manifest: Option<PathBuf>,
    /// The part to do: the first of ten is `1/10`. Every machine cuts a manifest alike.
    #[arg(long, value_name = "K/N", value_parser = shard, conflicts_with = "fleet")]
    shard: Option<(usize, usize)>,
    /// Where the results go. What lies there of the same fleet is gone on with.
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Help with a fleet of this machine: its whole name.
    #[arg(long, value_name = "FLEET", conflicts_with = "manifest")]
    fleet: Option<String>,
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

/// How long to wait for jobs that others have.
const WAIT: Duration = Duration::from_millis(300);

pub(crate) fn execute(worker: &Worker) -> Result<Code> {
    let queue = worker.queue()?;
    spec_commit::tidy();
    let absolute = |path: &PathBuf| {
        path.canonicalize().map_err(|error| Error::usage(format!("there is no clone `{}`: {error}", path.display())))
    };
    let clones = Clones {
        sdk: worker.sdk.iter().map(absolute).collect::<Result<_>>()?,
        specification: worker.spec.as_ref().map(absolute).transpose()?,
    };
    let bounds = Bounds { working: worker.working };
    runtime::block_on(work(&queue, &clones, bounds, worker.until_stdin_ends))?
}

impl Worker {
    fn queue(&self) -> Result<Queue> {
        let (Some(manifest), Some(results)) = (&self.manifest, &self.results) else {
            let name = self.fleet.as_deref().unwrap_or_default();
            return Queue::open(&fleets()?.join(name)).map_err(|error| fleet::failure(&error));
        };
        let manifest = fleet::manifest(manifest)?;
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

async fn work(queue: &Queue, clones: &Clones, bounds: Bounds, until_stdin_ends: bool) -> Result<Code> {
    let (stop, stopped) = tokio::sync::watch::channel(false);
    tokio::spawn(async move {
        tokio::select! {
            () = runtime::interrupted() => {}
            () = stdin_ended(), if until_stdin_ends => {}
        }
        let _ = stop.send(true);
    });
    let told = |mut stopped: tokio::sync::watch::Receiver<bool>| async move {
        // The sender is kept until the stop was told.
        let _ = stopped.wait_for(|stop| *stop).await;
    };
    loop {
        if *stopped.borrow() {
            return Ok(Code::Interrupted);
        }
        match queue.take().map_err(|error| fleet::failure(&error))? {
            Taken::Done => return Ok(Code::Done),
            Taken::Wait => {
                tokio::select! {
                    () = told(stopped.clone()) => {}
                    () = tokio::time::sleep(WAIT) => {}
                }
            }
            Taken::Job(lease) => {
                output::progress(&format!("begun: {} (attempt {})", lease.job().name(), lease.attempt()));
                match perform(queue, &lease, clones, bounds, told(stopped.clone())).await? {
                    Some(result) => {
                        output::progress(&format!("{}: {}: {}", result.verdict, result.package, result.message));
                        lease.finish(result).map_err(|error| fleet::failure(&error))?;
                    }
                    None => lease.give_back().map_err(|error| fleet::failure(&error))?,
                }
            }
        }
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
