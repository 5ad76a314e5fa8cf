//! Rewrites of decorators that several languages share: what passes changes the permitted languages alone, by a second
//! account of what the library does.

use std::collections::BTreeMap;

use bailiwick_sdk::tasks::{Customization, CustomizationForm, Language, Scope, SpecIndex};
use proptest::prelude::*;

use super::super::{Rule, Verdict};
use super::tests::{candidate, index, rules};
use super::{TypespecDifference, judge_typespec};

const HEAD: &str = "import \"@azure-tools/typespec-client-generator-core\";\nusing Azure.ClientGenerator.Core;\n";

fn judge_for(permitted: &Scope, before: &str, after: &str) -> Verdict {
    let [before, after] = [before, after].map(|text| format!("{HEAD}{text}"));
    judge_typespec(&TypespecDifference {
        client_file: "client.tsp",
        language: Language::Python,
        permitted,
        granted: &[],
        candidates: &[candidate(&before, &after)],
        index_before: &index(),
        index_after: Some(&index()),
        file_bytes: 100_000,
    })
}

fn python() -> Scope {
    Scope::Only(vec![Language::Python])
}

fn name(value: &str, scope: &str) -> String {
    format!("@@clientName(Widget, \"{value}\", \"{scope}\");\n")
}

#[test]
fn language_may_leave_a_shared_decorator_and_get_its_own() {
    let own = name("Mine", "python");
    for (before, after) in [
        ("python, java", "java"),
        ("java,python,csharp", "java,csharp"),
        ("!java", "!java, !python"),
        ("!(java, go)", "!(java, go, python)"),
        ("python, objc", "objc"),
    ] {
        for rest in ["", own.as_str()] {
            let verdict = judge_for(&python(), &name("Old", before), &format!("{}{rest}", name("Old", after)));
            assert_eq!(rules(&verdict), [], "{before} -> {after} {rest}");
        }
    }
    let general = "@@clientName(Widget, \"Old\");\n";
    assert_eq!(rules(&judge_for(&python(), general, &format!("{general}{own}"))), []);
}

#[test]
fn rewrite_that_another_language_sees_is_refused() {
    for (before, after) in [
        // Its value, its loss, and one that it did not have.
        (name("Old", "python, java"), name("New", "python, java")),
        (name("Old", "python, java"), name("Old", "python")),
        (name("Old", "python, java"), name("Old", "python, java, go")),
        (name("Old", "python, java"), format!("{}{}", name("Old", "java"), name("New", "java"))),
        (name("Old", "!java"), name("Old", "python, csharp, javascript, go, rust")),
        (name("Old", "!java"), name("Old", "!java, !go")),
        (name("Old", "!java"), name("Old", "!python")),
        (name("Old", "!java, !python"), name("Old", "!python")),
        // A negated scope wipes out what others say before it, here or in another file.
        ("@@clientName(Widget, \"Old\");\n".to_owned(), name("Old", "!python")),
        (String::new(), name("New", "!java, !csharp, !javascript, !go, !rust")),
        (String::new(), name("New", "!java, !csharp, !javascript, !go, !rust, python")),
        // A scope that names a language twice over.
        (name("Old", "!java, java"), name("Old", "!java")),
        (name("Old", "!java"), name("Old", "!java, java")),
        // Neither decorator is new, and Java sees the other one.
        (
            format!("{}{}", name("A", "java, python"), name("B", "java")),
            format!("{}{}", name("B", "java"), name("A", "java")),
        ),
    ] {
        let found = rules(&judge_for(&python(), &before, &after));
        assert_eq!(found, [Rule::OtherLanguage], "{before} -> {after}");
    }
}

#[test]
fn decorators_that_add_up_are_not_rewritten() {
    let usage = |scope: &str| format!("@@usage(Widget, Usage.input, \"{scope}\");\n");
    assert_eq!(rules(&judge_for(&python(), &usage("!java"), &usage("!java, !python"))), [Rule::OtherLanguage]);
}

#[test]
fn operation_leaves_the_own_client_and_stays_where_it_is_left_out() {
    let scope = |scope: &str| format!("@@scope(Widgets.purge, \"{scope}\");\n");
    for (before, after, expected) in [
        (String::new(), scope("!python"), vec![]),
        (scope("!java"), scope("!java, !python"), vec![]),
        (scope("java, python"), scope("java"), vec![]),
        // The later negation replaces the earlier one, and Java would have the operation again.
        (scope("!java"), format!("{}{}", scope("!java"), scope("!python")), vec![Rule::OtherLanguage]),
        (scope("!python"), scope("!java"), vec![Rule::OtherLanguage]),
        (scope("java, python"), scope("python"), vec![Rule::OtherLanguage]),
        (scope("java"), String::new(), vec![Rule::OtherLanguage]),
    ] {
        assert_eq!(rules(&judge_for(&python(), &before, &after)), expected, "{before} -> {after}");
    }
}

