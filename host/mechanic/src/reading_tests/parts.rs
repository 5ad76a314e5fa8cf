//! Names of which a part changes.

use super::*;

#[test]
fn part_that_is_taken_away_put_in_front_or_written_out_makes_the_name() {
    for (wording, of, to) in [
        ("Drop the `Result` suffix of `AnalyzeResult`.", ".AnalyzeResult", "Analyze"),
        ("Can we get rid of the Result suffix in AnalyzeResult?", ".AnalyzeResult", "Analyze"),
        ("Please remove the `display` prefix from `Widget.displayName`.", ".Widget.displayName", "name"),
        ("Add the Plant prefix to Manufacturer.", ".Manufacturer", "PlantManufacturer"),
        ("interface AnalyzeResult: Result → Resultset", ".AnalyzeResult", "AnalyzeResultset"),
    ] {
        let found = actions(wording);
        assert!(found.iter().all(|one| renames(one, of, to)), "{wording}: {found:#?}");
        assert!(found.len() == 1 || of == ".Widget.displayName", "{wording}: {found:#?}");
    }
}

#[test]
fn part_that_stays_is_asked_about_or_belongs_elsewhere_changes_nothing() {
    for wording in [
        "Don't drop the `Result` suffix of `AnalyzeResult`.",
        "Should we drop the `Result` suffix of `AnalyzeResult`?",
        "If the others agree, drop the `Result` suffix of `AnalyzeResult`.",
        "We dropped the `Result` suffix of `AnalyzeResult` in the prototype.",
        ".NET will drop the Result suffix of AnalyzeResult.",
        "It would break people to drop the `Result` suffix of `AnalyzeResult`.",
        "Remove the suffix Result from AnalyzeResult in the samples.",
        "Drop the `Report` suffix of `AnalyzeResult`.",
        "Before we add the Plant prefix to Manufacturer, ask Mei.",
        "Add the prefix Plant to the messages of Manufacturer.",
        "Put the Plant prefix of Manufacturer up for discussion.",
        "Add the Plant prefix to Manufacturer (PlantOwner).",
        "Drop the `Result` suffix of `AnalyzeResult`, `Analysis` says it all.",
        "AnalyzeResult should not be called ...Report.",
    ] {
        let found = actions(wording);
        assert!(found.is_empty(), "{wording}: {found:#?}");
    }
}
