//! Hand-written types that take after a generated one: TypeScript lets a value of one pass for the other, and where every member
//! is optional it goes on doing so when a member of one gets another name. The member is lost on the way then.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_sdk::syntax::around;
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename, Severity};
use tree_sitter::Node;

use super::super::tree::{all, field, line, named_children, text_of};
use super::names::tree;

/// A file by its path.
pub(super) type Text = (String, String);

/// So many members a hand-written type shares with a generated one that it takes after.
const SHARED: usize = 3;

const TYPES: [&str; 3] = ["interface_declaration", "type_alias_declaration", "class_declaration"];
const FUNCTIONS: [&str; 4] = ["arrow_function", "function_declaration", "function_expression", "method_definition"];
const MEMBERS: [&str; 2] = ["property_signature", "public_field_definition"];

/// Members of hand-written types that keep the old name of a renamed property, where no hand-written code gives one name for the other.
/// Generated files that changed are given as they were, too.
pub(super) fn kept(own: &[Text], generated: &[Text], before: &[Text], renames: &[Rename]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut properties: Vec<Rename> = renames.iter().filter(|one| one.kind == EntityKind::Property).cloned().collect();
    for rename in shown(generated, before) {
        if !properties.iter().any(|one| one.old == rename.old && one.new == rename.new) {
            properties.push(rename);
        }
    }
    for rename in &properties {
        for (container, members) in holders(generated, before, rename) {
            found.extend(kept_of(own, generated, rename, &container, &members));
        }
    }
    Diagnostic::unique(found)
}

/// The properties that generated types show under another name in the same place than before: of a model that is spread into
/// options, nothing but these tells.
fn shown(generated: &[Text], before: &[Text]) -> Vec<Rename> {
    let of = |texts: &[Text]| texts.iter().flat_map(|(_, text)| types(text)).collect::<Vec<_>>();
    let changed = |path: &String| before.iter().any(|(old, _)| old == path);
    let now: Vec<Text> = generated.iter().filter(|(path, _)| changed(path)).cloned().collect();
    let (had, have) = (of(before), of(&now));
    let mut found: Vec<Rename> = Vec::new();
    for (had, has) in
        have.iter().flat_map(|has| had.iter().filter(|had| had.name == has.name).map(move |had| (had, has)))
    {
        if had.members.len() != has.members.len() {
            continue;
        }
        let is_in = |one: &Type, name: &str| one.members.iter().any(|(member, _)| member == name);
        for ((old, _), (new, _)) in had.members.iter().zip(&has.members).filter(|((old, _), (new, _))| old != new) {
            if !is_in(has, old) && !is_in(had, new) {
                let (container, old, new) = (Some(has.name.clone()), old.clone(), new.clone());
                found.push(Rename { kind: EntityKind::Property, container, old, new });
            }
        }
    }
    found.dedup();
    found
}

/// The generated types that have the new name of a property, with all their members: the one that has the property in the
/// specification, and those that have it from there, such as the options of an operation that takes each property by itself.
fn holders(generated: &[Text], before: &[Text], rename: &Rename) -> BTreeMap<String, BTreeSet<String>> {
    let has = |one: &Type, name: &str| one.members.iter().any(|(member, _)| member == name);
    let with = |texts: &[Text], name: &str| {
        let texts = texts.iter().filter(|(_, text)| text.contains(name)).flat_map(|(_, text)| types(text));
        texts.filter(|one| has(one, name)).collect::<Vec<_>>()
    };
    let had: BTreeSet<String> = with(before, &rename.old).into_iter().map(|one| one.name).collect();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for one in with(generated, &rename.new) {
        let is_container = rename.container.as_ref() == Some(&one.name);
        if is_container || had.contains(&one.name) && !has(&one, &rename.old) {
            found.entry(one.name).or_default().extend(one.members.into_iter().map(|(name, _)| name));
        }
    }
    found
}

