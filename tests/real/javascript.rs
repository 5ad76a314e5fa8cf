//! JavaScript, over the stand-in emitter and the real TypeScript compiler: a rename that hand-written code has not
//! followed, carried over to customized copies of generated code, and an operation that is hidden.

use bailiwick_tests::{Sdk, World, assert_success};

/// A world with customized copies of generated code in `src`: a line at the end of each.
fn customized() -> World {
    let world = World::of(Sdk::Javascript);
    for (file, line) in [
        ("src/index.ts", "export * from \"./summary.js\";\n"),
        ("src/models/models.ts", "/** How many widgets fit on a shelf. */\nexport const shelfSize = 12;\n"),
    ] {
        let path = world.package().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, world.read(&file.replace("src/", "generated/")), "the first generation makes the copies");
        std::fs::write(path, text + line).unwrap();
    }
    world.commit();
    world
}

fn changed(world: &World) -> Vec<String> {
    world.changed().iter().map(|path| path.trim_start_matches("sdk/widget/widget/").to_owned()).collect()
}

#[test]
fn rename_is_carried_over_to_customized_copies_and_repaired_where_people_wrote_the_rest() {
    let world = customized();
    let before = world.snapshot();
    let conversation =
        concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/conversations/javascript-check-silenced-first.jsonl");
    let whole = world.base().join("whole.jsonl");
    let request = "rename the model AnalyzeResult to WidgetAnalysis in the JavaScript SDK";
    let answer =
        world.customize_with(request, &["--replay", conversation, "--record", whole.to_str().unwrap()]).exits(0);
    assert!(answer.stderr.contains("the build failed"), "{}", answer.stderr);
    let response = answer.json();
    assert_success(&response, (1, 1));
    for file in ["models/models.ts", "models/index.ts", "index.ts", "api/widgets/operations.ts"] {
        for directory in ["generated", "src"] {
            let text = world.read(&format!("{directory}/{file}"));
            assert!(text.contains("WidgetAnalysis") && !text.contains("AnalyzeResult"), "{directory}/{file}:\n{text}");
        }
    }
    assert!(world.read("src/index.ts").ends_with("export * from \"./summary.js\";\n"), "what people wrote stays");
    assert!(world.read("src/models/models.ts").ends_with("export const shelfSize = 12;\n"));
    let summary = world.read("src/summary.ts");
    assert!(summary.contains("result: WidgetAnalysis") && !summary.contains("@ts-ignore"), "{summary}");
    // What generation carried over does not count as an edit of the agent.
    let patches = response["codePatches"].as_array().unwrap();
    assert!(!patches.is_empty() && patches.iter().all(|one| one["filePath"] == "sdk/src/summary.ts"), "{response:#}");
    assert!(changed(&world).iter().all(|path| path.starts_with("generated/") || path.starts_with("src/")));
    let sent = std::fs::read_to_string(&whole).unwrap();
    assert!(sent.contains("TS2305") || sent.contains("TS2724"), "the agent was told the compiler's words");
    world.assert_reverts(&response, &before);
}

#[test]
fn operation_is_hidden_in_javascript_alone_and_nothing_hand_written_changes() {
    let world = customized();
    let before = world.snapshot();
    let response = world.customize("hide operation deletePart from the JavaScript SDK").exits(0).json();
    assert_success(&response, (1, 0));
    assert_eq!(response["typeSpecChanges"][0]["scope"], "javascript", "{response:#}");
    let client = world.read("src/widgetManagerClient.ts");
    assert!(client.contains("restockPart: (") && !client.contains("deletePart: ("), "{client}");
    let mut files = changed(&world);
    files.sort();
    assert_eq!(files, ["generated/widgetManagerClient.ts", "src/widgetManagerClient.ts"]);
    world.assert_reverts(&response, &before);
}

/// A client of people's own around the generated one, as the packages of Key Vault have it.
const WORKSHOP: &str = "\
import { WidgetManagerClient } from \"./widgetManagerClient.js\";

