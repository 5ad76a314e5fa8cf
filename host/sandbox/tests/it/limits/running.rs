//! What a guest does to its own instance: loops, recursion, growth, and answers that are none.

use super::guest::Guest;
use super::{ANSWER, assert_unharmed, call, host_failure, load, once};
use crate::common::{config, limits, sandbox};
use bailiwick_sandbox::{CallError, Grants, HostFailure, Limits, Sandbox, SandboxConfig};
use std::time::Duration;

const SHORT: Duration = Duration::from_millis(200);

/// Bodies that never end on their own, by where they stand.
#[test]
fn endless_guest_code_ends_at_the_deadline_wherever_it_stands() {
    let sandbox = sandbox();
    let short = Limits { deadline: SHORT, ..limits() };
    let endless = "(loop (br 0)) (unreachable)";
    let guests = [
        ("invoke", Guest::new(endless)),
        ("recursion that returns", Guest::new("(loop (call $back (i32.const 100)) (br 0)) (unreachable)")),
        ("post-return", Guest { post_return: "(loop (br 0))", ..Guest::new(ANSWER) }),
        // `describe` takes no argument and so needs no memory from the guest.
        ("realloc", Guest { realloc: endless, ..Guest::new(ANSWER) }),
        ("growth that is refused", Guest::new("(loop (drop (memory.grow (i32.const 30000))) (br 0)) (unreachable)")),
    ];
    for (place, guest) in guests {
        let more = "(func $back (param i32) (if (local.get 0)
            (then (call $back (i32.sub (local.get 0) (i32.const 1))))))";
        let tool = load(&sandbox, &Guest { more, ..guest });
        let report = call(&sandbox, &tool, &Grants::none(), &short);
        assert!(report.cost.wall >= SHORT, "{place}: {:?}", report.cost.wall);
        assert_eq!(host_failure(report), HostFailure::Deadline(SHORT), "{place}");
        assert_unharmed(&sandbox);
    }
}

/// The stack that WebAssembly calls use is the host's and bounded; a guest from Rust or C also has one of its own in
/// linear memory, and running out of that one is an access out of bounds.
#[test]
fn deep_recursion_is_told_apart_from_a_trap() {
    let sandbox = sandbox();
    let report = once(&sandbox, "(call $invoke (local.get $in) (local.get $len))", None, &limits());
    assert_eq!(host_failure(report), HostFailure::Stack);
    let own_stack = "(loop (i32.store (local.get $a) (i32.const 1))
        (local.set $a (i32.sub (local.get $a) (i32.const 64))) (br 0)) (unreachable)";
    let failure = host_failure(once(&sandbox, own_stack, None, &limits()));
    assert!(matches!(failure, HostFailure::Trap(_)), "{failure:?}");
    assert_unharmed(&sandbox);
}

#[test]
fn growth_beyond_a_limit_is_named_after_what_grew() {
    let sandbox = sandbox();
    let small = Limits { memory_bytes: 1 << 20, table_elements: 100, ..limits() };
    let memory = "(loop (br_if 0 (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) (unreachable)";
    let tables = "(loop (br_if 0 (i32.ne (table.grow (ref.null func) (i32.const 10)) (i32.const -1)))) (unreachable)";
    let report = once(&sandbox, memory, None, &small);
    assert!(report.cost.memory_bytes <= 1 << 20);
    assert_eq!(host_failure(report), HostFailure::Memory { limit: 1 << 20 });
    assert_eq!(host_failure(once(&sandbox, tables, None, &small)), HostFailure::Tables { limit: 100 });
    assert_unharmed(&sandbox);
}

