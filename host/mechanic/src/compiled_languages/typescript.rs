//! TypeScript and JavaScript.

use tree_sitter::{Language, Node};

use super::dialect::{Dialect, Import, Member, Role};
use super::error_message::{ErrorMessage, names, simple};
use super::forms::{Form, Part, Place, camel, pascal};
use super::source::Source;
use crate::repair::Wanted;
use bailiwick_sdk::syntax::{around, field, line, named_children};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

/// The dialect of TypeScript.
pub(super) struct TypeScript;

const KEYWORDS: &[&str] = list! {
    "await" "break" "case" "catch" "class" "const" "continue" "debugger" "default" "delete" "do" "else" "enum" "export"
    "extends" "false" "finally" "for" "function" "if" "implements" "import" "in" "instanceof" "interface" "let" "new"
    "null" "package" "private" "protected" "public" "return" "static" "super" "switch" "this" "throw" "true" "try"
    "typeof" "var" "void" "while" "with" "yield"
};

/// What may be declared twice.
const MEMBERS: &[&str] = &[
    "method_definition",
    "public_field_definition",
    "property_signature",
    "method_signature",
    "abstract_method_signature",
];
const DECLARATIONS: &[&str] = &[
    "function_declaration",
    "class_declaration",
    "abstract_class_declaration",
    "interface_declaration",
    "type_alias_declaration",
    "enum_declaration",
    "lexical_declaration",
];

