//! Phase B, rule by rule, each with an attempt to break it.

use bailiwick_sdk::tasks::Language;

use super::super::{Candidate, Rule, Verdict};
use super::{PatchDifference, PatchLimits, Touched, judge_patch};

const LIMITS: PatchLimits = PatchLimits { lines: 19, files: 4, file_bytes: 100_000, line_characters: 200 };

fn changed(path: &str, before: &str, after: &str) -> Candidate {
    let bytes = |text: &str| Some(text.as_bytes().to_vec());
    Candidate {
        path: path.to_owned(),
        original: bytes(before),
        staged: bytes(before),
        now: bytes(before),
        after: bytes(after),
    }
}

fn lines(range: std::ops::Range<usize>, suffix: &str) -> String {
    range.map(|n| format!("line {n}{suffix}\n")).collect()
}

fn judge(candidates: &[Candidate], earlier: &[Touched]) -> Verdict {
    let files: Vec<String> = (0..9).map(|n| format!("azure/m{n}/_patch.py")).collect();
    judge_patch(&PatchDifference {
        language: Language::Python,
        customization_files: &files,
        candidates,
        earlier,
        limits: LIMITS,
    })
}

fn rules(verdict: &Verdict) -> Vec<Rule> {
    match verdict {
        Verdict::Lands(_) => Vec::new(),
        Verdict::Refused(violations) => violations.iter().map(|one| one.rule).collect(),
    }
}

#[test]
fn nineteen_lines_in_four_files_land() {
    let candidates: Vec<Candidate> = [5, 5, 5, 4]
        .into_iter()
        .enumerate()
        .map(|(n, count)| {
            let path = format!("azure/m{n}/_patch.py");
            changed(&path, &lines(0..30, ""), &(lines(0..count, " new") + &lines(count..30, "")))
        })
        .collect();
    let Verdict::Lands(landings) = judge(&candidates, &[]) else {
        panic!("refused: {:?}", judge(&candidates, &[]));
    };
    assert_eq!(landings.len(), 4);
    assert_eq!(landings[0].expected, candidates[0].staged);
    assert_eq!(Some(&landings[0].content), candidates[0].after.as_ref());
}

#[test]
fn twenty_lines_are_refused_whether_replaced_added_or_removed() {
    let before = lines(0..40, "");
    for after in [
        lines(0..20, " new") + &lines(20..40, ""),
        before.clone() + &lines(40..60, ""),
        lines(20..40, ""),
        lines(0..10, " new") + &lines(10..30, "") + &lines(40..50, ""),
    ] {
        let verdict = judge(&[changed("azure/m0/_patch.py", &before, &after)], &[]);
        assert_eq!(rules(&verdict), [Rule::TooManyLines]);
    }
}

#[test]
fn lines_are_counted_over_all_attempts() {
    let before = lines(0..40, "");
    let first = lines(0..10, " new") + &lines(10..40, "");
    let second = lines(0..20, " new") + &lines(20..40, "");
    // The second attempt changes ten lines more of a file that the first attempt changed by ten.
    let mut candidate = changed("azure/m0/_patch.py", &first, &second);
    candidate.original = Some(before.clone().into_bytes());
    assert_eq!(rules(&judge(&[candidate], &[])), [Rule::TooManyLines]);
    // The same in two files.
    let touched = Touched {
        path: "azure/m1/_patch.py".to_owned(),
        original: Some(before.clone().into_bytes()),
        now: Some(first.clone().into_bytes()),
    };
    let candidate = changed("azure/m0/_patch.py", &before, &first);
    let verdict = judge(std::slice::from_ref(&candidate), std::slice::from_ref(&touched));
    assert_eq!(rules(&verdict), [Rule::TooManyLines]);
    assert_eq!(rules(&judge(&[candidate], &[])), []);
}

#[test]
fn attempt_that_takes_back_an_earlier_one_counts_what_is_left() {
    let before = lines(0..40, "");
    let first = lines(0..15, " new") + &lines(15..40, "");
    let mut candidate = changed("azure/m0/_patch.py", &first, &before);
    candidate.original = Some(before.into_bytes());
    assert!(matches!(judge(&[candidate], &[]), Verdict::Lands(landings) if landings.len() == 1));
}

