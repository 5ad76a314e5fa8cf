//! One call on a worker: a fresh store and instance, limits, the guest, and what it came to.

use crate::bindings::exports::bailiwick::tool::tool as wit;
use crate::cost::Cost;
use crate::denial::Denial;
use crate::engine_limit::EngineLimit;
use crate::error::{CallError, ErrorKind, HostFailure, ToolError};
use crate::fs::{Files, Moved, Stop};
use crate::grant::Grants;
use crate::http::Requests;
use crate::limits::Limits;
use crate::prepared::PreparedComponent;
use crate::rich::{Flood, RichRequest, RichResponse};
use crate::sanitize::sanitized;
use crate::schema::Unfit;
use crate::state::{MemoryMeter, Refused, State};
use crate::tool::{self, Loaded};
use crate::wasi::{Cancellation, Exit, TooRandom, WaitDeadline, World};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wasmtime::component::ResourceTableError;
use wasmtime::{Engine, PoolConcurrencyLimitError, Store, Trap, UpdateDeadline};

/// What to call on the instance.
pub(crate) enum Request {
    Describe,
    Invoke(String),
    /// Of a rich component.
    Rich(Box<RichRequest>),
}

/// What the guest answered.
pub(crate) enum Answer {
    Described(wit::Descriptor),
    Output(String),
    /// By a rich component; checked already.
    Rich(Box<RichResponse>),
}

/// What a request came to.
pub(crate) struct Reply {
    pub(crate) outcome: Result<Answer, CallError>,
    pub(crate) cost: Cost,
    pub(crate) denials: Vec<Denial>,
}

impl Reply {
    /// A request that never ran, or whose worker will not say.
    pub(crate) fn failed(failure: HostFailure, cost: Cost) -> Self {
        Self { outcome: Err(failure.into()), cost, denials: Vec::new() }
    }

    /// Holds an answer against the output schema of its tool.
    pub(crate) fn check(&mut self, tool: &Loaded) {
        let Ok(Answer::Output(output)) = &self.outcome else { return };
        let started = Instant::now();
        let fits = serde_json::from_str(output)
            .map_err(|error| format!("it is not JSON: {error}"))
            .and_then(|value| tool.output.check(&value, output.len()).map_err(|Unfit(reason)| reason));
        self.cost.checking = started.elapsed();
        if let Err(reason) = fits {
            self.outcome = Err(HostFailure::OffSchema(sanitized(&reason).into_owned()).into());
        }
    }
}

// A deadline so far away that the clock cannot express it.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Runs one request from a new store to its drop.
pub(crate) fn run(
    engine: &Engine,
    prepared: &PreparedComponent,
    request: &Request,
    grants: &Grants,
    limits: &Limits,
    cancellation: &Arc<dyn Cancellation>,
) -> Reply {
    let started = Instant::now();
    let ends = started.checked_add(limits.deadline).unwrap_or(started + FOREVER);
    let files = Files::new(grants.clone(), limits, ends, WaitDeadline::new(ends, cancellation.clone()));
    let memory = MemoryMeter::new(limits.memory_bytes, limits.table_elements);
    let notices = match request {
        Request::Rich(rich) => rich.notices(),
        Request::Describe | Request::Invoke(_) => None,
    };
    // A description needs no permission and is not put on record.
    let describes = match request {
        Request::Describe => true,
        Request::Invoke(_) => false,
        Request::Rich(rich) => rich.describes(),
    };
    // And what it says is the same whatever it was granted: it is kept, and shown before a person grants anything.
    let capabilities = if describes { Arc::new(prepared.capabilities.inert()) } else { prepared.capabilities.clone() };
    let world = World::new(capabilities, limits);
    let http = prepared.capabilities.http.as_ref().filter(|_| !describes);
    let requests = Requests::new(http, ends);
    let mut store = Store::new(engine, State { files, requests, memory, world, notices });
    store.limiter(|state| &mut state.memory);
    // Looked at by every tick, so that the end is that of the clock and not of ticks that came late, and a call whose
    // caller has gone does not go on to its deadline.
    store.set_epoch_deadline(1);
    let cancellation = cancellation.clone();
    store.epoch_deadline_callback(move |_| {
        if Instant::now() >= ends {
            Err(wasmtime::Error::new(Stop::Deadline))
        } else if cancellation.is_cancelled() {
            Err(wasmtime::Error::new(Stop::Cancelled))
        } else {
            Ok(UpdateDeadline::Continue(1))
        }
    });
    // What the guest may have the host copy at once: every path, every write and the answer pass through it.
    store.set_hostcall_fuel(limits.output_bytes.saturating_add(limits.input_bytes).saturating_add(64 * 1024));
    // Handles of resources that the component itself defines live in no table of ours. A lent one counts twice.
    store.set_max_component_handles(limits.handles.saturating_mul(2));

    let instance = prepared.instantiate(&mut store);
    let setup = started.elapsed();
    let outcome = instance.and_then(|instance| instance.answer(&mut store, request));
    let answered = started.elapsed();
    let outcome = match outcome {
        Ok(Ok(Answer::Output(text))) if text.len() > limits.output_bytes => {
            Err(HostFailure::Output { limit: limits.output_bytes }.into())
        }
        Ok(Ok(Answer::Rich(said))) => match request {
            Request::Rich(rich) => rich.checked(*said, limits).map(|said| Answer::Rich(Box::new(said))),
            Request::Describe | Request::Invoke(_) => {
                Err(HostFailure::Trap("unexpected kind of response".into()).into())
            }
        },
        Ok(Err(error)) if error.message.len() > limits.output_bytes => {
            Err(HostFailure::Output { limit: limits.output_bytes }.into())
        }
        Ok(answered) => answered.map_err(|error| {
            CallError::Tool(ToolError { kind: tool::kind(error.kind), message: sanitized(&error.message).into_owned() })
        }),
        Err(stopped) => Err(CallError::Host(failure(&stopped, store.data(), limits))),
    };
    let outcome = advised(outcome, store.data_mut().files.take_advice());
    let outcome = scrubbed(outcome, &store.data().requests);
    store.data_mut().files.sweep();
    let mut denials = store.data_mut().files.take_denials();
    let state = store.data();
    let mut cost = state.files.spent().clone();
    state.requests.settle(&mut cost, &mut denials);
    cost.memory_bytes = state.memory.peak();
    cost.input_bytes = match request {
        Request::Describe => 0,
        Request::Invoke(input) => input.len(),
        Request::Rich(rich) => rich.bytes(),
    };
    cost.output_bytes = match &outcome {
        Ok(Answer::Output(output)) => output.len(),
        Ok(Answer::Rich(said)) => said.bytes(),
        Ok(Answer::Described(_)) | Err(_) => 0,
    };
    // A store is never used again, least of all after a trap (CVE-2026-104855).
    drop(store);
    cost.wall = started.elapsed();
    cost.setup = setup;
    cost.teardown = cost.wall.saturating_sub(answered);
    Reply { outcome, cost, denials }
}

