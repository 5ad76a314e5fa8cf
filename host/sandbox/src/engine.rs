//! The sandbox: one engine with its workers, and the way in and out of it.

mod any;
mod lazy;
mod pool;
mod rich;
mod typed;

pub(crate) use any::MakeSchema;
pub use any::Offered;
pub(crate) use lazy::Program;
pub use rich::{Conditions, RichReport};
pub use typed::TypedTools;

use crate::CallReport;
use crate::bindings::ToolComponentPre;
use crate::cache::CompileCache;
use crate::call::{Answer, Reply, Request};
use crate::capabilities::Capabilities;
use crate::code::Code;
use crate::compile::{CompileWorker, Compiled, Compilers};
use crate::cost::Cost;
use crate::description::{Known, Said, Words};
use crate::error::{CallError, ErrorKind, HostFailure, LoadError, SandboxError, ToolError};
use crate::grant::Grants;
use crate::limits::{Limits, LoadLimits};
use crate::linkers::Linkers;
use crate::observe;
use crate::prepared::{Guest, PreparedComponent};
use crate::queue::{Full, Sender};
use crate::record::{Audit, Record};
use crate::reply_to::ReplyTo;
use crate::sanitize::sanitized;
use crate::schema::{Schema, SchemaError, Unfit};
use crate::state::State;
use crate::tool::{self, Descriptor, Loaded, Tool};
use crate::worker::{Job, WorkerPool};
use bailiwick_base::text::hex;
use bytes::Bytes;
use lazy::{LazyComponent, LoadedComponents};
use pool::{engine_config, possible};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::oneshot;
use tracing::{Instrument as _, debug_span};
use wasmtime::Engine;
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, InstancePre};

/// How instances get their memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allocation {
    /// From slots mapped once, at most this many instances at a time: the fast path of short calls.
    Pooled {
        /// How many.
        slots: u32,
    },
    /// Mapped for each call.
    OnDemand,
}

/// The configuration of a sandbox. There are no defaults: the caller decides each of them.
#[derive(Debug, Clone)]
pub struct SandboxConfig {
    /// How instances get their memory.
    pub allocation: Allocation,
    /// Worker threads, and so calls that run at once.
    pub workers: usize,
    /// Calls that may wait for a worker before further ones are refused.
    pub waiting: usize,
    /// Threads that may hang in blocked file operations before calls are refused.
    pub most_stuck: usize,
    /// The most memory any instance can have, in bytes, whatever its call's limits say.
    pub largest_memory: usize,
    /// Where compiled components are kept.
    pub cache: CompileCache,
    /// Bounds of what is loaded.
    pub load: LoadLimits,
    /// Where calls are put on record.
    pub audit: Audit,
    /// Limits of `describe`, which runs with no grant. What it may answer is bounded by `load`.
    pub describe: Limits,
}

/// Loads and calls tools. Calls on it run in parallel and share nothing but the engine.
pub struct Sandbox {
    engine: Engine,
    linkers: Linkers,
    jobs: Sender<Job>,
    pool: Arc<WorkerPool>,
    waiting: usize,
    compilers: Compilers,
    audit: Audit,
    describe: Limits,
    loaded_components: LoadedComponents,
}

/// Which exports of a component are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Contract {
    Plain,
    Rich,
    /// None of ours: functions with types.
    Typed,
}

impl Contract {
    fn of(said: &Said) -> Self {
        match said {
            Said::Plain(_) => Self::Plain,
            Said::Rich { .. } => Self::Rich,
            Said::Typed { .. } => Self::Typed,
        }
    }
}

/// A component that was made ready, and what it said of itself.
pub(crate) struct Examined {
    /// One, or one for each function of a component without a contract.
    all_prepared: Vec<PreparedComponent>,
    pub(crate) known: Known,
}

const UNEXPECTED_RESPONSE: &str = "unexpected kind of response";

// Memory of a finished call is wiped in place up to this size and given back to the system beyond it. Where the kernel
// says which pages were written (`PAGEMAP_SCAN`, Linux 6.7), only those are wiped, so this can be as large as the memory
// a tool starts with. Without it all of it is written over, and a little is faster than page faults.
const KEEP_RESIDENT: usize = 6 << 20;
const KEEP_RESIDENT_BLIND: usize = 256 << 10;

