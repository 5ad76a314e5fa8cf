//! The way out: messages as lines, none of them in pieces.
//!
//! Nearly always the client has room for a line, which then is with it before this process does anything else. What does
//! not fit waits for its turn, in the order in which the futures are first polled: on the one thread of a server over
//! stdio that is the order of sending.

use super::channel::Writer;
use serde::Serialize;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use tokio::io::AsyncWrite;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// Where messages are written. Cheap to clone.
#[derive(Clone)]
pub(super) struct Output(Arc<Shared>);

struct Shared {
    /// `None` once it was closed.
    writer: Arc<Mutex<Option<Writer>>>,
    /// Messages that are not with the client yet. Nothing is written at once while there are any: it would come before them.
    behind: AtomicUsize,
    /// Bytes that the client, or the system for it, has taken.
    taken: AtomicU64,
}

/// A message that is behind, until it is dropped.
struct Behind(Arc<Shared>);

impl Drop for Behind {
    fn drop(&mut self) {
        self.0.behind.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A message on its way.
struct Line {
    bytes: Vec<u8>,
    written: usize,
    /// Nobody else writes while it is held; given back before the line is no longer behind.
    turn: Option<OwnedMutexGuard<Option<Writer>>>,
    behind: Behind,
}

impl Output {
    pub(super) fn new(writer: Writer) -> Self {
        Self(Arc::new(Shared {
            writer: Arc::new(Mutex::new(Some(writer))),
            behind: AtomicUsize::new(0),
            taken: AtomicU64::new(0),
        }))
    }

    /// Writes a message: what can be written at once before this returns, the rest when the future is waited for.
    ///
    /// # Errors
    /// The client reads no more.
    pub(super) fn send<M: Serialize>(&self, message: &M) -> impl Future<Output = io::Result<()>> + Send + use<M> {
        let begun = self.begun(message);
        async move {
            let Some(mut line) = begun? else { return Ok(()) };
            if line.turn.is_none() {
                line.turn = Some(line.behind.0.writer.clone().lock_owned().await);
            }
            poll_fn(|context| line.poll(context)).await
        }
    }

    /// `None` when all is written.
    fn begun(&self, message: &impl Serialize) -> io::Result<Option<Line>> {
        let mut bytes = serde_json::to_vec(message)?;
        bytes.push(b'\n');
        let is_next = self.0.behind.fetch_add(1, Ordering::SeqCst) == 0;
        let behind = Behind(self.0.clone());
        let turn = if is_next { self.0.writer.clone().try_lock_owned().ok() } else { None };
        let mut line = Line { bytes, written: 0, turn, behind };
        // A caller that waits for the rest asks again.
        let all = line.turn.is_some() && line.poll(&mut Context::from_waker(Waker::noop()))?.is_ready();
        Ok(if all { None } else { Some(line) })
    }

    /// Whether messages wait for the client to take them.
    pub(super) fn is_behind(&self) -> bool {
        self.0.behind.load(Ordering::SeqCst) > 0
    }

    /// How many bytes were taken so far.
    pub(super) fn taken(&self) -> u64 {
        self.0.taken.load(Ordering::SeqCst)
    }

    /// Writes nothing more.
    pub(super) async fn close(&self) {
        self.0.writer.lock().await.take();
    }
}

impl Line {
    /// Ready when all of it is written. It has to be its turn.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(writer) = self.turn.as_deref_mut().and_then(Option::as_mut) else {
            return Poll::Ready(Err(io::ErrorKind::NotConnected.into()));
        };
        while self.written < self.bytes.len() {
            match Pin::new(&mut *writer).poll_write(context, &self.bytes[self.written..]) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(count)) => {
                    self.written += count;
                    self.behind.0.taken.fetch_add(count as u64, Ordering::SeqCst);
                }
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => return Poll::Pending,
            }
        }
        Pin::new(writer).poll_flush(context)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        // Half of it is with the client: whatever came behind it would be taken for the rest.
        if (1..self.bytes.len()).contains(&self.written)
            && let Some(turn) = &mut self.turn
        {
            **turn = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, DuplexStream, duplex};

    fn output(room: usize) -> (Output, DuplexStream) {
        let (ours, theirs) = duplex(room);
        (Output::new(Box::new(ours)), theirs)
    }

    #[tokio::test]
    async fn what_the_client_has_room_for_is_written_before_a_task_waits() {
        let (output, mut client) = output(64);
        let sent = output.send(&"first");
        drop(output.send(&"second"));
        let mut read = [0; 17];
        client.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"\"first\"\n\"second\"\n");
        sent.await.unwrap();
    }

    #[tokio::test]
    async fn lines_that_do_not_fit_are_whole_and_in_order() {
        let (output, mut client) = output(7);
        let texts: Vec<String> = (0..40).map(|number| format!("{number}").repeat(1 + number % 23)).collect();
        // Each begins while others are behind, and the client takes a little in between.
        let mut writing = Vec::new();
        let mut read = Vec::new();
        for text in &texts {
            writing.push(tokio::spawn(output.send(text)));
            let mut some = [0; 3];
            let count = client.read(&mut some).await.unwrap();
            read.extend_from_slice(&some[..count]);
        }
        let all: String = texts.iter().map(|text| format!("\"{text}\"\n")).collect();
        while read.len() < all.len() {
            let mut some = [0; 64];
            let count = client.read(&mut some).await.unwrap();
            read.extend_from_slice(&some[..count]);
        }
        assert_eq!(String::from_utf8(read).unwrap(), all);
        for writing in writing {
            writing.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn after_a_message_whose_caller_left_others_are_written() {
        let (output, mut client) = output(4);
        let late = output.send(&"long");
        let given_up = output.send(&"given up");
        drop(given_up);
        let reading = tokio::spawn(async move {
            let mut read = [0; 14];
            client.read_exact(&mut read).await.map(|_| read)
        });
        late.await.unwrap();
        output.send(&"after").await.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(&reading.await.unwrap().unwrap()[..], b"\"long\"\n\"after\"");
    }

    #[tokio::test]
    async fn nothing_follows_a_line_that_was_given_up_in_the_middle() {
        let (output, mut client) = output(4);
        drop(output.send(&"given up"));
        assert!(output.send(&"after").await.is_err());
        let mut read = Vec::new();
        client.read_to_end(&mut read).await.unwrap();
        assert_eq!(read, b"\"giv");
    }

    #[tokio::test]
    async fn nothing_is_written_after_the_end() {
        let (output, client) = output(64);
        output.close().await;
        assert_eq!(output.send(&"x").await.unwrap_err().kind(), io::ErrorKind::NotConnected);
        drop(client);
    }
}
