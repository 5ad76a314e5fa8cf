//! `bailiwick fleet collect`: the patches of a fleet in new branches, after a person's word.

use super::failure;
use super::files::{Clones, queue};
use super::made;
use crate::commands::{package, spec_commit};
use crate::exit::{Code, Error, Result};
use crate::{output, places};
use bailiwick_base::files::plain;
use bailiwick_base::text;
use bailiwick_customize::checkout::{Checkout, CheckoutError, Edits, Git, Wanted, create_branch, has_branch};
use bailiwick_fleet::{Job, JobResult, Patch, Queue};
use clap::Args;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct Collect {
    /// Its name, or an unambiguous beginning of it.
    fleet: String,
    /// The branch, or, with a slash at its end, what the names of branches begin with, one a package.
    #[arg(long, value_name = "NAME|PREFIX/")]
    branch: String,
    /// The commit or branch to apply to; the commit that each package was worked on if this is left out. A patch that does
    /// not apply gives its package the verdict `conflict`, and `bailiwick fleet resume` makes it again on that commit.
    #[arg(long, value_name = "COMMIT")]
    onto: Option<String>,
    /// Only files that fit, such as `*.api.md`.
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// A clone of an SDK repository of the manifest, if it is not where the manifest says.
    #[arg(long, value_name = "DIR")]
    sdk: Vec<PathBuf>,
    /// Do it without asking.
    #[arg(long)]
    yes: bool,
}

/// A patch is read as a whole.
const LARGEST_PATCH: u64 = 1 << 30;

/// A package that has something to collect.
struct Collected<'a> {
    job: &'a Job,
    result: JobResult,
    patch: PathBuf,
}

impl Collected<'_> {
    /// Whether the package was not worked on at this commit, so that its verdict says nothing of it.
    fn is_elsewhere(&self, onto: &str) -> bool {
        self.job.sdk.commit != onto
    }
}

/// Stands in place of a verdict where a patch is applied to another commit than the one that the package was worked on.
const NOT_BUILT: &str = "applied, not built on this base";
/// The same where only some files of the patch are applied: the verdict is about all of them.
const IN_PART: &str = "applied in part, not built";

/// A branch that is to be made.
struct Branch<'a> {
    name: String,
    clone: PathBuf,
    onto: String,
    packages: Vec<Collected<'a>>,
}

/// What came of the patches of a branch.
struct Applied<'a> {
    checkout: Checkout,
    /// How many applied.
    applied: usize,
    /// Those that do not, and why.
    conflicts: Vec<(&'a Collected<'a>, String)>,
}

pub(super) fn execute(collect: &Collect, _as_json: bool) -> Result<Code> {
    let queue = queue(&collect.fleet)?;
    let branches = collect.branches(&queue)?;
    if branches.is_empty() {
        return Err(Error::usage("no package of the fleet has a change to collect"));
    }
    let branches = collect.left(&queue, branches)?;
    for branch in &branches {
        output::progress(&format!(
            "{}: branch `{}` on {} with {} packages",
            branch.clone.display(),
            branch.name,
            branch.onto,
            branch.packages.len()
        ));
        branch.packages.iter().for_each(|one| {
            output::progress(&format!("    {}: {}", one.job.package, collect.standing(one, &branch.onto)));
        });
    }
    if !(collect.yes || answered()?) {
        return Err(Error::refused("nothing was collected"));
    }
    let mut conflicts = 0_usize;
    for branch in branches {
        conflicts += collect.make(&queue, &branch)?;
    }
    if conflicts == 0 {
        return Ok(Code::Done);
    }
    output::progress(&format!(
        "{conflicts} packages conflict; `bailiwick fleet resume {}` makes them again",
        queue.manifest().fleet
    ));
    Ok(Code::NoSuccess)
}

fn answered() -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Err(Error::refused("a person has to say yes").hint("look at the list, then give `--yes`"));
    }
    output::progress("make these branches? type `y`:");
    Ok(package::said_yes())
}

impl Collect {
    /// Whether only some files of each patch are taken.
    fn is_in_part(&self) -> bool {
        !self.include.is_empty()
    }

    /// What is known of a package on this commit.
    fn standing(&self, one: &Collected<'_>, onto: &str) -> String {
        match (self.is_in_part(), one.is_elsewhere(onto)) {
            (true, _) => IN_PART.to_owned(),
            (false, true) => NOT_BUILT.to_owned(),
            (false, false) => one.result.verdict.to_string(),
        }
    }

