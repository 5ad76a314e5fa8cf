//! A TypeSpec project from an OpenAPI description: what `tsp-client convert` does, with a locked converter, confined.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_runs::{BeginRun, Coverage, RootSpec, Status};
use bailiwick_sdk::tasks::Diagnostic;
use serde_json::json;

use crate::scripts::last_words;
use crate::shown::{Shown, shown};
use crate::typespec::{TypespecError, git_root};
use bailiwick_toolchains::{Child, Children, Isolation};

use super::roots::SPEC;
use super::run_kind::RunKind;
use super::steps::put_back;
use super::{CustomizeError, Customizer, Step};

const DEADLINE: Duration = Duration::from_secs(10 * 60);

/// What is converted.
#[derive(Debug, Clone)]
pub struct Convert {
    /// The AutoRest configuration of the OpenAPI description, a local `readme.md`.
    pub readme: PathBuf,
    /// Where the project goes: an empty directory, or none yet, or one without a project.
    pub output: PathBuf,
    /// Whether it is a management-plane service.
    pub resource_manager: ResourceManager,
    /// What counts more.
    pub fidelity: Fidelity,
}

/// Whether a service is described with the resource manager's templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResourceManager {
    /// A management-plane service.
    Yes,
    /// A data-plane service.
    No,
}

/// What a conversion is to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fidelity {
    /// As people would write TypeSpec.
    Idiomatic,
    /// The OpenAPI that is generated of it is the one it came from.
    FullyCompatible,
}

/// Why nothing is converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The file is missing or is not a regular file.
    #[error("there is no file `{}`", readme.display())]
    NoReadme {
        /// As given.
        readme: PathBuf,
    },
    /// It would be overwritten.
    #[error("there is a TypeSpec project in `{}` already", output.display())]
    Exists {
        /// The directory.
        output: PathBuf,
    },
    /// A file is in the way.
    #[error("`{}` is not a directory", output.display())]
    NotADirectory {
        /// As given.
        output: PathBuf,
    },
}

impl ConvertError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoReadme { .. } => {
                "give the `readme.md` of a local clone: `specification/widget/data-plane/readme.md`"
            }
            Self::Exists { .. } => "give an empty directory; a project that people work on is not converted over",
            Self::NotADirectory { .. } => "give a directory",
        }
    }
}

impl Convert {
    /// Checks what can be checked without starting anything.
    ///
    /// # Errors
    /// See [`ConvertError`].
    pub fn validate(&self) -> Result<(), ConvertError> {
        if !self.readme.is_file() {
            return Err(ConvertError::NoReadme { readme: self.readme.clone() });
        }
        let output = &self.output;
        if output.exists() && !output.is_dir() {
            return Err(ConvertError::NotADirectory { output: output.clone() });
        }
        if ["main.tsp", "client.tsp", "tspconfig.yaml"].iter().any(|name| output.join(name).exists()) {
            return Err(ConvertError::Exists { output: output.clone() });
        }
        Ok(())
    }

    fn arguments(&self, readme: &Path, output: &Path) -> Vec<OsString> {
        let mut folder = OsString::from("--output-folder=");
        folder.push(output);
        let mut arguments: Vec<OsString> = vec!["--openapi-to-typespec".into(), "--csharp=false".into(), folder];
        if self.resource_manager == ResourceManager::Yes {
            arguments.push("--isArm".into());
        }
        if self.fidelity == Fidelity::FullyCompatible {
            arguments.push("--isFullCompatible".into());
        }
        arguments.push(readme.into());
        arguments
    }
}

