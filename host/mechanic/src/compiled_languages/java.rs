//! Java, where people wrote it beside generated code. Customization classes, which name generated code in strings, have a
//! reader of their own.

use tree_sitter::{Language, Node};

use super::dialect::{Dialect, Import, Member, Role};
use super::error_message::{ErrorMessage, simple};
use super::forms::{Form, Part, Place};
use super::source::Source;
use crate::names::JAVA_KEYWORDS;
use crate::repair::Wanted;
use bailiwick_sdk::java::member_names;
use bailiwick_sdk::syntax::{around, column, field, named_children};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

/// The dialect of Java.
pub(super) struct Java;

const TYPES: &[&str] = &[
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
];

/// What generated classes with the operations of a group are called behind the name of the group.
const OF_GROUPS: [&str; 4] = ["", "Client", "AsyncClient", "Impl"];

impl Dialect for Java {
    fn name(&self) -> &'static str {
        "Java"
    }

    fn reads(&self, path: &str) -> bool {
        path.ends_with(".java")
    }

    fn grammar(&self, _: &str) -> Language {
        tree_sitter_java::LANGUAGE.into()
    }

    fn said(&self, error: &Diagnostic) -> ErrorMessage {
        // Methods of a person may have the name of the generated one that is gone.
        if let Some((name, owner)) = other_overload(&error.message) {
            let name = name.to_owned();
            return match owner {
                Some(owner) => ErrorMessage::Member { name, owner: owner.to_owned() },
                None => ErrorMessage::Name(name),
            };
        }
        let Some(missing) = Missing::of(&error.message) else { return ErrorMessage::Other };
        let name = missing.name.to_owned();
        match (missing.kind, missing.owner) {
            ("class" | "interface" | "enum", _) => ErrorMessage::Name(name),
            // In front of a dot the compiler takes the name of a type that it does not know for a variable.
            ("variable", Some(owner)) if is_type_of(error, owner) => ErrorMessage::Name(name),
            ("variable" | "method", Some(owner)) => ErrorMessage::Member { name, owner: owner.to_owned() },
            _ => ErrorMessage::Other,
        }
    }

    fn forms(&self, rename: &Rename, classes: &[String]) -> Vec<Form> {
        let form = |place: Place, old: String, new: String, classes: &[String]| Form {
            place,
            old,
            new,
            kind: rename.kind,
            classes: classes.to_vec(),
            part: Part::Whole,
        };
        match rename.kind {
            EntityKind::Property | EntityKind::EnumMember | EntityKind::Operation => {
                let old = member_names(rename.kind, &rename.old);
                let new = member_names(rename.kind, &rename.new);
                old.into_iter().zip(new).map(|(old, new)| form(Place::Member, old, new, classes)).collect()
            }
            EntityKind::Interface => {
                let of = |name: &str, end: &str| format!("{name}{end}");
                let each = OF_GROUPS.into_iter();
                each.map(|end| form(Place::Name, of(&rename.old, end), of(&rename.new, end), &[])).collect()
            }
            // Arguments have no names, and packages are moved by hand.
            EntityKind::Parameter | EntityKind::Namespace => Vec::new(),
            _ => vec![form(Place::Name, rename.old.clone(), rename.new.clone(), &[])],
        }
    }

    fn keywords(&self) -> &'static [&'static str] {
        JAVA_KEYWORDS
    }

    fn role(&self, _: &Source, node: Node<'_>) -> Role {
        let Some(parent) = node.parent() else { return Role::Value };
        if around(node, &["import_declaration"]).is_some() {
            return Role::Imports;
        }
        if node.kind() == "type_identifier" {
            return Role::Type;
        }
        let is = |name: &str| field(parent, name) == Some(node);
        match parent.kind() {
            kind if TYPES.contains(&kind) && is("name") => Role::DeclaresType,
            "constructor_declaration" | "compact_constructor_declaration" => Role::DeclaresType,
            "marker_annotation" | "annotation" if is("name") => Role::Type,
            "method_invocation" if is("name") && field(parent, "object").is_some() => Role::Member,
            "field_access" if is("field") => Role::Member,
            "method_reference" if parent.named_child(0) != Some(node) => Role::Member,
            "element_value_pair" if is("key") => Role::Member,
            "inferred_parameters" => Role::Declares,
            "lambda_expression" if is("parameters") => Role::Declares,
            kind if is("name")
                && (kind.ends_with("declaration")
                    || kind.ends_with("declarator")
                    || kind.ends_with("parameter")
                    || kind.ends_with("statement")
                    || matches!(kind, "enum_constant" | "resource" | "record_component" | "instanceof_expression")) =>
            {
                Role::Declares
            }
            _ => Role::Value,
        }
    }

    fn column_of(&self, node: Node<'_>) -> u32 {
        // The compiler points to the dot before a member.
        let dot = node.prev_sibling().filter(|before| matches!(before.kind(), "." | "::"));
        column(dot.unwrap_or(node))
    }

    fn comes_with_another(&self, error: &Diagnostic) -> bool {
        error.message.starts_with("incompatible types: ")
    }

    fn needs_import(&self) -> bool {
        true
    }

    fn class_around<'s>(&self, source: &'s Source, node: Node<'_>) -> Option<&'s str> {
        source.name_of(around(node, TYPES)?, "name")
    }

    fn bases(&self, source: &Source) -> Vec<(String, String)> {
        let mut bases = Vec::new();
        for class in source.nodes().into_iter().filter(|node| TYPES.contains(&node.kind())) {
            let Some(name) = source.name_of(class, "name") else { continue };
            let clauses = named_children(class)
                .into_iter()
                .filter(|part| matches!(part.kind(), "superclass" | "super_interfaces" | "extends_interfaces"));
            let types = clauses.flat_map(named_children).flat_map(|one| match one.kind() {
                "type_list" => named_children(one),
                _ => vec![one],
            });
            bases.extend(types.map(|base| (name.to_owned(), simple(source.text(base)).to_owned())));
        }
        bases
    }

    fn members<'t>(&self, _: &'t Source) -> Vec<Member<'t>> {
        Vec::new()
    }

    fn blind_spot(&self, _: &Source, _: &Form, _: &[usize]) -> Option<(u32, String)> {
        None
    }

    fn origins(&self, _: Option<&Source>, _: &str) -> Vec<Wanted> {
        Vec::new()
    }

    fn import(&self, _: &Source, _: Node<'_>, _: &str, _: &[&Source]) -> Import {
        Import::Unknown
    }
}

