//! Sources in the languages of the SDKs, and what their tools print.

use bailiwick_fuzz::{Target, on_small_stack};

use crate::diagnostics::{pasted, quoted};
use crate::java::{GeneratedCode, Source};
use crate::syntax;
use crate::tasks::{AskedAction, AskedDirective, Scope};

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

#[test]
fn directives() {
    const WORDS: &[&str] = &[
        "{\"action\":\"rename\",\"target\":\"A.b\",\"name\":\"c\"}",
        "\"actions\":[",
        "\"scope\":\"python, csharp\"",
        "!java",
        "all",
        "\"operations\":[",
        "\"parameters\":{",
        "=",
        "`",
        ",",
        "\\u0000",
        "[[[[",
    ];
    Target { name: "directives", words: WORDS }.run_text(|text| {
        let read = AskedDirective::read_list(text);
        if let Ok(list) = &read {
            assert!(list.iter().all(|one| !one.written.is_empty()));
        }
        for action in [AskedAction::Rename, AskedAction::Move, AskedAction::Hide, AskedAction::Show] {
            let _ = AskedDirective::from_option(action, text);
        }
        if let Ok(scope) = Scope::parse(text) {
            assert!(scope.languages().iter().all(|language| scope.covers(*language)));
        }
    });
}

#[test]
fn logs_in_requests() {
    const WORDS: &[&str] = &[
        "error: ",
        ": error ",
        "sdk/a.py:1: ",
        "a.go:1:2: ",
        "a.cs(1,2): error CS0102: ",
        "a.tsp:1:2 - error x: ",
        "[ERROR] a.java:[1,2] ",
        "symbol: ",
        "Traceback (most recent call last):",
        "File \"a.py\", line 1",
        "ImportError: ",
        "'s",
        "\"",
        "`a b`",
    ];
    Target { name: "logs", words: WORDS }.run_text(|text| {
        for entry in pasted::entries(text) {
            assert!(pasted::entries(&entry.text).contains(&entry), "{entry:?}");
        }
        let _ = quoted(text);
        for line in text.lines() {
            let _ = pasted::is_log_line(line, true);
        }
    });
}

#[test]
fn text_that_a_parser_comes_to_no_end_with_has_no_tree() {
    let chain = "a.b().".repeat(100);
    let cases: [(tree_sitter::Language, &str); 5] = [
        (tree_sitter_java::LANGUAGE.into(), "public class n{d(\"a){)a."),
        (tree_sitter_c_sharp::LANGUAGE.into(), "public class n{d(\"a){)a."),
        (tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), "class n{d(\"a){)a."),
        (tree_sitter_go::LANGUAGE.into(), "package n\nfunc d(\"a){)a."),
        (tree_sitter_python::LANGUAGE.into(), "class n(d(\"a){)a."),
    ];
    for (language, broken) in cases {
        // Whatever the parser does, it comes to an end, and what it reads behind the error counts for nothing.
        assert!(syntax::parse(&language, &format!("{broken}{chain}")).is_none(), "{broken}");
    }
    let java = tree_sitter_java::LANGUAGE.into();
    // Text `06` of the corpus `sources`, with which the parser does not come to an end.
    let found = format!("public class n{{d(\"a){{)a.{}\n", "a.b().".repeat(95));
    assert!(syntax::tree(&java, &found).is_none());
    assert!(syntax::parse(&java, &format!("class A {{ void a() {{ {chain}c(); }} }}")).is_some());
}
