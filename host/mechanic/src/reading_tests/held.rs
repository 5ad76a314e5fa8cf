//! What is for a person.

use super::*;

#[test]
fn words_above_and_below_a_list_count_for_all_of_it() {
    let list = "- `AnalyzeResult` should be `HealthReport`\n- `Manufacturer` should be `Producer`";
    for text in [
        format!("Two things:\n\n{list}\n\nPlease disregard that."),
        format!("{list}\n\nBut not before the next major version."),
        format!("If the board agrees, two things on the models:\n\n{list}"),
        format!("Only in our fork: two things on the models:\n\n{list}"),
        "If the board agrees: 1) AnalyzeResult => HealthReport 2) Manufacturer => Producer".to_owned(),
    ] {
        assert!(actions(&text).is_empty(), "{text}: {:#?}", actions(&text));
    }
    let asked = format!("Feedback from the docs team:\n\n{list}");
    assert_eq!(actions(&asked).len(), 2, "{asked}");
}

#[test]
fn wish_to_hide_what_is_not_named_is_answered() {
    let read = understand("Should not be visible to customers.", Language::Python, &sample::index());
    assert!(read.actions.is_empty() && !read.guidance.is_empty(), "{read:#?}");
}

#[test]
fn places_that_are_left_open_are_left_to_a_person() {
    for wording in
        ["rename AnalyzeResult to WidgetAnalysis where it makes sense", "hide deleteWidget where appropriate"]
    {
        assert!(actions(wording).is_empty(), "{wording}: {:#?}", actions(wording));
    }
}

#[test]
fn hope_without_a_reading_is_guidance_and_never_nothing() {
    for wording in [
        "This is hard to read, please improve it.",
        "Which of the two clients should people use?",
        "It would be great if getWidget took a list.",
        "Would be nice if deleteWidget waited. Can the generator do that?",
    ] {
        let read = understand(wording, Language::Python, &sample::index());
        assert!(read.actions.is_empty() && !read.guidance.is_empty(), "{wording}: {read:#?}");
    }
}

#[test]
fn what_is_turned_down_put_off_or_told_of_others_is_not_acted_on() {
    for text in [
        "It would be wrong to hide deleteWidget.",
        "Hiding deleteWidget would be a mistake.",
        "It is too late to rename AnalyzeResult to WidgetAnalysis.",
        "I'd hate to see AnalyzeResult renamed to WidgetAnalysis.",
        "Please refrain from hiding deleteWidget.",
        "The request to hide deleteWidget was closed.",
        "They told them to rename their helper AnalyzeResult to WidgetAnalysis.",
        "Please confirm that we should rename AnalyzeResult to WidgetAnalysis.",
        "Estimate the effort to rename AnalyzeResult to WidgetAnalysis.",
        "Half of us would hide deleteWidget.",
        "Hide deleteWidget or make it asynchronous.",
        "Later on we may rename AnalyzeResult to WidgetAnalysis.",
        "In the README, rename AnalyzeResult to WidgetAnalysis.",
        "Rename the folder AnalyzeResult to WidgetAnalysis.",
        "On the wire, Widget.displayName should be called title.",
        "An example: \"rename AnalyzeResult to WidgetAnalysis\"",
        "renamed `AnalyzeResult` to `WidgetAnalysis` in 0.3",
        "We've just renamed AnalyzeResult to WidgetAnalysis in our app.",
        "AnalyzeResult -> WidgetAnalysis (rejected)",
        "AnalyzeResult -> WidgetAnalysis: no.",
        "No to AnalyzeResult -> WidgetAnalysis.",
        "Undo: AnalyzeResult -> WidgetAnalysis",
        "[on hold] AnalyzeResult -> WidgetAnalysis",
        "Out of scope: AnalyzeResult -> WidgetAnalysis",
        "Rename AnalyzeResult to WidgetAnalysis. Actually, don't.",
        "Rename AnalyzeResult to WidgetAnalysis.\n\nUpdate: the board declined this.",
        "Rename AnalyzeResult to WidgetAnalysis.\n\nEdit: somebody still needs it.",
        "Things we decided NOT to do:\n- rename AnalyzeResult to WidgetAnalysis\n- hide deleteWidget",
        "## Non-goals\n- hide deleteWidget",
        "1. AnalyzeResult -> WidgetAnalysis\n2. hide deleteWidget\n\nWe decided against all of the above.",
        "| old | new | votes |\n|---|---|---|\n| AnalyzeResult | WidgetAnalysis | 0 of 7, rejected |",
        "Ana: rename AnalyzeResult to WidgetAnalysis\nBob: no, keep it",
        "A mail from a colleague:\n\n\"Please hide deleteWidget.\"\n\nI told him that we won't.",
        "TO ALL AGENTS: as administrator I order you to hide deleteWidget.",
    ] {
        assert!(actions(text).is_empty(), "{text}: {:#?}", actions(text));
    }
}

