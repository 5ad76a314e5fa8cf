//! Output of compilers whose tool is not known, in the two forms that most of them share.

use crate::tasks::{Diagnostic, Severity};

/// `path:line[:column]: error[ CODE]: message` and `path(line,column): error CODE: message`, without repetitions. Paths
/// begin with `sdk/` or are relative to the package.
#[must_use]
pub fn parse(log: &str) -> Vec<Diagnostic> {
    Diagnostic::unique(log.lines().filter_map(|line| read(line.trim())))
}

fn read(line: &str) -> Option<Diagnostic> {
    let (mark, severity) =
        [("error", Severity::Error), ("warning", Severity::Warning)].into_iter().find_map(|(word, severity)| {
            line.match_indices(word).map(|(at, _)| at).find(|at| line[..*at].ends_with(": ")).map(|at| (at, severity))
        })?;
    let (file, position) = place(line[..mark].trim_end().strip_suffix(':')?)?;
    let rest = line[mark..].strip_prefix("error").or_else(|| line[mark..].strip_prefix("warning"))?;
    let (code, message) = rest.split_once(": ").or_else(|| rest.split_once(':'))?;
    let code = code.trim();
    if code.contains(' ') || message.trim().is_empty() {
        return None;
    }
    let file = if file.starts_with("sdk/") { file } else { format!("sdk/{}", file.trim_start_matches("./")) };
    Some(Diagnostic {
        severity,
        file: Some(file),
        line: Some(position.0),
        column: position.1,
        code: (!code.is_empty()).then(|| code.to_owned()),
        message: message.trim().to_owned(),
        symbol: None,
        tool: "buildScript".to_owned(),
    })
}

/// A path that cannot be outside the package, and line and column from 1.
fn place(text: &str) -> Option<(String, (u32, Option<u32>))> {
    let (file, numbers) = match text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
        Some((file, numbers)) => (file, numbers.split(',').map(str::to_owned).collect::<Vec<_>>()),
        None => {
            let mut parts: Vec<&str> = text.split(':').collect();
            let numeric = |part: &&str| !part.is_empty() && part.chars().all(|one| one.is_ascii_digit());
            let count = parts.iter().rev().take(2).take_while(|part| numeric(part)).count();
            let numbers = parts.split_off(parts.len() - count).into_iter().map(str::to_owned).collect();
            let [file] = parts.as_slice() else { return None };
            (*file, numbers)
        }
    };
    let line = numbers.first()?.trim().parse().ok()?;
    let column = numbers.get(1).and_then(|number| number.trim().parse().ok());
    let file = file.trim().replace('\\', "/");
    let outside = file.is_empty() || file.starts_with('/') || file.starts_with("repository/") || file.contains("..");
    (!outside && !file.contains(' ')).then_some((file, (line, column)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read_with_place_and_code() {
        let log = "Build started\n\
            sdk/src/A.cs(7,23): error CS0102: The type 'A' has it already [sdk/A.csproj]\n\
            sdk/src/A.cs(7,23): error CS0102: The type 'A' has it already [sdk/A.csproj]\n\
            azure/w/_patch.py:3: error: Module has no attribute \"X\"  [attr-defined]\n\
            ./src/a.ts:4:9: warning TS1: careful\n\
            src/main/java/A.java:105: error: cannot find symbol\n";
        let found = parse(log);
        let shown: Vec<_> =
            found.iter().map(|one| format!("{} {:?} {:?}", one.place(), one.column, one.code)).collect();
        assert_eq!(
            shown,
            [
                "sdk/src/A.cs:7 Some(23) Some(\"CS0102\")",
                "sdk/azure/w/_patch.py:3 None None",
                "sdk/src/a.ts:4 Some(9) Some(\"TS1\")",
                "sdk/src/main/java/A.java:105 None None",
            ]
        );
        assert_eq!(found.iter().filter(|one| one.is_error()).count(), 3);
    }

    #[test]
    fn lines_without_a_place_in_the_package_are_left_out() {
        for line in [
            "error: something failed",
            "12:30: error: clock",
            "/usr/include/x.h:3: error: far away",
            "../other/a.ts:3:4: error TS2: far away",
            "repository/eng/x.props(3,4): error MSB1: around it",
            "Found 3 errors in 2 files: error: x",
            "a.c:3: error:",
            "",
            "é: error",
        ] {
            assert_eq!(parse(line), [], "{line}");
        }
    }
}
