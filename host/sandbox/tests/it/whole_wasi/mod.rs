//! All of WASI 0.2, inert: a component that imports it loads where that was granted, gets nothing of the machine, and
//! can neither outlive its deadline nor take the host's memory. `tests/hostile-wasi-guest` tries.

mod files;
mod inert;
mod waiting;

use crate::common::block_on;
use bailiwick_sandbox::{
    Access, CallReport, Capabilities, CompileCache, Grant, Grants, Limits, LoadError, Reserved, Sandbox, Tool,
};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::OnceLock;

fn bytes() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../components/dist/hostile-wasi-guest.wasm");
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask guests`", path.display()))
}

/// One sandbox for all tests: compiling the guest takes longer than most of them. Compiled code is kept for those that
/// load it with other capabilities.
fn sandbox() -> &'static Sandbox {
    static SANDBOX: OnceLock<(tempfile::TempDir, Sandbox)> = OnceLock::new();
    let (_, sandbox) = SANDBOX.get_or_init(|| {
        let cache = tempfile::tempdir().unwrap();
        let directory = CompileCache::Directory(cache.path().join("components"));
        (cache, crate::common::sandbox_with(directory))
    });
    sandbox
}

fn loaded(capabilities: &Capabilities) -> Tool {
    block_on(sandbox().load(&bytes(), capabilities)).unwrap()
}

/// One attempt of the guest with everything inert.
fn inert(attempt: &str, text: &str, number: u64, limits: &Limits) -> CallReport {
    with(&Capabilities::whole_wasi(), &Grants::none(), attempt, text, number, limits)
}

fn with(
    capabilities: &Capabilities,
    grants: &Grants,
    attempt: &str,
    text: &str,
    number: u64,
    limits: &Limits,
) -> CallReport {
    let input = json!({ "attempt": attempt, "text": text, "number": number }).to_string();
    block_on(sandbox().call(&loaded(capabilities), grants, &input, limits))
}

/// What an attempt came to.
fn came(report: &CallReport) -> Value {
    let output: Value = serde_json::from_str(report.outcome.as_ref().unwrap()).unwrap();
    output["came"].clone()
}

fn grants(directory: &Path, access: Access) -> Grants {
    Grants::new(vec![Grant::open("g", directory, access, &Reserved::none()).unwrap()]).unwrap()
}

#[test]
fn component_that_imports_all_of_wasi_is_refused_by_name_until_that_is_granted() {
    for capabilities in [Capabilities::files(), Capabilities::files_and_notices()] {
        let Err(LoadError::NotGranted(refused)) = block_on(sandbox().load(&bytes(), &capabilities)) else {
            panic!("it loads without the grant");
        };
        for import in ["wasi:sockets/tcp", "wasi:cli/environment", "wasi:clocks/wall-clock", "wasi:io/poll"] {
            assert!(refused.iter().any(|name| name.starts_with(import)), "{import}: {refused:?}");
        }
        assert!(!refused.iter().any(|name| name.starts_with("wasi:filesystem/")), "{refused:?}");
    }
    let tool = loaded(&Capabilities::whole_wasi());
    assert!(tool.imports().iter().any(|import| import.starts_with("wasi:sockets/ip-name-lookup")));
}

#[test]
fn clocks_or_random_alone_do_not_let_the_rest_in() {
    use bailiwick_sandbox::{Clocks, Random};
    let some = Capabilities {
        clocks: Clocks::System,
        random: Random::System,
        environment: vec![("A".into(), "b".into())],
        ..Capabilities::files()
    };
    let Err(LoadError::NotGranted(refused)) = block_on(sandbox().load(&bytes(), &some)) else {
        panic!("it loads without the grant");
    };
    let rest = ["wasi:cli/exit", "wasi:cli/std", "wasi:cli/terminal", "wasi:sockets/"];
    let kept = |name: &String| rest.iter().any(|rest| name.starts_with(rest));
    assert!(refused.iter().all(kept) && refused.len() >= 10, "{refused:?}");
}
