//! A hand-written file, with what is looked up in it again and again.

use bailiwick_sdk::python_classes::statements;
use bailiwick_sdk::syntax::{field, nodes};
use tree_sitter::Node;

use super::super::arguments::Arguments;
use super::super::overrides::Source;

/// A hand-written file.
pub(super) struct File<'t> {
    pub(super) number: usize,
    pub(super) path: &'t str,
    pub(super) source: Source<'t>,
    /// What its calls are given by name.
    pub(super) arguments: Arguments<'t>,
    /// Its `from … import …`.
    pub(super) imports: Vec<Node<'t>>,
    pub(super) classes: Vec<Node<'t>>,
    /// All assignments in it, in their order.
    pub(super) assignments: Vec<Node<'t>>,
}

impl<'t> File<'t> {
    pub(super) fn of(number: usize, path: &'t str, source: Source<'t>) -> Self {
        let all = statements(source.root).into_iter();
        let imports = all.filter(|one| one.kind() == "import_from_statement").collect();
        let mut assignments = nodes(source.root);
        assignments.retain(|one| one.kind() == "assignment");
        assignments.sort_by_key(Node::start_byte);
        Self {
            number,
            path,
            source,
            arguments: Arguments::read(&source),
            imports,
            classes: source.classes().collect(),
            assignments,
        }
    }

    pub(super) fn class_names(&self) -> impl Iterator<Item = &'t str> {
        self.classes.iter().filter_map(|class| field(*class, "name").map(|name| self.source.of(name)))
    }

    /// The names of its functions, and of what its assignments give to attributes and in classes.
    pub(super) fn defined(&self) -> impl Iterator<Item = &'t str> {
        let functions = nodes(self.source.root).into_iter().filter(|one| one.kind() == "function_definition");
        let functions = functions.filter_map(|one| field(one, "name"));
        let assigned = self.assignments.iter().filter_map(|one| {
            let left = field(*one, "left")?;
            field(left, "attribute").or(Some(left))
        });
        let names: Vec<_> = functions.chain(assigned).map(|name| self.source.of(name)).collect();
        names.into_iter()
    }

    /// The assignments in a part of it.
    pub(super) fn assignments_in(&self, part: Node<'_>) -> &[Node<'t>] {
        let at = |byte: usize| self.assignments.partition_point(|one| one.start_byte() < byte);
        self.assignments.get(at(part.start_byte())..at(part.end_byte())).unwrap_or_default()
    }
}
