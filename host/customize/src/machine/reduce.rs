//! Makes an oversized request smaller without losing a word that a person wrote.

use std::collections::BTreeSet;

use super::normalise::normalise;

/// Leaves of a request only its diagnostics and its prose: log noise goes, and so do repetitions.
///
/// Prose stays whole because a word in it can turn the meaning round ("do *not* hide"). What comes back may therefore
/// still be too large, and then the run stops.
#[must_use]
pub fn reduce_request(request: &str) -> String {
    let mut seen = BTreeSet::new();
    request.lines().filter(|line| !is_noise(line) && seen.insert(normalise(line))).collect::<Vec<_>>().join("\n")
}

/// Whether a line is what tools print about their progress. A line that names an error or a warning never is.
fn is_noise(line: &str) -> bool {
    let text = line.trim();
    let lower = text.to_ascii_lowercase();
    if ["error", "warning", "fail", "exception", "fatal"].iter().any(|word| lower.contains(word)) {
        return false;
    }
    const PREFIXES: [&str; 14] = [
        "[info]",
        "[debug]",
        "[trace]",
        "info ",
        "info:",
        "debug ",
        "debug:",
        "downloading ",
        "downloaded ",
        "progress ",
        "npm notice",
        "npm http",
        "> task ",
        "collecting ",
    ];
    text.is_empty()
        || PREFIXES.iter().any(|prefix| lower.starts_with(prefix))
        || is_stack_frame(text)
        || text.chars().all(|c| !c.is_alphanumeric())
        || starts_with_timestamp(text)
}

/// `at com.azure.Widget.main(Widget.java:12)`, `at run (/x/y.js:1:2)`, `File "x.py", line 3, in run`.
fn is_stack_frame(text: &str) -> bool {
    (text.starts_with("at ") && text.ends_with(')') && text.contains('('))
        || (text.starts_with("File \"") && text.contains("\", line "))
}

fn starts_with_timestamp(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let word = word.trim_matches(['[', ']']);
    let bytes = word.as_bytes();
    bytes.len() >= 8
        && bytes[0].is_ascii_digit()
        && word.contains(':')
        && word.chars().all(|c| c.is_ascii_digit() || "-:.TZ+,".contains(c))
}

#[cfg(test)]
mod tests {
    use super::reduce_request;

    #[test]
    fn noise_goes_and_prose_and_diagnostics_stay() {
        let request = "please do not hide listWidgets\n\
            [INFO] Building azure-widget\n\
            [ERROR] Widget.java:[12,5] cannot find symbol\n\
            [ERROR] Widget.java:[19,5] cannot find symbol\n\
            \tat org.apache.maven.Run.main(Run.java:12)\n\
            Downloading from central: x.pom\n\
            2026-08-01T10:00:00Z compiling\n\
            -----------\n\
            and keep deleteWidget public";
        assert_eq!(
            reduce_request(request),
            "please do not hide listWidgets\n\
             [ERROR] Widget.java:[12,5] cannot find symbol\n\
             and keep deleteWidget public"
        );
    }

    #[test]
    fn progress_line_that_names_an_error_stays() {
        let line = "[INFO] 12:00 1 error";
        assert_eq!(reduce_request(line), line);
    }
}
