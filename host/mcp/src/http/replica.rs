//! Calls that another replica passes on. Its ticket is judged before anything else of a request is looked at.

use super::Admission;
use super::clients::{Clients, Identity};
use crate::call::{Again, Call, Patience, Person};
use crate::caller::Caller;
use crate::component::Reach;
use crate::failure::Failure;
use crate::logger::Logger;
use crate::replicas::wire::{Forwarded, Frame, PATH, TICKET, Ticket};
use crate::replicas::{Guard, Replicas, now};
use crate::reporter::Reporter;
use crate::roots::Directories;
use crate::server::Server;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use bailiwick_connections::Mark;
use bailiwick_runs::Owner;
use futures_util::stream;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Frames that wait to be sent.
const WAITING: usize = 64;

/// What stands before calls of other replicas.
pub(super) struct Side {
    pub(super) server: Server,
    pub(super) replicas: Replicas,
    pub(super) guard: Guard,
    pub(super) clients: Arc<Clients>,
    /// Whose tokens this server takes.
    pub(super) takes: Takes,
    pub(super) operators: Vec<String>,
    pub(super) body_within: Duration,
    pub(super) open: OpenCalls,
}

/// Whose runs may be begun and seen here: another replica cannot widen it.
pub(super) enum Takes {
    /// Those of the holder of the one token.
    Holder,
    /// Those of subjects of this issuer.
    SubjectsOf(String),
}

impl Takes {
    pub(super) fn of(admission: &Admission) -> Self {
        match admission {
            Admission::Token(_) => Self::Holder,
            Admission::OAuth(guard) => Self::SubjectsOf(guard.resource().issuer.clone()),
        }
    }
}

/// Calls of other replicas that are being answered, by the words of their tickets.
#[derive(Default)]
pub(super) struct OpenCalls(Mutex<HashMap<String, CancellationToken>>);

impl OpenCalls {
    /// A call begins; what is returned is cancelled when its client takes it back.
    fn begin(&self, word: &str) -> CancellationToken {
        let cancelled = CancellationToken::new();
        self.words().insert(word.to_owned(), cancelled.clone());
        cancelled
    }

    fn take_back(&self, word: &[u8]) {
        if let Some(cancelled) = str::from_utf8(word).ok().and_then(|word| self.words().get(word).cloned()) {
            cancelled.cancel();
        }
    }

    fn end(&self, word: &str) {
        self.words().remove(word);
    }

