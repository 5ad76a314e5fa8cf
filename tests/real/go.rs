//! Go, over the stand-in emitter, the real azcore and the real compiler: a rename that hand-written code has not followed,
//! and an operation that is hidden.

use bailiwick_tests::{Sdk, World, assert_success};

/// Files of the SDK repository that changed and are not generated.
fn changed_by_hand(world: &World) -> Vec<String> {
    world.changed().into_iter().filter(|path| !path.contains("/zz_")).collect()
}

#[test]
fn rename_that_breaks_hand_written_code_is_repaired_there_and_nothing_else_is_touched() {
    let world = World::of(Sdk::Go);
    let before = world.snapshot();
    let conversation =
        concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/conversations/go-repair-of-generated-code-first.jsonl");
    let whole = world.base().join("whole.jsonl");
    let request = "rename property displayName of Widget to title in the Go SDK";
    let answer =
        world.customize_with(request, &["--replay", conversation, "--record", whole.to_str().unwrap()]).exits(0);
    assert!(answer.stderr.contains("the build failed with 2 errors"), "{}", answer.stderr);
    let response = answer.json();
    assert_success(&response, (1, 1));
    assert!(world.client().contains("@@clientName(Widget.displayName, \"title\", \"go\");"));
    let models = world.read("zz_models.go");
    assert!(models.contains("\tTitle *string `json:\"displayName,omitempty\"`"), "the wire keeps its name: {models}");
    let summary = world.read("summary.go");
    assert!(summary.contains("*w.Title, status") && !summary.contains("w.DisplayName"), "{summary}");
    assert!(summary.contains("*p.DisplayName") && summary.contains("*maker.DisplayName"), "other models keep theirs");
    assert_eq!(changed_by_hand(&world), ["sdk/widget/azwidget/summary.go"]);
    // What was sent says what the compiler said.
    let sent = std::fs::read_to_string(&whole).unwrap();
    assert!(sent.contains("has no field or method DisplayName"), "the agent was told the compiler's words");
    world.assert_reverts(&response, &before);
    // Without a model the same comes out.
    let response = world.customize(request).exits(0).json();
    assert_success(&response, (1, 1));
    assert_eq!(world.read("summary.go"), summary);
}

#[test]
fn operation_is_hidden_in_go_alone_and_nothing_hand_written_changes() {
    let world = World::of(Sdk::Go);
    let before = world.snapshot();
    let response = world.customize("hide operation deletePart from the Go SDK").exits(0).json();
    assert_success(&response, (1, 0));
    assert_eq!(response["typeSpecChanges"][0]["scope"], "go", "{response:#}");
    let client = world.read("zz_widget_manager_parts_client.go");
    assert!(client.contains(") deletePart(ctx") && !client.contains(") DeletePart(ctx"), "{client}");
    assert_eq!(changed_by_hand(&world), [] as [&str; 0]);
    world.assert_reverts(&response, &before);
}

/// A method around an operation that is internal, and a type of people's own around a client.
const CUSTOM: &str = "\
package azwidget

import (
\t\"context\"
\t\"strings\"
)

// DeletePart deletes a part whose name people may have written with blanks.
func (client *WidgetManagerPartsClient) DeletePart(ctx context.Context, part string) error {
\t_, err := client.deletePart(ctx, strings.TrimSpace(part), nil)
\treturn err
}

// PartStore keeps the parts of a workshop.
type PartStore struct {
\tclient *WidgetManagerPartsClient
}

// GetPart reads a part.
func (store PartStore) GetPart(ctx context.Context, part string) (Part, error) {
\tfound, err := store.client.GetPart(ctx, strings.TrimSpace(part), nil)
\treturn found.Part, err
}
";

