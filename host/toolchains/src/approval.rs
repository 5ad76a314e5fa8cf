//! Which emitters a person let be installed.
//!
//! An emitter runs as a program of the user's each time code is generated, and the file that names it lies in a
//! repository that agents and clients may write. So a set of packages that was never installed before is installed only
//! after a person agreed to it: by `bailiwick setup`, or at the terminal of the command that needs it. What was agreed to
//! is the digest of everything that decides what is installed; its approval lies beside what is installed, one file for
//! each digest. The emitter whose lock is part of this program needs none.

use bailiwick_base::files::plain;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::error::ToolchainError;

/// In the cache directory.
const DIRECTORY: &str = "approved-emitters";

/// Lock digests of emitters that this program brings the locks of: the one of `bailiwick demo`.
const SHIPPED: &[&str] = &["551409134cca39b6e8f526e9dca8f4b7a14ac7af82feea6cf7c22fb88a0fff00"];

/// What a person is asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// The emitter's package name.
    pub emitter: String,
    /// Its version.
    pub version: String,
    /// The package file that names it.
    pub file: PathBuf,
    /// How many packages its lock file names; `None` where there is no lock file and npm chooses.
    pub packages: Option<usize>,
    /// Directories of the repository that are part of it.
    pub directories: Vec<String>,
    /// Packages whose install script is run, with the reason.
    pub scripts: Vec<String>,
    /// SHA-256 over the package file's dependency tables, the lock file and the packages that the repository carries.
    pub digest: String,
}

impl Proposal {
    /// For people, a line each.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("emitter   {} {}", self.emitter, self.version),
            format!("named in  {}", self.file.display()),
            match self.packages {
                Some(count) => format!("packages  {count}, each with its digest in the lock file"),
                None => "packages  chosen by npm, because there is no lock file beside the package file".to_owned(),
            },
        ];
        lines.extend(self.directories.iter().map(|one| format!("with      the repository's own directory `{one}`")));
        match self.scripts.as_slice() {
            [] => lines.push("scripts   none is run".to_owned()),
            scripts => lines.extend(scripts.iter().map(|one| format!("script    {one}"))),
        }
        lines.push(format!("digest    {}", self.digest));
        lines
    }
}

/// Who decides about an emitter that was not approved before.
#[derive(Clone)]
pub enum Consent {
    /// No person can be asked, so the emitter is refused.
    Refused,
    /// A person answers. Called on a thread that may wait.
    Asked(Arc<dyn Fn(&Proposal) -> bool + Send + Sync>),
}

impl std::fmt::Debug for Consent {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Refused => "Refused",
            Self::Asked(_) => "Asked",
        })
    }
}

/// What is kept of an approval.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Approval {
    digest: String,
    emitter: String,
    version: String,
    file: PathBuf,
    /// Seconds since 1970.
    approved_at: u64,
}

/// Lets a proposal through that was approved before, or that a person approves now.
///
/// # Errors
/// [`ToolchainError::Unapproved`], and what keeps the approval from being read or written.
pub(super) async fn settle(cache: &Path, proposal: &Proposal, consent: &Consent) -> Result<(), ToolchainError> {
    if is_shipped(&proposal.digest) || is_approved(cache, &proposal.digest)? {
        return Ok(());
    }
    let refused = || ToolchainError::Unapproved {
        emitter: proposal.emitter.clone(),
        version: proposal.version.clone(),
        path: proposal.file.clone(),
    };
    let Consent::Asked(ask) = consent else { return Err(refused()) };
    let (ask, asked) = (ask.clone(), proposal.clone());
    // The answer is read on a thread of its own, so that an interruption does not wait for it.
    let agreed = tokio::task::spawn_blocking(move || ask(&asked)).await.unwrap_or(false);
    if agreed { approve(cache, proposal) } else { Err(refused()) }
}

/// Whether the lock of this emitter is part of this program.
pub(super) fn is_shipped(digest: &str) -> bool {
    SHIPPED.contains(&digest)
}

fn place(cache: &Path, digest: &str) -> PathBuf {
    cache.join(DIRECTORY).join(format!("{digest}.json"))
}

/// Whether a person approved this digest. A file that is not its owner's alone, in a directory that is not, counts for
/// nothing: it was not made here.
fn is_approved(cache: &Path, digest: &str) -> Result<bool, ToolchainError> {
    let path = place(cache, digest);
    let found = match fs::symlink_metadata(&path) {
        Ok(found) => found,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(ToolchainError::io(&path, "read")(error)),
    };
    let directory = cache.join(DIRECTORY);
    let around = fs::symlink_metadata(&directory).map_err(ToolchainError::io(&directory, "read"))?;
    if !found.is_file() || !around.is_dir() || !is_private(&found) || !is_private(&around) {
        return Ok(false);
    }
    let text = plain::read(&path).map_err(ToolchainError::io(&path, "read"))?;
    Ok(serde_json::from_slice::<Approval>(&text).is_ok_and(|approval| approval.digest == digest))
}

