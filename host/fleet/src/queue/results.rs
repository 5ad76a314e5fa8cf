//! Results: one a job.

use std::fs;
use std::path::{Path, PathBuf};

use bailiwick_base::files::{Replace, plain};
use bailiwick_base::time::Moment;

use super::Queue;
use crate::error::FleetError;
use crate::evidence::Left;
use crate::manifest::{Key, Manifest};
use crate::verdict::{JobResult, Verdict};

impl Queue {
    fn result_path(&self, key: &Key) -> PathBuf {
        self.directory.join("results").join(format!("{key}.json"))
    }

    /// Whether a job has its result.
    #[must_use]
    pub fn has_result(&self, key: &Key) -> bool {
        self.result_path(key).exists()
    }

    /// The result of a job.
    ///
    /// # Errors
    /// [`FleetError::BadResult`], [`FleetError::Io`].
    pub fn result(&self, key: &Key) -> Result<Option<JobResult>, FleetError> {
        read(&self.result_path(key), key)
    }

    /// The results of all jobs that have one.
    ///
    /// # Errors
    /// As for [`Self::result`].
    pub fn results(&self) -> Result<Vec<JobResult>, FleetError> {
        self.manifest.jobs.iter().filter_map(|job| self.result(&job.key).transpose()).collect()
    }

    pub(super) fn keep_result(&self, result: &JobResult) -> Result<(), FleetError> {
        write(&self.result_path(&result.key), result)
    }

    /// Takes what another machine left of a job, with its artifacts. Nothing is taken where the job has its result already,
    /// and where a worker of this machine has it.
    ///
    /// # Errors
    /// [`FleetError::Io`].
    pub fn adopt(&self, left: &Left, artifacts: &[(String, Vec<u8>)]) -> Result<(), FleetError> {
        let key = &left.result.key;
        let Some(_lease) = self.lease(key)? else { return Ok(()) };
        if self.has_result(key) {
            return Ok(());
        }
        for (name, content) in artifacts {
            self.keep_artifact(key, name, content)?;
        }
        self.keep_result(&left.result)
    }

    /// Says that what a job left does not apply onto a commit. Its earlier result stays beside.
    ///
    /// # Errors
    /// As for [`Self::result`].
    pub fn conflicts(&self, result: &JobResult, onto: &str, message: &str) -> Result<(), FleetError> {
        self.set_aside(&result.key)?;
        let mut conflict = result.clone();
        conflict.verdict = Verdict::Conflict;
        conflict.message = message.to_owned();
        conflict.onto = Some(onto.to_owned());
        self.keep_result(&conflict)
    }

    /// The manifest in which every job whose patch conflicts works on the commit that it conflicts with.
    ///
    /// # Errors
    /// As for [`Self::result`].
    pub fn rebased(&self) -> Result<Option<Manifest>, FleetError> {
        let mut manifest = self.manifest.clone();
        let mut changed = false;
        for job in &mut manifest.jobs {
            let result = self.result(&job.key)?.filter(|result| result.verdict == Verdict::Conflict);
            let Some(onto) = result.and_then(|result| result.onto) else { continue };
            job.sdk.commit = onto;
            job.key = Key::of(job, &manifest.version);
            changed = true;
        }
        Ok(changed.then_some(manifest))
    }

    /// Has a job made again: its result stays beside, and its attempts begin anew.
    ///
    /// # Errors
    /// [`FleetError::Io`].
    pub fn again(&self, key: &Key) -> Result<(), FleetError> {
        self.set_aside(key)?;
        let begun = self.directory.join("jobs").join(key.as_str());
        let opened = plain::open(&begun, fs::OpenOptions::new().write(true));
        match opened.and_then(|file| file.set_len(0)) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(FleetError::io(&begun, "emptied")(error)),
        }
    }

    fn set_aside(&self, key: &Key) -> Result<(), FleetError> {
        let path = self.result_path(key);
        let aside = self.directory.join("earlier").join(format!("{}-{key}.json", Moment::now().compact()));
        match fs::rename(&path, &aside) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            other => other.map_err(FleetError::io(&path, "moved")),
        }
    }
}

fn read(path: &Path, key: &Key) -> Result<Option<JobResult>, FleetError> {
    let bytes = match plain::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FleetError::io(path, "read")(error)),
    };
    let bad = |reason: String| FleetError::BadResult { path: path.to_owned(), reason };
    let result: JobResult = serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))?;
    if result.key != *key {
        return Err(bad("it is about another job".to_owned()));
    }
    if !result.seconds.is_finite() {
        return Err(bad("it has no duration".to_owned()));
    }
    Ok(Some(result))
}

fn write(path: &Path, result: &JobResult) -> Result<(), FleetError> {
    let text =
        serde_json::to_vec_pretty(result).map_err(|error| FleetError::Malformed { reason: error.to_string() })?;
    Replace { mode: 0o600, durable: true }.write(path, &text).map_err(FleetError::io(path, "written"))
}