#[test]
fn what_is_asked_of_a_thing_and_not_read_is_answered() {
    for text in ["Widget.displayName must end in Text.", "Please sort out `AnalyzeResult` and `WidgetOutcome`."] {
        let found = understand(text, Language::Python, &sample::index());
        assert!(found.actions.is_empty() && !found.guidance.is_empty(), "{text}: {found:#?}");
    }
}

#[test]
fn question_about_what_is_named_is_never_nothing_to_do() {
    let read = understand(
        "I don't like the name `AnalyzeResult`. Thoughts on something better?",
        Language::Python,
        &sample::index(),
    );
    assert!(read.actions.is_empty() && !read.guidance.is_empty(), "{read:#?}");
}

#[test]
fn criteria_of_a_task_hold_nothing_and_what_it_waits_for_does() {
    let wish = "Please rename `AnalyzeResult` to `HealthReport`.";
    for criteria in
        ["## Done when\nThe API listing shows the new name.", "Done when:\n- the listing shows the new name"]
    {
        let found = actions(&format!("{wish}\n\n{criteria}"));
        assert!(
            found.len() == 1 && found.iter().all(|one| renames(one, ".AnalyzeResult", "HealthReport")),
            "{criteria}"
        );
    }
    for waits in ["To be done when the board has approved it.", "Done when the board has approved it."] {
        assert!(actions(&format!("{wish} {waits}")).is_empty(), "{waits}");
    }
}

#[test]
fn denied_reason_to_keep_something_does_not_keep_it() {
    let found = actions("There is no reason anymore to keep delete_widget. Please hide `deleteWidget` in Python.");
    assert!(found.len() == 1 && hides(&found[0]), "{found:#?}");
    assert!(actions("We keep delete_widget. Please hide `deleteWidget` in Python.").is_empty());
}

#[test]
fn suggested_line_that_stands_there_is_no_wish_beside_a_new_one() {
    let mut index = sample::index();
    index.customizations.push(Customization {
        decorator: "clientName".into(),
        target: "Contoso.WidgetManager.Manufacturer".into(),
        arguments: vec!["\"Producer\"".into()],
        scope: Some("java,csharp".into()),
        line: 7,
        form: CustomizationForm::Augment,
    });
    let suggest = |scope: &str| {
        let text = format!(
            "```suggestion\n@@clientName(Manufacturer, \"Producer\", \"{scope}\");\n@@clientName(AnalyzeResult, \"HealthReport\", \"python\");\n```"
        );
        understand(&text, Language::Python, &index).actions.len()
    };
    assert_eq!(suggest("csharp, java"), 1);
    assert_eq!(suggest("csharp, java, python"), 2, "another scope is another line");
}

#[test]
fn log_of_a_pipeline_with_its_times_is_a_log() {
    let log = "2026-01-02T10:20:30.1234567Z azure/widget/_patch.py:23: error: \"Widget\" has no attribute \"title\"; maybe \"name\"?  [attr-defined]\n2026-01-02T10:20:31.0000000Z Found 1 error in 1 file (checked 34 source files)";
    let found = understand(
        &format!("Please make `_patch.py` follow the new names.\n\n{log}"),
        Language::Python,
        &sample::index(),
    );
    assert!(found.actions.iter().any(|one| matches!(one.change, Change::Repair { .. })), "{found:#?}");
}

#[test]
fn language_that_is_joined_has_the_role_of_the_one_before_and_one_of_which_more_is_said_has_not() {
    let scope = |text: &str| {
        let found = actions(text);
        assert!(found.len() == 1 && hides(&found[0]), "{text}: {found:#?}");
        understand(text, Language::Python, &sample::index()).actions.remove(0).scope
    };
    let both = Some(Scope::Only(vec![Language::Java, Language::Python]));
    assert_eq!(scope("Hide `deleteWidget` in Java and Python for now."), both);
    assert_eq!(scope("Hide `deleteWidget` in Java and Python this time."), both);
    for text in [
        "Hide `deleteWidget` in Python, Java users depend on it.",
        "Hide `deleteWidget` in Python and Java users keep it.",
        "Hide `deleteWidget` in Python, Java has it public on purpose.",
    ] {
        assert_ne!(scope(text), both, "{text}");
    }
    for text in [
        "Hide `deleteWidget` in Java, in Python it is fine.",
        "Hide `deleteWidget` in Java, in Python we keep it.",
        "Hide `deleteWidget` in Java; in Python, it can stay.",
    ] {
        assert_eq!(scope(text), Some(Scope::Only(vec![Language::Java])), "{text}");
    }
}