#[test]
fn person_may_allow_more_languages() {
    let both = Scope::Only(vec![Language::Python, Language::Dotnet]);
    assert_eq!(rules(&judge_for(&both, "", &name("New", "python, csharp"))), []);
    assert_eq!(rules(&judge_for(&both, "", &name("New", "csharp"))), []);
    assert_eq!(rules(&judge_for(&both, "", &name("New", "python, java"))), [Rule::OtherLanguage]);
    let shared = name("Old", "python, csharp, java");
    let rewritten = format!("{}{}", name("Old", "java"), name("New", "python, csharp"));
    assert_eq!(rules(&judge_for(&both, &shared, &rewritten)), []);
    assert_eq!(rules(&judge_for(&python(), &shared, &rewritten)), [Rule::OtherLanguage]);
    assert_eq!(rules(&judge_for(&Scope::All, &shared, "@@clientName(Widget, \"New\");\n")), []);
    assert_eq!(rules(&judge_for(&both, "", "@@clientName(Widget, \"New\");\n")), [Rule::OtherLanguage]);
    let but_go = Scope::Except(vec![Language::Go]);
    assert_eq!(rules(&judge_for(&but_go, "", &name("New", "!go"))), []);
    assert_eq!(rules(&judge_for(&but_go, "", "@@clientName(Widget, \"New\");\n")), [Rule::OtherLanguage]);
    assert_eq!(
        rules(&judge_for(&but_go, "@@clientName(Widget, \"Old\");\n", &name("New", "!go"))),
        [Rule::OtherLanguage]
    );
    assert_eq!(rules(&judge_for(&both, "", "@@scope(Widgets.purge, \"!python, !csharp\");\n")), []);
    assert_eq!(rules(&judge_for(&both, "", "@@scope(Widgets.purge, \"!java\");\n")), [Rule::OtherLanguage]);
}

/// One decorator: which of a few targets, its value, its scope.
type One = (usize, String, Option<String>);

const TARGETS: [&str; 2] = ["Widget", "Contoso.Gadget"];

fn text(all: &[One]) -> String {
    let one = |(target, value, scope): &One| {
        let scope = scope.as_ref().map(|scope| format!(", \"{scope}\"")).unwrap_or_default();
        format!("@@clientName({}, \"{value}\"{scope});\n", TARGETS[*target])
    };
    all.iter().map(one).collect()
}

fn customizations(all: &[One]) -> SpecIndex {
    let one = |(target, value, scope): &One| Customization {
        decorator: "clientName".into(),
        target: TARGETS[*target].into(),
        arguments: vec![format!("\"{value}\"")],
        scope: scope.clone(),
        line: 3,
        form: CustomizationForm::Augment,
    };
    SpecIndex { customizations: all.iter().map(one).collect(), ..index() }
}

/// What a language sees on each target, told again: the library's own words with a map for its object.
fn seen(all: &[One], language: &str, before: &BTreeMap<String, String>) -> Vec<Option<String>> {
    let of_target = |target: usize| {
        let mut entry = before.clone();
        for (_, value, scope) in all.iter().filter(|one| one.0 == target) {
            let scope = scope.as_deref().unwrap_or_default();
            if scope.is_empty() {
                entry.insert("*".into(), value.clone());
                continue;
            }
            let grouped = scope
                .find("!(")
                .and_then(|open| scope[open + 2..].find(')').map(|end| &scope[open + 2..open + 2 + end]));
            let (negated, listed): (Vec<&str>, Vec<&str>) = match grouped {
                Some(list) => (list.split(',').map(str::trim).collect(), Vec::new()),
                None => {
                    let (negated, listed): (Vec<&str>, Vec<&str>) =
                        scope.split(',').map(str::trim).partition(|token| token.starts_with('!'));
                    (negated.iter().map(|token| &token[1..]).collect(), listed)
                }
            };
            if negated.is_empty() {
                entry.extend(listed.iter().map(|token| ((*token).to_owned(), value.clone())));
                continue;
            }
            let mut new: BTreeMap<String, String> =
                listed.iter().chain(&["*"]).map(|token| ((*token).to_owned(), value.clone())).collect();
            new.extend(entry.into_iter().filter(|(token, _)| negated.contains(&token.as_str())));
            new.insert("-".into(), negated.join("|"));
            entry = new;
        }
        let excluded = entry.get("-").is_some_and(|list| list.split('|').any(|token| token == language));
        entry.get(language).or(if excluded { None } else { entry.get("*") }).cloned()
    };
    (0..TARGETS.len()).map(of_target).collect()
}

