//! A definition that makes no sense is refused before a model is asked.

use async_trait::async_trait;
use bailiwick_agent::{AgentError, DefinitionError, ToolEffect, ToolReply, ToolSpec, Toolbox, Transcript};
use serde_json::{Value, json};

use super::support::{Scripted, agent, exit, spec, turn};

struct Named(Vec<ToolSpec>);

#[async_trait]
impl Toolbox for Named {
    fn specs(&self) -> Vec<ToolSpec> {
        self.0.clone()
    }

    async fn call(&self, _: &str, _: &Value) -> ToolReply {
        ToolReply { outcome: Ok(Value::Null), cost: Value::Null }
    }
}

fn named(names: &[&str]) -> Vec<ToolSpec> {
    names.iter().map(|name| spec(name, ToolEffect::Reads)).collect()
}

async fn refusal(specs: Vec<ToolSpec>, calls: u32) -> DefinitionError {
    let model = Scripted::new([turn([exit("done")])]);
    let outcome = bailiwick_agent::run(&agent(calls), &Named(specs), &model, &mut Transcript::discarded()).await;
    assert_eq!(model.turns(), 0, "the model was asked");
    match outcome {
        Err(AgentError::Definition(error)) => error,
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn tool_named_exit_in_any_letter_case_is_refused_before_the_model_is_asked() {
    for name in ["Exit", "exit", "EXIT", "eXit"] {
        assert_eq!(refusal(named(&["Look", name]), 5).await, DefinitionError::ReservedName { name: name.into() });
    }
}

#[tokio::test]
async fn two_tools_of_one_name_in_any_letter_case_are_refused() {
    for (first, second) in [("Look", "Look"), ("Look", "lOOK")] {
        let expected = DefinitionError::DuplicateName { first: first.into(), second: second.into() };
        assert_eq!(refusal(named(&[first, "Other", second]), 5).await, expected);
    }
}

#[tokio::test]
async fn tool_name_that_providers_would_refuse_is_refused() {
    for name in ["", "Read File", "read.file", "läs", &"x".repeat(65)] {
        assert_eq!(refusal(named(&[name]), 5).await, DefinitionError::UnusableName { name: name.into() });
    }
}

#[tokio::test]
async fn tool_whose_schema_is_not_a_schema_is_refused_by_name() {
    let mut broken = named(&["Look", "Broken"]);
    broken[1].input_schema = json!({"type": "no such type"});
    match refusal(broken, 5).await {
        DefinitionError::Schema { tool, .. } => assert_eq!(tool, "Broken"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn budget_without_a_single_call_is_refused() {
    assert_eq!(refusal(named(&["Look"]), 0).await, DefinitionError::NoCalls);
}

#[tokio::test]
async fn model_is_offered_the_tools_in_order_and_exit_last() {
    let model = Scripted::new([turn([exit("done")])]);
    bailiwick_agent::run(&agent(5), &Named(named(&["B", "A"])), &model, &mut Transcript::discarded()).await.unwrap();
    let asked = super::support::lock(&model.asked);
    let names: Vec<&str> = asked[0].tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["B", "A", "Exit"]);
    assert_eq!((asked[0].instructions.as_str(), &asked[0].task), ("Do it.", &json!({"kind": "test"})));
}