/// A guest that was refused does not know what a person could do about it. It is told where the refusal is all that the
/// call came to.
fn advised(outcome: Result<Answer, CallError>, advice: Option<String>) -> Result<Answer, CallError> {
    match (outcome, advice) {
        (Err(CallError::Tool(mut error)), Some(advice)) if error.kind == ErrorKind::NotPermitted => {
            error.message = format!("{}; {advice}", error.message);
            Err(CallError::Tool(error))
        }
        (outcome, _) => outcome,
    }
}

/// The guest cannot know a secret that was given for its requests. Should it have come by one, it does not come out.
fn scrubbed(outcome: Result<Answer, CallError>, requests: &Requests) -> Result<Answer, CallError> {
    match outcome {
        Ok(Answer::Output(text)) => Ok(Answer::Output(requests.scrub(text))),
        Err(CallError::Tool(ToolError { kind, message })) => {
            Err(CallError::Tool(ToolError { kind, message: requests.scrub(message) }))
        }
        other => other,
    }
}

fn failure(stopped: &wasmtime::Error, state: &State, limits: &Limits) -> HostFailure {
    if let Some(stop) = stopped.downcast_ref::<Stop>() {
        return match stop {
            Stop::Handles => HostFailure::Handles { limit: limits.handles },
            Stop::Deadline => HostFailure::Deadline(limits.deadline),
            Stop::Cancelled => HostFailure::Cancelled,
        };
    }
    if let Some(Moved { grant }) = stopped.downcast_ref::<Moved>() {
        return HostFailure::Moved { grant: grant.to_string() };
    }
    if let Some(Flood { limits }) = stopped.downcast_ref::<Flood>() {
        return HostFailure::Notices { count: limits.count, bytes: limits.bytes };
    }
    if let Some(TooRandom { limit }) = stopped.downcast_ref::<TooRandom>() {
        return HostFailure::Random { limit: *limit };
    }
    if let Some(ResourceTableError::Full) = stopped.downcast_ref::<ResourceTableError>() {
        return HostFailure::Handles { limit: limits.handles };
    }
    match stopped.downcast_ref::<Trap>() {
        Some(Trap::Interrupt) => return HostFailure::Deadline(limits.deadline),
        Some(Trap::StackOverflow) => return HostFailure::Stack,
        _ => {}
    }
    if stopped.is::<PoolConcurrencyLimitError>() {
        return HostFailure::Crowded;
    }
    // A guest that was refused more learns so by a -1, and may go on without it. When it stops all the same, this is
    // the best reason there is.
    match state.memory.refused {
        Some(Refused::Memory) => return HostFailure::Memory { limit: limits.memory_bytes },
        Some(Refused::Tables) => return HostFailure::Tables { limit: limits.table_elements },
        None => {}
    }
    let reason = format!("{:#}", stopped.root_cause());
    match EngineLimit::of(&reason) {
        Some(EngineLimit::CopiedBytes) => return HostFailure::Output { limit: limits.output_bytes },
        Some(EngineLimit::Handles) => return HostFailure::Handles { limit: limits.handles },
        None => {}
    }
    if let Some(exit) = stopped.downcast_ref::<Exit>() {
        return HostFailure::Trap(explained(exit.to_string(), state));
    }
    HostFailure::Trap(explained(reason, state))
}

/// A language that ends by a trap says why on its standard error.
fn explained(reason: String, state: &State) -> String {
    match state.files.said.end() {
        Some(said) => format!("{reason}; the last it said: {said}"),
        None => reason,
    }
}
