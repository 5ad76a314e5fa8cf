//! What goes out of the cache: what a removed tool had, and the oldest beyond a bound. What `tools.lock` names stays.
//!
//! Another process may be loading what is removed here. It has read it by then, or loads it again.

use super::artifact::Parts;
use super::cache::{Cache, Kept, place};
use super::error::OciError;
use super::registry::Limits;
use crate::digest::Digest;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::time::{Duration, SystemTime};

/// What a process that ended in the middle left behind is that old.
const LEFT: Duration = Duration::from_secs(24 * 3600);

impl Cache {
    /// Removes the parts of an artifact that none of the `locked` artifacts has, too. Returns how many files went.
    ///
    /// # Errors
    /// A locked artifact cannot be read, so nothing says what it has.
    pub fn forget(&self, artifact: &Digest, locked: &[Digest], limits: &Limits) -> Result<usize, OciError> {
        let kept = self.files_of(locked, limits)?;
        let own = self.files_of(std::slice::from_ref(artifact), limits)?;
        Ok(own.difference(&kept).filter(|name| std::fs::remove_file(self.directory.join(name)).is_ok()).count())
    }

    /// Removes what was not used for longest until at most `most` bytes are there, or all that is there is `locked`.
    /// Returns how many files went.
    ///
    /// # Errors
    /// The directory or a locked artifact cannot be read.
    pub fn prune(&self, locked: &[Digest], most: u64, limits: &Limits) -> Result<usize, OciError> {
        let kept = self.files_of(locked, limits)?;
        let now = SystemTime::now();
        let (mut bytes, mut removable, mut gone) = (0, Vec::new(), 0);
        for entry in std::fs::read_dir(&self.directory).map_err(|error| place(&self.directory, &error))?.flatten() {
            let Ok(found) = entry.metadata() else { continue };
            let (name, at) = (entry.file_name(), found.modified().unwrap_or(now));
            if name.as_encoded_bytes().starts_with(b".") {
                let left = now.duration_since(at).is_ok_and(|age| age > LEFT);
                gone += usize::from(left && std::fs::remove_file(entry.path()).is_ok());
                continue;
            }
            bytes += found.len();
            if !kept.contains(&name) {
                removable.push((at, entry.path(), found.len()));
            }
        }
        removable.sort();
        for (_, path, length) in removable {
            if bytes <= most {
                break;
            }
            if std::fs::remove_file(path).is_ok() {
                bytes -= length;
                gone += 1;
            }
        }
        Ok(gone)
    }

    /// The files that artifacts have here, attached signatures with them.
    fn files_of(&self, artifacts: &[Digest], limits: &Limits) -> Result<BTreeSet<OsString>, OciError> {
        let mut files = BTreeSet::new();
        for artifact in artifacts {
            let named = [self.path(artifact), self.attached_path(artifact)];
            files.extend(named.iter().filter_map(|path| path.file_name()).map(ToOwned::to_owned));
            // An entry that was changed or is not a tool has no parts that anything would be loaded by.
            let Kept::Whole(manifest) = self.get(artifact, limits.answer_bytes)? else { continue };
            let Ok(parts) = Parts::read(&manifest, limits) else { continue };
            let parts = [Some(parts.component), parts.manifest, parts.signature].into_iter().flatten();
            files.extend(parts.map(|part| OsString::from(part.digest.hex())));
        }
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oci::artifact::{Artifact, Upload};
    use crate::oci::registry::tests::LIMITS;

    /// Keeps an artifact that was last used so many hours ago; returns its digest and that of its component.
    fn keep(cache: &Cache, component: &[u8], hours: u64) -> (Digest, Digest) {
        let artifact =
            Artifact { component: component.to_vec(), manifest: Some(b"schema = 1".to_vec()), signature: None };
        let upload = Upload::of(&artifact);
        let digest = Digest::of(&upload.manifest);
        cache.put(&digest, &upload.manifest).unwrap();
        cache.attach(&digest, b"signature").unwrap();
        for (part, bytes) in &upload.blobs {
            cache.put(part, bytes).unwrap();
        }
        let component = Digest::of(component);
        for path in [cache.path(&digest), cache.attached_path(&digest), cache.path(&component)] {
            let at = SystemTime::now() - Duration::from_secs(hours * 3600);
            std::fs::File::options().write(true).open(path).unwrap().set_modified(at).unwrap();
        }
        (digest, component)
    }

    fn has(cache: &Cache, digest: &Digest) -> bool {
        cache.path(digest).exists()
    }

    #[test]
    fn oldest_goes_first_and_what_the_lock_file_names_stays() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(directory.path()).unwrap();
        let locked = keep(&cache, &[1; 10_000], 9);
        let old = keep(&cache, &[2; 10_000], 8);
        let new = keep(&cache, &[3; 10_000], 7);
        let left = cache.directory.join(".1-1");
        std::fs::write(&left, "half").unwrap();
        assert_eq!(cache.prune(std::slice::from_ref(&locked.0), 1 << 20, &LIMITS).unwrap(), 0);
        let days = SystemTime::now() - Duration::from_secs(2 * 24 * 3600);
        std::fs::File::options().write(true).open(&left).unwrap().set_modified(days).unwrap();
        cache.prune(std::slice::from_ref(&locked.0), 25_000, &LIMITS).unwrap();
        assert!(has(&cache, &locked.1) && !has(&cache, &old.1) && has(&cache, &new.1) && !left.exists());
        // What was used a moment ago is not the oldest any more.
        let other = keep(&cache, &[4; 10_000], 6);
        cache.get(&new.1, 10_000).unwrap();
        cache.prune(std::slice::from_ref(&locked.0), 25_000, &LIMITS).unwrap();
        assert!(has(&cache, &locked.1) && has(&cache, &new.1) && !has(&cache, &other.1));
        cache.prune(std::slice::from_ref(&locked.0), 0, &LIMITS).unwrap();
        assert!(has(&cache, &locked.0) && has(&cache, &locked.1) && cache.attached(&locked.0, 10).is_some());
        assert!(!has(&cache, &new.1));
    }

    #[test]
    fn removed_tool_takes_with_it_what_no_other_one_has() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(directory.path()).unwrap();
        let (removed, other) = (keep(&cache, b"removed", 1), keep(&cache, b"other", 1));
        let shared = Digest::of(b"schema = 1");
        cache.forget(&removed.0, std::slice::from_ref(&other.0), &LIMITS).unwrap();
        assert!(!has(&cache, &removed.0) && !has(&cache, &removed.1) && cache.attached(&removed.0, 10).is_none());
        assert!(has(&cache, &other.0) && has(&cache, &other.1) && has(&cache, &shared));
        assert_eq!(cache.forget(&removed.0, std::slice::from_ref(&other.0), &LIMITS).unwrap(), 0);
        cache.forget(&other.0, &[], &LIMITS).unwrap();
        assert!(!has(&cache, &shared));
    }
}
