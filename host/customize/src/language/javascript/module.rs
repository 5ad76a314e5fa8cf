//! What a module imports and exports.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::syntax::{children, field, line, named_children, nodes};
use tree_sitter::{Node, Tree};

use super::names::tree;

/// A module with its syntax tree.
pub(super) struct Module<'t> {
    text: &'t str,
    tree: Tree,
}

/// A name that a module imports or exports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Passed {
    /// Its name here: outside for an export.
    pub(super) name: String,
    /// Its name where it comes from.
    pub(super) original: String,
    /// The module that it comes from, as it is written; `None` for something of this module.
    pub(super) source: Option<String>,
    /// Where it is written, from 1.
    pub(super) line: u32,
}

impl<'t> Module<'t> {
    /// Parses a module; `None` where its syntax has an error, for then nothing in it is certain.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let tree = tree(text).filter(|tree| !tree.root_node().has_error())?;
        Some(Self { text, tree })
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn statements(&self) -> Vec<Node<'_>> {
        named_children(self.tree.root_node())
    }

    /// What it imports by name.
    pub(super) fn imports(&self) -> Vec<Passed> {
        let statements = self.statements().into_iter().filter(|node| node.kind() == "import_statement");
        statements.flat_map(|statement| self.passed(statement, "import_specifier")).collect()
    }

    /// The module behind a name under which all of it is imported: `import * as api from "./api.js"`.
    pub(super) fn namespace(&self, name: &str) -> Option<String> {
        let is_it = |node: &Node<'_>| {
            node.kind() == "namespace_import" && named_children(*node).iter().any(|one| self.text(*one) == name)
        };
        let statements = self.statements().into_iter().filter(|node| node.kind() == "import_statement");
        let of = statements.into_iter().find(|statement| nodes(*statement).iter().any(is_it))?;
        self.source(of)
    }

    /// What it exports by a clause, with what stands behind a name that it imports.
    pub(super) fn exports(&self) -> Vec<Passed> {
        let imports = self.imports();
        let statements = self.statements().into_iter().filter(|node| node.kind() == "export_statement");
        let exports = statements.flat_map(|statement| self.passed(statement, "export_specifier"));
        exports
            .map(|one| match imports.iter().find(|import| one.source.is_none() && import.name == one.original) {
                Some(import) => Passed { original: import.original.clone(), source: import.source.clone(), ..one },
                None => one,
            })
            .collect()
    }

    /// The modules of which it exports everything.
    pub(super) fn exports_all(&self) -> Vec<String> {
        let all = |node: &Node<'_>| children(*node).iter().any(|child| child.kind() == "*");
        let statements = self.statements().into_iter().filter(|node| node.kind() == "export_statement");
        statements.filter(all).filter_map(|node| self.source(node)).collect()
    }

    fn passed(&self, statement: Node<'_>, kind: &str) -> Vec<Passed> {
        let source = self.source(statement);
        // A statement with a declaration in it holds no clause.
        let clauses = if field(statement, "declaration").is_none() { nodes(statement) } else { Vec::new() };
        let specifiers = clauses.into_iter().filter(|node| node.kind() == kind);
        let one = |specifier: Node<'_>| {
            let original = field(specifier, "name")?;
            let name = field(specifier, "alias").unwrap_or(original);
            let (name, line, original) = (self.text(name).to_owned(), line(name), self.text(original).to_owned());
            Some(Passed { name, original, source: source.clone(), line })
        };
        specifiers.filter_map(one).collect()
    }

    /// The module that a statement names.
    fn source(&self, statement: Node<'_>) -> Option<String> {
        field(statement, "source").map(|source| self.text(source).trim_matches(['"', '\'']).to_owned())
    }

    /// What it declares and exports, each with the name under which it does: classes, interfaces, functions and the like.
    pub(super) fn declared(&self) -> Vec<(String, Node<'_>)> {
        let exports = self.exports();
        let mut found = Vec::new();
        for statement in self.statements() {
            let inner = field(statement, "declaration").filter(|_| statement.kind() == "export_statement");
            let declaration = inner.unwrap_or(statement);
            let mut declarations = vec![declaration];
            if matches!(declaration.kind(), "lexical_declaration" | "variable_declaration") {
                declarations = named_children(declaration);
            }
            for one in declarations {
                let Some(name) = field(one, "name").map(|name| self.text(name)) else { continue };
                let outside = exports.iter().filter(|export| export.source.is_none() && export.original == name);
                found.extend(outside.map(|export| (export.name.clone(), one)));
                if inner.is_some() {
                    found.push((name.to_owned(), one));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_exports_and_exported_declarations_are_read_with_what_stands_behind_them() {
        let text = "import { KeyVaultClient, type Setting as GeneratedSetting } from \"./generated/index.js\";\n\
            import * as api from \"./api\";\nexport { GeneratedSetting as Setting, helper as help };\n\
            export { get as _get, list } from './x.js';\nexport * from \"./y.js\";\nexport * as z from \"./z.js\";\n\
            function helper() {}\nexport class Client {}\nclass Hidden {}\nexport const a = 1, b = () => 2;\n\
            export default function main() {}\n";
        let module = Module::parse(text).unwrap();
        let brief = |all: Vec<Passed>| -> Vec<String> {
            all.into_iter()
                .map(|one| format!("{}={} {}", one.name, one.original, one.source.unwrap_or_default()))
                .collect()
        };
        let generated = "./generated/index.js";
        assert_eq!(
            brief(module.imports()),
            [format!("KeyVaultClient=KeyVaultClient {generated}"), format!("GeneratedSetting=Setting {generated}")]
        );
        assert_eq!(
            brief(module.exports()),
            [&format!("Setting=Setting {generated}"), "help=helper ", "_get=get ./x.js", "list=list ./x.js"]
        );
        assert_eq!(module.exports_all(), ["./y.js"]);
        assert_eq!((module.namespace("api").as_deref(), module.namespace("Setting")), (Some("./api"), None));
        let declared: Vec<String> = module.declared().into_iter().map(|(name, _)| name).collect();
        assert_eq!(declared, ["help", "Client", "a", "b", "main"]);
        assert!(Module::parse("export class {").is_none());
    }
}
