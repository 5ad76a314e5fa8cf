//! Characters that are invisible or that change how other characters are displayed. Every crate of the host that shows
//! untrusted text uses this.

/// Whether a character is a control character (tab and line feed among them), takes no room, separates lines or reorders
/// what is shown.
///
/// Tags and variation selectors are among them: whole messages were smuggled past readers in these. A caller whose text
/// may have tabs or lines lets those through itself.
#[must_use]
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}
