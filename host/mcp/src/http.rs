//! Streamable HTTP: for clients that cannot start a process, and for several at once.
//!
//! Whoever has the token is one client, over however many connections: the token is what tells clients apart. A lost
//! connection takes nothing back; `azsdk_run_cancel` and, in a session, a notification do.

use crate::random;
use crate::server::{Server, Transport};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// The one path that is served.
pub const PATH: &str = "/mcp";

/// How long connections may go on after the server was told to end.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// What every request has to show.
#[derive(Clone)]
pub struct Token(Arc<str>);

impl Token {
    /// One that nobody can guess.
    ///
    /// # Errors
    /// The system has no random bytes.
    pub fn generate() -> io::Result<Self> {
        Ok(Self(random::hexadecimal::<32>()?.into()))
    }

    /// This one; `None` if it is shorter than 32 characters or could not stand in a header.
    #[must_use]
    pub fn given(text: &str) -> Option<Self> {
        let usable = text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_graphic());
        usable.then(|| Self(text.into()))
    }

    /// The token itself, to be shown to a person once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Compares in a time that does not depend on where they differ.
    fn is(&self, other: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let differing = own.iter().zip(other).fold(0, |differing, (left, right)| differing | (left ^ right));
        own.len() == other.len() && differing == 0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Token")
    }
}

/// Who may connect, and how much.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// What every request has to show.
    pub token: Token,
    /// Host names that requests may name besides those of this machine itself.
    pub hosts: Vec<String>,
    /// Requests that may be begun at once, answers that stream not counted.
    pub requests: usize,
}

struct Gate {
    token: Token,
    requests: Semaphore,
}

/// Listens on this address.
///
/// # Errors
/// The address is taken, or not of this machine.
pub async fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address).await
}

/// Serves whoever has the token, until `stop` ends. When this returns nothing is at work any more.
///
/// # Errors
/// The listener fails.
pub async fn serve(
    server: &Server,
    listener: TcpListener,
    options: HttpOptions,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let ended = CancellationToken::new();
    let mut hosts: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec();
    hosts.extend(options.hosts);
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        // A page in a browser has no business here, wherever it is from: only what this server itself might have served.
        .with_allowed_origins(own_origins(listener.local_addr()?.port()))
        .enforce_origin_validation()
        .with_max_request_body_bytes(server.limits().message_bytes)
        .with_cancellation_token(ended.clone());
    let (for_service, client) = (server.clone(), server.client());
    let service = StreamableHttpService::new(
        move || Ok(for_service.connection(Transport::Http, client.clone())),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let gate = Arc::new(Gate { token: options.token, requests: Semaphore::new(options.requests) });
    let router = Router::new().route_service(PATH, service).layer(from_fn_with_state(gate, enter));
    // Small answers wait 40 ms for an acknowledgement otherwise.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let serving = axum::serve(listener, router).with_graceful_shutdown({
        let ended = ended.clone();
        async move { ended.cancelled().await }
    });
    let serving = serving.into_future();
    tokio::pin!(serving, stop);
    tokio::select! {
        result = &mut serving => return result,
        () = &mut stop => {}
    }
    server.close().await;
    ended.cancel();
    let _ = tokio::time::timeout(LAST_WORDS, serving).await;
    Ok(())
}

/// Origins of pages of this server, of which there are none; some clients say where they connect to.
fn own_origins(port: u16) -> [String; 3] {
    ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("http://{host}:{port}"))
}

/// Nothing of a request without the token is looked at.
async fn enter(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let shown = request.headers().get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
    let shown = shown.and_then(|value| value.split_at_checked("Bearer ".len()));
    if !shown.is_some_and(|(scheme, token)| scheme.eq_ignore_ascii_case(b"Bearer ") && gate.token.is(token)) {
        let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
        return (StatusCode::UNAUTHORIZED, challenge, "the bearer token is missing or wrong").into_response();
    }
    let Ok(_permit) = gate.requests.try_acquire() else {
        return (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "1")], "too many requests at once")
            .into_response();
    };
    next.run(request).await
}
