//! Output of MSBuild: messages of the compiler, of analyzers and of MSBuild, one message a line.

// A build writes the lines.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeSet;

use crate::tasks::{Diagnostic, Severity};

const TOOL: &str = "dotnet";

/// Every error and warning once, in the order in which they were printed. MSBuild prints each again in its summary, and
/// once for every target framework.
///
/// Paths in the package begin with `sdk/`. A path that is relative to the project is resolved against the project's path, which
/// stands in brackets at the end of the line.
pub fn parse(output: &str) -> Vec<Diagnostic> {
    Diagnostic::unique(output.lines().filter_map(diagnostic))
}

/// A line of MSBuild, before anything is concluded from its path.
pub(super) struct Message<'a> {
    /// `src/A.cs(14,26)`, or the name of a tool: `CSC`.
    pub(super) origin: Option<&'a str>,
    pub(super) severity: Severity,
    /// Empty where MSBuild printed none.
    pub(super) code: &'a str,
    pub(super) text: &'a str,
    project: Option<&'a str>,
}

/// `origin(line,column): error CODE: message [project]`, where origin may be a path or a tool, and the place may be missing.
pub(super) fn message(line: &str) -> Option<Message<'_>> {
    let line = numbered(line.trim());
    let (text, project) = in_brackets(line);
    let (origin, severity, rest) = split_at_severity(text)?;
    let (code, text) = rest.split_once(':')?;
    let code = code.trim();
    // `error : words` has no code; anything with a space in it is prose.
    let is_code = !code.contains(char::is_whitespace) && code.chars().all(|one| one.is_ascii_alphanumeric());
    is_code.then(|| Message { origin, severity, code, text: text.trim(), project })
}

fn diagnostic(line: &str) -> Option<Diagnostic> {
    let Message { origin, severity, code, text, project } = message(line)?;
    let (path, place) = origin.map_or((None, None), place);
    let file = path.and_then(|path| file(path, project));
    let message = match (&file, path) {
        // The file is outside the package. A person needs its path to understand the message.
        (None, Some(path)) if path.contains('/') => format!("{path}: {text}"),
        _ => text.to_owned(),
    };
    Some(Diagnostic {
        severity,
        line: file.as_ref().and(place).map(|(line, _)| line),
        column: file.as_ref().and(place).map(|(_, column)| column.unwrap_or(1)),
        file,
        symbol: symbol(code, &message),
        code: (!code.is_empty()).then(|| code.to_owned()),
        message,
        tool: TOOL.to_owned(),
    })
}

/// Whether the compiler has looked at all code of its project where it prints this error: analyzers are asked after it, and none
/// of them stops another. Its own errors (`CS0103`) may keep it from asking them, and whatever else MSBuild runs may stop it before
/// the compiler. Which code is an analyzer's is told by its letters; of another one nothing is known.
#[must_use]
pub fn goes_on_after(error: &Diagnostic) -> bool {
    const ANALYZERS: [&str; 5] = ["AZC", "CA", "IDE", "SA", "VSTHRD"];
    let is_of_analyzer = |code: &str| {
        ANALYZERS.iter().any(|letters| {
            let number = code.strip_prefix(letters).unwrap_or_default();
            !number.is_empty() && number.bytes().all(|one| one.is_ascii_digit())
        })
    };
    error.tool == TOOL
        && error.line.is_some()
        && error.file.as_deref().and_then(|file| file.rsplit_once('.')).is_some_and(|(_, end)| end == "cs")
        && error.code.as_deref().is_some_and(is_of_analyzer)
}

/// The projects that errors are about, as the lines name them at their end; `None` for an error that names none. MSBuild does
/// not come to a project that builds on one with an error.
#[must_use]
pub fn projects_with_errors(output: &str) -> BTreeSet<Option<&str>> {
    let messages = output.lines().filter_map(message).filter(|one| one.severity == Severity::Error);
    messages.map(|one| one.project).collect()
}

/// Whether MSBuild prints such a line around its diagnostics.
pub(super) fn is_summary(line: &str) -> bool {
    let count = line.trim_start_matches(|c: char| c.is_ascii_digit());
    (count.len() < line.len() && [" Warning(s)", " Error(s)"].contains(&count))
        || ["Build FAILED.", "Build succeeded.", "Determining projects to restore..."].contains(&line)
        || line.starts_with("Time Elapsed 00:")
        || line.starts_with("All projects are up-to-date for restore")
        || line.starts_with("MSBuild version ")
}

/// A line without the number of the node that printed it: `2>src/A.cs(…)`.
fn numbered(line: &str) -> &str {
    match line.split_once('>') {
        Some((number, rest)) if !number.is_empty() && number.bytes().all(|one| one.is_ascii_digit()) => rest,
        _ => line,
    }
}