    fn branches<'a>(&self, queue: &'a Queue) -> Result<Vec<Branch<'a>>> {
        let clones = Clones { sdk: self.sdk.clone(), specification: None };
        let mut branches: BTreeMap<(PathBuf, String), Branch<'a>> = BTreeMap::new();
        for job in &queue.manifest().jobs {
            let Some(result) = queue.result(&job.key).map_err(|error| failure(&error))? else { continue };
            let changes = result.patch(Patch::PACKAGE).is_some_and(|patch| patch.files > 0);
            if !result.verdict.is_done() || !changes {
                continue;
            }
            let clone = clones.sdk(job).to_owned();
            let onto = match &self.onto {
                Some(onto) => commit(&clone, onto)?,
                None => job.sdk.commit.clone(),
            };
            let name = match self.branch.strip_suffix('/') {
                Some(prefix) => format!("{prefix}/{}", job.package.strip_prefix("sdk/").unwrap_or(&job.package)),
                None => self.branch.clone(),
            };
            let patch = checked(queue, job, &result, &clone)?;
            let branch = branches.entry((clone.clone(), name.clone())).or_insert_with(|| Branch {
                name: name.clone(),
                clone: clone.clone(),
                onto: onto.clone(),
                packages: Vec::new(),
            });
            if branch.onto != onto {
                return Err(Error::usage(format!("the packages of branch `{name}` were worked on at several commits"))
                    .hint("name one with `--onto`"));
            }
            branch.packages.push(Collected { job, result, patch });
        }
        Ok(branches.into_values().collect())
    }

    /// The branches that are still to be made. Those that an ended command made of them before are exactly what would be
    /// made now; any other that is there is a person's, and nothing is made.
    fn left<'a>(&self, queue: &Queue, branches: Vec<Branch<'a>>) -> Result<Vec<Branch<'a>>> {
        let (mut there, mut left) = (Vec::new(), Vec::new());
        for branch in branches {
            Git::in_clone(&branch.clone)
                .run(&["check-ref-format", &format!("refs/heads/{}", branch.name)])
                .map_err(|_| Error::usage(format!("`{}` cannot be the name of a branch", branch.name)))?;
            let is_there = has_branch(&branch.clone, &branch.name).map_err(spec_commit::failure)?;
            if is_there { there.push(branch) } else { left.push(branch) }
        }
        for branch in &there {
            if left.is_empty() || !self.has_made(queue, branch)? {
                let there = CheckoutError::BranchThere { clone: branch.clone.clone(), branch: branch.name.clone() };
                return Err(spec_commit::failure(there));
            }
            let (clone, name) = (branch.clone.display(), &branch.name);
            output::progress(&format!("{clone}: branch `{name}` is there already, as it would be made"));
        }
        Ok(left)
    }

    /// Whether a branch that is there is the one that would be made.
    fn has_made(&self, queue: &Queue, branch: &Branch<'_>) -> Result<bool> {
        let Applied { checkout, applied, conflicts } = self.applied(queue, branch)?;
        let name = format!("refs/heads/{}", branch.name);
        let (made, there) = (Git::at(checkout.root()), Git::in_clone(&branch.clone));
        Ok(conflicts.is_empty() && made::same((&made, "HEAD"), (&there, &name), &branch.onto, applied)?)
    }

    /// Makes a branch; the number of packages whose patch does not apply.
    fn make(&self, queue: &Queue, branch: &Branch<'_>) -> Result<usize> {
        let Applied { checkout, applied, conflicts } = self.applied(queue, branch)?;
        for (one, reason) in &conflicts {
            output::progress(&format!("conflict: {}: {reason}", one.job.package));
            let message = format!("its patch does not apply onto {}", branch.onto);
            queue.conflicts(&one.result, &branch.onto, &message).map_err(|error| failure(&error))?;
        }
        if applied > 0 {
            create_branch(&branch.clone, &checkout, &branch.name).map_err(spec_commit::failure)?;
            output::progress(&format!("made branch `{}` with {applied} packages", branch.name));
            let unbuilt = branch.packages.iter().filter(|one| one.is_elsewhere(&branch.onto)).count();
            let why = match (unbuilt, self.is_in_part()) {
                (0, false) => return Ok(conflicts.len()),
                (_, true) => "only the files that `--include` names are in it".to_owned(),
                (_, false) => {
                    format!("{unbuilt} of its packages were worked on at another commit than {}", branch.onto)
                }
            };
            output::progress(&format!(
                "{why}: nothing shows that they build here; build each with `bailiwick package build`"
            ));
        }
        Ok(conflicts.len())
    }

    /// A checkout with a commit for each patch of a branch that applies.
    fn applied<'a>(&self, queue: &Queue, branch: &'a Branch<'_>) -> Result<Applied<'a>> {
        let directories: Vec<String> = Vec::new();
        let wanted =
            Wanted { clone: &branch.clone, commit: &branch.onto, directories: &directories, edits: Edits::Allowed };
        let checkout = Checkout::make(&places::checkouts()?, wanted).map_err(spec_commit::failure)?;
        let git = Git::at(checkout.root());
        let (mut applied, mut conflicts) = (0_usize, Vec::new());
        for one in &branch.packages {
            git.run(&["sparse-checkout", "add", &one.job.package]).map_err(spec_commit::failure)?;
            match self.apply(&git, &one.patch) {
                Ok(()) => {
                    // However the patch is written, this is what it does.
                    let changed = git
                        .run(&["diff-index", "--cached", "--no-renames", "--name-only", "-z", "HEAD"])
                        .map_err(spec_commit::failure)?;
                    inside(one.job, changed.split(|byte| *byte == 0))?;
                    self.commit(&git, queue, branch, one)?;
                    applied += 1;
                }
                Err(CheckoutError::Git { reason, .. }) => {
                    git.run(&["reset", "--quiet", "--hard"]).map_err(spec_commit::failure)?;
                    git.run(&["clean", "--quiet", "--force", "-d"]).map_err(spec_commit::failure)?;
                    conflicts.push((one, reason));
                }
                Err(error) => return Err(spec_commit::failure(error)),
            }
        }
        Ok(Applied { checkout, applied, conflicts })
    }

    fn apply(&self, git: &Git, patch: &Path) -> std::result::Result<(), CheckoutError> {
        let includes: Vec<String> = self.include.iter().map(|glob| format!("--include={glob}")).collect();
        let patch = patch.to_string_lossy();
        let mut arguments = vec!["apply", "--3way", "--index", "--whitespace=nowarn"];
        arguments.extend(includes.iter().map(String::as_str));
        arguments.push(&patch);
        git.run(&arguments).map(drop)
    }

    fn commit(&self, git: &Git, queue: &Queue, branch: &Branch<'_>, one: &Collected<'_>) -> Result<()> {
        let own = Git::in_clone(&branch.clone);
        let identity = |key: &str, otherwise: &str| {
            let found = own.text(&["config", "--get", key]).ok().filter(|value| !value.is_empty());
            format!("{key}={}", found.unwrap_or_else(|| otherwise.to_owned()))
        };
        let (name, mail) = (identity("user.name", "bailiwick"), identity("user.email", "bailiwick@localhost"));
        let subject = format!("{}: {} ({})", one.job.package, one.job.action.name(), self.standing(one, &branch.onto));
        let mut body = format!("Fleet {}, job {}.", queue.manifest().fleet, one.job.key);
        if one.is_elsewhere(&branch.onto) || self.is_in_part() {
            body.push_str(&format!("\n\nIt was {} on {}.", one.result.verdict, one.job.sdk.commit));
        }
        let arguments = [
            "-c",
            &name,
            "-c",
            &mail,
            "commit",
            "--quiet",
            "--no-verify",
            "--no-gpg-sign",
            "--allow-empty",
            "-m",
            &subject,
            "-m",
            &body,
        ];
        git.run(&arguments).map(drop).map_err(spec_commit::failure)
    }
}

