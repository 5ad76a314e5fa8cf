//! Directives and an attribute with which a C# file takes code out of the build, says that its errors stand elsewhere, or switches
//! off the analyzers that judge public names. Errors of the compiler itself cannot be hidden.

// An emitter may have written the file.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

/// The directives, as they stand there, and the attribute, which no emitter writes. A condition about the target framework is
/// for another framework of the same package.
pub(super) fn switched_off(text: &str) -> Vec<String> {
    let mut found: Vec<String> =
        directives(text).filter(|(_, rest)| hides(rest)).map(|(line, _)| line.to_owned()).collect();
    let is_name = |one: char| one.is_alphanumeric() || one == '_';
    let is_attribute = |word: &str| matches!(word, "SuppressMessage" | "SuppressMessageAttribute");
    if with_plain_names(text).split(|one| !is_name(one)).any(is_attribute) {
        found.push("SuppressMessage".to_owned());
    }
    found
}

/// The first line with which a file says that its errors stand elsewhere.
pub(super) fn moves_errors(text: &str) -> Option<&str> {
    directives(text).find(|(_, rest)| moves(rest)).map(|(line, _)| line)
}

/// The lines that are directives, each also without its `#`.
fn directives(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
    let lines = lines.map(|line| line.trim_start_matches('\u{feff}').trim());
    lines.filter_map(|line| Some((line, line.strip_prefix('#')?.trim_start())))
}

/// `line 3 "A.cs"`: with `default` and `hidden` errors stand where they are.
fn moves(directive: &str) -> bool {
    let Some(place) = directive.strip_prefix("line") else { return false };
    !matches!(place.trim(), "default" | "hidden")
}

/// The text without what C# leaves out of names (characters that only format), and with what it decodes in them (`\u0053`).
fn with_plain_names(text: &str) -> String {
    let is_format = |one: char| matches!(one, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}');
    let mut plain = String::with_capacity(text.len());
    for (number, part) in text.split(r"\").enumerate() {
        let code = |length: usize| {
            let digits = part.get(1..length)?;
            let sign = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            Some((sign, part.get(length..)?))
        };
        let decoded = match part.chars().next() {
            Some('u') if number > 0 => code(5),
            Some('U') if number > 0 => code(9),
            _ => None,
        };
        if let Some((sign, rest)) = decoded {
            plain.push(sign);
            plain.extend(rest.chars().filter(|one| !is_format(*one)));
        } else {
            plain.extend((number > 0).then_some('\\'));
            plain.extend(part.chars().filter(|one| !is_format(*one)));
        }
    }
    plain
}

fn hides(directive: &str) -> bool {
    if moves(directive) {
        return true;
    }
    let directive = directive.split("//").next().unwrap_or_default();
    let mut words = directive.split([' ', '\t', ',', '(']).filter(|word| !word.is_empty());
    match words.next() {
        Some("if") => !(words.next().is_some_and(is_framework) && words.next().is_none()),
        Some("pragma") => {
            let disables = words.next() == Some("warning") && words.next() == Some("disable");
            // Without a code it is about each of them.
            disables && words.clone().next().is_none_or(|_| words.any(|code| code.starts_with("AZC00")))
        }
        _ => false,
    }
}

/// `NET8_0_OR_GREATER`, `!NETSTANDARD2_0`, `NETFRAMEWORK`: a symbol that is set for frameworks, and for nothing else.
fn is_framework(symbol: &str) -> bool {
    let symbol = symbol.trim_start_matches('!').trim_end_matches(')');
    let version = ["NETSTANDARD", "NETCOREAPP", "NET"].iter().find_map(|start| symbol.strip_prefix(start));
    let is_version = |version: &str| {
        let version = version.strip_suffix("_OR_GREATER").unwrap_or(version);
        version.starts_with(|c: char| c.is_ascii_digit()) && version.chars().all(|c| c.is_ascii_digit() || c == '_')
    };
    matches!(symbol, "NETFRAMEWORK" | "NETSTANDARD" | "NETCOREAPP") || version.is_some_and(is_version)
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
            "#if NETWORK",
            "#if NET8_0 && NEVER",
            "#if NEVER || NET8_0",
            "#line 3 \"Known.cs\"",
            "# line(1, 2) - (3, 4) \"Known.cs\"",
        ] {
            assert_eq!(switched_off(&format!("\u{feff}{text}\r\nclass A {{ }}\r\n")), [text]);
        }
        for attribute in [
            "[assembly: SuppressMessage(\"Usage\", X)]",
            "[System.SuppressMessageAttribute(\"a\", \"b\")]",
            r"[Suppress\u004dessage(A, B)]",
            "[Suppress\u{200d}Message(A, B)]",
        ] {
            assert_eq!(switched_off(attribute), ["SuppressMessage"]);
        }
        let plain = "#nullable disable\n#line hidden\n#line default\n#pragma warning disable SCM0005 // x\n#pragma warning disable AZC0102\n\
                     #if NET8_0_OR_GREATER\n#if !NETSTANDARD2_0\n#if (NETFRAMEWORK) // old\n#endif\n#pragma warning restore AZC0030\n\
                     [UnconditionalSuppressMessage(\"Trimming\", \"IL2026\")]\n";
        assert_eq!(switched_off(plain), [] as [&str; 0]);
    }
}
