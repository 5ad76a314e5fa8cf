//! `bailiwick tool`: the sandboxed tools, one at a time.

mod added;
pub(crate) mod approve;
pub(crate) mod authoring;
pub(crate) mod cases;
pub(crate) mod inspect;
pub(crate) mod install;
pub(crate) mod push;
mod requests;
mod review;
pub(crate) mod secret;

use self::approve::ApproveTool;
use self::authoring::{BuildTool, NewTool};
use self::cases::TestTool;
use self::inspect::InspectTool;
use self::install::{AddTool, UpdateTool};
use self::push::PushTool;
use self::secret::ToolSecret;
use super::text;
use crate::exit::{Code, Error, Result};
use crate::grant_argument::GrantArgument;
use crate::visible::Visible;
use crate::{output, places, runtime};
use bailiwick_sandbox::{Access, Audit, CallError, Cost, ErrorKind, Grant, Grants, HardLinks};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

#[derive(Debug, Subcommand)]
pub(crate) enum Tool {
    /// List the tools.
    List,
    /// Show what a tool does, takes and answers.
    Describe {
        /// Its name.
        name: String,
    },
    /// Call a tool on granted directories.
    Call(Call),
    /// Add a tool from a component file, from a `tool.toml` or the directory of one, or from a registry. It is checked, copied and pinned
    /// by its digest. What its manifest asks for it gets when you have approved it, and no more.
    #[command(
        after_help = "Example:\n  bailiwick tool add ./word-count.wasm\n  bailiwick mcp --grant notes=. --tool WordCount=notes"
    )]
    Add(AddTool),
    /// Show what a tool is and asks for, what of it is granted, and what is worth a second look.
    Inspect(InspectTool),
    /// Decide about a tool, or about its update: shows all that it asks for and asks you.
    #[command(
        after_help = "Example:\n  bailiwick tool approve changelog --grant repo=.\n\nWithout a terminal there is no person to ask. A script that installs what a person looked at before says so with\n`--reviewed DIGEST`, the digest that `bailiwick tool inspect` printed for them."
    )]
    Approve(ApproveTool),
    /// Put another component in the place of an added one. It shows what differs; where that has to be approved, the old
    /// one stays in use until then.
    Update(UpdateTool),
    /// Push a tool to a registry, with its `tool.toml` and the signature beside it.
    #[command(
        after_help = "Examples:\n  bailiwick tool push . oci://registry.example.com/team/changelog:1.2\n  bailiwick tool push --signature tool.toml.minisig oci://registry.example.com/team/changelog:1.2"
    )]
    Push(PushTool),
    /// Take an approval back: the tool stays and is not used.
    Revoke {
        /// What it was added as.
        name: String,
    },
    /// Take an added tool away.
    Remove {
        /// What it was added as.
        name: String,
    },
    /// Begin a tool of your own: a project that builds and whose cases pass.
    #[command(after_help = "Example:\n  bailiwick tool new word-count --lang rust\n  bailiwick tool test word-count")]
    New(NewTool),
    /// Build the component of a tool, and write its digest into `tool.toml`.
    Build(BuildTool),
    /// Build a tool, then run its cases, `tests/*.toml`, in the sandbox and on temporary directories.
    Test(TestTool),
    /// List what clients asked you to add or approve.
    Requests,
    /// Forget a request of a client.
    Dismiss {
        /// Its number in `bailiwick tool requests`.
        request: u64,
    },
    /// Keep secrets for the requests of tools: the host sends them, and no tool sees one.
    #[command(subcommand)]
    Secret(ToolSecret),
    /// Print the JSON Schema of `tool.toml`.
    Schema,
}

