//! Takes a request apart: paragraphs, list items, pasted logs and code blocks.

use super::logs::is_log_line;

/// A request, taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    /// Paragraphs and list items, in order.
    pub(crate) prose: Vec<Paragraph>,
    /// All logs and code blocks, in order.
    pub(crate) log: String,
}

/// A run of lines that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Paragraph {
    pub(crate) text: String,
    /// Whether it was an item of a list.
    pub(crate) is_item: bool,
}

/// Takes a request apart.
pub(crate) fn parts(request: &str) -> Parts {
    let mut parts = Parts::default();
    let mut open = String::new();
    let mut is_item = false;
    let mut fence: Option<&str> = None;
    let mut after_log = false;
    let close = |open: &mut String, is_item: &mut bool, prose: &mut Vec<Paragraph>| {
        let text = std::mem::take(open).trim().to_owned();
        let is_item = std::mem::take(is_item);
        if !text.is_empty() {
            prose.push(Paragraph { text, is_item });
        }
    };
    for line in request.lines() {
        let trimmed = line.trim();
        let marker = ["```", "~~~"].into_iter().find(|marker| trimmed.starts_with(marker));
        if let Some(open_fence) = fence {
            if marker == Some(open_fence) && trimmed.chars().all(|c| open_fence.contains(c)) {
                fence = None;
            } else {
                push_line(&mut parts.log, line);
            }
            after_log = true;
            continue;
        }
        // A fence that opens and closes in one line is a quotation.
        if let Some(marker) = marker.filter(|marker| !trimmed[3..].contains(marker)) {
            close(&mut open, &mut is_item, &mut parts.prose);
            fence = Some(marker);
            continue;
        }
        if is_log_line(line, after_log) {
            close(&mut open, &mut is_item, &mut parts.prose);
            push_line(&mut parts.log, line);
            after_log = true;
            continue;
        }
        after_log = after_log && trimmed.is_empty();
        let content = trimmed.trim_start_matches('>').trim_start();
        if content.is_empty() {
            close(&mut open, &mut is_item, &mut parts.prose);
        } else if let Some(heading) = heading(content) {
            close(&mut open, &mut is_item, &mut parts.prose);
            parts.prose.push(Paragraph { text: format!("{heading}:"), is_item: false });
        } else {
            let item = list_item(content);
            if item.is_some() {
                close(&mut open, &mut is_item, &mut parts.prose);
                is_item = true;
            }
            push_line(&mut open, item.unwrap_or(content));
        }
    }
    close(&mut open, &mut is_item, &mut parts.prose);
    parts
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    (rest.len() < line.len() && rest.starts_with(' ')).then(|| rest.trim().trim_end_matches(':'))
}

/// The text of a list item, without `-`, `*`, `1.` and a check box.
fn list_item(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix("- ")
        .or_else(|| line.strip_prefix("* "))
        .or_else(|| line.strip_prefix("• "))
        .or_else(|| line.strip_prefix("+ "))
        .or_else(|| {
            let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
            (rest.len() < line.len()).then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))).flatten()
        })?;
    let rest = rest.trim_start();
    Some(["[ ] ", "[x] ", "[X] "].iter().find_map(|tick| rest.strip_prefix(tick)).unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(request: &str) -> Vec<String> {
        parts(request).prose.into_iter().map(|paragraph| paragraph.text).collect()
    }

    #[test]
    fn list_items_and_paragraphs_are_told_apart() {
        assert_eq!(
            prose("Please:\n- [ ] hide deleteWidget\n  from Python\n2) rename A to B\n\nThanks"),
            [
                "Please:",
                "hide deleteWidget\nfrom Python",
                "rename A to B\n\nThanks".split("\n\n").next().unwrap(),
                "Thanks"
            ]
        );
    }

    #[test]
    fn logs_and_code_blocks_are_no_prose() {
        let request =
            "Hide deleteWidget.\n```\ndo not hide it\n```\nazure/a.py:3: error: bad  [x]\n    code of it\nThanks";
        let parts = parts(request);
        assert_eq!(prose(request), ["Hide deleteWidget.", "Thanks"]);
        assert_eq!(parts.log, "do not hide it\nazure/a.py:3: error: bad  [x]\n    code of it\n");
    }
}
