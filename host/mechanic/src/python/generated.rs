//! What generated code defines, as far as it was read.

use tree_sitter::Node;

use super::definitions::methods;
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
    /// The functions of its classes.
    methods: Vec<String>,
}

impl Generated {
    pub(crate) fn new(texts: &[Text]) -> Self {
        let modules = texts.iter().filter_map(|text| {
            let source = Source::parse(&text.path, &text.text)?;
            let mut module = Module { path: text.path.clone(), names: Vec::new(), methods: Vec::new() };
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
        self.modules.iter().any(|module| module.methods.iter().any(|one| one == name))
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
                self.methods.extend(methods(statement).into_iter().filter_map(|one| field(one, "name")).map(text));
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
