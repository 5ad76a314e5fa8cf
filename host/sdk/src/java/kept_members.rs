//! Whether a file that was generated anew holds the members without `@Generated` that it held before.

use std::collections::BTreeSet;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use tree_sitter::Node;

use super::source::Source;
use crate::syntax::{children, is_comment, last_line, line};

/// What the versions of a customization say in each other's place, word by word.
#[derive(Debug, Default)]
pub struct Exchanges(BTreeSet<(String, String)>);

impl Exchanges {
    /// The words that differ between two of these versions, each with the one in its place.
    #[must_use]
    pub fn between(versions: &[String]) -> Self {
        let words: Vec<Vec<&str>> = versions.iter().map(|text| pieces(text).collect()).collect();
        let mut found = BTreeSet::new();
        for before in &words {
            for after in words.iter().filter(|after| *after != before) {
                for op in capture_diff_slices(Algorithm::Myers, before, after) {
                    if let DiffOp::Replace { old_index, old_len, new_index, new_len } = op
                        && old_len == new_len
                    {
                        let old = before.iter().skip(old_index).take(old_len);
                        let new = after.iter().skip(new_index).take(new_len);
                        // A sign or white space in another one's place explains nothing.
                        let words =
                            old.zip(new).filter(|(old, new)| old.starts_with(is_word) && new.starts_with(is_word));
                        found.extend(words.map(|(&old, &new)| (old.to_owned(), new.to_owned())));
                    }
                }
            }
        }
        Self(found)
    }

    fn explain(&self, old: &str, new: &str) -> bool {
        old == new || self.0.contains(&(old.to_owned(), new.to_owned()))
    }
}

impl Source {
    /// Whether each member without `@Generated` stands in another text of the file, piece by piece, with its annotations and
    /// its Javadoc; only words that a customization exchanged may differ.
    #[must_use]
    pub fn keeps_members_in(&self, now: &Source, exchanges: &Exchanges) -> bool {
        let mut there: Vec<Vec<&str>> = now.own_members().into_iter().map(|member| now.pieces_of(member)).collect();
        self.own_members().into_iter().all(|member| {
            let pieces = self.pieces_of(member);
            let same = |other: &Vec<&str>| {
                other.len() == pieces.len() && pieces.iter().zip(other).all(|(old, new)| exchanges.explain(old, new))
            };
            there.iter().position(same).map(|at| there.swap_remove(at)).is_some()
        })
    }

    /// Whether a text of a generated file differs from this one in nothing but imports and members without `@Generated`: what
    /// a person writes there, and an emitter that updates the file takes over.
    #[must_use]
    pub fn differs_in_own_members_alone(&self, now: &Source) -> bool {
        self.generated_pieces() == now.generated_pieces()
    }

    /// The members without `@Generated`, each with the comment in front of it.
    #[must_use]
    pub fn own_text(&self) -> String {
        let members = self.own_members().into_iter();
        let nodes =
            members.flat_map(|node| node.prev_sibling().filter(|one| is_comment(*one)).into_iter().chain([node]));
        nodes.map(|node| self.text(node)).collect::<Vec<_>>().join("\n")
    }

    /// Whether a line, from 1, is one of an import or of a member without `@Generated`.
    #[must_use]
    pub fn is_own_line(&self, number: u32) -> bool {
        self.own_nodes().into_iter().any(|node| (line(node)..=last_line(node)).contains(&number))
    }

