//! The form of a conversation file.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::FileError;
use crate::backend::{Backend, BackendError};
use crate::prices::Prices;

/// What the header of every conversation file says it is.
pub const FORMAT: &str = "bailiwick-conversation";

/// The version of the format that this program writes and reads.
pub const VERSION: u32 = 1;

/// Where the answers of a conversation come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// A backend gave them.
    #[serde(rename = "recorded")]
    Recorded,
    /// A person made them up.
    #[serde(rename = "written by hand")]
    WrittenByHand,
}

/// The first line of a conversation file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The name of the backend that was asked.
    pub model: String,
    /// Where the answers come from.
    pub origin: Origin,
    /// What the conversation shows, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The backend's [`crate::Backend::window`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// The backend's [`crate::Backend::prices`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
}

impl Header {
    /// The header of a conversation that this backend is going to have.
    pub fn recorded(backend: &dyn Backend) -> Self {
        Self {
            format: FORMAT.into(),
            version: VERSION,
            model: backend.name().into(),
            origin: Origin::Recorded,
            note: None,
            window: backend.window(),
            prices: backend.prices(),
        }
    }
}

/// What came of a turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer {
    /// A response, with placeholders.
    Response(Value),
    /// None.
    Failure(BackendError),
}

/// One turn of a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turn {
    /// The request, with placeholders; `None` where a person left it out.
    pub(super) request: Option<New>,
    pub(super) answer: Answer,
}

/// What a request has that the turn before had not. Requests are put together one at a time, when they are compared: a
/// small file can stand for very many long ones.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct New {
    /// [`FIELDS`], of which those may be missing that are as before.
    fields: Map<String, Value>,
    /// Messages of the turn before that come first.
    kept: usize,
    /// Messages of the whole request.
    count: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    turn: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<BackendError>,
}

const MESSAGES: &str = "messages";
const KEPT: &str = "messagesKept";
/// The task stands first, and so it is compared first: instructions repeat parts of it.
const FIELDS: [&str; 4] = ["task", "instructions", "tools", MESSAGES];

/// Writes one turn, its request as what is new since the turn before.
pub(super) fn line(
    number: usize,
    before: Option<&Value>,
    request: &Value,
    answer: Answer,
) -> serde_json::Result<Vec<u8>> {
    let mut new = Map::new();
    for name in &FIELDS[..3] {
        if before.is_none_or(|before| before[name] != request[name]) {
            new.insert((*name).into(), request[name].clone());
        }
    }
    let messages = |of: &Value| of[MESSAGES].as_array().cloned().unwrap_or_default();
    let (known, now) = (before.map(messages).unwrap_or_default(), messages(request));
    let kept = known.iter().zip(&now).take_while(|(one, other)| one == other).count();
    if kept > 0 {
        new.insert(KEPT.into(), json!(kept));
    }
    new.insert(MESSAGES.into(), now.into_iter().skip(kept).collect());
    let (response, failure) = match answer {
        Answer::Response(response) => (Some(response), None),
        Answer::Failure(failure) => (None, Some(failure)),
    };
    let mut text = serde_json::to_vec(&Line { turn: number, request: Some(new), response, failure })?;
    text.push(b'\n');
    Ok(text)
}

/// Reads a whole file.
pub(super) fn read(text: &str) -> Result<(Header, Vec<Turn>), FileError> {
    let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let header = header(lines.next().map_or("", |(line, _)| line))?;
    let mut turns: Vec<Turn> = Vec::new();
    for (text, line) in lines {
        let wrong = |reason: String| FileError::Line { line, reason };
        let Line { turn, request, response, failure } =
            serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        if turn != turns.len() + 1 {
            return Err(wrong(format!("it is turn {turn} where turn {} is due", turns.len() + 1)));
        }
        let answer = match (response, failure) {
            (Some(response), None) => Answer::Response(response),
            (None, Some(failure)) => Answer::Failure(failure),
            _ => return Err(wrong("a turn has either a `response` or a `failure`".into())),
        };
        let before = turns.last().and_then(|turn| turn.request.as_ref());
        let request = request.map(|fields| New::read(before, fields)).transpose().map_err(wrong)?;
        turns.push(Turn { request, answer });
    }
    if turns.is_empty() { Err(FileError::Empty) } else { Ok((header, turns)) }
}

