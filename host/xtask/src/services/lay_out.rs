//! Repositories as a contributor has them: the specifications, and an SDK repository for each language.

use super::manifest::{Language, Service};
use crate::process::{run, run_with_retries};
use crate::repository;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SPECIFICATIONS: &str = "azure-rest-api-specs";
const FIXTURE: &str = "tests/fixtures/widget";

/// Where the specifications come from.
pub(super) enum Specifications {
    Directory(PathBuf),
    Clone(String),
}

/// The directory in which the repositories lie beside one another.
pub(super) struct Layout {
    pub(super) base: PathBuf,
}

impl Layout {
    pub(super) fn specifications(&self) -> PathBuf {
        self.base.join(SPECIFICATIONS)
    }

    pub(super) fn repository(&self, service: &Service) -> PathBuf {
        self.base.join(service.language.repository())
    }

    pub(super) fn package(&self, service: &Service) -> PathBuf {
        self.repository(service).join(&service.directory).join(&service.package)
    }
}

/// Lays everything out anew below `base`; downloads are kept from one time to the next.
pub(super) fn lay_out(base: &Path, services: &[Service], specifications: &Specifications) -> Result<Layout> {
    let layout = Layout { base: base.join("repositories") };
    if layout.base.exists() {
        fs::remove_dir_all(&layout.base).with_context(|| format!("cannot remove `{}`", layout.base.display()))?;
    }
    create(&layout.base)?;
    lay_out_specifications(&layout.specifications(), services, specifications)?;
    let languages: Vec<Language> = services.iter().map(|service| service.language).collect();
    for service in services {
        let package = layout.package(service);
        create(&package)?;
        unpack(&base.join("downloads"), service, &package)?;
        let location = format!(
            "directory: {}\ncommit: {}\nrepo: Azure/azure-rest-api-specs\nadditionalDirectories:\n",
            service.specification,
            "f".repeat(40)
        );
        write(&package.join("tsp-location.yaml"), &location)?;
    }
    for language in [Language::Python, Language::Java].into_iter().filter(|one| languages.contains(one)) {
        let fixture = repository::root().join(FIXTURE).join(language.repository());
        let repository = layout.base.join(language.repository());
        run(Command::new("cp").arg("-R").arg(fixture.join("eng")).arg(&repository))?;
        commit(&repository)?;
    }
    Ok(layout)
}

fn lay_out_specifications(target: &Path, services: &[Service], from: &Specifications) -> Result<()> {
    let projects: BTreeSet<&str> = services.iter().map(|service| service.specification.as_str()).collect();
    match from {
        Specifications::Directory(directory) => {
            for project in projects {
                let source = directory.join(project);
                if !source.join("tspconfig.yaml").is_file() {
                    bail!("`{}` is not a TypeSpec project", source.display());
                }
                let parent = target.join(project).parent().map_or_else(|| target.to_owned(), Path::to_owned);
                create(&parent)?;
                run(Command::new("cp").arg("-R").arg(&source).arg(&parent))?;
            }
            commit(target)
        }
        Specifications::Clone(url) => {
            run_with_retries(|| {
                let mut clone = Command::new("git");
                clone.args(["clone", "--quiet", "--depth=1", "--filter=blob:none", "--sparse", "--", url]).arg(target);
                clone
            })?;
            run(git(target).args(["sparse-checkout", "set"]).args(projects))
        }
    }
}

/// The sources of a published package, as an archive from its registry.
fn unpack(downloads: &Path, service: &Service, package: &Path) -> Result<()> {
    let kept = downloads.join(format!("{}-{}-{}", service.language.name(), service.package, service.version));
    match service.language {
        Language::Python => {
            if archive(&kept, "tar.gz").is_err() {
                // An archive of sources is asked for its metadata, so pip runs what builds it.
                run_with_retries(|| {
                    let mut pip = Command::new("python3");
                    pip.args(["-I", "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:", "--dest"]);
                    pip.arg(&kept).arg(format!("{}=={}", service.package, service.version));
                    pip
                })?;
            }
            let archive = archive(&kept, "tar.gz")?;
            run(Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(package).arg("--strip-components=1"))
        }
        Language::Java => {
            if archive(&kept, "pom").is_err() {
                for kind in ["jar:sources", "pom"] {
                    run_with_retries(|| {
                        let mut maven = Command::new("mvn");
                        maven.args(["--batch-mode", "--quiet", "dependency:copy"]);
                        maven.arg(format!("-Dartifact=com.azure:{}:{}:{kind}", service.package, service.version));
                        maven.arg(format!("-DoutputDirectory={}", kept.display())).current_dir(downloads);
                        maven
                    })?;
                }
            }
            let pom = archive(&kept, "pom")?;
            fs::copy(&pom, package.join("pom.xml")).with_context(|| format!("cannot copy `{}`", pom.display()))?;
            let sources = package.join("src/main/java");
            create(&sources)?;
            let jar = archive(&kept, "jar")?;
            run(Command::new("python3").args(["-I", "-m", "zipfile", "-e"]).arg(jar).arg(&sources))?;
            let _ = fs::remove_dir_all(sources.join("META-INF"));
            Ok(())
        }
    }
}

/// The one file in a directory of downloads whose name ends so.
fn archive(directory: &Path, ending: &str) -> Result<PathBuf> {
    create(directory)?;
    let entries = fs::read_dir(directory).with_context(|| format!("cannot read `{}`", directory.display()))?;
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.to_string_lossy().ends_with(&format!(".{ending}")))
        .with_context(|| format!("there is no `.{ending}` in `{}`", directory.display()))
}

fn commit(repository: &Path) -> Result<()> {
    run(git(repository).args(["init", "--quiet"]))?;
    write(&repository.join(".git/info/exclude"), "node_modules\n")?;
    run(git(repository).args(["add", "--all", "--force"]))?;
    let person = ["-c", "user.name=services", "-c", "user.email=services@example.com", "-c", "commit.gpgsign=false"];
    run(git(repository).args(person).args(["commit", "--quiet", "--message", "as published"]))
}

pub(super) fn git(repository: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(repository);
    git
}

fn create(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory).with_context(|| format!("cannot make `{}`", directory.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}
