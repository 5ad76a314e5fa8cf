//! Changes of a text. Places are parts of a whole (65536 is its end), so that a change fits any text.

use proptest::prelude::*;
use proptest::sample::Index;

/// Bytes that a changed text may have.
const LONGEST: usize = 64 * 1024;

#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// A piece goes.
    Remove(Index, usize),
    /// A piece stands there so many times more.
    Repeat(Index, usize, usize),
    /// A byte becomes another.
    Byte(Index, u8),
    /// A word of the format, or one that is awkward for many, so many times.
    Word(Index, Index, usize),
    /// A piece of another text of the corpus.
    Splice(Index, Index, Index, usize),
    /// The end is cut off.
    Cut(Index),
}

/// What readers of many formats stumble over.
const AWKWARD: &[&str] = &[
    "",
    "\0",
    "\n",
    "\r",
    "\r\n",
    "\t",
    " ",
    "\"",
    "'",
    "`",
    "\\",
    "/",
    "//",
    "/*",
    "*/",
    "#",
    ":",
    ",",
    ";",
    "=",
    "@",
    "&",
    "*",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "{}",
    "[]",
    "${",
    "-",
    "+",
    "0",
    "1",
    "-1",
    "1e999",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999",
    "null",
    "true",
    "ä",
    "€",
    "𝄞",
    "\u{feff}",
    "\u{2028}",
    "\u{85}",
    "\u{202e}",
    "\u{0}",
    "e\u{301}",
    "\u{1b}[31m",
    "../",
    "%00",
    "%",
    "\u{fffd}",
];

/// One to eight changes.
pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    let index = any::<Index>;
    let times = || prop_oneof![8 => 1_usize..4, 1 => 4_usize..64, 1 => 1000_usize..20_000];
    let change = prop_oneof![
        3 => (index(), 1_usize..64).prop_map(|(at, length)| Change::Remove(at, length)),
        2 => (index(), 1_usize..32, times()).prop_map(|(at, length, times)| Change::Repeat(at, length, times)),
        2 => (index(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        5 => (index(), index(), times()).prop_map(|(at, word, times)| Change::Word(at, word, times)),
        2 => (index(), index(), index(), 1_usize..256)
            .prop_map(|(at, text, from, length)| Change::Splice(at, text, from, length)),
        1 => index().prop_map(Change::Cut),
    ];
    prop::collection::vec(change, 1..8)
}

/// The text with the changes made, one after the other.
pub(crate) fn changed(mut text: Vec<u8>, changes: &[Change], words: &[&str], corpus: &[Vec<u8>]) -> Vec<u8> {
    for change in changes {
        let at = |index: &Index, text: &[u8]| index.index(text.len() + 1);
        match change {
            Change::Remove(place, length) => {
                let start = at(place, &text);
                let end = text.len().min(start + length);
                text.drain(start..end);
            }
            Change::Repeat(place, length, times) => {
                let start = at(place, &text);
                let piece = text[start..text.len().min(start + length)].to_vec();
                insert(&mut text, start, &piece, *times);
            }
            Change::Byte(place, byte) => {
                let place = at(place, &text);
                if let Some(found) = text.get_mut(place) {
                    *found = *byte;
                }
            }
            Change::Word(place, word, times) => {
                // Half of them the format's own.
                let known = word.index(2 * (words.len() + AWKWARD.len()));
                let word = match words.len() {
                    0 => AWKWARD[known % AWKWARD.len()],
                    own if known.is_multiple_of(2) => words[known / 2 % own],
                    _ => AWKWARD[known / 2 % AWKWARD.len()],
                };
                let place = at(place, &text);
                insert(&mut text, place, word.as_bytes(), *times);
            }
            Change::Splice(place, other, from, length) => {
                let other = other.get(corpus);
                let start = at(from, other);
                let place = at(place, &text);
                insert(&mut text, place, &other[start..other.len().min(start + length)], 1);
            }
            Change::Cut(place) => {
                let end = at(place, &text);
                text.truncate(end);
            }
        }
    }
    text
}

fn insert(text: &mut Vec<u8>, at: usize, piece: &[u8], times: usize) {
    let room = LONGEST.saturating_sub(text.len());
    let times = times.min(room.checked_div(piece.len()).unwrap_or(0));
    let piece = piece.repeat(times);
    text.splice(at..at, piece);
}
