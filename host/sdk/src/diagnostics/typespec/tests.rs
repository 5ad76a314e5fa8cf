use super::*;
use proptest::prelude::*;
use std::path::{Path, PathBuf};

fn paths() -> PathMap {
    PathMap::of_package(
        Some(Path::new("/r/sdk/w/azure-w")),
        Path::new("/s/specification/w/W"),
        [
            (PathBuf::from("/r/sdk/w/azure-w/TempTypeSpecFiles/W"), "spec"),
            (PathBuf::from("/r/sdk/w/azure-w/TempTypeSpecFiles/common"), "specification/common"),
        ],
        Path::new("/cache"),
    )
}

#[test]
fn compiler_errors_point_into_the_specification() {
    let output = "Diagnostics were reported during compilation. Use the `--debug` flag to see if there is warning diagnostic output.
/r/sdk/w/azure-w/TempTypeSpecFiles/W/client.tsp:13:14 - error invalid-ref: Unknown identifier NoSuch
/r/sdk/w/azure-w/TempTypeSpecFiles/W/models.tsp:138:7 - error @azure-tools/typespec-client-generator-core/duplicate-client-name: Client name: \"Part\" is duplicated in language scope: \"python\"
/r/sdk/w/azure-w/TempTypeSpecFiles/common/a.tsp:1:2 - warning deprecated: Deprecated: use b
Failed to generate client
";
    let found = parse(output, &paths());
    assert_eq!(found.len(), 3);
    assert_eq!(found[0].place(), "spec/client.tsp:13");
    assert_eq!(found[0].column, Some(14));
    assert_eq!(found[0].code.as_deref(), Some("invalid-ref"));
    assert_eq!(found[0].symbol.as_deref(), Some("NoSuch"));
    assert_eq!(found[0].tool, "tsp");
    assert_eq!(found[1].place(), "spec/models.tsp:138");
    assert_eq!(found[1].symbol.as_deref(), Some("Part"));
    assert_eq!(found[2].place(), "specification/common/a.tsp:1");
    assert_eq!(found[2].severity, Severity::Warning);
}

#[test]
fn hand_written_file_with_a_syntax_error_is_named_with_its_line() {
    let output = "error: cannot format /r/sdk/w/azure-w/azure/w/models/_patch.py: Cannot parse: 67:0: EOF in multi-line statement
error @typespec/http-client-python/unknown-error: Can't generate Python client code from this TypeSpec. Please open an issue.
====== error stack start ====
Error: Command failed: /cache/emitter-1/venv/bin/python -m black --quiet /r/sdk/w/azure-w
error: cannot format /r/sdk/w/azure-w/azure/w/models/_patch.py: Cannot parse: 67:0: EOF in multi-line statement

    at genericNodeError (node:internal/errors:983:15)
====== error stack end =====
Failed to generate client
";
    let found = parse(output, &paths());
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].place(), "sdk/azure/w/models/_patch.py:67");
    assert_eq!(found[0].column, Some(1));
    assert_eq!(found[0].message, "the emitter cannot parse the file: EOF in multi-line statement");
}

#[test]
fn failing_emitter_gives_its_cause_and_no_stack() {
    let output = "error @typespec/http-client-python/unknown-error: Can't generate.
==== error stack start ====
Error: Command failed: /cache/emitter-1/venv/bin/python run_tsp.py
Traceback (most recent call last):
  File \"/cache/emitter-1/pygen/__init__.py\", line 1, in <module>
ValueError: no operations in /r/sdk/w/azure-w

    at genericNodeError (node:internal/errors:983:15)
==== error stack end ====
";
    let found = parse(output, &paths());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "the emitter failed: ValueError: no operations in sdk");
    assert_eq!(found[0].tool, "emitter");
}

#[test]
fn prose_is_not_a_diagnostic() {
    for line in [
        "error: something",
        "error while doing: x",
        "Found emitter package @typespec/http-client-python@0.28.3",
        "a - b: c",
        "generation complete",
    ] {
        assert!(parse(line, &paths()).is_empty(), "{line}");
    }
}

#[test]
fn paths_of_this_machine_do_not_remain() {
    let paths = paths();
    assert_eq!(paths.path("/cache/e/node_modules/@x/y.tsp"), "tools/e/node_modules/@x/y.tsp");
    assert_eq!(paths.path("/home/me/node_modules/@x/y.tsp"), "node_modules/@x/y.tsp");
    assert_eq!(paths.path("/home/me/secret/y.tsp"), "y.tsp");
    assert_eq!(paths.path("/r/sdk/w/azure-widgets/y.tsp"), "y.tsp");
}

proptest! {
    #[test]
    fn any_output_is_parsed_without_panic(output in "(\\PC|\n|: | - |error |12:){0,80}") {
        for diagnostic in parse(&output, &paths()) {
            prop_assert!(!diagnostic.message.contains('\n'));
        }
    }
}

#[test]
fn command_of_an_emitter_that_failed_says_its_own_words() {
    let output = "go: downloading example.com/a v0.0.1
error gomodtidy: Command failed: go mod tidy
go: example.com/w tested by
\texample.com/w.test imports
\texample.com/a: mkdir /cache/modules/a: permission denied

Failed to generate client
";
    let found = parse(output, &paths());
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(
        found[0].message,
        "Command failed: go mod tidy: go: example.com/w tested by; example.com/w.test imports; example.com/a: mkdir \
         tools/modules/a: permission denied"
    );
    let found = parse("error gofmt: Command failed: gofmt -s -w .\nerror other: a thing\n", &paths());
    assert_eq!(found.len(), 2, "{found:#?}");
    assert_eq!(found[0].message, "Command failed: gofmt -s -w .");
}
