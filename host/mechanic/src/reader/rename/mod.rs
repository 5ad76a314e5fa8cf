//! Renames in a sentence: a target, a sign between them, a new name.

mod arguments;
mod back;
mod beside;
mod calling;
mod endings;
mod fragments;
mod linked;
mod named;
mod parts;
mod signs;
mod statement;

use super::lexicon as words;
use super::names::{Names, NewName, Plain, is_shaped, names_at, resembles, suits};
use super::sentence::Sentence;
use super::targets::{Focus, Found};
use super::token::Kind;
use crate::entities::Lookup;
use arguments::arguments;
use back::{client_named, is_of_its_parameter, pronoun, speaks_back, subject};
pub(super) use calling::suggests;
use endings::endings;
use fragments::fragments;
use named::{explained, holder, in_order, main_mentions, noun_in_front, part_of_kind};
use parts::parts;
use signs::signs;
pub(super) use signs::{gives_a_reason, rewrites_code};
pub(super) use statement::{is_noun, is_statement, tells};

/// A rename as far as one sentence says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rename {
    /// The target, or why there is none.
    pub(super) target: Result<usize, Found>,
    pub(super) name: NewName,
    /// Several names are offered for a choice.
    pub(super) alternatives: bool,
    /// What asks for it is turned round.
    pub(super) negated: bool,
    /// Where the sign between them stands.
    pub(super) at: usize,
    /// Whether the name stands alone, with nothing around it that could govern it.
    pub(super) bare: bool,
}

/// What a sign makes of its surroundings.
struct Sign {
    at: usize,
    /// Where the name begins at the earliest.
    name: usize,
    /// Where the target ends at the latest.
    target: usize,
    negated: bool,
    /// The target may be what the sentences before are about.
    reaches_back: bool,
    /// Whether a plain word can be the name.
    sure: bool,
    /// The target stands behind: `X instead of Y`.
    behind: Option<usize>,
}

impl Sign {
    /// A sign that has its target in the sentence itself.
    fn new(at: usize, name: usize, target: usize) -> Self {
        Self { at, name, target, negated: false, reaches_back: false, sure: false, behind: None }
    }
}

/// Whether `Name:` or `Its name:` stands in front of a colon, and begins the sentence: the label of something else.
pub(super) fn is_label(sentence: &Sentence<'_>, colon: usize) -> bool {
    let Some(noun) = colon.checked_sub(1).filter(|_| sentence.is_sign(colon, ':')) else { return false };
    let own = sentence.get(noun).is_some_and(|token| !token.quoted && (noun > 0 || token.text.starts_with('N')));
    own && sentence.is(noun, &["name"]) && (noun == 0 || noun == 1 && sentence.is(0, &["its", "the"]))
}

