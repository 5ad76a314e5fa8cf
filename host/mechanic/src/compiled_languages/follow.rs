//! Follows a renamed type, function or constant from the place that an error names to every other reference.

use tree_sitter::Node;

use super::dialect::{Dialect, Role};
use super::forms::Place;
use super::lines;
use super::reader::Work;
use super::source::{Source, is_identifier, statement_lines};
use crate::repair::{Change, Doubt};
use bailiwick_sdk::syntax::{around, field, nodes};

/// A name that an error vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Followed {
    pub(super) old: String,
    pub(super) new: String,
    /// The file in which an error named it.
    pub(super) file: usize,
}

/// What stands in the place of a name, or why nothing can.
fn replacement(
    dialect: &dyn Dialect,
    source: &Source,
    node: Node<'_>,
    new: &str,
    place: Place,
) -> Result<String, String> {
    let old = source.text(node);
    let role = dialect.role(source, node);
    let shorthand = node.kind().starts_with("shorthand_property_identifier");
    if shorthand && place == Place::Member {
        // `{ displayName }` is a name and a variable at once, and the variable stays.
        return Ok(format!("{new}: {old}"));
    }
    let word = if dialect.keywords().contains(&new) && !dialect.takes_keywords(role) {
        dialect.escaped(new).ok_or_else(|| {
            format!(
                "the new name `{new}` is a word that {} keeps for itself, so it is written in another way",
                dialect.name()
            )
        })?
    } else {
        new.to_owned()
    };
    Ok(if shorthand { format!("{old}: {word}") } else { word })
}