    fn words(&self) -> MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Side {
    pub(super) fn routes(self) -> Router {
        Router::new().route(PATH, post(enter)).with_state(Arc::new(self))
    }

    /// The caller as this server has them: never more than the other replica says, and never more than here.
    fn caller(&self, what: &Forwarded) -> Option<(Identity, Caller)> {
        match (&self.takes, &what.owner) {
            (Takes::Holder, Owner::Local) => Some((Identity::holder(), Caller::local())),
            (Takes::SubjectsOf(own), Owner::Subject { issuer, subject }) if own == issuer => {
                let is_operator = what.sees_all && self.operators.contains(subject);
                let identity = Identity { subject: subject.clone(), client: what.program.clone() };
                Some((identity, Caller::subject(issuer, subject, is_operator)))
            }
            _ => None,
        }
    }

    /// This caller as they are when they come to this server themselves.
    fn own(&self, caller: &Caller) -> Caller {
        match &caller.owner {
            Owner::Local => Caller::local(),
            Owner::Subject { issuer, subject } => Caller::subject(issuer, subject, self.operators.contains(subject)),
        }
    }
}

async fn enter(State(side): State<Arc<Side>>, request: Request) -> Response {
    let shown = request.headers().get(TICKET).map(|value| value.as_bytes().to_vec()).unwrap_or_default();
    let ticket = match side.guard.judge(&shown, now()) {
        Ok(ticket) => ticket,
        Err(refused) => {
            // The reason is for the operator. Anyone can send such a request, so it does not fill the log; a replica that is
            // refused warns in its own.
            tracing::debug!(%refused, "a call of another replica is refused");
            return refusal(StatusCode::UNAUTHORIZED);
        }
    };
    let asked = request.extensions().get::<Mark>().map(Mark::asks);
    let most = side.server.limits().message_bytes;
    let read = tokio::time::timeout(side.body_within, to_bytes(request.into_body(), most)).await;
    let Ok(Ok(body)) = read else { return refusal(StatusCode::BAD_REQUEST) };
    if let Some(word) = side.replicas.keys().open(&ticket.taking_back(), &body) {
        side.open.take_back(&word);
        return StatusCode::OK.into_response();
    }
    let text = side.replicas.keys().open(&ticket.call(), &body);
    let Some(what) = text.and_then(|text| serde_json::from_slice::<Forwarded>(&text).ok()) else {
        return refusal(StatusCode::UNAUTHORIZED);
    };
    let Some((identity, caller)) = side.caller(&what) else { return refusal(StatusCode::FORBIDDEN) };
    // The client is known as this server has it, also when it comes here itself later.
    let Ok(client) = side.clients.of(&identity, &side.own(&caller)) else {
        return refusal(StatusCode::SERVICE_UNAVAILABLE);
    };
    let (Ok(request), Ok(calls)) =
        (client.requests.clone().try_acquire_owned(), client.user.calls.clone().try_acquire_owned())
    else {
        return refusal(StatusCode::SERVICE_UNAVAILABLE);
    };
    let (frames, answer) = mpsc::channel(WAITING);
    let (cancelled, unheard) = (side.open.begin(&ticket.word), CancellationToken::new());
    // A connection that is lost takes nothing back.
    let gone = unheard.clone().drop_guard();
    let call = Call {
        reporter: Reporter::to_replica(frames.clone()),
        logger: Logger::silent(),
        patience: Patience::Usual,
        cancelled,
        unheard,
        closing: side.server.closing().clone(),
        client: what.client.clone(),
        owner: client.user.name.clone(),
        caller,
        person: Person::OutOfReach,
        reach: Reach::none(),
        again: Again::default(),
        directories: match what.roots.clone() {
            Some(roots) => Directories::named(roots),
            None => Directories::unasked(),
        },
    };
    let (server, for_call, word) = (side.server.clone(), side.clone(), ticket.word.clone());
    tokio::spawn(async move {
        // What has begun is ended, also where no call waits for it.
        let answer = server.answer_for_replica(what, call).await;
        for_call.open.end(&word);
        let _ = frames.send(Frame::Answer(answer)).await;
        drop(calls);
    });
    let sending = Sending { side: side.clone(), ticket, answer, place: 0, over: false };
    let pieces = stream::unfold((sending, (request, asked, gone)), |(mut sending, held)| async move {
        let piece = sending.next().await?;
        Some((Ok::<_, Infallible>(piece), (sending, held)))
    });
    ([(header::CONTENT_TYPE, "application/octet-stream")], Body::from_stream(pieces)).into_response()
}

/// The frames of an answer.
struct Sending {
    side: Arc<Side>,
    ticket: Ticket,
    answer: mpsc::Receiver<Frame>,
    place: u64,
    over: bool,
}

impl Sending {
    async fn next(&mut self) -> Option<Vec<u8>> {
        if self.over {
            return None;
        }
        let alive = match self.place {
            // At once: whatever goes wrong after it, the call was taken.
            0 => Duration::ZERO,
            _ => self.side.replicas.limits().silence / 3,
        };
        let frame = match tokio::time::timeout(alive, self.answer.recv()).await {
            Ok(frame) => frame?,
            Err(_) => Frame::Alive,
        };
        let sent = |frame: &Frame| frame.sent(&self.ticket, self.place, self.side.replicas.keys()).ok();
        let piece = sent(&frame)?;
        let most = self.side.server.limits().message_bytes;
        // The other replica reads no longer frame.
        let (piece, is_last) = match piece.len() > most {
            true => (sent(&Frame::Answer(Err(too_long(most))))?, true),
            false => (piece, matches!(frame, Frame::Answer(_))),
        };
        self.over = is_last;
        self.place += 1;
        Some(piece)
    }
}

fn too_long(most: usize) -> Failure {
    Failure::new(format!("the call was carried out, and its answer is longer than the {most} bytes of a message"))
        .hint("`azsdk_run_show` shows how far the run is")
}

fn refusal(status: StatusCode) -> Response {
    // What was not read is not the beginning of another request.
    (status, [(header::CONNECTION, "close")]).into_response()
}

#[cfg(test)]
mod tests;