/// All renames of a sentence, in order.
pub(super) fn renames(sentence: &Sentence<'_>, focus: &Focus) -> Vec<Rename> {
    if (1..3).any(|colon| is_label(sentence, colon)) {
        return Vec::new();
    }
    let whole = endings(sentence, focus);
    let whole = if whole.is_empty() { arguments(sentence) } else { whole };
    let whole = if whole.is_empty() { parts(sentence, focus) } else { whole };
    if !whole.is_empty() {
        return whole;
    }
    let mut found: Vec<Rename> = Vec::new();
    let mut taken: Vec<usize> = Vec::new();
    for sign in signs(sentence) {
        let arrow = sentence.get(sign.at).is_some_and(|token| token.kind == Kind::Arrow);
        let plain = if arrow { Plain::Any } else { Plain::Allowed };
        let Some(names) = names_at(sentence, sign.name, plain) else { continue };
        if names.names.iter().any(|name| taken.contains(&name.at)) {
            continue;
        }
        // `-> Breaking change`: prose.
        let prose = |name: &NewName| {
            let next = name.at.saturating_add(1);
            sentence.get(name.at).is_some_and(|token| !token.looks_like_name())
                && sentence.get(next).is_some_and(|token| token.kind == Kind::Word && !token.is(words::FILLERS))
                && !super::names::ends_here(sentence, next)
                && words::kinds_of(sentence.lower(next)).is_none()
        };
        // `-> release/beta`: a path.
        let path = |name: &NewName| {
            let end = sentence.get(name.at).map_or(0, |token| token.span.end);
            sentence.get(name.at.saturating_add(1)).is_some_and(|token| token.is_sign('/') && token.span.start == end)
        };
        // `-> move to Y`: an order, and no name.
        let order = |name: &NewName| {
            sentence.is(name.at, words::MOVE_PROPER)
                && sentence.is(name.at.saturating_add(1), &["to", "into", "onto", "under", "out", "it"])
        };
        if arrow && names.names.iter().any(order) {
            continue;
        }
        let grouped = |name: &NewName| super::moves::names_a_new_group(sentence, name.at);
        if names.names.iter().any(grouped) {
            continue;
        }
        // `list: Parts -> Widgets`: from one group to another one.
        if arrow && super::moves::are_groups(sentence, sign.at) {
            continue;
        }
        let slashes = names.names.len() > 1 && names.names.iter().any(path);
        if arrow
            && slashes
            && sentence.mentions.iter().filter(|mention| mention.at < sign.at).count() < names.names.len()
        {
            continue;
        }
        if arrow && (names.names.last().is_some_and(prose) || names.names.last().is_some_and(path)) {
            continue;
        }
        // `=> X becomes Y`: the arrow leads on, and X is what is spoken of.
        let leads_on = |name: &NewName| {
            arrow
                && !(0..sign.at).any(|here| sentence.is_text(here))
                && sentence
                    .mention_at(name.at)
                    .is_some_and(|mention| mention.strong && !super::names::ends_here(sentence, mention.end))
        };
        if names.names.iter().any(leads_on) {
            continue;
        }
        // What the sentence named before is no new name.
        let again = |name: &NewName| {
            let end = sentence.get(name.at).map_or(0, |token| token.span.end);
            let calls = sentence
                .get(name.at.saturating_add(1))
                .is_some_and(|token| token.is_sign('(') && token.span.start == end)
                || sentence.get(name.at).is_some_and(|token| token.called);
            calls
                && sentence.mention_at(name.at).is_some_and(|mention| {
                    sentence
                        .mentions
                        .iter()
                        .any(|other| other.at < sign.at && other.strong && other.candidates == mention.candidates)
                })
        };
        if sign.behind.is_none() && names.names.iter().any(|name| name.at > sign.at && again(name)) {
            continue;
        }
        let after = found.last().map_or(0, |rename: &Rename| rename.name.at.saturating_add(1));
        let start = if after <= sign.target { after } else { 0 };
        let first = names.names.first().map(|name| name.text.clone()).unwrap_or_default();
        // `-> parameter x`: what kind of thing gets the name.
        let noun = names.names.first().and_then(|name| name.at.checked_sub(1)).filter(|&at| at > sign.at);
        let kinds = noun.and_then(|at| words::kinds_of(sentence.lower(at)));
        let test = |at: usize| {
            let kind = sentence.lookup.entity(at).kind;
            suits(kind, &first, sentence.casing()) && kinds.is_none_or(|kinds| kinds.contains(&kind))
        };
        let targets = match sign.behind {
            // `A and B instead of X and Y`: in their order, or it is not certain which is which.
            Some(behind) if names.names.len() > 1 && names.end <= behind => {
                match sentence.group_after(behind.saturating_sub(1), focus) {
                    Found::These(all) if all.len() != names.names.len() => Found::Unfit,
                    other => other,
                }
            }
            Some(behind) => sentence.target_after(behind, focus),
            None => sentence.targets_fitting(start, sign.target, focus, &test),
        };
        let targets = if arrow { in_front_of_arrow(sentence, &sign, focus).unwrap_or(targets) } else { targets };
        // `there is already an X in Y, so ours becomes Z`: what is there is not what gets the name.
        // `On Part: newName`: something of the part that was spoken of, and not the part.
        let held = sentence.is_sign(sign.at, ':')
            && sentence.is(0, &["on", "in", "for", "at", "of"])
            && sentence.mentions.iter().any(|mention| mention.end == sign.at && sentence.adjoins(1, mention.at));
        let targets = match targets {
            Found::These(all) if held => match (all.as_slice(), focus.subject.as_slice()) {
                ([outer], [one]) if sentence.lookup.holds(*outer, *one) => Found::These(vec![*one]),
                _ => Found::Unfit,
            },
            targets => targets,
        };
        let targets = match targets {
            Found::These(_) if speaks_of_ours(sentence, &sign) => match focus.subject.as_slice() {
                [one] if !sentence.mentions.iter().any(|mention| mention.candidates == [*one]) => {
                    Found::These(vec![*one])
                }
                _ => Found::Unfit,
            },
            targets => targets,
        };
        // `no wait`, an arrow to prose and the like name nothing.
        let reached = match &targets {
            Found::Nothing => sign.reaches_back,
            Found::Unfit => sign.reaches_back && pronoun(sentence, sign.target),
            _ => false,
        };
        // `I would like to see X renamed`: a name of another kind of thing does not refer to what was named before.
        let kind = |one: usize| sentence.lookup.entity(one).kind;
        let another = |name: &NewName| {
            sentence.mention_at(name.at).is_some_and(|mention| {
                mention.strong
                    && mention.candidates.iter().any(|&one| suits(kind(one), &name.text, sentence.language))
                    && mention.candidates.iter().all(|&one| focus.subject.iter().all(|&of| kind(of) != kind(one)))
                    && mention.candidates.iter().all(|one| !focus.subject.contains(one))
            })
        };
        if reached && !arrow && names.names.iter().any(another) {
            continue;
        }
        // `Pos: please rename to X`: the label names what is meant, or it is not certain.
        let label = sentence.mentions.first().filter(|first| {
            !first.strong
                && sentence.clause_start(first.at) == 0
                && sentence.is_sign(first.end, ':')
                && first.end < sign.at
        });
        let held = label.map(|label| {
            let inside = |one: &usize| {
                focus.holders.iter().chain(&focus.subject).any(|&outer| sentence.lookup.holds(outer, *one))
            };
            label.candidates.iter().copied().filter(inside).collect::<Vec<_>>()
        });
        let targets = match held {
            Some(held) if reached && held.len() == 1 => Found::These(held),
            Some(held) if reached && !held.is_empty() => Found::Unfit,
            _ => targets,
        };
        let reached = reached && !matches!(targets, Found::These(_));
        let targets = if reached { subject(focus, &names.names, sentence.lookup, &test) } else { targets };
        // `Rename the parameter to Y`, behind words about an operation: it has none of that kind that is known.
        let targets = match (targets, noun_in_front(sentence, sign.target)) {
            (Found::These(all), Some(kinds))
                if !all.iter().all(|&one| kinds.contains(&sentence.lookup.entity(one).kind)) =>
            {
                part_of_kind(sentence, &all, kinds, focus)
            }
            (targets, _) => targets,
        };
        // `op takes the keyword ids. Call it Y.`: the operation or the keyword.
        let targets = match targets {
            Found::These(all) if all.iter().any(|&one| is_of_its_parameter(sentence, focus, one, &first)) => {
                Found::Unfit
            }
            targets => targets,
        };
        // `Since X confuses people we decided that it will be Y`
        let targets = match targets {
            Found::Nothing if reached && pronoun(sentence, sign.target) => {
                explained(sentence, sign.target, focus, &test)
            }
            targets => targets,
        };
        // `X.a -> b, and the type itself -> Y`
        let itself = match targets {
            Found::Nothing | Found::Unfit => holder(sentence, sign.target, focus).filter(|&one| test(one)),
            _ => None,
        };
        let targets = itself.map_or(targets, |one| Found::These(vec![one]));
        // `About X: set the milestone to Y`: an object of its own.
        let across = (sentence.clause_start(sign.at)..sign.at).all(|at| sentence.mention_at(at).is_none());
        let headed =
            sentence.mention_at(0).is_some_and(|mention| mention.at == 0 && sentence.is_sign(mention.end, ':'));
        let colon = across
            && !headed
            && sign.behind.is_none()
            && !sentence.is_sign(sign.at, ':')
            && sentence
                .clause_start(sign.at)
                .checked_sub(1)
                .and_then(|at| sentence.get(at))
                .is_some_and(|token| token.is_sign(':'));
        if itself.is_none() && (reached || colon) && !speaks_back(sentence, &sign, &names, &targets) {
            continue;
        }
        // `the client shall be named XClient`
        let targets = match targets {
            Found::Nothing | Found::Unfit | Found::Unknown(_) if client_named(sentence, &first) => {
                focus.root.map_or(Found::Nothing, |root| Found::These(vec![root]))
            }
            other => other,
        };
        // An operation that is called twice has no new name.
        let called = sentence.is(sign.at, &["called"])
            && matches!(&targets, Found::These(all) if all.iter().any(|&at| sentence.lookup.entity(at).kind == bailiwick_sdk::tasks::EntityKind::Operation));
        if (!sign.sure || called) && !is_certain(sentence, &names, &targets) {
            continue;
        }
        let targets = match (targets, sentence.unknown_in_list()) {
            (Found::These(_), Some(unknown)) if names.names.iter().all(|name| name.text != unknown) => {
                Found::Unknown(unknown)
            }
            (targets, _) => targets,
        };
        // As many names as things, or it is not certain which is which.
        let targets = match targets {
            Found::These(found) if names.names.len() > found.len() && !names.alternatives && !arrow => {
                let all = main_mentions(sentence, sign.target, focus);
                if all.len() == names.names.len() { Found::These(all) } else { Found::Unfit }
            }
            targets => targets,
        };
        let unsuited = |all: &[usize]| {
            let mut pairs = all.iter().zip(&names.names);
            pairs.any(|(&one, name)| !suits(sentence.lookup.entity(one).kind, &name.text, sentence.language))
        };
        let targets = match targets {
            Found::These(all) if sentence.languages.is_empty() && unsuited(&all) && !client_named(sentence, &first) => {
                Found::Unfit
            }
            Found::These(all) if names.names.iter().any(|name| is_foreign(sentence, &all, name)) => Found::Unfit,
            targets => targets,
        };
        let targets = match targets {
            Found::These(all) => Found::These(in_order(sentence, all)),
            targets => targets,
        };
        if let Some(pairs) = pairs(&targets, &names, sentence.lookup) {
            taken.extend(names.names.iter().map(|name| name.at));
            for (target, name) in pairs {
                found.push(Rename {
                    target: Ok(target),
                    name,
                    alternatives: false,
                    negated: sign.negated,
                    at: sign.at,
                    bare: false,
                });
            }
        } else if targets != Found::Nothing {
            taken.extend(names.names.iter().map(|name| name.at));
            let name = names.names.first().cloned();
            found.extend(name.map(|name| Rename {
                target: Err(targets),
                name,
                alternatives: names.alternatives,
                negated: sign.negated,
                at: sign.at,
                bare: false,
            }));
        }
    }
    if found.is_empty() {
        found = fragments(sentence, focus);
    }
    found
}

