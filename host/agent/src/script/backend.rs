//! The script as a backend: each turn is a pure function of the steps and of what was said so far.

use async_trait::async_trait;
use serde_json::{Value, json};

use super::fill::{self, Scope};
use super::steps::{self, Step, Steps};
use crate::backend::{Backend, BackendError, TurnRequest, TurnResponse};
use crate::exit::EXIT;
use crate::file::FileError;
use crate::message::{Message, ToolCall, ToolResult};
use crate::prices::Prices;

/// Steps in place of a model; see [the module](super).
#[derive(Debug, Clone)]
pub struct Script {
    name: String,
    steps: Steps,
}

impl Script {
    /// Reads a script. `name` is what transcripts call it, such as `script:steps.toml`.
    ///
    /// # Errors
    /// With the field that is wrong and what would be right.
    pub fn parse(name: &str, text: &str) -> Result<Self, FileError> {
        Ok(Self { name: name.to_owned(), steps: steps::parse(text)? })
    }

    fn next(&self, request: &TurnRequest) -> Result<Vec<ToolCall>, String> {
        let mut scope = Scope::new(request.task["input"].clone());
        let mut answers = request.messages.iter().filter_map(|message| match message {
            Message::ToolResults(results) => Some(results),
            Message::Assistant { .. } | Message::User(_) => None,
        });
        for step in &self.steps.steps {
            let calls = calls(step, &mut scope).map_err(|problem| format!("step `{}`: {problem}", step.id))?;
            let mut answer = Vec::new();
            if !calls.is_empty() {
                match answers.next() {
                    None => return Ok(calls),
                    Some(results) => {
                        answer = results.iter().map(|result| answered(step, result)).collect::<Result<_, _>>()?;
                    }
                }
            }
            let answer = if step.for_each.is_some() { Value::Array(answer) } else { answer.pop().unwrap_or_default() };
            scope.set(&step.id, answer);
        }
        if let Some(refused) = answers.next().and_then(|results| results.first()) {
            return Err(format!("its result was refused: {}", refused.content["message"].as_str().unwrap_or_default()));
        }
        let result = fill::value(&self.steps.result, &scope).map_err(|problem| format!("exit: {problem}"))?;
        Ok(vec![call(EXIT, json!({ "result": result }))])
    }
}

#[async_trait]
impl Backend for Script {
    fn name(&self) -> &str {
        &self.name
    }

    fn prices(&self) -> Option<Prices> {
        Some(Prices::FREE)
    }

    async fn turn(&self, request: &TurnRequest) -> Result<TurnResponse, BackendError> {
        match self.next(request) {
            Ok(calls) => Ok(TurnResponse { calls, ..TurnResponse::default() }),
            Err(problem) => Err(BackendError::Refused { message: format!("the script cannot go on: {problem}") }),
        }
    }
}

fn calls(step: &Step, scope: &mut Scope) -> Result<Vec<ToolCall>, String> {
    let Some(for_each) = &step.for_each else {
        return Ok(vec![call(&step.tool, fill::value(&step.arguments, scope)?)]);
    };
    let Value::Array(elements) = fill::text(for_each, scope)? else {
        return Err(format!("`for-each`: `{for_each}` leads to no list"));
    };
    let mut calls = Vec::new();
    for element in elements {
        let element = match &step.pattern {
            None => element,
            Some(pattern) => match element.as_str().and_then(|text| pattern.taken_apart(text)) {
                Some(parts) => Value::Object(parts),
                None => continue,
            },
        };
        scope.set("each", element);
        calls.push(call(&step.tool, fill::value(&step.arguments, scope)?));
    }
    scope.remove("each");
    Ok(calls)
}

fn answered(step: &Step, result: &ToolResult) -> Result<Value, String> {
    match (result.is_error, step.may_fail) {
        (false, _) => Ok(result.content.clone()),
        (true, true) => Ok(json!({ "error": result.content })),
        (true, false) => {
            let message = result.content["message"].as_str().unwrap_or_default();
            Err(format!("step `{}`: `{}` failed: {message}", step.id, step.tool))
        }
    }
}

fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall { id: String::new(), name: name.into(), arguments }
}
