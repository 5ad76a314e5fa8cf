//! Imports, usings, suppressions, and statements that the text hides.

use super::*;

#[test]
fn imports_of_anything_but_libraries_are_refused() {
    for path in [
        "./evil.js",
        "./other.tsp",
        "../main.tsp",
        "/etc/passwd",
        "lodash",
        "@azure-tools/../evil",
        "@azure-tools/a/evil.js",
        "@typespec/",
        "@evil/typespec",
        "file:///evil.js",
        "https://evil/x.js",
    ] {
        let after = format!("import \"{path}\";\n{HEAD}");
        let verdict = judge_in(Language::Python, &[candidate(HEAD, &after)], &index());
        assert_eq!(rules(&verdict), [Rule::ImportNotAllowed], "{path}");
    }
    let after = format!("import \"@typespec/versioning\";\n{HEAD}");
    let verdict = judge_in(Language::Python, &[candidate(HEAD, &after)], &index());
    assert_eq!(rules(&verdict), []);
}

#[test]
fn import_that_only_the_compiler_sees_is_refused() {
    let mut after = index();
    after.imports = vec!["./evil.js".to_owned()];
    let verdict = judge_in(Language::Python, &[candidate(HEAD, &format!("{HEAD} "))], &after);
    assert_eq!(rules(&verdict), [Rule::ImportNotAllowed]);
}

#[test]
fn what_the_text_alone_shows_is_refused_before_a_compiler_reads_it() {
    let alone = |text: &str| {
        rules(&judge_typespec(&TypespecDifference {
            client_file: "client.tsp",
            language: Language::Python,
            permitted: &Scope::Only(vec![Language::Python]),
            granted: &[],
            candidates: &[candidate(HEAD, text)],
            index_before: &index(),
            index_after: None,
            file_bytes: 100_000,
        }))
    };
    assert_eq!(alone(&format!("import \"./evil.js\";\n{HEAD}")), [Rule::ImportNotAllowed]);
    assert_eq!(alone(&format!("{HEAD}@@access(Widget, Access.internal, \"java\");\n")), [Rule::OtherLanguage]);
    assert_eq!(alone(&format!("{HEAD}@@access(Widget, Access.internal, \"python\");\n")), []);
}

#[test]
fn decorator_that_only_the_compiler_sees_is_refused() {
    let mut after = index();
    after.customizations = vec![Customization {
        decorator: "clientName".to_owned(),
        target: "Contoso.Widget".to_owned(),
        arguments: vec!["\"Evil\"".to_owned()],
        scope: Some("java".to_owned()),
        line: 5,
        form: CustomizationForm::Augment,
    }];
    let verdict = judge_in(Language::Python, &[candidate(HEAD, &format!("{HEAD} "))], &after);
    assert_eq!(rules(&verdict), [Rule::OtherLanguage]);
}

#[test]
fn imports_and_usings_may_not_be_removed() {
    for line in ["import \"./main.tsp\";\n", "using Contoso;\n"] {
        let after = HEAD.replacen(line, "", 1);
        let verdict = judge_in(Language::Python, &[candidate(HEAD, &after)], &index());
        assert_eq!(rules(&verdict), [Rule::ImportRemoved], "{line}");
    }
}

#[test]
fn using_of_a_foreign_namespace_is_refused() {
    assert_eq!(added("using Evil;"), [Rule::UsingNotAllowed]);
    assert_eq!(added("using AzureEvil;"), [Rule::UsingNotAllowed]);
    assert_eq!(added("namespace N { using Evil; }"), [Rule::UsingNotAllowed]);
    assert_eq!(added("using TypeSpec.Versioning;"), []);
}

#[test]
fn suppression_is_refused_wherever_it_stands() {
    let own = "@@clientName(Widget, \"W\", \"python\");";
    assert_eq!(added(&format!("#suppress \"x\" \"y\"\n{own}")), [Rule::SuppressionAdded]);
    let inside = CLIENT.replacen("op purge", "#suppress \"x\" \"y\"\nop purge", 1);
    assert_eq!(added(&inside), [Rule::SuppressionAdded]);
}

#[test]
fn what_cannot_be_read_is_refused() {
    for text in ["@@clientName(", "\"unclosed", "}", "@@clientName(A, \"B\", \"python\")", "model M {"] {
        assert_eq!(added(text), [Rule::UnreadableTypespec], "{text}");
    }
}

#[test]
fn statements_hidden_in_strings_and_comments_neither_count_nor_hide_others() {
    let text = "@@clientDoc(A, \"x\\\"); @@route(B, \\\"\", DocumentationMode.append, \"python\"); /* */ @@doc(C, \"\"); // */\n";
    assert_eq!(added(text), [Rule::DecoratorNotAllowed]);
}
