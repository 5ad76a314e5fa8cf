//! .NET, over the real generator and compiler behind a stand-in for MSBuild and for the analyzers (`tests/dotnet`): comments
//! of an API review (scenario 2), names that analyzers refuse (scenario 5), and renames that hand-written halves of generated
//! types have not followed.

use bailiwick_tests::{Answer, ClientModels, Sdk, World, assert_success, attempts, has_dotnet};
use std::path::Path;

const GENERATED: &str = "src/Generated";

/// A world with a .NET package, where it can be built.
fn world() -> Option<World> {
    has_dotnet().then(|| World::of(Sdk::Dotnet))
}

/// What changed in the SDK repository outside generated code.
fn changed_by_hand(world: &World) -> Vec<String> {
    world.changed().into_iter().filter(|path| !path.contains("/Generated/")).collect()
}

/// Answers that a person wrote in a model's place: its reader has to do the rest.
fn by_hand(world: &World, name: &str, request: &str) -> Answer {
    let conversation = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/conversations").join(name);
    // Answers by hand do not say what was sent.
    let whole = world.base().join(format!("whole-{name}"));
    let further = ["--replay", conversation.to_str().unwrap(), "--record", whole.to_str().unwrap()];
    world.customize_with(request, &further)
}

/// The lines that `client.tsp` got.
fn added(world: &World, before: &str) -> Vec<String> {
    world.client().lines().filter(|line| !before.lines().any(|old| old == *line)).map(str::to_owned).collect()
}

const REVIEW: &str = "API review: please rename the model WidgetStatistics to WidgetCounts in the .NET SDK";

/// Scenario 2, done by a person or an agent; the world is as before afterwards.
fn assert_renamed_for_dotnet_alone(world: &World, answer: impl FnOnce(&World) -> Answer) {
    let (before, client, models) = (world.snapshot(), world.client(), ClientModels::of(world));
    let response = answer(world).exits(0).json();
    // No repair, though there are customization files: the build has to pass by itself.
    assert_success(&response, (1, 0));
    assert_eq!(response["codePatches"], serde_json::json!([]));
    let change = &response["typeSpecChanges"][0];
    assert_eq!((&change["decoratorName"], &change["scope"]), (&"clientName".into(), &"csharp".into()), "{response:#}");
    let added = added(world, &client);
    assert_eq!(added.len(), 1, "{added:?}");
    assert!(added[0].ends_with("WidgetStatistics, \"WidgetCounts\", \"csharp\");"), "{added:?}");
    ClientModels::assert_only_changed(&models, &ClientModels::of(world), "csharp");
    let counts = world.read(&format!("{GENERATED}/WidgetCounts.cs"));
    assert!(counts.contains("public partial class WidgetCounts"), "{counts}");
    assert!(!world.package().join(GENERATED).join("WidgetStatistics.cs").exists());
    assert!(world.read("src/Generated/Widgets.cs").contains("public virtual Response<WidgetCounts> GetStatistics("));
    assert_eq!(changed_by_hand(world), [] as [&str; 0]);
    world.assert_reverts(&response, &before);
}

#[test]
fn review_comment_renames_a_model_for_dotnet_alone_and_needs_no_repair() {
    let Some(world) = world() else { return };
    assert_renamed_for_dotnet_alone(&world, |world| world.customize(REVIEW));
}

#[test]
#[ignore = "slow tier: it regenerates with .NET twice, and answers of a model are replayed over Python as well"]
fn review_comment_renames_a_model_for_dotnet_alone_with_a_model() {
    let Some(world) = world() else { return };
    // The model's first answer is for every language, which the gate refuses.
    assert_renamed_for_dotnet_alone(&world, |world| {
        by_hand(world, "dotnet-review-for-every-language-first.jsonl", REVIEW)
    });
}

/// The path of the tests without any `dotnet`.
fn path_without_dotnet() -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let without = std::env::split_paths(&path).filter(|entry| !entry.join("dotnet").exists());
    std::env::join_paths(without).unwrap().into_string().unwrap()
}

