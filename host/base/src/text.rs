//! Text that several crates write or compare.

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The name that takes the fewest edits (Levenshtein, without regard to ASCII case); the first of several.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The comparison takes the product of both lengths, and a typing error is shorter than this.
    let word: String = word.chars().take(64).map(|letter| letter.to_ascii_lowercase()).collect();
    known.into_iter().min_by_key(|name| strsim::levenshtein(&word, &name.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_two_digits_each() {
        assert_eq!(hex(&[0, 1, 0x7f, 0xff]), "00017fff");
        assert_eq!(hex(&[]), "");
    }

    #[test]
    fn nearest_name_is_found_in_either_letter_case() {
        let known = ["directories", "network", "environment", "secrets"];
        for (word, expected) in
            [("directory", "directories"), ("Networks", "network"), ("env", "network"), ("secret", "secrets")]
        {
            assert_eq!(nearest(word, known), Some(expected), "{word}");
        }
        assert!(nearest(&"x".repeat(1_000_000), known).is_some());
        assert_eq!(nearest("word", []), None);
    }
}
