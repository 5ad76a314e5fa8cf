//! A call of an added tool.

use super::asking::{Asker, Asking, Next, Refused};
use super::{Added, Program, content, failure, notices};
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Answer, Definition, Reach, Tasks, Tool};
use crate::tools::schema;
use async_trait::async_trait;
use bailiwick_sandbox::rich::{Notices, RichTool, tools};
use bailiwick_sandbox::{CallError, Effects, Grants};
use rmcp::model::JsonObject;
use serde_json::Value;
use std::sync::Arc;

/// One tool of a component.
struct AddedTool {
    definition: Definition,
    added: Added,
    asking: Arc<Asking>,
}

/// The tools of a component.
pub(crate) fn tools(added: &Added, asking: &Arc<Asking>) -> Vec<Arc<dyn Tool>> {
    let definitions = match &added.program {
        Program::Plain(tool) => vec![plain(tool)],
        Program::Typed(tools) => tools.iter().map(plain).collect(),
        Program::Rich(component) => component.tools().iter().map(defined).collect(),
    };
    let tool = |definition| -> Arc<dyn Tool> {
        Arc::new(AddedTool { definition, added: added.clone(), asking: asking.clone() })
    };
    definitions.into_iter().map(tool).collect()
}

fn plain(tool: &bailiwick_sandbox::Tool) -> Definition {
    let said = tool.descriptor();
    definition(
        [&said.name, &said.name, &said.description],
        [Some(&said.input_schema), Some(&said.output_schema)],
        said.effects,
    )
}

fn defined(tool: &RichTool) -> Definition {
    let said = tool.descriptor();
    definition(
        [&said.name, said.title.as_ref().unwrap_or(&said.name), &said.description],
        [Some(&said.input_schema), said.output_schema.as_ref()],
        said.effects,
    )
}

fn definition([name, title, description]: [&String; 3], schemas: [Option<&Value>; 2], effects: Effects) -> Definition {
    let [input, output] = schemas.map(|schema| match schema.cloned().map(schema::portable) {
        Some(Value::Object(schema)) => Some(Arc::new(schema)),
        _ => None,
    });
    Definition {
        name: name.clone(),
        title: title.clone(),
        description: description.clone(),
        input_schema: input.unwrap_or_default(),
        output_schema: output,
        effect: effects.into(),
        reach: Reach::Local,
    }
}

#[async_trait]
impl Tool for AddedTool {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    // How long a component takes, only it knows.
    fn tasks(&self) -> Tasks {
        Tasks::WhenLong
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let input = Value::Object(given).to_string();
        let answered = tokio::select! {
            answered = self.answered(&input, call) => answered,
            // A caller that is gone stops the guest.
            () = call.cancelled.cancelled() => {
                return Ok(Answer::TakenBack("the tool was stopped; what it had done by then stays".into()));
            }
        };
        match answered {
            Ok(answer) => Ok(answer),
            Err(Refused::Failure(failure)) => Err(failure),
            Err(Refused::Protocol(error)) => Ok(Answer::Protocol(error)),
        }
    }
}

impl AddedTool {
    /// The answer of a tool that answers one JSON text.
    async fn structured(
        &self,
        tool: &bailiwick_sandbox::Tool,
        grants: &Grants,
        input: &str,
    ) -> Result<Answer, Refused> {
        let Added { sandbox, limits, .. } = &self.added;
        let output = sandbox.call(tool, grants, input, limits).await.outcome.map_err(failed)?;
        let value = serde_json::from_str(&output).map_err(|error| Refused::Failure(Failure::new(error.to_string())))?;
        Ok(Answer::Structured { value, text: output })
    }

    async fn answered(&self, input: &str, call: &Call) -> Result<Answer, Refused> {
        let grants = self.added.grants_for(&call.directories).await.map_err(Refused::Failure)?;
        match &self.added.program {
            Program::Plain(tool) => self.structured(tool, &grants, input).await,
            Program::Typed(tools) => {
                let named = tools.iter().find(|tool| tool.descriptor().name == self.definition.name);
                let tool = named.ok_or_else(|| Refused::Failure(Failure::new("the component has no such function")))?;
                self.structured(tool, &grants, input).await
            }
            Program::Rich(component) => {
                let name = &self.definition.name;
                let exactly = format!("tools/call {} {name} {input}", component.digest());
                let asker = Asker { name, exactly: &exactly, call };
                let mut round = self.asking.begin(&asker)?;
                loop {
                    let one = tools::Call {
                        tool: name.clone(),
                        input: input.to_owned(),
                        can: call.reach.can,
                        again: round.again.clone(),
                    };
                    let (sender, heard) = tokio::sync::mpsc::unbounded_channel();
                    let notices = Notices { sender, limits: self.added.notices };
                    let conditions = self.added.conditions(&grants, Some(notices));
                    let work = self.added.sandbox.call_rich(component, one, conditions);
                    let report = notices::passing_on(name, call, heard, work).await;
                    match report.outcome.map_err(failed)? {
                        tools::Outcome::Answered(answer) => return answer_of(answer),
                        tools::Outcome::Asks(asks) => match self.asking.next(asks, &round, &asker).await? {
                            Next::Again(next) => round = next,
                            Next::Ask(ask) => return Ok(Answer::Ask(ask)),
                        },
                    }
                }
            }
        }
    }
}

fn answer_of(answer: tools::Answer) -> Result<Answer, Refused> {
    let structured = answer.structured.as_deref().map(serde_json::from_str).transpose();
    Ok(Answer::Parts {
        content: answer.content.into_iter().map(content::block).collect(),
        structured: structured.map_err(|error| Refused::Failure(Failure::new(error.to_string())))?,
        is_error: answer.is_error,
    })
}

fn failed(error: CallError) -> Refused {
    Refused::Failure(failure(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idempotence_that_a_component_declares_is_announced() {
        for (destructive, idempotent) in [(false, false), (false, true), (true, false), (true, true)] {
            let effects = Effects { reads: true, writes: true, destructive, idempotent };
            let name = "tool".to_owned();
            let tool = definition([&name, &name, &name], [None, None], effects).listed();
            let annotations = tool.annotations.unwrap();
            let found = (annotations.destructive_hint, annotations.idempotent_hint);
            assert_eq!(found, (Some(destructive), Some(idempotent)));
        }
    }
}
