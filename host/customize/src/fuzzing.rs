//! What compilers, builds, repositories and models may write.

use bailiwick_fuzz::Target;
use bailiwick_sdk::tasks::Language;

use crate::gate::{Candidate, PatchDifference, PatchLimits, changed_lines, judge_patch};
use crate::language::{LanguageService, service_for};
use crate::typespec::{PathMap, TspLocation, parse_output};

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
        let _ = parse_output(text, &paths);
        for service in services() {
            service.build_diagnostics(text);
        }
    });
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
        "[CodeGenType(\"A\")]",
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
        for service in services() {
            service.defines(&text, "Widget");
            for path in ["a/_patch.py", "src/main/java/A.java", "src/a.ts", "a_custom.go", "src/A.cs"] {
                service.origin(path, bytes);
                service.is_customization(path, bytes);
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
        let _ = TspLocation::parse(text);
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
