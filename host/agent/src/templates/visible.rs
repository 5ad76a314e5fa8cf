//! Text with nothing in it that a reader does not see.

/// Whether a character is escaped in text of several lines: all that cannot be seen but tabs and line feeds.
pub(super) fn is_invisible(character: char) -> bool {
    bailiwick_sandbox::is_invisible(character) && !matches!(character, '\t' | '\n')
}

/// The text with every unseen character written as `\u{202e}`. A carriage return before a line feed is dropped.
pub(super) fn visible(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\r' && characters.peek() == Some(&'\n') {
            continue;
        }
        if is_invisible(character) {
            seen.extend(character.escape_unicode());
        } else {
            seen.push(character);
        }
    }
    seen
}

/// The same on one line: line feeds are written as `\u{a}`.
pub(super) fn on_one_line(text: &str) -> String {
    visible(text.strip_suffix('\n').unwrap_or(text)).replace('\n', "\\u{a}")
}

/// At most so many characters of a text from its beginning; the rest of them as a number.
pub(super) fn beginning(text: &str, limit: usize) -> (&str, usize) {
    match text.char_indices().nth(limit) {
        None => (text, 0),
        Some((end, _)) => (&text[..end], text[end..].chars().count()),
    }
}

/// At most so many characters of a text from its end.
pub(super) fn end(text: &str, limit: usize) -> &str {
    let before = text.chars().count().saturating_sub(limit);
    text.char_indices().nth(before).map_or("", |(start, _)| &text[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_be_seen_is_escaped() {
        for (text, expected) in [
            ("caf\u{e9} \u{1f600}\t{x}\\n\n", "caf\u{e9} \u{1f600}\t{x}\\n\n"),
            ("a\r\nb\rc", "a\nb\\u{d}c"),
            ("\u{1b}[2J\u{9b}2J\u{7f}\0", "\\u{1b}[2J\\u{9b}2J\\u{7f}\\u{0}"),
            ("x\u{202e}txt.exe\u{2028}\u{200b}", "x\\u{202e}txt.exe\\u{2028}\\u{200b}"),
            ("\u{e0041}\u{fe01}\u{e0100}\u{feff}", "\\u{e0041}\\u{fe01}\\u{e0100}\\u{feff}"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }

    #[test]
    fn text_is_cut_between_characters() {
        assert_eq!(beginning("äöü", 2), ("äö", 1));
        assert_eq!(beginning("äöü", 3), ("äöü", 0));
        assert_eq!((end("äöü", 2), end("äöü", 9), end("äöü", 0)), ("öü", "äöü", ""));
    }

    #[test]
    fn prompt_and_a_log_escape_the_same_characters_but_tabs_and_line_feeds() {
        for character in ('\0'..=char::MAX).filter(|character| !matches!(character, '\t' | '\n')) {
            let text = character.to_string();
            assert_eq!(visible(&text) != text, bailiwick_sandbox::is_invisible(character), "{character:?}");
        }
    }
}