impl Dialect for TypeScript {
    fn name(&self) -> &'static str {
        "TypeScript"
    }

    fn reads(&self, path: &str) -> bool {
        matches!(path.rsplit('.').next(), Some("ts" | "tsx" | "mts" | "cts" | "js" | "jsx" | "mjs" | "cjs"))
    }

    fn grammar(&self, path: &str) -> Language {
        // What JavaScript may say beyond TypeScript are elements in angle brackets.
        if is_typed(path) && !path.ends_with(".tsx") {
            tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()
        } else {
            tree_sitter_typescript::LANGUAGE_TSX.into()
        }
    }

    fn said(&self, error: &Diagnostic) -> ErrorMessage {
        let names = names(&error.message);
        let (first, second) = (names.first(), names.get(1));
        match error.code.as_deref().unwrap_or_default() {
            "TS2304" | "TS2552" | "TS2663" => ErrorMessage::name(first),
            "TS2305" | "TS2614" | "TS2694" | "TS2724" => {
                second.map_or(ErrorMessage::Other, |name| ErrorMessage::Name(name.clone()))
            }
            "TS2339" | "TS2551" | "TS2353" | "TS2561" => ErrorMessage::member(first, second),
            // `Element implicitly has an 'any' type because expression of type '"x"' can't be used to index type 'T'`.
            "TS7053" => match (second, names.get(2)) {
                (Some(name), Some(owner)) => {
                    ErrorMessage::Member { name: name.trim_matches('"').to_owned(), owner: owner.clone() }
                }
                _ => ErrorMessage::Other,
            },
            "TS2300" | "TS2451" => ErrorMessage::Duplicate { name: first.cloned(), owner: None, other: None },
            "TS2393" => ErrorMessage::Duplicate { name: error.symbol.clone(), owner: None, other: None },
            "TS2308" => ErrorMessage::Duplicate {
                name: second.cloned(),
                owner: None,
                other: first.and_then(|module| resolved(error.file.as_deref()?, module.trim_matches('"'))),
            },
            _ => ErrorMessage::Other,
        }
    }

    fn forms(&self, rename: &Rename, classes: &[String]) -> Vec<Form> {
        let mut forms: Vec<Form> = Vec::new();
        let mut add = |place: Place, write: &dyn Fn(&str) -> String, classes: &[String]| {
            let (old, new) = (write(&rename.old), write(&rename.new));
            forms.push(Form { place, old, new, kind: rename.kind, classes: classes.to_vec(), part: Part::Whole });
        };
        let whole = |name: &str| name.to_owned();
        match rename.kind {
            EntityKind::Property | EntityKind::Parameter => add(Place::Member, &whole, classes),
            EntityKind::EnumMember => {
                add(Place::Member, &pascal, classes);
                if rename.old != pascal(&rename.old) {
                    add(Place::Member, &whole, classes);
                }
            }
            EntityKind::Operation => {
                add(Place::Member, &whole, classes);
                add(Place::Name, &whole, &[]);
                add(Place::Name, &|name| format!("{}OptionalParams", pascal(name)), &[]);
                add(Place::Name, &|name| format!("_{name}Send"), &[]);
                add(Place::Name, &|name| format!("_{name}Deserialize"), &[]);
            }
            EntityKind::Interface => {
                add(Place::Name, &|name| format!("{}Operations", pascal(name)), &[]);
                add(Place::Member, &camel, &[]);
            }
            EntityKind::Namespace => {}
            _ => {
                add(Place::Name, &pascal, &[]);
                add(Place::Name, &|name| format!("Known{}", pascal(name)), &[]);
                add(Place::Name, &|name| format!("{}Serializer", camel(name)), &[]);
                add(Place::Name, &|name| format!("{}Deserializer", camel(name)), &[]);
            }
        }
        for form in forms.iter_mut().filter(|form| form.old.ends_with("OptionalParams")) {
            form.part = Part::End;
        }
        forms
    }

    fn keywords(&self) -> &'static [&'static str] {
        KEYWORDS
    }

    fn takes_keywords(&self, role: Role) -> bool {
        role == Role::Member
    }

    fn role(&self, _: &Source, node: Node<'_>) -> Role {
        let Some(parent) = node.parent() else { return Role::Value };
        let is = |name: &str| field(parent, name) == Some(node);
        match (node.kind(), parent.kind()) {
            (_, "import_specifier") if field(parent, "alias").is_some() => {
                if is("alias") {
                    Role::Imports
                } else {
                    Role::Aliases
                }
            }
            (_, "import_specifier") => Role::Imports,
            (_, "export_specifier") if field(parent, "alias").is_some() => {
                if is("alias") {
                    Role::Declares
                } else {
                    Role::Aliases
                }
            }
            (_, "export_specifier") => Role::Exports,
            (_, "import_clause" | "namespace_import" | "import_require_clause" | "namespace_export") => Role::Declares,
            ("property_identifier" | "private_property_identifier" | "statement_identifier", _) => Role::Member,
            ("shorthand_property_identifier_pattern", _) => Role::Declares,
            ("type_identifier", "nested_type_identifier") => Role::Member,
            (
                "type_identifier",
                "class_declaration"
                | "abstract_class_declaration"
                | "class"
                | "interface_declaration"
                | "type_alias_declaration",
            ) if is("name") => Role::DeclaresType,
            ("type_identifier", "type_parameter" | "mapped_type_clause") if is("name") => Role::Declares,
            ("type_identifier", _) => Role::Type,
            (_, "enum_declaration") if is("name") => Role::DeclaresType,
            (
                _,
                "variable_declarator"
                | "function_declaration"
                | "function_expression"
                | "generator_function_declaration"
                | "function_signature",
            ) if is("name") => Role::Declares,
            (_, "required_parameter" | "optional_parameter") if is("pattern") || is("name") => Role::Declares,
            (_, "arrow_function" | "catch_clause") if is("parameter") => Role::Declares,
            (_, "rest_pattern" | "array_pattern") => Role::Declares,
            (_, "pair_pattern") if is("value") => Role::Declares,
            (_, "assignment_pattern" | "object_assignment_pattern" | "for_in_statement") if is("left") => {
                Role::Declares
            }
            _ => Role::Value,
        }
    }

    fn says_unknown(&self, error: &Diagnostic) -> bool {
        match error.code.as_deref().unwrap_or_default() {
            "TS2345" | "TS2322" => error.message.contains("type 'unknown'"),
            "TS18046" | "TS7006" | "TS7031" => true,
            _ => false,
        }
    }

    fn needs_import(&self) -> bool {
        true
    }

    fn class_around<'s>(&self, _: &'s Source, _: Node<'_>) -> Option<&'s str> {
        // A member always has something in front of it.
        None
    }

    fn bases(&self, source: &Source) -> Vec<(String, String)> {
        let mut bases = Vec::new();
        for node in source.nodes() {
            // `T extends Widget`, and `Widget as Generated` in an import, are other names of a type.
            let other_name = match node.kind() {
                "type_parameter" => field(node, "constraint")
                    .and_then(|constraint| named_children(constraint).first().copied())
                    .map(|of| (source.name_of(node, "name"), Some(source.text(of)))),
                "import_specifier" => Some((source.name_of(node, "alias"), source.name_of(node, "name"))),
                _ => None,
            };
            if let Some((Some(name), Some(of))) = other_name {
                bases.push((name.to_owned(), simple(of).to_owned()));
            }
            let extended = match node.kind() {
                "extends_clause" => source.name_of(node, "value"),
                "extends_type_clause" => source.name_of(node, "type"),
                _ => None,
            };
            let class = around(node, &["class_declaration", "abstract_class_declaration", "interface_declaration"]);
            if let (Some(base), Some(name)) = (extended, class.and_then(|class| source.name_of(class, "name"))) {
                bases.push((name.to_owned(), simple(base).to_owned()));
            }
        }
        bases
    }

    fn members<'t>(&self, source: &'t Source) -> Vec<Member<'t>> {
        let mut members = Vec::new();
        for node in source.nodes() {
            let kind = node.kind();
            if MEMBERS.contains(&kind) {
                let class = around(node, &["class_declaration", "abstract_class_declaration", "interface_declaration"]);
                let owner = class.and_then(|class| source.name_of(class, "name")).map(str::to_owned);
                let name = source.name_of(node, "name").unwrap_or_default().to_owned();
                members.push(Member { owner, name, node });
                continue;
            }
            if !DECLARATIONS.contains(&kind) {
                continue;
            }
            let whole = node.parent().filter(|parent| parent.kind() == "export_statement").unwrap_or(node);
            if whole.parent().is_none_or(|parent| parent.kind() != "program") {
                continue;
            }
            let declarators: Vec<Node<'_>> =
                named_children(node).into_iter().filter(|one| one.kind() == "variable_declarator").collect();
            let named = if let [one] = declarators[..] { one } else { node };
            let name = source.name_of(named, "name").map(str::to_owned);
            members.extend(name.map(|name| Member { owner: None, name, node: whole }));
        }
        members
    }

    fn blind_spot(&self, source: &Source, form: &Form, vouched: &[usize]) -> Option<(u32, String)> {
        let unchecked = !is_typed(&source.path) && vouched.is_empty();
        source.nodes().into_iter().find_map(|node| {
            if source.text(node) != form.old || vouched.contains(&node.start_byte()) {
                return None;
            }
            let parent = node.parent()?;
            let issue = match node.kind() {
                "property_identifier" if unchecked => "nothing checks the types of this file",
                "property_identifier" if parent.kind() == "member_expression" => {
                    let object = field(parent, "object").map(|object| source.text(object)).unwrap_or_default();
                    if !object.contains("as any") && !object.contains("<any>") {
                        return None;
                    }
                    "`any` hides members"
                }
                "string_fragment"
                    if around(node, &["subscript_expression"])
                        .is_some_and(|outer| field(outer, "index") == Some(parent))
                        && !reads_wire(source, node, form) =>
                {
                    "a member is asked for by a string"
                }
                _ => return None,
            };
            Some((line(node), format!("{issue} (`{}`)", form.old)))
        })
    }

    fn origins(&self, source: Option<&Source>, _: &str) -> Vec<Wanted> {
        let Some(source) = source else { return Vec::new() };
        let modules = source
            .nodes()
            .into_iter()
            .filter(|node| node.kind() == "import_statement" || node.kind() == "export_statement");
        modules.filter_map(|node| module(source, node)).map(Wanted::File).collect()
    }

    fn import(&self, source: &Source, _: Node<'_>, name: &str, others: &[&Source]) -> Import {
        let mut found: Vec<(Node<'_>, bool)> = Vec::new();
        for statement in named_children(source.root()).into_iter().filter(|node| node.kind() == "import_statement") {
            let Some(path) = module(source, statement) else { continue };
            for other in others.iter().filter(|other| other.path == path) {
                let declared = self
                    .members(other)
                    .into_iter()
                    .find(|one| one.owner.is_none() && one.name == name && one.node.kind() == "export_statement");
                let kind = declared.and_then(|one| field(one.node, "declaration")).map(|node| node.kind());
                found.extend(
                    kind.map(|kind| (statement, matches!(kind, "interface_declaration" | "type_alias_declaration"))),
                );
            }
        }
        // Types and what runs are often imported from one file by a statement each.
        let of_types = |statement: Node<'_>| source.text(statement).starts_with("import type");
        if let [(first, is_type), ..] = found[..]
            && found.iter().all(|(statement, _)| module(source, *statement) == module(source, first))
        {
            found.sort_by_key(|(statement, _)| of_types(*statement) != is_type);
            found.truncate(1);
        }
        let [(statement, is_type)] = found[..] else {
            let several = format!("`{name}` can be imported from several files");
            return if found.is_empty() { Import::Unknown } else { Import::Doubt(several) };
        };
        let specifiers: Vec<Node<'_>> = bailiwick_sdk::syntax::nodes(statement)
            .into_iter()
            .filter(|node| node.kind() == "import_specifier")
            .collect();
        match specifiers.last() {
            Some(_) if of_types(statement) && !is_type => {
                Import::Doubt(format!("`{name}` is imported from where only types are"))
            }
            Some(last) => Import::Insert { at: last.end_byte(), text: format!(", {name}") },
            None => Import::Doubt(format!("the file imports all of what has `{name}` under another name")),
        }
    }
}

/// Whether a string says what a member is called on the wire: what is read by it becomes the member of the new name.
fn reads_wire(source: &Source, string: Node<'_>, form: &Form) -> bool {
    around(string, &["pair"]).is_some_and(|pair| source.name_of(pair, "key") == Some(&form.new))
}

/// Whether the compiler looks at the types of a file.
fn is_typed(path: &str) -> bool {
    matches!(path.rsplit('.').next(), Some("ts" | "tsx" | "mts" | "cts"))
}

/// The file that a statement imports from or hands on, if it is one of the package.
fn module(source: &Source, statement: Node<'_>) -> Option<String> {
    let text = source.name_of(statement, "source")?;
    resolved(&source.path, text.trim_matches(['"', '\'']))
}

/// The source file that a relative module name means: `../generated/models.js` is made from `../generated/models.ts`.
fn resolved(from: &str, module: &str) -> Option<String> {
    if !module.starts_with('.') {
        return None;
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in module.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let typed = path.strip_suffix(".js").map(|stem| format!("{stem}.ts"));
    let typed = typed.or_else(|| path.strip_suffix(".mjs").map(|stem| format!("{stem}.mts")));
    Some(typed.unwrap_or(if path.ends_with(".ts") { path } else { format!("{path}.ts") }))
}
