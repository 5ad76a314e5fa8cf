//! A thousand requests and more, made from the sample service by grammar, with an oracle that needs no labels: what is turned
//! round, asked, put off or said of others changes nothing, and of two targets the one that is named is changed.

mod frames;
mod retellings;
mod turns;

use super::sample;
use crate::read::understand;
use bailiwick_sdk::tasks::{Change, Directive, Language, SpecIndex};
use frames::{Asks, FRAMES, Form, SUBJECTS, Subject};
use turns::{CANCELLING, ELSEWHERE, KEEPING, Turns};

/// A clause with what it asks for.
struct Clause {
    text: String,
    form: Form,
    subject: Subject,
}

fn clauses(number: usize) -> Vec<Clause> {
    let of = |&(asks, form, frame): &(Asks, Form, &str)| {
        let subjects = SUBJECTS.iter().filter_map(move |pair| pair.get(number)).filter(move |one| one.asks == asks);
        subjects
            .map(|subject| Clause {
                text: frame.replace("{t}", subject.target).replace("{n}", subject.other),
                form,
                subject: *subject,
            })
            .collect::<Vec<_>>()
    };
    FRAMES.iter().flat_map(of).collect()
}

/// Each clause in each turn of its form, at the start of a sentence with a capital.
fn turned(turns: Turns) -> Vec<(String, Subject)> {
    let mut all = Vec::new();
    for clause in clauses(0) {
        for template in turns.iter().filter(|(form, _)| *form == clause.form).flat_map(|(_, all)| *all) {
            let text = template.replace("{s}", &clause.text);
            let mut characters = text.chars();
            let name = text.starts_with(clause.subject.target) || text.starts_with(clause.subject.other);
            let first = characters.next().filter(|_| !name);
            let text = first.map_or(text.clone(), |first| first.to_uppercase().chain(characters).collect());
            all.push((text, clause.subject));
        }
    }
    all
}

fn actions(text: &str, index: &SpecIndex) -> Vec<Directive> {
    understand(text, Language::Python, index).actions
}

/// Whether a change is the one that a clause asks for.
fn fits(change: &Change, subject: &Subject) -> bool {
    let plain = |text: &str| text.trim_matches('`').to_lowercase().replace('_', "");
    match (change, subject.asks) {
        (Change::Rename { target, name, .. }, Asks::Rename) => {
            target == subject.reference && plain(name) == plain(subject.other)
        }
        (Change::Hide { target, .. }, Asks::Hide) => target == subject.reference,
        (Change::Move { target, to, .. }, Asks::Move) => {
            target == subject.reference && to.rsplit('.').next() == Some(subject.other)
        }
        _ => false,
    }
}

fn covers(directive: &Directive, language: Language) -> bool {
    directive.scope.as_ref().is_none_or(|scope| scope.covers(language))
}

/// Fails with the texts that were read otherwise.
fn none_of(bad: &[String], of: usize) {
    let shown: Vec<&str> = bad.iter().take(400).map(String::as_str).collect();
    assert!(bad.is_empty(), "{} of {of}:\n{}", bad.len(), shown.join("\n"));
}

#[test]
fn clause_that_is_turned_round_asked_put_off_or_told_changes_nothing() {
    let (index, all) = (sample::index(), turned(CANCELLING));
    assert!(all.len() > 1_000, "{}", all.len());
    let bad: Vec<String> =
        all.iter().filter(|(text, _)| !actions(text, &index).is_empty()).map(|(text, _)| format!("{text:?}")).collect();
    none_of(&bad, all.len());
}

#[test]
fn change_that_is_asked_of_another_language_leaves_this_one_as_it_is() {
    let (index, all) = (sample::index(), turned(ELSEWHERE));
    let bad: Vec<String> = all
        .iter()
        .filter(|(text, _)| actions(text, &index).iter().any(|one| covers(one, Language::Python)))
        .map(|(text, _)| format!("{text:?}"))
        .collect();
    none_of(&bad, all.len());
}

#[test]
fn two_of_three_clauses_in_a_turn_that_keeps_them_are_read_and_none_is_misread() {
    let (index, all) = (sample::index(), turned(KEEPING));
    let (mut read, mut bad) = (0, Vec::new());
    for (text, subject) in &all {
        let found = actions(text, &index);
        match found.as_slice() {
            [one] if fits(&one.change, subject) && one.scope.is_none() => read += 1,
            [] => {}
            _ => bad.push(format!("{text:?}: {found:?}")),
        }
    }
    none_of(&bad, all.len());
    assert!(read * 3 >= all.len() * 2, "{read} of {}", all.len());
}

