//! A new package from a TypeSpec project: `tsp-client init` on a skeleton of the SDK repository, which says where the
//! package goes, and then a generation like any other.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_base::files::plain;
use bailiwick_sdk::tasks::Diagnostic;
use tempfile::TempDir;

use crate::language::service_for;
use crate::machine::{Event, Regeneration};
use crate::scripts::{SdkConfiguration, last_words};
use crate::shown::{Shown, shown};
use crate::typespec::{
    Project, SpecLookup, TspLocation, TypespecError, git_root, head_commit, is_repository_name, project_directory,
    remote,
};
use bailiwick_toolchains::{Child, Children, EmitterPackage, refuse_shell_characters};

use super::run_kind::RunKind;
use super::session::{Builders, Goal, Session};
use super::{CustomizeError, Customizer, Prepared, Step};

const LOCATION: &str = "tsp-location.yaml";
/// It has some lines.
const LARGEST_LOCATION: u64 = 1024 * 1024;
const DEADLINE: Duration = Duration::from_secs(120);
/// Directories looked into for the one file; a skeleton has a handful.
const ENTRIES: usize = 1_000;

/// What a new package is made of.
#[derive(Debug, Clone)]
pub struct Init {
    /// The SDK repository.
    pub sdk_repository: PathBuf,
    /// The TypeSpec project in a local clone.
    pub project: PathBuf,
    /// What `tsp-location.yaml` names; the clone's own commit if left out.
    pub commit: Option<String>,
    /// What `tsp-location.yaml` names; the clone's remote if left out.
    pub repo: Option<String>,
}

/// Why a package cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum InitError {
    /// The project is not where specifications are kept.
    #[error("the TypeSpec project `{}` is not beneath `specification` of its repository", project.display())]
    NotASpecification {
        /// The project.
        project: PathBuf,
    },
    /// Neither given nor to be read.
    #[error("the {what} of the specification repository is not known")]
    Unknown {
        /// `commit` or `repository`.
        what: &'static str,
        /// The option that gives it.
        option: &'static str,
    },
    /// The repository is no `owner/name`, or the commit no hash.
    #[error("`{value}` is no {what}")]
    Malformed {
        /// `repository` or `commit`.
        what: &'static str,
        /// As given.
        value: String,
    },
    /// There is something where the package would go.
    #[error("there is a package in `{}` already", package.display())]
    Exists {
        /// The directory.
        package: PathBuf,
    },
    /// `tspconfig.yaml` puts the package somewhere else.
    #[error("`tspconfig.yaml` puts the package outside the SDK repository")]
    Outside,
    /// It puts the package where a repository has other things, which other programs run.
    #[error("`tspconfig.yaml` puts the package into `{}`, where no packages lie", place.display())]
    NoPlace {
        /// From the root of the SDK repository.
        place: PathBuf,
    },
    /// `tsp-client` could not say where the package goes.
    #[error("`tsp-client init` failed: {reason}")]
    Failed {
        /// Its last words.
        reason: String,
    },
}

impl InitError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NotASpecification { .. } => {
                "use a clone of the specification repository, for example `specification/widget/WidgetManager`".into()
            }
            Self::Unknown { option, .. } => format!("give it with `{option}`"),
            Self::Malformed { what: "commit", .. } => "give the hash that `git rev-parse HEAD` prints".into(),
            Self::Malformed { .. } => "give it as `owner/name`: `Azure/azure-rest-api-specs`".into(),
            Self::Exists { .. } => "regenerate it with `bailiwick package generate --package-path`".into(),
            Self::Outside => {
                "check `emitter-output-dir` of the repository's emitter; it begins with `{output-dir}/`".into()
            }
            Self::NoPlace { .. } => {
                "check `emitter-output-dir` and `service-dir`: packages lie beneath `sdk`, for example `sdk/widget/azure-widget`"
                    .into()
            }
            Self::Failed { .. } => {
                "check that `tspconfig.yaml` has `emitter-output-dir` among the options of the repository's emitter"
                    .into()
            }
        }
    }
}

/// Both repositories and what the new file will say.
struct Checked {
    sdk_root: PathBuf,
    project: PathBuf,
    spec_root: PathBuf,
    commit: String,
    repo: String,
}

impl Init {
    /// Checks what can be checked without starting anything.
    ///
    /// # Errors
    /// The first thing that is not usable.
    pub fn validate(&self) -> Result<(), CustomizeError> {
        let checked = self.check()?;
        service_for(&EmitterPackage::read(&checked.sdk_root, None)?.emitter)?;
        SdkConfiguration::read(&checked.sdk_root)?;
        Ok(())
    }

