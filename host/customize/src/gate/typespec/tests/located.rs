//! Moves beside clients that the file declares, each with an attempt to change more than the move.

use bailiwick_sdk::tasks::{Access, ClientEntry, ClientOperation};

use super::*;

/// Two clients for every language, and what other languages have of their operations.
const DECLARED: &str = "namespace C;\n\
    @client({ name: \"AClient\", service: Contoso }) interface A { get is Widgets.get; list is Widgets.list; }\n\
    @client({ name: \"BClient\", service: Contoso }) interface B { purge is Widgets.purge; }\n\
    @@access(A.get, Access.internal, \"java\");\n";

const MOVE: &str = "@@clientLocation(A.get, B, \"python\");\n";

fn operation(reference: &str) -> ClientOperation {
    let (_, name) = reference.rsplit_once('.').unwrap();
    ClientOperation {
        name: name.to_owned(),
        access: Access::Public,
        reference: reference.to_owned(),
        source: format!("Contoso.Widgets.{name}"),
        parameters: Vec::new(),
    }
}

fn client(name: &str, parent: Option<&str>, reference: Option<&str>, operations: &[&str]) -> ClientEntry {
    ClientEntry {
        name: name.to_owned(),
        parent: parent.map(str::to_owned),
        reference: reference.map(str::to_owned),
        initialization: Vec::new(),
        operations: operations.iter().map(|reference| operation(reference)).collect(),
    }
}

fn customization(decorator: &str, target: &str, argument: &str) -> Customization {
    Customization {
        decorator: decorator.to_owned(),
        target: target.to_owned(),
        arguments: vec![argument.to_owned()],
        scope: Some("python".to_owned()),
        line: 9,
        form: CustomizationForm::Augment,
    }
}

/// The compiler's view before a move.
fn before() -> SpecIndex {
    let a = client("AClient", None, Some("C.A"), &["C.A.get", "C.A.list"]);
    SpecIndex { clients: vec![a, client("BClient", None, Some("C.B"), &["C.B.purge"])], ..index() }
}

/// The compiler's view after [`MOVE`].
fn after() -> SpecIndex {
    let a = client("AClient", None, Some("C.A"), &["C.A.list"]);
    let b = client("BClient", None, Some("C.B"), &["C.B.purge", "C.A.get"]);
    let customizations = vec![customization("clientLocation", "C.A.get", "B")];
    SpecIndex { clients: vec![a, b], customizations, ..index() }
}

fn judged(old: &str, new: &str, before: &SpecIndex, after: Option<&SpecIndex>) -> Vec<Rule> {
    let whole = |text: &str| format!("{HEAD}{DECLARED}{text}");
    rules(&judge_typespec(&TypespecDifference {
        client_file: "client.tsp",
        language: Language::Python,
        permitted: &Scope::Only(vec![Language::Python]),
        granted: &[],
        candidates: &[candidate(&whole(old), &whole(new))],
        index_before: before,
        index_after: after,
        file_bytes: 100_000,
    }))
}

fn moved(change: impl FnOnce(&mut SpecIndex)) -> Vec<Rule> {
    let mut after = after();
    change(&mut after);
    judged("", MOVE, &before(), Some(&after))
}

#[test]
fn operation_moves_where_the_compiler_shows_that_it_does_and_moves_back() {
    assert_eq!(moved(|_| {}), []);
    // Before the compiler has read it, its text alone says nothing against it.
    assert_eq!(judged("", MOVE, &before(), None), []);
    assert_eq!(judged(MOVE, "", &after(), Some(&before())), []);
    let whole = "@@clientLocation(C.A.get, C.B, \"python\");\n";
    let mut named = after();
    named.customizations = vec![customization("clientLocation", "C.A.get", "C.B")];
    assert_eq!(judged("", whole, &before(), Some(&named)), []);
}

#[test]
fn operation_moves_to_a_new_group_of_the_one_client() {
    let root = |operations: &[&str]| client("AClient", None, Some("C.A"), operations);
    let before = SpecIndex { clients: vec![root(&["C.A.get", "C.A.list"])], ..index() };
    let after = SpecIndex {
        clients: vec![root(&["C.A.list"]), client("Reads", Some("AClient"), None, &["C.A.get"])],
        customizations: vec![customization("clientLocation", "C.A.get", "\"Reads\"")],
        ..index()
    };
    let text = "@@clientLocation(A.get, \"Reads\", \"python\");\n";
    assert_eq!(judged("", text, &before, Some(&after)), []);
    // A client of that name beside the other one is no group.
    let mut apart = after;
    apart.clients[1].parent = None;
    assert_eq!(judged("", text, &before, Some(&apart)), [Rule::ClientWithLocation]);
}

