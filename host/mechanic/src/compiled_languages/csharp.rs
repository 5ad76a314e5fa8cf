//! C#.

use tree_sitter::{Language, Node};

use super::dialect::{Dialect, Import, Member, Misfit, Role};
use super::error_message::{ErrorMessage, names, simple};
use super::forms::{Form, Part, Place, camel, pascal};
use super::lines::end_of_line;
use super::source::Source;
use crate::repair::Wanted;
use bailiwick_sdk::syntax::{around, children, column, field, line, named_children};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

/// The dialect of C#.
pub(super) struct CSharp;

const TYPES: &[&str] =
    &["class_declaration", "struct_declaration", "record_declaration", "interface_declaration", "enum_declaration"];

/// Namespaces of types that hand-written client code uses all the time.
const WELL_KNOWN: &[(&str, &[&str])] = &[
    ("System", &["Argument", "BinaryData", "DateTimeOffset", "Guid", "Lazy", "TimeSpan", "Uri"]),
    ("System.Collections.Generic", &["Dictionary", "IDictionary", "IEnumerable", "IList", "IReadOnlyList", "List"]),
    ("System.IO", &["MemoryStream", "Stream"]),
    ("System.Linq", &["Enumerable"]),
    ("System.Text.Json", &["JsonDocument", "JsonElement", "Utf8JsonWriter"]),
    ("System.Threading", &["CancellationToken"]),
    ("System.Threading.Tasks", &["Task", "ValueTask"]),
    ("Azure", &["AsyncPageable", "Pageable", "RequestContext", "RequestFailedException", "Response"]),
    ("Azure.Core", &["RequestContent", "ResourceIdentifier", "TokenCredential"]),
    ("Azure.Core.Pipeline", &["HttpPipeline"]),
];

const KEYWORDS: &[&str] = list! {
    "abstract" "as" "base" "bool" "break" "byte" "case" "catch" "char" "checked" "class" "const" "continue" "decimal"
    "default" "delegate" "do" "double" "else" "enum" "event" "explicit" "extern" "false" "finally" "fixed" "float" "for"
    "foreach" "goto" "if" "implicit" "in" "int" "interface" "internal" "is" "lock" "long" "namespace" "new" "null"
    "object" "operator" "out" "override" "params" "private" "protected" "public" "readonly" "ref" "return" "sbyte"
    "sealed" "short" "sizeof" "stackalloc" "static" "string" "struct" "switch" "this" "throw" "true" "try" "typeof"
    "uint" "ulong" "unchecked" "unsafe" "ushort" "using" "virtual" "void" "volatile" "while"
};

/// Errors about the arguments of a call: overloads that a person wrote are left of a method that has another name now.
const CALLS: &[&str] = &["CS1501", "CS1503", "CS7036"];

/// Errors about a value of one type where another is wanted.
const CONVERSIONS: &[&str] = &["CS0029", "CS0266"];

/// A static member that is asked of a value, and a value where a pattern wants a type or a constant: a type whose name a property
/// has as well was meant, and has another name now.
const TAKEN_FOR_MEMBERS: &[&str] = &["CS0176", "CS0150"];

/// Attributes that name generated code in a string.
const LINKS: &[&str] = &["CodeGenType", "CodeGenModel", "CodeGenClient"];

