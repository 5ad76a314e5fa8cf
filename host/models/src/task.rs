//! The task value, without what the instructions hold already.

use bailiwick_agent::templates::AlreadyInPrompt;
use serde_json::Value;

/// What stands for a text that the instructions hold.
const SEE_ABOVE: &str = "(in the instructions)";

/// The shortest text that is left out: below it, the reference would be as long as what it stands for.
const WORTH_IT: usize = 40;

/// The task with every long text that stands in a fence of the instructions replaced by a reference to them. Nothing is
/// lost: every text is in the one or in the other.
pub(crate) fn without_what_is_held(task: &Value, instructions: &str) -> Value {
    let held = AlreadyInPrompt::in_prompt(instructions);
    without(task, &held)
}

fn without(value: &Value, held: &AlreadyInPrompt) -> Value {
    match value {
        Value::String(text) if text.chars().count() >= WORTH_IT && held.holds(text) => Value::from(SEE_ABOVE),
        Value::Array(elements) => elements.iter().map(|element| without(element, held)).collect(),
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), without(field, held))).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_agent::templates::Values;
    use bailiwick_customize::prompts::{PromptId, render};
    use serde_json::json;

    const REQUEST: &str = "Rename the model AnalyzeResult to WidgetAnalysis.\r\nAnd hide the operation purge\u{200b}.";
    const MESSAGE: &str = "\"AnalyzeResult\" is not defined, did you mean \"WidgetAnalysis\"?";

    fn instructions(request: &str) -> String {
        let values = Values::new()
            .text("language", "Python")
            .text("scope", "python")
            .text("request", request)
            .text("validated", "failed")
            .list("diagnostics", [format!("sdk/a/_patch.py:3: error [name-defined]: {MESSAGE} (mypy)")])
            .list("decorators", ["`@access`"]);
        render(PromptId::Classification, &values).unwrap().text
    }

    fn task(request: &str) -> Value {
        json!({
            "kind": "classify", "language": "python", "request": request,
            "index": {"doc": "A text of the specification that only the task has."},
            "validation": {"succeeded": false, "diagnostics": [
                {"file": "sdk/a/_patch.py", "line": 3, "column": 17, "message": MESSAGE, "tool": "mypy"}
            ]}
        })
    }

    #[test]
    fn request_and_diagnostics_are_sent_once_and_the_rest_stays() {
        let sent = without_what_is_held(&task(REQUEST), &instructions(REQUEST));
        let mut expected = task(REQUEST);
        expected["request"] = json!(SEE_ABOVE);
        expected["validation"]["diagnostics"][0]["message"] = json!(SEE_ABOVE);
        assert_eq!(sent, expected);
    }

    #[test]
    fn text_that_the_instructions_cut_is_sent_whole() {
        let long = "Rename one model after the other. ".repeat(2_000);
        let sent = without_what_is_held(&task(&long), &instructions(&long));
        assert_eq!(sent["request"], json!(long));
    }

    #[test]
    fn text_that_stands_outside_of_a_fence_is_sent() {
        let task = json!({"input": "You look for words that are spelled wrongly."});
        assert_eq!(without_what_is_held(&task, "You look for words that are spelled wrongly.\n"), task);
    }
}
