//! Directories that exist completely or not at all, whichever process makes them and however often it fails.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bailiwick_base::text::hex;
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::error::ToolchainError;
use super::{OnProgress, Progress};

/// Times an installation is tried, and how long is waited between.
const ATTEMPTS: u32 = 3;
const BACK_OFF: Duration = Duration::from_secs(3);
/// How often an installation is measured.
const MEASURE: Duration = Duration::from_secs(1);

/// About how many megabytes the sets have that are the same for everybody, by their names in file names.
const MEGABYTES: [(&str, u64); 3] = [("node22", 185), ("python", 90), ("tsp-client", 57)];

/// How long to wait for another process, and how often to look.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
const GLANCE: Duration = Duration::from_millis(200);

const MANIFEST: &str = "bailiwick-set.json";

/// Identifies a set by what it is made from.
#[derive(Debug, Clone)]
pub(super) struct Key {
    /// The set's name in file names: `node22`.
    pub(super) slug: &'static str,
    /// The set's name for people: `Node 22`.
    pub(super) title: String,
    /// SHA-256 over everything that decides the content, in hexadecimal.
    pub(super) digest: String,
}

impl Key {
    /// `parts` in this order, each with its length, so that no two lists are the same bytes.
    pub(super) fn new(slug: &'static str, title: impl Into<String>, parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self { slug, title: title.into(), digest: hex(&hasher.finalize()) }
    }

    fn name(&self) -> String {
        format!("{}-{}", self.slug, &self.digest[..16])
    }
}

/// What stands in a finished set beside its content.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Manifest {
    digest: String,
    /// What the installer found out: versions, the interpreter's place.
    pub(super) details: Value,
}

/// How an attempt to install failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The next attempt may succeed: a registry that did not answer.
    Passing(String),
    /// No attempt will succeed.
    Lasting(ToolchainError),
}

impl From<ToolchainError> for Failure {
    fn from(error: ToolchainError) -> Self {
        Self::Lasting(error)
    }
}

impl Failure {
    /// The same where the installer was refused connections to these hosts: no attempt will succeed then.
    pub(super) fn with_refused(self, hosts: &[String]) -> Self {
        if hosts.is_empty() {
            return self;
        }
        let reason = match self {
            Self::Passing(reason) => reason,
            Self::Lasting(ToolchainError::Install { reason, .. }) => reason,
            other => return other,
        };
        Self::Lasting(ToolchainError::OtherHosts { hosts: hosts.to_vec(), reason })
    }
}

/// Makes the content of a set. A trait and not a closure, because the future of an async closure is not known to be `Send`.
#[async_trait]
pub(super) trait Recipe: Send + Sync {
    /// Fills the empty directory `at` and gives what the manifest should remember.
    async fn install(&self, at: &Path, on_progress: OnProgress<'_>) -> Result<Value, Failure>;
}

/// A directory of sets.
#[derive(Debug, Clone)]
pub(super) struct Cache {
    directory: PathBuf,
    back_off: Duration,
}

impl Cache {
    pub(super) fn open(directory: &Path) -> Result<Self, ToolchainError> {
        // Other users must not be able to exchange programs that this user starts.
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory)
            .map_err(ToolchainError::io(directory, "created"))?;
        let directory = directory.canonicalize().map_err(ToolchainError::io(directory, "read"))?;
        super::children::refuse_shell_characters(&directory)?;
        Ok(Self { directory, back_off: BACK_OFF })
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The directory of a set, made by `recipe` if it is not there yet.
    pub(super) async fn ensure(
        &self,
        key: &Key,
        on_progress: OnProgress<'_>,
        recipe: &dyn Recipe,
    ) -> Result<(PathBuf, Manifest), ToolchainError> {
        let place = self.directory.join(key.name());
        if let Some(manifest) = finished(&place, key) {
            return Ok((place, manifest));
        }
        let _lock = self.lock(key, on_progress).await?;
        if let Some(manifest) = finished(&place, key) {
            return Ok((place, manifest));
        }
        // Whatever is in the way was left by a process that died, because the lock is ours.
        remove(&place)?;
        let partial = self.directory.join(format!(".partial-{}", key.name()));
        for attempt in 1.. {
            on_progress(Progress::Installing { set: key.title.clone(), attempt });
            remove(&partial)?;
            fs::create_dir(&partial).map_err(ToolchainError::io(&partial, "created"))?;
            match measured(recipe, key, &partial, on_progress).await {
                Ok(details) => {
                    let manifest = Manifest { digest: key.digest.clone(), details };
                    write_manifest(&partial, &manifest)?;
                    fs::rename(&partial, &place).map_err(ToolchainError::io(&place, "written"))?;
                    return Ok((place, manifest));
                }
                Err(Failure::Passing(_)) if attempt < ATTEMPTS => {
                    tokio::time::sleep(self.back_off * attempt * attempt).await;
                }
                Err(failure) => {
                    remove(&partial)?;
                    return Err(match failure {
                        Failure::Lasting(error) => error,
                        Failure::Passing(reason) => {
                            ToolchainError::Install { set: key.title.clone(), attempts: attempt, reason }
                        }
                    });
                }
            }
        }
        unreachable!("the last attempt returns")
    }

