//! What people export from a package under the name of something generated, and the names under which they export it.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::method_names::{camel, javascript_methods, pascal};
use bailiwick_sdk::syntax::{children, field, line, named_children, nodes};
use tree_sitter::Node;

use super::super::shown::{Place, Shown, Sought};
use super::module::{Module, Passed};

/// What a module exports, by the name under which it does.
pub(super) type Exported = (String, Shown);

/// What a module exports under a name, or as a member of what it exports.
pub(super) fn shown(text: &str, sought: &Sought) -> Vec<Exported> {
    match sought {
        Sought::Operation { holder, place, name, called } => {
            let forms = javascript_methods(name);
            let Some(module) = says(text, &forms) else { return Vec::new() };
            let called = called.iter().flat_map(|name| javascript_methods(name)).collect();
            Operation::new(&module, holder, place, forms, called).shown()
        }
        Sought::Type { name } => {
            let Some(module) = says(text, std::slice::from_ref(name)) else { return Vec::new() };
            let is_it = |(exported, one): &(String, Node<'_>)| exported == name && is_type(*one);
            module.declared().into_iter().filter(is_it).map(|(name, one)| whole(name, one)).collect()
        }
        Sought::Property { models, name } => {
            let Some(module) = says(text, std::slice::from_ref(name)) else { return Vec::new() };
            let known = |one: Node<'_>| bases(&module, one).iter().any(|base| models.contains(base));
            let holders = module.declared().into_iter().filter(|(_, one)| known(*one));
            let named = |(exported, one): (String, Node<'_>)| {
                let is_it = |(_, member): &(&str, Node<'_>)| {
                    matches!(member.kind(), "property_signature" | "public_field_definition")
                };
                let member = members(&module, one, &[camel(name)]).into_iter().find(is_it)?;
                Some((exported.clone(), Shown::alone(line(member.1), format!("{exported}.{}", member.0))))
            };
            holders.filter_map(named).collect()
        }
    }
}

/// What a module calls something generated that it exports under another name, or as an alias: `export { Setting as KeyVaultSetting }`.
pub(super) fn own_names(text: &str, generated: &Sought) -> Vec<Exported> {
    let names = names(generated);
    let Some(module) = says(text, &names) else { return Vec::new() };
    let is_it = |one: &Passed| {
        let of_package = one.source.as_deref().is_some_and(|source| source.starts_with('.'));
        of_package && one.name != one.original && names.contains(&one.original)
    };
    let exports = module.exports().into_iter().filter(is_it);
    let mut found: Vec<Exported> = exports.map(|one| (one.name.clone(), Shown::alone(one.line, one.name))).collect();
    let imports = module.imports();
    let of_generated = |name: &str| {
        let import = imports.iter().find(|one| one.name == name);
        import.is_some_and(|one| names.contains(&one.original) && is_generated(one.source.as_deref()))
    };
    for (name, one) in module.declared() {
        let stands_for =
            field(one, "value").filter(|of| one.kind() == "type_alias_declaration" && of.kind() == "type_identifier");
        if stands_for.is_some_and(|of| of_generated(module.text(of))) {
            found.push(whole(name, one));
        }
    }
    found
}

/// What generated code calls something that it exports.
pub(super) fn names(generated: &Sought) -> Vec<String> {
    match generated {
        Sought::Operation { name, .. } => javascript_methods(name),
        Sought::Type { name } => vec![name.clone()],
        Sought::Property { .. } => Vec::new(),
    }
}

/// The module, where it is worth a parse: it says one of these words.
fn says<'t>(text: &'t str, words: &[String]) -> Option<Module<'t>> {
    words.iter().any(|word| text.contains(word.as_str())).then(|| Module::parse(text)).flatten()
}

fn whole(name: String, declaration: Node<'_>) -> Exported {
    (name.clone(), Shown::alone(line(field(declaration, "name").unwrap_or(declaration)), name))
}

fn is_generated(source: Option<&str>) -> bool {
    source.is_some_and(|source| source.starts_with('.') && source.split('/').any(|part| part == "generated"))
}

fn is_type(declaration: Node<'_>) -> bool {
    matches!(
        declaration.kind(),
        "class_declaration"
            | "abstract_class_declaration"
            | "interface_declaration"
            | "type_alias_declaration"
            | "enum_declaration"
    )
}

/// The classes and interfaces that one extends, by their names in the modules that they come from.
fn bases(module: &Module<'_>, declaration: Node<'_>) -> Vec<String> {
    let clauses = nodes(declaration).into_iter().filter(|node| {
        matches!(node.kind(), "extends_clause" | "extends_type_clause")
            && field(declaration, "body").is_none_or(|body| node.end_byte() <= body.start_byte())
    });
    let named = clauses.flat_map(named_children).filter(|node| matches!(node.kind(), "identifier" | "type_identifier"));
    let imports = module.imports();
    let original =
        |name: &str| imports.iter().find(|one| one.name == name).map_or(name, |one| &one.original).to_owned();
    named.map(|node| original(module.text(node))).collect()
}

/// The members of these names that users of a class or an interface see, each with its name.
fn members<'s>(module: &Module<'s>, holder: Node<'s>, names: &[String]) -> Vec<(&'s str, Node<'s>)> {
    let body = field(holder, "body").map(named_children).unwrap_or_default();
    let of = |member: Node<'s>| {
        let name = field(member, "name").filter(|name| name.kind() == "property_identifier")?;
        let hidden = children(member)
            .into_iter()
            .any(|one| one.kind() == "accessibility_modifier" && module.text(one) != "public");
        let called = module.text(name);
        (!hidden && names.iter().any(|name| name == called)).then_some((called, member))
    };
    body.into_iter().filter_map(of).collect()
}

