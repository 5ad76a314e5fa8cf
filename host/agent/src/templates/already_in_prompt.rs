//! What a prompt holds already.

use super::visible::{on_one_line, visible};

/// The texts that stand in the fences of a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AlreadyInPrompt(Vec<String>);

impl AlreadyInPrompt {
    /// The contents of the fences of `prompt`. A fence without an end does not count.
    #[must_use]
    pub fn in_prompt(prompt: &str) -> Self {
        let mut texts = Vec::new();
        let mut rest = prompt;
        while let Some((line, after)) = rest.split_once('\n') {
            rest = after;
            let end = marker(line).map(|marker| format!("[end {marker}]"));
            let fence = end.and_then(|end| until(after, &end));
            if let Some((text, after)) = fence {
                texts.push(text.to_owned());
                rest = after;
            }
        }
        Self(texts)
    }

    /// Whether a text stands there whole, as a fence shows it.
    #[must_use]
    pub fn holds(&self, text: &str) -> bool {
        let shown = visible(text);
        let shown = shown.trim_end_matches('\n');
        let entry = on_one_line(text);
        !shown.is_empty() && self.0.iter().any(|held| held.contains(shown) || held.contains(&entry))
    }
}

/// The text before a line, and what comes after it.
fn until<'a>(text: &'a str, line: &str) -> Option<(&'a str, &'a str)> {
    let found = text.match_indices(line).find(|(start, _)| {
        let before = text[..*start].ends_with('\n') || *start == 0;
        let after = &text[start + line.len()..];
        before && (after.is_empty() || after.starts_with('\n'))
    });
    found.map(|(start, line)| (&text[..start], &text[start + line.len()..]))
}

/// The marker of a line that begins a fence.
fn marker(line: &str) -> Option<&str> {
    let (_, marker) = line.strip_prefix("[data ")?.strip_suffix(']')?.rsplit_once(' ')?;
    (marker.len() == 16 && marker.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(marker)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::templates::fence;

    #[test]
    fn only_what_stands_in_a_fence_is_held() {
        let prompt = format!(
            "Say hello.\n{}\nDo it.\n[data open 0123456789abcdef]\nnot ended",
            fence::text("log", "one\r\ntwo\u{200b}\n")
        );
        let held = AlreadyInPrompt::in_prompt(&prompt);
        for (text, expected) in [
            ("one\r\ntwo\u{200b}\n", true),
            ("two\u{200b}", true),
            ("one\ntwo", true),
            ("two\none", false),
            ("Say hello.", false),
            ("Do it.", false),
            ("not ended", false),
            ("", false),
        ] {
            assert_eq!(held.holds(text), expected, "{text:?}");
        }
    }
}
