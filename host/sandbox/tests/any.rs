//! A component of which nobody knows what it offers: by the rich contract, by the plain one, or by functions alone.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use bailiwick_sandbox::{Audit, Capabilities, CompileCache, LoadError, Offered, Sandbox, builtin};
use common::{block_on, recorded_sandbox};
use std::path::Path;

/// One function from text to text, and no contract.
const TYPED: &str = r#"(component
    (core module $m
        (memory (export "memory") 1)
        (func (export "double") (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2))))
    (core instance $i (instantiate $m))
    (func $double (param "number" u32) (result u32) (canon lift (core func $i "double")))
    (instance $numbers (export "double" (func $double)))
    (export "test:numbers/numbers" (instance $numbers)))"#;

fn sandbox(cache: &Path) -> Sandbox {
    recorded_sandbox(CompileCache::Directory(cache.to_owned()), Audit::Off)
}

fn rich() -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../components/dist/hostile-rich-guest.wasm")).unwrap()
}

fn any(sandbox: &Sandbox, bytes: &[u8]) -> Result<Offered, LoadError> {
    block_on(sandbox.load_any(bytes, &Capabilities::files()))
}

#[test]
fn component_is_loaded_by_the_contract_it_has() {
    let base = tempfile::tempdir().unwrap();
    let sandbox = sandbox(&base.path().join("cache"));
    // Twice: what was kept of it comes to the same.
    for _ in 0..2 {
        // It imports notices, which the rich contract gives.
        assert!(matches!(any(&sandbox, &rich()).unwrap(), Offered::Rich(component) if !component.tools().is_empty()));
        let Offered::Plain(tool) = any(&sandbox, builtin::READ_FILE).unwrap() else { panic!("it is a plain tool") };
        assert_eq!(tool.descriptor().name, "ReadFile");
        let typed = any(&sandbox, &wat::parse_str(TYPED).unwrap()).unwrap();
        assert!(matches!(typed, Offered::Typed(found) if found.tools.len() == 1));
    }
    assert!(matches!(any(&sandbox, &wat::parse_str("(component)").unwrap()), Err(LoadError::NothingOffered)));
    assert!(matches!(any(&sandbox, b"\0asm"), Err(LoadError::Invalid(_))));
}

#[test]
fn plain_tool_that_is_known_is_listed_before_its_code_is_there() {
    let base = tempfile::tempdir().unwrap();
    let cache = base.path().join("cache");
    any(&sandbox(&cache), builtin::READ_FILE).unwrap();
    for entry in std::fs::read_dir(&cache).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "cwasm") {
            std::fs::remove_file(path).unwrap();
        }
    }
    let sandbox = sandbox(&cache);
    assert!(matches!(any(&sandbox, builtin::READ_FILE), Ok(Offered::Plain(_))));
    let compiled = std::fs::read_dir(&cache).unwrap().count();
    assert_eq!(compiled, 1, "its description alone: nothing was compiled");
}
