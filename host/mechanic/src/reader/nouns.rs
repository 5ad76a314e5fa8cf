//! Nouns that say what kind of thing the name beside them is.

use super::sentence::Sentence;

impl Sentence<'_> {
    /// `the Widget type`: what the thing in front of it is, whatever a property is called.
    pub(super) fn is_noun_of_a_type(&self, at: usize) -> bool {
        let noun = self.is(at, &["type", "enum", "model", "class", "struct"]);
        let Some(before) = at.checked_sub(1).and_then(|before| self.get(before)).filter(|_| noun) else { return false };
        let written = before.looks_like_name() && before.text.contains(char::is_uppercase);
        let found = if written { self.lookup.find(&before.text) } else { Vec::new() };
        !found.is_empty() && found.iter().all(|&one| self.lookup.entity(one).kind.is_type())
    }
}
