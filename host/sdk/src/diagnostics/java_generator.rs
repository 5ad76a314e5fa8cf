//! Failures of the generator, told apart: in the customization, or in the generator itself.
//!
//! The generator compiles the customization class with Maven, loads it and runs it. Either step can fail, and no line of
//! generated code is written then: the cause stands in Maven's output or in a stack trace.

// A generator writes the lines.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::javac;
use crate::tasks::{Diagnostic, Severity};

/// Whose fault it is.
const CUSTOMIZATION: &str = "customization";

/// The diagnostics of a generation that printed `output`, given what the compiler's own lines said. `customizations`
/// are the customization files, relative to the package.
#[must_use]
pub fn diagnostics(output: &str, customizations: &[String], found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // The generator copies the files into a temporary directory: what is left of them is the end of their path.
    let known = |path: &str| {
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let mut same = customizations.iter().filter(|file| name(file) == name(path));
        let first = same.next()?;
        same.next().is_none().then(|| format!("sdk/{first}"))
    };
    let mut ours: Vec<Diagnostic> =
        javac::parse(output, known).into_iter().filter(Diagnostic::is_error).map(of_customization).collect();
    if ours.is_empty() {
        ours.extend(thrown(output, known));
    }
    let generator = |one: &Diagnostic| {
        one.code.as_deref().is_some_and(|code| code.starts_with("@azure-tools/typespec-java/")) && one.is_error()
    };
    let failed = found.iter().any(generator);
    let mut kept: Vec<Diagnostic> = found.into_iter().filter(|one| !generator(one)).collect();
    if !failed {
        return kept;
    }
    if ours.is_empty() {
        let cause = causes(output).last().cloned().unwrap_or_else(|| "it did not say why".to_owned());
        kept.push(Diagnostic {
            severity: Severity::Error,
            file: None,
            line: None,
            column: None,
            code: Some("generator-error".to_owned()),
            message: format!("the generator failed: {cause}"),
            symbol: None,
            tool: "emitter".to_owned(),
        });
    }
    kept.extend(ours);
    kept
}

fn of_customization(diagnostic: Diagnostic) -> Diagnostic {
    Diagnostic { tool: CUSTOMIZATION.to_owned(), ..diagnostic }
}

/// What a customization threw: the last cause that has a frame in a customization file, at the frame nearest to it.
fn thrown(output: &str, known: impl Fn(&str) -> Option<String>) -> Option<Diagnostic> {
    let mut cause = None;
    let mut result = None;
    for line in output.lines() {
        if let Some(text) = exception(line) {
            cause = Some(text);
            continue;
        }
        let (Some(text), Some((file, number))) = (&cause, frame(line)) else { continue };
        if let Some(file) = known(file) {
            result = Some(Diagnostic {
                severity: Severity::Error,
                file: Some(file),
                line: Some(number),
                column: None,
                code: Some("thrown".to_owned()),
                message: format!("the customization failed: {text}"),
                symbol: None,
                tool: CUSTOMIZATION.to_owned(),
            });
            cause = None;
        }
    }
    result
}

fn causes(output: &str) -> Vec<String> {
    output.lines().filter_map(exception).collect()
}

/// `Caused by: java.lang.X: words`, or the first line of a stack trace.
fn exception(line: &str) -> Option<String> {
    let text = line.strip_prefix("Caused by: ").unwrap_or(line);
    let name = text.split(':').next().unwrap_or_default();
    let is_name = name.contains('.')
        && name.chars().all(|one| one.is_alphanumeric() || matches!(one, '.' | '_' | '$'))
        && (name.ends_with("Exception") || name.ends_with("Error"));
    is_name.then(|| text.trim().to_owned())
}

/// The file and line of `\tat a.B.c(File.java:12)`.
fn frame(line: &str) -> Option<(&str, u32)> {
    let inner = line.trim().strip_prefix("at ")?.split_once('(')?.1.strip_suffix(')')?;
    let (file, number) = inner.split_once(':')?;
    Some((file, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "customization/src/main/java/WidgetCustomization.java";
    const TRACE: &str = "error @azure-tools/typespec-java/generator-error: TypeSpecPlugin - Failed to complete postprocessing.\n\
        java.lang.RuntimeException: Unable to complete customization\n\tat com.microsoft.Postprocessor.postProcess(Postprocessor.java:105)\n\
        Caused by: java.lang.IndexOutOfBoundsException: Index 0 out of bounds for length 0\n\
        \tat java.base/java.util.ArrayList.get(ArrayList.java:427)\n\
        \tat WidgetCustomization.lambda$customizeManufacturer$4(WidgetCustomization.java:56)\n\
        \tat com.azure.autorest.customization.ClassCustomization.customizeAst(ClassCustomization.java:39)\n\
        \tat WidgetCustomization.customize(WidgetCustomization.java:21)\n";

    fn reported() -> Vec<Diagnostic> {
        vec![Diagnostic {
            severity: Severity::Error,
            file: None,
            line: None,
            column: None,
            code: Some("@azure-tools/typespec-java/generator-error".into()),
            message: "TypeSpecPlugin - Failed to complete postprocessing.".into(),
            symbol: None,
            tool: "tsp".into(),
        }]
    }

    #[test]
    fn exception_of_a_customization_is_reported_at_its_own_line() {
        let found = diagnostics(TRACE, &[FILE.to_owned()], reported());
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].place(), format!("sdk/{FILE}:56"));
        assert!(found[0].message.ends_with("Index 0 out of bounds for length 0"), "{}", found[0].message);
    }

    #[test]
    fn customization_that_does_not_compile_is_reported_at_its_own_line() {
        let output = format!(
            "[\u{1b}[1;31mERROR\u{1b}[m] /tmp/customizationCompile1/src/main/java/WidgetCustomization.java:[56,18] cannot find symbol\n  \
             symbol:   method nope()\n{TRACE}"
        );
        let found = diagnostics(&output, &[FILE.to_owned()], reported());
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].message, "cannot find symbol; symbol: method nope()");
        assert_eq!(found[0].file.as_deref(), Some(format!("sdk/{FILE}").as_str()));
    }

    #[test]
    fn generator_that_fails_by_itself_is_not_blamed_on_a_customization() {
        let output = TRACE.replace("WidgetCustomization.java", "Mapper.java");
        let found = diagnostics(&output, &[FILE.to_owned()], reported());
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].file.as_deref(), found[0].tool.as_str()), (None, "emitter"));
        assert!(found[0].message.contains("Index 0"), "{}", found[0].message);
    }

    #[test]
    fn file_name_of_two_customizations_is_not_a_place() {
        let files = [FILE.to_owned(), "customization/other/WidgetCustomization.java".to_owned()];
        assert_eq!(diagnostics(TRACE, &files, reported())[0].file, None);
    }
}
