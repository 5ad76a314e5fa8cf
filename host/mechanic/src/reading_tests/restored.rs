//! Names that things had before a change that the request tells of, and that they shall have again.

use super::*;

fn renamed(request: &str, wanted: &[(&str, &str)]) {
    let read = actions(request);
    assert_eq!(read.len(), wanted.len(), "{request}: {read:#?}");
    for (one, (of, to)) in read.iter().zip(wanted) {
        assert!(renames(one, of, to), "{request}: {read:#?}");
    }
}

fn nothing_is_done(request: &str) {
    let read = actions(request);
    assert!(read.is_empty(), "{request}: {read:#?}");
}

const TOLD: &str = "### Breaking Changes\n\n- Renamed model `HealthReport` to `AnalyzeResult`\n- Renamed enum `Unit` to `LengthUnit`\n\n";

#[test]
fn names_of_before_a_told_change_are_given_back() {
    let both = [(".AnalyzeResult", "HealthReport"), (".LengthUnit", "Unit")];
    renamed(&format!("{TOLD}**Resolution**: Use `@@clientName` to restore the original names."), &both);
    renamed(&format!("{TOLD}Please restore the old names."), &both);
    renamed(
        "- Type of `Widget.status` has been changed from `WidgetState` to `WidgetStatus`\n\nPlease rename it back.",
        &[(".WidgetStatus", "WidgetState")],
    );
    renamed(
        "Restore the property name `shortTitle` on `Widget`, now `displayName`.",
        &[(".Widget.displayName", "shortTitle")],
    );
}

#[test]
fn told_change_that_is_not_to_be_undone_for_certain_is_left() {
    nothing_is_done(TOLD);
    nothing_is_done(&format!("{TOLD}We will not restore the old names."));
    nothing_is_done(&format!("{TOLD}Should we restore the old names?"));
    // One name, and two things that had one.
    nothing_is_done(&format!("{TOLD}Please restore the old name."));
    // What the old name belongs to is there.
    nothing_is_done("- Renamed model `Manufacturer` to `AnalyzeResult`\n\nPlease restore the old name.");
    for behind in [
        "Please restore the CI job, it broke yesterday.",
        "Restore the samples, they got lost with that.",
        "Please get the reviewers back.",
        "Keep the existing name.",
        "Please restore the old names in the changelog.",
        "Java will keep the old names.",
        "A shim restores the old names.",
        "It would be a mistake to restore the old names.",
        "Anna wants to restore the old names, Bert wants the new ones.",
        "Make sure the package name is the same as in the legacy SDK.",
        "Please restore the old names of the folders.",
    ] {
        nothing_is_done(&format!("{TOLD}{behind}"));
    }
    // Said of something else, or in the other direction.
    nothing_is_done("AnalyzeResult was renamed to HealthReport in Java. Please restore the old name.");
    nothing_is_done("AnalyzeResult was proposed to be HealthReport. Please restore the old name.");
    nothing_is_done(
        "- Renamed `ReportA` to `AnalyzeResult`\n- Renamed `ReportB` to `AnalyzeResult`\n\nPlease restore the old names.",
    );
}

#[test]
fn client_gets_the_name_that_is_set_for_it() {
    for text in ["Set the client name to WidgetMgmtClient.", "The client should be called WidgetMgmtClient."] {
        renamed(text, &[("Contoso.WidgetManager", "WidgetMgmtClient")]);
    }
    nothing_is_done("Somebody wanted to set the client name to WidgetMgmtClient.");
}

#[test]
fn pairs_stand_in_one_code_span_or_behind_one_gerund() {
    renamed(
        "- `Widget`: `displayName->title`, `description->summary`",
        &[(".Widget.displayName", "title"), (".Widget.description", "summary")],
    );
    renamed(
        "Renaming `AnalyzeResult` to `HealthReport` and `Manufacturer` to `Producer`.",
        &[(".AnalyzeResult", "HealthReport"), (".Manufacturer", "Producer")],
    );
    nothing_is_done("Renaming `AnalyzeResult` to `HealthReport` broke our samples.");
    renamed("Ln203,231 Rename `AnalyzeResult` to `HealthReport`", &[(".AnalyzeResult", "HealthReport")]);
    nothing_is_done("Renaming AnalyzeResult to HealthReport.\n\nThe pull request in the Java repository did it.");
    renamed("`HealthReport` is enough for `AnalyzeResult`.", &[(".AnalyzeResult", "HealthReport")]);
}

#[test]
fn decorator_for_this_language_is_wished_where_another_one_has_that_name() {
    let text = "Change `@@clientName(AnalyzeResult, \"Report\", \"python\")` to `@@clientName(AnalyzeResult, \"HealthReport\", \"python\")`.";
    renamed(text, &[(".AnalyzeResult", "HealthReport")]);
    nothing_is_done(
        "Change `@@clientName(AnalyzeResult, \"HealthReport\", \"python\")` from `@@clientName(AnalyzeResult, \"Report\", \"python\")`",
    );
}
