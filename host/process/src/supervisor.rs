//! The caller's side: starts the helper, reads what the child prints, keeps the deadline.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::{ChildStderr, ChildStdout};
use tracing::Instrument as _;

use crate::command::Command;
use crate::error::ProcessError;
use crate::held::{Alive, Held};
use crate::helper::HELPER_ARGUMENT;
use crate::observe;
use crate::outcome::{Captured, Exit, Finished, Stream};
use crate::output::{Capture, Lines};
use crate::support::{Support, ask};
use crate::wire::{Exceeded, Failure, Missing, Report, Request, encode};

/// What a caller is told of the output while it appears: the stream, and a line without its end.
type OnLine<'a> = &'a mut (dyn FnMut(Stream, &str) + Send);

/// How long the keeper may take after the deadline; longer than its own limit, so that it can report.
pub(crate) const KEEPER_GRACE: Duration = Duration::from_secs(8);

/// How long output is still read after everything that could write is dead. More than a moment is
/// needed only if a process outside was handed the pipe.
pub(crate) const DRAIN: Duration = Duration::from_secs(1);

/// Size of one read.
const CHUNK: usize = 16 * 1024;

/// Starts children through a helper executable.
#[derive(Debug, Clone)]
pub struct Supervisor {
    helper: PathBuf,
    alive: Alive,
    withheld: Vec<Missing>,
}

impl Supervisor {
    /// A supervisor whose helper is `helper`: normally the current executable, whose `main` calls
    /// [`crate::confined_main`] when `argv[1]` is [`HELPER_ARGUMENT`].
    pub fn new(helper: PathBuf) -> Self {
        Self { helper, alive: Alive::none(), withheld: Vec::new() }
    }

    /// The same on a system that lacks `missing`. For tests of what is then weaker or refused.
    #[doc(hidden)]
    #[must_use]
    pub fn as_if_without(self, missing: &[Missing]) -> Self {
        Self { withheld: missing.to_vec(), ..self }
    }