    fn check(&self) -> Result<Checked, CustomizeError> {
        let io = |path: &Path| path.canonicalize().map_err(CustomizeError::io(path, "read"));
        if !self.sdk_repository.is_dir() {
            return Err(TypespecError::NoPackage { path: self.sdk_repository.clone() }.into());
        }
        let sdk_root = git_root(&io(&self.sdk_repository)?)?;
        refuse_shell_characters(&sdk_root)?;
        let project = project_directory(&self.project)?;
        let spec_root = git_root(&project)?;
        let relative = project.strip_prefix(&spec_root).unwrap_or(&project);
        if !relative.starts_with("specification") {
            return Err(InitError::NotASpecification { project }.into());
        }
        let commit = self.commit.clone().or_else(|| head_commit(&spec_root));
        let commit = commit.ok_or(InitError::Unknown { what: "commit", option: "--commit" })?;
        if commit.len() < 7 || !commit.chars().all(|one| one.is_ascii_hexdigit()) {
            return Err(InitError::Malformed { what: "commit", value: commit }.into());
        }
        let repo = self.repo.clone().or_else(|| Some(remote(&spec_root, &[])?.repository));
        let repo = repo.ok_or(InitError::Unknown { what: "repository", option: "--repo" })?;
        if !is_repository_name(&repo) {
            return Err(InitError::Malformed { what: "repository", value: repo }.into());
        }
        Ok(Checked { sdk_root, project, spec_root, commit, repo })
    }
}

impl Customizer {
    /// Makes a package: its `tsp-location.yaml`, and what the emitter generates. One that fails leaves nothing behind.
    ///
    /// # Errors
    /// See [`CustomizeError`] and [`InitError`].
    pub async fn init(&self, init: &Init) -> Result<Step, CustomizeError> {
        let checked = init.check()?;
        let emitter = EmitterPackage::read(&checked.sdk_root, None)?;
        service_for(&emitter.emitter)?;
        let configuration = SdkConfiguration::read(&checked.sdk_root)?;
        let (relative, text) = self.location_of(&checked).await?;
        let location = TspLocation::parse(&text)?;
        let package = checked.sdk_root.join(&relative);
        if std::fs::read_dir(&package).is_ok_and(|mut entries| entries.next().is_some()) || package.is_file() {
            return Err(InitError::Exists { package }.into());
        }
        let made = Made::directories(&checked.sdk_root, &package)?;
        let package = package.canonicalize().map_err(CustomizeError::io(&package, "read"))?;
        if !package.starts_with(&checked.sdk_root) {
            return Err(InitError::Outside.into());
        }
        let lookup = SpecLookup { project: Some(checked.project.clone()), clone: None };
        let project = Project::at(package, location, &lookup)?;
        let language = service_for(&project.emitter.emitter)?;
        let step = self.fill(Prepared { project, language, configuration }, &text).await;
        if step.is_err() {
            // Put back before the directories go: they have to be empty then.
            self.supervisor.settled().await;
            self.store.recover()?;
        }
        let step = step?;
        if step.succeeded {
            made.keep();
        }
        Ok(step)
    }

    async fn fill(&self, prepared: Prepared, location: &str) -> Result<Step, CustomizeError> {
        let mut session = Session::begin(self, Goal::plain(RunKind::Init, ""), prepared, Builders::AtOnce).await?;
        let path = session.project.package.join(LOCATION);
        std::fs::write(&path, location).map_err(CustomizeError::io(&path, "written"))?;
        let (succeeded, diagnostics): (bool, Vec<Diagnostic>) = match session.regenerate().await? {
            Event::Regenerated { regeneration: Regeneration::Succeeded { diagnostics, .. } } => (true, diagnostics),
            Event::Regenerated { regeneration: Regeneration::Failed { diagnostics, .. } } => (false, diagnostics),
            other => unreachable!("regeneration answers with its own event, not {other:?}"),
        };
        session.step(Step::of(RunKind::Init, succeeded, diagnostics, None))
    }

