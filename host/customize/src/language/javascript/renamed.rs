//! A stretch that the generation only renamed, and that a person changed as well: sorted imports, wrapped lines, `import type`.
//!
//! Where the tokens of the generated lines before and after differ in identifiers alone, and each identifier became one
//! other everywhere in the stretch, the person's lines get the new names. An identifier that they hold more often than the
//! generated lines did may mean something else there: it stays, and the compiler says what is wrong.

// A generator and a repository write the texts.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

/// What became of the names of one file, as far as its stretches told.
#[derive(Debug, Default)]
pub(super) struct Renamed {
    names: RefCell<BTreeMap<String, String>>,
}

impl Renamed {
    /// Our lines with the names of theirs; `None` where more than names changed, or where it is not certain what became of one.
    pub(super) fn follow(&self, base: &str, ours: &str, theirs: &str) -> Option<String> {
        let [before, after, mine] = [base, theirs, ours].map(tokens);
        let (before, after, mine) = (before?, after?, mine?);
        let names = names(&compared(base, &before), &compared(theirs, &after))?;
        if names.values().any(|new| count(ours, &mine, new) > count(base, &before, new)) {
            return None;
        }
        let certain = names.iter().filter(|(old, _)| count(ours, &mine, old) <= count(base, &before, old));
        let followed = replaced(ours, &mine, &certain.map(|(old, new)| (*old, *new)).collect())?;
        let owned = names.into_iter().map(|(old, new)| (old.to_owned(), new.to_owned()));
        self.names.borrow_mut().extend(owned);
        Some(followed)
    }

    /// The merged file with the names that are gone from theirs changed elsewhere, too: a person may have moved a line, and a
    /// moved line is no line that both changed.
    pub(super) fn finish(&self, merged: String, [base, ours, theirs]: [&str; 3]) -> String {
        let names = self.names.borrow();
        let all = [base, ours, theirs, &merged].map(tokens);
        let [Some(before), Some(mine), Some(after), Some(found)] = all else { return merged };
        let moved = names
            .iter()
            .filter(|(old, _)| count(theirs, &after, old) == 0 && count(ours, &mine, old) <= count(base, &before, old));
        let moved = moved.map(|(old, new)| (old.as_str(), new.as_str())).collect();
        replaced(&merged, &found, &moved).unwrap_or(merged)
    }
}

/// How often a text has an identifier.
fn count(text: &str, tokens: &[Token], name: &str) -> usize {
    tokens.iter().filter(|one| one.kind == Kind::Name && one.text(text) == name).count()
}

/// A text with other identifiers.
fn replaced(text: &str, tokens: &[Token], names: &BTreeMap<&str, &str>) -> Option<String> {
    let mut other = String::new();
    let mut at = 0;
    for token in tokens.iter().filter(|token| token.kind == Kind::Name) {
        let Some(new) = names.get(token.text(text)) else { continue };
        other.push_str(text.get(at..token.range.start)?);
        other.push_str(new);
        at = token.range.end;
    }
    other.push_str(text.get(at..)?);
    Some(other)
}

/// What each identifier that changed became. None where something else changed, or where one became two things.
fn names<'t>(before: &[(Kind, &'t str)], after: &[(Kind, &'t str)]) -> Option<BTreeMap<&'t str, &'t str>> {
    if before.len() != after.len() {
        return None;
    }
    let mut became: BTreeMap<&str, &str> = BTreeMap::new();
    for ((kind, old), (other, new)) in before.iter().zip(after) {
        let renamed = *kind == Kind::Name && *other == Kind::Name;
        if !renamed && (kind, old) != (other, new) {
            return None;
        }
        if renamed && became.insert(old, new).is_some_and(|known| known != *new) {
            return None;
        }
    }
    became.retain(|old, new| old != new);
    (!became.is_empty()).then_some(became)
}

/// The tokens that a comparison looks at: no comments, and no commas that only a formatter sets.
fn compared<'t>(text: &'t str, tokens: &[Token]) -> Vec<(Kind, &'t str)> {
    let code: Vec<(Kind, &str)> =
        tokens.iter().filter(|one| one.kind != Kind::Comment).map(|one| (one.kind, one.text(text))).collect();
    let closes = |next: Option<&(Kind, &str)>| next.is_some_and(|(_, text)| matches!(*text, "}" | ")" | "]" | ">"));
    let kept = code.iter().enumerate();
    kept.filter(|(at, one)| one.1 != "," || !closes(code.get(at.saturating_add(1)))).map(|(_, one)| *one).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    Comment,
    /// Strings, numbers and signs.
    Other,
}

#[derive(Debug)]
struct Token {
    kind: Kind,
    range: Range<usize>,
}

impl Token {
    fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.range.clone()).unwrap_or_default()
    }
}

/// The tokens of a part of a module; `None` where a string or a comment goes beyond it, or began before it.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut at: usize = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next()?;
        let (kind, length) = if first.is_whitespace() {
            at = at.saturating_add(first.len_utf8());
            continue;
        } else if rest.starts_with("//") {
            (Kind::Comment, rest.find('\n').unwrap_or(rest.len()))
        } else if let Some(inside) = rest.strip_prefix("/*") {
            (Kind::Comment, inside.find("*/")?.saturating_add(4))
        } else if rest.starts_with("*/") {
            return None;
        } else if matches!(first, '"' | '\'' | '`') {
            (Kind::Other, string(rest, first)?)
        } else if is_of_name(first) {
            let length = rest.find(|sign| !is_of_name(sign)).unwrap_or(rest.len());
            (if first.is_ascii_digit() { Kind::Other } else { Kind::Name }, length)
        } else {
            (Kind::Other, first.len_utf8())
        };
        let end = at.saturating_add(length);
        tokens.push(Token { kind, range: at..end });
        at = end;
    }
    Some(tokens)
}

