//! Writing tools: `tool new` and `tool build`.

use super::super::package;
use crate::arguments::{BuildTool, NewTool, ToolLanguage};
use crate::exit::{Code, Error, Result};
use crate::{output, places, runtime};
use bailiwick_audit::printable;
use bailiwick_authoring::build::Builder;
use bailiwick_authoring::project::Built;
use bailiwick_authoring::{AuthoringError, Project, template};
use bailiwick_customize::driver::Progress;
use bailiwick_toolchains::{Children, Toolchains};
use bailiwick_tools::manifest::Language;
use serde_json::json;
use std::path::Path;

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
    let progress = Progress::to(output::progress);
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
