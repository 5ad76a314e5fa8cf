//! Bombs: components that are small to send and endless to compile or to instantiate.

use super::alone::{alone, peak, peak_from_here};
use super::guest::Guest;
use super::{ANSWER, SLACK, assert_unharmed};
use crate::common::{block_on, limits, load_limits, sandbox};
use bailiwick_sandbox::{
    Allocation, Audit, Capabilities, CompileCache, Limits, LoadError, LoadLimits, Part, Sandbox, SandboxConfig,
    SandboxError, builtin,
};
use std::fmt::Write;
use std::time::{Duration, Instant};

fn config(load: LoadLimits, allocation: Allocation) -> SandboxConfig {
    SandboxConfig {
        allocation,
        workers: 1,
        waiting: 16,
        most_stuck: 1,
        largest_memory: 64 << 20,
        cache: CompileCache::Off,
        load,
        audit: Audit::Off,
        describe: Limits { deadline: Duration::from_secs(2), ..limits() },
    }
}

fn loading(load: LoadLimits) -> Sandbox {
    Sandbox::new(config(load, Allocation::Pooled { slots: 2 })).unwrap()
}

/// Components that instantiate the one before twice, and the first a module: 2^depth instances in a few bytes a level.
fn doubling(depth: usize) -> Vec<u8> {
    let mut inner = "(core module $m) (core instance (instantiate $m))".to_owned();
    for _ in 0..depth {
        inner = format!("(component $c {inner}) (instance (instantiate $c)) (instance (instantiate $c))");
    }
    wat::parse_str(format!("(component {inner})")).unwrap()
}

fn many(what: &str, count: usize) -> Vec<u8> {
    let mut text =
        "(component (core module $m (memory 0)) (core module $t (table 1 funcref)) (core module $e)".to_owned();
    for _ in 0..count {
        write!(text, "(core instance (instantiate {what}))").unwrap();
    }
    wat::parse_str(text + ")").unwrap()
}

/// A function that is long and hard to allocate registers for: many values live across many branches.
fn hard(blocks: usize) -> String {
    let mut body = String::new();
    for block in 0..blocks {
        write!(
            body,
            "(if (i32.eq (local.get {}) (i32.const {block})) (then (local.set {} (i32.mul (local.get {}) (local.get {})))))",
            block % 200, (block * 7) % 200, (block * 11) % 200, (block * 13) % 200
        )
        .unwrap();
    }
    format!("(func (export \"hard\") (param i32) (local {}) {body})", "i32 ".repeat(200))
}

fn too_large(error: &LoadError, expected: Part) -> bool {
    matches!(error, LoadError::TooLarge { part, found, limit } if *part == expected && found > limit)
}

#[test]
fn bombs_are_refused_before_anything_is_compiled() {
    alone("limits::loading::bombs_are_refused_before_anything_is_compiled", || {
        let sandbox = sandbox();
        assert_unharmed(&sandbox);
        let functions = Guest { more: &"(func)".repeat(60_000), ..Guest::new(ANSWER) };
        let long = hard(30_000);
        let long = Guest { more: &long, ..Guest::new(ANSWER) };
        let bombs = [
            ("2^40 nested instances", doubling(40), Part::Instances),
            ("300 core instances", many("$e", 300), Part::Instances),
            ("two memories", many("$m", 2), Part::Memories),
            ("five tables", many("$t", 5), Part::Tables),
            ("60,000 functions", functions.component(), Part::Functions),
            ("a function of a megabyte", long.component(), Part::Function),
        ];
        let before = peak_from_here();
        for (what, bytes, part) in bombs {
            let refused = block_on(sandbox.load(&bytes, &Capabilities::files())).unwrap_err();
            assert!(too_large(&refused, part), "{what}: {refused}");
        }
        let grown = peak() - before;
        assert!(grown < 32 << 20, "{} MiB more", grown >> 20);
        assert_unharmed(&sandbox);
    });
}

#[test]
fn component_beyond_the_length_is_refused_unread() {
    let sandbox = loading(LoadLimits { component_bytes: 1000, ..load_limits() });
    let refused = block_on(sandbox.load(&[0; 1001], &Capabilities::files())).unwrap_err();
    assert!(matches!(refused, LoadError::TooLarge { part: Part::Component, found: 1001, limit: 1000 }), "{refused}");
}

