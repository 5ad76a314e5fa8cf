//! A pattern for a path beneath a directory: `*.py` there, `**/*.py` at any depth, `{src,test}/*`, classes.

use crate::glob::Glob;
use bailiwick_tool_sdk::ToolError;

/// The longest pattern, in bytes.
const LONGEST: usize = 1024;
/// The most that the braces of one pattern may multiply out to.
const MOST_ALTERNATIVES: usize = 64;

/// A pattern that was checked. Case counts, and a leading dot is nothing special.
#[derive(Debug)]
pub struct PathGlob {
    alternatives: Vec<Vec<Segment>>,
}

#[derive(Debug)]
enum Segment {
    /// `**`
    AnyDepth,
    Name(Glob),
}

impl PathGlob {
    /// # Errors
    /// Invalid input for a pattern that is too long, has a class that is not closed, or braces that mean too much.
    pub fn new(pattern: &str) -> Result<Self, ToolError> {
        if pattern.len() > LONGEST {
            return Err(ToolError::invalid_input(format!("a pattern has more than {LONGEST} bytes")));
        }
        let mut expanded = Vec::new();
        if !expand(pattern, &mut expanded) {
            return Err(ToolError::invalid_input(format!(
                "the braces of the pattern `{pattern}` mean more than {MOST_ALTERNATIVES} patterns"
            )));
        }
        let alternatives = expanded.iter().map(|one| segments(one)).collect::<Result<_, _>>()?;
        Ok(Self { alternatives })
    }

    /// Whether the whole of `path`, parts joined by `/`, is matched.
    pub fn matches(&self, path: &str) -> bool {
        let parts: Vec<&str> = path.split('/').collect();
        self.alternatives.iter().any(|segments| matched(segments, &parts))
    }
}

fn segments(pattern: &str) -> Result<Vec<Segment>, ToolError> {
    let mut segments = Vec::new();
    for part in pattern.strip_prefix("./").unwrap_or(pattern).split('/') {
        if part != "**" {
            segments.push(Segment::Name(Glob::segment(part)?));
        } else if !matches!(segments.last(), Some(Segment::AnyDepth)) {
            segments.push(Segment::AnyDepth);
        }
    }
    Ok(segments)
}

/// As for the stars of one name: only the last `**` has to be tried again. At the end it takes one part at least.
fn matched(segments: &[Segment], parts: &[&str]) -> bool {
    let (mut segment, mut part) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while part < parts.len() {
        match segments.get(segment) {
            Some(Segment::AnyDepth) => {
                if segment + 1 == segments.len() {
                    return true;
                }
                segment += 1;
                retry = Some((segment, part));
                continue;
            }
            Some(Segment::Name(glob)) if glob.matches(parts[part]) => {
                segment += 1;
                part += 1;
                continue;
            }
            _ => {}
        }
        let Some((after, from)) = retry else { return false };
        retry = Some((after, from + 1));
        (segment, part) = (after, from + 1);
    }
    segment == segments.len()
}

/// Writes out the first braces, and those in what comes of it. Returns whether it is not too much. Braces that are not
/// closed, or have no comma, are characters like any other.
fn expand(pattern: &str, out: &mut Vec<String>) -> bool {
    let Some((open, commas, close)) = braces(pattern) else {
        out.push(pattern.to_owned());
        return out.len() <= MOST_ALTERNATIVES;
    };
    let starts = std::iter::once(open).chain(commas.iter().copied());
    let ends = commas.iter().copied().chain([close]);
    starts.zip(ends).all(|(start, end)| {
        expand(&format!("{}{}{}", &pattern[..open], &pattern[start + 1..end], &pattern[close + 1..]), out)
    })
}

/// Where the first braces with a comma of their own open, have their commas, and close.
fn braces(pattern: &str) -> Option<(usize, Vec<usize>, usize)> {
    for (open, _) in pattern.match_indices('{') {
        let (mut depth, mut commas) = (0_usize, Vec::new());
        for (at, character) in pattern[open..].char_indices() {
            match character {
                '{' => depth += 1,
                ',' if depth == 1 => commas.push(open + at),
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                if commas.is_empty() {
                    break;
                }
                return Some((open, commas, open + at));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_tool_sdk::ErrorKind;

    #[test]
    fn paths_are_matched_part_by_part() {
        for (pattern, path, expected) in [
            ("*.py", "a.py", true),
            ("*.py", "src/a.py", false),
            ("**/*.py", "a.py", true),
            ("**/*.py", "src/deep/a.py", true),
            ("src/**", "src/a/b", true),
            ("src/**", "src", false),
            ("**", "a/b", true),
            ("src/**/a", "src/a", true),
            ("src/**/a", "src/x/y/a", true),
            ("src/**/a/*.c", "src/a/b/a/x.c", true),
            ("src/**/a/*.c", "src/a/b/a/x.d", false),
            ("{src,test}/*.{c,h}", "test/a.h", true),
            ("{src,test}/*.{c,h}", "doc/a.h", false),
            ("a{b", "a{b", true),
            ("a{b}", "a{b}", true),
            ("a..b", "a..b", true),
            (".*", ".git", true),
            ("*", ".git", true),
            ("./a", "a", true),
            ("{,x}a", "xa", true),
        ] {
            assert_eq!(PathGlob::new(pattern).unwrap().matches(path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn a_pattern_that_means_too_much_is_refused() {
        for pattern in ["{a,b}".repeat(12), "x".repeat(2000), "[a".to_owned()] {
            assert_eq!(PathGlob::new(&pattern).unwrap_err().kind, ErrorKind::InvalidInput, "{pattern}");
        }
    }

    #[test]
    fn many_stars_do_not_take_exponential_time() {
        assert!(!PathGlob::new(&("**/a/".repeat(100) + "b")).unwrap().matches(&("a/".repeat(400) + "c")));
    }
}
