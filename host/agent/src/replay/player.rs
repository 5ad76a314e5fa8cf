//! A backend that answers from a file.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use serde_json::Value;

use super::difference::{self, Difference};
use super::file::{self, Answer, Header, New, Turn};
use super::{FileError, Placeholders, ReplayError, as_written};
use crate::backend::{Backend, BackendError, TurnRequest, TurnResponse};
use crate::prices::Prices;
use crate::transcript::Scrub;

/// Answers from a conversation that was kept, as long as it is sent what was sent then.
pub struct Replay {
    name: String,
    header: Header,
    turns: Vec<Recorded>,
    places: Placeholders,
    scrub: Box<dyn Scrub>,
    unsaid: Unsaid,
    state: Mutex<State>,
}

/// A turn with its answer as it is given here.
struct Recorded {
    request: Option<New>,
    answer: Result<TurnResponse, BackendError>,
}

/// What becomes of a turn whose request the file does not say.
#[derive(PartialEq)]
enum Unsaid {
    Refused,
    Answered,
}

#[derive(Default)]
struct State {
    used: usize,
    /// The whole request of the turn before, as the file says it.
    before: Option<Value>,
    /// The first difference. Nothing is answered after it.
    failed: Option<ReplayError>,
}

impl Replay {
    /// Reads the text of a file. `places` and `scrub` are the same as those of the recorder would be here.
    ///
    /// # Errors
    /// When the text holds no conversation; see [`FileError`].
    pub fn read(text: &str, places: Placeholders, scrub: impl Scrub + 'static) -> Result<Self, FileError> {
        let (header, turns) = file::read(text)?;
        let mut recorded = Vec::with_capacity(turns.len());
        for (Turn { request, answer }, turn) in turns.into_iter().zip(1..) {
            let answer = match answer {
                Answer::Response(response) => {
                    let response = serde_json::from_value(places.show(response));
                    let line = turn + 1;
                    Ok(response.map_err(|error| FileError::Line { line, reason: error.to_string() })?)
                }
                Answer::Failure(failure) => Err(failure),
            };
            recorded.push(Recorded { request, answer });
        }
        let name = format!("replay of {}", header.model);
        let (state, scrub) = (Mutex::default(), Box::new(scrub));
        Ok(Self { name, header, turns: recorded, places, scrub, unsaid: Unsaid::Refused, state })
    }

    /// Answers turns whose requests the file does not say, whatever they are sent: for a person who wrote the answers
    /// and has a recorder write down what is sent.
    #[must_use]
    pub fn filling_in(mut self) -> Self {
        self.unsaid = Unsaid::Answered;
        self
    }

    /// What the file says about itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the file says of every turn what was sent.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.turns.iter().all(|turn| turn.request.is_some())
    }

    /// To be asked when the work is over.
    ///
    /// # Errors
    /// The first difference, if there was one, or that not all turns were asked for.
    pub fn finish(&self) -> Result<(), ReplayError> {
        let state = self.lock();
        match &state.failed {
            Some(error) => Err(error.clone()),
            None if state.used < self.turns.len() => {
                Err(ReplayError::TooShort { used: state.used, turns: self.turns.len() })
            }
            None => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, state: &mut State, request: &TurnRequest) -> Result<&Recorded, ReplayError> {
        let (index, turn) = (state.used, state.used + 1);
        let recorded = self.turns.get(index).ok_or(ReplayError::TooLong { turns: self.turns.len() })?;
        let before = state.before.take();
        let Some(new) = &recorded.request else {
            return if self.unsaid == Unsaid::Answered { Ok(recorded) } else { Err(ReplayError::Unsaid { turn }) };
        };
        let came = as_written(request, &self.places, self.scrub.as_ref())
            .map_err(|error| ReplayError::Unreadable { turn, reason: error.to_string() })?;
        let expected = new.whole(before.as_ref());
        if let Some(Difference { place, expected, came }) = difference::first(&expected, &came) {
            return Err(ReplayError::Differs { turn, place, expected, came });
        }
        state.before = Some(expected);
        Ok(recorded)
    }
}

#[async_trait]
impl Backend for Replay {
    /// `replay of …`, with the name of the backend that was recorded.
    fn name(&self) -> &str {
        &self.name
    }

    /// That of the backend that was recorded, because what is sent depends on it.
    fn window(&self) -> Option<u64> {
        self.header.window
    }

    /// Those of the backend that was recorded, because they may have ended the conversation.
    fn prices(&self) -> Option<Prices> {
        self.header.prices
    }

    async fn turn(&self, request: &TurnRequest) -> Result<TurnResponse, BackendError> {
        let mut state = self.lock();
        if let Some(error) = &state.failed {
            return Err(error.clone().into());
        }
        match self.next(&mut state, request) {
            Ok(recorded) => {
                state.used += 1;
                recorded.answer.clone()
            }
            Err(error) => {
                state.failed = Some(error.clone());
                Err(error.into())
            }
        }
    }
}