/// What the compiler does not find: `cannot find symbol; symbol: method getX(); location: variable w of type a.b.Widget`.
struct Missing<'m> {
    kind: &'m str,
    name: &'m str,
    /// The type in which it was looked for.
    owner: Option<&'m str>,
}

impl<'m> Missing<'m> {
    fn of(message: &'m str) -> Option<Self> {
        let (_, symbol) = message.split_once("symbol: ")?;
        let (symbol, location) = symbol.split_once("; location: ").unwrap_or((symbol, ""));
        let (kind, name) = symbol.split_once(' ')?;
        let name = name.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).next()?;
        let owner = match location.split_once(" of type ") {
            Some((_, of)) => Some(of),
            None => ["class ", "interface ", "enum "].iter().find_map(|kind| location.strip_prefix(kind)),
        };
        (!name.is_empty()).then_some(Self { kind, name, owner })
    }
}

/// The method of which only other overloads are left, and its class where the compiler names it.
fn other_overload(message: &str) -> Option<(&str, Option<&str>)> {
    let is_name = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    if let Some(rest) = message.strip_prefix("no suitable method found for ") {
        return rest.split('(').next().filter(is_name).map(|name| (name, None));
    }
    let (name, rest) = message.strip_prefix("method ")?.split_once(" in ")?;
    let (owner, _) = rest.split_once(" cannot be applied to given types")?;
    let owner = owner.split_once(' ').map_or(owner, |(_, owner)| owner);
    is_name(&name).then_some((name, Some(owner)))
}

/// Whether a type is that of the file in which an error is.
fn is_type_of(error: &Diagnostic, owner: &str) -> bool {
    let file = error.file.as_deref().and_then(|file| file.rsplit('/').next()).unwrap_or_default();
    file.strip_suffix(".java").is_some_and(|stem| stem == simple(owner))
}
