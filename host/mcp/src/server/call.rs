//! A call of a tool, and how it becomes a task.

use super::elsewhere::{doubted, elsewhere};
use super::{Client, Server, asking};
use crate::call::{Again, Call, Patience, client, person};
use crate::component::Reach;
use crate::failure::Failure;
use crate::logger::Logger;
use crate::path_redaction::PathRedaction;
use crate::reporter::{Promotion, Reporter};
use crate::roots::Directories;
use crate::tasks::Place;
use crate::tool::{Answer, Tasks};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CreateTaskResult, ErrorData, JsonObject,
};
use rmcp::service::RequestContext;
use rmcp::task_manager::TaskExit;
use serde_json::Value;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;

/// A call as it came.
pub(super) struct Asked<'a> {
    pub(super) server: &'a Server,
    pub(super) client: &'a Arc<Client>,
    pub(super) request: CallToolRequestParams,
    pub(super) context: &'a RequestContext<RoleServer>,
    /// Cancelled when the client takes the call back.
    pub(super) taken_back: CancellationToken,
    pub(super) logger: Logger,
    pub(super) directories: Directories,
}

type Working = Pin<Box<dyn Future<Output = Result<Answer, Failure>> + Send>>;

impl Asked<'_> {
    /// Answers it, or begins a task that will.
    ///
    /// # Errors
    /// Where the protocol demands an error in place of a result.
    pub(super) async fn answer(self) -> Result<CallToolResponse, ErrorData> {
        let client = self.client.clone();
        let Ok(permit) = client.calls.clone().try_acquire_owned() else {
            let most = self.server.limits().calls;
            return Ok(refused(
                &Failure::new(format!("{most} calls are open, and no more are taken"))
                    .hint("wait for one of them to be answered"),
            ));
        };
        let knows_tasks = self.context.client_capabilities().is_some_and(|client| client.supports_tasks());
        // A task is known to this process alone; with others, its client could not ask the next one about it.
        let alone = self.server.shared().link.get().is_none();
        let place = if knows_tasks && alone && self.may_be_long().await { client.tasks.place() } else { None };
        match place {
            Some(place) => self.answer_or_task(permit, place).await,
            None => {
                let token = self.taken_back.clone();
                let working = self.working(permit, token, Patience::Usual, Promotion::default());
                answered(working.await)
            }
        }
    }

    async fn may_be_long(&self) -> bool {
        match self.server.offered().await {
            Ok(offered) => offered.registry.tasks(&self.request.name) == Tasks::WhenLong,
            Err(_) => false,
        }
    }

    async fn answer_or_task(
        self,
        permit: OwnedSemaphorePermit,
        place: Place<'_>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (client, asked) = (self.client.clone(), self.taken_back.clone());
        // A task goes on when its request is answered, and whatever becomes of that request afterwards.
        let (token, promotion) = (CancellationToken::new(), Promotion::default());
        let limits = client.tasks.limits().clone();
        let mut working = self.working(permit, token.clone(), Patience::Endless, promotion.clone());
        let late = tokio::time::sleep(limits.after);
        tokio::pin!(late);
        tokio::select! {
            answer = &mut working => return answered(answer),
            () = asked.cancelled() => {
                token.cancel();
                return answered(working.await);
            }
            () = &mut late => {}
        }
        place.take();
        let task = client.tasks.manager.spawn(client.tasks.options(), |task| {
            promotion.to(task.clone());
            Box::pin(async move {
                tokio::select! {
                    answer = &mut working => return settled(answer),
                    () = task.cancelled() => {}
                    () = tokio::time::sleep(limits.longest) => {}
                }
                token.cancel();
                settled(working.await)
            })
        });
        Ok(CallToolResponse::Task(CreateTaskResult::new(task)))
    }

    /// The work of the call. Every failure of every tool passes here.
    fn working(
        self,
        permit: OwnedSemaphorePermit,
        cancelled: CancellationToken,
        patience: Patience,
        promotion: Promotion,
    ) -> Working {
        let mut call = Call {
            reporter: Reporter::new(&self.context.peer, self.context.meta.get_progress_token())
                .or_task(promotion.clone()),
            logger: self.logger,
            directories: self.directories,
            patience,
            cancelled,
            unheard: CancellationToken::new(),
            closing: self.server.shared().runs.closing().clone(),
            client: client(self.context),
            owner: self.client.name.clone(),
            caller: self.client.caller.clone(),
            person: person(self.context),
            reach: Reach::of(self.context),
            again: Again { responses: self.request.input_responses, state: self.request.request_state },
        };
        let (server, name) = (self.server.clone(), self.request.name);
        let arguments = self.request.arguments.unwrap_or_default();
        Box::pin(async move {
            let _permit = permit;
            let mut rounds = 0;
            let answer = loop {
                let answer = called(&server, &name, arguments.clone(), &call).await;
                match (answer, promotion.task()) {
                    // A task is not called again: its client finds the questions in its state.
                    (Ok(Answer::Ask(ask)), Some(task)) => {
                        let again = tokio::select! {
                            again = asking::asked(task, *ask, &mut rounds) => again,
                            () = call.taken_back() => None,
                        };
                        match again {
                            Some(again) => call.again = again,
                            None => break Ok(Answer::TakenBack("it was ended while it waited for an answer".into())),
                        }
                    }
                    (answer, _) => break answer,
                }
            };
            answer.map_err(|failure| concealed(&server, &arguments, failure))
        })
    }
}