#[test]
fn five_files_are_refused_over_all_attempts() {
    let touched = |n: usize| Touched {
        path: format!("azure/m{n}/_patch.py"),
        original: Some(b"a\n".to_vec()),
        now: Some(b"b\n".to_vec()),
    };
    let candidate = || changed("azure/m0/_patch.py", "a\n", "b\n");
    let earlier: Vec<Touched> = (1..4).map(touched).collect();
    assert_eq!(rules(&judge(&[candidate()], &earlier)), []);
    let earlier: Vec<Touched> = (1..5).map(touched).collect();
    assert_eq!(rules(&judge(&[candidate()], &earlier)), [Rule::TooManyFiles]);
}

#[test]
fn nothing_lands_in_part() {
    let good = changed("azure/m0/_patch.py", "a\n", "b\n");
    let bad = changed("azure/widget/_client.py", "a\n", "b\n");
    assert_eq!(rules(&judge(&[good, bad], &[])), [Rule::GeneratedCode]);
}

#[test]
fn generated_code_is_refused_even_when_the_list_names_it() {
    for (language, path) in [
        (Language::Python, "azure/widget/models/_models.py"),
        (Language::Java, "src/main/java/com/azure/Widget.java"),
        (Language::Dotnet, "src/Generated/Widget.cs"),
        (Language::Javascript, "src/generated/models.ts"),
        (Language::Go, "zz_client.go"),
    ] {
        let verdict = judge_patch(&PatchDifference {
            language,
            customization_files: &[path.to_owned()],
            candidates: &[changed(path, "a\n", "b\n")],
            earlier: &[],
            limits: LIMITS,
        });
        assert_eq!(rules(&verdict), [Rule::GeneratedCode], "{path}");
    }
}

#[test]
fn customization_files_of_every_language_may_be_changed() {
    for (language, path) in [
        (Language::Python, "azure/widget/_patch.py"),
        (Language::Java, "customization/src/main/java/WidgetCustomization.java"),
        (Language::Dotnet, "src/Custom/Widget.cs"),
        (Language::Javascript, "src/models.ts"),
        (Language::Go, "custom_client.go"),
    ] {
        let verdict = judge_patch(&PatchDifference {
            language,
            customization_files: &[path.to_owned()],
            candidates: &[changed(path, "a\n", "b\n")],
            earlier: &[],
            limits: LIMITS,
        });
        assert_eq!(rules(&verdict), [], "{path}");
    }
}

#[test]
fn customization_file_that_was_not_offered_is_refused() {
    let verdict = judge(&[changed("azure/other/_patch.py", "a\n", "b\n")], &[]);
    assert_eq!(rules(&verdict), [Rule::OutsideEditable]);
}

#[test]
fn file_that_someone_changed_meanwhile_is_refused() {
    let mut candidate = changed("azure/m0/_patch.py", "a\n", "b\n");
    candidate.now = Some(b"edited by hand\n".to_vec());
    assert_eq!(rules(&judge(&[candidate], &[])), [Rule::ChangedSinceStaged]);
}

#[test]
fn removed_file_is_refused() {
    let mut candidate = changed("azure/m0/_patch.py", "a\n", "");
    candidate.after = None;
    assert_eq!(rules(&judge(&[candidate], &[])), [Rule::FileRemoved]);
}

#[test]
fn content_that_is_not_text_is_refused() {
    for (after, rule) in [
        (&b"a\xff\n"[..], Rule::NotText),
        (b"a\0b\n", Rule::NotText),
        (b"a\x1b[2Jb\n", Rule::NotText),
        ("if a:\u{202e} # b\n".as_bytes(), Rule::HiddenCharacters),
        ("a\u{200b} = 1\n".as_bytes(), Rule::HiddenCharacters),
    ] {
        let mut candidate = changed("azure/m0/_patch.py", "a\n", "");
        candidate.after = Some(after.to_vec());
        assert_eq!(rules(&judge(&[candidate], &[])), [rule], "{after:?}");
    }
}

#[test]
fn hidden_character_that_was_there_may_stay() {
    let candidate = changed("azure/m0/_patch.py", "\u{feff}a\n", "\u{feff}b\n");
    assert_eq!(rules(&judge(&[candidate], &[])), []);
}