fn is_of_name(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '_' | '$')
}

/// The length of the string that a text begins with. One of a line ends there; of a template, code in it is a part.
fn string(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    let mut depth: usize = 0;
    let mut before = quote;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if quote != '`' => return None,
            '{' if quote == '`' && (depth > 0 || before == '$') => depth = depth.saturating_add(1),
            '}' => depth = depth.saturating_sub(1),
            // A template inside of one is not read.
            '`' if depth > 0 => return None,
            _ if sign == quote => return Some(at.saturating_add(quote.len_utf8())),
            _ => {}
        }
        before = sign;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(base: &str, ours: &str, theirs: &str) -> Option<String> {
        Renamed::default().follow(base, ours, theirs)
    }

    #[test]
    fn line_that_a_person_moved_gets_the_new_name_where_it_stands_now() {
        let base = "import {\n  Widget,\n  read,\n} from \"a\";\nread();\n";
        let ours = "import type {\n  Widget,\n} from \"a\";\nimport {\n  read,\n} from \"a\";\nread();\n";
        let theirs = base.replace("read", "load");
        let renamed = Renamed::default();
        assert!(renamed.follow("  Widget,\n  read,\n", "  Widget,\n", "  Widget,\n  load,\n").is_some());
        let merged = ours.replace("read();", "load();");
        assert_eq!(renamed.finish(merged.clone(), [base, ours, &theirs]), ours.replace("read", "load"));
        // The generated file has the old name for something else.
        let still = format!("{theirs}read;\n");
        assert_eq!(renamed.finish(merged.clone(), [base, ours, &still]), merged);
        let more = format!("{ours}read;\n");
        assert_eq!(renamed.finish(merged.clone(), [base, &more, &theirs]), merged, "a person uses it more often");
    }

    const BEFORE: &str =
        "import { Part, Widget, widgetDeserializer } from \"./models.js\";\nimport { Paged } from \"./paging.js\";\n";

    #[test]
    fn sorted_and_split_imports_get_the_new_names() {
        let ours = "import type { Part, Widget } from \"./models.js\";\nimport { widgetDeserializer } from \"./models.js\";\nimport type { Paged } from \"./paging.js\";\n";
        // A formatter breaks the longer line.
        let theirs = "import {\n  Part,\n  WorkshopWidget,\n  workshopWidgetDeserializer,\n} from \"./models.js\";\nimport { Paged } from \"./paging.js\";\n";
        assert_eq!(
            follow(BEFORE, ours, theirs).unwrap(),
            "import type { Part, WorkshopWidget } from \"./models.js\";\nimport { workshopWidgetDeserializer } from \"./models.js\";\nimport type { Paged } from \"./paging.js\";\n"
        );
    }

    #[test]
    fn what_a_string_says_and_what_people_use_more_often_stays() {
        let ours = "  // kid of the key\n  kid: item[\"kid\"] ?? none,\n";
        assert_eq!(
            follow("  kid: item[\"kid\"],\n", ours, "  keyId: item[\"kid\"],\n").unwrap(),
            "  // kid of the key\n  keyId: item[\"kid\"] ?? none,\n"
        );
        let ours = "import { Widget } from \"./models.js\";\nexport type Mine = Widget & Part;\nlet kid = f(Widget);\n";
        let theirs = BEFORE.replace("Widget,", "Gadget,");
        assert_eq!(follow(BEFORE, ours, &theirs).as_deref(), Some(ours));
    }

    #[test]
    fn template_is_one_string_with_the_code_in_it() {
        let ours = "const url = `${base}/{${f({ Part })}}`;\nexport { Part };\n";
        assert_eq!(
            follow("export { Part };\n", ours, "export { Piece };\n").as_deref(),
            Some("const url = `${base}/{${f({ Part })}}`;\nexport { Piece };\n")
        );
        assert_eq!(follow("export { Part };\n", "`${a(`b`)}`;\n", "export { Piece };\n"), None);
    }

    #[test]
    fn more_than_a_rename_is_left_alone() {
        let followed = |theirs: &str| follow("a(b, c);\n", "a(b, c); // mine\n", theirs);
        assert_eq!(followed("x(b, c);\n").as_deref(), Some("x(b, c); // mine\n"));
        for theirs in
            ["a(b);\n", "a(b, 1);\n", "a(b, c, d);\n", "a(b, \"c\");\n", "a(b, c);\n", "a(b, `c${d}`);\n", "a(b, c)/*"]
        {
            assert_eq!(followed(theirs), None, "{theirs}");
        }
        // One name became two things, or the new one is there already.
        assert_eq!(follow("a(a);\n", "a(a) ;\n", "a(b);\n"), None);
        assert_eq!(follow("a(c);\n", "const b = a(c);\n", "b(c);\n"), None);
    }
}
