//! What the package was like before the run, where the build fails now: built from a copy, at most once.
//!
//! A copy and not the package: nothing of a run may depend on putting a repository back and forth in the middle. A run
//! whose request is about a failure compares nothing: what failed before is what it is to mend. A repair without a request
//! follows the regenerated code: what failed before counts where a person named it, or where the regeneration broke nothing
//! else. The first build says which, before any edit of the code: no edit of an agent decides what it has to mend.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bailiwick_base::files::{Tree, Type};
use bailiwick_runs::{Digest, EntryKind, tree_digest};
use bailiwick_sdk::tasks::{Change, Diagnostic, ItemVerdict, Rename, Route};

use super::CustomizeError;
use super::roots::{SDK, plain_content};
use super::session::Session;
use crate::baseline::Baseline;
use crate::language::{BuildRequest, Built, Errors, Judged, Verdict, listed_content, open_package};
use crate::machine::{Aim, Before, State};
use crate::scripts::Purpose;

/// The directory of the copy, in the run's work directory.
const COPY: &str = "before";
/// Larger packages are not copied.
const LARGEST: usize = 256 << 20;
/// What tools and people leave in a package and nothing imports.
const LEFT_OUT: [&str; 7] = [".git", ".mypy_cache", ".tox", ".venv", "__pycache__", "node_modules", "venv"];

/// Words in which people report failures, also beside something else. Names of the specification are written otherwise.
fn speaks_of_failure(request: &str) -> bool {
    const WORDS: [&str; 11] =
        ["broke", "broken", "breaks", "error", "errors", "fail", "failed", "failing", "fails", "failure", "red"];
    let sign = |one: char| !one.is_alphanumeric();
    request.split_whitespace().any(|word| WORDS.contains(&word.trim_matches(sign)) || word.contains("Error:"))
}

/// Whether a request names the rule of an error by its code, such as `AZC0012`. A code without digits is a word as others are.
fn names_rule(request: &str, found: &[Diagnostic]) -> bool {
    let words: BTreeSet<&str> = request.split(|one: char| !one.is_alphanumeric()).collect();
    let codes = found.iter().filter(|one| one.is_error()).filter_map(|one| one.code.as_deref());
    codes.into_iter().any(|code| code.contains(|one: char| one.is_ascii_digit()) && words.contains(code))
}

/// Whether what a person saw holds the words of this error.
fn names(seen: &str, error: &Diagnostic) -> bool {
    error.is_error() && error.message.lines().next().is_some_and(|words| !words.is_empty() && seen.contains(words))
}