/// A tool is given what a person approved, to its last byte, and a page of 64 KiB more is refused.
#[test]
fn tool_has_the_128_mebibytes_it_was_given_and_not_one_page_more() {
    let largest_memory = 512 << 20;
    let sandbox = Sandbox::new(SandboxConfig { largest_memory, ..config() }).unwrap();
    let given = Limits { memory_bytes: 128 << 20, ..limits() };
    // It starts with two pages. All of it is written to: the first and the last byte, and one in each page between.
    let filled = |pages: u32| {
        format!(
            "(if (i32.eq (memory.grow (i32.const {})) (i32.const -1)) (then unreachable))
            (local.set $a (i32.const 131072))
            (loop (i32.store8 (local.get $a) (i32.const 1))
                (local.set $a (i32.add (local.get $a) (i32.const 65536)))
                (br_if 0 (i32.lt_u (local.get $a) (i32.const {}))))
            (i32.store8 (i32.const {}) (i32.const 1))
            (i32.const 128)",
            pages - 2,
            pages << 16,
            (pages << 16) - 1,
        )
    };
    let whole = once(&sandbox, &filled(2048), None, &given);
    assert_eq!(whole.cost.memory_bytes, 128 << 20);
    assert_eq!(whole.outcome.unwrap(), r#"{"type":"object"}"#);
    for over in [2049, 2064] {
        let refused = once(&sandbox, &filled(over), None, &given);
        assert_eq!(host_failure(refused), HostFailure::Memory { limit: 128 << 20 }, "{over} pages");
    }
    // The most that anybody can be given.
    let most = Limits { memory_bytes: largest_memory, ..limits() };
    assert_eq!(once(&sandbox, &filled(8192), None, &most).cost.memory_bytes, largest_memory);
    let beyond = Limits { memory_bytes: 1 << 30, ..limits() };
    let refused = once(&sandbox, &filled(8193), None, &beyond);
    assert!(matches!(refused.outcome, Err(CallError::Host(_))), "the place for an instance is no larger");
    assert_unharmed(&sandbox);
}

#[test]
fn guest_that_takes_no_for_an_answer_goes_on() {
    let report = once(&sandbox(), "(drop (memory.grow (i32.const 60000))) (i32.const 128)", None, &limits());
    assert_eq!(report.outcome.unwrap(), r#"{"type":"object"}"#);
}

#[test]
fn memory_that_a_guest_starts_with_counts() {
    let sandbox = sandbox();
    let tool = load(&sandbox, &Guest::new(ANSWER));
    let tiny = Limits { memory_bytes: 64 << 10, ..limits() };
    assert_eq!(host_failure(call(&sandbox, &tool, &Grants::none(), &tiny)), HostFailure::Memory { limit: 64 << 10 });
    let none = Limits { table_elements: 0, ..limits() };
    assert_eq!(host_failure(call(&sandbox, &tool, &Grants::none(), &none)), HostFailure::Tables { limit: 0 });
    assert_unharmed(&sandbox);
}

#[test]
fn answer_that_breaks_the_interface_is_a_trap() {
    let sandbox = sandbox();
    let string = |at: &str, length: &str| {
        format!(
            "(i32.store (i32.const 132) (i32.const {at})) (i32.store (i32.const 136) (i32.const {length})) (i32.const 128)"
        )
    };
    let (outside, overflowing, around) = (string("131000", "1000"), string("4096", "-1"), string("-4096", "8192"));
    let guests = [
        ("unreachable", Guest::new("(unreachable)")),
        ("post-return traps", Guest { post_return: "(unreachable)", ..Guest::new(ANSWER) }),
        ("answer outside memory", Guest::new("(i32.const -4)")),
        ("answer not aligned", Guest::new("(i32.const 129)")),
        ("string outside memory", Guest::new(&outside)),
        ("length that overflows", Guest::new(&overflowing)),
        ("address and length that overflow", Guest::new(&around)),
        ("no such variant", Guest::new("(i32.store8 (i32.const 128) (i32.const 7)) (i32.const 128)")),
        (
            "no such kind of error",
            Guest::new(
                "(i32.store8 (i32.const 128) (i32.const 1)) (i32.store8 (i32.const 132) (i32.const 99)) (i32.const 128)",
            ),
        ),
        ("not UTF-8", Guest::new("(i32.store8 (i32.const 300) (i32.const 0xff)) (i32.const 128)")),
        ("realloc outside memory", Guest { realloc: "(i32.const -16)", ..Guest::new(ANSWER) }),
        ("realloc not aligned", Guest { realloc: "(i32.const 131071)", ..Guest::new(ANSWER) }),
        ("realloc traps", Guest { realloc: "(unreachable)", ..Guest::new(ANSWER) }),
    ];
    for (what, guest) in guests {
        let tool = load(&sandbox, &guest);
        let failure = host_failure(call(&sandbox, &tool, &Grants::none(), &limits()));
        let output = what == "length that overflows" && matches!(failure, HostFailure::Output { .. });
        assert!(output || matches!(failure, HostFailure::Trap(_)), "{what}: {failure:?}");
        assert_unharmed(&sandbox);
    }
}

/// No store outlives its call (CVE-2026-104855): what one call left in memory the next one does not see, after an
/// answer and after a trap.
#[test]
fn nothing_of_a_trapped_call_is_left_for_the_next() {
    let sandbox = sandbox();
    let marked = "(if (i32.load (i32.const 60000)) (then (return (call $say (i32.const 99)))))
        (i32.store (i32.const 60000) (i32.const 1)) (if (local.get $len) (then (unreachable))) (i32.const 128)";
    let tool = load(&sandbox, &Guest::new(marked));
    for _ in 0..50 {
        let failure = host_failure(call(&sandbox, &tool, &Grants::none(), &limits()));
        assert!(matches!(failure, HostFailure::Trap(_)), "{failure:?}");
    }
    assert_unharmed(&sandbox);
}

#[test]
fn deadline_beyond_all_time_is_not_a_deadline() {
    let report = once(&sandbox(), ANSWER, None, &Limits { deadline: Duration::MAX, ..limits() });
    assert!(report.outcome.is_ok());
}
