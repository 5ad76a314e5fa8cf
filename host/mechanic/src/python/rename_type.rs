//! Finds every reference to a generated class by its old name.

use tree_sitter::Node;

use super::definitions::{bases, classes};
use super::evidence::Evidence;
use super::package::Package;
use super::scopes::{Binding, bindings, has_star_import, is_reference, resolve, scope_of};
use super::sites::{Findings, has_word, words};
use super::source::{Source, around, field, named_children};
use bailiwick_sdk::syntax::{column, line};
use bailiwick_sdk::tasks::Rename;

/// Whose name a class has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// The specification's: what a hand-written class in its place is called is for people to decide.
    BySpecification,
    /// The emitter's: a hand-written class in its place follows, or the client would no longer use it.
    ByEmitter,
}

/// Collects the edits for one renamed class.
pub(crate) fn collect(
    package: &Package,
    rename: &Rename,
    named: Named,
    evidence: &Evidence<'_>,
    findings: &mut Findings,
) {
    for (file, source) in package.sources.iter().enumerate() {
        TypeRename { package, rename, named, evidence, file, source }.collect(findings);
    }
}

struct TypeRename<'p> {
    package: &'p Package,
    rename: &'p Rename,
    named: Named,
    evidence: &'p Evidence<'p>,
    file: usize,
    source: &'p Source,
}

/// What the old name means at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// The renamed class, under its own name.
    Renamed,
    /// Something else.
    Else,
    /// It cannot be told.
    Unclear,
}

