//! Making the component of a project.
//!
//! What builds runs the author's code and that of the packages it names, so it is confined as every build is: it reads the
//! project and what it was installed with, writes a directory for what it makes, and has no network. What comes from a
//! registry is fetched before, by programs that run nothing of it.

mod crates;
mod javascript;
mod python;
mod rust;

use crate::error::AuthoringError;
use crate::project::{Built, Project};
use bailiwick_toolchains::{Child, Children, Progress, Toolchains};
use bailiwick_tools::manifest::Language;
use std::fs;
use std::path::{Path, PathBuf};

/// With what a project is built.
pub struct Builder<'a> {
    /// Where builders are installed.
    pub toolchains: &'a Toolchains,
    /// What starts them.
    pub children: &'a Children,
    /// Where cargo puts what it compiles, in place of `target` in the project.
    pub target: Option<PathBuf>,
    /// Told every line that a builder prints.
    pub on_line: &'a mut (dyn FnMut(&str) + Send),
    /// Told what is installed.
    pub on_progress: &'a mut (dyn FnMut(Progress) + Send),
}

impl Builder<'_> {
    /// Makes the component of `project`, puts it beside the manifest and writes its digest there.
    ///
    /// # Errors
    /// See [`AuthoringError`]; the project's component is then the one it was.
    pub async fn build(&mut self, project: &mut Project) -> Result<Built, AuthoringError> {
        let temporary = tempfile::tempdir().map_err(AuthoringError::io(&std::env::temp_dir(), "written"))?;
        let scratch = temporary.path().canonicalize().map_err(AuthoringError::io(temporary.path(), "read"))?;
        let component = match project.manifest.language {
            Some(Language::Rust) => self.rust(project, &scratch).await?,
            Some(Language::Python) => self.python(project, &scratch).await?,
            Some(Language::Js) => self.javascript(project, &scratch).await?,
            None => return Err(AuthoringError::NoLanguage),
        };
        project.finish(&component)
    }

    /// Runs a builder; `program` is what people call it.
    async fn run(&mut self, program: &'static str, child: Child<'_>) -> Result<(), AuthoringError> {
        let finished = self.children.run(child, self.on_line).await?;
        if finished.exit.is_success() {
            return Ok(());
        }
        Err(AuthoringError::Failed { program, ended: finished.exit.to_string() })
    }
}

/// What a builder wrote.
fn made(path: &Path, program: &'static str) -> Result<Vec<u8>, AuthoringError> {
    fs::read(path).map_err(|error| AuthoringError::Failed { program, ended: format!("exit code 0, but {error}") })
}

/// A file that a project has to have.
fn needed(project: &Project, name: &str) -> Result<PathBuf, AuthoringError> {
    let path = project.directory.join(name);
    match path.exists() {
        true => Ok(path),
        false => Err(AuthoringError::file(&path, "it is not there, and building the tool takes it")),
    }
}
