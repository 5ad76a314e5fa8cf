//! Every call goes on record with what it was, what it was given and what it came to; or it is not made.

use crate::common::{block_on, hostile, limits, recorded_sandbox};
use bailiwick_audit::{Lines, Log, verify};
use bailiwick_sandbox::{
    Access, Audit, CallError, CallReport, Capabilities, CompileCache, Grant, Grants, HostFailure, Limits, Reserved,
    Sandbox, builtin,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

struct Recorded {
    base: tempfile::TempDir,
    sandbox: Sandbox,
    grants: Grants,
}

impl Recorded {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        std::fs::create_dir(base.path().join("granted")).unwrap();
        std::fs::write(base.path().join("granted/inside.txt"), "inside\n").unwrap();
        std::fs::write(base.path().join("secret.txt"), "canary\n").unwrap();
        let log = Log::open(&base.path().join("audit"), 1 << 20).unwrap();
        let sandbox = recorded_sandbox(CompileCache::Off, Audit::Log(Arc::new(log)));
        let reserved = Reserved::new([base.path().join("audit")]);
        let grant = Grant::open("box", &base.path().join("granted"), Access::ReadWrite, &reserved).unwrap();
        Self { base, sandbox, grants: Grants::new(vec![grant]).unwrap() }
    }

    fn log(&self) -> PathBuf {
        self.base.path().join("audit")
    }

    fn call(&self, run: Option<&str>, component: &[u8], input: &Value, limits: &Limits) -> CallReport {
        block_on(async {
            let tool = self.sandbox.load(component, &Capabilities::files()).await.unwrap();
            self.sandbox.call_for_run(run, &tool, &self.grants, &input.to_string(), limits).await
        })
    }

    fn lines(&self) -> Vec<Value> {
        verify(&self.log(), None).unwrap();
        let mut lines = Lines::open(&self.log()).unwrap();
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push(serde_json::from_str(line.text.unwrap()).unwrap());
        }
        found
    }
}

#[test]
fn call_that_is_answered_is_on_record_with_what_it_was_given() {
    let world = Recorded::new();
    let input = json!({"filePath": "box/inside.txt"});
    world.call(Some("run-1"), builtin::READ_FILE, &input, &limits()).outcome.unwrap();
    let lines = world.lines();
    assert_eq!(lines.len(), 1, "describing itself is not a call: {lines:?}");
    let line = &lines[0];
    assert_eq!((&line["run"], &line["tool"]), (&json!("run-1"), &json!("ReadFile")));
    assert_eq!(line["outcome"]["status"], "done");
    assert_eq!(line["component"].as_str().unwrap().len(), 64);
    assert_eq!(line["arguments"].as_str().unwrap().len(), 64);
    assert_eq!((&line["grants"][0]["name"], &line["grants"][0]["access"]), (&json!("box"), &json!("read-write")));
    assert_eq!(line["grants"][0]["path"], world.base.path().join("granted").to_str().unwrap());
    assert_eq!(line["cost"]["readBytes"], 7);
    assert_eq!(line["denied"], json!([]));
    assert!(!line.to_string().contains("inside\\n"), "contents are not kept: {line}");
}

#[test]
fn refused_attempts_failures_and_inputs_off_the_schema_are_on_record() {
    let world = Recorded::new();
    let escape = json!({"filePath": "box/../secret.txt"});
    assert!(world.call(None, builtin::READ_FILE, &escape, &limits()).outcome.is_err());
    assert!(world.call(None, builtin::READ_FILE, &json!({}), &limits()).outcome.is_err());
    let short = Limits { deadline: Duration::from_millis(100), ..limits() };
    assert!(world.call(None, &hostile("(loop (br 0)) (unreachable)"), &json!({}), &short).outcome.is_err());
    let off_schema =
        "(i32.store (i32.const 132) (i32.const 256)) (i32.store (i32.const 136) (i32.const 7)) (i32.const 128)";
    assert!(world.call(None, &hostile(off_schema), &json!({}), &limits()).outcome.is_err());
    let outcomes: Vec<_> = world.lines().iter().map(|line| line["outcome"].clone()).collect();
    assert_eq!(
        outcomes,
        [
            json!({"status": "toolError", "kind": "not-permitted"}),
            json!({"status": "toolError", "kind": "invalid-input"}),
            json!({"status": "hostFailure", "kind": "deadline"}),
            json!({"status": "hostFailure", "kind": "off-schema"}),
        ]
    );
    let denied = &world.lines()[0]["denied"][0];
    assert_eq!((&denied["operation"], &denied["reason"]), (&json!("open-at"), &json!("outside")), "{denied}");
}

#[test]
fn call_whose_caller_has_gone_is_on_record() {
    let world = Recorded::new();
    block_on(async {
        let tool = world.sandbox.load(&hostile("(loop (br 0)) (unreachable)"), &Capabilities::files()).await.unwrap();
        let limits = limits();
        let call = world.sandbox.call(&tool, &world.grants, "{}", &limits);
        assert!(tokio::time::timeout(Duration::from_millis(100), call).await.is_err());
        for _ in 0..200 {
            tokio::time::sleep(Duration::from_millis(20)).await;
            if !world.lines().is_empty() {
                break;
            }
        }
    });
    assert_eq!(world.lines().len(), 1);
    assert_eq!(world.lines()[0]["outcome"], json!({"status": "hostFailure", "kind": "cancelled"}));
}

#[test]
fn without_a_log_to_write_to_nothing_is_called() {
    let world = Recorded::new();
    std::fs::rename(world.log(), world.base.path().join("moved")).unwrap();
    let write = json!({"filePath": "box/new.txt", "content": "x"});
    let report = world.call(None, builtin::WRITE_FILE, &write, &limits());
    assert!(matches!(report.outcome, Err(CallError::Host(HostFailure::NotRecordable(_)))), "{:?}", report.outcome);
    assert!(!world.base.path().join("granted/new.txt").exists());
}

#[test]
fn directory_of_the_log_is_never_granted() {
    let world = Recorded::new();
    let reserved = Reserved::new([world.log()]);
    for place in [world.log(), world.base.path().to_owned()] {
        assert!(Grant::open("box", &place, Access::ReadOnly, &reserved).is_err(), "{}", place.display());
    }
}
