//! A backend that writes down what passes through it.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use serde_json::Value;

use super::file::{self, Answer, Header};
use super::{Placeholders, as_written};
use crate::backend::{Backend, BackendError, TurnRequest, TurnResponse};
use crate::prices::Prices;
use crate::transcript::{self, Scrub};

/// Hands every turn on to a backend and keeps a record of it. A turn whose record cannot be written fails.
///
/// Turns are numbered as they are answered; agents that run at the same time need a recorder each.
pub struct Recorder<B, W> {
    backend: B,
    places: Placeholders,
    scrub: Box<dyn Scrub>,
    state: Mutex<State<W>>,
}

struct State<W> {
    /// `None` once the record is closed.
    writer: Option<W>,
    turns: usize,
    before: Option<Value>,
}

impl<B: Backend, W: Write + Send> Recorder<B, W> {
    /// Writes the header at once.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn begin(
        backend: B,
        header: &Header,
        mut writer: W,
        places: Placeholders,
        scrub: impl Scrub + 'static,
    ) -> io::Result<Self> {
        let mut text = serde_json::to_vec(header)?;
        text.push(b'\n');
        writer.write_all(&text)?;
        let state = Mutex::new(State { writer: Some(writer), turns: 0, before: None });
        Ok(Self { backend, places, scrub: Box::new(scrub), state })
    }

    /// Closes the record and hands its writer back, with the number of turns in it. `None` when it was closed before.
    pub fn finish(&self) -> Option<(W, usize)> {
        let mut state = self.lock();
        let turns = state.turns;
        state.writer.take().map(|writer| (writer, turns))
    }

    fn lock(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, request: &TurnRequest, answer: &Result<TurnResponse, BackendError>) -> io::Result<()> {
        let request = as_written(request, &self.places, self.scrub.as_ref())?;
        let put = |value: Value| self.places.hide(transcript::scrubbed(value, self.scrub.as_ref()));
        let answer = match answer {
            Ok(response) => Answer::Response(put(serde_json::to_value(response)?)),
            Err(error) => Answer::Failure(serde_json::from_value(put(serde_json::to_value(error)?))?),
        };
        let mut state = self.lock();
        let line = file::line(state.turns + 1, state.before.as_ref(), &request, answer)?;
        let writer = state.writer.as_mut().ok_or_else(|| io::Error::other("the record is closed"))?;
        writer.write_all(&line)?;
        writer.flush()?;
        state.turns += 1;
        state.before = Some(request);
        Ok(())
    }
}

#[async_trait]
impl<B: Backend, W: Write + Send> Backend for Recorder<B, W> {
    fn name(&self) -> &str {
        self.backend.name()
    }

    fn window(&self) -> Option<u64> {
        self.backend.window()
    }

    fn prices(&self) -> Option<Prices> {
        self.backend.prices()
    }

    async fn turn(&self, request: &TurnRequest) -> Result<TurnResponse, BackendError> {
        let answer = self.backend.turn(request).await;
        match self.keep(request, &answer) {
            Ok(()) => answer,
            Err(error) => Err(BackendError::Unrecorded { message: error.to_string() }),
        }
    }
}
