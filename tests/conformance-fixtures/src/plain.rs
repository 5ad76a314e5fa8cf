//! Fixtures that answer at once.

use crate::media::{document, picture, sound};
use crate::{Nothing, fixture};
use bailiwick_tool_sdk::rich::{Answer, Block, Call, Level, Outcome, RichTool, log, progress};
use bailiwick_tool_sdk::{Effects, ToolError};
use serde_json::{Value, json};

fixture!(
    /// A text.
    SimpleText, "test_simple_text", Nothing,
    |_call, _given| Ok(Answer::text("This is a simple text response for testing.").into())
);
fixture!(
    /// A picture.
    ImageContent, "test_image_content", Nothing,
    |_call, _given| Ok(Answer::blocks(vec![picture()]).into())
);
fixture!(
    /// A sound.
    AudioContent, "test_audio_content", Nothing,
    |_call, _given| Ok(Answer::blocks(vec![sound()]).into())
);
fixture!(
    /// A resource in the answer.
    EmbeddedResource, "test_embedded_resource", Nothing,
    |_call, _given| Ok(Answer::blocks(vec![Block::Embedded(document(
        "test://embedded-resource",
        "text/plain",
        "This is an embedded resource content."
    ))])
    .into())
);
fixture!(
    /// Several kinds of parts.
    MultipleContentTypes, "test_multiple_content_types", Nothing,
    |_call, _given| Ok(Answer::blocks(vec![
        Block::Text("Multiple content types test:".into()),
        picture(),
        Block::Embedded(document(
            "test://mixed-content-resource",
            "application/json",
            r#"{"test":"data","value":123}"#
        )),
    ])
    .into())
);
fixture!(
    /// Three lines for the log.
    WithLogging, "test_tool_with_logging", Nothing,
    |_call, _given| {
        for said in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
            log(Level::Info, None, said);
        }
        Ok(Answer::text("Tool with logging executed successfully").into())
    }
);
fixture!(
    /// A line for the log, which a client that named no level does not get.
    LoggingTool, "test_logging_tool", Nothing,
    |_call, _given| {
        log(Level::Info, Some("fixture"), "a line");
        Ok(Answer::text("logged").into())
    }
);
fixture!(
    /// An error.
    ErrorHandling, "test_error_handling", Nothing,
    |_call, _given| Ok(Answer::text("This tool intentionally returns an error for testing").error().into())
);
fixture!(
    /// Three steps.
    WithProgress, "test_tool_with_progress", Nothing,
    |_call, _given| {
        for done in [0.0, 50.0, 100.0] {
            progress(done, Some(100.0), Some(&format!("Completed step {done} of 100")));
        }
        Ok(Answer::text("Tool with progress executed successfully").into())
    }
);
fixture!(
    /// Stands for a call during which the connection is lost. The server has to be able to answer all the same.
    Reconnection, "test_reconnection", Nothing,
    |_call, _given| Ok(Answer::text("Reconnection test completed successfully").into())
);
fixture!(
    /// A guest changes no list of the server.
    TriggerToolChange, "test_trigger_tool_change", Nothing,
    |_call, _given| Ok(Answer::text("nothing changed").into())
);
fixture!(
    /// A guest changes no list of the server.
    TriggerPromptChange, "test_trigger_prompt_change", Nothing,
    |_call, _given| Ok(Answer::text("nothing changed").into())
);

/// A schema with everything that is easily lost on the way.
pub struct JsonSchema;

impl RichTool for JsonSchema {
    const NAME: &'static str = "json_schema_2020_12_tool";
    const DESCRIPTION: &'static str = "Tool with JSON Schema 2020-12 features";
    const EFFECTS: Effects = Effects::READS;
    type Input = Anything;

    fn input_schema() -> Value {
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {
                "address": {
                    "$anchor": "addressDef",
                    "type": "object",
                    "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
                },
            },
            "properties": {
                "name": { "type": "string" },
                "address": { "$ref": "#/$defs/address" },
                "contactMethod": { "type": "string", "enum": ["phone", "email"] },
                "phone": { "type": "string" },
                "email": { "type": "string" },
            },
            "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
            "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
            "then": { "required": ["phone"] },
            "else": { "required": ["email"] },
            "additionalProperties": false,
        })
    }

    fn call(_: &Call, given: Anything) -> Result<Outcome, ToolError> {
        Ok(Answer::text(format!("JSON Schema 2020-12 tool called with: {}", given.0)).into())
    }
}

/// An argument that HTTP clients repeat in a header.
pub struct CustomHeader;

impl RichTool for CustomHeader {
    const NAME: &'static str = "test_custom_header";
    const DESCRIPTION: &'static str = "A fixture of the conformance suite with a schema that asks for a header.";
    const EFFECTS: Effects = Effects::READS;
    type Input = Anything;

    fn input_schema() -> Value {
        json!({
            "type": "object",
            "properties": { "region": { "type": "string", "x-mcp-header": "Region" } },
            "required": ["region"],
        })
    }

    fn call(_: &Call, given: Anything) -> Result<Outcome, ToolError> {
        Ok(Answer::text(format!("called with {}", given.0)).into())
    }
}

/// Any object; its schema is the tool's.
#[derive(serde::Deserialize)]
#[serde(transparent)]
pub struct Anything(Value);

impl bailiwick_tool_sdk::Schema for Anything {
    fn schema() -> Value {
        json!({ "type": "object" })
    }
}
