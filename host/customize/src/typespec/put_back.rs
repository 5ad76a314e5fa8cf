//! Hand-written files that changed while a package was generated.

/// A hand-written file that was put back after a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PutBack {
    /// Relative to the package.
    pub path: String,
    /// What stood there, where it could be read.
    pub stood: Option<Vec<u8>>,
    /// Who changed it, as far as its text tells.
    pub by: ChangedBy,
}

/// Who changed a hand-written file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangedBy {
    /// The emitter's formatter: nothing but white space, quotes, commas, parentheses and lines for pylint differs.
    Formatter,
    /// The emitter or a person who worked beside the generation.
    Somebody,
}

impl PutBack {
    pub(super) fn new(path: &str, before: &[u8], stood: Option<Vec<u8>>) -> Self {
        let formatted = stood.as_deref().is_none_or(|stood| bare(stood).eq(bare(before)));
        let by = if formatted { ChangedBy::Formatter } else { ChangedBy::Somebody };
        Self { path: path.to_owned(), stood, by }
    }
}

/// A text without what a formatter changes.
fn bare(text: &[u8]) -> impl Iterator<Item = &u8> {
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii_start().starts_with(PYLINT));
    lines.flatten().filter(|byte| !byte.is_ascii_whitespace() && !b"'\",()\\".contains(byte))
}

/// The Python emitter begins every file with such a line in which it finds a long one.
const PYLINT: &[u8] = b"# pylint: disable=";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatter_is_told_from_somebody_who_wrote_something() {
        let by = |stood: &str| PutBack::new("a.py", b"def a( x ):\n    return 'x'\n", Some(stood.into())).by;
        assert_eq!(by("def a(\n    x,\n):\n    return \"x\"\n"), ChangedBy::Formatter);
        assert_eq!(by("# pylint: disable=line-too-long\ndef a( x ):\n    return 'x'\n"), ChangedBy::Formatter);
        assert_eq!(by("def a( x ):\n    return 'x'\n# by hand\n"), ChangedBy::Somebody);
        assert_eq!(by("def a( x ):\n    return 'y'\n"), ChangedBy::Somebody);
    }
}
