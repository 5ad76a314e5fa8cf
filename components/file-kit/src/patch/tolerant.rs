//! Finding a piece of text when whitespace differs, and putting the new one there with the file's own indentation.

use super::indent::{self, Indents};
use bailiwick_tool_sdk::diff::Edit;
use bailiwick_tool_sdk::lines::{Lines, with_endings_of, with_line_feeds};
use std::ops::Range;

/// Every place within `region` of `text` that has the words of `old` in their order, with any whitespace between them
/// where `old` has some. A place neither starts nor ends within a name, and whitespace around it is not part of it.
pub(super) fn places(text: &str, region: &Range<usize>, old: &str) -> Vec<Range<usize>> {
    let words: Vec<&str> = old.split_ascii_whitespace().collect();
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    super::exact::places(text, region, first)
        .into_iter()
        .filter_map(|start| {
            let mut end = start.end;
            for word in rest {
                let spaced = text[end..region.end].trim_ascii_start();
                let at = region.end - spaced.len();
                if at == end || !spaced.starts_with(word) {
                    return None;
                }
                end = at + word.len();
            }
            let place = start.start..end;
            (!splits_name(text, place.start) && !splits_name(text, place.end)).then_some(place)
        })
        .collect()
}

/// Whether the characters on both sides of `at` belong to one name.
fn splits_name(text: &str, at: usize) -> bool {
    let in_name = |character: char| character.is_alphanumeric() || character == '_';
    text[..at].chars().next_back().is_some_and(in_name) && text[at..].chars().next().is_some_and(in_name)
}

/// The edit that puts `new` at `place`, which was found for `old`. Indentation, line endings and blank lines around the
/// place stay the file's own.
pub(super) fn edit(text: &str, lines: &Lines<'_>, place: &Range<usize>, old: &str, new: &str) -> Edit {
    let (old, new) = (with_line_feeds(old), with_line_feeds(new));
    let core = old.trim_ascii();
    let lead = &old[..old.len() - old.trim_ascii_start().len()];
    let tail = &old[old.trim_ascii_end().len()..];
    let first_line = lines.span(lines.at(place.start));
    let last = lines.at(place.end.max(1) - 1);
    let content_end = lines.span(last).start + lines.content(last).len();
    let starts_line = text[first_line.start..place.start].trim_ascii().is_empty();
    let ends_line = text[place.end..content_end].trim_ascii().is_empty();
    let start = if starts_line { first_line.start } else { place.start };

    if new.trim_ascii().is_empty() {
        let whole_lines = starts_line && ends_line;
        let end = match whole_lines {
            true if tail.contains('\n') || lead.contains('\n') => lines.span(last).end,
            true => content_end,
            false => place.end,
        };
        return Edit { span: if whole_lines { start..end } else { place.clone() }, with: String::new() };
    }

    let given = &lead[lead.rfind('\n').map_or(0, |at| at + 1)..];
    let indents = learn(text, lines, place, core, given);
    let body = body_of(&new, lead, tail);
    let mut with = String::with_capacity(body.len() + 64);
    for (index, line) in body.split('\n').enumerate() {
        if index > 0 {
            with.push('\n');
        }
        let own = indent::of(line);
        let content = &line[own.len()..];
        if index == 0 && !starts_line {
            with.push_str(own.strip_prefix(given).unwrap_or_default());
        } else if !content.is_empty() {
            with.push_str(&indents.translate(own));
        }
        with.push_str(content);
    }
    let span = start..place.end;
    let with = with_endings_of(text, &span, &with);
    Edit { span, with }
}

/// The part of `new` that stands for the core of the old text: without the blank lines and the spaces that the old text
/// had around its core, too, since those of the file stay. Blank lines that `new` has beyond them are kept.
fn body_of(new: &str, lead: &str, tail: &str) -> String {
    let mut body = new;
    if lead.contains('\n') {
        let blank = new.len() - new.trim_ascii_start().len();
        body = &new[new[..blank].rfind('\n').map_or(0, |at| at + 1)..];
    }
    if tail.is_empty() {
        return body.to_owned();
    }
    let ended = body.trim_ascii_end();
    let feeds = |text: &str| text.matches('\n').count();
    let more = feeds(&body[ended.len()..]).saturating_sub(feeds(tail));
    format!("{ended}{}", "\n".repeat(more))
}

