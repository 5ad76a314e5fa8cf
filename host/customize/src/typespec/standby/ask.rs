//! The side of a command: finds a standby or starts one, and asks it.

use std::io::Result;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use bailiwick_sdk::tasks::SpecIndex;
use bailiwick_toolchains::Compiler;
use tokio::net::UnixStream;

use super::place::{Place, RUNTIME};
use super::wire::{MOST_ANSWERED, MOST_ASKED, receive, send, within};
use super::{PROMPT, Program, Question, STANDBY_ARGUMENT, Subject};
use crate::typespec::error::TypespecError;
use crate::typespec::probe::{DEADLINE, ProbeRequest};

/// The standbys of this user.
#[derive(Debug, Clone)]
pub struct Standby {
    place: Arc<Place>,
    program: PathBuf,
    patience: Duration,
}

impl Standby {
    /// Those whose sockets lie in `place`, and that are processes of the program that runs.
    #[must_use]
    pub fn at(place: Place) -> Self {
        // This path names the running file even when it was replaced on disk meanwhile.
        Self { place: Arc::new(place), program: "/proc/self/exe".into(), patience: DEADLINE + PROMPT }
    }

    /// The same with another program, and with another patience.
    #[cfg(test)]
    pub(super) fn with(self, program: PathBuf, patience: Duration) -> Self {
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
        within(self.patience, async {
            let mut stream = match self.place.connect(&key).await? {
                Some(stream) => stream,
                None => self.start(&subject).await?,
            };
            let question = Question { key, client: request.client.map(str::to_owned) };
            send(&mut stream, &question, MOST_ASKED).await?;
            receive(&mut stream, MOST_ANSWERED).await
        })
        .await
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