impl Tool {
    /// The command's name, for logs and traces.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::List => "tool list",
            Self::Describe { .. } => "tool describe",
            Self::Call(_) => "tool call",
            Self::Add(_) => "tool add",
            Self::Inspect(_) => "tool inspect",
            Self::Approve(_) => "tool approve",
            Self::Update(_) => "tool update",
            Self::Push(_) => "tool push",
            Self::Revoke { .. } => "tool revoke",
            Self::Remove { .. } => "tool remove",
            Self::New(_) => "tool new",
            Self::Build(_) => "tool build",
            Self::Test(_) => "tool test",
            Self::Requests => "tool requests",
            Self::Dismiss { .. } => "tool dismiss",
            Self::Secret(ToolSecret::Set { .. }) => "tool secret set",
            Self::Secret(ToolSecret::List) => "tool secret list",
            Self::Secret(ToolSecret::Remove { .. }) => "tool secret remove",
            Self::Schema => "tool schema",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Call {
    /// The tool's name.
    pub(crate) name: String,
    /// A directory the tool may use, as NAME=PATH, NAME=PATH:ro or NAME=PATH:rw; read-only unless it says `rw`.
    #[arg(long = "grant", value_name = "NAME=PATH[:ro|:rw]")]
    pub(crate) grants: Vec<String>,
    /// Let the tool write a sensitive place in a writable grant: a name such as `.git`, or one file such as
    /// `.vscode/cspell.json`.
    #[arg(long, value_name = "PLACE")]
    pub(crate) allow_sensitive: Vec<String>,
    /// Let the tool write in place to files that have other names, which may lie outside the grant.
    #[arg(long)]
    pub(crate) allow_hard_links: bool,
    #[command(flatten)]
    pub(crate) visible: Visible,
    /// The input: JSON text, @FILE, or - for stdin.
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
    pub(crate) input: String,
}

pub(crate) fn execute(command: Tool, as_json: bool) -> Result<Code> {
    match command {
        Tool::List => list(as_json),
        Tool::Describe { name } => describe(&name),
        Tool::Call(call) => self::call(&call, as_json),
        Tool::New(new) => authoring::new(&new, as_json),
        Tool::Build(build) => authoring::build(&build, as_json),
        Tool::Test(test) => cases::test(&test, as_json),
        Tool::Add(add) => install::add(&add, as_json),
        Tool::Update(update) => install::update(&update, as_json),
        Tool::Remove { name } => install::remove(&name, as_json),
        Tool::Inspect(inspect) => inspect::execute(&inspect, as_json),
        Tool::Push(push) => push::execute(&push, as_json),
        Tool::Approve(approve) => approve::execute(&approve, as_json),
        Tool::Revoke { name } => approve::revoke(&name, as_json),
        Tool::Requests => requests::list(as_json),
        Tool::Dismiss { request } => requests::dismiss(request, as_json),
        Tool::Secret(command) => secret::execute(&command, as_json),
        Tool::Schema => schema(),
    }
}

/// For editors, which read it from a file.
fn schema() -> Result<Code> {
    output::json(&bailiwick_tools::manifest::schema());
    Ok(Code::Done)
}

fn list(as_json: bool) -> Result<Code> {
    let tools = load()?;
    let others = added::known()?;
    if as_json {
        let own = tools.iter().map(summary);
        output::json(&own.chain(others.iter().map(added::Known::summary)).collect::<Vec<_>>());
        return Ok(Code::Done);
    }
    for tool in &tools {
        let descriptor = tool.descriptor();
        let effect = if descriptor.effects.writes { "writes" } else { "reads" };
        output::line(&format!("{:<17} {effect:<7} {}", descriptor.name, descriptor.description));
    }
    for other in &others {
        output::line(&other.line());
    }
    Ok(Code::Done)
}

fn describe(name: &str) -> Result<Code> {
    let tools = load()?;
    match find(&tools, name) {
        Some(tool) => output::json(&summary(tool)),
        None => output::json(&added::describe(&added::with_tool(name)?.ok_or_else(|| unknown(&tools, name))?, name)?),
    }
    Ok(Code::Done)
}

fn call(call: &Call, as_json: bool) -> Result<Code> {
    let links = if call.allow_hard_links { HardLinks::Allowed } else { HardLinks::Refused };
    let grants = grants(&call.grants, &call.allow_sensitive, links, &call.visible)?;
    let input = text::read("input", &call.input)?;
    let sandbox = runtime::sandbox(runtime::audit()?)?;
    runtime::block_on(async {
        let tools = runtime::builtin_tools(&sandbox).await?;
        // The built-in ones need nothing of what was added.
        if let Some(tool) = find(&tools, &call.name) {
            let report = sandbox.call(tool, &grants, &input, &runtime::call_limits()).await;
            return told(report.outcome, &report.cost, as_json);
        }
        let other = added::with_tool(&call.name)?.ok_or_else(|| unknown(&tools, &call.name))?;
        added::call(&sandbox, &other, &call.name, &input, &grants, as_json).await
    })?
}

/// Prints what a call of a tool came to.
fn told(outcome: std::result::Result<String, CallError>, cost: &Cost, as_json: bool) -> Result<Code> {
    match outcome {
        Ok(answer) if as_json => {
            let answer: Value = serde_json::from_str(&answer).unwrap_or(Value::String(answer));
            output::json(&json!({ "output": answer, "cost": cost }));
            Ok(Code::Done)
        }
        Ok(answer) => {
            output::line(&answer);
            Ok(Code::Done)
        }
        Err(error) => Ok(failed(&error, cost, as_json)),
    }
}

/// Prints why a call came to nothing.
fn failed(error: &CallError, cost: &Cost, as_json: bool) -> Code {
    let code = match error {
        CallError::Tool(error) if error.kind == ErrorKind::NotPermitted => Code::Refused,
        CallError::Tool(error) if error.kind == ErrorKind::InvalidInput => Code::Usage,
        _ => Code::NoSuccess,
    };
    if as_json {
        let kind = match error {
            CallError::Tool(error) => json!(error.kind),
            CallError::Host(_) => json!("host"),
        };
        let error = json!({ "kind": kind, "message": error.to_string(), "exitCode": code as u8 });
        output::json(&json!({ "error": error, "cost": cost }));
    }
    output::progress(&format!("error: {error}"));
    code
}

fn load() -> Result<Vec<bailiwick_sandbox::Tool>> {
    let sandbox = runtime::sandbox(Audit::Off)?;
    runtime::block_on(async { runtime::builtin_tools(&sandbox).await })?
}

fn find<'a>(tools: &'a [bailiwick_sandbox::Tool], name: &str) -> Option<&'a bailiwick_sandbox::Tool> {
    tools.iter().find(|tool| tool.descriptor().name == name)
}

