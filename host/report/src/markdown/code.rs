//! Code spans and fences that no content can end.

use crate::clip;
use crate::limits::Limits;

/// One line of a stranger's text as a code span; nothing where there is no text.
pub(crate) fn span(text: &str, most: usize) -> String {
    let text = clip::line(text, most);
    if text.is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    // A space on both sides is taken away again, and keeps a backtick of the text from joining those around it.
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// The same for a cell of a table: `|` ends a cell wherever it stands, so it is shown as `¦`.
pub(crate) fn cell(text: &str, most: usize) -> String {
    span(&text.replace('|', "¦").replace('\\', "/"), most)
}

/// Lines of a stranger's text as a fenced block.
pub(super) fn fence(language: &str, text: &str, limits: &Limits) -> String {
    fenced(language, &clip::text(text, limits.text, limits.line))
}

/// The same for lines that are short and visible already.
pub(super) fn fenced(language: &str, text: &str) -> String {
    let ticks = "`".repeat(longest_run(text).max(2) + 1);
    format!("{ticks}{language}\n{text}\n{ticks}\n")
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_span_or_its_fence() {
        assert_eq!(span("a", 9), "`a`");
        assert_eq!(span("a``b", 9), "```a``b```");
        assert_eq!(span("`", 9), "`` ` ``");
        assert_eq!(span(" \n ", 9), "");
        assert_eq!(span("a\n\n# b", 9), "`a  # b`");
        assert_eq!(cell("a|b\\|c", 9), "`a¦b/¦c`");
        assert_eq!(fenced("text", "````\nx"), "`````text\n````\nx\n`````\n");
    }
}
