//! Signs of a rename that stand between a target and a new name: arrows, verbs with `to`, `instead of`.

use super::super::lexicon as words;
use super::super::names::{is_shaped, name_of};
use super::super::sentence::{Sentence, Zone, same_name};
use super::super::token::Kind;
use super::Sign;
use super::beside::{bracketed, colon, dash, formerly, name_for, side_by_side};
use super::calling::calling;
use super::linked::{linked, name_of_a_thing};
use super::statement::{is_noun, is_statement};

/// The signs of a sentence that a rename can stand at, the surest first.
pub(super) fn signs(sentence: &Sentence<'_>) -> Vec<Sign> {
    let mut signs = Vec::new();
    let count = sentence.tokens.len();
    for at in 0..count {
        if sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow) {
            if rewrites_code(sentence, at) {
                continue;
            }
            let target = at;
            let start = sentence.clause_start(at);
            let negated = !gives_a_reason(sentence, at) && sentence.has(start..at, &["not", "don't", "never", "dont"]);
            if (start..at).any(|here| sentence.is(here, words::RENAMING) && is_statement(sentence, here)) {
                continue;
            }
            signs.push(Sign { negated, reaches_back: true, sure: true, ..Sign::new(at, at.saturating_add(1), target) });
        }
    }
    let open = |at: usize| sentence.zone(at) != Zone::Comparison && sentence.zone(at) != Zone::Reason;
    for at in (0..count).filter(|&at| open(at)) {
        signs.extend(formerly(sentence, at));
        signs.extend(instead(sentence, at));
        signs.extend(substitution(sentence, at));
        signs.extend(in_another_language(sentence, at));
        signs.extend(name_for(sentence, at));
        signs.extend(bracketed(sentence, at));
        signs.extend(dash(sentence, at));
        signs.extend(linked(sentence, at));
        signs.extend(name_of_a_thing(sentence, at));
    }
    for at in (0..count).filter(|&at| open(at)) {
        signs.extend(verb_to(sentence, at));
        signs.extend(side_by_side(sentence, at));
        signs.extend(calling(sentence, at));
    }
    for at in (0..count).filter(|&at| open(at)) {
        signs.extend(colon(sentence, at));
    }
    signs
}

/// `X - we don't shorten => Y`: a clause in front of an arrow that says what we do not do with names, and speaks neither of
/// a thing nor of a wish, is why the thing in front of it gets the name.
pub(in crate::reader) fn gives_a_reason(sentence: &Sentence<'_>, arrow: usize) -> bool {
    const WISHING: &[&str] = list! {
        "accept" "agree" "want" "need" "like" "do" "think" "plan" "follow" "approve" "change" "call" "called" "touch" "name" "have"
        "it" "this" "that" "if" "when" "support" "maybe" "could" "should" "would" "believe" "decide" "know" "see" "care" "so"
    };
    let start = sentence.clause_start(arrow);
    let habit = (start..arrow).find(|&at| {
        let not = at.saturating_add(1);
        sentence.is(at, &["we"])
            && (sentence.is(not, &["don't", "dont", "never"]) || sentence.phrase(not, &["do", "not"]))
    });
    let Some(habit) = habit.filter(|&habit| habit == start) else { return false };
    let spoken = (habit..arrow).any(|here| {
        sentence.mention_at(here).is_some()
            || sentence.is(here, words::RENAME_PROPER)
            || sentence.is(here, WISHING) && !sentence.phrase(here, &["do", "not"])
    });
    let led =
        start.checked_sub(1).is_some_and(|sign| ['-', '–', '—', ':'].iter().any(|one| sentence.is_sign(sign, *one)));
    let named = sentence.mentions.iter().any(|mention| mention.strong && mention.end <= start);
    let said = (habit..arrow).filter(|&here| sentence.is_text(here)).count();
    led && named && !spoken && said > 3
}

/// `` `class X` -> `struct X` ``: code that becomes other code, and differs in more than the name that it declares.
pub(in crate::reader) fn rewrites_code(sentence: &Sentence<'_>, arrow: usize) -> bool {
    let code = |at: Option<usize>| {
        let token = at.and_then(|at| sentence.get(at)).filter(|token| token.quoted && !token.called)?;
        Some((token.arguments.first()?, &token.text))
    };
    let (old, new) = (code(arrow.checked_sub(1)), code(arrow.checked_add(1)));
    old.zip(new).is_some_and(|((old, name), (new, other))| old != new || same_name(name, other))
}

