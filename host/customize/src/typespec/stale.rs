//! What a generation may take away and what it must leave alone.
//!
//! Emitters write the files of today's client and leave those of yesterday's: a renamed module stays importable beside
//! its successor. And they format the whole package, files that people wrote included. So generated code is removed
//! before a generation, and hand-written code is put back byte for byte after it.
//!
//! Some emitters update the files that they find: what a person wrote in them stays. Such a file is left where it is. One
//! that the emitter does not write any more ends the generation, for the code in it would be lost or stay behind. Where a
//! customization seems to have written such code, the file is generated anew, and then the code has to stand there again.
//!
//! People also start a file from a generated one and leave its header: such a file brings in modules that people wrote, which the
//! generator does not know. It is treated as hand-written code is.
//!
//! And some packages keep code of the generator that was before TypeSpec beside that of the emitter, for an older version of
//! the service. The emitter will not write it again, so it is treated as hand-written code is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bailiwick_base::files::{Facts, Looks, Tree, Written};

use super::error::TypespecError;
use super::put_back::PutBack;
use crate::language::{LanguageService, Origin, content_of, files_of, listed_content};

/// What an emitter does with a generated file that it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Existing {
    /// Writes over it.
    Replaced,
    /// Takes over what people wrote in it.
    Updated,
}

/// Why a generated file is not removed before a generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// The emitter updates it, and a person wrote in it.
    Shared,
    /// It is of the generator that was before TypeSpec, and other files of the package are the emitter's.
    Former,
}

/// Bytes of files by their path relative to the package.
type Contents = BTreeMap<String, Vec<u8>>;

/// The files of a package, sorted out before a generation. The package is held open: what the generation makes of the
/// directories in it leads nowhere else.
#[derive(Debug)]
pub(super) struct Before {
    package: Tree,
    generated: Contents,
    /// Generated files that are not removed, as the file system knew them.
    standing: BTreeMap<String, (Why, Facts)>,
    /// Generated files with code in them that a customization seems to have written.
    customized: BTreeSet<String>,
    hand_written: Contents,
    /// Owner, mode and attributes of the hand-written files, and of the directories that they lie in.
    looks: BTreeMap<String, Looks>,
    /// Every file.
    known: BTreeSet<String>,
}

impl Before {
    /// Reads what a generation will touch. The files that are `updated` are left where they are, however their code came there.
    pub(super) fn read(
        package: &Path,
        language: &dyn LanguageService,
        existing: Existing,
        customizations: &[String],
        updated: &BTreeSet<String>,
    ) -> Result<Self, TypespecError> {
        let package = Tree::open(package)?;
        let known: BTreeSet<String> = files_of(&package)?.into_iter().collect();
        let mut before = Self {
            generated: Contents::new(),
            standing: BTreeMap::new(),
            customized: BTreeSet::new(),
            hand_written: Contents::new(),
            looks: BTreeMap::new(),
            known: known.clone(),
            package,
        };
        for relative in known {
            if !language.is_source(&relative) {
                continue;
            }
            let content = listed_content(&before.package, &relative)?;
            let origin = language.origin(&relative, &content);
            match origin {
                Origin::Generated => before.generated.insert(relative, content),
                Origin::HandWritten => before.hand_written.insert(relative, content),
                Origin::Kept => None,
            };
        }
        let own: Vec<String> = {
            let is_hand_written = |path: &str| before.hand_written.contains_key(path);
            let in_disguise =
                |(path, content): &(&String, &Vec<u8>)| language.is_in_disguise(path, content, &is_hand_written);
            before.generated.iter().filter(in_disguise).map(|(path, _)| path.clone()).collect()
        };
        for path in own {
            if let Some(content) = before.generated.remove(&path) {
                before.hand_written.insert(path, content);
            }
        }
        let is_former = |content: &Vec<u8>| language.is_former(content);
        let keeps_former = !before.generated.values().all(is_former);
        for (relative, content) in &before.generated {
            let why = if keeps_former && is_former(content) {
                Why::Former
            } else if existing == Existing::Updated && language.is_shared(relative, content) {
                if !updated.contains(relative) && language.is_made_by_customization(relative, content, customizations) {
                    before.customized.insert(relative.clone());
                    continue;
                }
                Why::Shared
            } else {
                continue;
            };
            if let Some(facts) = before.package.facts(relative)? {
                before.standing.insert(relative.clone(), (why, facts));
            }
        }
        before.look();
        Ok(before)
    }

