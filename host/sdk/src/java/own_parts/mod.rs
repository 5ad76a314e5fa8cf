//! What a person wrote into a generated type beside its members, and an emitter that updates files does not take over.
//!
//! It merges the members alone. A static initializer, an interface, a superclass, and an annotation on the type or on a
//! generated member are gone in the new text. What is certain is put back, with the imports that it needs.

mod edits;
mod whose;

use tree_sitter::Node;

use self::edits::{Edits, indent, text_with_comments};
use self::whose::{Whose, owner};
use super::code_text::packed;
use super::source::Source;
use crate::syntax::{children, field, line, named_children};

/// A thing that stood in a generated file and does not stand in the new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPart {
    /// Its line in the former text, from 1.
    pub line: u32,
    /// What it is, as a noun with its place: ``a static initializer of `A` ``.
    pub what: String,
}

/// What becomes of the things that a new text lacks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnParts {
    /// The new text with all that was put back; `None` where nothing was.
    pub text: Option<String>,
    /// Written by a person and put back.
    pub put_back: Vec<OwnPart>,
    /// Written by a person, and without a place in the new text.
    pub lost: Vec<OwnPart>,
    /// Gone, and perhaps written by a person.
    pub doubtful: Vec<OwnPart>,
}

/// What is known beside the two texts of a file.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The texts of customization classes that may have written a part of the former text.
    pub customizations: &'a [Source],
    /// Whether a type, by its full name, stands in a hand-written file of the package.
    pub is_hand_written: &'a dyn Fn(&str) -> bool,
}

impl Source {
    /// Looks for what a person wrote into the types of this text, the former one, and `now` does not have. `now` is `None`
    /// where the file is not generated any more.
    #[must_use]
    pub fn own_parts(&self, now: Option<&Source>, around: Surroundings<'_>) -> OwnParts {
        let mut search = Search { before: self, now, around, edits: Edits::default(), found: OwnParts::default() };
        for former in types(self) {
            let name = name_of(self, former).unwrap_or_default();
            let new = now.and_then(|now| {
                types(now).into_iter().find(|one| name_of(now, *one) == Some(name)).map(|node| Target { now, node })
            });
            search.of_type(former, name, new);
        }
        search.finish()
    }
}

/// The type of the new text in which a part is looked for.
#[derive(Clone, Copy)]
struct Target<'n> {
    now: &'n Source,
    node: Node<'n>,
}

struct Search<'a> {
    before: &'a Source,
    now: Option<&'a Source>,
    around: Surroundings<'a>,
    edits: Edits,
    found: OwnParts,
}

impl<'a> Search<'a> {
    fn of_type(&mut self, former: Node<'a>, name: &str, new: Option<Target<'a>>) {
        self.initializers(former, name, new);
        self.parents(former, name, new);
        let place = format!("`{name}`");
        self.annotations(former, &place, new, Gone::Lost);
        for member in members(former) {
            let Some(signature) = signature(self.before, member) else { continue };
            let place = format!("`{}` of `{name}`", signature.name);
            let corresponding = new.and_then(|Target { now, node }| {
                let same = |one: &Node<'_>| self::signature(now, *one).is_some_and(|other| other == signature);
                members(node).into_iter().find(same).map(|node| Target { now, node })
            });
            // With the member goes what was said about it.
            self.annotations(member, &place, corresponding, Gone::Doubtful);
        }
    }

    fn initializers(&mut self, former: Node<'a>, name: &str, new: Option<Target<'a>>) {
        let mut there: Vec<String> = new
            .map(|Target { now, node }| initializers(node).into_iter().map(|one| packed(now.text(one))).collect())
            .unwrap_or_default();
        for block in initializers(former) {
            let text = packed(self.before.text(block));
            if let Some(at) = there.iter().position(|one| *one == text) {
                there.swap_remove(at);
                continue;
            }
            let part = part(block, &format!("a static initializer of `{name}`"));
            match whose::initializer(self.before, block, name, self.around.customizations) {
                Whose::Emitters => {}
                Whose::Doubtful => self.found.doubtful.push(part),
                Whose::Persons => {
                    let text = text_with_comments(self.before, block);
                    let place = new.and_then(|new| self.behind_same_member(block, new));
                    let imports = self.imports_of(&text);
                    match place.zip(imports) {
                        Some((at, imports)) => {
                            self.edits.insert(at, format!("\n\n{text}"));
                            self.edits.import(imports);
                            self.found.put_back.push(part);
                        }
                        None => self.found.lost.push(part),
                    }
                }
            }
        }
    }

