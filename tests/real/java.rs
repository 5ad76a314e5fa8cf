//! Java, over the real emitter, Maven and javac: the service gets what a customization adds (scenario 1), and renames
//! that a customization has not followed (scenario 3) in the three ways in which that shows.

use bailiwick_tests::{Answer, ClientModels, Sdk, World, assert_success, attempts, java_user};
use serde_json::Value;

const CUSTOMIZATION: &str = "customization/src/main/java/WidgetCustomization.java";
const MODELS: &str = "src/main/java/com/azure/widget/models";

/// Lines that the customization file lost and got, as git sees them.
fn changed_lines(world: &World) -> (Vec<String>, Vec<String>) {
    let path = format!("sdk/widget/azure-widget/{CUSTOMIZATION}");
    let diff = world.git("azure-sdk-for-java", &["diff", "--unified=0", "--", &path]);
    let lines = |mark: char| {
        let header = format!("{mark}{mark}{mark}");
        diff.lines()
            .filter(|line| line.starts_with(mark) && !line.starts_with(&header))
            .map(|line| line[1..].trim().to_owned())
            .collect()
    };
    (lines('-'), lines('+'))
}

/// What a successful run in both phases has to show, whichever the errors were.
#[track_caller]
fn assert_repaired(world: &World, response: &Value) {
    assert_success(response, (1, 1));
    assert!(
        response["codePatches"]
            .as_array()
            .unwrap()
            .iter()
            .all(|patch| patch["filePath"] == format!("sdk/{CUSTOMIZATION}"))
    );
    // Only the customization was edited by hand or agent; all else that changed is generated.
    for path in world.changed() {
        let generated = path.starts_with("sdk/widget/azure-widget/src/main/");
        assert!(generated || path.ends_with(CUSTOMIZATION), "{path}");
    }
}

/// Adds a property of this type to `AnalyzeResult`, as the service team would.
fn add_operation_id(world: &World, kind: &str) {
    let path = world.project().join("models.tsp");
    let text = std::fs::read_to_string(&path).unwrap();
    let model = "model AnalyzeResult {\n";
    assert!(text.contains(model));
    let property = format!("{model}  @doc(\"The identifier of the operation.\")\n  operationId?: {kind};\n\n");
    std::fs::write(&path, text.replace(model, &property)).unwrap();
    world.commit();
}

/// The log of the build that a developer pastes.
fn failed_build(world: &World) -> String {
    let package = world.package();
    let path = package.to_str().unwrap();
    let _ = world.package_command("generate", &[]).exits(0);
    let built = world.package_command("build", &[]).exits(1).json();
    let lines: Vec<String> = built["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let file = one["file"].as_str().unwrap().strip_prefix("sdk/").unwrap();
            format!("[ERROR] {path}/{file}:[{},{}] {}", one["line"], one["column"], one["message"].as_str().unwrap())
        })
        .collect();
    world.git("azure-sdk-for-java", &["checkout", "-q", "."]);
    format!("[ERROR] COMPILATION ERROR :\n{}\n", lines.join("\n"))
}

/// Reads a result of the service that has the new property, and uses what the customization adds besides.
const USER: &str = r#"
import com.azure.json.JsonProviders;
import com.azure.widget.WidgetsClient;
import com.azure.widget.models.AnalyzeResult;
import com.azure.widget.models.Widget;

public class User {
    public static void main(String[] arguments) throws Exception {
        AnalyzeResult result = AnalyzeResult.fromJson(JsonProviders.createReader(
            "{\"analysisId\":\"a1\",\"widgetName\":\"w1\",\"healthScore\":7,\"operationId\":\"o1\"}"));
        System.out.println(result.getOperationId() + " " + result.getHealthScore());
        Widget widget = Widget.fromJson(JsonProviders.createReader("{\"name\":\"w1\",\"displayName\":\"Cog\"}"));
        System.out.println(widget.getLabel() + ", " + widget.getDISPLAY());
        WidgetsClient.class.getMethod("getWidget", String.class);
    }
}
"#;

