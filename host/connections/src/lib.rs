//! Serves HTTP on a listener with a bounded number of connections.
//!
//! A program that is not authenticated can open connections and send nothing, and a client can keep more of them than it uses.
//! When the limit is reached, an idle connection is closed: the oldest that is not authenticated first.

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// How long to wait when the system has no descriptor left.
const BREATHER: Duration = Duration::from_millis(100);

/// What connections may cost.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// How many at once, those of strangers included.
    pub most: usize,
    /// How long the head of a request may take, and how long a connection may be idle.
    pub head_within: Duration,
    /// Length of the head of a request, in bytes.
    pub head_bytes: usize,
    /// Lines of the head of a request.
    pub head_lines: usize,
    /// How long a client may leave unread what was sent to it.
    pub unread: Duration,
    /// How long connections may go on after the server was told to end.
    pub last_words: Duration,
}

/// One connection, as the requests on it see it: an extension of each.
#[derive(Clone)]
pub struct Mark(Arc<Inner>);

struct Inner {
    known: AtomicBool,
    /// Requests whose answer is not whole yet.
    asked: AtomicUsize,
    dropped: CancellationToken,
}

/// A request at work. Its connection stays.
pub struct Asked(Arc<Inner>);

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.asked.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Mark {
    fn new() -> Self {
        let (known, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
        Self(Arc::new(Inner { known, asked, dropped: CancellationToken::new() }))
    }

    /// An authenticated client asks something, until what is returned is dropped.
    #[must_use]
    pub fn asks(&self) -> Asked {
        self.0.known.store(true, Ordering::Relaxed);
        self.0.asked.fetch_add(1, Ordering::Relaxed);
        Asked(self.0.clone())
    }

    fn is_stranger(&self) -> bool {
        !self.0.known.load(Ordering::Relaxed)
    }

    fn is_idle(&self) -> bool {
        self.0.asked.load(Ordering::Relaxed) == 0
    }

    /// Only the list holds it.
    fn is_over(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }
}

/// Serves until `ended`, and then for a while those who are being answered.
///
/// # Errors
/// The listener fails.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    ended: CancellationToken,
) -> io::Result<()> {
    let mut connections = JoinSet::new();
    let mut marks: VecDeque<Mark> = VecDeque::new();
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) if is_of_the_connection(&error) => continue,
                Err(_) => {
                    tokio::time::sleep(BREATHER).await;
                    continue;
                }
            },
            Some(_) = connections.join_next() => continue,
            () = ended.cancelled() => break,
        };
        marks.retain(|mark| !mark.is_over());
        if marks.len() >= limits.most {
            // The stranger that waits longest gives way, then an authenticated client that asks nothing. It can connect
            // again; otherwise one client would keep all others out.
            let place = marks.iter().position(Mark::is_stranger).or_else(|| marks.iter().position(Mark::is_idle));
            match place.and_then(|place| marks.remove(place)) {
                Some(mark) => mark.0.dropped.cancel(),
                None => continue,
            }
        }
        if prepare(&stream, &limits).is_err() {
            continue;
        }
        let mark = Mark::new();
        marks.push_back(mark.clone());
        let router = router.clone().layer(Extension(mark.clone()));
        connections.spawn(connection(stream, router, mark, limits.clone(), ended.clone()));
    }
    drop(listener);
    let _ = tokio::time::timeout(limits.last_words, async { while connections.join_next().await.is_some() {} }).await;
    Ok(())
}

/// What went wrong with one connection says nothing of the next.
fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionRefused | ConnectionAborted | ConnectionReset)
}

fn prepare(stream: &TcpStream, limits: &ConnectionLimits) -> io::Result<()> {
    // Small answers wait 40 ms for an acknowledgement otherwise.
    stream.set_nodelay(true)?;
    // A client that reads nothing would keep what it is sent, and its place, for ever.
    #[cfg(target_os = "linux")]
    {
        let unread = u32::try_from(limits.unread.as_millis()).unwrap_or(u32::MAX);
        rustix::net::sockopt::set_tcp_user_timeout(stream, unread)?;
    }
    #[cfg(not(target_os = "linux"))]
    let _ = limits;
    Ok(())
}

async fn connection(stream: TcpStream, router: Router, mark: Mark, limits: ConnectionLimits, ended: CancellationToken) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_within)
        .max_headers(limits.head_lines)
        .max_buf_size(limits.head_bytes)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    tokio::pin!(connection);
    let mut ending = false;
    loop {
        tokio::select! {
            // A client that disconnects is not an error of the server.
            _ = connection.as_mut() => return,
            () = mark.0.dropped.cancelled() => return,
            () = ended.cancelled(), if !ending => {
                connection.as_mut().graceful_shutdown();
                ending = true;
            }
        }
    }
}
