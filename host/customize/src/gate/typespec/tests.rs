//! Phase A, rule by rule, each with an attempt to break it.

use bailiwick_sdk::tasks::{Customization, CustomizationForm, Entity, EntityKind, Language, Scope, SpecIndex};

use super::super::{Candidate, Rule, Verdict};
use super::{TypespecDifference, judge_typespec};

const HEAD: &str = "import \"./main.tsp\";\nimport \"@azure-tools/typespec-client-generator-core\";\n\
    using Azure.ClientGenerator.Core;\nusing Contoso;\n";

/// What other languages have.
const OTHERS: &str = "@@clientName(Widget, \"WidgetModel\", \"java\");\n\
    @@access(Widgets.purge, Access.internal, \"!csharp\");\n@@clientName(Gadget, \"Thing\");\n";

pub(super) fn index() -> SpecIndex {
    SpecIndex { schema: 1, namespaces: vec!["Contoso".to_owned()], ..SpecIndex::default() }
}

pub(super) fn candidate(before: &str, after: &str) -> Candidate {
    let bytes = |text: &str| Some(text.as_bytes().to_vec());
    Candidate {
        path: "client.tsp".to_owned(),
        original: bytes(before),
        staged: bytes(before),
        now: bytes(before),
        after: bytes(after),
    }
}

pub(super) fn judge_in(language: Language, candidates: &[Candidate], after: &SpecIndex) -> Verdict {
    judge_typespec(&TypespecDifference {
        client_file: "client.tsp",
        language,
        permitted: &Scope::Only(vec![language]),
        granted: &[],
        candidates,
        index_before: &index(),
        index_after: Some(after),
        file_bytes: 100_000,
    })
}

/// Judges an edit of a file that begins with the usual head and the customizations of other languages.
pub(super) fn judge(before: &str, after: &str) -> Verdict {
    let whole = |text: &str| format!("{HEAD}{OTHERS}{text}");
    judge_in(Language::Python, &[candidate(&whole(before), &whole(after))], &index())
}

pub(super) fn rules(verdict: &Verdict) -> Vec<Rule> {
    match verdict {
        Verdict::Lands(_) => Vec::new(),
        Verdict::Refused(violations) => {
            let mut rules: Vec<Rule> = violations.iter().map(|one| one.rule).collect();
            rules.dedup();
            rules
        }
    }
}

pub(super) fn added(text: &str) -> Vec<Rule> {
    rules(&judge("", text))
}

#[test]
fn decorators_of_the_own_scope_may_be_added_changed_and_removed() {
    for (before, after) in [
        ("", "@@access(Widgets.deleteWidget, Access.internal, \"python\");"),
        ("", "@@clientName(Widget.name, \"title\", \"python\"); // why\n"),
        ("", "@@Azure.ClientGenerator.Core.clientName(Widget, \"W\", \"python\");"),
        ("", "@@scope(Widgets.purge, \"!python\");"),
        ("", "@@clientDoc(Widget, \"text\", DocumentationMode.append, \"python\");"),
        ("", "@@useSystemTextJsonConverter(Widget, \"python\");"),
        ("", "@@clientLocation(Widgets.purge, \"Purges\", \"python\");"),
        ("@@clientName(A, \"B\", \"python\");", "@@clientName(A, \"C\", \"python\");"),
        ("@@clientName(A, \"B\", \"python\");", ""),
        ("@@clientName(A, \"B\", \"java\");", "@@clientName(A, \"B\", \"java, python\");"),
        ("@@clientName(A, \"B\", \"java, python\");", "@@clientName(A, \"B\", \"java\");"),
        ("@@clientName(A, \"B\", \"!java\");", "@@clientName(A, \"B\", \"!java, !python\");"),
    ] {
        let verdict = judge(before, after);
        assert!(
            matches!(&verdict, Verdict::Lands(landings) if landings.len() == 1),
            "{before} -> {after}: {verdict:?}"
        );
    }
}

#[test]
fn layout_and_comments_may_change() {
    let before = format!("{HEAD}{OTHERS}");
    let after = format!("{HEAD}// names\n{}", OTHERS.replace(", ", ",\n  "));
    let verdict = judge_in(Language::Python, &[candidate(&before, &after)], &index());
    assert_eq!(rules(&verdict), []);
}