/// What [`USER`] prints, with this name of the display name's getter.
#[track_caller]
fn used(world: &World, getter: &str) -> String {
    java_user(world, &USER.replace("getDISPLAY", getter))
}

/// Scenario 1 as far as both models show it: everything that the specification accepts it by.
#[track_caller]
fn assert_duplicate_is_gone(world: &World, response: &Value, client: &str) {
    assert_repaired(world, response);
    assert_eq!(world.client(), client, "Phase A had nothing to edit");
    assert_eq!(response["typeSpecChanges"], serde_json::json!([]));
    let (removed, added) = changed_lines(world);
    assert_eq!(added, [] as [&str; 0], "lines only go");
    assert_eq!(removed.len(), 5, "{removed:?}");
    assert!(removed[0].starts_with("clazz.addField(\"String\", \"operationId\""), "{removed:?}");
    assert!(removed[1].starts_with("clazz.addMethod(\"getOperationId\""), "{removed:?}");
    // The property is the service's, and the rest of the customization still works.
    let result = world.read(&format!("{MODELS}/AnalyzeResult.java"));
    assert_eq!(result.matches("public String getOperationId()").count(), 1, "{result}");
    assert_eq!(result.matches("private String operationId;").count(), 1, "{result}");
    assert!(result.contains("\"operationId\".equals(fieldName)"), "it is not read from the service: {result}");
    assert!(result.contains("Get the health, from 0, unusable, to 100, as new."));
    assert!(world.read(&format!("{MODELS}/Widget.java")).contains("public String getLabel()"));
    assert_eq!(used(world, "getDisplayName"), "o1 7\nCog (w1), Cog\n");
}

#[test]
fn property_that_the_service_got_is_no_longer_added_by_the_customization() {
    let world = World::of(Sdk::Java);
    // Without the service's property there is a getter, and nothing behind it.
    assert_eq!(used(&world, "getDisplayName"), "null 7\nCog (w1), Cog\n");
    add_operation_id(&world, "string");
    let log = failed_build(&world);
    assert!(log.contains("AnalyzeResult.java") && log.contains("already defined"), "{log}");
    let (before, client, models) = (world.snapshot(), world.client(), ClientModels::of(&world));

    let response = world.customize(&log).exits(0).json();
    assert_duplicate_is_gone(&world, &response, &client);
    assert_eq!(models.changed(&ClientModels::of(&world)), [] as [&str; 0], "no language is affected");
    world.assert_reverts(&response, &before);

    let answer = by_hand(&world, "scenario-1-property-that-the-service-got", &log);
    assert_duplicate_is_gone(&world, &answer.exits(0).json(), &client);
}

#[test]
fn property_of_another_type_than_the_customization_added_is_left_to_a_person() {
    let world = World::of(Sdk::Java);
    add_operation_id(&world, "int32");
    let log = failed_build(&world);
    let before = world.snapshot();
    let response = world.customize(&log).exits(1).json();
    assert_eq!(response["success"], false, "{response:#}");
    let guidance = response["manualGuidance"].to_string();
    // The compiler also says that the types do not fit, which no repair of the customization puts right.
    assert!(guidance.contains("operationId"), "{response:#}");
    assert_eq!(response["codePatches"], serde_json::json!([]));
    before.assert_same(&world.snapshot());
}

const RENAME: &str = "rename property displayName of Widget to title for java";

