//! Whole lines of a file that go.

use std::ops::Range;

use tree_sitter::Node;

use super::source::Source;
use bailiwick_sdk::syntax::is_comment;

/// The lines that a declaration has for itself, with the comments right above it and one of the empty lines around it; `None`
/// if it shares a line with something else.
pub(super) fn of_declaration(source: &Source, node: Node<'_>) -> Option<Range<usize>> {
    let text = source.text.as_str();
    let mut first = node;
    while let Some(above) = first.prev_sibling().filter(|above| is_comment(*above)) {
        if above.end_position().row + 1 < first.start_position().row || !is_alone(text, &above.byte_range()) {
            break;
        }
        first = above;
    }
    let whole = first.start_byte()..node.end_byte();
    if !is_alone(text, &whole) {
        return None;
    }
    let start = start_of_line(text, whole.start);
    let end = end_of_line(text, whole.end);
    let above = text[..start].strip_suffix('\n').map(|before| before.rsplit('\n').next().unwrap_or_default());
    let below = text[end..].split_inclusive('\n').next().unwrap_or_default();
    let is_empty_above = above.is_none_or(|line| line.trim().is_empty());
    let opens_above = above.is_some_and(|line| line.trim_end().ends_with(['{', '(']));
    if below.trim().is_empty() && !below.is_empty() && (is_empty_above || opens_above) {
        return Some(start..end + below.len());
    }
    let closes_below = below.is_empty() || below.trim_start().starts_with(['}', ')']);
    if let Some(line) = above.filter(|_| is_empty_above && closes_below) {
        return Some(start - line.len() - 1..end);
    }
    Some(start..end)
}

/// The line or lines that a node has for itself, and nothing around them.
pub(super) fn of_node(source: &Source, node: Node<'_>) -> Option<Range<usize>> {
    let text = source.text.as_str();
    is_alone(text, &node.byte_range())
        .then(|| start_of_line(text, node.start_byte())..end_of_line(text, node.end_byte()))
}

fn is_alone(text: &str, span: &Range<usize>) -> bool {
    let before = &text[start_of_line(text, span.start)..span.start];
    let after = &text[span.end..end_of_line(text, span.end)];
    before.trim().is_empty() && after.trim().trim_matches([';', ',']).is_empty()
}

pub(super) fn start_of_line(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |at| at + 1)
}

/// Behind the line break.
pub(super) fn end_of_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |found| at + found + 1)
}
