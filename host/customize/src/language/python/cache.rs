//! What the type checker begins with.
//!
//! mypy takes a file for the one it has checked where the size and the whole second of the last change agree. A generator
//! may write a file twice in one second, and a copy of the package as it was before lies at the same relative paths. So
//! no check meets what an earlier one of the run found out: each begins with what is known of the libraries alone.

use std::fs;
use std::path::Path;

use super::super::LanguageError;

/// Makes `cache` a copy of `seed`, or removes it if there is no seed. A child wrote there before; a link that it left is
/// removed and not followed.
pub(super) fn begin(cache: &Path, seed: Option<&Path>) -> Result<(), LanguageError> {
    remove(cache)?;
    match seed.map(|seed| copy(seed, cache)) {
        None | Some(Ok(())) => Ok(()),
        // It saves time and no more.
        Some(Err(_)) => remove(cache),
    }
}

fn remove(cache: &Path) -> Result<(), LanguageError> {
    match fs::remove_dir_all(cache) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(LanguageError::io(cache, "removed")(error)),
        _ => Ok(()),
    }
}

/// Copies directories and regular files.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut waiting = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = waiting.pop() {
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let (source, target) = (entry.path(), to.join(entry.file_name()));
            let kind = entry.file_type()?;
            if kind.is_dir() {
                waiting.push((source, target));
            } else if kind.is_file() {
                fs::copy(&source, &target)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn check_begins_with_the_seed_whatever_an_earlier_check_left() {
        let directory = tempfile::tempdir().unwrap();
        let (seed, cache) = (directory.path().join("seed"), directory.path().join("cache"));
        fs::create_dir_all(seed.join("3.11")).unwrap();
        fs::write(seed.join("3.11/cache.db"), "libraries").unwrap();
        fs::create_dir_all(cache.join("3.11/azure")).unwrap();
        fs::write(cache.join("3.11/cache.db"), "libraries and a package").unwrap();
        fs::write(cache.join("3.11/azure/widget.meta.json"), "stale").unwrap();

        begin(&cache, Some(&seed)).unwrap();
        assert!(!cache.join("3.11/azure").exists());
        assert_eq!(fs::read_to_string(cache.join("3.11/cache.db")).unwrap(), "libraries");

        begin(&cache, None).unwrap();
        assert!(!cache.exists());
    }

    #[test]
    fn link_that_a_check_left_in_place_of_its_cache_is_removed_and_what_it_leads_to_stays() {
        let directory = tempfile::tempdir().unwrap();
        let (seed, cache, outside) =
            (directory.path().join("seed"), directory.path().join("cache"), directory.path().join("outside"));
        for one in [&seed, &outside] {
            fs::create_dir(one).unwrap();
            fs::write(one.join("file"), one.to_str().unwrap()).unwrap();
        }
        symlink(&outside, &cache).unwrap();
        begin(&cache, Some(&seed)).unwrap();
        assert!(!cache.is_symlink());
        assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), outside.to_str().unwrap());
        assert_eq!(fs::read_to_string(cache.join("file")).unwrap(), seed.to_str().unwrap());
    }
}