/// An operation that is looked for in a module.
struct Operation<'m> {
    module: &'m Module<'m>,
    imports: Vec<Passed>,
    /// What generated code has it in.
    holders: Vec<String>,
    place: &'m Place,
    /// The interface of its group.
    group: Option<String>,
    /// The names of a method that shows it.
    forms: Vec<String>,
    /// Its names in generated code.
    called: Vec<String>,
}

impl<'m> Operation<'m> {
    fn new(module: &'m Module<'m>, holder: &str, place: &'m Place, forms: Vec<String>, called: Vec<String>) -> Self {
        let (client, group) = match place {
            Place::Client => (holder, None),
            Place::Group { above } => (above.as_str(), Some(format!("{}Operations", pascal(holder)))),
        };
        let stem = client.strip_suffix("Client").unwrap_or(client);
        let mut holders = vec![client.to_owned(), format!("{stem}Client"), format!("{stem}Context")];
        holders.extend(group.clone());
        Self { module, imports: module.imports(), holders, place, group, forms, called }
    }

    fn shown(&self) -> Vec<Exported> {
        let mut found: Vec<Exported> = Vec::new();
        for (name, one) in self.module.declared() {
            match one.kind() {
                "class_declaration" | "abstract_class_declaration" | "interface_declaration" => {
                    for (called, member) in members(self.module, one, &self.forms) {
                        if self.is_of(one, &name) || (self.names_holder(one) && self.is_implemented_by_it(one, called))
                        {
                            found.push((name.clone(), Shown::alone(line(member), format!("{name}.{called}"))));
                        }
                    }
                }
                _ if self.forms.contains(&name) && (self.takes_holder(one) || self.calls(one)) => {
                    found.push(whole(name, one));
                }
                _ => {}
            }
        }
        let renamed = |one: &Passed| {
            let of_package = one.source.as_deref().is_some_and(|source| source.starts_with('.'));
            of_package && one.name != one.original && self.forms.contains(&one.name) && self.is_called(&one.original)
        };
        let exports = self.module.exports().into_iter().filter(renamed);
        found.extend(exports.map(|one| (one.name.clone(), Shown::alone(one.line, one.name))));
        // Overloads are one method.
        let mut first: Vec<Exported> = Vec::new();
        for one in found {
            if !first.iter().any(|(_, known)| known.name == one.1.name) {
                first.push(one);
            }
        }
        first
    }

    /// Whether a class or an interface is what has the operation, or extends it.
    fn is_of(&self, declaration: Node<'_>, name: &str) -> bool {
        let of = |name: &str| match (&self.group, self.place) {
            (Some(group), _) => group == name,
            (None, Place::Client) => self.holders.iter().any(|holder| holder == name),
            (None, Place::Group { .. }) => false,
        };
        of(name) || bases(self.module, declaration).iter().any(|base| of(base))
    }

    /// Whether one of the methods of this name calls the operation.
    fn is_implemented_by_it(&self, class: Node<'_>, name: &str) -> bool {
        members(self.module, class, &[name.to_owned()]).into_iter().any(|(_, member)| self.calls(member))
    }

    /// The name of something in the module that it comes from.
    fn original<'n>(&'n self, name: &'n str) -> &'n str {
        self.imports.iter().find(|one| one.name == name).map_or(name, |one| &one.original)
    }

    fn is_holder(&self, node: Node<'_>) -> bool {
        matches!(node.kind(), "identifier" | "type_identifier")
            && self.holders.iter().any(|holder| holder == self.original(self.module.text(node)))
    }

    fn names_holder(&self, class: Node<'_>) -> bool {
        nodes(class).into_iter().any(|node| self.is_holder(node))
    }

    /// Whether the first parameter of a function is the client, or its context.
    fn takes_holder(&self, declaration: Node<'_>) -> bool {
        let function = field(declaration, "value").unwrap_or(declaration);
        let first = field(function, "parameters").map(named_children).and_then(|all| all.first().copied());
        first.is_some_and(|first| nodes(first).into_iter().any(|node| self.is_holder(node)))
    }

    /// Whether something calls the operation: as a member of something that it keeps, or as a function of another module.
    fn calls(&self, node: Node<'_>) -> bool {
        let functions = nodes(node).into_iter().filter_map(|node| field(node, "function"));
        functions.into_iter().any(|function| match function.kind() {
            "member_expression" => {
                let Some(object) = field(function, "object") else { return false };
                let own = matches!(object.kind(), "this" | "super");
                let member = field(function, "property").map(|one| self.module.text(one)).unwrap_or_default();
                let whose = self.module.text(object);
                !own && self.is_called(member)
                    && self.may_be_of(&self.module.namespace(whose).unwrap_or(whose.to_owned()))
            }
            "identifier" => {
                let called = self.module.text(function);
                let import = self.imports.iter().find(|one| one.name == called);
                import.is_some_and(|one| {
                    let source = one.source.as_deref().unwrap_or_default();
                    source.starts_with('.') && self.is_called(&one.original) && self.may_be_of(source)
                })
            }
            _ => false,
        })
    }

    /// Whether the operations of a group, where it is one, are asked of an object or come from a module: `this.client.parts`.
    fn may_be_of(&self, text: &str) -> bool {
        let Some(group) = &self.group else { return true };
        let group = camel(group.strip_suffix("Operations").unwrap_or(group));
        text.split(|one: char| !one.is_alphanumeric()).any(|word| word.trim_start_matches('_') == group)
    }

    /// Whether generated code may have the operation under this name.
    fn is_called(&self, name: &str) -> bool {
        let plain = name.trim_start_matches(['_', '$']);
        self.called.iter().any(|one| one == plain)
    }
}

#[cfg(test)]
mod tests;
