//! Components beyond the load limits are compiled in a process of their own. This file has a `main` of its own, because
//! that process is this program.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "it/common/mod.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod common;

use bailiwick_sandbox::{
    COMPILE_WORKER, Capabilities, CompileCache, CompileWorker, Grants, LoadError, LoadLimits, Part, Sandbox,
    SandboxConfig, compile_worker,
};
use common::{block_on, limits, load_limits};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

type Test = (&'static str, fn());

const TESTS: [Test; 7] = [
    ("component_beyond_the_limits_is_compiled_apart_once_and_kept", kept),
    ("component_beyond_the_limits_of_the_worker_starts_none", beyond),
    ("worker_that_does_not_end_is_killed", endless),
    ("worker_that_computes_for_too_long_is_ended_however_much_time_there_is", busy),
    ("time_in_which_a_worker_does_nothing_is_not_held_against_it", waiting),
    ("worker_has_the_memory_it_was_given_and_no_more", memory),
    ("what_is_no_worker_is_not_believed", impostors),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if std::env::args_os().nth(1).is_some_and(|argument| argument == COMPILE_WORKER) {
        arguments.next();
        return compile_worker(arguments);
    }
    let wanted: Vec<String> =
        arguments.filter_map(|name| name.into_string().ok()).filter(|name| !name.starts_with("--")).collect();
    let mut failed = false;
    for (name, test) in TESTS {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part)) {
            continue;
        }
        let passed = std::panic::catch_unwind(test).is_ok();
        failed |= !passed;
        say(&format!("test {name} ... {}", if passed { "ok" } else { "FAILED" }));
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

#[expect(clippy::print_stdout, reason = "what a test harness has to say")]
fn say(text: &str) {
    println!("{text}");
}

/// Today's limits, with so few bytes in a function that a built-in tool is beyond them.
fn sandbox(cache: CompileCache) -> Sandbox {
    Sandbox::new(SandboxConfig {
        allocation: bailiwick_sandbox::Allocation::Pooled { slots: 8 },
        workers: 2,
        waiting: 8,
        most_stuck: 2,
        largest_memory: 64 << 20,
        cache,
        load: LoadLimits { function_bytes: 16, ..load_limits() },
        audit: bailiwick_sandbox::Audit::Off,
        describe: limits(),
    })
    .unwrap()
}

fn worker(program: PathBuf) -> CompileWorker {
    CompileWorker { program, limits: load_limits(), processor: Duration::from_secs(60), memory_bytes: 4 << 30 }
}

fn this() -> PathBuf {
    std::env::current_exe().unwrap()
}

fn load(sandbox: &Sandbox) -> Result<bailiwick_sandbox::Tool, LoadError> {
    block_on(sandbox.load(bailiwick_sandbox::builtin::READ_FILE, &Capabilities::files()))
}

/// A program that does as the shell is told.
fn script(directory: &tempfile::TempDir, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = directory.path().join("program");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o700)).unwrap();
    path
}

