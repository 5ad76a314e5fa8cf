//! What a worker does: takes a job, says that it is at work, and leaves what it did.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::Subscriber;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::kv::{self, CreateErrorKind, UpdateErrorKind};
use async_nats::jetstream::object_store::ObjectStore;
use async_trait::async_trait;
use futures_util::StreamExt as _;

use super::record::{self, Artifact, Entry, Envelope, RESULT_BYTES, token};
use super::{ANSWER, BUCKET, Nats, STREAM, failed, job_entry, objects, patiently, within};
use crate::MOST_ATTEMPTS;
use crate::error::FleetError;
use crate::evidence::Left;
use crate::jobs::{Finished, Held, Next};
use crate::manifest::{Job, Key};
use crate::verdict::{JobResult, Verdict};

/// Whatever the server says about how soon a silent worker is dead.
const SHORTEST_LEASE: Duration = Duration::from_secs(1);
const LONGEST_LEASE: Duration = Duration::from_secs(600);
/// How long a job rests that this worker cannot do, before it is given out again.
const REST: Duration = Duration::from_secs(2);
/// The most messages in a row that are no jobs, before this worker looks up.
const MOST_REFUSED: usize = 1000;

/// A job that this worker has.
struct Lease {
    fleet: String,
    job: Job,
    attempt: u32,
    /// The entry of the job, at the revision at which it was taken.
    revision: u64,
    entries: kv::Store,
    objects: ObjectStore,
    message: Message,
    artifacts: Mutex<Vec<Artifact>>,
    cancelled: Arc<AtomicBool>,
    _keeping: Keeping,
}

/// Where a person's word stands: the entries, the fleet and the job.
type Word = (kv::Store, String, Key);

/// A task that says that the worker is at work, and listens for a person's word. It ends with this value.
struct Keeping(tokio::task::JoinHandle<()>);

impl Drop for Keeping {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Nats {
    pub(super) async fn next(&self) -> Result<Next, FleetError> {
        self.flooded.check()?;
        let stream = self.jetstream.get_stream_no_info(STREAM).await.map_err(failed("read"))?;
        let mut busy = false;
        for language in &self.languages {
            let consumer: PullConsumer = match stream.get_consumer(&token(language)).await {
                Ok(consumer) => consumer,
                // No fleet has had a package of this language, or there has been no fleet.
                Err(error) if is_nothing(&error.to_string()) => continue,
                Err(error) => return Err(failed("read")(error)),
            };
            let lease = consumer.cached_info().config.ack_wait.clamp(SHORTEST_LEASE, LONGEST_LEASE);
            for _ in 0..MOST_REFUSED {
                // One at a time: what is fetched and not begun would run out of its time.
                let Some(message) = self.message(&consumer).await? else { break };
                if let Some(held) = self.begin(message, lease).await? {
                    return Ok(Next::Job(Box::new(held)));
                }
            }
            let info = &consumer.get_info().await.map_err(failed("read"))?;
            busy |= info.num_pending > 0 || info.num_ack_pending > 0;
        }
        Ok(if busy { Next::Wait } else { Next::Done })
    }

    async fn message(&self, consumer: &PullConsumer) -> Result<Option<Message>, FleetError> {
        let asked = async {
            let mut batch = consumer.fetch().max_messages(1).messages().await.map_err(failed("read"))?;
            batch.next().await.transpose().map_err(failed("read"))
        };
        within(ANSWER, "read", asked).await
    }

