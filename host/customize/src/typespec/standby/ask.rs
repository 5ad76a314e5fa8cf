//! The side of a command: finds a standby or starts one, and asks it.

use std::io::{ErrorKind, Result};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use bailiwick_sdk::tasks::SpecIndex;
use bailiwick_toolchains::Compiler;
use tokio::net::UnixStream;

use super::place::{Place, RUNTIME};
use super::wire::{MOST_ANSWERED, MOST_ASKED, receive_from_one_at_work, send, within};
use super::{PROMPT, Program, Question, SILENCE, STANDBY_ARGUMENT, Subject};
use crate::typespec::error::TypespecError;
use crate::typespec::probe::{DEADLINE, ProbeRequest};

/// The standbys of this user.
#[derive(Debug, Clone)]
pub struct Standby {
    place: Arc<Place>,
    program: PathBuf,
    patience: Patience,
}

/// How long a standby is waited for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// Until the answer is whole.
    pub(super) answer: Duration,
    /// Without a word from it.
    pub(super) silence: Duration,
}

impl Standby {
    /// Those whose sockets lie in `place`, and that are processes of the program that runs.
    #[must_use]
    pub fn at(place: Place) -> Self {
        // This path names the running file even when it was replaced on disk meanwhile.
        let patience = Patience { answer: DEADLINE + PROMPT, silence: SILENCE };
        Self { place: Arc::new(place), program: "/proc/self/exe".into(), patience }
    }

    /// The same with another program, and with another patience.
    #[cfg(test)]
    pub(super) fn with(self, program: PathBuf, patience: Patience) -> Self {
        Self { program, patience, ..self }
    }

    /// The index as a standby gives it.
    ///
    /// # Errors
    /// Whatever it is, the index has to be had in another way.
    pub(crate) async fn ask(
        &self,
        request: &ProbeRequest<'_>,
        compiler: Compiler<'_>,
    ) -> std::result::Result<SpecIndex, TypespecError> {
        let unanswered = |reason: String| TypespecError::Probe { reason };
        let answer = self.answer(request, compiler).await.map_err(|error| unanswered(error.to_string()))?;
        answer.ok_or_else(|| unanswered("the standby has no answer".to_owned()))
    }

    async fn answer(&self, request: &ProbeRequest<'_>, compiler: Compiler<'_>) -> Result<Option<SpecIndex>> {
        let subject = Subject::of(request, compiler);
        let key = subject.key(&Program::running()?)?;
        let question = Question { key: key.clone(), client: request.client.map(str::to_owned) };
        within(self.patience.answer, async {
            match self.place.connect(&key).await? {
                Some((mut stream, socket)) => {
                    let answer = self.answer_over(&mut stream, &question).await;
                    if answer.as_ref().is_err_and(|error| error.kind() == ErrorKind::TimedOut) {
                        self.place.give_up(&key, socket);
                    }
                    answer
                }
                None => self.answer_over(&mut self.start(&subject).await?, &question).await,
            }
        })
        .await
    }

    async fn answer_over(&self, stream: &mut UnixStream, question: &Question) -> Result<Option<SpecIndex>> {
        let silence = self.patience.silence;
        within(silence, send(stream, question, MOST_ASKED)).await?;
        receive_from_one_at_work(stream, MOST_ANSWERED, silence).await
    }

    /// Starts one, which no one waits for, and gives the connection over which only this process tells it what it is for.
    async fn start(&self, subject: &Subject) -> Result<UnixStream> {
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let temporary = std::env::var_os("TMPDIR").map(|directory| ("TMPDIR", directory));
        // The directory is for people who look at processes.
        tokio::process::Command::new(&self.program)
            .arg(STANDBY_ARGUMENT)
            .arg(&subject.project.directory)
            .env_clear()
            .envs(temporary)
            .env(RUNTIME, &self.place.runtime)
            .current_dir("/")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut stream = UnixStream::from_std(ours)?;
        send(&mut stream, subject, MOST_ASKED).await?;
        Ok(stream)
    }
}