impl Sandbox {
    /// Starts the engine and its threads.
    ///
    /// # Errors
    /// The engine refuses its configuration, or a thread cannot be started.
    pub fn new(config: SandboxConfig) -> Result<Self, SandboxError> {
        possible(&config)?;
        let failed = |error: wasmtime::Error| SandboxError::Engine(format!("{error:#}"));
        let engine = Engine::new(&engine_config(&config)).map_err(failed)?;
        let linkers = Linkers::new(engine.clone());
        let (pool, jobs) = WorkerPool::start(engine.clone(), config.workers, config.waiting, config.most_stuck)?;
        let describe = describing(&config.describe, &config.load);
        let compilers = Compilers::new(engine.clone(), config.cache, config.load);
        Ok(Self {
            engine,
            linkers,
            jobs,
            pool,
            waiting: config.waiting,
            compilers,
            audit: config.audit,
            describe,
            loaded_components: LoadedComponents::default(),
        })
    }

    /// Has components that are beyond the load limits compiled in processes of their own, up to the limits of `worker`.
    /// Without one they are refused.
    ///
    /// The instances, memories and tables of `worker` are bounded by those of the sandbox's own limits as well, for
    /// which it has made room.
    #[must_use]
    pub fn with_worker(mut self, worker: CompileWorker) -> Self {
        self.compilers.with_worker(worker);
        self
    }

    /// Loads a component: checks what it imports against `capabilities`, compiles it or takes it from the cache, and asks it
    /// to describe itself.
    ///
    /// # Errors
    /// See [`LoadError`]; nothing of the component has run unless its imports were granted.
    pub async fn load(&self, bytes: &[u8], capabilities: &Capabilities) -> Result<Tool, LoadError> {
        let started = Instant::now();
        let code = Bytes::copy_from_slice(bytes).into();
        let span = debug_span!("load", bytes = bytes.len());
        let outcome = self.load_as(Contract::Plain, &code, capabilities).instrument(span).await;
        observe::loaded(outcome.as_ref().map(|examined| &examined.known), started.elapsed());
        let Examined { all_prepared, known } = outcome?;
        match self.described(&known, &ready(all_prepared), Schema::new)? {
            Offered::Plain(tool) => Ok(tool),
            Offered::Rich(_) | Offered::Typed(_) => Err(LoadError::Undescribed(UNEXPECTED_RESPONSE.into())),
        }
    }

    /// [`Sandbox::load`], unless what this component says of itself is kept in the cache: then it is made ready when
    /// it is first called, or by [`Sandbox::prepare`]. A server that lists tools does not wait for their code.
    ///
    /// # Errors
    /// As [`Sandbox::load`]. What can only be told by making it ready is the failure of its first call.
    pub async fn announce(&self, bytes: impl Into<Bytes>, capabilities: &Capabilities) -> Result<Tool, LoadError> {
        let code = bytes.into().into();
        let known = self.known(&code, |_| capabilities.clone());
        let offered = match known.filter(|lazy| matches!(lazy.known().said, Said::Plain(_))) {
            Some(waiting) => self.offered(waiting, Schema::deferred)?,
            None => {
                let Examined { all_prepared, known } = self.load_as(Contract::Plain, &code, capabilities).await?;
                let waiting =
                    LazyComponent::new(code, Contract::Plain, capabilities.clone(), known.clone()).made(all_prepared);
                let offered = self.offered(waiting, Schema::new)?;
                // What is kept is not held against everything again.
                known.keep(self.compilers.cache(), &self.engine);
                offered
            }
        };
        match offered {
            Offered::Plain(tool) => Ok(tool),
            Offered::Rich(_) | Offered::Typed(_) => Err(LoadError::Undescribed(UNEXPECTED_RESPONSE.into())),
        }
    }

    /// Makes an announced tool ready; one that is ready stays so.
    ///
    /// # Errors
    /// As [`Sandbox::load`].
    pub async fn prepare(&self, tool: &Tool) -> Result<(), LoadError> {
        self.ready(&tool.0.program).await.map(|_| ())
    }

    async fn load_as(
        &self,
        contract: Contract,
        code: &Code,
        capabilities: &Capabilities,
    ) -> Result<Examined, LoadError> {
        self.examine(contract, self.compilers.compile(code).await?, capabilities).await
    }

    /// Makes a component ready by a contract, and asks it what it is.
    async fn examine(
        &self,
        contract: Contract,
        compiled: Compiled,
        capabilities: &Capabilities,
    ) -> Result<Examined, LoadError> {
        let imports = imports(&self.engine, &compiled.component);
        granted(&imports, capabilities)?;
        let pre = self.linkers.link(&compiled.component, capabilities)?;
        let capabilities = Arc::new(capabilities.clone());
        let (all_prepared, said) = match contract {
            Contract::Plain => self.examine_plain(pre, capabilities).await?,
            Contract::Rich => self.examine_rich(pre, capabilities).await?,
            Contract::Typed => self.examine_typed(&pre, &compiled.component, &capabilities)?,
        };
        Ok(Examined { all_prepared, known: Known { digest: compiled.digest, imports, said } })
    }

