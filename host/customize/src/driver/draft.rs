//! The edit of `client.tsp` as it would be, made in memory: the agent that edits reads and writes one text here, and the
//! gate judges that text. Nothing is compiled and no file is touched.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bailiwick_agent::{
    AgentError, Backend, Microagent, ToolEffect, ToolFailure, ToolReply, ToolSpec, Toolbox, Transcript, Validation,
};
use bailiwick_sdk::tasks::{
    AgentTask, ItemVerdict, Language, ManualGuidance, Scope, SpecIndex, TypespecResult, TypespecTask,
};
use serde_json::{Value, json};

use super::attempt::{FILE_BYTES, reasons};
use super::roots::{CLIENT_FILE, SPEC};
use super::{CustomizeError, agents, instructions};
use crate::gate::{Candidate, Granted, TypespecDifference, Verdict, judge_typespec};
use crate::knowledge::Reference;

/// What edits are made from.
pub(super) struct Draft<'a> {
    pub(super) editor: &'a dyn Backend,
    pub(super) request: &'a str,
    pub(super) language: Language,
    /// The languages whose clients may change.
    pub(super) permitted: Scope,
    /// The legacy decorators that a person's directives ask for.
    pub(super) granted: Vec<Granted>,
    pub(super) index: &'a SpecIndex,
    pub(super) reference: &'a Reference,
    /// The service's entry point as a fresh client file imports it.
    pub(super) main: &'a str,
    /// The client file as it stands; `None` if the file does not exist.
    pub(super) before: Option<Vec<u8>>,
}

/// What came of an edit.
pub(super) enum Drafted {
    /// The gate lets it through; the text is as before where nothing needs an edit.
    Accepted { after: Option<Vec<u8>>, result: TypespecResult },
    /// It cannot be made.
    Refused(ManualGuidance),
}

impl Draft<'_> {
    /// Edits for these items together.
    pub(super) async fn edit(&self, items: &[ItemVerdict]) -> Result<Drafted, CustomizeError> {
        let task = TypespecTask {
            items: items.to_vec(),
            request: self.request.to_owned(),
            language: self.language,
            index: self.index.clone(),
            client_file: format!("{SPEC}/{CLIENT_FILE}"),
            main_file: self.main.to_owned(),
            feedback: Vec::new(),
        };
        let instructions = instructions::typespec_customization(&task, self.reference)?;
        let task = AgentTask::from(task).to_value()?;
        let file = ClientFile { text: Arc::new(Mutex::new(self.before.clone())) };
        let (text, before) = (file.text.clone(), self.before.clone());
        let (index, language) = (self.index.clone(), self.language);
        let (permitted, granted) = (self.permitted.clone(), self.granted.clone());
        let judge = move |result: &TypespecResult| {
            let after = text.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let edit = TypespecDifference {
                client_file: CLIENT_FILE,
                language,
                permitted: &permitted,
                granted: &granted,
                candidates: &[],
                index_before: &index,
                index_after: None,
                file_bytes: FILE_BYTES,
            };
            match verdict(&edit, before.as_ref(), after) {
                _ if result.failure.is_some() => Validation::Accepted,
                Verdict::Lands(_) => Validation::Accepted,
                Verdict::Refused(violations) => Validation::refused(reasons(&violations)),
            }
        };
        let agent =
            Microagent::<TypespecResult>::templated(instructions, task, agents::editor_budget()).validated_by(judge);
        let outcome = bailiwick_agent::run(&agent, &file, self.editor, &mut Transcript::discarded()).await;
        Ok(match outcome {
            Ok(completed) => match completed.result.failure {
                Some(guidance) => Drafted::Refused(guidance),
                None => Drafted::Accepted { after: file.content(), result: completed.result },
            },
            Err(error @ AgentError::Definition(_)) => return Err(error.into()),
            Err(error) => Drafted::Refused(undrafted(&error)),
        })
    }
}

/// Judges a text against the one before.
fn verdict(edit: &TypespecDifference<'_>, before: Option<&Vec<u8>>, after: Option<Vec<u8>>) -> Verdict {
    let before = before.cloned();
    if before == after {
        return Verdict::Lands(Vec::new());
    }
    let candidate = Candidate {
        path: CLIENT_FILE.to_owned(),
        original: before.clone(),
        staged: before.clone(),
        now: before,
        after,
    };
    judge_typespec(&TypespecDifference { candidates: &[candidate], ..*edit })
}

fn undrafted(error: &AgentError) -> ManualGuidance {
    ManualGuidance {
        issue: format!("the edit of `{SPEC}/{CLIENT_FILE}` could not be drafted: {error}"),
        files: vec![format!("{SPEC}/{CLIENT_FILE}")],
        approach: "carry the request out without `--dry-run`, or edit the file by hand".into(),
        reason: "the agent that edits did not come to a result".into(),
    }
}

/// The one file of an edit, in memory.
struct ClientFile {
    text: Arc<Mutex<Option<Vec<u8>>>>,
}

impl ClientFile {
    fn content(&self) -> Option<Vec<u8>> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn read(&self) -> Result<Value, ToolFailure> {
        let content =
            self.content().ok_or_else(|| ToolFailure::new("not-found", format!("there is no `{CLIENT_FILE}`")))?;
        let text = String::from_utf8(content)
            .map_err(|_| ToolFailure::new("not-text", format!("`{CLIENT_FILE}` is not UTF-8")))?;
        let lines = text.lines().count();
        Ok(json!({ "content": text, "startLine": 1, "endLine": lines, "totalLines": lines, "truncated": false }))
    }

    fn write(&self, content: &str) -> Result<Value, ToolFailure> {
        if content.len() > FILE_BYTES {
            return Err(ToolFailure::new("too-large", format!("a client file has at most {FILE_BYTES} bytes")));
        }
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = Some(content.as_bytes().to_vec());
        Ok(json!({ "bytesWritten": content.len() }))
    }
}

#[async_trait]
impl Toolbox for ClientFile {
    fn specs(&self) -> Vec<ToolSpec> {
        let path = json!({ "type": "string", "description": "The path, with its grant." });
        let tool = |name: &str, description: &str, properties: Value, required: Value, effect| ToolSpec {
            name: name.to_owned(),
            description: description.to_owned(),
            input_schema: json!({ "type": "object", "properties": properties, "required": required }),
            effect,
        };
        vec![
            tool(
                "ReadFile",
                "Reads the client file, whole.",
                json!({ "filePath": path }),
                json!(["filePath"]),
                ToolEffect::Reads,
            ),
            tool(
                "WriteFile",
                "Writes the client file, whole.",
                json!({ "filePath": path, "content": { "type": "string", "description": "All of it." } }),
                json!(["filePath", "content"]),
                ToolEffect::Writes,
            ),
        ]
    }

    async fn call(&self, name: &str, arguments: &Value) -> ToolReply {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        let ours = text("filePath") == format!("{SPEC}/{CLIENT_FILE}");
        let outcome = match name {
            _ if !ours => Err(ToolFailure::new("not-found", format!("a draft has `{SPEC}/{CLIENT_FILE}` alone"))),
            "ReadFile" => self.read(),
            "WriteFile" => self.write(text("content")),
            _ => Err(ToolFailure::new("unknown-tool", format!("there is no tool `{name}`"))),
        };
        ToolReply { outcome, cost: Value::Null }
    }
}
