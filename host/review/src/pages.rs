//! The pages, and the two decisions. Whoever gets here was let in.

use crate::Reviewed;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use bailiwick_report::{Asked, decision_page, fleet_page, gather, message_page, overview_page, run_page};
use bailiwick_runs::{RunId, StoreError};
use std::sync::Arc;

type Shared = State<Arc<Reviewed>>;
/// The secret and what stands behind it.
type Named = Path<(String, String)>;

pub(crate) fn all(reviewed: Arc<Reviewed>) -> Router {
    let approve = get(ask_approve).post(approve);
    let revert = get(ask_revert).post(revert);
    Router::new()
        .route("/{secret}/", get(overview))
        .route("/{secret}/run/{id}/", get(run))
        .route("/{secret}/run/{id}/approve", approve)
        .route("/{secret}/run/{id}/revert", revert)
        .route("/{secret}/fleet/{name}/", get(fleet))
        .with_state(reviewed)
}

async fn overview(State(reviewed): Shared) -> Response {
    beside(move || {
        let listed = match reviewed.store.list_all() {
            Ok(listed) => listed,
            Err(error) => return failed(&error),
        };
        let damaged: Vec<String> =
            listed.damaged.iter().map(|(id, error)| format!("the run `{id}` cannot be shown: {error}")).collect();
        Html(overview_page(&listed.runs, &damaged, &reviewed.fleets.list())).into_response()
    })
    .await
}

async fn run(State(reviewed): Shared, Path((_, id)): Named) -> Response {
    about(reviewed, id, |reviewed, id| {
        let status = reviewed.store.record(id)?.status;
        Ok(Html(run_page(&gather(&reviewed.store, id, &reviewed.secrets)?, status)).into_response())
    })
    .await
}

async fn ask_approve(state: Shared, named: Named) -> Response {
    ask(state, named, Asked::Approve).await
}

async fn ask_revert(state: Shared, named: Named) -> Response {
    ask(state, named, Asked::Revert).await
}

async fn ask(State(reviewed): Shared, Path((_, id)): Named, asked: Asked) -> Response {
    about(reviewed, id, move |reviewed, id| {
        if !reviewed.store.record(id)?.status.waits() {
            return Ok(back());
        }
        question(reviewed, id, asked, false)
    })
    .await
}

fn question(reviewed: &Reviewed, id: &RunId, asked: Asked, again: bool) -> Result<Response, StoreError> {
    // Before anything else is read: what changes later differs from it.
    let shown = reviewed.store.question(id)?;
    let report = gather(&reviewed.store, id, &reviewed.secrets)?;
    Ok(Html(decision_page(&report, asked, &shown, again)).into_response())
}

/// Approves what the form shows, and asks again where something else stands there now.
async fn approve(State(reviewed): Shared, Path((_, id)): Named, form: String) -> Response {
    about(reviewed, id, move |reviewed, id| {
        let shown = form.strip_prefix("shown=").unwrap_or_default();
        match reviewed.store.approve_as_shown(id, shown) {
            Ok(_) => Ok(back()),
            Err(StoreError::ChangedWhileAsked(_)) => {
                Ok((StatusCode::CONFLICT, question(reviewed, id, Asked::Approve, true)?).into_response())
            }
            Err(error) => Err(error),
        }
    })
    .await
}

async fn revert(State(reviewed): Shared, Path((_, id)): Named) -> Response {
    about(reviewed, id, |reviewed, id| reviewed.store.revert(id).map(|_| back())).await
}

async fn fleet(State(reviewed): Shared, Path((_, name)): Named) -> Response {
    beside(move || match reviewed.fleets.report(&name) {
        Some(report) => Html(fleet_page(&report)).into_response(),
        None => said(StatusCode::NOT_FOUND, "There is no such fleet."),
    })
    .await
}

/// Does something with a run, on a thread that may wait.
async fn about(
    reviewed: Arc<Reviewed>,
    id: String,
    act: impl FnOnce(&Reviewed, &RunId) -> Result<Response, StoreError> + Send + 'static,
) -> Response {
    let Ok(id) = id.parse::<RunId>() else { return said(StatusCode::NOT_FOUND, "There is no such run.") };
    beside(move || act(&reviewed, &id).unwrap_or_else(|error| failed(&error))).await
}

async fn beside(act: impl FnOnce() -> Response + Send + 'static) -> Response {
    let done = tokio::task::spawn_blocking(act).await;
    done.unwrap_or_else(|_| said(StatusCode::INTERNAL_SERVER_ERROR, "The page could not be made."))
}

/// To the page of the run.
fn back() -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, "./")]).into_response()
}

fn failed(error: &StoreError) -> Response {
    let status = match error {
        StoreError::UnknownRun(_) => StatusCode::NOT_FOUND,
        _ => StatusCode::CONFLICT,
    };
    let sentence = match error.hint() {
        Some(hint) => format!("{error}. Hint: {hint}"),
        None => error.to_string(),
    };
    said(status, &sentence)
}

fn said(status: StatusCode, sentence: &str) -> Response {
    (status, Html(message_page("This was not done", sentence))).into_response()
}
