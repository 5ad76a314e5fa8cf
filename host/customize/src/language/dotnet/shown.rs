//! Public C# that people wrote, under the name of something generated, and the names that it gives to generated things.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::method_names::{dotnet_methods, pascal};
use bailiwick_sdk::syntax::{children, field, line, named_children, nodes};
use tree_sitter::Node;

use super::super::shown::{Bond, Place, Shown, Sought};
use super::source::{Role, Source, around, is_nested};

/// What hand-written code shows under a name.
pub(super) fn shown(text: &str, sought: &Sought) -> Vec<Shown> {
    match sought {
        Sought::Operation { holder, place, name, called } => {
            let called: Vec<String> = called.iter().flat_map(|name| dotnet_methods(name)).collect();
            operation(text, &holders(holder, place), &dotnet_methods(name), &called)
        }
        Sought::Type { name } => type_of_name(text, &pascal(name)),
        Sought::Property { models, name } => {
            property(text, &models.iter().map(|one| pascal(one)).collect::<Vec<_>>(), &pascal(name))
        }
    }
}

/// What users call a generated type that a `[CodeGenType]` names, or a generated member that a `[CodeGenMember]` names.
pub(super) fn own_names(text: &str, generated: &Sought) -> Vec<Shown> {
    let Some(source) = says(text, &["CodeGen"]) else { return Vec::new() };
    let attributes = source.attributes();
    match generated {
        Sought::Type { name } => {
            let name = pascal(name);
            let is_it = |role: Role, named: &str| role == Role::Type && named == name;
            let named =
                attributes.iter().filter(|(_, one)| is_it(one.role, &one.name)).filter_map(|(node, _)| around(*node));
            named
                .filter(|class| !is_nested(*class) && is_visible(&source, *class))
                .filter_map(|class| type_shown(&source, class))
                .collect()
        }
        Sought::Property { models, name } => {
            let (models, name): (Vec<String>, String) = (models.iter().map(|one| pascal(one)).collect(), pascal(name));
            let named = attributes.iter().filter(|(_, one)| {
                one.role == Role::Member
                    && one.name == name
                    && one.owner.as_ref().is_some_and(|owner| models.contains(owner))
            });
            named.filter_map(|(node, _)| member_with(&source, *node)).collect()
        }
        Sought::Operation { .. } => Vec::new(),
    }
}

/// The source, where it is worth a parse: it says one of these words.
fn says<'t>(text: &'t str, words: &[&str]) -> Option<Source<'t>> {
    words.iter().any(|word| text.contains(word)).then(|| Source::parse(text)).flatten()
}

/// The classes that generated code may have for a client or a group.
fn holders(holder: &str, place: &Place) -> Vec<String> {
    let mut names = vec![pascal(holder)];
    if let Place::Group { above } = place {
        names.push(format!("{}{}", above.strip_suffix("Client").unwrap_or(above), pascal(holder)));
    }
    let clients: Vec<String> =
        names.iter().filter(|name| !name.ends_with("Client")).map(|name| format!("{name}Client")).collect();
    names.extend(clients);
    names
}

fn operation(text: &str, holders: &[String], forms: &[String], called: &[String]) -> Vec<Shown> {
    let words: Vec<&str> = forms.iter().map(String::as_str).collect();
    let Some(source) = says(text, &words) else { return Vec::new() };
    let is_holder = |name: &str| holders.iter().any(|one| one == name);
    let mut found: Vec<Shown> = Vec::new();
    for class in source.types().filter(|class| !is_nested(*class) && is_visible(&source, *class)) {
        let own = source.generated_name(class).is_some_and(|name| is_holder(&name))
            || source.name(class).is_some_and(is_holder)
            || bases(&source, class).into_iter().any(is_holder);
        let wraps = own || keeps(&source, class, is_holder);
        for method in members(class, "method_declaration") {
            let Some(name) = field(method, "name") else { continue };
            let own_name = source.text(name);
            let meant =
                own || (wraps && calls(&source, method, called)) || extended(&source, method).is_some_and(is_holder);
            if forms.iter().any(|form| form == own_name) && is_public(&source, class, method) && meant {
                let shown = format!("{}.{own_name}", source.name(class).unwrap_or_default());
                // Overloads are one method.
                if !found.iter().any(|one| one.name == shown) {
                    found.push(Shown::alone(line(name), shown));
                }
            }
        }
    }
    found
}

fn type_of_name(text: &str, name: &str) -> Vec<Shown> {
    let Some(source) = says(text, &[name]) else { return Vec::new() };
    let is_it = |class: &Node<'_>| {
        // One that an attribute ties to a generated type has a name of its own.
        let tied = source.given_name(*class).is_some();
        source.name(*class) == Some(name) && !is_nested(*class) && source.has_modifier(*class, "public") && !tied
    };
    source.types().filter(is_it).filter_map(|class| type_shown(&source, class)).collect()
}

/// A type under the name that it is declared with.
fn type_shown(source: &Source<'_>, class: Node<'_>) -> Option<Shown> {
    let name = field(class, "name")?;
    let bond = if source.given_name(class).is_none() && source.is_partial(class) { Bond::Half } else { Bond::Alone };
    Some(Shown { line: line(name), name: source.text(name).to_owned(), bond })
}

