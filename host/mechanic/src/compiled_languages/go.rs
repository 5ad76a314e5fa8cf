//! Go.

use std::ops::Range;

use tree_sitter::{Language, Node};

use super::dialect::{Dialect, Import, Member, Role};
use super::error_message::{ErrorMessage, names, simple};
use super::forms::{Form, Part, Place, camel, pascal};
use super::lines::{end_of_line, of_node, start_of_line};
use super::source::{Source, is_identifier};
use crate::repair::Wanted;
use bailiwick_sdk::syntax::{around, field, line, named_children};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

/// The dialect of Go.
pub(super) struct Go;

const KEYWORDS: &[&str] = list! {
    "break" "case" "chan" "const" "continue" "default" "defer" "else" "fallthrough" "for" "func" "go" "goto" "if"
    "import" "interface" "map" "package" "range" "return" "select" "struct" "switch" "type" "var"
};

/// Packages of the standard library that one name means.
const STANDARD: &[&str] = &[
    "bytes",
    "context",
    "encoding/json",
    "errors",
    "fmt",
    "io",
    "net/http",
    "net/url",
    "os",
    "reflect",
    "sort",
    "strconv",
    "strings",
    "sync",
    "time",
];

/// Types that Go declares itself: what is internal cannot be called like them.
const PREDECLARED: &[&str] = &["any", "bool", "byte", "comparable", "error", "rune", "string"];

/// Words that the emitter writes in capitals.
const CAPITALS: &[&str] =
    &["Api", "Dns", "Etag", "Http", "Https", "Id", "Ip", "Json", "Sql", "Ssl", "Uri", "Url", "Xml"];