/// The commit that a person names in a clone.
fn commit(clone: &Path, named: &str) -> Result<String> {
    let asked = format!("{named}^{{commit}}");
    Git::in_clone(clone)
        .text(&["rev-parse", "--verify", "--quiet", "--end-of-options", &asked])
        .map_err(|_| Error::usage(format!("`--onto`: the clone `{}` does not have `{named}`", clone.display())))
}

/// The patch of a package, if it is the one that its result names and changes nothing outside of the package.
fn checked(queue: &Queue, job: &Job, result: &JobResult, clone: &Path) -> Result<PathBuf> {
    let path = queue.artifact(&job.key, &format!("{}.patch", Patch::PACKAGE));
    let content = plain::left_by_a_child(&path, LARGEST_PATCH)
        .map_err(|error| Error::failed(format!("the patch `{}` cannot be read: {error}", path.display())))?;
    let digest = text::hex(&Sha256::digest(&content));
    if result.patch(Patch::PACKAGE).is_none_or(|patch| patch.digest != digest) {
        return Err(Error::failed(format!("the patch of `{}` is not the one that its result names", job.package))
            .hint("make the package again with `bailiwick fleet resume --retry`"));
    }
    // Reads the patch alone, whatever the clone holds. Of a file that is renamed it names one side, so this is looked at
    // again where the patch was applied.
    let named = Git::in_clone(clone)
        .run(&["apply", "--numstat", "-z", &path.to_string_lossy()])
        .map_err(spec_commit::failure)?;
    let lines = named.split(|byte| *byte == 0);
    inside(job, lines.map(|line| line.splitn(3, |byte| *byte == b'\t').last().unwrap_or_default()))?;
    Ok(path)
}

/// Refuses a change of a file that lies outside the package.
fn inside<'a>(job: &Job, mut files: impl Iterator<Item = &'a [u8]>) -> Result<()> {
    let within = |file: &[u8]| file.strip_prefix(job.package.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"));
    match files.find(|file| !file.is_empty() && !within(file)) {
        None => Ok(()),
        Some(file) => Err(Error::refused(format!(
            "the patch of `{}` changes `{}`, which lies outside the package",
            job.package,
            String::from_utf8_lossy(file)
        ))
        .hint("make the package again with `bailiwick fleet resume --retry`")),
    }
}
