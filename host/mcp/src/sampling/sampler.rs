//! Passing prompts on to clients, and taking their answers.

use super::{Asked, Completion, NoCompletion, Reply, Sampling};
use crate::call::Call;
use crate::component::Way;
use crate::failure::Failure;
use crate::keys::{Keys, Kind};
use crate::limits::ServerLimits;
use crate::path_redaction::PathRedaction;
use crate::replicas::Link;
use crate::work::{self, Ended, Work};
use bailiwick_base::random;
use bailiwick_base::text::hex;
use bailiwick_runs::{Owner, RunId};
use bailiwick_sandbox::rich::Abilities;
use rmcp::model::{
    CreateMessageRequest, CreateMessageResult, InputRequest, InputRequests, InputRequiredResult, RequestStateCodec,
    SamplingContent, SealOptions,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The key of a prompt in an answer that asks.
pub(super) const KEY: &str = "model";

/// What a call that waits comes to.
pub(crate) enum Waited<T> {
    /// The work ended.
    Ended(Arc<Ended<T>>),
    /// The time is over, or the caller only waited and is gone.
    Late,
    /// The call is to be answered with a prompt for the client's model.
    Ask(Box<InputRequiredResult>),
}

/// The prompts that clients were given to answer with another call.
pub(crate) struct Sampler {
    codec: RequestStateCodec,
    valid: Duration,
    most: usize,
    open: Mutex<BTreeMap<String, Open>>,
    link: Link,
}

struct Open {
    owner: Owner,
    reply: Reply,
}

/// What a client carries between two calls.
#[derive(Serialize, Deserialize)]
struct Sealed {
    word: String,
    /// The run that goes on, where the call is not the one of a workflow.
    run: Option<RunId>,
    /// The replica that asks; nothing where there are no others.
    replica: String,
}

/// An answer that came with a call made again.
pub(crate) enum Redeemed {
    /// It belongs to this run, which is waited for.
    Run(RunId),
    /// It belongs to a step, for which the same call waits.
    Step,
}

impl Sampler {
    /// None yet.
    ///
    /// # Errors
    /// See [`Keys::states`].
    pub(crate) fn new(limits: &ServerLimits, keys: &Keys, link: Link) -> Result<Self, Failure> {
        let codec = keys.states(Kind::Sampling)?;
        Ok(Self { codec, valid: limits.answer, most: limits.questions, open: Mutex::default(), link })
    }

    /// Waits for work, passing on what it says to the client, and what it asks to the client's model.
    pub(crate) async fn wait<T>(
        &self,
        (work, sampling): (&Work<T>, &Sampling),
        run: Option<&RunId>,
        (within, role): (Duration, work::Role),
        call: &Call,
        conceal: &PathRedaction,
    ) -> Result<Waited<T>, Failure> {
        let waiting = work.wait(within, role, call, conceal);
        tokio::pin!(waiting);
        // An operator may wait for the runs of others; their prompts are not for the operator's model.
        let answers = call.reach.can.contains(Abilities::COMPLETIONS) && call.caller.owner == sampling.owner;
        loop {
            let asked = tokio::select! {
                ended = &mut waiting => return Ok(ended.map_or(Waited::Late, Waited::Ended)),
                asked = sampling.next(), if answers => asked,
            };
            match &call.reach.way {
                // The call may be answered meanwhile, and the client answers all the same.
                Way::ByRequest(peer) => {
                    let (peer, within) = (peer.clone(), self.valid);
                    tokio::spawn(async move {
                        let Asked { params, mut reply } = asked;
                        let answer = tokio::select! {
                            answer = peer.create_message(params) => answer,
                            () = tokio::time::sleep(within) => return,
                            () = reply.closed() => return,
                        };
                        let answer = answer.map_err(|error| NoCompletion::Refused(error.to_string()));
                        let _ = reply.send(answer.and_then(|answer| completion(&answer)));
                    });
                }
                Way::ByAnswer => return self.ask(asked, run, sampling.owner.clone()).map(Waited::Ask),
                Way::Unavailable => {
                    let _ = asked.reply.send(Err(NoCompletion::Refused("it cannot be asked".into())));
                }
            }
        }
    }

    fn ask(&self, asked: Asked, run: Option<&RunId>, owner: Owner) -> Result<Box<InputRequiredResult>, Failure> {
        let word = hex(&random::bytes::<16>().map_err(|error| no_random_bytes(&error))?);
        let sealed = Sealed { word: word.clone(), run: run.cloned(), replica: self.link.name().to_owned() };
        let associated = associated(&owner);
        let options = SealOptions::new().associated_data(associated.as_bytes()).ttl(self.valid);
        let state = self.codec.seal_json_with(&sealed, &options).map_err(|error| Failure::new(error.to_string()))?;
        let Asked { params, reply } = asked;
        {
            let mut open = self.open();
            open.retain(|_, one| !one.reply.is_closed());
            if open.values().filter(|one| one.owner == owner).count() >= self.most {
                return Err(Failure::new("this client leaves too many prompts unanswered"));
            }
            open.insert(word, Open { owner, reply });
        }
        let mut requests = InputRequests::new();
        requests.insert(KEY.into(), InputRequest::CreateMessage(CreateMessageRequest::new(params)));
        Ok(Box::new(InputRequiredResult::new(Some(requests), Some(state))))
    }

    /// The replica that asked what this call answers; `None` where it answers no prompt.
    pub(crate) fn asked_by(&self, call: &Call) -> Option<String> {
        self.sealed(call.again.state.as_deref()?, call).map(|sealed| sealed.replica)
    }

    /// A state of this kind of question: those of others are under other keys.
    fn sealed(&self, state: &str, call: &Call) -> Option<Sealed> {
        let associated = associated(&call.caller.owner);
        self.codec.open_json_with(state, associated.as_bytes()).ok()
    }

    /// Takes the answer that came with a call; `None` where it came with none to a prompt of ours.
    ///
    /// # Errors
    /// The prompt was answered before, or its run does not wait for the answer any more.
    pub(crate) fn redeem(&self, call: &Call) -> Result<Option<Redeemed>, Failure> {
        let Some(state) = call.again.state.as_deref() else { return Ok(None) };
        let Some(sealed) = self.sealed(state, call) else { return Ok(None) };
        let open = self.open().remove(&sealed.word);
        let open = open.ok_or_else(|| {
            Failure::new("this prompt was answered before, or is not waited for any more")
                .hint("`azsdk_run_wait` waits for the run")
        })?;
        let answer = call.again.responses.as_ref().and_then(|responses| responses.get(KEY));
        let answer = match answer {
            Some(answer) => serde_json::from_value::<CreateMessageResult>(answer.clone())
                .map_err(|error| NoCompletion::Refused(format!("its answer is invalid: {error}")))
                .and_then(|answer| completion(&answer)),
            None => Err(NoCompletion::Refused(format!("there is no response `{KEY}`"))),
        };
        let _ = open.reply.send(answer);
        Ok(Some(sealed.run.map_or(Redeemed::Step, Redeemed::Run)))
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<String, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The texts of an answer, one after the other.
fn completion(answer: &CreateMessageResult) -> Result<Completion, NoCompletion> {
    let blocks = match &answer.message.content {
        SamplingContent::Single(block) => std::slice::from_ref(block),
        SamplingContent::Multiple(blocks) => blocks.as_slice(),
    };
    let texts: Vec<&str> =
        blocks.iter().filter_map(|block| block.as_text()).map(|content| content.text.as_str()).collect();
    if texts.is_empty() {
        return Err(NoCompletion::NoText);
    }
    let is_cut = answer.stop_reason.as_deref() == Some(CreateMessageResult::STOP_REASON_END_MAX_TOKEN);
    Ok(Completion { text: texts.concat(), is_cut })
}

/// Binds a state to the subject whose run it is about.
fn associated(owner: &Owner) -> String {
    format!("sampling {owner:?}")
}

fn no_random_bytes(error: &std::io::Error) -> Failure {
    Failure::new(format!("the system has no random bytes: {error}"))
}
