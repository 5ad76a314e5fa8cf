//! Repairs, as the turns of a conversation.

use std::collections::BTreeMap;

use super::{build_error, run};
use bailiwick_sdk::tasks::*;

fn patch_task(new: &str) -> PatchTask {
    PatchTask {
        language: Language::Python,
        package: "azure-widget".into(),
        diagnostics: vec![build_error(
            "mypy",
            "sdk/azure/widget/_patch.py",
            "Module \"azure.widget.models\" has no attribute \"AnalyzeResult\"",
        )],
        customization_files: vec!["sdk/azure/widget/_patch.py".into(), "sdk/azure/widget/aio/_patch.py".into()],
        typespec_changes: Vec::new(),
        renames: vec![Rename {
            kind: EntityKind::Model,
            container: None,
            old: "AnalyzeResult".into(),
            new: new.into(),
        }],
        line_limit: 19,
        file_limit: 4,
    }
}

fn patch_files() -> BTreeMap<String, String> {
    BTreeMap::from([
        (
            "sdk/azure/widget/_patch.py".to_owned(),
            "# one\n\nfrom .models import AnalyzeResult\nx = AnalyzeResult\n".to_owned(),
        ),
        (
            "sdk/azure/widget/aio/_patch.py".to_owned(),
            "from ..models import AnalyzeResult\n\n\ny = 1\nz: AnalyzeResult\n".to_owned(),
        ),
    ])
}

#[tokio::test]
async fn repair_patches_every_reference_and_reports_it() {
    let mut files = patch_files();
    let result = run(patch_task("WidgetAnalysis").into(), &mut files).await;
    let PatchResult::Patched { patches } = serde_json::from_value(result).unwrap() else { panic!("guidance") };
    let brief: Vec<_> =
        patches.iter().map(|patch| (patch.old_content_preview.as_str(), patch.replacement_count)).collect();
    assert_eq!(
        brief,
        [
            ("from .models import AnalyzeResult\nx = AnalyzeResult", 2),
            // From the end of a file to its beginning, so that lines that go move no other.
            ("z: AnalyzeResult", 1),
            ("from ..models import AnalyzeResult", 1)
        ]
    );
    assert_eq!(
        files["sdk/azure/widget/_patch.py"],
        "# one\n\nfrom .models import WidgetAnalysis\nx = WidgetAnalysis\n"
    );
    assert_eq!(
        files["sdk/azure/widget/aio/_patch.py"],
        "from ..models import WidgetAnalysis\n\n\ny = 1\nz: WidgetAnalysis\n"
    );
}

#[tokio::test]
async fn generated_operations_are_looked_for_through_the_package_also_in_files_too_large_for_one_answer() {
    let patch = "sdk/azure/widget/aio/_operations/_patch.py";
    let mut error = build_error("mypy", patch, "\"_analyze\" undefined in superclass");
    (error.line, error.column) = (Some(6), Some(16));
    let rename = Rename { kind: EntityKind::Operation, container: None, old: "analyze".into(), new: "inspect".into() };
    let task = PatchTask {
        diagnostics: vec![error],
        customization_files: vec![patch.into()],
        renames: vec![rename],
        ..patch_task("WidgetAnalysis")
    };
    let text = "from ._operations import Generated\n\n\nclass Mine(Generated):\n    def analyze(self, name: str) -> object:\n        return super()._analyze(name)\n";
    let mut files = BTreeMap::from([
        (patch.to_owned(), text.to_owned()),
        (
            "sdk/azure/widget/_operations/_operations.py".to_owned(),
            "# large\n\n\nclass Generated:\n    def _inspect(self, name):\n        return name\n".to_owned(),
        ),
    ]);
    let result = run(task.into(), &mut files).await;
    assert!(matches!(serde_json::from_value(result).unwrap(), PatchResult::Patched { .. }));
    assert_eq!(files[patch], text.replace("_analyze(name)", "_inspect(name)"));
}

#[tokio::test]
async fn without_a_rename_or_for_another_language_nothing_is_read() {
    for task in [
        PatchTask { renames: Vec::new(), ..patch_task("WidgetAnalysis") },
        PatchTask { language: Language::Go, renames: Vec::new(), ..patch_task("WidgetAnalysis") },
    ] {
        let mut files = BTreeMap::new();
        let PatchResult::Guidance(guidance) = serde_json::from_value(run(task.into(), &mut files).await).unwrap()
        else {
            panic!("patched")
        };
        assert_eq!(guidance.files, ["sdk/azure/widget/_patch.py:3"]);
    }
}

