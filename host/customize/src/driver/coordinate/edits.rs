//! What the calling agent changed since the host last looked, and whether it may.

use std::collections::BTreeMap;
use std::path::Path;

use bailiwick_runs::{ChangedFile, Digest, EntryKind, Run};
use bailiwick_sdk::tasks::{Scope, SpecIndex};

use super::super::attempt::FILE_BYTES;
use super::super::roots::{CLIENT_FILE, SDK, SPEC, plain_content};
use super::super::session::Session;
use super::super::{CustomizeError, patch};
use super::persist::Kept;
use crate::coordinator::FixType;
use crate::gate::{
    Candidate, PatchDifference, Rule, Touched, TypespecDifference, Verdict, Violation, judge_patch, judge_typespec,
};
use crate::language::LanguageService;

/// Files that the caller's builds and package managers leave, which do not count as edits. They go with the run all the same.
const LEFTOVERS: [&str; 7] =
    ["__pycache__", ".mypy_cache", ".pytest_cache", "node_modules", "tsp-output", "TempTypeSpecFiles", "target"];

/// What came of looking.
pub(super) enum Edits {
    /// Nothing differs.
    None,
    /// All of it is allowed.
    Allowed,
    /// Some of it is not: a sentence each.
    Refused(Vec<String>),
}

/// The two sides of a run, looked at without any tool.
pub(super) struct Look<'a> {
    pub(super) run: &'a Run,
    /// The package directory, canonical.
    pub(super) package: &'a Path,
    /// The TypeSpec project, canonical.
    pub(super) project: &'a Path,
    pub(super) language: &'a dyn LanguageService,
    /// The compiler's view when the workflow began.
    pub(super) index_before: &'a SpecIndex,
    /// Hand-written files with what generation carried over to them since.
    pub(super) carried: &'a BTreeMap<String, Option<Vec<u8>>>,
}

impl Look<'_> {
    /// Judges what was edited since the last accepted state by its places and its text. A compiler is not asked here.
    pub(super) fn judge(&self, kept: &Kept, after: FixType) -> Result<Edits, CustomizeError> {
        self.judged(kept, after).map(|(edits, _)| edits)
    }

    /// The same, with the files that were looked at.
    fn judged(&self, kept: &Kept, after: FixType) -> Result<(Edits, Vec<Candidate>), CustomizeError> {
        let edited = self.edited(kept)?;
        if edited.is_empty() {
            return Ok((Edits::None, Vec::new()));
        }
        let editable = match after {
            FixType::Tsp => Vec::new(),
            FixType::Sdk => self.language.customization_files(self.package)?,
        };
        let may = |root: &str, path: &str| match after {
            FixType::Tsp => root == SPEC && path == CLIENT_FILE,
            FixType::Sdk => root == SDK && editable.iter().any(|file| file == path),
        };
        let mut violations = Vec::new();
        let mut candidates = Vec::new();
        for file in &edited {
            if !may(&file.root, &file.path) {
                violations.push(self.outside(file, after));
            } else if file.kind != EntryKind::File {
                violations.push(Violation::new(Rule::NotAPlainFile, &file.path, "it is no longer a plain file"));
            } else {
                candidates.push(self.candidate(file)?);
            }
        }
        if violations.is_empty() {
            violations = match after {
                FixType::Tsp => refused(self.judge_typespec(&candidates, None)),
                FixType::Sdk => self.judge_repairs(&candidates, &editable)?,
            };
        }
        Ok((named(&violations, after), candidates))
    }

    /// What differs now from what the host accepted last.
    fn edited(&self, kept: &Kept) -> Result<Vec<ChangedFile>, CustomizeError> {
        let changed = self.differing()?;
        let mut edited: Vec<ChangedFile> = changed
            .iter()
            .filter(|(name, (_, digest))| kept.accepted.get(*name) != Some(digest))
            .map(|(_, (file, _))| file.clone())
            .collect();
        // What the host had accepted and is as before the run again.
        for name in kept.accepted.keys().filter(|name| !changed.contains_key(*name)) {
            let (root, path) = name.split_once('/').unwrap_or((SDK, name));
            let change = bailiwick_runs::ChangeKind::Modified;
            edited.push(ChangedFile { root: root.into(), path: path.into(), change, kind: EntryKind::File });
        }
        Ok(edited)
    }

    /// Every entry that differs from before the run, with the digest of its content.
    fn differing(&self) -> Result<BTreeMap<String, (ChangedFile, Option<Digest>)>, CustomizeError> {
        let mut all = BTreeMap::new();
        for file in self.run.changed()? {
            let leftover = file.path.split('/').any(|part| LEFTOVERS.contains(&part));
            if leftover || file.kind == EntryKind::Directory {
                continue;
            }
            let digest = match file.kind {
                EntryKind::File => {
                    plain_content(self.root_directory(&file.root), &file.path)?.as_deref().map(Digest::of)
                }
                _ => None,
            };
            all.insert(format!("{}/{}", file.root, file.path), (file, digest));
        }
        Ok(all)
    }

    fn root_directory(&self, root: &str) -> &Path {
        if root == SPEC { self.project } else { self.package }
    }

    fn outside(&self, file: &ChangedFile, after: FixType) -> Violation {
        let path = format!("{}/{}", file.root, file.path);
        let generated = file.root == SDK
            && plain_content(self.root_directory(SDK), &file.path).is_ok_and(|content| {
                self.language.origin(&file.path, content.as_deref().unwrap_or_default())
                    != crate::language::Origin::HandWritten
            });
        let (rule, message) = match (after, generated) {
            (_, true) => (Rule::GeneratedCode, "generated code is never edited by hand; put it back".to_owned()),
            (FixType::Tsp, _) => {
                (Rule::OutsideEditable, format!("only `{SPEC}/{CLIENT_FILE}` may be changed here; put this back"))
            }
            (FixType::Sdk, _) => (
                Rule::OutsideEditable,
                "only customization files of the package may be changed here; put this back".to_owned(),
            ),
        };
        Violation::new(rule, &path, message)
    }

    /// The caller edits the repository itself, so that it is its own stage.
    fn candidate(&self, file: &ChangedFile) -> Result<Candidate, CustomizeError> {
        let now = plain_content(self.root_directory(&file.root), &file.path)?;
        Ok(Candidate {
            path: file.path.clone(),
            original: match file.root.as_str() {
                SDK => self.original(&file.path)?,
                root => self.run.before(root, &file.path)?,
            },
            staged: now.clone(),
            now: now.clone(),
            after: now,
        })
    }

    fn original(&self, path: &str) -> Result<Option<Vec<u8>>, CustomizeError> {
        match self.carried.get(path) {
            Some(original) => Ok(original.clone()),
            None => Ok(self.run.before(SDK, path)?),
        }
    }

    fn judge_typespec(&self, candidates: &[Candidate], index_after: Option<&SpecIndex>) -> Verdict {
        judge_typespec(&TypespecDifference {
            client_file: CLIENT_FILE,
            language: self.language.language(),
            permitted: &Scope::Only(vec![self.language.language()]),
            granted: &[],
            candidates,
            index_before: self.index_before,
            index_after,
            file_bytes: FILE_BYTES,
        })
    }

    fn judge_repairs(&self, candidates: &[Candidate], editable: &[String]) -> Result<Vec<Violation>, CustomizeError> {
        let mut earlier = Vec::new();
        for path in editable {
            let now = plain_content(self.package, path)?;
            earlier.push(Touched { path: path.clone(), original: self.original(path)?, now });
        }
        Ok(refused(judge_patch(&PatchDifference {
            language: self.language.language(),
            customization_files: editable,
            candidates,
            earlier: &earlier,
            limits: patch::LIMITS,
        })))
    }
}

