//! What compilers, builds, repositories and models may write.

use bailiwick_fuzz::Target;
use bailiwick_sdk::diagnostics::{PathMap, typespec};
use bailiwick_sdk::tasks::{Diagnostic, Language};

use crate::baseline::Baseline;
use crate::coordinator::Report;
use crate::gate::{Candidate, PatchDifference, PatchLimits, changed_lines, judge_patch};
use crate::language::{LanguageService, Place, Sought, service_for};
use crate::timings::Timings;
use crate::typespec::TspLocation;

const EMITTERS: [&str; 5] = [
    "@azure-tools/typespec-python",
    "@azure-tools/typespec-java",
    "@azure-tools/typespec-ts",
    "@azure-tools/typespec-go",
    "@azure-typespec/http-client-csharp",
];

fn services() -> Vec<Box<dyn LanguageService>> {
    EMITTERS.into_iter().map(|emitter| service_for(emitter).unwrap()).collect()
}

#[test]
fn logs_of_compilers() {
    const WORDS: &[&str] = &[
        "error",
        "warning",
        ": error: ",
        ": error ",
        "error TS2339: ",
        "[ERROR] ",
        "[WARNING]",
        "(12,34): ",
        ":12:34: ",
        ":[1,2] ",
        "sdk/",
        "/w/sdk/",
        "node_modules/",
        "symbol: ",
        "location: ",
        "cannot find symbol",
        "undefined: ",
        "Property 'a'",
        "CS0103",
        "# pkg",
        "vet: ",
        "--- FAIL: ",
        "\n  at ",
        "^",
        "package:",
    ];
    Target { name: "logs", words: WORDS }.run_text(|text| {
        let paths = PathMap::new([("/w/spec".into(), "spec".into()), ("/w".into(), "w".into())]);
        holds(text, |text| typespec::parse(text, &paths));
        for service in services() {
            holds(text, |text| service.build_diagnostics(text));
        }
    });
}

/// Reads the lines of a build, and holds what is true of every reader of them.
pub(crate) fn holds(text: &str, read: impl Fn(&str) -> Vec<Diagnostic>) {
    let found = read(text);
    assert!(found.len() <= text.lines().count(), "{found:?}");
    for one in &found {
        assert!(!one.message.contains('\n'), "{one:?}");
        assert_ne!(one.symbol.as_deref(), Some(""), "{one:?}");
        // A reader invents nothing: what it adds are some words and the names of places.
        assert!(one.message.len() <= 3 * text.len() + 200, "{one:?}");
    }
    assert_eq!(Diagnostic::unique(found.clone()).len(), found.len(), "{found:?}");
    assert_eq!(read(text), found);
}

/// A build may fill what is kept of its output.
#[test]
fn log_as_long_as_one_may_be_is_read_in_the_time_of_its_length() {
    const BYTES: usize = 1 << 20;
    let lines: [fn(usize) -> String; 7] = [
        |line| format!("[ERROR] sdk/a.java:[{line},1] x\n"),
        |line| format!("sdk/a.cs({line},1): error C: x\n"),
        |line| format!("a.ts({line},1): error TS1: x\n"),
        |line| format!("a.go:{line}:1: x\n"),
        |line| format!("a.c:{line}: error: x\n"),
        |line| format!("a.tsp:{line}:1 - error c: x\n"),
        |_| " symbol: x\n".to_owned(),
    ];
    for line in lines {
        let mut text = ["[ERROR] sdk/a.java:[1,1] x\n", "a.ts(1,1): error TS1: x\n", "a.go:1:1: x\n"].concat();
        (0..BYTES / line(100_000).len()).for_each(|number| text.push_str(&line(number)));
        let started = processor_time();
        let _ = typespec::parse(&text, &PathMap::default());
        for service in services() {
            service.build_diagnostics(&text);
        }
        // Each with each, they took minutes.
        let took = processor_time() - started;
        assert!(took < 20, "{took} s for {:?}", line(1));
    }
}

/// Seconds that this thread has had a processor, however busy the machine is.
fn processor_time() -> i64 {
    rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime).tv_sec
}

#[test]
fn sources_of_every_language() {
    const WORDS: &[&str] = &[
        "class A",
        "if",
        "else if",
        "x + ",
        "def f",
        "lambda: ",
        "func ",
        "type T ",
        "import ",
        "export ",
        "\"\"\"",
        "`${",
        "@A(",
        "\n# mypy: ",
        "\n#type: ignore",
        "// @ts-nocheck",
        "\n#pragma warning disable AZC0030",
        "\n#if ",
        "[CodeGenType(\"A\")]",
        "[CodeGenMember(\"Get\")] public ",
        "export { A as Widget } from \"./generated\";",
        "type Widget = generated.A",
        "func (c *WidgetClient) Get() { ",
        "this.client.get()",
        "partial ",
        ".b()",
        "<T",
        "=> ",
        "x if y else ",
        "\n    ",
        "((((",
        "[[[[",
        "{{{{",
    ];
    Target { name: "sources", words: WORDS }.run(|bytes| {
        let text = String::from_utf8_lossy(bytes);
        let (holder, called) = ("WidgetClient".to_owned(), vec!["get".to_owned(), "fetch".to_owned()]);
        let sought = [
            Sought::Operation { holder, place: Place::Client, name: "get".to_owned(), called },
            Sought::Type { name: "Widget".to_owned() },
            Sought::Property { models: vec!["A".to_owned()], name: "get".to_owned() },
        ];
        for service in services() {
            service.defines(&text, "Widget");
            for path in ["a/_patch.py", "src/main/java/A.java", "src/a.ts", "a_custom.go", "src/A.cs"] {
                service.origin(path, bytes);
                service.is_customization(path, bytes);
                assert!(service.switched_off(path, bytes).iter().all(|one| !one.contains('\n')));
                for one in &sought {
                    let found = [service.shown(path, bytes, one), service.own_names(path, bytes, one)].concat();
                    let lines = u32::try_from(text.lines().count()).unwrap();
                    assert!(
                        found.iter().all(|one| (1..=lines).contains(&one.line) && !one.name.is_empty()),
                        "{found:?}"
                    );
                }
            }
        }
    });
}

