//! Phase A: what an agent may not do to the specification.

use super::{REQUEST, client_with, good, refused_one_by_one, write_client};
use bailiwick_tests::World;
use bailiwick_tests::played::{call, classified, edited, exit, guidance, turn};
use serde_json::json;

/// More levels than the gate reads.
const NESTED: &str = concat!(
    "alias Deep = ",
    "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((",
    "a",
    "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));",
);

/// Ends of `client.tsp` that the gate refuses, with the rule it names.
const ADDED: &[(&str, &str)] = &[
    ("other-language", "@@access(Widgets.deleteWidget, Access.internal);"),
    ("other-language", "@@access(Widgets.deleteWidget, Access.internal, \"java\");"),
    ("other-language", "@@access(Widgets.deleteWidget, Access.internal, \"python, java\");"),
    ("other-language", "@@access(Widgets.deleteWidget, Access.internal, \"!go\");"),
    ("unknown-scope", "@@access(Widgets.deleteWidget, Access.internal, \"phyton\");"),
    ("unknown-scope", "alias s = \"python\"; @@access(Widgets.deleteWidget, Access.internal, s);"),
    ("decorator-not-allowed", "@@doc(Widgets.deleteWidget, \"gone\");"),
    ("decorator-not-allowed", "@@acces(Widgets.deleteWidget, Access.internal, \"python\");"),
    ("decorator-not-allowed", "@@TypeSpec.Http.route(Widgets.deleteWidget, \"/evil\");"),
    ("client-augmented", "@@client(Widgets, { name: \"Evil\", service: Contoso.WidgetManager }, \"python\");"),
    ("client-augmented", "@@operationGroup(Widgets, \"python\");"),
    (
        "client-with-location",
        "@@clientLocation(Widgets.deleteWidget, Parts, \"python\");\n\
         namespace Mine { @client({ name: \"C\", service: Contoso.WidgetManager }, \"python\") interface C {} }",
    ),
    ("using-not-allowed", "namespace Evil {}\nusing Evil;"),
    ("statement-not-allowed", "enum Evil { a }"),
    ("statement-not-allowed", "op evil(): void;"),
    ("declaration-in-service", "namespace Contoso.WidgetManager { model More { a: string; } }"),
    (
        "suppression-added",
        "#suppress \"deprecated\" \"quiet\"\n@@access(Widgets.deleteWidget, Access.internal, \"python\");",
    ),
    (
        "unsafe-text",
        "@@clientDoc(Widget, \"A.\\\"\\\"\\\";import os;\\\"\\\"\\\"B.\", DocumentationMode.replace, \"python\");",
    ),
    ("hidden-characters", "// \u{202e}reversed"),
    ("not-text", "// bell \u{7}"),
    ("unreadable-typespec", "@@access(Widgets.deleteWidget"),
    ("nested-too-deeply", NESTED),
    ("must compile", "@@access(Widgets.frobnicate, Access.internal, \"python\");"),
];

#[test]
fn every_rule_of_phase_a_is_told_by_name_and_the_agent_may_correct_itself() {
    let world = World::standing_in();
    let client = world.client();
    let whole = |text: String| vec![write_client(&text), edited()];
    let mut attacks: Vec<_> = ADDED.iter().map(|(rule, more)| (*rule, whole(client_with(&world, more)))).collect();
    attacks.push(("import-not-allowed", whole(format!("import \"./evil.js\";\n{client}"))));
    attacks.push(("import-not-allowed", whole(format!("import \"left-pad\";\n{client}"))));
    attacks.push((
        "import-removed",
        whole(client.replacen("import \"@azure-tools/typespec-client-generator-core\";\n", "", 1)),
    ));
    // What another language has may neither change nor go.
    attacks
        .push(("other-language", whole(client.replacen("\"WidgetAnalysis\", \"csharp\"", "\"Evil\", \"csharp\"", 1))));
    attacks.push(("other-language", whole(client.replacen("\"java, csharp\"", "\"csharp\"", 1))));

    let mut turns = vec![classified("PHASE_A")];
    let wanted = good(&world);
    turns.extend(refused_one_by_one(&world, attacks, vec![write_client(&wanted), edited()]));
    turns.push(classified("SUCCESS"));
    let response = world.customize_played(REQUEST, &[], turns).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert_eq!(response["phaseAAttempts"], 1, "{response:#}");
    assert_eq!(world.client(), wanted);
}

#[test]
fn another_file_of_the_specification_cannot_even_be_written_in_the_stage() {
    let world = World::standing_in();
    let write = |file: &str| call("WriteFile", json!({ "filePath": file, "content": "model Evil {}\n" }));
    let attacks = vec![
        ("not-permitted", vec![write("spec/main.tsp")]),
        ("not-permitted", vec![write("spec/tspconfig.yaml")]),
        (
            "not-permitted",
            vec![call(
                "CodePatch",
                json!({ "filePath": "spec/models.tsp", "oldContent": "model", "newContent": "enum", "replaceAll": true }),
            )],
        ),
    ];
    let mut turns = vec![classified("PHASE_A")];
    turns.extend(refused_one_by_one(&world, attacks, vec![write_client(&good(&world)), edited()]));
    turns.push(classified("SUCCESS"));
    let before = world.snapshot();
    let response = world.customize_played(REQUEST, &[], turns).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    let changed = before.difference(&world.snapshot());
    assert_eq!(changed.beneath("azure-rest-api-specs").len(), 1, "client.tsp alone: {changed:?}");
}

/// What the compiler leaves when it is asked.
fn asked(world: &World) -> std::path::PathBuf {
    let run = std::fs::read_dir(world.state().join("runs")).unwrap().next().unwrap().unwrap();
    run.path().join("work/probe-scratch/index.json")
}

#[test]
fn program_beside_the_specification_and_writes_outside_come_to_nothing() {
    let world = World::standing_in();
    let before = world.snapshot();
    let program = "import { writeFileSync } from 'node:fs'; writeFileSync('/tmp/bailiwick-gate-evil', 'x');";
    let write = |file: &str| call("WriteFile", json!({ "filePath": file, "content": program }));
    let import = format!("import \"./evil.js\";\n{}", world.client());
    let turns = vec![
        classified("PHASE_A"),
        turn(|_| {
            // Where the compiler's answer would be.
            let _ = std::fs::remove_file(asked(&world));
            vec![write("spec/evil.js"), write_client(&import), edited()]
        }),
        turn(|back| {
            assert!(!asked(&world).exists(), "a compiler was given an import that the text alone forbids");
            for rule in ["outside-editable", "import-not-allowed"] {
                assert!(back.contains(rule), "{rule}: {back}");
            }
            ["spec/../evil.js", "../evil.js", "/tmp/bailiwick-gate-evil", "spec/../../azure-sdk-for-python/evil.py"]
                .map(write)
                .to_vec()
        }),
        turn(|back| {
            assert_eq!(back.matches("not-permitted").count() + back.matches("invalid-input").count(), 4, "{back}");
            vec![exit(&json!({ "changes": [], "noEditNeeded": false, "failure": guidance(), "renames": [] }))]
        }),
    ];
    let response = world.customize_played(REQUEST, &[], turns).exits(1).json();
    assert_eq!(response["errorCode"], "ManualGuidance", "{response:#}");
    before.assert_same(&world.snapshot());
    assert!(!std::path::Path::new("/tmp/bailiwick-gate-evil").exists());
    assert!(!world.base().join("evil.js").exists());
}
