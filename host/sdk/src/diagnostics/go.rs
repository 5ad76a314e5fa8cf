//! Output of `go build` and `go vet`.

// A build writes the lines.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use crate::tasks::{Diagnostic, Severity};

/// `./file.go:3:10: message` with the indented lines that belong to it, without repetitions. A line may begin
/// with `vet: `.
pub fn parse(output: &str) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut open = false;
    for line in output.lines() {
        if line.starts_with('\t') || line.starts_with("    ") {
            if let Some(last) = found.last_mut().filter(|_| open) {
                last.message.push_str("; ");
                last.message.push_str(&without_place(line.trim()));
            }
            continue;
        }
        open = false;
        let Some(Message { path, line, column, text }) = message(line).filter(Message::is_in_package) else { continue };
        found.push(Diagnostic {
            severity: Severity::Error,
            file: Some(format!("sdk/{}", path.strip_prefix("./").unwrap_or(path))),
            line: Some(line),
            column,
            code: None,
            message: text.to_owned(),
            symbol: symbol(text),
            tool: "go".to_owned(),
        });
        open = true;
    }
    Diagnostic::unique(found)
}

/// The first words of the command's own complaint, where no line is about a place in a file.
#[must_use]
pub fn complaint(output: &str) -> Option<&str> {
    output.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))
}

/// A line of the compiler, before anything is concluded from its path.
pub(super) struct Message<'a> {
    pub(super) path: &'a str,
    pub(super) line: u32,
    pub(super) column: Option<u32>,
    pub(super) text: &'a str,
}

impl Message<'_> {
    /// Files outside the package have an absolute path or one that leads upwards. No customization can repair those.
    fn is_in_package(&self) -> bool {
        !self.path.starts_with('/') && !self.path.starts_with("../")
    }
}

/// `path.go:12:7: message`, or `path.go:12: message`.
pub(super) fn message(line: &str) -> Option<Message<'_>> {
    let line = line.strip_prefix("vet: ").unwrap_or(line);
    let (path, rest) = line.split_once(".go:")?;
    let path = line.get(..path.len().checked_add(".go".len())?).filter(|path| !path.contains(char::is_whitespace))?;
    let (number, rest) = rest.split_once(':')?;
    let (column, text) = match rest.split_once(": ").map(|(column, text)| (column.parse().ok(), text)) {
        Some((Some(column), text)) => (Some(column), text),
        _ => (None, rest.strip_prefix(' ')?),
    };
    let text = text.trim();
    (!text.is_empty()).then_some(Message { path, line: number.parse().ok()?, column, text })
}

/// `./zz_models.go:7:6: other declaration of Widget` says where the other is, which stays.
fn without_place(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The name a message is about: `AnalyzeResult`, `Widget.DisplayName`.
pub(super) fn symbol(message: &str) -> Option<String> {
    let name = |text: &str| -> Option<String> {
        let text: String =
            text.trim_start_matches('*').chars().take_while(|&c| c.is_alphanumeric() || "_./".contains(c)).collect();
        let text = text.trim_end_matches('.');
        (!text.is_empty()).then(|| text.to_owned())
    };
    if let Some(rest) = message.strip_prefix("undefined: ") {
        return name(rest);
    }
    // `w.DisplayName undefined (type *Widget has no field or method DisplayName)`
    if let Some((selected, rest)) = message.split_once(" undefined (type ") {
        let (owner, _) = rest.split_once(" has no field or method ")?;
        let member = selected.rsplit('.').next()?;
        return Some(format!("{}.{}", name(owner)?, name(member)?));
    }
    // `unknown field DisplayName in struct literal of type Widget`
    if let Some(rest) = message.strip_prefix("unknown field ") {
        let (member, owner) = rest.split_once(" in struct literal of type ")?;
        return Some(format!("{}.{}", name(owner)?, name(member)?));
    }
    // `method Widget.Summary already declared at ./zz_models.go:9:1`
    if let Some(rest) =
        message.strip_prefix("method ").or_else(|| message.strip_prefix("field and method with the same name "))
    {
        return name(rest);
    }
    if message.contains(" redeclared in this block") {
        return name(message);
    }
    // `"fmt" imported and not used`
    if message.contains(" imported and not used") {
        return message.split('"').nth(1).map(str::to_owned);
    }
    message.strip_prefix("declared and not used: ").and_then(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LOG: &str = "# example.com/azwidget\n\
        ./summary.go:3:10: undefined: AnalyzeResult\n\
        ./summary.go:5:45: w.DisplayName undefined (type *Widget has no field or method DisplayName, but does have field Title)\n\
        ./summary.go:9:6: Widget redeclared in this block\n\t./zz_models.go:7:6: other declaration of Widget\n\
        # example.com/azwidget/fake\nfake/server.go:12: missing return\n\
        vet: ./summary.go:3:10: undefined: AnalyzeResult\n\
        /usr/local/go/src/fmt/print.go:1:1: not ours\n../other/a.go:1:1: not ours\ntoo many errors\n";

    #[test]
    fn errors_are_taken_once_with_place_symbol_and_the_lines_that_belong_to_them() {
        let found = parse(LOG);
        let brief: Vec<_> = found.iter().map(|one| (one.place(), one.column, one.symbol.as_deref())).collect();
        assert_eq!(
            brief,
            [
                ("sdk/summary.go:3".to_owned(), Some(10), Some("AnalyzeResult")),
                ("sdk/summary.go:5".to_owned(), Some(45), Some("Widget.DisplayName")),
                ("sdk/summary.go:9".to_owned(), Some(6), Some("Widget")),
                ("sdk/fake/server.go:12".to_owned(), None, None),
            ]
        );
        assert_eq!(
            found[2].message,
            "Widget redeclared in this block; ./zz_models.go:7:6: other declaration of Widget"
        );
    }

    #[test]
    fn symbol_is_what_the_message_is_about() {
        for (message, expected) in [
            ("undefined: azcore.Nothing", Some("azcore.Nothing")),
            ("x.A undefined (type Widget has no field or method A)", Some("Widget.A")),
            ("f().B undefined (type *azcore.Client has no field or method B)", Some("azcore.Client.B")),
            ("unknown field DisplayName in struct literal of type Widget", Some("Widget.DisplayName")),
            ("method Widget.Summary already declared at ./zz_models.go:9:1", Some("Widget.Summary")),
            ("field and method with the same name Status", Some("Status")),
            ("\"net/http\" imported and not used", Some("net/http")),
            ("\"a/b\" imported as c and not used", Some("a/b")),
            ("declared and not used: result", Some("result")),
            ("missing return", None),
            ("cannot use x (variable of type int) as string value in assignment", None),
        ] {
            // Go says both `imported and not used` and `imported as c and not used`.
            let message = message.replace("imported as c and not used", "imported and not used");
            assert_eq!(symbol(&message).as_deref(), expected, "{message}");
        }
    }

    #[test]
    fn complaint_is_what_the_command_itself_says() {
        assert_eq!(complaint("# m\n\ngo: updates to go.mod needed\n"), Some("go: updates to go.mod needed"));
        assert_eq!(complaint("\n"), None);
    }

    proptest! {
        #[test]
        fn any_output_has_an_answer(output in "(\\PC|\n|\t|\\.go:|:1:|undefined: | undefined \\(type | redeclared in this block){0,20}") {
            for diagnostic in parse(&output) {
                prop_assert!(!diagnostic.message.contains('\n'));
            }
            let _ = complaint(&output);
        }
    }
}