#[test]
fn new_client_file_may_be_written() {
    let text = format!("{HEAD}@@access(Widgets.purge, Access.internal, \"python\");\n");
    let mut new = candidate("", &text);
    (new.original, new.staged, new.now) = (None, None, None);
    let verdict = judge_in(Language::Python, &[new], &index());
    assert!(matches!(verdict, Verdict::Lands(landings) if landings[0].expected.is_none()));
}

#[test]
fn other_files_are_refused() {
    for path in ["main.tsp", "tspconfig.yaml", "sub/client.tsp", "client.tsp.tmp"] {
        let mut other = candidate("a", "b");
        other.path = path.to_owned();
        let verdict = judge_in(Language::Python, &[other], &index());
        assert_eq!(rules(&verdict), [Rule::OutsideEditable], "{path}");
    }
}

#[test]
fn decorators_that_are_not_for_clients_are_refused() {
    for text in [
        "@@route(Widgets.purge, \"/evil\");",
        "@@TypeSpec.Http.route(Widgets.purge, \"/evil\");",
        "@@doc(Widget, \"text\");",
        "@@removed(Widget.name, Versions.v1);",
        "@@Azure.ClientGenerator.Core.Legacy.flattenProperty(Widget.name, \"python\");",
        "@@clientNam(Widget, \"W\", \"python\");",
        "@@Evil.clientName(Widget, \"W\", \"python\");",
    ] {
        assert_eq!(added(text), [Rule::DecoratorNotAllowed], "{text}");
    }
}

#[test]
fn another_languages_scope_is_refused() {
    for text in [
        "@@clientName(Widget.name, \"title\", \"java\");",
        "@@clientName(Widget.name, \"title\", \"python, java\");",
        "@@clientName(Widget.name, \"title\");",
        "@@clientName(Widget.name, \"title\", \"\");",
        "@@clientName(Widget.name, \"title\", \"!java\");",
        "@@clientName(Widget.name, \"title\", \"!(java, go)\");",
        "@@clientName(Widget.name, \"title\", \"!csharp, !java, !javascript, !go, !rust\");",
        "@@clientName(Widget.name, \"title\", \"python, !python\");",
        "@@scope(Widgets.purge, \"python\");",
        "@@scope(Widgets.purge);",
        "@@scope(Widgets.purge, \"!java\");",
    ] {
        assert_eq!(added(text), [Rule::OtherLanguage], "{text}");
    }
}

#[test]
fn operation_that_takes_the_place_of_another_is_refused_whatever_the_scope_says() {
    for text in [
        "@@override(Widgets.purge, Widgets.list, \"python\");\n",
        "@@override(Widgets.purge, Contoso.Widgets.list, \"python\");\n",
        "@@Azure.ClientGenerator.Core.override(Widgets.purge, Widgets.list, \"python\");\n",
    ] {
        assert_eq!(added(text), [Rule::OtherLanguage], "{text}");
    }
    assert_eq!(added("@@override(Widgets.purge, removeParameter(Widgets.purge, \"top\"), \"python\");\n"), []);
}

#[test]
fn what_other_languages_have_may_not_change() {
    let before = format!("{HEAD}{OTHERS}");
    for (from, to) in [
        ("@@clientName(Widget, \"WidgetModel\", \"java\");", ""),
        ("\"WidgetModel\"", "\"Evil\""),
        ("\"!csharp\"", "\"!java\""),
        ("@@clientName(Gadget, \"Thing\");", "@@clientName(Gadget, \"Thing\", \"!python\");"),
        ("@@clientName(Gadget, \"Thing\");", "@@clientName(Gadget, \"Thing\", \"python\");"),
        ("@@clientName(Gadget, \"Thing\");", "// @@clientName(Gadget, \"Thing\");"),
        ("@@clientName(Gadget, \"Thing\");", "/* @@clientName(Gadget, \"Thing\"); */"),
    ] {
        let after = before.replacen(from, to, 1);
        assert_ne!(before, after);
        let verdict = judge_in(Language::Python, &[candidate(&before, &after)], &index());
        assert_eq!(rules(&verdict), [Rule::OtherLanguage], "{from} -> {to}");
    }
}

#[test]
fn order_of_what_applies_to_one_target_may_not_change() {
    let first = "@@clientName(A, \"B\", \"!go\");";
    let second = "@@clientName(A, \"C\", \"java\");";
    let verdict = judge(&format!("{first}{second}"), &format!("{second}{first}"));
    assert_eq!(rules(&verdict), [Rule::OtherLanguage]);
}

