//! Whether a customization class wrote what a generated file holds without `@Generated`.
//!
//! JavaParser adds members without the annotation, and an emitter that updates files takes such members for a person's: it
//! keeps them as they once were, whatever the customization says now.

use tree_sitter::Node;

use super::code_text::{CodeText, packed};
use super::source::Source;
use crate::syntax::{children, field, is_comment, line, named_children, nodes};

/// Who wrote a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// It has `@Generated`.
    Emitter,
    /// It has not.
    Person,
}

/// A method of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicMethod<'s> {
    /// Who wrote it.
    pub author: Author,
    /// The type that declares it.
    pub class: &'s str,
    /// Its name.
    pub name: &'s str,
    /// Where its name stands, from 1.
    pub line: u32,
}

impl Source {
    /// Whether every member without `@Generated` is one that a customization adds: each statement of it, and each sentence of
    /// its Javadoc, stands in the strings of one of these classes. Then nothing is lost with the file.
    #[must_use]
    pub fn is_made_by(&self, customizations: &[Source]) -> bool {
        let own = self.own_members();
        let texts: Vec<CodeText> = customizations.iter().map(CodeText::of).collect();
        !own.is_empty()
            && !self.holds_more()
            && own.into_iter().all(|member| texts.iter().any(|text| self.is_stated(member, text)))
    }

    /// Whether a type of the file holds a thing that is no member which could be compared: a type of its own, an
    /// initializer, a remark between the members. It is a person's, as far as is known.
    fn holds_more(&self) -> bool {
        let bodies: Vec<Node<'_>> =
            named_children(self.root()).into_iter().filter_map(|node| field(node, "body")).collect();
        let is_remark = |node: &Node<'_>| is_comment(*node) && self.text(*node).starts_with("//");
        let is_other = |node: &Node<'_>| match node.kind() {
            "method_declaration"
            | "field_declaration"
            | "constructor_declaration"
            | "enum_constant"
            | "enum_body_declarations"
            | "block_comment" => false,
            _ => !self.is_annotated(*node, "Generated"),
        };
        bodies.iter().any(|body| children(*body).iter().any(is_remark) || named_children(*body).iter().any(is_other))
    }

    /// Whether each annotation of a member is named by the customization.
    fn is_annotated_by(&self, member: Node<'_>, text: &CodeText) -> bool {
        let modifiers = children(member).into_iter().filter(|node| node.kind() == "modifiers");
        modifiers
            .flat_map(named_children)
            .filter(|node| node.kind().ends_with("annotation"))
            .all(|node| field(node, "name").is_some_and(|name| text.says(self.text(name))))
    }

    fn is_stated(&self, member: Node<'_>, text: &CodeText) -> bool {
        if !self.is_annotated_by(member, text) {
            return false;
        }
        let comment = member.prev_sibling().filter(|before| before.kind().ends_with("comment"));
        if !comment.is_none_or(|comment| self.is_documented(comment, text)) {
            return false;
        }
        if nodes(member).into_iter().any(|node| is_comment(node) && !text.says(self.text(node))) {
            return false;
        }
        let name = |node: Node<'_>| field(node, "name").map(|name| self.text(name)).unwrap_or_default();
        match member.kind() {
            "method_declaration" | "constructor_declaration" => {
                let is_constructor = member.kind() == "constructor_declaration";
                let is_added = if is_constructor { text.adds_constructors } else { text.adds(name(member)) };
                let statements = field(member, "body").map(named_children).unwrap_or_default();
                is_added && statements.into_iter().all(|one| text.says(self.text(one)))
            }
            "field_declaration" => {
                let declarators = children(member).into_iter().filter(|node| node.kind() == "variable_declarator");
                declarators.into_iter().all(|one| {
                    text.adds(name(one)) && field(one, "value").is_none_or(|value| text.says(self.text(value)))
                })
            }
            _ => false,
        }
    }

    /// Whether a comment is one that the customization writes: each of its parts, between the tags.
    fn is_documented(&self, comment: Node<'_>, text: &CodeText) -> bool {
        let words = self.text(comment).trim_start_matches("/*").trim_end_matches("*/");
        let lines = words.lines().map(|line| line.trim().trim_start_matches(['*', '/']).trim());
        let plain = lines.collect::<Vec<_>>().join(" ");
        plain.split('@').map(packed).all(|part| text.packed.contains(&part))
    }

    /// The members without `@Generated` of the types of a file that has others with it.
    pub(super) fn own_members(&self) -> Vec<Node<'_>> {
        let bodies = named_children(self.root()).into_iter().filter_map(|node| field(node, "body"));
        let own = bodies.flat_map(|body| {
            let inner = named_children(body).into_iter().flat_map(|node| match node.kind() {
                "enum_body_declarations" => named_children(node),
                _ => vec![node],
            });
            let (generated, own): (Vec<_>, Vec<_>) =
                inner.filter(is_member).partition(|node| self.is_annotated(*node, "Generated"));
            if generated.is_empty() { Vec::new() } else { own }
        });
        own.collect()
    }

    /// The public methods of the types of a file.
    #[must_use]
    pub fn public_methods(&self) -> Vec<PublicMethod<'_>> {
        let name = |node: Node<'_>| field(node, "name").map(|name| self.text(name)).unwrap_or_default();
        let of_type = |declared: Node<'_>| {
            let members = field(declared, "body").map(named_children).unwrap_or_default().into_iter();
            let is_public = |member: &Node<'_>| {
                member.kind() == "method_declaration"
                    && children(*member)
                        .into_iter()
                        .filter(|node| node.kind() == "modifiers")
                        .flat_map(children)
                        .any(|node| node.kind() == "public")
            };
            let of = |member: Node<'_>| PublicMethod {
                author: if self.is_annotated(member, "Generated") { Author::Emitter } else { Author::Person },
                class: name(declared),
                name: name(member),
                line: field(member, "name").map_or_else(|| line(member), line),
            };
            members.filter(is_public).map(of).collect::<Vec<_>>()
        };
        named_children(self.root()).into_iter().flat_map(of_type).collect()
    }

    /// The strings of a file as one text, in their order.
    pub(super) fn strings(&self) -> impl Iterator<Item = Node<'_>> {
        nodes(self.root()).into_iter().filter(|node| node.kind() == "string_literal")
    }
}