/// `bitte X in Y umbenennen`, `renommer X en Y`
fn in_another_language(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    let next = at.saturating_add(1);
    let asked = sentence.is(at, &["in", "zu", "en", "a", "à", "para", "naar"])
        && sentence.any(words::RENAMING_ELSEWHERE)
        && !sentence.any(words::NEGATIONS_ELSEWHERE)
        && !sentence.is_turned();
    let between = sentence.mentions.iter().any(|mention| mention.end == at)
        && sentence.get(next).is_some_and(is_shaped)
        && sentence.mention_at(next).is_none();
    (asked && between).then_some(Sign::new(at, next, at))
}

/// `s/old/new/`
fn substitution(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    let slash = |at: usize| sentence.is_sign(at, '/');
    let [first, second] = [at.saturating_add(1), at.saturating_add(3)];
    let written = sentence.is(at, &["s"]) && slash(first) && slash(second) && slash(at.saturating_add(5));
    written.then(|| Sign {
        negated: sentence.negated(at),
        sure: true,
        ..Sign::new(second, at.saturating_add(4), second)
    })
}

/// Verbs of what an operation does with types.
const TAKING: &[&str] = list! {
    "return" "returns" "take" "takes" "accept" "accepts" "receive" "receives" "throw" "throws" "raise" "raises"
    "inherit" "inherits" "extend" "extends" "derive" "derives" "pass" "yield" "yields" "wrap" "contain"
};

/// `X instead of Y`, `X, not Y`.
pub(super) fn instead(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    let next = at.saturating_add(1);
    let of = sentence.phrase(at, &["instead", "of"])
        || sentence.phrase(at, &["rather", "than"])
        || sentence.phrase(at, &["in", "place"]);
    let next =
        next.saturating_add(usize::from(sentence.is(at, &["not"]) && sentence.is(next, &["just", "only", "simply"])));
    let not = sentence.is(at, &["not"])
        && at
            .checked_sub(1)
            .and_then(|before| sentence.get(before))
            .is_some_and(|token| token.is_sign(',') || token.is(&["and"]))
        && sentence.mention_at(next).is_some();
    // `should say X where the specification says Y`
    let wherever = sentence.is(at, &["where", "wherever"])
        && sentence.has(next..at.saturating_add(5), &["says", "has", "uses", "writes", "reads", "calls"]);
    // `prefer X over Y`
    let over = sentence.is(at, &["over", "to"])
        && sentence.has(at.saturating_sub(4)..at, &["prefer", "favor", "favour"])
        && sentence.mention_at(next).is_some();
    if !of && !not && !wherever && !over {
        return None;
    }
    let behind = if not || over { next } else { at.saturating_add(2) };
    // The name in front of it, past a comma and its qualifiers.
    let name = (0..at).rev().take(4).find(|&here| {
        name_of(sentence, here).is_some_and(|_| {
            sentence
                .get(here)
                .is_some_and(|token| token.looks_like_name() || token.text.starts_with(char::is_uppercase))
        })
    })?;
    let name = first_of_list(sentence, name);
    let target = sentence.mentions.iter().find(|mention| mention.at >= behind)?;
    let known = sentence.mention_at(name).is_some_and(|mention| {
        let again = mention.candidates == target.candidates && !elsewhere(sentence, name);
        wherever || over && mention.candidates != target.candidates || again
    });
    // `return an X instead of a Y`: another type, and no other name.
    let typed =
        name.checked_sub(1).is_some_and(|before| sentence.is(before, &["a", "an"])) || sentence.has(0..name, TAKING);
    if known || typed {
        return None;
    }
    let asked = (0..name).any(|here| {
        sentence.is(here, words::MODALS) && !(wherever && sentence.is(here, &["has", "have"]))
            || sentence.is(here, words::RENAMING) && !wherever
            || sentence.is(here, &["expect", "please"])
    }) || sentence.any(words::POLITE);
    // Nothing but the two names.
    let alone = (0..sentence.tokens.len()).all(|here| {
        here == name
            || here == at
            || of && here == next
            || sentence.mention_at(here).is_some()
            || sentence.is(here, &["of", "on", "in"])
            || words::kinds_of(sentence.lower(here)).is_some()
            || sentence.get(here).is_none_or(|token| !token.is_text() || token.is(words::FILLERS))
    });
    let negated = sentence.negated(name);
    (asked || alone).then_some(Sign { negated, behind: Some(behind), ..Sign::new(at, name, behind) })
}

