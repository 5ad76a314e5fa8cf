//! `bailiwick tool`: the sandboxed tools, one at a time.

mod added;
mod approve;
mod authoring;
mod cases;
mod inspect;
mod install;
mod push;
mod requests;
mod review;
pub(crate) mod secret;

use super::text;
use crate::arguments::{Call, Tool as Command};
use crate::exit::{Code, Error, Result};
use crate::grant_argument::GrantArgument;
use crate::visible::Visible;
use crate::{output, places, runtime};
use bailiwick_sandbox::{
    Access, Audit, CallError, Cost, ErrorKind, Grant, GrantError, Grants, HardLinks, PatternError, Tool,
};
use serde_json::{Value, json};

pub(crate) fn execute(command: Command, as_json: bool) -> Result<Code> {
    match command {
        Command::List => list(as_json),
        Command::Describe { name } => describe(&name),
        Command::Call(call) => self::call(&call, as_json),
        Command::New(new) => authoring::new(&new, as_json),
        Command::Build(build) => authoring::build(&build, as_json),
        Command::Test(test) => cases::test(&test, as_json),
        Command::Add(add) => install::add(&add, as_json),
        Command::Update(update) => install::update(&update, as_json),
        Command::Remove { name } => install::remove(&name, as_json),
        Command::Inspect(inspect) => inspect::execute(&inspect, as_json),
        Command::Push(push) => push::execute(&push, as_json),
        Command::Approve(approve) => approve::execute(&approve, as_json),
        Command::Revoke { name } => approve::revoke(&name, as_json),
        Command::Requests => requests::list(as_json),
        Command::Dismiss { request } => requests::dismiss(request, as_json),
        Command::Secret(command) => secret::execute(&command, as_json),
        Command::Schema => schema(),
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

fn load() -> Result<Vec<Tool>> {
    let sandbox = runtime::sandbox(Audit::Off)?;
    runtime::block_on(async { runtime::builtin_tools(&sandbox).await })?
}

fn find<'a>(tools: &'a [Tool], name: &str) -> Option<&'a Tool> {
    tools.iter().find(|tool| tool.descriptor().name == name)
}

fn unknown(tools: &[Tool], name: &str) -> Error {
    let own = tools.iter().map(|tool| tool.descriptor().name.clone());
    let others = added::known().unwrap_or_default().into_iter().flat_map(|known| known.entry.current.tools);
    let names: Vec<_> = own.chain(others).map(|name| format!("`{name}`")).collect();
    Error::usage(format!("there is no tool `{name}`")).hint(format!("the tools are {}", names.join(", ")))
}

fn summary(tool: &Tool) -> Value {
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
    Grants::new(grants).map_err(|error| Error::usage(error.to_string()))
}

/// Without a suffix the grant is read-only.
fn grant(argument: &GrantArgument, allow_sensitive: &[String], links: HardLinks, visible: &Visible) -> Result<Grant> {
    let GrantArgument { name, path, .. } = argument;
    let access = argument.access().unwrap_or(Access::ReadOnly);
    let mut grant = Grant::open(name, path, access, &places::reserved()?).map_err(|error| not_granted(&error))?;
    for place in allow_sensitive {
        grant = grant.allowing(place).map_err(|error| not_granted(&error))?;
    }
    Ok(visible.apply(grant)?.with_hard_links(links))
}

pub(crate) fn not_granted(error: &GrantError) -> Error {
    match error {
        GrantError::Open { .. } => Error::usage(error.to_string()).hint("a grant is an existing directory"),
        GrantError::Reserved(_) | GrantError::Kernel(_) => {
            Error::refused(error.to_string()).hint("grant the directory that the tool is to work on, and no more")
        }
        GrantError::NotSensitive(_) => {
            Error::usage(error.to_string()).hint("`bailiwick doctor` lists the sensitive places, such as `.git`")
        }
        GrantError::Pattern { reason: PatternError::NotHidden, .. } => Error::usage(error.to_string())
            .hint("leave `--unhide` out; `bailiwick doctor` lists what is hidden by default, such as `.env`"),
        GrantError::Pattern { .. } => Error::usage(error.to_string())
            .hint("a pattern is a glob such as `*.snap` (a name at any depth) or `docs/internal` (a path)"),
        GrantError::Name(_) | GrantError::Duplicate(_) => Error::usage(error.to_string()),
    }
}
