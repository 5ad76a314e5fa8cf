//! Where the next page goes on. Nothing is remembered between calls, so a cursor says it all: the last name of the page
//! before, and a hash of it and of what was listed. A name alone would do as well, but then anything would be a cursor,
//! and an invalid one would answer an empty page, which reads as "there is nothing more".

use bailiwick_tool_sdk::{Root, ToolError};

/// What is listed.
pub(crate) struct Listing(u64);

impl Listing {
    /// The listing of `root`.
    pub(crate) fn of(root: &Root<'_>, recursive: bool, filter: Option<&str>) -> Self {
        let (grant, relative) = match root {
            Root::All(_) => ("", "."),
            Root::Within(place) => (place.grant(), place.relative().trim_end_matches('/')),
        };
        Self::new(grant, relative, recursive, filter)
    }

    fn new(grant: &str, relative: &str, recursive: bool, filter: Option<&str>) -> Self {
        let depth = if recursive { "recursive" } else { "" };
        let parts = [grant, relative, depth, filter.unwrap_or_default()];
        Self(parts.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, part| step(step(hash, part), "\0")))
    }

    /// The cursor behind the name `last`.
    pub(crate) fn cursor(&self, last: &str) -> String {
        format!("{:016x}:{last}", step(self.0, last))
    }

    /// The name that `cursor` is behind.
    ///
    /// # Errors
    /// Invalid input when it is not from an answer to the same listing.
    pub(crate) fn after(&self, cursor: &str) -> Result<String, ToolError> {
        match cursor.split_once(':') {
            Some((_, last)) if self.cursor(last) == cursor => Ok(last.to_owned()),
            _ => Err(ToolError::invalid_input(
                "`cursor` is no `nextCursor` of this listing; pass it as it was answered, with the same `path`, \
                 `recursive` and `filter`, or start again without it",
            )),
        }
    }
}

/// FNV-1a, continued.
fn step(hash: u64, text: &str) -> u64 {
    text.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_tool_sdk::ErrorKind;

    #[test]
    fn a_cursor_is_taken_back_by_its_own_listing_alone() {
        let listing = Listing::new("sdk", "src", true, Some("*.py"));
        let cursor = listing.cursor("src/a:b.py");
        assert_eq!(listing.after(&cursor).unwrap(), "src/a:b.py");
        for other in [
            Listing::new("spec", "src", true, Some("*.py")),
            Listing::new("sdk", "srcs", true, Some("*.py")),
            Listing::new("sdk", "src", false, Some("*.py")),
            Listing::new("sdk", "src", true, None),
        ] {
            assert_eq!(other.after(&cursor).unwrap_err().kind, ErrorKind::InvalidInput);
        }
    }

    #[test]
    fn what_is_no_cursor_is_refused() {
        let listing = Listing::new("sdk", ".", false, None);
        let altered = listing.cursor("a").replace(":a", ":b");
        for cursor in ["nonsense", "a", ":", "zzz:a", "0000000000000000:a", &altered] {
            assert_eq!(listing.after(cursor).unwrap_err().kind, ErrorKind::InvalidInput, "{cursor}");
        }
    }
}
