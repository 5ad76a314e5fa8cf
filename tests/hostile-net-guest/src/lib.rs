//! A tool that asks for whatever it is told to, with every raw call of `wasi:http`.
//!
//! Its input is `{"requests": [{…}, …]}`, and all of them are under way before the first answer is waited for. A
//! request has
//!
//! | field | meaning |
//! |---|---|
//! | `method` | `GET` where it is left out |
//! | `scheme` | `https` where it is left out |
//! | `authority` | host and port |
//! | `path` | `/` where it is left out |
//! | `headers` | `[[name, value], …]` |
//! | `body` | text that is written |
//! | `repeat` | how many times the body is written after one another; 1 where it is left out |
//! | `after` | the body is written after the request was handed over |
//! | `abandon` | the answer is not awaited |
//! | `unsent` | the request is made, its body is written, and it is never handed over |
//! | `follow` | a redirect is followed by the tool itself, once |
//!
//! The answer is `{"answers": […]}` with one of `{"status", "headers", "body"}` for each, the body without what is not
//! UTF-8, or `{"err": "<error code>"}`. An `err` that starts with `guest:` is a step that the host refused at once.
//!
//! While it describes itself it asks 127.0.0.1:9, where nothing listens, and tells what that came to in its schema.

mod ask;

use bailiwick_tool_sdk::{Effects, Grants, Output, Schema, Tool, ToolError, export_tool, input, output};
use serde_json::{Value, json};

/// Any JSON at all.
#[derive(serde::Deserialize)]
#[serde(transparent)]
pub struct Json(Value);

impl Schema for Json {
    fn schema() -> Value {
        let request = json!({ "scheme": "http", "authority": "127.0.0.1:9" });
        json!({ "description": ask::all(&[request])[0]["err"] })
    }
}

impl Output for Json {
    fn write_json(self, out: &mut String) {
        out.push_str(&self.0.to_string());
    }
}

input! {
    /// What `HostileNet` is given.
    pub struct Input {
        /// The requests.
        pub requests: Vec<Json>,
    }
}

output! {
    /// What `HostileNet` answers.
    pub struct Answered {
        /// What each request came to.
        pub answers: Vec<Json>,
    }
}

/// Asks for anything.
pub struct HostileNet;

impl Tool for HostileNet {
    const NAME: &'static str = "HostileNet";
    const DESCRIPTION: &'static str = "Asks for anything over HTTP. For tests only.";
    const EFFECTS: Effects = Effects::READS;
    type Input = Input;
    type Output = Answered;

    fn call(_: &Grants, input: Input) -> Result<Answered, ToolError> {
        let requests: Vec<_> = input.requests.into_iter().map(|json| json.0).collect();
        let answers = ask::all(&requests);
        Ok(Answered { answers: answers.into_iter().map(Json).collect() })
    }
}

export_tool!(HostileNet);