#[tokio::test]
async fn generated_code_that_a_repair_depends_on_is_looked_for_and_read() {
    let custom = "sdk/src/Customization/Widget.cs";
    let mut twice = build_error("dotnet", custom, "The type 'Widget' already contains a definition for 'Title'");
    (twice.line, twice.code) = (Some(3), Some("CS0102".into()));
    let task = PatchTask {
        language: Language::Dotnet,
        diagnostics: vec![twice],
        customization_files: vec![custom.into()],
        renames: Vec::new(),
        ..patch_task("WidgetAnalysis")
    };
    let class = |body: &str| format!("partial class Widget\n{{\n{body}}}\n");
    let property = "    public string Title { get; set; }\n";
    let mut files = BTreeMap::from([
        (custom.to_owned(), class(&format!("{property}    public int Size {{ get; set; }}\n"))),
        ("sdk/src/Generated/Models/Widget.cs".to_owned(), class(property)),
    ]);
    let result = run(task.clone().into(), &mut files).await;
    assert!(matches!(serde_json::from_value(result).unwrap(), PatchResult::Patched { .. }));
    assert_eq!(files[custom], class("    public int Size { get; set; }\n"));
    // Without it, nothing is known to be the same.
    let mut files = BTreeMap::from([(custom.to_owned(), class(property))]);
    let result = serde_json::from_value(run(task.into(), &mut files).await).unwrap();
    let PatchResult::Guidance(guidance) = result else { panic!("patched") };
    assert!(guidance.reason.contains("is not found"), "{}", guidance.reason);
}

#[tokio::test]
async fn guidance_names_the_renames_that_an_error_or_a_named_line_says_and_no_other() {
    let rename = |kind, container: Option<&str>, old: &str, new: &str| Rename {
        kind,
        container: container.map(str::to_owned),
        old: old.into(),
        new: new.into(),
    };
    let approach = async |message: &str, line: u32| {
        let mut error = build_error("mypy", "sdk/azure/widget/_patch.py", message);
        error.line = Some(line);
        let task = PatchTask {
            diagnostics: vec![error],
            renames: vec![
                rename(EntityKind::Model, None, "AnalyzeResult", "WidgetAnalysis"),
                rename(EntityKind::Property, Some("Part"), "uri", "url"),
                rename(EntityKind::Model, None, "PartsOperations", "PartOperations"),
            ],
            ..patch_task("WidgetAnalysis")
        };
        let result = serde_json::from_value(run(task.into(), &mut patch_files()).await).unwrap();
        let PatchResult::Guidance(guidance) = result else { panic!("patched") };
        guidance.approach
    };
    // In the error.
    let said = approach("\"Unknown\" has no attribute \"uri\"", 1).await;
    assert!(said.contains("`Part.uri` is now `url`") && !said.contains("PartsOperations"), "{said}");
    // On a line that is named, as one that would follow.
    assert!(said.contains("`AnalyzeResult` is now"), "{said}");
    let mut files = BTreeMap::from([("sdk/azure/widget/_patch.py".to_owned(), "x = 1\n".to_owned())]);
    let result = serde_json::from_value(run(patch_task("WidgetAnalysis").into(), &mut files).await).unwrap();
    let PatchResult::Guidance(guidance) = result else { panic!("patched") };
    assert!(guidance.approach.contains("`AnalyzeResult` is now"), "{}", guidance.approach);
    let mut other = patch_task("WidgetAnalysis");
    other.diagnostics[0].message = "package com.azure.common is not visible".into();
    let result = serde_json::from_value(run(other.into(), &mut files).await).unwrap();
    let PatchResult::Guidance(guidance) = result else { panic!("patched") };
    assert_eq!(guidance.approach, "correct the places named by hand, then build again");
}

#[tokio::test]
async fn error_outside_of_what_a_repair_may_change_is_not_put_on_hand_written_code() {
    let mut task = patch_task("WidgetAnalysis");
    task.diagnostics[0].file = Some("sdk/azure/widget/_client.py".into());
    task.diagnostics[0].message = "the name is too generic".into();
    let mut files = BTreeMap::from([("sdk/azure/widget/_patch.py".to_owned(), "x = 1\n".to_owned())]);
    let result = serde_json::from_value(run(task.into(), &mut files).await).unwrap();
    let PatchResult::Guidance(guidance) = result else { panic!("patched") };
    assert_eq!(
        guidance.issue,
        "the regenerated package does not build, and no error lies in the hand-written code: the name is too generic"
    );
    assert_eq!(
        guidance.approach,
        "mend this first if the package did not build before either; what is generated changes with the specification or a \
         customization"
    );
}
