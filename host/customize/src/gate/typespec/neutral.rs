//! Whether what is applied to one target changed for the permitted languages alone, by what the library makes of it.
//!
//! A rule over single decorators cannot tell: to take a language out of `"python, java"`, or to add one to `"!java"`,
//! rewrites what others share, and changes nothing for them. So both versions are carried out, on top of anything that
//! other files of the specification may have said before, and every other language must see the same.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_sdk::scopes::{self, Values};
use bailiwick_sdk::tasks::Scope;

use super::application::{Application, Form, ScopeArgument};
use super::scope::SCOPE_TOKENS;

/// Decorators whose last value for a language is what the library keeps. The others add up, or mean the languages that
/// they name in another way.
const REPLACED: [&str; 14] = [
    "Legacy.flattenProperty",
    "access",
    "alternateType",
    "apiVersion",
    "clientApiVersions",
    "clientDoc",
    "clientLocation",
    "clientName",
    "clientNamespace",
    "convenientAPI",
    "override",
    "paramAlias",
    "protocolAPI",
    "responseAsBool",
];

/// Decorators on one target, and tokens in their scopes, that are gone through.
const MOST: usize = 64;

/// Stands for every emitter and language that no scope names.
const OTHER: &str = "\u{0}";

/// What applications stand on: decorator and target.
pub(super) type Place<'a> = (&'a str, &'a str);

/// What became of the places that changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes<'a> {
    /// Every other language sees what it saw.
    pub(super) neutral: BTreeSet<Place<'a>>,
    /// Some other language sees something else, or more stands there than is gone through.
    pub(super) foreign: BTreeSet<Place<'a>>,
}

/// Compares two versions of a file, as far as decorators replace one another.
pub(super) fn changes<'a>(before: &'a [Application], after: &'a [Application], permitted: &Scope) -> Changes<'a> {
    let (old, new) = (by_place(before), by_place(after));
    let mut changes = Changes::default();
    for place in old.keys().chain(new.keys()) {
        let (before, after) = (old.get(place), new.get(place));
        let (before, after) = (before.map_or(&[][..], Vec::as_slice), after.map_or(&[][..], Vec::as_slice));
        let same = before.len() == after.len() && before.iter().zip(after).all(|(one, other)| is_same(one, other));
        if same {
            continue;
        }
        let neutral = match place.0 {
            "scope" => keeps_target(before, after, permitted),
            decorator if REPLACED.contains(&decorator) => is_neutral(before, after, permitted),
            _ => continue,
        };
        match neutral {
            Some(true) => changes.neutral.insert(*place),
            Some(false) => changes.foreign.insert(*place),
            None => false,
        };
    }
    changes
}

fn by_place(all: &[Application]) -> BTreeMap<Place<'_>, Vec<&Application>> {
    let mut places: BTreeMap<Place<'_>, Vec<&Application>> = BTreeMap::new();
    for application in all {
        places.entry((&application.decorator, &application.target)).or_default().push(application);
    }
    places
}

fn is_same(one: &Application, other: &Application) -> bool {
    one.form == other.form && one.arguments == other.arguments && one.scope == other.scope
}

