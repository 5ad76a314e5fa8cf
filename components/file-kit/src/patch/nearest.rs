//! The place that is most like a text that was not found, so that the caller can correct it in one step.

use bailiwick_tool_sdk::lines::Lines;
use std::ops::Range;

/// How many lines of the old text are compared; enough to tell places apart.
const COMPARED: usize = 12;
/// A candidate that is less alike than this gives no hint.
const ENOUGH: f32 = 0.3;
/// How many characters of a line a message shows.
const SHOWN: usize = 100;

/// A sentence part that names the place among `region` (lines counted from 0) most like `old`, if one is.
pub(super) fn describe(lines: &Lines<'_>, region: Range<usize>, old: &str) -> Option<String> {
    let wanted: Vec<&str> = old.lines().skip_while(|line| line.trim().is_empty()).take(COMPARED).collect();
    let wanted_words: Vec<Vec<&str>> = wanted.iter().map(|line| words(line)).collect();
    let words: Vec<Vec<&str>> = region.clone().map(|line| words(lines.content(line))).collect();
    let score = |from: usize| -> f32 {
        let pairs = wanted_words.iter().enumerate();
        pairs.map(|(index, wanted)| words.get(from + index).map_or(0.0, |words| alike(words, wanted))).sum()
    };
    let count = f32::from(u16::try_from(wanted.len()).ok()?);
    let mut best: Option<(usize, f32)> = None;
    for from in 0..words.len() {
        let score = score(from) / count;
        if score >= ENOUGH && best.is_none_or(|(_, highest)| score > highest) {
            best = Some((from, score));
        }
    }
    let first = region.start + best?.0;
    let place = format!("the nearest is line {}, `{}`", first + 1, shown(lines.content(first)));
    let differing = wanted.iter().enumerate().skip(1).find(|(index, wanted)| {
        let line = first + index;
        line < lines.count() && lines.content(line).trim() != wanted.trim()
    });
    let same_start = lines.content(first).trim() == wanted[0].trim();
    Some(match differing {
        Some((index, wanted)) if same_start => format!(
            "{place}, where line {} is `{}` and not `{}`",
            first + index + 1,
            shown(lines.content(first + index)),
            shown(wanted)
        ),
        _ => place,
    })
}

/// The names and numbers in `line`, and every other character by itself, sorted.
fn words(line: &str) -> Vec<&str> {
    let in_name = |character: char| character.is_alphanumeric() || character == '_';
    let mut words: Vec<&str> = line.split(|character| !in_name(character)).filter(|word| !word.is_empty()).collect();
    let signs = line.char_indices().filter(|(_, character)| !in_name(*character) && !character.is_whitespace());
    words.extend(signs.map(|(at, character)| &line[at..at + character.len_utf8()]));
    words.sort_unstable();
    words
}

/// How much two sorted lists have in common, 0 to 1. Empty lines say nothing.
fn alike(left: &[&str], right: &[&str]) -> f32 {
    let (mut common, mut at, mut other) = (0_u16, 0, 0);
    while at < left.len() && other < right.len() {
        match left[at].cmp(right[other]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => other += 1,
            std::cmp::Ordering::Equal => {
                common = common.saturating_add(1);
                at += 1;
                other += 1;
            }
        }
    }
    let both = u16::try_from(left.len() + right.len()).unwrap_or(u16::MAX);
    if common == 0 { 0.0 } else { 2.0 * f32::from(common) / f32::from(both) }
}

/// `line` trimmed, and cut when it is long.
fn shown(line: &str) -> String {
    let line = line.trim();
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "import os\n\ndef list_widgets(self, top):\n    return self._list(top=top)\n\ndef other():\n    pass\n";

    #[test]
    fn a_misspelt_line_is_named() {
        let lines = Lines::new(TEXT);
        let hint = describe(&lines, 0..lines.count(), "def list_widget(self, top):").unwrap();
        assert!(hint.contains("line 3, `def list_widgets(self, top):`"), "{hint}");
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        let lines = Lines::new(TEXT);
        let hint = describe(&lines, 0..lines.count(), "def list_widgets(self, top):\n    return self._list(skip=top)")
            .unwrap();
        assert!(
            hint.contains("line 4 is `return self._list(top=top)` and not `return self._list(skip=top)`"),
            "{hint}"
        );
    }

    #[test]
    fn nothing_alike_is_no_hint() {
        let lines = Lines::new(TEXT);
        assert_eq!(describe(&lines, 0..lines.count(), "completely unrelated words"), None);
        assert_eq!(describe(&lines, 0..lines.count(), "   "), None);
    }
}
