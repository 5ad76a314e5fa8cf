//! Reading YAML that others wrote.

use serde_yaml_ng::Value;

/// The most brackets in a text. The parser takes time that grows with the square of their nesting, and looks at how deep they
/// are nested only when it has read everything. No `tsp-location.yaml` and no `tspconfig.yaml` has a tenth of it.
const BRACKETS: usize = 4_096;

/// What a text says.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    if text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).nth(BRACKETS).is_some() {
        return Err(format!("it has more than {BRACKETS} brackets"));
    }
    serde_yaml_ng::from_str(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tenth of it took more than a minute.
    #[test]
    fn brackets_without_end_are_refused_before_anything_reads_them() {
        for text in ["[", "{", "[ # ]\n", "{a: ["] {
            assert!(parse(&text.repeat(1 << 19)).unwrap_err().contains("brackets"), "{text}");
        }
        assert_eq!(parse("a: [{b: c}]").unwrap()["a"][0]["b"], "c");
    }
}