    /// The end of the member in whose wake an initializer stood. What an initializer uses may have to stand before it.
    fn behind_same_member(&self, block: Node<'_>, new: Target<'_>) -> Option<usize> {
        let body = field(new.node, "body").filter(|body| body.kind() == "class_body")?;
        let mut earlier = block.prev_sibling();
        while let Some(node) = earlier {
            if let Some(wanted) = signature(self.before, node) {
                let same = |one: &Node<'_>| signature(new.now, *one).is_some_and(|other| other == wanted);
                if let Some(found) = members(new.node).into_iter().find(same) {
                    return Some(found.end_byte());
                }
            }
            earlier = node.prev_sibling();
        }
        Some(body.start_byte() + 1)
    }

    /// Interfaces and the superclass.
    fn parents(&mut self, former: Node<'a>, name: &str, new: Option<Target<'a>>) {
        for relation in [Relation::Extends, Relation::Implements] {
            let there: Vec<String> = new
                .map(|Target { now, node }| relation.types(node).into_iter().map(|one| packed(now.text(one))).collect())
                .unwrap_or_default();
            let former_types = relation.types(former);
            let is_removal =
                there.iter().all(|one| former_types.iter().any(|former| packed(self.before.text(*former)) == *one));
            for parent in former_types {
                let text = self.before.text(parent);
                if there.contains(&packed(text)) {
                    continue;
                }
                let part = part(parent, &format!("`{} {text}` of `{name}`", relation.keyword(former)));
                match owner(self.before, parent, self.around) {
                    Whose::Emitters if is_removal && new.is_some() => self.found.doubtful.push(part),
                    Whose::Emitters => {}
                    Whose::Doubtful => self.found.doubtful.push(part),
                    Whose::Persons => {
                        let place = new.and_then(|new| relation.place(new.node, !there.is_empty()));
                        match place.zip(self.imports_of(text)) {
                            Some((Place { at, before, behind }, imports)) => {
                                self.edits.insert(at, format!("{before}{text}{behind}"));
                                self.edits.import(imports);
                                self.found.put_back.push(part);
                            }
                            None => self.found.lost.push(part),
                        }
                    }
                }
            }
        }
    }

    /// The annotations of a type or a member.
    fn annotations(&mut self, former: Node<'a>, place: &str, new: Option<Target<'a>>, gone: Gone) {
        let there: Vec<String> = new
            .map(|Target { now, node }| annotations(node).into_iter().map(|one| packed(now.text(one))).collect())
            .unwrap_or_default();
        let former_ones = annotations(former);
        let is_removal =
            there.iter().all(|one| former_ones.iter().any(|former| packed(self.before.text(*former)) == *one));
        for annotation in former_ones {
            let text = self.before.text(annotation);
            if there.contains(&packed(text)) {
                continue;
            }
            let Some(named) = field(annotation, "name") else { continue };
            if whose::is_of_every_emitter(self.before, annotation, former) {
                continue;
            }
            let part = part(annotation, &format!("`{text}` on {place}"));
            match owner(self.before, named, self.around) {
                Whose::Emitters if is_removal && new.is_some() => self.found.doubtful.push(part),
                Whose::Emitters => {}
                Whose::Doubtful => self.found.doubtful.push(part),
                Whose::Persons => match (new, self.imports_of(text)) {
                    (Some(Target { now, node }), Some(imports)) => {
                        let at = node.start_byte();
                        self.edits.insert(at, format!("{text}\n{}", indent(now, at)));
                        self.edits.import(imports);
                        self.found.put_back.push(part);
                    }
                    (None, _) if gone == Gone::Doubtful => self.found.doubtful.push(part),
                    _ => self.found.lost.push(part),
                },
            }
        }
    }

    /// The imports that a part needs and the new text lacks; `None` where the new text means another type by the name.
    fn imports_of(&self, part: &str) -> Option<Vec<String>> {
        edits::missing_imports(self.before, self.now?, part)
    }

