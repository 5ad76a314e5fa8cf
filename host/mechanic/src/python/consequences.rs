//! Errors that follow from a name which the repair puts right: they need no change of their own.

use tree_sitter::Node;

use super::definitions::methods;
use super::evidence::is_same_file;
use super::package::Package;
use super::sites::{Edit, has_word};
use super::source::{Source, around, field, line, named_children};
use bailiwick_sdk::diagnostics::quoted;
use bailiwick_sdk::syntax::last_line;
use bailiwick_sdk::tasks::Diagnostic;

/// What a type checker says of code around a name that it does not know: the name counts as `Any` there, so that overloads look
/// alike and overrides do not fit. That a name is missing is not among it.
const FOLLOWING: &[&str] = &[
    "has-type",
    "import-untyped",
    "misc",
    "no-any-return",
    "no-redef",
    "overload-cannot-match",
    "overload-overlap",
    "override",
    "unused-ignore",
    "valid-type",
];

/// The same, of types that do not fit: only where one of them is unknown, or comes from an assignment to the name.
const FOLLOWING_OF_ANY: &[&str] = &["arg-type", "assignment", "return-value", "var-annotated"];

/// Whether an error lies in a definition that the repair changes, or is about a name that it puts right. The next build shows
/// whether it goes.
pub(super) fn follows(package: &Package, edits: &[&Edit], error: &Diagnostic) -> bool {
    let has_code = |codes: &[&str]| error.code.as_deref().is_some_and(|code| codes.contains(&code));
    let of_any = has_code(FOLLOWING_OF_ANY);
    if error.tool != "mypy" || !(of_any || has_code(FOLLOWING)) || (has_code(&["misc"]) && !is_of_types(&error.message))
    {
        return false;
    }
    // Members have names that other members have, too; classes do not.
    let replaced = |edit: &&Edit| package.sources.get(edit.file).and_then(|source| edit.replaced(source));
    let is_class = |name: &&str| name.trim_start_matches('_').starts_with(char::is_uppercase);
    let quoted = quoted(&error.message);
    if edits.iter().filter_map(replaced).filter(is_class).any(|name| quoted.iter().any(|one| has_word(one, name))) {
        return true;
    }
    let (Some(path), Some(at)) = (error.file.as_deref(), error.line) else { return false };
    let Some(source) = package.sources.iter().find(|source| is_same_file(&source.path, path)) else { return false };
    let of_file = |edit: &&&Edit| package.sources.get(edit.file).is_some_and(|one| one.path == source.path);
    let lines = definition(source, at);
    let is_near = edits.iter().filter(of_file).any(|edit| match &lines {
        Some(lines) => lines.iter().any(|(first, last)| (*first..=*last).contains(&edit.line)),
        None => (edit.statement.0..=edit.statement.1).contains(&at),
    });
    // The metaclass of enums answers with `Enum` for a member that there is not.
    let is_unknown = || has_word(&error.message, "Any") || quoted.iter().any(|one| one == "Enum");
    let assigns = || {
        edits
            .iter()
            .filter(of_file)
            .any(|edit| error.code.as_deref() == Some("assignment") && is_assigned(source, edit, at))
    };
    is_near && (!of_any || is_unknown() || assigns())
}

/// Whether an edit puts the name right that an assignment on this line is to: an attribute that a class does not have gets its type
/// from the first value that it is given.
fn is_assigned(source: &Source, edit: &Edit, at: u32) -> bool {
    let on_line = |node: &Node<'_>| node.kind() == "assignment" && line(*node) == at;
    let left = source.nodes().into_iter().filter(on_line).filter_map(|node| field(node, "left"));
    left.into_iter().any(|left| left.end_byte() == edit.span.end && left.start_byte() <= edit.span.start)
}

/// Whether a message of the code for everything else is about overloads, base classes or unknown types.
fn is_of_types(message: &str) -> bool {
    message.starts_with("Overloaded function") || message.contains("base class") || has_word(message, "Any")
}

/// The lines of the innermost function around a line, together with its overloads.
fn definition(source: &Source, at: u32) -> Option<Vec<(u32, u32)>> {
    let whole = |function: Node<'_>| {
        let outer = function.parent().filter(|outer| outer.kind() == "decorated_definition").unwrap_or(function);
        (line(outer), last_line(outer))
    };
    let functions = source.nodes().into_iter().filter(|node| node.kind() == "function_definition");
    let mut around_line = functions.filter(|one| {
        let (first, last) = whole(*one);
        (first..=last).contains(&at)
    });
    let function = around_line.next_back()?;
    let name = field(function, "name").map(|name| source.text(name));
    let siblings = match around(function, &["class_definition", "function_definition"]) {
        Some(class) if class.kind() == "class_definition" => methods(class),
        Some(_) => vec![function],
        None => functions_of(source.root()),
    };
    let same = siblings.into_iter().filter(|one| field(*one, "name").map(|name| source.text(name)) == name);
    Some(same.map(whole).collect())
}

/// The functions of a module.
fn functions_of(module: Node<'_>) -> Vec<Node<'_>> {
    let statements = named_children(module).into_iter();
    statements
        .map(|one| field(one, "definition").unwrap_or(one))
        .filter(|one| one.kind() == "function_definition")
        .collect()
}