/// Scenario 3 as far as both models show it: everything that the specification accepts it by.
#[track_caller]
fn assert_rename_is_followed(world: &World, response: &Value) {
    assert_repaired(world, response);
    assert_eq!(response["typeSpecChanges"][0]["decoratorName"], "clientName");
    assert_eq!(response["typeSpecChanges"][0]["scope"], "java");
    assert!(world.client().contains("@@clientName(") && world.client().contains("\"title\", \"java\""));
    let (removed, added) = changed_lines(world);
    assert_eq!((removed.len(), added.len()), (1, 1), "{removed:?} {added:?}");
    assert_eq!(added[0], removed[0].replace("displayName", "title"));
    assert!(!world.read(CUSTOMIZATION).contains("displayName"), "the old name is still there");
    let widget = world.read(&format!("{MODELS}/Widget.java"));
    assert!(widget.contains("return this.title + \" (\" + this.name + \")\";"), "{widget}");
    assert!(widget.contains("public String getTitle()") && !widget.contains("getDisplayName"));
    assert!(world.read(&format!("{MODELS}/Part.java")).contains("getDisplayName"), "another model keeps its property");
    // What the service sends is still called `displayName`.
    assert_eq!(used(world, "getTitle"), "null 7\nCog (w1), Cog\n");
}

#[test]
fn rename_that_breaks_the_build_of_generated_code_is_repaired_in_the_customization() {
    let world = World::of(Sdk::Java);
    let (before, models) = (world.snapshot(), ClientModels::of(&world));
    let answer = world.customize(RENAME).exits(0);
    assert!(answer.stderr.contains("the build failed"), "{}", answer.stderr);
    let response = answer.json();
    assert_rename_is_followed(&world, &response);
    ClientModels::assert_only_changed(&models, &ClientModels::of(&world), "java");
    world.assert_reverts(&response, &before);

    let answer = by_hand(&world, "scenario-3-rename-that-a-customization-has-not-followed", RENAME).exits(0);
    assert!(answer.stderr.contains("the build failed"), "{}", answer.stderr);
    assert_rename_is_followed(&world, &answer.json());
    ClientModels::assert_only_changed(&models, &ClientModels::of(&world), "java");
}

/// What a person wrote beside generated code. It is compiled with it, and no customization class knows of it.
const LABELS: &str = r#"// Copyright (c) Microsoft Corporation. All rights reserved.

package com.azure.widget;

import com.azure.widget.models.Part;
import com.azure.widget.models.Widget;
import java.util.List;
import java.util.stream.Collectors;

/** Labels of widgets. */
public final class WidgetLabels {
    private final WidgetsClient client;

    WidgetLabels(WidgetsClient client) {
        this.client = client;
    }

    static List<String> of(List<Widget> widgets) {
        return widgets.stream().map(Widget::getDisplayName).collect(Collectors.toList());
    }

    String label(Widget widget, Part part) {
        client.deleteWidget(widget.getName());
        return widget.getDisplayName() + part.getDisplayName();
    }
}
"#;

#[test]
fn source_that_a_person_wrote_beside_generated_code_follows_renames() {
    let world = World::of(Sdk::Java);
    let file = "src/main/java/com/azure/widget/WidgetLabels.java";
    std::fs::write(world.package().join(file), LABELS).unwrap();
    world.commit();
    let before = world.snapshot();
    let request = "For Java:\n- rename property displayName of Widget to title\n- rename operation deleteWidget to removeWidget\n";
    let response = world.customize(request).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert_eq!(response["buildResult"]["success"], true, "{response:#}");
    // Another model has a property of the same name, which stays.
    let followed = LABELS
        .replace("Widget::getDisplayName", "Widget::getTitle")
        .replace("widget.getDisplayName", "widget.getTitle")
        .replace("client.deleteWidget", "client.removeWidget");
    assert_eq!(world.read(file), followed);
    assert!(!world.read(CUSTOMIZATION).contains("displayName"), "the customization follows, too");
    world.assert_reverts(&response, &before);
}

#[test]
fn rename_that_breaks_the_generation_inside_the_customization_is_repaired_there() {
    let world = World::of(Sdk::Java);
    let before = world.snapshot();
    let answer = world.customize("rename property contactEmail of Manufacturer to contactAddress for java").exits(0);
    assert!(answer.stderr.contains("regeneration failed"), "{}", answer.stderr);
    let response = answer.json();
    assert_repaired(&world, &response);
    let (removed, added) = changed_lines(&world);
    assert_eq!((removed.len(), added.len()), (1, 1), "{removed:?} {added:?}");
    assert_eq!(added[0], "clazz.getMethodsByName(\"getContactAddress\").get(0).setModifiers();");
    let manufacturer = world.read(&format!("{MODELS}/Manufacturer.java"));
    assert!(manufacturer.contains("    String getContactAddress()"), "the customization hides it: {manufacturer}");
    world.assert_reverts(&response, &before);
}

