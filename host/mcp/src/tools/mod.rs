//! The tools that this server offers.

mod answer;
mod cancel;
mod customize;
mod files;
mod fix;
mod list;
mod package;
mod request;
mod revert;
pub(crate) mod schema;
mod show;
mod wait;
mod workflow;

mod approve;

use crate::approval::Approvals;
use crate::call::Call;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::host_context::{FileTools, HostContext, Toolbox};
use crate::keys::Keys;
use crate::limits::ServerLimits;
use crate::packages::PackageDirectories;
use crate::path_redaction::PathRedaction;
use crate::registry::Registry;
use crate::replicas::Link;
use crate::roots::Directories;
use crate::runs::{Job, Runs};
use crate::sampling::{ModelOf, Redeemed, Sampler};
use crate::tool::Answer;
use crate::visible::{Sight, VisibleRuns};
use crate::work::Role;
use crate::workflows::Workflows;
use bailiwick_runs::RunId;
use bailiwick_sandbox::rich::Abilities;
use rmcp::model::JsonObject;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// What the tools share.
pub(crate) struct Shared {
    pub(crate) host: Arc<dyn HostContext>,
    pub(crate) limits: ServerLimits,
    pub(crate) keys: Keys,
    /// The other replicas of this server.
    pub(crate) link: Link,
    pub(crate) runs: Runs,
    pub(crate) workflows: Workflows,
    pub(crate) approvals: Approvals,
    pub(crate) sampler: Sampler,
}

impl Shared {
    /// The runs as this caller has them: those of others, and those outside the directories that were named or that the
    /// roots of the client leave, do not exist.
    pub(crate) async fn store(&self, caller: &Caller, directories: &Directories) -> Result<VisibleRuns, Failure> {
        Ok(VisibleRuns::new(self.host.store()?, self.sight(caller, directories).await?))
    }

    /// What this caller sees of what is at work: as of what is in the store.
    pub(crate) async fn sight(&self, caller: &Caller, directories: &Directories) -> Result<Sight, Failure> {
        Ok(Sight::new(caller.clone(), self.packages(directories).await?.identities()))
    }

    /// The run of this name that this server worked on, if the sender of the call sees it.
    async fn job(&self, id: &RunId, call: &Call) -> Result<Option<Arc<Job>>, Failure> {
        Ok(self.runs.find(id, &self.sight(&call.caller, &call.directories).await?))
    }

    /// The directories in which this client may work on packages.
    ///
    /// # Errors
    /// The client has roots and does not say which.
    pub(crate) async fn packages(&self, directories: &Directories) -> Result<PackageDirectories, Failure> {
        self.host.packages().for_client(directories).await
    }

    /// Whether the model that is to classify and edit can be asked.
    ///
    /// # Errors
    /// It is the client's, and this client offers none.
    pub(crate) fn model_in_reach(&self, call: &Call) -> Result<(), Failure> {
        if self.host.model() == ModelOf::Host || call.reach.can.contains(Abilities::COMPLETIONS) {
            return Ok(());
        }
        Err(Failure::new(
            "this server asks the client's model (`--model client`), and this client offers none (sampling)",
        )
        .hint("start the server without `--model client`, or with the model of a provider"))
    }

    /// What answers a call that was made again with the answer of the client's model; `None` where the tool answers it.
    ///
    /// # Errors
    /// The answer is to no prompt that waits.
    pub(crate) async fn resumed(
        &self,
        call: &Call,
        conceal: impl FnOnce() -> PathRedaction,
    ) -> Result<Option<Answer>, Failure> {
        match self.sampler.redeem(call)? {
            None | Some(Redeemed::Step) => Ok(None),
            Some(Redeemed::Run(id)) => {
                let job = self.job(&id, call).await?;
                let job = job.ok_or_else(|| Failure::new(format!("the run `{id}` is not at work in this server")))?;
                let within = self.limits.answer_within;
                answer::wait(self, &job, within, Role::Began, call, &conceal()).await.map(Some)
            }
        }
    }

    /// Text for a client that gave none of the paths in it.
    pub(crate) fn conceal(&self) -> PathRedaction {
        PathRedaction::new([], &self.host.private_places())
    }
}

/// Every tool but those over files.
///
/// # Errors
/// See [`Registry::add`].
pub(crate) fn add_runs(registry: &mut Registry, shared: &Arc<Shared>) -> Result<(), Failure> {
    registry.add(Arc::new(customize::Customize::new(shared.clone())))?;
    package::add(registry, shared)?;
    registry.add(Arc::new(workflow::Workflow::new(shared.clone())))?;
    registry.add(Arc::new(fix::Fix::new(shared.clone())))?;
    registry.add(Arc::new(wait::Wait::new(shared.clone())))?;
    registry.add(Arc::new(cancel::Cancel::new(shared.clone())))?;
    registry.add(Arc::new(list::List::new(shared.clone())))?;
    registry.add(Arc::new(show::Show::new(shared.clone())))?;
    registry.add(Arc::new(revert::Revert::new(shared.clone())))?;
    registry.add(Arc::new(approve::Approve::new(shared.clone())))?;
    match shared.host.requests() {
        Some(requests) => registry.add(Arc::new(request::Request::new(shared.clone(), requests))),
        None => Ok(()),
    }
}

/// The sandboxed tools over the operator's grants: those that write only where a grant can be written to.
///
/// # Errors
/// See [`Registry::add`].
pub(crate) fn add_files(registry: &mut Registry, toolbox: &Toolbox) -> Result<(), Failure> {
    for tool in files::offered(toolbox) {
        registry.add(Arc::new(tool))?;
    }
    if toolbox.names == FileTools::Reference {
        // What the reference server calls deprecated.
        registry.alias("read_file", "read_text_file")?;
    }
    Ok(())
}

/// Arguments that fit their schema, as their type.
fn arguments<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, Failure> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|error| Failure::new(format!("the arguments do not fit: {error}")))
}

/// A value of ours with what it comes to as text.
fn structured(value: &impl Serialize, text: String) -> Result<Answer, Failure> {
    let value =
        serde_json::to_value(value).map_err(|error| Failure::new(format!("the answer cannot be written: {error}")))?;
    Ok(Answer::Structured { value, text })
}

/// The name of a run.
fn run_id(text: &str) -> Result<RunId, Failure> {
    text.parse().map_err(|error| Failure::new(format!("{error}")).hint("`azsdk_run_list` names the runs"))
}

/// The name of a run as the store has it: `running` may have given out another before the run began.
async fn recorded_run(shared: &Shared, call: &Call, text: &str) -> Result<RunId, Failure> {
    let id = run_id(text)?;
    let job = shared.job(&id, call).await?;
    Ok(job.and_then(|job| job.run().cloned()).unwrap_or(id))
}

/// A relative path would depend on where the client happened to start this server.
fn absolute(name: &str, path: Option<&Path>) -> Result<(), Failure> {
    if path.is_some_and(|path| !path.is_absolute()) {
        return Err(
            Failure::new(format!("`{name}` is not an absolute path")).hint("write the whole path of the directory")
        );
    }
    Ok(())
}
