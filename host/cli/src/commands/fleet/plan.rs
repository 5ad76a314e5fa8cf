//! `bailiwick fleet plan`: which packages, at which commits, and what is to be done.

use super::files::durations;
use super::step::Whose;
use super::{listing, skip};
use crate::commands::{spec_commit, text};
use crate::exit::{Code, Error, Result};
use crate::{output, places};
use bailiwick_customize::checkout::{Checkout, Edits, Git, SpecCommit, Wanted};
use bailiwick_customize::driver::with_sources;
use bailiwick_customize::language::service_for;
use bailiwick_customize::typespec::{TspLocation, git_root, head_commit};
use bailiwick_fleet::{Action, Durations, Job, Key, Manifest, Skipped, Source, Specification, pipeline};
use bailiwick_toolchains::EmitterPackage;
use clap::Args;
use globset::{Glob, GlobSet, GlobSetBuilder};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// A clone of an SDK repository, taken at the commit that it stands at. What is not committed is not in the fleet.
    #[arg(long, value_name = "DIR", required = true)]
    sdk: Vec<PathBuf>,
    /// The clone of the specifications. If this is left out, it is the one beside the SDK repository that
    /// `tsp-location.yaml` names.
    #[arg(long, value_name = "DIR")]
    spec: Option<PathBuf>,
    /// What to do with each package: `generate`, `build`, `test`, `fix` (generate, build and repair), or
    /// `customize=REQUEST`, where the request is text or @FILE.
    #[arg(long = "do", value_name = "ACTION")]
    action: String,
    /// Only packages whose path in the repository fits, such as `sdk/storage/*`; `@FILE` is a file with a pattern a line.
    #[arg(long, value_name = "GLOB|@FILE")]
    only: Vec<String>,
    /// Only packages of which a file has changed since this commit or branch and the clone's own commit parted. Changed
    /// packages that `--only` leaves out are skipped with that reason.
    #[arg(long, value_name = "COMMIT")]
    changed_since: Option<String>,
    /// Only so many of them, by name.
    #[arg(long, value_name = "N")]
    first: Option<usize>,
    /// The commit of the specification: `pinned` is the one that each package names, `head` the one that the clone stands at.
    #[arg(long, value_name = "pinned|head|SHA", default_value = "pinned")]
    spec_commit: SpecCommit,
    /// Generate once more with this commit of the specification, to tell what it changes from what the emitter changes.
    #[arg(long, value_name = "head|SHA")]
    newer_spec: Option<SpecCommit>,
    /// A directory of the SDK repository that packages need beside their own, such as `sdk/core/azure-core`.
    #[arg(long, value_name = "DIR")]
    with: Vec<String>,
    /// The model that repairs and customizes.
    #[arg(long, value_name = "MODEL", default_value = "mechanic")]
    model: String,
    /// Write the files of a pipeline that does the work in shards, into the directory that `--output` names.
    #[arg(long, value_enum, value_name = "PIPELINE", requires = "output")]
    matrix: Option<Whose>,
    /// How many shards there are.
    #[arg(long, value_name = "N", default_value_t = 10, requires = "matrix", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// The file to write, in place of stdout.
    #[arg(long, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
}

pub(super) fn execute(plan: &Plan) -> Result<Code> {
    let (action, request) = plan.action()?;
    if plan.newer_spec.is_some() && action != Action::Generate {
        return Err(Error::usage("`--newer-spec` compares generated code").hint("give `--do generate`"));
    }
    if plan.newer_spec == Some(SpecCommit::Pinned) {
        return Err(Error::usage("`--newer-spec` names another commit than the pinned one").hint("give `head`"));
    }
    let only = plan.globs()?;
    let durations = Durations::read(&durations()?);
    let (mut jobs, mut skipped) = (Vec::new(), Vec::new());
    for clone in &plan.sdk {
        let repository = Repository { plan, action, request: request.as_deref(), durations: &durations, only: &only };
        repository.read(clone, &mut jobs, &mut skipped)?;
    }
    if let Some(first) = plan.first {
        jobs.truncate(first);
        skipped.truncate(first.saturating_sub(jobs.len()));
    }
    if jobs.is_empty() && skipped.is_empty() && plan.changed_since.is_none() {
        return Err(Error::usage("no package was found").hint("check `--sdk` and `--only`"));
    }
    let manifest = Manifest::new(env!("CARGO_PKG_VERSION"), jobs, skipped)
        .map_err(|error| Error::failed(format!("the fleet cannot be named: {error}")))?;
    output::progress(&format!("{} packages to work on, {} skipped", manifest.jobs.len(), manifest.skipped.len()));
    for one in &manifest.skipped {
        output::progress(&format!("skipped: {}: {}", one.package, one.reason));
    }
    plan.write(&manifest)?;
    Ok(Code::Done)
}

