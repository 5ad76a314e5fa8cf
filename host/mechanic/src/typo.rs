//! Misspelt words, and the one word each can be.

use super::words::MISSPELT_STOPS;
use super::work;

/// Edits between two words, a swap of neighbours counted as one; `limit + 1` stands for more.
pub(crate) fn distance(a: &str, b: &str, limit: usize) -> usize {
    work::steps(a.len() + b.len());
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let width = b.len() + 1;
    work::steps(a.len() * b.len());
    let mut cells = vec![0; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            cells[i * width + j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replace = cells[(i - 1) * width + j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replace.min(cells[(i - 1) * width + j] + 1).min(cells[i * width + j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(cells[(i - 2) * width + j - 2] + 1);
                }
                best
            };
        }
    }
    cells[a.len() * width + b.len()].min(limit + 1)
}

/// The one word of a vocabulary that a misspelt word can be, or `None` for none or several.
///
/// One edit is forgiven from four letters on, two from seven on, a swap of neighbours from three on. The first letter
/// must be right: prefixes that turn a meaning round (`un`, `in`, `non`, `re`) stand there.
pub(crate) fn correct(word: &str, vocabulary: &[&'static str]) -> Option<&'static str> {
    let length = word.chars().count();
    let allowed = match length {
        0..=2 => return None,
        3..=6 => 1,
        _ => 2,
    };
    let fits = |known: &str| {
        if known.chars().next() != word.chars().next() || known.chars().count() < 3 {
            return false;
        }
        let same_length = known.chars().count() == length;
        let edits = distance(word, known, allowed);
        if length == 3 {
            let mut sorted: [Vec<char>; 2] = [word.chars().collect(), known.chars().collect()];
            sorted.iter_mut().for_each(|letters| letters.sort_unstable());
            return same_length && edits <= 1 && sorted[0] == sorted[1];
        }
        edits <= allowed
    };
    if let Some(stop) = MISSPELT_STOPS.iter().find(|stop| fits(stop)) {
        // Whatever else it could be: what may be a negation is taken for one.
        return Some(stop);
    }
    let mut found = vocabulary.iter().filter(|known| fits(known));
    match (found.next(), found.next()) {
        (Some(one), None) => Some(one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_a_swap_as_one_edit() {
        assert_eq!(distance("hide", "hdie", 2), 1);
        assert_eq!(distance("python", "pyhton", 2), 1);
        assert_eq!(distance("rename", "renmae", 2), 1);
        assert_eq!(distance("internal", "external", 2), 2);
        assert_eq!(distance("hide", "internal", 2), 3);
    }

    #[test]
    fn a_prefix_that_turns_the_meaning_round_is_no_typo() {
        let vocabulary = &["hidden", "internal", "visible", "exposed"];
        for word in ["unhidden", "external", "invisible", "unexposed"] {
            assert_eq!(correct(word, vocabulary), None, "{word}");
        }
        assert_eq!(correct("intrenal", vocabulary), Some("internal"));
    }

    #[test]
    fn what_may_be_a_negation_is_taken_for_one() {
        assert_eq!(correct("nott", &["note"]), Some("not"));
        assert_eq!(correct("unles", &["unload"]), Some("unless"));
    }
}
