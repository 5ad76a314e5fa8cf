//! What can be a word, which are there already, and where the others belong.

use bailiwick_tool_sdk::ToolError;
use std::cmp::Ordering;

/// The longest word, in characters.
const LONGEST: usize = 100;
/// The most words of one call.
const MOST: usize = 2_000;

/// Checks the words of a call. Those given twice are kept for now: whether letter case tells words apart is the file's
/// to say.
///
/// # Errors
/// Invalid input for no words, too many, and what the spelling checker could not use as a word.
pub(crate) fn checked(words: &[String]) -> Result<&[String], ToolError> {
    if words.is_empty() {
        return Err(ToolError::invalid_input("`words` is empty, so there is nothing to add"));
    }
    if words.len() > MOST {
        return Err(ToolError::invalid_input(format!("`words` has {} words; give at most {MOST}", words.len())));
    }
    for (index, word) in words.iter().enumerate() {
        if let Some(why) = objection(word) {
            let shown: String = word.chars().take(LONGEST).flat_map(char::escape_debug).collect();
            let number = index + 1;
            return Err(ToolError::invalid_input(format!("word {number} in `words`, `{shown}`, {why}")));
        }
    }
    Ok(words)
}

/// Why `word` cannot be one. `#` starts a comment in a list of words and `!` forbids the word that follows
/// (`parseDictionaryLines` of cspell); invisible characters would make one word look like another.
fn objection(word: &str) -> Option<&'static str> {
    let invisible = |character: char| {
        character.is_control()
            || matches!(character, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
    };
    if word.is_empty() {
        Some("is empty")
    } else if word.chars().count() > LONGEST {
        Some("is longer than any word")
    } else if word.chars().any(invisible) {
        Some("has characters that cannot be seen")
    } else if word.contains(char::is_whitespace) {
        Some("has spaces; text is checked word by word, so give each word by itself")
    } else if word.contains('#') {
        Some("has a `#`, with which a comment starts in a list of words")
    } else if word.starts_with('!') {
        Some("starts with `!`, which would forbid the word instead of allowing it")
    } else if !word.contains(char::is_alphabetic) {
        Some("has no letter")
    } else {
        None
    }
}

/// Whether words that differ in letter case alone are the same word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LetterCase {
    /// As cspell has it unless it is told otherwise.
    Ignored,
    /// The file says `"caseSensitive": true`.
    Distinguished,
}

impl LetterCase {
    fn key(self, word: &str) -> String {
        match self {
            Self::Ignored => word.to_lowercase(),
            Self::Distinguished => word.to_owned(),
        }
    }
}

/// Words to add, in the order they go into the file, and words that are there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sorted {
    /// Each word and the index of the word of the list that it goes before; the length of the list means its end.
    pub(crate) new: Vec<(usize, String)>,
    /// The words that are there already, as they were given.
    pub(crate) present: Vec<String>,
}

/// The orders a list is taken to be sorted by, the usual one first.
const ORDERS: [fn(&str, &str) -> Ordering; 2] =
    [|left, right| left.to_lowercase().cmp(&right.to_lowercase()), |left, right| left.cmp(right)];

/// Sorts `words` into the list `there`. A list in no order gets them at its end, in order among themselves: sorting it
/// would change lines that were not asked about, and any other place would be as arbitrary.
pub(crate) fn sort(there: &[&str], words: &[String], case: LetterCase) -> Sorted {
    let mut known: Vec<String> = there.iter().map(|word| case.key(word)).collect();
    known.sort_unstable();
    let (mut added, mut new, mut present) = (Vec::new(), Vec::new(), Vec::new());
    for word in words {
        let key = case.key(word);
        if known.binary_search(&key).is_ok() {
            if !present.contains(word) {
                present.push(word.clone());
            }
        } else if !added.contains(&key) {
            added.push(key);
            new.push(word.clone());
        }
    }
    let order = ORDERS.into_iter().find(|order| there.is_sorted_by(|left, right| order(left, right).is_le()));
    let compare = order.unwrap_or(ORDERS[0]);
    new.sort_by(|left, right| compare(left, right).then_with(|| left.cmp(right)));
    let place = |word: &str| match order {
        Some(order) => there.partition_point(|other| order(other, word).is_le()),
        None => there.len(),
    };
    Sorted { new: new.into_iter().map(|word| (place(&word), word)).collect(), present }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_tool_sdk::ErrorKind;

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn sorted(there: &[&str], words: &[&str]) -> Vec<(usize, String)> {
        sort(there, &owned(words), LetterCase::Ignored).new
    }

    #[test]
    fn what_cannot_be_a_word_is_refused() {
        let long = "a".repeat(LONGEST + 1);
        for word in [
            "",
            " ",
            "two words",
            " padded",
            "a\nb",
            "a\u{0}b",
            "tab\tbed",
            "a\u{200b}b",
            "a\u{202e}b",
            "\u{feff}a",
            "C#",
            "# note",
            "!forbidden",
            "123",
            "--",
            &long,
        ] {
            let error = checked(&owned(&["fine", word])).unwrap_err();
            assert_eq!(error.kind, ErrorKind::InvalidInput, "{word:?}");
            assert!(!error.message.contains(char::is_control), "{:?}", error.message);
        }
        assert_eq!(checked(&[]).unwrap_err().kind, ErrorKind::InvalidInput);
        assert_eq!(checked(&vec!["a".to_owned(); MOST + 1]).unwrap_err().kind, ErrorKind::InvalidInput);
    }

    #[test]
    fn words_with_signs_letters_of_any_script_and_digits_are_taken() {
        let words =
            owned(&["C++", "don't", "naïve", "日本", "node.js", "pre-commit", "x86", "a\"b\\c", &"a".repeat(LONGEST)]);
        assert_eq!(checked(&words).unwrap(), words);
    }

    #[test]
    fn each_word_goes_where_it_belongs_in_a_sorted_list() {
        let expected = [(0, "Aardvark".to_owned()), (1, "beta".to_owned()), (2, "Zed".to_owned())];
        assert_eq!(sorted(&["Alpha", "gamma"], &["Zed", "beta", "Aardvark"]), expected);
        assert_eq!(sorted(&[], &["b", "A"]), [(0, "A".to_owned()), (0, "b".to_owned())]);
    }

    #[test]
    fn a_list_with_capitals_first_keeps_that_order() {
        assert_eq!(
            sorted(&["Beta", "Zed", "alpha"], &["Gamma", "beast"]),
            [(1, "Gamma".to_owned()), (3, "beast".to_owned())]
        );
    }

    #[test]
    fn an_unsorted_list_gets_new_words_at_its_end() {
        assert_eq!(
            sorted(&["c", "a", "b"], &["z", "B2", "b1"]).iter().map(|(at, _)| *at).collect::<Vec<_>>(),
            [3, 3, 3]
        );
        assert_eq!(sorted(&["c", "a"], &["z", "y"]), [(2, "y".to_owned()), (2, "z".to_owned())]);
    }

    #[test]
    fn letter_case_alone_makes_no_new_word_unless_the_file_says_so() {
        let found = sort(
            &["Azure", "straße"],
            &owned(&["AZURE", "Straße", "foo", "FOO", "azure", "azure"]),
            LetterCase::Ignored,
        );
        assert_eq!(found.present, ["AZURE", "Straße", "azure"]);
        assert_eq!(found.new, [(1, "foo".to_owned())]);
        let found = sort(&["Azure"], &owned(&["azure", "Azure"]), LetterCase::Distinguished);
        assert_eq!((found.new, found.present), (vec![(1, "azure".to_owned())], vec!["Azure".to_owned()]));
    }
}