fn kept() {
    let base = tempfile::tempdir().unwrap();
    let cache = || CompileCache::Directory(base.path().join("cache"));
    let alone = load(&sandbox(cache())).unwrap_err();
    assert!(matches!(alone, LoadError::TooLarge { part: Part::Function, .. }), "{alone}");

    let first = sandbox(cache()).with_worker(worker(this()));
    let tool = load(&first).unwrap();
    let report = block_on(first.call(&tool, &Grants::none(), r#"{"filePath":"x"}"#, &limits()));
    assert!(report.outcome.unwrap_err().to_string().contains("grant"), "it runs");

    // From now on nothing is compiled.
    let second = sandbox(cache()).with_worker(worker("/nonexistent".into()));
    load(&second).unwrap();
    let nowhere = sandbox(CompileCache::Off).with_worker(worker("/nonexistent".into()));
    load(&nowhere).unwrap_err();
    let kept_nowhere = sandbox(CompileCache::Off).with_worker(worker(this()));
    load(&kept_nowhere).unwrap();
}

fn beyond() {
    let base = tempfile::tempdir().unwrap();
    let program = script(&base, "touch \"$(dirname \"$0\")/started\"");
    let limits = LoadLimits { function_bytes: 32, ..load_limits() };
    let refused = load(&sandbox(CompileCache::Off).with_worker(CompileWorker { limits, ..worker(program) }));
    assert!(matches!(refused, Err(LoadError::TooLarge { part: Part::Function, limit: 32, .. })));
    assert!(!base.path().join("started").exists());
}

fn endless() {
    let base = tempfile::tempdir().unwrap();
    let program = script(&base, "echo $$ > \"$(dirname \"$0\")/id\"; exec sleep 600");
    let deadline = Duration::from_secs(1);
    let limits = LoadLimits { deadline, ..load_limits() };
    let started = Instant::now();
    let sandbox = sandbox(CompileCache::Off).with_worker(CompileWorker { limits, ..worker(program) });
    let refused = load(&sandbox).unwrap_err();
    assert!(matches!(refused, LoadError::TooSlow(after) if after == deadline), "{refused}");
    assert!(started.elapsed() < Duration::from_secs(60));
    // Nothing hangs, and nothing is counted as hanging.
    assert_eq!(sandbox.stuck_compilations(), 0);
    let id = std::fs::read_to_string(base.path().join("id")).unwrap();
    assert!(!PathBuf::from(format!("/proc/{}", id.trim())).exists(), "it still runs");
}

fn busy() {
    let base = tempfile::tempdir().unwrap();
    let program = script(&base, "while :; do :; done");
    let processor = Duration::from_secs(1);
    let sandbox = sandbox(CompileCache::Off).with_worker(CompileWorker { processor, ..worker(program) });
    let refused = load(&sandbox).unwrap_err();
    assert!(matches!(refused, LoadError::TooMuchWork(after) if after == processor), "{refused}");
}

/// As on a machine that has more to do than this.
fn waiting() {
    let base = tempfile::tempdir().unwrap();
    let program = script(&base, "sleep 3; echo waited >&2; exit 1");
    let processor = Duration::from_secs(1);
    let sandbox = sandbox(CompileCache::Off).with_worker(CompileWorker { processor, ..worker(program) });
    let refused = load(&sandbox).unwrap_err();
    assert!(matches!(&refused, LoadError::Invalid(reason) if reason == "waited"), "{refused}");
}

fn memory() {
    let little = CompileWorker { memory_bytes: 48 << 20, ..worker(this()) };
    let refused = load(&sandbox(CompileCache::Off).with_worker(little)).unwrap_err();
    assert!(matches!(refused, LoadError::Invalid(_)), "{refused}");
}

fn impostors() {
    let base = tempfile::tempdir().unwrap();
    for text in ["true", "cat", "echo no; exit 1", "cat > /dev/null; head -c 1000000 /dev/zero", "kill -9 $$"] {
        let sandbox = sandbox(CompileCache::Off).with_worker(worker(script(&base, text)));
        let refused = load(&sandbox).unwrap_err();
        assert!(matches!(refused, LoadError::Invalid(_)), "{text}: {refused}");
    }
    // What this process was started with stays here.
    let program = script(&base, "env > \"$(dirname \"$0\")/environment\"; exit 1");
    load(&sandbox(CompileCache::Off).with_worker(worker(program))).unwrap_err();
    let environment = std::fs::read_to_string(base.path().join("environment")).unwrap();
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some() && !environment.contains("CARGO"), "{environment}");
    // Its output is untrusted text.
    let program = script(&base, "printf 'bad\\033[2J\\n' >&2; exit 1");
    let refused = load(&sandbox(CompileCache::Off).with_worker(worker(program))).unwrap_err().to_string();
    assert!(refused.contains("bad") && !refused.contains('\u{1b}'), "{refused}");
}
