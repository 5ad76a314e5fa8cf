//! A guest's questions to the client, and what binds an answer to its question.
//!
//! From 2026-07-28 the answers come with a call made again, and are the client's word: who asked what, which round it is
//! and what the guest remembers are sealed for this very call of this very client. Answers without a seal are taken too, as the protocol
//! has it: they are a first call's further arguments, of which nothing is known but their form.

#![expect(deprecated, reason = "completions and roots are for clients that still offer them")]

use super::content;
use super::reach::Way;
use crate::call::Call;
use crate::failure::Failure;
use crate::keys::{Keys, Kind as KeyKind};
use crate::limits::ServerLimits;
use bailiwick_sandbox::Schema;
use bailiwick_sandbox::rich::{Abilities, Again, Asks, Completion, Form, Question, Role};
use rmcp::model::{
    ClientCapabilities, CreateMessageRequest, CreateMessageRequestParams, CreateMessageResult, ElicitRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, ErrorData, InputRequest, InputRequests, InputRequiredResult,
    ListRootsRequest, ListRootsResult, RequestStateCodec, SealOptions,
};
use rmcp::{Peer, RoleServer};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// So often a guest may ask before it answers. The clients' own bound is the same.
const MOST_ROUNDS: u32 = 10;

/// Asks clients in the name of guests.
pub(crate) struct Asking {
    codec: RequestStateCodec,
    valid: Duration,
}

/// Where a call has got to.
pub(crate) struct Round {
    number: u32,
    pub(crate) again: Option<Again>,
}

/// What comes of a guest's questions.
pub(crate) enum Next {
    /// The guest is called again.
    Again(Round),
    /// The call is answered with this.
    Ask(Box<InputRequiredResult>),
}

/// Why no question was asked, or an answer was not accepted.
pub(crate) enum Refused {
    /// A sentence for the model that called.
    Failure(Failure),
    /// What the protocol demands in place of a result.
    Protocol(Box<ErrorData>),
}

/// What the client carries between two calls.
#[derive(Serialize, Deserialize)]
struct Remembered {
    round: u32,
    state: Option<String>,
    asked: BTreeMap<String, Kind>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Kind {
    /// With its schema.
    Form(Value),
    Completion,
    Roots,
}

/// Who asks, for whom.
pub(crate) struct Asker<'a> {
    /// The name that a person reads.
    pub(crate) name: &'a str,
    /// The exact call: what is asked, of which component, with which arguments.
    pub(crate) exactly: &'a str,
    pub(crate) call: &'a Call,
}

impl Asker<'_> {
    /// The call, and its client: questions to another client are not part of this client's state.
    fn owned(&self) -> String {
        format!("{}\n{}", self.call.owner.escape_default(), self.exactly)
    }
}

impl Asking {
    /// Under these keys.
    ///
    /// # Errors
    /// See [`Keys::states`].
    pub(crate) fn new(limits: &ServerLimits, keys: &Keys) -> Result<Self, Failure> {
        let codec = keys.states(KeyKind::AddedTool)?;
        Ok(Self { codec, valid: limits.answer })
    }

    /// What came with a call.
    pub(crate) fn begin(&self, asker: &Asker<'_>) -> Result<Round, Refused> {
        let again = &asker.call.again;
        let responses = again.responses.clone().unwrap_or_default();
        let Some(sealed) = &again.state else {
            // Keys that were not asked for are dropped; here every key is one of these or may be.
            let answers = responses.into_iter().filter(|(_, answer)| known_form(answer));
            let answers: Vec<_> = answers.map(|(key, answer)| (key, answer.to_string())).collect();
            let again = (!answers.is_empty()).then_some(Again { answers, state: None });
            return Ok(Round { number: 0, again });
        };
        let remembered: Remembered =
            self.codec.open_json_with(sealed, asker.owned().as_bytes()).map_err(|error| invalid(&error))?;
        let mut answers = Vec::new();
        for (key, kind) in &remembered.asked {
            let Some(answer) = responses.get(key) else { continue };
            fits(kind, answer).map_err(|why| invalid(&format!("the answer `{key}` {why}")))?;
            answers.push((key.clone(), answer.to_string()));
        }
        Ok(Round { number: remembered.round, again: Some(Again { answers, state: remembered.state }) })
    }

