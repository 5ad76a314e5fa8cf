//! Connections before they are authenticated: a stranger can open as many as the system allows and send nothing.

use super::HttpLimits;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// How long to wait when the system has no descriptor left.
const BREATHER: Duration = Duration::from_millis(100);

/// One connection, as its requests see it.
#[derive(Clone)]
pub(super) struct Mark(Arc<Inner>);

struct Inner {
    known: AtomicBool,
    dropped: CancellationToken,
}

impl Mark {
    fn new() -> Self {
        Self(Arc::new(Inner { known: AtomicBool::new(false), dropped: CancellationToken::new() }))
    }

    /// An authenticated client uses it.
    pub(super) fn known(&self) {
        self.0.known.store(true, Ordering::Relaxed);
    }

    fn is_stranger(&self) -> bool {
        !self.0.known.load(Ordering::Relaxed)
    }

    /// Only the list holds it.
    fn is_over(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }
}

/// Serves until `ended`, and then for a while those who are being answered.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: HttpLimits,
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
        if marks.len() >= limits.connections {
            // The connection that has been silent longest is closed; authenticated clients are not.
            match marks.iter().position(Mark::is_stranger).and_then(|place| marks.remove(place)) {
                Some(stranger) => stranger.0.dropped.cancel(),
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

fn prepare(stream: &TcpStream, limits: &HttpLimits) -> io::Result<()> {
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

async fn connection(stream: TcpStream, router: Router, mark: Mark, limits: HttpLimits, ended: CancellationToken) {
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
