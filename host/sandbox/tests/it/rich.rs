//! Rich components are held to the same limits as every other tool, and to what a client can use.

use crate::common::{block_on, limits, recorded_sandbox, sandbox};
use bailiwick_audit::{Lines, Log};
use bailiwick_sandbox::rich::{
    Abilities, Again, Block, Component, Notice, NoticeLimits, Notices, Question, prompts, tools,
};
use bailiwick_sandbox::{
    Audit, CallError, Capabilities, CompileCache, Conditions, ErrorKind, Grants, HostFailure, Limits, LoadError,
    RichReport, Sandbox, builtin,
};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A component as `cargo xtask guests` built it. It is not embedded anywhere.
fn built(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../components/dist/{name}.wasm"));
    std::fs::read(&path).expect("the guests of the tests are not built yet; run `cargo xtask guests` first")
}

/// A sandbox and the hostile component in it, compiled once.
fn shared() -> &'static (Sandbox, Component) {
    static SHARED: OnceLock<(Sandbox, Component)> = OnceLock::new();
    SHARED.get_or_init(|| {
        let sandbox = sandbox();
        let component =
            block_on(sandbox.load_rich(&built("hostile-rich-guest"), &Capabilities::files_and_notices())).unwrap();
        (sandbox, component)
    })
}

fn call(input: &Value) -> tools::Call {
    tools::Call { tool: "HostileRich".into(), input: input.to_string(), can: Abilities::empty(), again: None }
}

fn attack_within(input: &Value, limits: &Limits, notices: Option<Notices>) -> RichReport<tools::Outcome> {
    let (sandbox, component) = shared();
    block_on(sandbox.call_rich(component, call(input), Conditions { grants: &Grants::none(), limits, notices }))
}

fn attack(input: &Value) -> Result<tools::Outcome, CallError> {
    attack_within(input, &limits(), None).outcome
}

