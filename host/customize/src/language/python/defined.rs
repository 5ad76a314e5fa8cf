//! The names that hand-written code holds.

/// The line, from 1, on which Python text defines or exports a name at its top level.
pub(super) fn defines(text: &str, name: &str) -> Option<usize> {
    let starts = |line: &str, before: &str| {
        let rest = line.strip_prefix(before).and_then(|rest| rest.strip_prefix(name));
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    let exported = [format!("\"{name}\""), format!("'{name}'")];
    let defined = |line: &str| {
        starts(line, "class ")
            || starts(line, "def ")
            || (starts(line, "") && line.contains('='))
            || (line.starts_with("__all__") && exported.iter().any(|quoted| line.contains(quoted)))
    };
    text.lines().position(defined).map(|index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::defines;

    #[test]
    fn names_that_hand_written_code_defines_or_exports_are_found_and_uses_are_not() {
        let text = "from ._models import Widget\n__all__ = [\"Label\"]\nclass Summary(Widget):\n    pass\nLIMIT = 3\nx = Other()\n";
        assert_eq!(defines(text, "Label"), Some(2));
        assert_eq!(defines(text, "Summary"), Some(3));
        assert_eq!(defines(text, "LIMIT"), Some(5));
        for absent in ["Widget", "Sum", "Other", "SummaryX"] {
            assert_eq!(defines(text, absent), None, "{absent}");
        }
    }
}