impl TypeRename<'_> {
    fn collect(&self, findings: &mut Findings) {
        if !has_word(&self.source.text, &self.rename.old) {
            return;
        }
        self.overriding_class(findings);
        let mut uses = Vec::new();
        for node in self.source.nodes() {
            match node.kind() {
                "import_from_statement" => self.import(node, findings),
                "identifier" if self.source.text(node) == self.rename.old && is_reference(node) => {
                    match self.meaning(node) {
                        Meaning::Renamed => uses.push(node),
                        Meaning::Unclear => {
                            findings.doubt(
                                self.source,
                                node,
                                format!("it is not certain what `{}` is", self.rename.old),
                            );
                        }
                        Meaning::Else => {}
                    }
                }
                "attribute" => self.attribute(node, findings),
                "string" => self.string(node, findings),
                "comment" if self.is_type_comment(node) => {
                    findings.doubt(self.source, node, "a type comment names the class, and comments are not edited");
                }
                _ => {}
            }
        }
        for node in uses {
            self.rename_use(node, findings);
        }
    }

    fn is_type_comment(&self, node: Node<'_>) -> bool {
        let text = self.source.text(node);
        let types = text.trim_start_matches('#').trim_start().strip_prefix("type:").map(str::trim_start);
        types.is_some_and(|types| !types.starts_with("ignore") && has_word(types, &self.rename.old))
    }

    /// A hand-written class of the old name that extends the generated one stands in its place. Whether it should be
    /// renamed along is a decision about the public surface.
    fn overriding_class(&self, findings: &mut Findings) {
        let Some(definition) = self.in_its_place() else { return };
        if let (Some(name), Named::ByEmitter) = (field(definition, "name"), self.named) {
            findings.replace(self.file, name, &self.rename.new);
            self.refuse_clash(definition, findings);
            return;
        }
        let issue = format!(
            "the hand-written class `{}` extends the generated class of that name and takes its place",
            self.rename.old
        );
        findings.doubt(self.source, definition, issue);
    }

    /// The hand-written class that extends the renamed one under the same name.
    fn in_its_place(&self) -> Option<Node<'_>> {
        let mut named = classes(self.source).into_iter().filter(|(name, _)| *name == self.rename.old);
        named.find_map(|(_, one)| bases(one).into_iter().any(|base| self.is_class(base)).then_some(one))
    }

    /// Whether an expression is the renamed class, under whatever name the file has it.
    fn is_class(&self, node: Node<'_>) -> bool {
        match node.kind() {
            "identifier" => resolve(self.source, node, self.source.text(node))
                .is_some_and(|(_, found)| found.iter().any(|binding| self.imports_class(binding))),
            "attribute" => field(node, "attribute").is_some_and(|name| self.source.text(name) == self.rename.old),
            _ => false,
        }
    }

    fn imports_class(&self, binding: &Binding<'_>) -> bool {
        let Binding::ImportFrom { statement, name, .. } = binding else { return false };
        let module = field(*statement, "module_name").map(|module| self.source.text(module)).unwrap_or_default();
        self.source.text(*name) == self.rename.old
            && self.package.is_own_module(self.source, module)
            && !self.package.is_hand_written(self.source, module)
    }

    fn import(&self, statement: Node<'_>, findings: &mut Findings) {
        let module_node = field(statement, "module_name");
        let module = module_node.map(|module| self.source.text(module)).unwrap_or_default();
        if !self.package.is_own_module(self.source, module) {
            return;
        }
        for imported in named_children(statement).into_iter().filter(|child| Some(*child) != module_node) {
            let aliased = imported.kind() == "aliased_import";
            let name = if aliased { field(imported, "name") } else { Some(imported) };
            let Some(name) = name.filter(|name| self.source.text(*name) == self.rename.old) else { continue };
            if self.package.is_hand_written(self.source, module) {
                findings.doubt(self.source, name, format!("`{}` comes from hand-written code", self.rename.old));
                continue;
            }
            findings.replace(self.file, name, &self.rename.new);
            let alias = if aliased { field(imported, "alias") } else { None };
            match alias {
                // `X as X` says that the name is exported.
                Some(alias) if self.source.text(alias) == self.rename.old => {
                    findings.replace(self.file, alias, &self.rename.new);
                }
                Some(_) => {}
                None => self.refuse_clash(statement, findings),
            }
        }
    }

    /// The new name must be free where the old one was bound.
    fn refuse_clash(&self, at: Node<'_>, findings: &mut Findings) {
        if !bindings(self.source, scope_of(at), &self.rename.new).is_empty() {
            findings.doubt(
                self.source,
                at,
                format!("the file has something of the name `{}` already", self.rename.new),
            );
        }
    }

    fn meaning(&self, node: Node<'_>) -> Meaning {
        match resolve(self.source, node, &self.rename.old) {
            Some((_, found)) => {
                let of_class = |binding: &Binding<'_>| {
                    let alias_of_itself = !matches!(binding, Binding::ImportFrom { aliased: true, statement, .. }
                        if !has_word(self.source.text(*statement), &format!("{0} as {0}", self.rename.old)));
                    let takes_place = || self.named == Named::ByEmitter && self.in_its_place().is_some();
                    (matches!(binding, Binding::Class) && takes_place())
                        || (self.imports_class(binding) && alias_of_itself)
                };
                match (found.iter().any(of_class), found.iter().all(of_class)) {
                    (_, true) => Meaning::Renamed,
                    (true, false) => Meaning::Unclear,
                    (false, false) => Meaning::Else,
                }
            }
            None if has_star_import(self.source, |module| self.package.is_own_module(self.source, module)) => {
                Meaning::Renamed
            }
            None => Meaning::Else,
        }
    }

    fn rename_use(&self, node: Node<'_>, findings: &mut Findings) {
        // A nearer scope may have the new name for something else.
        let taken = resolve(self.source, node, &self.rename.new)
            .is_some_and(|(_, found)| !found.iter().all(|binding| self.imports_class(binding)));
        if taken {
            findings.doubt(self.source, node, format!("`{}` means something else here", self.rename.new));
        }
        findings.replace(self.file, node, &self.rename.new);
    }

    /// `_models.AnalyzeResult`, `azure.widget.models.AnalyzeResult`
    fn attribute(&self, node: Node<'_>, findings: &mut Findings) {
        let (Some(object), Some(attribute)) = (field(node, "object"), field(node, "attribute")) else { return };
        // A module that something else stands for is known by an error about this very place.
        let is_missing = || self.evidence.misses(&self.source.path, (line(node), column(node)), &self.rename.old);
        if self.source.text(attribute) == self.rename.old && (self.is_own_module(object) || is_missing()) {
            findings.replace(self.file, attribute, &self.rename.new);
        }
    }

    /// Whether an expression is a module of the package.
    fn is_own_module(&self, object: Node<'_>) -> bool {
        let text = self.source.text(object);
        let head = text.split('.').next().unwrap_or_default();
        let Some((_, found)) = resolve(self.source, object, head) else { return false };
        found.iter().any(|binding| match binding {
            Binding::ImportModule { name, .. } => {
                let module = self.source.text(*name);
                self.package.is_own_module(self.source, if text.contains('.') { text } else { module })
            }
            Binding::ImportFrom { statement, name, .. } => {
                let module =
                    field(*statement, "module_name").map(|module| self.source.text(module)).unwrap_or_default();
                // Modules are written in small letters, classes are not.
                let is_module = !self.source.text(*name).chars().any(char::is_uppercase);
                is_module && self.package.is_own_module(self.source, module)
            }
            _ => false,
        })
    }

    fn string(&self, node: Node<'_>, findings: &mut Findings) {
        let Some(content) = self.source.string_content(node) else { return };
        let text = &self.source.text[content.clone()];
        if !has_word(text, &self.rename.old) {
            return;
        }
        if is_in_all(self.source, node) {
            if text == self.rename.old && self.meaning(node) == Meaning::Renamed {
                findings.replace_span(self.file, node, content, &self.rename.new);
                if self.named == Named::ByEmitter && self.in_its_place().is_none() {
                    findings.doubt(self.source, node, "the file exports a class of generated code");
                }
            }
        } else if is_forward_reference(self.source, node) {
            for word in words(text, &self.rename.old) {
                let qualified = text[..word.start].ends_with('.');
                let head_is_module = || {
                    let head = text[..word.start].trim_end_matches('.');
                    let start =
                        head.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).map_or(0, |at| at + 1);
                    let head = head[start..].split('.').next().unwrap_or_default();
                    resolve(self.source, node, head).is_some_and(|(_, found)| {
                        found
                            .iter()
                            .any(|binding| matches!(binding, Binding::ImportModule { .. } | Binding::ImportFrom { .. }))
                    })
                };
                let ours = if qualified { head_is_module() } else { self.meaning(node) == Meaning::Renamed };
                if ours {
                    findings.replace_span(
                        self.file,
                        node,
                        content.start + word.start..content.start + word.end,
                        &self.rename.new,
                    );
                }
            }
        } else if text == self.rename.old && is_name_of_attribute(self.source, node) {
            let object = node.parent().map(named_children).and_then(|arguments| arguments.first().copied());
            if object.is_some_and(|object| self.is_own_module(object)) {
                findings.replace_span(self.file, node, content, &self.rename.new);
            }
        }
    }
}

