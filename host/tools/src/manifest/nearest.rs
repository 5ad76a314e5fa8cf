//! The name that somebody meant.

/// The name that takes the fewest edits; the first of several.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nobody's typing error is longer than this, and the comparison takes the product of both lengths.
    let word: Vec<char> = word.chars().take(64).collect();
    known.into_iter().min_by_key(|name| distance(&word, name))
}

/// Characters that are put in, taken out or exchanged.
fn distance(word: &[char], name: &str) -> usize {
    let mut row: Vec<usize> = (0..=word.len()).collect();
    for (above, letter) in name.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for place in 1..row.len() {
            let same = word[place - 1].eq_ignore_ascii_case(&letter);
            let exchanged = diagonal + usize::from(!same);
            diagonal = row[place];
            row[place] = exchanged.min(row[place] + 1).min(row[place - 1] + 1);
        }
    }
    row[word.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name_is_found_whatever_the_letter_case() {
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