#[test]
fn scope_that_is_not_a_plain_string_of_known_languages_is_refused() {
    for text in [
        "@@clientName(Widget, \"W\", \"phyton\");",
        "@@clientName(Widget, \"W\", \"Python\");",
        "@@clientName(Widget, \"W\", \"python, c\");",
        "@@clientName(Widget, \"W\", scopeConst);",
        "@@clientName(Widget, \"W\", \"${lang}\");",
        "@@clientName(Widget, \"W\", \"py\\thon\");",
        "@@clientName(Widget, \"W\", #{ scope: \"java\" });",
        "@@clientName(Widget, \"W\", \"python\", \"java\");",
        "@@clientInitialization(W, { parameters: P, scope: \"java\" }, \"python\");",
        "@@clientInitialization(W, { parameters: P, `scope`: \"java\" }, \"python\");",
        "@@clientInitialization(W, { ...Options }, \"python\");",
        "@@clientInitialization(W, Options, \"python\");",
    ] {
        assert_eq!(added(text), [Rule::UnknownScope], "{text}");
    }
}

#[test]
fn client_and_operation_group_are_never_augmented() {
    for text in ["@@client(Widgets, { service: Contoso }, \"python\");", "@@operationGroup(Widgets, \"python\");"] {
        assert_eq!(added(text), [Rule::ClientAugmented], "{text}");
    }
}

const CLIENT: &str = "namespace ClientCustomizations;\n\
    @client({ name: \"ItemClient\", service: Contoso }, \"python\")\n\
    @clientInitialization({ parameters: ItemOptions, initializedBy: InitializedBy.individually }, \"python\")\n\
    interface ItemClient {\n  @clientName(\"fetch\") get is Widgets.getWidget;\n  op purge is Contoso.Widgets.purge;\n}\n\
    model ItemOptions { /** the id */ @paramAlias(\"id\") widgetId: string; }\n";

#[test]
fn scenario_6_a_client_with_initialization_parameters_lands() {
    assert_eq!(added(CLIENT), []);
}

#[test]
fn scenario_6_as_the_compiler_sees_it_lands() {
    let declaration = |decorator: &str, target: &str, scope: Option<&str>| Customization {
        decorator: decorator.to_owned(),
        target: target.to_owned(),
        arguments: vec!["\"x\"".to_owned()],
        scope: scope.map(str::to_owned),
        line: 9,
        form: CustomizationForm::Declaration,
    };
    let mut after = index();
    after.customizations = vec![
        declaration("client", "ClientCustomizations.ItemClient", Some("python")),
        declaration("clientName", "ClientCustomizations.ItemClient.get", None),
        declaration("paramAlias", "ClientCustomizations.ItemOptions.widgetId", None),
    ];
    let files = [candidate(HEAD, &format!("{HEAD}{CLIENT}"))];
    assert_eq!(rules(&judge_in(Language::Python, &files, &after)), []);
    after.customizations[0].scope = None;
    let verdict = judge_in(Language::Python, &files, &after);
    assert_eq!(rules(&verdict), [Rule::OtherLanguage]);
}

#[test]
fn namespace_may_say_which_version_it_refers_to() {
    let decorated = "@TypeSpec.Versioning.useDependency(Contoso.Versions.v1)\nnamespace Client";
    assert_eq!(added(&CLIENT.replacen("namespace Client", decorated, 1)), []);
    assert_eq!(added("@@useDependency(Contoso, Contoso.Versions.v1);"), [Rule::DecoratorNotAllowed]);
    let other = decorated.replacen("@TypeSpec", "@service\n@TypeSpec", 1);
    let found = added(&CLIENT.replacen("namespace Client", &other, 1));
    assert_eq!(found, [Rule::StatementNotAllowed]);
}

