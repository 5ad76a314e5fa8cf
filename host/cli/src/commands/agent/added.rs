//! The tools of an agent: this program's own, and those that a person added, each over what the agent file names for it.

use super::prepare::Prepared;
use crate::exit::{Error, Result};
use crate::installed::this_program;
use crate::runtime;
use bailiwick_agent::file::ToolRequest;
use bailiwick_agent::sandboxed::Equipped;
use bailiwick_sandbox::Program;
use bailiwick_sandbox::{Grant, Grants, Limits, Sandbox, Tool};
use bailiwick_tools::installed::Usable;

/// The tools that the file asks for, in its order. A component with several tools brings all of them.
///
/// # Errors
/// There is no such tool, an added one may not be used as it is now, or two have the same name.
pub(super) async fn equip(prepared: &Prepared, sandbox: &Sandbox) -> Result<Vec<Equipped>> {
    let own = runtime::builtin_tools(sandbox).await?;
    let names: Vec<&str> = own.iter().map(|tool| tool.descriptor().name.as_str()).collect();
    let agent = &prepared.source.agent;
    agent.check_tools(&names).map_err(|error| prepared.source.wrong(&error))?;
    let limits = &agent.call_limits;
    let grants = &prepared.allowed.grants;
    let mut all: Vec<Equipped> = Vec::new();
    for request in &agent.tools {
        match request {
            ToolRequest::Own(name) => {
                let tools = own.iter().filter(|tool| tool.descriptor().name == *name).cloned();
                all.extend(tools.map(|tool| Equipped { tool, grants: grants.clone(), limits: limits.clone() }));
            }
            ToolRequest::Added { name, grants: named } => {
                all.extend(added(sandbox, name, named, grants, limits).await?);
            }
        }
    }
    Ok(all)
}

async fn added(
    sandbox: &Sandbox,
    name: &str,
    named: &[String],
    grants: &Grants,
    limits: &Limits,
) -> Result<Vec<Equipped>> {
    let usable = Usable::open(this_program(), name)?;
    let chosen: Vec<Grant> =
        grants.iter().filter(|grant| named.iter().any(|name| name == grant.name())).cloned().collect();
    let chosen = Grants::new(chosen).map_err(|error| Error::usage(error.to_string()))?;
    let grants = usable.grants(&chosen)?;
    let limits = least(limits, usable.limits());
    let tools: Vec<Tool> = match usable.load(sandbox).await? {
        Program::Plain(tool) => vec![tool],
        Program::Typed(tools) => tools.to_vec(),
        Program::Rich(_) => {
            return Err(Error::usage(format!(
                "`{name}` answers in parts or asks first, and an agent in a file cannot use that"
            ))
            .hint("offer it to a client with `bailiwick mcp --tool`"));
        }
    };
    Ok(tools.into_iter().map(|tool| Equipped { tool, grants: grants.clone(), limits: limits.clone() }).collect())
}

/// What both allow.
fn least(one: &Limits, other: &Limits) -> Limits {
    Limits {
        memory_bytes: one.memory_bytes.min(other.memory_bytes),
        table_elements: one.table_elements.min(other.table_elements),
        deadline: one.deadline.min(other.deadline),
        input_bytes: one.input_bytes.min(other.input_bytes),
        output_bytes: one.output_bytes.min(other.output_bytes),
        handles: one.handles.min(other.handles),
        directory_entries: one.directory_entries.min(other.directory_entries),
        written_bytes: one.written_bytes.min(other.written_bytes),
    }
}