#[test]
fn rename_that_nothing_notices_is_found_as_drift_and_repaired() {
    let world = World::of(Sdk::Java);
    let before = world.snapshot();
    let answer = world.customize("rename property healthScore of AnalyzeResult to conditionScore for java").exits(0);
    assert!(!answer.stderr.contains("the build failed") && !answer.stderr.contains("regeneration failed"));
    let response = answer.json();
    assert_repaired(&world, &response);
    let (_, added) = changed_lines(&world);
    assert_eq!(added, ["clazz.getMethodsByName(\"getConditionScore\")"]);
    let result = world.read(&format!("{MODELS}/AnalyzeResult.java"));
    assert!(result.contains("Get the health, from 0, unusable, to 100, as new."), "{result}");
    world.assert_reverts(&response, &before);
}

#[test]
fn operation_is_hidden_in_java_alone_and_nothing_hand_written_changes() {
    let world = World::of(Sdk::Java);
    let before = world.snapshot();
    let response = world.customize("hide operation deletePart from the Java SDK").exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert_eq!(attempts(&response), (1, 0));
    assert!(world.client().contains("@@access(Contoso.WidgetManager.Parts.deletePart, Access.internal, \"java\");"));
    let client = world.read("src/main/java/com/azure/widget/PartsClient.java");
    assert!(!client.contains("public void deletePart("), "{client}");
    assert_eq!(changed_lines(&world), (Vec::new(), Vec::new()));
    world.assert_reverts(&response, &before);

    // What is in the way of a generation does not hide the plan.
    std::fs::remove_dir_all(world.package().join("customization")).unwrap();
    let plan = world.customize_with("hide operation deletePart from the Java SDK", &["--dry-run"]).exits(1).json();
    assert_eq!((&plan["outcome"], plan["actions"].as_array().unwrap().len()), (&"planned".into(), 1), "{plan:#}");
    assert!(plan["obstacle"].as_str().unwrap().contains("WidgetCustomization.java"), "{plan:#}");
    let comments = r#"[{ "id": 1, "body": "hide operation deletePart" }]"#;
    let answer = world.package_command("customize", &["--comments", comments, "--dry-run"]).exits(1).json();
    assert!(answer["plan"]["obstacle"].is_string(), "{answer:#}");
}

/// The same work with the answers of a model that a person wrote.
fn by_hand(world: &World, conversation: &str, request: &str) -> Answer {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/conversations");
    let conversation = format!("{fixtures}/{conversation}.jsonl");
    // Answers by hand do not say what was sent.
    let whole = world.base().join("whole.jsonl");
    world.customize_with(request, &["--replay", &conversation, "--record", whole.to_str().unwrap()])
}

#[test]
fn repair_that_does_not_help_is_a_failure_and_both_repositories_are_as_before() {
    let world = World::of(Sdk::Java);
    let before = world.snapshot();
    // Phase B changes a comment, which repairs nothing.
    let response = by_hand(&world, "java-repair-that-does-not-help", RENAME).exits(1).json();
    assert_eq!((&response["outcome"], &response["success"]), (&"failure".into(), &false.into()), "{response:#}");
    assert_eq!(response["phaseBAttempts"], 2, "{response:#}");
    before.assert_same(&world.snapshot());
}

/// Adds a method that a person wrote at the end of a generated type.
fn add_own_method(world: &World, file: &str) {
    let path = world.package().join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let (type_, _) = text.rsplit_once('}').unwrap();
    let own = "\n    /** Written by hand. */\n    public String byHand() {\n        return \"by hand\";\n    }\n}\n";
    std::fs::write(&path, format!("{type_}{own}")).unwrap();
}

