//! Finds every access to a renamed property, method or enum member of one generated class.

use tree_sitter::Node;

use super::arguments::unpacked_into;
use super::constructors::{Constructor, PASSES_ON};
use super::definitions::{bases, classes, is_checked, methods, parameters};
use super::evidence::{Evidence, Verdict};
use super::generated::Generated;
use super::operation_names::renamed;
use super::package::Package;
use super::rename_type::is_name_of_attribute;
use super::scopes::{Binding, resolve};
use super::sites::Findings;
use super::source::{Source, around, column, field, line, named_children};
use super::types::{Ty, Types};
use bailiwick_sdk::python_classes::Keyword;
use bailiwick_sdk::python_enums;
use bailiwick_sdk::tasks::{EntityKind, Rename};

/// Collects the edits for one renamed member. `classes` are the names its class goes by.
pub(crate) fn collect(
    package: &Package,
    rename: &Rename,
    classes: Vec<String>,
    evidence: &Evidence<'_>,
    generated: &Generated,
    findings: &mut Findings,
) {
    let types = Types::new(package, classes);
    for (file, source) in package.sources.iter().enumerate() {
        // The names of an operation's methods hold the operation's: `_begin_analyze`.
        if source.text.contains(&rename.old) {
            MemberRename { rename, types: &types, evidence, generated, file, source }.collect(findings);
        }
    }
}

/// One rename, looked for in one file.
pub(super) struct MemberRename<'p> {
    pub(super) rename: &'p Rename,
    pub(super) types: &'p Types<'p>,
    evidence: &'p Evidence<'p>,
    generated: &'p Generated,
    pub(super) file: usize,
    pub(super) source: &'p Source,
}

impl<'p> MemberRename<'p> {
    fn collect(&self, findings: &mut Findings) {
        self.overriding_member(findings);
        if self.rename.kind == EntityKind::Property {
            self.overloads(findings);
        }
        for node in self.source.nodes() {
            match node.kind() {
                "attribute" => self.attribute(node, findings),
                "keyword_argument" => self.keyword(node, findings),
                "keyword_pattern" => self.keyword_pattern(node, findings),
                "string" => self.string(node, findings),
                _ => {}
            }
        }
    }

    /// The name after the rename of a name before it.
    fn renamed(&self, name: &str) -> Option<String> {
        renamed(self.rename, self.generated, name)
    }

    /// A derived class that has a member of the old or the new name itself decides what accesses to it mean.
    ///
    /// A method that takes the place of a generated one follows it, or it would take no place any more: it takes what the
    /// generated one takes, and the class that it extends has the new name alone. That a class wraps an operation which is
    /// hidden now is what hiding is for. Anything else of the old name needs a decision.
    fn overriding_member(&self, findings: &mut Findings) {
        let is_operation = self.rename.kind == EntityKind::Operation;
        for (class, definition) in classes(self.source) {
            let is_derived = self.types.is_derived(self.source, definition);
            let may_override = is_derived || (is_operation && self.extends_generated(definition));
            if !may_override {
                continue;
            }
            for name in own_members(definition) {
                let text = self.source.text(name);
                let new = self.renamed(text);
                if let Some(new) = new.as_ref().filter(|_| self.takes_place(self.source, definition, text)) {
                    findings.replace(self.file, name, new);
                    continue;
                }
                // Where the class is not known to be the one, generated code must have what the member would override.
                let is_public = |new: &String| !is_operation || !new.starts_with('_');
                let overrides =
                    new.as_ref().is_some_and(|new| is_public(new) && (is_derived || self.generated.has_method(new)));
                if overrides || (is_derived && text == self.rename.new) {
                    let followed = new.map_or_else(String::new, |new| {
                        format!("; the generated one is called `{new}` now, and whether this one is renamed along is a decision about the public surface")
                    });
                    let issue = format!("the class `{class}` has a member `{text}` of its own{followed}");
                    findings.doubt(self.source, name, issue);
                }
            }
        }
    }

