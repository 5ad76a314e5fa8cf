//! The requests of one connection.

#![expect(
    deprecated,
    reason = "clients up to 2025-11-25 set the level of logging and subscribe to resources one by one"
)]

use super::call::Asked;
use super::offered::Sources;
use super::subscriptions::{Subscriptions, accepted, told};
use super::{Client, Offered, Server, Transport};
use crate::call::{Again, Call, Patience, client, person};
use crate::completion::{self, Kind};
use crate::component::Reach;
use crate::failure::Failure;
use crate::invalid_params::{self, Era};
use crate::logger::{Level, Logger};
use crate::prompts::Filled;
use crate::refusal::Refusal;
use crate::reporter::Reporter;
use crate::roots::{Directories, Roots};
use crate::watch::{seen, watch};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CancelledNotificationParam, CompleteRequestParams,
    CompleteResult, CustomRequest, CustomResult, ErrorData, GetPromptRequestParams, GetPromptResponse, GetTaskParams,
    GetTaskResult, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    Reference, RequestId, ServerCapabilities, ServerConfig, SetLevelRequestMethod, SetLevelRequestParams,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

const INSTRUCTIONS: &str = "Customizes Azure SDK client libraries from TypeSpec: `azsdk_package_customize_code` does the \
    work and may answer `running`, then `azsdk_run_wait` waits for it; with `azsdk_sdk_customization_workflow` you edit and it checks. A finished run is a person's to decide: \
    `azsdk_run_approve` asks them, `azsdk_run_revert` undoes it. What TypeSpec can do for a library is in the resource \
    `bailiwick://knowledge/customizing-client-tsp`, what a run did in `bailiwick://runs/{runId}/report`.";

/// Answers the requests of one connection.
pub struct Connection {
    server: Server,
    transport: Transport,
    client: Arc<Client>,
    /// The open calls of an HTTP session, for a notification that takes one back.
    open: Mutex<HashMap<RequestId, CancellationToken>>,
    subscriptions: Subscriptions,
    /// What a client up to 2025-11-25 wants logged, once it said so.
    level: Mutex<Option<Level>>,
    roots: Arc<Roots>,
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
    pub(super) fn new(server: Server, transport: Transport, client: Arc<Client>) -> Self {
        Self {
            server,
            transport,
            client,
            open: Mutex::default(),
            subscriptions: Subscriptions::default(),
            level: Mutex::default(),
            roots: Arc::default(),
        }
    }

    /// What is known of this client's roots, for readers that see a change before the protocol's loop does.
    pub(crate) fn roots(&self) -> Arc<Roots> {
        self.roots.clone()
    }

    fn directories(&self, context: &RequestContext<RoleServer>) -> Directories {
        let shared = self.server.shared();
        Directories::new(shared.host.client_roots(), &self.roots, context, shared.limits.roots)
    }

    /// The resources and prompts as this client has them.
    async fn sources(&self, context: &RequestContext<RoleServer>) -> Result<Sources, ErrorData> {
        Ok(self.offered().await?.sources(&self.directories(context), &self.client(context).caller))
    }