    /// Held until dropped; the kernel releases it when the process ends.
    async fn lock(&self, key: &Key, on_progress: OnProgress<'_>) -> Result<fs::File, ToolchainError> {
        let path = self.directory.join(format!(".lock-{}", key.name()));
        let file = fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(ToolchainError::io(&path, "opened"))?;
        let started = Instant::now();
        let mut told = false;
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(file),
                Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => {}
                Err(error) => return Err(ToolchainError::io(&path, "locked")(error.into())),
            }
            if started.elapsed() > PATIENCE {
                return Err(ToolchainError::Busy { set: key.title.clone(), minutes: PATIENCE.as_secs() / 60 });
            }
            if !told {
                told = true;
                on_progress(Progress::Waiting { set: key.title.clone() });
            }
            tokio::time::sleep(GLANCE).await;
        }
    }
}

/// Runs the recipe and says how the set grows meanwhile.
async fn measured(
    recipe: &dyn Recipe,
    key: &Key,
    partial: &Path,
    on_progress: OnProgress<'_>,
) -> Result<Value, Failure> {
    let of = MEGABYTES.iter().find(|(slug, _)| *slug == key.slug).map(|(_, megabytes)| *megabytes);
    // The recipe tells as well, never at the same time: both are polled by this task.
    let told = Mutex::new(on_progress);
    let tell = |progress| told.lock().unwrap_or_else(PoisonError::into_inner)(progress);
    let mut to_recipe = tell;
    let mut work = recipe.install(partial, &mut to_recipe);
    loop {
        tokio::select! {
            installed = &mut work => return installed,
            () = tokio::time::sleep(MEASURE) => {}
        }
        let directory = partial.to_owned();
        let measure = tokio::task::spawn_blocking(move || bytes(&directory));
        tokio::select! {
            installed = &mut work => return installed,
            bytes = measure => tell(Progress::Growing { megabytes: bytes.unwrap_or_default() / 1_000_000, of }),
        }
    }
}

/// How many bytes lie below a directory that somebody is writing. What is gone meanwhile does not count.
fn bytes(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

/// The sets that are installed in a cache directory: how many of each name (`node22`, `emitter`), in the order of names.
/// A directory that cannot be read holds none.
pub fn installed(cache: &Path) -> BTreeMap<String, usize> {
    let mut sets = BTreeMap::new();
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some((slug, _)) = name.to_str().and_then(|name| name.rsplit_once('-')) else { continue };
        if !slug.starts_with('.') && entry.path().join(MANIFEST).is_file() {
            *sets.entry(slug.to_owned()).or_default() += 1;
        }
    }
    sets
}

fn finished(place: &Path, key: &Key) -> Option<Manifest> {
    let text = fs::read(place.join(MANIFEST)).ok()?;
    let manifest: Manifest = serde_json::from_slice(&text).ok()?;
    (manifest.digest == key.digest).then_some(manifest)
}

fn write_manifest(directory: &Path, manifest: &Manifest) -> Result<(), ToolchainError> {
    let path = directory.join(MANIFEST);
    let text =
        serde_json::to_vec_pretty(manifest).map_err(|error| ToolchainError::io(&path, "written")(error.into()))?;
    fs::write(&path, text).map_err(ToolchainError::io(&path, "written"))
}

