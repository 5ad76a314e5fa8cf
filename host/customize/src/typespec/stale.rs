//! What a generation may take away and what it must leave alone.
//!
//! Emitters write the files of today's client and leave those of yesterday's: a renamed module stays importable beside
//! its successor. And they format the whole package, files that people wrote included. So generated code is removed
//! before a generation, and hand-written code is put back byte for byte after it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::error::TypespecError;
use crate::language::{LanguageService, Origin, package_files};

/// Bytes of files by their path relative to the package.
type Contents = BTreeMap<String, Vec<u8>>;

/// The files of a package, sorted out before a generation.
#[derive(Debug)]
pub(super) struct Before {
    package: PathBuf,
    generated: Contents,
    hand_written: Contents,
    /// Every source file.
    known: BTreeSet<String>,
}

impl Before {
    /// Reads what a generation will touch.
    pub(super) fn read(package: &Path, language: &dyn LanguageService) -> Result<Self, TypespecError> {
        let mut before = Self {
            package: package.to_owned(),
            generated: Contents::new(),
            hand_written: Contents::new(),
            known: BTreeSet::new(),
        };
        let files = package_files(package).map_err(TypespecError::io(package, "read"))?;
        for relative in files {
            if !language.is_source(&relative) {
                continue;
            }
            let path = package.join(&relative);
            let content = fs::read(&path).map_err(TypespecError::io(&path, "read"))?;
            before.known.insert(relative.clone());
            match language.origin(&relative, &content) {
                Origin::Generated => before.generated.insert(relative, content),
                Origin::HandWritten => before.hand_written.insert(relative, content),
                Origin::Kept => None,
            };
        }
        Ok(before)
    }

    /// Removes the generated files.
    pub(super) fn remove_generated(&self) -> Result<(), TypespecError> {
        for relative in self.generated.keys() {
            let path = self.package.join(relative);
            fs::remove_file(&path).map_err(TypespecError::io(&path, "removed"))?;
        }
        Ok(())
    }

    /// Puts hand-written files back to what they were and gives the paths of those that had been changed.
    pub(super) fn restore_hand_written(&self) -> Result<Vec<String>, TypespecError> {
        let mut changed = Vec::new();
        for (relative, content) in &self.hand_written {
            if write_if_different(&self.package.join(relative), content)? {
                changed.push(relative.clone());
            }
        }
        Ok(changed)
    }

    /// The generated files.
    pub(super) fn generated(&self) -> &Contents {
        &self.generated
    }

    /// Puts generated files back after a generation that failed, so that the package is what it was.
    pub(super) fn restore_generated(&self) -> Result<(), TypespecError> {
        for (relative, content) in &self.generated {
            write_if_different(&self.package.join(relative), content)?;
        }
        Ok(())
    }

    /// Removes generated files that were not there before, after a generation that failed.
    pub(super) fn remove_new(&self, language: &dyn LanguageService) -> Result<(), TypespecError> {
        for relative in package_files(&self.package).map_err(TypespecError::io(&self.package, "read"))? {
            if !language.is_source(&relative) || self.known.contains(&relative) {
                continue;
            }
            let path = self.package.join(&relative);
            let content = fs::read(&path).map_err(TypespecError::io(&path, "read"))?;
            if language.origin(&relative, &content) == Origin::Generated {
                fs::remove_file(&path).map_err(TypespecError::io(&path, "removed"))?;
            }
        }
        Ok(())
    }

    /// Generated files of before that were not written again, with the directories that this left empty removed.
    pub(super) fn finish(&self) -> Result<Vec<String>, TypespecError> {
        let mut gone = Vec::new();
        for relative in self.generated.keys() {
            let path = self.package.join(relative);
            if path.exists() {
                continue;
            }
            gone.push(relative.clone());
            for parent in path.ancestors().skip(1) {
                // Only empty ones go, and only below the package.
                if parent == self.package || fs::remove_dir(parent).is_err() {
                    break;
                }
            }
        }
        Ok(gone)
    }
}

/// Whether it had to be written. A link in the place of the file is replaced, not followed.
fn write_if_different(path: &Path, content: &[u8]) -> Result<bool, TypespecError> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    if is_link {
        fs::remove_file(path).map_err(TypespecError::io(path, "removed"))?;
    } else if fs::read(path).is_ok_and(|found| found == content) {
        return Ok(false);
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(TypespecError::io(parent, "created"))?;
    }
    fs::write(path, content).map_err(TypespecError::io(path, "written"))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Python;

    const HEADER: &str = "# coding=utf-8\n# Code generated by Microsoft (R) Python Code Generator.\n";

    fn write(package: &Path, relative: &str, content: &str) {
        let path = package.join(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    #[test]
    fn yesterdays_modules_go_and_what_people_wrote_stays_byte_for_byte() {
        let directory = tempfile::tempdir().unwrap();
        let package = directory.path();
        write(package, "azure/w/operations/_operations.py", HEADER);
        write(package, "azure/w/models/_models.py", HEADER);
        write(package, "azure/w/_version.py", HEADER);
        write(package, "azure/w/models/_patch.py", "x  =  1\r\n");
        write(package, "azure/w/helper.py", "y=1");
        write(package, "README.md", "read");

        let before = Before::read(package, &Python).unwrap();
        before.remove_generated().unwrap();
        assert!(!package.join("azure/w/models/_models.py").exists());
        assert!(package.join("azure/w/_version.py").exists());

        // What an emitter does: some files again, and everything formatted.
        write(package, "azure/w/models/_models.py", HEADER);
        write(package, "azure/w/models/_patch.py", "x = 1\n");
        assert_eq!(before.restore_hand_written().unwrap(), ["azure/w/models/_patch.py"]);
        assert_eq!(before.finish().unwrap(), ["azure/w/operations/_operations.py"]);
        assert_eq!(fs::read(package.join("azure/w/models/_patch.py")).unwrap(), b"x  =  1\r\n");
        assert!(!package.join("azure/w/operations").exists());
        assert_eq!(fs::read(package.join("README.md")).unwrap(), b"read");
    }

    #[test]
    fn failed_generation_leaves_the_package_as_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let package = directory.path();
        write(package, "azure/w/models/_models.py", HEADER);
        let before = Before::read(package, &Python).unwrap();
        before.remove_generated().unwrap();
        write(package, "azure/w/models/_other.py", HEADER);
        before.restore_generated().unwrap();
        before.remove_new(&Python).unwrap();
        assert_eq!(fs::read(package.join("azure/w/models/_models.py")).unwrap(), HEADER.as_bytes());
        assert!(!package.join("azure/w/models/_other.py").exists());
    }
}
