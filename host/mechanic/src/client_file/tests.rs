//! Edits, case by case, and any edit of any file: who sees what afterwards.

use proptest::prelude::*;

use super::augments::augments;
use super::place::Place;
use super::wanted::{Goal, Wanted};
use super::{Conflict, edit};
use crate::sample;
use bailiwick_sdk::tasks::*;

const HEAD: &str = "import \"./main.tsp\";\nimport \"@azure-tools/typespec-client-generator-core\";\n\nusing Azure.ClientGenerator.Core;\n\n";
const WIDGET: &str = "Contoso.WidgetManager.Widget";
const STATUS: &str = "Contoso.WidgetManager.Widgets.getStatistics";

/// The index of the sample with the customizations of a text, whose decorators have one value and full targets.
fn index_of(text: &str) -> SpecIndex {
    let mut index = sample::index();
    for one in augments(text) {
        let argument = |at: usize| one.arguments.get(at).map(|span| text[span.clone()].to_owned());
        index.customizations.push(Customization {
            decorator: one.name.clone(),
            target: text[one.target.clone()].to_owned(),
            arguments: argument(0).into_iter().collect(),
            scope: argument(1).map(|scope| scope.trim_matches('"').to_owned()),
            line: u32::try_from(text[..one.span.start].matches('\n').count()).unwrap() + 1,
            form: CustomizationForm::Augment,
        });
    }
    index
}

fn name(value: &str, goal: Goal, scope: Scope) -> Wanted {
    Wanted { name: "clientName", target: WIDGET.into(), value: format!("\"{value}\""), slot: None, goal, scope }
}

fn python() -> Scope {
    Scope::Only(vec![Language::Python])
}

fn written(text: &str, wanted: &[Wanted]) -> Result<String, Conflict> {
    edit(Some(text), wanted, &[], &index_of(text), Language::Python, "main.tsp").map(|edited| edited.text)
}

/// The decorators behind the head, before and after.
fn check(before: &str, wanted: Wanted, after: &str) {
    let found = written(&format!("{HEAD}{before}"), &[wanted]).unwrap();
    assert_eq!(found.trim_end(), format!("{HEAD}{after}").trim_end(), "{before}");
}

fn applied(value: &str, scope: &str) -> String {
    format!("@@clientName({WIDGET}, \"{value}\", \"{scope}\");\n")
}

#[test]
fn language_leaves_the_list_that_it_shares_and_gets_a_decorator_of_its_own() {
    let own = applied("New", "python");
    for (shared, left) in [
        ("python, javascript", "javascript"),
        ("java,python,csharp", "java,csharp"),
        ("!java", "!java, !python"),
        ("!java,!go", "!java,!go,!python"),
        ("!(java, go)", "!(java, go, python)"),
    ] {
        let want = name("New", Goal::Put, python());
        check(&applied("Old", shared), want, &format!("{}{own}", applied("Old", left)));
    }
}

#[test]
fn decorator_for_every_language_stays_beside_the_narrower_one() {
    let general = format!("@@clientName({WIDGET}, \"Old\");\n");
    let own = applied("New", "python");
    check(&general, name("New", Goal::Put, python()), &format!("{general}{own}"));
}

#[test]
fn rename_is_taken_back_by_removing_the_decorator_of_the_language() {
    let want = || name("Widget", Goal::Drop, python());
    let other = applied("Other", "java");
    check(&format!("{}{other}", applied("Old", "python")), want(), &other);
    check(&applied("Old", "python, java"), want(), &applied("Old", "java"));
    check(&applied("Old", "!go"), want(), &applied("Old", "!go, !python"));
    // A comment beside it stays.
    let commented = applied("Old", "python").replace('\n', " // why\n");
    check(&format!("{commented}{other}"), want(), &format!("// why\n{other}"));
}

#[test]
fn rename_for_every_language_is_taken_back_by_a_narrower_one() {
    let general = format!("@@clientName({WIDGET}, \"Old\");\n");
    let want = || name("Widget", Goal::Drop, python());
    check(&general, want(), &format!("{general}{}", applied("Widget", "python")));
    let both = format!("{general}{}", applied("Mine", "python"));
    check(&both, want(), &format!("{general}{}", applied("Widget", "python")));
}