#[test]
fn tsp_location() {
    const WORDS: &[&str] = &[
        "directory: ",
        "commit: ",
        "repo: ",
        "additionalDirectories:",
        "- ",
        "&a ",
        "*a",
        "<<: ",
        "!!str ",
        "|",
        ">",
        "? ",
        "- - - ",
        "{a: ",
        "[*a,*a]",
        "---",
        "%YAML 1.1",
        "emitterPackageJsonPath: ",
    ];
    Target { name: "tsp_location", words: WORDS }.run_text(|text| {
        let Ok(location) = TspLocation::parse(text) else { return };
        // A path that is invalid or leads upwards would be looked for outside the repository.
        let paths = [Some(&location.directory), location.entrypoint_file.as_ref()].into_iter().flatten();
        for path in paths.chain(location.emitter_package_json_path.as_ref()).chain(&location.additional_directories) {
            let parts = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
            assert!(parts && !path.contains('\\'), "{location:?}");
        }
        assert!(location.emitter_package_json_path.is_none_or(|path| path.starts_with("eng/")));
    });
}

#[test]
fn patches_of_customizations() {
    const WORDS: &[&str] =
        &["def a():", "    pass", "# type: ignore", "@ts-ignore", "class A:", "\r\n", "\n", "+", "-"];
    Target { name: "patches", words: WORDS }.run(|bytes| {
        let (before, after) = bytes.split_at(bytes.len() / 2);
        let _ = changed_lines(&String::from_utf8_lossy(before), &String::from_utf8_lossy(after));
        for (language, path) in [(Language::Python, "_patch.py"), (Language::Java, "A.java"), (Language::Go, "a.go")] {
            let candidate = Candidate {
                path: path.to_owned(),
                original: Some(before.to_vec()),
                staged: Some(before.to_vec()),
                now: Some(before.to_vec()),
                after: Some(after.to_vec()),
            };
            let _ = judge_patch(&PatchDifference {
                language,
                customization_files: &[path.to_owned()],
                candidates: &[candidate],
                earlier: &[],
                limits: PatchLimits { lines: 19, files: 4, file_bytes: 1 << 20, line_characters: 200 },
            });
        }
    });
}

/// Any person can comment on a pull request.
#[test]
fn reviews() {
    const WORDS: &[&str] = &[
        "[",
        "]",
        "{\"id\": 1, \"body\": \"",
        "{\"id\": \"a\", \"commentText\": \"",
        "\", \"elementId\": \"a.b\"",
        "\", \"in_reply_to_id\": 1",
        ", \"diff_hunk\": \"@@\\n+x\"",
        ", \"isResolved\": true",
        ", \"line\": 18446744073709551615",
        "\"comments\": ",
        "}",
        ",",
        "\\n",
        "\\u0000",
        "null",
    ];
    Target { name: "reviews", words: WORDS }.run_text(|text| {
        if let Ok(review) = crate::comments::read(text) {
            assert_eq!(crate::comments::Ledger::new(&review, &[]).comments.len(), review.comments.len());
        }
    });
}

/// Files of a cache or a run as another version, a disk or another program left them, and what a model reports of its work.
#[test]
fn kept_files() {
    const WORDS: &[&str] = &[
        "{\"errors\":[",
        "\"texts\":{",
        "\"file\":\"sdk/a.py\"",
        "\"line\":4294967295",
        "\"message\":\"already defined on line 1\"",
        "\"severity\":\"error\"",
        "\"schema\":1",
        "\"totalMicros\":18446744073709551615",
        "\"startMicros\":18446744073709551615",
        "\"micros\":",
        "\"steps\":[",
        "\"type\":\"classification\"",
        "\"tspApplicable\":true",
        "null",
    ];
    Target { name: "kept_files", words: WORDS }.run(|bytes| {
        if let Ok(baseline) = serde_json::from_slice::<Baseline>(bytes) {
            let (now, count) = (baseline.errors.clone(), baseline.errors.len());
            let compared = baseline.compare(now, &[], |file| baseline.texts.get(file).cloned());
            assert_eq!(compared.known.len() + compared.rest.len(), count, "an error is lost or made up");
        }
        if let Ok(timings) = serde_json::from_slice::<Timings>(bytes) {
            let _ = (timings.format(), timings.own_micros());
            timings.steps.iter().for_each(|step| assert!(timings.bar(step).1 > 0));
        }
        let text = String::from_utf8_lossy(bytes).into_owned();
        let _ = Report::read(&serde_json::from_slice(bytes).unwrap_or_default());
        let _ = Report::read(&serde_json::Value::String(text));
    });
}