async fn called(server: &Server, name: &str, arguments: JsonObject, call: &Call) -> Result<Answer, Failure> {
    match elsewhere(server, name, &arguments, call).await? {
        Some(answer) => Ok(answer),
        None => match here(server, name, arguments.clone(), call).await {
            Ok(answer) => Ok(answer),
            Err(failure) => Err(doubted(server, name, &arguments, failure).await),
        },
    }
}

/// Answers a call in this process.
pub(super) async fn here(server: &Server, name: &str, arguments: JsonObject, call: &Call) -> Result<Answer, Failure> {
    // A call that was made again goes on with the run that asked.
    let resumed = server.shared().resumed(call, || conceal(server, &arguments)).await?;
    if let Some(answer) = resumed {
        return Ok(answer);
    }
    server.offered().await?.registry.call(name, arguments, call).await
}

/// A failure as a client may read it.
pub(super) fn concealed(server: &Server, arguments: &JsonObject, failure: Failure) -> Failure {
    let conceal = conceal(server, arguments);
    Failure { message: conceal.everything(&failure.message), hint: failure.hint.map(|hint| conceal.everything(&hint)) }
}

/// Paths of this machine, but for those that the client wrote itself.
fn conceal(server: &Server, arguments: &JsonObject) -> PathRedaction {
    let mut given = Vec::new();
    arguments.values().for_each(|value| texts(value, &mut given));
    PathRedaction::new(given.iter().map(PathBuf::as_path), &server.shared().host.private_places())
}

/// Every text in `value`, as the path it may be.
fn texts(value: &Value, found: &mut Vec<PathBuf>) {
    match value {
        Value::String(text) => found.push(PathBuf::from(text)),
        Value::Array(values) => values.iter().for_each(|value| texts(value, found)),
        Value::Object(members) => members.values().for_each(|value| texts(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// An answer as the protocol has it.
fn answered(answer: Result<Answer, Failure>) -> Result<CallToolResponse, ErrorData> {
    Ok(match answer {
        Ok(Answer::Ask(ask)) => (*ask).into(),
        Ok(Answer::Text(text)) => CallToolResult::success(vec![ContentBlock::text(text)]).into(),
        Ok(Answer::Structured { value, text }) => {
            let mut result = CallToolResult::structured(value);
            // rmcp repeats the value as text; a reader is served better by what it comes to.
            result.content = vec![ContentBlock::text(text)];
            result.into()
        }
        Ok(Answer::TakenBack(text)) => CallToolResult::error(vec![ContentBlock::text(text)]).into(),
        Ok(Answer::Parts { content, structured, is_error }) => {
            let mut result = if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
            result.structured_content = structured;
            result.into()
        }
        Ok(Answer::Protocol(error)) => return Err(*error),
        Err(failure) => refused(&failure),
    })
}

fn refused(failure: &Failure) -> CallToolResponse {
    CallToolResult::error(vec![ContentBlock::text(failure.text())]).into()
}

/// The end of a task. It is cancelled only where the tool says that its work was taken back: work that had ended by
/// itself, or that could not be taken back, must not look as if it had been.
fn settled(answer: Result<Answer, Failure>) -> Result<CallToolResult, TaskExit> {
    if let Ok(Answer::TakenBack(_)) = answer {
        return Err(TaskExit::Cancelled);
    }
    match answered(answer) {
        Ok(CallToolResponse::Complete(result)) => Ok(result),
        Err(error) => Err(TaskExit::Error(error)),
        Ok(CallToolResponse::InputRequired(_) | CallToolResponse::Task(_) | _) => {
            Err(TaskExit::Error(ErrorData::internal_error("the tool asked a question too late", None)))
        }
    }
}

#[cfg(test)]
impl Server {
    /// What a client is answered, for unit tests.
    pub(crate) async fn answer(&self, name: &str, arguments: JsonObject, call: &Call) -> Result<Answer, Failure> {
        called(self, name, arguments, call).await
    }

    /// Its work, for unit tests.
    pub(crate) fn runs(&self) -> &crate::runs::Runs {
        &self.shared().runs
    }

    /// Its steps of workflows, for unit tests.
    pub(crate) fn workflows(&self) -> &crate::workflows::Workflows {
        &self.shared().workflows
    }
}