    /// Whether the methods of this name take the place of generated ones that go by another name now.
    fn takes_place(&self, source: &Source, definition: Node<'_>, name: &str) -> bool {
        let Some(new) = self.renamed(name).filter(|_| self.rename.kind == EntityKind::Operation) else { return false };
        let own: Vec<_> = methods(definition);
        let of = |name: &str| own.iter().rfind(|one| field(**one, "name").is_some_and(|own| source.text(own) == name));
        let Some(parameters) = of(name).map(|method| parameters(source, *method)) else { return false };
        // A public method around an internal one is a wrapper.
        let wraps = new.starts_with('_') && !name.starts_with('_');
        let follows = |base: &Node<'_>| {
            self.generated_class(source, *base).is_some_and(|class| {
                self.generated.parameters(class, &new) == Some(&parameters[..])
                    && self.generated.parameters(class, name).is_none()
            })
        };
        !wraps && of(&new).is_none() && bases(definition).iter().any(follows)
    }

    /// The generated class that an expression is, by its name in generated code.
    fn generated_class<'s>(&self, source: &'s Source, base: Node<'_>) -> Option<&'s str> {
        let (_, found) = resolve(source, base, source.text(base))?;
        found.into_iter().find_map(|binding| match binding {
            Binding::ImportFrom { statement, name, .. } => {
                let module = field(statement, "module_name").map(|module| source.text(module))?;
                let package = self.types.package;
                let generated = package.is_own_module(source, module) && !package.is_hand_written(source, module);
                generated.then(|| source.text(name))
            }
            _ => None,
        })
    }

    /// Whether a class has a base from a generated module of the package.
    fn extends_generated(&self, definition: Node<'_>) -> bool {
        bases(definition).into_iter().any(|base| {
            let head = self.source.text(base).split('.').next().unwrap_or_default();
            resolve(self.source, base, head).is_some_and(|(_, found)| {
                found.iter().any(|binding| match binding {
                    Binding::ImportFrom { statement, .. } => {
                        field(*statement, "module_name").map(|module| self.source.text(module)).is_some_and(|module| {
                            let package = self.types.package;
                            package.is_own_module(self.source, module) && !package.is_hand_written(self.source, module)
                        })
                    }
                    _ => false,
                })
            })
        })
    }

    /// The class whose `self` an expression is, if it has a member of this name itself.
    fn own(&self, object: Node<'p>, name: &str) -> Option<Node<'p>> {
        let class =
            self.types.class_of_self(self.source, object).filter(|_| self.rename.kind == EntityKind::Operation)?;
        own_members(class).into_iter().any(|member| self.source.text(member) == name).then_some(class)
    }

    fn attribute(&self, node: Node<'p>, findings: &mut Findings) {
        let (Some(object), Some(attribute)) = (field(node, "object"), field(node, "attribute")) else { return };
        let name = self.source.text(attribute);
        let Some(new) = self.renamed(name) else { return };
        let ty = match self.types.of(self.source, object) {
            _ if let Some(class) = self.own(object, name) => {
                if self.takes_place(self.source, class, name) {
                    findings.replace(self.file, attribute, &new);
                }
                return;
            }
            // It may be of a class that has a member of that name itself.
            Ty::Instance | Ty::Class if self.is_wrapped(name) && !self.is_super(object) => Ty::Checked,
            ty => ty,
        };
        match ty {
            Ty::Instance | Ty::Class => findings.replace(self.file, attribute, &new),
            // Such as a value of a base class that `isinstance` made more of, or of a client that the methods are mixed into.
            Ty::Other if self.is_missing(node, name) || self.is_missing_of_client(node, name, &new) => {
                findings.replace(self.file, attribute, &new);
            }
            Ty::Other => {}
            _ if self.is_of_enum(object) => {}
            Ty::Checked | Ty::Unknown | Ty::Nothing => {
                // An operation that generated code has by its new name alone may be reached through any class.
                let classes = match self.rename.kind {
                    EntityKind::Operation if self.moved(name, &new) => Vec::new(),
                    _ => self.known_as(),
                };
                match self.evidence.about(&self.source.path, place(node), self.rivals(node, name), name, &classes) {
                    Verdict::Missing => findings.replace(self.file, attribute, &new),
                    Verdict::Silent if ty == Ty::Checked && is_checked(node) && self.evidence.has_type_checker() => {}
                    Verdict::OneOfSeveral | Verdict::Silent => {
                        let of = self.rename.container.as_deref().unwrap_or("the client");
                        let issue = format!("whether `{}` is the one of `{of}` is not certain", self.source.text(node));
                        findings.doubt(self.source, node, issue);
                    }
                }
            }
        }
    }

    /// Whether an object holds a member of an enum that people wrote, and is asked for what each member of an enum has.
    fn is_of_enum(&self, object: Node<'p>) -> bool {
        let texts = || self.types.package.sources.iter().map(|source| source.text.as_str()).collect::<Vec<_>>();
        python_enums::gives(&self.rename.old)
            && python_enums::is_member(
                &self.source.text,
                &self.source.nodes(),
                object,
                &python_enums::constants(&texts()),
            )
    }

    /// Whether an error names the class, the member and this very column.
    fn is_missing(&self, node: Node<'_>, name: &str) -> bool {
        self.evidence.about(&self.source.path, place(node), 0, name, &self.known_as()) == Verdict::Missing
    }

    /// The classes of which errors say that they lack the member: the class itself, and the client that it is mixed into.
    fn known_as(&self) -> Vec<String> {
        let mut names = self.types.class_names();
        let clients = names.iter().filter_map(|name| name.strip_suffix("OperationsMixin"));
        let clients: Vec<String> = clients.map(|client| client.trim_start_matches('_').to_owned()).collect();
        names.extend(clients);
        names
    }

    /// Whether an error misses an operation here, by its name alone, that generated code has by its new name and nowhere by
    /// its old one. Whatever class it is of, there is one thing that it can mean.
    fn is_missing_of_client(&self, node: Node<'_>, name: &str, new: &str) -> bool {
        if self.rename.kind != EntityKind::Operation || !self.moved(name, new) {
            return false;
        }
        let is_rival = |other: &Node<'_>| {
            other.kind() == "attribute"
                && line(*other) == line(node)
                && field(*other, "attribute").is_some_and(|attribute| self.source.text(attribute) == name)
        };
        let rivals = self.source.nodes().into_iter().filter(is_rival).count();
        self.evidence.about(&self.source.path, place(node), rivals, name, &[]) == Verdict::Missing
    }

    /// Whether a hand-written class has a member of an operation's old name and keeps it.
    fn is_wrapped(&self, name: &str) -> bool {
        self.rename.kind == EntityKind::Operation
            && self.types.package.sources.iter().any(|source| {
                classes(source).into_iter().any(|(_, class)| {
                    own_members(class).into_iter().any(|member| source.text(member) == name)
                        && !self.takes_place(source, class, name)
                })
            })
    }

    fn is_super(&self, object: Node<'_>) -> bool {
        field(object, "function").is_some_and(|function| self.source.text(function) == "super")
    }

    /// Whether generated code has the new name and nowhere the old one.
    fn moved(&self, old: &str, new: &str) -> bool {
        self.generated.has_method(new) && !self.generated.has_method(old)
    }

    /// How many places an error about this line without a column could mean. The same expression twice is one place.
    fn rivals(&self, node: Node<'_>, name: &str) -> usize {
        let mut objects: Vec<&str> = self
            .source
            .nodes()
            .into_iter()
            .filter(|other| other.kind() == "attribute" && line(*other) == line(node))
            .filter(|other| field(*other, "attribute").is_some_and(|attribute| self.source.text(attribute) == name))
            .filter_map(|other| field(other, "object"))
            .filter(|object| self.types.of(self.source, *object) != Ty::Other)
            .map(|object| self.source.text(object))
            .collect();
        objects.sort_unstable();
        objects.dedup();
        objects.len()
    }

    /// `Widget(display_name=…)`
    fn keyword(&self, node: Node<'p>, findings: &mut Findings) {
        let Some(name) = field(node, "name").filter(|name| self.source.text(*name) == self.rename.old) else { return };
        let Some(call) = around(node, &["call"]).filter(|_| self.rename.kind == EntityKind::Property) else { return };
        let Some(function) = field(call, "function") else { return };
        let first = field(call, "arguments").map(named_children).unwrap_or_default().first().copied();
        let called = self.source.text(function).rsplit('.').next().unwrap_or_default();
        if ["partial", "replace"].contains(&called)
            && first.is_some_and(|first| matches!(self.types.of(self.source, first), Ty::Instance | Ty::Class))
        {
            findings.doubt(self.source, node, format!("`{called}` passes the name on"));
            return;
        }
        match self.constructor(function) {
            Constructor::Of(class) => match self.takes(class) {
                Keyword::HandedOn => findings.replace(self.file, name, &self.rename.new),
                Keyword::Own => {}
                Keyword::Unclear => {
                    findings.doubt(self.source, node, PASSES_ON);
                }
            },
            Constructor::None => {}
            Constructor::Unclear => {
                let path = &self.source.path;
                let said = [call, node].into_iter().any(|at| {
                    self.evidence.about(path, place(at), 1, &self.rename.old, &self.types.class_names())
                        == Verdict::Missing
                });
                if said {
                    findings.replace(self.file, name, &self.rename.new);
                } else {
                    findings.doubt(
                        self.source,
                        node,
                        format!("what `{}` constructs is not certain", self.source.text(function)),
                    );
                }
            }
        }
    }

    /// `case Widget(display_name=…)`
    fn keyword_pattern(&self, node: Node<'p>, findings: &mut Findings) {
        let Some(name) =
            named_children(node).first().copied().filter(|name| self.source.text(*name) == self.rename.old)
        else {
            return;
        };
        let class = around(node, &["class_pattern"]).and_then(|pattern| named_children(pattern).first().copied());
        let Some(class) = class else { return };
        if self.types.name(self.source, class, self.source.text(class), 0) == Ty::Class {
            findings.replace(self.file, name, &self.rename.new);
        } else if self.source.text(class).contains('.') {
            findings.doubt(self.source, node, "the class of this pattern is not certain");
        }
    }

    fn string(&self, node: Node<'p>, findings: &mut Findings) {
        let Some(content) = self.source.string_content(node) else { return };
        let text = &self.source.text[content.clone()];
        let Some(new) = self.renamed(text) else {
            let formatted =
                [format!(".{}}}", self.rename.old), format!(".{}!", self.rename.old), format!(".{}:", self.rename.old)];
            if text.contains('{') && formatted.iter().any(|part| text.contains(part)) {
                findings.doubt(self.source, node, "a format string reads an attribute of this name");
            }
            return;
        };
        if is_name_of_attribute(self.source, node) {
            let object = node.parent().map(named_children).and_then(|arguments| arguments.first().copied());
            match object.map(|object| self.types.of(self.source, object)) {
                _ if object.is_some_and(|object| self.own(object, text).is_some()) => {}
                Some(Ty::Instance | Ty::Class) => findings.replace_span(self.file, node, content, &new),
                Some(Ty::Other) => {}
                _ if object.is_some_and(|object| self.is_of_enum(object)) => {}
                _ => findings.doubt(self.source, node, "whose attribute is read by name here is not certain"),
            }
            return;
        }
        let function =
            around(node, &["call"]).and_then(|call| field(call, "function")).map(|function| self.source.text(function));
        if function.is_some_and(|name| name.rsplit('.').next() == Some("attrgetter")) {
            findings.doubt(self.source, node, "`attrgetter` reads an attribute of this name");
        } else if self.rename.kind == EntityKind::EnumMember
            && let Some(subscript) = node.parent().filter(|parent| parent.kind() == "subscript")
            && field(subscript, "value").is_some_and(|value| self.types.of(self.source, value) == Ty::Class)
        {
            // `WidgetStatus["ACTIVE"]`
            findings.replace_span(self.file, node, content, &new);
        } else {
            self.unpacked_key(node, content, &new, findings);
        }
    }

    /// `Widget(**{"display_name": …})`, also through a variable that is used for nothing else.
    fn unpacked_key(&self, node: Node<'p>, content: std::ops::Range<usize>, new: &str, findings: &mut Findings) {
        for call in unpacked_into(self.source, node).unwrap_or_default() {
            let function = field(call, "function").map(|function| self.constructor(function));
            let Some(Constructor::Of(class)) = function else { continue };
            match self.takes(class) {
                Keyword::HandedOn => findings.replace_span(self.file, node, content.clone(), new),
                Keyword::Own => {}
                Keyword::Unclear => findings.doubt(self.source, node, PASSES_ON),
            }
        }
    }
}

/// Where an error about a node would stand. Inside of an f-string type checkers give the column of the string.
fn place(node: Node<'_>) -> (u32, Option<u32>) {
    (line(node), around(node, &["interpolation"]).is_none().then(|| column(node)))
}

/// The names of the methods and variables that a class body defines.
fn own_members(class: Node<'_>) -> Vec<Node<'_>> {
    let assigned = field(class, "body").map(named_children).unwrap_or_default().into_iter().filter_map(|statement| {
        let assignment = named_children(statement).first().copied().filter(|inner| inner.kind() == "assignment")?;
        field(assignment, "left").filter(|left| left.kind() == "identifier")
    });
    methods(class).into_iter().filter_map(|method| field(method, "name")).chain(assigned).collect()
}