#[test]
fn of_two_targets_the_one_that_is_named_is_changed() {
    let index = sample::index();
    let mut bad = Vec::new();
    for number in [0, 1] {
        for clause in clauses(number).iter().filter(|one| one.form != Form::Gerund) {
            let other = SUBJECTS
                .iter()
                .find(|pair| pair[number].reference == clause.subject.reference)
                .map(|pair| pair[1 - number])
                .unwrap();
            for text in [
                format!("Please note: {}.", clause.text),
                format!("{} is fine. {}.", other.target, clause.text),
                format!("{}. {} is fine.", clause.text, other.target),
                format!("{}, {} stays.", clause.text, other.target),
                format!("Leave {} alone, {}.", other.target, clause.text),
                format!("{} and do not touch {}.", clause.text, other.target),
                format!("{}, unlike {}.", clause.text, other.target),
                format!("I looked at {}. {}.", other.target, clause.text),
                format!("Not {}: {}.", other.target, clause.text),
            ] {
                if actions(&text, &index).iter().any(|one| !fits(&one.change, &clause.subject)) {
                    bad.push(format!("{text:?}: {:?}", actions(&text, &index)));
                }
            }
        }
    }
    none_of(&bad, bad.len());
}

#[test]
fn clause_without_one_of_its_words_asks_for_the_same_or_for_nothing() {
    let index = sample::index();
    let mut bad = Vec::new();
    for clause in clauses(0).iter().chain(&clauses(1)).filter(|one| one.form != Form::Gerund) {
        let words: Vec<&str> = clause.text.split(' ').collect();
        for at in 0..words.len() {
            let left: Vec<&str> =
                words.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, word)| *word).collect();
            let text = format!("Please {}.", left.join(" "));
            let gone = words[at];
            let needed = gone == clause.subject.target || gone == clause.subject.other;
            // Without its negation a sentence says the opposite.
            let turned = gone == "not" || gone == "from" || gone == "remove";
            let wrong = |one: &Directive| !turned && (needed || !fits(&one.change, &clause.subject));
            if actions(&text, &index).iter().any(wrong) {
                bad.push(format!("{text:?}: {:?}", actions(&text, &index)));
            }
        }
    }
    none_of(&bad, bad.len());
}

#[test]
fn what_is_said_of_a_thing_and_not_read_does_not_end_as_nothing() {
    let index = sample::index();
    let mut bad = Vec::new();
    for subject in SUBJECTS.iter().flatten() {
        for said in [
            "Swap the names of {t} and getWidget.",
            "{t} deserves some attention.",
            "{t} feels off.",
            "Back to where it belongs with {t}.",
            "All good apart from {t}.",
            "LGTM except for {t}.",
            "Could somebody look into {t}?",
            "Something better for {t}, please.",
            "{t} confuses everybody.",
            "Whatever you do about {t}, do it soon.",
            "{t}: hm.",
            "Make {t} behave.",
            "Think about {t} again.",
        ] {
            let text = said.replace("{t}", subject.target);
            let read = understand(&text, Language::Python, &index);
            if !read.actions.is_empty() || read.guidance.is_empty() {
                bad.push(format!("{text:?}: {read:?}"));
            }
        }
    }
    none_of(&bad, bad.len());
}

#[test]
fn what_is_asked_of_a_list_is_read_item_by_item() {
    let index = sample::index();
    let all = clauses(0);
    let mut bad = Vec::new();
    for (at, clause) in all.iter().enumerate().filter(|(_, one)| one.form != Form::Gerund) {
        let next = &all[(at + 7) % all.len()];
        if next.form == Form::Gerund || next.subject.reference == clause.subject.reference {
            continue;
        }
        for text in [
            format!("- {}\n- do not {}", clause.text, next.text),
            format!("- {} (rejected)\n- {}", next.text, clause.text),
            format!("Agreed:\n- {}\n\nRejected:\n- {}", clause.text, next.text),
        ] {
            if actions(&text, &index).iter().any(|one| !fits(&one.change, &clause.subject)) {
                bad.push(format!("{text:?}: {:?}", actions(&text, &index)));
            }
        }
    }
    none_of(&bad, bad.len());
}

/// Renames of a reading, as pairs of the last part of the target and the name.
fn renamed(text: &str) -> Vec<(String, String)> {
    let last = |text: &str| text.rsplit('.').next().unwrap_or_default().to_owned();
    let pair = |one: Directive| match one.change {
        Change::Rename { target, name, .. } => Some((last(&target), name)),
        _ => None,
    };
    actions(text, &sample::index()).into_iter().filter_map(pair).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|&(target, name)| (target.to_owned(), name.to_owned())).collect()
}

#[test]
fn names_of_two_lists_belong_together_in_their_order_or_not_at_all() {
    let all = [("AnalyzeResult", "HealthReport"), ("Manufacturer", "Producer")];
    let lists = |new: &str, old: &str| format!("Please use {new} instead of {old}.");
    assert_eq!(renamed(&lists("HealthReport and Producer", "AnalyzeResult and Manufacturer")), pairs(&all));
    assert_eq!(renamed(&lists("HealthReport, Producer", "AnalyzeResult")), pairs(&[]));
}

#[test]
fn path_that_leads_to_nothing_of_the_service_is_not_a_name_of_a_property() {
    for subject in ["Widget.description", "`Widget.status`", "`Part.displayName`"] {
        for name in ["System.Address", "`other.library.address`", "Net.Mime.Kind"] {
            let text = format!("{subject} should be {name}.");
            assert_eq!(renamed(&text), pairs(&[]), "{text}");
        }
    }
}

