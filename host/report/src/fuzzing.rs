//! Recorded differences as a disk or another program may have left them, and reports whose every text is a stranger's.

use bailiwick_customize::response::{ChangedFile, Origin, unified};
use bailiwick_fuzz::Target;

use crate::model::{
    Agent, Attempt, DiagnosticLine, FileDiff, GeneratedFile, Guidance, Moment, Place, Report, Row, Step, Totals,
};

#[path = "../tests/it/only_code.rs"]
mod only_code;
#[path = "../tests/it/well_formed.rs"]
mod well_formed;

#[test]
fn differences() {
    const WORDS: &[&str] = &[
        "--- ",
        "+++ ",
        "@@ -1,3 +1,4 @@",
        "@@ -18446744073709551615,2 +18446744073709551615,2 @@",
        "\n+",
        "\n-",
        "\n ",
        "Binary files ",
        " and ",
        " differ",
        "# generated: ",
        "# and ",
        "\\ No newline",
        "/dev/null",
    ];
    Target { name: "differences", words: WORDS }.run_text(|text| {
        crate::diff::parse(text);
        crate::time::readable(text);
        crate::clip::line(text, 7);
        crate::clip::code_line(text, 7);
        crate::clip::text(text, 7, 3);
        written_and_read_back(text);
    });
}

/// What a difference says of a file whose text is `text` before, or was until now, is all there is to say of it.
fn written_and_read_back(text: &str) {
    let at = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let (before, after) = text.split_at(at);
    let file = |path: &str, before: &str, after: &str| ChangedFile {
        path: path.into(),
        origin: Origin::Agent,
        before: Some(before.into()),
        after: Some(after.into()),
    };
    let recorded = unified(&[file("sdk/a.py", before, after), file("sdk/b.py", "1\n", "2\n")]);
    let parsed = crate::diff::parse(&recorded);
    let paths: Vec<_> = parsed.files.iter().map(|file| file.path.as_str()).collect();
    // Texts that are the same have no header.
    assert!(matches!(paths[..], ["sdk/a.py", "sdk/b.py"] | ["sdk/b.py"]), "{paths:?}\n{recorded}");
    assert!(parsed.generated.is_empty(), "{recorded}");
    let last = parsed.files.last().unwrap();
    assert_eq!((last.added, last.removed), (1, 1), "{recorded}");
}

#[test]
fn reports() {
    const WORDS: &[&str] = &[
        "<script>",
        "</details>",
        "</summary>",
        "</pre>",
        "<!--",
        "<![CDATA[",
        "&lt;",
        "&#60;",
        "```",
        "~~~",
        "`` ` ``",
        "[a](https://evil.example)",
        "![a](x)",
        "<https://evil.example>",
        "https://evil.example",
        "@everyone",
        "\n\n# ",
        "\n- ",
        "\n    ",
        "\n***\n",
        "|",
        "\\|",
        "\" onload=\"",
        "' onload='",
        "$$",
        "[^1]: ",
        "canary0",
    ];
    Target { name: "reports", words: WORDS }.run_text(|text| {
        let report = of_strangers(&format!("{} {text}", only_code::CANARY));
        let page = crate::html(&report);
        assert!(page.len() <= crate::HTML_BYTES, "{} bytes", page.len());
        well_formed::html(&page);
        let markdown = crate::markdown(&report);
        assert!(markdown.len() <= crate::MARKDOWN_BYTES, "{} bytes", markdown.len());
        only_code::only_code(&markdown);
    });
}

/// A report in which each text that may be a stranger's is this one.
fn of_strangers(text: &str) -> Report {
    let own = || text.to_owned();
    let diagnostic = DiagnosticLine { error: true, place: own(), code: Some(own()), message: own() };
    let step = Step {
        name: own(),
        result: own(),
        notes: vec![own()],
        diagnostics: vec![diagnostic.clone()],
        ..Step::default()
    };
    let rows = vec![
        Row::Gap { at: (1, 1) },
        Row::Same { at: (1, 1), text: own() },
        Row::Differs { old: Some((2, own())), new: Some((2, own())) },
    ];
    Report {
        run: own(),
        kind: own(),
        package: own(),
        language: Some(own()),
        model: Some(own()),
        status: own(),
        verdict: crate::Verdict { label: "failed".into(), sentence: own(), ..crate::Verdict::default() },
        error_code: Some(own()),
        places: vec![Place { name: own(), directory: own() }],
        started: own(),
        finished: Some(own()),
        request: own(),
        damaged: vec![own()],
        guidance: vec![Guidance { issue: own(), files: vec![own()], approach: own(), reason: own() }],
        changes: vec![own()],
        surface: vec![own()],
        decorators: vec![crate::Decorator { name: own(), target: own(), scope: own(), file: own() }],
        attempts: vec![Attempt { title: own(), steps: vec![step], ..Attempt::default() }],
        build: Some(own()),
        diagnostics: vec![diagnostic],
        diff: vec![
            FileDiff { path: own(), change: own(), added: 1, removed: 1, rows },
            FileDiff { path: own(), change: own(), ..FileDiff::default() },
        ],
        generated: vec![GeneratedFile { path: own(), change: own() }],
        timeline: vec![Moment { time: own(), since_ms: Some(1), mark: crate::Mark::Plain, what: own() }],
        agents: vec![Agent { task: own(), model: own(), outcome: own(), ..Agent::default() }],
        totals: Some(Totals::default()),
        ..Report::default()
    }
}
