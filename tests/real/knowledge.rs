//! Every example of `knowledge/customizing-client-tsp.md` does what the document says, in the client model of every
//! language; and the document names everything that the library has.

use bailiwick_tests::examples::{Example, Examples, examples};
use bailiwick_tests::{Compiled, Variant, client_generator_core, compile};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn beside(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn document() -> String {
    std::fs::read_to_string(beside("../knowledge/customizing-client-tsp.md")).unwrap()
}

/// What the file `given.tsp` begins with.
const GIVEN: &str = "import \"@typespec/http\";\nusing TypeSpec.Http;\nnamespace Contoso.WidgetManager;\n";

fn variant(name: &str, client: String, given: &str) -> Variant {
    let files =
        BTreeMap::from([("client.tsp".to_owned(), client), ("given.tsp".to_owned(), format!("{GIVEN}{given}"))]);
    Variant { name: name.to_owned(), files }
}

/// Every example, and for each service that they are about the same without any customization, in one process.
fn compiled(document: &Examples) -> BTreeMap<String, Compiled> {
    let mut variants = Vec::new();
    for given in document.all.iter().map(|example| &example.given).collect::<BTreeSet<_>>() {
        variants.push(variant(&format!("service {given}"), document.head.clone(), given));
    }
    for example in &document.all {
        let client = example.head(&document.head) + &example.text;
        variants.push(variant(&example.line.to_string(), client, &example.given));
    }
    compile(&beside("fixtures/knowledge/WidgetManager"), &variants)
}

/// What is wrong with an example; nothing if it does what is said of it.
fn wrong(example: &Example, before: &Compiled, after: &Compiled) -> Vec<String> {
    let mut found = Vec::new();
    let diagnostics: BTreeSet<&String> = after.diagnostics.values().flatten().collect();
    let fails = example.words("fails");
    if !fails.is_empty() {
        let failed =
            |code: &&String| !diagnostics.iter().any(|line| line.contains(" - error ") && line.contains(*code));
        return fails.iter().filter(failed).map(|code| format!("does not fail with {code}: {diagnostics:?}")).collect();
    }
    let expected = example.words("warns");
    found.extend(
        diagnostics.iter().filter(|line| !expected.iter().any(|code| line.contains(code))).map(ToString::to_string),
    );
    found.extend(
        expected
            .iter()
            .filter(|code| !diagnostics.iter().any(|line| line.contains(*code)))
            .map(|code| format!("does not warn of {code}")),
    );
    let changed = before.models.changed(&after.models);
    if changed != example.words("changes") {
        found.push(format!("changes {changed:?}"));
    }
    if example.shows.is_empty() && !changed.is_empty() {
        found.push("says nothing about what it changes".to_owned());
    }
    for (language, pointer, expected) in &example.shows {
        let expected: Option<Value> = expected.as_ref().map(|json| serde_json::from_str(json).unwrap());
        let there = after.models.get(language).and_then(|model| model.pointer(pointer));
        if there != expected.as_ref() {
            found.push(format!("{language} {pointer} is {there:?}"));
        }
    }
    // At least one of the places shown is one that the example changes.
    let differs = |(language, pointer, _): &(String, String, Option<String>)| {
        let at = |compiled: &Compiled| compiled.models.get(language).and_then(|model| model.pointer(pointer)).cloned();
        at(before) != at(after)
    };
    if !changed.is_empty() && !example.shows.iter().any(differs) {
        found.push("every value shown is the same without it".to_owned());
    }
    found
}

#[test]
fn every_example_changes_what_it_says_in_the_languages_that_it_says() {
    let document = examples(&document());
    assert!(document.all.len() > 40, "only {} examples were found", document.all.len());
    let compiled = compiled(&document);
    let mut failures = Vec::new();
    for example in &document.all {
        let before = &compiled[&format!("service {}", example.given)];
        assert!(!before.models.is_empty(), "the service does not compile: {:#?}", before.diagnostics);
        let found = wrong(example, before, &compiled[&example.line.to_string()]);
        failures.extend(found.into_iter().map(|what| format!("line {}: {what}", example.line)));
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

/// Names after `extern dec` and `extern fn` in the library's own TypeSpec.
fn library(keyword: &str) -> BTreeSet<String> {
    let declaration = format!("extern {keyword} ");
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(client_generator_core().join("lib")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let found = text.lines().filter_map(|line| line.strip_prefix(&declaration)?.split('(').next());
        names.extend(found.map(str::to_owned));
    }
    names
}

#[test]
fn every_decorator_and_function_of_the_installed_library_is_in_the_document() {
    let text = document();
    let (decorators, functions) = (library("dec"), library("fn"));
    assert!(decorators.len() >= 28 && functions.len() >= 7, "{decorators:?} {functions:?}");
    let missing: Vec<_> = decorators
        .iter()
        .filter(|name| !text.contains(&format!("### `@{name}`\n")) && !text.contains(&format!("| `@{name}` |")))
        .collect();
    assert!(missing.is_empty(), "the document has no section for {missing:?}");
    let missing: Vec<_> = functions
        .iter()
        .filter(|name| !text.contains(&format!("### `{name}`\n")) && !text.contains(&format!("| `{name}(")))
        .collect();
    assert!(missing.is_empty(), "the document does not name {missing:?}");
    let named = text
        .lines()
        .filter_map(|line| line.strip_prefix("### `@").or_else(|| line.strip_prefix("| `@"))?.split('`').next());
    for name in named {
        assert!(decorators.contains(name), "the library has no `@{name}`");
    }
}
