//! The sentence above a list or a table, and what it says of what stands below.

use super::super::lexicon as words;
use super::super::rename;
use super::super::sentence::Sentence;
use super::super::structure::{Role, Unit};
use super::{Closed, Document, Doubt, doubt};

/// Whether pieces begin with a list or a table.
pub(super) fn is_list(units: &[Unit]) -> bool {
    let first = units.iter().find(|unit| unit.role != Role::Aside);
    first.is_some_and(|unit| matches!(unit.role, Role::Item | Role::Row { .. }))
}

impl Document<'_> {
    /// Leaves the list below as it is where the sentence above it asks about it, tells what was done or keeps it: `Should
    /// we rename these?`, `This is what we renamed:`, `We keep the old ones:`.
    pub(super) fn leaves_what_is_below(&mut self, sentence: &Sentence<'_>) {
        let named = sentence.mentions.iter().any(|mention| mention.strong);
        if named || self.ahead || self.closed != Closed::Nothing {
            return;
        }
        let asks = doubt(sentence) == Some(Doubt::Question);
        let proposes =
            list! { "propose" "suggest" "want" "wants" "like" "need" "would" "request" "ask" "let's" "instead" };
        let wishes = [words::OBLIGING, words::POLITE, words::FOLLOWING, proposes].iter().any(|list| sentence.any(list));
        // `…, the wire stays as it is`, `Everything else stays, but for these:`
        let others = sentence.any(words::WIRE) || sentence.any(words::OTHERS);
        let orders = sentence.any(words::RENAME_PROPER) || sentence.any(words::HIDING);
        let keeps = sentence.any(words::KEEPING) && !orders && !others;
        // `## Renames`: a noun.
        let tells = rename::tells(sentence) && !sentence.any(&["renames"]);
        if asks || !wishes && (keeps || tells) {
            self.closed = Closed::Behind(self.unit);
            self.found.closed = true;
        }
    }
}
