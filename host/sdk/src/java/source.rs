//! A parsed Java file.

use std::fmt;

use tree_sitter::{Node, Tree};

use crate::syntax::{children, field, line, named_children};

/// A Java file with its syntax tree.
pub struct Source {
    /// The file, for places: with its grant, or relative to the package.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its syntax tree.
    pub tree: Tree,
}

impl fmt::Debug for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Source").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Source {
    /// Parses a file; `None` when its syntax has an error, for then nothing in it is certain.
    #[must_use]
    pub fn parse(path: &str, text: &str) -> Option<Self> {
        let tree = crate::syntax::parse(&tree_sitter_java::LANGUAGE.into(), text)?;
        Some(Self { path: path.to_owned(), text: text.to_owned(), tree })
    }

    /// The line, from 1, of the type of this name that the file declares at its top level.
    #[must_use]
    pub fn declares_type(&self, name: &str) -> Option<u32> {
        children(self.root())
            .into_iter()
            .find(|node| field(*node, "name").is_some_and(|found| self.text(found) == name))
            .map(line)
    }

    /// Whether the file changes nothing of what is generated: its one class extends `Customization`, and its `customize`
    /// method is all it has and is empty. That is what people begin with.
    #[must_use]
    pub fn is_untouched_customization(&self) -> bool {
        let types: Vec<Node<'_>> =
            named_children(self.root()).into_iter().filter(|node| field(*node, "body").is_some()).collect();
        let [class] = types[..] else { return types.is_empty() };
        let (Some(parent), Some(body)) = (field(class, "superclass"), field(class, "body")) else { return false };
        let extends = named_children(parent).into_iter().any(|node| self.text(node).ends_with("Customization"));
        extends && named_children(body).into_iter().all(|member| self.is_empty_customize(member))
    }

    /// Whether a generated file holds members that a person wrote: beside members with `@Generated` it has others without.
    /// An emitter that updates the file takes them over.
    #[must_use]
    pub fn has_own_members(&self) -> bool {
        !self.own_members().is_empty()
    }

    /// Whether a declaration has an annotation of this name.
    pub(super) fn is_annotated(&self, declaration: Node<'_>, name: &str) -> bool {
        let modifiers = children(declaration).into_iter().filter(|node| node.kind() == "modifiers");
        modifiers.flat_map(named_children).any(|node| {
            node.kind().ends_with("annotation") && field(node, "name").is_some_and(|one| self.text(one) == name)
        })
    }

    fn is_empty_customize(&self, member: Node<'_>) -> bool {
        member.kind() == "method_declaration"
            && field(member, "name").is_some_and(|name| self.text(name) == "customize")
            && field(member, "body").is_some_and(|body| named_children(body).is_empty())
    }

    /// The node of the whole file.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// What a node covers.
    #[must_use]
    pub fn text(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Every node, parents before children.
    #[must_use]
    pub fn nodes(&self) -> Vec<Node<'_>> {
        crate::syntax::nodes(self.root())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_with_an_empty_method_is_untouched_and_one_with_a_statement_is_not() {
        let class = |body: &str| {
            let text = format!(
                "import x.Y;\npublic class C extends Customization {{\n  @Override\n  public void customize(L l, Logger log) {{ {body} }}\n}}\n"
            );
            Source::parse("C.java", &text).unwrap().is_untouched_customization()
        };
        assert!(class(""));
        assert!(class("/* to be written */"));
        assert!(!class("log.info(\"x\");"));
        assert!(!Source::parse("H.java", "class H { int a; }").unwrap().is_untouched_customization());
        assert!(Source::parse("E.java", "// nothing\n").unwrap().is_untouched_customization());
    }
}
