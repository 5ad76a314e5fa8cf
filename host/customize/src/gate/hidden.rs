//! Characters that change how text reads or runs without being seen.

/// Whether a character has no place in source text: a control character other than tab, line feed, carriage return
/// and form feed.
pub(super) fn is_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{c}' | '\u{85}')
}

/// Whether a character is invisible or reorders what is shown (the "Trojan Source" set, zero-width characters, tags).
pub(super) fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}