#[test]
fn several_languages_are_one_decorator() {
    let both = || Scope::Only(vec![Language::Python, Language::Dotnet]);
    check("", name("New", Goal::Put, both()), &applied("New", "python, csharp"));
    check(&applied("Old", "python"), name("New", Goal::Put, both()), &applied("New", "python, csharp"));
    check(
        &applied("Old", "python, java"),
        name("New", Goal::Put, both()),
        &format!("{}{}", applied("Old", "java"), applied("New", "python, csharp")),
    );
    let general = format!("@@clientName({WIDGET}, \"New\");\n");
    let scattered = format!("{}{}", applied("A", "java"), applied("B", "!go"));
    check(&scattered, name("New", Goal::Put, Scope::All), &general);
    check("", name("New", Goal::Put, Scope::All), &general);
    let but_go = || Scope::Except(vec![Language::Go]);
    // A negation would wipe out what Go has, and reach languages without a library.
    check("", name("New", Goal::Put, but_go()), &applied("New", "python, java, csharp, javascript"));
    let with_list = format!("@@clientName({WIDGET}, \"Old\");\n{}", applied("New", "python, java, csharp, javascript"));
    check(&format!("@@clientName({WIDGET}, \"Old\");\n"), name("New", Goal::Put, but_go()), &with_list);
}

#[test]
fn two_languages_get_two_names_in_one_edit() {
    let text = format!("{HEAD}{}", applied("Old", "python, csharp, java"));
    let go = Scope::Only(vec![Language::Dotnet]);
    let found = written(&text, &[name("P", Goal::Put, python()), name("C", Goal::Put, go)]).unwrap();
    let expected = format!("{HEAD}{}{}{}", applied("Old", "java"), applied("P", "python"), applied("C", "csharp"));
    assert_eq!(found, expected);
}

#[test]
fn line_endings_comments_blocks_and_layout_stay() {
    let before = format!(
        "{HEAD}// first\nnamespace Contoso.Own {{\n  @@clientName(\n    {WIDGET},\n    \"Old\", // the name\n    \"python, java\"\n  );\n  @@access({STATUS}, Access.internal, \"python\"); // hidden\n}}\n"
    )
    .replace('\n', "\r\n");
    let found = written(&before, &[name("New", Goal::Put, python())]).unwrap();
    let own = format!("\r\n{}", applied("New", "python").trim_end());
    assert_eq!(found, before.replace("\"python, java\"", "\"java\"").trim_end().to_owned() + "\r\n" + &own + "\r\n");
    let show = Wanted {
        name: "access",
        target: STATUS.into(),
        value: "Access.public".into(),
        slot: None,
        goal: Goal::Drop,
        scope: python(),
    };
    let found = written(&before, &[show]).unwrap();
    let decorator = format!("@@access({STATUS}, Access.internal, \"python\"); ");
    assert_eq!(found, before.replace(&decorator, ""));
}

/// The sample with a decorator in front of the declaration of the widget.
fn declared(scope: &str) -> SpecIndex {
    let mut index = sample::index();
    let mut one = index_of(&applied("Old", scope)).customizations.remove(0);
    one.form = CustomizationForm::Declaration;
    index.customizations.push(one);
    index
}

#[test]
fn what_stands_in_front_of_a_declaration_stays_and_what_augments_it_wins() {
    for scope in ["python", "python, java", "!go"] {
        let one = |goal| {
            edit(Some(HEAD), &[name("New", goal, python())], &[], &declared(scope), Language::Python, "main.tsp")
        };
        for goal in [Goal::Put, Goal::Drop] {
            assert_eq!(one(goal).unwrap().text.trim_end(), format!("{HEAD}{}", applied("New", "python")).trim_end());
        }
        let conflict = one(Goal::Remove).unwrap_err();
        assert!(conflict.issue.contains("stands in front of"), "{conflict:?}");
    }
}

#[test]
fn decorator_is_taken_away_for_one_language_where_no_other_shares_it_unwritten() {
    let gone = |before: &str| written(&format!("{HEAD}{before}"), &[name("", Goal::Remove, python())]);
    assert_eq!(gone(&applied("Old", "python")).unwrap().trim_end(), HEAD.trim_end());
    assert_eq!(gone(&applied("Old", "python, java")).unwrap(), format!("{HEAD}{}", applied("Old", "java")));
    assert_eq!(gone(&applied("Old", "!go")).unwrap(), format!("{HEAD}{}", applied("Old", "!go, !python")));
    let conflict = gone(&format!("@@clientName({WIDGET}, \"Old\");\n")).unwrap_err();
    assert!(conflict.issue.contains("for every language"), "{conflict:?}");
    let all = written(&format!("{HEAD}@@clientName({WIDGET}, \"Old\");\n"), &[name("", Goal::Remove, Scope::All)]);
    assert_eq!(all.unwrap().trim_end(), HEAD.trim_end());
}

fn keeping(goal: Goal, scope: Scope) -> Wanted {
    Wanted { name: "scope", target: STATUS.into(), value: String::new(), slot: None, goal, scope }
}

