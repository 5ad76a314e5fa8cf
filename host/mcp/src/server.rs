//! The protocol's requests.
//!
//! [`Server`] is one for all connections; a [`Connection`] answers the requests of one of them. (A stateless HTTP request
//! is a connection of its own.) Every capability that is not declared answers "method not found": rmcp's own answer
//! would be an empty result, from which a client cannot tell a server without prompts from one with none.

use crate::approval::Approvals;
use crate::call::{Again, Call, person};
use crate::conceal::Conceal;
use crate::failure::Failure;
use crate::http::Client;
use crate::limits::ServerLimits;
use crate::misfits;
use crate::registry::Registry;
use crate::reporter::Reporter;
use crate::runs::Runs;
use crate::tool::Answer;
use crate::tools::{self, Shared};
use crate::workflows::Workflows;
use crate::workshop::Workshop;
use axum::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam, CompleteRequestMethod,
    CompleteRequestParams, CompleteResult, ContentBlock, CustomRequest, CustomResult, ErrorData, Implementation,
    ListPromptsRequestMethod, ListPromptsResult, ListResourceTemplatesRequestMethod, ListResourceTemplatesResult,
    ListResourcesRequestMethod, ListResourcesResult, ListToolsResult, PaginatedRequestParams, RequestId,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OnceCell, Semaphore};
use tokio_util::sync::CancellationToken;

const INSTRUCTIONS: &str = "Customizes Azure SDK client libraries from TypeSpec: `azsdk_package_customize_code` does the \
    work and may answer `running`, then `azsdk_run_wait` waits for it; with `azsdk_sdk_customization_workflow` you edit and it checks. A finished run is a person's to decide: \
    `azsdk_run_approve` asks them, `azsdk_run_revert` undoes it.";

/// How a connection tells that a call is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// By a notification, and by its end.
    Stdio,
    /// By a notification alone: a connection is lost for many reasons.
    Http,
}

/// The server. Cheap to clone.
#[derive(Clone)]
pub struct Server(Arc<Inner>);

struct Inner {
    shared: Arc<Shared>,
    registry: OnceCell<Registry>,
}

impl Server {
    /// A server over this workshop. Nothing is loaded yet.
    ///
    /// # Errors
    /// The system has no random bytes.
    pub fn new(workshop: Arc<dyn Workshop>, limits: ServerLimits) -> Result<Self, Failure> {
        let runs = Runs::new(workshop.clone(), limits.clone());
        let approvals = Approvals::new(&limits)?;
        let workflows = Workflows::new(workshop.clone(), limits.clone(), runs.closing().clone());
        let shared = Arc::new(Shared { workshop, limits, runs, workflows, approvals });
        Ok(Self(Arc::new(Inner { shared, registry: OnceCell::new() })))
    }

    /// Its bounds.
    #[must_use]
    pub fn limits(&self) -> &ServerLimits {
        &self.0.shared.limits
    }

    /// The tools, loaded when they are first asked for.
    ///
    /// # Errors
    /// The sandbox or one of its tools cannot be had.
    pub async fn registry(&self) -> Result<&Registry, Failure> {
        let shared = &self.0.shared;
        self.0
            .registry
            .get_or_try_init(async || {
                let mut registry = Registry::default();
                tools::add_runs(&mut registry, shared)?;
                if shared.workshop.has_grants() {
                    tools::add_files(&mut registry, &shared.workshop.toolbox().await?)?;
                }
                Ok(registry)
            })
            .await
    }

    /// Whoever answers one connection. `calls` bounds what one client may have open, over all its connections.
    #[must_use]
    pub fn connection(&self, transport: Transport, calls: Arc<Semaphore>) -> Connection {
        Connection { server: self.clone(), transport, calls, open: Mutex::new(HashMap::new()) }
    }

    /// As many calls as one client may have open.
    #[must_use]
    pub fn calls(&self) -> Arc<Semaphore> {
        Arc::new(Semaphore::new(self.limits().calls))
    }

    /// Ends every customization and every step of a workflow; both repositories of each are then as before it.
    pub async fn close(&self) {
        self.0.shared.runs.close().await;
        self.0.shared.workflows.close().await;
    }
}

