//! Loading and calling rich components, with the limits, the workers and the record of all others.

use super::{Contract, Examined, MakeSchema, Offered, Program, Sandbox, UNEXPECTED_RESPONSE};
use super::{check_json, hex, never_made, ready};
use crate::CallReport;
use crate::call::{Answer, Request};
use crate::capabilities::Capabilities;
use crate::cost::Cost;
use crate::denial::Denial;
use crate::description::{self, Known, Words};
use crate::error::{CallError, HostFailure, LoadError};
use crate::grant::Grants;
use crate::limits::Limits;
use crate::observe;
use crate::prepared::{Guest, PreparedComponent};
use crate::record::{Audit, Record, Recorded};
use crate::rich::{
    self, Component, Document, Link, Loaded, MOST_TOOLS, Notices, Offers, Parts, RichRequest, RichResponse, What,
    prompts, resources, tools,
};
use crate::schema::Schema;
use crate::state::State;
use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Instant;
use tracing::{Instrument as _, debug_span};
use wasmtime::component::InstancePre;

/// What a request to a rich component came to.
#[derive(Debug)]
pub struct RichReport<T> {
    /// The answer, checked, or the failure.
    pub outcome: Result<T, CallError>,
    /// Measured on the worker, and kept when the call failed.
    pub cost: Cost,
    /// The refused attempts, the first sixteen of them; the cost counts all.
    pub denials: Vec<Denial>,
}

/// With what a rich component is called.
#[derive(Debug)]
pub struct Conditions<'a> {
    /// What it may touch.
    pub grants: &'a Grants,
    /// What it may spend.
    pub limits: &'a Limits,
    /// Where its notices go; `None` drops them unseen.
    pub notices: Option<Notices>,
}

impl Sandbox {
    /// Loads a rich component: checks what it imports against `capabilities`, compiles it or takes it from the cache, and
    /// reads what its tools are.
    ///
    /// # Errors
    /// See [`LoadError`]; nothing of the component has run unless its imports were granted.
    pub async fn load_rich(&self, bytes: &[u8], capabilities: &Capabilities) -> Result<Component, LoadError> {
        let started = Instant::now();
        let code = Bytes::copy_from_slice(bytes).into();
        let span = debug_span!("load", bytes = bytes.len());
        let outcome = self.load_as(Contract::Rich, &code, capabilities).instrument(span).await;
        observe::loaded(outcome.as_ref().map(|examined| &examined.known), started.elapsed());
        let Examined { all_prepared, known } = outcome?;
        match self.described(&known, &ready(all_prepared), Schema::new)? {
            Offered::Rich(component) => Ok(component),
            Offered::Plain(_) | Offered::Typed(_) => Err(LoadError::NothingOffered),
        }
    }

    pub(super) async fn examine_rich(
        &self,
        pre: InstancePre<State>,
        capabilities: Arc<Capabilities>,
    ) -> Result<(Vec<PreparedComponent>, description::Said), LoadError> {
        let parts = Arc::new(Parts::new(pre).ok_or(LoadError::NothingOffered)?);
        let offers = parts.offers();
        let prepared = PreparedComponent { guest: Guest::Rich(parts), capabilities };
        let raw = if offers.tools { self.describe(prepared.clone()).await? } else { Vec::new() };
        let tools = raw.into_iter().map(Words::of_rich).collect();
        Ok((vec![prepared], description::Said::Rich { offers, tools }))
    }

    pub(super) fn component(
        &self,
        offers: Offers,
        words: &[Words],
        known: &Known,
        program: Program,
        schema: MakeSchema,
    ) -> Result<Component, LoadError> {
        let raw = words.iter().map(Words::rich).collect();
        let tools = rich::described(raw, &known.digest, self.compilers.limits(), schema)?;
        let (digest, imports) = (known.digest.clone(), known.imports.clone());
        Ok(Component(Arc::new(Loaded { program, offers, tools, digest, imports })))
    }

    async fn describe(
        &self,
        prepared: PreparedComponent,
    ) -> Result<Vec<rich::exports::rich_tools::Descriptor>, LoadError> {
        let output_bytes = self.describe.output_bytes.saturating_mul(MOST_TOOLS);
        let limits = Limits { output_bytes, ..self.describe.clone() };
        let wanted = Request::Rich(Box::new(RichRequest { what: What::Describe, notices: None }));
        let reply = self.run(prepared, wanted, Grants::none(), limits, None, None).await;
        match reply.outcome {
            Ok(Answer::Rich(said)) => match *said {
                RichResponse::Described(raw) => Ok(raw),
                _ => Err(LoadError::Undescribed("unexpected kind of response".into())),
            },
            Ok(_) => Err(LoadError::Undescribed("unexpected kind of response".into())),
            Err(error) => Err(LoadError::Undescribed(error.to_string())),
        }
    }

