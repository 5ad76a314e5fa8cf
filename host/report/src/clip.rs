//! Strangers' text made short and visible. What it becomes in a page or in Markdown is the renderers' business.

use bailiwick_audit::is_invisible;

/// One line: line breaks become spaces, unseen characters are written out as `\u{…}`, and what is over `most` characters
/// is counted.
pub(crate) fn line(text: &str, most: usize) -> String {
    clipped(text.trim(), most, |character| [if is_break(character) { ' ' } else { character }])
}

/// A line of code: its white space stays, and a tab is four spaces.
pub(crate) fn code_line(text: &str, most: usize) -> String {
    clipped(text, most, |character| {
        let (character, times) = if character == '\t' { (' ', 4) } else { (character, 1) };
        std::iter::repeat_n(character, times)
    })
}

/// A text of several lines, each of them bounded and the whole too.
pub(crate) fn text(text: &str, most: usize, line: usize) -> String {
    let mut shown = String::new();
    let mut left = most;
    let trimmed = text.trim_end();
    for (number, part) in trimmed.split('\n').enumerate() {
        if left == 0 {
            let rest = trimmed.split('\n').count() - number;
            shown.push_str(&format!("\n… ({rest} more lines)"));
            break;
        }
        if number > 0 {
            shown.push('\n');
        }
        let part = code_line(part.trim_end_matches('\r'), line.min(left));
        left = left.saturating_sub(part.chars().count().max(1));
        shown.push_str(&part);
    }
    shown
}

fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// `shown` is what becomes of each character.
fn clipped<Shown: IntoIterator<Item = char>>(text: &str, most: usize, shown: impl Fn(char) -> Shown) -> String {
    let mut clipped = String::new();
    let mut count = 0;
    for (at, character) in text.char_indices() {
        if count >= most {
            // The rest of megabytes is counted without being looked at.
            clipped.push_str(&format!("… ({} more characters)", text[at..].chars().count()));
            break;
        }
        for character in shown(character) {
            if is_invisible(character) {
                let escape: String = character.escape_unicode().collect();
                count += escape.len();
                clipped.push_str(&escape);
            } else {
                count += 1;
                clipped.push(character);
            }
        }
    }
    clipped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_written_out_and_what_is_too_long_is_counted() {
        assert_eq!(line("a\u{1b}[31mb\u{202e}", 100), "a\\u{1b}[31mb\\u{202e}");
        assert_eq!(line(" a\r\nb\u{2028}c ", 100), "a  b c");
        assert_eq!(line(&"ä".repeat(12), 10), "ääääääääää… (2 more characters)");
        assert_eq!(code_line("\tx", 10), "    x");
        assert_eq!(text("a\r\n\tb\n\n", 100, 100), "a\n    b");
        assert_eq!(text("a\nb\nc\nd", 2, 100), "a\nb\n… (2 more lines)");
    }

    #[test]
    fn megabytes_on_one_line_or_in_empty_lines_stay_short() {
        for hostile in ["x".repeat(4 << 20), "\n".repeat(4 << 20), "\u{200b}".repeat(1 << 20)] {
            assert!(text(&hostile, 1_000, 200).len() < 1_400);
            assert!(line(&hostile, 100).len() < 200);
        }
    }
}
