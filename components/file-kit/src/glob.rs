//! A pattern for one name: `*`, `?` and classes such as `[a-z]` or `[!0-9]`.

use bailiwick_tool_sdk::ToolError;

/// A pattern that was checked.
#[derive(Debug)]
pub struct Glob {
    parts: Vec<Part>,
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Exactly(char),
    AnyOne,
    AnyMany,
    Class { ranges: Vec<(char, char)>, negated: bool },
}

impl Glob {
    /// # Errors
    /// Invalid input for a pattern with a separator or `..`, which could only mean another directory, and for a class
    /// that is not closed.
    pub fn new(pattern: &str) -> Result<Self, ToolError> {
        if pattern.contains(['/', '\\', '\0']) || pattern.contains("..") {
            return Err(ToolError::invalid_input(format!(
                "the filter `{pattern}` is for names and can have neither separators nor `..`; give the directory in `path`"
            )));
        }
        Self::segment(pattern)
    }

    /// A pattern between two separators of a path.
    ///
    /// # Errors
    /// Invalid input for a class that is not closed.
    pub(crate) fn segment(pattern: &str) -> Result<Self, ToolError> {
        let characters: Vec<char> = pattern.chars().collect();
        let mut parts = Vec::new();
        let mut at = 0;
        while at < characters.len() {
            match characters[at] {
                '*' => {
                    if parts.last() != Some(&Part::AnyMany) {
                        parts.push(Part::AnyMany);
                    }
                }
                '?' => parts.push(Part::AnyOne),
                '[' => {
                    let (class, end) = class(&characters, at).ok_or_else(|| {
                        ToolError::invalid_input(format!("the pattern `{pattern}` has a `[` that is not closed"))
                    })?;
                    parts.push(class);
                    at = end;
                }
                other => parts.push(Part::Exactly(other)),
            }
            at += 1;
        }
        Ok(Self { parts })
    }

    /// Whether the whole of `name` is matched. Case counts.
    pub fn matches(&self, name: &str) -> bool {
        let name: Vec<char> = name.chars().collect();
        let (mut part, mut at) = (0, 0);
        // Where to go on when a match fails: after the last `*`, with one more character given to it. Only the last
        // one has to be tried again, so the time is at most the product of both lengths.
        let mut retry: Option<(usize, usize)> = None;
        while at < name.len() {
            match self.parts.get(part) {
                Some(Part::AnyMany) => {
                    retry = Some((part + 1, at));
                    part += 1;
                    continue;
                }
                Some(one) if one.takes(name[at]) => {
                    part += 1;
                    at += 1;
                    continue;
                }
                _ => {}
            }
            let Some((after, from)) = retry else { return false };
            retry = Some((after, from + 1));
            (part, at) = (after, from + 1);
        }
        self.parts[part..].iter().all(|rest| *rest == Part::AnyMany)
    }
}

impl Part {
    fn takes(&self, character: char) -> bool {
        match self {
            Self::Exactly(exactly) => *exactly == character,
            Self::AnyOne | Self::AnyMany => true,
            Self::Class { ranges, negated } => {
                ranges.iter().any(|(low, high)| (*low..=*high).contains(&character)) != *negated
            }
        }
    }
}

/// The class that opens at `open`, and where it closes. A `]` right after the opening stands for itself.
fn class(characters: &[char], open: usize) -> Option<(Part, usize)> {
    let negated = matches!(characters.get(open + 1), Some('!' | '^'));
    let first = open + 1 + usize::from(negated);
    let close = first + 1 + characters.get(first + 1..)?.iter().position(|character| *character == ']')?;
    let inner = &characters[first..close];
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < inner.len() {
        if let [low, '-', high, ..] = inner[at..] {
            ranges.push((low, high));
            at += 3;
        } else {
            ranges.push((inner[at], inner[at]));
            at += 1;
        }
    }
    Some((Part::Class { ranges, negated }, close))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_tool_sdk::ErrorKind;
    use proptest::prelude::*;

    #[test]
    fn names_are_matched_as_a_shell_does() {
        for (pattern, name, expected) in [
            ("*.txt", "a.txt", true),
            ("*.txt", "a.txt.bak", false),
            ("*", "", true),
            ("*", ".hidden", true),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1b2b3", false),
            ("?.py", "é.py", true),
            ("?.py", "ab.py", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]]x", "]x", true),
            ("File.txt", "file.txt", false),
            ("_patch.py", "_patch.py", true),
        ] {
            assert_eq!(Glob::new(pattern).unwrap().matches(name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_pattern_that_could_mean_another_directory_is_refused() {
        for pattern in ["../*", "../../*", "a/b", "a\\b", "..", "[a-z"] {
            assert_eq!(Glob::new(pattern).unwrap_err().kind, ErrorKind::InvalidInput, "{pattern}");
        }
    }

    #[test]
    fn many_stars_do_not_take_exponential_time() {
        assert!(!Glob::new(&"*a".repeat(200)).unwrap().matches(&"a".repeat(150)));
    }

    proptest! {
        #[test]
        fn a_star_takes_any_middle(start in "[a-z]{0,4}", middle in "[a-z.*?]{0,6}", end in "[a-z]{0,4}") {
            prop_assume!(!format!("{start}{middle}{end}").contains(".."));
            let glob = Glob::new(&format!("{start}*{end}")).unwrap();
            let name = format!("{start}{middle}{end}");
            prop_assert!(glob.matches(&name));
        }
    }
}