impl Session<'_> {
    fn look(&self) -> Look<'_> {
        Look {
            run: &self.run,
            package: &self.project.package,
            project: &self.project.directory,
            language: self.language.as_ref(),
            index_before: &self.index_before,
            carried: self.carried(),
        }
    }

    /// Judges what was edited since the last accepted state, by the same gate that judges the host's own agents.
    pub(super) async fn judge_edits(&mut self, kept: &Kept, after: FixType) -> Result<Edits, CustomizeError> {
        match (self.look().judged(kept, after)?, after) {
            // A compiler runs what a file imports, so it reads nothing that its text alone refuses.
            ((Edits::Allowed, candidates), FixType::Tsp) => {
                let violations = self.judge_client_file(&candidates).await?;
                Ok(named(&violations, after))
            }
            ((edits, _), _) => Ok(edits),
        }
    }

    /// Takes what both repositories hold now as accepted.
    pub(super) fn accept(&self, kept: &mut Kept) -> Result<(), CustomizeError> {
        kept.accepted = self.look().differing()?.into_iter().map(|(name, (_, digest))| (name, digest)).collect();
        Ok(())
    }

    /// What the compiler says of an edited client file.
    async fn judge_client_file(&mut self, candidates: &[Candidate]) -> Result<Vec<Violation>, CustomizeError> {
        let index = self.probe(None).await?;
        let errors: Vec<Violation> = index
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.is_error())
            .map(|diagnostic| {
                let message = format!("it does not compile: {}", crate::machine::diagnostic_line(diagnostic));
                Violation::new(Rule::UnreadableTypespec, CLIENT_FILE, message)
            })
            .collect();
        if !errors.is_empty() {
            return Ok(errors);
        }
        let violations = refused(self.look().judge_typespec(candidates, Some(&index)));
        self.index = index;
        Ok(violations)
    }
}

/// Each violation as a sentence that names its file.
fn named(violations: &[Violation], after: FixType) -> Edits {
    let root = match after {
        FixType::Tsp => SPEC,
        FixType::Sdk => SDK,
    };
    let sentence =
        |violation: &Violation| match violation.path.starts_with("spec/") || violation.path.starts_with("sdk/") {
            true => violation.to_string(),
            false => format!("{root}/{violation}"),
        };
    match violations.is_empty() {
        true => Edits::Allowed,
        false => Edits::Refused(violations.iter().map(sentence).collect()),
    }
}

fn refused(verdict: Verdict) -> Vec<Violation> {
    match verdict {
        Verdict::Lands(_) => Vec::new(),
        Verdict::Refused(violations) => violations,
    }
}
