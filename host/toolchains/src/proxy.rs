//! What an installer reaches of the network: the hosts of the configured registries, through this proxy and nothing else.
//!
//! An installer runs in a network of its own where nothing is but a listener of this process. What it asks for is an
//! HTTP `CONNECT`, or a plain request with a whole address where a registry has no TLS. Names are resolved here. TLS stays
//! between the installer and the registry, so nothing here sees a token or a package.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::future::pending;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::{Either, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1 as client;
use hyper::server::conn::http1 as server;
use hyper::service::{Service as _, service_fn};
use hyper::{Method, Request, Response, StatusCode, Uri, header};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::registries::Host;

/// Connections at once. npm opens some 20 by itself.
const CONNECTIONS: usize = 128;
/// Time for the head of a request.
const HEAD: Duration = Duration::from_secs(30);
/// Bytes of a head.
const HEAD_BYTES: usize = 32 * 1024;
/// Time until a registry, or the proxy before it, takes a connection.
const PATIENCE: Duration = Duration::from_secs(30);
/// Refused addresses that are told.
const TOLD: usize = 8;

type Body = Either<Incoming, Full<Bytes>>;

/// What is let through, for one step of an installation.
#[derive(Debug)]
pub(super) struct Proxy {
    allowed: BTreeSet<Host>,
    /// The caller's own proxy.
    upstream: Option<Matcher>,
    refused: Mutex<BTreeSet<String>>,
    places: Arc<Semaphore>,
}

impl Proxy {
    pub(super) fn new(allowed: BTreeSet<Host>, upstream: Option<Matcher>) -> Self {
        Self { allowed, upstream, refused: Mutex::default(), places: Arc::new(Semaphore::new(CONNECTIONS)) }
    }

    /// What was asked for and is none of the registries', as `host:port`; not all of it if it is much.
    pub(super) fn refused(&self) -> Vec<String> {
        self.refused.lock().map(|refused| refused.iter().cloned().collect()).unwrap_or_default()
    }

    /// Serves what arrives at `listener`. Never returns; everything ends when it is dropped.
    pub(super) async fn serve(self: &Arc<Self>, listener: TcpListener) {
        let mut connections = JoinSet::new();
        loop {
            // One more waits in the kernel's queue until another one ends.
            let Ok(place) = self.places.clone().acquire_owned().await else { return pending().await };
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let proxy = self.clone();
            connections.spawn(async move {
                proxy.connection(stream).await;
                drop(place);
            });
            while connections.try_join_next().is_some() {}
        }
    }

    async fn connection(self: Arc<Self>, stream: TcpStream) {
        // A tunnel is a part of its connection, so that it counts as one and ends with it.
        let (sender, mut tunnels) = tokio::sync::mpsc::channel::<(hyper::upgrade::OnUpgrade, TcpStream)>(1);
        let service = service_fn(|request| {
            let (proxy, sender) = (self.clone(), sender.clone());
            async move { Ok::<_, Infallible>(proxy.answer(request, &sender).await) }
        });
        let mut http = server::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_BYTES);
        // Faults of the client end its connection and nothing else.
        let _ = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
        if let Ok((upgrade, mut registry)) = tunnels.try_recv()
            && let Ok(upgraded) = upgrade.await
        {
            let _ = tokio::io::copy_bidirectional(&mut TokioIo::new(upgraded), &mut registry).await;
        }
    }

    async fn answer(
        &self,
        mut request: Request<Incoming>,
        tunnels: &tokio::sync::mpsc::Sender<(hyper::upgrade::OnUpgrade, TcpStream)>,
    ) -> Response<Body> {
        let connects = request.method() == Method::CONNECT;
        let Some(host) = Host::of(request.uri(), connects) else {
            return said(StatusCode::BAD_REQUEST, "ask with `CONNECT host:port`, or with a whole http address\n");
        };
        if !self.allowed.contains(&host) {
            self.refuse(&host);
            return said(StatusCode::FORBIDDEN, "it is no host of a configured registry\n");
        }
        let Ok(Ok(registry)) = tokio::time::timeout(PATIENCE, self.connect(&host, request.uri())).await else {
            return said(StatusCode::BAD_GATEWAY, "the registry cannot be reached\n");
        };
        if !connects {
            return forward(request, registry).await;
        }
        match tunnels.try_send((hyper::upgrade::on(&mut request), registry)) {
            Ok(()) => said(StatusCode::OK, ""),
            Err(_) => said(StatusCode::BAD_REQUEST, "one tunnel a connection\n"),
        }
    }

    fn refuse(&self, host: &Host) {
        if let Ok(mut refused) = self.refused.lock()
            && refused.len() < TOLD
        {
            refused.insert(host.to_string());
        }
    }

    /// Judges the addresses that it connects to, so that no later answer of a name server counts.
    async fn connect(&self, host: &Host, asked: &Uri) -> std::io::Result<TcpStream> {
        // A tunnel carries TLS; what has no scheme here is asked for as what it will be.
        let scheme = if asked.scheme_str() == Some("http") { "http" } else { "https" };
        let whole: Uri = format!("{scheme}://{host}/").parse().map_err(std::io::Error::other)?;
        let Some(before) = self.upstream.as_ref().and_then(|upstream| upstream.intercept(&whole)) else {
            let found = tokio::net::lookup_host((host.name.trim_matches(['[', ']']), host.port)).await?;
            let addresses: Vec<SocketAddr> = found.filter(|address| host.may_be_at(address.ip())).collect();
            return TcpStream::connect(addresses.as_slice()).await;
        };
        let mut tunnel = Tunnel::new(before.uri().clone(), HttpConnector::new());
        if let Some(credentials) = before.basic_auth() {
            tunnel = tunnel.with_auth(credentials.clone());
        }
        let tunnel = TowerToHyperService::new(tunnel).call(whole).await;
        Ok(tunnel.map_err(std::io::Error::other)?.into_inner())
    }
}

/// A request without TLS, sent on as it is but for what belongs to the connection to a proxy.
async fn forward(mut request: Request<Incoming>, registry: TcpStream) -> Response<Body> {
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let Ok(path) = path.parse::<Uri>() else { return said(StatusCode::BAD_REQUEST, "the path is none\n") };
    let host = request.uri().authority().and_then(|host| host.as_str().parse().ok());
    *request.uri_mut() = path;
    for name in [header::PROXY_AUTHORIZATION, header::CONNECTION, header::UPGRADE, header::TE, header::TRAILER] {
        request.headers_mut().remove(name);
    }
    // Where the body ends is said anew, in one way, by what was read.
    for name in [header::CONTENT_LENGTH, header::TRANSFER_ENCODING] {
        request.headers_mut().remove(name);
    }
    request.headers_mut().remove("proxy-connection");
    // The host that was judged is the one that is asked.
    if let Some(host) = host {
        request.headers_mut().insert(header::HOST, host);
    }
    let Ok((mut sender, connection)) = client::handshake(TokioIo::new(registry)).await else {
        return said(StatusCode::BAD_GATEWAY, "the registry does not speak HTTP\n");
    };
    // It ends when the answer was read, or with the installer's own connection.
    tokio::spawn(connection);
    match sender.send_request(request).await {
        Ok(response) => response.map(Either::Left),
        Err(_) => said(StatusCode::BAD_GATEWAY, "the registry gave no answer\n"),
    }
}

fn said(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Either::Right(Full::new(Bytes::from_static(text.as_bytes()))));
    *response.status_mut() = status;
    response
}

#[cfg(test)]
mod attacks;
#[cfg(test)]
mod tests;
