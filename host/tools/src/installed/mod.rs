//! Components that a person added to this machine: kept by content, named by the person, pinned by their digest, and used
//! only as far as a person approved.
//!
//! | module | subject |
//! |---|---|
//! | [`Host`] | what this library asks of the program that uses it: places, the person's configuration, secrets, warnings |
//! | [`fetch`] | a file or an artifact of a registry, verified as far as the configuration demands |
//! | [`candidate`] | a component on its way in: with its manifest, compared with what that asks for |
//! | [`Usable`] | an added one on its way to a call: approved, unchanged, with what was approved and no more |
//! | [`capabilities()`] | a manifest as capabilities, limits and directories of the sandbox |
//! | `network` | the hosts of a manifest as rules of the sandbox, with the secrets kept for them |
//! | [`free`] | names that are free |
//! | [`Problem`] | why one of these is refused |

pub mod candidate;
mod capabilities;
pub mod fetch;
mod host;
mod names;
mod network;
mod problem;
mod usable;

pub use candidate::Candidate;
pub use capabilities::{Behind, capabilities, limits};
pub use fetch::{Fetched, RegistryUse};
pub use host::Host;
pub use names::free;
pub use problem::{Problem, ProblemKind};
pub use usable::Usable;

use bailiwick_audit::printable;
use bailiwick_sandbox::{Capabilities, Code, LoadError, Offered, Program, Sandbox, TypedTools, Wasi};

type Result<T> = std::result::Result<T, Problem>;

/// What helps where the cache of compiled components is not private.
const CACHE_HINT: &str = "make the directory yours alone with `chmod 700`, or set `BAILIWICK_CACHE_DIR` to another one";

/// Loads a component, whichever of the contracts it has, or none.
///
/// # Errors
/// It imports more than the capabilities, or is not a component with tools.
pub async fn load(host: &dyn Host, sandbox: &Sandbox, code: &Code, capabilities: &Capabilities) -> Result<Program> {
    match sandbox.announce_any(code, capabilities).await.map_err(|error| not_loaded(&error, capabilities))? {
        Offered::Rich(component) => Ok(Program::Rich(component)),
        Offered::Plain(tool) => Ok(Program::Plain(tool)),
        Offered::Typed(tools) => Ok(typed(host, tools)),
    }
}

/// A component that knows nothing of bailiwick: its functions are the tools.
fn typed(host: &dyn Host, loaded: TypedTools) -> Program {
    for (function, reason) in &loaded.skipped {
        host.warn(&format!("`{}` is not a tool: {reason}", printable(function)));
    }
    if loaded.more {
        host.warn(&format!("only the first {} functions are tools", loaded.tools.len()));
    }
    Program::Typed(loaded.tools.into())
}

fn not_loaded(error: &LoadError, capabilities: &Capabilities) -> Problem {
    let hint = match error {
        LoadError::Cache(cache) => {
            return Problem::refused(cache.to_string()).hint(CACHE_HINT);
        }
        LoadError::NothingOffered => {
            return Problem::usage("the component exports nothing that could be a tool")
                .hint("it should export `bailiwick:tool/tool`, or functions whose types JSON can carry");
        }
        LoadError::NotGranted(imports) => {
            return Problem::refused(printable(&error.to_string()).into_owned()).hint(grantable(imports, capabilities));
        }
        LoadError::NothingCallable { .. } => {
            "functions of numbers, texts, records, lists and variants are tools; a resource, a stream or a future means \
             something only while its instance lives"
        }
        LoadError::LaterWasi(_) => {
            let hint = "build it for WASI 0.2, as with the target `wasm32-wasip2`, and without `async` functions";
            return Problem::usage(printable(&error.to_string()).into_owned()).hint(hint);
        }
        LoadError::Exchanged { .. } => return Problem::refused(error.to_string()),
        _ => return Problem::usage(error.to_string()),
    };
    Problem::usage(error.to_string()).hint(hint)
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
