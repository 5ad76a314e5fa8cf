//! Streamable HTTP: for clients that cannot start a process, and for several at once.
//!
//! | module | subject |
//! |---|---|
//! | `token` | a fixed token |
//! | `gate` | who is let in: the token, or what an issuer gave out ([`crate::oauth`]); what of a request is taken |
//! | `replica` | calls that another replica passes on |
//! | `clients` | what one client may have open; whose session is whose |
//!
//! Connections before they are authenticated are the subject of `bailiwick-connections`.
//!
//! All connections with the same token are one client; with OAuth each program of a subject is one, and what may be open is
//! counted for the subject.
//!
//! A call is taken back by a notification up to 2025-11-25, where a lost connection takes nothing back, and by closing the
//! stream of its answer from 2026-07-28 on, where a lost connection is the same. `azsdk_run_cancel` does so in both.

mod clients;
mod gate;
mod replica;
mod token;

use crate::caller::Caller;
use crate::oauth::{self, metadata};
use crate::replicas::{Guard, ReplicaOptions, Replicas};
use crate::server::{Server, Transport};
use axum::Router;
use axum::http::header;
use axum::routing::get;
pub use bailiwick_connections::ConnectionLimits;
use clients::Clients;
use gate::Gate;
use replica::{OpenCalls, Side, Takes};
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
pub use token::Token;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// The one path that is served.
pub const PATH: &str = "/mcp";

/// Who is let in.
pub enum Admission {
    /// Clients that send this token.
    Token(Token),
    /// Clients that send a token that an issuer issued for this server.
    OAuth(Box<oauth::Guard>),
}

/// What connections may cost.
#[derive(Debug, Clone)]
pub struct HttpLimits {
    /// What connections may cost before a client is known.
    pub connections: ConnectionLimits,
    /// Persons at once: subjects of the issuer.
    pub subjects: usize,
    /// Programs of one person at once.
    pub programs: usize,
    /// Requests of one person at once, answers that stream included.
    pub requests: usize,
    /// Sessions of one person: one more ends the one that was idle longest.
    pub sessions: usize,
    /// How long a session may be idle.
    pub session_idle: Duration,
    /// How long the body of a request may take.
    pub body_within: Duration,
}

/// Who may connect, and how much.
pub struct HttpOptions {
    /// Who is let in.
    pub admission: Admission,
    /// Subjects of the issuer who see and decide everybody's runs.
    pub operators: Vec<String>,
    /// Host names that requests may name besides those of this machine itself.
    pub hosts: Vec<String>,
    /// What connections may cost.
    pub limits: HttpLimits,
    /// What is needed to be one of several replicas; `None` for a server alone.
    pub replicas: Option<ReplicaOptions>,
}

/// Listens on this address.
///
/// # Errors
/// The address is taken, or not of this machine.
pub async fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address).await
}

/// Serves authenticated clients until `stop` ends. When this returns, no work is in progress.
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
    let address = listener.local_addr()?;
    let own = Own { hosts: options.hosts, port: address.port() };
    let who = Who { admission: options.admission, operators: options.operators };
    let replicas = match &options.replicas {
        Some(replicas) => {
            Some(server.join(replicas, address).await.map_err(|failure| io::Error::other(failure.text()))?)
        }
        None => None,
    };
    let stays = replicas.clone().map(|replicas| tokio::spawn(server.stay(replicas, ended.clone())));
    let router = router(server, who, own, (&options.limits, replicas), &ended);
    let serving = bailiwick_connections::serve(listener, router, options.limits.connections, ended.clone());
    tokio::pin!(serving, stop);
    tokio::select! {
        result = &mut serving => return result,
        () = &mut stop => {}
    }
    server.close().await;
    ended.cancel();
    if let Some(stays) = stays {
        let _ = stays.await;
    }
    serving.await
}

/// Who is let in, and which of them are operators.
struct Who {
    admission: Admission,
    operators: Vec<String>,
}

/// The names of this server.
struct Own {
    hosts: Vec<String>,
    port: u16,
}

impl Own {
    /// Hosts that a request may name.
    fn hosts(self) -> Vec<String> {
        ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into_iter().chain(self.hosts).collect()
    }

    /// Allowed `Origin` headers. The server has no pages of its own; some clients send the address they connect to.
    fn origins(&self) -> [String; 3] {
        ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("http://{host}:{}", self.port))
    }
}

fn router(
    server: &Server,
    who: Who,
    own: Own,
    (limits, replicas): (&HttpLimits, Option<Replicas>),
    ended: &CancellationToken,
) -> Router {
    let config = StreamableHttpServerConfig::default()
        // A page in a browser has no business here, wherever it is from: only what this server itself might have served.
        .with_allowed_origins(own.origins())
        .enforce_origin_validation()
        .with_allowed_hosts(own.hosts())
        .with_max_request_body_bytes(server.limits().message_bytes)
        .with_cancellation_token(ended.clone());
    let mut idle = SessionConfig::default();
    idle.keep_alive = Some(limits.session_idle);
    let mut sessions = LocalSessionManager::default();
    sessions.session_config = idle;
    let sessions = Arc::new(sessions);
    // Each request carries its caller as an extension; this connection itself has none.
    let (for_service, unknown) = (server.clone(), server.client("", Caller::unknown(), None));
    let service = StreamableHttpService::new(
        move || Ok(for_service.connection(Transport::Http, unknown.clone())),
        sessions.clone(),
        config,
    );
    // Clients ask for it before they have a token.
    let Who { admission, operators } = who;
    let mut open = Router::new();
    if let Admission::OAuth(guard) = &admission {
        let document = metadata::document(guard.resource()).to_string();
        let answer = get(move || std::future::ready(([(header::CONTENT_TYPE, "application/json")], document)));
        for path in [metadata::WELL_KNOWN.to_owned(), format!("{}{PATH}", metadata::WELL_KNOWN)] {
            open = open.route(&path, answer.clone());
        }
    }
    let clients = Arc::new(Clients::new(limits, server.clone(), sessions));
    if let Some(replicas) = replicas {
        let side = Side {
            server: server.clone(),
            guard: Guard::new(replicas.name(), replicas.keys(), replicas.limits().skew.as_secs()),
            replicas,
            clients: clients.clone(),
            takes: Takes::of(&admission),
            operators: operators.clone(),
            body_within: limits.body_within,
            open: OpenCalls::default(),
        };
        open = open.merge(side.routes());
    }
    let gate = Gate {
        admission,
        operators,
        clients,
        body_bytes: server.limits().message_bytes,
        body_within: limits.body_within,
    };
    let guarded = Router::new().route_service(PATH, service);
    open.merge(gate.before(guarded))
}
