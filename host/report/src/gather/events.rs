//! The events of a run, and what they say in order.

use serde_json::Value;

use super::attempts::Said;
use crate::model::{Mark, Moment};
use crate::{say, time};

/// One event as the store keeps it.
#[derive(Debug, Clone)]
pub(super) struct Event {
    /// RFC 3339 in UTC.
    pub(super) time: String,
    /// What kind: `begun`, `effect`, `event`, `applied`…
    pub(super) kind: String,
    /// The rest.
    pub(super) data: Value,
}

impl Event {
    /// `None` for JSON that is not an event.
    pub(super) fn read(mut value: Value) -> Option<Self> {
        let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let (time, kind) = (text(&value, "time")?, text(&value, "kind")?);
        let data = value.get_mut("data").map(Value::take).unwrap_or_default();
        Some(Self { time, kind, data })
    }

    pub(super) fn milliseconds(&self) -> Option<u64> {
        time::milliseconds(&self.time)
    }

    fn number(&self, name: &str) -> u64 {
        self.data.get(name).and_then(Value::as_u64).unwrap_or(0)
    }
}

/// From the first event to the last that belongs to the work itself.
pub(super) fn took(events: &[Event]) -> Option<u64> {
    const DECISIONS: [&str; 3] = ["approved", "reverted", "recovered"];
    let first = events.first()?.milliseconds()?;
    let last = events.iter().rfind(|event| !DECISIONS.contains(&event.kind.as_str()))?.milliseconds()?;
    Some(last.saturating_sub(first))
}

/// Everything that happened. `said` has what became of effects, by the index of the event that tells it.
pub(super) fn timeline(events: &[Event], said: &[Said]) -> Vec<Moment> {
    let first = events.first().and_then(Event::milliseconds);
    let mut said = said.iter().peekable();
    let mut moments = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let spoken = said.next_if(|said| said.index == index).map(|said| (said.mark, said.text.clone()));
        let Some((mark, what)) = spoken.or_else(|| of_store(event)) else { continue };
        let since_ms = event.milliseconds().zip(first).map(|(now, first)| now.saturating_sub(first));
        moments.push(Moment { time: event.time.clone(), since_ms, mark, what });
    }
    moments
}

/// What an event of the run itself says; `None` for those that say nothing to a reader.
fn of_store(event: &Event) -> Option<(Mark, String)> {
    let put_back = || {
        let (restored, removed) = (event.number("restored"), event.number("removed"));
        format!("{} restored, {} removed", say::count(restored, "entry").replace("entrys", "entries"), removed)
    };
    let said = match event.kind.as_str() {
        "begun" => (Mark::Plain, "the run began; what both repositories held was kept".to_owned()),
        "applied" => {
            let files = event.data.get("files").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let paths: Vec<&str> = files.iter().filter_map(|file| file.get("path").and_then(Value::as_str)).collect();
            (Mark::Plain, format!("the gate let {} through: {}", say::count(files.len(), "file"), paths.join(", ")))
        }
        "restoring" => (Mark::Plain, "both repositories are put back".to_owned()),
        "restored" => (Mark::Plain, format!("both repositories are as before: {}", put_back())),
        "recovered" => (Mark::Bad, format!("its process had died; both repositories were put back: {}", put_back())),
        "reverted" => (Mark::Plain, format!("a person reverted the run: {}", put_back())),
        "approved" => (Mark::Good, "a person approved the run".to_owned()),
        "suspended" => (Mark::Plain, "the run waits for the next step of its workflow".to_owned()),
        "resumed" => {
            let changed = event.number("changed");
            (Mark::Plain, format!("the run went on; {} differed since", say::count(changed, "file")))
        }
        "finished" => (Mark::Plain, "the run ended".to_owned()),
        // Shown elsewhere.
        "timing" | "effect" | "event" => return None,
        other => (Mark::Plain, other.to_owned()),
    };
    Some(said)
}
