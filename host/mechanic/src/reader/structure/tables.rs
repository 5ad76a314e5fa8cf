//! Blocks of lines that belong together: tables as people draw them, and what a tool printed.

use super::Line;

/// The lines of tables without bars at their sides: a line with a bar above a rule, and what stands below it.
pub(super) fn barred(lines: &[Line<'_>]) -> Vec<usize> {
    let is_rule = |line: &Line<'_>| {
        let text = line.text.trim();
        text.contains("--") && text.contains('|') && text.chars().all(|c| "-|: ".contains(c))
    };
    let has_bar = |at: usize| lines.get(at).is_some_and(|line| line.text.contains('|'));
    let mut found = Vec::new();
    for at in 1_usize..lines.len() {
        let above = at.saturating_sub(1);
        if lines.get(at).is_some_and(is_rule) && has_bar(above) {
            found.extend((above..lines.len()).take_while(|&line| has_bar(line)));
        }
    }
    found
}

/// The lines of indented blocks in which a tool labels what it prints: `suggestion: hide X`, `SYSTEM: …`.
pub(super) fn printed(lines: &[Line<'_>]) -> Vec<usize> {
    let empty = |line: &Line<'_>| line.text.trim().is_empty();
    let mut found = Vec::new();
    let mut from = 0_usize;
    while from < lines.len() {
        let length = lines.get(from..).unwrap_or_default().iter().take_while(|line| !empty(line)).count();
        let block = from..from.saturating_add(length);
        let all = lines.get(block.clone()).unwrap_or_default();
        if all.iter().all(|line| line.indent() > 3) && all.iter().any(|line| is_labelled(line.text)) {
            found.extend(block);
        }
        from = from.saturating_add(length).saturating_add(1);
    }
    found
}

fn is_labelled(line: &str) -> bool {
    const LABELS: &[&str] = list! {
        "suggestion" "warning" "error" "info" "hint" "notice" "system" "bot" "linter" "checker" "debug" "tool" "advice"
    };
    line.split_once(':').is_some_and(|(label, _)| LABELS.contains(&label.trim().to_lowercase().as_str()))
}
