//! Text that is nested without end, and text that would cost more than it is long.

use super::super::{Rule, Verdict};
use super::tests::{candidate, index, rules};
use super::unreadable::DEEPEST;
use super::{TypespecDifference, judge_typespec};
use bailiwick_sdk::tasks::{Language, Scope};

/// Less than any thread of the host has: a test's has 2 MiB and optimised code needs less for each call.
const SMALL: usize = 512 * 1024;

fn judged(before: &str, after: &str) -> Verdict {
    let (before, after) = (before.to_owned(), after.to_owned());
    let judge = move || judge_large(&before, &after);
    let thread = std::thread::Builder::new().stack_size(SMALL).spawn(judge).expect("a thread");
    thread.join().expect("a verdict")
}

fn judge_large(before: &str, after: &str) -> Verdict {
    judge_typespec(&TypespecDifference {
        client_file: "client.tsp",
        language: Language::Python,
        permitted: &Scope::Only(vec![Language::Python]),
        granted: &[],
        candidates: &[candidate(before, after)],
        index_before: &index(),
        index_after: None,
        file_bytes: 1 << 20,
    })
}

/// Every way in which TypeSpec nests: what it begins with, what opens a level and what closes it.
const NESTED: &[(&str, &str, &str)] = &[
    ("", "\"${", "}\""),
    ("", "\"\"\"${", "}\n\"\"\""),
    ("#suppress ", "\"${", "}\""),
    ("", "namespace a{", "}"),
    ("", "@d namespace a{", "}"),
    ("@@a", "(b", ")"),
    ("@a", "(b", ")"),
    ("@@a(#{b: ", "\"${", "}\""),
    ("interface a {@b", "(b", ")"),
    ("interface a ", "{op b(c: ", ")}"),
    ("op a", "(b: {b", "})"),
    ("model a ", "{b: ", "}"),
    ("model a", "<b", ">"),
    ("union a ", "{b: ", "}"),
    ("enum a ", "{b: ", "}"),
    ("scalar a", "(b", ")"),
    ("const a = ", "#{b: ", "}"),
    ("const a = ", "#[", "]"),
    ("alias a = b", "[c", "]"),
    ("alias a = ", "[", "]"),
    ("alias a = b", "<b", ">"),
    ("alias a = ", "(", ")"),
    ("using ", "(", ")"),
    ("import ", "\"${", "}\""),
];

fn said(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Refused(violations) => &violations[0].message,
        Verdict::Lands(_) => "it lands",
    }
}

#[test]
fn text_that_is_nested_without_end_is_refused_with_its_line_and_the_process_lives() {
    for (begin, open, close) in NESTED {
        let times = 60_000 / open.len();
        let opened = format!("{begin}{}", open.repeat(times));
        for text in [format!("{opened}{}", close.repeat(times)), opened] {
            let verdict = judged("", &format!("\n\n{text}"));
            assert_eq!(rules(&verdict), [Rule::NestedTooDeeply], "{begin}{open}: {}", said(&verdict));
            let told = said(&verdict);
            assert!(told.starts_with("line 3: ") && told.contains("nested more than 64 levels deep"), "{told}");
            // A repository's own file can be such a one as well.
            let verdict = judged(&text, "");
            assert_eq!(rules(&verdict), [Rule::NestedTooDeeply], "{begin}{open}");
            assert!(said(&verdict).contains("unreadable before"), "{}", said(&verdict));
        }
    }
}

#[test]
fn directives_in_directives_are_unreadable_however_many_there_are() {
    assert_eq!(rules(&judged("", &"# ".repeat(30_000))), [Rule::UnreadableTypespec]);
    assert_eq!(rules(&judged("", &"#".repeat(60_000))), [Rule::UnreadableTypespec]);
}

#[test]
fn text_that_is_nested_as_deep_as_may_be_is_read() {
    let nested = |open: &str, close: &str| format!("{}{}", open.repeat(DEEPEST), close.repeat(DEEPEST));
    let inside = format!("{}x{}", "\"${".repeat(DEEPEST), "}\"".repeat(DEEPEST));
    for text in
        [nested("namespace a{", "}"), format!("alias a = {};", nested("[", "]")), format!("alias a = {inside};")]
    {
        let verdict = judged("", &text);
        assert!(rules(&verdict).iter().all(|rule| *rule == Rule::StatementNotAllowed), "{}", said(&verdict));
    }
}

#[test]
fn name_that_is_repeated_for_everything_declared_in_it_stays_short() {
    // 400 KB of a name for each of 50,000 declarations would be 20 GB.
    let models = "op a();".repeat(50_000);
    for text in [
        format!("namespace {} {{ {models} }}", "a".repeat(400_000)),
        format!("namespace {} {{ {models} }}", vec!["a"; 200_000].join(".")),
        format!("{}{models}{}", format!("namespace {} {{", "a".repeat(2_000)).repeat(200), "}".repeat(200)),
    ] {
        assert_eq!(rules(&judged("", &text)), [Rule::UnreadableTypespec]);
    }
}

#[test]
fn file_that_breaks_a_rule_with_every_line_is_judged_in_the_time_of_reading_it() {
    // Compared each with each, so many lines would take minutes.
    for line in ["op a();\n", "using A;\n", "import \"a\";\n", "#suppress\n", "@@d(A);\n", "@@clientName(A, \"B\");\n"]
    {
        let text: String = line.repeat(250_000 / line.len());
        for (before, after) in [("", &*text), (&*text, ""), (&*text, &*text)] {
            let verdict = judge_large(before, after);
            match verdict {
                Verdict::Refused(violations) => assert!(violations.len() <= 100, "{}", violations.len()),
                // A warning may be shown again.
                Verdict::Lands(_) => assert!(before == after || after.is_empty(), "{line}"),
            }
        }
    }
}

#[test]
fn file_in_which_every_line_is_another_is_judged_in_the_time_of_reading_it() {
    for line in [|n: u32| format!("op a{n}();\n"), |n| format!("using A{n};\n"), |n| format!("@@access(A{n}, B);\n")] {
        let one: String = (0..12_000).map(line).collect();
        let other: String = (6_000..18_000).rev().map(line).collect();
        let verdict = judge_large(&one, &other);
        assert!(matches!(verdict, Verdict::Refused(violations) if violations.len() <= 100));
    }
}