#[test]
fn methods_that_people_wrote_around_operations_keep_their_names_and_the_answer_says_so() {
    let world = World::of(Sdk::Go);
    let client = world.project().join("client.tsp");
    std::fs::write(&client, world.client() + "@@access(Parts.deletePart, Access.internal, \"go\");\n").unwrap();
    std::fs::write(world.package().join("parts_custom.go"), CUSTOM).unwrap();
    let _ = world.package_command("generate", &[]).exits(0);
    world.commit();
    let before = world.snapshot();

    // Generated code hides it already, and users do not notice.
    let response = world.customize("hide operation deletePart from the Go SDK").exits(1).json();
    assert_eq!(response["outcome"], "failure", "{response:#}");
    let guidance = &response["manualGuidance"][0];
    assert!(guidance["issue"].to_string().contains("`WidgetManagerPartsClient.DeletePart`"), "{response:#}");
    assert_eq!(guidance["files"], serde_json::json!(["sdk/parts_custom.go:9"]), "{response:#}");
    before.assert_same(&world.snapshot());

    let request = "rename the operation getPart to readPart in the Go SDK";
    let place = serde_json::json!(["sdk/parts_custom.go:20"]);
    let plan = world.customize_with(request, &["--dry-run"]).exits(0).json();
    assert_eq!((&plan["outcome"], &plan["guidance"][0]["files"]), (&"planned".into(), &place), "{plan:#}");
    let response = world.customize(request).exits(1).json();
    assert_eq!((&response["outcome"], &response["success"]), (&"partial".into(), &false.into()), "{response:#}");
    assert_eq!(response["buildResult"]["success"], true, "{response:#}");
    let guidance = &response["manualGuidance"][0];
    assert_eq!(guidance["files"], place, "{response:#}");
    assert!(guidance["issue"].to_string().contains("`PartStore.GetPart`"), "{response:#}");
    let text = world.read("parts_custom.go");
    // The call follows, and the name that users know stays.
    assert!(text.contains("store.client.ReadPart(ctx") && text.contains(") GetPart(ctx"), "{text}");
    world.assert_reverts(&response, &before);
}

/// A program of the package, as packages keep it for `go generate`.
const TRANSFORM: &str = "\
package main

import (
\t\"log\"
\t\"os\"
\t\"regexp\"
)

func main() {
\tcode, err := os.ReadFile(\"zz_models.go\")
\tif err != nil {
\t\tlog.Fatal(err)
\t}
\tcode = regexp.MustCompile(`(?m)^\\tManufacturer `).ReplaceAll(code, []byte(\"\\t// Written by a transform.\\n\\tManufacturer \"))
\tif err = os.WriteFile(\"zz_models.go\", code, 0o644); err != nil {
\t\tlog.Fatal(err)
\t}
}
";

#[test]
fn programs_of_the_package_that_the_emitter_runs_after_it_run_and_their_failure_is_told() {
    let world = World::of(Sdk::Go);
    let configuration = world.project().join("tspconfig.yaml");
    let text = std::fs::read_to_string(&configuration).unwrap();
    let named = text.replace("package-name: \"azwidget\"", "package-name: \"azwidget\"\n    go-generate: build.go");
    assert_ne!(named, text);
    std::fs::write(&configuration, named).unwrap();
    let package = world.package();
    let transforms = package.join("testdata/generate");
    std::fs::create_dir_all(&transforms).unwrap();
    let build = "//go:generate go run ./testdata/generate/transforms.go\n\npackage azwidget\n";
    std::fs::write(package.join("build.go"), build).unwrap();
    std::fs::write(transforms.join("transforms.go"), TRANSFORM).unwrap();
    world.commit();

    let arguments = ["package", "generate", "--package-path", package.to_str().unwrap()];
    let _ = world.bailiwick(&arguments).exits(0);
    let models = world.read("zz_models.go");
    assert!(models.contains("\t// Written by a transform.\n"), "{models}");

    std::fs::write(transforms.join("transforms.go"), TRANSFORM.replace("\"zz_models.go\"", "\"models.go\"")).unwrap();
    world.commit();
    let before = world.snapshot();
    let answer = world.bailiwick(&arguments).exits(1);
    assert!(answer.stdout.contains("open models.go: no such file or directory"), "{}", answer.stdout);
    before.assert_same(&world.snapshot());
}
