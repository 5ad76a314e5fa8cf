//! The interpreter of one package: the locked packages, and what the package itself asks for.
//!
//! What a package asks for is fetched as wheels, so nothing of it runs here, into an environment that mypy is not run
//! from. A wheel may hold any file: whatever would run before a check does, or in the interpreter's place, is taken out
//! or refused.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_base::files::plain;
use bailiwick_base::text::hex;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{Environment, Python, REQUIREMENTS, pip};
use crate::OnProgress;
use crate::cache::{Cache, Failure, Key, Recipe};
use crate::error::ToolchainError;
use crate::install::Installer;
use crate::node::write;

/// What pip says it installed.
const REPORT: &str = "report.json";
/// It has some kilobytes for each package.
const LARGEST_REPORT: u64 = 16 * 1024 * 1024;
/// The same, a package a line: `NAME==VERSION --hash=sha256:…`.
const LOCK: &str = "packages.txt";

pub(crate) async fn with(
    cache: &Cache,
    installer: &Installer,
    python: &Python,
    requirements: &[String],
    on_progress: OnProgress<'_>,
) -> Result<Python, ToolchainError> {
    if requirements.is_empty() {
        return Ok(python.clone());
    }
    let asked = requirements.join("\n");
    let title = format!("the Python packages {}", requirements.join(", "));
    let key = Key::new("python-package", title, &[python.digest.as_bytes(), asked.as_bytes()]);
    let recipe = Packages { installer, python, asked: &asked };
    let (root, manifest) = cache.ensure(&key, on_progress, &recipe).await.map_err(|error| match error {
        ToolchainError::Install { reason, .. } => {
            ToolchainError::Requirements { requirements: requirements.join(", "), reason }
        }
        other => other,
    })?;
    // Requirements are ranges: what was chosen is part of what a build depends on.
    let digest =
        Key::new("python-package", "", &[key.digest.as_bytes(), manifest.details.to_string().as_bytes()]).digest;
    Ok(Python {
        executable: root.join("venv/bin/python"),
        root,
        checker: python.checker.clone(),
        seed: None,
        base: python.base.clone(),
        digest,
    })
}

struct Packages<'a> {
    installer: &'a Installer,
    python: &'a Python,
    /// Requirements, one a line.
    asked: &'a str,
}

#[async_trait]
impl Recipe for Packages<'_> {
    async fn install(&self, at: &Path, _: OnProgress<'_>) -> Result<Value, Failure> {
        const INSTALL: [&str; 8] =
            ["install", "--upgrade-strategy", "only-if-needed", "--no-compile", "--report", REPORT, "-r", "asked.txt"];
        let base = &self.python.base;
        let environment = Environment { installer: self.installer, base, requirements: REQUIREMENTS };
        environment.make(at).await?;
        write(&at.join("asked.txt"), self.asked.as_bytes())?;
        let venv = at.join("venv");
        let before = interpreter(&venv)?;
        pip(self.installer, &venv.join("bin/python"), &INSTALL, at, base.read()).await?;
        if interpreter(&venv)? != before {
            return Err(Failure::Lasting(ToolchainError::Requirements {
                requirements: self.asked.replace('\n', ", "),
                reason: "one of them writes over the interpreter".to_owned(),
            }));
        }
        take_out_what_starts_by_itself(&venv)?;
        let report = at.join(REPORT);
        let text = plain::left_by_a_child(&report, LARGEST_REPORT).map_err(ToolchainError::io(&report, "read"))?;
        let lock = locked(&text);
        write(&at.join(LOCK), lock.as_bytes())?;
        Ok(json!({ "base": base, "packages": hex(&Sha256::digest(lock.as_bytes())) }))
    }
}

/// What decides which program and library an interpreter is: the file that says where its home is, and what the commands
/// link to.
fn interpreter(venv: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, ToolchainError> {
    let configuration = venv.join("pyvenv.cfg");
    let mut found = vec![(
        configuration.clone(),
        std::fs::read(&configuration).map_err(ToolchainError::io(&configuration, "read"))?,
    )];
    for path in entries(&venv.join("bin"))? {
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python")) {
            let target = std::fs::read_link(&path).map_err(ToolchainError::io(&path, "read"))?;
            found.push((path, target.into_os_string().into_encoded_bytes()));
        }
    }
    found.sort();
    Ok(found)
}

