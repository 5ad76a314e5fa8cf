//! What a generation may take away and what it must leave alone.
//!
//! Emitters write the files of today's client and leave those of yesterday's: a renamed module stays importable beside
//! its successor. And they format the whole package, files that people wrote included. So generated code is removed
//! before a generation, and hand-written code is put back byte for byte after it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bailiwick_base::files::{Tree, Written};

use super::error::TypespecError;
use super::put_back::PutBack;
use crate::language::{LanguageService, Origin, content_of, files_of, listed_content};

/// Bytes of files by their path relative to the package.
type Contents = BTreeMap<String, Vec<u8>>;

/// The files of a package, sorted out before a generation. The package is held open: what the generation makes of the
/// directories in it leads nowhere else.
#[derive(Debug)]
pub(super) struct Before {
    package: Tree,
    generated: Contents,
    hand_written: Contents,
    /// Every file.
    known: BTreeSet<String>,
}

impl Before {
    /// Reads what a generation will touch.
    pub(super) fn read(package: &Path, language: &dyn LanguageService) -> Result<Self, TypespecError> {
        let package = Tree::open(package)?;
        let known: BTreeSet<String> = files_of(&package)?.into_iter().collect();
        let mut before =
            Self { generated: Contents::new(), hand_written: Contents::new(), known: known.clone(), package };
        for relative in known {
            if !language.is_source(&relative) {
                continue;
            }
            let content = listed_content(&before.package, &relative)?;
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
            self.package.remove(relative)?;
        }
        Ok(())
    }

    /// Puts hand-written files back to what they were and gives those that had been changed, with what stood there.
    pub(super) fn restore_hand_written(&self) -> Result<Vec<PutBack>, TypespecError> {
        let mut changed = Vec::new();
        for (relative, content) in &self.hand_written {
            let stood = content_of(&self.package, relative).ok().flatten();
            if self.package.write(relative, content)? == Written::Now {
                changed.push(PutBack::new(relative, content, stood));
            }
        }
        Ok(changed)
    }

    /// The package, open since before the generation.
    pub(super) fn package(&self) -> &Tree {
        &self.package
    }

    /// The generated files.
    pub(super) fn generated(&self) -> &Contents {
        &self.generated
    }

    /// Puts generated files back after a generation that failed, so that the package is what it was.
    pub(super) fn restore_generated(&self) -> Result<(), TypespecError> {
        for (relative, content) in &self.generated {
            self.package.write(relative, content)?;
        }
        Ok(())
    }

    /// Removes generated files that were not there before, after a generation that failed.
    pub(super) fn remove_new(&self, language: &dyn LanguageService) -> Result<(), TypespecError> {
        for relative in files_of(&self.package)? {
            if !language.is_source(&relative) || self.known.contains(&relative) {
                continue;
            }
            let content = listed_content(&self.package, &relative)?;
            if language.origin(&relative, &content) == Origin::Generated {
                self.package.remove(&relative)?;
            }
        }
        Ok(())
    }

    /// Removes everything that a generation wrote beside the package's code. Nothing but what was not there before goes.
    pub(super) fn remove_misplaced(&self, now: &[String], language: &dyn LanguageService) -> Result<(), TypespecError> {
        for relative in files_of(&self.package)? {
            let beneath = |root: &String| {
                !root.is_empty() && relative.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('/'))
            };
            if self.known.contains(&relative) {
                continue;
            }
            let written = now.iter().any(beneath)
                || language.is_source(&relative)
                    && language.origin(&relative, &listed_content(&self.package, &relative)?) != Origin::HandWritten;
            if written {
                self.package.remove(&relative)?;
                self.package.remove_empty_above(&relative);
            }
        }
        Ok(())
    }

    /// Generated files of before that were not written again, with the directories that this left empty removed.
    pub(super) fn finish(&self) -> Result<Vec<String>, TypespecError> {
        let mut gone = Vec::new();
        for relative in self.generated.keys() {
            if self.package.kind(relative)?.is_none() {
                gone.push(relative.clone());
                self.package.remove_empty_above(relative);
            }
        }
        Ok(gone)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use bailiwick_base::files::TreeError;

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
        let package = &directory.path().canonicalize().unwrap();
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
        let put_back = before.restore_hand_written().unwrap();
        let paths: Vec<&str> = put_back.iter().map(|one| one.path.as_str()).collect();
        assert_eq!(paths, ["azure/w/models/_patch.py"]);
        assert_eq!(before.finish().unwrap(), ["azure/w/operations/_operations.py"]);
        assert_eq!(fs::read(package.join("azure/w/models/_patch.py")).unwrap(), b"x  =  1\r\n");
        assert!(!package.join("azure/w/operations").exists());
        assert_eq!(fs::read(package.join("README.md")).unwrap(), b"read");
    }

    /// What a hostile generator did: the directory of a hand-written file became a link to one outside both repositories.
    #[test]
    fn directory_that_the_generation_exchanged_for_a_link_is_refused_and_nothing_is_written_behind_it() {
        let directory = tempfile::tempdir().unwrap();
        let package = directory.path().canonicalize().unwrap().join("package");
        let outside = directory.path().canonicalize().unwrap().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("_patch.py"), "somebody else's").unwrap();
        write(&package, "azure/w/models/_models.py", HEADER);
        write(&package, "azure/w/models/_patch.py", "x = 1\n");
        let before = Before::read(&package, &Python).unwrap();
        before.remove_generated().unwrap();
        fs::rename(package.join("azure/w/models"), package.join("azure/w/moved")).unwrap();
        symlink(&outside, package.join("azure/w/models")).unwrap();
        fs::write(outside.join("_models.py"), HEADER).unwrap();

        let refused = |result: Result<(), TypespecError>| {
            assert!(matches!(result, Err(TypespecError::Tree(TreeError::Link { .. }))), "{result:?}");
        };
        refused(before.restore_hand_written().map(drop));
        refused(before.restore_generated());
        refused(before.finish().map(drop));
        before.remove_new(&Python).unwrap();
        assert_eq!(fs::read(outside.join("_patch.py")).unwrap(), b"somebody else's");
        assert_eq!(fs::read(outside.join("_models.py")).unwrap(), HEADER.as_bytes());
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 2);
    }

    #[test]
    fn failed_generation_leaves_the_package_as_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let package = &directory.path().canonicalize().unwrap();
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