    /// Takes the job of a message, unless it has its result or was begun by another worker meanwhile.
    async fn begin(&self, message: Message, lease: Duration) -> Result<Option<Lease>, FleetError> {
        let Some((manifest, job)) = record::job(&message.subject, &message.payload) else {
            // Nobody could do it. It is not given out again.
            acknowledge(&message, AckKind::Term).await?;
            return Ok(None);
        };
        let entries = self.entries().await?;
        let at = job_entry(manifest.fleet.as_str(), &job.key);
        let known = entries.entry(&at).await.map_err(failed("read"))?;
        let known = known.filter(|entry| entry.operation == kv::Operation::Put);
        let read = known.as_ref().and_then(|entry| Entry::read(&entry.value));
        if matches!(read, Some(Entry::Done { .. })) {
            acknowledge(&message, AckKind::Ack).await?;
            return Ok(None);
        }
        let attempt = read.map_or(0, |entry| entry.attempts()).saturating_add(1);
        let taken = to_bytes(&Entry::AtWork { attempt, worker: self.worker.clone() })?;
        let revision = match known {
            None => entries
                .create(&at, taken)
                .await
                .map_err(|error| (error.kind() == CreateErrorKind::AlreadyExists, failed("written")(error))),
            Some(entry) => entries
                .update(&at, taken, entry.revision)
                .await
                .map_err(|error| (error.kind() == UpdateErrorKind::WrongLastRevision, failed("written")(error))),
        };
        let revision = match revision {
            Ok(revision) => revision,
            Err((true, _)) => {
                acknowledge(&message, AckKind::Nak(Some(REST))).await?;
                return Ok(None);
            }
            Err((false, error)) => return Err(error),
        };
        let objects = self.objects().await?;
        let fleet = manifest.fleet.as_str().to_owned();
        // What is said from here on is heard, and what was said before is read.
        let words = format!("$KV.{BUCKET}.{fleet}.cancel.*");
        let words = self.jetstream.client().subscribe(words).await.map_err(failed("read"))?;
        let cancelled = Arc::new(AtomicBool::new(was_cancelled(&entries, &fleet, &job.key).await?));
        let word = (entries.clone(), fleet.clone(), job.key.clone());
        let keeping = Keeping(tokio::spawn(keep(message.clone(), lease / 3, words, word, Arc::clone(&cancelled))));
        let lease = Lease {
            fleet,
            job,
            attempt,
            revision,
            entries,
            objects,
            message,
            artifacts: Mutex::default(),
            cancelled,
            _keeping: keeping,
        };
        settled(lease).await
    }
}

/// Whether the server says that there is nothing that could have jobs.
fn is_nothing(said: &str) -> bool {
    said.contains("consumer not found") || said.contains("stream not found")
}

/// Gives what was taken back, and what killed too many workers, its result.
async fn settled(lease: Lease) -> Result<Option<Lease>, FleetError> {
    let (verdict, message) = if lease.is_cancelled() {
        (Verdict::Cancelled, "it was cancelled before it was begun".to_owned())
    } else if lease.attempt > MOST_ATTEMPTS {
        (Verdict::KilledItsWorker, format!("{MOST_ATTEMPTS} workers died of it"))
    } else {
        return Ok(Some(lease));
    };
    let result = JobResult::of_fleet(&lease.job, verdict, lease.attempt.saturating_sub(1), &message);
    let _ = Box::new(lease).finish(result.into()).await?;
    Ok(None)
}

/// Whether a person took the job or its fleet back.
async fn was_cancelled(entries: &kv::Store, fleet: &str, key: &Key) -> Result<bool, FleetError> {
    for word in ["all", key.as_str()] {
        let read = async { entries.get(format!("{fleet}.cancel.{word}")).await.map_err(failed("read")) };
        if within(ANSWER, "read", read).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Says every so often that the worker is at work. Looks for a person's word then, and as soon as one is heard.
async fn keep(message: Message, every: Duration, mut words: Subscriber, word: Word, cancelled: Arc<AtomicBool>) {
    let (entries, fleet, key) = word;
    let mut due = tokio::time::interval_at(tokio::time::Instant::now() + every, every);
    loop {
        tokio::select! {
            // A server that is away is one that another worker does not hear from either.
            _ = due.tick() => drop(message.ack_with(AckKind::Progress).await),
            Some(said) = words.next() => {
                if !said.subject.ends_with(".all") && !said.subject.ends_with(key.as_str()) {
                    continue;
                }
            }
        }
        if let Ok(true) = was_cancelled(&entries, &fleet, &key).await {
            cancelled.store(true, Ordering::Relaxed);
        }
    }
}

async fn acknowledge(message: &Message, how: AckKind) -> Result<(), FleetError> {
    within(ANSWER, "written", async { message.double_ack_with(how).await.map_err(failed("written")) }).await
}

fn to_bytes(entry: &Entry) -> Result<bytes::Bytes, FleetError> {
    serde_json::to_vec(entry).map(Into::into).map_err(failed("written"))
}

impl Lease {
    /// Keeps the result, unless the lease was over.
    async fn leave(&self, beginning: &str, content: &[u8]) -> Result<Finished, FleetError> {
        let result = objects::put(&self.objects, beginning, "result", content).await?;
        let entry = Entry::Done { attempt: self.attempt, result };
        let at = job_entry(&self.fleet, &self.job.key);
        let written = self.entries.update(&at, to_bytes(&entry)?, self.revision).await;
        match written {
            Ok(_) => {
                // Only now: a job whose result is not kept has to be given out again. Where this is not heard, the worker that gets
                // the message sees that it is done.
                let _ = acknowledge(&self.message, AckKind::Ack).await;
                Ok(Finished::Kept)
            }
            Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => Ok(Finished::Late),
            Err(error) => Err(failed("written")(error)),
        }
    }
}

#[async_trait]
impl Held for Lease {
    fn job(&self) -> &Job {
        &self.job
    }

    fn attempt(&self) -> u32 {
        self.attempt
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    async fn keep_artifact(&self, name: &str, content: &[u8]) -> Result<(), FleetError> {
        let beginning = format!("{}.{}", self.fleet, self.job.key);
        let at = patiently(|| objects::put(&self.objects, &beginning, name, content)).await?;
        let mut artifacts = self.artifacts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        artifacts.retain(|known| known.name != name);
        artifacts.push(Artifact { name: name.to_owned(), at });
        Ok(())
    }

    async fn finish(self: Box<Self>, left: Left) -> Result<Finished, FleetError> {
        let artifacts = self.artifacts.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        let envelope = Envelope { result: left.result, ended: left.ended, artifacts };
        let content = serde_json::to_vec(&envelope).map_err(failed("written"))?;
        if content.len() > RESULT_BYTES {
            return Err(failed("written")("the result is too large"));
        }
        let beginning = format!("{}.{}", self.fleet, self.job.key);
        patiently(|| self.leave(&beginning, &content)).await
    }

    async fn give_back(self: Box<Self>) -> Result<(), FleetError> {
        let waiting = to_bytes(&Entry::Waiting { attempts: self.attempt.saturating_sub(1) })?;
        let at = job_entry(&self.fleet, &self.job.key);
        match self.entries.update(&at, waiting, self.revision).await {
            Ok(_) => acknowledge(&self.message, AckKind::Nak(None)).await,
            // Another worker has it.
            Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => Ok(()),
            Err(error) => Err(failed("written")(error)),
        }
    }
}