    /// Asks what the guest wants to know.
    pub(crate) async fn next(&self, asks: Asks, round: &Round, asker: &Asker<'_>) -> Result<Next, Refused> {
        let number = round.number + 1;
        if number > MOST_ROUNDS {
            let failure = format!("`{}` asked {MOST_ROUNDS} times without coming to an answer", asker.name);
            return Err(Refused::Failure(Failure::new(failure)));
        }
        let reach = &asker.call.reach;
        let wanted = asks.questions.iter().map(|(_, question)| needs(question));
        let missing: Vec<Abilities> = wanted.filter(|one| !reach.can.contains(*one)).collect();
        let mut requests = InputRequests::new();
        let mut asked = BTreeMap::new();
        if missing.is_empty() {
            for (key, question) in asks.questions {
                let (request, kind) = request(question, asker.name)?;
                requests.insert(key.clone(), request);
                asked.insert(key, kind);
            }
        }
        match &reach.way {
            Way::ByAnswer if !missing.is_empty() => {
                Err(Refused::Protocol(Box::new(ErrorData::missing_required_client_capability(capabilities(&missing)))))
            }
            Way::ByRequest(_) | Way::Unavailable if !missing.is_empty() => Err(cannot(&missing, asker.name)),
            Way::ByAnswer => {
                let remembered = Remembered { round: number, state: asks.state, asked };
                let owned = asker.owned();
                let options = SealOptions::new().associated_data(owned.as_bytes()).ttl(self.valid);
                let state = self.codec.seal_json_with(&remembered, &options);
                let state = state.map_err(|error| Refused::Failure(Failure::new(error.to_string())))?;
                Ok(Next::Ask(Box::new(InputRequiredResult::new(Some(requests), Some(state)))))
            }
            Way::ByRequest(peer) => {
                let mut answers = Vec::new();
                for (key, request) in requests {
                    let answer = tokio::select! {
                        answer = put_to(peer, request, self.valid) => answer.map_err(Refused::Failure)?,
                        () = asker.call.taken_back() => {
                            return Err(Refused::Failure(Failure::new("the question was taken back")));
                        }
                    };
                    if let Some(kind) = asked.get(&key) {
                        fits(kind, &answer)
                            .map_err(|why| Refused::Failure(Failure::new(format!("the answer `{key}` {why}"))))?;
                    }
                    answers.push((key, answer.to_string()));
                }
                Ok(Next::Again(Round { number, again: Some(Again { answers, state: asks.state }) }))
            }
            Way::Unavailable => Err(cannot(&missing, asker.name)),
        }
    }
}

/// Asks a client by a request of ours.
///
/// # Errors
/// It cannot be asked, or does not answer in time.
pub(crate) async fn put_to(peer: &Peer<RoleServer>, request: InputRequest, within: Duration) -> Result<Value, Failure> {
    let asking = async {
        match request {
            InputRequest::Elicitation(request) => {
                let answer = peer.create_elicitation_with_timeout(request.params, Some(within)).await;
                answer.map(|answer| json!(answer))
            }
            InputRequest::CreateMessage(request) => {
                peer.create_message(request.params).await.map(|answer| json!(answer))
            }
            _ => peer.list_roots().await.map(|answer| json!(answer)),
        }
    };
    match tokio::time::timeout(within, asking).await {
        Ok(answer) => answer.map_err(|error| Failure::new(format!("the client could not be asked: {error}"))),
        Err(_) => Err(Failure::new("the client did not answer in time")),
    }
}

fn needs(question: &Question) -> Abilities {
    match question {
        Question::Form(_) => Abilities::FORMS,
        Question::Completion(_) => Abilities::COMPLETIONS,
        Question::Roots => Abilities::ROOTS,
    }
}