    /// Where `tsp-client` puts the package, relative to the SDK repository, and the text of its `tsp-location.yaml`.
    async fn location_of(&self, checked: &Checked) -> Result<(PathBuf, String), CustomizeError> {
        let toolchains = self.toolchains()?;
        let node = toolchains.node(&mut self.progress.toolchain()).await?;
        let tsp_client = toolchains.tsp_client(&node, &mut self.progress.toolchain()).await?;
        let skeleton = Skeleton::of(&checked.sdk_root)?;
        let mut arguments: Vec<OsString> = vec![tsp_client.script.clone().into(), "init".into()];
        for (option, value) in [
            ("--tsp-config", checked.project.join("tspconfig.yaml").into_os_string()),
            ("--commit", checked.commit.clone().into()),
            ("--repo", checked.repo.clone().into()),
        ] {
            arguments.extend([option.into(), value]);
        }
        arguments.push("--skip-sync-and-generate".into());
        let Shown { mut read, list } = shown(&checked.spec_root, &checked.project);
        read.extend([node.root.clone(), tsp_client.root.clone()]);
        let child = Child {
            program: &node.executable,
            arguments,
            directory: &skeleton.root,
            path: node.executable.parent().map(Path::to_owned).into_iter().collect(),
            environment: vec![("NODE_NO_WARNINGS", "1".into())],
            read,
            list,
            write: vec![skeleton.root.clone()],
            scratch: &skeleton.scratch,
            deadline: DEADLINE,
        };
        let children = Children::new(self.supervisor.clone(), self.isolation);
        let finished = children.run(child, &mut |_| {}).await.map_err(TypespecError::from)?;
        let said = format!("{}\n{}", finished.stdout.text, finished.stderr.text);
        let failed = || InitError::Failed { reason: skeleton.readable(&last_words(&said)) };
        if !finished.exit.is_success() {
            return Err(failed().into());
        }
        let mut found = Vec::new();
        find(&skeleton.root, &mut found, &mut 0);
        let [file] = found.as_slice() else { return Err(failed().into()) };
        // `tsp-client` wrote it, or code of the specification that ran beside the compiler wrote something there.
        let text = plain::left_by_a_child(file, LARGEST_LOCATION).map_err(CustomizeError::io(file, "read"))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let package = file.parent().and_then(|package| package.strip_prefix(&skeleton.root).ok());
        match package.filter(|package| package.components().count() > 0) {
            Some(package) if !holds_packages(package) => Err(InitError::NoPlace { place: package.to_owned() }.into()),
            Some(package) => Ok((package.to_owned(), text)),
            None => Err(InitError::Outside.into()),
        }
    }
}

/// Whether packages lie at a place of an SDK repository. Elsewhere it has what other programs run: pipelines, engineering files.
fn holds_packages(place: &Path) -> bool {
    let mut parts = place.components().map(std::path::Component::as_os_str);
    let sdk = parts.next().is_some_and(|first| first == "sdk");
    sdk && parts.all(|part| !part.as_encoded_bytes().starts_with(b".") && part != "node_modules")
        && place.components().count() > 1
}

/// A repository with nothing but what says which emitter there is.
struct Skeleton {
    root: PathBuf,
    scratch: PathBuf,
    _directory: TempDir,
}

impl Skeleton {
    fn of(sdk_root: &Path) -> Result<Self, CustomizeError> {
        let directory = tempfile::Builder::new()
            .prefix("bailiwick-init-")
            .tempdir()
            .map_err(CustomizeError::io(&std::env::temp_dir(), "written"))?;
        let base = directory.path().canonicalize().map_err(CustomizeError::io(directory.path(), "read"))?;
        let (root, scratch) = (base.join("repository"), base.join("scratch"));
        let write = |path: &str, content: &[u8]| {
            let path = root.join(path);
            let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            made.and_then(|()| std::fs::write(&path, content)).map_err(CustomizeError::io(&path, "written"))
        };
        // All that git asks for to see a repository.
        write(".git/HEAD", b"ref: refs/heads/main\n")?;
        write(".git/config", b"[core]\n\trepositoryformatversion = 0\n")?;
        for part in ["objects", "refs"] {
            let path = root.join(".git").join(part);
            std::fs::create_dir_all(&path).map_err(CustomizeError::io(&path, "created"))?;
        }
        let eng = sdk_root.join("eng");
        for entry in std::fs::read_dir(&eng).map_err(CustomizeError::io(&eng, "read"))? {
            let entry = entry.map_err(CustomizeError::io(&eng, "read"))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let wanted = name.ends_with(".json") || name.ends_with(".yaml");
            if wanted && entry.path().is_file() {
                let content = plain::read(&entry.path()).map_err(CustomizeError::io(&entry.path(), "read"))?;
                write(&format!("eng/{name}"), &content)?;
            }
        }
        std::fs::create_dir_all(&scratch).map_err(CustomizeError::io(&scratch, "created"))?;
        Ok(Self { root, scratch, _directory: directory })
    }

    fn readable(&self, text: &str) -> String {
        text.replace(&*self.root.to_string_lossy(), "repository")
    }
}

fn find(directory: &Path, found: &mut Vec<PathBuf>, entries: &mut usize) {
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        let Ok(children) = std::fs::read_dir(directory) else { continue };
        for child in children.flatten() {
            *entries += 1;
            let Ok(kind) = child.file_type() else { continue };
            if *entries > ENTRIES || child.file_name() == ".git" {
                continue;
            }
            if kind.is_dir() {
                waiting.push(child.path());
            } else if kind.is_file() && child.file_name() == LOCATION {
                found.push(child.path());
            }
        }
    }
}