impl Dialect for CSharp {
    fn name(&self) -> &'static str {
        "C#"
    }

    fn reads(&self, path: &str) -> bool {
        path.ends_with(".cs")
    }

    fn grammar(&self, _: &str) -> Language {
        tree_sitter_c_sharp::LANGUAGE.into()
    }

    fn said(&self, error: &Diagnostic) -> ErrorMessage {
        let names = names(&error.message);
        let (first, second) = (names.first(), names.get(1));
        match error.code.as_deref().unwrap_or_default() {
            "CS0103" | "CS0246" => ErrorMessage::name(first),
            "CS0234" => match (first, second) {
                (Some(name), Some(namespace)) => {
                    ErrorMessage::InNamespace { name: name.clone(), namespace: namespace.clone() }
                }
                _ => ErrorMessage::Other,
            },
            "CS0117" | "CS1061" => ErrorMessage::member(second, first),
            "CS1739" => match (second, first) {
                (Some(name), Some(of)) => ErrorMessage::Argument { name: name.clone(), of: of.clone() },
                _ => ErrorMessage::Other,
            },
            "CS0102" | "CS0111" => ErrorMessage::twice(second, first),
            "CS0101" => ErrorMessage::twice(second, None),
            _ => ErrorMessage::Other,
        }
    }

    fn may_misfit(&self, error: &Diagnostic) -> bool {
        let codes = [CALLS, CONVERSIONS, TAKEN_FOR_MEMBERS];
        error.code.as_deref().is_some_and(|code| codes.iter().any(|all| all.contains(&code)))
    }

    fn misfit<'t>(&self, source: &'t Source, error: &Diagnostic) -> Option<Misfit<'t>> {
        let code = error.code.as_deref().unwrap_or_default();
        if CALLS.contains(&code) {
            return called(source, error).map(Misfit::Call);
        }
        let names = names(&error.message);
        if TAKEN_FOR_MEMBERS.contains(&code) {
            let is =
                names.first().and_then(|member| member.rsplit_once('.')).map(|(owner, _)| simple(owner).to_owned());
            return taken_for_member(source, error).map(|name| Misfit::TakenForMember { name, is });
        }
        CONVERSIONS
            .contains(&code)
            .then(|| Some(Misfit::Types { is: names.first()?.clone(), wanted: names.get(1)?.clone() }))
            .flatten()
    }

    fn forms(&self, rename: &Rename, classes: &[String]) -> Vec<Form> {
        let mut forms = Vec::new();
        let mut add = |place: Place, write: &dyn Fn(&str) -> String, classes: &[String]| {
            let (old, new) = (write(&rename.old), write(&rename.new));
            forms.push(Form { place, old, new, kind: rename.kind, classes: classes.to_vec(), part: Part::Whole });
        };
        let written: Vec<String> = classes.iter().map(|class| pascal(class)).collect();
        match rename.kind {
            EntityKind::Property => {
                add(Place::Member, &pascal, &written);
                add(Place::Argument, &camel, &written);
            }
            EntityKind::EnumMember => add(Place::Member, &pascal, &written),
            EntityKind::Operation => {
                add(Place::Member, &pascal, &written);
                add(Place::Member, &|name| format!("{}Async", pascal(name)), &written);
            }
            EntityKind::Parameter => add(Place::Argument, &camel, &written),
            EntityKind::Interface => {
                add(Place::Name, &pascal, &[]);
                add(Place::Name, &|name| format!("{}Client", pascal(name)), &[]);
                add(Place::Member, &|name| format!("Get{}Client", pascal(name)), &[]);
            }
            EntityKind::Namespace => {}
            _ => {
                add(Place::Name, &pascal, &[]);
                add(Place::Member, &pascal, &[]);
                // What the generated half of a model calls its own reader.
                let halves = [pascal(&rename.old), pascal(&rename.new)];
                add(Place::Member, &|name| format!("Deserialize{}", pascal(name)), &halves);
            }
        }
        forms
    }

    fn keywords(&self) -> &'static [&'static str] {
        KEYWORDS
    }

    fn escaped(&self, keyword: &str) -> Option<String> {
        Some(format!("@{keyword}"))
    }

    fn role(&self, source: &Source, node: Node<'_>) -> Role {
        let Some(mut parent) = node.parent() else { return Role::Value };
        let mut node = node;
        if parent.kind() == "generic_name" {
            (node, parent) = (parent, parent.parent().unwrap_or(parent));
        }
        let is = |name: &str| field(parent, name) == Some(node);
        match parent.kind() {
            kind if TYPES.contains(&kind) && is("name") => {
                let partial = children(parent).iter().any(|one| source.text(*one) == "partial");
                if partial { Role::DeclaresPart } else { Role::DeclaresType }
            }
            "constructor_declaration" | "destructor_declaration" => Role::DeclaresPart,
            "member_access_expression" if is("name") => Role::Member,
            "member_binding_expression" | "attribute_argument" | "subpattern" | "name_colon" => Role::Member,
            "argument" if is("name") => Role::Member,
            "assignment_expression" if is("left") => {
                let made = parent.parent().is_some_and(|outer| outer.kind() == "initializer_expression");
                if made { Role::Member } else { Role::Value }
            }
            "qualified_name" | "alias_qualified_name" => {
                if is("name") {
                    Role::Type
                } else {
                    Role::Value
                }
            }
            "using_directive" if is("name") => Role::Declares,
            "foreach_statement" if is("left") => Role::Declares,
            "base_list"
            | "type_argument_list"
            | "attribute"
            | "explicit_interface_specifier"
            | "primary_constructor_base_type" => Role::Type,
            kind if is("name")
                && (kind.ends_with("declaration")
                    || kind.ends_with("parameter")
                    || kind.ends_with("declarator")
                    || kind.ends_with("_pattern")
                    || kind.ends_with("clause")
                    || kind.ends_with("statement")
                    || kind == "enum_member_declaration"
                    || kind == "declaration_expression"
                    || kind == "tuple_element") =>
            {
                Role::Declares
            }
            _ if is("type") || is("returns") => Role::Type,
            "as_expression" | "is_expression" if is("right") => Role::Type,
            _ => Role::Value,
        }
    }

    fn column_in_namespace(&self, node: Node<'_>) -> Option<u32> {
        let parent = behind_dot(node)?;
        // Of an expression the whole is meant, of a type the name.
        Some(column(if parent.kind() == "member_access_expression" { parent } else { node }))
    }

    fn is_in_namespace(&self, source: &Source, node: Node<'_>, namespace: &str) -> bool {
        let Some(parent) = behind_dot(node) else { return false };
        let whole = source.tokens(parent).replace('\u{1f}', "");
        // One word alone could be a variable.
        let is_whole = namespace.contains('.') || whole.starts_with("global::");
        is_whole && whole.trim_start_matches("global::") == format!("{namespace}.{}", source.text(node))
    }

    fn needs_import(&self) -> bool {
        false
    }

    fn class_around<'s>(&self, source: &'s Source, node: Node<'_>) -> Option<&'s str> {
        source.name_of(around(node, TYPES)?, "name")
    }

    fn bases(&self, source: &Source) -> Vec<(String, String)> {
        let mut bases: Vec<(String, String)> =
            self.links(source).into_iter().map(|(class, link)| (class, source.text(link).to_owned())).collect();
        for class in source.nodes().into_iter().filter(|node| TYPES.contains(&node.kind())) {
            let Some(name) = source.name_of(class, "name") else { continue };
            let lists = named_children(class).into_iter().filter(|part| part.kind() == "base_list");
            let extended = lists.flat_map(named_children).map(|base| simple(source.text(base)).to_owned());
            bases.extend(extended.map(|base| (name.to_owned(), base)));
        }
        bases
    }

    fn links<'t>(&self, source: &'t Source) -> Vec<(String, Node<'t>)> {
        // `[CodeGenType("Widget")]`: the class is what is generated under that name.
        let attributes = source.nodes().into_iter().filter(|node| {
            node.kind() == "attribute" && source.name_of(*node, "name").is_some_and(|name| LINKS.contains(&name))
        });
        attributes
            .filter_map(|attribute| {
                let class =
                    attribute.parent().and_then(|list| list.parent()).filter(|class| TYPES.contains(&class.kind()))?;
                let mut strings = bailiwick_sdk::syntax::nodes(attribute).into_iter();
                let string = strings.find(|node| node.kind() == "string_literal_content")?;
                Some((source.name_of(class, "name")?.to_owned(), string))
            })
            .collect()
    }

    fn may_be_member(&self, source: &Source, node: Node<'_>) -> bool {
        // The other part of the class may have a member of the name.
        let class = around(node, TYPES);
        class.is_some_and(|class| children(class).iter().any(|one| source.text(*one) == "partial"))
    }

    fn members<'t>(&self, source: &'t Source) -> Vec<Member<'t>> {
        let mut members = Vec::new();
        for class in source.nodes().into_iter().filter(|node| TYPES.contains(&node.kind())) {
            let Some(owner) = source.name_of(class, "name") else { continue };
            if class.parent().is_none_or(|parent| !TYPES.contains(&parent.kind())) {
                members.push(Member { owner: None, name: owner.to_owned(), node: class });
            }
            for node in field(class, "body").map(named_children).unwrap_or_default() {
                let declarators: Vec<Node<'_>> = children(node)
                    .into_iter()
                    .filter(|child| child.kind() == "variable_declaration")
                    .flat_map(named_children)
                    .filter(|child| child.kind() == "variable_declarator")
                    .collect();
                let name = match (source.name_of(node, "name"), declarators.as_slice()) {
                    (Some(name), _) => Some(name),
                    (None, [one]) => {
                        source.name_of(*one, "name").or_else(|| one.child(0).map(|name| source.text(name)))
                    }
                    _ => None,
                };
                let of_class = |name: &str| Member { owner: Some(owner.to_owned()), name: name.to_owned(), node };
                members.extend(name.map(of_class));
            }
        }
        members
    }

    fn blind_spot(&self, source: &Source, form: &Form, _: &[usize]) -> Option<(u32, String)> {
        const ASKING: &[&str] = &["GetProperty", "GetField", "GetMethod", "GetMember"];
        source.nodes().into_iter().find_map(|node| {
            let text = source.text(node);
            let by_name = node.kind() == "string_literal_content" && text == form.old && {
                let call = around(node, &["invocation_expression", "attribute"]);
                let function = call.and_then(|call| source.name_of(call, "function"));
                function.is_some_and(|function| ASKING.contains(&simple_call(function)))
            };
            let dynamic = text == "dynamic" && matches!(node.kind(), "identifier" | "predefined_type");
            (by_name || dynamic).then(|| {
                let issue =
                    if by_name { "a member of this name is asked for at run time" } else { "`dynamic` hides members" };
                (line(node), format!("{issue} (`{}`)", form.old))
            })
        })
    }

    fn origins(&self, source: Option<&Source>, name: &str) -> Vec<Wanted> {
        let directory = source.map_or("sdk", |source| source.path.split('/').next().unwrap_or("sdk"));
        let named = |pattern: String| Wanted::Named { directory: directory.to_owned(), pattern };
        vec![named(format!("{name}.cs")), named(format!("{name}.*.cs"))]
    }

    fn import(&self, source: &Source, _: Node<'_>, name: &str, others: &[&Source]) -> Import {
        let mut namespaces: Vec<String> = Vec::new();
        for other in others {
            for class in other.nodes().into_iter().filter(|node| TYPES.contains(&node.kind())) {
                if other.name_of(class, "name") != Some(name) || around(class, TYPES).is_some() {
                    continue;
                }
                namespaces.extend(namespace(other, class));
            }
        }
        if namespaces.is_empty() {
            let known = WELL_KNOWN.iter().filter(|(_, types)| types.contains(&name));
            namespaces.extend(known.map(|(namespace, _)| (*namespace).to_owned()));
        }
        namespaces.sort_unstable();
        namespaces.dedup();
        match namespaces.as_slice() {
            [] => Import::Unknown,
            [one] => using(source, one),
            _ => Import::Doubt(format!("`{name}` can be that of {}", namespaces.join(" or "))),
        }
    }
}

