//! Calls about a run that another replica has: passing them on, and answering those that come from there.

use super::Server;
use super::call::{concealed, here};
use crate::call::{Again, Call, Person};
use crate::component::{Reach, Way, put_to};
use crate::failure::Failure;
use crate::replicas::wire::{Asks, Forwarded};
use crate::replicas::{Place, Reached, Replicas, forwarded, uncertain};
use crate::tool::Answer;
use bailiwick_runs::Sees;
use bailiwick_sandbox::rich::Abilities;
use rmcp::model::{InputRequiredResult, InputResponses, JsonObject};
use serde_json::Value;

/// So often an old client is asked something before its call is answered.
const MOST_ROUNDS: usize = 10;

/// What another replica answers to a call; `None` where this one answers it.
///
/// # Errors
/// The run is on another replica, which cannot be reached or refused the call.
pub(super) async fn elsewhere(
    server: &Server,
    name: &str,
    arguments: &JsonObject,
    call: &Call,
) -> Result<Option<Answer>, Failure> {
    let shared = server.shared();
    let Some(replicas) = shared.link.get() else { return Ok(None) };
    let (what, place) = match shared.sampler.asked_by(call) {
        Some(asking) if asking == replicas.name() => return Ok(None),
        Some(asking) => ("the run".to_owned(), replicas.called(&asking).await?),
        None => {
            let Some(id) = about(server, name, arguments).await? else { return Ok(None) };
            // A run of another subject is answered as one that does not exist, also while the registry is away.
            let sight = shared.sight(&call.caller, &call.directories).await?;
            if shared.runs.has(id, &sight) || shared.workflows.has(id, &sight) {
                return Ok(None);
            }
            (format!("`{id}`"), replicas.place(id, &call.caller).await?)
        }
    };
    let Place::There { replicas: there, own_store } = place else { return Ok(None) };
    let mut message = message(name, arguments, call).await?;
    // The answer to the last question is passed on, too.
    for round in 0..=MOST_ROUNDS {
        let reached = forwarded(replicas, &there, &message, call, server.limits().message_bytes).await;
        match reached {
            Reached::Answered(Ok(Answer::Ask(ask))) => match &call.reach.way {
                // A client up to 2025-11-25 is asked by this replica, to which it is connected.
                Way::ByRequest(_) if round == MOST_ROUNDS => break,
                Way::ByRequest(_) => (message.responses, message.state) = asked(*ask, call, replicas).await?,
                _ => return Ok(Some(Answer::Ask(ask))),
            },
            Reached::Answered(answer) => return answer.map(Some),
            // What a process left that is gone is in the state directory of this one: opening it has put the run back.
            Reached::Nobody if own_store => return Ok(None),
            Reached::Nobody => {
                return Err(Failure::new(format!(
                    "{what} is on another replica of this server, which does not answer"
                ))
                .hint(
                    "try again a little later; if its process has ended, the next one on its machine puts back what \
                         was at work",
                ));
            }
            Reached::Lost => {
                return Err(Failure::new(format!(
                    "{what} is on another replica of this server, which stopped answering in the middle of this call; \
                     the call may have been carried out"
                ))
                .hint("make the call again, or ask `azsdk_run_show` how far the run is"));
            }
        }
    }
    Err(Failure::new(format!("{what} asked too often without coming to an answer")))
}

/// The run or workflow that a call is about.
async fn about<'a>(server: &Server, name: &str, arguments: &'a JsonObject) -> Result<Option<&'a str>, Failure> {
    let offered = server.offered().await?;
    Ok(offered.registry.about(name).and_then(|argument| arguments.get(argument)).and_then(Value::as_str))
}

/// A failure of a call in this process. That a run is not known is not certain while the registry may lack it.
pub(super) async fn doubted(server: &Server, name: &str, arguments: &JsonObject, failure: Failure) -> Failure {
    let Some(replicas) = server.shared().link.get() else { return failure };
    let is_about_one = matches!(about(server, name, arguments).await, Ok(Some(_)));
    if is_about_one && replicas.may_lack().await { uncertain(failure) } else { failure }
}

async fn message(name: &str, arguments: &JsonObject, call: &Call) -> Result<Forwarded, Failure> {
    let mut asks = Vec::new();
    if !matches!(call.person, Person::OutOfReach) {
        asks.push(Asks::Person);
    }
    if call.reach.can.contains(Abilities::COMPLETIONS) {
        asks.push(Asks::Model);
    }
    Ok(Forwarded {
        tool: name.to_owned(),
        arguments: arguments.clone(),
        owner: call.caller.owner.clone(),
        sees_all: call.caller.sees == Sees::All,
        program: call.owner.to_string(),
        client: call.client.clone(),
        asks,
        responses: call.again.responses.clone(),
        state: call.again.state.clone(),
        roots: call.directories.told().await?,
    })
}

/// The answers of the client that is connected here, and what goes back with them.
async fn asked(
    ask: InputRequiredResult,
    call: &Call,
    replicas: &Replicas,
) -> Result<(Option<InputResponses>, Option<String>), Failure> {
    let Way::ByRequest(peer) = &call.reach.way else { return Ok((None, None)) };
    let mut responses = InputResponses::new();
    for (key, request) in ask.input_requests.unwrap_or_default() {
        let answer = tokio::select! {
            answer = put_to(peer, request, replicas.limits().answer) => answer?,
            () = call.taken_back() => return Err(Failure::new("the question was taken back")),
        };
        responses.insert(key, answer);
    }
    Ok((Some(responses), ask.request_state))
}

impl Server {
    /// Answers a call that another replica passed on. It is answered here and never passed on again.
    ///
    /// # Errors
    /// As for a call of a client.
    pub(crate) async fn answer_for_replica(&self, what: Forwarded, mut call: Call) -> Result<Answer, Failure> {
        let can = if what.asks.contains(&Asks::Model) { Abilities::COMPLETIONS } else { Abilities::empty() };
        call.reach = Reach { can, way: Way::ByAnswer };
        call.person = match what.asks.contains(&Asks::Person) {
            true => Person::AskedByAnswer,
            false => Person::OutOfReach,
        };
        call.again = Again { responses: what.responses, state: what.state };
        let about_a_run = match self.shared().sampler.asked_by(&call) {
            Some(asking) => asking == self.shared().link.name(),
            None => self.offered().await?.registry.about(&what.tool).is_some(),
        };
        if !about_a_run {
            return Err(Failure::new(format!("`{}` is not about a run, and is answered by every replica", what.tool)));
        }
        // The replica that passes the answer on knows the private places of its own machine only.
        let answer = here(self, &what.tool, what.arguments.clone(), &call).await;
        answer.map_err(|failure| concealed(self, &what.arguments, failure))
    }
}
