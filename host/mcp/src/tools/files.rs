//! The sandboxed tools over the operator's grants. Whatever they may touch is in the grants; nothing here looks at a path.

use super::schema;
use crate::call::Call;
use crate::failure::Failure;
use crate::host_context::{FileTools, Toolbox};
use crate::tool::{Answer, Definition, Reach, Tool};
use async_trait::async_trait;
use bailiwick_sandbox::{Access, CallError, HostFailure};
use rmcp::model::{ContentBlock, JsonObject, ResourceContents};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// The tool that tells what is granted, and so what a client's roots left of it.
const DIRECTORIES: &str = "list_allowed_directories";

/// One of the sandbox's tools.
pub(super) struct FileTool {
    definition: Definition,
    tool: bailiwick_sandbox::Tool,
    toolbox: Toolbox,
}

/// The tools that the grants allow: those that write only where something can be written to.
pub(super) fn offered(toolbox: &Toolbox) -> Vec<FileTool> {
    let writable = toolbox.grants.iter().any(|grant| grant.access() == Access::ReadWrite);
    let directories = directories(toolbox);
    toolbox
        .tools
        .iter()
        .filter(|tool| writable || !tool.descriptor().effects.writes)
        .map(|tool| FileTool::new(tool, &directories, toolbox))
        .collect()
}

/// A model learns here by which names it can reach what.
fn directories(toolbox: &Toolbox) -> String {
    let named = toolbox.grants.iter().map(|grant| match grant.access() {
        Access::ReadOnly => format!("`{}` (read-only)", grant.name()),
        Access::ReadWrite => format!("`{}`", grant.name()),
    });
    named.collect::<Vec<_>>().join(", ")
}

impl FileTool {
    fn new(tool: &bailiwick_sandbox::Tool, directories: &str, toolbox: &Toolbox) -> Self {
        let descriptor = tool.descriptor();
        let input_schema = match schema::portable(descriptor.input_schema.clone()) {
            Value::Object(schema) => Arc::new(schema),
            _ => Arc::new(JsonObject::new()),
        };
        let begin = match toolbox.names {
            FileTools::Reference => "Paths are absolute, or begin with the name of a directory",
            FileTools::Native => "Paths begin with the name of a directory",
        };
        let definition = Definition {
            name: descriptor.name.clone(),
            title: title(&descriptor.name),
            description: format!("{} {begin}: {directories}.", descriptor.description),
            input_schema,
            // The text is sent once, and a result that is declared to be structured would need it twice.
            output_schema: None,
            effect: descriptor.effects.into(),
            reach: Reach::Local,
        };
        Self { definition, tool: tool.clone(), toolbox: toolbox.clone() }
    }
}

/// `ReadFile` and `read_file` are "Read file".
fn title(name: &str) -> String {
    let mut title = String::new();
    for (index, letter) in name.chars().enumerate() {
        if letter == '_' {
            title.push(' ');
        } else if index == 0 {
            title.extend(letter.to_uppercase());
        } else if letter.is_uppercase() {
            title.push(' ');
            title.extend(letter.to_lowercase());
        } else {
            title.push(letter);
        }
    }
    title
}

/// What a tool of the file server answers: a text, or the bytes of a file.
#[derive(Deserialize)]
struct Output {
    content: Option<String>,
    note: Option<String>,
    media: Option<Media>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Media {
    mime_type: String,
    data: String,
    uri: String,
}

/// The parts of an answer: what was asked for, and behind it what there is to say of that.
fn parts(output: &str) -> Result<Vec<ContentBlock>, Failure> {
    let Output { content, note, media } = serde_json::from_str(output)
        .map_err(|error| Failure::new(format!("the tool's answer is not as described: {error}")))?;
    let media = media.map(|Media { mime_type, data, uri }| match mime_type.split('/').next() {
        Some("image") => ContentBlock::image(data, mime_type),
        Some("audio") => ContentBlock::audio(data, mime_type),
        _ => ContentBlock::resource(ResourceContents::blob(data, uri).with_mime_type(mime_type)),
    });
    Ok(content.map(ContentBlock::text).into_iter().chain(media).chain(note.map(ContentBlock::text)).collect())
}

#[async_trait]
impl Tool for FileTool {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let input = Value::Object(given).to_string();
        let Toolbox { sandbox, grants, limits, names, .. } = &self.toolbox;
        let answered = async {
            let scope = call.directories.scope(grants).await?;
            Ok::<_, Failure>((sandbox.call(&self.tool, &scope.grants, &input, limits).await, scope))
        };
        let (report, scope) = tokio::select! {
            answered = answered => answered?,
            // A caller that is gone stops the guest.
            () = call.cancelled.cancelled() => return Err(Failure::new("the call was cancelled")),
        };
        match report.outcome {
            Ok(output) if *names == FileTools::Reference => {
                let mut content = parts(&output)?;
                if self.definition.name == DIRECTORIES {
                    content.extend(scope.notes.iter().map(ContentBlock::text));
                }
                Ok(Answer::Parts { content, structured: None, is_error: false })
            }
            Ok(output) => Ok(Answer::Text(output)),
            // The tool's own words know no path but the caller's.
            Err(CallError::Tool(error)) => {
                let failure = Failure::new(error.message);
                // Nothing that was asked for would be there.
                Err(if scope.grants.iter().next().is_none() { failure.hint(scope.notes.join("; ")) } else { failure })
            }
            Err(CallError::Host(failure @ HostFailure::Moved { .. })) => {
                let again = if scope.grants.is_same(grants) {
                    "start this server again to grant what lies there now"
                } else {
                    // Roots are looked up beneath the grant, which may well be where it was.
                    call.directories.forget(grants).await;
                    "ask again, now that the roots of this client will be looked up again"
                };
                Err(Failure::new(failure.to_string()).hint(format!("put it back, or {again}")))
            }
            Err(CallError::Host(failure)) => Err(Failure::new(failure.to_string())),
        }
    }
}