/// What an emitter that updates a file takes over where it has no `@Generated`.
fn is_member(node: &Node<'_>) -> bool {
    matches!(
        node.kind(),
        "method_declaration"
            | "field_declaration"
            | "constructor_declaration"
            | "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "block"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUSTOMIZATION: &str = r#"class C extends Customization { void customize(L library, Logger logger) {
        library.getClass("com.w", "Place").customizeAst(ast -> ast.getClassByName("Place").ifPresent(clazz -> {
            clazz.addConstructor(Modifier.Keyword.PUBLIC).addParameter("Point", "point")
                .setBody(new BlockStmt(new NodeList<>(StaticJavaParser.parseStatement("this.lat = point.getLat();"))))
                .setJavadocComment(new Javadoc(JavadocDescription.parseText("Creates a Place."))
                    .addBlockTag("param", "point", "the point of it."));
            clazz.addMethod("label").setType("String").setBody(StaticJavaParser.parseBlock("{ return \"at \" + this.lat; }"));
            clazz.addField("int", "count");
        })); } }"#;

    fn is_made(own: &str) -> bool {
        let text = format!("class Place {{\n  @Generated\n  private double lat;\n{own}\n}}\n");
        Source::parse("Place.java", &text).unwrap().is_made_by(&[Source::parse("C.java", CUSTOMIZATION).unwrap()])
    }

    const CONSTRUCTOR: &str = "  /**\n   * Creates a Place.\n   *\n   * @param point the point of it.\n   */\n  public Place(Point point) {\n    this.lat = point.getLat();\n  }\n";

    #[test]
    fn members_that_a_customization_adds_are_told_by_all_that_they_say() {
        let label = "  public String label() {\n    return \"at \"\n      + this.lat;\n  }\n  private int count;\n";
        assert!(is_made(CONSTRUCTOR));
        assert!(is_made(&format!("{CONSTRUCTOR}{label}")));
    }

    #[test]
    fn anything_that_a_person_added_or_changed_stays_a_persons() {
        for own in [
            "",
            &CONSTRUCTOR.replace("getLat()", "getLatitude()"),
            &CONSTRUCTOR.replace("Creates a Place.", "Creates a Place. Never null."),
            &CONSTRUCTOR.replace("    this.lat", "    // checked above\n    this.lat"),
            "  public String other() {\n    return \"at \" + this.lat;\n  }\n",
            "  public String label() {\n    return \"near \" + this.lat;\n  }\n",
            "  private int count = 3;\n",
            &format!("{CONSTRUCTOR}  @Deprecated\n  private int count;\n"),
            &format!("{CONSTRUCTOR}  public enum Side {{ LEFT }}\n"),
            &format!("{CONSTRUCTOR}  static final class Helper {{ }}\n"),
            &format!("{CONSTRUCTOR}  static {{ load(); }}\n"),
            &format!("  // Do not sort.\n\n{CONSTRUCTOR}"),
        ] {
            assert!(!is_made(own), "{own}");
        }
    }

    #[test]
    fn type_or_initializer_of_a_person_is_a_part_that_the_emitter_takes_over() {
        let has_own = |member: &str| {
            let text = format!("class Place {{\n  @Generated\n  private double lat;\n  {member}\n}}\n");
            Source::parse("Place.java", &text).unwrap().has_own_members()
        };
        for member in ["enum Side { LEFT }", "class A { }", "interface A { }", "record A() { }", "{ init(); }"] {
            assert!(has_own(member), "{member}");
            assert!(!is_made(member), "{member}");
        }
        assert!(!has_own("@Generated class A { }"));
        assert!(!has_own(""));
    }
}
