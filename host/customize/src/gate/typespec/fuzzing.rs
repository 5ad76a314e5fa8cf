//! `client.tsp` as a model or a client may write it.

use bailiwick_fuzz::Target;

use super::declarations::declared;
use super::parser::{decorators_in, parse};
use super::statement::Body;
use super::view::augments;

const WORDS: &[&str] = &[
    "namespace a{",
    "namespace",
    "interface",
    "model",
    "op",
    "enum",
    "union",
    "alias",
    "const",
    "import",
    "using",
    "extends",
    "is",
    "@@",
    "@",
    "::",
    "...",
    "#{",
    "#[",
    "#suppress",
    "\"\"\"",
    "${",
    "}\"",
    "\"${",
    "/*",
    "*/",
    "//",
    "<b",
    "(b",
    "[c",
    "python",
    "\"python\"",
    "@client(",
    "@@scope(",
    "Access.internal",
];

#[test]
fn typespec() {
    Target { name: "typespec", words: WORDS }.run_text(|text| {
        let Ok(file) = parse(text) else { return };
        augments(&file.statements);
        for one in declared(&file.statements) {
            one.full_name();
            if let Body::Interface(_, _, body) | Body::Model(_, body) = &one.statement.body {
                let _ = decorators_in(body);
            }
        }
    });
}