/// One step of a place: a scope and the arguments for it.
type Step<'a> = (&'a scopes::ScopeArgument, Seen<'a>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen<'a> {
    /// What was there before, for the language alone.
    OwnBefore,
    /// What was there before, for all others.
    OthersBefore,
    /// The arguments of a decorator here.
    Arguments(&'a [String]),
}

/// `None` where decorators of the place are not comparable: in front of declarations, or with an unclear scope.
fn is_neutral(before: &[&Application], after: &[&Application], permitted: &Scope) -> Option<bool> {
    let (before, after) = (steps(before)?, steps(after)?);
    let mut tokens: BTreeSet<&str> = SCOPE_TOKENS.into_iter().chain([OTHER]).collect();
    tokens.extend(before.iter().chain(&after).flat_map(|(scope, _)| scope.tokens()));
    if before.len().max(after.len()) > MOST || tokens.len() > MOST {
        return Some(false);
    }
    // A person who allows all but some languages allows a negated scope, which cannot but reset what stands before it.
    let anything_before = matches!(permitted, Scope::Only(_));
    let others = tokens.into_iter().filter(|token| !permits(permitted, token));
    Some(others.into_iter().all(|token| {
        starts(token, anything_before).into_iter().all(|start| {
            let end = |steps: &[Step<'_>]| {
                let mut values = start.clone();
                steps.iter().for_each(|(scope, value)| values.apply(scope, *value));
                (values.seen_by(token).copied().map(owned), values.general().copied().map(owned))
            };
            let ((old, old_general), (new, new_general)) = (end(&before), end(&after));
            old == new && (permits(permitted, OTHER) || old_general == new_general)
        })
    }))
}

/// Whether `@scope` takes the target away from the same other languages. The last negation replaces the ones before it,
/// and so does the last list.
fn keeps_target(before: &[&Application], after: &[&Application], permitted: &Scope) -> Option<bool> {
    let (before, after) = (steps(before)?, steps(after)?);
    if before.iter().chain(&after).any(|(scope, _)| scope.is_general()) {
        // It names no language, so that it says nothing.
        return None;
    }
    let has = |steps: &[Step<'_>], token: &str| {
        let last = |of: fn(&scopes::ScopeArgument) -> &Vec<String>| {
            steps.iter().map(|(scope, _)| of(scope)).rfind(|tokens| !tokens.is_empty())
        };
        let named = |tokens: Option<&Vec<String>>| tokens.is_some_and(|tokens| tokens.iter().any(|one| one == token));
        let (negated, listed) = (last(|scope| &scope.negated), last(|scope| &scope.listed));
        named(listed) || ((listed.is_none() || negated.is_some()) && !named(negated))
    };
    let mut tokens: BTreeSet<&str> = SCOPE_TOKENS.into_iter().chain([OTHER]).collect();
    tokens.extend(before.iter().chain(&after).flat_map(|(scope, _)| scope.tokens()));
    let mut others = tokens.into_iter().filter(|token| !permits(permitted, token));
    Some(others.all(|token| has(&before, token) == has(&after, token)))
}

/// Comparable beyond the life of what was computed.
fn owned(seen: Seen<'_>) -> (u8, Vec<String>) {
    match seen {
        Seen::OwnBefore => (0, Vec::new()),
        Seen::OthersBefore => (1, Vec::new()),
        Seen::Arguments(arguments) => (2, arguments.to_vec()),
    }
}

fn steps<'a>(all: &[&'a Application]) -> Option<Vec<Step<'a>>> {
    let step = |one: &&'a Application| match &one.scope {
        ScopeArgument::Read(_, exact) if one.form == Form::Augment => Some((exact, Seen::Arguments(&one.arguments))),
        _ => None,
    };
    all.iter().map(step).collect()
}

/// Everything that may stand before the file's own decorators, as one language sees it.
fn starts<'a>(token: &str, anything: bool) -> Vec<Values<Seen<'a>>> {
    if !anything {
        return vec![Values::default()];
    }
    let mut all = Vec::new();
    for own in [None, Some(Seen::OwnBefore)] {
        for others in [None, Some(Seen::OthersBefore)] {
            for negated in [Vec::new(), vec![token.to_owned()]] {
                let own = own.map(|value| (token.to_owned(), value)).into_iter().collect();
                all.push(Values::standing(own, others, negated));
            }
        }
    }
    all
}

/// Whether the client of a token may change.
pub(super) fn permits(permitted: &Scope, token: &str) -> bool {
    match permitted {
        Scope::All => true,
        Scope::Only(languages) => languages.iter().any(|one| one.scope_token() == token),
        Scope::Except(languages) => !languages.iter().any(|one| one.scope_token() == token),
    }
}