    fn opened(&self, context: &RequestContext<RoleServer>) -> (CancellationToken, Option<Open<'_>>) {
        match self.transport {
            Transport::Stdio => (context.ct.clone(), None),
            // From 2026-07-28 on, a client takes a request back by closing the stream of its answer.
            Transport::Http if Logger::is_of_requests(context) => (context.ct.clone(), None),
            // Before, a stream that is lost takes nothing back, and the token of the request would say that it does.
            Transport::Http => {
                let token = CancellationToken::new();
                let id = context.id.clone();
                self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), token.clone());
                (token, Some(Open { connection: self, id }))
            }
        }
    }

    /// Whose this request is.
    fn client<'a>(&'a self, context: &'a RequestContext<RoleServer>) -> &'a Arc<Client> {
        Client::of(&context.extensions).unwrap_or(&self.client)
    }

    fn logger(&self, context: &RequestContext<RoleServer>) -> Logger {
        Logger::of(context, *self.level.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn offered(&self) -> Result<Arc<Offered>, ErrorData> {
        self.server.offered().await.map_err(|failure| self.unusable(failure))
    }

    /// The server itself is in no state to serve; what its operator reads on stderr is not a client's to read.
    fn unusable(&self, failure: Failure) -> ErrorData {
        self.refused(Refusal::Failed(failure))
    }

    fn refused(&self, refusal: Refusal) -> ErrorData {
        refusal.error(&self.server.shared().conceal())
    }
}

/// Lists have one page.
fn whole(request: Option<&PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.is_some_and(|request| request.cursor.is_some()) {
        true => Err(ErrorData::invalid_params("the list has one page, and no cursor of it was given out", None)),
        false => Ok(()),
    }
}

impl ServerHandler for Connection {
    fn get_info(&self) -> ServerConfig {
        let own = Implementation::new("bailiwick", env!("CARGO_PKG_VERSION")).with_title("bailiwick");
        let mut capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_prompts()
            .enable_completions()
            .enable_tasks()
            .build();
        if self.server.shared().host.offers_added() {
            // What this server has to say for itself is progress; only added tools log.
            capabilities.logging = Some(Default::default());
        }
        if self.server.shared().host.reloads() {
            capabilities.tools.get_or_insert_default().list_changed = Some(true);
        }
        ServerConfig::new(capabilities).with_server_info(own).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        whole(request.as_ref())?;
        Ok(ListToolsResult::with_all_items(self.offered().await?.registry.list()))
    }

    // Against it the transport checks the headers that repeat arguments, where a schema asks for some (`x-mcp-header`).
    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.server.loaded()?.registry.listed(name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !self.offered().await?.registry.has(&request.name) {
            return Err(ErrorData::invalid_params(format!("there is no tool `{}`", request.name), None));
        }
        let (taken_back, _open) = self.opened(&context);
        let (server, client, logger) = (&self.server, self.client(&context), self.logger(&context));
        let directories = self.directories(&context);
        let asked = Asked { server, client, request, context: &context, taken_back, logger, directories };
        // The protocol's loop moves the future of every message about, which is as large as the largest of them.
        Box::pin(asked.answer()).await
    }

    /// A method that the protocol has comes here when its parameters do not fit.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let era = if Logger::is_of_requests(&context) { Era::Requests } else { Era::Sessions };
        Err(invalid_params::error(&request, era))
    }

    async fn on_cancelled(&self, notification: CancelledNotificationParam, _: NotificationContext<RoleServer>) {
        let Some(id) = notification.request_id else { return };
        if let Some(token) = self.open.lock().unwrap_or_else(PoisonError::into_inner).get(&id) {
            token.cancel();
        }
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if self.server.shared().host.reloads() {
            self.subscriptions.add_list(self.server.reloads(), context.peer);
        }
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        // Over stdio it was heard before this, in the order it came.
        if self.transport == Transport::Http {
            self.roots.changed();
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        whole(request.as_ref())?;
        let listed = self.sources(&context).await?.resources().await;
        listed.map(ListResourcesResult::with_all_items).map_err(|failure| self.unusable(failure))
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        whole(request.as_ref())?;
        let listed = self.sources(&context).await?.templates().await;
        listed.map(ListResourceTemplatesResult::with_all_items).map_err(|failure| self.unusable(failure))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents =
            self.sources(&context).await?.read(&request.uri).await.map_err(|refusal| self.refused(refusal))?;
        Ok(ReadResourceResult::new(contents).into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let libraries = self.sources(&context).await?.libraries;
        // What changes after the answer to this differs from what is seen now.
        let Some((uri, Some(state))) = seen(&libraries, vec![request.uri.clone()]).await.pop_first() else {
            return Err(self.refused(Refusal::NoResource(request.uri)));
        };
        let (limits, seen) = (self.server.limits(), (uri, Some(state)));
        let added = self.subscriptions.add(libraries, seen, limits.look_every, limits.subscriptions, context.peer);
        added.map_err(|failure| self.refused(Refusal::Invalid(failure.message)))
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscriptions.remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(accepted(requested, self.server.limits().subscriptions, self.server.shared().host.reloads()))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let uris = context.accepted().resource_subscriptions.clone().unwrap_or_default();
        // Clients of this era have no roots.
        let caller = &self.client(context.request_context()).caller;
        let libraries = self.offered().await?.sources(&Directories::unasked(), caller).libraries;
        let watching = async {
            let seen = seen(&libraries, uris).await;
            watch(libraries, seen, self.server.limits().look_every, context.sink().clone()).await;
        };
        let lists = async {
            match context.accepted().tools_list_changed {
                Some(true) => told(self.server.reloads(), context.sink().clone()).await,
                _ => std::future::pending().await,
            }
        };
        let ended = async {
            tokio::select! {
                () = watching => {}
                () = lists => {}
                () = context.cancelled() => {}
                () = self.server.shared().runs.closing().cancelled() => {}
            }
        };
        // By far the largest future there is, and every other message would be as large.
        Box::pin(ended).await;
        Ok(())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        whole(request.as_ref())?;
        let listed = self.sources(&context).await?.prompts().await;
        listed.map(ListPromptsResult::with_all_items).map_err(|failure| self.unusable(failure))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let mut filled = Filled::new();
        for (name, value) in request.arguments.unwrap_or_default() {
            let Value::String(text) = value else {
                return Err(ErrorData::invalid_params(format!("the argument `{name}` is not a string"), None));
            };
            filled.insert(name, text);
        }
        let (cancelled, _open) = self.opened(&context);
        let call = Call {
            reporter: Reporter::new(&context.peer, context.meta.get_progress_token()),
            logger: self.logger(&context),
            directories: self.directories(&context),
            patience: Patience::Usual,
            cancelled,
            unheard: CancellationToken::new(),
            closing: self.server.shared().runs.closing().clone(),
            client: client(&context),
            owner: self.client(&context).name.clone(),
            caller: self.client(&context).caller.clone(),
            person: person(&context),
            reach: Reach::of(&context),
            again: Again { responses: request.input_responses, state: request.request_state },
        };
        let prompt = self.sources(&context).await?.prompt(&request.name, &filled, &call).await;
        prompt.map_err(|refusal| self.refused(refusal))
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let argument = &request.argument.name;
        let known = match &request.r#ref {
            Reference::Prompt(prompt) => self.sources(&context).await?.has_argument(&prompt.name, argument).await,
            Reference::Resource(resource) => completion::has_argument(&resource.uri, argument)
                .ok_or_else(|| Refusal::Invalid(format!("there is no template `{}`", resource.uri))),
            _ => Ok(false),
        };
        if !known.map_err(|refusal| self.refused(refusal))? {
            return Err(ErrorData::invalid_params(format!("there is no argument `{argument}`"), None));
        }
        if let Reference::Prompt(prompt) = &request.r#ref {
            let given = [prompt.name.as_str(), argument.as_str(), request.argument.value.as_str()];
            let suggested =
                self.sources(&context).await?.complete(given).await.map_err(|refusal| self.refused(refusal))?;
            if let Some(values) = suggested {
                return Ok(CompleteResult::new(completion::bounded(values)));
            }
        }
        let (shared, caller) = (self.server.shared(), &self.client(&context).caller);
        let whose = (caller, &self.directories(&context));
        let suggested = completion::suggest(shared, whose, Kind::of(argument), &request.argument.value).await;
        suggested.map(CompleteResult::new).map_err(|refusal| self.refused(refusal))
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if Logger::is_of_requests(&context) || self.get_info().capabilities.logging.is_none() {
            return Err(ErrorData::method_not_found::<SetLevelRequestMethod>());
        }
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = Some(request.level.into());
        Ok(())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        self.client(&context).tasks.get(&request.task_id).map(GetTaskResult::new)
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.client(&context).tasks.update(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.client(&context).tasks.cancel(&request.task_id)
    }
}
