//! The guest's side: which interfaces a component exports, and the calls of their functions.

use super::Offers;
use super::exports::{prompts, resources, rich_tools};
use super::request::{RichRequest, RichResponse, What};
use crate::bindings::exports::bailiwick::tool::tool as plain;
use crate::rich::bindings::bailiwick::tool::content;
use crate::state::State;
use wasmtime::Store;
use wasmtime::component::{Instance, InstancePre};

/// A component that is linked, and what it exports of the three interfaces.
pub(crate) struct Parts {
    pre: InstancePre<State>,
    tools: Option<rich_tools::GuestIndices>,
    resources: Option<resources::GuestIndices>,
    prompts: Option<prompts::GuestIndices>,
}

impl Parts {
    /// `None` for a component that exports none of them in its form.
    pub(crate) fn new(pre: InstancePre<State>) -> Option<Self> {
        let tools = rich_tools::GuestIndices::new(&pre).ok();
        let resources = resources::GuestIndices::new(&pre).ok();
        let prompts = prompts::GuestIndices::new(&pre).ok();
        let any = tools.is_some() || resources.is_some() || prompts.is_some();
        any.then_some(Self { pre, tools, resources, prompts })
    }

    pub(crate) fn offers(&self) -> Offers {
        Offers { tools: self.tools.is_some(), resources: self.resources.is_some(), prompts: self.prompts.is_some() }
    }

    pub(crate) fn instantiate(&self, store: &mut Store<State>) -> wasmtime::Result<Instance> {
        self.pre.instantiate(store)
    }

    pub(crate) fn answer(
        &self,
        instance: &Instance,
        store: &mut Store<State>,
        wanted: &RichRequest,
    ) -> wasmtime::Result<Result<RichResponse, plain::ToolError>> {
        let missing = || wasmtime::format_err!("it does not export what it was asked for");
        let tools = |store: &mut Store<State>| self.tools.as_ref().ok_or_else(missing)?.load(store, instance);
        let resources = |store: &mut Store<State>| self.resources.as_ref().ok_or_else(missing)?.load(store, instance);
        let prompts = |store: &mut Store<State>| self.prompts.as_ref().ok_or_else(missing)?.load(store, instance);
        let answered = match &wanted.what {
            What::Describe => Ok(RichResponse::Described(tools(store)?.call_describe(store)?)),
            What::Call(call, _) => tools(store)?.call_invoke(store, call)?.map(RichResponse::Called),
            What::Resources => Ok(RichResponse::Resources(resources(store)?.call_offered(store)?)),
            What::Templates => Ok(RichResponse::Templates(resources(store)?.call_templates(store)?)),
            What::Read(uri) => resources(store)?.call_read(store, uri)?.map(RichResponse::Read),
            What::Prompts => Ok(RichResponse::Prompts(prompts(store)?.call_offered(store)?)),
            What::Get(call) => prompts(store)?.call_get(store, call)?.map(RichResponse::Got),
            What::Complete { prompt, argument, value } => {
                prompts(store)?.call_complete(store, prompt, argument, value)?.map(RichResponse::Completed)
            }
        };
        Ok(answered.map_err(|error| plain::ToolError { kind: kind(error.kind), message: error.message }))
    }
}

fn kind(kind: content::ErrorKind) -> plain::ErrorKind {
    match kind {
        content::ErrorKind::InvalidInput => plain::ErrorKind::InvalidInput,
        content::ErrorKind::NotPermitted => plain::ErrorKind::NotPermitted,
        content::ErrorKind::NotFound => plain::ErrorKind::NotFound,
        content::ErrorKind::WrongKind => plain::ErrorKind::WrongKind,
        content::ErrorKind::TooLarge => plain::ErrorKind::TooLarge,
        content::ErrorKind::NotText => plain::ErrorKind::NotText,
        content::ErrorKind::Ambiguous => plain::ErrorKind::Ambiguous,
        content::ErrorKind::NoMatch => plain::ErrorKind::NoMatch,
        content::ErrorKind::Failed => plain::ErrorKind::Failed,
    }
}