/// What the indentation of the old text's lines is in the file. `given` is that of its first line.
fn learn(text: &str, lines: &Lines<'_>, place: &Range<usize>, core: &str, given: &str) -> Indents {
    let mut indents = Indents::default();
    let first = lines.at(place.start);
    indents.learn(given, indent::of(lines.content(first)));
    let found: Vec<&str> = text[place.clone()].split('\n').collect();
    let old: Vec<&str> = core.split('\n').collect();
    let same = |left: &str, right: &str| left.split_ascii_whitespace().eq(right.split_ascii_whitespace());
    if found.len() == old.len() && found.iter().zip(&old).all(|(left, right)| same(left, right)) {
        for (left, right) in found.iter().zip(&old).skip(1).filter(|(left, _)| !left.trim_ascii().is_empty()) {
            indents.learn(indent::of(right), indent::of(left));
        }
    }
    indents
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patched(text: &str, old: &str, new: &str) -> String {
        let found = places(text, &(0..text.len()), old);
        assert_eq!(found.len(), 1, "{found:?}");
        let edit = edit(text, &Lines::new(text), &found[0], old, new);
        format!("{}{}{}", &text[..edit.span.start], edit.with, &text[edit.span.end..])
    }

    #[test]
    fn indentation_and_neighbouring_lines_stay() {
        assert_eq!(patched("a;\n    foo  bar;", "foo bar;", "foo baz;"), "a;\n    foo baz;");
        assert_eq!(patched("a;\n\tfoo  bar;  \nb", "\n  foo bar;\n", "\n  foo baz;\n"), "a;\n\tfoo baz;  \nb");
        assert_eq!(patched("a;\n  foo  bar;\nb\n", "foo bar;\n", "foo baz;"), "a;\n  foo baz;\nb\n");
    }

    #[test]
    fn lines_are_indented_as_the_file_is() {
        let text = "class A:\n        def f(self):\n            return  1\n";
        let old = "def f(self):\n    return 1";
        let new = "def f(self):\n    if x:\n        return 2\n\n    return 3";
        let expected =
            "class A:\n        def f(self):\n            if x:\n                return 2\n\n            return 3\n";
        assert_eq!(patched(text, old, new), expected);
    }

    #[test]
    fn tabs_stay_tabs() {
        let text = "if (a) {\n\tb( );\n\tc();\n}\n";
        assert_eq!(
            patched(text, "    b( );\n    c();", "    b();\n    if (d)\n        e();"),
            "if (a) {\n\tb();\n\tif (d)\n\t\te();\n}\n"
        );
    }

    #[test]
    fn a_line_broken_elsewhere_is_found() {
        assert_eq!(patched("x = f(a,\n      b)\ny\n", "x = f(a, b)", "x = g(a, b)"), "x = g(a, b)\ny\n");
    }

    #[test]
    fn a_name_is_never_split() {
        let text = "max  = 1\nfoo  barbaz\n";
        assert!(places(text, &(0..text.len()), "x = 1").is_empty());
        assert!(places(text, &(0..text.len()), "foo bar").is_empty());
    }

    #[test]
    fn deletion_takes_whole_lines_when_the_line_end_was_given() {
        assert_eq!(patched("a\n    foo  bar\nb\n", "foo bar\n", ""), "a\nb\n");
        assert_eq!(patched("a\n    foo  bar\nb\n", "foo bar", ""), "a\n\nb\n");
        assert_eq!(patched("a(foo  bar, c)", "foo bar,", ""), "a( c)");
    }

    #[test]
    fn a_piece_within_a_line_leaves_the_rest_of_it() {
        assert_eq!(patched("  x = foo(a,  b) + 1\n", "foo(a, b)", "bar(a)"), "  x = bar(a) + 1\n");
    }
}
