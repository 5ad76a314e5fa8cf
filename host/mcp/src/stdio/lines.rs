//! Messages as lines: of bounded length, each answered or told of.
//!
//! rmcp's own transport drops what it cannot read, and a client then waits for an answer that never comes.

use super::channel::Reader;
use super::drain::Drain;
use super::message;
use super::output::Output;
use crate::malformed::{self, Scan};
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Told what a client cannot be told.
pub(super) type Notice = Arc<dyn Fn(&str) + Send + Sync>;

/// Most malformed lines that are reported: a client that sends noise would otherwise fill a person's terminal.
const NOTICES: usize = 16;
/// Room for usual messages.
const BUFFER: usize = 64 * 1024;

/// What one client may leave lying.
#[derive(Debug, Clone)]
pub struct StdioLimits {
    /// Messages that wait to be read by the client. Above it nothing of the client is read either.
    pub unread: usize,
    /// How long that may last before the client counts as gone.
    pub unread_for: Duration,
}

/// A client over a stream each way.
pub(super) struct Lines {
    input: BufReader<Reader>,
    output: Output,
    limit: usize,
    limits: StdioLimits,
    /// Places for messages that wait to be read by the client.
    room: Arc<Semaphore>,
    /// A refusal on its way. It is not written in place, because the future that waits for a message may be dropped halfway.
    refusal: Option<JoinHandle<()>>,
    /// The line that arrives. Kept here because waiting for more of it may be given up in favour of sending.
    line: Vec<u8>,
    /// Set while a line passes by that is too long.
    too_long: Option<Box<Scan>>,
    last: Drain,
    ended: Ended,
    notice: Notice,
    notices: usize,
}

/// How a client ends.
#[derive(Clone, Default)]
pub(super) struct Ended {
    /// Cancelled at once when it asks nothing any more.
    pub(super) asking: CancellationToken,
    /// Cancelled when the client no longer reads: no answer can reach it.
    pub(super) reading: CancellationToken,
}

impl Ended {
    fn is_gone(&self) {
        self.reading.cancel();
        self.asking.cancel();
    }
}

/// What came of reading.
enum Read {
    /// A line is complete.
    Line,
    /// A line that was too long has passed.
    TooLong(Box<Scan>),
    /// The client is gone.
    End,
}

impl Lines {
    /// `limit` is in bytes.
    pub(super) fn new(
        (input, output): (Reader, Output),
        limit: usize,
        limits: StdioLimits,
        ended: Ended,
        notice: Notice,
    ) -> Self {
        Self {
            input: BufReader::with_capacity(BUFFER, input),
            output,
            limit,
            room: Arc::new(Semaphore::new(limits.unread)),
            limits,
            refusal: None,
            line: Vec::new(),
            too_long: None,
            last: Drain::default(),
            ended,
            notice,
            notices: 0,
        }
    }

    async fn read(&mut self) -> Read {
        loop {
            // Nothing is lost if this is given up: what was not taken is still there.
            let Ok(available) = self.input.fill_buf().await else { return Read::End };
            if available.is_empty() {
                // The last line may come without its end.
                return if self.line.is_empty() { Read::End } else { Read::Line };
            }
            let newline = available.iter().position(|byte| *byte == b'\n');
            let piece = &available[..newline.unwrap_or(available.len())];
            let taken = newline.map_or(available.len(), |place| place + 1);
            match &mut self.too_long {
                Some(scan) => scan.feed(piece),
                None if self.line.len() + piece.len() > self.limit => {
                    let mut scan = Box::new(Scan::default());
                    scan.feed(&self.line);
                    scan.feed(piece);
                    self.line = Vec::new();
                    self.too_long = Some(scan);
                }
                None => self.line.extend_from_slice(piece),
            }
            self.input.consume(taken);
            if newline.is_some() {
                return match self.too_long.take() {
                    Some(scan) => Read::TooLong(scan),
                    None => Read::Line,
                };
            }
        }
    }

    /// The message of the line that is complete.
    fn message(&mut self) -> Option<ClientJsonRpcMessage> {
        let mut line = std::mem::take(&mut self.line);
        let text = line.strip_suffix(b"\r").unwrap_or(&line);
        // Editors write a byte order mark, and JSON's readers may skip it.
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        let message = if text.is_empty() { None } else { self.parsed(text) };
        // The room is used again, but not kept for ever for one large message.
        line.clear();
        line.shrink_to(BUFFER);
        self.line = line;
        message
    }

    fn parsed(&mut self, text: &[u8]) -> Option<ClientJsonRpcMessage> {
        match message::read(text) {
            Ok(message) => Some(message),
            Err(_) => {
                let malformed = malformed::diagnose(text)?;
                self.refuse(&malformed);
                None
            }
        }
    }

    /// Answers what can be answered, and tells of the rest.
    fn refuse(&mut self, malformed: &malformed::Malformed) {
        // Text that is not JSON is mostly debug output of a program, and an answer to it could come back as the next line.
        let noise = malformed.error.code == rmcp::model::ErrorCode::PARSE_ERROR;
        if noise || malformed.is_unanswerable {
            self.notices += 1;
            if self.notices <= NOTICES {
                (self.notice)(&format!("a message was dropped: {}", malformed.error.message));
            }
            return;
        }
        let written = self.output.send(&malformed.answer());
        self.refusal = Some(tokio::spawn(async move {
            let _ = written.await;
        }));
    }

    /// Waits until the client has read enough of what it was sent; `None` when it does not.
    async fn room(&mut self) -> Option<()> {
        if self.refusal.is_none() && self.room.available_permits() > 0 {
            return Some(());
        }
        let (refusal, room) = (&mut self.refusal, &self.room);
        let enough = async {
            if let Some(written) = refusal {
                let _ = written.await;
                *refusal = None;
            }
            room.acquire().await.is_ok()
        };
        if tokio::time::timeout(self.limits.unread_for, enough).await == Ok(true) {
            return Some(());
        }
        (self.notice)(&format!(
            "the client left {} messages unread for {} s and is taken to be gone",
            self.limits.unread,
            self.limits.unread_for.as_secs()
        ));
        self.ended.is_gone();
        None
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let ended = self.ended.clone();
        // The last permit is returned by the last writer; until then no more input is read.
        let place: Option<OwnedSemaphorePermit> = self.room.clone().try_acquire_owned().ok();
        self.last.answered(&message);
        // Here and not in the future, which is waited for by a task of its own that would have to be begun first.
        let written = self.output.send(&message);
        async move {
            let _place = place;
            let written = written.await;
            if written.is_err() {
                // The client no longer reads, so work in progress is cancelled.
                ended.is_gone();
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            self.room().await?;
            match self.read().await {
                Read::Line => {
                    if let Some(message) = self.message() {
                        self.last.asked(&message);
                        return Some(message);
                    }
                }
                Read::TooLong(scan) => {
                    let said = format!("a message may have {} bytes", self.limit);
                    let mut malformed = scan.refused(ErrorData::invalid_request(said, None));
                    malformed.is_unanswerable |= malformed.id.is_none();
                    self.refuse(&malformed);
                }
                Read::End => {
                    self.ended.asking.cancel();
                    let unanswered = self.last.said(&self.output, &self.ended.reading).await;
                    if unanswered > 0 {
                        (self.notice)(&format!("the client reads no more; {unanswered} answers did not reach it"));
                    }
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.close().await;
        Ok(())
    }
}
