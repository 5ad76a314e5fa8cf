use super::python::{Limits, repair};
use crate::tasks::*;
#[test]
fn scratch() {
    let base = "/work/main/tests/fixtures/widget/azure-sdk-for-python/sdk/widget/azure-widget/";
    let files: Vec<(String, String)> = ["models", "operations", "aio/operations"].iter().map(|d| {
        let p = format!("azure/widget/{d}/_patch.py");
        (format!("sdk/{p}"), std::fs::read_to_string(format!("{base}{p}")).unwrap())
    }).collect();
    let err = |file: &str, line: u32, m: &str| Diagnostic { severity: Severity::Error, file: Some(format!("sdk/azure/widget/{file}/_patch.py")), line: Some(line), column: None, code: None, message: m.into(), symbol: None, tool: "mypy".into() };
    let find = |file: usize, text: &str| files[file].1.lines().position(|l| l.contains(text)).unwrap() as u32 + 1;
    let class = [Rename { kind: EntityKind::Model, container: None, old: "AnalyzeResult".into(), new: "WidgetAnalysis".into() }];
    let diags = [err("models", find(0, "from ._models"), "Module \"azure.widget.models._models\" has no attribute \"AnalyzeResult\""),
        err("operations", find(1, "from ..models"), "Module \"azure.widget.models\" has no attribute \"AnalyzeResult\""),
        err("aio/operations", find(2, "from ...models"), "Module \"azure.widget.models\" has no attribute \"AnalyzeResult\"")];
    println!("{:#?}", repair(&files, "azure-widget", &class, &diags, Limits { lines: 19, files: 4 }));
    let prop = [Rename { kind: EntityKind::Property, container: Some("Widget".into()), old: "display_name".into(), new: "title".into() }];
    let m = "\"Widget\" has no attribute \"display_name\"";
    let diags = [err("models", find(0, "_widget.display_name"), m), err("operations", find(1, "if widget.display"), m), err("aio/operations", find(2, "if widget.display"), m)];
    println!("{:#?}", repair(&files, "azure-widget", &prop, &diags, Limits { lines: 19, files: 4 }));
}
