//! The hostile guest, compiled once for all tests.

use crate::common;
use bailiwick_sandbox::{Capabilities, Clocks, LoadError, Random, Sandbox, Speech, Tool};
use std::path::Path;
use std::sync::OnceLock;

const DIRECTORIES: &str = "bailiwick:built-in/directories@0.1.0";

/// A sandbox and the guest in it.
pub(crate) fn shared() -> &'static (Sandbox, Tool) {
    static SHARED: OnceLock<(Sandbox, Tool)> = OnceLock::new();
    SHARED.get_or_init(|| {
        let sandbox = common::sandbox();
        let tool = common::block_on(sandbox.load(&bytes(), &Capabilities::built_in())).unwrap();
        (sandbox, tool)
    })
}

/// The component as `cargo xtask guests` built it. It is not embedded anywhere.
pub(crate) fn bytes() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../components/dist/hostile-built-in-guest.wasm");
    std::fs::read(&path).expect("the hostile guest is not built yet; run `cargo xtask guests` first")
}

#[test]
fn guest_imports_what_built_in_tools_do_and_nothing_else() {
    let (_, tool) = shared();
    let names: Vec<_> = tool.imports().iter().map(|import| import.split('@').next().unwrap()).collect();
    assert_eq!(names, ["bailiwick:built-in/directories", "wasi:filesystem/preopens", "wasi:filesystem/types"]);
}

#[test]
fn guest_is_not_among_the_tools_of_the_product() {
    let built = bytes();
    assert!(bailiwick_sandbox::builtin::ALL.iter().all(|tool| *tool != built));
}

#[test]
fn component_of_another_author_is_not_given_what_built_in_tools_import() {
    let sandbox = common::sandbox();
    let bytes = bytes();
    let everything = Capabilities {
        clocks: Clocks::System,
        random: Random::System,
        environment: vec![("A".into(), "b".into())],
        notices: Speech::Notices,
        ..Capabilities::whole_wasi()
    };
    for capabilities in [Capabilities::files(), Capabilities::files_and_notices(), everything] {
        let refusals = [
            common::block_on(sandbox.load(&bytes, &capabilities)).map(drop).unwrap_err(),
            common::block_on(sandbox.load_any(&bytes, &capabilities)).map(drop).unwrap_err(),
            common::block_on(sandbox.announce(bytes.clone(), &capabilities)).map(drop).unwrap_err(),
        ];
        for refused in refusals {
            assert!(matches!(&refused, LoadError::NotGranted(imports) if imports == &[DIRECTORIES]), "{refused}");
        }
    }
    // No advice how to be granted it: a person cannot grant it.
    assert!(!Capabilities::knows(DIRECTORIES));
}
