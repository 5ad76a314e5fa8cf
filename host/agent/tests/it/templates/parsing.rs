//! Texts that are not templates.

use bailiwick_agent::templates::{Enforcement, Kind, Need, Problem, Template};

use super::SMALL;

#[test]
fn template_tells_its_id_version_parameters_and_guidelines() {
    let template = Template::parse(SMALL).unwrap();
    assert_eq!(template.stamp().to_string(), "small 1.2.3");
    assert_eq!(template.description(), "Tries everything");
    let kinds: Vec<_> = template.parameters().iter().map(|one| (one.name.as_str(), &one.kind, one.need)).collect();
    let choice = Kind::Choice(vec!["english".into(), "german".into()]);
    let expected = [
        ("place", &Kind::Text, Need::Required),
        ("language", &choice, Need::Required),
        ("manners", &Kind::List, Need::Required),
        ("letter", &Kind::Data(2000), Need::Required),
        ("people", &Kind::DataList(2000), Need::Optional),
        ("remark", &Kind::Text, Need::Optional),
    ];
    assert_eq!(kinds, expected);
    let [guideline] = template.guidelines() else { panic!("{:?}", template.guidelines()) };
    let place = |file: &str, symbol: &str| Enforcement { file: file.into(), symbol: symbol.into() };
    assert_eq!(
        (guideline.text.as_str(), guideline.enforced.as_slice()),
        ("You only greet.", [place("a/b.rs", "fn greet"), place("c.rs", "Limits"),].as_slice())
    );
}

#[test]
fn text_that_is_not_a_template_is_refused_with_the_line_and_what_is_wrong() {
    let undeclared = |name: &str| Problem::Undeclared(name.into());
    let cases: [(&str, &str, usize, Problem); 34] = [
        ("---\nid", "id", 1, Problem::NoFrontMatter),
        ("---\n# System", "# System", 12, Problem::FrontMatter("# System role".into())),
        ("id: small", "id: Small", 2, Problem::Name("Small".into())),
        ("id: small", "id: a--b", 2, Problem::Name("a--b".into())),
        ("id: small\n", "", 11, Problem::Missing("id")),
        ("id: small", "id: small\nid: small", 3, Problem::FrontMatter("id: small".into())),
        ("id: small", "author: me", 2, Problem::FrontMatter("author: me".into())),
        ("version: 1.2.3", "version: 1.2", 3, Problem::Version("1.2".into())),
        ("version: 1.2.3", "version: 1.2.x", 3, Problem::Version("1.2.x".into())),
        ("description: Tries everything", "description:", 4, Problem::FrontMatter("description:".into())),
        ("place: text", "place: string", 6, Problem::Kind("string".into())),
        ("place: text", "Place: text", 6, Problem::Name("Place".into())),
        ("place: text", "place: text\n  place: list", 7, Problem::Duplicate("place".into())),
        (
            "up to 2000 characters\n  people",
            "up to 0 characters\n  people",
            9,
            Problem::Kind("data up to 0 characters".into()),
        ),
        ("choice of english, german", "optional choice of a, b", 7, Problem::Kind("optional choice of a, b".into())),
        ("# System role", "Hello\n# System role", 13, Problem::Stray),
        ("# System role", "# Task", 13, Problem::Section { found: "Task".into(), expected: "System role" }),
        ("# Constraints", "# Notes", 27, Problem::Section { found: "Notes".into(), expected: "Constraints" }),
        ("One line.", "One line.\n# More", 38, Problem::Section { found: "More".into(), expected: "nothing" }),
        (
            "# Output requirements\nOne line.\n",
            "",
            35,
            Problem::Section { found: "the end".into(), expected: "Output requirements" },
        ),
        ("One line.", "", 36, Problem::Empty("Output requirements")),
        ("One line.", "## Only {remark}\n{{remark}}", 36, Problem::Empty("Output requirements")),
        ("{{place}}", "{{town}}", 14, undeclared("town")),
        ("{{place}}.", "{{place", 14, Problem::Placeholder),
        ("{{place}}", "{{ place }}", 14, Problem::Placeholder),
        ("{{place}}", "{{place}} {{letter}}", 14, Problem::NotAlone("letter".into())),
        ("{{place}}", "{{place}} {{remark}}", 14, Problem::Unguarded("remark".into())),
        ("People {people}", "People {place}", 21, Problem::Condition("{place}".into())),
        ("{language = german}", "{language = french}", 25, Problem::Condition("{language = french}".into())),
        (
            "## German {language = german}\nSay hallo.\n",
            "",
            1,
            Problem::NoBlock { parameter: "language".into(), value: "german".into() },
        ),
        ("{{manners}}", "Be nice.", 1, Problem::Unused("manners".into())),
        ("{{fence-rule}}\n", "", 1, Problem::FenceRule),
        ("# Task\n", "# Task\n{{fence-rule}}\n", 20, Problem::FenceRule),
        ("}\n```", "}", 32, Problem::OpenCode),
    ];
    let mut wrong = Vec::new();
    for (from, to, line, problem) in cases {
        assert_eq!(SMALL.matches(from).count(), 1, "{from}");
        let found = Template::parse(&SMALL.replace(from, to)).map_err(|error| (error.line, error.problem));
        if found.as_ref().err() != Some(&(line, problem)) {
            wrong.push(format!("{from:?} -> {to:?}: {:?}", found.map(drop)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let open = SMALL.replace("c.rs Limits -->", "c.rs Limits");
    assert_eq!(Template::parse(&open).unwrap_err().problem, Problem::Comment);
}

#[test]
fn nothing_is_parsed_into_a_panic() {
    for length in 0..SMALL.len() {
        let _ = Template::parse(&SMALL[..length]);
        let _ = Template::parse(&SMALL[length..]);
    }
}
