//! Text as text.

use crate::clip;
use crate::limits::Limits;

/// The text so that it is neither a tag nor the end of an attribute's value.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// One line of a stranger's.
pub(crate) fn line(text: &str, limits: &Limits) -> String {
    escape(&clip::line(text, limits.line))
}

/// One line in which what stands between backticks is code.
pub(super) fn prose(text: &str, limits: &Limits) -> String {
    let text = clip::line(text, limits.line);
    let parts: Vec<&str> = text.split('`').collect();
    let mut shown = String::new();
    for (index, part) in parts.iter().enumerate() {
        let part = escape(part);
        // An odd backtick has no partner and stays what it is.
        match (index % 2, index + 1 < parts.len()) {
            (0, _) => shown.push_str(&part),
            (_, true) => shown.push_str(&format!("<code>{part}</code>")),
            (_, false) => shown.push_str(&format!("`{part}")),
        }
    }
    shown
}

/// Several lines, as they are.
pub(super) fn block(text: &str, limits: &Limits) -> String {
    format!("<pre>{}</pre>\n", escape(&clip::text(text, limits.text, limits.line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup_and_backticks_make_code_only_in_pairs() {
        assert_eq!(escape("<a href=\"x\" y='&'>"), "&lt;a href=&quot;x&quot; y=&#39;&amp;&#39;&gt;");
        let limits = &crate::limits::HTML[0];
        assert_eq!(prose("`<b>` and `x", limits), "<code>&lt;b&gt;</code> and `x");
        assert_eq!(prose("a ` b", limits), "a ` b");
        assert_eq!(block("<pre>\n</pre>\n", limits), "<pre>&lt;pre&gt;\n&lt;/pre&gt;</pre>\n");
    }
}
