//! What an intent asks of `client.tsp`.

use super::place::{Place, is_same_value};
use crate::check::languages;
use crate::decorate::quoted;
use crate::intents::Intent;
use bailiwick_sdk::tasks::{self, Decorator, EntityKind, Language, Scope, SpecIndex};

/// A decorator as it shall stand in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decoration {
    pub(crate) name: &'static str,
    pub(crate) target: String,
    /// The arguments after the target and before the scope, as source text.
    pub(crate) value: String,
}

/// Whether a value shall be seen, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The value.
    Put,
    /// No decorator, so that the specification's own is seen; where one for every language stands, the value, which
    /// says the same.
    Drop,
    /// No decorator.
    Remove,
    /// `@scope` that keeps the target away from the languages.
    Exclude,
    /// No `@scope` that keeps the target away from the languages.
    Include,
}

/// What some languages shall see on a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) name: &'static str,
    pub(crate) target: String,
    pub(crate) value: String,
    /// The first argument, where each stands for itself.
    pub(crate) slot: Option<String>,
    pub(crate) goal: Goal,
    pub(crate) scope: Scope,
}

/// The decorator that carries out an intent.
pub(crate) fn decoration(intent: &Intent) -> Option<Decoration> {
    let of = |name, target: &tasks::Entity, value: String| {
        Some(Decoration { name, target: target.address()?.to_owned(), value })
    };
    match intent {
        Intent::Hide { target } => of("access", target, "Access.internal".into()),
        Intent::Show { target } => of("access", target, "Access.public".into()),
        Intent::Rename { target, new, .. } => of("clientName", target, quoted(new)),
        Intent::Move { target, place, .. } => of("clientLocation", target, place.source()),
        Intent::Decorate { target, decoration, source, .. } => {
            of(decoration.decorator().name(), target, source.clone())
        }
        Intent::Undecorate { target, decorator, .. } => of(decorator.name(), target, String::new()),
        Intent::Regroup { .. } | Intent::Refresh { .. } | Intent::Nothing => None,
    }
}

/// What an intent asks for, in the languages of a scope.
pub(crate) fn wanted(intent: &Intent, scope: Option<&Scope>, language: Language) -> Option<Wanted> {
    let takes_back = match intent {
        Intent::Show { .. } => true,
        Intent::Rename { target, new, .. } => *new == target.name && target.kind != EntityKind::Namespace,
        Intent::Move { target, place, .. } => target.container.as_ref() == Some(&place.source()),
        _ => false,
    };
    let Decoration { name, target, value } = decoration(intent)?;
    let goal = match intent {
        Intent::Decorate { decoration: tasks::Decoration::Scope, .. } => Goal::Exclude,
        Intent::Undecorate { decorator: Decorator::Scope, .. } => Goal::Include,
        Intent::Undecorate { .. } => Goal::Remove,
        _ if takes_back => Goal::Drop,
        _ => Goal::Put,
    };
    let slot = match intent {
        Intent::Decorate { decoration: tasks::Decoration::ClientOption(option), .. } => Some(quoted(&option.name)),
        _ => None,
    };
    let scope = scope.cloned().unwrap_or_else(|| Scope::Only(vec![language]));
    Some(Wanted { name, target, value, slot, goal, scope })
}

/// Whether the clients of a scope are as asked: the package's as the index sees it, others as far as `client.tsp` says.
pub(crate) fn is_done(intent: &Intent, scope: Option<&Scope>, index: &SpecIndex, language: Language) -> bool {
    let languages = languages(scope, language);
    let Some(wanted) = wanted(intent, scope, language) else { return intent.is_done() };
    languages.into_iter().all(|one| if one == language { intent.is_done() } else { seen(&wanted, one, index) })
}

/// Whether a language sees what is wanted, as far as `client.tsp` says.
fn seen(wanted: &Wanted, language: Language, index: &SpecIndex) -> bool {
    let place = Place::new(wanted.name, &wanted.target, wanted.slot.as_deref(), index);
    let value = place.seen_by(language);
    match wanted.goal {
        Goal::Put => value.is_some_and(|value| is_same_value(&value, &wanted.value)),
        Goal::Drop => value.is_none_or(|value| is_same_value(&value, &wanted.value)),
        Goal::Remove => value.is_none(),
        Goal::Exclude => !place.keeps(language.scope_token()),
        Goal::Include => place.keeps(language.scope_token()),
    }
}

/// Whether `client.tsp` says to a language what an intent asks for.
pub(crate) fn stands(intent: &Intent, language: Language, index: &SpecIndex) -> bool {
    wanted(intent, None, language).is_some_and(|wanted| seen(&wanted, language, index))
}

/// Whether the decorator that an intent takes stands in the file already.
pub(crate) fn stands_already(intent: &Intent, index: &SpecIndex, language: Language) -> bool {
    wanted(intent, None, language).is_some_and(|wanted| {
        let place = Place::new(wanted.name, &wanted.target, wanted.slot.as_deref(), index);
        place.seen_by(language).is_some_and(|value| is_same_value(&value, &wanted.value))
    })
}