#[test]
fn oversized_file_is_refused() {
    let after = "x\n".repeat(100_000);
    let candidate = changed("azure/m0/_patch.py", "a\n", &after);
    assert_eq!(rules(&judge(&[candidate], &[])), [Rule::TooLarge]);
}

#[test]
fn many_statements_on_one_line_are_refused() {
    let after = format!("a\n{}\n", "do(); ".repeat(60));
    let candidate = changed("azure/m0/_patch.py", "a\n", &after);
    assert_eq!(rules(&judge(&[candidate], &[])), [Rule::LineTooLong]);
}

#[test]
fn line_that_was_long_may_be_patched() {
    let before = format!("call({})\n", "display_name, ".repeat(40));
    let after = before.replacen("display_name", "title", 3);
    let candidate = changed("azure/m0/_patch.py", &before, &after);
    assert_eq!(rules(&judge(&[candidate], &[])), []);
}

#[test]
fn lines_hidden_behind_other_line_breaks_are_counted() {
    for line_break in ["\r", "\u{c}", "\u{85}"] {
        let after = format!("a\n{}", format!("evil(){line_break}").repeat(20));
        let candidate = changed("azure/m0/_patch.py", "a\n", &after);
        assert_eq!(rules(&judge(&[candidate], &[])), [Rule::TooManyLines], "{line_break:?}");
    }
}

#[test]
fn check_may_not_be_silenced() {
    for silencer in [
        "  # type: ignore",
        "  #type:ignore[attr-defined]",
        "  # NOQA",
        "# mypy: ignore-errors",
        "  # pylint:  disable=no-member",
        "@SuppressWarnings(\"all\")",
        "#pragma warning disable CS0103",
        "// @ts-ignore",
        "/* eslint-disable */",
        "//nolint:all",
        "//go:build ignore",
        "// +build ignore",
    ] {
        let after = format!("value = widget.old{silencer}\n");
        let candidate = changed("azure/m0/_patch.py", "value = widget.old\n", &after);
        assert_eq!(rules(&judge(&[candidate], &[])), [Rule::CheckSilenced], "{silencer}");
    }
}

#[test]
fn go_file_may_not_be_made_a_generated_one_that_the_next_generation_removes() {
    let files = ["summary.go".to_owned()];
    let judged = |after: &str| {
        let candidates = [changed("summary.go", "package w\n\nvar a = Old\n", after)];
        let difference = PatchDifference {
            language: Language::Go,
            customization_files: &files,
            candidates: &candidates,
            earlier: &[],
            limits: LIMITS,
        };
        rules(&judge_patch(&difference))
    };
    assert_eq!(judged("package w\n\nvar a = New\n"), []);
    let header = "// Code generated by an agent. DO NOT EDIT.\npackage w\n\nvar a = New\n";
    assert_eq!(judged(header), [Rule::GeneratedCode]);
}

#[test]
fn go_file_may_not_leave_its_package_and_with_it_the_build() {
    let files = ["summary_helpers.go".to_owned()];
    let judged = |after: &str| {
        let candidates = [changed("summary_helpers.go", "// Helpers.\npackage w\n\nvar a = Old\n", after)];
        let difference = PatchDifference {
            language: Language::Go,
            customization_files: &files,
            candidates: &candidates,
            earlier: &[],
            limits: LIMITS,
        };
        rules(&judge_patch(&difference))
    };
    assert_eq!(judged("package /* the same */ w // still\n\nvar a = New\n"), []);
    for after in [
        "// Helpers.\npackage documentation\n\nvar a = Old\n",
        "// package w\npackage documentation\n\nvar a = Old\n",
        "package/**/w_test\n\nvar a = Old\n",
        "// Helpers.\n",
    ] {
        assert_eq!(judged(after), [Rule::CheckSilenced], "{after}");
    }
}

#[test]
fn silencer_that_was_there_may_stay() {
    let before = "a = w.old  # type: ignore\n";
    let candidate = changed("azure/m0/_patch.py", before, "a = w.new  # type: ignore\n");
    assert_eq!(rules(&judge(&[candidate], &[])), []);
}

#[test]
fn nothing_changed_lands_nothing() {
    assert_eq!(judge(&[], &[]), Verdict::Lands(Vec::new()));
}
