//! Members that no compiler misses: those that hand-written types keep under an old name ([`super::alike`]), and those asked for by
//! a name that is gone where the compiler was told to look away: `Reflect.get(widget, "displayName")` and
//! `(widget as any).displayName`, for a `widget` that the file says is a `Widget`.
//!
//! Text that only looks like a member's name is left alone: what goes over the wire keeps its name.

use std::collections::BTreeMap;

use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename, Severity};
use tree_sitter::Node;

use super::super::tree::{all, field, line, named_children, text_of};
use super::super::{DriftRequest, LanguageError, LanguageService, is_aside, listed_content, open_package};
use super::alike::{Text, kept};
use super::names::tree;

pub(super) fn check(
    request: &DriftRequest<'_>,
    language: &dyn LanguageService,
) -> Result<Vec<Diagnostic>, LanguageError> {
    let renamed: Vec<&Rename> = request
        .renames
        .iter()
        .filter(|rename| matches!(rename.kind, EntityKind::Property | EntityKind::Operation))
        .collect();
    let mut found = Vec::new();
    if renamed.is_empty() && request.before.is_empty() {
        return Ok(found);
    }
    let package = open_package(request.package)?;
    let read = |files: Vec<String>| -> Result<Vec<Text>, LanguageError> {
        let texts = files.into_iter().map(|file| {
            let text = String::from_utf8_lossy(&listed_content(&package, &file)?).into_owned();
            Ok((file, text))
        });
        texts.collect()
    };
    let own = read(language.customization_files(request.package)?)?;
    let generated = language.generated_files(request.package)?.into_iter().filter(|file| !is_aside(file)).collect();
    let generated = read(generated)?;
    found.extend(kept(&own, &generated, request.before, request.renames));
    for (file, text) in &own {
        for (owner, name, at) in asked(text) {
            let rename = renamed.iter().find(|one| one.old == name && one.container.as_deref() == Some(&owner));
            let Some(rename) = rename else { continue };
            found.push(Diagnostic {
                severity: Severity::Error,
                file: Some(format!("sdk/{file}")),
                line: u32::try_from(at).ok(),
                column: None,
                code: Some("renamed-member".to_owned()),
                message: format!("`{name}` of `{owner}` is called `{}` now and is asked for by name here", rename.new),
                symbol: Some(format!("{owner}.{name}")),
                tool: "drift".to_owned(),
            });
        }
    }
    Ok(found)
}

/// Type, member and line of everything that is asked for past the compiler.
fn asked(text: &str) -> Vec<(String, String, usize)> {
    let Some(tree) = tree(text) else { return Vec::new() };
    let nodes = all(tree.root_node());
    let typed = annotated(&nodes, text);
    let type_of = |node: Node<'_>| (node.kind() == "identifier").then(|| typed.get(text_of(node, text))).flatten();
    let mut found = Vec::new();
    for node in nodes {
        let one = match node.kind() {
            "call_expression" => reflected(node, text),
            "member_expression" => {
                let name = field(node, "property").map(|name| text_of(name, text));
                unchecked(field(node, "object"), text).zip(name)
            }
            "subscript_expression" => {
                let name = field(node, "index").and_then(|index| literal(index, text));
                unchecked(field(node, "object"), text).zip(name)
            }
            _ => None,
        };
        if let Some((object, name)) = one
            && let Some(owner) = type_of(object)
        {
            found.push((owner.clone(), name.to_owned(), line(node)));
        }
    }
    found
}

/// The names that the file gives a type, `widget: Widget`, unless it gives one name two types.
fn annotated(nodes: &[Node<'_>], text: &str) -> BTreeMap<String, String> {
    let mut typed: BTreeMap<String, Option<String>> = BTreeMap::new();
    for node in nodes {
        let name = field(*node, "pattern").or_else(|| field(*node, "name"));
        let annotation = field(*node, "type").filter(|one| one.kind() == "type_annotation");
        let (Some(name), Some(annotation)) = (name.filter(|one| one.kind() == "identifier"), annotation) else {
            continue;
        };
        let kind = named_children(annotation).next().map(|one| text_of(one, text).to_owned());
        typed
            .entry(text_of(name, text).to_owned())
            .and_modify(|known| {
                if *known != kind {
                    *known = None;
                }
            })
            .or_insert(kind);
    }
    typed.into_iter().filter_map(|(name, kind)| kind.map(|kind| (name, kind))).collect()
}

/// Object and name of `Reflect.get(object, "name")` and its kin.
fn reflected<'t, 'a>(call: Node<'t>, text: &'a str) -> Option<(Node<'t>, &'a str)> {
    let function = field(call, "function")?;
    ["Reflect.get", "Reflect.set", "Reflect.has"].contains(&text_of(function, text)).then_some(())?;
    let mut arguments = named_children(field(call, "arguments")?);
    let object = arguments.next()?;
    Some((object, literal(arguments.next()?, text)?))
}

/// What `(object as any)` and `(<any>object)` say nothing is known of.
fn unchecked<'t>(node: Option<Node<'t>>, text: &str) -> Option<Node<'t>> {
    let inner = named_children(node.filter(|one| one.kind() == "parenthesized_expression")?).next()?;
    let mut parts = named_children(inner);
    let (first, second) = (parts.next()?, parts.next()?);
    match inner.kind() {
        "as_expression" if text_of(second, text) == "any" => Some(first),
        "type_assertion" if text_of(first, text).contains("any") => Some(second),
        _ => None,
    }
}

fn literal<'a>(node: Node<'_>, text: &'a str) -> Option<&'a str> {
    (node.kind() == "string").then(|| text_of(node, text).trim_matches(['"', '\'']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn member_asked_for_past_the_compiler_is_found_with_the_type_that_the_file_gives_the_object() {
        let text = "export function f(widget: Widget, part: Part, body: any) {\n  const a = (widget as any).displayName;\n\
            \x20 const b = Reflect.get(widget, \"displayName\");\n  const c = (part as any)[\"displayName\"];\n\
            \x20 const d = body[\"displayName\"] ?? body.displayName;\n  const e = widget.displayName;\n\
            \x20 // (widget as any).displayName\n  return \"displayName\";\n}\n";
        let own = |owner: &str, at| (owner.to_owned(), "displayName".to_owned(), at);
        assert_eq!(asked(text), [own("Widget", 2), own("Widget", 3), own("Part", 4)].to_vec());
    }

    #[test]
    fn name_with_two_types_is_not_judged() {
        let text = "function f(w: Widget) { return (w as any).a; }\nfunction g(w: Part) { return (w as any).a; }\n";
        assert_eq!(asked(text), []);
    }
}