/// Real packages keep overloads for users in generated clients, which the emitter takes over with `partial-update`.
#[test]
fn members_that_a_person_wrote_in_a_generated_file_outlast_a_generation_that_updates_and_are_not_left_behind() {
    let world = World::of(Sdk::Java);
    let configuration = world.project().join("tspconfig.yaml");
    let text = std::fs::read_to_string(&configuration).unwrap();
    let java = "  \"@azure-tools/typespec-java\":\n";
    assert!(text.contains(java));
    std::fs::write(&configuration, text.replace(java, &format!("{java}    partial-update: true\n"))).unwrap();
    let client = "src/main/java/com/azure/widget/PartsClient.java";
    let model = format!("{MODELS}/Part.java");
    for file in [client, &model] {
        add_own_method(&world, file);
    }
    let text = world.read(&model);
    let initializer = "    static {\n        System.setProperty(\"widget.part\", Locale.ROOT.toString());\n    }\n";
    let opened = text.find(" {\n").unwrap() + 3;
    let own = format!("{}\n{initializer}{}", &text[..opened], &text[opened..]);
    let own = own.replacen("\nimport ", "\nimport java.util.Locale;\nimport ", 1).replacen(
        "\npublic ",
        "\n@Deprecated\npublic ",
        1,
    );
    std::fs::write(world.package().join(&model), own).unwrap();
    let module = "src/main/java/module-info.java";
    let described = world.read(module).replacen("{\n", "{\n    requires java.logging;\n", 1);
    std::fs::write(world.package().join(module), described).unwrap();
    world.commit();
    let before = world.snapshot();

    let response = world.customize("hide operation deletePart for java").exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    for file in [client, &model] {
        assert!(world.read(file).contains("String byHand()"), "{file}:\n{}", world.read(file));
    }
    // The emitter merges members alone.
    for part in [initializer, "\nimport java.util.Locale;\n", "\n@Deprecated\n"] {
        assert!(world.read(&model).contains(part), "{part}:\n{}", world.read(&model));
    }
    assert!(world.read(module).contains("requires java.logging;"), "{}", world.read(module));
    assert!(!world.read(client).contains("public void deletePart("), "{}", world.read(client));
    world.assert_reverts(&response, &before);

    // The type has another name now, so it cannot be told where the method belongs.
    let response = world.customize("rename the model Part to Component for java").exits(1).json();
    assert_ne!(response["outcome"], "success", "{response:#}");
    assert!(response.to_string().contains(&model), "{response:#}");
    before.assert_same(&world.snapshot());

    // An overload for users stays public, whatever becomes of the operation.
    let path = world.package().join(client);
    let text = world.read(client).replace("public String byHand() {", "public String deletePart(int number) {");
    std::fs::write(&path, text).unwrap();
    let plan = world.customize_with("hide operation deletePart for java", &["--dry-run"]).exits(0).json();
    assert_eq!(plan["outcome"], "planned", "{plan:#}");
    let guidance = plan["guidance"].to_string();
    assert!(guidance.contains("hand-written `PartsClient.deletePart`") && guidance.contains(client), "{plan:#}");

    // A convenience that a person wrote there follows what it uses.
    let own =
        "public String byHand(Part part) {\n        deletePart(part.getDisplayName());\n        return part.byHand();";
    let text = world.read(client).replace("public String deletePart(int number) {\n        return \"by hand\";", own);
    let text = text.replace("/** Written by hand. */", "/** By hand, see {@link Part#getDisplayName()}. */");
    std::fs::write(&path, &text).unwrap();
    world.commit();
    let before = world.snapshot();
    let renames =
        "For Java:\n- rename property displayName of Part to caption\n- rename operation deletePart to removePart\n";
    let response = world.customize(renames).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert!(world.read(client).contains("removePart(part.getCaption());"), "{}", world.read(client));
    // No build sees what its documentation says.
    let said = response["nextSteps"].to_string();
    assert!(said.contains("may still mean `displayName`") && said.contains(client), "{said}");
    world.assert_reverts(&response, &before);
}
