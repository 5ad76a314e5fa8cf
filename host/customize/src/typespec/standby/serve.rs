//! The side of the process that stays.

use std::ffi::OsStr;
use std::io::{ErrorKind, Result};
use std::os::fd::AsFd as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bailiwick_process::{Supervisor, become_apart};
use bailiwick_sdk::tasks::SpecIndex;
use bailiwick_toolchains::{Children, Compiler, Isolation};
use tokio::net::UnixStream;
use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};

use super::desk::{Answered, Desk};
use super::place::Place;
use super::wire::{MOST_ASKED, receive, say_alive, within};
use super::{PROMPT, Program, STANDBY_ARGUMENT, Subject};
use crate::typespec::probe::{DEADLINE, ProbeRequest};
use crate::typespec::resident::{IDLE, Residents};

/// How often it looks whether what it is for is still there.
const LOOK: Duration = Duration::from_secs(1);

/// How long those who wait are answered once no others are taken: none of them waits longer.
const LAST_ANSWERS: Duration = DEADLINE.saturating_add(PROMPT);

/// How long a thread that works stays: the compiler ends with the thread that started it.
const THREAD: Duration = Duration::from_secs(24 * 60 * 60);

/// Says that the process is apart from its starter.
const APART: &str = "--apart";

/// Entry point of a standby. Call it first thing in `main`, before any thread exists, when `argv[1]` is
/// [`STANDBY_ARGUMENT`], and return what it returns.
#[must_use]
pub fn stand_by() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(2).collect();
    let done = match &arguments[..] {
        [directory] => Err(become_apart(
            &[STANDBY_ARGUMENT, APART].map(OsStr::new).into_iter().chain([directory.as_os_str()]).collect::<Vec<_>>(),
        )),
        [apart, _] if apart == APART => run(),
        _ => Err(ErrorKind::InvalidInput.into()),
    };
    // What it says is read by no one.
    if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().thread_keep_alive(THREAD).build()?;
    let done = runtime.block_on(serve());
    // Work that does not end is not waited for.
    runtime.shutdown_background();
    done
}

async fn serve() -> Result<()> {
    // A path that the system tells later would follow a file that was moved away.
    let program = std::env::current_exe()?;
    let mut ended = signal(SignalKind::terminate())?;
    let starter = std::os::unix::net::UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    starter.set_nonblocking(true)?;
    let mut starter = UnixStream::from_std(starter)?;
    within(PROMPT, say_alive(&mut starter)).await?;
    let subject: Subject = receive(&mut starter, MOST_ASKED, PROMPT).await?;
    let key = subject.key(&Program::running()?)?;
    let socket = Place::of_user().ok_or(ErrorKind::NotFound)?.listen(&key)?;
    let bench = Arc::new(Bench {
        subject,
        children: Children::new(Supervisor::new("/proc/self/exe".into()), Isolation::Enforced),
        residents: Residents::one(),
    });
    let (for_questions, runtime) = (bench.clone(), Handle::current());
    let mut desk = Desk::new(key, move |client| runtime.block_on(for_questions.index(client)));
    let mut asked = Instant::now();
    desk.take(starter);
    while asked.elapsed() < IDLE
        && socket.is_there()
        && Program::is_at(&program)
        && bench.subject.project.directory.is_dir()
    {
        tokio::select! {
            accepted = socket.accept() => desk.take(accepted?),
            Some(answered) = desk.next() => {
                if answered == Answered::Index {
                    asked = Instant::now();
                }
            }
            () = tokio::time::sleep(LOOK) => {}
            _ = ended.recv() => break,
        }
    }
    drop(socket);
    tokio::select! {
        () = desk.close(LAST_ANSWERS) => {}
        // Once more, where that is why.
        _ = ended.recv() => {}
    }
    bench.residents.end().await;
    Ok(())
}

/// What answers.
struct Bench {
    subject: Subject,
    children: Children,
    residents: Residents,
}

impl Bench {
    async fn index(&self, client: Option<&str>) -> Option<SpecIndex> {
        let Subject { project, options, language, node, emitter } = &self.subject;
        let request = ProbeRequest {
            project,
            emitter: options,
            language: *language,
            client,
            // A compiler that stays has a directory of its own.
            work: &project.directory,
        };
        self.residents.stayed(&request, Compiler { node, emitter }, &self.children).await
    }
}
