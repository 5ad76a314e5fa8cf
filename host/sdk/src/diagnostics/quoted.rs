//! Quotations in messages.

// The message may come from a pasted log.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

/// What stands between quotes in a message.
#[must_use]
pub fn quoted(message: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = message;
    while let Some((before, inner)) = rest.split_once(['"', '\'']) {
        let quote = if rest.as_bytes().get(before.len()) == Some(&b'"') { '"' } else { '\'' };
        let Some((quotation, after)) = inner.split_once(quote) else { break };
        // An apostrophe inside a word begins no quotation.
        let apostrophe = quote == '\'' && before.ends_with(char::is_alphanumeric);
        if apostrophe {
            rest = inner;
        } else {
            found.push(quotation.to_owned());
            rest = after;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_found_and_apostrophes_are_not() {
        assert_eq!(quoted("can't import \"A\" from 'b.c'"), ["A", "b.c"]);
    }
}
