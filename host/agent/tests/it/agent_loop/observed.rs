//! What the loop tells of itself while it is listened to, and what it keeps to itself.

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::Once;

use bailiwick_agent::{BackendError, Microagent, Transcript, TurnResponse, Validation};
use serde_json::{Value, json};
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};

use super::support::{Desk, Page, Scripted, budget, call, exit, look, say, turn};

thread_local! {
    /// What the test of this thread hears.
    static HEARD: RefCell<Option<Page>> = const { RefCell::new(None) };
}

/// Writes down what this thread's test hears.
struct Ear;

impl Write for Ear {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        HEARD.with_borrow_mut(|heard| heard.as_mut().map_or(Ok(bytes.len()), |page| page.write(bytes)))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Begins to listen on this thread. One listener serves the whole process: with one for each thread, a span that is
/// first met on a thread without one stays off for all.
fn listen() -> Page {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let listener = tracing_subscriber::fmt::layer()
            .json()
            .flatten_event(true)
            .with_span_events(FmtSpan::CLOSE)
            .with_writer(|| Ear)
            .with_filter(dynamic_filter_fn(|_, _| HEARD.with_borrow(Option::is_some)));
        let listening = tracing::subscriber::set_global_default(tracing_subscriber::registry().with(listener));
        assert!(listening.is_ok(), "there is another listener");
    });
    let page = Page::default();
    HEARD.set(Some(page.clone()));
    page
}

/// Runs an agent with a canary in all that is said, and gives the events it told, each with the span it was in.
async fn told(model: &Scripted) -> Vec<Value> {
    let page = listen();
    let agent = Microagent::<String>::new("canary-instructions", json!({"kind": "canary-task"}), budget(6))
        .named("reader")
        .validated_by(|result: &String| match result.as_str() {
            "bad" => Validation::refused("canary-reason"),
            _ => Validation::Accepted,
        });
    let _ = bailiwick_agent::run(&agent, &Desk::default(), model, &mut Transcript::discarded()).await;
    let events = page.lines();
    let text = events.iter().map(Value::to_string).collect::<String>();
    assert!(!text.contains("canary"), "{text}");
    events
}

fn closed<'a>(events: &'a [Value], span: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["message"] == "close" && event["span"]["name"] == span).collect()
}

fn messages(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|event| event["message"].as_str()).filter(|message| *message != "close").collect()
}

#[tokio::test]
async fn run_tells_turns_calls_verdicts_and_its_end_without_contents() {
    let model = Scripted::new([
        TurnResponse { text: "canary-text".into(), ..turn([look("canary-a"), call("Unknown", json!({"canary": 1}))]) },
        turn([exit("bad")]),
        say("canary-said"),
        turn([exit("canary-result")]),
    ]);
    let events = told(&model).await;
    let expected = [
        "turn",
        "tool call",
        "tool call",
        "turn",
        "validation",
        "turn",
        "reminded to call a tool",
        "turn",
        "validation",
        "conversation ended",
    ];
    assert_eq!(messages(&events), expected);
    let outcomes: Vec<_> = events.iter().filter(|event| event["message"] == "tool call").collect();
    assert_eq!((&outcomes[0]["tool"], &outcomes[0]["outcome"]), (&json!("Unknown"), &json!("unknown-tool")));
    assert_eq!((&outcomes[1]["tool"], &outcomes[1]["outcome"]), (&json!("Look"), &json!("done")));
    assert!(outcomes[1]["took_us"].is_u64(), "{}", outcomes[1]);

    let agent = closed(&events, "invoke_agent");
    let span = &agent[0]["span"];
    assert_eq!((&span["gen_ai.agent.name"], &span["gen_ai.usage.input_tokens"]), (&json!("reader"), &json!(40)));
    assert_eq!((&span["turns"], &span["tool_calls"], &span["error.type"]), (&json!(4), &json!(4), &Value::Null));
    assert_eq!(closed(&events, "chat").len(), 4);
    let tools = closed(&events, "execute_tool");
    assert_eq!(tools.len(), 1, "only what was run");
    assert_eq!(tools[0]["spans"][0]["name"], "invoke_agent");
}

#[tokio::test]
async fn failure_has_its_type_on_every_span_it_ended() {
    let refused = BackendError::Refused { message: "canary-message".into() };
    let missing = call("Look", json!({"id": "canary", "fail": true}));
    let events = told(&Scripted::failing([Ok(turn([missing])), Err(refused)])).await;
    assert_eq!(closed(&events, "execute_tool")[0]["span"]["error.type"], "not-found");
    assert_eq!(closed(&events, "chat")[1]["span"]["error.type"], "refused");
    assert_eq!(closed(&events, "invoke_agent")[0]["span"]["error.type"], "refused");

    let events = told(&Scripted::new([turn((0..9).map(|_| look("canary")))])).await;
    assert_eq!(closed(&events, "invoke_agent")[0]["span"]["error.type"], "exceeded_tool_calls");
}