/// The name of the method whose call an error is about. The place is that of an argument, or of the name itself.
fn called<'t>(source: &'t Source, error: &Diagnostic) -> Option<Node<'t>> {
    let place = (error.line?, error.column?);
    let there: Vec<Node<'t>> =
        source.nodes().into_iter().filter(|node| (line(*node), column(*node)) == place).collect();
    let argument = there.iter().find(|node| node.kind() == "argument");
    let name = there.iter().rev().find(|node| node.kind() == "identifier");
    let call = around(*argument.or(name)?, &["invocation_expression"])?;
    let function = field(call, "function")?;
    match function.kind() {
        "member_access_expression" => field(function, "name"),
        "identifier" => Some(function),
        _ => None,
    }
}

/// What a name is the last part of, behind a dot.
fn behind_dot(node: Node<'_>) -> Option<Node<'_>> {
    let parent = node.parent().filter(|parent| field(*parent, "name") == Some(node))?;
    matches!(parent.kind(), "member_access_expression" | "qualified_name").then_some(parent)
}

/// The name at the place of an error, in front of a dot or as all of a pattern.
fn taken_for_member<'t>(source: &'t Source, error: &Diagnostic) -> Option<Node<'t>> {
    let place = (error.line?, error.column?);
    let is_there = |node: &Node<'t>| node.kind() == "identifier" && (line(*node), column(*node)) == place;
    let name = source.nodes().into_iter().find(is_there)?;
    let parent = name.parent()?;
    let is_object = parent.kind() == "member_access_expression" && field(parent, "expression") == Some(name);
    let is_pattern = matches!(parent.kind(), "constant_pattern" | "is_expression" | "is_pattern_expression");
    (is_object || is_pattern).then_some(name)
}

