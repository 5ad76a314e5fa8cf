//! Tools that a person added: their part of `list`, `describe` and `call`.

use super::{failed, told};
use crate::exit::{Code, Error, Result};
use crate::installed::{described, store, this_program};
use crate::{output, runtime};
use bailiwick_audit::printable;
use bailiwick_mcp::component::block;
use bailiwick_sandbox::Program;
use bailiwick_sandbox::rich::{Abilities, Block, Body, Notice, NoticeLimits, Notices, tools};
use bailiwick_sandbox::{Audit, Conditions, Grants, Sandbox};
use bailiwick_tools::Entry;
use bailiwick_tools::installed::Usable;
use serde_json::{Value, json};

/// What a guest may say while a person waits at a terminal.
const NOTICES: NoticeLimits = NoticeLimits { count: 10_000, bytes: 1 << 20 };

/// A component that was added.
pub(super) struct Known {
    pub(super) name: String,
    pub(super) entry: Entry,
}

impl Known {
    pub(super) fn summary(&self) -> Value {
        let current = &self.entry.current;
        json!({
            "added": self.name,
            "digest": current.digest.hex(),
            "tools": current.tools,
            "state": self.entry.standing().name(),
            "version": current.manifest.as_ref().map(|manifest| &manifest.version),
            "updateWaits": self.entry.update.is_some(),
        })
    }

    /// A line of the list.
    pub(super) fn line(&self) -> String {
        let current = &self.entry.current;
        let tools = match current.tools.as_slice() {
            [] => "no tools; resources or prompts".to_owned(),
            [one] if *one == self.name => String::new(),
            several => format!("tools {}", several.join(", ")),
        };
        let update = if self.entry.update.is_some() { ", an update waits" } else { "" };
        let state = self.entry.standing().name();
        format!("{:<17} {state:<10} sha256 {}… {tools}{update}", self.name, current.digest.short())
            .trim_end()
            .to_owned()
    }
}

/// All that were added, by name.
pub(super) fn known() -> Result<Vec<Known>> {
    Ok(store()?.list()?.into_iter().map(|(name, entry)| Known { name, entry }).collect())
}

/// The component that has the tool `name`.
pub(super) fn with_tool(name: &str) -> Result<Option<Known>> {
    Ok(known()?.into_iter().find(|known| known.entry.current.tools.iter().any(|tool| tool == name)))
}

pub(super) fn describe(known: &Known, tool: &str) -> Result<Value> {
    let sandbox = runtime::sandbox(Audit::Off)?;
    let usable = Usable::open(this_program(), &known.name)?;
    let program = runtime::block_on(async { usable.load(&sandbox).await })??;
    described(&known.name, &program, tool).ok_or_else(|| gone(known, tool))
}

pub(super) async fn call(
    sandbox: &Sandbox,
    known: &Known,
    tool: &str,
    input: &str,
    grants: &Grants,
    as_json: bool,
) -> Result<Code> {
    let usable = Usable::open(this_program(), &known.name)?;
    let (grants, limits) = (&usable.grants(grants)?, usable.limits());
    let component = match usable.load(sandbox).await? {
        Program::Plain(plain) => {
            let report = sandbox.call(&plain, grants, input, limits).await;
            return told(report.outcome, &report.cost, as_json);
        }
        Program::Typed(tools) => {
            let named = tools.iter().find(|one| one.descriptor().name == tool);
            let report = sandbox.call(named.ok_or_else(|| gone(known, tool))?, grants, input, limits).await;
            return told(report.outcome, &report.cost, as_json);
        }
        Program::Rich(component) => component,
    };
    if component.tool(tool).is_none() {
        return Err(gone(known, tool));
    }
    let call = tools::Call { tool: tool.into(), input: input.into(), can: Abilities::empty(), again: None };
    let (sender, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let notices = Some(Notices { sender, limits: NOTICES });
    let report = sandbox.call_rich(&component, call, Conditions { grants, limits, notices }).await;
    while let Ok(notice) = heard.try_recv() {
        output::progress(&said(&notice));
    }
    match report.outcome {
        Ok(tools::Outcome::Answered(answer)) => Ok(answered(answer, &json!(report.cost), as_json)),
        Ok(tools::Outcome::Asks(_)) => {
            Err(Error::failed(format!("`{tool}` asks before it answers, and there is no person to ask here"))
                .hint(format!("offer it to a client that can ask, with `bailiwick mcp --tool {}`", known.name)))
        }
        Err(error) => Ok(failed(&error, &report.cost, as_json)),
    }
}

fn answered(answer: tools::Answer, cost: &Value, as_json: bool) -> Code {
    let code = if answer.is_error { Code::NoSuccess } else { Code::Done };
    if as_json {
        let structured: Option<Value> = answer.structured.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let content: Vec<Value> = answer.content.into_iter().map(|part| json!(block(part))).collect();
        let mut value = json!({ "content": content, "isError": answer.is_error, "cost": cost });
        if let Some(structured) = structured {
            value["structured"] = structured;
        }
        output::json(&value);
        return code;
    }
    for part in answer.content {
        shown(part).split('\n').for_each(|line| output::line(&printable(line)));
    }
    code
}

/// A part as a terminal can show it.
fn shown(part: Block) -> String {
    let bytes = |what: &str, mime_type: &str, length: usize| format!("[{what}, {mime_type}, {length} bytes]");
    match part {
        Block::Text(text) => text,
        Block::Image(data) => bytes("image", &data.mime_type, data.bytes.len()),
        Block::Audio(data) => bytes("audio", &data.mime_type, data.bytes.len()),
        Block::Link(link) => format!("[{}, {}]", link.name, link.uri),
        Block::Embedded(document) => match document.body {
            Body::Text(text) => text,
            Body::Bytes(content) => {
                bytes(&document.uri, document.mime_type.as_deref().unwrap_or("bytes"), content.len())
            }
        },
    }
}

fn said(notice: &Notice) -> String {
    match notice {
        Notice::Progress { done, total, message } => {
            let of = total.map(|total| format!(" of {total}")).unwrap_or_default();
            format!("{done}{of} {}", message.as_deref().unwrap_or_default()).trim_end().to_owned()
        }
        Notice::Log { logger, text, .. } => match logger {
            Some(logger) => format!("{logger}: {text}"),
            None => text.clone(),
        },
    }
}

/// The index lists it, but the component does not have it: the index was edited.
fn gone(known: &Known, tool: &str) -> Error {
    Error::failed(format!("the component `{}` has no tool `{tool}` any more", known.name))
        .hint(format!("take it away with `bailiwick tool remove {}` and add it again", known.name))
}
