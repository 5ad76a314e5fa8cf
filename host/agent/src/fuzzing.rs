//! Files of agents and of their templates.

use bailiwick_fuzz::Target;

use crate::file::AgentFile;
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
