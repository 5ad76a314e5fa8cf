//! Tables as people draw them.

use super::*;

fn pairs(request: &str, language: Language) -> Vec<(String, String)> {
    let read = understand(request, language, &sample::index());
    let pair = |one: Directive| match one.change {
        Change::Rename { target, name, .. } => (target.rsplit('.').next().unwrap_or_default().to_owned(), name),
        other => (format!("{other:?}"), String::new()),
    };
    read.actions.into_iter().map(pair).collect()
}

#[test]
fn table_without_outer_bars_is_one() {
    for heads in ["old name | new name", "current | proposed", "before | after", "generated | approved", "old | new"] {
        let request = format!(
            "The result of our session:\n\n{heads}\n---|---\nWidget.displayName | title\nAnalyzeResult | WidgetAnalysis\n"
        );
        let expected = [("displayName", "title"), ("AnalyzeResult", "WidgetAnalysis")];
        let expected: Vec<(String, String)> = expected.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
        assert_eq!(pairs(&request, Language::Python), expected, "{request}");
    }
    for request in [
        "generated | approved by\n---|---\nAnalyzeResult | Miller\n",
        "generated | approved\n---|---\nAnalyzeResult | Ann\n",
        "input | output\n---|---\nAnalyzeResult | WidgetAnalysis\n",
        "Values:\n\nold value | new value\n---|---\ninch | cm\n",
        "a | b\nAnalyzeResult | WidgetAnalysis",
        "Type AnalyzeResult | WidgetAnalysis in the pipe example.",
    ] {
        assert!(pairs(request, Language::Python).is_empty(), "{request}: {:?}", pairs(request, Language::Python));
    }
}

#[test]
fn cell_that_holds_no_name_is_guidance() {
    for cell in ["removed", "?", "what about title?"] {
        let request = format!("| old | new |\n| --- | --- |\n| Widget.displayName | {cell} |");
        let read = understand(&request, Language::Python, &sample::index());
        assert!(read.actions.is_empty() && !read.guidance.is_empty(), "{request}: {read:#?}");
    }
}

#[test]
fn cell_with_forms_of_one_name_is_one_thing() {
    for request in [
        "| generated | approved |\n| --- | --- |\n| `DeletePartAsync` / `DeletePart` | `RemovePartAsync` / `RemovePart` |",
        "| current | new |\n| --- | --- |\n| DeletePart/DeletePartAsync | RemovePart/RemovePartAsync |",
        "| current | new |\n| --- | --- |\n| `DeletePart`, `DeletePartAsync` | `RemovePart` |",
    ] {
        assert_eq!(pairs(request, Language::Dotnet), [("deletePart".to_owned(), "removePart".to_owned())], "{request}");
    }
    for request in [
        "| generated | approved |\n| --- | --- |\n| `DeletePart` / `DeleteWidget` | `Remove` |",
        "| generated | approved |\n| --- | --- |\n| `DeletePart` | `RemovePart` / `DropPart` |",
    ] {
        let read = understand(request, Language::Dotnet, &sample::index());
        assert!(read.actions.is_empty() && !read.guidance.is_empty(), "{request}: {read:#?}");
    }
}

#[test]
fn table_of_types_means_the_type_and_not_the_member_of_its_name() {
    let mut index = sample::index();
    let known = index.entities.iter().find(|entity| entity.reference.ends_with("WidgetStatus.Active")).unwrap().clone();
    let name = "Manufacturer".to_owned();
    let reference = "Contoso.WidgetManager.WidgetStatus.Manufacturer".to_owned();
    let client = known.client.clone().map(|client| bailiwick_sdk::tasks::ClientView { name: name.clone(), ..client });
    index.entities.push(bailiwick_sdk::tasks::Entity { name, reference, client, ..known });
    let types = "| Current | New |\n| --- | --- |\n| AnalyzeResult | WidgetAnalysis |\n| Manufacturer | WidgetMaker |\n| Part | WidgetPart |";
    let read = understand(types, Language::Python, &index);
    assert_eq!(read.actions.len(), 3, "{read:#?}");
    let mixed = "| Current | New |\n| --- | --- |\n| Manufacturer | Maker |\n| WidgetStatus.Active | InService |";
    let read = understand(mixed, Language::Dotnet, &index);
    assert!(read.actions.len() <= 1 && !read.guidance.is_empty(), "{read:#?}");
}