#[test]
fn aliases_exports_and_imports_hide_no_instance() {
    let sandbox = loading(LoadLimits { instances: 4, ..load_limits() });
    let five = "(core instance (instantiate 0))".repeat(5);
    let hidden = [
        format!("(component (core module) (component (alias outer 1 0 (core module)) {five}))"),
        format!(
            "(component (core module) (component (alias outer 1 0 (core module)) {five}) (instance (instantiate 0)))"
        ),
        format!("(component (core module) (export \"m\" (core module 0)) {})", five.replace(" 0)", " 1)")),
        format!("(component (component (core module) {five}) (export \"c\" (component 0)) (instance (instantiate 1)))"),
    ];
    for text in hidden {
        let refused = block_on(sandbox.load(&wat::parse_str(&text).unwrap(), &Capabilities::files())).unwrap_err();
        assert!(too_large(&refused, Part::Instances), "{text}: {refused}");
    }
    let imported = "(component (import \"c\" (component $c)) (instance (instantiate $c)))";
    let refused = block_on(sandbox.load(&wat::parse_str(imported).unwrap(), &Capabilities::files())).unwrap_err();
    assert!(matches!(refused, LoadError::Invalid(_)), "{refused}");
}

#[test]
fn bytes_that_are_not_component_are_refused() {
    let module = wat::parse_str("(module)").unwrap();
    let mut cut = builtin::READ_FILE.to_vec();
    cut.truncate(cut.len() / 2);
    for bytes in [b"\0asm nonsense".as_slice(), b"", &module, &cut, b"\x7fELF"] {
        let refused = block_on(sandbox().load(bytes, &Capabilities::files())).unwrap_err();
        assert!(matches!(refused, LoadError::Invalid(_)), "{refused}");
    }
}

/// What the counts let through and compiles for too long all the same is given up, counted, and capped.
#[test]
fn compilation_that_takes_too_long_is_given_up_counted_and_capped() {
    alone("limits::loading::compilation_that_takes_too_long_is_given_up_counted_and_capped", || {
        let deadline = Duration::from_millis(300);
        let sandbox = loading(LoadLimits { deadline, function_bytes: 16 << 20, most_stuck: 1, ..load_limits() });
        assert_unharmed(&sandbox);
        let (hard, harder) = (hard(6_000), ANSWER);
        let bomb = Guest { more: &hard, ..Guest::new(harder) }.component();
        let started = Instant::now();
        let refused = block_on(sandbox.load(&bomb, &Capabilities::files())).unwrap_err();
        assert!(matches!(refused, LoadError::TooSlow(after) if after == deadline), "{refused}");
        assert!(started.elapsed() < deadline + SLACK, "{:?}", started.elapsed());
        assert_eq!(sandbox.stuck_compilations(), 1);
        let refused = block_on(sandbox.load(&Guest::new(ANSWER).component(), &Capabilities::files())).unwrap_err();
        assert!(matches!(refused, LoadError::Saturated { stuck: 1 }), "{refused}");
        let waited = Instant::now();
        while sandbox.stuck_compilations() > 0 && waited.elapsed() < Duration::from_secs(120) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_unharmed(&sandbox);
    });
}

/// The executor that asked for a load goes on with other work meanwhile.
#[test]
fn loading_keeps_no_executor_busy() {
    let sandbox = loading(LoadLimits { function_bytes: 1 << 20, ..load_limits() });
    let hard = hard(4000);
    let slow = Guest { more: &hard, ..Guest::new(ANSWER) }.component();
    let ticks = std::cell::Cell::new(0);
    block_on(async {
        let ticking = async {
            loop {
                ticks.set(ticks.get() + 1);
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let files = Capabilities::files();
        tokio::select! {
            loaded = sandbox.load(&slow, &files) => drop(loaded.unwrap()),
            () = ticking => unreachable!(),
        }
    });
    // One or two where the executor compiles by itself.
    assert!(ticks.get() > 20, "{}", ticks.get());
}

#[test]
fn configuration_that_cannot_hold_its_promises_is_refused() {
    let good = || config(load_limits(), Allocation::Pooled { slots: 2 });
    let bad = [
        SandboxConfig { workers: 0, ..good() },
        SandboxConfig { most_stuck: 0, ..good() },
        // A call that hangs keeps its slot, so there must be one for it beside those of the workers.
        SandboxConfig { allocation: Allocation::Pooled { slots: 1 }, ..good() },
        SandboxConfig { load: LoadLimits { at_once: 0, ..load_limits() }, ..good() },
    ];
    for config in bad {
        assert!(matches!(Sandbox::new(config), Err(SandboxError::Impossible(_))));
    }
    assert!(Sandbox::new(good()).is_ok());
}

#[test]
fn built_in_tools_are_well_within_the_limits() {
    let tight = LoadLimits {
        component_bytes: 1 << 20,
        functions: 2000,
        function_bytes: 64 << 10,
        instances: 8,
        memories: 1,
        tables: 2,
        ..load_limits()
    };
    let sandbox = loading(tight);
    for bytes in builtin::ALL {
        block_on(sandbox.load(bytes, &Capabilities::built_in())).unwrap();
    }
}