impl Dialect for Go {
    fn name(&self) -> &'static str {
        "Go"
    }

    fn reads(&self, path: &str) -> bool {
        path.ends_with(".go")
    }

    fn grammar(&self, _: &str) -> Language {
        tree_sitter_go::LANGUAGE.into()
    }

    fn said(&self, error: &Diagnostic) -> ErrorMessage {
        let message = error.message.trim();
        if let Some(name) = message.strip_prefix("undefined: ") {
            let name = name.split_whitespace().next().unwrap_or_default();
            return ErrorMessage::name(Some(&name.to_owned()));
        }
        if let Some((access, rest)) = message.split_once(" undefined (type ") {
            let name = access.rsplit('.').next().map(str::to_owned);
            let owner = rest.split_once(" has no ").map(|(owner, _)| owner.to_owned());
            return ErrorMessage::member(name.as_ref(), owner.as_ref());
        }
        if let Some((name, owner)) =
            message.strip_prefix("unknown field ").and_then(|rest| rest.split_once(" in struct literal of type "))
        {
            let owner = owner.split([',', ' ']).next().unwrap_or_default();
            return ErrorMessage::member(Some(&name.trim_matches('\'').to_owned()), Some(&owner.to_owned()));
        }
        if let Some((name, rest)) = message.split_once(" redeclared in this block") {
            return ErrorMessage::Duplicate { name: Some(name.to_owned()), owner: None, other: place(error, rest) };
        }
        if let Some((name, rest)) =
            message.strip_prefix("method ").and_then(|rest| rest.split_once(" already declared at "))
        {
            let (owner, name) = name.rsplit_once('.').unwrap_or(("", name));
            let owner = Some(simple(owner).to_owned());
            return ErrorMessage::Duplicate { name: Some(name.to_owned()), owner, other: place(error, rest) };
        }
        if message.contains(" imported and not used") || message.contains(" imported as ") {
            return names(message).into_iter().next().map_or(ErrorMessage::Other, ErrorMessage::Unused);
        }
        if message == "too many errors" { ErrorMessage::More } else { ErrorMessage::Other }
    }

    fn forms(&self, rename: &Rename, classes: &[String]) -> Vec<Form> {
        let mut forms: Vec<Form> = Vec::new();
        // A hidden method keeps its name but for the first letter.
        let hidden =
            rename.kind == EntityKind::Operation && rename.new == camel(&rename.old) && rename.old != rename.new;
        let mut add = |place: Place, part: Part, write: &dyn Fn(&str) -> String, classes: &[String]| {
            // The words in capitals are those of the emitter; a stand-in may leave them as they are.
            for name in [pascal, exported] {
                let old = write(&name(&rename.old));
                let new = if hidden { camel(&old) } else { write(&name(&rename.new)) };
                let form = Form { place, old, new, kind: rename.kind, classes: classes.to_vec(), part };
                if !forms.contains(&form) {
                    forms.push(form);
                }
            }
        };
        let whole: fn(&str) -> String = str::to_owned;
        // What is internal begins with a small letter, and with it the types that only it uses.
        let internal: Vec<String> = classes.iter().flat_map(|class| [class.clone(), camel(class)]).collect();
        match rename.kind {
            EntityKind::Property | EntityKind::Parameter => add(Place::Member, Part::Whole, &whole, &internal),
            EntityKind::EnumMember => {
                for class in classes {
                    add(Place::Name, Part::Whole, &|name| format!("{class}{name}"), &[]);
                }
            }
            EntityKind::Operation => {
                add(Place::Member, Part::Whole, &whole, classes);
                add(Place::Member, Part::Whole, &|name| format!("Begin{name}"), classes);
                add(Place::Member, Part::Whole, &|name| format!("New{name}Pager"), classes);
                // Behind the name of the client, whatever it is called; a module with one client has them without it.
                for end in ["Options", "Response"].into_iter().filter(|_| !hidden) {
                    for written in [whole, camel as fn(&str) -> String] {
                        add(Place::Name, Part::End, &|name| format!("Client{}{end}", written(name)), &[]);
                        add(Place::Name, Part::Whole, &|name| format!("{}{end}", written(name)), &[]);
                    }
                }
                if !hidden {
                    add(Place::Member, Part::Whole, &camel, classes);
                }
            }
            EntityKind::Interface => {
                add(Place::Name, Part::End, &|name| format!("{name}Client"), &[]);
                add(Place::Member, Part::End, &|name| format!("{name}Client"), &[]);
            }
            EntityKind::Namespace => {}
            EntityKind::Enum | EntityKind::Union => {
                add(Place::Name, Part::Beginning, &whole, &[]);
                add(Place::Name, Part::Whole, &|name| format!("Possible{name}Values"), &[]);
            }
            _ => {
                add(Place::Name, Part::Whole, &whole, &[]);
                if !PREDECLARED.contains(&camel(&rename.old).as_str()) {
                    add(Place::Name, Part::Whole, &camel, &[]);
                }
            }
        }
        forms
    }

    fn hidden_along(&self, rename: &Rename, error: &Diagnostic) -> Option<String> {
        let hidden = rename.kind == EntityKind::Operation && rename.new == camel(&rename.old);
        let ErrorMessage::Name(name) = self.said(error) else { return None };
        let of = |one: &str| {
            let before = name.strip_suffix("Options").or_else(|| name.strip_suffix("Response"));
            before
                .and_then(|before| before.strip_suffix(one))
                .is_some_and(|client| client.is_empty() || client.ends_with("Client"))
        };
        let along = hidden
            && rename.old != rename.new
            && [pascal(&rename.old), exported(&rename.old)].iter().any(|one| of(one));
        along.then(|| {
            format!(
                "`{name}` is hidden along with `{}`, and hand-written code names it: what users shall give and get there is a decision",
                rename.old
            )
        })
    }

    fn keywords(&self) -> &'static [&'static str] {
        KEYWORDS
    }

    fn role(&self, _: &Source, node: Node<'_>) -> Role {
        let Some(parent) = node.parent() else { return Role::Value };
        let is = |name: &str| field(parent, name) == Some(node);
        match (node.kind(), parent.kind()) {
            ("type_identifier", "type_spec" | "type_alias") if is("name") => Role::DeclaresType,
            ("type_identifier", "qualified_type") => Role::Member,
            ("type_identifier", "field_declaration") if field(parent, "name").is_none() => Role::Embeds,
            ("type_identifier", "pointer_type")
                if parent
                    .parent()
                    .is_some_and(|outer| outer.kind() == "field_declaration" && field(outer, "name").is_none()) =>
            {
                Role::Embeds
            }
            ("type_identifier", _) => Role::Type,
            ("field_identifier", _) => Role::Member,
            (_, "literal_element") if key_of_struct(parent) => Role::Member,
            (
                _,
                "function_declaration"
                | "const_spec"
                | "var_spec"
                | "parameter_declaration"
                | "variadic_parameter_declaration"
                | "type_parameter_declaration",
            ) if !is("type") && !is("value") => Role::Declares,
            (_, "expression_list")
                if parent.parent().is_some_and(|outer| {
                    matches!(outer.kind(), "short_var_declaration" | "range_clause")
                        && field(outer, "left") == Some(parent)
                }) =>
            {
                Role::Declares
            }
            _ => Role::Value,
        }
    }

    fn needs_import(&self) -> bool {
        false
    }

    fn class_around<'s>(&self, _: &'s Source, _: Node<'_>) -> Option<&'s str> {
        // A member always has something in front of it.
        None
    }

    fn bases(&self, source: &Source) -> Vec<(String, String)> {
        let embedded = |node: &Node<'_>| node.kind() == "field_declaration" && field(*node, "name").is_none();
        source
            .nodes()
            .into_iter()
            .filter(embedded)
            .filter_map(|node| {
                let outer = around(node, &["type_spec"])?;
                let name = source.name_of(outer, "name")?;
                Some((name.to_owned(), simple(source.name_of(node, "type")?).to_owned()))
            })
            .collect()
    }

    fn members<'t>(&self, source: &'t Source) -> Vec<Member<'t>> {
        let mut members = Vec::new();
        for node in named_children(source.root()) {
            let specs = named_children(node);
            let (owner, named) = match (node.kind(), specs.as_slice()) {
                ("function_declaration", _) => (None, Some(node)),
                ("method_declaration", _) => {
                    let receiver = field(node, "receiver").map(named_children).unwrap_or_default();
                    let of = receiver.first().and_then(|one| source.name_of(*one, "type"));
                    (of.map(|of| simple(of).to_owned()), Some(node))
                }
                ("type_declaration" | "const_declaration" | "var_declaration", [one]) => (None, Some(*one)),
                _ => (None, None),
            };
            let name = named.and_then(|named| source.name_of(named, "name"));
            members.extend(name.map(|name| Member { owner, name: name.to_owned(), node }));
        }
        members
    }

    fn blind_spot(&self, source: &Source, form: &Form, vouched: &[usize]) -> Option<(u32, String)> {
        source.nodes().into_iter().find_map(|node| {
            let call = (node.kind() == "interpreted_string_literal_content"
                && source.text(node) == form.old
                && !vouched.contains(&node.start_byte()))
            .then(|| around(node, &["call_expression"]))??;
            let function = source.name_of(call, "function").unwrap_or_default();
            let asks = ["FieldByName", "MethodByName"].contains(&function.rsplit('.').next().unwrap_or_default());
            asks.then(|| (line(node), format!("`{}` is asked for at run time", form.old)))
        })
    }

    fn origins(&self, source: Option<&Source>, _: &str) -> Vec<Wanted> {
        let Some(directory) = source.and_then(|source| source.path.rsplit_once('/')).map(|(before, _)| before) else {
            return Vec::new();
        };
        vec![Wanted::Named { directory: directory.to_owned(), pattern: "*.go".to_owned() }]
    }

    fn import(&self, source: &Source, node: Node<'_>, name: &str, others: &[&Source]) -> Import {
        // Only what has a dot behind it is a package.
        let is_package = node.parent().is_some_and(|parent| {
            matches!(parent.kind(), "selector_expression" | "qualified_type") && parent.child(0) == Some(node)
        });
        if !is_package {
            return Import::Unknown;
        }
        let mut paths: Vec<String> = Vec::new();
        for other in others {
            paths.extend(imports(other).into_iter().filter(|one| one.name == name).map(|one| one.path));
        }
        if paths.is_empty() {
            let standard = STANDARD.iter().filter(|path| path.rsplit('/').next() == Some(name));
            paths.extend(standard.map(|path| (*path).to_owned()));
        }
        paths.sort_unstable();
        paths.dedup();
        match paths.as_slice() {
            [] => Import::Unknown,
            [path] => added(source, path),
            _ => Import::Doubt(format!("`{name}` can be {}", paths.join(" or "))),
        }
    }

    fn unused_imports(&self, source: &Source, gone: &[Range<usize>]) -> Vec<Range<usize>> {
        let is_gone = |at: usize| gone.iter().any(|span| span.contains(&at));
        let all = imports(source);
        let unused = all.iter().filter(|import| {
            let uses: Vec<usize> = source
                .nodes()
                .into_iter()
                .filter(|node| is_identifier(*node) && source.text(*node) == import.name)
                .filter(|node| around(*node, &["import_declaration"]).is_none())
                .map(|node| node.start_byte())
                .collect();
            !uses.is_empty() && uses.into_iter().all(is_gone) && !is_gone(import.node.start_byte())
        });
        let unused: Vec<&Imported<'_>> = unused.collect();
        unused
            .iter()
            .filter_map(|import| {
                let declaration = around(import.node, &["import_declaration"])?;
                let of_declaration = |one: &&Imported<'_>| declaration.byte_range().contains(&one.node.start_byte());
                let whole =
                    all.iter().filter(of_declaration).count() == unused.iter().copied().filter(of_declaration).count();
                of_node(source, if whole { declaration } else { import.node })
            })
            .collect()
    }
}