/// Answers the requests of one connection.
pub struct Connection {
    server: Server,
    transport: Transport,
    calls: Arc<Semaphore>,
    /// The open calls of an HTTP session, for a notification that takes one back.
    open: Mutex<HashMap<RequestId, CancellationToken>>,
}

/// Forgets an open call when it is over.
struct Open<'a> {
    connection: &'a Connection,
    id: RequestId,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.connection.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

impl Connection {
    fn opened(&self, context: &RequestContext<RoleServer>) -> (CancellationToken, Option<Open<'_>>) {
        match self.transport {
            Transport::Stdio => (context.ct.clone(), None),
            // The token of the request is also cancelled when the connection is lost.
            Transport::Http => {
                let token = CancellationToken::new();
                let id = context.id.clone();
                self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), token.clone());
                (token, Some(Open { connection: self, id }))
            }
        }
    }

    async fn answer(
        &self,
        registry: &Registry,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Answer, Failure> {
        let client = context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Client>());
        let calls = client.map_or(&self.calls, |client| &client.calls);
        let _permit = calls.try_acquire().map_err(|_| {
            Failure::new(format!("{} calls are open, and no more are taken", self.server.limits().calls))
                .hint("wait for one of them to be answered")
        })?;
        let (cancelled, _open) = self.opened(context);
        let call = Call {
            reporter: Reporter::new(&context.peer, context.meta.get_progress_token()),
            cancelled,
            closing: self.server.0.shared.runs.closing().clone(),
            person: person(context),
            again: Again { responses: request.input_responses, state: request.request_state },
        };
        let arguments = request.arguments.unwrap_or_default();
        // Every failure of every tool passes here. What the client wrote itself it may read again.
        let given: Vec<_> = arguments.values().filter_map(Value::as_str).map(PathBuf::from).collect();
        let answer = registry.call(&request.name, arguments, &call).await;
        answer.map_err(|failure| {
            let places = self.server.0.shared.workshop.private_places();
            let conceal = Conceal::new(given.iter().map(PathBuf::as_path), &places);
            Failure {
                message: conceal.everything(&failure.message),
                hint: failure.hint.map(|hint| conceal.everything(&hint)),
            }
        })
    }
}

impl ServerHandler for Connection {
    fn get_info(&self) -> ServerConfig {
        let own = Implementation::new("bailiwick", env!("CARGO_PKG_VERSION")).with_title("bailiwick");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(own)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params("the list has one page, and no cursor of it was given out", None));
        }
        let registry = self.server.registry().await.map_err(|failure| self.unusable(&failure))?;
        Ok(ListToolsResult::with_all_items(registry.list()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let registry = self.server.registry().await.map_err(|failure| self.unusable(&failure))?;
        if !registry.has(&request.name) {
            return Err(ErrorData::invalid_params(format!("there is no tool `{}`", request.name), None));
        }
        Ok(match self.answer(registry, request, &context).await {
            Ok(Answer::Text(text)) => CallToolResult::success(vec![ContentBlock::text(text)]).into(),
            Ok(Answer::Structured { value, text }) => {
                let mut result = CallToolResult::structured(value);
                // rmcp repeats the value as text; a reader is served better by what it comes to.
                result.content = vec![ContentBlock::text(text)];
                result.into()
            }
            Ok(Answer::Ask(ask)) => (*ask).into(),
            Err(failure) => CallToolResult::error(vec![ContentBlock::text(failure.text())]).into(),
        })
    }

    /// A method that the protocol has comes here when its parameters do not fit.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(misfits::error(&request))
    }

    async fn on_cancelled(&self, notification: CancelledNotificationParam, _: NotificationContext<RoleServer>) {
        let Some(id) = notification.request_id else { return };
        if let Some(token) = self.open.lock().unwrap_or_else(PoisonError::into_inner).get(&id) {
            token.cancel();
        }
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourcesRequestMethod>())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourceTemplatesRequestMethod>())
    }
}

impl Connection {
    /// The server itself is in no state to serve; what its operator reads on stderr is not a client's to read.
    fn unusable(&self, failure: &Failure) -> ErrorData {
        ErrorData::internal_error(self.server.0.shared.conceal().everything(&failure.message), None)
    }
}
