//! Directives with which a C# file takes code out of the build, or switches off the analyzers that judge public names. Errors of
//! the compiler itself cannot be hidden.

// An emitter may have written the file.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

/// The directives, as they stand there. A condition about the target framework is for another framework of the same package.
pub(super) fn switched_off(text: &str) -> Vec<String> {
    let lines = text.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
    let lines = lines.map(|line| line.trim_start_matches('\u{feff}').trim());
    lines
        .filter(|line| line.strip_prefix('#').is_some_and(|rest| hides(rest.trim_start())))
        .map(str::to_owned)
        .collect()
}

fn hides(directive: &str) -> bool {
    let directive = directive.split("//").next().unwrap_or_default();
    let mut words = directive.split([' ', '\t', ',', '(']).filter(|word| !word.is_empty());
    match words.next() {
        Some("if") => words.next().is_none_or(|symbol| !symbol.trim_start_matches('!').starts_with("NET")),
        Some("pragma") => {
            let disables = words.next() == Some("warning") && words.next() == Some("disable");
            // Without a code it is about each of them.
            disables && words.clone().next().is_none_or(|_| words.any(|code| code.starts_with("AZC00")))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_that_hide_errors_are_found_and_what_emitters_write_is_not() {
        for text in [
            "#pragma warning disable",
            "#pragma warning disable // all",
            "# pragma  warning disable CS1591, AZC0030",
            "#if NEVER",
            "#if (DEBUG)",
            "#if false",
        ] {
            assert_eq!(switched_off(&format!("\u{feff}{text}\r\nclass A {{ }}\r\n")), [text]);
        }
        let plain = "#nullable disable\n#pragma warning disable SCM0005 // x\n#pragma warning disable AZC0102\n\
                     #if NET8_0_OR_GREATER\n#if !NETSTANDARD2_0\n#endif\n#pragma warning restore AZC0030\n";
        assert_eq!(switched_off(plain), [] as [&str; 0]);
    }
}