/// Whether a name is of nothing, or only spells out what something is called: `CatalogPart` for the `Part` of `Catalog`.
pub(super) fn is_free(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.mention_at(at).is_none() || elsewhere(sentence, at)
}

/// Whether a thing has this name neither in the language at hand nor in the specification.
fn elsewhere(sentence: &Sentence<'_>, at: usize) -> bool {
    let text = sentence.get(at).map_or("", |token| token.text.as_str());
    sentence.mention_at(at).is_some_and(|mention| {
        mention.candidates.iter().all(|&one| {
            let entity = sentence.lookup.entity(one);
            let today = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
            !same_name(text, &entity.name) && !same_name(text, today)
        })
    })
}

/// Where the list of new names begins that ends with one: `A and B rather than X and Y`.
fn first_of_list(sentence: &Sentence<'_>, last: usize) -> usize {
    let shaped = |at: usize| sentence.get(at).is_some_and(is_shaped) && sentence.mention_at(at).is_none();
    let mut first = last;
    while let Some(before) = first.checked_sub(2).filter(|&before| {
        let joint = first.saturating_sub(1);
        let sign = sentence.get(joint).is_some_and(|token| [',', '/', '&'].iter().any(|sign| token.is_sign(*sign)));
        (sentence.is(joint, &["and"]) || sign) && shaped(before) && name_of(sentence, before).is_some()
    }) {
        first = before;
    }
    first
}

/// `rename A to B and default C to zero`: what stands in front of `to` is the object of another verb.
fn has_a_verb_of_its_own(sentence: &Sentence<'_>, verb: usize, to: usize) -> bool {
    let Some(object) = sentence.mentions.iter().find(|mention| mention.end == to && mention.at > verb) else {
        return false;
    };
    let Some(before) = object.at.checked_sub(1).filter(|&before| before > verb) else { return false };
    let plain = sentence.get(before).is_some_and(|token| {
        token.is_text() && !token.quoted && token.text.chars().all(|one| one.is_ascii_lowercase())
    });
    let known = sentence.mention_at(before).is_some()
        || words::kinds_of(sentence.lower(before)).is_some()
        || [words::RENAMING, words::FILLERS, words::POLITE].iter().any(|list| sentence.is(before, list))
        || sentence.is(
            before,
            list! { "and" "then" "its" "likewise" "similarly" "finally" "next" "both" "that" "this" "other" },
        );
    let joined = before.checked_sub(1).is_some_and(|joint| joint > verb && sentence.is(joint, &["and", "then", "but"]));
    plain && joined && !known
}

/// `would be clearer`, `would be more readable`: what a thing would be by another name.
fn is_better(sentence: &Sentence<'_>, at: usize) -> bool {
    const QUALITIES: &[&str] = list! {
        "clear" "readable" "understandable" "obvious" "descriptive" "consistent" "idiomatic" "natural" "precise" "honest"
    };
    let more = at.saturating_sub(1);
    let would = |at: usize| {
        at > 1 && sentence.is(at.saturating_sub(1), &["be"]) && sentence.is(at.saturating_sub(2), &["would", "should"])
    };
    sentence.is(at, &["clearer", "better", "nicer"]) && would(at)
        || sentence.is(at, QUALITIES) && sentence.is(more, &["more"]) && would(more)
}

