//! Repairs, as the turns of a conversation.

use std::collections::BTreeMap;

use super::{build_error, run};
use crate::tasks::*;

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
async fn a_repair_patches_every_reference_and_reports_it() {
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
async fn without_a_rename_or_for_another_language_nothing_is_read() {
    for task in [
        PatchTask { renames: Vec::new(), ..patch_task("WidgetAnalysis") },
        PatchTask { language: Language::Go, ..patch_task("WidgetAnalysis") },
    ] {
        let mut files = BTreeMap::new();
        let PatchResult::Guidance(guidance) = serde_json::from_value(run(task.into(), &mut files).await).unwrap()
        else {
            panic!("patched")
        };
        assert_eq!(guidance.files, ["sdk/azure/widget/_patch.py:3"]);
    }
}
