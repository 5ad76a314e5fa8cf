//! The resources and prompts of the suite.

use crate::media::{RED_PIXEL, document, picture};
use bailiwick_tool_sdk::ToolError;
use bailiwick_tool_sdk::offers::{Argument, Got, Offering, Prompt, Template};
use bailiwick_tool_sdk::rich::{Asks, Block, Body, Call, Document, Link, Message, Role};
use serde_json::json;

/// All of them.
pub struct Fixtures;

impl Offering for Fixtures {
    fn resources() -> Vec<Link> {
        [
            ("test://static-binary", "Static binary resource", "image/png"),
            ("test://static-text", "Static text resource", "text/plain"),
            ("test://watched-resource", "Watched resource", "text/plain"),
        ]
        .map(|(uri, name, mime_type)| Link {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: Some("A fixture of the conformance suite.".into()),
            mime_type: Some(mime_type.into()),
        })
        .into()
    }

    fn templates() -> Vec<Template> {
        vec![Template {
            uri_template: "test://template/{id}/data".into(),
            name: "Resource template".into(),
            title: None,
            description: Some("A fixture of the conformance suite.".into()),
            mime_type: Some("application/json".into()),
        }]
    }

    fn read(uri: &str) -> Result<Vec<Document>, ToolError> {
        let of_template = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
        Ok(vec![match (uri, of_template) {
            ("test://static-text", _) => {
                document(uri, "text/plain", "This is the content of the static text resource.")
            }
            ("test://watched-resource", _) => document(uri, "text/plain", "Watched resource content"),
            ("test://static-binary", _) => {
                Document { uri: uri.into(), mime_type: Some("image/png".into()), body: Body::Bytes(RED_PIXEL.to_vec()) }
            }
            (_, Some(id)) => {
                let text = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
                document(uri, "application/json", &text.to_string())
            }
            _ => return Err(ToolError::not_found(format!("there is no resource `{uri}`"))),
        }])
    }

    fn prompts() -> Vec<Prompt> {
        let argument = |name: &str| Argument { name: name.into(), description: None, required: true };
        [
            ("test_input_required_result_prompt", vec![]),
            ("test_prompt_with_arguments", vec![argument("arg1"), argument("arg2")]),
            ("test_prompt_with_embedded_resource", vec![argument("resourceUri")]),
            ("test_prompt_with_image", vec![]),
            ("test_simple_prompt", vec![]),
        ]
        .map(|(name, arguments)| Prompt {
            name: name.into(),
            title: None,
            description: Some("A fixture of the conformance suite.".into()),
            arguments,
        })
        .into()
    }

    fn prompt(name: &str, arguments: &[(String, String)], call: &Call) -> Result<Got, ToolError> {
        let given = |name: &str| {
            let found = arguments.iter().find(|(argument, _)| argument == name);
            found
                .map(|(_, value)| value.as_str())
                .ok_or_else(|| ToolError::invalid_input(format!("`{name}` is missing")))
        };
        let text = |text: &str| user(Block::Text(text.into()));
        Ok(Got::Messages(match name {
            "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
            "test_prompt_with_arguments" => {
                vec![text(&format!("Prompt with arguments: arg1='{}', arg2='{}'", given("arg1")?, given("arg2")?))]
            }
            "test_prompt_with_embedded_resource" => {
                let uri = given("resourceUri")?;
                let embedded = document(uri, "text/plain", "Embedded resource content for testing.");
                vec![user(Block::Embedded(embedded)), text("Please process the embedded resource above.")]
            }
            "test_prompt_with_image" => vec![user(picture()), text("Please analyze the image above.")],
            "test_input_required_result_prompt" => {
                let context = call
                    .form("user_context")
                    .and_then(|form| form.accepted()?.get("context")?.as_str().map(str::to_owned));
                let Some(context) = context else {
                    let form = json!({
                        "type": "object", "properties": { "context": { "type": "string" } }, "required": ["context"],
                    });
                    let asks = Asks::new().form("user_context", "What context should the prompt use?", &form);
                    return Ok(Got::Asks(asks));
                };
                vec![text(&format!("Use this context: {context}"))]
            }
            _ => return Err(ToolError::not_found(format!("there is no prompt `{name}`"))),
        }))
    }

    fn complete(_: &str, argument: &str, value: &str) -> Result<Vec<String>, ToolError> {
        let known = match argument {
            "arg1" | "arg2" => &["paris", "test1", "test2"][..],
            _ => &[],
        };
        Ok(known.iter().filter(|known| known.starts_with(value)).map(|known| (*known).to_owned()).collect())
    }
}

fn user(content: Block) -> Message {
    Message { role: Role::User, content }
}
