//! Putting items into a list as a person would: in the style the list has, and so that every comment stays with the
//! item it was written for. A list is an array or an object; an item is a value or a property.

use crate::config::is_comment;
use bailiwick_tool_sdk::diff::Edit;
use jsonc_parser::tokens::{Token, TokenAndRange};
use std::ops::Range;

/// The text with its tokens and comments.
#[derive(Clone, Copy)]
pub(crate) struct Source<'t> {
    /// The text.
    pub(crate) text: &'t str,
    /// Every token and every comment, in order.
    pub(crate) tokens: &'t [TokenAndRange<'t>],
    /// One step of indentation.
    pub(crate) step: &'t str,
}

/// A list in the text, from its opening to its closing bracket.
pub(crate) struct List {
    /// Both brackets and what is between them.
    pub(crate) span: Range<usize>,
    /// The items.
    pub(crate) items: Vec<Range<usize>>,
}

/// How items that are put in are written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Layout<'a> {
    /// Each on lines of its own, which start with this.
    Lines(&'a str),
    /// In a line with others.
    Inline,
}

impl<'t> Source<'t> {
    /// The edit that puts `new`, in order, before `item`, which is in a list.
    pub(crate) fn before(self, item: &Range<usize>, new: &[String]) -> Edit {
        let start = self.start_with_comments(item.start);
        let indent = self.line_before(start);
        let with: String = if is_blank(indent) {
            let ending = self.ending(start);
            new.iter().map(|text| format!("{text},{ending}{indent}")).collect()
        } else {
            let space = self.space_before(item.start);
            new.iter().map(|text| format!("{text},{space}")).collect()
        };
        Edit { span: start..start, with }
    }

    /// The edits that put what `render` writes at the end of `list`.
    pub(crate) fn append(self, list: &List, render: impl Fn(Layout<'_>) -> Vec<String>) -> Vec<Edit> {
        let Some(last) = list.items.last() else { return vec![self.fill(list, render)] };
        let following = &self.tokens[self.index(last.end)..];
        let comma = following.iter().find(|token| !is_comment(token)).filter(|token| token.token == Token::Comma);
        let from = comma.map_or(last.end, |comma| comma.range.end);
        // Comments in the same line belong to the last item, or to the comma, and come before what is new.
        let mut at = from;
        let mut line_comment = false;
        for token in following.iter().filter(|token| token.range.start >= from) {
            if !is_comment(token) || self.text[at..token.range.start].contains('\n') {
                break;
            }
            at = token.range.end;
            line_comment = matches!(token.token, Token::CommentLine(_));
        }
        let line = self.line_before(self.start_with_comments(last.start));
        let mut with = String::new();
        if is_blank(line) || line_comment {
            let indent = if is_blank(line) { line.to_owned() } else { format!("{}{}", indent_of(line), self.step) };
            let ending = self.ending(at);
            for (index, text) in render(Layout::Lines(&indent)).iter().enumerate() {
                with.push_str(if index > 0 { "," } else { "" });
                with.push_str(&format!("{ending}{indent}{text}"));
            }
        } else {
            let space = self.space_before(last.start);
            let texts = render(Layout::Inline);
            // Without a comma there is none before the first either, and it goes behind the comments.
            with.push_str(if comma.is_none() { "," } else { "" });
            with.push_str(space);
            with.push_str(&texts.join(&format!(",{space}")));
            if comma.is_some() {
                with.push(',');
            }
            return vec![Edit { span: at..at, with }];
        }
        if comma.is_some() {
            with.push(',');
            vec![Edit { span: at..at, with }]
        } else if at == last.end {
            vec![Edit { span: at..at, with: format!(",{with}") }]
        } else {
            vec![Edit { span: last.end..last.end, with: ",".to_owned() }, Edit { span: at..at, with }]
        }
    }

    /// The edit that puts what `render` writes into `list`, which has no items but perhaps comments.
    fn fill(self, list: &List, render: impl Fn(Layout<'_>) -> Vec<String>) -> Edit {
        let close = list.span.end - 1;
        let inside = &self.tokens[self.index(list.span.start + 1)..self.index(close)];
        let at = inside.last().map_or(list.span.start + 1, |comment| comment.range.end);
        let rest = &self.text[at..close];
        // A carriage return alone ends a comment, too, and would go with the rest.
        let commented_out = inside.last().is_some_and(|comment| matches!(comment.token, Token::CommentLine(_)));
        if !self.text.trim_end().contains('\n') && !commented_out {
            let space = if inside.is_empty() { "" } else { " " };
            return Edit { span: at..close, with: format!("{space}{}", render(Layout::Inline).join(", ")) };
        }
        let outer = indent_of(self.line_before(list.span.start));
        let indent = format!("{outer}{}", self.step);
        let ending = self.ending(at);
        let texts: Vec<String> =
            render(Layout::Lines(&indent)).iter().map(|text| format!("{ending}{indent}{text}")).collect();
        let with = texts.join(",");
        if rest.contains('\n') {
            return Edit { span: at..at, with };
        }
        Edit { span: at..close, with: format!("{with}{ending}{outer}") }
    }

    /// Where the comments start that belong to the item at `start`: those before it in its line, and those that have the
    /// lines right above it to themselves.
    fn start_with_comments(self, start: usize) -> usize {
        let mut start = start;
        let mut index = self.index(start);
        while let Some(previous) = index.checked_sub(1).filter(|previous| is_comment(&self.tokens[*previous])) {
            let feeds = self.text[self.tokens[previous].range.end..start].matches('\n').count();
            if feeds > 1 || (feeds == 1 && !self.has_line_to_itself(previous)) {
                break;
            }
            start = self.tokens[previous].range.start;
            index = previous;
        }
        start
    }

    /// Whether there is nothing but comments before the comment `index` in its line.
    fn has_line_to_itself(self, index: usize) -> bool {
        let start = self.tokens[index].range.start;
        if is_blank(self.line_before(start)) {
            return true;
        }
        index.checked_sub(1).is_some_and(|previous| {
            let token = &self.tokens[previous];
            is_comment(token) && !self.text[token.range.end..start].contains('\n') && self.has_line_to_itself(previous)
        })
    }

    /// The first token that starts at `offset` or later.
    fn index(self, offset: usize) -> usize {
        self.tokens.partition_point(|token| token.range.start < offset)
    }

    /// What stands before `offset` in its line.
    fn line_before(self, offset: usize) -> &'t str {
        let before = &self.text[..offset];
        &before[before.rfind('\n').map_or(0, |feed| feed + 1)..]
    }

    /// How lines end at `offset`: as its own does, or the one before.
    fn ending(self, offset: usize) -> &'static str {
        let feed = self.text[offset..].find('\n').map(|at| offset + at).or_else(|| self.text[..offset].rfind('\n'));
        if feed.is_some_and(|feed| self.text[..feed].ends_with('\r')) { "\r\n" } else { "\n" }
    }

    /// What stands between a comma and the next item in the same line. Only a list that has no space there gets none.
    fn space_before(self, start: usize) -> &'static str {
        if self.text[..start].ends_with(',') { "" } else { " " }
    }
}

/// The spaces and tabs that `line` starts with.
pub(crate) fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn is_blank(line: &str) -> bool {
    indent_of(line).len() == line.len()
}
