//! Components of WASI 0.3, made as toolchains make them, with the canonical names of the asynchronous ABI. This host does
//! not run them (`docs/guides/write-a-tool.md` says why), and says so whichever way they come in.

use crate::common::{block_on, sandbox};
use bailiwick_sandbox::{Capabilities, Clocks, LoadError, Random};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// What a guest of WASI 0.3 is given, in the shapes that matter here.
const WASI: &str = "
    package test:later;
    package wasi:random@0.3.0 { interface random { get-random-u64: func() -> u64; } }
    package wasi:clocks@0.3.0 {
        interface monotonic-clock { now: func() -> u64; wait-for: async func(how-long: u64); }
    }
    package wasi:cli@0.3.0 {
        interface stdin { read-via-stream: func() -> tuple<stream<u8>, future<result<_, u32>>>; }
        interface run { run: async func() -> result; }
    }
    world guest { ";

/// A component of that world from a core module with these functions.
fn component(world: &str, functions: &str) -> Vec<u8> {
    let mut resolve = Resolve::default();
    let package = resolve.push_str("guest.wit", &format!("{WASI} {world} }}")).unwrap();
    let world = resolve.select_world(&[package], Some("guest")).unwrap();
    let memory = "(memory (export \"memory\") 1)
        (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32) (i32.const 16))";
    let mut module = wat::parse_str(format!("(module {functions} {memory})")).unwrap();
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8, false).unwrap();
    ComponentEncoder::default().validate(true).module(&module).unwrap().encode().unwrap()
}

/// Everything that a person can grant.
fn everything() -> Capabilities {
    Capabilities {
        clocks: Clocks::System,
        random: Random::System,
        environment: vec![("A".into(), "b".into())],
        ..Capabilities::whole_wasi()
    }
}

#[test]
fn component_of_wasi_0_3_is_refused_by_that_name_whatever_is_granted() {
    let asynchronous = "it has asynchronous functions, streams or futures";
    let run = "(func (export \"run\"))";
    let cases = [
        // A function that is started, waits for what its callback is told, and answers by `task.return`.
        (
            "export run: async func();",
            "(import \"[export]$root\" \"[task-return]run\" (func))
            (func (export \"[async-lift]run\") (result i32) (i32.const 0))
            (func (export \"[callback][async-lift]run\") (param i32 i32 i32) (result i32) (i32.const 0))",
            asynchronous,
        ),
        // One that waits on a stack of its own.
        (
            "export run: async func();",
            "(import \"[export]$root\" \"[task-return]run\" (func)) (func (export \"[async-lift-stackful]run\"))",
            asynchronous,
        ),
        // A program of WASI 0.3.
        (
            "export wasi:cli/run@0.3.0;",
            "(import \"[export]wasi:cli/run@0.3.0\" \"[task-return]run\" (func (param i32)))
            (func (export \"[async-lift]wasi:cli/run@0.3.0#run\") (result i32) (i32.const 0))
            (func (export \"[callback][async-lift]wasi:cli/run@0.3.0#run\") (param i32 i32 i32) (result i32)
                (i32.const 0))",
            asynchronous,
        ),
        (
            "import wasi:clocks/monotonic-clock@0.3.0; export run: func();",
            &format!(
                "(import \"wasi:clocks/monotonic-clock@0.3.0\" \"[async-lower]wait-for\"
                (func (param i64) (result i32))) {run}"
            ),
            asynchronous,
        ),
        // An asynchronous function that is called as if it were none.
        (
            "import wasi:clocks/monotonic-clock@0.3.0; export run: func();",
            &format!("(import \"wasi:clocks/monotonic-clock@0.3.0\" \"wait-for\" (func (param i64))) {run}"),
            asynchronous,
        ),
        (
            "import wasi:cli/stdin@0.3.0; export run: func();",
            &format!("(import \"wasi:cli/stdin@0.3.0\" \"read-via-stream\" (func (param i32))) {run}"),
            asynchronous,
        ),
        (
            "export run: func(input: stream<u8>) -> future<u32>;",
            "(func (export \"run\") (param i32) (result i32) (i32.const 0))",
            asynchronous,
        ),
        // Nothing of these is asynchronous: the version alone tells.
        (
            "import wasi:random/random@0.3.0; export run: func();",
            &format!("(import \"wasi:random/random@0.3.0\" \"get-random-u64\" (func (result i64))) {run}"),
            "it imports `wasi:random/random@0.3.0`",
        ),
        (
            "import wasi:clocks/monotonic-clock@0.3.0; export run: func();",
            &format!("(import \"wasi:clocks/monotonic-clock@0.3.0\" \"now\" (func (result i64))) {run}"),
            "it imports `wasi:clocks/monotonic-clock@0.3.0`",
        ),
    ];
    let sandbox = sandbox();
    for (world, functions, why) in cases {
        let bytes = component(world, functions);
        for capabilities in [Capabilities::files(), everything()] {
            let refusals = [
                block_on(sandbox.load(&bytes, &capabilities)).map(drop).unwrap_err(),
                block_on(sandbox.load_typed(&bytes, &capabilities)).map(drop).unwrap_err(),
                block_on(sandbox.load_any(&bytes, &capabilities)).map(drop).unwrap_err(),
                block_on(sandbox.announce(bytes.clone(), &capabilities)).map(drop).unwrap_err(),
            ];
            for refused in refusals {
                assert!(matches!(&refused, LoadError::LaterWasi(said) if said == why), "{world}: {refused}");
                let sentence =
                    format!("the component is built for WASI 0.3 ({why}), and this host runs components of WASI 0.2");
                assert_eq!(refused.to_string(), sentence);
            }
        }
    }
    assert!(!Capabilities::knows("wasi:random/random@0.3.0") && Capabilities::knows("wasi:random/random@0.2.9"));
}

/// What is asynchronous deep inside, behind an edge that looks like that of WASI 0.2.
#[test]
fn asynchronous_part_of_a_composed_component_is_found() {
    let inner = [
        "(type $s (stream u8)) (core func (canon stream.new $s))",
        "(type $f (future u32)) (core func (canon future.read $f async))",
        "(core func (canon task.return))",
        "(core func (canon waitable-set.new))",
        "(core func (canon subtask.drop))",
        "(core func (canon backpressure.inc))",
        "(core func (canon context.get i32 0))",
        "(core func (canon error-context.drop))",
    ];
    let sandbox = sandbox();
    for part in inner {
        let memory = "(core module $m (memory (export \"m\") 1)) (core instance $i (instantiate $m))";
        let part = part.replace(" async)", " async (memory (core memory $i \"m\")))");
        let text = format!("(component (component (component {memory} {part})))");
        let refused = block_on(sandbox.load_any(&wat::parse_str(&text).unwrap(), &everything())).unwrap_err();
        assert!(matches!(refused, LoadError::LaterWasi(_)), "{text}: {refused}");
    }
}
