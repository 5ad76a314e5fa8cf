//! Clients of the own language, and declarations that are not the business of the client file.

use bailiwick_sdk::tasks::{Access, ClientEntry, ClientOperation};

use super::*;

#[test]
fn client_and_operation_group_are_never_augmented() {
    for text in ["@@client(Widgets, { service: Contoso }, \"python\");", "@@operationGroup(Widgets, \"python\");"] {
        assert_eq!(added(text), [Rule::ClientAugmented], "{text}");
    }
}

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

fn clients_holding(sources: &[&str]) -> SpecIndex {
    let operation = |source: &&str| ClientOperation {
        name: (*source).to_owned(),
        access: Access::Public,
        reference: (*source).to_owned(),
        source: (*source).to_owned(),
        parameters: Vec::new(),
    };
    let client = ClientEntry {
        name: "WidgetClient".to_owned(),
        parent: None,
        reference: None,
        initialization: Vec::new(),
        operations: sources.iter().map(operation).collect(),
    };
    SpecIndex { clients: vec![client], ..index() }
}

#[test]
fn client_that_leaves_an_operation_without_a_client_is_refused() {
    let before = clients_holding(&["Contoso.Widgets.get", "Contoso.Widgets.list"]);
    let judged = |edited: &str, after: &[&str]| {
        let after = clients_holding(after);
        let candidates = [candidate(HEAD, edited)];
        rules(&judge_typespec(&TypespecDifference {
            client_file: "client.tsp",
            language: Language::Python,
            permitted: &Scope::Only(vec![Language::Python]),
            granted: &[],
            candidates: &candidates,
            index_before: &before,
            index_after: Some(&after),
            file_bytes: 100_000,
        }))
    };
    let client = format!("{HEAD}{CLIENT}");
    assert_eq!(judged(&client, &["Contoso.Widgets.get"]), [Rule::OperationLost]);
    assert_eq!(judged(&client, &["Contoso.Widgets.get", "Contoso.Widgets.list"]), []);
    // A decorator that takes an operation out says so itself, and is judged by its scope.
    let scoped = format!("{HEAD}@@scope(Widgets.list, \"!python\");\n");
    assert_eq!(judged(&scoped, &["Contoso.Widgets.get"]), []);
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
        reach: bailiwick_sdk::tasks::Reach::Reference,
        spread_from: Vec::new(),
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
