//! Augment decorators that go on over several lines, as the formatter of TypeSpec breaks long ones.

use super::Line;

/// The most lines of one decorator.
const MOST: usize = 8;

/// The last line of a decorator that begins in a line and does not end there.
pub(super) fn last_line(lines: &[Line<'_>], at: usize) -> Option<usize> {
    let first = lines.get(at)?.text.trim();
    let name = first.strip_prefix("@@")?.strip_suffix('(').filter(|name| !name.is_empty())?;
    if !name.chars().all(char::is_alphanumeric) {
        return None;
    }
    let inner = at.saturating_add(1)..at.saturating_add(MOST);
    let last =
        inner.clone().find(|&at| lines.get(at).is_some_and(|line| line.text.trim().trim_end_matches(';') == ")"))?;
    let is_argument = |at: usize| {
        lines.get(at).is_some_and(|line| !line.text.starts_with(['-', '+']) && !line.text.trim().is_empty())
    };
    (inner.start..last).all(is_argument).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::super::{Role, units};

    #[test]
    fn decorator_over_several_lines_is_one_suggestion_inside_and_outside_of_a_block() {
        let text = "@@clientName(\n  Widgets.list,\n  \"getAll\",\n  \"go\"\n);";
        for text in [text.to_owned(), format!("```tsp\n{text}\n```")] {
            let units = units(&text);
            let [unit] = units.as_slice() else { panic!("{units:?}") };
            assert_eq!(unit.role, Role::Suggestion);
            assert!(text[unit.span.clone()].ends_with(");"));
        }
    }

    #[test]
    fn changed_lines_of_a_decorator_are_no_suggestion() {
        let text = "```diff\n @@clientName(\n   Widget,\n-  \"A\",\n+  \"B\",\n   \"go\"\n );\n```";
        assert!(units(text).iter().all(|unit| unit.role != Role::Suggestion));
    }
}