impl Plan {
    fn action(&self) -> Result<(Action, Option<String>)> {
        let plain = [Action::Generate, Action::Build, Action::Test, Action::Fix];
        if let Some(action) = plain.into_iter().find(|action| action.name() == self.action) {
            return Ok((action, None));
        }
        match self.action.split_once('=') {
            Some(("customize", request)) if !request.trim().is_empty() => {
                Ok((Action::Customize, Some(text::read("customization request", request)?)))
            }
            _ => Err(Error::usage(format!("`--do {}` names no action", self.action))
                .hint("give `generate`, `build`, `test`, `fix` or `customize=REQUEST`")),
        }
    }

    fn globs(&self) -> Result<GlobSet> {
        let mut globs = GlobSetBuilder::new();
        for given in &self.only {
            let patterns = if given.starts_with('@') { text::read("patterns", given)? } else { given.clone() };
            let lines = patterns.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            for pattern in lines {
                let wrong = |error| Error::usage(format!("`--only`: `{pattern}` is not a pattern: {error}"));
                globs.add(Glob::new(pattern).map_err(wrong)?);
            }
        }
        globs.build().map_err(|error| Error::usage(format!("`--only` cannot be used: {error}")))
    }

    fn write(&self, manifest: &Manifest) -> Result<()> {
        let failed = |path: &Path, error: std::io::Error| {
            Error::usage(format!("`--output`: `{}` cannot be written: {error}", path.display()))
        };
        match (self.matrix, &self.output) {
            (Some(matrix), Some(directory)) => {
                std::fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
                for file in pipeline(manifest, matrix.into(), usize::from(self.jobs)) {
                    let path = directory.join(file.name);
                    std::fs::write(&path, file.content).map_err(|error| failed(&path, error))?;
                    output::progress(&format!("wrote `{}`", path.display()));
                }
            }
            (_, Some(path)) => {
                let text = serde_json::to_string_pretty(manifest).unwrap_or_default();
                std::fs::write(path, text + "\n").map_err(|error| failed(path, error))?;
            }
            (_, None) => output::json(manifest),
        }
        Ok(())
    }
}

/// What is asked of one SDK repository.
struct Repository<'a> {
    plan: &'a Plan,
    action: Action,
    request: Option<&'a str>,
    durations: &'a Durations,
    only: &'a GlobSet,
}

/// A specification clone at hand.
struct Specifications {
    clone: PathBuf,
    head: String,
    /// Reads its objects, and is removed afterwards.
    checkout: Checkout,
}

impl Repository<'_> {
    fn read(&self, clone: &Path, jobs: &mut Vec<Job>, skipped: &mut Vec<Skipped>) -> Result<()> {
        let clone = canonical("--sdk", clone)?;
        let sdk = Source { repository: named(&clone), commit: head(&clone)?, clone: clone.clone() };
        let checkout = at(&clone, &sdk.commit)?;
        let git = Git::at(checkout.root());
        let files = listing::files(&git)?;
        let beside = skip::beside(&files, &self.plan.with).map_err(|missing| {
            Error::usage(format!("`--with {missing}`: commit `{}` has no such directory", sdk.commit))
        })?;
        git.run(&["sparse-checkout", "add", "eng"]).map_err(spec_commit::failure)?;
        let (generated, others) = skip::packages(&files);
        let changed = match &self.plan.changed_since {
            None => None,
            Some(since) => Some(listing::changed(&clone, &git, since, &sdk.commit)?),
        };
        let is_listed = |package: &str| self.plan.only.is_empty() || self.only.is_match(package);
        let has_changed = |package: &str| changed.as_ref().is_none_or(|files| listing::touches(files, package));
        let wanted = |package: &&String| is_listed(package) && has_changed(package);
        let mut skip = |package: &str, reason: String| {
            skipped.push(Skipped { package: format!("{}/{package}", sdk.repository), reason });
        };
        if changed.is_some() {
            for package in generated.iter().filter(|package| has_changed(package) && !is_listed(package)) {
                skip(package, "`--only` does not list it".to_owned());
            }
        }
        for package in others.iter().filter(wanted) {
            skip(package, "it has no `tsp-location.yaml`, so it is not generated from TypeSpec".to_owned());
        }
        let packages: Vec<&String> = generated.iter().filter(wanted).collect();
        let paths: Vec<String> = packages.iter().map(|package| format!("{package}/tsp-location.yaml")).collect();
        let texts = listing::contents(&git, &paths)?;
        let mut specifications: Option<Specifications> = None;
        let mut asked = Vec::new();
        for (package, path) in packages.into_iter().zip(&paths) {
            let text = String::from_utf8_lossy(texts.get(path).map(Vec::as_slice).unwrap_or_default());
            let location = match TspLocation::parse(&text) {
                Ok(location) => location,
                Err(error) => {
                    skip(package, error.to_string());
                    continue;
                }
            };
            let emitter = EmitterPackage::read(checkout.root(), location.emitter_package_json_path.as_deref());
            let found = emitter.map_err(|error| with_sources(&error)).and_then(|emitter| {
                let service = service_for(&emitter.emitter).map_err(|error| error.to_string())?;
                Ok((emitter, service))
            });
            let (emitter, service) = match found {
                Ok(found) => found,
                Err(reason) => {
                    skip(package, reason);
                    continue;
                }
            };
            let mut job = Job {
                key: Key::unset(),
                package: package.clone(),
                sdk: sdk.clone(),
                beside: beside.clone(),
                specification: None,
                language: service.language().scope_token().to_owned(),
                action: self.action,
                request: self.request.map(str::to_owned),
                model: self.plan.model.clone(),
                emitter: emitter.digest(),
                expected: None,
            };
            job.expected = self.durations.of(self.action, &job.name());
            if self.action.reads_specification() {
                let specifications = match &specifications {
                    Some(one) => one,
                    None => specifications.insert(self.specifications(&clone, &location)?),
                };
                job.specification = Some(self.specification(specifications, &location));
            }
            asked.push(job);
        }
        match &specifications {
            Some(specifications) => {
                for (job, reason) in present(specifications, asked)? {
                    match reason {
                        None => jobs.push(job),
                        Some(reason) => skip(&job.package, reason),
                    }
                }
            }
            None => jobs.append(&mut asked),
        }
        Ok(())
    }

    fn specifications(&self, sdk: &Path, location: &TspLocation) -> Result<Specifications> {
        let clone = match &self.plan.spec {
            Some(clone) => canonical("--spec", clone)?,
            None => {
                let name = location.repo.rsplit(['/', '\\']).next().unwrap_or_default();
                let beside = sdk.parent().map(|parent| parent.join(name)).filter(|clone| clone.join(".git").exists());
                let missing = || {
                    Error::usage(format!("no clone of `{}` was found beside `{}`", location.repo, sdk.display()))
                        .hint("name it with `--spec`")
                };
                canonical("--spec", &beside.ok_or_else(missing)?)?
            }
        };
        let head = head(&clone)?;
        let checkout = at(&clone, &head)?;
        Ok(Specifications { clone, head, checkout })
    }

    fn specification(&self, specifications: &Specifications, location: &TspLocation) -> Specification {
        let commit = |wanted: &SpecCommit| match wanted {
            SpecCommit::Pinned => location.commit.clone(),
            SpecCommit::Head => specifications.head.clone(),
            SpecCommit::Exact(commit) => commit.clone(),
        };
        let directories = std::iter::once(&location.directory).chain(&location.additional_directories);
        Specification {
            source: Source {
                repository: named(&specifications.clone),
                clone: specifications.clone.clone(),
                commit: commit(&self.plan.spec_commit),
            },
            directories: directories.cloned().collect(),
            newer: self.plan.newer_spec.as_ref().map(commit),
        }
    }
}

