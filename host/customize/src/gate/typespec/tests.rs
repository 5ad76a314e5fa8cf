//! Phase A, rule by rule, each with an attempt to break it.

mod clients;
mod located;
mod unreadable;

use bailiwick_sdk::tasks::{Customization, CustomizationForm, Entity, EntityKind, Language, Scope, SpecIndex};

use super::super::{Candidate, Rule, Verdict};
use super::{TypespecDifference, judge_typespec};

const HEAD: &str = "import \"./main.tsp\";\nimport \"@azure-tools/typespec-client-generator-core\";\n\
    using Azure.ClientGenerator.Core;\nusing Contoso;\n";

/// What other languages have.
const OTHERS: &str = "@@clientName(Widget, \"WidgetModel\", \"java\");\n\
    @@access(Widgets.purge, Access.internal, \"!csharp\");\n@@clientName(Gadget, \"Thing\");\n";

/// A client of its own with two operations of the service.
const CLIENT: &str = "namespace ClientCustomizations;\n\
    @client({ name: \"ItemClient\", service: Contoso }, \"python\")\n\
    @clientInitialization({ parameters: ItemOptions, initializedBy: InitializedBy.individually }, \"python\")\n\
    interface ItemClient {\n  @clientName(\"fetch\") get is Widgets.getWidget;\n  op purge is Contoso.Widgets.purge;\n}\n\
    model ItemOptions { /** the id */ @paramAlias(\"id\") widgetId: string; }\n";

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
fn property_that_an_alias_or_a_resource_declares_is_renamed_for_the_own_language_alone() {
    for target in ["Contoso.Paging.maxCnt", "Shelf.shelfNm"] {
        let written = |scope: &str| format!("@@clientName({target}, \"other\"{scope});");
        assert_eq!(added(&written(", \"python\"")), [], "{target}");
        for scope in ["", ", \"java\"", ", \"java, python\""] {
            assert_eq!(added(&written(scope)), [Rule::OtherLanguage], "{target}{scope}");
        }
        assert_eq!(added(&format!("@@query({target}, \"python\");")), [Rule::DecoratorNotAllowed], "{target}");
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