/// Whether a string is an entry of the module's `__all__`.
pub(crate) fn is_in_all(source: &Source, node: Node<'_>) -> bool {
    let is_all = |target: Option<Node<'_>>| target.is_some_and(|target| source.text(target) == "__all__");
    if let Some(assignment) = around(node, &["assignment", "augmented_assignment"]) {
        return is_all(field(assignment, "left")) && scope_of(assignment).kind() == "module";
    }
    // `__all__.extend(["X"])`
    around(node, &["call"])
        .and_then(|call| field(call, "function"))
        .filter(|function| function.kind() == "attribute")
        .is_some_and(|function| is_all(field(function, "object")))
}

/// Whether a string stands where a type is expected.
fn is_forward_reference(source: &Source, node: Node<'_>) -> bool {
    let index = |outer: Node<'_>, inner: Node<'_>| named_children(outer).iter().position(|child| *child == inner);
    let mut here = node;
    let mut typed = false;
    let mut argument = None;
    while let Some(outer) = here.parent() {
        match outer.kind() {
            "type" => typed = true,
            "type_parameter" => argument = index(outer, here),
            "subscript" | "generic_type" => {
                if outer.kind() == "subscript" {
                    argument = index(outer, here).and_then(|at| at.checked_sub(1));
                }
                let head = named_children(outer).first().map(|head| source.text(*head)).unwrap_or_default();
                let head = head.rsplit('.').next().unwrap_or_default();
                // The values of a literal type and the metadata of an annotated one are plain strings.
                if head == "Literal" || (head == "Annotated" && argument != Some(0)) {
                    return false;
                }
            }
            "argument_list" => {
                let function = outer.parent().and_then(|call| field(call, "function"));
                let name = function.map(|function| source.text(function)).unwrap_or_default();
                return name.rsplit('.').next() == Some("cast") && named_children(outer).first() == Some(&here);
            }
            "expression_statement" | "block" | "module" | "assignment" | "call" | "function_definition" => {
                return typed;
            }
            _ => {}
        }
        here = outer;
    }
    typed
}

/// Whether a string is the name in `getattr(x, "name")` and its like.
pub(crate) fn is_name_of_attribute(source: &Source, node: Node<'_>) -> bool {
    let Some(arguments) = node.parent().filter(|parent| parent.kind() == "argument_list") else { return false };
    let function = arguments.parent().and_then(|call| field(call, "function"));
    let name = function.map(|function| source.text(function)).unwrap_or_default();
    ["getattr", "setattr", "hasattr", "delattr"].contains(&name) && named_children(arguments).get(1) == Some(&node)
}
