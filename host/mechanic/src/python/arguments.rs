//! What drift tells with its place and the name of now: members that moved, arguments of which a generated method calls otherwise, and the keys
//! of dictionaries that are unpacked into calls.

use tree_sitter::Node;

use super::evidence::is_same_file;
use super::package::Package;
use super::scopes::scope_of;
use super::sites::Findings;
use super::source::{Source, around, column, field, line, named_children, nodes};
use bailiwick_sdk::diagnostics::quoted;
use bailiwick_sdk::tasks::{Diagnostic, Rename};

/// The new name of an argument, where an error tells it.
fn renamed<'r>(error: &Diagnostic, renames: &'r [Rename]) -> Option<&'r Rename> {
    let is_told = error.tool == "drift" && error.code.as_deref() == Some("renamed-argument");
    let said = quoted(&error.message);
    let is_it = |one: &&Rename| error.symbol.as_ref() == Some(&one.old) && said.contains(&one.new);
    renames.iter().filter(|_| is_told).find(is_it)
}

/// Whether an error tells where a rename is to be followed.
pub(super) fn is_told(diagnostics: &[Diagnostic], rename: &Rename) -> bool {
    diagnostics.iter().any(|error| renamed(error, std::slice::from_ref(rename)).is_some())
}

/// What is told of a member that moved: its name of before, and what it is reached by now.
fn moved(error: &Diagnostic) -> Option<(&str, String)> {
    let is_told = error.tool == "drift" && error.code.as_deref() == Some("moved-member");
    let now = quoted(&error.message).into_iter().nth(2).filter(|_| is_told)?;
    error.symbol.as_deref().map(|old| (old, now))
}

/// Whether a repair could begin with what an error says.
pub(super) fn begins(error: &Diagnostic) -> bool {
    moved(error).is_some()
}

/// Collects the members that moved, at the places that errors name.
pub(super) fn collect_moved(package: &Package, diagnostics: &[Diagnostic], findings: &mut Findings) {
    for error in diagnostics {
        let Some((old, now)) = moved(error) else { continue };
        for (file, source) in package.sources.iter().enumerate() {
            if !error.file.as_deref().is_some_and(|path| is_same_file(path, &source.path)) {
                continue;
            }
            let is_meant = |node: &Node<'_>| {
                node.kind() == "attribute" && (Some(line(*node)), Some(column(*node))) == (error.line, error.column)
            };
            let members = source.nodes().into_iter().filter(is_meant).filter_map(|node| field(node, "attribute"));
            for member in members.filter(|member| source.text(*member) == old) {
                findings.replace(file, member, &now);
            }
        }
    }
}

/// Collects the arguments that errors name with their places.
pub(super) fn collect(package: &Package, diagnostics: &[Diagnostic], renames: &[Rename], findings: &mut Findings) {
    for error in diagnostics {
        let Some(rename) = renamed(error, renames) else { continue };
        let is_here = |source: &&Source| error.file.as_deref().is_some_and(|file| is_same_file(file, &source.path));
        let Some(file) = package.sources.iter().position(|source| is_here(&source)) else { continue };
        let Some(source) = package.sources.get(file) else { continue };
        let is_meant = |node: &Node<'_>| (Some(line(*node)), Some(column(*node))) == (error.line, error.column);
        for node in source.nodes().into_iter().filter(is_meant) {
            match (node.kind(), source.string_content(node)) {
                ("keyword_argument", _) => {
                    let name = field(node, "name").filter(|name| source.text(*name) == rename.old);
                    name.into_iter().for_each(|name| findings.replace(file, name, &rename.new));
                }
                ("string", Some(content)) if source.text.get(content.clone()) == Some(rename.old.as_str()) => {
                    let calls = unpacked_into(source, node).unwrap_or_default();
                    let mut called =
                        calls.iter().filter_map(|call| field(*call, "function")).map(|one| source.text(one));
                    let first = called.next();
                    if first.is_some() && called.all(|other| Some(other) == first) {
                        findings.replace_span(file, node, content, &rename.new);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The calls that the dictionary with a key is unpacked into: `f(**{"a": 1})`, and `options["a"] = 1` before `f(**options)`.
/// `None` where the dictionary is used for another thing, too, or comes from elsewhere.
pub(super) fn unpacked_into<'t>(source: &Source, key: Node<'t>) -> Option<Vec<Node<'t>>> {
    let outer = key.parent()?;
    let variable = match outer.kind() {
        "pair" if field(outer, "key") == Some(key) => {
            let holder = outer.parent().and_then(|dictionary| dictionary.parent())?;
            if holder.kind() == "dictionary_splat" {
                return around(holder, &["call"]).map(|call| vec![call]);
            }
            field(holder, "left").filter(|_| holder.kind() == "assignment")?
        }
        "subscript" if field(outer, "subscript") == Some(key) => field(outer, "value")?,
        _ => return None,
    };
    if variable.kind() != "identifier" {
        return None;
    }
    let (name, scope) = (source.text(variable), scope_of(variable));
    let is_it = |node: &Node<'t>| {
        let is_keyword = node.parent().is_some_and(|parent| field(parent, "name") == Some(*node));
        let is_member = node.parent().is_some_and(|parent| field(parent, "attribute") == Some(*node));
        node.kind() == "identifier" && source.text(*node) == name && !is_keyword && !is_member
    };
    let mut calls = Vec::new();
    for node in nodes(scope).into_iter().filter(is_it) {
        let parent = node.parent()?;
        match parent.kind() {
            "assignment" if field(parent, "left") == Some(node) => {}
            "subscript" if field(parent, "value") == Some(node) => {}
            "dictionary_splat" => calls.push(around(parent, &["call"])?),
            _ => return None,
        }
    }
    let is_given = named_children(scope)
        .iter()
        .any(|part| part.kind() == "parameters" && nodes(*part).iter().any(|node| source.text(*node) == name));
    (!is_given && !calls.is_empty()).then_some(calls)
}