/// The jobs, each with the reason for which its specification cannot be had, if there is one.
fn present(specifications: &Specifications, jobs: Vec<Job>) -> Result<Vec<(Job, Option<String>)>> {
    let git = Git::at(specifications.checkout.root());
    let mut objects = Vec::new();
    let wanted = |job: &Job| -> Vec<(String, Option<String>)> {
        let Some(specification) = &job.specification else { return Vec::new() };
        let commits = std::iter::once(&specification.source.commit).chain(&specification.newer);
        commits
            .flat_map(|commit| {
                let whole = std::iter::once((commit.clone(), None));
                whole.chain(specification.directories.iter().map(|one| (commit.clone(), Some(one.clone()))))
            })
            .collect()
    };
    for job in &jobs {
        for (commit, directory) in wanted(job) {
            let is_commit = (7..=64).contains(&commit.len()) && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            // What has not the form of a commit is asked for as one that is nowhere.
            let commit = if is_commit { commit } else { "0".repeat(40) };
            objects.push(match directory {
                None => format!("{commit}^{{commit}}"),
                Some(directory) => format!("{commit}:{directory}"),
            });
        }
    }
    let mut there = listing::there(&git, &objects)?.into_iter();
    let clone = specifications.clone.display();
    Ok(jobs
        .into_iter()
        .map(|job| {
            let all: Vec<_> = wanted(&job).into_iter().map(|one| (one, there.next().unwrap_or(false))).collect();
            let reason = all.into_iter().find(|(_, there)| !there).map(|((commit, directory), _)| match directory {
                None => format!("the clone `{clone}` does not have commit `{commit}` of the specification"),
                Some(directory) => format!("commit `{commit}` of the specification has no directory `{directory}`"),
            });
            (job, reason)
        })
        .collect())
}

fn canonical(option: &str, path: &Path) -> Result<PathBuf> {
    let found = path.canonicalize().ok().filter(|path| path.is_dir());
    let found = found.ok_or_else(|| Error::usage(format!("`{option}`: there is no directory `{}`", path.display())))?;
    git_root(&found).map_err(|error| Error::usage(format!("`{option}`: {error}")))
}

fn named(clone: &Path) -> String {
    clone.file_name().map_or_else(|| "repository".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn head(clone: &Path) -> Result<String> {
    head_commit(clone).ok_or_else(|| Error::usage(format!("the clone `{}` has no commit", clone.display())))
}

fn at(clone: &Path, commit: &str) -> Result<Checkout> {
    let wanted = Wanted { clone, commit, directories: &[], edits: Edits::Never };
    Checkout::make(&places::checkouts()?, wanted).map_err(spec_commit::failure)
}