fn scopes() -> impl Strategy<Value = Option<String>> {
    let token = prop::sample::select(vec!["python", "java", "csharp", "go", "rust", "objc"]);
    let tokens = prop::collection::vec((token, prop::bool::weighted(0.3)), 1..4);
    let written = |tokens: Vec<(&str, bool)>| {
        let token = |(token, not): &(&str, bool)| format!("{}{token}", if *not { "!" } else { "" });
        tokens.iter().map(token).collect::<Vec<_>>().join(", ")
    };
    let listed = |tokens: Vec<(&str, bool)>| tokens.iter().map(|one| one.0).collect::<Vec<_>>().join(",");
    prop_oneof![
        Just(None),
        Just(Some("python".to_owned())),
        tokens.clone().prop_map(move |tokens| Some(listed(tokens))),
        tokens.clone().prop_map(move |tokens| Some(format!("!({})", listed(tokens)))),
        tokens.prop_map(move |tokens| Some(written(tokens))),
    ]
}

fn one() -> impl Strategy<Value = One> {
    (0..TARGETS.len(), "[AB]", scopes())
}

#[derive(Debug, Clone)]
enum Edit {
    Remove(prop::sample::Index),
    Insert(prop::sample::Index, One),
    Value(prop::sample::Index, String),
    Scope(prop::sample::Index, Option<String>),
    Swap(prop::sample::Index, prop::sample::Index),
}

fn edits() -> impl Strategy<Value = Edit> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        at().prop_map(Edit::Remove),
        (at(), one()).prop_map(|(at, one)| Edit::Insert(at, one)),
        (at(), "[ABC]").prop_map(|(at, value)| Edit::Value(at, value)),
        (at(), scopes()).prop_map(|(at, scope)| Edit::Scope(at, scope)),
        (at(), at()).prop_map(|(one, other)| Edit::Swap(one, other)),
    ]
}

fn edited(all: &[One], edits: &[Edit]) -> Vec<One> {
    let mut all = all.to_vec();
    for edit in edits {
        let count = all.len();
        match edit {
            Edit::Insert(at, one) => all.insert(at.index(count + 1), one.clone()),
            _ if count == 0 => {}
            Edit::Remove(at) => drop(all.remove(at.index(count))),
            Edit::Value(at, value) => all[at.index(count)].1.clone_from(value),
            Edit::Scope(at, scope) => all[at.index(count)].2.clone_from(scope),
            Edit::Swap(one, other) => all.swap(one.index(count), other.index(count)),
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    /// Whatever an edit does to whatever stands there: if it passes, no other language sees anything else.
    #[test]
    fn no_edit_passes_that_another_language_sees(
        before in prop::collection::vec(one(), 0..5),
        edits in prop::collection::vec(edits(), 1..4),
        more in prop::bool::ANY,
    ) {
        let after = edited(&before, &edits);
        let (permitted, own): (Scope, &[&str]) = if more {
            (Scope::Only(vec![Language::Python, Language::Java]), &["python", "java"])
        } else {
            (python(), &["python"])
        };
        let (old, new) = (format!("{HEAD}{}", text(&before)), format!("{HEAD}{}", text(&after)));
        let verdict = judge_typespec(&TypespecDifference {
            client_file: "client.tsp",
            language: Language::Python,
            permitted: &permitted,
            granted: &[],
            candidates: &[candidate(&old, &new)],
            index_before: &customizations(&before),
            index_after: Some(&customizations(&after)),
            file_bytes: 100_000,
        });
        let elsewhere = [
            BTreeMap::new(),
            BTreeMap::from([("*".to_owned(), "X".to_owned())]),
            ["*", "python", "java", "csharp", "go", "rust", "objc", "autorest"].iter().map(|token| ((*token).to_owned(), format!("{token}X"))).collect(),
            BTreeMap::from([("*".to_owned(), "X".to_owned()), ("-".to_owned(), "java|go|csharp".to_owned())]),
        ];
        let others = ["java", "csharp", "javascript", "go", "rust", "objc", "autorest"];
        let mut same = true;
        for language in others.iter().filter(|language| !own.contains(language)) {
            for start in &elsewhere {
                same &= seen(&before, language, start) == seen(&after, language, start);
            }
        }
        if matches!(verdict, Verdict::Lands(_)) {
            prop_assert!(same, "{} -> {}", old, new);
        }
    }
}
