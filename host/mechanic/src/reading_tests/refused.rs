//! Wishes that are refused, told or proposed by others, and wishes of which a part has no reading.

use super::*;
use crate::read::Understood;

fn read(request: &str) -> Understood {
    understand(request, Language::Python, &sample::index())
}

#[test]
fn verdict_in_a_sentence_of_its_own_holds_what_stands_before_it() {
    for verdict in [
        "On second thought, let's leave both.",
        "That would break too much.",
        "I reverted it yesterday.",
        "This is nonsense, if you ask me.",
        "Good point. Then let it be.",
        "I'd rather not.",
        "It is by design.",
        "Too risky for this release.",
    ] {
        let request = format!("Rename the model Widget to Gadget. {verdict}");
        assert_eq!(read(&request).actions, [], "{request}");
    }
    for reason in [
        "Gadget is what the portal says.",
        "The rest stays as it is.",
        "It would be Gadget in Java, too, so let it be that here.",
    ] {
        let request = format!("Rename the model Widget to Gadget. {reason}");
        assert_eq!(read(&request).actions.len(), 1, "{request}");
    }
}

#[test]
fn field_that_decides_and_does_not_agree_holds_the_form() {
    for field in [
        "Approved by: -",
        "Board: nay",
        "Decided by the board: no change",
        "Approvers: Ana (pending)",
        "Triage: won't do",
    ] {
        for request in [
            format!("Change: rename Widget to Gadget\nRequested by: Ana\n{field}\n"),
            format!("{field}\nChange: rename Widget to Gadget\n"),
        ] {
            assert_eq!(read(&request).actions, [], "{request}");
        }
    }
    let agreed = "Change: rename Widget to Gadget\nApproved by: Ana\n";
    assert_eq!(read(agreed).actions.len(), 1);
}

#[test]
fn refusal_behind_the_wish_holds_it() {
    for request in [
        "Widget -> Gadget ❌",
        "Widget -> Gadget: +2 / -5",
        "rename Widget to Gadget - moved to the next sprint",
        "Proposal withdrawn by its author\n  Widget -> Gadget",
    ] {
        assert_eq!(read(request).actions, [], "{request}");
    }
    assert_eq!(read("Widget -> Gadget ✅").actions.len(), 1);
}

#[test]
fn wish_between_quotation_marks_or_of_a_tool_is_no_order() {
    for request in [
        "Feedback of a partner: \"please rename Widget to Gadget\". It was turned down.",
        "The sentence \"Widget should be Gadget\" in the notes is a left-over.",
        "The bot wants me to rename Widget to Gadget.",
        "Sonar's view: `Widget` should be `Gadget`.",
    ] {
        assert_eq!(read(request).actions, [], "{request}");
    }
    let named = "The guide calls it \"a thing that is made\". Rename Widget to Gadget.";
    assert_eq!(read(named).actions.len(), 1);
}

#[test]
fn second_wish_without_a_reading_is_guidance_beside_the_first() {
    for request in [
        "Rename Widget to Gadget and make it optional",
        "Rename Widget to Gadget, flatten its properties",
        "Rename Widget to Gadget and remove the property description",
        "Rename Widget to Gadget, keep Widget as a deprecated alias",
        "Rename Widget to Gadget. Also do this for Part.",
        "Rename Widget to Gadget. Delete Part.",
        "Rename Widget to Gadget. AnalyzeResult needs this as well.",
    ] {
        let found = read(request);
        assert_eq!((found.actions.len(), found.guidance.is_empty()), (1, false), "{request}: {found:#?}");
    }
    for request in [
        "Please rename Widget to Gadget and rename AnalyzeResult to Report.",
        "Move Widgets.deleteWidget to Parts and make it internal",
        "Hide Widgets.deleteWidget, and move it to Parts",
        "Rename Widgets.deleteWidget to removeWidget and move it to Parts",
    ] {
        let both = read(request);
        assert_eq!((both.actions.len(), both.guidance.len()), (2, 0), "{request}: {both:#?}");
    }
}

#[test]
fn language_that_is_named_for_the_change_wins_over_everywhere() {
    let scope = |request: &str| read(request).actions.first().and_then(|one| one.scope.clone());
    for request in [
        "We use Gadget everywhere else, so rename Widget to Gadget in Java",
        "Java: Widget -> Gadget (all SDKs share this problem)",
    ] {
        assert_eq!(scope(request), Some(Scope::Only(vec![Language::Java])), "{request}");
    }
    assert_eq!(scope("Rename Widget to Gadget in Java and everywhere else"), Some(Scope::All));
    assert_eq!(scope("Rename Widget to Gadget in all languages"), Some(Scope::All));
}

#[test]
fn names_that_code_exchanges_are_renamed() {
    for request in [
        "// today\nmodels.Widget(description=text)\n\n// what I'd like to write\nmodels.Gadget(purpose=text)\n",
        "now:\n\n```python\nx = 1\nclient.send(Widget(description=\"a\"))\n```\n\nwanted:\n\n```python\nx = 1\nclient.send(Gadget(purpose=\"a\"))\n```\n",
    ] {
        let found: Vec<Change> = actions(request);
        assert_eq!(found.len(), 2, "{request}: {found:#?}");
        assert!(
            renames(&found[0], "Widget", "Gadget") && renames(&found[1], "Widget.description", "purpose"),
            "{found:#?}"
        );
    }
    let variable = "// today\nwidget = client.widgets.delete_widget(x)\n\n// what I'd like to write\nresult = client.widgets.remove_widget(x)\n";
    assert_eq!(actions(variable), []);
}

#[test]
fn values_of_today_comparisons_and_hearsay_are_no_renames() {
    for request in [
        "WidgetStatus.Retired = \"retired\"",
        "think about Widget vs. Gadget",
        "Widget should be Gadget according to the intern, and to me it is fine.",
        "I'd rename Widget to Gadget. The others wouldn't.",
        "Heard that Widget becomes Gadget. Is that official?",
        "Ticket 12 - state: closed - resolution: won't do\nTitle: rename Widget to Gadget",
    ] {
        assert_eq!(read(request).actions, [], "{request}");
    }
}

#[test]
fn what_is_in_or_at_the_thing_is_not_the_thing() {
    for request in ["q of deleteWidget should be searchText", "Endpoint on the widget ought to be ListenAddress."] {
        assert_eq!(read(request).actions, [], "{request}");
    }
    let reply = "nit: Widget -> Gadget\n  ana: won't do, Part is called so, too";
    assert_eq!(read(reply).actions, []);
}

#[test]
fn what_a_sentence_says_of_a_thing_is_the_reason_for_the_wish_in_the_next_one() {
    for request in [
        "displayName of Widget should not carry Name in it. Please rename it to `title`.",
        "The model Widget must be told from the one of the portal. Call it Gadget.",
        "Product wants deleteWidget kept away from customers. Please make it internal.",
    ] {
        assert_eq!(read(request).actions.len(), 1, "{request}");
    }
    for request in [
        "Please rename the model Widget to Gadget. Widget should be looked at by Ana.",
        "Widget should be looked at by Ana. The tests are red. Please rename the model Widget to Gadget.",
        "Keep Widget as it is. Rename Widget to Gadget.",
        "We need to do something about deleteWidget. Internal, renamed, moved: ideas welcome.",
    ] {
        assert_eq!(read(request).actions, [], "{request}");
    }
}