/// The shapes that real client files have: versioned namespaces, clients per language in a block, suppressions between
/// decorators, values that are unions of enum members, arguments over many lines.
const REAL_SHAPES: &str = "@TypeSpec.Versioning.useDependency(Azure.Core.Versions.v1)\nnamespace Customizations {\n\
    @client(\n{\n name: \"A\",\n service: Contoso,\n},\n \"java\"\n)\ninterface ClientJava {\n\
    #suppress \"lib/rule\" \"It's \\\"fine\\\"; really\"\n  @access(Access.internal)\n  @convenientAPI(false, \"java\")\n  detect is Widgets.detect;\n}\n}\n\
    /* OVERRIDES */\n@@clientInitialization(Contoso.Container,\n  {\n    parameters: Params,\n    initializedBy: InitializedBy.parent | InitializedBy.individually,\n  }\n);\n\
    @@clientName(Widgets.get, \"$DO_NOT_NORMALIZE$x\", \"!javascript\");\n@@clientName(Foo.op::parameters.id, \"x\");\n\
    @@alternateType(Foo.when, { name: \"X\" }, \"java\");\nop helper is Base<{ a: string }, Map<string[], 3>>;\n";

#[test]
fn files_with_the_shapes_of_real_ones_are_read_and_stay_editable() {
    let own = "@@clientName(Widget, \"W\", \"python\");\n";
    assert_eq!(rules(&judge(REAL_SHAPES, &format!("{REAL_SHAPES}{own}"))), []);
    let client = "@client({ service: Contoso }, \"python\")\ninterface ClientPython { detect is Widgets.detect; }\n";
    let after =
        REAL_SHAPES.replacen("namespace Customizations {\n", &format!("namespace Customizations {{\n{client}"), 1);
    assert_eq!(rules(&judge(REAL_SHAPES, &after)), []);
}

#[test]
fn client_of_another_language_or_of_all_is_refused() {
    for scope in ["", ", \"java\"", ", \"!java\"", ", \"python, java\""] {
        let text = CLIENT.replacen("Contoso }, \"python\"", &format!("Contoso }}{scope}"), 1);
        let found = added(&text);
        assert!(found.contains(&Rule::StatementNotAllowed), "{scope}: {found:?}");
        assert!(found.contains(&Rule::OtherLanguage), "{scope}: {found:?}");
    }
}

#[test]
fn interface_that_is_not_a_client_is_refused() {
    let text = "namespace C;\ninterface Plain { get is Widgets.getWidget; }\n";
    assert_eq!(added(text), [Rule::StatementNotAllowed]);
}

#[test]
fn operation_of_its_own_is_refused() {
    for member in [
        "@route(\"/evil\") evil(): void;",
        "evil(): void;",
        "op evil(id: string): { @header x: string };",
        "evil is Azure.Core.ResourceRead<Widget>;",
    ] {
        let text = CLIENT.replacen("op purge is Contoso.Widgets.purge;", member, 1);
        let found = added(&text);
        assert!(found.contains(&Rule::StatementNotAllowed), "{member}: {found:?}");
    }
}

#[test]
fn declaration_inside_the_service_is_refused() {
    for namespace in ["Contoso", "Contoso.Inner"] {
        let text = CLIENT.replacen("ClientCustomizations", namespace, 1);
        assert!(added(&text).contains(&Rule::DeclarationInService), "{namespace}");
        let block = CLIENT.replacen("namespace ClientCustomizations;", "", 1);
        let text = format!("namespace {namespace} {{\n{block}\n}}\n");
        assert!(added(&text).contains(&Rule::DeclarationInService), "{namespace} block");
    }
    assert_eq!(added(&CLIENT.replacen("ClientCustomizations", "ContosoClients", 1)), []);
}

#[test]
fn namespace_that_only_the_client_file_fills_is_not_the_services() {
    let entity = |kind, reference: &str, container: &str, file: &str| Entity {
        kind,
        name: reference.to_owned(),
        reference: reference.to_owned(),
        container: Some(container.to_owned()),
        file: file.to_owned(),
        line: 1,
        client: None,
    };
    let mut before = index();
    before.namespaces = ["Azure", "Azure.Contoso", "ClientCustomizations"].map(str::to_owned).to_vec();
    before.entities = vec![
        entity(EntityKind::Namespace, "Azure.Contoso", "Azure", "spec/main.tsp"),
        entity(EntityKind::Model, "Azure.Contoso.Widget", "Azure.Contoso", "spec/models.tsp"),
        entity(EntityKind::Interface, "ClientCustomizations.J", "ClientCustomizations", "spec/client.tsp"),
    ];
    let found = |namespace: &str| {
        let text = format!("{HEAD}{}", CLIENT.replacen("ClientCustomizations", namespace, 1));
        let verdict = judge_typespec(&TypespecDifference {
            client_file: "client.tsp",
            language: Language::Python,
            permitted: &Scope::Only(vec![Language::Python]),
            granted: &[],
            candidates: &[candidate(HEAD, &text)],
            index_before: &before,
            index_after: Some(&before),
            file_bytes: 100_000,
        });
        rules(&verdict)
    };
    assert_eq!(found("ClientCustomizations"), []);
    assert_eq!(found("Azure.Clients"), []);
    assert_eq!(found("Azure.Contoso"), [Rule::DeclarationInService]);
    assert_eq!(found("Azure.Contoso.Inner"), [Rule::DeclarationInService]);
}

