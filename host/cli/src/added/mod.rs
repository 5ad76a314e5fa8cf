//! Components that a person added to this machine: kept by content, named by the person, pinned by their digest.

mod store;

pub(crate) use store::{Entry, Store, component_file};

use crate::exit::{Error, Result};
use crate::output;
use crate::runtime::load_failed;
use bailiwick_audit::printable;
use bailiwick_mcp::component::Program;
use bailiwick_sandbox::{Capabilities, LoadError, Sandbox, is_unseen};
use serde_json::{Value, json};

/// Names that belong to this program's own tools, now or later.
const OURS: [&str; 2] = ["azsdk_", "bailiwick"];

/// Names of the file tools that a server offers over its grants.
const FILES: [&str; 14] = [
    "create_directory",
    "directory_tree",
    "edit_file",
    "get_file_info",
    "list_allowed_directories",
    "list_directory",
    "list_directory_with_sizes",
    "move_file",
    "read_file",
    "read_media_file",
    "read_multiple_files",
    "read_text_file",
    "search_files",
    "write_file",
];

/// Loads a component, whichever of the contracts it has, or none.
pub(crate) async fn load(sandbox: &Sandbox, bytes: &[u8]) -> Result<Program> {
    match sandbox.load_rich(bytes, &Capabilities::files_and_notices()).await {
        Ok(component) => Ok(Program::Rich(component)),
        // A tool of the plain contract has nobody to send notices to.
        Err(LoadError::NothingOffered) => match sandbox.load(bytes, &Capabilities::files()).await {
            Ok(tool) => Ok(Program::Plain(tool)),
            Err(LoadError::NotATool(_)) => typed(sandbox, bytes).await,
            Err(error) => Err(not_loaded(error)),
        },
        Err(error) => Err(not_loaded(error)),
    }
}

/// Loads a component that knows nothing of bailiwick: its functions are the tools.
async fn typed(sandbox: &Sandbox, bytes: &[u8]) -> Result<Program> {
    let loaded = sandbox.load_typed(bytes, &Capabilities::files()).await.map_err(|error| match error {
        LoadError::NothingOffered => Error::usage("the component exports nothing that could be a tool")
            .hint("it should export `bailiwick:tool/tool`, or functions whose types JSON can carry"),
        other => not_loaded(other),
    })?;
    for (function, reason) in &loaded.skipped {
        output::progress(&format!("warning: `{}` is no tool: {reason}", printable(function)));
    }
    if loaded.more {
        output::progress(&format!("warning: only the first {} functions are tools", loaded.tools.len()));
    }
    Ok(Program::Typed(loaded.tools.into()))
}

fn not_loaded(error: LoadError) -> Error {
    match error {
        error @ LoadError::Cache(_) => load_failed(error),
        error @ LoadError::NotGranted(_) => Error::refused(error.to_string())
            .hint("a component may import `wasi:filesystem` and `bailiwick:tool/notices`, and nothing else"),
        other => Error::usage(other.to_string()),
    }
}

/// The names of its tools.
pub(crate) fn names(program: &Program) -> Vec<String> {
    match program {
        Program::Plain(tool) => vec![tool.descriptor().name.clone()],
        Program::Typed(tools) => tools.iter().map(|tool| tool.descriptor().name.clone()).collect(),
        Program::Rich(component) => component.tools().iter().map(|tool| tool.descriptor().name.clone()).collect(),
    }
}

/// What a tool of it says of itself, with what it came from.
pub(crate) fn described(added: &str, program: &Program, tool: &str) -> Option<Value> {
    let (mut value, digest, imports) = match program {
        Program::Plain(plain) if plain.descriptor().name == tool => {
            (serde_json::to_value(plain.descriptor()).ok()?, plain.digest(), plain.imports())
        }
        Program::Plain(_) => return None,
        Program::Typed(tools) => {
            let tool = tools.iter().find(|one| one.descriptor().name == tool)?;
            (serde_json::to_value(tool.descriptor()).ok()?, tool.digest(), tool.imports())
        }
        Program::Rich(component) => {
            (serde_json::to_value(component.tool(tool)?.descriptor()).ok()?, component.digest(), component.imports())
        }
    };
    value["digest"] = json!(digest);
    value["imports"] = json!(imports);
    value["added"] = json!(added);
    Some(value)
}

/// Refuses a name that another tool has, or that a person could not type or read.
pub(crate) fn free(name: &str, known: &[String]) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
        let shown: String = name.chars().take(64).filter(|c| !is_unseen(*c)).collect();
        return Err(
            Error::usage(format!("`{shown}` is no name for a tool")).hint("use up to 64 letters, digits, `-` and `_`")
        );
    }
    if OURS.iter().any(|ours| name.to_ascii_lowercase().starts_with(ours)) {
        return Err(Error::usage(format!("names like `{name}` belong to bailiwick's own tools")));
    }
    if known.iter().any(|known| known == name) || FILES.contains(&name) {
        return Err(Error::usage(format!("there is a tool `{name}` already"))
            .hint("`bailiwick tool list` shows them; `bailiwick tool remove NAME` takes an added one away"));
    }
    Ok(())
}
