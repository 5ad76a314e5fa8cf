//! Things that are only named to say where something else stands: `the wrapper around X`, `everything but X`, `neither X nor Y`.

use super::super::document::Ask;
use super::super::sentence::Sentence;

/// Whether the target of a reading is named only beside what is meant, or left out of it.
pub(super) fn is_beside_it(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let Some(target) = ask.target() else { return false };
    let mut named = sentence.mentions.iter().filter(|mention| mention.candidates.contains(&target)).peekable();
    named.peek().is_some() && named.all(|mention| places_another(sentence, mention.at, ask))
}

fn places_another(sentence: &Sentence<'_>, at: usize, ask: &Ask) -> bool {
    // `the model X`, `the "X"`
    let mut before = at;
    while let Some(here) = before.checked_sub(1).filter(|&here| {
        sentence.is(here, &["the", "a", "an", "our", "model", "class", "type"]) || !sentence.is_text(here)
    }) {
        before = here;
    }
    let word = |distance: usize| before.checked_sub(distance);
    let is = |distance: usize, list: &[&str]| word(distance).is_some_and(|here| sentence.is(here, list));
    let around = is(1, &["around", "behind", "beside", "extending", "wrapping", "subclassing"])
        || is(1, &["from"]) && is(2, &["inheriting", "inherited", "derived", "deriving"])
        || is(1, &["to", "of", "for"]) && is(2, &["alias", "subclass", "wrapper", "helper", "proxy"]);
    // `What X contains should be called …`
    let content = is(1, &["what"])
        && (at.saturating_add(1)..sentence.clause_end(at))
            .any(|here| sentence.is(here, &["contains", "holds", "has", "returns"]));
    let but = is(1, &["but"]) && is(2, &["everything", "anything", "all", "everyone"]);
    // `neither X nor Y should be public` hides both.
    let neither = matches!(ask, Ask::Rename { .. })
        && (is(1, &["neither"]) || is(1, &["nor"]) && sentence.has(sentence.clause_start(at)..at, &["neither"]));
    around || content || but || neither
}