#[test]
fn conditional_that_does_not_hold_changes_nothing() {
    for frame in ["would be `caption`", "would be called `caption`", "would read `caption`"] {
        for unreal in ["if it were for me", "if we were not so late", "if I had the say"] {
            let text = format!("`Widget.displayName` {frame} {unreal}.");
            assert_eq!(renamed(&text), pairs(&[]), "{text}");
        }
    }
}

#[test]
fn table_with_leaders_is_read_row_by_row() {
    let text =
        "class Widget:\n\ndescription ....... summary_text\nstatus ............ ok\nhealth_score ...... wear_level\n";
    assert_eq!(renamed(text), pairs(&[("description", "summaryText"), ("healthScore", "wearLevel")]));
}

#[test]
fn example_of_a_call_moves_what_stands_at_another_path() {
    let text = "Today: client.widgets.list_widgets()\nWanted: client.list_all_widgets()\n";
    let found = actions(text, &sample::index());
    assert!(
        found.iter().any(|one| matches!(&one.change, Change::Move { to, .. } if to == "Contoso.WidgetManager")),
        "{found:?}"
    );
    assert_eq!(renamed(text).len(), 1, "{found:?}");
}

#[test]
fn what_stands_above_or_below_a_paragraph_holds_all_of_it() {
    let index = sample::index();
    let mut bad = Vec::new();
    for clause in clauses(0).iter().filter(|one| one.form != Form::Gerund) {
        let said = format!("Good morning all. Please note: {}.", clause.text);
        for frame in [
            "Out of scope: {s}",
            "If the board agrees: {s}",
            "For the REST API: {s}",
            "In v3: {s}",
            "Status: rejected\n\n{s}",
            "Resolution: duplicate\n{s}",
            "{s}\n\n-1",
            "What do you think of this? {s}",
            "\"{s}\" is what Ben suggested.",
        ] {
            let text = frame.replace("{s}", &said);
            if !actions(&text, &index).is_empty() {
                bad.push(format!("{text:?}"));
            }
        }
    }
    none_of(&bad, bad.len());
}

#[test]
fn a_diff_renames_where_nothing_beside_it_speaks_against_it() {
    let diff = "```diff\n-public partial class AnalyzeResult\n+public partial class HealthReport\n```\n";
    let all = [("AnalyzeResult", "HealthReport")];
    assert_eq!(renamed(diff), pairs(&all));
    assert_eq!(renamed(&format!("I would expect\n\n{diff}")), pairs(&all));
    assert_eq!(renamed(diff.trim_start_matches("```diff\n").trim_end_matches("```\n")), pairs(&all));
    for told in ["This is what the regeneration made of it.", "Please do not do this.", "Why did this happen?"] {
        assert_eq!(renamed(&format!("{diff}\n{told}")), pairs(&[]), "{told}");
    }
    // More than a name differs, or one line has no partner.
    assert_eq!(renamed("```diff\n-class Widget(Model):\n+class Widget(Base, Model):\n```"), pairs(&[]));
    assert_eq!(renamed("```diff\n+class Gadget(Model):\n```"), pairs(&[]));
}

#[test]
fn an_ending_is_exchanged_in_all_names_that_are_listed_or_in_none() {
    let all = [("AnalyzeResult", "AnalyzeReport")];
    let of = |text: &str| renamed(text);
    assert_eq!(of("Replace the suffix Result by Report in AnalyzeResult."), pairs(&[]), "one name is no pattern");
    assert_eq!(of("Rename the three *Result models to *Report."), pairs(&[]), "there are not three");
    assert_eq!(of("`AnalyzeResult` -> `AnalyzeReport`"), pairs(&all));
}

#[test]
fn items_in_one_line_are_read_one_by_one() {
    let text = "Two things: 1) AnalyzeResult -> HealthReport 2) Manufacturer -> Producer";
    assert_eq!(renamed(text), pairs(&[("AnalyzeResult", "HealthReport"), ("Manufacturer", "Producer")]));
    assert_eq!(renamed("1) do not rename AnalyzeResult to HealthReport 2) leave Manufacturer alone"), pairs(&[]));
}

#[test]
fn items_below_a_wish_to_hide_are_hidden_where_they_are_names_alone() {
    let index = sample::index();
    let hidden = |text: &str| actions(text, &index).len();
    assert_eq!(hidden("The following should be internal:\n- delete_widget\n- deletePart\n"), 2);
    for above in ["Should these be hidden:", "These stay public:", "We discussed hiding these:", "Internal in Java:"] {
        assert_eq!(hidden(&format!("{above}\n- delete_widget\n")), 0, "{above}");
    }
}

#[test]
fn a_noun_in_front_of_an_unknown_name_is_never_dropped() {
    for text in ["argument xyz of deleteWidget -> widget_name", "deleteWidget: its argument xyz -> widget_name"] {
        assert_eq!(renamed(text), pairs(&[]), "{text}");
    }
}
