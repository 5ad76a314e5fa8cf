//! Reads what `dotnet build` and `tsc` print: `path(line,column): error CODE: message [project]`.

// Anybody may have written the log.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::logs::quoted;
use bailiwick_sdk::tasks::{Diagnostic, Severity};

/// One line in MSBuild's form, with or without a place.
pub(super) fn diagnostic(line: &str) -> Option<Diagnostic> {
    let line = line.trim();
    [("error", Severity::Error), ("warning", Severity::Warning)].into_iter().find_map(|(word, severity)| {
        let (place, rest) = match line.strip_prefix(&format!("{word} ")) {
            Some(rest) => ("", rest),
            None => line.split_once(&format!(": {word} "))?,
        };
        let (code, message) = rest.split_once(": ")?;
        if !is_code(code) {
            return None;
        }
        let (file, line, column) = self::place(place.trim())?;
        let message = without_project(message.trim()).to_owned();
        Some(Diagnostic {
            severity,
            file,
            line,
            column,
            code: Some(code.to_owned()),
            symbol: quoted(&message).first().cloned(),
            message,
            tool: if code.starts_with("TS") { "tsc".into() } else { "dotnet".into() },
        })
    })
}

/// What MSBuild prints around its diagnostics. Each line stands for itself; none of them is a sentence.
pub(super) fn is_summary(line: &str) -> bool {
    let count = line.trim_start_matches(|c: char| c.is_ascii_digit());
    (count.len() < line.len() && [" Warning(s)", " Error(s)"].contains(&count))
        || ["Build FAILED.", "Build succeeded.", "Determining projects to restore..."].contains(&line)
        || line.starts_with("Time Elapsed 00:")
        || line.starts_with("All projects are up-to-date for restore")
        || line.starts_with("MSBuild version ")
}

/// `AZC0030`, `CS0102`, `MSB3021`, `TS2304`: capitals, then digits.
fn is_code(code: &str) -> bool {
    let digits = code.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = code.len().saturating_sub(digits.len());
    (2..=6).contains(&letters) && (4..=6).contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_digit())
}

type Place = (Option<String>, Option<u32>, Option<u32>);

/// `src/A.cs(14,26)`, `src/A.cs(14)`, `CSC` for the compiler as a whole, or nothing.
fn place(text: &str) -> Option<Place> {
    if text.is_empty() || ["CSC", "MSBUILD"].contains(&text) {
        return Some((None, None, None));
    }
    let (file, numbers) = text.strip_suffix(')')?.rsplit_once('(')?;
    let mut numbers = numbers.split(',').map(|number| number.trim().parse().ok());
    let line = numbers.next()??;
    let column = numbers.next().flatten();
    let is_path = !file.is_empty() && file.rsplit_once('.').is_some_and(|(_, end)| (1..=6).contains(&end.len()));
    is_path.then(|| (Some(file.to_owned()), Some(line), column))
}

/// The message without the project behind it: `… [/src/Azure.Widget.csproj::TargetFramework=net8.0]`.
fn without_project(message: &str) -> &str {
    let cut = message
        .strip_suffix(']')
        .and_then(|inner| inner.rsplit_once(" ["))
        .filter(|(_, project)| project.split("::").next().is_some_and(|project| project.ends_with("proj")));
    cut.map_or(message, |(message, _)| message.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_codes_and_projects_are_told_apart() {
        for (line, file, at, code, message, tool) in [
            (
                "/s/Generated/Tasks.cs(14,26): error AZC0012: Type name 'Tasks' is too generic [/s/A.csproj]",
                Some("/s/Generated/Tasks.cs"),
                (Some(14), Some(26)),
                "AZC0012",
                "Type name 'Tasks' is too generic",
                "dotnet",
            ),
            (
                r"C:\s\A.cs(1,2): warning CS0168: The variable 'x' [y] [C:\s\A.csproj::TargetFramework=net8.0]",
                Some(r"C:\s\A.cs"),
                (Some(1), Some(2)),
                "CS0168",
                "The variable 'x' [y]",
                "dotnet",
            ),
            ("CSC : error CS5001: No entry", None, (None, None), "CS5001", "No entry", "dotnet"),
            ("error AZC0012: Avoid 'Sku'", None, (None, None), "AZC0012", "Avoid 'Sku'", "dotnet"),
            ("a.ts(3,5): error TS2304: No 'X'.", Some("a.ts"), (Some(3), Some(5)), "TS2304", "No 'X'.", "tsc"),
        ] {
            let found = diagnostic(line).unwrap();
            let brief =
                (found.file.as_deref(), (found.line, found.column), found.code.as_deref(), found.message.as_str());
            assert_eq!((brief, found.tool.as_str()), ((file, at, Some(code), message), tool), "{line}");
        }
    }

    #[test]
    fn other_forms_are_no_lines_of_msbuild() {
        for line in [
            "azure/a.py:3: error: bad  [attr-defined]",
            "spec/client.tsp:10:14 - error invalid-ref: Unknown",
            "please fix: error handling: nothing",
            "note: error AZ12: x",
            "hide deleteWidget: error 404: gone",
        ] {
            assert!(diagnostic(line).is_none(), "{line}");
        }
    }
}