/// `widgetId` -> `WidgetID`, as the emitter writes it.
fn exported(name: &str) -> String {
    crate::names::words(&pascal(name))
        .into_iter()
        .map(|word| if CAPITALS.contains(&pascal(&word).as_str()) { word.to_uppercase() } else { pascal(&word) })
        .collect()
}

/// The file in `./other.go:12:6`, beside the one of the error.
fn place(error: &Diagnostic, text: &str) -> Option<String> {
    let at = text.find(".go:")?;
    let file = text[..at + 3].rsplit([' ', '\t', '/']).next()?;
    let directory = error.file.as_deref()?.rsplit_once('/').map_or("", |(directory, _)| directory);
    Some(format!("{directory}/{file}"))
}

/// Whether an element of a composite literal is the name of a field.
fn key_of_struct(element: Node<'_>) -> bool {
    let Some(keyed) = element.parent().filter(|parent| parent.kind() == "keyed_element") else { return false };
    let first = field(keyed, "key") == Some(element);
    let literal = around(keyed, &["composite_literal"]);
    first && literal.and_then(|literal| field(literal, "type")).is_none_or(|kind| kind.kind() != "map_type")
}

/// An import of a file.
struct Imported<'t> {
    /// The name by which the file uses it.
    name: String,
    path: String,
    node: Node<'t>,
}

