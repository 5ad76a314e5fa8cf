//! What the `pom.xml` of one package asks for, beside what its emitter's libraries need.
//!
//! It is fetched before anything that an agent wrote is looked at, into a copy of the emitter's repository, and is only
//! read afterwards. A project file may name programs: plugins, build extensions, annotation processors, files beneath
//! `.mvn`. None of them runs with a network. Maven is started in a project that is empty, with an empty `.mvn` beside it,
//! confined as every installer, and with one class of ours (`locked/java/Fetch.java`), which reads copies of the project
//! files and downloads what they name. What a build runs of it later is started by [`crate::Children`], without a network.
//!
//! Artifacts come from Maven Central and the repositories of the person's settings. Those that a project file names are not
//! asked.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use bailiwick_base::files::plain;
use serde_json::{Value, json};

use super::super::cache::{Cache, Failure, Key, Recipe};
use super::super::error::ToolchainError;
use super::super::install::{Installer, Purpose, Step};
use super::super::node::write;
use super::super::registries::Manager;
use super::super::{OnProgress, Progress};
use super::program::{Network, write_maven};
use super::project::Project;
use super::{Java, SETTINGS, repository, variables};

const FETCH: &str = include_str!("../../locked/java/Fetch.java");

/// The project that Maven believes to build.
const EMPTY: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>bailiwick</groupId><artifactId>fetch</artifactId>\
    <version>1</version><packaging>pom</packaging></project>\n";

const TITLE: &str = "what the package's `pom.xml` names";
/// A line for each artifact that is missing.
const LARGEST_REPORT: u64 = 4 * 1024 * 1024;

/// The tools with what `package`, a directory, asks for; `java` as it is where that has no `pom.xml` yet, or where nothing
/// can be fetched and nothing has to be.
pub(in super::super) async fn ensure(
    cache: &Cache,
    installer: &Installer,
    java: Java,
    package: &Path,
    on_progress: OnProgress<'_>,
) -> Result<Java, ToolchainError> {
    let Some(project) = Project::read(package)? else { return Ok(java) };
    let mut parts: Vec<&[u8]> = vec![java.digest.as_bytes(), FETCH.as_bytes(), project.until.as_bytes()];
    parts.push(project.own.as_bytes());
    for (path, content) in &project.files {
        parts.extend([path.as_bytes(), content]);
    }
    let key = Key::new("java-package", TITLE, &parts);
    let pom = package.join("pom.xml");
    let recipe = Fetch { installer, java: &java, project: &project, pom: &pom, builds: AtomicBool::new(false) };
    match cache.ensure(&key, on_progress, &recipe).await {
        Ok((root, manifest)) => {
            let fetched = manifest.details["digest"].as_str().unwrap_or_default();
            let digest = Key::new("java-package", "", &[key.digest.as_bytes(), fetched.as_bytes()]).digest;
            Ok(Java { root, digest, base: java.base })
        }
        Err(ToolchainError::Install { reason, .. }) if recipe.builds.into_inner() => {
            let text = format!("the package builds, but not everything that it names can be fetched: {reason}");
            on_progress(Progress::Note { set: TITLE.to_owned(), text });
            Ok(java)
        }
        Err(error) => Err(error),
    }
}

struct Fetch<'a> {
    installer: &'a Installer,
    java: &'a Java,
    project: &'a Project,
    pom: &'a Path,
    /// Whether the repository holds what compiling takes as it is.
    builds: AtomicBool,
}

#[async_trait]
impl Recipe for Fetch<'_> {
    async fn install(&self, at: &Path, on_progress: OnProgress<'_>) -> Result<Value, Failure> {
        let (bin, own, repository) = (at.join("bin"), at.join("fetch"), at.join("repository"));
        for directory in [&bin, &own.join("empty/.mvn"), &own.join("classes/META-INF/sisu")] {
            std::fs::create_dir_all(directory).map_err(ToolchainError::io(directory, "created"))?;
        }
        write(&at.join("settings.xml"), SETTINGS.as_bytes())?;
        write(&own.join("empty/pom.xml"), EMPTY.as_bytes())?;
        write(&own.join("Fetch.java"), FETCH.as_bytes())?;
        write(&own.join("classes/META-INF/sisu/javax.inject.Named"), b"bailiwick.Fetch\n")?;
        for (path, content) in &self.project.files {
            let copy = own.join("project").join(path);
            let directory = copy.parent().unwrap_or(&copy);
            std::fs::create_dir_all(directory).map_err(ToolchainError::io(directory, "created"))?;
            write(&copy, content)?;
        }
        repository::begin(&self.java.root.join("repository"), &repository)?;
        self.compile(at, &bin).await?;

        write_maven(&bin, &self.java.base, Network::None)?;
        let mut lacking = self.fetch(Purpose::Local, at, &bin).await?;
        self.builds.store(lacking.iter().all(|one| !one.builds), Ordering::Relaxed);
        if !lacking.is_empty() {
            let settings = self.installer.configured(Manager::Maven).file;
            write_maven(&bin, &self.java.base, Network::Allowed { settings: settings.as_deref() })?;
            lacking = self.fetch(Purpose::Fetch(Manager::Maven), at, &bin).await?;
            write_maven(&bin, &self.java.base, Network::None)?;
        }
        for one in lacking {
            let text = self.judge(one, &own.join("project").join(&self.project.own))?;
            on_progress(Progress::Note { set: TITLE.to_owned(), text });
        }
        let digests = repository::settle(&repository, None)?.digests;
        write(&at.join("repository.sha256"), digests.as_bytes())?;
        std::fs::remove_dir_all(&own).map_err(ToolchainError::io(&own, "removed"))?;
        Ok(json!({ "digest": Key::new("", "", &[digests.as_bytes()]).digest }))
    }
}

