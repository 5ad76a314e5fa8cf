//! New names that stand where no new name of the target does: inside of another thing, behind the name of another thing, in a
//! string of code, or in front of what keeps the old one.

use bailiwick_sdk::tasks::EntityKind;

use super::super::document::Ask;
use super::super::lexicon as words;
use super::super::sentence::{Sentence, same_name};
use super::super::token::Kind;
use crate::entities::Lookup;
use crate::names::key;

/// Whether the words around a new name give it to something else than the target.
pub(super) fn is_given_to_another(sentence: &Sentence<'_>, ask: &Ask, lookup: &Lookup<'_>) -> bool {
    let Ask::Rename { target, name } = ask else { return false };
    is_inside_another(sentence, *target, name, lookup)
        || is_labelled_otherwise(sentence, *target, lookup)
        || is_kept_behind_an_arrow(sentence)
        || is_a_string_of_code(sentence)
}

/// `the docs are gone, ParcelRef.StreetAddress is there instead`: a member of another type than the one that is renamed.
fn is_inside_another(sentence: &Sentence<'_>, target: usize, name: &str, lookup: &Lookup<'_>) -> bool {
    // `Widgets.getPart` becomes `Parts.get`: an operation that moves as well.
    if !matches!(lookup.entity(target).kind, EntityKind::Property | EntityKind::EnumMember) {
        return false;
    }
    let paths = sentence.tokens.iter().filter(|token| token.is_text()).filter_map(|token| {
        let (path, last) = token.text.rsplit_once(['.', '#'])?;
        same_name(last, name).then(|| path.rsplit(['.', '#']).next().unwrap_or(path))
    });
    let mut paths = paths.peekable();
    let others = |holder: &str| {
        let found = lookup.find(holder);
        let holds = |at: &usize| lookup.entity(*at).kind.is_type();
        !found.is_empty() && found.iter().all(holds) && !found.iter().any(|&at| lookup.holds(at, target))
    };
    paths.peek().is_some() && paths.all(others)
}

/// `Review.status: ReviewStatus → State`: today's name of the property in front, and not the type that is called so.
fn is_labelled_otherwise(sentence: &Sentence<'_>, target: usize, lookup: &Lookup<'_>) -> bool {
    let Some(label) = sentence.mentions.first().filter(|label| label.strong) else { return false };
    let [labelled] = label.candidates.as_slice() else { return false };
    let today = |at: usize| {
        let entity = lookup.entity(at);
        key(entity.client.as_ref().map_or(&entity.name, |client| &client.name))
    };
    sentence.is_sign(label.end, ':') && *labelled != target && today(*labelled) == today(target)
}

/// `X => Y should remain Y`
fn is_kept_behind_an_arrow(sentence: &Sentence<'_>) -> bool {
    let arrow = (0..sentence.tokens.len()).find(|&at| sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow));
    arrow.is_some_and(|arrow| {
        (arrow..sentence.tokens.len()).any(|at| {
            sentence.is(at, &["should", "must", "shall", "can", "has", "have"])
                && sentence.is(at.saturating_add(1), words::KEEPING)
        })
    })
}

/// `"CertificateProfileType",`: a line of a call whose other lines say what it is for.
fn is_a_string_of_code(sentence: &Sentence<'_>) -> bool {
    match sentence.tokens {
        [string, comma] => string.quoted && comma.is_sign(','),
        [mark, string, comma] => (mark.is_sign('+') || mark.is_sign('-')) && string.quoted && comma.is_sign(','),
        _ => false,
    }
}
