//! Texts that would become code of the generated library, and texts that people write.

use bailiwick_sdk::tasks::{Customization, CustomizationForm, Language};

use super::super::{Rule, Verdict};
use super::tests::{added, candidate, index, judge, judge_in, rules};

fn doc(literal: &str) -> String {
    format!("@@clientDoc(Widget, {literal}, DocumentationMode.replace, \"python\");")
}

fn client(inside: &str) -> String {
    format!(
        "namespace Mine {{ @client({{ name: \"WidgetClient\", service: Contoso }}, \"python\") interface WidgetClient {{ {inside} }} }}"
    )
}

#[test]
fn documentation_that_would_end_a_comment_or_string_is_refused_however_it_is_spelled() {
    for literal in [
        r#""A.\"\"\";import os;\"\"\"B.""#,
        "\"\"\"\nA.\\\"\\\"\\\";import os\n\"\"\"",
        "\"\"\"\nA.\\\"\"\\\";import os\n\"\"\"",
        r#""A.\"\" \n \";import os""#,
        "\"A.''';import os;'''B.\"",
        r#""A. */ static { } /* B.""#,
        r#""A. *\t/ static { }""#,
        r#""A /* B""#,
        r#""ends in \\""#,
        r#""not known to the compiler \u0022""#,
        r#""A.\r@evil""#,
        "\"A.\u{85}evil();\"",
        "\"A.\u{2028}evil();\"",
        "\"A.\u{c}evil();\"",
        r#""A.${evil}B.""#,
        "\"\"\"\nA.${evil}\n\"\"\"",
        "evil",
        "(\"A.\")",
    ] {
        assert!(added(&doc(literal)).contains(&Rule::UnsafeText), "{literal}");
    }
    let evil = doc(r#""A.\"\"\";import os;\"\"\"B.""#);
    let Verdict::Refused(violations) = judge("", &evil) else { panic!("admitted") };
    assert_eq!(
        violations[0].message,
        "line 8: the text of `@clientDoc` holds `\"\"\"`, which can end a comment or string of generated code; write it \
         without three quotes in a row, backslashes, `/*`, `*/` and control characters"
    );
}

#[test]
fn documentation_that_people_write_may_be_added() {
    for literal in [
        "\"The \\\"size\\\" of a widget's box: 'small' or 'large' (see https://example.com/a?b=c#d); 100 % of {it}.\"",
        "\"\"\"\n  Two lines,\n  of which one has a `\\$` — größer.\n  \"\"\"",
        r#""First line.\n\nSecond:\tone.""#,
        "\"One line,\\r\\nand another.\"",
        "\"\"",
    ] {
        assert_eq!(added(&doc(literal)), [], "{literal}");
    }
}

#[test]
fn name_that_is_not_an_identifier_is_refused() {
    for name in ["Gadget:\\n    import os\\nclass Other", "A B", "1st", "", "a-b", "A(object)", "a.b", "A\\\"", "x=1"] {
        for text in [
            format!("@@clientName(Widget, \"{name}\", \"python\");"),
            format!("@@paramAlias(Widgets.purge::parameters.id, \"{name}\", \"python\");"),
            format!(
                "namespace Mine {{ @client({{ name: \"{name}\", service: Contoso }}, \"python\") interface W {{ a is Widgets.purge; }} }}"
            ),
        ] {
            assert_eq!(added(&text), [Rule::UnsafeText], "{text}");
        }
    }
    for argument in ["evil", "evil(\"W\")", "exact(\"a;b\")", "exact(evil)", "Azure.exact(\"A\", \"B\")"] {
        assert_eq!(added(&format!("@@clientName(Widget, {argument}, \"python\");")), [Rule::UnsafeText], "{argument}");
    }
    for argument in ["exact(\"eBayMaker\")", "Azure.ClientGenerator.Core.exact(\"W\")"] {
        assert_eq!(added(&format!("@@clientName(Widget, {argument}, \"python\");")), [], "{argument}");
    }
    for name in ["Gadget", "_private", "get_2nd", "größe", "$DO_NOT_NORMALIZE$x"] {
        assert_eq!(added(&format!("@@clientName(Widget, \"{name}\", \"python\");")), [], "{name}");
    }
}

#[test]
fn literal_that_could_be_read_as_code_is_refused() {
    for text in [
        "@@clientNamespace(Contoso, \"a;import os\", \"python\");",
        "@@clientNamespace(Contoso, evil, \"python\");",
        "@@clientLocation(Widgets.purge, \"Purges:\\n  pass\", \"python\");",
        "@@alternateType(Widget, { identity: \"os.system('x')\", package: \"os\" }, \"python\");",
        "@@apiVersion(Widget.a, \"1${evil}\", \"python\");",
        "model Options { @clientDoc(\"a\", DocumentationMode.append, \"python\") a?: string = \"x\\\"; evil(); \\\"\"; }",
    ] {
        assert_eq!(added(text), [Rule::UnsafeText], "{text}");
    }
    for text in [
        "@@clientNamespace(Contoso, \"Azure.Contoso_2.widgets\", \"python\");",
        "@@clientLocation(Widgets.purge, \"Purges\", \"python\");",
        "@@alternateType(Widget, { identity: \"System.Collections.Generic.IDictionary<string, int[]>\", package: \"a-b\", minVersion: \"1.2.0-beta.1\" }, \"python\");",
        "model Options { a?: string = \"1.0\"; @clientDoc(\"It's \\\"a\\\".\", DocumentationMode.append, \"python\") b: \"plain\"; }",
    ] {
        assert_eq!(added(text), [], "{text}");
    }
}

#[test]
fn new_declaration_brings_no_text_that_could_be_read_as_code() {
    let evil = r#"@clientDoc("A.\"\"\";import os", DocumentationMode.append, "python")"#;
    for text in [
        client(&format!("{evil} a is Widgets.purge;")),
        client("`a(): pass` is Widgets.purge;"),
        client("a is Widgets.purge;").replace("namespace Mine", "namespace `Mi\"\"\"ne`"),
        client("a is Widgets.purge;").replace("@client", &format!("{evil} @client")),
    ] {
        assert!(added(&text).contains(&Rule::UnsafeText), "{text}");
    }
    assert_eq!(added(&client("`a-b` is Widgets.`purge`;")), []);
}

#[test]
fn comment_that_is_documentation_is_judged_and_others_are_not() {
    let declared = client("a is Widgets.purge;");
    for comment in ["/** A.\"\"\";import os;\"\"\" */", "/**\n * A.\\\n */", "/** A.'''B */", "/** A.\u{85}evil(); */"]
    {
        assert_eq!(rules(&judge(&declared, &format!("{comment}\n{declared}"))), [Rule::UnsafeText], "{comment}");
        let before = format!("{comment}\n{declared}");
        assert_eq!(rules(&judge(&before, &format!("{before}\n// more"))), [], "was there: {comment}");
    }
    for comment in ["/* \"\"\" */", "// \"\"\" \\", "/**/", "/**\n * What \"it\" does,\n * /and more.\n */"] {
        assert_eq!(rules(&judge(&declared, &format!("{comment}\n{declared}"))), [], "{comment}");
    }
}

#[test]
fn text_that_was_there_may_stay_and_go_and_reaches_no_other_language() {
    let evil = r#"@@clientDoc(Widget, "A.\"\"\";B", DocumentationMode.replace, "python");"#;
    assert_eq!(rules(&judge(evil, &format!("{evil}\n@@clientName(Widget, \"W\", \"python\");"))), []);
    assert_eq!(rules(&judge(evil, "")), []);
    let java = evil.replace("\"python\"", "\"java\"");
    let both = evil.replace("\"python\"", "\"java, python\"");
    assert_eq!(rules(&judge(&java, &both)), [Rule::UnsafeText]);
}

#[test]
fn text_that_only_the_compiler_sees_is_judged_too() {
    let mut after = index();
    after.customizations = vec![Customization {
        decorator: "clientDoc".to_owned(),
        target: "Contoso.Widget".to_owned(),
        arguments: vec![r#""A.\"\"\";import os""#.to_owned(), "DocumentationMode.replace".to_owned()],
        scope: Some("python".to_owned()),
        line: 1,
        form: CustomizationForm::Augment,
    }];
    let verdict = judge_in(Language::Python, &[candidate("", "// nothing")], &after);
    assert_eq!(rules(&verdict), [Rule::UnsafeText]);
}
