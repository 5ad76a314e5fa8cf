//! Builds a package the way its repository configures.

use std::path::Path;
use std::time::Instant;

use bailiwick_sdk::tasks::Diagnostic;

use super::copy::Copy;
use super::error::ScriptError;
use super::file::{Purpose, Script};
use super::start::{Invocation, last_words, run};
use crate::language::{BuildRequest, Built, LanguageService, Verdict};
use bailiwick_toolchains::{BuildTools, Children};

/// Builds a copy of the package, so that whatever the script writes, the package stays as it is.
///
/// # Errors
/// See [`ScriptError`]. A package that does not build is not an error.
pub(crate) async fn build(
    script: &Script,
    request: BuildRequest<'_>,
    repository: &Path,
    language: &dyn LanguageService,
    tools: &BuildTools,
    children: &Children,
) -> Result<Built, ScriptError> {
    let started = Instant::now();
    let root = request.work.join("build");
    std::fs::create_dir_all(&root).map_err(ScriptError::io(&root, "created"))?;
    let root = root.canonicalize().map_err(ScriptError::io(&root, "read"))?;
    let copy = Copy::make(request.package, repository, &root)?;
    let key = Purpose::Build.key();
    let invocation = Invocation {
        script,
        key,
        package: &copy.package,
        original: request.place,
        values: Vec::new(),
        repository,
        write: vec![copy.tree.clone()],
        scratch: &root.join("script"),
    };
    let ran = run(invocation, language, tools, children).await?;
    let log = copy.readable(&format!("$ {}\n{}", ran.shown, ran.log));
    let mut diagnostics = language.build_diagnostics(&log);
    if !ran.succeeded && !diagnostics.iter().any(Diagnostic::is_error) {
        let shown = copy.readable(&ran.shown);
        let message = format!("`{shown}` failed ({}): {}", ran.ended, last_words(&copy.readable(&ran.log)));
        diagnostics.push(Diagnostic::without_place(key, "build-script", message));
    }
    let failed = !ran.succeeded || diagnostics.iter().any(Diagnostic::is_error);
    let verdict = if failed { Verdict::Failed } else { Verdict::Passed };
    Ok(Built { verdict, diagnostics, log, wall: started.elapsed() })
}
