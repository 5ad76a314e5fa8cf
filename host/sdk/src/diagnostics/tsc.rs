//! Output of `tsc --pretty false`.

// A build writes the lines.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use crate::tasks::{Diagnostic, Severity};

/// `src/index.ts(3,10): error TS2339: message`, with the indented lines that belong to it, and `error TS5057: message`
/// without a place. `rename` maps a path to the path in the package, `sdk/…`, or gives `None` for a file outside it.
pub fn parse(output: &str, rename: impl Fn(&str) -> Option<String>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut open = false;
    for line in output.lines() {
        if line.starts_with(' ') || line.starts_with('\t') {
            if let Some(last) = found.last_mut().filter(|_| open) {
                last.message.push_str("; ");
                last.message.push_str(&line.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            continue;
        }
        let one = reported(line, &rename);
        open = one.is_some();
        found.extend(one);
    }
    Diagnostic::unique(found)
}

fn reported(line: &str, rename: &impl Fn(&str) -> Option<String>) -> Option<Diagnostic> {
    let (place, rest) = match line.split_once("): ") {
        Some((place, rest)) if place.contains('(') && !place.contains(": ") => (Some(place), rest),
        _ => (None, line),
    };
    let (severity, rest) = if let Some(rest) = rest.strip_prefix("error TS") {
        (Severity::Error, rest)
    } else if let Some(rest) = rest.strip_prefix("warning TS") {
        (Severity::Warning, rest)
    } else {
        return None;
    };
    let (number, message) = rest.split_once(": ")?;
    if number.is_empty() || !number.chars().all(|one| one.is_ascii_digit()) {
        return None;
    }
    let (path, at) = match place.and_then(|place| place.rsplit_once('(')) {
        Some((path, at)) => (Some(path), at),
        None => (None, ""),
    };
    let (row, column) = at.split_once(',').unwrap_or_default();
    let file = path.and_then(rename);
    let known = file.is_some();
    Some(Diagnostic {
        severity,
        line: row.parse().ok().filter(|_| known),
        column: column.parse().ok().filter(|_| known),
        code: Some(format!("TS{number}")),
        message: match path.filter(|_| !known) {
            // An error in a library is reported, although no customization can repair it.
            Some(path) => format!("{} ({path})", message.trim()),
            None => message.trim().to_owned(),
        },
        file,
        symbol: symbol(number, message),
        tool: "tsc".to_owned(),
    })
}

/// The name a message is about: `AnalyzeResult`, `Widget.displayName`. Messages quote names in the order in which the
/// compiler's own texts have them.
pub(super) fn symbol(number: &str, message: &str) -> Option<String> {
    let quoted: Vec<&str> = message.split('\'').skip(1).step_by(2).collect();
    let first = *quoted.first().filter(|first| !first.is_empty())?;
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    match number {
        // Property 'x' does not exist on type 'T'. (2551: … Did you mean 'y'?)
        "2339" | "2551" | "2353" | "2561" => {
            let owner = quoted.get(1).map(|owner| owner.strip_prefix("typeof ").unwrap_or(owner));
            Some(match owner.filter(|owner| is_name(owner)) {
                Some(owner) => format!("{owner}.{first}"),
                None => first.to_owned(),
            })
        }
        // Property 'x' is missing in type 'S' but required in type 'T'.
        "2741" => Some(match quoted.get(2).filter(|owner| is_name(owner)) {
            Some(owner) => format!("{owner}.{first}"),
            None => first.to_owned(),
        }),
        // Module '"./x.js"' has no exported member 'A'. (2724: '"./x.js"' …. Did you mean 'B'?)
        "2305" | "2724" | "2614" => quoted.get(1).filter(|name| !name.is_empty()).map(|name| (*name).to_owned()),
        // Cannot find name 'A'; duplicate identifier 'A'; cannot redeclare block-scoped variable 'A'; no namespace 'A'.
        "2304" | "2552" | "2300" | "2451" | "2503" | "2580" | "2582" | "2591" | "2694" => Some(first.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LOG: &str = "src/summary.ts(3,10): error TS2305: Module '\"./models.js\"' has no exported member 'AnalyzeResult'.\n\
        src/summary.ts(7,17): error TS2551: Property 'displayName' does not exist on type 'Widget'. Did you mean 'display'?\n\
        src/summary.ts(9,3): error TS2322: Type '{ a: string; }' is not assignable to type 'B'.\n  Types of property 'a' are incompatible.\n    Type 'string' is not assignable to type 'number'.\n\
        ../../node_modules/x/index.d.ts(1,1): error TS1005: ';' expected.\n\
        error TS5057: Cannot find a tsconfig.json file at the specified directory: '.'.\n\
        src/summary.ts(3,10): error TS2305: Module '\"./models.js\"' has no exported member 'AnalyzeResult'.\n\
        > build\n> tsc -p .\nFound 5 errors.\n";

    fn rename(path: &str) -> Option<String> {
        path.starts_with("src/").then(|| format!("sdk/{path}"))
    }

    #[test]
    fn errors_are_taken_once_with_place_code_symbol_and_the_lines_that_belong_to_them() {
        let found = parse(LOG, rename);
        let brief: Vec<_> = found
            .iter()
            .map(|one| (one.place(), one.column, one.code.as_deref().unwrap(), one.symbol.as_deref()))
            .collect();
        assert_eq!(
            brief,
            [
                ("sdk/src/summary.ts:3".to_owned(), Some(10), "TS2305", Some("AnalyzeResult")),
                ("sdk/src/summary.ts:7".to_owned(), Some(17), "TS2551", Some("Widget.displayName")),
                ("sdk/src/summary.ts:9".to_owned(), Some(3), "TS2322", None),
                ("tsc".to_owned(), None, "TS1005", None),
                ("tsc".to_owned(), None, "TS5057", None),
            ]
        );
        assert!(
            found[2].message.ends_with(
                "; Types of property 'a' are incompatible.; Type 'string' is not assignable to type 'number'."
            )
        );
        assert!(found[3].message.contains("node_modules/x/index.d.ts"));
    }

    #[test]
    fn symbol_is_what_the_message_is_about() {
        for (number, message, expected) in [
            ("2339", "Property 'b' does not exist on type '{ a: number; }'.", Some("b")),
            ("2339", "Property 'of' does not exist on type 'typeof Widget'.", Some("Widget.of")),
            (
                "2353",
                "Object literal may only specify known properties, and 'displayName' does not exist in type 'Widget'.",
                Some("Widget.displayName"),
            ),
            (
                "2741",
                "Property 'title' is missing in type '{ a: string; }' but required in type 'Widget'.",
                Some("Widget.title"),
            ),
            ("2304", "Cannot find name 'Gadget'.", Some("Gadget")),
            ("2552", "Cannot find name 'Gadget'. Did you mean 'Widget'?", Some("Gadget")),
            ("2300", "Duplicate identifier 'Widget'.", Some("Widget")),
            ("2724", "'\"./models.js\"' has no exported member named 'A'. Did you mean 'B'?", Some("A")),
            ("2322", "Type 'string' is not assignable to type 'number'.", None),
            ("1005", "';' expected.", None),
            ("2339", "Property pe '' does not exist", None),
        ] {
            assert_eq!(symbol(number, message).as_deref(), expected, "{message}");
        }
    }

    proptest! {
        #[test]
        fn any_output_has_an_answer(output in "(\\PC|\n| |\\(1,2\\): |error TS|2339: |'){0,20}") {
            for diagnostic in parse(&output, rename) {
                prop_assert!(!diagnostic.message.contains('\n'));
            }
        }
    }
}
