//! A child that stays: it gets requests through a pipe and says when each of them is answered.
//!
//! A request is a line `{"number": n, "request": …}`, the answer a line `answered n` of its standard output; what it found
//! out stands in a file of its scratch directory. It is a child like any other: the same supervisor, confinement and limits.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;

use bailiwick_process::{Command, Stream, Supervisor};
use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// Words of the child that wait to be read. There is one for each request; a child that says more is not heard.
const WAITING: usize = 16;

/// A child that stays until this is dropped.
#[derive(Debug)]
pub struct Staying {
    requests: File,
    answered: mpsc::Receiver<u64>,
    asked: u64,
    /// Ends the child when it is dropped.
    held: oneshot::Sender<()>,
    gone: JoinHandle<()>,
}

/// Why a request was not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The child is gone.
    #[error("the program ended")]
    Ended,
    /// It does not take requests.
    #[error("the program takes no requests")]
    Deaf,
    /// It said nothing in time.
    #[error("the program did not answer in time")]
    Late,
}

impl Staying {
    pub(super) fn start(
        supervisor: Supervisor,
        command: Command,
        pipe: &Path,
        directory: TempDir,
    ) -> std::io::Result<Self> {
        mknodat(CWD, pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
        // Open for reading as well, so that it neither waits for the child nor ends with it.
        let nonblocking = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
        let requests = OpenOptions::new().read(true).write(true).custom_flags(nonblocking).open(pipe)?;
        let (say, answered) = mpsc::channel(WAITING);
        let (held, released) = oneshot::channel::<()>();
        let gone = tokio::spawn(async move {
            let mut on_line = move |stream: Stream, line: &str| {
                if stream == Stream::Out
                    && let Some(number) = number_of(line)
                {
                    let _ = say.try_send(number);
                }
            };
            tokio::select! {
                // How it ended does not matter: it has no answers any more.
                _ = supervisor.run(&command, &mut on_line) => {}
                _ = released => {}
            }
            drop(on_line);
            supervisor.settled().await;
            drop(directory);
        });
        Ok(Self { requests, answered, asked: 0, held, gone })
    }

    /// Asks, and waits until it is answered. A child that did not answer is ended, because what it does is unknown; so is
    /// one whose answer is not awaited any more.
    ///
    /// # Errors
    /// See [`Unanswered`].
    pub async fn ask(mut self, request: &Value, within: Duration) -> Result<Self, Unanswered> {
        self.asked += 1;
        let line = format!("{}\n", json!({ "number": self.asked, "request": request }));
        // A child that reads has an empty pipe when it is asked.
        if !matches!(self.requests.write(line.as_bytes()), Ok(written) if written == line.len()) {
            return Err(Unanswered::Deaf);
        }
        let asked = self.asked;
        let answered = async {
            loop {
                match self.answered.recv().await {
                    Some(number) if number == asked => return Ok(()),
                    Some(_) => {}
                    None => return Err(Unanswered::Ended),
                }
            }
        };
        tokio::time::timeout(within, answered).await.unwrap_or(Err(Unanswered::Late))?;
        Ok(self)
    }

    /// Ends the child and waits until nothing is left of it.
    pub async fn end(self) {
        drop(self.held);
        // The task ends when the child is gone, and does not panic.
        let _ = self.gone.await;
    }
}

/// The number in `answered n`.
fn number_of(line: &str) -> Option<u64> {
    line.strip_prefix("answered ")?.parse().ok()
}
