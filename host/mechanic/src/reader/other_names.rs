//! Names that a sentence gives to other languages: `rename A to b in Python and to C in Java`.

use bailiwick_sdk::tasks::Scope;

use super::document::{Ask, Asked};
use super::sentence::{Sentence, same_name};

/// How many words may stand between a language and the name that it gets.
const NEAR: usize = 3;

/// Whether a rename is for other languages as well, and one of them gets a name of its own.
pub(super) fn gives_others_another_name(sentence: &Sentence<'_>, asked: &Asked) -> bool {
    let (Ask::Rename { name, .. }, Some(Scope::Only(scope))) = (&asked.ask, &asked.scope) else { return false };
    sentence.languages.iter().any(|(place, language, _)| {
        let near = place.saturating_sub(NEAR)..place.saturating_add(NEAR).saturating_add(1);
        *language != sentence.language
            && scope.contains(language)
            && near.into_iter().any(|at| is_another_name(sentence, at, name) && is_its_own(sentence, at, *place))
    })
}

fn is_another_name(sentence: &Sentence<'_>, at: usize, name: &str) -> bool {
    let Some(token) = sentence.get(at).filter(|token| token.is_text() && token.looks_like_name()) else { return false };
    let language = sentence.languages.iter().any(|(place, ..)| *place == at);
    !language && sentence.mention_at(at).is_none() && !same_name(&token.text, name)
}

/// Whether no other language stands between a name and its language.
fn is_its_own(sentence: &Sentence<'_>, name: usize, language: usize) -> bool {
    let between = name.min(language)..name.max(language);
    !sentence.languages.iter().any(|(place, ..)| *place != language && between.contains(place))
}
