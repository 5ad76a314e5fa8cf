//! Every action, in every language whose library follows it: `client.tsp` as the plan writes it changes the client model of
//! that language and of no other. The models are the client generator core's own; the emitters behind them are not run.

use bailiwick_tests::{Compiled, Variant, World, compile};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const LANGUAGES: [&str; 5] = ["csharp", "go", "java", "javascript", "python"];
const EVERYWHERE: &[&str] = &LANGUAGES;
const NOT_PYTHON: &[&str] = &["csharp", "go", "java", "javascript"];

/// The decorator that an action writes, the action, and the languages whose library follows it.
fn actions() -> Vec<(&'static str, Value, &'static [&'static str])> {
    let decorate = |decorator: &str, target: &str, value: Value| {
        let mut action = json!({ "action": "decorate", "decorator": decorator, "target": target });
        if !value.is_null() {
            action["value"] = value;
        }
        action
    };
    vec![
        (
            "clientName",
            json!({ "action": "rename", "target": "Contoso.WidgetManager.Part.displayName", "name": "label" }),
            EVERYWHERE,
        ),
        (
            "clientName",
            json!({ "action": "rename", "target": "WidgetManagerClient", "name": "ShopClient" }),
            EVERYWHERE,
        ),
        ("access", json!({ "action": "hide", "target": "Parts.deletePart" }), EVERYWHERE),
        ("clientLocation", json!({ "action": "move", "target": "Parts.restockPart", "to": "Widgets" }), EVERYWHERE),
        ("usage", decorate("usage", "AnalyzeResult", json!(["input", "json"])), EVERYWHERE),
        ("clientNamespace", decorate("clientNamespace", "Manufacturer", json!("Contoso.Makers")), EVERYWHERE),
        ("alternateType", decorate("alternateType", "Widget.lastModifiedAt", json!("string")), EVERYWHERE),
        (
            "clientDoc",
            decorate("clientDoc", "Contoso.WidgetManager.Manufacturer", json!({ "text": "Who made \"it\"." })),
            EVERYWHERE,
        ),
        ("scope", decorate("scope", "Parts.deletePart", Value::Null), EVERYWHERE),
        ("override", decorate("override", "Widgets.listWidgets", json!({ "remove": "top" })), EVERYWHERE),
        (
            "clientInitialization",
            decorate(
                "clientInitialization",
                "Parts",
                json!({ "initializedBy": ["individually", "parent"], "parameters": [{ "declared": "partId", "name": "part" }] }),
            ),
            EVERYWHERE,
        ),
        ("flattenProperty", decorate("flattenProperty", "Widget.dimensions", Value::Null), EVERYWHERE),
        ("convenientAPI", decorate("convenientAPI", "Parts.getPart", json!(false)), NOT_PYTHON),
        ("protocolAPI", decorate("protocolAPI", "Parts.getPart", json!(false)), NOT_PYTHON),
        (
            "clientOption",
            decorate("clientOption", "Contoso.WidgetManager.Manufacturer", json!({ "name": "option", "value": true })),
            NOT_PYTHON,
        ),
        (
            "deserializeEmptyStringAsNull",
            decorate("deserializeEmptyStringAsNull", "Widget.description", Value::Null),
            &["csharp"],
        ),
        (
            "useSystemTextJsonConverter",
            decorate("useSystemTextJsonConverter", "Manufacturer", Value::Null),
            &["csharp"],
        ),
    ]
}

/// The plan of one action for one language, from the Python package.
fn plan(world: &World, action: &Value, language: &str) -> bailiwick_tests::Answer {
    let mut action = action.clone();
    action["scope"] = language.into();
    let list = json!([action]).to_string();
    world.package_command("customize", &["--dry-run", "--scope", language, "--directives", &list])
}

/// A text with the lines that a plan adds at its end.
fn edited(before: &str, plan: &Value) -> String {
    let diff = plan["diff"].as_str().unwrap();
    let added = diff.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++"));
    assert!(!diff.lines().any(|line| line.starts_with('-') && !line.starts_with("---")), "{diff}");
    before.to_owned() + &added.map(|line| format!("{}\n", &line[1..])).collect::<String>()
}

fn variant(name: String, client: String) -> Variant {
    Variant { name, files: BTreeMap::from([("client.tsp".to_owned(), client)]) }
}

#[test]
fn every_action_changes_the_model_of_its_language_and_of_no_other() {
    let world = World::standing_in();
    let client = world.client();
    let mut variants = vec![variant("before".into(), client.clone())];
    let (mut expected, mut wrong) = (Vec::new(), Vec::new());
    for (number, (decorator, action, languages)) in actions().into_iter().enumerate() {
        // Each for one language, in turn: the plans of the others differ in the scope alone.
        let language = languages[number % languages.len()];
        let plan = plan(&world, &action, language);
        if plan.code != 0 {
            wrong.push(format!("{action} for {language}: {}", plan.stderr));
            continue;
        }
        let after = edited(&client, &plan.json());
        assert!(after.contains(decorator) && after.contains(language), "{after}");
        let name = format!("{action} for {language}");
        variants.push(variant(name.clone(), after));
        expected.push((name, language));
    }
    let compiled: BTreeMap<String, Compiled> = compile(&world.project(), &variants);
    let before = &compiled["before"].models;
    for (name, language) in expected {
        let after = &compiled[&name];
        let changed = before.changed(&after.models);
        if after.models.is_empty() || changed != [language] {
            let said: Vec<&String> = after.diagnostics.values().flatten().collect();
            wrong.push(format!("{name}: changes {changed:?} {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn action_that_a_library_does_not_follow_begins_nothing_and_says_why() {
    let world = World::standing_in();
    for (_, action, languages) in actions() {
        for language in LANGUAGES.into_iter().filter(|one| !languages.contains(one)) {
            let answer = plan(&world, &action, language).exits(2);
            assert!(answer.stderr.contains("changes nothing in the"), "{action} {language}: {}", answer.stderr);
        }
    }
}