#[test]
fn request_for_a_person_is_answered_without_dotnet_and_one_that_needs_a_build_is_refused_with_a_hint() {
    let Some(world) = world() else { return };
    let (before, path, package) = (world.snapshot(), path_without_dotnet(), world.package());
    let customize = |request: &str| {
        let package = package.to_str().unwrap();
        let arguments = ["--json", "package", "customize", "--package-path", package, "--customization-request"];
        world.bailiwick_with(&[&arguments[..], &[request]].concat(), &[("PATH", &path)])
    };
    let runs = |status: &str| {
        let listed = world.bailiwick(&["--json", "run", "list"]).exits(0).json();
        listed.as_array().unwrap().iter().filter(|run| run["status"] == status).count()
    };
    // Nothing of it can be done by changing names, so that nothing is built.
    let guided = customize("should the client retry on its own?").exits(1).json();
    assert!(guided["manualGuidance"][0]["reason"].is_string(), "{guided:#}");
    assert_eq!(runs("unchanged"), 1, "{guided:#}");
    let error = customize(REVIEW).exits(1).json();
    assert!(error["error"]["hint"].as_str().unwrap().contains("install the .NET SDK"), "{error:#}");
    assert_eq!(runs("unchanged"), 2, "a refused request leaves no run to decide on");
    before.assert_same(&world.snapshot());
}

/// Models whose names the guidelines of .NET do not allow, with the code of the rule.
const VIOLATIONS: [(&str, &str); 4] = [
    ("InspectionReportData", "AZC0032"),
    ("InspectionScheduleDefinition", "AZC0031"),
    ("Kit", "AZC0012"),
    ("LabelParameters", "AZC0030"),
];

/// Adds the models to what a part is, as the service team would.
fn add_violations(world: &World) {
    let path = world.project().join("models.tsp");
    let text = std::fs::read_to_string(&path).unwrap();
    let last = "  @doc(\"How many are in stock.\")\n  stockCount: int32;\n";
    assert!(text.contains(last));
    let properties: String =
        VIOLATIONS.iter().map(|(name, _)| format!("\n  @doc(\"More.\")\n  its{name}?: {name};\n")).collect();
    let models: String = VIOLATIONS
        .iter()
        .map(|(name, _)| {
            format!("\n@doc(\"More of a part.\")\nmodel {name} {{\n  @doc(\"A note.\")\n  note: string;\n}}\n")
        })
        .collect();
    std::fs::write(&path, text.replace(last, &format!("{last}{properties}")) + &models).unwrap();
    world.commit();
}

/// The log of the failed build that a developer pastes, as MSBuild prints it.
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
            let text = |name: &str| one[name].as_str().unwrap();
            let file = text("file").strip_prefix("sdk/").unwrap();
            let (code, message) = (text("code"), text("message"));
            format!(
                "{path}/{file}({},{}): error {code}: {message} [{path}/src/Azure.Widget.csproj]",
                one["line"], one["column"]
            )
        })
        .collect();
    assert_eq!(lines.len(), VIOLATIONS.len(), "{lines:#?}");
    for (name, code) in VIOLATIONS {
        assert!(lines.iter().any(|line| line.contains(code) && line.contains(&format!("'{name}'"))), "{lines:#?}");
    }
    world.commit();
    format!("Build FAILED.\n\n{}\n    0 Warning(s)\n    {} Error(s)\n", lines.join("\n"), lines.len())
}