    async fn examine_plain(
        &self,
        pre: InstancePre<State>,
        capabilities: Arc<Capabilities>,
    ) -> Result<(Vec<PreparedComponent>, Said), LoadError> {
        let pre = ToolComponentPre::new(pre).map_err(|error| LoadError::NotATool(format!("{error:#}")))?;
        let prepared = PreparedComponent { guest: Guest::Plain(pre), capabilities };
        let reply =
            self.run(prepared.clone(), Request::Describe, Grants::none(), self.describe.clone(), None, None).await;
        match reply.outcome {
            Ok(Answer::Described(said)) => Ok((vec![prepared], Said::Plain(Words::of_plain(said)))),
            Ok(Answer::Output(_) | Answer::Rich(_)) => Err(LoadError::Undescribed(UNEXPECTED_RESPONSE.into())),
            Err(error) => Err(LoadError::Undescribed(error.to_string())),
        }
    }

    fn plain_tool(
        &self,
        words: &Words,
        known: &Known,
        program: Program,
        schema: MakeSchema,
    ) -> Result<Tool, LoadError> {
        tool_of(tool::descriptor(words.plain(), self.compilers.limits())?, known, program, schema)
    }

    /// Calls a tool with JSON text: schema check, a fresh instance on a worker, schema check.
    pub async fn call(&self, tool: &Tool, grants: &Grants, input: &str, limits: &Limits) -> CallReport {
        self.call_for_run(None, tool, grants, input, limits).await
    }

    /// [`Sandbox::call`], on record as part of a run.
    pub async fn call_for_run(
        &self,
        run: Option<&str>,
        tool: &Tool,
        grants: &Grants,
        input: &str,
        limits: &Limits,
    ) -> CallReport {
        let report = self.checked(run, tool, grants, input, limits).await;
        observe::called(&tool.0, run, &report);
        report
    }

    /// A call with the schema checks.
    async fn checked(
        &self,
        run: Option<&str>,
        tool: &Tool,
        grants: &Grants,
        input: &str,
        limits: &Limits,
    ) -> CallReport {
        let checking = Instant::now();
        let fits = check_input(&tool.0, input, limits);
        let checked = checking.elapsed();
        let record = self.record(run, tool, grants, input);
        if let Err(error) = fits {
            let cost = Cost { checking: checked, input_bytes: input.len(), ..Cost::default() };
            return never_made(error, cost, record);
        }
        let mut report = self.invoked(tool, grants, input.to_owned(), limits, Some(tool.0.clone()), record).await;
        report.cost.checking += checked;
        report
    }

    /// [`Sandbox::call`] without the schema checks: what the benchmarks measure, and what a caller may use that has
    /// checked already.
    pub async fn invoke(&self, tool: &Tool, grants: &Grants, input: String, limits: &Limits) -> CallReport {
        let record = self.record(None, tool, grants, &input);
        let report = self.invoked(tool, grants, input, limits, None, record).await;
        observe::called(&tool.0, None, &report);
        report
    }

    async fn invoked(
        &self,
        tool: &Tool,
        grants: &Grants,
        input: String,
        limits: &Limits,
        checks: Option<Arc<Loaded>>,
        record: Option<Record>,
    ) -> CallReport {
        let prepared = match self.ready(&tool.0.program).await {
            Ok(prepared) => prepared,
            Err(error) => {
                let cost = Cost { input_bytes: input.len(), ..Cost::default() };
                return never_made(HostFailure::NotLoaded(error.to_string()).into(), cost, record);
            }
        };
        let (grants, limits) = (grants.clone(), limits.clone());
        let reply = self.run(prepared, Request::Invoke(input), grants, limits, checks, record).await;
        let outcome = reply.outcome.and_then(|answer| match answer {
            Answer::Output(text) => Ok(text),
            Answer::Described(_) | Answer::Rich(_) => Err(HostFailure::Trap(UNEXPECTED_RESPONSE.into()).into()),
        });
        CallReport { outcome, cost: reply.cost, denials: reply.denials }
    }

    fn record(&self, run: Option<&str>, tool: &Tool, grants: &Grants, input: &str) -> Option<Record> {
        let Audit::Log(log) = &self.audit else { return None };
        Some(Record {
            log: log.clone(),
            tool: tool.0.clone(),
            grants: grants.clone(),
            run: run.map(str::to_owned),
            arguments: hex(&Sha256::digest(input.as_bytes())),
        })
    }

    /// Threads that hang in file operations which do not return.
    #[must_use]
    pub fn stuck(&self) -> usize {
        self.pool.stuck()
    }

    /// Compilations that were given up and still run.
    #[must_use]
    pub fn stuck_compilations(&self) -> usize {
        self.compilers.stuck()
    }