    fn finish(mut self) -> OwnParts {
        if let Some(now) = self.now.filter(|_| !self.found.put_back.is_empty()) {
            match self.edits.apply(now) {
                Some(text) => self.found.text = Some(text),
                // The text would be none that can be read.
                None => self.found.lost.append(&mut self.found.put_back),
            }
        }
        self.found
    }
}

/// What an annotation is of which the thing that it stood on is gone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gone {
    Lost,
    Doubtful,
}

fn part(node: Node<'_>, what: &str) -> OwnPart {
    OwnPart { line: line(node), what: what.split_whitespace().collect::<Vec<_>>().join(" ") }
}

/// Whether a type extends or implements another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Extends,
    Implements,
}

/// Where a name is put, and what stands around it.
struct Place {
    at: usize,
    before: &'static str,
    behind: &'static str,
}

impl Relation {
    fn keyword(self, of: Node<'_>) -> &'static str {
        if self == Self::Extends || of.kind() == "interface_declaration" { "extends" } else { "implements" }
    }

    /// The clause of a type; what an interface extends counts as what it implements.
    fn clause(self, of: Node<'_>) -> Option<Node<'_>> {
        match self {
            Self::Extends => field(of, "superclass"),
            Self::Implements => field(of, "interfaces")
                .or_else(|| children(of).into_iter().find(|child| child.kind() == "extends_interfaces")),
        }
    }

    fn types(self, of: Node<'_>) -> Vec<Node<'_>> {
        let inner = self.clause(of).map(named_children).unwrap_or_default();
        inner
            .into_iter()
            .flat_map(|one| if one.kind() == "type_list" { named_children(one) } else { vec![one] })
            .collect()
    }

    /// Where a type of this relation is put into a new type, which may have others.
    fn place(self, new: Node<'_>, has_others: bool) -> Option<Place> {
        let body = field(new, "body")?.start_byte();
        match self {
            Self::Extends if has_others => None,
            Self::Extends => {
                let at = Self::Implements.clause(new).map_or(body, |clause| clause.start_byte());
                Some(Place { at, before: "extends ", behind: " " })
            }
            Self::Implements if has_others => {
                Some(Place { at: self.clause(new)?.end_byte(), before: ", ", behind: "" })
            }
            // Two of them would have to share one word.
            Self::Implements if new.kind() == "interface_declaration" => None,
            Self::Implements => Some(Place { at: body, before: "implements ", behind: " " }),
        }
    }
}

/// The types of a file.
fn types(source: &Source) -> Vec<Node<'_>> {
    named_children(source.root()).into_iter().filter(|node| field(*node, "body").is_some()).collect()
}

fn name_of<'s>(source: &'s Source, node: Node<'_>) -> Option<&'s str> {
    field(node, "name").map(|name| source.text(name))
}

/// The members of a type, and those behind the constants of an enum.
fn members(of: Node<'_>) -> Vec<Node<'_>> {
    let inner = field(of, "body").map(named_children).unwrap_or_default();
    let flat = inner.into_iter().flat_map(|node| match node.kind() {
        "enum_body_declarations" => named_children(node),
        _ => vec![node],
    });
    flat.collect()
}

fn initializers(of: Node<'_>) -> Vec<Node<'_>> {
    members(of).into_iter().filter(|node| node.kind() == "static_initializer").collect()
}

/// The annotations of a declaration.
fn annotations(of: Node<'_>) -> Vec<Node<'_>> {
    let modifiers = children(of).into_iter().filter(|node| node.kind() == "modifiers");
    modifiers.flat_map(named_children).filter(|node| node.kind().ends_with("annotation")).collect()
}

/// By what a member is told from others.
#[derive(Debug, PartialEq, Eq)]
struct Signature {
    kind: u16,
    name: String,
    parameters: Vec<String>,
}

fn signature(source: &Source, member: Node<'_>) -> Option<Signature> {
    let named = match member.kind() {
        "field_declaration" | "constant_declaration" => field(member, "declarator")?,
        _ => member,
    };
    let name = name_of(source, named)?.to_owned();
    let parameters = field(member, "parameters").map(named_children).unwrap_or_default();
    let types = parameters
        .into_iter()
        .map(|one| field(one, "type").map_or_else(|| packed(source.text(one)), |one| packed(source.text(one))));
    Some(Signature { kind: member.kind_id(), name, parameters: types.collect() })
}

#[cfg(test)]
mod tests;