/// `ours becomes Y`, `the one that we bring in has to become Y`, in a sentence that says what is there already.
fn speaks_of_ours(sentence: &Sentence<'_>, sign: &Sign) -> bool {
    let there = (0..sign.at).any(|at| {
        sentence.is(at, &["there"]) && sentence.is(at.saturating_add(1), &["is", "are"])
            || sentence.is(at, &["exists", "existing", "already"])
    });
    let from = sentence.clause_start(sign.at);
    let ours = (from..sign.at).any(|at| {
        sentence.is(at, &["ours", "mine"])
            || sentence.is(at, &["the", "this", "that", "our"])
                && (sentence.is(at.saturating_add(1), &["one", "other"])
                    || sentence.is(at.saturating_add(1), &["new"]) && sentence.is(at.saturating_add(2), &["one"]))
    }) || sentence.tokens.iter().any(|token| token.kind == Kind::Arrow) && sentence.any(&["ours"]);
    there && ours
}

/// `Widgets: list -> listWidgets`: the word in front of the arrow is what gets the name, and not what the label names.
fn in_front_of_arrow(sentence: &Sentence<'_>, sign: &Sign, focus: &Focus) -> Option<Found> {
    let label = sentence.mentions.first().filter(|label| label.strong && sentence.is_sign(label.end, ':'))?;
    let left = (label.end..sign.at).rev().find(|&at| sentence.is_text(at))?;
    let word = sentence.get(left).filter(|token| token.kind == Kind::Word || token.quoted)?;
    if (word.is(words::FILLERS) || words::kinds_of(&word.lower).is_some()) && !word.is(&["same"]) {
        return None;
    }
    let outer = sentence.settle(label, focus).ok()?;
    let mut inside = sentence.lookup.find(&word.text);
    inside.retain(|&one| sentence.lookup.holds(outer, one));
    // Its own members, before what they hold.
    let own =
        |one: &usize| sentence.lookup.entity(*one).container.as_ref() == Some(&sentence.lookup.entity(outer).reference);
    if inside.iter().any(own) {
        inside.retain(own);
    }
    // `X: too long for a signature -> Y`, `X: same -> Y`: what the label names, and why.
    let told = (label.end.saturating_add(1)..sign.at).filter(|&at| sentence.is_text(at)).count();
    let other =
        sentence.mentions.iter().any(|mention| mention.strong && mention.at > label.at && mention.end <= sign.at);
    let same = word.is(&["same", "ditto", "likewise", "too"]);
    // `X: its argument y -> Z`: something of the thing.
    let part = (label.end..sign.at).any(|at| {
        words::kinds_of(sentence.lower(at)).is_some() && !sentence.is(at, &["api", "client", "class", "type"])
            || sentence.is(at, &["its", "their"])
    });
    if !part && inside.is_empty() && !other && !word.quoted && (told > 1 && sentence.mention_at(left).is_none() || same)
    {
        return Some(Found::These(vec![outer]));
    }
    match (inside.len(), sentence.mention_at(left)) {
        (1, _) => Some(Found::These(inside)),
        (0, Some(mention)) if mention.strong => None,
        _ => Some(Found::Unfit),
    }
}