impl Session<'_> {
    /// A build without the errors that were there before the run, and these.
    pub(super) async fn compared(&mut self, built: Built, state: &State) -> Result<(Built, Before), CustomizeError> {
        if self.old_errors_count {
            return Ok((built, Before::default()));
        }
        let decides = state.aim() == Aim::Repair && !state.code_landed();
        match self.told_apart(&built, state).await? {
            Some((rest, before)) if !decides || rest.verdict == Verdict::Failed => {
                if !before.known.is_empty() {
                    let known = before.known.len();
                    let was = if known == 1 { "was" } else { "were" };
                    self.customizer.progress.say(&format!("{known} of the errors {was} there before the run"));
                }
                Ok((rest, before))
            }
            _ => {
                self.old_errors_count = decides;
                Ok((built, Before::default()))
            }
        }
    }

    /// What of a build is new, and what was there before; `None` where nothing is left out.
    async fn told_apart(&mut self, built: &Built, state: &State) -> Result<Option<(Built, Before)>, CustomizeError> {
        let Some(errors) = self.language.compares().filter(|_| built.verdict == Verdict::Failed) else {
            return Ok(None);
        };
        if !self.compares(state, built)? {
            return Ok(None);
        }
        let baseline = match self.baseline.take() {
            Some(baseline) => baseline,
            None => match self.take_baseline(errors).await? {
                Some(baseline) => baseline,
                None => return Ok(None),
            },
        };
        let built = match errors {
            Errors::All if !baseline.errors.is_empty() => {
                self.customizer.progress.say("building once more with every error, to tell what is new");
                let all = self.building().build_with_all_errors().await?;
                // A build that failed has failed.
                if all.verdict == Verdict::Failed { all } else { built.clone() }
            }
            Errors::All | Errors::Shown => built.clone(),
        };
        let repairs = state.aim() == Aim::Repair;
        let (open, lasting): (Vec<Diagnostic>, Vec<Diagnostic>) = built
            .diagnostics
            .iter()
            .cloned()
            .partition(|one| self.language.goes_on_after(one) && !(repairs && names(state.request(), one)));
        // Errors of before say the names of before, those that the emitter changed too.
        let renames: Vec<Rename> = state.renames().iter().chain(&self.shown_renames).cloned().collect();
        let compared = baseline.compare(open, &renames, |file| {
            let path = file.strip_prefix(SDK)?.strip_prefix('/')?;
            plain_content(&self.project.package, path).ok()?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        });
        let broken = baseline.errors.iter().filter(|one| !self.language.goes_on_after(one)).cloned().collect();
        let before = Before { known: compared.known, broken };
        let mut rest = lasting;
        rest.extend(compared.rest);
        let verdict = if rest.iter().any(Diagnostic::is_error) { Verdict::Failed } else { Verdict::Passed };
        self.baseline = Some(baseline);
        Ok(Some((Built { verdict, diagnostics: rest, ..built }, before)))
    }

    /// Whether errors from before the run are left to the person: the build is the language's own, and the request is known
    /// item by item and none asks for a repair, or it is a repair and what a person saw of the failure is known.
    fn compares(&self, state: &State, built: &Built) -> Result<bool, CustomizeError> {
        if self.configuration.script(Purpose::Build)?.is_some() {
            return Ok(false);
        }
        let spoken = speaks_of_failure(state.request()) || names_rule(state.request(), &built.diagnostics);
        match state.aim() {
            Aim::Repair => return Ok(!spoken || built.diagnostics.iter().any(|one| names(state.request(), one))),
            Aim::Request if spoken => return Ok(false),
            Aim::Request => {}
        }
        let leaves = |item: &ItemVerdict| item.route == Route::Failure || !item.directives.is_empty();
        let repairs =
            |item: &ItemVerdict| item.directives.iter().any(|one| matches!(one.change, Change::Repair { .. }));
        let first = self.first.as_ref().map(|first| first.items.as_slice()).unwrap_or_default();
        Ok(!first.is_empty() && first.iter().all(leaves) && !first.iter().any(repairs))
    }

    /// `None` where the package as it was cannot be told from a copy: then every error counts.
    async fn take_baseline(&self, errors: Errors) -> Result<Option<Baseline>, CustomizeError> {
        let Some(copy) = self.copy_before()? else { return Ok(None) };
        let key = [
            tree_digest(&copy, &[])?.to_string(),
            self.tools.digest(),
            // What counts as an error.
            self.checks.left_out.is_some().to_string(),
            env!("CARGO_PKG_VERSION").to_owned(),
        ];
        let name = format!("{}.json", Digest::of(key.join(" ").as_bytes()));
        let kept = self.customizer.cache.join("baselines");
        // A build that reads the repository around the package may say something else another time.
        let keeps = errors == Errors::Shown;
        if let Some(baseline) =
            std::fs::read(kept.join(&name)).ok().filter(|_| keeps).and_then(|text| serde_json::from_slice(&text).ok())
        {
            return Ok(Some(baseline));
        }
        self.customizer.progress.say("building the package as it was before, to tell what is new");
        let _step = self.step_called("build as it was before");
        let request = BuildRequest {
            package: &copy,
            place: &self.project.package,
            errors,
            checks: &self.checks,
            judged: Judged::AfterEdits,
            work: &self.work,
        };
        let built = self.language.build(request, &self.tools.build, &self.children).await?;
        let mut log = built.log;
        log.push_str("(the package as it was before the run)\n");
        self.keep_log("build-before", &log)?;
        let errors: Vec<Diagnostic> = built.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
        let mut texts = BTreeMap::new();
        for file in Baseline::files(&errors) {
            let path = file.strip_prefix(SDK).and_then(|path| path.strip_prefix('/')).unwrap_or(&file);
            if let Some(bytes) = plain_content(&copy, path)? {
                texts.insert(file, String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        let baseline = Baseline { errors, texts };
        // A check that gave up says something of this time alone. A cache that cannot be written costs time, not
        // correctness.
        if keeps
            && baseline.errors.iter().all(|error| error.file.is_some())
            && std::fs::create_dir_all(&kept).is_ok()
            && let Ok(directory) = open_package(&kept)
        {
            let _ = directory.write(&name, &serde_json::to_vec(&baseline)?);
        }
        Ok(Some(baseline))
    }

    /// The package as it was when the run began; `None` where a copy would not be the same to those who read it.
    fn copy_before(&self) -> Result<Option<PathBuf>, CustomizeError> {
        let copy = self.work.join(COPY);
        let _ = std::fs::remove_dir_all(&copy);
        std::fs::create_dir_all(&copy).map_err(CustomizeError::io(&copy, "created"))?;
        let package = open_package(&self.project.package)?;
        let mut paths: BTreeSet<String> = BTreeSet::new();
        let mut same = true;
        let enters =
            |path: &Path, _: &[OsString]| !path.file_name().is_some_and(|name| LEFT_OUT.iter().any(|one| name == *one));
        package.entries(enters, |path, kind, _| {
            match (kind, path.to_str()) {
                (Type::Directory, _) => {}
                (Type::File, Some(path)) => drop(paths.insert(path.to_owned())),
                // A link leads elsewhere from another place.
                _ => same = false,
            }
            Ok(())
        })?;
        let mut files: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
        let mut bytes = 0_usize;
        for path in paths {
            let Ok(content) = listed_content(&package, &path) else { return Ok(None) };
            bytes = bytes.saturating_add(content.len());
            if bytes > LARGEST {
                return Ok(None);
            }
            files.insert(path, Some(content));
        }
        for changed in self.run.changed()?.into_iter().filter(|changed| changed.root == SDK) {
            match changed.kind {
                EntryKind::Directory => {}
                EntryKind::File => {
                    let Ok(before) = self.run.before(SDK, &changed.path) else { return Ok(None) };
                    files.insert(changed.path, before);
                }
                EntryKind::Symlink | EntryKind::Special => same = false,
            }
        }
        if !same {
            return Ok(None);
        }
        let target = Tree::open(&copy)?;
        for (path, content) in files.into_iter().filter_map(|(path, content)| Some((path, content?))) {
            let directory = copy.join(Path::new(&path).parent().unwrap_or(Path::new("")));
            std::fs::create_dir_all(&directory).map_err(CustomizeError::io(&directory, "created"))?;
            target.write(&path, &content)?;
        }
        Ok(Some(copy))
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_sdk::tasks::Diagnostic;

    use super::{names_rule, speaks_of_failure};

    #[test]
    fn rule_of_an_error_is_named_by_its_code() {
        let of = |code: &str| vec![Diagnostic::without_place("dotnet", code, String::new())];
        for text in ["mend AZC0012: rename Tasks to WidgetTasks", "Tasks (AZC0012) should be WidgetTasks"] {
            assert!(names_rule(text, &of("AZC0012")), "{text}");
        }
        for (text, code) in
            [("rename AZC00123 to A", "AZC0012"), ("rename Tasks to B", "AZC0012"), ("the override", "override")]
        {
            assert!(!names_rule(text, &of(code)), "{text}");
        }
        let warning = of("AZC0012")
            .into_iter()
            .map(|one| Diagnostic { severity: bailiwick_sdk::tasks::Severity::Warning, ..one });
        assert!(!names_rule("AZC0012", &warning.collect::<Vec<_>>()));
    }

    #[test]
    fn report_of_a_failure_beside_a_rename_is_one() {
        for text in [
            "mypy fails: \"Part\" has no attribute \"mark\"; rename A to B",
            "the build is red, and rename A to B",
            "a.py:3: error: Name \"x\" is not defined. Also hide y",
            "ImportError: cannot import name; rename A to B",
        ] {
            assert!(speaks_of_failure(text), "{text}");
        }
        for text in ["rename the model ErrorResponse to Problem", "hide getError", "rename Redirect to Forward"] {
            assert!(!speaks_of_failure(text), "{text}");
        }
    }
}
