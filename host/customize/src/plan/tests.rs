use bailiwick_sdk::tasks::{
    Change, Classification, Directive, EntityKind, ItemVerdict, Language, ManualGuidance, Route, Scope,
};
use serde_json::json;

use super::{EditedFile, Plan, PlanOutcome, PlannedEdit, confirmed};
use crate::machine::EditScope;

fn item(id: &str, route: Route, directives: Vec<Directive>) -> ItemVerdict {
    let guidance = (route == Route::Failure).then(|| words(id));
    ItemVerdict {
        id: id.into(),
        text: format!("piece {id}"),
        route,
        reason: format!("reason {id}"),
        directives,
        guidance,
    }
}

fn words(issue: &str) -> ManualGuidance {
    ManualGuidance { issue: issue.into(), files: Vec::new(), approach: "by hand".into(), reason: "unsure".into() }
}

fn directive(change: Change, scope: Option<Scope>) -> Directive {
    Directive { change, scope, basis: "the words".into() }
}

fn rename(scope: Option<Scope>) -> Directive {
    let (target, name) = ("Service.Color.Red".into(), "Crimson".into());
    directive(Change::Rename { kind: EntityKind::EnumMember, target, name }, scope)
}

fn classified(items: Vec<ItemVerdict>) -> Classification {
    Classification { items, background: vec!["thanks".into()], ..Classification::default() }
}

fn plan(items: Vec<ItemVerdict>, scope: EditScope, edit: &PlannedEdit) -> Plan {
    Plan::new(Language::Python, scope, &classified(items), edit)
}

#[test]
fn every_action_says_what_where_and_on_which_words() {
    let of = |change| directive(change, None);
    let (kind, target) = (EntityKind::Operation, String::from("Service.Group.get"));
    let all = vec![
        rename(None),
        of(Change::Hide { kind, target: target.clone() }),
        of(Change::Show { kind, target: target.clone() }),
        of(Change::Move { kind, target, to: "Service".into() }),
        of(Change::Client {
            name: "SmallClient".into(),
            operations: vec!["Service.Group.get".into()],
            parameters: Vec::new(),
        }),
        of(Change::Repair { files: vec!["azure/_patch.py".into()] }),
    ];
    let plan = plan(vec![item("1", Route::PhaseA, all)], EditScope::All, &PlannedEdit::default());
    assert_eq!(plan.outcome, PlanOutcome::Planned);
    let operation = json!({ "kind": "operation", "target": "Service.Group.get", "basis": "the words" });
    let with = |more: serde_json::Value| {
        let mut whole = operation.clone();
        whole.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        whole
    };
    assert_eq!(
        serde_json::to_value(&plan).unwrap(),
        json!({
            "outcome": "planned",
            "actions": [
                { "action": "rename", "kind": "member", "target": "Service.Color.Red", "name": "Crimson",
                  "basis": "the words" },
                with(json!({ "action": "hide" })),
                with(json!({ "action": "show" })),
                with(json!({ "action": "move", "to": "Service" })),
                { "action": "client", "name": "SmallClient", "operations": ["Service.Group.get"], "basis": "the words" },
                { "action": "repair", "files": ["azure/_patch.py"], "basis": "the words" },
            ],
            "background": ["thanks"],
            "guidance": [],
            "settled": [],
            "diff": "",
            "compiled": false,
        })
    );
}

#[test]
fn scope_is_said_where_it_is_not_the_language_of_the_package_alone() {
    let needed = |scope| {
        let directives = vec![rename(scope)];
        plan(vec![item("1", Route::PhaseA, directives)], EditScope::All, &PlannedEdit::default()).needs_scope
    };
    let said = |scope| {
        let directives = vec![rename(scope)];
        let plan = plan(vec![item("1", Route::PhaseA, directives)], EditScope::All, &PlannedEdit::default());
        plan.actions[0].scope.clone()
    };
    use Language::{Dotnet, Python};
    assert_eq!(said(None), None);
    assert_eq!(said(Some(Scope::Only(vec![Python]))), None);
    assert_eq!(said(Some(Scope::Only(vec![Python, Dotnet]))).as_deref(), Some("python, csharp"));
    assert_eq!(said(Some(Scope::Only(vec![Dotnet]))).as_deref(), Some("csharp"));
    assert_eq!(said(Some(Scope::Except(vec![Dotnet]))).as_deref(), Some("!csharp"));
    assert_eq!(said(Some(Scope::All)).as_deref(), Some("all"));
    assert_eq!(needed(Some(Scope::Only(vec![Python]))), None);
    assert_eq!(needed(Some(Scope::Only(vec![Dotnet]))).as_deref(), Some("python,csharp"));
    assert_eq!(needed(Some(Scope::Except(vec![Dotnet]))).as_deref(), Some("python,java,javascript,go"));
    assert_eq!(needed(Some(Scope::All)).as_deref(), Some("all"));
}

#[test]
fn outcome_follows_from_what_is_left_to_whom() {
    let nothing = PlannedEdit::default();
    let outcome = |routes: &[Route]| {
        let items = routes.iter().enumerate().map(|(number, route)| {
            let directives = if *route == Route::PhaseA { vec![rename(None)] } else { Vec::new() };
            item(&number.to_string(), *route, directives)
        });
        plan(items.collect(), EditScope::All, &nothing).outcome
    };
    assert_eq!(outcome(&[]), PlanOutcome::Nothing);
    assert_eq!(outcome(&[Route::Success]), PlanOutcome::Nothing);
    assert_eq!(outcome(&[Route::Success, Route::Failure]), PlanOutcome::Guidance);
    assert_eq!(outcome(&[Route::Failure, Route::PhaseA]), PlanOutcome::Planned);
}