/// Each target with its name, if there are as many of the ones as of the others.
fn pairs(targets: &Found, names: &Names, lookup: &Lookup<'_>) -> Option<Vec<(usize, NewName)>> {
    let Found::These(targets) = targets else { return None };
    if names.alternatives {
        return None;
    }
    // `x of A and B`: one name for all of them.
    if let (true, [name]) = (targets.len() > 1, names.names.as_slice()) {
        let own = |&at: &usize| &lookup.entity(at).name;
        let alike = targets.iter().all(|at| Some(own(at)) == targets.first().map(own));
        return alike.then(|| targets.iter().map(|&target| (target, name.clone())).collect());
    }
    if targets.len() == names.names.len() {
        let all: Vec<(usize, NewName)> = targets.iter().copied().zip(names.names.iter().cloned()).collect();
        return all.iter().all(|(target, name)| fits(*target, name, lookup)).then_some(all);
    }
    None
}

/// Whether a path in front of the new name of a property or a parameter leads to nothing that the sentence or the service
/// knows: `should be Some.Library.Type` names a type, and no property.
fn is_foreign(sentence: &Sentence<'_>, targets: &[usize], name: &NewName) -> bool {
    use bailiwick_sdk::tasks::EntityKind::{Parameter, Property};
    let Some((path, _)) = name.text.rsplit_once(['.', '#']) else { return false };
    let inner = targets.iter().any(|&at| matches!(sentence.lookup.entity(at).kind, Property | Parameter));
    let last = path.rsplit(['.', '#']).next().unwrap_or(path);
    let known = !sentence.lookup.find(last).is_empty() || !sentence.lookup.find_elsewhere(last).is_empty();
    let written = sentence
        .tokens
        .iter()
        .take(name.at)
        .any(|token| token.text.rsplit_once(['.', '#']).is_some_and(|(before, _)| before == path));
    inner && !known && !written
}

