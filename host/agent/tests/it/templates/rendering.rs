//! Values that fit and values that do not.

use bailiwick_agent::templates::{RenderError, Template, Values};
use serde_json::json;

use super::SMALL;

fn small() -> Template {
    Template::parse(SMALL).unwrap()
}

fn values() -> Values {
    Values::new().text("place", "Bremen").text("language", "german").list("manners", ["be kind"]).text("letter", "Dear")
}

#[test]
fn blocks_without_a_value_and_those_of_other_choices_are_left_out() {
    let text = small().render(&values()).unwrap().text;
    let marker = text.split("[end ").nth(1).unwrap().split(']').next().unwrap();
    let rule = bailiwick_agent::templates::fence::rule(marker);
    let expected = format!(
        "# System role\n\nYou greet people in Bremen.\n\n# Safety guidelines\n\n{rule}\n- You only greet.\n\n# Task\n\n\
         [data letter {marker}]\nDear\n[end {marker}]\n\n## German\n\nSay hallo.\n\n# Constraints\n\n- be kind\n\n\
         # Examples\n\n```\n# no section\n{{ no: condition }}\n```\n\n# Output requirements\n\nOne line.\n"
    );
    assert_eq!(text, expected);
}

#[test]
fn blocks_with_a_value_are_rendered_and_empty_optional_values_are_left_out() {
    let full = values().list("people", ["Ann", "Bob"]).text("remark", "{{letter}}");
    let text = small().render(&full).unwrap().text;
    assert!(text.contains("## People\n\n[data people ") && text.contains("]\n1. Ann\n2. Bob\n[end "), "{text}");
    // What is put in place is not read again.
    assert!(text.contains("Mind this: {{letter}}, in german.\n"), "{text}");
    let empty = values().list("people", [""; 0]).text("remark", "");
    assert_eq!(small().render(&empty).unwrap(), small().render(&values()).unwrap());
}

#[test]
fn value_that_is_missing_unknown_or_of_the_wrong_kind_is_an_error_that_names_it() {
    let error = |values: Values| small().render(&values).unwrap_err();
    let parameter = |error: &RenderError| match error {
        RenderError::Unknown { parameter, .. }
        | RenderError::Missing { parameter, .. }
        | RenderError::WrongKind { parameter, .. }
        | RenderError::NotAChoice { parameter, .. }
        | RenderError::NotOneLine { parameter, .. } => parameter.clone(),
        other => panic!("{other}"),
    };
    let missing = error(Values::new().text("place", "Bremen"));
    assert!(matches!(missing, RenderError::Missing { .. }) && parameter(&missing) == "language", "{missing}");
    let unknown = error(values().text("town", "Bremen"));
    assert!(matches!(unknown, RenderError::Unknown { .. }) && parameter(&unknown) == "town", "{unknown}");
    for (values, name) in [
        (values().list("place", ["a"]), "place"),
        (values().list("language", ["a"]), "language"),
        (values().text("manners", "a"), "manners"),
        (values().list("letter", ["a"]), "letter"),
        (values().text("people", "a"), "people"),
    ] {
        let error = error(values);
        assert!(matches!(error, RenderError::WrongKind { .. }) && parameter(&error) == name, "{error}");
    }
    let choice = error(values().text("language", "french"));
    assert_eq!(
        choice.to_string(),
        "the parameter `language` of the template `small` is one of `english`, `german`, not `french`"
    );
    let (long, hidden) = ("x".repeat(201), "a\u{202e}b");
    for text in ["", " ", "two\nlines", "a\tb", "bell\u{7}", hidden, &long] {
        for (values, name) in [(values().text("place", text), "place"), (values().list("manners", [text]), "manners")] {
            let error = error(values);
            assert!(matches!(error, RenderError::NotOneLine { .. }) && parameter(&error) == name, "{error}");
        }
    }
}

#[test]
fn values_read_from_json_as_an_agent_file_gives_them() {
    let read: Values = serde_json::from_value(json!({"findings": ["a.md:1:1 - Unknown word (teh)"]})).unwrap();
    let built = Values::new().list("findings", ["a.md:1:1 - Unknown word (teh)"]);
    assert_eq!(read, built);
    assert!(serde_json::from_value::<Values>(json!({"findings": 7})).is_err());
}