#[test]
fn other_statements_are_refused() {
    for text in [
        "op evil(): void;",
        "namespace Other { @route(\"/x\") op evil(): void; }",
        "enum E { a }",
        "union U { string, int32 }",
        "scalar S extends string;",
        "alias A = Widget;",
        "const c = \"python\";",
        "extern dec evil(target: unknown);",
        "@client({ service: Contoso }, \"python\") namespace X;",
        "interface X extends Widgets {}",
    ] {
        let found = added(text);
        assert!(found.contains(&Rule::StatementNotAllowed), "{text}: {found:?}");
    }
}

#[test]
fn model_of_options_may_carry_only_client_decorators() {
    let model = |decorator: &str| format!("namespace C;\nmodel Options {{ {decorator} id: string; }}");
    assert_eq!(added(&model("@paramAlias(\"x\")")), []);
    assert_eq!(added(&model("@header")), [Rule::DecoratorNotAllowed]);
    assert_eq!(added(&model("@clientName(\"x\", \"java\")")), [Rule::OtherLanguage]);
    let usage = "namespace C;\n@usage(Usage.input) model Options { id: string; }";
    assert_eq!(added(usage), [Rule::OtherLanguage]);
}

#[test]
fn what_other_languages_declared_may_not_change() {
    let java = "namespace C;\n@client({ service: Contoso }, \"java\") interface J { a is Widgets.purge; }\nmodel M { id: string; }\n";
    for (from, to) in [
        ("a is", "b is"),
        ("\"java\"", "\"python\""),
        ("id: string", "id: int32"),
        ("model M { id: string; }", ""),
        ("namespace C", "namespace D"),
    ] {
        let found = rules(&judge(java, &java.replacen(from, to, 1)));
        assert!(found.contains(&Rule::DeclarationChanged), "{from}: {found:?}");
    }
}

#[test]
fn own_client_may_be_changed_and_removed() {
    let own = "namespace C;\n@client({ service: Contoso }, \"python\") interface P { @clientName(\"x\") a is Widgets.purge; }\n";
    assert_eq!(rules(&judge(own, &own.replacen("a is", "b is", 1))), []);
    assert_eq!(rules(&judge(own, "namespace C;\n")), []);
}

#[test]
fn client_location_does_not_go_with_client() {
    let text = format!("{CLIENT}@@clientLocation(Widgets.purge, Gadgets, \"python\");\n");
    assert_eq!(added(&text), [Rule::ClientWithLocation]);
    let java = CLIENT.replace("\"python\"", "\"java\"");
    let location = "@@clientLocation(Widgets.purge, Gadgets, \"python\");\n";
    assert_eq!(rules(&judge(&java, &format!("{java}{location}"))), []);
}

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

#[test]
fn each_language_has_its_own_scope() {
    for language in Language::ALL {
        let text = format!("{HEAD}@@clientName(Widget, \"W\", \"{}\");", language.scope_token());
        let files = [candidate(HEAD, &text)];
        assert_eq!(rules(&judge_in(language, &files, &index())), []);
        let other = Language::ALL.into_iter().find(|other| *other != language).expect("another");
        assert_eq!(rules(&judge_in(other, &files, &index())), [Rule::OtherLanguage]);
    }
}

#[test]
fn second_attempt_may_take_back_the_first() {
    let first = format!("{HEAD}@@clientName(Widget, \"W\", \"python\");");
    let mut second = candidate(&first, HEAD);
    second.original = Some(HEAD.as_bytes().to_vec());
    let verdict = judge_in(Language::Python, &[second], &index());
    assert!(matches!(verdict, Verdict::Lands(landings) if landings.len() == 1));
}
