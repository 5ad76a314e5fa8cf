//! What a worker instantiates: a tool of the plain contract, a rich component, or one that only has
//! functions with types.

use crate::bindings::exports::bailiwick::tool::tool::ToolError;
use crate::bindings::{ToolComponent, ToolComponentPre};
use crate::call::{Answer, Request};
use crate::capabilities::Capabilities;
use crate::rich;
use crate::state::State;
use crate::typed;
use std::sync::Arc;
use wasmtime::Store;

/// A component that is linked, and what it was granted.
#[derive(Clone)]
pub(crate) struct PreparedComponent {
    pub(crate) guest: Guest,
    pub(crate) capabilities: Arc<Capabilities>,
}

/// By which of its exports it is called.
#[derive(Clone)]
pub(crate) enum Guest {
    Plain(ToolComponentPre<State>),
    Rich(Arc<rich::Parts>),
    Typed(Arc<typed::Called>),
}

/// One instance, used for one request.
pub(crate) enum Instance<'a> {
    Plain(ToolComponent),
    Rich(&'a rich::Parts, wasmtime::component::Instance),
    Typed(&'a typed::Called, wasmtime::component::Instance),
}

impl PreparedComponent {
    pub(crate) fn instantiate(&self, store: &mut Store<State>) -> wasmtime::Result<Instance<'_>> {
        match &self.guest {
            Guest::Plain(pre) => pre.instantiate(store).map(Instance::Plain),
            Guest::Rich(parts) => parts.instantiate(store).map(|instance| Instance::Rich(parts, instance)),
            Guest::Typed(called) => called.instantiate(store).map(|instance| Instance::Typed(called, instance)),
        }
    }
}

impl Instance<'_> {
    /// Hands the request to the guest. The inner error is the guest's own.
    pub(crate) fn answer(
        &self,
        store: &mut Store<State>,
        request: &Request,
    ) -> wasmtime::Result<Result<Answer, ToolError>> {
        match (self, request) {
            (Self::Plain(instance), Request::Describe) => {
                Ok(Ok(Answer::Described(instance.bailiwick_tool_tool().call_describe(store)?)))
            }
            (Self::Plain(instance), Request::Invoke(input)) => {
                Ok(instance.bailiwick_tool_tool().call_invoke(store, input)?.map(Answer::Output))
            }
            (Self::Rich(parts, instance), Request::Rich(rich)) => {
                Ok(parts.answer(instance, store, rich)?.map(|said| Answer::Rich(Box::new(said))))
            }
            (Self::Typed(called, instance), Request::Invoke(input)) => called.invoke(instance, store, input),
            // The sandbox makes requests of the kind that the component was loaded as.
            (Self::Plain(_), Request::Rich(_))
            | (Self::Rich(..), Request::Describe | Request::Invoke(_))
            | (Self::Typed(..), Request::Describe | Request::Rich(_)) => {
                Err(wasmtime::format_err!("it was asked in the wrong way"))
            }
        }
    }
}
