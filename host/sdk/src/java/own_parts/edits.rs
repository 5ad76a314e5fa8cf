//! Pieces of text that are put into a generated file.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::types;
use super::whose::imports;
use crate::java::source::Source;
use crate::syntax::{field, is_comment, named_children};

/// What is put into a text, and where.
#[derive(Debug, Default)]
pub(super) struct Edits {
    pieces: Vec<(usize, String)>,
    imports: BTreeSet<String>,
}

impl Edits {
    pub(super) fn insert(&mut self, at: usize, text: String) {
        self.pieces.push((at, text));
    }

    /// Declarations of imports, each with its semicolon.
    pub(super) fn import(&mut self, declarations: Vec<String>) {
        self.imports.extend(declarations);
    }

    /// The text with the pieces in it; `None` where it cannot be parsed then.
    pub(super) fn apply(mut self, now: &Source) -> Option<String> {
        for import in std::mem::take(&mut self.imports) {
            let (at, text) = place_of_import(now, &import);
            self.pieces.push((at, text));
        }
        let mut text = now.text.clone();
        // Those at the same place stay in their order.
        self.pieces.sort_by_key(|(at, _)| *at);
        for (at, piece) in self.pieces.iter().rev() {
            text.insert_str(*at, piece);
        }
        Source::parse(&now.path, &text).map(|source| source.text)
    }
}

/// The declarations of imports that a piece of the former text needs and the new one lacks; `None` where its name means
/// another type in the new text.
pub(super) fn missing_imports(before: &Source, now: &Source, piece: &str) -> Option<Vec<String>> {
    let words: BTreeSet<&str> = piece.split(|one: char| !(one.is_alphanumeric() || one == '_' || one == '$')).collect();
    let there: BTreeSet<&str> = declarations(now).into_iter().map(|one| now.text(one)).collect();
    let declared: Vec<&str> =
        types(now).into_iter().filter_map(|one| field(one, "name")).map(|name| now.text(name)).collect();
    let mut missing = Vec::new();
    for declaration in declarations(before) {
        let text = before.text(declaration);
        let name = text.trim_end_matches(';').rsplit('.').next().unwrap_or_default().trim();
        if there.contains(text) || name != "*" && !words.contains(name) {
            continue;
        }
        let is_other = |one: &&str| one.rsplit('.').next() == Some(name);
        if name != "*" && (imports(now).iter().any(is_other) || declared.contains(&name)) {
            return None;
        }
        missing.push(text.to_owned());
    }
    Some(missing)
}

fn declarations(source: &Source) -> Vec<Node<'_>> {
    named_children(source.root()).into_iter().filter(|node| node.kind() == "import_declaration").collect()
}

/// In the order of the alphabet, as an emitter writes them.
fn place_of_import(now: &Source, import: &str) -> (usize, String) {
    let there = declarations(now);
    if let Some(next) = there.iter().find(|one| now.text(**one) > import) {
        return (next.start_byte(), format!("{import}\n"));
    }
    if let Some(last) = there.last() {
        return (last.end_byte(), format!("\n{import}"));
    }
    let package = named_children(now.root()).into_iter().find(|node| node.kind() == "package_declaration");
    package.map_or_else(|| (0, format!("{import}\n")), |package| (package.end_byte(), format!("\n\n{import}")))
}

/// A node from the start of its line, with the comments right above it.
pub(super) fn text_with_comments(source: &Source, node: Node<'_>) -> String {
    let mut first = node;
    while let Some(comment) = first.prev_sibling().filter(|one| is_comment(*one)) {
        let begins_line =
            comment.prev_sibling().is_none_or(|one| one.end_position().row < comment.start_position().row);
        // Some grammars end a comment on the line behind it.
        let is_above = comment.end_position().row + 1 >= first.start_position().row;
        if !begins_line || !is_above {
            break;
        }
        first = comment;
    }
    let (start, end) = (first.start_byte(), node.end_byte());
    let text = source.text.get(start..end).unwrap_or_default();
    format!("{}{text}", indent(source, start))
}

/// The white space in front of a place, from the start of its line.
pub(super) fn indent(source: &Source, at: usize) -> String {
    let before = source.text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.chars().take_while(|one| one.is_whitespace()).collect()
}
