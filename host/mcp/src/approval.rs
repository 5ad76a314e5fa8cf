//! A question to a person, and how its answer is bound to the call.
//!
//! Up to 2025-11-25 the question is a request of ours: its answer can be that of no other call. From 2026-07-28 the call
//! is answered with the question and made again with the answer. What comes back is then the client's word, so the
//! question carries a sealed state that holds for this very call of this very client, for a while, and once. Nothing is kept
//! of a question that waits, so that a replica under the same keys takes its answer, too; of an answer, that it was given.

use crate::call::{Call, Person};
use crate::failure::Failure;
use crate::keys::{Keys, Kind};
use crate::limits::ServerLimits;
use bailiwick_base::random;
use bailiwick_base::text::hex;
use rmcp::model::{
    BooleanSchema, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema,
    InputRequest, InputRequests, InputRequiredResult, PrimitiveSchemaDefinition, RequestStateCodec, SealOptions,
};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The key of the question, and of the one field of its form.
const KEY: &str = "approve";

/// What a person said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// Yes, in so many words.
    Yes,
    /// No, or nothing.
    No,
}

/// What a person is asked, with one thing to say yes to.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The question.
    pub text: &'a str,
    /// The name of what they say yes to.
    pub title: &'a str,
    /// What it means.
    pub description: &'a str,
}

/// Where asking has got to.
#[derive(Debug)]
pub enum Asked {
    /// There is an answer.
    Answered(Said),
    /// The call is to be answered with this.
    Ask(Box<InputRequiredResult>),
}

/// Answers of one client that are remembered. A person says yes one by one, and each is forgotten after a while.
const MOST_ANSWERS: usize = 1024;

/// The questions of a server.
pub struct Approvals {
    codec: RequestStateCodec,
    valid: Duration,
    /// Which questions were answered, the first one first.
    answered: Mutex<VecDeque<Answered>>,
}

/// A question that was answered.
struct Answered {
    owner: Arc<str>,
    word: Vec<u8>,
    at: Instant,
}

impl Approvals {
    /// None yet.
    ///
    /// # Errors
    /// The keys cannot be used.
    pub fn new(limits: &ServerLimits, keys: &Keys) -> Result<Self, Failure> {
        Ok(Self { codec: keys.states(Kind::Approval)?, valid: limits.answer, answered: Mutex::default() })
    }

    /// Asks the person behind `call`, or takes the answer that came with it. `exactly` names the call with all it was
    /// given; an answer to any other one is refused.
    ///
    /// # Errors
    /// The client cannot ask a person, or the answer in the call does not belong to a question about this call.
    pub async fn ask(&self, exactly: &str, question: &str, call: &Call) -> Result<Asked, Failure> {
        let question = Question { text: question, title: "Approve", description: "Whether the changes stay for good" };
        self.ask_about(exactly, &question, call).await
    }

    /// [`Approvals::ask`], about something else than changes.
    ///
    /// # Errors
    /// As [`Approvals::ask`].
    pub async fn ask_about(&self, exactly: &str, question: &Question<'_>, call: &Call) -> Result<Asked, Failure> {
        match &call.person {
            Person::OutOfReach => {
                Err(Failure::new("this client cannot ask the person who decides: it does not support elicitation"))
            }
            Person::Asked(peer) => {
                let asked = peer.create_elicitation_with_timeout(params(question), Some(self.valid));
                tokio::select! {
                    answer = asked => match answer {
                        Ok(answer) => Ok(Asked::Answered(said(&answer))),
                        Err(error) => Err(Failure::new(format!("the person could not be asked: {error}"))),
                    },
                    () = call.taken_back() => Err(Failure::new("the question was taken back")),
                }
            }
            Person::AskedByAnswer if call.again.state.is_none() && call.again.responses.is_none() => {
                self.question(&owned(exactly, call), question).map(|ask| Asked::Ask(Box::new(ask)))
            }
            Person::AskedByAnswer => self.redeem(&owned(exactly, call), call).map(Asked::Answered),
        }
    }

    fn question(&self, exactly: &str, question: &Question<'_>) -> Result<InputRequiredResult, Failure> {
        let word = hex(&random::bytes::<16>().map_err(|error| no_random_bytes(&error))?);
        let options = SealOptions::new().associated_data(exactly.as_bytes()).ttl(self.valid);
        let state = self.codec.seal_with(word.as_bytes(), &options);
        let mut requests = InputRequests::new();
        requests.insert(KEY.into(), InputRequest::Elicitation(ElicitRequest::new(params(question))));
        Ok(InputRequiredResult::new(Some(requests), Some(state)))
    }

    fn redeem(&self, exactly: &str, call: &Call) -> Result<Said, Failure> {
        let again = &call.again;
        let unknown = |why: String| {
            Failure::new(format!("this does not answer a question of this server: {why}"))
                .hint("make the call again without an answer to be asked anew")
        };
        let state = again.state.as_deref().ok_or_else(|| unknown("it has no request state".into()))?;
        let word = self.codec.open_with(state, exactly.as_bytes()).map_err(|error| unknown(error.to_string()))?;
        self.use_up(word, &call.owner).map_err(|why| unknown(why.into()))?;
        let answer = again.responses.as_ref().and_then(|responses| responses.get(KEY));
        let answer = answer.ok_or_else(|| unknown(format!("there is no response `{KEY}`")))?;
        let answer: ElicitResult = serde_json::from_value(answer.clone())
            .map_err(|error| unknown(format!("the response is invalid: {error}")))?;
        Ok(said(&answer))
    }

    /// Remembers that this question is answered, for as long as its state could be opened.
    fn use_up(&self, word: Vec<u8>, owner: &Arc<str>) -> Result<(), &'static str> {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        while answered.front().is_some_and(|first| first.at.elapsed() > self.valid) {
            answered.pop_front();
        }
        if answered.iter().any(|one| one.word == word) {
            return Err("the question was answered before");
        }
        if answered.iter().filter(|one| one.owner == *owner).count() >= MOST_ANSWERS {
            return Err("too many questions of this client were answered lately");
        }
        answered.push_back(Answered { owner: owner.clone(), word, at: Instant::now() });
        Ok(())
    }
}

fn params(question: &Question<'_>) -> ElicitRequestParams {
    let yes = BooleanSchema::new().title(question.title.to_owned()).description(question.description.to_owned());
    let schema =
        ElicitationSchema::new([(KEY.to_owned(), PrimitiveSchemaDefinition::Boolean(yes))].into_iter().collect());
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: question.text.to_owned(),
        requested_schema: schema.with_required(vec![KEY.to_owned()]),
    }
}

/// What a question is about, and which client was asked: an answer from another client is not accepted.
fn owned(exactly: &str, call: &Call) -> String {
    format!("{}\n{exactly}", call.owner.escape_default())
}

/// A form that is accepted without saying yes in it does not approve.
fn said(answer: &ElicitResult) -> Said {
    let yes = answer.content.as_ref().and_then(|content| content.get(KEY)).and_then(serde_json::Value::as_bool);
    if answer.action == ElicitationAction::Accept && yes == Some(true) { Said::Yes } else { Said::No }
}

fn no_random_bytes(error: &std::io::Error) -> Failure {
    Failure::new(format!("the system has no random bytes: {error}"))
}

#[cfg(test)]
mod tests;
