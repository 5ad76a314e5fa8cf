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

use bailiwick_base::files::{Facts, Tree, Written};

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
        Ok(before)
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use bailiwick_base::files::TreeError;

    use super::*;
    use crate::laid_out::write;
    use crate::language::{Java, Python};

    const HEADER: &str = "# coding=utf-8\n# Code generated by Microsoft (R) Python Code Generator.\n";

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

        let before = Before::read(package, &Python, Existing::Replaced, &[], &BTreeSet::new()).unwrap();
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

    #[test]
    fn file_with_the_header_that_only_brings_in_what_people_wrote_stays_and_is_put_back() {
        let directory = tempfile::tempdir().unwrap();
        let package = &directory.path().canonicalize().unwrap();
        let own = format!("{HEADER}\nfrom ._tracer import Tracer\n\n__all__ = [\n    \"Tracer\",\n]\n");
        let generated = format!("{HEADER}\nfrom ._client import WidgetClient\nfrom ._patch import *\n");
        write(package, "azure/w/telemetry/__init__.py", &own);
        write(package, "azure/w/telemetry/_tracer.py", "class Tracer: ...\n");
        write(package, "azure/w/__init__.py", &generated);
        write(package, "azure/w/_client.py", HEADER);
        write(package, "azure/w/_patch.py", "x = 1\n");

        let before = Before::read(package, &Python, Existing::Replaced, &[], &BTreeSet::new()).unwrap();
        before.remove_generated().unwrap();
        assert!(!package.join("azure/w/__init__.py").exists(), "it brings in what is generated");
        fs::write(package.join("azure/w/telemetry/__init__.py"), HEADER).unwrap();
        before.restore_hand_written().unwrap();
        assert_eq!(fs::read_to_string(package.join("azure/w/telemetry/__init__.py")).unwrap(), own);
        assert_eq!(before.finish().unwrap(), ["azure/w/__init__.py", "azure/w/_client.py"]);
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
        let before = Before::read(&package, &Python, Existing::Replaced, &[], &BTreeSet::new()).unwrap();
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
        let before = Before::read(package, &Python, Existing::Replaced, &[], &BTreeSet::new()).unwrap();
        before.remove_generated().unwrap();
        write(package, "azure/w/models/_other.py", HEADER);
        before.restore_generated().unwrap();
        before.remove_new(&Python).unwrap();
        assert_eq!(fs::read(package.join("azure/w/models/_models.py")).unwrap(), HEADER.as_bytes());
        assert!(!package.join("azure/w/models/_other.py").exists());
    }

    /// What `azure-ai-contentsafety` does: overloads for users stand in generated clients, without `@Generated`.
    #[test]
    fn file_with_code_of_people_is_left_to_an_emitter_that_updates_it_and_told_where_it_does_not() {
        const JAVA: &str = "// Code generated by Microsoft (R) TypeSpec Code Generator.\npackage a;\n";
        let directory = tempfile::tempdir().unwrap();
        let package = &directory.path().canonicalize().unwrap();
        let client = |own: &str| format!("{JAVA}class C {{\n  @Generated\n  void get() {{ }}\n{own}}}\n");
        let own = client("  void get(String name) { }\n");
        let places = ["C", "D", "E", "F"].map(|name| format!("src/main/java/a/{name}.java"));
        let [kept, gone, plain, removed] = &places;
        for path in [kept, gone, removed] {
            write(package, path, &own);
        }
        write(package, plain, client(""));
        let there = |path: &str| package.join(path).exists();

        let before = Before::read(package, &Java, Existing::Replaced, &[], &BTreeSet::new()).unwrap();
        before.remove_generated().unwrap();
        assert!(!there(kept) && !there(plain));
        assert_eq!(before.left().unwrap(), Vec::<String>::new());
        before.restore_generated().unwrap();

        let before = Before::read(package, &Java, Existing::Updated, &[], &BTreeSet::new()).unwrap();
        before.remove_generated().unwrap();
        assert!(there(kept) && there(gone) && !there(plain));
        // What an emitter does: one is written, be it with the same text, and one is removed.
        fs::write(package.join(kept), &own).unwrap();
        fs::remove_file(package.join(removed)).unwrap();
        assert_eq!(before.left().unwrap(), [gone.clone(), removed.clone()]);
        before.restore_generated().unwrap();
        assert!(there(plain) && there(removed));
    }

    /// What `azure-communication-messages` does: its customization adds methods, which have no `@Generated` either.
    #[test]
    fn file_whose_other_code_a_customization_wrote_is_generated_anew() {
        const TEXT: &str = "// Code generated by Microsoft (R) TypeSpec Code Generator.\npackage a;\nclass C {\n  @Generated\n  int lat;\n  \
                            int get() {\n    return lat;\n  }\n}\n";
        let directory = tempfile::tempdir().unwrap();
        let package = &directory.path().canonicalize().unwrap();
        let path = "src/main/java/a/C.java";
        write(package, path, TEXT);
        let class = |body: &str| {
            format!(
                "class X {{ void c() {{ ast.getClassByName(\"C\").get().addMethod(\"get\").setBody(parseBlock(\"{body}\")); }} }}"
            )
        };
        // It said so when the run began; what it says now is another thing.
        let versions = [class("{ return latitude; }"), class("{ return lat; }")];
        for (customizations, stays) in [(&versions[..], false), (&versions[..1], true), (&[], true)] {
            let before = Before::read(package, &Java, Existing::Updated, customizations, &BTreeSet::new()).unwrap();
            before.remove_generated().unwrap();
            assert_eq!(package.join(path).exists(), stays);
            before.restore_generated().unwrap();
        }

        let before = Before::read(package, &Java, Existing::Updated, &versions, &BTreeSet::new()).unwrap();
        // What the emitter writes is what the customization says, and not what stood there.
        for (now, missed) in [
            (TEXT.to_owned(), false),
            (TEXT.replace("return lat", "return latitude"), false),
            (TEXT.replace("int get()", "long get()"), true),
            (TEXT.replace("return lat", "return flat"), true),
        ] {
            write(package, path, &now);
            assert_eq!(before.missed(&Java, &versions).unwrap().contains(path), missed, "{now}");
        }
        fs::remove_file(package.join(path)).unwrap();
        assert!(before.missed(&Java, &versions).unwrap().contains(path));
        write(package, "src/main/java/a/D.java", TEXT.replace("class C", "class D"));
        assert!(before.missed(&Java, &versions).unwrap().is_empty(), "the type was renamed");

        write(package, path, TEXT);
        let updated = BTreeSet::from([path.to_owned()]);
        let before = Before::read(package, &Java, Existing::Updated, &versions, &updated).unwrap();
        before.remove_generated().unwrap();
        assert!(package.join(path).exists(), "the emitter updates it");
    }

    /// What `azure-eventgrid` does: the client of an older service, of the former generator, beside the one of TypeSpec.
    #[test]
    fn code_of_the_former_generator_stays_beside_that_of_the_emitter_and_goes_where_all_is_of_the_former() {
        const FORMER: &str = "# coding=utf-8\n# Code generated by Microsoft (R) AutoRest Code Generator.\n";
        let directory = tempfile::tempdir().unwrap();
        let package = &directory.path().canonicalize().unwrap();
        let (legacy, models, new) = ("azure/w/_legacy/_client.py", "azure/w/models/_models.py", "azure/w/_client.py");
        write(package, legacy, format!("{FORMER}x = 1\n"));
        write(package, models, format!("{FORMER}y = 1\n"));
        let before = Before::read(package, &Python, Existing::Replaced, &[], &BTreeSet::new()).unwrap();
        before.remove_generated().unwrap();
        assert!(!package.join(legacy).exists(), "a package that leaves the former generator behind");
        before.restore_generated().unwrap();

        write(package, new, HEADER);
        let before = Before::read(package, &Python, Existing::Replaced, &[], &BTreeSet::new()).unwrap();
        before.remove_generated().unwrap();
        assert!(package.join(legacy).exists() && package.join(models).exists() && !package.join(new).exists());
        // The emitter formats one, writes over the other, and says nothing of either.
        write(package, legacy, format!("{FORMER}x=1\n"));
        write(package, models, format!("{HEADER}y = 2\n"));
        assert_eq!(before.left().unwrap(), Vec::<String>::new());
        before.restore_former(&Python).unwrap();
        assert_eq!(fs::read_to_string(package.join(legacy)).unwrap(), format!("{FORMER}x = 1\n"));
        assert_eq!(fs::read_to_string(package.join(models)).unwrap(), format!("{HEADER}y = 2\n"));
        assert_eq!(before.finish().unwrap(), [new]);
    }
}
