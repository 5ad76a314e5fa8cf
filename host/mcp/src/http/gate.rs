//! Who is let in, and what of a request is taken.

use super::Admission;
use super::clients::{Clients, Full, Identity};
use crate::caller::Caller;
use crate::malformed;
use crate::oauth::{Refused, metadata};
use axum::Router;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use bailiwick_connections::{Asked, Mark};
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// The header that names a session (up to 2025-11-25).
const SESSION: &str = "mcp-session-id";

/// What stands before the protocol.
pub(super) struct Gate {
    pub(super) admission: Admission,
    /// Subjects who see and decide everybody's runs.
    pub(super) operators: Vec<String>,
    pub(super) clients: Arc<Clients>,
    pub(super) body_bytes: usize,
    pub(super) body_within: Duration,
}

/// An authenticated client.
struct Admitted {
    identity: Identity,
    /// Whose runs they begin and see.
    caller: Caller,
    /// How long, where that is known.
    remaining: Option<Duration>,
}

impl Gate {
    /// Puts itself before these routes.
    pub(super) fn before(self, routes: Router) -> Router {
        routes.layer(from_fn_with_state(Arc::new(self), enter))
    }

    /// Nothing of a request is looked at before its token.
    async fn admit(&self, headers: &HeaderMap) -> Result<Admitted, Box<Response>> {
        let shown = shown(headers);
        match &self.admission {
            Admission::Token(token) => {
                if shown.is_some_and(|shown| token.is(shown)) {
                    return Ok(Admitted { identity: Identity::holder(), caller: Caller::local(), remaining: None });
                }
                Err(Box::new(challenged("Bearer", "the bearer token is missing or wrong")))
            }
            Admission::OAuth(guard) => {
                let Some(shown) = shown.and_then(|shown| std::str::from_utf8(shown).ok()) else {
                    let challenge = metadata::challenge(guard.resource(), None);
                    return Err(Box::new(challenged(&challenge, "an access token is needed")));
                };
                match guard.judge(shown).await {
                    Ok(verified) => {
                        let is_operator = self.operators.contains(&verified.subject);
                        let caller = Caller::subject(&guard.resource().issuer, &verified.subject, is_operator);
                        let identity = Identity { subject: verified.subject, client: verified.client };
                        Ok(Admitted { identity, caller, remaining: Some(verified.remaining) })
                    }
                    Err(refused) => {
                        Err(Box::new(refusal(&metadata::challenge(guard.resource(), Some(&refused)), refused)))
                    }
                }
            }
        }
    }
}

/// The one token of a request; two would be a choice.
fn shown(headers: &HeaderMap) -> Option<&[u8]> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    let (scheme, token) = value.as_bytes().split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then_some(token)
}

async fn enter(State(gate): State<Arc<Gate>>, mut request: Request, next: Next) -> Response {
    // A proxy in between may have checked the other one.
    for name in [header::HOST, header::ORIGIN] {
        if request.headers().get_all(&name).iter().count() > 1 {
            return closing(StatusCode::BAD_REQUEST, format!("a request has one `{name}`"));
        }
    }
    let admitted = match gate.admit(request.headers()).await {
        Ok(admitted) => admitted,
        Err(response) => return *response,
    };
    let asked = request.extensions().get::<Mark>().map(Mark::asks);
    let client = match gate.clients.of(&admitted.identity, &admitted.caller) {
        Ok(client) => client,
        Err(Full::Server) => return busy("too many clients at once"),
        Err(Full::Subject) => return busy("too many programs of this person at once"),
    };
    let Ok(permit) = client.requests.clone().try_acquire_owned() else {
        return busy("too many requests of this client at once");
    };
    let session = request.headers().get(SESSION).cloned();
    if session
        .as_ref()
        .is_some_and(|session| !session.to_str().is_ok_and(|id| gate.clients.owns(&admitted.identity.client, id)))
    {
        return (StatusCode::NOT_FOUND, "there is no such session").into_response();
    }
    let body = match taken(&gate, &mut request).await {
        Ok(body) => body,
        Err(response) => return *response,
    };
    request.extensions_mut().insert(client.user);
    let response = next.run(request).await;
    if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE
        && let Some(response) = explained(&body)
    {
        return response;
    }
    if let (None, Some(begun)) = (session, response.headers().get(SESSION).and_then(|id| id.to_str().ok())) {
        gate.clients.began(&admitted.identity, begun).await;
    }
    held(response, (permit, asked), admitted.remaining)
}

/// The body, read whole: a client that sends it drop by drop has its time. What is read is put back.
async fn taken(gate: &Gate, request: &mut Request) -> Result<Bytes, Box<Response>> {
    if request.method() != Method::POST {
        return Ok(Bytes::new());
    }
    let body = std::mem::take(request.body_mut());
    let read = tokio::time::timeout(gate.body_within, to_bytes(body, gate.body_bytes)).await;
    let Ok(read) = read else {
        return Err(Box::new(closing(StatusCode::REQUEST_TIMEOUT, "the body took too long")));
    };
    // Anything else than a body that is too long is a client that is gone.
    let body = read.map_err(|_| {
        let said = format!("a message may have {} bytes", gate.body_bytes);
        Box::new(closing(StatusCode::PAYLOAD_TOO_LARGE, said))
    })?;
    *request.body_mut() = Body::from(body.clone());
    Ok(body)
}

/// What was not read is not the beginning of another request.
fn closing(status: StatusCode, said: impl IntoResponse) -> Response {
    (status, [(header::CONNECTION, "close")], said).into_response()
}

/// A malformed message gets the reason, in the form of the protocol.
fn explained(body: &[u8]) -> Option<Response> {
    // Where the message could be read, the media type was meant.
    let malformed = malformed::diagnose(body)?;
    let answer =
        (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], malformed.answer().to_string());
    Some(answer.into_response())
}

/// An answer that streams counts as long as it does, and no longer than its token is good.
fn held(response: Response, places: (OwnedSemaphorePermit, Option<Asked>), remaining: Option<Duration>) -> Response {
    if response.body().size_hint().exact().is_some() {
        return response;
    }
    let (parts, body) = response.into_parts();
    let pieces = body.into_data_stream().map(move |piece| {
        let _counts = &places;
        piece
    });
    let body = match remaining {
        Some(remaining) => Body::from_stream(pieces.take_until(tokio::time::sleep(remaining))),
        None => Body::from_stream(pieces),
    };
    Response::from_parts(parts, body)
}

fn challenged(challenge: &str, said: &'static str) -> Response {
    let challenge = HeaderValue::from_str(challenge).unwrap_or(HeaderValue::from_static("Bearer"));
    (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, challenge)], said).into_response()
}

fn refusal(challenge: &str, refused: Refused) -> Response {
    let status = match refused {
        Refused::Scope => StatusCode::FORBIDDEN,
        Refused::Unreachable => return busy("the issuer cannot be asked for its keys"),
        _ => StatusCode::UNAUTHORIZED,
    };
    let challenge = HeaderValue::from_str(challenge).unwrap_or(HeaderValue::from_static("Bearer"));
    (status, [(header::WWW_AUTHENTICATE, challenge)], refused.to_string()).into_response()
}

fn busy(said: &'static str) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "1")], said).into_response()
}