/// The same of one generated type.
fn kept_of(
    own: &[Text],
    generated: &[Text],
    rename: &Rename,
    container: &str,
    members: &BTreeSet<String>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let says_old = own.iter().chain(generated).filter(|(_, text)| text.contains(&rename.old));
    let all_types: Vec<Type> = says_old.flat_map(|(_, text)| types(text)).collect();
    for (file, text) in own.iter().filter(|(_, text)| text.contains(&rename.old)) {
        for at in literals(text, rename, members) {
            if !all_types.iter().any(|one| one.name != container && one.is_type_of(&at)) {
                found.push(given(file, &at, rename, container));
            }
        }
    }
    let maps = |way| own.iter().any(|(_, text)| maps(text, [&rename.old, &rename.new], way));
    // A value that goes to the service needs the new name, one that comes from there the old one; either will do where nothing
    // tells which way values go.
    let ways = ways(generated, container);
    if !ways.is_empty() && ways.iter().all(|way| maps(*way)) || ways.is_empty() && Way::ALL.into_iter().any(maps) {
        return found;
    }
    for (file, text) in own.iter().filter(|(_, text)| text.contains(&rename.old)) {
        for one in types(text) {
            let Some((_, at)) = one.members.iter().find(|(name, _)| *name == rename.old) else { continue };
            let shared = one.members.iter().filter(|(name, _)| members.contains(name)).count();
            if one.name == container || shared >= SHARED {
                found.push(diagnostic(file, *at, &one.name, rename, container));
            }
        }
    }
    found
}

fn diagnostic(file: &str, at: usize, name: &str, rename: &Rename, container: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: u32::try_from(at).ok(),
        column: None,
        code: Some("kept-name".to_owned()),
        message: format!(
            "`{}` of `{container}` is called `{}` now, and the hand-written `{name}` keeps the old name: a value that is \
             handed on from one to the other loses it",
            rename.old, rename.new
        ),
        symbol: None,
        tool: "drift".to_owned(),
    }
}

/// An object of which the compiler may not check whether its type has each member: `make(all.map((one) => ({ name: one })))`.
fn given(file: &str, literal: &Literal, rename: &Rename, container: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: u32::try_from(literal.line).ok(),
        column: None,
        code: Some("kept-name".to_owned()),
        message: format!(
            "`{}` of `{container}` is called `{}` now, and an object with its other members is given the old name here",
            rename.old, rename.new
        ),
        symbol: None,
        tool: "drift".to_owned(),
    }
}

struct Type {
    name: String,
    /// The names of its members, each with its line.
    members: Vec<(String, usize)>,
    /// Those of them that every value has.
    needed: BTreeSet<String>,
}

impl Type {
    /// Whether an object may be one of this type.
    fn is_type_of(&self, literal: &Literal) -> bool {
        let has = |key: &String| self.members.iter().any(|(name, _)| name == key);
        literal.keys.iter().all(has) && self.needed.is_subset(&literal.keys)
    }
}

/// An object that is written out.
struct Literal {
    keys: BTreeSet<String>,
    /// Where it has the name that is looked for.
    line: usize,
}

/// The objects of a file that give the old name of a member a value, and beside it only members of the same type.
fn literals(text: &str, rename: &Rename, members: &BTreeSet<String>) -> Vec<Literal> {
    let Some(tree) = tree(text) else { return Vec::new() };
    let read = |object: Node<'_>| {
        let (mut keys, mut at) = (BTreeSet::new(), None);
        for pair in named_children(object).filter(|one| one.kind() != "comment") {
            let key = if pair.kind() == "pair" { field(pair, "key")? } else { pair };
            let name = text_of(key, text).trim_matches(['"', '\'']);
            if !["pair", "shorthand_property_identifier"].contains(&pair.kind()) {
                return None;
            }
            if name == rename.old {
                // What the service calls it may be the old name still.
                at = Some(line(pair)).filter(|_| !says(pair, &rename.new, text));
            } else if !members.contains(name) {
                return None;
            }
            keys.insert(name.to_owned());
        }
        at.filter(|_| keys.len() > 1).map(|line| Literal { keys, line })
    };
    all(tree.root_node()).into_iter().filter(|node| node.kind() == "object").filter_map(read).collect()
}

fn types(text: &str) -> Vec<Type> {
    let Some(tree) = tree(text) else { return Vec::new() };
    let declared = all(tree.root_node()).into_iter().filter(|node| TYPES.contains(&node.kind()));
    let read = |node: Node<'_>| {
        let body = field(node, "body").or_else(|| field(node, "value"))?;
        let named = named_children(body).filter(|member| MEMBERS.contains(&member.kind()));
        let named: Vec<Node<'_>> = named.collect();
        let name_of = |member: &Node<'_>| Some(text_of(field(*member, "name")?, text).to_owned());
        let is_needed = |member: &&Node<'_>| !member.children(&mut member.walk()).any(|part| part.kind() == "?");
        let members = named.iter().filter_map(|member| Some((name_of(member)?, line(*member))));
        let needed = named.iter().filter(is_needed).filter_map(name_of).collect();
        Some(Type { name: text_of(field(node, "name")?, text).to_owned(), members: members.collect(), needed })
    };
    declared.filter_map(read).collect()
}