#[test]
fn move_that_the_compiler_does_not_show_is_refused() {
    let left = |after: &mut SpecIndex| after.clients = before().clients;
    assert_eq!(moved(left), [Rule::ClientWithLocation], "a client generator core that does not follow it");
    let lost = |after: &mut SpecIndex| after.clients[1] = before().clients[1].clone();
    assert_eq!(moved(lost), [Rule::ClientWithLocation], "in no client");
    let doubled = |after: &mut SpecIndex| after.clients[0] = before().clients[0].clone();
    assert_eq!(moved(doubled), [Rule::ClientWithLocation], "in both");
    let elsewhere = |after: &mut SpecIndex| after.clients[1].reference = Some("C.D".to_owned());
    assert_eq!(moved(elsewhere), [Rule::ClientWithLocation], "in a third one");
    let alike = |after: &mut SpecIndex| after.clients[1].reference = Some("C.AB".to_owned());
    assert_eq!(moved(alike), [Rule::ClientWithLocation], "in one whose name ends so");
    let unsaid = |after: &mut SpecIndex| after.customizations.clear();
    assert_eq!(moved(unsaid), [Rule::ClientWithLocation], "a decorator that the compiler does not see");
    assert_eq!(moved(|after| after.clients.clear()), [Rule::ClientWithLocation], "no clients");
}

#[test]
fn move_that_shows_or_exchanges_an_operation_is_refused() {
    let public = after();
    let mut hidden = before();
    hidden.clients[0].operations[0].access = Access::Internal;
    assert_eq!(judged("", MOVE, &hidden, Some(&public)), [Rule::ClientWithLocation], "it was internal");
    let mut said = after();
    said.customizations.push(customization("access", "C.A.get", "Access.public"));
    let text = format!("{MOVE}@@access(A.get, Access.public, \"python\");\n");
    assert_eq!(judged("", &text, &hidden, Some(&said)), [], "an `@access` says it");

    let mut absent = before();
    absent.clients[0].operations.remove(0);
    assert_eq!(judged("", MOVE, &absent, Some(&public)), [Rule::ClientWithLocation], "no client had it");
    let other = |after: &mut SpecIndex| after.clients[1].operations[1].source = "Contoso.Widgets.purge".to_owned();
    assert_eq!(moved(other), [Rule::ClientWithLocation], "another operation of the service");
}

#[test]
fn move_to_where_the_name_is_taken_is_refused() {
    for name in ["get", "Get"] {
        let twin = |after: &mut SpecIndex| after.clients[1].operations[0].name = name.to_owned();
        assert_eq!(moved(twin), [Rule::ClientWithLocation], "{name}");
    }
}

#[test]
fn operation_of_the_service_and_parameters_are_not_moved_beside_declared_clients() {
    for (target, text) in
        [("Contoso.Widgets.get", "Contoso.Widgets.get"), ("C.A.get::parameters.id", "A.get::parameters.id")]
    {
        let after = SpecIndex { customizations: vec![customization("clientLocation", target, "B")], ..before() };
        let text = format!("@@clientLocation({text}, B, \"python\");\n");
        assert_eq!(judged("", &text, &before(), Some(&after)), [Rule::ClientWithLocation], "{target}");
    }
}

#[test]
fn move_for_another_language_is_refused_whatever_the_compiler_shows() {
    for scope in [", \"java\"", "", ", \"!java\"", ", \"python, java\""] {
        let text = format!("@@clientLocation(A.get, B{scope});\n");
        assert_eq!(judged("", &text, &before(), Some(&after())), [Rule::OtherLanguage], "{scope}");
    }
}

#[test]
fn declaration_stays_as_it_is_beside_a_move() {
    for (from, to) in [(" list is Widgets.list;", ""), ("interface B { ", "interface B { get is Widgets.get; ")] {
        let whole = format!("{HEAD}{DECLARED}");
        let edited = format!("{}{MOVE}", whole.replacen(from, to, 1));
        let (before, after) = (before(), after());
        let verdict = judge_typespec(&TypespecDifference {
            client_file: "client.tsp",
            language: Language::Python,
            permitted: &Scope::Only(vec![Language::Python]),
            granted: &[],
            candidates: &[candidate(&whole, &edited)],
            index_before: &before,
            index_after: Some(&after),
            file_bytes: 100_000,
        });
        assert!(rules(&verdict).contains(&Rule::DeclarationChanged), "{from}: {verdict:?}");
    }
}

