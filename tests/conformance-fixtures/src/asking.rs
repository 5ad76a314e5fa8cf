//! Fixtures that ask before they answer.

use crate::{Nothing, fixture};
use bailiwick_tool_sdk::rich::{Abilities, Answer, Asks, Call, Outcome};
use bailiwick_tool_sdk::{ToolError, input};
use serde_json::{Value, json};

input! {
    /// What `test_sampling` is given.
    pub struct Prompt {
        /// What the client's model is asked.
        pub prompt: String,
    }
}

input! {
    /// What `test_elicitation` is given.
    pub struct Shown {
        /// What the person is shown.
        pub message: String,
    }
}

fixture!(
    /// Asks the client's model.
    Sampling, "test_sampling", Prompt,
    |call, given| match call.answer::<Value>("completion") {
        Some(answer) => Ok(Answer::text(format!("LLM response: {}", said(&answer))).into()),
        None => Ok(Asks::new().completion("completion", &given.prompt, 100).into()),
    }
);
fixture!(
    /// Asks a person for two fields.
    Elicitation, "test_elicitation", Shown,
    |call, given| {
        let form = json!({
            "type": "object",
            "properties": {
                "username": { "type": "string", "description": "User's response" },
                "email": { "type": "string", "description": "User's email address" },
            },
            "required": ["username", "email"],
        });
        filled(call, "user", &given.message, &form, "User response")
    }
);
fixture!(
    /// A form with a default for every kind of field.
    Defaults, "test_elicitation_sep1034_defaults", Nothing,
    |call, _given| {
        let form = json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "default": "John Doe" },
                "age": { "type": "integer", "default": 30 },
                "score": { "type": "number", "default": 95.5 },
                "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
                "verified": { "type": "boolean", "default": true },
            },
        });
        filled(call, "defaults", "Please review the defaults", &form, "Elicitation completed")
    }
);
fixture!(
    /// A form with every kind of choice.
    Enums, "test_elicitation_sep1330_enums", Nothing,
    |call, _given| {
        let choices = json!([
            { "const": "value1", "title": "First Option" },
            { "const": "value2", "title": "Second Option" },
            { "const": "value3", "title": "Third Option" },
        ]);
        let plain = json!(["option1", "option2", "option3"]);
        let form = json!({
            "type": "object",
            "properties": {
                "untitledSingle": { "type": "string", "enum": plain },
                "titledSingle": { "type": "string", "oneOf": choices },
                "legacyEnum": {
                    "type": "string",
                    "enum": ["opt1", "opt2", "opt3"],
                    "enumNames": ["Option One", "Option Two", "Option Three"],
                },
                "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
                "titledMulti": { "type": "array", "items": { "anyOf": choices } },
            },
        });
        filled(call, "choices", "Please choose", &form, "Elicitation completed")
    }
);
fixture!(
    /// Asks a person, for a look at what the answer's stream carries.
    StreamingElicitation, "test_streaming_elicitation", Nothing,
    |call, _given| filled(call, "user_name", "What is your name?", &name_form(), "Streamed")
);
fixture!(
    /// Asks the client's model whether or not there is one.
    MissingCapability, "test_missing_capability", Nothing,
    |call, _given| match call.answer::<Value>("completion") {
        Some(answer) => Ok(Answer::text(said(&answer)).into()),
        None => Ok(Asks::new().completion("completion", "Is anybody there?", 10).into()),
    }
);
fixture!(
    /// One question to a person.
    RequiredElicitation, "test_input_required_result_elicitation", Nothing,
    |call, _given| match accepted(call, "user_name", "name") {
        Some(name) => Ok(Answer::text(format!("Hello, {name}!")).into()),
        None => Ok(Asks::new().form("user_name", "What is your name?", &name_form()).into()),
    }
);
fixture!(
    /// One question to the client's model.
    RequiredSampling, "test_input_required_result_sampling", Nothing,
    |call, _given| match call.answer::<Value>("capital_question") {
        Some(answer) => Ok(Answer::text(said(&answer)).into()),
        None => Ok(Asks::new().completion("capital_question", "What is the capital of France?", 100).into()),
    }
);
fixture!(
    /// The client's directories.
    RequiredRoots, "test_input_required_result_list_roots", Nothing,
    |call, _given| match call.answer::<Value>("client_roots") {
        Some(answer) => Ok(Answer::text(format!("Roots: {}", answer["roots"])).into()),
        None => Ok(Asks::new().roots("client_roots").into()),
    }
);
fixture!(
    /// Remembers something.
    RequestState, "test_input_required_result_request_state", Nothing,
    |call, _given| confirmed(call)
);
fixture!(
    /// Remembers something that a client then changes.
    TamperedState, "test_input_required_result_tampered_state", Nothing,
    |call, _given| confirmed(call)
);
fixture!(
    /// Three questions at once.
    MultipleInputs, "test_input_required_result_multiple_inputs", Nothing,
    |call, _given| {
        let name = accepted(call, "user_name", "name");
        let greeting = call.answer::<Value>("greeting");
        let roots = call.answer::<Value>("client_roots");
        match (name, greeting, roots) {
            (Some(name), Some(greeting), Some(roots)) => {
                Ok(Answer::text(format!("{} {name} {}", said(&greeting), roots["roots"])).into())
            }
            _ => Ok(Asks::new()
                .form("user_name", "What is your name?", &name_form())
                .completion("greeting", "Generate a greeting", 50)
                .roots("client_roots")
                .remember("three questions")
                .into()),
        }
    }
);
fixture!(
    /// Two questions, one after the other.
    MultiRound, "test_input_required_result_multi_round", Nothing,
    |call, _given| {
        let known = call.state.as_deref().and_then(|state| state.strip_prefix("name="));
        match (known, accepted(call, "step1", "name"), accepted(call, "step2", "color")) {
            (Some(name), _, Some(color)) => Ok(Answer::text(format!("{name} likes {color}")).into()),
            (_, Some(name), _) => {
                let form = json!({
                    "type": "object", "properties": { "color": { "type": "string" } }, "required": ["color"],
                });
                let asks = Asks::new().form("step2", "Step 2: What is your favorite color?", &form);
                Ok(asks.remember(format!("name={name}")).into())
            }
            _ => {
                let asks = Asks::new().form("step1", "Step 1: What is your name?", &name_form());
                Ok(asks.remember("started").into())
            }
        }
    }
);
fixture!(
    /// Asks for what the client can do, and for nothing else.
    Capabilities, "test_input_required_result_capabilities", Nothing,
    |call, _given| {
        if !call.answers.is_empty() {
            return Ok(Answer::text("answered").into());
        }
        let mut asks = Asks::new();
        if call.can.contains(Abilities::FORMS) {
            asks = asks.form("user_name", "What is your name?", &name_form());
        }
        if call.can.contains(Abilities::COMPLETIONS) {
            asks = asks.completion("greeting", "Generate a greeting", 50);
        }
        if asks.questions.is_empty() {
            return Ok(Answer::text("this client can be asked nothing").into());
        }
        Ok(asks.into())
    }
);