    fn look(&mut self) {
        for path in self.hand_written.keys().flat_map(|path| ways(path).chain([path.as_str()])) {
            if !self.looks.contains_key(path)
                && let Some(looks) = self.package.looks(path)
            {
                self.looks.insert(path.to_owned(), looks);
            }
        }
    }

    /// Removes the generated files but for those that have to stay.
    pub(super) fn remove_generated(&self) -> Result<(), TypespecError> {
        for relative in self.generated.keys().filter(|relative| !self.standing.contains_key(*relative)) {
            self.package.remove(relative)?;
        }
        Ok(())
    }

    /// Whether a file stands there as it did before the generation, which did not write it.
    pub(super) fn is_untouched(&self, relative: &str) -> Result<bool, TypespecError> {
        let Some((_, facts)) = self.standing.get(relative) else { return Ok(false) };
        // No program can choose the time of the last change.
        Ok(self.package.facts(relative)?.as_ref() == Some(facts))
    }

    /// Files with code of people in them that the generation did not write, because it has no such type any more. Some
    /// emitters remove them themselves.
    pub(super) fn left(&self) -> Result<Vec<String>, TypespecError> {
        let mut left = Vec::new();
        for (relative, _) in self.standing.iter().filter(|(_, (why, _))| *why == Why::Shared) {
            if self.is_untouched(relative)? || self.package.kind(relative)?.is_none() {
                left.push(relative.clone());
            }
        }
        Ok(left)
    }

    /// Files of which a part is missing that a customization seemed to have written: a person did.
    pub(super) fn missed(
        &self,
        language: &dyn LanguageService,
        customizations: &[String],
    ) -> Result<BTreeSet<String>, TypespecError> {
        let mut missed = BTreeSet::new();
        for relative in &self.customized {
            let Some(before) = self.generated.get(relative) else { continue };
            // A type that was renamed stands in another file.
            let places = match self.package.kind(relative)? {
                Some(_) => vec![relative.clone()],
                None => files_of(&self.package)?.into_iter().filter(|path| !self.known.contains(path)).collect(),
            };
            let mut stands = false;
            for place in places.iter().filter(|place| language.is_source(place)) {
                let now = listed_content(&self.package, place)?;
                stands |= language.keeps_own_code(before, &now, customizations);
            }
            if !stands {
                missed.insert(relative.clone());
            }
        }
        Ok(missed)
    }

    /// Puts files of the former generator back to what they were, but for those in whose place the emitter wrote its own.
    pub(super) fn restore_former(&self, language: &dyn LanguageService) -> Result<(), TypespecError> {
        for (relative, _) in self.standing.iter().filter(|(_, (why, _))| *why == Why::Former) {
            let now = content_of(&self.package, relative).ok().flatten();
            let replaced = now
                .is_some_and(|now| language.origin(relative, &now) == Origin::Generated && !language.is_former(&now));
            if let Some(content) = self.generated.get(relative).filter(|_| !replaced) {
                self.package.write(relative, content)?;
            }
        }
        Ok(())
    }

    /// Puts hand-written files back to what they were and gives those that had been changed, with what stood there.
    pub(super) fn restore_hand_written(&self) -> Result<Vec<PutBack>, TypespecError> {
        let mut changed = Vec::new();
        for (relative, content) in &self.hand_written {
            let stood = content_of(&self.package, relative).ok().flatten();
            for (directory, looks) in ways(relative).filter_map(|way| self.looks.get_key_value(way)) {
                self.package.make_directory_as(directory, looks)?;
            }
            let written = match self.looks.get(relative) {
                Some(looks) => self.package.write_as(relative, content, looks)?,
                None => self.package.write(relative, content)?,
            };
            if written == Written::Now {
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

    /// The hand-written files.
    pub(super) fn hand_written(&self) -> &Contents {
        &self.hand_written
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

/// The directories that a file lies in, outermost first.
fn ways(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(end, _)| &path[..end])
}

#[cfg(test)]
mod tests;