/// Scenario 5, done by a person or an agent; the world is as before afterwards. The analyzers' stand-in judges before and after, and
/// knows nothing of what chose the names.
fn assert_violations_resolved(world: &World, answer: impl FnOnce(&World) -> Answer) {
    let (before, client, models) = (world.snapshot(), world.client(), ClientModels::of(world));
    let response = answer(world).exits(0).json();
    assert_success(&response, (1, 0));
    assert_eq!(response["buildResult"]["errorMessages"], serde_json::json!([]), "{response:#}");
    assert_eq!(response["codePatches"], serde_json::json!([]));
    let added = added(world, &client);
    assert_eq!(added.len(), VIOLATIONS.len(), "{added:#?}");
    for (name, _) in VIOLATIONS {
        let line = added.iter().find(|line| line.contains(&format!("{name}, "))).unwrap();
        assert!(line.starts_with("@@clientName(") && line.ends_with(", \"csharp\");"), "{line}");
        let new = line.split('"').nth(1).unwrap();
        // Letters alone, of two words or more, each with a capital: how .NET writes types.
        let capitals = new.chars().filter(char::is_ascii_uppercase).count();
        assert!(new.starts_with(|one: char| one.is_ascii_uppercase()) && capitals > 1, "{new}");
        assert!(new.chars().all(|one| one.is_ascii_alphanumeric()), "{new}");
        let code = world.read(&format!("{GENERATED}/{new}.cs"));
        assert!(code.contains(&format!("public partial class {new}")), "{code}");
        assert!(!world.package().join(GENERATED).join(format!("{name}.cs")).exists());
    }
    ClientModels::assert_only_changed(&models, &ClientModels::of(world), "csharp");
    assert_eq!(changed_by_hand(world), [] as [&str; 0]);
    world.assert_reverts(&response, &before);
}

#[test]
fn names_that_the_analyzers_refuse_are_all_changed() {
    let Some(world) = world() else { return };
    add_violations(&world);
    let log = failed_build(&world);
    assert_violations_resolved(&world, |world| world.customize(&log));
}

#[test]
#[ignore = "slow tier: it regenerates with .NET twice, and answers of a model are replayed over Python as well"]
fn names_that_the_analyzers_refuse_are_all_changed_with_a_model() {
    let Some(world) = world() else { return };
    add_violations(&world);
    let log = failed_build(&world);
    assert_violations_resolved(&world, |world| by_hand(world, "dotnet-analyzer-names.jsonl", &log));
}

const RENAMES: &str = "Rename the model Manufacturer to PartSupplier in the .NET SDK.\n\
                       Rename the model PartStatistics to PartCounts in the .NET SDK.\n\
                       Rename the property displayName of Widget to title in the .NET SDK.\n\
                       Rename the property severity of AnalysisFinding to importance in the .NET SDK.\n\
                       Rename Critical of FindingSeverity to Blocking in the .NET SDK.";

#[test]
fn renames_that_hand_written_halves_have_not_followed_are_repaired_those_found_by_the_build_first_then_by_drift() {
    let Some(world) = world() else { return };
    let before = world.snapshot();
    // Users know the model `Manufacturer` by the name that the half gives it, and no decorator changes that.
    let half = serde_json::json!(["sdk/src/Customization/PartMaker.cs:7"]);
    let plan = world.customize_with(RENAMES, &["--dry-run"]).exits(0).json();
    assert_eq!((&plan["outcome"], &plan["guidance"][0]["files"]), (&"planned".into(), &half), "{plan:#}");
    let answer = world.customize(RENAMES).exits(1);
    // CS0103 and CS0246 twice each, CS0117 and CS1061.
    assert!(answer.stderr.contains("the build failed with 6 errors"), "{}", answer.stderr);
    let response = answer.json();
    assert_eq!((&response["outcome"], attempts(&response)), (&"partial".into(), (1, 2)), "{response:#}");
    assert_eq!(response["buildResult"]["success"], true, "{response:#}");
    let guidance = response["manualGuidance"].as_array().unwrap();
    assert_eq!((guidance.len(), &guidance[0]["files"]), (1, &half), "{response:#}");
    let issue = guidance[0]["issue"].to_string();
    assert!(issue.contains("`PartMaker`") && issue.contains("not as `PartSupplier`"), "{response:#}");
    // The build named every use but one: the second repair is what the drift check asked for. Until then the half stood
    // alone beside the model, and no compiler minded.
    let halves = ["PartMaker", "Parts", "Widget", "WidgetAnalysis"];
    let paths = halves.map(|name| format!("sdk/widget/Azure.Widget/src/Customization/{name}.cs"));
    assert_eq!(changed_by_hand(&world), paths);
    for (name, line) in halves.iter().zip([
        "[CodeGenType(\"PartSupplier\")]",
        "PartCounts counts = ModelReaderWriter.Read<PartCounts>(kept);",
        "return string.IsNullOrEmpty(Title) ? Name : $\"{Title} ({Name})\";",
        "Findings.All(finding => finding.Importance != FindingSeverity.Blocking);",
    ]) {
        let text = world.read(&format!("src/Customization/{name}.cs"));
        assert!(text.contains(line), "{text}");
    }
    assert!(world.read(&format!("{GENERATED}/PartMaker.cs")).contains("public partial class PartMaker"));
    assert!(!world.package().join(GENERATED).join("PartSupplier.cs").exists(), "the hand-written half gives its name");
    assert!(world.read(&format!("{GENERATED}/Part.cs")).contains("public PartMaker Manufacturer { get; "));
    world.assert_reverts(&response, &before);
}

