//! Line numbers that were pasted along from an answer of `ReadFile`, as in `12: return x`.
//!
//! Code can look the same (`404: NotFoundError,` in a dictionary), so a number is taken for one of `ReadFile`'s only when
//! every line has one, they count up by one, nothing in the file matches with them, and what matches without them
//! stands at exactly these lines.

/// A text without its line numbers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stripped {
    /// The text.
    pub(super) text: String,
    /// The number of its first line, counted from 1.
    pub(super) first: usize,
}

/// `text` without line numbers, if every line has one and they count up by one.
pub(super) fn strip(text: &str) -> Option<Stripped> {
    let mut stripped = String::with_capacity(text.len());
    let mut first = None;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let (number, rest) = number_of(line)?;
        if *first.get_or_insert(number) + index != number {
            return None;
        }
        stripped.push_str(rest);
    }
    first.map(|first| Stripped { text: stripped, first })
}

/// What to put in place of an old text whose numbers started at `first` and spanned `lines` lines.
pub(super) enum Replacement {
    /// The new text, which has no numbers.
    AsIs,
    /// The new text without the numbers that continue the old ones.
    Without(String),
    /// Some of its lines carry such numbers and some do not; which was meant cannot be told.
    Unclear,
}

/// Decides about the new text once numbers were left out of the old one.
pub(super) fn replacement(new: &str, first: usize, lines: usize) -> Replacement {
    if let Some(stripped) = strip(new)
        && stripped.first == first
    {
        return Replacement::Without(stripped.text);
    }
    let carried = (first..first + lines.max(1)).collect::<Vec<_>>();
    let some = new.split_inclusive('\n').filter_map(number_of).any(|(number, _)| carried.contains(&number));
    if some { Replacement::Unclear } else { Replacement::AsIs }
}

/// The number before `line` and what follows `: `. Spaces may stand before the number, as where numbers are aligned.
fn number_of(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.trim_start_matches(' ').split_once(':')?;
    if number.is_empty() || number.len() > 9 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let rest = match rest.strip_prefix(' ') {
        Some(rest) => rest,
        // An empty line whose trailing space was lost.
        None if rest.is_empty() || rest.starts_with(['\r', '\n']) => rest,
        None => return None,
    };
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_count_up_are_left_out() {
        let stripped = strip("9:     a\r\n10:\n11: b").unwrap();
        assert_eq!(stripped, Stripped { text: "    a\r\n\nb".to_owned(), first: 9 });
    }

    #[test]
    fn numbers_that_do_not_count_up_are_code() {
        for text in ["404: A,\n409: B,", "2: a\nb", "a: 1", "3:a", ": a", ""] {
            assert_eq!(strip(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_new_text_loses_only_numbers_that_continue_the_old() {
        assert!(matches!(replacement("2: BETA", 2, 1), Replacement::Without(text) if text == "BETA"));
        assert!(matches!(replacement("404: X", 2, 1), Replacement::AsIs));
        assert!(matches!(replacement("BETA", 2, 1), Replacement::AsIs));
        assert!(matches!(replacement("2: BETA\nmore", 2, 1), Replacement::Unclear));
    }
}
