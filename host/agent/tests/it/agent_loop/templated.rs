//! An agent whose instructions come from a template.

use bailiwick_agent::templates::{Template, Values};
use bailiwick_agent::{Microagent, Transcript};
use serde_json::json;

use crate::templates::SMALL;

use super::support::{Desk, Page, Scripted, agent, budget, exit, lock, turn};

#[tokio::test]
async fn transcript_begins_with_the_template_and_its_version_and_the_model_reads_the_text() {
    let template = Template::parse(SMALL).unwrap();
    let values = Values::new().text("place", "Berlin").text("language", "english").list("manners", ["Bow."]);
    let rendered = template.render(&values.text("letter", "Dear all")).unwrap();
    let templated = Microagent::<String>::templated(rendered.clone(), json!({"kind": "test"}), budget(5));
    let (page, model) = (Page::default(), Scripted::new([turn([exit("done")])]));
    let mut transcript = Transcript::new(page.clone(), 100_000);
    bailiwick_agent::run(&templated, &Desk::default(), &model, &mut transcript).await.unwrap();
    let begin = &page.lines()[0];
    assert_eq!((&begin["entry"], &begin["seq"]), (&json!("begin"), &json!(0)));
    assert_eq!(begin["template"], json!({"id": "small", "version": "1.2.3"}));
    assert_eq!(begin["instructions"], json!(rendered.text));
    assert_eq!(lock(&model.asked)[0].instructions, rendered.text);
}

#[tokio::test]
async fn transcript_of_an_agent_with_instructions_of_its_own_names_no_template() {
    let (page, model) = (Page::default(), Scripted::new([turn([exit("done")])]));
    let mut transcript = Transcript::new(page.clone(), 1_000);
    bailiwick_agent::run(&agent(5), &Desk::default(), &model, &mut transcript).await.unwrap();
    assert!(page.lines()[0].get("template").is_none());
}