    fn own_nodes(&self) -> Vec<Node<'_>> {
        let imports = children(self.root()).into_iter().filter(|node| node.kind() == "import_declaration");
        imports.chain(self.own_members()).collect()
    }

    /// The text without imports and a person's members, in pieces.
    fn generated_pieces(&self) -> Vec<&str> {
        let mut own = self.own_nodes();
        let members = self.own_members();
        own.extend(members.iter().filter_map(Node::prev_sibling).filter(|before| is_comment(*before)));
        own.sort_by_key(Node::start_byte);
        let mut found = Vec::new();
        let mut at = 0;
        for node in own {
            found.extend(pieces(self.text.get(at..node.start_byte()).unwrap_or_default()));
            at = at.max(node.end_byte());
        }
        found.extend(pieces(self.text.get(at..).unwrap_or_default()));
        found.retain(|piece| !piece.trim().is_empty());
        found
    }

    /// A member and the comment in front of it, in pieces: no white space of the layout, all of it in literals.
    fn pieces_of(&self, member: Node<'_>) -> Vec<&str> {
        let comment = member.prev_sibling().filter(|before| is_comment(*before));
        let mut found = Vec::new();
        for node in comment.into_iter().chain([member]) {
            self.collect_pieces(node, &mut found);
        }
        found
    }

    fn collect_pieces<'a>(&'a self, node: Node<'_>, found: &mut Vec<&'a str>) {
        let text = self.text(node);
        if is_comment(node) {
            found.extend(pieces(text).filter(|piece| !piece.trim().is_empty() && *piece != "*"));
        } else if node.kind().ends_with("_literal") || node.child_count() == 0 {
            found.extend(pieces(text));
        } else {
            for child in children(node) {
                self.collect_pieces(child, found);
            }
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// Words, and each other character for itself.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let first = rest.chars().next()?;
        let length =
            if is_word(first) { rest.find(|one| !is_word(one)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let span: Range<usize> = at..at + length;
        at = span.end;
        text.get(span)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBER: &str = "  /** The text. */\n  public String label() {\n    return \"at \" + this.lat;\n  }\n";

    fn source(own: &str) -> Source {
        let text = format!("class Place {{\n  @Generated\n  private double lat;\n{own}\n}}\n");
        Source::parse("Place.java", &text).unwrap()
    }

    fn keeps(before: &str, now: &str) -> bool {
        let class = |name: &str| format!("clazz.addMethod(\"label\").setBody(\"return this.{name};\"); other();");
        source(before).keeps_members_in(&source(now), &Exchanges::between(&[class("latitude"), class("lat")]))
    }

    #[test]
    fn only_members_of_a_person_and_imports_may_differ() {
        let before = source(MEMBER);
        let differs = |text: &str| before.differs_in_own_members_alone(&Source::parse("Place.java", text).unwrap());
        let text = before.text.clone();
        assert!(differs(&text));
        assert!(differs(&text.replace("label()", "title()")));
        assert!(differs(&text.replace("The text.", "The title.")));
        assert!(differs(&format!("import java.util.List;\n{text}")));
        for after in [
            text.replace("private double lat", "public double lat"),
            text.replace("  @Generated\n", ""),
            text.replace("  public String", "  @Generated\n  public String"),
            text.replace("class Place", "final class Place"),
            format!("// A remark.\n{text}"),
        ] {
            assert!(!differs(&after), "{after}");
        }
    }

    #[test]
    fn lines_of_a_person_are_told_from_generated_ones() {
        let file = Source::parse("A.java", &format!("import java.util.List;\n{}", source(MEMBER).text)).unwrap();
        let own: Vec<u32> = (1..=12).filter(|line| file.is_own_line(*line)).collect();
        assert_eq!(own, [1, 6, 7, 8]);
        let text = file.own_text();
        assert!(text.starts_with("/** The text. */\npublic String label()") && !text.contains("double"), "{text}");
    }

    #[test]
    fn members_stand_again_with_another_layout_and_the_words_that_a_customization_exchanged() {
        assert!(keeps(MEMBER, MEMBER));
        assert!(keeps(MEMBER, "/**\n * The text.\n */\npublic String label() { return \"at \" + this.lat; }"));
        assert!(keeps(&MEMBER.replace("lat;", "latitude;"), MEMBER));
    }

    #[test]
    fn change_of_a_person_is_missed_wherever_in_a_member_it_is() {
        for change in [
            ("public", "protected"),
            ("public", "@Deprecated\n  public"),
            ("label()", "label(Locale locale)"),
            ("label()", "label() throws IOException"),
            ("label()", "lab()"),
            ("return ", "this.count(); return "),
            ("\"at \"", "\"at\""),
            ("\"at \"", "\"at  \""),
            ("this.lat", "this.flat"),
            ("this.lat", "this.lat /* in degrees */"),
            ("The text.", "The text, never null."),
            ("  /** The text. */\n", ""),
        ] {
            let edited = MEMBER.replace(change.0, change.1);
            assert!(edited != MEMBER && !keeps(&edited, MEMBER), "{edited}");
        }
        let class = |sign: &str| format!("clazz.setBody(\"return 1 {sign} 2;\");");
        let exchanges = Exchanges::between(&[class("+"), class("-")]);
        let minus = MEMBER.replace('+', "-");
        assert!(!source(MEMBER).keeps_members_in(&source(&minus), &exchanges), "a sign is not a word");
        let twice = format!("{MEMBER}{MEMBER}");
        assert!(!keeps(&twice, MEMBER), "two members, and one of them is missing");
    }
}
