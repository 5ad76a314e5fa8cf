//! Command lines without a shell: split into words first, values put in afterwards, so that no value can become a
//! second word, an option or an operator, whatever characters a path holds.

/// Words that only a shell would understand. As arguments they would silently mean something else.
const OPERATORS: [&str; 11] = ["&&", "||", "|", ";", "&", ">", ">>", "<", "<<", "2>&1", "2>"];

/// Splits a command line at blanks. Single and double quotes keep blanks together and are taken off; a backslash is a
/// character like any other.
///
/// # Errors
/// One sentence: a quote without its end, or an operator of a shell.
pub(super) fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut open: Option<char> = None;
    for character in line.chars() {
        match open {
            Some(quote) if character == quote => open = None,
            Some(_) => word.get_or_insert_default().push(character),
            None if character == '"' || character == '\'' => {
                open = Some(character);
                quoted = true;
                // `""` is a word as well.
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => {
                finish(&mut words, word.take(), quoted)?;
                quoted = false;
            }
            None => word.get_or_insert_default().push(character),
        }
    }
    if let Some(quote) = open {
        return Err(format!("a {quote} has no end"));
    }
    finish(&mut words, word, quoted)?;
    Ok(words)
}

fn finish(words: &mut Vec<String>, word: Option<String>, quoted: bool) -> Result<(), String> {
    let Some(word) = word else { return Ok(()) };
    if !quoted && (OPERATORS.contains(&word.as_str()) || word.contains("$(") || word.contains('`')) {
        return Err(format!("`{word}` needs a shell, and there is none"));
    }
    words.push(word);
    Ok(())
}

/// Replaces `{name}` in any letter case by its value; names that are not known stay as they are.
pub(super) fn substitute(word: &str, variables: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        text.push_str(before);
        let known = from.find('}').and_then(|end| {
            let name = &from[1..end];
            let found = variables.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
            Some((found.1, &from[end + 1..]))
        });
        rest = if let Some((value, after)) = known {
            text.push_str(value);
            after
        } else {
            text.push('{');
            &from[1..]
        };
    }
    text.push_str(rest);
    text
}

/// The words as a person would type them into a shell, for logs and messages.
pub(super) fn shown<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let quote = |word: &str| {
        let plain = |character: char| character.is_alphanumeric() || "/_.-+@=,%~:{}".contains(character);
        if !word.is_empty() && word.chars().all(plain) {
            word.to_owned()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    words.into_iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filled(line: &str, variables: &[(&str, &str)]) -> Vec<String> {
        split(line).unwrap().iter().map(|word| substitute(word, variables)).collect()
    }

    #[test]
    fn lines_are_split_at_blanks_and_quotes_keep_words_together() {
        for (line, words) in [
            ("dotnet build", vec!["dotnet", "build"]),
            ("make", vec!["make"]),
            ("  mvn   clean\tpackage ", vec!["mvn", "clean", "package"]),
            (r#"node "my script.js" 'a b'"#, vec!["node", "my script.js", "a b"]),
            (r#"tool --name="a b"/c """#, vec!["tool", "--name=a b/c", ""]),
            (r"tool eng\scripts\x", vec!["tool", r"eng\scripts\x"]),
            ("", vec![]),
            ("   ", vec![]),
        ] {
            assert_eq!(split(line).unwrap(), words, "{line}");
        }
    }

    #[test]
    fn quote_without_end_and_words_of_a_shell_are_refused() {
        for line in ["a \"b", "a 'b", "a && b", "a | b", "a > b", "a ; b", "a $(b)", "a `b`", "a &"] {
            let reason = split(line).unwrap_err();
            assert!(!reason.contains('\n'), "{reason}");
        }
        assert_eq!(split("a '&&' \"|\"").unwrap(), ["a", "&&", "|"], "quoted they are arguments");
    }

    #[test]
    fn variable_is_replaced_in_any_letter_case_and_every_time() {
        let package = [("packagePath", "/p/w")];
        for line in ["b {packagePath}", "b {PackagePath}", "b {PACKAGEPATH}"] {
            assert_eq!(filled(line, &package), ["b", "/p/w"], "{line}");
        }
        assert_eq!(filled("b -f {packagePath}/pom.xml {packagePath}", &package), ["b", "-f", "/p/w/pom.xml", "/p/w"]);
    }

    #[test]
    fn several_variables_are_replaced_each_by_its_own() {
        let variables = [("packagePath", "/p"), ("version", "1.2.0")];
        assert_eq!(filled("b {packagePath} --v={version}", &variables), ["b", "/p", "--v=1.2.0"]);
    }

    #[test]
    fn unknown_variables_and_single_braces_stay() {
        for line in ["b {other}", "b {", "b }", "b {}", "b {a{packagePath"] {
            assert_eq!(filled(line, &[("packagePath", "/p")]).join(" "), line);
        }
        assert_eq!(filled("b {packagePath}", &[]), ["b", "{packagePath}"]);
    }

    #[test]
    fn value_with_spaces_or_special_characters_stays_one_word() {
        for value in ["/a b/c", "/a&b", "/a|b", "/a;b", "/a>b", "/(a)", "/a`b", "/$a", "/it's", "/a\"b"] {
            assert_eq!(filled("b {packagePath}/x y", &[("packagePath", value)]), ["b", &format!("{value}/x"), "y"]);
            assert_eq!(filled("b \"{packagePath}/x\"", &[("packagePath", value)]), ["b", &format!("{value}/x")]);
        }
    }

    #[test]
    fn value_that_holds_a_variable_is_not_replaced_again() {
        let variables = [("packagePath", "/{version}"), ("version", "9")];
        assert_eq!(filled("b {packagePath}", &variables), ["b", "/{version}"]);
    }

    #[test]
    fn shown_words_can_be_pasted_into_a_shell() {
        assert_eq!(shown(["mvn", "-f", "/a b", "", "it's"]), r"mvn -f '/a b' '' 'it'\''s'");
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: prop::test_runner::RngSeed::Fixed(5), ..ProptestConfig::default() })]

        #[test]
        fn value_never_changes_the_number_of_words(value in "\\PC{0,30}", line in "[a-z{}\"' ]{0,30}") {
            if let Ok(words) = split(&format!("b {line} {{packagePath}}")) {
                let filled: Vec<_> = words.iter().map(|word| substitute(word, &[("packagePath", &value)])).collect();
                prop_assert_eq!(filled.len(), words.len());
                prop_assert!(filled.last().is_some_and(|last| last.contains(&value)));
            }
        }
    }
}