    async fn run(
        &self,
        prepared: PreparedComponent,
        request: Request,
        grants: Grants,
        limits: Limits,
        checks: Option<Arc<Loaded>>,
        record: Option<Record>,
    ) -> Reply {
        let (sender, answer) = oneshot::channel();
        let reply = ReplyTo { sender, record };
        if self.pool.saturated() {
            reply.send(Reply::failed(HostFailure::Saturated { stuck: self.pool.stuck() }, Cost::default()));
        } else {
            match self.jobs.try_send(Job { prepared, request, grants, limits, checks, reply }) {
                // It may have been left to a worker that is held up before it wakes the clock itself.
                Ok(()) => self.pool.wake_clock(),
                Err(Full(job)) => {
                    job.reply.send(Reply::failed(HostFailure::Busy { waiting: self.waiting }, Cost::default()));
                }
            }
        }
        answer.await.unwrap_or_else(|_| Reply::failed(HostFailure::Closed, Cost::default()))
    }
}

/// A tool of a component that is known.
fn tool_of(descriptor: Descriptor, known: &Known, program: Program, schema: MakeSchema) -> Result<Tool, LoadError> {
    Ok(Tool(Arc::new(Loaded {
        input: schema(&descriptor.input_schema).map_err(|error| undescribed(&error))?,
        output: schema(&descriptor.output_schema).map_err(|error| undescribed(&error))?,
        descriptor,
        program,
        digest: known.digest.clone(),
        imports: known.imports.clone(),
    })))
}

/// The limits of `describe`, whose answer is as long as its parts may be.
fn describing(limits: &Limits, load: &LoadLimits) -> Limits {
    let answer = load.schema_bytes.saturating_mul(2).saturating_add(load.description_bytes);
    Limits { output_bytes: limits.output_bytes.min(answer), input_bytes: 0, ..limits.clone() }
}

/// The programs of what is ready, by their place.
fn ready(all_prepared: Vec<PreparedComponent>) -> impl Fn(usize) -> Program {
    move |which| Program::Ready(all_prepared[which].clone())
}

/// Refuses imports that were not granted, and those that no grant could give.
fn granted(imports: &[String], capabilities: &Capabilities) -> Result<(), LoadError> {
    // Some interfaces of WASI 0.3 have no asynchronous function, so the engine takes them.
    if let Some(later) = imports.iter().find(|import| Capabilities::is_later_wasi(import)) {
        return Err(LoadError::LaterWasi(format!("it imports `{later}`")));
    }
    let refused: Vec<String> = imports.iter().filter(|import| !capabilities.grants(import)).cloned().collect();
    if refused.is_empty() { Ok(()) } else { Err(LoadError::NotGranted(refused)) }
}

/// The report of a call that was not made. It is on record like any other.
fn never_made(error: CallError, cost: Cost, record: Option<Record>) -> CallReport {
    let mut outcome = Err(error);
    if let Some(record) = record
        && let Err(failure) = record.write(&outcome, &cost, &[])
    {
        outcome = Err(failure.into());
    }
    CallReport { outcome, cost, denials: Vec::new() }
}

fn undescribed(error: &SchemaError) -> LoadError {
    LoadError::Undescribed(error.to_string())
}

/// The interfaces a component can call. One that is imported for its types alone (`stat` names a time by the type of
/// `wasi:clocks`) has no function in it and so gives no authority.
fn imports(engine: &Engine, component: &Component) -> Vec<String> {
    let callable = |item: &ComponentItem| match item {
        ComponentItem::ComponentInstance(instance) => {
            instance.exports(engine).any(|(_, export)| !matches!(export.ty, ComponentItem::Type(_)))
        }
        ComponentItem::Type(_) => false,
        _ => true,
    };
    let component = component.component_type();
    let mut imports: Vec<String> =
        component.imports(engine).filter(|(_, import)| callable(&import.ty)).map(|(name, _)| name.to_owned()).collect();
    imports.sort();
    imports
}

fn check_input(tool: &Loaded, input: &str, limits: &Limits) -> Result<(), CallError> {
    check_json(&tool.input, input, limits)
}

fn check_json(schema: &Schema, input: &str, limits: &Limits) -> Result<(), CallError> {
    if input.len() > limits.input_bytes {
        return Err(HostFailure::Input { length: input.len(), limit: limits.input_bytes }.into());
    }
    let invalid = |message: String| {
        let message = sanitized(&message).into_owned();
        CallError::Tool(ToolError { kind: ErrorKind::InvalidInput, message })
    };
    let value = serde_json::from_str(input).map_err(|error| invalid(format!("the input is not JSON: {error}")))?;
    schema.check(&value, input.len()).map_err(|Unfit(reason)| invalid(reason))
}
