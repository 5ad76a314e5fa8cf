//! `bailiwick package customize`, the main job, and `bailiwick package fix`, its second half.

use super::{package, text};
use crate::arguments::{Customize, Fix, Target};
use crate::conversation::Conversation;
use crate::exit::{Code, Error, Result};
use crate::model::Preflight;
use crate::{model, output, runtime};
use bailiwick_customize::driver::{CustomizeError, OnFailure, Request, prepare};
use bailiwick_customize::machine::{Aim, EditScope, Outcome};
use bailiwick_customize::response::Response;
use bailiwick_models::Origin;
use bailiwick_runs::{Status, Store};

pub(crate) fn execute(customize: &Customize, as_json: bool) -> Result<Code> {
    carry_out(customize, Aim::Request, as_json)
}

/// `bailiwick package fix`: Phase B alone.
pub(crate) fn fix(fix: &Fix, as_json: bool) -> Result<Code> {
    let Target { package_path, typespec_project_path, unconfined_builds } = &fix.target;
    let customize = Customize {
        target: Target {
            package_path: package_path.clone(),
            typespec_project_path: typespec_project_path.clone(),
            unconfined_builds: *unconfined_builds,
        },
        customization_request: fix.errors.clone().unwrap_or_else(|| "repair the customization code".to_owned()),
        edit_scope: EditScope::CustomCode.to_string(),
        model: fix.model.clone(),
        max_cost: fix.max_cost,
        record: fix.record.clone(),
        replay: fix.replay.clone(),
        keep_on_failure: fix.keep_on_failure,
        allow_model_in_ci: fix.allow_model_in_ci,
    };
    carry_out(&customize, Aim::Repair, as_json)
}

fn carry_out(customize: &Customize, aim: Aim, as_json: bool) -> Result<Code> {
    let request = request(customize)?;
    // Before a state directory, a toolchain or a process: input that cannot be used starts nothing.
    let prepared = prepare(&request).map_err(|error| package::failure(&error))?;
    if customize.replay.is_none() && !customize.allow_model_in_ci {
        model::refuse_in_ci(customize.model.as_deref())?;
    }
    let project = &prepared.project;
    let conversation = Conversation::open(
        || model::backend(customize.model.as_deref().map(|name| (name, Origin::Flag)), Preflight::Asked),
        customize.record.as_deref(),
        customize.replay.as_deref(),
        &[
            ("package", &project.package),
            ("sdk", &project.sdk_root),
            ("project", &project.directory),
            ("specs", &project.spec_root),
        ],
    )?;
    // A replay costs nothing, whatever its conversation did.
    let money = match customize.replay {
        Some(_) => None,
        None => model::money(customize.max_cost, conversation.backend().as_ref())?,
    };
    let response = runtime::block_on(run(customize, &request, aim, &conversation, money))??;
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
async fn run(
    customize: &Customize,
    request: &Request,
    aim: Aim,
    conversation: &Conversation,
    money: Option<u64>,
) -> Result<Response> {
    let customizer = package::customizer(&customize.target, conversation.backend(), money).await?;
    let outcome = match aim {
        Aim::Request => customizer.customize_until(request, runtime::interrupted()).await,
        Aim::Repair => customizer.fix_unless(request, runtime::interrupted()).await,
    };
    let conversed = conversation.finish();
    match outcome {
        Ok(response) => match conversed {
            Ok(()) => Ok(response),
            Err(error) => {
                undo(&customizer.store, &response, request.on_failure)?;
                Err(error)
            }
        },
        Err(CustomizeError::Cancelled) => Err(Error::interrupted("interrupted; both repositories are as before")),
        Err(error) => {
            // What failed halfway is put back now and not at the next start, once nothing of it can write any more.
            customizer.supervisor.settled().await;
            package::recover(&customizer.store)?;
            Err(package::failure(&error))
        }
    }
}

/// A success that rests on another conversation than the one that was to be replayed does not stay.
fn undo(store: &Store, response: &Response, on_failure: OnFailure) -> Result<()> {
    let Ok(id) = response.run_id.parse() else { return Ok(()) };
    let pending = store.list().map_err(|error| package::store_failure(&error))?;
    let pending = pending.iter().any(|run| run.id == id && run.status == Status::Pending);
    if pending && on_failure == OnFailure::Revert {
        output::progress("putting both repositories back");
        store.revert(&id).map_err(|error| package::store_failure(&error))?;
    }
    Ok(())
}
