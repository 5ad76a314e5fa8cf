//! The hostile guest, compiled once for all tests.

use crate::common;
use bailiwick_sandbox::{Capabilities, Sandbox, Tool};
use std::path::Path;
use std::sync::OnceLock;

/// A sandbox and the guest in it.
pub(crate) fn shared() -> &'static (Sandbox, Tool) {
    static SHARED: OnceLock<(Sandbox, Tool)> = OnceLock::new();
    SHARED.get_or_init(|| {
        let sandbox = common::sandbox();
        let tool = common::block_on(sandbox.load(&bytes(), &Capabilities::files())).unwrap();
        (sandbox, tool)
    })
}

/// The component as `cargo xtask guests` built it. It is not embedded anywhere.
pub(crate) fn bytes() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../components/dist/hostile-guest.wasm");
    std::fs::read(&path).expect("the hostile guest is not built yet; run `cargo xtask guests` first")
}

#[test]
fn guest_imports_the_filesystem_and_nothing_else() {
    let (_, tool) = shared();
    let names: Vec<_> = tool.imports().iter().map(|import| import.split('@').next().unwrap()).collect();
    assert_eq!(names, ["wasi:filesystem/preopens", "wasi:filesystem/types"]);
}

#[test]
fn guest_is_not_among_the_tools_of_the_product() {
    let built = bytes();
    assert!(bailiwick_sandbox::builtin::ALL.iter().all(|tool| *tool != built));
}