/// Which way a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// From hand-written code to the service: `{ title: widget.displayName }`.
    Sent,
    /// From the service: `{ displayName: widget.title }`.
    Received,
}

impl Way {
    const ALL: [Self; 2] = [Self::Sent, Self::Received];
}

/// Which ways values of a generated type go, as far as it has functions for them.
fn ways(generated: &[Text], container: &str) -> Vec<Way> {
    let mut letters = container.chars();
    let name: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
    let ways =
        [(Way::Sent, format!("function {name}Serializer(")), (Way::Received, format!("function {name}Deserializer("))];
    let has = |function: &String| generated.iter().any(|(_, text)| text.contains(function));
    ways.into_iter().filter(|(_, function)| has(function)).map(|(way, _)| way).collect()
}

/// Whether a file gives one of two names what has the other: `{ displayName: widget.title }`, `get displayName() { return
/// this.widget.title; }`.
fn maps(text: &str, names: [&str; 2], way: Way) -> bool {
    let [old, new] = names;
    let [from, to] = match way {
        Way::Sent => [old, new],
        Way::Received => [new, old],
    };
    let pairs = |node: &Node<'_>| {
        let sides = match node.kind() {
            "pair" => [field(*node, "key"), field(*node, "value")],
            // `{ title: displayName }` takes what has the first name.
            "pair_pattern" => [field(*node, "value"), field(*node, "key")],
            "assignment_expression" => [field(*node, "left"), field(*node, "right")],
            "variable_declarator" => [field(*node, "name"), field(*node, "value")],
            "method_definition" if accessor(*node) == Some("get") => [field(*node, "name"), field(*node, "body")],
            // What a setter has the name of is what it is given.
            "method_definition" if accessor(*node) == Some("set") => [field(*node, "body"), field(*node, "name")],
            _ => return false,
        };
        let [Some(given), Some(value)] = sides else { return false };
        // A variable may be called by the new name and hold what has always been called so.
        let takes = if from == new { reads(value, new, text) } else { says(value, old, text) };
        let is_named = |node: Node<'_>| {
            if to == new && node.kind() == "statement_block" { reads(node, new, text) } else { says(node, to, text) }
        };
        is_named(given) && (takes || holds(value, from, text))
    };
    names.iter().all(|name| text.contains(name))
        && tree(text).is_some_and(|tree| all(tree.root_node()).iter().any(pairs))
}

/// Whether a method is an accessor, and which: `get`, `set`.
fn accessor(method: Node<'_>) -> Option<&'static str> {
    let kinds: Vec<_> = method.children(&mut method.walk()).map(|child| child.kind()).collect();
    ["get", "set"].into_iter().find(|word| kinds.contains(word))
}

/// Whether a name stands in a node, as that of anything.
fn says(node: Node<'_>, name: &str, text: &str) -> bool {
    let is_it = |one: &Node<'_>| one.kind().contains("identifier") || is_key(*one);
    all(node).iter().any(|one| is_it(one) && text_of(*one, text) == name)
}

/// Whether the property of this name is taken in a node: `widget.title`, `widget["title"]`.
fn reads(node: Node<'_>, name: &str, text: &str) -> bool {
    let is_it = |one: &Node<'_>| one.kind() == "property_identifier" || is_key(*one);
    all(node).iter().any(|one| is_it(one) && text_of(*one, text) == name)
}

/// Whether a node says a variable that the function around it takes out of the property of this name: `const { title, ...rest } =
/// widget`, `const { title: label } = widget`, `const label = widget.title`.
fn holds(node: Node<'_>, name: &str, text: &str) -> bool {
    let Some(function) = around(node, &FUNCTIONS) else { return false };
    all(function).into_iter().any(|one| {
        let variable = match one.kind() {
            "shorthand_property_identifier_pattern" => Some(one).filter(|one| text_of(*one, text) == name),
            "pair_pattern" => {
                field(one, "value").filter(|_| field(one, "key").is_some_and(|key| says(key, name, text)))
            }
            "variable_declarator" => {
                field(one, "name").filter(|_| field(one, "value").is_some_and(|value| reads(value, name, text)))
            }
            _ => None,
        };
        let is_said = |variable: Node<'_>| {
            let variable = text_of(variable, text);
            all(node).iter().any(|one| one.kind() == "identifier" && text_of(*one, text) == variable)
        };
        variable.is_some_and(is_said)
    })
}

