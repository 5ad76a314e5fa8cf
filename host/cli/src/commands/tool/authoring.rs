//! Writing tools: `tool new` and `tool build`.

use super::super::package;

use crate::exit::{Code, Error, Result};
use crate::{output, places, runtime};
use bailiwick_audit::printable;
use bailiwick_authoring::build::Builder;
use bailiwick_authoring::project::Built;
use bailiwick_authoring::{AuthoringError, Project, template};
use bailiwick_toolchains::{Children, Toolchains};
use bailiwick_tools::manifest::Language;
use clap::{Args, ValueEnum};
use serde_json::json;
use std::path::Path;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct NewTool {
    /// What it is called: small letters, digits and `-`.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// What it is written in.
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) lang: ToolLanguage,
    /// The directory of the project; one called NAME, here, if this is left out. It must not hold anything.
    #[arg(long, value_name = "DIR")]
    pub(crate) path: Option<PathBuf>,
}

/// What a tool can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolLanguage {
    /// Rust, on the SDK that the built-in tools stand on.
    Rust,
    /// Python, with componentize-py.
    Python,
    /// JavaScript, with ComponentizeJS.
    Js,
}

#[derive(Debug, Args)]
pub(crate) struct BuildTool {
    /// The project, which has `tool.toml`; the working directory if this is left out.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
    /// Where cargo puts what it compiles, in place of `target` in the project. For tools in Rust.
    #[arg(long, value_name = "DIR")]
    pub(crate) target_dir: Option<PathBuf>,
    /// Run builds without confinement where this platform cannot confine them.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
}

pub(super) fn new(new: &NewTool, as_json: bool) -> Result<Code> {
    let directory = new.path.clone().unwrap_or_else(|| Path::new(&new.name).to_owned());
    let language = match new.lang {
        ToolLanguage::Rust => Language::Rust,
        ToolLanguage::Python => Language::Python,
        ToolLanguage::Js => Language::Js,
    };
    let files = template::create(&new.name, language, &directory).map_err(|error| failed(&error))?;
    if as_json {
        let files: Vec<_> = files.iter().filter_map(|file| file.strip_prefix(&directory).ok()).collect();
        output::json(&json!({ "name": new.name, "directory": directory, "files": files }));
    } else {
        output::line(&format!("made `{}`", directory.display()));
        output::progress(&format!("hint: `bailiwick tool test {}` builds it and runs its cases", directory.display()));
    }
    Ok(Code::Done)
}

pub(super) fn build(build: &BuildTool, as_json: bool) -> Result<Code> {
    let mut project = Project::open(&build.directory).map_err(|error| failed(&error))?;
    let built = runtime::block_on(built(&mut project, build))??;
    if as_json {
        output::json(&json!({
            "name": project.manifest.name,
            "component": built.path,
            "digest": built.digest,
            "bytes": built.bytes,
        }));
    } else {
        output::line(&said(&built));
    }
    Ok(Code::Done)
}

/// Builds a project. Dropping the future ends what builds.
pub(super) async fn built(project: &mut Project, build: &BuildTool) -> Result<Built> {
    let supervisor = package::supervisor()?;
    let isolation = package::isolation(&supervisor, build.unconfined_builds)?;
    let toolchains = Toolchains::open(&places::cache()?, supervisor.clone(), isolation)
        .map_err(|error| failed(&AuthoringError::Toolchain(error)))?;
    let children = Children::new(supervisor, isolation);
    let progress = package::steps();
    let mut on_progress = progress.toolchain();
    let mut builder = Builder {
        toolchains: &toolchains,
        children: &children,
        target: build.target_dir.clone(),
        on_line: &mut |line| output::progress(&printable(line)),
        on_progress: &mut on_progress,
    };
    tokio::select! {
        built = builder.build(project) => built.map_err(|error| failed(&error)),
        () = runtime::interrupted() => Err(Error::interrupted("interrupted; the component is the one it was")),
    }
}

pub(super) fn said(built: &Built) -> String {
    format!("built `{}`, {} bytes, {}", built.path.display(), built.bytes, built.digest)
}

/// An error of a project with its exit code.
pub(super) fn failed(error: &AuthoringError) -> Error {
    let code = match error {
        AuthoringError::Name(_)
        | AuthoringError::Occupied(_)
        | AuthoringError::NoProject(_)
        | AuthoringError::Manifest { .. }
        | AuthoringError::NoLanguage
        | AuthoringError::File { .. }
        | AuthoringError::Case { .. }
        | AuthoringError::NoCases(_) => Code::Usage,
        _ => Code::NoSuccess,
    };
    Error { message: error.to_string(), hint: error.hint(), code }
}