fn imports(source: &Source) -> Vec<Imported<'_>> {
    let specs = source.nodes().into_iter().filter(|node| node.kind() == "import_spec");
    specs
        .filter_map(|node| {
            let path = source.name_of(node, "path")?.trim_matches(['"', '`']).to_owned();
            let mut parts = path.rsplit('/');
            let last = parts.next()?;
            let is_version = last.len() > 1 && last.starts_with('v') && last[1..].chars().all(|c| c.is_ascii_digit());
            let own = if is_version { parts.next()? } else { last };
            let name = source.name_of(node, "name").unwrap_or(own).to_owned();
            Some(Imported { name, path, node })
        })
        .collect()
}

/// An import in its place: among those of its group, by name.
fn added(source: &Source, path: &str) -> Import {
    let all = imports(source);
    let outside = |path: &str| path.split('/').next().is_some_and(|first| first.contains('.'));
    let Some(first) = all.first() else {
        let package = named_children(source.root()).into_iter().find(|node| node.kind() == "package_clause");
        let Some(package) = package else { return Import::Unknown };
        let at = end_of_line(&source.text, package.end_byte());
        return Import::Insert { at, text: format!("\nimport \"{path}\"\n") };
    };
    if around(first.node, &["import_spec_list"]).is_none() {
        let at = around(first.node, &["import_declaration"]).unwrap_or(first.node).start_byte();
        return Import::Insert { at: start_of_line(&source.text, at), text: format!("import \"{path}\"\n") };
    }
    let group: Vec<&Imported<'_>> = all.iter().filter(|one| outside(&one.path) == outside(path)).collect();
    let before = group.iter().find(|one| one.path.as_str() > path);
    let text = format!("\t\"{path}\"\n");
    match (before, group.last()) {
        (Some(next), _) => Import::Insert { at: start_of_line(&source.text, next.node.start_byte()), text },
        (None, Some(last)) => Import::Insert { at: end_of_line(&source.text, last.node.end_byte()), text },
        (None, None) if outside(path) => match all.last() {
            Some(last) => {
                Import::Insert { at: end_of_line(&source.text, last.node.end_byte()), text: format!("\n{text}") }
            }
            None => Import::Unknown,
        },
        (None, None) => {
            Import::Insert { at: start_of_line(&source.text, first.node.start_byte()), text: format!("{text}\n") }
        }
    }
}