    /// Calls a tool of a rich component, once: schema check, a fresh instance on a worker, schema check. When the answer
    /// is [`tools::Outcome::Asks`], the caller asks and calls again.
    pub async fn call_rich(
        &self,
        component: &Component,
        call: tools::Call,
        conditions: Conditions<'_>,
    ) -> RichReport<tools::Outcome> {
        let Some(tool) = component.tool(&call.tool).cloned() else {
            let outcome = Err(HostFailure::Trap(format!("it has no tool `{}`", call.tool.escape_debug())).into());
            return RichReport { outcome, cost: Cost::default(), denials: Vec::new() };
        };
        let arguments = call.input.clone();
        let fits = check_json(&tool.0.input, &call.input, conditions.limits);
        if let Err(error) = fits {
            let mut outcome = Err(error);
            let cost = Cost { input_bytes: arguments.len(), ..Cost::default() };
            if let Some(record) = self.record_rich(tool.0.clone(), conditions.grants, &arguments)
                && let Err(failure) = record.write(&outcome, &cost, &[])
            {
                outcome = Err(failure.into());
            }
            return RichReport { outcome, cost, denials: Vec::new() };
        }
        let recorded: Arc<dyn Recorded> = tool.0.clone();
        self.want(component, What::Call(call, tool), conditions, recorded, &arguments, |said| match said {
            RichResponse::Called(outcome) => Some(outcome),
            _ => None,
        })
        .await
    }

    /// Its resources.
    pub async fn list_resources(&self, component: &Component, conditions: Conditions<'_>) -> RichReport<Vec<Link>> {
        self.want(component, What::Resources, conditions, component.0.clone(), "", |said| match said {
            RichResponse::Resources(links) => Some(links),
            _ => None,
        })
        .await
    }

    /// Its templates of resources.
    pub async fn list_templates(
        &self,
        component: &Component,
        conditions: Conditions<'_>,
    ) -> RichReport<Vec<resources::Template>> {
        self.want(component, What::Templates, conditions, component.0.clone(), "", |said| match said {
            RichResponse::Templates(templates) => Some(templates),
            _ => None,
        })
        .await
    }

    /// What is at an address.
    pub async fn read_resource(
        &self,
        component: &Component,
        uri: &str,
        conditions: Conditions<'_>,
    ) -> RichReport<Vec<Document>> {
        let what = What::Read(uri.to_owned());
        self.want(component, what, conditions, component.0.clone(), uri, |said| match said {
            RichResponse::Read(resources) => Some(resources),
            _ => None,
        })
        .await
    }

    /// Its prompts.
    pub async fn list_prompts(
        &self,
        component: &Component,
        conditions: Conditions<'_>,
    ) -> RichReport<Vec<prompts::Prompt>> {
        self.want(component, What::Prompts, conditions, component.0.clone(), "", |said| match said {
            RichResponse::Prompts(prompts) => Some(prompts),
            _ => None,
        })
        .await
    }

    /// One of its prompts, filled in. It can ask like a tool.
    pub async fn get_prompt(
        &self,
        component: &Component,
        call: prompts::Call,
        conditions: Conditions<'_>,
    ) -> RichReport<prompts::Outcome> {
        let arguments = format!("{} {:?}", call.prompt, call.arguments);
        self.want(component, What::Get(call), conditions, component.0.clone(), &arguments, |said| match said {
            RichResponse::Got(outcome) => Some(outcome),
            _ => None,
        })
        .await
    }

    /// What an argument of a prompt could be, at most a hundred values.
    pub async fn complete(
        &self,
        component: &Component,
        [prompt, argument, value]: [&str; 3],
        conditions: Conditions<'_>,
    ) -> RichReport<Vec<String>> {
        let arguments = format!("{prompt} {argument} {value}");
        let what = What::Complete { prompt: prompt.to_owned(), argument: argument.to_owned(), value: value.to_owned() };
        self.want(component, what, conditions, component.0.clone(), &arguments, |said| match said {
            RichResponse::Completed(values) => Some(values),
            _ => None,
        })
        .await
    }

    async fn want<T>(
        &self,
        component: &Component,
        what: What,
        conditions: Conditions<'_>,
        recorded: Arc<dyn Recorded>,
        arguments: &str,
        pick: impl FnOnce(RichResponse) -> Option<T>,
    ) -> RichReport<T> {
        let Conditions { grants, limits, notices } = conditions;
        let wanted = RichRequest { what, notices };
        let length = wanted.bytes();
        if length > limits.input_bytes {
            let outcome = Err(HostFailure::Input { length, limit: limits.input_bytes }.into());
            return RichReport { outcome, cost: Cost::default(), denials: Vec::new() };
        }
        let record = self.record_rich(recorded.clone(), grants, arguments);
        let prepared = match self.ready(&component.0.program).await {
            Ok(prepared) => prepared,
            Err(error) => {
                let cost = Cost { input_bytes: length, ..Cost::default() };
                let CallReport { outcome, cost, denials } =
                    never_made(HostFailure::NotLoaded(error.to_string()).into(), cost, record);
                let outcome = outcome.and_then(|_| Err(HostFailure::Trap(UNEXPECTED_RESPONSE.into()).into()));
                return RichReport { outcome, cost, denials };
            }
        };
        let request = Request::Rich(Box::new(wanted));
        let reply = self.run(prepared, request, grants.clone(), limits.clone(), None, record).await;
        observe::component_called(recorded.name(), &reply);
        let outcome = reply.outcome.and_then(|answer| {
            let said = match answer {
                Answer::Rich(said) => pick(*said),
                Answer::Described(_) | Answer::Output(_) => None,
            };
            said.ok_or_else(|| HostFailure::Trap(UNEXPECTED_RESPONSE.into()).into())
        });
        RichReport { outcome, cost: reply.cost, denials: reply.denials }
    }

    fn record_rich(&self, tool: Arc<dyn Recorded>, grants: &Grants, arguments: &str) -> Option<Record> {
        let Audit::Log(log) = &self.audit else { return None };
        let arguments = hex(&Sha256::digest(arguments.as_bytes()));
        Some(Record { log: log.clone(), tool, grants: grants.clone(), run: None, arguments })
    }
}