    /// The same, whose children [`Self::settled`] of this one does not wait for. For children that stay, and that can write
    /// nowhere but in a directory of their own.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self { alive: Alive::none(), ..self.clone() }
    }

    /// What this platform can enforce, tried in a process of the helper's. Takes a few milliseconds and blocks.
    pub fn support(&self) -> Support {
        ask(&self.helper, &self.withheld)
    }

    /// Runs `command` to its end and calls `on_line` with every line as it appears; a line longer
    /// than 8 KiB is cut and ends in `…`.
    ///
    /// When this returns, everything the child started is dead. Dropping the future kills the child and
    /// everything it started as well, within milliseconds and without being waited for, which is what
    /// [`Self::settled`] is for; so does the end of the calling process, whatever ends it.
    ///
    /// # Errors
    /// See [`ProcessError`]. A child that ends with a non-zero code is not an error.
    ///
    /// # Panics
    /// Outside a tokio runtime with I/O and time enabled.
    pub async fn run(&self, command: &Command, on_line: OnLine<'_>) -> Result<Finished, ProcessError> {
        let span = observe::child(command);
        let outcome = self.run_to_end(command, on_line).instrument(span.clone()).await;
        observe::ended(&span, &outcome);
        outcome
    }

    async fn run_to_end(&self, command: &Command, on_line: OnLine<'_>) -> Result<Finished, ProcessError> {
        let started = Instant::now();
        observe::starts(command);
        let mut session = Session::start(self, command)?;
        let in_time = tokio::time::timeout(command.limits.deadline, session.converse(on_line)).await;
        if in_time.is_err() {
            session.stop(on_line).await;
        }
        let (report, stdout, stderr) = session.finish(on_line).await;
        if in_time.is_err() {
            return Err(ProcessError::Deadline {
                program: command.program.clone(),
                after: command.limits.deadline,
                stdout,
                stderr,
            });
        }
        match self.exit(command, &report, &stderr)? {
            Ok(exit) => Ok(Finished { exit, stdout, stderr, wall: started.elapsed() }),
            Err(exceeded) => Err(over(command, exceeded, stdout, stderr)),
        }
    }

    /// Waits until nothing is left of what this supervisor and its clones started: neither of what runs, nor of what
    /// is being killed because its future was dropped. Until then their directories must not be written to.
    pub async fn settled(&self) {
        self.alive.gone().await;
    }

    /// How the program ended, or the limit over which it was killed.
    fn exit(
        &self,
        command: &Command,
        report: &[u8],
        stderr: &Captured,
    ) -> Result<Result<Exit, Exceeded>, ProcessError> {
        let program = command.program.clone();
        let report: Report = serde_json::from_slice(report).map_err(|_| ProcessError::Helper {
            helper: self.helper.clone(),
            reason: format!("it ended without a report; {}", last_words(stderr)),
        })?;
        let failure = match report {
            Report::Code(code) => return Ok(Ok(Exit::Code(code))),
            Report::Signal(signal) => return Ok(Ok(Exit::Signal(signal))),
            Report::Exceeded(exceeded) => return Ok(Err(exceeded)),
            Report::Survivors(processes) => {
                return Err(ProcessError::Survivors { program, processes });
            }
            Report::Failed(failure) => failure,
        };
        Err(match failure {
            Failure::NotFound => ProcessError::NotFound { program },
            Failure::NotPermitted => ProcessError::NotPermitted { program },
            Failure::Directory { reason } => ProcessError::Directory { directory: command.directory.clone(), reason },
            Failure::Rule { path, reason } => ProcessError::Rule { path, reason },
            Failure::CannotConfine { missing } => ProcessError::CannotConfine { missing },
            Failure::Start { reason } => ProcessError::Start { program, reason },
            Failure::NamespaceUnusable => {
                ProcessError::CannotConfine { missing: "a user namespace was entered and cannot be used".to_owned() }
            }
        })
    }
}

fn over(command: &Command, exceeded: Exceeded, stdout: Captured, stderr: Captured) -> ProcessError {
    let (program, limits) = (command.program.clone(), &command.limits);
    match exceeded {
        Exceeded::Processes => ProcessError::Processes { program, limit: limits.processes, stdout, stderr },
        Exceeded::Memory => ProcessError::Memory { program, limit_bytes: limits.memory_bytes, stdout, stderr },
        Exceeded::FileSize => ProcessError::FileSize { program, limit_bytes: limits.file_bytes, stdout, stderr },
        Exceeded::Disk { path } => ProcessError::Disk {
            program,
            path: PathBuf::from(path).into(),
            limit_bytes: limits.disk_bytes,
            stdout,
            stderr,
        },
    }
}

fn last_words(stderr: &Captured) -> String {
    match stderr.text.lines().last() {
        Some(line) => format!("its last line was `{line}`"),
        None => "it printed no error".to_owned(),
    }
}

/// One running helper. Dropping it ends `held`, upon which the keeper kills everything.
struct Session {
    held: Held,
    request: Request,
    report: Vec<u8>,
    out: Reader<ChildStdout>,
    err: Reader<ChildStderr>,
}

impl Session {
    fn start(supervisor: &Supervisor, command: &Command) -> Result<Self, ProcessError> {
        let helper: &Path = &supervisor.helper;
        let failed = |reason: String| ProcessError::Helper { helper: helper.to_owned(), reason };
        let spawn = || {
            let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
            ours.set_nonblocking(true)?;
            let link = UnixStream::from_std(ours)?;
            let keeper = tokio::process::Command::new(helper)
                .arg(HELPER_ARGUMENT)
                .env_clear()
                .current_dir("/")
                .stdin(Stdio::from(OwnedFd::from(theirs)))
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()?;
            Ok((link, keeper))
        };
        let (link, mut keeper) = spawn().map_err(|error: std::io::Error| failed(error.to_string()))?;
        let (Some(out), Some(err)) = (keeper.stdout.take(), keeper.stderr.take()) else {
            return Err(failed("its output was not piped".to_owned()));
        };
        Ok(Self {
            held: Held::new(keeper, link, &supervisor.alive),
            request: Request::new(command, &supervisor.withheld),
            report: Vec::new(),
            out: Reader::new(out, Stream::Out, command.limits.output_bytes),
            err: Reader::new(err, Stream::Err, command.limits.output_bytes),
        })
    }