/// `rename X to Y`, `X should be exposed as Y`.
fn verb_to(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    let next = at.saturating_add(1);
    let exchanged = |verbs: &[&str]| (0..at).any(|here| sentence.is(here, verbs) && !is_statement(sentence, here));
    if sentence.is(at, &["with", "by"]) && exchanged(&["replace", "swap", "substitute"])
        || sentence.is(at, &["for"]) && exchanged(&["trade", "exchange", "swap"])
    {
        return Some(Sign { negated: sentence.negated(at), reaches_back: true, ..Sign::new(at, next, at) });
    }
    // `write it X, as the guide says`
    let aside = sentence.is(at, &["as"])
        && at.checked_sub(1).and_then(|before| sentence.get(before)).is_some_and(|token| token.is_sign(','));
    if aside {
        return None;
    }
    if !sentence.is(at, &["to", "as", "into", "too", "="]) && !sentence.is_sign(at, '=') {
        return None;
    }
    if sentence.is_sign(at, '=') {
        let compares = [at.saturating_sub(1), next].iter().any(|&here| {
            sentence.get(here).is_some_and(|token| ['=', '!', '<', '>'].iter().any(|sign| token.is_sign(*sign)))
        });
        if compares && at > 0 {
            return None;
        }
        // `bc=barcode`, written without spaces behind a name
        let joined = sentence.mentions.iter().any(|mention| mention.end == at)
            && sentence.get(at).zip(sentence.get(next)).is_some_and(|(sign, name)| sign.span.end == name.span.start);
        let plain =
            sentence.mentions.iter().any(|mention| mention.at < at) && (joined || sentence.looks_like_name(next));
        return plain.then(|| Sign { negated: sentence.negated(at), ..Sign::new(at, next, at) });
    }
    // `use Y as the name of X`
    if sentence.is(at, &["as"])
        && sentence.has(next..next.saturating_add(3), &["name"])
        && let Some(name) = at
            .checked_sub(1)
            .filter(|&name| sentence.get(name).is_some_and(is_shaped) && sentence.mention_at(name).is_none())
        && let Some(mention) = sentence.mentions.iter().find(|mention| mention.at > at)
        && sentence.has(0..name, &["use", "take", "choose", "have", "prefer"])
    {
        return Some(Sign {
            negated: sentence.negated(name),
            behind: Some(mention.at),
            ..Sign::new(at, name, mention.at)
        });
    }
    // `X would be clearer as Y`
    if sentence.is(at, &["as"]) && at.checked_sub(1).is_some_and(|before| is_better(sentence, before)) {
        let free = sentence.get(next).is_some_and(is_shaped) && sentence.mention_at(next).is_none();
        let sign = Sign { negated: sentence.negated(at), ..Sign::new(at, next, at) };
        return free.then_some(sign);
    }
    let verb = (0..at).rev().take(24).find(|&here| {
        sentence.is(here, words::RENAMING) && sentence.zone(here) != Zone::Reason && !is_noun(sentence, here)
    })?;
    let proper = sentence.is(verb, words::RENAME_PROPER);
    if sentence.is(at, &["too"]) && !proper {
        return None;
    }
    if has_a_verb_of_its_own(sentence, verb, at) {
        return None;
    }
    // `go to`, `want to`, `have to`, `like to` in front of a verb.
    if !proper
        && sentence.is(at, &["to"])
        && !sentence.is(
            verb,
            list! {
                "change" "changed" "switch" "expand" "expanded" "shorten" "shortened" "update" "updated" "correct"
                "corrected" "adjust" "adjusted" "convert" "turn" "set" "go" "rewrite" "simplify" "replace" "alias"
                "spell" "get" "fix" "align" "lengthen"
            },
        )
    {
        return None;
    }
    if sentence.is(at, &["as"])
        && sentence.is(verb, &["go", "want", "get", "make", "change", "fix", "set", "move", "use", "like", "turn"])
        && !(verb..at).any(|here| sentence.mention_at(here).is_some())
    {
        return None;
    }
    // `Update X to Y 2.0`
    let version =
        sentence.get(at.saturating_add(2)).is_some_and(|token| token.text.starts_with(|c: char| c.is_ascii_digit()));
    if version || is_statement(sentence, verb) {
        return None;
    }
    let target = at;
    // Behind the verb, or in front of it where nothing stands in between.
    let reaches_back = true;
    Some(Sign { negated: sentence.negated(verb), reaches_back, sure: proper, ..Sign::new(at, next, target) })
}
