//! What the coordinator of a fleet does: it has the places made, offers jobs, takes them back, and sees how far they are.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{kv, object_store};
use async_trait::async_trait;

use super::record::{ENTRY_BYTES, Entry, MESSAGE_BYTES, subject, subjects, token};
use super::{ANSWER, BUCKET, Nats, STREAM, failed, job_entry, within};
use crate::error::FleetError;
use crate::jobs::{Jobs, Listed, Next, State};
use crate::manifest::{Key, Manifest};
use crate::schedule::longest_first;

/// What is forgotten of a fleet without a worker.
const KEPT: Duration = Duration::from_secs(14 * 86_400);
/// The most artifacts that the server keeps, in bytes, and the least where it does not have so much room.
const STORE_BYTES: i64 = 32 << 30;
const LEAST_STORE_BYTES: i64 = 1 << 30;
/// As often as a message is given out before the server stops. Attempts are counted in the entry of the job, which is
/// given up long before that.
const DELIVERIES: i64 = 100;

impl Nats {
    /// Makes what is missing on the server: the stream, a consumer a language, the entries and the objects.
    pub(super) async fn prepare(&self, languages: impl Iterator<Item = String> + Send) -> Result<(), FleetError> {
        self.flooded.check()?;
        let config = Config {
            name: STREAM.to_owned(),
            subjects: vec!["fleet.*.*.*".to_owned()],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            // A job that is there is not offered twice.
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            max_message_size: i32::try_from(MESSAGE_BYTES).unwrap_or(i32::MAX),
            max_age: KEPT,
            ..Config::default()
        };
        let stream = self.jetstream.get_or_create_stream(config).await.map_err(failed("made"))?;
        for language in languages {
            let language = token(&language);
            let config = pull::Config {
                durable_name: Some(language.clone()),
                filter_subject: subjects(&language),
                ack_policy: AckPolicy::Explicit,
                ack_wait: self.lease,
                max_deliver: DELIVERIES,
                ..pull::Config::default()
            };
            stream.get_or_create_consumer(&language, config).await.map_err(failed("made"))?;
        }
        if self.jetstream.get_key_value(BUCKET).await.is_err() {
            let config = kv::Config {
                bucket: BUCKET.to_owned(),
                history: 1,
                max_value_size: i32::try_from(ENTRY_BYTES).unwrap_or(i32::MAX),
                max_age: KEPT,
                ..kv::Config::default()
            };
            self.jetstream.create_key_value(config).await.map_err(failed("made"))?;
        }
        if self.jetstream.get_object_store(BUCKET).await.is_err() {
            self.make_store().await?;
        }
        Ok(())
    }

    /// Makes the store of artifacts, half as large each time that the server does not have so much room.
    async fn make_store(&self) -> Result<(), FleetError> {
        let mut max_bytes = STORE_BYTES;
        loop {
            let bucket = BUCKET.to_owned();
            let config = object_store::Config { bucket, max_age: KEPT, max_bytes, ..object_store::Config::default() };
            match self.jetstream.create_object_store(config).await {
                Ok(_) => return Ok(()),
                Err(error) if max_bytes > LEAST_STORE_BYTES && error.to_string().contains("insufficient storage") => {
                    max_bytes /= 2;
                }
                Err(error) => return Err(failed("made")(error)),
            }
        }
    }

    /// Takes a person's word to cancel a fleet back.
    ///
    /// # Errors
    /// [`FleetError::Server`].
    pub async fn go_on(&self, manifest: &Manifest) -> Result<(), FleetError> {
        self.prepare(manifest.jobs.iter().map(|job| job.language.clone())).await?;
        let entries = self.entries().await?;
        let words = manifest.jobs.iter().map(|job| job.key.as_str()).chain(["all"]);
        for word in words {
            let key = format!("{}.cancel.{word}", manifest.fleet);
            if entries.get(&key).await.map_err(failed("read"))?.is_some() {
                entries.delete(&key).await.map_err(failed("written"))?;
            }
        }
        Ok(())
    }

    /// Has a job made again whose result was not taken, or which is to be made again: its entry is forgotten.
    ///
    /// # Errors
    /// [`FleetError::Server`].
    pub async fn again(&self, manifest: &Manifest, key: &Key) -> Result<(), FleetError> {
        let entries = self.entries().await?;
        entries.purge(job_entry(manifest.fleet.as_str(), key)).await.map_err(failed("written"))
    }

    async fn state(&self, entries: &kv::Store, manifest: &Manifest, key: &Key) -> Result<State, FleetError> {
        let read = async { entries.get(job_entry(manifest.fleet.as_str(), key)).await.map_err(failed("read")) };
        let entry = within(ANSWER, "read", read).await?.and_then(|bytes| Entry::read(&bytes));
        Ok(match entry {
            None | Some(Entry::Waiting { .. }) => State::Waiting,
            Some(Entry::AtWork { attempt, .. }) => State::AtWork(attempt),
            Some(Entry::Done { .. }) => State::Done,
        })
    }
}

#[async_trait]
impl Jobs for Nats {
    fn is_of_this_machine(&self) -> bool {
        false
    }

    async fn offer(&self, manifest: &Manifest, keys: &[Key]) -> Result<(), FleetError> {
        self.prepare(manifest.jobs.iter().map(|job| job.language.clone())).await?;
        for job in longest_first(&manifest.jobs).into_iter().filter(|job| keys.contains(&job.key)) {
            let one = Manifest { jobs: vec![job.clone()], skipped: Vec::new(), ..manifest.clone() };
            let payload = serde_json::to_vec(&one).map_err(failed("written"))?;
            if payload.len() > MESSAGE_BYTES {
                return Err(failed("written")(format!("the job of `{}` is too large for a message", job.package)));
            }
            let sent =
                self.jetstream.publish(subject(manifest, job), payload.into()).await.map_err(failed("written"))?;
            match sent.await {
                Ok(_) => {}
                // It is there already.
                Err(error) if error.to_string().contains("maximum messages per subject exceeded") => {}
                Err(error) => return Err(failed("written")(error)),
            }
        }
        Ok(())
    }

    async fn take(&self) -> Result<Next, FleetError> {
        self.next().await
    }

    async fn cancel(&self, manifest: &Manifest, job: Option<&Key>) -> Result<(), FleetError> {
        let entries = self.entries().await?;
        let word = format!("{}.cancel.{}", manifest.fleet, job.map_or("all", Key::as_str));
        entries.put(&word, "".into()).await.map(drop).map_err(failed("written"))
    }

    async fn list(&self, manifest: &Manifest) -> Result<Vec<Listed>, FleetError> {
        let entries = self.entries().await?;
        let mut listed = Vec::new();
        for job in &manifest.jobs {
            listed.push(Listed { key: job.key.clone(), state: self.state(&entries, manifest, &job.key).await? });
        }
        Ok(listed)
    }
}