/// Whether a path in front of a new name leads to what holds the target.
pub(super) fn fits(target: usize, name: &NewName, lookup: &Lookup<'_>) -> bool {
    let Some((path, _)) = name.text.rsplit_once(['.', '#']) else { return true };
    let parts: Vec<&str> = path.split(['.', '#']).collect();
    let Some(last) = parts.last() else { return true };
    let entity = lookup.entity(target);
    let holder = entity.container.as_deref().and_then(|full| lookup.by_reference(full));
    let leads = |text: &str| {
        lookup
            .find(text)
            .into_iter()
            .chain(lookup.find_elsewhere(text))
            .any(|at| Some(at) == holder || lookup.holds(at, target))
    };
    leads(last) || ["models", "client", "operations"].contains(last) || lookup.find(last).is_empty()
}

/// Whether names are written as such, or spell out what they are for.
fn is_certain(sentence: &Sentence<'_>, names: &Names, targets: &Found) -> bool {
    let shaped = |name: &NewName| sentence.get(name.at).is_some_and(is_shaped);
    let spelled_out = |name: &NewName| match targets {
        Found::These(targets) => {
            targets.len() == 1 && targets.iter().all(|&at| resembles(&sentence.lookup.entity(at).name, &name.text))
        }
        _ => false,
    };
    let idle = |name: &NewName| {
        sentence.get(name.at).is_some_and(|token| token.is(words::FEATURES) || token.is(words::APPROVING))
    };
    names.names.iter().all(|name| shaped(name) || spelled_out(name) && !idle(name))
}