/// The other half of a client whose operation `getAnalysisStatus` is internal, with a public method around it, and a class
/// around the client.
const CUSTOM: &str = "\
using System;

namespace Azure.Widget
{
    public partial class Widgets
    {
        /// <summary> How far an analysis is. </summary>
        public virtual Response GetAnalysisStatus(string widgetName, Guid operation)
        {
            return GetAnalysisStatus(widgetName, operation.ToString(), new RequestContext());
        }
    }

    /// <summary> What people keep of a workshop. </summary>
    public class WorkshopKeeper
    {
        private readonly Widgets _widgets;

        /// <summary> Keeps the widgets. </summary>
        public WorkshopKeeper(Widgets widgets)
        {
            _widgets = widgets;
        }

        /// <summary> Deletes a widget. </summary>
        public Response DeleteWidget(string widgetName)
        {
            return _widgets.DeleteWidget(widgetName.Trim());
        }
    }
}
";

#[test]
fn public_methods_that_people_wrote_around_operations_keep_their_names_and_the_answer_says_so() {
    let Some(world) = world() else { return };
    std::fs::write(world.package().join("src/Customization/Widgets.cs"), CUSTOM).unwrap();
    world.commit();
    let before = world.snapshot();
    let place = |line: u32| serde_json::json!([format!("sdk/src/Customization/Widgets.cs:{line}")]);

    // Generated code hides it already, and users do not notice.
    let response = world.customize("hide operation getAnalysisStatus from the .NET SDK").exits(1).json();
    assert_eq!(response["outcome"], "failure", "{response:#}");
    let guidance = &response["manualGuidance"][0];
    assert!(guidance["issue"].to_string().contains("`Widgets.GetAnalysisStatus`"), "{response:#}");
    assert_eq!(guidance["files"], place(8), "{response:#}");
    before.assert_same(&world.snapshot());

    let request = "rename the operation deleteWidget to removeWidget in the .NET SDK";
    let plan = world.customize_with(request, &["--dry-run"]).exits(0).json();
    assert_eq!((&plan["outcome"], &plan["guidance"][0]["files"]), (&"planned".into(), &place(26)), "{plan:#}");
    let response = world.customize(request).exits(1).json();
    assert_eq!((&response["outcome"], &response["success"]), (&"partial".into(), &false.into()), "{response:#}");
    assert_eq!(response["buildResult"]["success"], true, "{response:#}");
    let guidance = &response["manualGuidance"][0];
    assert_eq!(guidance["files"], place(26), "{response:#}");
    assert!(guidance["issue"].to_string().contains("`WorkshopKeeper.DeleteWidget`"), "{response:#}");
    let text = world.read("src/Customization/Widgets.cs");
    // The call follows, and the name that users know stays.
    assert!(text.contains("_widgets.RemoveWidget(widgetName") && text.contains("Response DeleteWidget("), "{text}");
    world.assert_reverts(&response, &before);
}