fn simple_call(function: &str) -> &str {
    function.rsplit('.').next().unwrap_or_default()
}

/// The namespace that a declaration stands in.
fn namespace(source: &Source, class: Node<'_>) -> Option<String> {
    if let Some(around) = around(class, &["namespace_declaration"]) {
        return source.name_of(around, "name").map(str::to_owned);
    }
    let of_file = |node: &Node<'_>| node.kind() == "file_scoped_namespace_declaration";
    let node = source.nodes().into_iter().find(of_file)?;
    source.name_of(node, "name").map(str::to_owned)
}

/// A `using` line in its place: `System` first, then by name.
fn using(source: &Source, namespace: &str) -> Import {
    let directives: Vec<Node<'_>> =
        children(source.root()).into_iter().filter(|node| node.kind() == "using_directive").collect();
    let named = |node: &Node<'_>| {
        let text = source.text(*node).trim_start_matches("using").trim_end_matches(';').trim().to_owned();
        (!text.contains('=') && !text.starts_with("static ")).then_some(text)
    };
    if directives.iter().filter_map(named).any(|one| one == namespace) {
        return Import::Doubt(format!("`{namespace}` is imported and the name is missing all the same"));
    }
    let rank = |name: &str| (name != "System" && !name.starts_with("System."), name.to_owned());
    let text = format!("using {namespace};\n");
    if let Some(next) = directives.iter().find(|node| named(node).is_some_and(|one| rank(&one) > rank(namespace))) {
        return Import::Insert { at: next.start_byte(), text };
    }
    match directives.last() {
        Some(last) => Import::Insert { at: end_of_line(&source.text, last.end_byte()), text },
        None => {
            // Behind the header, in front of the first declaration.
            let first = named_children(source.root()).first().map_or(0, Node::start_byte);
            Import::Insert { at: first, text: text + "\n" }
        }
    }
}