/// As [`index_of`], for a decorator whose only argument is its scope.
fn scoped(text: &str) -> SpecIndex {
    let mut index = index_of(text);
    for one in &mut index.customizations {
        one.scope = one.arguments.pop().map(|scope| scope.trim_matches('"').to_owned());
    }
    index
}

fn kept(text: &str, goal: Goal, scope: Scope) -> Result<String, Conflict> {
    let edited = edit(Some(text), &[keeping(goal, scope)], &[], &scoped(text), Language::Python, "main.tsp");
    edited.map(|edited| edited.text)
}

#[test]
fn target_is_taken_out_of_a_client_and_given_back() {
    let one = |scope: &str| format!("{HEAD}@@scope({STATUS}, \"{scope}\");\n");
    let excluded = |before: &str| kept(before, Goal::Exclude, python()).map(|text| text.trim_end().to_owned() + "\n");
    for (before, after) in
        [("!java", "!java, !python"), ("!(java, go)", "!(java, go, python)"), ("java, python", "java")]
    {
        assert_eq!(excluded(&one(before)).as_deref(), Ok(one(after).as_str()), "{before}");
        let back = kept(&one(after), Goal::Include, python()).unwrap();
        let seen = |text: &str, language: Language| {
            Place::new("scope", STATUS, None, &scoped(text)).keeps(language.scope_token())
        };
        for language in Language::ALL {
            assert_eq!(seen(&back, language), seen(&one(before), language), "{language}: {before}");
        }
    }
    assert_eq!(excluded(HEAD), Ok(format!("{HEAD}@@scope({STATUS}, \"!python\");\n")));
    assert_eq!(excluded(&one("java")), Ok(one("java")));
    assert_eq!(kept(&one("!python"), Goal::Include, python()).unwrap().trim_end(), HEAD.trim_end());
    // With no language left in its list, every language would have it.
    assert!(excluded(&one("python")).is_err());
}

#[test]
fn options_of_emitters_stand_beside_each_other() {
    let option = |option: &str, value: &str| Wanted {
        name: "clientOption",
        target: WIDGET.into(),
        value: format!("\"{option}\", {value}"),
        slot: Some(format!("\"{option}\"")),
        goal: Goal::Put,
        scope: Scope::Only(vec![Language::Java]),
    };
    let mut index = sample::index();
    let line = format!("@@clientOption({WIDGET}, \"first\", true, \"java\");\n");
    index.customizations.push(Customization {
        decorator: "clientOption".into(),
        target: WIDGET.into(),
        arguments: vec!["\"first\"".into(), "true".into()],
        scope: Some("java".into()),
        line: 6,
        form: CustomizationForm::Augment,
    });
    let text = format!("{HEAD}{line}");
    let wanted = [option("second", "1"), option("first", "false")];
    let found = edit(Some(&text), &wanted, &[], &index, Language::Java, "main.tsp").unwrap().text;
    let second = format!("@@clientOption({WIDGET}, \"second\", 1, \"java\");");
    assert_eq!(found.trim_end(), format!("{HEAD}{}{second}", line.replace("true", "false")));
}

#[test]
fn decorator_below_a_suppression_is_not_removed() {
    let text = format!("{HEAD}#suppress \"x\" \"y\"\n{}", applied("Old", "python"));
    let conflict = written(&text, &[name("Widget", Goal::Drop, python())]).unwrap_err();
    assert!(conflict.issue.contains("directive"), "{conflict:?}");
    // Its value can change.
    assert!(written(&text, &[name("New", Goal::Put, python())]).is_ok());
}

#[test]
fn what_the_index_and_the_text_do_not_agree_on_is_not_edited() {
    let index = index_of(&applied("Old", "python"));
    let text = format!("{HEAD}{}", applied("Older", "python"));
    let wanted = [name("New", Goal::Put, python())];
    assert!(edit(Some(&text), &wanted, &[], &index, Language::Python, "main.tsp").is_err());
}

fn scope_text() -> impl Strategy<Value = Option<String>> {
    let token = prop::sample::select(vec!["python", "java", "csharp", "javascript", "go", "rust"]);
    let tokens = prop::collection::vec((token, prop::bool::ANY), 1..4);
    prop_oneof![
        Just(None),
        tokens
            .clone()
            .prop_map(|tokens| { Some(tokens.iter().map(|(token, _)| *token).collect::<Vec<_>>().join(", ")) }),
        tokens.clone().prop_map(|tokens| {
            Some(tokens.iter().map(|(token, _)| format!("!{token}")).collect::<Vec<_>>().join(","))
        }),
        tokens.clone().prop_map(|tokens| {
            Some(format!("!({})", tokens.iter().map(|(token, _)| *token).collect::<Vec<_>>().join(", ")))
        }),
        tokens.prop_map(|tokens| {
            let token = |(token, not): &(&str, bool)| format!("{}{token}", if *not { "!" } else { "" });
            Some(tokens.iter().map(token).collect::<Vec<_>>().join(", "))
        }),
    ]
}