/// The project at the end of a line, without its target framework.
fn in_brackets(line: &str) -> (&str, Option<&str>) {
    let Some((text, project)) = line.strip_suffix(']').and_then(|line| line.rsplit_once(" [")) else {
        return (line, None);
    };
    let project = project.split("::").next().unwrap_or(project);
    if project.ends_with("proj") { (text, Some(project)) } else { (line, None) }
}

/// The first ` error ` or ` warning ` behind a colon: what is before it, and what is behind it.
fn split_at_severity(text: &str) -> Option<(Option<&str>, Severity, &str)> {
    for (word, severity) in [("error", Severity::Error), ("warning", Severity::Warning)] {
        let mut behind = text;
        while let Some((_, rest)) = behind.split_once(word) {
            behind = rest;
            let length = text.len().saturating_sub(rest.len()).saturating_sub(word.len());
            let before = text.get(..length).unwrap_or_default().trim_end();
            let is_word = rest.starts_with([' ', ':']);
            if is_word && before.is_empty() {
                return Some((None, severity, rest));
            }
            if let (true, Some(origin)) = (is_word, before.strip_suffix(':')) {
                return Some((Some(origin.trim_end()), severity, rest));
            }
        }
    }
    None
}

/// Line and column.
type Place = (u32, Option<u32>);

/// `path(12,7)`, `path(12)` or `path(12,7,12,9)`.
pub(super) fn place(origin: &str) -> (Option<&str>, Option<Place>) {
    let split = origin.strip_suffix(')').and_then(|origin| origin.rsplit_once('('));
    let Some((path, numbers)) = split else { return (Some(origin), None) };
    let mut numbers = numbers.split(',').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(line)), Some(Ok(column))) => (Some(path), Some((line, Some(column)))),
        (Some(Ok(line)), None) => (Some(path), Some((line, None))),
        _ => (Some(origin), None),
    }
}

/// The file's name in the package, if it is in it.
fn file(path: &str, project: Option<&str>) -> Option<String> {
    let path = path.replace('\\', "/");
    if path.starts_with("sdk/") {
        return Some(path);
    }
    let is_source = path.rsplit_once('.').is_some_and(|(_, extension)| extension == "cs");
    let inside = !path.starts_with(['/', '.']) && !path.starts_with("repository/");
    let (directory, _) = project?.rsplit_once('/')?;
    (is_source && inside && directory.starts_with("sdk")).then(|| format!("{directory}/{path}"))
}

