//! Taking a result over from the server: whole, as announced, and only where what was left with it says the same.

use super::objects::{self, Unusable};
use super::record::{ARTIFACT_BYTES, Entry, Envelope, RESULT_BYTES};
use super::{ANSWER, Nats, failed, job_entry, within};
use crate::error::FleetError;
use crate::evidence::{Left, contradiction};
use crate::manifest::{Job, Manifest};

/// What the server has of a job.
#[derive(Debug)]
pub enum Fetched {
    /// It has no result yet.
    Nothing,
    /// A result, with its artifacts by name.
    Left(Box<Left>, Vec<(String, Vec<u8>)>),
    /// A result that is not taken.
    Refused {
        /// What is wrong with it.
        reason: String,
    },
}

impl Nats {
    /// The result of a job.
    ///
    /// # Errors
    /// [`FleetError::Server`] where the server cannot be asked now. A result that cannot be used is no error.
    pub async fn fetch(&self, manifest: &Manifest, job: &Job) -> Result<Fetched, FleetError> {
        let entries = self.entries().await?;
        let read = async { entries.get(job_entry(manifest.fleet.as_str(), &job.key)).await.map_err(failed("read")) };
        let Some(bytes) = within(ANSWER, "read", read).await? else { return Ok(Fetched::Nothing) };
        let Some(entry) = Entry::read(&bytes) else {
            return Ok(Fetched::Refused { reason: "its entry on the server cannot be read".to_owned() });
        };
        let Entry::Done { result, .. } = entry else { return Ok(Fetched::Nothing) };
        let store = self.objects().await?;
        let content = match objects::get(&store, &result, RESULT_BYTES).await {
            Ok(content) => content,
            Err(unusable) => return refused(unusable),
        };
        let envelope = match Envelope::read(&content) {
            Ok(envelope) => envelope,
            Err(reason) => return Ok(Fetched::Refused { reason }),
        };
        let mut artifacts = Vec::new();
        for one in envelope.artifacts {
            match objects::get(&store, &one.at, ARTIFACT_BYTES).await {
                Ok(content) => artifacts.push((one.name, content)),
                Err(unusable) => return refused(unusable),
            }
        }
        let left = Left { result: envelope.result, ended: envelope.ended };
        Ok(match contradiction(job, &left, &artifacts) {
            Some(reason) => Fetched::Refused { reason },
            None => Fetched::Left(Box::new(left), artifacts),
        })
    }
}

/// An object that is not there may be one that a server lost; it is the same to the fleet as one that is wrong.
fn refused(unusable: Unusable) -> Result<Fetched, FleetError> {
    let reason = match unusable {
        Unusable::Missing(error) => format!("an object of its result is not there: {error}"),
        Unusable::Other(reason) => reason,
    };
    Ok(Fetched::Refused { reason })
}
