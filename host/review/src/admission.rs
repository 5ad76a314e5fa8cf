//! Who is let in.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use bailiwick_base::random;
use bailiwick_base::text::hex;
use bailiwick_connections::Mark;
use bailiwick_report::message_page;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::timeout;

/// What a browser says of the page that makes it send a request.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// The form of a decision holds one digest.
const FORM: usize = 4096;
/// How long a form may take.
const FORM_WITHIN: Duration = Duration::from_secs(10);

/// The secrets of one server.
pub(crate) struct Admission {
    port: u16,
    /// Leads in once.
    key: Mutex<Option<String>>,
    /// The first part of every address.
    secret: String,
}

impl Admission {
    /// The checks of one server, and the key that lets one browser in.
    ///
    /// # Errors
    /// The system has no random bytes.
    pub(crate) fn new(port: u16) -> io::Result<(Self, String)> {
        let (key, secret) = (hex(&random::bytes::<32>()?), hex(&random::bytes::<32>()?));
        Ok((Self { port, key: Mutex::new(Some(key.clone())), secret }, key))
    }

    /// The names by which a browser may call this server. Any other comes from a page of another name that was made to
    /// lead here.
    fn authorities(&self) -> [String; 2] {
        ["127.0.0.1", "localhost"].map(|host| format!("{host}:{}", self.port))
    }

    /// Whether this is the key. The key is used up by this.
    fn opens(&self, given: &str) -> bool {
        let mut key = self.key.lock().unwrap_or_else(PoisonError::into_inner);
        let opens = key.as_deref().is_some_and(|key| is_same(key, given));
        if opens {
            *key = None;
        }
        opens
    }
}

/// Compares in a time that does not depend on where they differ.
fn is_same(own: &str, given: &str) -> bool {
    let differing = own.bytes().zip(given.bytes()).fold(0, |differing, (left, right)| differing | (left ^ right));
    own.len() == given.len() && differing == 0
}

/// The pages, behind the checks.
pub(crate) fn before(admission: Arc<Admission>, pages: Router) -> Router {
    let inside = pages.layer(middleware::from_fn_with_state(admission.clone(), knows_the_secret));
    Router::new()
        .route("/enter/{key}", get(enter))
        .with_state(admission.clone())
        .merge(inside)
        .fallback(async || refused(StatusCode::NOT_FOUND))
        .layer(middleware::from_fn_with_state(admission, calls_by_name))
}

async fn enter(State(admission): State<Arc<Admission>>, Path(key): Path<String>) -> Response {
    if admission.opens(&key) {
        return (StatusCode::SEE_OTHER, [(header::LOCATION, format!("/{}/", admission.secret))]).into_response();
    }
    refused(StatusCode::FORBIDDEN)
}

/// Everything but the key lies beneath the secret.
async fn knows_the_secret(State(admission): State<Arc<Admission>>, request: Request, next: Next) -> Response {
    let first = request.uri().path().split('/').nth(1).unwrap_or_default();
    if !is_same(&admission.secret, first) {
        return refused(StatusCode::NOT_FOUND);
    }
    // Its connection gives way to no program that does not know the address.
    let _asked = request.extensions().get::<Mark>().map(Mark::asks);
    let (head, body) = request.into_parts();
    match timeout(FORM_WITHIN, to_bytes(body, FORM)).await {
        Ok(Ok(form)) => next.run(Request::from_parts(head, form.into())).await,
        // What was not read is not the beginning of another request.
        Ok(Err(_)) => closing(StatusCode::PAYLOAD_TOO_LARGE),
        Err(_) => closing(StatusCode::REQUEST_TIMEOUT),
    }
}

fn closing(status: StatusCode) -> Response {
    ([(header::CONNECTION, "close")], refused(status)).into_response()
}

/// Refuses requests that a page of another site makes a browser send, and says to the browser what may be done with an
/// answer.
async fn calls_by_name(State(admission): State<Arc<Admission>>, request: Request, next: Next) -> Response {
    let mut response = match is_own(&admission, request.method(), request.headers()) {
        true => next.run(request).await,
        false => refused(StatusCode::FORBIDDEN),
    };
    for (name, value) in [
        ("cache-control", "no-store"),
        ("content-security-policy", "frame-ancestors 'none'"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("referrer-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
    ] {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

fn is_own(admission: &Admission, method: &Method, headers: &HeaderMap) -> bool {
    // Of two that differ, one would be believed.
    if [header::HOST, header::ORIGIN, SITE].iter().any(|name| headers.get_all(name).iter().count() > 1) {
        return false;
    }
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(host) = text(header::HOST) else { return false };
    if !admission.authorities().iter().any(|own| own == host) {
        return false;
    }
    match *method {
        // A link from a chat or a terminal has another origin, and leads to a page that shows.
        Method::GET => text(header::ORIGIN).is_none_or(|origin| origin == format!("http://{host}")),
        Method::POST => {
            text(header::ORIGIN) == Some(format!("http://{host}").as_str())
                && text(SITE).is_none_or(|site| site == "same-origin")
        }
        _ => false,
    }
}

/// The same for everything that is not there or not allowed, but for the number.
fn refused(status: StatusCode) -> Response<Body> {
    let sentence = "This address is not valid, or its link was used before. `bailiwick review` prints a new one.";
    (status, Html(message_page("Not here", sentence))).into_response()
}