/// The notices that were said, with what the call came to.
fn noticed(input: &Value, limits: NoticeLimits) -> (Vec<Notice>, Result<tools::Outcome, CallError>) {
    let (sender, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let report = attack_within(input, &crate::common::limits(), Some(Notices { sender, limits }));
    let mut notices = Vec::new();
    while let Ok(notice) = heard.try_recv() {
        notices.push(notice);
    }
    (notices, report.outcome)
}

#[track_caller]
fn assert_off(input: &Value, words: &str) {
    match attack(input) {
        Err(CallError::Host(HostFailure::OffSchema(reason))) if reason.contains(words) => {}
        other => panic!("{input}: {other:?}"),
    }
}

#[test]
fn component_is_refused_with_the_list_of_what_it_imports_and_was_not_granted() {
    let (sandbox, component) = shared();
    let refused = block_on(sandbox.load_rich(&built("hostile-rich-guest"), &Capabilities::files())).unwrap_err();
    assert!(matches!(&refused, LoadError::NotGranted(list) if list == &["bailiwick:tool/notices@0.1.0"]), "{refused}");
    let files = ["wasi:filesystem/preopens@0.2.12", "wasi:filesystem/types@0.2.12"];
    assert_eq!(component.imports(), [&["bailiwick:tool/notices@0.1.0"], &files[..]].concat());
    let plain = block_on(sandbox.load_rich(builtin::READ_FILE, &Capabilities::files_and_notices())).unwrap_err();
    assert!(matches!(plain, LoadError::NothingOffered), "{plain}");
    let rich = block_on(sandbox.load(&built("hostile-rich-guest"), &Capabilities::files_and_notices())).unwrap_err();
    assert!(matches!(rich, LoadError::NotATool(_)), "{rich}");
}

#[test]
fn what_a_tool_says_of_itself_is_one_line_without_unseen_characters() {
    let (_, component) = shared();
    let said = component.tool("HostileRich").unwrap().descriptor();
    assert_eq!(said.title.as_deref(), Some("Hostile\\u{202e}\\u{1b}[2J rich"));
    assert_eq!(said.description, "Abuses the sandbox it runs in. For tests\\u{1b} only.");
}

#[test]
fn notices_over_the_bound_end_the_call_and_none_of_them_is_kept() {
    let few = NoticeLimits { count: 10, bytes: 1000 };
    for attack in ["progress", "log"] {
        let (notices, outcome) = noticed(&json!({ "attack": attack, "count": 1_000_000, "text": "x" }), few);
        assert!(matches!(outcome, Err(CallError::Host(HostFailure::Notices { count: 10, .. }))), "{outcome:?}");
        assert_eq!(notices.len(), 10);
        let (notices, outcome) = noticed(&json!({ "attack": attack, "count": 2, "text": "x".repeat(600) }), few);
        assert!(matches!(outcome, Err(CallError::Host(HostFailure::Notices { bytes: 1000, .. }))), "{outcome:?}");
        assert!(notices.len() < 2);
        let (notices, outcome) = noticed(&json!({ "attack": attack, "count": 10, "text": "x" }), few);
        assert!(outcome.is_ok(), "{outcome:?}");
        assert_eq!(notices.len(), 10);
    }
}

#[test]
fn notices_are_lines_and_progress_grows() {
    let enough = NoticeLimits { count: 100, bytes: 10_000 };
    let (notices, _) = noticed(&json!({ "attack": "odd-progress", "text": "a\nb\u{1b}" }), enough);
    let said: Vec<_> = notices
        .iter()
        .map(|notice| match notice {
            Notice::Progress { done, total, message } => (*done, *total, message.clone().unwrap()),
            Notice::Log { .. } => panic!("it was progress"),
        })
        .collect();
    let line = "a b\\u{1b}".to_owned();
    assert_eq!(said, [(1.0, None, line.clone()), (2.0, None, line.clone())]);
    let (notices, _) = noticed(&json!({ "attack": "log", "text": "a\nb\u{1b}" }), enough);
    assert!(
        matches!(&notices[..], [Notice::Log { logger: Some(logger), text, .. }] if *logger == line && *text == line)
    );
}

#[test]
fn all_parts_of_an_answer_together_are_bounded() {
    let tight = Limits { output_bytes: 100_000, ..limits() };
    for input in [
        json!({ "attack": "large-part", "count": 100_001 }),
        json!({ "attack": "large-part", "count": 3_000_000 }),
        json!({ "attack": "many-parts", "count": 900, "text": "x".repeat(120) }),
    ] {
        let report = attack_within(&input, &tight, None);
        let over = matches!(report.outcome, Err(CallError::Host(HostFailure::Output { limit: 100_000 })));
        assert!(over, "{:?}", report.outcome.map(|_| ()));
    }
    let report = attack_within(&json!({ "attack": "large-part", "count": 99_000 }), &tight, None);
    assert!(report.outcome.is_ok(), "{:?}", report.outcome);
    assert!(report.cost.output_bytes > 99_000);
    assert_off(&json!({ "attack": "many-parts", "count": 1001 }), "1001 parts");
}

#[test]
fn answer_off_its_schema_is_a_failure_of_the_tool() {
    assert_off(&json!({ "attack": "no-structure" }), "structured part is missing");
    assert_off(&json!({ "attack": "other-structure", "text": "x\u{1b}" }), "integer");
    let outcome = attack(&json!({ "attack": "error-without-structure" })).unwrap();
    assert!(matches!(outcome, tools::Outcome::Answered(answer) if answer.is_error));
}

#[test]
fn addresses_and_kinds_of_data_that_deceive_are_refused() {
    assert_off(&json!({ "attack": "kind", "text": "text/html" }), "is not a kind of image");
    assert_off(&json!({ "attack": "kind", "text": "image/\u{1b}" }), "is not a MIME type");
    assert_off(&json!({ "attack": "address", "text": "file:///etc/passwd\nforged" }), "is not a valid address");
    assert_off(&json!({ "attack": "address", "text": "no address" }), "is not a valid address");
    let outcome = attack(&json!({ "attack": "link", "text": "a\u{202e}b\nc" })).unwrap();
    let tools::Outcome::Answered(answer) = outcome else { panic!("it was an answer") };
    assert!(matches!(&answer.content[..], [Block::Link(link)] if link.name == "a\\u{202e}b c"), "{answer:?}");
}

#[test]
fn questions_are_bounded_and_shown_as_lines() {
    assert_off(&json!({ "attack": "ask", "count": 0 }), "0 questions");
    assert_off(&json!({ "attack": "ask", "count": 9 }), "9 questions");
    assert_off(&json!({ "attack": "ask", "text": "x".repeat(20_000) }), "longer than");
    assert_off(&json!({ "attack": "ask-odd-form", "text": "no schema" }), "not the schema of an object");
    assert_off(&json!({ "attack": "remember", "count": 70_000 }), "longer than");
    let outcome = attack(&json!({ "attack": "ask", "count": 2, "text": "who\n\u{1b}[2J" })).unwrap();
    let tools::Outcome::Asks(asks) = outcome else { panic!("it asked") };
    for (_, question) in &asks.questions {
        let Question::Form(form) = question else { panic!("it was a form") };
        assert_eq!(form.message, "who \\u{1b}[2J");
        let schema: Value = serde_json::from_str(&form.schema).unwrap();
        assert_eq!(schema["properties"]["n"]["title"], "who \\u{1b}[2J");
    }
}

#[test]
fn every_call_has_an_instance_of_its_own() {
    for _ in 0..3 {
        let tools::Outcome::Answered(answer) = attack(&json!({ "attack": "count-calls" })).unwrap() else {
            panic!("it was an answer")
        };
        assert_eq!(answer.structured.as_deref(), Some(r#"{"n":1}"#));
    }
}

#[test]
fn limits_of_every_tool_hold_for_rich_ones() {
    let brief = Limits { deadline: Duration::from_millis(200), ..limits() };
    let report = attack_within(&json!({ "attack": "spin" }), &brief, None);
    assert!(matches!(report.outcome, Err(CallError::Host(HostFailure::Deadline(_)))), "{:?}", report.outcome);
    let small = Limits { memory_bytes: 5 << 20, ..limits() };
    let report = attack_within(&json!({ "attack": "large-part", "count": 8 << 20 }), &small, None);
    assert!(
        matches!(report.outcome, Err(CallError::Host(HostFailure::Memory { .. }))),
        "{:?}",
        report.outcome.map(|_| ())
    );
    let narrow = Limits { input_bytes: 100, ..limits() };
    let report = attack_within(&json!({ "attack": "nothing", "text": "x".repeat(100) }), &narrow, None);
    assert!(matches!(report.outcome, Err(CallError::Host(HostFailure::Input { .. }))), "{:?}", report.outcome);
    let (sandbox, component) = shared();
    let again = Again { answers: vec![("q".into(), "x".repeat(200))], state: None };
    let with_answers = tools::Call { again: Some(again), ..call(&json!({ "attack": "nothing" })) };
    let conditions = Conditions { grants: &Grants::none(), limits: &narrow, notices: None };
    let report = block_on(sandbox.call_rich(component, with_answers, conditions));
    assert!(matches!(report.outcome, Err(CallError::Host(HostFailure::Input { .. }))), "{:?}", report.outcome);
}

#[test]
fn input_off_the_schema_never_reaches_the_guest_and_its_own_errors_are_one_line() {
    let Err(CallError::Tool(error)) = attack(&json!({ "attack": 1 })) else { panic!("it was refused") };
    assert_eq!(error.kind, ErrorKind::InvalidInput);
    let Err(CallError::Tool(error)) = attack(&json!({ "attack": "fail", "text": "a\n\u{1b}[2J" })) else {
        panic!("it failed")
    };
    assert_eq!((error.kind, error.message.as_str()), (ErrorKind::Failed, "a\\u{a}\\u{1b}[2J"));
    let (sandbox, component) = shared();
    let other = tools::Call { tool: "Other".into(), ..call(&json!({})) };
    let conditions = Conditions { grants: &Grants::none(), limits: &limits(), notices: None };
    assert!(block_on(sandbox.call_rich(component, other, conditions)).outcome.is_err());
}

#[test]
fn resources_prompts_and_suggestions_are_bounded_lines_too() {
    let (sandbox, component) = shared();
    let (grants, limits) = (Grants::none(), limits());
    let conditions = || Conditions { grants: &grants, limits: &limits, notices: None };
    let links = block_on(sandbox.list_resources(component, conditions())).outcome.unwrap();
    assert_eq!((links[1].name.as_str(), links[1].description.as_deref()), ("a\\u{202e}b", Some("\\u{1b}[2J")));
    let odd = block_on(sandbox.read_resource(component, "no address", conditions())).outcome;
    assert!(matches!(odd, Err(CallError::Host(HostFailure::OffSchema(_)))), "{odd:?}");
    let values = block_on(sandbox.complete(component, ["lure", "x", ""], conditions())).outcome.unwrap();
    assert_eq!((values.len(), values[0].as_str()), (100, "x\\u{1b}"));
    let wanted = prompts::Call { prompt: "lure".into(), arguments: vec![], can: Abilities::empty(), again: None };
    let asked = block_on(sandbox.get_prompt(component, wanted, conditions())).outcome.unwrap();
    assert!(matches!(asked, prompts::Outcome::Asks(_)));
}

#[test]
fn calls_of_rich_components_are_on_record_with_what_they_came_to() {
    let base = tempfile::tempdir().unwrap();
    let log = Log::open(&base.path().join("audit"), 1 << 20).unwrap();
    let sandbox = recorded_sandbox(CompileCache::Off, Audit::Log(Arc::new(log)));
    let (grants, limits) = (Grants::none(), limits());
    let digest = block_on(async {
        let component =
            sandbox.load_rich(&built("hostile-rich-guest"), &Capabilities::files_and_notices()).await.unwrap();
        for attack in ["nothing", "no-structure", "fail"] {
            let conditions = Conditions { grants: &grants, limits: &limits, notices: None };
            let _ = sandbox.call_rich(&component, call(&json!({ "attack": attack })), conditions).await;
        }
        let conditions = Conditions { grants: &grants, limits: &limits, notices: None };
        let _ = sandbox.call_rich(&component, call(&json!({ "attack": 1 })), conditions).await;
        let conditions = Conditions { grants: &grants, limits: &limits, notices: None };
        let _ = sandbox.read_resource(&component, "lure:x", conditions).await;
        component.digest().to_owned()
    });
    let mut lines = Lines::open(&base.path().join("audit")).unwrap();
    let mut found = Vec::new();
    while let Some(line) = lines.next_line().unwrap() {
        let line: Value = serde_json::from_str(line.text.unwrap()).unwrap();
        assert_eq!(line["component"], digest.as_str(), "{line}");
        found.push(format!("{} {}", line["tool"], line["outcome"]));
    }
    assert_eq!(found.len(), 5, "{found:#?}");
    for (line, words) in found.iter().zip(["done", "off-schema", "failed", "invalid-input", "(component)"]) {
        assert!(line.contains(words), "{line} has no `{words}`");
    }
}