#[test]
fn item_whose_edit_is_refused_is_for_a_person() {
    let edit = PlannedEdit { refused: vec![("1".into(), words("in the way"))], ..PlannedEdit::default() };
    let items = vec![item("1", Route::PhaseA, vec![rename(None)])];
    let plan = plan(items, EditScope::All, &edit);
    assert_eq!((plan.outcome, plan.actions.len()), (PlanOutcome::Guidance, 0));
    assert_eq!(plan.guidance, [words("in the way")]);
}

#[test]
fn edit_scope_leaves_out_what_it_does_not_allow_and_says_which_does() {
    let repair = directive(Change::Repair { files: Vec::new() }, None);
    let of = |scope| {
        let items = vec![item("1", Route::PhaseA, vec![rename(None), repair.clone()])];
        let plan = plan(items, scope, &PlannedEdit::default());
        let actions: Vec<_> = plan.actions.iter().map(|action| serde_json::to_value(action.action).unwrap()).collect();
        let approaches: Vec<_> = plan.guidance.iter().map(|guidance| guidance.approach.clone()).collect();
        (actions, approaches.join("\n"))
    };
    assert_eq!(of(EditScope::All), (vec![json!("rename"), json!("repair")], String::new()));
    let (actions, approaches) = of(EditScope::SpecInputs);
    assert_eq!(actions, [json!("rename")]);
    assert!(approaches.contains("`CustomCode`"), "{approaches}");
    let (actions, approaches) = of(EditScope::CustomCode);
    assert_eq!(actions, [json!("repair")]);
    assert!(approaches.contains("`SpecInputs`"), "{approaches}");
}

#[test]
fn text_for_people_holds_the_action_its_words_and_the_diff() {
    let file = EditedFile { path: "spec/client.tsp".into(), before: None, after: b"import \"./main.tsp\";\n".to_vec() };
    let edit = PlannedEdit { file: Some(file), ..PlannedEdit::default() };
    let items = vec![
        item("1", Route::PhaseA, vec![rename(Some(Scope::All))]),
        item("2", Route::Failure, Vec::new()),
        item("3", Route::Success, Vec::new()),
    ];
    let text = plan(items, EditScope::All, &edit).format();
    for part in [
        "planned: 1 action to do",
        "  - rename the member `Service.Color.Red` to `Crimson` (all)",
        "because of: the words",
        "settled\n  - reason 3",
        "background\n  - thanks",
        "by hand, 1 of 1\n  issue:    2",
        "which the compiler has not read yet",
        "+import \"./main.tsp\";",
    ] {
        assert!(text.contains(part), "{part}\n---\n{text}");
    }
}

#[test]
fn scope_that_the_caller_allows_is_not_needed_any_more() {
    use Language::{Dotnet, Java, Python};
    let needed = |scope, allowed: &[Language]| {
        let items = vec![item("1", Route::PhaseA, vec![rename(Some(scope))])];
        plan(items, EditScope::All, &PlannedEdit::default()).allowing(Python, allowed).needs_scope
    };
    let both = Scope::Only(vec![Python, Dotnet]);
    assert_eq!(needed(both.clone(), &[]).as_deref(), Some("python,csharp"));
    assert_eq!(needed(both.clone(), &[Java]).as_deref(), Some("python,csharp"));
    assert_eq!(needed(both, &[Dotnet]), None);
    assert_eq!(needed(Scope::All, &[Java, Dotnet]).as_deref(), Some("all"));
    assert_eq!(needed(Scope::All, &Language::ALL), None);
}

#[test]
fn candidates_are_shown_with_their_options_and_are_no_actions() {
    let on = |change| Directive { change, scope: None, basis: "maybe\nso".into() };
    let classification = Classification {
        candidates: vec![
            rename(None),
            on(Change::Hide { kind: EntityKind::Operation, target: "Service.Group.get".into() }),
        ],
        ..classified(vec![item("1", Route::Failure, Vec::new())])
    };
    let plan = Plan::new(Language::Python, EditScope::All, &classification, &PlannedEdit::default());
    assert_eq!((plan.outcome, plan.actions.len(), plan.candidates.len()), (PlanOutcome::Guidance, 0, 2));
    let text = plan.format();
    assert!(text.contains("`--rename Service.Color.Red=Crimson`"), "{text}");
    assert!(text.contains("hide the operation `Service.Group.get`: `--hide Service.Group.get`"), "{text}");
    let list = serde_json::to_value(&plan.candidates).unwrap();
    let read = bailiwick_sdk::tasks::AskedDirective::from_value(list).unwrap();
    assert_eq!(read[1].written, "hide Service.Group.get");
}

#[test]
fn confirmed_candidate_answers_the_item_that_it_rests_on_and_no_other() {
    let confirmable = Directive { basis: "piece 1".into(), ..rename(None) };
    let other = directive(Change::Hide { kind: EntityKind::Operation, target: "Service.Group.get".into() }, None);
    let classification = Classification {
        candidates: vec![other.clone(), confirmable.clone()],
        ..classified(vec![
            item("1", Route::Failure, Vec::new()),
            // It has the words of the first one, and others.
            ItemVerdict { text: "piece 1 and more".into(), ..item("2", Route::Failure, Vec::new()) },
            item("3", Route::PhaseA, vec![rename(None)]),
        ])
    };
    let confirmed = confirmed(&classification, &[1]);
    let routes: Vec<(&str, Route)> = confirmed.items.iter().map(|item| (item.id.as_str(), item.route)).collect();
    assert_eq!(routes, [("2", Route::Failure), ("3", Route::PhaseA), ("confirmed-1", Route::PhaseA)]);
    assert_eq!(confirmed.items[2].directives, [confirmable]);
    assert_eq!(confirmed.candidates, [other]);
}