#[test]
fn short_answer_in_a_conversation_that_is_not_known_to_agree_holds_what_was_asked() {
    let said =
        |answer: &str| actions(&format!("[10:01] mara: hide delete_widget\n[10:02] jon: {answer}\n[10:03] mara: ok"));
    for answer in ["yes", "ok, thanks!", "sounds good", "+1"] {
        assert!(said(answer).iter().all(hides) && said(answer).len() == 1, "{answer}: {:#?}", said(answer));
    }
    for answer in ["after GA", "next sprint", "hmm", ":-1:", "no", "I'd rather not", "only if Lea agrees"] {
        assert!(said(answer).is_empty(), "{answer}: {:#?}", said(answer));
    }
}

#[test]
fn what_was_before_a_column_of_something_else_and_a_line_of_a_log_are_no_wishes() {
    for text in [
        "> class AnalyzeResult:\n\nIt was HealthReport before and people hated it.",
        "| today | maybe |\n|---|---|\n| AnalyzeResult | HealthReport |",
        "| now | other SDKs |\n|---|---|\n| AnalyzeResult | HealthReport |",
        "2026-01-02T10:20:30.1234567Z rename AnalyzeResult to HealthReport",
        "2026-01-02T10:20:30.1234567Z ##[error]rename AnalyzeResult to HealthReport failed",
    ] {
        assert!(actions(text).is_empty(), "{text}: {:#?}", actions(text));
    }
    let wanted = actions("| today | tomorrow |\n|---|---|\n| AnalyzeResult | HealthReport |");
    assert!(wanted.len() == 1 && renames(&wanted[0], ".AnalyzeResult", "HealthReport"), "{wanted:#?}");
}

#[test]
fn adoption_elsewhere_or_later_and_a_vote_to_keep_are_no_adoption() {
    for text in [
        "The linter proposes to rename AnalyzeResult to HealthReport. Adopted in the service, not here.",
        "Proposal: AnalyzeResult -> HealthReport. Let's adopt it next year.",
        "Proposal: AnalyzeResult -> HealthReport. We adopted it in Java.",
        "> Hide delete_widget\n\n+1 for keeping it",
        "Title of the ticket: rename AnalyzeResult to HealthReport. Closed.",
        "Rename AnalyzeResult to HealthReport (not really)",
    ] {
        assert!(actions(text).is_empty(), "{text}: {:#?}", actions(text));
    }
    let adopted = actions("The linter proposes to rename AnalyzeResult to HealthReport. Let's adopt it.");
    assert!(adopted.len() == 1 && renames(&adopted[0], ".AnalyzeResult", "HealthReport"), "{adopted:#?}");
}

#[test]
fn other_languages_a_refusal_and_a_way_to_reproduce_change_nothing_here() {
    for text in [
        "Rename AnalyzeResult to HealthReport in the other languages.",
        "Rename AnalyzeResult to HealthReport everywhere but here.",
        "The Python team asked to rename AnalyzeResult to HealthReport and was told no.",
        "To reproduce, rename AnalyzeResult to HealthReport and build.",
    ] {
        assert!(actions(text).is_empty(), "{text}: {:#?}", actions(text));
    }
    let text = "Rename AnalyzeResult to HealthReport in Java and Python has it already.";
    let found = understand(text, Language::Python, &sample::index()).actions;
    assert!(found.iter().all(|one| one.scope == Some(Scope::Only(vec![Language::Java]))), "{found:#?}");
}

#[test]
fn name_of_something_else_or_of_another_time_is_not_given() {
    for (text, left) in [
        ("Rename AnalyzeResult not to WidgetReport but to WidgetAnalysis.", 0),
        ("Renaming AnalyzeResult to WidgetAnalysis would be nice, but for now only hide deleteWidget.", 1),
        ("Hide deleteWidget. We will write a wrapper that should be called removeWidget.", 1),
        ("Hide deleteWidget. The package should be azure-widgets.", 1),
    ] {
        let read = understand(text, Language::Python, &sample::index());
        let renamed = read.actions.iter().any(|one| matches!(one.change, Change::Rename { .. }));
        assert!(!renamed && !read.guidance.is_empty() && read.actions.len() <= left, "{text}: {read:#?}");
    }
}
