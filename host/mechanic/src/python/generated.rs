//! What generated code defines, as far as it was read.

use tree_sitter::Node;

use super::definitions::{bases, methods, parameters};
use super::source::{Source, field, named_children};
use crate::repair::Text;

/// The generated files of a repair.
#[derive(Debug, Default)]
pub(crate) struct Generated {
    modules: Vec<Module>,
}

/// One generated file.
#[derive(Debug)]
struct Module {
    path: String,
    /// Its functions, classes and variables, and what it imports.
    names: Vec<String>,
    classes: Vec<Class>,
}

/// A class of a generated file.
#[derive(Debug)]
struct Class {
    name: String,
    /// The names of its bases, as the file writes them.
    bases: Vec<String>,
    /// Its functions, each with the names of its parameters. The last of several of one name is the one that is called.
    methods: Vec<(String, Vec<String>)>,
}

/// Base classes further up than this are not followed.
const HIGHEST: usize = 8;

impl Generated {
    pub(crate) fn new(texts: &[Text]) -> Self {
        let modules = texts.iter().filter_map(|text| {
            let source = Source::parse(&text.path, &text.text)?;
            let mut module = Module { path: text.path.clone(), names: Vec::new(), classes: Vec::new() };
            for statement in named_children(source.root()) {
                module.add(&source, statement);
            }
            Some(module)
        });
        Self { modules: modules.collect() }
    }

    /// Whether a file was read.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.modules.iter().any(|module| module.path == path)
    }

    /// Whether a class has a method of this name.
    pub(crate) fn has_method(&self, name: &str) -> bool {
        let classes = self.modules.iter().flat_map(|module| &module.classes);
        classes.flat_map(|class| &class.methods).any(|(one, _)| one == name)
    }

    /// The parameters of a method that a class has or inherits, in its own file or in others. A class that only became internal
    /// goes by either name. `None` where no such class was read, or it has no such method.
    pub(crate) fn parameters(&self, class: &str, method: &str) -> Option<&[String]> {
        let mut names: Vec<&str> = vec![class];
        for _ in 0..HIGHEST {
            let is_meant = |one: &&Class| {
                names.iter().any(|name| one.name.trim_start_matches('_') == name.trim_start_matches('_'))
            };
            let found: Vec<&Class> = self.modules.iter().flat_map(|module| &module.classes).filter(is_meant).collect();
            let mut methods = found.iter().flat_map(|class| &class.methods).filter(|(name, _)| name == method);
            if let Some((_, parameters)) = methods.next_back() {
                return Some(parameters);
            }
            names = found.iter().flat_map(|class| &class.bases).map(String::as_str).collect();
            if names.is_empty() {
                return None;
            }
        }
        None
    }

    /// What a module declares or imports, given the files that could be the module.
    pub(crate) fn names_of(&self, paths: &[String]) -> Vec<&str> {
        let of_module = self.modules.iter().filter(|module| paths.contains(&module.path));
        of_module.flat_map(|module| &module.names).map(String::as_str).collect()
    }
}

impl Module {
    fn add(&mut self, source: &Source, statement: Node<'_>) {
        let statement = field(statement, "definition").unwrap_or(statement);
        let text = |node: Node<'_>| source.text(node).to_owned();
        match statement.kind() {
            "class_definition" => {
                self.names.extend(field(statement, "name").map(text));
                let methods = methods(statement).into_iter();
                self.classes.push(Class {
                    name: field(statement, "name").map(text).unwrap_or_default(),
                    bases: bases(statement).into_iter().map(text).collect(),
                    methods: methods
                        .filter_map(|one| Some((text(field(one, "name")?), parameters(source, one))))
                        .collect(),
                });
            }
            "function_definition" => self.names.extend(field(statement, "name").map(text)),
            "import_from_statement" => {
                let imported = named_children(statement).into_iter().skip(1);
                self.names.extend(imported.map(|one| field(one, "alias").unwrap_or(one)).map(text));
            }
            "expression_statement" => {
                let assigned = named_children(statement).into_iter().filter_map(|one| field(one, "left"));
                self.names.extend(assigned.map(text));
            }
            "if_statement" | "elif_clause" | "else_clause" | "try_statement" | "except_clause" | "block" => {
                for inner in named_children(statement) {
                    self.add(source, inner);
                }
            }
            _ => {}
        }
    }
}