/// Directories that were made for a package, which go again unless it is kept. What is not empty stays.
struct Made {
    directories: Vec<PathBuf>,
}

impl Made {
    fn directories(root: &Path, package: &Path) -> Result<Self, CustomizeError> {
        let missing = package.ancestors().take_while(|one| *one != root && !one.exists());
        let made = Self { directories: missing.map(Path::to_owned).collect() };
        std::fs::create_dir_all(package).map_err(CustomizeError::io(package, "created"))?;
        Ok(made)
    }

    fn keep(mut self) {
        self.directories.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // The innermost first.
        for directory in &self.directories {
            let _ = std::fs::remove_dir(directory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_lies_beneath_sdk_and_nowhere_else_in_a_repository() {
        for place in ["sdk/widget/azure-widget", "sdk/resourcemanager/widget/armwidget", "sdk/widget"] {
            assert!(holds_packages(Path::new(place)), "{place}");
        }
        for place in [".github/workflows", "eng/x", "sdk", "sdk/.venv/x", "sdk/a/node_modules/b", "SDK/a/b", ""] {
            assert!(!holds_packages(Path::new(place)), "{place}");
        }
    }

    #[test]
    fn directories_of_a_package_that_is_not_kept_go_again_and_others_stay() {
        let base = tempfile::tempdir().unwrap();
        let (root, package) = (base.path().to_owned(), base.path().join("sdk/widget/azure-widget"));
        std::fs::create_dir(root.join("sdk")).unwrap();
        drop(Made::directories(&root, &package).unwrap());
        assert!(root.join("sdk").is_dir() && !root.join("sdk/widget").exists());
        let made = Made::directories(&root, &package).unwrap();
        std::fs::write(root.join("sdk/widget/other"), "").unwrap();
        drop(made);
        assert!(root.join("sdk/widget/other").exists() && !package.exists());
        Made::directories(&root, &package).unwrap().keep();
        assert!(package.is_dir());
    }

    #[test]
    fn skeleton_holds_the_emitters_and_nothing_of_the_code() {
        let base = tempfile::tempdir().unwrap();
        for (path, content) in
            [("eng/emitter-package.json", "{}"), ("eng/tsp-client-config.yaml", ""), ("eng/x.py", "")]
        {
            std::fs::create_dir_all(base.path().join("eng/scripts")).unwrap();
            std::fs::write(base.path().join(path), content).unwrap();
        }
        let skeleton = Skeleton::of(base.path()).unwrap();
        assert!(skeleton.root.join("eng/emitter-package.json").is_file());
        assert!(skeleton.root.join("eng/tsp-client-config.yaml").is_file());
        assert!(!skeleton.root.join("eng/x.py").exists() && !skeleton.root.join("eng/scripts").exists());
        assert_eq!(skeleton.readable(&skeleton.root.display().to_string()), "repository");
    }

    #[test]
    fn input_is_checked_before_anything_is_started() {
        let base = tempfile::tempdir().unwrap();
        let at = |path: &str| base.path().canonicalize().unwrap().join(path);
        for path in ["sdk/.git", "specs/.git", "specs/specification/w/W", "specs/other/W"] {
            std::fs::create_dir_all(at(path)).unwrap();
        }
        for path in ["specs/specification/w/W/tspconfig.yaml", "specs/other/W/tspconfig.yaml"] {
            std::fs::write(at(path), "").unwrap();
        }
        let init = |project: &str, commit: Option<&str>, repo: Option<&str>| Init {
            sdk_repository: at("sdk"),
            project: at(project),
            commit: commit.map(str::to_owned),
            repo: repo.map(str::to_owned),
        };
        let project = "specs/specification/w/W";
        for (init, about) in [
            (init("specs/none", None, None), "does not exist"),
            (init("specs/specification", None, None), "no `tspconfig.yaml`"),
            (init("specs/other/W", None, None), "not beneath `specification`"),
            (init(project, None, None), "the commit of"),
            (init(project, Some("main; x"), None), "`main; x` is no commit"),
            (init(project, Some("0123abcd"), None), "the repository of"),
            (init(project, Some("0123abcd"), Some("../specs")), "`../specs` is no repository"),
        ] {
            let error = init.check().err().unwrap();
            assert!(error.to_string().contains(about), "{error}");
            assert!(error.hint().is_some() && error.blame() == super::super::Blame::Input, "{error}");
        }
        let checked = init(project, Some("0123abcd"), Some("Azure/azure-rest-api-specs")).check().unwrap();
        assert_eq!((checked.sdk_root, checked.spec_root), (at("sdk"), at("specs")));
    }
}