/// As the protocol names them.
fn capabilities(missing: &[Abilities]) -> ClientCapabilities {
    let mut capabilities = ClientCapabilities::default();
    if missing.contains(&Abilities::FORMS) {
        capabilities.elicitation = Some(Default::default());
    }
    if missing.contains(&Abilities::COMPLETIONS) {
        capabilities.sampling = Some(Default::default());
    }
    if missing.contains(&Abilities::ROOTS) {
        capabilities.roots = Some(Default::default());
    }
    capabilities
}

fn cannot(missing: &[Abilities], name: &str) -> Refused {
    let words = [
        (Abilities::FORMS, "ask a person (elicitation)"),
        (Abilities::COMPLETIONS, "ask its model (sampling)"),
        (Abilities::ROOTS, "name its directories (roots)"),
    ];
    let words: Vec<_> = words.iter().filter(|(one, _)| missing.contains(one)).map(|(_, words)| *words).collect();
    let words = words.join(" and ");
    Refused::Failure(Failure::new(format!("`{name}` wants the client to {words}, which this client does not support")))
}

/// A question as the protocol has it.
fn request(question: Question, name: &str) -> Result<(InputRequest, Kind), Refused> {
    let unusable = |error: serde_json::Error| {
        Refused::Failure(Failure::new(format!("`{name}` asks in a way that clients do not understand: {error}")))
    };
    Ok(match question {
        Question::Form(Form { message, schema }) => {
            let schema: Value = serde_json::from_str(&schema).map_err(unusable)?;
            // The question first says that the tool asks, not the client and not this server.
            let message = format!("`{name}` asks: {message}");
            let params = json!({ "mode": "form", "message": message, "requestedSchema": schema });
            let params: ElicitRequestParams = serde_json::from_value(params).map_err(unusable)?;
            (InputRequest::Elicitation(ElicitRequest::new(params)), Kind::Form(schema))
        }
        Question::Completion(Completion { messages, system_prompt, max_tokens }) => {
            let messages: Vec<_> = messages
                .into_iter()
                .map(|message| {
                    let role = match message.role {
                        Role::User => "user",
                        Role::Assistant => "assistant",
                    };
                    json!({ "role": role, "content": content::block(message.content) })
                })
                .collect();
            let mut params = json!({ "messages": messages, "maxTokens": max_tokens });
            if let Some(prompt) = system_prompt {
                params["systemPrompt"] = Value::String(prompt);
            }
            let params: CreateMessageRequestParams = serde_json::from_value(params).map_err(unusable)?;
            (InputRequest::CreateMessage(CreateMessageRequest::new(params)), Kind::Completion)
        }
        Question::Roots => (InputRequest::ListRoots(ListRootsRequest::default()), Kind::Roots),
    })
}

/// Whether an answer has the form of its question, and what was filled in fits.
fn fits(kind: &Kind, answer: &Value) -> Result<(), String> {
    fn is<T: DeserializeOwned>(answer: &Value) -> Result<T, String> {
        serde_json::from_value(answer.clone()).map_err(|error| format!("is invalid: {error}"))
    }
    match kind {
        Kind::Form(schema) => {
            let answer: ElicitResult = is(answer)?;
            if answer.action != ElicitationAction::Accept {
                return Ok(());
            }
            let content = answer.content.unwrap_or_else(|| json!({}));
            let schema = Schema::new(schema).map_err(|error| error.to_string())?;
            match schema.complaints(&content, 1).first() {
                Some(complaint) => {
                    let said: String = complaint.said.chars().take(200).collect();
                    Err(format!("does not fit the form: {said}"))
                }
                None => Ok(()),
            }
        }
        Kind::Completion => is::<CreateMessageResult>(answer).map(|_| ()),
        Kind::Roots => is::<ListRootsResult>(answer).map(|_| ()),
    }
}

/// Whether it could be an answer to anything.
fn known_form(answer: &Value) -> bool {
    let object = answer.as_object();
    object.is_some_and(|object| ["action", "content", "roots"].iter().any(|member| object.contains_key(*member)))
}

fn invalid(why: &impl std::fmt::Display) -> Refused {
    let message = format!("this does not answer a question of this server: {why}");
    Refused::Protocol(Box::new(ErrorData::invalid_params(message, None)))
}

#[cfg(test)]
mod tests;