/// Whether a text is the name of a property: `widget["title"]`, `{ "title": 1 }`.
fn is_key(node: Node<'_>) -> bool {
    let string = node.parent().filter(|_| node.kind() == "string_fragment");
    let outer = string.and_then(|string| string.parent());
    let is_it = |outer: Node<'_>| ["index", "key", "name"].iter().any(|part| field(outer, part) == string);
    outer.is_some_and(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GENERATED: &str =
        "export interface Widget {\n  name: string;\n  tags?: string[];\n  etag?: string;\n  title?: string;\n}\n";

    fn found(own: &str) -> Vec<String> {
        let rename = Rename {
            kind: EntityKind::Property,
            container: Some("Widget".to_owned()),
            old: "displayName".to_owned(),
            new: "title".to_owned(),
        };
        let texts = |text: &str| vec![("src/a.ts".to_owned(), text.to_owned())];
        kept(&texts(own), &texts(GENERATED), &[], &[rename]).iter().map(Diagnostic::place).collect()
    }

    #[test]
    fn hand_written_type_that_takes_after_a_generated_one_and_keeps_the_old_name_is_drift() {
        for own in [
            "export interface WidgetInfo {\n  name: string;\n  displayName?: string;\n  tags?: string[];\n  etag?: string;\n}\n",
            "export type Widget = {\n  other: string;\n  displayName?: string;\n};\n",
            "export class W {\n  name = 1;\n  displayName?: string;\n  tags?: string[];\n  etag?: string;\n}\n",
            "export const f = (title: string): G => make({ displayName: title });\nexport interface Widget {\n  displayName?: string;\n}\n",
            // It reads the new name, and hands the rest on.
            "export function f(w: G): Widget { use(w.title); return w; }\nexport interface Widget {\n  displayName?: string;\n}\n",
        ] {
            assert_eq!(found(own), ["sdk/src/a.ts:3"], "{own}");
        }
    }

    #[test]
    fn object_that_is_given_the_old_name_of_an_optional_member_is_drift_unless_it_may_be_of_another_type() {
        let own =
            "const all = parts.map((one) => {\n  return {\n    name: one.id,\n    displayName: one.text,\n  };\n});\n";
        assert_eq!(found(own), ["sdk/src/a.ts:4"]);
        let quoted = own.replace("displayName:", "\"displayName\":");
        assert_eq!(found(&quoted), ["sdk/src/a.ts:4"]);
        for own in [
            own.replace("one.text", "one.title"),
            own.replace("name: one.id", "other: one.id"),
            own.replace("name: one.id", "...one"),
            own.replace("    name: one.id,\n", ""),
            format!("{own}interface Part {{ name: string; displayName: string }}\n"),
        ] {
            assert_eq!(found(&own), [] as [String; 0], "{own}");
        }
        let other = format!("{own}interface Part {{ id: string; name: string; displayName: string }}\n");
        assert_eq!(found(&other), ["sdk/src/a.ts:4"], "it would need an `id`");
    }

    #[test]
    fn name_that_is_given_one_way_alone_is_drift_where_values_go_the_other_way_too() {
        // The shape of `@azure/search-documents`: what is sent is spread.
        let rename = Rename {
            kind: EntityKind::Property,
            container: Some("Widget".to_owned()),
            old: "displayName".to_owned(),
            new: "title".to_owned(),
        };
        let texts = |text: &str| vec![("src/a.ts".to_owned(), text.to_owned())];
        let receives = "export const f = (w: G): Widget => ({ ...w, displayName: w.title });\n";
        let sends = "export const g = (w: Widget): G => ({ ...w, title: w.displayName });\n";
        let of = |own: &str, functions: &str| {
            let own = format!("export interface Widget {{\n  displayName?: string;\n}}\n{own}");
            kept(&texts(&own), &texts(&format!("{GENERATED}{functions}")), &[], std::slice::from_ref(&rename)).len()
        };
        let [sent, received] =
            ["Serializer", "Deserializer"].map(|one| format!("export function widget{one}(item: any) {{}}\n"));
        let both = format!("{sent}{received}");
        assert_eq!(of(receives, &both), 1);
        assert_eq!(of(sends, &both), 1);
        assert_eq!(of(&format!("{receives}{sends}"), &both), 0);
        assert_eq!([of(receives, &received), of(sends, &sent)], [0, 0]);
        assert_eq!([of(receives, &sent), of(sends, &received)], [1, 1]);
    }

    #[test]
    fn hand_written_options_that_are_handed_on_to_generated_ones_and_keep_the_old_name_are_drift() {
        // The shape of `@azure/search-documents`: the model is spread, and no type has its name.
        let rename = Rename {
            kind: EntityKind::Property,
            container: Some("FindRequest".to_owned()),
            old: "useFuzzy".to_owned(),
            new: "fuzzyMatch".to_owned(),
        };
        let options = |name: &str| {
            format!(
                "export interface FindOptionalParams {{ filter?: string; top?: number; tag?: string; {name}?: boolean }}\n"
            )
        };
        let own =
            "export interface Own {\n  filter?: string;\n  top?: number;\n  tag?: string;\n  useFuzzy?: boolean;\n}\n";
        let texts = |text: &str| vec![("src/a.ts".to_owned(), text.to_owned())];
        let of = |own: &str, before: &str| {
            let (now, renames) = (texts(&options("fuzzyMatch")), [rename.clone()]);
            kept(&texts(own), &now, &texts(before), &renames).iter().map(Diagnostic::place).collect::<Vec<_>>()
        };
        assert_eq!(of(own, &options("useFuzzy")), ["sdk/src/a.ts:5"]);
        // The client tells it as a rename of a parameter, which says nothing of a type.
        let parameter = Rename { kind: EntityKind::Parameter, container: Some("find".to_owned()), ..rename.clone() };
        let (now, before) = (texts(&options("fuzzyMatch")), texts(&options("useFuzzy")));
        assert_eq!(kept(&texts(own), &now, &before, &[parameter]).len(), 1);
        assert_eq!(of(&own.replace("top?", "other?"), &options("useFuzzy")), [""; 0]);
        assert_eq!(of(own, &options("fuzzyMatch")), [""; 0], "no member changed");
        let shows = |before: &str| shown(&texts(&options("fuzzyMatch")), &texts(before));
        let told = Rename { container: Some("FindOptionalParams".to_owned()), ..rename.clone() };
        assert_eq!(shows(&options("useFuzzy")), [told]);
        for other in [
            options("fuzzyMatch"),
            options("useFuzzy").replace("top?: number;", ""),
            options("useFuzzy").replace("Find", "Seek"),
        ] {
            assert_eq!(shows(&other), [], "{other}");
        }
    }

    #[test]
    fn type_of_other_members_and_code_that_maps_one_name_to_the_other_are_no_drift() {
        for own in [
            "export interface Widget {\n  displayName?: string;\n}\nexport const f = ({ title: displayName }: G): Widget => ({ displayName });\n",
            "export interface Part {\n  name: string;\n  displayName?: string;\n  tags?: string[];\n}\n",
            "export interface WidgetInfo {\n  name: string;\n  tags?: string[];\n  etag?: string;\n}\n",
            "export interface Widget {\n  displayName?: string;\n}\nexport const f = (w: G): Widget => ({ displayName: w.title });\n",
        ] {
            assert_eq!(found(own), [] as [String; 0], "{own}");
        }
        let info = "export interface Widget {\n  displayName?: string;\n}\n";
        for own in [
            "export class W { constructor(private w: G) {} get displayName() { return this.w.title; } }\n",
            "export const f = (w: G): Widget => ({ get displayName() { return w.title; } });\n",
            "export function f(w: G): Widget { const { title, ...rest } = w; return { ...rest, displayName: title }; }\n",
            "export const f = ({ title, ...rest }: G): Widget => ({ ...rest, displayName: title });\n",
            "export function f(w: G): Widget { const { title: name } = w; return { displayName: name }; }\n",
            "export function f(w: G, i: Widget) { i[\"displayName\"] = w[\"title\"]; }\n",
            "export const f = (w: G): Widget => ({ \"displayName\": w[\"title\"] });\n",
        ] {
            assert_eq!(found(&format!("{info}{own}")), [] as [String; 0], "{own}");
        }
        for own in [
            "export class W { displayName() { return this.w.title; } }\n",
            "export function f(w: G) { const { title } = w; use(title); }\nexport const g = (title: string) => ({ displayName: title });\n",
            "export const f = (w: G) => ({ displayName: \"title\" });\n",
        ] {
            assert_eq!(found(&format!("{info}{own}")).len(), 1, "{own}");
        }
    }
}