/// The property of a model in its other half, or in a class that extends it.
fn property(text: &str, models: &[String], name: &str) -> Vec<Shown> {
    let Some(source) = says(text, &[name]) else { return Vec::new() };
    let is_model = |name: &str| models.iter().any(|one| one == name);
    let mut found = Vec::new();
    for class in source.types().filter(|class| !is_nested(*class) && is_visible(&source, *class)) {
        let known = source.generated_name(class).is_some_and(|name| is_model(&name))
            || source.name(class).is_some_and(is_model)
            || bases(&source, class).into_iter().any(is_model);
        for member in members(class, "property_declaration").into_iter().filter(|_| known) {
            let Some(called) = field(member, "name").filter(|called| source.text(*called) == name) else { continue };
            // What an attribute ties to a generated member has a name of its own.
            let tied = source
                .attributes()
                .iter()
                .any(|(node, _)| declared_with(*node).is_some_and(|one| one.id() == member.id()));
            if is_public(&source, class, member) && !tied {
                found.push(Shown::alone(line(called), format!("{}.{name}", source.name(class).unwrap_or_default())));
            }
        }
    }
    found
}

/// The public member that an attribute stands on.
fn member_with(source: &Source<'_>, attribute: Node<'_>) -> Option<Shown> {
    let member = declared_with(attribute)?;
    let class = around(attribute)?;
    let declarator = nodes(member).into_iter().find(|node| node.kind() == "variable_declarator");
    let name = field(member, "name").or_else(|| field(declarator?, "name"))?;
    let visible = is_visible(source, class) && is_public(source, class, member);
    let shown = format!("{}.{}", source.name(class)?, source.text(name));
    visible.then(|| Shown::alone(line(name), shown))
}

/// The member that an attribute stands on; `None` for one on a type.
fn declared_with(attribute: Node<'_>) -> Option<Node<'_>> {
    let member = attribute.parent()?.parent()?;
    matches!(member.kind(), "property_declaration" | "field_declaration" | "enum_member_declaration").then_some(member)
}

/// Whether a type may be public: the modifier may stand at its other half.
fn is_visible(source: &Source<'_>, class: Node<'_>) -> bool {
    !["internal", "private", "protected", "file"].into_iter().any(|word| source.has_modifier(class, word))
        && (source.is_partial(class) || source.has_modifier(class, "public"))
}

/// Whether users see a member of a public type: all of an interface and of an enum, and what is not hidden from the lists that
/// an editor shows. What a person hid there was given up long ago.
fn is_public(source: &Source<'_>, class: Node<'_>, member: Node<'_>) -> bool {
    let all = matches!(class.kind(), "interface_declaration" | "enum_declaration");
    let hidden = named_children(member)
        .into_iter()
        .filter(|child| child.kind() == "attribute_list")
        .any(|list| source.text(list).contains("EditorBrowsableState.Never"));
    (all || source.has_modifier(member, "public")) && !hidden
}

/// The members of a type that are of this kind.
fn members<'t>(class: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    let body = field(class, "body").map(named_children).unwrap_or_default();
    body.into_iter().filter(|member| member.kind() == kind).collect()
}

/// What a type extends and implements, without namespaces.
fn bases<'s>(source: &'s Source<'_>, class: Node<'s>) -> Vec<&'s str> {
    let list = children(class).into_iter().find(|child| child.kind() == "base_list");
    list.map(named_children).unwrap_or_default().into_iter().map(|base| simple(source.text(base))).collect()
}

/// Whether a type keeps one of these in a field or a property.
fn keeps(source: &Source<'_>, class: Node<'_>, is_holder: impl Fn(&str) -> bool) -> bool {
    let fields = members(class, "field_declaration").into_iter().flat_map(named_children);
    let fields = fields.filter(|node| node.kind() == "variable_declaration");
    let typed = fields.chain(members(class, "property_declaration"));
    typed.filter_map(|node| field(node, "type")).any(|node| is_holder(simple(source.text(node))))
}

/// The type that a method extends: `this WidgetClient client`.
fn extended<'s>(source: &'s Source<'_>, method: Node<'s>) -> Option<&'s str> {
    let first = named_children(field(method, "parameters")?).into_iter().next()?;
    source.has_modifier(first, "this").then(|| field(first, "type")).flatten().map(|one| simple(source.text(one)))
}

/// Whether a method calls one of these on something other than itself.
fn calls(source: &Source<'_>, method: Node<'_>, forms: &[String]) -> bool {
    nodes(method).into_iter().any(|node| {
        let member = field(node, "name").filter(|_| node.kind() == "member_access_expression");
        let on_itself = field(node, "expression").is_some_and(|one| matches!(source.text(one), "this" | "base"));
        member.is_some_and(|member| forms.iter().any(|form| form == simple(source.text(member)))) && !on_itself
    })
}

/// `A.Widget<T>?` -> `Widget`
fn simple(name: &str) -> &str {
    let plain = name.split(['<', '?', '(']).next().unwrap_or(name);
    plain.rsplit(['.', ':']).next().unwrap_or(plain).trim()
}

#[cfg(test)]
mod tests;
