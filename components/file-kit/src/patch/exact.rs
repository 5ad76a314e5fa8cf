//! Finding a piece of text as it stands, or as it stands but for line endings.

use bailiwick_tool_sdk::lines::with_line_feeds;
use std::ops::Range;

/// Every place within `region` of `text` where `old` is, overlapping ones too, unless it would split a `\r\n`.
pub(super) fn places(text: &str, region: &Range<usize>, old: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let step = old.chars().next().map_or(1, char::len_utf8);
    let mut from = region.start;
    while let Some(at) = text[from..region.end].find(old) {
        let start = from + at;
        if !splits_ending(text, start) && !splits_ending(text, start + old.len()) {
            found.push(start..start + old.len());
        }
        from = start + step;
    }
    found
}

/// Whether `at` is between a carriage return and its line feed.
fn splits_ending(text: &str, at: usize) -> bool {
    text[..at].ends_with('\r') && text[at..].starts_with('\n')
}

/// Every place within `region` of `text` where `old` is when `\r\n` and `\n` are taken for the same.
pub(super) fn places_but_for_endings(text: &str, region: &Range<usize>, old: &str) -> Vec<Range<usize>> {
    let inside = &text[region.clone()];
    if !inside.contains("\r\n") && !old.contains("\r\n") {
        return Vec::new();
    }
    // Where in the text without carriage returns each line feed is that had one before it.
    let with_return: Vec<usize> =
        inside.match_indices("\r\n").enumerate().map(|(earlier, (at, _))| at - earlier).collect();
    let back = |offset: usize| region.start + offset + with_return.partition_point(|feed| *feed < offset);
    let plain = with_line_feeds(inside);
    places(&plain, &(0..plain.len()), &with_line_feeds(old))
        .into_iter()
        .map(|place| back(place.start)..back(place.end))
        .collect()
}

/// The places that do not reach into one before them.
pub(super) fn apart(places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut end = 0;
    places
        .into_iter()
        .filter(|place| {
            let free = place.start >= end;
            if free {
                end = place.end;
            }
            free
        })
        .collect()
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "a list of one place is what is meant")]
mod tests {
    use super::*;

    #[test]
    fn overlapping_places_are_all_seen() {
        assert_eq!(places("aaa", &(0..3), "aa"), [0..2, 1..3]);
        assert_eq!(apart(places("aaaa", &(0..4), "aa")), [0..2, 2..4]);
        assert_eq!(places("ééé", &(2..6), "é"), [2..4, 4..6]);
    }

    #[test]
    fn a_line_ending_is_never_split() {
        assert_eq!(places("a\r\nb", &(0..4), "\nb"), []);
        assert_eq!(places_but_for_endings("a\r\nb", &(0..4), "\nb"), [1..4]);
    }

    #[test]
    fn places_are_mapped_back_to_the_text_with_carriage_returns() {
        let text = "a\r\nb\r\nc\nd\r\n";
        let found = places_but_for_endings(text, &(0..text.len()), "b\nc\n");
        assert_eq!(found, [3..8]);
        assert_eq!(&text[3..8], "b\r\nc\n");
        assert_eq!(places_but_for_endings(text, &(3..text.len()), "\nd"), [7..9]);
        assert_eq!(places_but_for_endings("a\nb\n", &(0..4), "a\r\nb"), [0..3]);
    }
}
