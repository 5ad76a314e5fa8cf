//! Files of agents and of their templates.

use std::path::Path;

use bailiwick_fuzz::{Target, on_small_stack};
use serde_json::Value;

use crate::KnownSecrets;
use crate::file::AgentFile;
use crate::java::{GeneratedCode, Source};
use crate::replay::{Places, Replay};
use crate::script::Script;
use crate::templates::Template;

#[test]
fn agent_files() {
    const WORDS: &[&str] = &[
        "name = ",
        "[[grants]]",
        "[limits]",
        "[result]",
        "\"\"\"",
        "{ a = ",
        "[[a.b]]",
        "a.b.c = ",
        "1979-05-27",
        "inf",
        "nan",
        "0x",
        "$ref",
        "[[",
        "{a={",
        "pattern = ",
        "allOf = [",
        "steps = [",
    ];
    Target { name: "agent_files", words: WORDS }.run_text(|text| {
        let _ = AgentFile::parse(text);
        let _ = Script::parse("script", text);
    });
}

#[test]
fn templates() {
    const WORDS: &[&str] = &[
        "---",
        "# ",
        "## ",
        "{{",
        "}}",
        "{a = b}",
        "<!-- enforced: ",
        "-->",
        "```",
        "- ",
        "{{fence-rule}}",
        "optional text",
    ];
    Target { name: "templates", words: WORDS }.run_text(|text| {
        let _ = Template::parse(text);
    });
}

#[test]
fn recordings() {
    const WORDS: &[&str] = &[
        "{\"format\":\"bailiwick-conversation\",\"version\":1,\"model\":\"m\",\"origin\":\"recorded\"}\n",
        "{\"turn\":",
        "\"request\":{",
        "\"messagesKept\":",
        "\"messages\":[",
        "\"task\":",
        "\"instructions\":",
        "\"tools\":[",
        "\"response\":{",
        "\"failure\":{",
        "${bailiwick:sdk}",
        "${bailiwick:literal}",
        "${bailiwick:run}",
        "${bailiwick:",
        "20261120-130405-678-k3m9x2qa",
        "/home/a/sdk",
    ];
    Target { name: "recordings", words: WORDS }.run_text(|text| {
        let places = Places::new([("sdk", Path::new("/home/a/sdk")), ("home", Path::new("/home/a"))]);
        let value = Value::String(text.to_owned());
        // What is hidden is shown again, but for ids of runs.
        let hidden = places.hide(value.clone());
        if !hidden.to_string().contains("${bailiwick:run}") {
            assert_eq!(places.show(hidden), value);
        }
        if let Ok(replay) = Replay::read(text, places, KnownSecrets::default()) {
            let _ = (replay.is_whole(), replay.finish());
        }
    });
}

#[test]
fn java() {
    const WORDS: &[&str] = &["class A", "(", "{", "[", "x + ", "a.b().", "() -> ", "@A(", "<T"];
    Target { name: "sources", words: WORDS }.run_text(|text| {
        let Some(source) = Source::parse("A.java", text) else { return };
        let _ = source.is_untouched_customization();
        let _ = source.declares_type("Widget");
        GeneratedCode::default().add(&source);
    });
}

#[test]
fn trees_that_are_nested_without_end_are_not_looked_into() {
    let java = || tree_sitter_java::LANGUAGE.into();
    let python = || tree_sitter_python::LANGUAGE.into();
    let cases: [(tree_sitter::Language, &str, &str, &str, &str); 9] = [
        (java(), "class A { int a = ", "(", ")", "; }"),
        (java(), "class A { int a = 1", " + 1", "", "; }"),
        (java(), "class A { void a() { ", "if (a) {} else ", "", "{} } }"),
        (python(), "a = ", "(", ")", ""),
        (python(), "a = ", "[", "]", ""),
        (python(), "a = ", "not ", "", "b"),
        (tree_sitter_c_sharp::LANGUAGE.into(), "class A { int a = ", "(", ")", "; }"),
        (tree_sitter_go::LANGUAGE.into(), "package a\nvar b = ", "(", ")", ""),
        (tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), "const a = ", "(", ")", ";"),
    ];
    for (language, before, open, close, after) in cases {
        let inside = if close.is_empty() { "" } else { "1" };
        let text = |times| format!("{before}{}{inside}{}{after}", open.repeat(times), close.repeat(times));
        let (deep, shallow) = (text(20_000), text(100));
        let read = on_small_stack(move || {
            let nodes = |text: &str| syntax::parse(&language, text).map(|tree| syntax::nodes(tree.root_node()).len());
            (nodes(&deep), nodes(&shallow))
        });
        assert_eq!(read.0, None, "{before}{open}");
        assert!(read.1.is_some_and(|nodes| nodes > 100), "{before}{open}");
    }
}

#[test]
fn tree_as_wide_as_may_be_is_read_in_the_time_of_its_length() {
    // Each child asked for by its number, 100,000 statements would take minutes.
    let text = "a = 1\n".repeat(100_000);
    let tree = syntax::parse(&tree_sitter_python::LANGUAGE.into(), &text).unwrap();
    assert!(syntax::nodes(tree.root_node()).len() > 400_000);
}