/// The change that puts another name in the place of one; an import goes where the other name is imported already.
pub(super) fn followed(
    dialect: &dyn Dialect,
    source: &Source,
    (file, node): (usize, Node<'_>),
    new: &str,
    place: Place,
) -> Result<Change, String> {
    let import = around(node, IMPORTS).filter(|_| is_imported_as(source, node, new));
    if let Some(span) = import.and_then(|import| lines::of_node(source, import)) {
        return Ok(Change::new(file, span, ""));
    }
    Ok(Change::new(file, node.byte_range(), replacement(dialect, source, node, new, place)?))
}

/// Follows every name that an error vouched for.
pub(super) fn follow(work: &mut Work<'_>) {
    let mut done: Vec<(String, usize)> = Vec::new();
    for Followed { old, new, file } in std::mem::take(&mut work.followed) {
        for at in 0..work.sources.len() {
            // Where names are imported, each file that imports this one has an error of its own.
            let concerned = !work.dialect.needs_import() || at == file;
            if concerned && !done.contains(&(old.clone(), at)) {
                done.push((old.clone(), at));
                in_file(work, at, &old, &new);
            }
        }
    }
}

/// Follows each name that stands behind the whole name of its namespace.
pub(super) fn follow_in_namespaces(work: &mut Work<'_>) {
    let (dialect, sources) = (work.dialect, work.sources);
    for (namespace, old, new) in std::mem::take(&mut work.in_namespaces) {
        for (at, source) in sources.iter().enumerate() {
            for node in source.identifiers(&old) {
                if !dialect.is_in_namespace(source, node, &namespace) {
                    continue;
                }
                match followed(dialect, source, (at, node), &new, Place::Name) {
                    Ok(change) => work.changes.push(change),
                    Err(issue) => work.doubt(issue, vec![source.place(node)]),
                }
                work.statements.push((at, statement_lines(node)));
            }
        }
    }
}

/// Follows members of variables further than the errors go: a compiler that has told ten of them stops. What is the same
/// variable in the same function is of the same type.
pub(super) fn follow_variables(work: &mut Work<'_>) {
    const FUNCTIONS: &[&str] = &["function_declaration", "method_declaration"];
    let dialect = work.dialect;
    for (at, start) in work.vouched.clone() {
        let Some(source) = work.sources.get(at) else { continue };
        let change = work.changes.iter().find(|change| change.file == at && change.start == start);
        let Some((end, new)) = change.map(|change| (change.end, change.new.clone())) else { continue };
        let Some(node) = source.root().descendant_for_byte_range(start, end) else { continue };
        let (Some(variable), Some(function)) = (variable_of(source, node), around(node, FUNCTIONS)) else { continue };
        let inside = nodes(function);
        let declared = inside
            .iter()
            .filter(|one| source.text(**one) == variable && is_identifier(**one))
            .filter(|one| dialect.role(source, **one) == Role::Declares);
        if declared.count() != 1 {
            continue;
        }
        for other in
            inside.into_iter().filter(|other| is_identifier(*other) && source.text(*other) == source.text(node))
        {
            if variable_of(source, other) == Some(variable) {
                work.changes.push(Change::new(at, other.byte_range(), new.clone()));
            }
        }
    }
}

/// The variable whose member a name is.
fn variable_of<'s>(source: &'s Source, node: Node<'_>) -> Option<&'s str> {
    let parent = node.parent().filter(|parent| parent.kind() == "selector_expression")?;
    let operand = field(parent, "operand").filter(|operand| operand.kind() == "identifier" && *operand != node)?;
    Some(source.text(operand))
}

fn in_file(work: &mut Work<'_>, at: usize, old: &str, new: &str) {
    let dialect = work.dialect;
    let Some(source) = work.sources.get(at) else { return };
    let roles = |name: &str| -> Vec<(Node<'_>, Role)> {
        source.identifiers(name).into_iter().map(|node| (node, dialect.role(source, node))).collect()
    };
    let all = roles(old);
    // Imported under another name, the uses keep that name.
    let aliased =
        all.iter().any(|(_, role)| *role == Role::Aliases) && !all.iter().any(|(_, role)| *role == Role::Imports);
    if all.is_empty() || (dialect.needs_import() && aliased) {
        return;
    }
    let mut doubts: Vec<Doubt> = Vec::new();
    let mut doubt = |node: Node<'_>, issue: String| doubts.push(Doubt::new(issue, vec![source.place(node)]));
    let hides = all.iter().find(|(_, role)| *role == Role::Declares).map(|(node, _)| *node);
    let mut edits: Vec<Node<'_>> = Vec::new();
    for (node, role) in &all {
        match role {
            Role::Type if is_elsewhere(work, (at, *node), (old, new)) => {}
            Role::Type | Role::Imports | Role::DeclaresPart | Role::Exports => edits.push(*node),
            // What the compiler did not name may be something else; if it is not, the next build says so.
            Role::Value if dialect.may_be_member(source, *node) => {
                if work.vouched.contains(&(at, node.start_byte())) {
                    edits.push(*node);
                }
            }
            Role::Value => match hides {
                None => edits.push(*node),
                Some(_) => doubt(*node, format!("something else of this file is called `{old}` as well")),
            },
            Role::DeclaresType => {
                doubt(*node, format!("hand-written code declares `{old}` itself and takes its place"));
            }
            Role::Embeds => doubt(*node, format!("`{old}` lends its members to another type under its own name")),
            Role::Declares if dialect.needs_import() => {
                doubt(*node, format!("something else of this file is called `{old}` as well"));
            }
            Role::Declares | Role::Member | Role::Aliases => {}
        }
    }
    let repeated: Vec<Node<'_>> = edits.iter().copied().filter(|node| is_imported_as(source, *node, new)).collect();
    let taken = |role: &Role| match role {
        Role::Imports => repeated.is_empty(),
        role => matches!(role, Role::DeclaresType | Role::Declares),
    };
    if let Some((node, _)) = roles(new).into_iter().find(|(_, role)| taken(role)).filter(|_| !edits.is_empty()) {
        doubt(node, format!("something else of this file is called `{new}` already"));
    }
    for node in edits {
        match followed(dialect, source, (at, node), new, Place::Name) {
            Ok(change) => work.changes.push(change),
            Err(issue) => doubt(node, issue),
        }
        work.statements.push((at, statement_lines(node)));
    }
    work.doubts.extend(doubts);
}

/// Whether a name stands behind a dot and no error says that it is of the namespace that lost it: what is of that one has an
/// error of its own.
fn is_elsewhere(work: &Work<'_>, (at, node): (usize, Node<'_>), (old, new): (&str, &str)) -> bool {
    let is_known = work.in_namespaces.iter().any(|(_, was, is)| (was.as_str(), is.as_str()) == (old, new));
    let is_named = work.vouched.contains(&(at, node.start_byte()));
    is_known && !is_named && work.dialect.column_in_namespace(node).is_some()
}

/// What imports one name of another file.
const IMPORTS: &[&str] = &["import_declaration"];

/// Whether a file imports what this name, in an import of its own, is called now.
fn is_imported_as(source: &Source, name: Node<'_>, new: &str) -> bool {
    let Some(import) = around(name, IMPORTS) else { return false };
    let wanted = source.text(import).replace(&format!(".{};", source.text(name)), &format!(".{new};"));
    let is_there = |node: Node<'_>| node != import && IMPORTS.contains(&node.kind()) && source.text(node) == wanted;
    source.nodes().into_iter().any(is_there)
}