impl Customizer {
    /// Converts an OpenAPI description in a run of its own. A conversion that fails leaves the directory as it was.
    ///
    /// # Errors
    /// See [`CustomizeError`] and [`ConvertError`].
    pub async fn convert(&self, convert: &Convert) -> Result<Step, CustomizeError> {
        convert.validate()?;
        let canonical = |path: &Path| path.canonicalize().map_err(CustomizeError::io(path, "read"));
        let readme = canonical(&convert.readme)?;
        let toolchains = self.toolchains()?;
        let node = toolchains.node(&mut self.progress.toolchain()).await?;
        let converter = toolchains.converter(&node, &mut self.progress.toolchain()).await?;
        let missing = !convert.output.exists();
        std::fs::create_dir_all(&convert.output).map_err(CustomizeError::io(&convert.output, "created"))?;
        let output = canonical(&convert.output)?;
        let mut run = self.store.begin(BeginRun {
            kind: RunKind::Convert.name().into(),
            request: String::new(),
            details: json!({ "readme": readme }),
            roots: vec![RootSpec {
                name: SPEC.into(),
                directory: output.clone(),
                coverage: Coverage::Tree { skip: Vec::new(), skip_at_root: vec![".git".into()] },
            }],
        })?;
        self.progress.began(run.id());
        self.progress.say("converting OpenAPI to TypeSpec");
        let scratch = run.scratch();
        let mut arguments: Vec<OsString> = vec![converter.script.clone().into()];
        arguments.extend(converter.own_parts().into_iter().map(OsString::from));
        arguments.extend(convert.arguments(&readme, &output));
        // A description refers to files around it, anywhere in its repository.
        let around = git_root(&readme).unwrap_or_else(|_| readme.parent().unwrap_or(&readme).to_owned());
        let Shown { mut read, list } = shown(&around, readme.parent().unwrap_or(&around));
        read.extend([node.root.clone(), converter.root.clone()]);
        let child = Child {
            program: &node.executable,
            arguments,
            directory: &output,
            path: node.executable.parent().map(Path::to_owned).into_iter().collect(),
            environment: vec![("NODE_NO_WARNINGS", "1".into())],
            read,
            list,
            write: vec![output.clone()],
            scratch: &scratch,
            deadline: DEADLINE,
        };
        let children = Children::new(self.supervisor.clone(), self.isolation);
        let finished = children.run(child, &mut |_| {}).await.map_err(TypespecError::from)?;
        let said = format!("{}\n{}", finished.stdout.text, finished.stderr.text)
            .replace(&*output.to_string_lossy(), SPEC)
            .replace(&*around.to_string_lossy(), "repository");
        // The list of resources that the resource manager's conversion leaves is not part of a project.
        let _ = std::fs::remove_file(output.join("resources.json"));
        let succeeded = finished.exit.is_success() && output.join("main.tsp").is_file();
        let mut diagnostics = Vec::new();
        if !succeeded {
            let mut message = format!("the conversion failed ({}): {}", finished.exit, last_words(&said));
            if self.isolation == Isolation::Enforced && said.contains("Mutex.acquire") {
                message =
                    "the converter locks itself with a socket, which a confined child cannot make; run it again with \
                           `--unconfined-builds` if you trust the description"
                        .to_owned();
            }
            diagnostics.push(Diagnostic::without_place("autorest", "convert", message));
            put_back(&mut run, &self.progress)?;
        }
        let logs = run.directory().join("logs");
        let log = logs.join("01-convert.log");
        let kept = std::fs::create_dir_all(&logs).and_then(|()| std::fs::write(&log, said));
        kept.map_err(CustomizeError::io(&log, "written"))?;
        let _ = std::fs::remove_dir_all(&scratch);
        let changed = run.changed()?;
        let step = Step {
            step: "convert".to_owned(),
            succeeded,
            run_id: run.id().to_string(),
            modified_files: changed.iter().map(|file| format!("{}/{}", file.root, file.path)).collect(),
            diagnostics,
            tests: None,
            public_surface: None,
            directories: Vec::new(),
            look_at: Vec::new(),
        };
        run.finish(if changed.is_empty() { Status::Unchanged } else { Status::Pending }, &json!(step))?;
        if !succeeded && missing {
            let _ = std::fs::remove_dir(&output);
        }
        Ok(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_that_exists_a_file_in_the_way_and_a_missing_description_are_refused() {
        let base = tempfile::tempdir().unwrap();
        let at = |path: &str| base.path().join(path);
        std::fs::create_dir_all(at("project")).unwrap();
        for path in ["readme.md", "project/main.tsp", "file"] {
            std::fs::write(at(path), "").unwrap();
        }
        let convert = |readme: &str, output: &str| {
            let convert = Convert {
                readme: at(readme),
                output: at(output),
                resource_manager: ResourceManager::Yes,
                fidelity: Fidelity::FullyCompatible,
            };
            convert.validate().map(|()| convert.arguments(Path::new("/r"), Path::new("/o")))
        };
        assert!(matches!(convert("none.md", "new").unwrap_err(), ConvertError::NoReadme { .. }));
        assert!(matches!(convert("readme.md", "project").unwrap_err(), ConvertError::Exists { .. }));
        assert!(matches!(convert("readme.md", "file").unwrap_err(), ConvertError::NotADirectory { .. }));
        let arguments = convert("readme.md", "new").unwrap();
        assert_eq!(arguments[2..], ["--output-folder=/o", "--isArm", "--isFullCompatible", "/r"]);
    }
}
