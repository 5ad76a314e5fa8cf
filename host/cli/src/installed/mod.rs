//! Components that a person added to this machine: kept by content, named by the person, pinned by their digest, and used
//! only as far as a person approved.
//!
//! | module | subject |
//! |---|---|
//! | `fetch` | a file or an artifact of a registry, verified as far as a person asks for it |
//! | `candidate` | a component on its way in: with its manifest, held against what it asks for |
//! | `load` | an added one on its way to a call: approved, unchanged, with what was approved and no more |
//! | `capabilities` | a manifest as capabilities, limits and directories of the sandbox |
//! | `network` | the hosts of a manifest as rules of the sandbox, with the secrets kept for them |
//! | `names` | names that are free |

pub(crate) mod candidate;
mod capabilities;
pub(crate) mod fetch;
mod load;
mod names;
mod network;

pub(crate) use candidate::Candidate;
pub(crate) use capabilities::{Behind, capabilities, limits};
pub(crate) use fetch::Fetched;
pub(crate) use load::Usable;
pub(crate) use names::free;

use crate::exit::{Error, Result};
use crate::runtime::load_failed;
use crate::{output, places};
use bailiwick_audit::printable;
use bailiwick_mcp::component::Program;
use bailiwick_sandbox::{Capabilities, Code, LoadError, Offered, Sandbox, TypedTools, Wasi};
use bailiwick_tools::{Store, StoreError};
use serde_json::{Value, json};

/// The added tools of the state directory.
pub(crate) fn store() -> Result<Store> {
    Ok(Store::at(places::state()?.join("tools")))
}

/// Loads a component, whichever of the contracts it has, or none.
pub(crate) async fn load(sandbox: &Sandbox, code: &Code, capabilities: &Capabilities) -> Result<Program> {
    match sandbox.announce_any(code, capabilities).await.map_err(|error| not_loaded(error, capabilities))? {
        Offered::Rich(component) => Ok(Program::Rich(component)),
        Offered::Plain(tool) => Ok(Program::Plain(tool)),
        Offered::Typed(tools) => Ok(typed(tools)),
    }
}

/// A component that knows nothing of bailiwick: its functions are the tools.
fn typed(loaded: TypedTools) -> Program {
    for (function, reason) in &loaded.skipped {
        output::progress(&format!("warning: `{}` is not a tool: {reason}", printable(function)));
    }
    if loaded.more {
        output::progress(&format!("warning: only the first {} functions are tools", loaded.tools.len()));
    }
    Program::Typed(loaded.tools.into())
}

fn not_loaded(error: LoadError, capabilities: &Capabilities) -> Error {
    let hint = match &error {
        LoadError::Cache(_) => return load_failed(error),
        LoadError::NothingOffered => {
            return Error::usage("the component exports nothing that could be a tool")
                .hint("it should export `bailiwick:tool/tool`, or functions whose types JSON can carry");
        }
        LoadError::NotGranted(imports) => {
            return Error::refused(printable(&error.to_string()).into_owned()).hint(grantable(imports, capabilities));
        }
        LoadError::NothingCallable { .. } => {
            "functions of numbers, texts, records, lists and variants are tools; a resource, a stream or a future means \
             something only while its instance lives"
        }
        LoadError::Asynchronous => {
            "build it for WASI 0.2, as with the target `wasm32-wasip2`, and without `async` functions"
        }
        LoadError::Exchanged { .. } => return Error::refused(error.to_string()),
        _ => return Error::usage(error.to_string()),
    };
    Error::usage(error.to_string()).hint(hint)
}

/// How a component might come by these imports, if it can at all.
fn grantable(imports: &[String], capabilities: &Capabilities) -> String {
    let foreign: Vec<_> = imports.iter().filter(|import| !Capabilities::knows(import)).take(3).collect();
    if !foreign.is_empty() {
        let foreign: Vec<_> = foreign.iter().map(|import| format!("`{}`", printable(import))).collect();
        return format!(
            "no manifest can ask for {}: it has to be composed with a component that exports that, as by `wac plug`",
            foreign.join(", ")
        );
    }
    if imports.iter().any(|import| import.starts_with("wasi:http/")) {
        return "a `tool.toml` asks for the hosts of requests, under `[[network]]`".to_owned();
    }
    match capabilities.wasi {
        Wasi::Files => {
            "a `tool.toml` lets it import all of WASI 0.2; what is not asked for there does nothing".to_owned()
        }
        Wasi::Whole => "its `tool.toml` has to ask for that".to_owned(),
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

/// What its tools say of themselves, in one order.
pub(crate) fn descriptors(program: &Program) -> Value {
    match program {
        Program::Plain(tool) => json!([tool.descriptor()]),
        Program::Typed(tools) => tools.iter().map(|tool| json!(tool.descriptor())).collect(),
        Program::Rich(component) => component.tools().iter().map(|tool| json!(tool.descriptor())).collect(),
    }
}

/// What a tool of it says of itself, with what it came from.
pub(crate) fn described(added: &str, program: &Program, tool: &str) -> Option<Value> {
    let (digest, imports) = match program {
        Program::Plain(plain) => (plain.digest(), plain.imports()),
        Program::Typed(tools) => tools.first().map(|tool| (tool.digest(), tool.imports()))?,
        Program::Rich(component) => (component.digest(), component.imports()),
    };
    let Value::Array(all) = descriptors(program) else { return None };
    let mut value = all.into_iter().find(|one| one["name"] == tool)?;
    value["digest"] = json!(digest);
    value["imports"] = json!(imports);
    value["added"] = json!(added);
    Some(value)
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let said = error.to_string();
        match error {
            StoreError::NotPrivate(directory) => {
                Self::refused(said).hint(format!("`chmod 700 {}` if it is yours", directory.display()))
            }
            StoreError::Unknown { known, .. } => {
                let names: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
                Self::usage(said).hint(match names.is_empty() {
                    true => "`bailiwick tool add FILE` adds one".to_owned(),
                    false => format!("these were added: {}", names.join(", ")),
                })
            }
            StoreError::Unreadable { name, .. } => Self::failed(said).hint(again(&name)),
            StoreError::Exchanged { name, .. } => Self::refused(said).hint(again(&name)),
            StoreError::Moved(name) => {
                Self::refused(said).hint(format!("look at it again with `bailiwick tool inspect {name}`"))
            }
            StoreError::NothingToApprove(_) => Self::usage(said),
            StoreError::Full(_) => Self::usage(said).hint("`bailiwick tool remove NAME` takes one away"),
            _ => Self::failed(said),
        }
    }
}

fn again(name: &str) -> String {
    format!("take it away with `bailiwick tool remove {name}` and add it again if you trust it")
}