fn unknown(tools: &[bailiwick_sandbox::Tool], name: &str) -> Error {
    let own = tools.iter().map(|tool| tool.descriptor().name.clone());
    let others = added::known().unwrap_or_default().into_iter().flat_map(|known| known.entry.current.tools);
    let names: Vec<_> = own.chain(others).map(|name| format!("`{name}`")).collect();
    Error::usage(format!("there is no tool `{name}`")).hint(format!("the tools are {}", names.join(", ")))
}

fn summary(tool: &bailiwick_sandbox::Tool) -> Value {
    let mut summary = serde_json::to_value(tool.descriptor()).unwrap_or_default();
    summary["digest"] = json!(tool.digest());
    summary["imports"] = json!(tool.imports());
    summary
}

/// The directories that a person grants on the command line.
pub(super) fn grants(
    texts: &[String],
    allow_sensitive: &[String],
    links: HardLinks,
    visible: &Visible,
) -> Result<Grants> {
    let grants = GrantArgument::all(texts)?;
    let grants = grants.iter().map(|one| grant(one, allow_sensitive, links, visible)).collect::<Result<Vec<_>>>()?;
    Grants::new(grants).and_then(Grants::apart).map_err(|error| Error::from(&error))
}

/// Without a suffix the grant is read-only.
fn grant(argument: &GrantArgument, allow_sensitive: &[String], links: HardLinks, visible: &Visible) -> Result<Grant> {
    let GrantArgument { name, path, .. } = argument;
    let access = argument.access().unwrap_or(Access::ReadOnly);
    let mut grant = Grant::open(name, path, access, &places::reserved()?).map_err(|error| Error::from(&error))?;
    for place in allow_sensitive {
        grant = grant.allowing(place).map_err(|error| Error::from(&error))?;
    }
    Ok(visible.apply(grant)?.with_hard_links(links))
}