    /// Hands over the request, then follows the child to its end.
    async fn converse(&mut self, on_line: OnLine<'_>) {
        // A helper that is already gone shows in the missing report.
        if let (Ok(request), Some(link)) = (encode(&self.request), self.held.link()) {
            let _ = link.write_all(&request).await;
        }
        self.follow(on_line).await;
    }

    /// Reads output and report until the keeper closes its end. Everything read is kept in `self`,
    /// so that nothing is lost when this is cancelled.
    async fn follow(&mut self, on_line: OnLine<'_>) {
        let mut chunk = [0; 1024];
        let mut link_open = true;
        let drained = tokio::time::sleep(Duration::MAX);
        tokio::pin!(drained);
        let Some(link) = self.held.link() else { return };
        while link_open || self.out.open || self.err.open {
            tokio::select! {
                count = self.out.read(), if self.out.open => self.out.take(count, on_line),
                count = self.err.read(), if self.err.open => self.err.take(count, on_line),
                read = link.read(&mut chunk), if link_open => match read {
                    Ok(count @ 1..) => self.report.extend_from_slice(&chunk[..count]),
                    Ok(0) | Err(_) => {
                        link_open = false;
                        drained.as_mut().reset(tokio::time::Instant::now() + DRAIN);
                    }
                },
                () = &mut drained => break,
            }
        }
    }

    /// Tells the keeper to kill everything and waits until it did.
    async fn stop(&mut self, on_line: OnLine<'_>) {
        if let Some(link) = self.held.link() {
            let _ = link.shutdown().await;
        }
        if tokio::time::timeout(KEEPER_GRACE, self.follow(on_line)).await.is_err() {
            // A keeper that does not answer takes at least the program with it.
            self.held.kill();
        }
    }

    /// Collects the keeper and gives its report and the two outputs.
    async fn finish(mut self, on_line: OnLine<'_>) -> (Vec<u8>, Captured, Captured) {
        // It ends right after its report; if not, the runtime collects it later.
        self.held.collect().await;
        (self.report, self.out.finish(on_line), self.err.finish(on_line))
    }
}

/// One output stream of the child.
struct Reader<R> {
    source: R,
    stream: Stream,
    open: bool,
    chunk: Vec<u8>,
    capture: Capture,
    lines: Lines,
}

impl<R: AsyncRead + Unpin> Reader<R> {
    fn new(source: R, stream: Stream, limit: usize) -> Self {
        Self {
            source,
            stream,
            open: true,
            chunk: vec![0; CHUNK],
            capture: Capture::new(limit),
            lines: Lines::default(),
        }
    }

    /// Reads once into the chunk: the number of bytes, 0 at the end. Nothing is lost when it is
    /// cancelled before it is ready.
    async fn read(&mut self) -> usize {
        self.source.read(&mut self.chunk).await.unwrap_or(0)
    }

    /// Takes what [`Self::read`] has left in the chunk.
    fn take(&mut self, count: usize, on_line: OnLine<'_>) {
        let (bytes, stream) = (&self.chunk[..count], self.stream);
        self.open = count > 0;
        self.capture.push(bytes);
        self.lines.push(bytes, &mut |line| on_line(stream, line));
    }

    fn finish(mut self, on_line: OnLine<'_>) -> Captured {
        let stream = self.stream;
        self.lines.finish(&mut |line| on_line(stream, line));
        self.capture.finish()
    }
}
