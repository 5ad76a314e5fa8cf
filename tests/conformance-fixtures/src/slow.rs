//! Fixtures whose calls take long enough to become tasks, and one that does not. They wait by a clock, which the host lets
//! them do without showing them the time.

use crate::{Nothing, fixture};
use bailiwick_tool_sdk::rich::{Answer, Asks, Call};
use bailiwick_tool_sdk::{ToolError, input};
use serde_json::{Value, json};
use wasip2::clocks::monotonic_clock::subscribe_duration;

/// Longer than the server waits until it makes a task of a call, and no longer than the suite waits for it.
const LONG_ENOUGH: u64 = 1000;

input! {
    /// What `greet` is given.
    pub struct Greeted {
        /// Who is greeted.
        pub name: String,
    }
}

input! {
    /// What `slow_compute` is given.
    pub struct Work {
        /// How long it takes, in seconds.
        pub seconds: u32,
        /// What the result is called.
        pub label: Option<String>,
    }
}

input! {
    /// What `confirm_delete` is given.
    pub struct Doomed {
        /// What would be deleted. Nothing is.
        pub filename: String,
    }
}

fixture!(
    /// Answers at once.
    Greet, "greet", Greeted,
    |_call, given| Ok(Answer::text(format!("Hello, {}!", given.name)).into())
);
fixture!(
    /// Takes as long as it is told to.
    SlowCompute, "slow_compute", Work,
    |_call, given| {
        wait(u64::from(given.seconds) * 1000);
        Ok(Answer::text(format!("{}: done after {} s", given.label.unwrap_or_default(), given.seconds)).into())
    }
);
fixture!(
    /// Fails as a tool does.
    FailingJob, "failing_job", Nothing,
    |_call, _given| {
        wait(LONG_ENOUGH);
        Err(ToolError::failed("this job always fails"))
    }
);
fixture!(
    /// Fails as the protocol does: it asks for what the client did not say that it can be asked for.
    ProtocolErrorJob, "protocol_error_job", Nothing,
    |_call, _given| {
        wait(LONG_ENOUGH);
        Ok(Asks::new().roots("client_roots").into())
    }
);
fixture!(
    /// Asks a person when its call has become a task.
    ConfirmDelete, "confirm_delete", Doomed,
    |call, given| match call.form("confirm") {
        Some(filled) => Ok(Answer::text(format!("{}: {}", given.filename, filled.action)).into()),
        None => {
            wait(LONG_ENOUGH);
            Ok(Asks::new().form("confirm", &format!("Delete {}?", given.filename), &confirmation()).into())
        }
    }
);
fixture!(
    /// Asks two things at once, of which either may be answered first.
    MultiInput, "multi_input", Nothing,
    |call, _given| match (call.form("first"), call.form("second")) {
        (Some(first), Some(second)) => {
            Ok(Answer::text(format!("first: {}, second: {}", first.action, second.action)).into())
        }
        _ => {
            wait(LONG_ENOUGH);
            let asks = Asks::new().form("first", "The first?", &confirmation());
            Ok(asks.form("second", "The second?", &confirmation()).into())
        }
    }
);
fixture!(
    /// Asks before its call has become a task, and goes on as one.
    WithTask, "test_tool_with_task", Nothing,
    |call, _given| match name(call) {
        Some(name) => {
            wait(LONG_ENOUGH);
            Ok(Answer::text(format!("Hello, {name}!")).into())
        }
        None => {
            let form = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
            Ok(Asks::new().form("user_name", "What is your name?", &form).into())
        }
    }
);

fn confirmation() -> Value {
    json!({ "type": "object", "properties": { "confirm": { "type": "boolean" }, "name": { "type": "string" } } })
}

fn name(call: &Call) -> Option<String> {
    call.form("user_name")?.accepted()?.get("name")?.as_str().map(str::to_owned)
}

fn wait(milliseconds: u64) {
    if milliseconds > 0 {
        subscribe_duration(milliseconds * 1_000_000).block();
    }
}
