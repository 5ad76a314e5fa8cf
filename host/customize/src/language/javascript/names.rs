//! The names that hand-written code holds.

use tree_sitter::{Language, Node};

use super::super::tree::{all, field, line, named_children, parse, text_of};

/// TypeScript with XML in it: all of JavaScript, and of TypeScript everything but the old form of casts, which a file
/// with another ending is parsed for.
pub(super) fn grammars() -> [Language; 2] {
    [tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), tree_sitter_typescript::LANGUAGE_TSX.into()]
}

/// The tree of a text in the grammar that fits it better.
pub(super) fn tree(text: &str) -> Option<tree_sitter::Tree> {
    let [first, second] = grammars();
    let tree = parse(&first, text)?;
    if !tree.root_node().has_error() {
        return Some(tree);
    }
    parse(&second, text).filter(|other| !other.root_node().has_error()).or(Some(tree))
}

/// The line, from 1, on which a text declares or exports a name at its top level.
pub(super) fn defines(text: &str, name: &str) -> Option<usize> {
    let tree = tree(text)?;
    declarations(tree.root_node()).into_iter().find(|one| text_of(*one, text) == name).map(line)
}

/// The names that a file declares or exports at its top level.
fn declarations(root: Node<'_>) -> Vec<Node<'_>> {
    let mut names = Vec::new();
    for statement in named_children(root) {
        let statement = match statement.kind() {
            "export_statement" => {
                names.extend(exported(statement));
                match field(statement, "declaration") {
                    Some(declaration) => declaration,
                    None => continue,
                }
            }
            "ambient_declaration" => match named_children(statement).next() {
                Some(declaration) => declaration,
                None => continue,
            },
            _ => statement,
        };
        match statement.kind() {
            "lexical_declaration" | "variable_declaration" => names.extend(
                named_children(statement).filter_map(|one| field(one, "name")).filter(|one| one.kind() == "identifier"),
            ),
            _ if statement.kind().ends_with("_declaration") || statement.kind().ends_with("_signature") => {
                names.extend(field(statement, "name"));
            }
            _ => {}
        }
    }
    names
}

/// `A` and `C` of `export { A, B as C }`.
fn exported(statement: Node<'_>) -> Vec<Node<'_>> {
    all(statement)
        .into_iter()
        .filter(|node| node.kind() == "export_specifier")
        .filter_map(|node| field(node, "alias").or_else(|| field(node, "name")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::defines;

    #[test]
    fn declarations_and_exports_are_found_and_uses_and_members_are_not() {
        let text = "import { Widget } from \"./models\";\nexport interface Summary { inner: string }\ntype Alias = Widget;\n\
            export class Reader<T> { read(): void {} }\nexport const limit = 3, other = 4;\nfunction helper() { const local = 1; }\n\
            export { helper as help, Widget as Gadget } from \"./x\";\nexport enum Kind { A }\nexport * from \"./y\";\ndeclare const told: string;\n";
        for (name, line) in [
            ("Summary", 2),
            ("Alias", 3),
            ("Reader", 4),
            ("limit", 5),
            ("other", 5),
            ("helper", 6),
            ("help", 7),
            ("Gadget", 7),
            ("Kind", 8),
            ("told", 10),
        ] {
            assert_eq!(defines(text, name), Some(line), "{name}");
        }
        for absent in ["Widget", "inner", "read", "local", "A", "T"] {
            assert_eq!(defines(text, absent), None, "{absent}");
        }
    }

    #[test]
    fn both_grammars_are_tried() {
        assert_eq!(defines("const a = <any>b;\nexport class C {}\n", "C"), Some(2));
        assert_eq!(defines("const a = <p>b</p>;\nexport class C {}\n", "C"), Some(2));
    }
}