fn name_form() -> Value {
    json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] })
}

/// What the client's model said.
fn said(answer: &Value) -> String {
    answer["content"]["text"].as_str().unwrap_or("(not a text)").to_owned()
}

/// A field of a form that a person filled in and sent.
fn accepted(call: &Call, key: &str, field: &str) -> Option<String> {
    call.form(key)?.accepted()?.get(field)?.as_str().map(str::to_owned)
}

/// Shows a form, then says what came of it.
fn filled(call: &Call, key: &str, message: &str, form: &Value, said: &str) -> Result<Outcome, ToolError> {
    let Some(filled) = call.form(key) else { return Ok(Asks::new().form(key, message, form).into()) };
    let content = Value::Object(filled.content.unwrap_or_default());
    Ok(Answer::text(format!("{said}: action={}, content={content}", filled.action)).into())
}

/// Asks for a yes and remembers that it did.
fn confirmed(call: &Call) -> Result<Outcome, ToolError> {
    let ok = call.form("confirm").and_then(|form| form.accepted()?.get("ok")?.as_bool());
    match (ok, call.state.as_deref()) {
        (Some(_), Some("asked")) => Ok(Answer::text("state-ok").into()),
        _ => {
            let form = json!({ "type": "object", "properties": { "ok": { "type": "boolean" } }, "required": ["ok"] });
            Ok(Asks::new().form("confirm", "Please confirm", &form).remember("asked").into())
        }
    }
}