/// Whether this user alone may read and write it.
fn is_private(found: &fs::Metadata) -> bool {
    found.mode() & 0o077 == 0 && found.uid() == rustix::process::geteuid().as_raw()
}

/// Keeps an approval: whole or not at all, for its owner alone.
fn approve(cache: &Path, proposal: &Proposal) -> Result<(), ToolchainError> {
    let directory = cache.join(DIRECTORY);
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&directory)
        .map_err(ToolchainError::io(&directory, "created"))?;
    let path = place(cache, &proposal.digest);
    let approval = Approval {
        digest: proposal.digest.clone(),
        emitter: proposal.emitter.clone(),
        version: proposal.version.clone(),
        file: proposal.file.clone(),
        approved_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
    };
    let written = || -> std::io::Result<()> {
        // Made with mode 0600.
        let mut file = tempfile::NamedTempFile::new_in(&directory)?;
        file.write_all(&serde_json::to_vec_pretty(&approval)?)?;
        file.as_file().sync_all()?;
        file.persist(&path)?;
        Ok(())
    };
    written().map_err(ToolchainError::io(&path, "written"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn proposal(digest: &str) -> Proposal {
        Proposal {
            emitter: "@typespec/http-x".into(),
            version: "1.0.0".into(),
            file: "/sdk/eng/emitter-package.json".into(),
            packages: Some(3),
            directories: Vec::new(),
            scripts: vec!["@typespec/http-x: makes its environment".into()],
            digest: digest.into(),
        }
    }

    fn settled(cache: &Path, digest: &str, consent: &Consent) -> Result<(), ToolchainError> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(settle(cache, &proposal(digest), consent))
    }

    #[test]
    fn digest_that_is_not_approved_is_refused_and_asked_for_once() {
        let cache = tempfile::tempdir().unwrap();
        let error = settled(cache.path(), "one", &Consent::Refused).unwrap_err();
        assert!(matches!(error, ToolchainError::Unapproved { .. }), "{error}");
        assert!(error.hint().unwrap().contains("bailiwick setup --emitter-package /sdk/eng/emitter-package.json"));
        let asked = Arc::new(AtomicUsize::new(0));
        let answering = |answer: bool| {
            let asked = asked.clone();
            Consent::Asked(Arc::new(move |_: &Proposal| {
                asked.fetch_add(1, Ordering::SeqCst);
                answer
            }))
        };
        assert!(settled(cache.path(), "one", &answering(false)).is_err());
        settled(cache.path(), "one", &answering(true)).unwrap();
        settled(cache.path(), "one", &answering(false)).unwrap();
        settled(cache.path(), "one", &Consent::Refused).unwrap();
        assert_eq!(asked.load(Ordering::SeqCst), 2);
        assert!(settled(cache.path(), "two", &Consent::Refused).is_err(), "another digest");
        let mode = fs::metadata(place(cache.path(), "one")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn approval_that_others_could_have_written_or_that_names_another_digest_counts_for_nothing() {
        let cache = tempfile::tempdir().unwrap();
        let yes = Consent::Asked(Arc::new(|_: &Proposal| true));
        settled(cache.path(), "one", &yes).unwrap();
        let path = place(cache.path(), "one");
        fs::copy(&path, place(cache.path(), "two")).unwrap();
        assert!(settled(cache.path(), "two", &Consent::Refused).is_err());
        std::os::unix::fs::symlink(&path, place(cache.path(), "three")).unwrap();
        assert!(settled(cache.path(), "three", &Consent::Refused).is_err());
        let permit = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        let directory = cache.path().join(DIRECTORY);
        for (file, around) in [(0o666, 0o700), (0o644, 0o700), (0o640, 0o700), (0o600, 0o755), (0o600, 0o770)] {
            permit(&path, file);
            permit(&directory, around);
            assert!(settled(cache.path(), "one", &Consent::Refused).is_err(), "{file:o} in {around:o}");
        }
        permit(&directory, 0o700);
        settled(cache.path(), "one", &Consent::Refused).unwrap();
    }

    #[test]
    fn what_a_person_is_shown_names_the_file_the_digest_and_the_script() {
        let lines = proposal("abc").lines().join("\n");
        for part in
            ["@typespec/http-x 1.0.0", "/sdk/eng/emitter-package.json", "3, each", "makes its environment", "abc"]
        {
            assert!(lines.contains(part), "{part}: {lines}");
        }
    }
}