/// Removes what an interpreter runs before the program that it is started with.
fn take_out_what_starts_by_itself(venv: &Path) -> Result<(), ToolchainError> {
    for library in entries(&venv.join("lib"))? {
        for site in ["site-packages", "dist-packages"].map(|name| library.join(name)) {
            if !site.is_dir() {
                continue;
            }
            for path in entries(&site)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let module = name.split('.').next().unwrap_or_default();
                // A file that is called `.pth` alone is one, and a module may be compiled: `sitecustomize.abi3.so`.
                if name.ends_with(".pth") || ["sitecustomize", "usercustomize"].contains(&module) {
                    let removed =
                        if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
                    removed.map_err(ToolchainError::io(&path, "removed"))?;
                }
            }
        }
    }
    Ok(())
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>, ToolchainError> {
    let failed = |error| ToolchainError::io(directory, "listed")(error);
    let listed = std::fs::read_dir(directory).map_err(failed)?;
    listed
        .map(|entry| entry.map(|entry| entry.path()).map_err(|error| ToolchainError::io(directory, "listed")(error)))
        .collect()
}

#[derive(Deserialize, Default)]
struct Report {
    #[serde(default)]
    install: Vec<Installed>,
}

#[derive(Deserialize)]
struct Installed {
    download_info: Value,
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
    version: String,
}

/// What was installed, sorted, each with its digest.
fn locked(report: &[u8]) -> String {
    let report: Report = serde_json::from_slice(report).unwrap_or_default();
    let line = |one: &Installed| {
        let digest = one.download_info["archive_info"]["hashes"]["sha256"].as_str().unwrap_or_default();
        format!("{}=={} --hash=sha256:{digest}\n", one.metadata.name, one.metadata.version)
    };
    let mut lines: Vec<String> = report.install.iter().map(line).collect();
    lines.sort();
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let at = directory.path();
        std::fs::create_dir_all(at.join("bin")).unwrap();
        std::fs::create_dir_all(at.join("lib/python3.11/site-packages/azure")).unwrap();
        std::fs::write(at.join("pyvenv.cfg"), "home = /usr/bin\n").unwrap();
        std::os::unix::fs::symlink("/usr/bin/python3", at.join("bin/python")).unwrap();
        directory
    }

    #[test]
    fn what_starts_before_a_program_does_is_taken_out_and_nothing_else() {
        let directory = made();
        let site = directory.path().join("lib/python3.11/site-packages");
        let own = ["azure/core.py", "typing_extensions.py"];
        let evil = [
            "evil.pth",
            ".pth",
            "sitecustomize.py",
            "usercustomize.pyc",
            "sitecustomize.cpython-311-x86_64-linux-gnu.so",
            "usercustomize.abi3.so",
        ];
        for file in evil.iter().chain(&own) {
            std::fs::write(site.join(file), "").unwrap();
        }
        std::fs::create_dir(site.join("sitecustomize")).unwrap();
        let beside = directory.path().join("lib/python3/dist-packages");
        std::fs::create_dir_all(&beside).unwrap();
        std::fs::write(beside.join("evil.pth"), "").unwrap();
        take_out_what_starts_by_itself(directory.path()).unwrap();
        assert_eq!(entries(&beside).unwrap(), Vec::<PathBuf>::new());
        let mut left: Vec<PathBuf> = entries(&site).unwrap();
        left.sort();
        assert_eq!(left, [site.join("azure"), site.join("typing_extensions.py")]);
    }

    #[test]
    fn another_home_or_another_command_is_another_interpreter() {
        let directory = made();
        let at = directory.path();
        let before = interpreter(at).unwrap();
        assert_eq!(interpreter(at).unwrap(), before);
        std::fs::write(at.join("pyvenv.cfg"), "home = /elsewhere\n").unwrap();
        assert_ne!(interpreter(at).unwrap(), before);
        std::fs::write(at.join("pyvenv.cfg"), "home = /usr/bin\n").unwrap();
        std::fs::remove_file(at.join("bin/python")).unwrap();
        std::fs::write(at.join("bin/python"), "#!/bin/sh\n").unwrap();
        assert!(interpreter(at).is_err(), "a file in place of a link");
    }

    #[test]
    fn what_was_installed_is_listed_with_its_digests() {
        let report = br#"{"install": [
            {"download_info": {"url": "x", "archive_info": {"hashes": {"sha256": "ab"}}}, "metadata": {"name": "b", "version": "2"}},
            {"download_info": {"archive_info": {"hashes": {"sha256": "cd"}}}, "metadata": {"name": "a", "version": "1"}}]}"#;
        assert_eq!(locked(report), "a==1 --hash=sha256:cd\nb==2 --hash=sha256:ab\n");
        assert_eq!(locked(b"no report"), "");
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    /// The report that pip writes in a directory where a package was installed.
    #[test]
    fn pip_reports() {
        const WORDS: &[&str] = &[
            "{\"install\":[",
            "\"download_info\":{\"archive_info\":{\"hashes\":{\"sha256\":\"",
            "\"metadata\":{\"name\":\"a\",\"version\":\"1\"}",
            "null",
            "[]",
        ];
        Target { name: "pip_reports", words: WORDS }.run(|bytes| {
            let locked = super::locked(bytes);
            assert!(locked.is_empty() || locked.contains("=="), "{locked:?}");
        });
    }
}