/** Keeps the parts of a workshop. */
export class WorkshopClient {
  private readonly client: WidgetManagerClient;

  constructor(endpoint: string) {
    this.client = new WidgetManagerClient(endpoint);
  }

  /** Deletes a part whose name people may have written with blanks. */
  async deletePart(part: string): Promise<void> {
    await this.client.parts.deletePart(part.trim());
  }
}
";

#[test]
fn method_of_a_class_around_the_client_and_an_export_under_another_name_keep_their_names_and_the_answer_says_so() {
    let world = customized();
    let index = world.package().join("src/index.ts");
    let text = std::fs::read_to_string(&index).unwrap();
    let passed_on = "export { WorkshopClient } from \"./workshopClient.js\";\n";
    // Users know the statistics by this name alone.
    let aliased = text.replace("  PartStatistics,\n", "  PartStatistics as PartCounts,\n");
    assert_ne!(aliased, text);
    std::fs::write(&index, aliased + passed_on).unwrap();
    std::fs::write(world.package().join("src/workshopClient.ts"), WORKSHOP).unwrap();
    world.commit();
    let before = world.snapshot();

    let request = "rename the operation deletePart to removePart in the JavaScript SDK";
    let place = serde_json::json!(["sdk/src/workshopClient.ts:12"]);
    let plan = world.customize_with(request, &["--dry-run"]).exits(0).json();
    assert_eq!((&plan["outcome"], &plan["guidance"][0]["files"]), (&"planned".into(), &place), "{plan:#}");
    let response = world.customize(request).exits(1).json();
    assert_eq!((&response["outcome"], &response["success"]), (&"partial".into(), &false.into()), "{response:#}");
    assert_eq!(response["buildResult"]["success"], true, "{response:#}");
    let guidance = &response["manualGuidance"][0];
    assert_eq!(guidance["files"], place, "{response:#}");
    assert!(guidance["issue"].to_string().contains("`WorkshopClient.deletePart`"), "{response:#}");
    let workshop = world.read("src/workshopClient.ts");
    // The call follows, and the name that users know stays.
    assert!(workshop.contains("parts.removePart(part") && workshop.contains("async deletePart("), "{workshop}");
    world.assert_reverts(&response, &before);

    let request = "rename the model PartStatistics to PartNumbers in the JavaScript SDK";
    let plan = world.customize_with(request, &["--dry-run"]).exits(0).json();
    let issue = plan["guidance"][0]["issue"].to_string();
    assert!(issue.contains("`PartCounts`") && issue.contains("not as `PartNumbers`"), "{plan:#}");
}

/// What the commit has decides which build counts, and git says nothing of it: whatever an emitter wrote decides nothing.
#[test]
fn script_counts_for_nothing_where_git_does_not_say_what_the_commit_has() {
    let world = World::of(Sdk::Javascript);
    let package = world.package();
    std::fs::create_dir_all(package.join("node_modules/x")).unwrap();
    std::fs::write(package.join("node_modules/x/index.js"), "").unwrap();
    world.commit();
    // As an emitter could leave it.
    let manifest = world.read("package.json").replace("tsc -p tsconfig.src.json", "true");
    std::fs::write(package.join("package.json"), manifest).unwrap();
    let code = world.read("src/summary.ts") + "export const defect: number = \"no number\";\n";
    std::fs::write(package.join("src/summary.ts"), code).unwrap();
    let repository = Sdk::Javascript.repository();
    for setting in [["core.repositoryFormatVersion", "1"], ["extensions.unheardOf", "1"]] {
        let _ = world.git(repository, &[&["config"][..], &setting].concat());
    }
    let answer = world.customize("hide operation deletePart from the JavaScript SDK").exits(1);
    assert_ne!(answer.json()["outcome"], "success", "{}", answer.stdout);
    assert!(answer.stdout.contains("TS2322"), "{}\n{}", answer.stdout, answer.stderr);
    assert!(
        answer.stderr.contains("what the commit says about the checks of the package is not known"),
        "{}",
        answer.stderr
    );
}