fn wanted_scope() -> impl Strategy<Value = Scope> {
    let some = || prop::sample::subsequence(Language::ALL.to_vec(), 1..4);
    prop_oneof![Just(Scope::All), some().prop_map(Scope::Only), some().prop_map(Scope::Except)]
}

proptest! {
    /// Whatever stands there: the languages that are asked for see what is wanted, and no other sees anything else.
    #[test]
    fn languages_asked_for_see_what_is_wanted_and_the_others_what_they_saw(
        standing in prop::collection::vec((scope_text(), "[A-C]"), 0..5),
        scope in wanted_scope(),
        goal in prop::sample::select(vec![Goal::Put, Goal::Drop, Goal::Remove]),
    ) {
        let statement = |(scope, value): &(Option<String>, String)| match scope {
            Some(scope) => applied(value, scope),
            None => format!("@@clientName({WIDGET}, \"{value}\");\n"),
        };
        let text = format!("{HEAD}{}", standing.iter().map(statement).collect::<String>());
        let Ok(after) = written(&text, &[name("New", goal, scope.clone())]) else { return Ok(()) };
        let seen = |text: &str, language: Language| Place::new("clientName", WIDGET, None, &index_of(text)).seen_by(language);
        for language in Language::ALL {
            let (old, new) = (seen(&text, language), seen(&after, language));
            if !scope.covers(language) {
                prop_assert_eq!(old, new, "{}: {} -> {}", language, text, after);
            } else if goal == Goal::Remove {
                prop_assert_eq!(new, None, "{}: {} -> {}", language, text, after);
            } else if goal == Goal::Drop {
                prop_assert!(new.is_none() || new.as_deref() == Some("\"New\""), "{}: {} -> {}", language, text, after);
            } else {
                prop_assert_eq!(new.as_deref(), Some("\"New\""), "{}: {} -> {}", language, text, after);
            }
        }
        // What is done stays done.
        let again = written(&after, &[name("New", goal, scope)]).unwrap();
        if goal != Goal::Drop {
            prop_assert_eq!(again, after);
        }
    }

    /// The language that the request names has the target or not as wanted, and every other language as before.
    #[test]
    fn target_is_kept_from_the_languages_asked_for_and_from_no_other(
        standing in prop::collection::vec(scope_text(), 0..4),
        scope in wanted_scope(),
        excludes in prop::bool::ANY,
    ) {
        let statement = |scope: &Option<String>| scope.as_ref().map(|scope| format!("@@scope({STATUS}, \"{scope}\");\n"));
        let text = format!("{HEAD}{}", standing.iter().filter_map(statement).collect::<String>());
        let goal = if excludes { Goal::Exclude } else { Goal::Include };
        let Ok(after) = kept(&text, goal, scope.clone()) else { return Ok(()) };
        let keeps = |text: &str, token: &str| Place::new("scope", STATUS, None, &scoped(text)).keeps(token);
        for token in Language::ALL.map(Language::scope_token).into_iter().chain(["rust"]) {
            let covered = Language::from_scope_token(token).is_some_and(|one| scope.covers(one));
            let expected = if covered { !excludes } else { keeps(&text, token) };
            prop_assert_eq!(keeps(&after, token), expected, "{}: {} -> {}", token, text, after);
        }
        prop_assert_eq!(kept(&after, goal, scope).unwrap(), after);
    }

    /// One language alone can always be served.
    #[test]
    fn change_for_one_language_is_never_refused_for_what_others_have(
        standing in prop::collection::vec((scope_text(), "[A-C]"), 0..5),
    ) {
        let statement = |(scope, value): &(Option<String>, String)| match scope {
            Some(scope) => applied(value, scope),
            None => format!("@@clientName({WIDGET}, \"{value}\");\n"),
        };
        let text = format!("{HEAD}{}", standing.iter().map(statement).collect::<String>());
        prop_assert!(written(&text, &[name("New", Goal::Put, python())]).is_ok(), "{}", text);
    }

    #[test]
    fn any_text_is_edited_or_refused_without_a_panic(text in "[@(){}\\[\\]\"`;,/*#\\\\ \nnamespace.é\u{feff}]{0,80}") {
        let _ = written(&text, &[name("New", Goal::Put, python()), name("Widget", Goal::Drop, Scope::All)]);
    }
}