fn header(line: &str) -> Result<Header, FileError> {
    let wrong = |reason: String| FileError::Header { reason };
    let value: Value = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
    if value["format"] != FORMAT {
        return Err(wrong(format!("its `format` is not `{FORMAT}`")));
    }
    // Before the other fields are looked at, which another version may call otherwise.
    match value["version"].as_u64().and_then(|found| u32::try_from(found).ok()) {
        Some(VERSION) => serde_json::from_value(value).map_err(|error| wrong(error.to_string())),
        Some(found) => Err(FileError::Version { found, expected: VERSION }),
        None => Err(wrong("it has no `version`".into())),
    }
}

impl New {
    fn read(before: Option<&Self>, mut fields: Map<String, Value>) -> Result<Self, String> {
        let kept = match fields.remove(KEPT) {
            None => 0,
            Some(kept) => {
                kept.as_u64().and_then(|kept| usize::try_from(kept).ok()).ok_or("`messagesKept` is not a number")?
            }
        };
        if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
            return Err(format!("a request has no field `{unknown}`"));
        }
        let missing = |name: &&str| before.is_none() && *name != MESSAGES && !fields.contains_key(*name);
        if let Some(name) = FIELDS.iter().copied().find(missing) {
            return Err(format!("`{name}` is left out, and the turn before has none"));
        }
        if kept > before.map_or(0, |before| before.count) {
            return Err("`messagesKept` is more than the turn before had".into());
        }
        let new = match fields.get(MESSAGES) {
            None => 0,
            Some(messages) => messages.as_array().ok_or("`messages` is not a list")?.len(),
        };
        Ok(Self { fields, kept, count: kept.saturating_add(new) })
    }

    /// The whole request. `before` is the whole one of the turn before.
    pub(super) fn whole(&self, before: Option<&Value>) -> Value {
        let of = |request: &Value, name: &str| request.get(name).cloned().unwrap_or_default();
        let mut request = Map::new();
        for name in &FIELDS[..3] {
            let value = self.fields.get(*name).cloned();
            let value = value.or_else(|| before.map(|before| of(before, name))).unwrap_or_default();
            request.insert((*name).into(), value);
        }
        let before = before.and_then(|before| before.get(MESSAGES)).and_then(Value::as_array).into_iter().flatten();
        let new = self.fields.get(MESSAGES).and_then(Value::as_array).into_iter().flatten();
        let all: Vec<Value> = before.take(self.kept).chain(new).cloned().collect();
        request.insert(MESSAGES.into(), all.into());
        Value::Object(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Put together, these requests would take 400 GB.
    #[test]
    fn small_file_that_stands_for_very_many_long_requests_is_read_in_its_own_length() {
        let long = "x".repeat(1 << 20);
        let header = json!({ "format": FORMAT, "version": VERSION, "model": "m", "origin": "recorded" });
        let first = json!({ "turn": 1, "request": {
            "task": "t", "instructions": "i", "tools": [], "messages": [long] }, "response": {} });
        let mut text = format!("{header}\n{first}\n");
        for turn in 2..=400_000 {
            text.push_str(&format!("{{\"turn\":{turn},\"request\":{{\"messagesKept\":1}},\"response\":{{}}}}\n"));
        }
        let (_, turns) = read(&text).unwrap();
        let [first, second] = [0, 399_999].map(|turn: usize| turns[turn].request.clone().unwrap());
        let whole = first.whole(None);
        assert_eq!(second.whole(Some(&whole)), whole);
        assert_eq!(whole["messages"], json!([long]));
    }
}