fn remove(path: &Path) -> Result<(), ToolchainError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(ToolchainError::io(path, "removed")(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn key(content: &str) -> Key {
        Key::new("test", "the test set", &[content.as_bytes()])
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
    }

    fn cache(directory: &Path) -> Cache {
        Cache { back_off: Duration::ZERO, ..Cache::open(directory).unwrap() }
    }

    /// Fails so many times, and leaves a file named after the attempt each time.
    #[derive(Default)]
    struct Flaky {
        failures: u32,
        attempts: AtomicU32,
    }

    #[async_trait]
    impl Recipe for Flaky {
        async fn install(&self, at: &Path, _: OnProgress<'_>) -> Result<Value, Failure> {
            let attempt = self.attempts.fetch_add(1, Ordering::Relaxed) + 1;
            fs::write(at.join(format!("from-{attempt}")), "").unwrap();
            if attempt <= self.failures {
                return Err(Failure::Passing("no answer".to_owned()));
            }
            Ok(Value::from(attempt))
        }
    }

    fn ensure(cache: &Cache, recipe: &Flaky) -> Result<(PathBuf, Manifest), ToolchainError> {
        block_on(cache.ensure(&key("a"), &mut |_| {}, recipe))
    }

    #[test]
    fn set_is_made_once_and_found_again() {
        let directory = tempfile::tempdir().unwrap();
        let cache = cache(directory.path());
        let recipe = Flaky::default();
        for _ in 0..2 {
            let (place, manifest) = ensure(&cache, &recipe).unwrap();
            assert!(place.join("from-1").exists());
            assert_eq!(manifest.details, 1);
        }
        assert_eq!(recipe.attempts.into_inner(), 1);
        // What is not finished, and what other parts of the program keep beside the sets, is not counted.
        for other in [".partial-node22-0", "java-0", "indexes"] {
            fs::create_dir(directory.path().join(other)).unwrap();
        }
        fs::write(directory.path().join(".partial-node22-0").join(MANIFEST), "{}").unwrap();
        assert_eq!(installed(directory.path()), BTreeMap::from([("test".to_owned(), 1)]));
    }

    #[test]
    fn other_content_is_another_set() {
        assert_ne!(key("a").name(), key("b").name());
        assert_ne!(Key::new("t", "", &[b"ab", b"c"]).digest, Key::new("t", "", &[b"a", b"bc"]).digest);
    }

    #[test]
    fn failed_attempts_leave_nothing_and_the_third_counts() {
        let directory = tempfile::tempdir().unwrap();
        let cache = cache(directory.path());
        let recipe = Flaky { failures: 2, ..Flaky::default() };
        let (place, _) = ensure(&cache, &recipe).unwrap();
        assert!(place.join("from-3").exists());
        assert!(!place.join("from-1").exists());
    }

    #[test]
    fn last_failure_is_reported_with_its_reason() {
        let directory = tempfile::tempdir().unwrap();
        let cache = cache(directory.path());
        let recipe = Flaky { failures: 9, ..Flaky::default() };
        let error = ensure(&cache, &recipe).unwrap_err();
        assert_eq!(error.to_string(), "the test set could not be installed in 3 attempts: no answer");
        assert!(!directory.path().join(key("a").name()).exists());
    }

    #[test]
    fn directory_without_manifest_is_made_anew() {
        let directory = tempfile::tempdir().unwrap();
        let cache = cache(directory.path());
        let place = cache.directory().join(key("a").name());
        fs::create_dir(&place).unwrap();
        fs::write(place.join("half"), "").unwrap();
        ensure(&cache, &Flaky::default()).unwrap();
        assert!(!place.join("half").exists());
    }

    struct Slow;

    #[async_trait]
    impl Recipe for Slow {
        async fn install(&self, at: &Path, _: OnProgress<'_>) -> Result<Value, Failure> {
            fs::create_dir(at.join("deep")).unwrap();
            fs::write(at.join("deep/file"), vec![0; 3_100_000]).unwrap();
            tokio::time::sleep(MEASURE * 3).await;
            Ok(Value::Null)
        }
    }

    #[test]
    fn installation_that_takes_a_while_says_how_far_it_has_come() {
        let directory = tempfile::tempdir().unwrap();
        let cache = cache(directory.path());
        let mut told = Vec::new();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(cache.ensure(&key("a"), &mut |step| told.push(step), &Slow)).unwrap();
        assert!(told.contains(&Progress::Growing { megabytes: 3, of: None }), "{told:?}");
    }

    #[test]
    fn second_installer_waits_for_the_first() {
        let directory = tempfile::tempdir().unwrap();
        let cache = cache(directory.path());
        let mut told = Vec::new();
        block_on(async {
            let key = key("a");
            let first = cache.lock(&key, &mut |_| {}).await.unwrap();
            let mut tell = |progress| told.push(progress);
            let second = cache.lock(&key, &mut tell);
            tokio::pin!(second);
            assert!(tokio::time::timeout(GLANCE * 3, &mut second).await.is_err());
            drop(first);
            second.await.unwrap();
        });
        assert_eq!(told.len(), 1);
    }
}
