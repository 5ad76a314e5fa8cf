//! What replicas say to one another. A call goes to the address of another replica as one request over HTTP, and its answer
//! comes back as frames.
//!
//! Why the server's own listener and a shared key: there is no second port, no certificate and no program in between. A
//! request has a sealed ticket in its head, so that a stranger is refused before anything else is read; the body is sealed for
//! the word of this ticket, and each frame of the answer for the word and its place. So nobody in between, and nobody at a
//! wrong address, reads, changes, repeats, cuts or answers a call. The access token of a client is never sent on: what
//! is sent is whom the replica that checked the token found in it.

use crate::failure::Failure;
use crate::keys::Keys;
use crate::tool::Answer;
use bailiwick_runs::Owner;
use rmcp::model::{InputResponses, JsonObject};
use serde::{Deserialize, Serialize};

/// The path of calls of other replicas.
pub(crate) const PATH: &str = "/replica";
/// The header with the ticket.
pub(crate) const TICKET: &str = "bailiwick-replica";

/// What a replica shows before it is listened to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ticket {
    /// The replica that it is for.
    pub(crate) to: String,
    /// When it was made, in seconds since 1970.
    pub(crate) at: u64,
    /// What no other ticket has.
    pub(crate) word: String,
}

impl Ticket {
    pub(crate) const ABOUT: &'static str = "ticket";

    /// What the call of this ticket is sealed for.
    pub(crate) fn call(&self) -> String {
        format!("call {}", self.word)
    }

    /// What the end of a call is sealed for that its client took back: the body is the word of the call.
    pub(crate) fn taking_back(&self) -> String {
        format!("taken back {}", self.word)
    }

    /// What a frame of its answer is sealed for.
    pub(crate) fn frame(&self, place: u64) -> String {
        format!("frame {} {place}", self.word)
    }
}

/// A call of a client of another replica.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Forwarded {
    pub(crate) tool: String,
    pub(crate) arguments: JsonObject,
    /// Whom the token of the client named.
    pub(crate) owner: Owner,
    /// Whether they see everybody's runs there.
    pub(crate) sees_all: bool,
    /// The program of this person.
    pub(crate) program: String,
    /// What the client calls itself.
    pub(crate) client: String,
    /// What the client can be asked; a question comes back as the answer.
    pub(crate) asks: Vec<Asks>,
    pub(crate) responses: Option<InputResponses>,
    pub(crate) state: Option<String>,
    /// The directories that the client is at work in, if it has any.
    pub(crate) roots: Option<Vec<String>>,
}

/// Whom the client can ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Asks {
    Person,
    Model,
}

/// A part of the answer to it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Frame {
    /// The replica is there still. This is the first frame of every answer: the replica took the call.
    Alive,
    /// The `count`-th thing that is said of the work.
    Said { count: usize, line: String },
    /// The answer, after which nothing comes.
    Answer(Result<Answer, Failure>),
}

impl Frame {
    /// As it is sent: its length, and what is sealed.
    pub(crate) fn sent(&self, ticket: &Ticket, place: u64, keys: &Keys) -> Result<Vec<u8>, Failure> {
        let text = serde_json::to_vec(self).map_err(|error| Failure::new(error.to_string()))?;
        let sealed = keys.seal(&ticket.frame(place), &text)?;
        let length = u32::try_from(sealed.len()).map_err(|_| Failure::new("the answer is too long"))?;
        Ok([&length.to_be_bytes()[..], &sealed].concat())
    }
}

/// The frames in what came so far.
pub(crate) struct Frames<'a> {
    ticket: &'a Ticket,
    keys: &'a Keys,
    longest: usize,
    came: Vec<u8>,
    place: u64,
}

/// What came is no answer of a replica with the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Forged;

impl<'a> Frames<'a> {
    pub(crate) fn new(ticket: &'a Ticket, keys: &'a Keys, longest: usize) -> Self {
        Self { ticket, keys, longest, came: Vec::new(), place: 0 }
    }

    pub(crate) fn add(&mut self, piece: &[u8]) {
        self.came.extend_from_slice(piece);
    }

    /// The next one, if it came as a whole.
    pub(crate) fn next(&mut self) -> Result<Option<Frame>, Forged> {
        let Some((length, rest)) = self.came.split_first_chunk::<4>() else { return Ok(None) };
        let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| Forged)?;
        if length > self.longest {
            return Err(Forged);
        }
        let Some(sealed) = rest.get(..length) else { return Ok(None) };
        let text = self.keys.open(&self.ticket.frame(self.place), sealed).ok_or(Forged)?;
        let frame = serde_json::from_slice(&text).map_err(|_| Forged)?;
        self.came.drain(..4 + length);
        self.place += 1;
        Ok(Some(frame))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Keys {
        Keys::shared([b"a key of replicas that is long enough".as_slice()]).unwrap()
    }

    fn ticket(word: &str) -> Ticket {
        Ticket { to: "one".into(), at: 0, word: word.into() }
    }

    fn answer(text: &str) -> Frame {
        Frame::Answer(Ok(Answer::Text(text.into())))
    }

    #[test]
    fn answer_comes_back_whole_however_it_is_cut() {
        let (keys, ticket) = (keys(), ticket("word"));
        let said = Frame::Said { count: 3, line: "building".into() };
        let sent = [said.sent(&ticket, 0, &keys).unwrap(), answer("done").sent(&ticket, 1, &keys).unwrap()].concat();
        let mut frames = Frames::new(&ticket, &keys, 1000);
        let mut found = Vec::new();
        for byte in sent {
            frames.add(&[byte]);
            found.extend(frames.next().unwrap());
        }
        assert!(
            matches!(&found[..], [Frame::Said { count: 3, .. }, Frame::Answer(Ok(Answer::Text(text)))] if text == "done")
        );
    }

    #[test]
    fn frame_of_another_call_or_place_and_one_that_is_too_long_are_forged() {
        let (keys, own) = (keys(), ticket("word"));
        let strange = Keys::shared([b"a key of others that is long enough.".as_slice()]).unwrap();
        for sent in [
            answer("done").sent(&ticket("other"), 0, &keys).unwrap(),
            answer("done").sent(&own, 1, &keys).unwrap(),
            answer("done").sent(&own, 0, &strange).unwrap(),
            u32::MAX.to_be_bytes().to_vec(),
        ] {
            let mut frames = Frames::new(&own, &keys, 1000);
            frames.add(&sent);
            assert_eq!(frames.next().err(), Some(Forged));
        }
    }
}
