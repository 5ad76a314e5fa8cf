//! The client's stream with an eye on its end and on the length of its lines.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// Says at once when the client is gone: the protocol's own loop would answer what is open first.
pub(super) struct Watched<R> {
    source: R,
    ended: CancellationToken,
    limit: usize,
    line: usize,
    notice: Arc<dyn Fn(&str) + Send + Sync>,
}

impl<R> Watched<R> {
    pub(super) fn new(
        source: R,
        limit: usize,
        ended: CancellationToken,
        notice: Arc<dyn Fn(&str) + Send + Sync>,
    ) -> Self {
        Self { source, ended, limit, line: 0, notice }
    }

    /// The transport drops a line that is too long; without an id there is nobody to answer.
    fn measure(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let before = self.line;
            self.line += piece.len();
            if before <= self.limit && self.line > self.limit {
                (self.notice)(&format!("a message longer than {} bytes was dropped", self.limit));
            }
            if piece.ends_with(b"\n") {
                self.line = 0;
            }
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (before, room) = (buffer.filled().len(), buffer.remaining());
        let polled = Pin::new(&mut self.source).poll_read(context, buffer);
        match &polled {
            Poll::Ready(Ok(())) if buffer.filled().len() == before && room > 0 => self.ended.cancel(),
            Poll::Ready(Ok(())) => self.measure(&buffer.filled()[before..]),
            Poll::Ready(Err(_)) => self.ended.cancel(),
            Poll::Pending => {}
        }
        polled
    }
}
