//! `bailiwick package customize`: the main job.

use super::{package, text};
use crate::arguments::Customize;
use crate::exit::{Code, Error, Result};
use crate::{model, output, runtime};
use bailiwick_agent::Backend;
use bailiwick_customize::driver::{CustomizeError, OnFailure, Request, prepare};
use bailiwick_customize::machine::{EditScope, Outcome};
use bailiwick_customize::response::Response;
use std::sync::Arc;

pub(crate) fn execute(customize: &Customize, as_json: bool) -> Result<Code> {
    let request = request(customize)?;
    // Before a state directory, a toolchain or a process: input that cannot be used starts nothing.
    prepare(&request).map_err(|error| package::failure(&error))?;
    let backend = model::backend(customize.model.as_deref())?;
    let response = runtime::block_on(run(customize, &request, backend))??;
    if as_json {
        output::json(&response);
    } else {
        output::line(&response.format());
    }
    Ok(if response.outcome == Outcome::Success { Code::Done } else { Code::NoSuccess })
}

fn request(customize: &Customize) -> Result<Request> {
    let scope: EditScope = customize
        .edit_scope
        .parse()
        .map_err(|error| Error::usage(format!("{error}")).hint("leave `--edit-scope` out to allow both phases"))?;
    Ok(Request {
        package: customize.target.package_path.clone(),
        text: text::read("customization request", &customize.customization_request)?,
        project: customize.target.typespec_project_path.clone(),
        scope,
        on_failure: if customize.keep_on_failure { OnFailure::Keep } else { OnFailure::Revert },
    })
}

/// Runs to the end, or puts everything back when a person interrupts.
async fn run(customize: &Customize, request: &Request, backend: Arc<dyn Backend>) -> Result<Response> {
    let customizer = package::customizer(&customize.target, backend).await?;
    let outcome: Option<std::result::Result<Response, CustomizeError>> = tokio::select! {
        outcome = customizer.customize(request) => Some(outcome),
        () = runtime::interrupted() => None,
    };
    match outcome {
        Some(Ok(response)) => Ok(response),
        Some(Err(error)) => {
            package::recover(&customizer.store)?;
            Err(package::failure(&error))
        }
        None => {
            output::progress("interrupted; putting both repositories back");
            package::recover(&customizer.store)?;
            Err(Error::failed("interrupted; both repositories are as before"))
        }
    }
}