#[test]
fn what_stood_beside_declared_clients_is_left_and_what_comes_is_judged() {
    let stale = "@@clientLocation(Widgets.purge, Widgets, \"python\");\n";
    let old = |mut index: SpecIndex| {
        index.customizations.push(customization("clientLocation", "Contoso.Widgets.purge", "Widgets"));
        index
    };
    let renamed = format!("{stale}@@clientName(B.purge, \"empty\", \"python\");\n");
    assert_eq!(judged(stale, &renamed, &old(before()), Some(&old(before()))), []);
    let text = format!("{stale}{MOVE}");
    assert_eq!(judged(stale, &text, &old(before()), Some(&old(after()))), []);
    let mut ignored = old(after());
    ignored.clients = before().clients;
    assert_eq!(judged(stale, &text, &old(before()), Some(&ignored)), [Rule::ClientWithLocation]);
}

#[test]
fn move_that_turns_the_order_of_declarations_round_is_refused() {
    let declared = |name: &str| Entity {
        kind: EntityKind::Interface,
        name: name.to_owned(),
        reference: format!("C.{name}"),
        container: Some("C".to_owned()),
        file: "client.tsp".to_owned(),
        line: 1,
        client: None,
        reach: bailiwick_sdk::tasks::Reach::Reference,
        spread_from: Vec::new(),
    };
    let with = |index: SpecIndex, names: &[&str]| SpecIndex {
        entities: names.iter().map(|name| declared(name)).collect(),
        ..index
    };
    let judged = |names: &[&str]| judged("", MOVE, &with(before(), &["A", "B"]), Some(&with(after(), names)));
    assert_eq!(judged(&["A", "B"]), []);
    assert_eq!(judged(&["B", "A"]), [Rule::OtherLanguage]);
    assert_eq!(judged(&["A", "New", "B"]), []);
}

#[test]
fn group_that_would_have_the_name_of_another_client_is_refused() {
    let text = "@@clientLocation(A.get, \"Reads\", \"python\");\n";
    let named = vec![customization("clientLocation", "C.A.get", "\"Reads\"")];
    let root = client("AClient", None, Some("C.A"), &["C.A.list"]);
    let mut after = SpecIndex { clients: vec![root], customizations: named, ..index() };
    after.clients.push(client("Reads", Some("AClient"), None, &["C.A.get"]));
    let mut before = before();
    before.clients.truncate(1);
    assert_eq!(judged("", text, &before, Some(&after)), []);
    after.clients.push(client("Reads", Some("AClient"), Some("C.R"), &[]));
    assert_eq!(judged("", text, &before, Some(&after)), [Rule::ClientWithLocation]);
}

#[test]
fn clients_that_come_beside_a_move_of_before_are_judged_with_it() {
    let standing = "@@clientLocation(Contoso.Widgets.purge, Gadgets, \"python\");\n";
    let declared = "namespace C {\n@client({ name: \"BClient\", service: Contoso }, \"python\") interface B { purge is Contoso.Widgets.purge; }\n}\n";
    let held = |reference: &str, name: &str, operation: &str| SpecIndex {
        clients: vec![client(name, None, Some(reference), &[operation])],
        customizations: vec![customization("clientLocation", "Contoso.Widgets.purge", "Gadgets")],
        ..index()
    };
    let (before, after) =
        (held("Contoso.Gadgets", "Gadgets", "Contoso.Widgets.purge"), held("C.B", "BClient", "C.B.purge"));
    let (old, new) = (format!("{HEAD}{standing}"), format!("{HEAD}{standing}{declared}"));
    let verdict = judge_typespec(&TypespecDifference {
        client_file: "client.tsp",
        language: Language::Python,
        permitted: &Scope::Only(vec![Language::Python]),
        granted: &[],
        candidates: &[candidate(&old, &new)],
        index_before: &before,
        index_after: Some(&after),
        file_bytes: 100_000,
    });
    assert_eq!(rules(&verdict), [Rule::ClientWithLocation]);
}
