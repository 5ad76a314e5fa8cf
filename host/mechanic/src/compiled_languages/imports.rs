//! Imports that are of no use any more.

use std::ops::Range;

use super::answer::Answer;
use super::lines;
use super::reader::Work;
use crate::repair::Change;
use bailiwick_sdk::syntax::line;
use bailiwick_sdk::tasks::Diagnostic;

/// Removes the import that an error calls unused.
pub(super) fn remove(work: &mut Work<'_>, error: &Diagnostic, path: &str) -> Answer {
    let Some(file) = work.file_of(error) else { return Answer::None };
    let Some(source) = work.sources.get(file) else { return Answer::None };
    let named = |node: &tree_sitter::Node<'_>| {
        node.kind() == "import_spec"
            && Some(line(*node)) == error.line
            && source.name_of(*node, "path").is_some_and(|text| text.trim_matches(['"', '`']) == path)
    };
    let Some(spec) = source.nodes().into_iter().find(named) else { return Answer::None };
    let alone = spec.parent().filter(|parent| parent.kind() == "import_declaration");
    let Some(span) = lines::of_node(source, alone.unwrap_or(spec)) else { return Answer::None };
    work.changes.push(Change::new(file, span, ""));
    Answer::Given
}

/// Removes the imports that only removed lines used.
pub(super) fn remove_unused(work: &mut Work<'_>) {
    for (at, source) in work.sources.iter().enumerate() {
        let removed = work.changes.iter().filter(|change| change.file == at && change.new.is_empty());
        let gone: Vec<Range<usize>> = removed.map(|change| change.start..change.end).collect();
        if gone.is_empty() {
            continue;
        }
        for span in work.dialect.unused_imports(source, &gone) {
            work.changes.push(Change::new(at, span, ""));
        }
    }
}
