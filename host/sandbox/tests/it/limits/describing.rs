//! What a tool says of itself is bounded, and what it is allowed to import is checked before it says anything.

use super::guest::Guest;
use super::{ANSWER, SLACK, assert_unharmed};
use crate::common::{block_on, limits, load_limits, sandbox};
use bailiwick_sandbox::{
    Allocation, Audit, Capabilities, CompileCache, Limits, LoadError, Part, Random, Sandbox, SandboxConfig,
};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const DESCRIBE: Duration = Duration::from_millis(200);

fn impatient() -> Sandbox {
    Sandbox::new(SandboxConfig {
        allocation: Allocation::Pooled { slots: 6 },
        workers: 2,
        waiting: 16,
        most_stuck: 4,
        largest_memory: 64 << 20,
        cache: CompileCache::Off,
        load: load_limits(),
        audit: Audit::Off,
        describe: Limits { deadline: DESCRIBE, ..limits() },
    })
    .unwrap()
}

#[test]
fn tool_that_never_describes_itself_is_refused_at_load() {
    let sandbox = impatient();
    let endless = "(loop (br 0)) (unreachable)";
    let start = "(func $start (loop (br 0))) (start $start)";
    let realloc = "(drop (call $root)) (i32.const 16)";
    let guests = [
        ("describe", Guest { describe: endless, ..Guest::new(ANSWER) }),
        ("start function", Guest { more: start, ..Guest::new(ANSWER) }),
        (
            "recursion",
            Guest {
                describe: "(call $again) (unreachable)",
                more: "(func $again (loop (call $again) (br 0)))",
                ..Guest::new(ANSWER)
            },
        ),
        ("trap", Guest { describe: "(unreachable)", ..Guest::new(ANSWER) }),
    ];
    for (what, guest) in guests {
        let component = guest.component();
        let started = Instant::now();
        let refused = block_on(sandbox.load(&component, &Capabilities::files())).unwrap_err();
        assert!(matches!(refused, LoadError::Undescribed(_)), "{what}: {refused}");
        assert!(started.elapsed() < DESCRIBE + 2 * SLACK, "{what}: {:?}", started.elapsed());
        assert_unharmed(&sandbox);
    }
    // It may look for grants, and there are none.
    let curious = Guest { describe: realloc, ..Guest::new(ANSWER) };
    assert!(block_on(sandbox.load(&curious.component(), &Capabilities::files())).is_ok());
}

/// It is kept, shown before a person grants anything, and held against what the tool says when it is called.
#[test]
fn what_a_tool_says_of_itself_is_the_same_whatever_it_was_granted() {
    let fickle = Guest {
        imports: r#"(import "wasi:random/random@0.2.12" "get-random-u64" (func $random (result i64)))"#,
        // The first letter of its name is one of sixteen.
        describe: "(i32.store8 (i32.const 256)
            (i32.add (i32.const 97) (i32.wrap_i64 (i64.and (call $random) (i64.const 15))))) (i32.const 16)",
        ..Guest::new(ANSWER)
    };
    let sandbox = sandbox();
    let granted = Capabilities { random: Random::System, ..Capabilities::files() };
    let component = fickle.component();
    let name = || block_on(sandbox.load(&component, &granted)).unwrap().descriptor().name.clone();
    let names: BTreeSet<String> = (0..8).map(|_| name()).collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn descriptions_names_and_schemas_are_bounded() {
    let sandbox = impatient();
    // The parts of the descriptor at 16: name, description, input schema, output schema, as address and length.
    let with = |field: u32, length: usize| {
        format!(
            "(drop (memory.grow (i32.const 100))) (memory.fill (i32.const 8192) (i32.const 97) (i32.const {length}))
            (i32.store (i32.const {}) (i32.const 8192)) (i32.store (i32.const {}) (i32.const {length})) (i32.const 16)",
            16 + 8 * field,
            20 + 8 * field
        )
    };
    let cases = [
        (1, 16 << 10, None),
        (1, (16 << 10) + 1, Some(Part::Description)),
        (2, (64 << 10) + 1, Some(Part::Schema)),
        (3, (64 << 10) + 1, Some(Part::Schema)),
    ];
    for (field, length, refused) in cases {
        let guest = with(field, length);
        let loaded = block_on(
            sandbox.load(&Guest { describe: &guest, ..Guest::new(ANSWER) }.component(), &Capabilities::files()),
        );
        match refused {
            None => assert!(loaded.is_ok(), "{field} {length}: {:?}", loaded.err()),
            Some(part) => {
                let error = loaded.unwrap_err();
                let typed = matches!(&error, LoadError::TooLarge { part: found, .. } if *found == part);
                assert!(typed, "{field} {length}: {error}");
            }
        }
    }
    // A mebibyte and more is never copied whole, and no message repeats it.
    for (field, length) in [(0, 65), (0, 1 << 20), (1, 1 << 20), (2, 4 << 20)] {
        let guest = with(field, length);
        let error = block_on(
            sandbox.load(&Guest { describe: &guest, ..Guest::new(ANSWER) }.component(), &Capabilities::files()),
        )
        .unwrap_err();
        assert!(matches!(error, LoadError::Undescribed(_)), "{field} {length}: {error}");
        assert!(error.to_string().len() < 200, "{field} {length}");
    }
    assert_unharmed(&sandbox);
}

#[test]
fn tool_without_a_usable_name_is_refused_at_load() {
    // The descriptor starts in zeroes: empty name, empty schemas.
    let nameless = Guest { describe: "(i32.const 512)", ..Guest::new(ANSWER) };
    let refused = block_on(sandbox().load(&nameless.component(), &Capabilities::files())).unwrap_err();
    assert!(matches!(refused, LoadError::Undescribed(_)), "{refused}");
}

/// Clocks, random bytes, the environment and stdio are not linked at all, so nothing of theirs can be exhausted.
#[test]
fn random_bytes_clocks_environment_and_stdio_are_refused_at_load() {
    let sandbox = sandbox();
    let imports = [
        ("wasi:random/random@0.2.12", "get-random-u64", "(result u64)"),
        ("wasi:random/insecure@0.2.12", "get-insecure-random-u64", "(result u64)"),
        ("wasi:clocks/monotonic-clock@0.2.12", "now", "(result u64)"),
        ("wasi:cli/environment@0.2.12", "get-arguments", "(result (list string))"),
        ("wasi:cli/exit@0.2.12", "exit", "(param \"status\" (result))"),
        ("wasi:cli/stdout@0.2.12", "get-stdout", "(result u32)"),
        ("wasi:sockets/instance-network@0.2.12", "instance-network", "(result u32)"),
        ("wasi:http/outgoing-handler@0.2.12", "handle", "(result u32)"),
        ("wasi:io/poll@0.2.12", "poll", "(result u32)"),
        ("wasi:filesystem/other@0.2.12", "open", "(result u32)"),
        ("wasi:filesystem-types/types@0.2.12", "open", "(result u32)"),
    ];
    for (interface, function, signature) in imports {
        let text = format!(r#"(component (import "{interface}" (instance (export "{function}" (func {signature})))))"#);
        let refused = block_on(sandbox.load(&wat::parse_str(&text).unwrap(), &Capabilities::files())).unwrap_err();
        assert!(matches!(&refused, LoadError::NotGranted(list) if list == &[interface]), "{interface}: {refused}");
    }
}