impl Fetch<'_> {
    /// Our own class, for the Maven of this machine. Newer class files than of Java 11 its container silently ignores.
    async fn compile(&self, at: &Path, bin: &Path) -> Result<(), Failure> {
        let libraries = self.java.base.maven_home.join("lib/*").display().to_string();
        let arguments = ["-nowarn", "-proc:none", "--release", "11", "-d", "classes", "-cp", &libraries, "Fetch.java"];
        self.step(Purpose::Local, &self.java.base.home.join("bin/javac"), &arguments, at, bin).await
    }

    /// Downloads, or looks what is there. Returns what is not to be had.
    async fn fetch(&self, purpose: Purpose, at: &Path, bin: &Path) -> Result<Vec<Lacking>, Failure> {
        let own = at.join("fetch");
        let report = own.join("report");
        let arguments = [
            "--quiet".to_owned(),
            format!("-Dmaven.ext.class.path={}", own.join("classes").display()),
            format!("-Dbailiwick.pom={}", own.join("project").join(&self.project.own).display()),
            format!("-Dbailiwick.report={}", report.display()),
            format!("-Dbailiwick.until={}", self.project.until),
            format!("--file={}", own.join("empty/pom.xml").display()),
            "validate".to_owned(),
        ];
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.step(purpose, &bin.join("mvn"), &arguments, at, bin).await?;
        let said = plain::left_by_a_child(&report, LARGEST_REPORT).map_err(ToolchainError::io(&report, "read"))?;
        let said = String::from_utf8_lossy(&said);
        std::fs::remove_file(&report).map_err(ToolchainError::io(&report, "removed"))?;
        Ok(said.lines().filter_map(Lacking::read).collect())
    }

    async fn step(
        &self,
        purpose: Purpose,
        program: &Path,
        arguments: &[&str],
        at: &Path,
        bin: &Path,
    ) -> Result<(), Failure> {
        let (installer, base, own) = (self.installer, &self.java.base, at.join("fetch"));
        let environment = variables(installer, base, bin, None, &own.join("jvm"))?;
        let (directory, read, write, hosts) = (own.as_path(), base.read(), Vec::<PathBuf>::new(), BTreeSet::new());
        let step = Step { purpose, program, arguments, directory, environment, read, set: at, write, hosts };
        installer.run(step).await.map(drop)
    }

    /// What only tests and packaging need is worth a note; without the rest there is no build. `copy` is the project file
    /// that was read.
    fn judge(&self, lacking: Lacking, copy: &Path) -> Result<String, Failure> {
        let Lacking { artifact, found, reason, builds } = lacking;
        match found {
            Found::Unreadable => {
                let copied = format!("{} ", copy.display());
                let reason = reason.replace(&copied, "");
                Err(ToolchainError::ProjectFile { path: self.pom.to_owned(), reason }.into())
            }
            Found::Unreachable => Err(Failure::Passing(format!("`{artifact}` cannot be fetched: {reason}"))),
            Found::Absent if builds => Err(ToolchainError::NoArtifact { artifact, path: self.pom.to_owned() }.into()),
            Found::Absent => Ok(format!("`{artifact}`, which tests or packaging need, is in no repository")),
        }
    }
}

/// Why something is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// No repository has it.
    Absent,
    /// A repository could not be asked, or gave something else.
    Unreachable,
    /// The project file itself cannot be understood.
    Unreadable,
}

/// One line of the report.
#[derive(Debug, PartialEq, Eq)]
struct Lacking {
    /// Whether compiling the package takes it.
    builds: bool,
    found: Found,
    /// `group:name:version`, with the type behind it where that is not `jar`, as Maven's commands take it.
    artifact: String,
    reason: String,
}

impl Lacking {
    fn read(line: &str) -> Option<Self> {
        let [kind, needed, found, artifact, reason] = line.split('\t').collect::<Vec<_>>()[..] else { return None };
        let found = match (kind, found) {
            ("broken", _) => Found::Unreadable,
            (_, "absent") => Found::Absent,
            _ => Found::Unreachable,
        };
        let artifact = match artifact.split(':').collect::<Vec<_>>()[..] {
            [group, name, "jar", version] => format!("{group}:{name}:{version}"),
            [group, name, kind, version] => format!("{group}:{name}:{version}:{kind}"),
            [group, name, kind, classifier, version] => format!("{group}:{name}:{version}:{kind}:{classifier}"),
            _ => artifact.to_owned(),
        };
        Some(Self { builds: needed == "build", found, artifact, reason: reason.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_says_what_is_missing_in_the_words_of_mavens_commands() {
        let read = |line: &str| Lacking::read(line).map(|one| (one.builds, one.found, one.artifact));
        for (line, expected) in [
            ("lacks\tbuild\tabsent\tg:a:jar:1.0\tno", (true, Found::Absent, "g:a:1.0")),
            ("lacks\tbuild\tunreachable\tg:p:pom:2\tno", (true, Found::Unreachable, "g:p:2:pom")),
            ("lacks\ttests\tabsent\tg:a:jar:tests:1\tno", (false, Found::Absent, "g:a:1:jar:tests")),
            ("broken\tbuild\t\t\tNon-parseable POM", (true, Found::Unreadable, "")),
        ] {
            assert_eq!(read(line), Some((expected.0, expected.1, expected.2.to_owned())), "{line}");
        }
        assert_eq!(read("anything else"), None);
    }
}