/// The name that a message of Roslyn is about.
pub(super) fn symbol(code: &str, message: &str) -> Option<String> {
    let mut quoted = message.split('\'').skip(1).step_by(2);
    let (first, second) = (quoted.next(), quoted.next());
    let text = match code {
        // `The type 'T' already contains a definition for 'M'` and its kin name the holder first, if they name it.
        "CS0101" | "CS0102" | "CS0111" | "CS0117" | "CS1061" => second.or(first),
        "CS0103" | "CS0115" | "CS0234" | "CS0246" | "CS0260" | "CS0535" => first,
        _ if code.starts_with("AZC") => first,
        _ => None,
    }?;
    // `T.M(int)` is about `M`.
    let text = text.split(['(', '<']).next().unwrap_or(text);
    let name = text.rsplit('.').next().unwrap_or(text).trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "  Determining projects to restore...\n\
        sdk/src/Customization/AnalyzeResult.cs(9,29): error CS0102: The type 'AnalyzeResult' already contains a definition for 'OperationId' [sdk/src/Azure.Widget.csproj::TargetFramework=net8.0]\n\
        sdk/src/Customization/AnalyzeResult.cs(9,29): error CS0102: The type 'AnalyzeResult' already contains a definition for 'OperationId' [sdk/src/Azure.Widget.csproj::TargetFramework=netstandard2.0]\n\
        Customization/Widget.cs(3,7): error CS1061: 'Widget' does not contain a definition for 'DisplayName' and no accessible extension method 'DisplayName' accepting a first argument of type 'Widget' could be found (are you missing a using directive or an assembly reference?) [sdk/src/Azure.Widget.csproj]\n\
        2>sdk/src/Generated/Tasks.cs(14,26): error AZC0012: Type name 'Tasks' is too generic and has high chance of collision with BCL types or types from other libraries. Consider renaming to: WidgetTasks [sdk/src/Azure.Widget.csproj]\n\
        sdk/src/Generated/P.cs(14,26,14,30): warning AZC0030: Model name 'P' ends with 'Parameters'. We suggest renaming it to 'Q' or another name with this suffix. [sdk/src/Azure.Widget.csproj]\n\
        repository/eng/Packages.props : error NU1301: Unable to load the service index for source x. [sdk/src/Azure.Widget.csproj]\n\
        CSC : error CS2001: Source file 'x.cs' could not be found. [sdk/src/Azure.Widget.csproj]\n\
        MSBUILD : error MSB1009: Project file does not exist.\n\
        Build FAILED.\n    0 Warning(s)\n    7 Error(s)\nThere was an error: it is only a word\n";

    #[test]
    fn messages_are_taken_once_with_place_code_and_symbol() {
        let found = parse(LOG);
        let brief: Vec<_> = found
            .iter()
            .map(|one| (one.place(), one.code.clone().unwrap_or_default(), one.symbol.clone().unwrap_or_default()))
            .collect();
        let wanted = [
            ("sdk/src/Customization/AnalyzeResult.cs:9", "CS0102", "OperationId"),
            ("sdk/src/Customization/Widget.cs:3", "CS1061", "DisplayName"),
            ("sdk/src/Generated/Tasks.cs:14", "AZC0012", "Tasks"),
            ("sdk/src/Generated/P.cs:14", "AZC0030", "P"),
            ("dotnet", "NU1301", ""),
            ("dotnet", "CS2001", ""),
            ("dotnet", "MSB1009", ""),
        ];
        assert_eq!(brief, wanted.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned())));
        assert_eq!(found[0].column, Some(29));
        assert!(!found[3].is_error() && found[2].is_error());
        assert!(found[4].message.starts_with("repository/eng/Packages.props: Unable"), "{}", found[4].message);
    }

    #[test]
    fn symbol_is_what_the_message_is_about() {
        for (code, message, wanted) in [
            ("CS0103", "The name 'Foo' does not exist in the current context", "Foo"),
            ("CS0246", "The type or namespace name 'Old' could not be found (are you missing …?)", "Old"),
            ("CS0234", "The type or namespace name 'Old' does not exist in the namespace 'A.B'", "Old"),
            ("CS0117", "'A.Widget' does not contain a definition for 'Nope'", "Nope"),
            (
                "CS1061",
                "'A.W' does not contain a definition for 'Bar' and no accessible extension method 'Bar' accepting a first argument of type 'A.W' could be found",
                "Bar",
            ),
            ("CS0111", "Type 'W' already defines a member called 'F' with the same parameter types", "F"),
            ("CS0101", "The namespace 'A' already contains a definition for 'W'", "W"),
            ("CS0115", "'W.Old(int)': no suitable method found to override", "Old"),
            (
                "AZC0032",
                "Model name 'ReportData' ends with 'Data'. Suggest to rename it to an appropriate name.",
                "ReportData",
            ),
        ] {
            assert_eq!(symbol(code, message).as_deref(), Some(wanted), "{message}");
        }
        assert_eq!(symbol("CS8019", "Unnecessary using directive."), None);
    }

    #[test]
    fn error_behind_which_nothing_is_hidden_is_that_of_an_analyzer_with_a_place_in_code() {
        let goes_on = |line: &str| goes_on_after(&parse(line)[0]);
        for code in ["AZC0012", "AZC0030", "CA1062", "SA1309", "IDE0051", "VSTHRD002"] {
            assert!(goes_on(&format!("sdk/src/A.cs(14,26): error {code}: x [sdk/src/W.csproj]")), "{code}");
        }
        // The last ones are of generators, of the package's compatibility, and of no known kind.
        for code in
            ["CS0103", "CS1591", "CS8618", "NU1101", "NETSDK1045", "MSB3021", "SCM0005", "CP0002", "CAX1", "AZC", ""]
        {
            assert!(!goes_on(&format!("sdk/src/A.cs(14,26): error {code}: x [sdk/src/W.csproj]")), "{code}");
        }
        for line in [
            "CSC : error AZC0012: x [sdk/src/W.csproj]",
            "sdk/src/W.csproj(3,4): error AZC0012: x [sdk/src/W.csproj]",
            "repository/eng/A.cs(3,4): error AZC0012: x [sdk/src/W.csproj]",
        ] {
            assert!(!goes_on(line), "{line}");
        }
    }

    #[test]
    fn projects_with_errors_are_those_at_the_end_of_lines() {
        let log = "sdk/src/A.cs(1,2): error AZC0012: x [sdk/src/W.csproj::TargetFramework=net8.0]\n\
                   sdk/src/A.cs(1,2): warning AZC0030: x [sdk/src/Other.csproj]\n\
                   sdk/shared/B.cs(1,2): error AZC0012: x [sdk/shared/B.csproj]\n\
                   sdk/src/A.cs(1,2): error AZC0030: x\n";
        let wanted = [None, Some("sdk/shared/B.csproj"), Some("sdk/src/W.csproj")];
        assert_eq!(projects_with_errors(log).into_iter().collect::<Vec<_>>(), wanted);
    }
}
