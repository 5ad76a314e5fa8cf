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
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::place::{Place, of_this_user};
use super::wire::{MOST_ANSWERED, MOST_ASKED, receive, say_alive, send, within};
use super::{PROMPT, Program, Question, STANDBY_ARGUMENT, Subject};
use crate::typespec::probe::ProbeRequest;
use crate::typespec::resident::{IDLE, Residents};

/// How often it looks whether what it is for is still there.
const LOOK: Duration = Duration::from_secs(1);

/// The most who are answered at once. Further ones are taken when one of these has its answer.
const MOST_ASKING: usize = 8;

/// How often one who waits hears that the answer is worked on.
const STILL: Duration = Duration::from_secs(1);

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
        // One that works, and one that says so meanwhile.
        [apart, _] if apart == APART => tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .and_then(|runtime| runtime.block_on(serve())),
        _ => Err(ErrorKind::InvalidInput.into()),
    };
    // What it says is read by no one.
    if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn serve() -> Result<()> {
    // A path that the system tells later would follow a file that was moved away.
    let program = std::env::current_exe()?;
    let mut ended = signal(SignalKind::terminate())?;
    let starter = std::os::unix::net::UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    starter.set_nonblocking(true)?;
    let mut starter = UnixStream::from_std(starter)?;
    let subject: Subject = receive(&mut starter, MOST_ASKED, PROMPT).await?;
    let key = subject.key(&Program::running()?)?;
    let socket = Place::of_user().ok_or(ErrorKind::NotFound)?.listen(&key)?;
    let bench = Arc::new(Bench {
        key,
        subject,
        children: Children::new(Supervisor::new("/proc/self/exe".into()), Isolation::Enforced),
        residents: Residents::one(),
        turn: Mutex::default(),
    });
    let (mut asked, mut asking) = (Instant::now(), JoinSet::new());
    asking.spawn(bench.clone().answer(starter));
    while asked.elapsed() < IDLE
        && socket.is_there()
        && Program::is_at(&program)
        && bench.subject.project.directory.is_dir()
    {
        tokio::select! {
            accepted = socket.accept(), if asking.len() < MOST_ASKING => {
                asking.spawn(bench.clone().answer(accepted?));
            }
            Some(answered) = asking.join_next() => {
                if matches!(answered, Ok(Ok(Answered::Index))) {
                    asked = Instant::now();
                }
            }
            () = tokio::time::sleep(LOOK) => {}
            _ = ended.recv() => break,
        }
    }
    drop(socket);
    // Those who asked are answered, each in its time.
    while asking.join_next().await.is_some() {}
    bench.residents.end().await;
    Ok(())
}

/// What a question came to.
enum Answered {
    Index,
    /// Nothing: a new process of the command answers. Where that goes on, this process ends.
    Nothing,
}

/// What answers.
struct Bench {
    key: String,
    subject: Subject,
    children: Children,
    residents: Residents,
    /// There is one compiler.
    turn: Mutex<()>,
}

impl Bench {
    /// Answers one question. Who asks waits for those before it, and hears meanwhile that this process works.
    async fn answer(self: Arc<Self>, stream: UnixStream) -> Result<Answered> {
        let mut stream = of_this_user(stream)?;
        let question: Question = receive(&mut stream, MOST_ASKED, PROMPT).await?;
        if question.key != self.key {
            return Err(ErrorKind::InvalidData.into());
        }
        // Reading a large specification keeps this task from saying anything.
        let mut work = tokio::spawn(async move { self.index(question.client.as_deref()).await });
        let index = loop {
            match timeout(STILL, &mut work).await {
                Ok(index) => break index?,
                // Who went away, such as by an interruption, needs no answer, and the next one does.
                Err(_) => drop(within(STILL, say_alive(&mut stream)).await),
            }
        };
        let _ = within(PROMPT, send(&mut stream, &index, MOST_ANSWERED)).await;
        Ok(if index.is_some() { Answered::Index } else { Answered::Nothing })
    }

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
        let _turn = self.turn.lock().await;
        self.residents.stayed(&request, Compiler { node, emitter }, &self.children).await
    }
}
