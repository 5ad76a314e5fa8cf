//! Signs of a rename without a verb: a colon, a bracket, a dash, `Y for X`.

use super::super::lexicon as words;
use super::super::names::{Plain, is_shaped, name_of, names_at, spells_out};
use super::super::sentence::{Mention, Sentence, same_name};
use super::super::token::Kind;
use super::Sign;
use super::fragments::is_labelled;
use super::statement::tells;

/// `X: Y`, with nothing else behind it than what ends a thought.
pub(super) fn colon(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    if !sentence.is_sign(at, ':') {
        return None;
    }
    let mut next = at.saturating_add(1);
    // `X: same, Y`
    if sentence.is(next, &["same", "ditto", "likewise", "also"]) {
        next = next.saturating_add(1);
        next = next.saturating_add(usize::from(sentence.is_sign(next, ',')));
    }
    let last = sentence.mentions.iter().rev().find(|mention| mention.at < at && mention.strong);
    // `Part advisor: Anna`, `Part: a thing`
    let named = sentence.looks_like_name(next);
    let labelled = last.is_some_and(|mention| {
        (mention.end..at).any(|here| sentence.is_sign(here, ':')) && is_labelled(sentence, next)
    });
    if sentence.is(next, &["a", "an"])
        || labelled
        || !named
            && last.is_some_and(|mention| {
                sentence.get(mention.end).is_some_and(|token| token.kind == Kind::Word)
                    && !sentence.adjoins(mention.end, at)
            })
    {
        return None;
    }
    let label = at.checked_sub(1).is_some_and(|before| {
        sentence.is(
            before,
            list! {
                "suggestion" "suggested" "proposal" "proposed" "name" "new" "better" "preferred" "wish"
                "recommended"
            },
        )
    });
    let named = sentence.mentions.iter().any(|mention| mention.at < at && mention.strong);
    let kind = at.checked_sub(1).and_then(|before| words::kinds_of(sentence.lower(before)));
    let label = label || kind.is_some() && !named;
    let names = names_at(sentence, next, if named && !label { Plain::Allowed } else { Plain::Refused })?;
    let first = names.names.first()?;
    if !named && !label {
        return None;
    }
    // `Part: Anna`: a word that is written as a word, and spells nothing out.
    if named && !label && !sentence.looks_like_name(first.at) && !spells_out(sentence, first.at) {
        return None;
    }
    // `X: See also …`, `X: Dr. Who`: prose behind it.
    let behind = first.at.saturating_add(1);
    let prose = !sentence.looks_like_name(first.at)
        && sentence.get(behind).is_some_and(|token| {
            token.is_sign(':')
                || token.is_sign('#')
                || token.is(&["also"])
                || token.is_sign('.') && sentence.is_text(behind.saturating_add(1))
        });
    if prose {
        return None;
    }
    let adjacent = (next..first.at).all(|here| !sentence.get(here).is_some_and(|token| token.is(words::RENAMING)));
    let ends = super::super::names::ends_here(sentence, names.end) || sentence.get(names.end).is_none();
    let sure = sentence
        .get(first.at)
        .is_some_and(|token| token.looks_like_name() || token.text.starts_with(char::is_uppercase))
        || names.end >= sentence.tokens.len()
        || ends;
    let negated = sentence.negated(at)
        && !sentence.has(sentence.clause_start(at.saturating_sub(1))..at, &["is", "isn't", "are", "aren't"]);
    // What another language calls it so may be called so here.
    let free = last.map_or_else(|| sentence.mention_at(first.at).is_none(), |last| is_free(sentence, first.at, last));
    // `Zip: Zip is American`: what has the name already.
    let again = last
        .and_then(|last| sentence.get(last.at))
        .is_some_and(|token| same_name(token.text.rsplit(['.', '#']).next().unwrap_or(&token.text), &first.text));
    let known = !again && first.text.chars().any(char::is_alphabetic) && free;
    (adjacent && ends && sure && known).then_some(Sign {
        negated,
        reaches_back: label,
        sure: named && !label && sentence.get(first.at).is_some_and(is_shaped),
        ..Sign::new(at, next, at)
    })
}

/// `use X for Y`, `X (Y)`: the new name in front of the old one.
pub(super) fn name_for(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    let mut next = at.saturating_add(1);
    while sentence.is(at, &["for"]) && sentence.is(next, words::FILLERS) {
        next = next.saturating_add(1);
    }
    let before = at.checked_sub(1)?;
    let bracket = sentence.is_sign(at, '(');
    if !sentence.is(at, &["for"]) && !bracket {
        return None;
    }
    if sentence.is(at, &["for"]) && sentence.is(before, &["name", "term", "word", "choice"]) {
        let start = sentence.clause_start(at);
        let mention = sentence.mentions.iter().find(|mention| mention.at > at && mention.strong)?;
        let name = (start..before)
            .find(|&here| {
                sentence.get(here).is_some_and(is_shaped)
                    && name_of(sentence, here).is_some()
                    && is_free(sentence, here, mention)
            })
            .or_else(|| {
                (start == 0).then_some(0).filter(|_| sentence.looks_like_name(0) && sentence.mention_at(0).is_none())
            })?;
        let negated = (name..at)
            .any(|here| sentence.is(here, words::NEGATIONS) || sentence.is(here, &["bad", "poor", "wrong", "awful"]));
        return Some(Sign { negated, behind: Some(mention.at), ..Sign::new(at, name, mention.at) });
    }
    // `A for the first, B for the second`
    let ordinal = |at: usize| sentence.is(at, &["first", "second", "third", "former", "latter"]);
    if !bracket && ordinal(next) && (0..sentence.tokens.len()).filter(|&at| ordinal(at)).count() > 1 {
        let free = sentence.get(before).is_some_and(is_shaped) && sentence.mention_at(before).is_none();
        return (free && name_of(sentence, before).is_some()).then(|| Sign {
            negated: sentence.negated(before),
            behind: Some(next),
            ..Sign::new(at, before, next)
        });
    }
    let mention = sentence.mention_at(next).filter(|mention| mention.strong)?;
    let new = sentence.get(before).is_some_and(is_shaped)
        && is_free(sentence, before, mention)
        && name_of(sentence, before).is_some();
    let closed = !bracket || sentence.is_sign(mention.end, ')');
    let wished = sentence.has(
        0..before,
        &[
            "use", "prefer", "want", "i.e", "well", "same", "also", "like", "choose", "should", "please", "instead",
            "agreed", "decided", "settled", "go", "take", "pick", "suggest", "propose", "voted", "have",
        ],
    );
    // A list of pairs, or a wish: the name stands for nothing else.
    let known_target = mention.candidates.iter().any(|&one| {
        let entity = sentence.lookup.entity(one);
        entity.client.as_ref().is_none_or(|client| {
            !crate::names::key(&client.name)
                .eq(&crate::names::key(&sentence.get(before).map(|token| token.text.clone()).unwrap_or_default()))
        })
    });
    let earlier = sentence.mentions.iter().any(|other| {
        other.at < before
            && other.strong
            && !other
                .candidates
                .iter()
                .any(|&outer| mention.candidates.iter().any(|&inner| sentence.lookup.holds(outer, inner)))
    });
    (new && closed && wished && known_target && !earlier).then(|| Sign {
        negated: sentence.negated(before),
        behind: Some(next),
        ..Sign::new(at, before, next)
    })
}

/// `X (was Y)`, `X (today Y)`: the new name in front of what the thing is called now.
pub(super) fn formerly(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    const FORMERLY: &[&str] = list! {
        "was" "formerly" "currently" "today" "previously" "old" "instead" "replaces" "replacing"
    };
    let before = at.checked_sub(1)?;
    let said = (at.saturating_add(1)..at.saturating_add(4)).take_while(|&here| {
        sentence.is(here, FORMERLY) || sentence.is(here, &["of", "called", "named"]) || sentence.is_sign(here, ':')
    });
    let next = at.saturating_add(1).saturating_add(said.count());
    let mention = sentence.mention_at(next).filter(|mention| mention.strong)?;
    // `Y (X at the moment)`
    let behind = (mention.end..mention.end.saturating_add(4)).take_while(|&here| {
        sentence.is(here, FORMERLY) || sentence.is(here, &["at", "the", "moment", "present", "so", "far"])
    });
    let end = mention.end.saturating_add(behind.count());
    if next == at.saturating_add(1) && end == mention.end {
        return None;
    }
    let free = sentence.get(before).is_some_and(is_shaped)
        && super::signs::is_free(sentence, before)
        && name_of(sentence, before).is_some();
    let closed = sentence.is_sign(at, '(') && sentence.is_sign(end, ')');
    // `Y (was X) is what others use`: told of the name.
    let ends = super::super::names::ends_here(sentence, end.saturating_add(1));
    (free && closed && ends && !tells(sentence)).then(|| Sign {
        negated: sentence.negated(before),
        behind: Some(next),
        ..Sign::new(at, before, next)
    })
}

/// Whether a name speaks of nothing else than the target: of nothing, or of what another language calls so.
fn is_free(sentence: &Sentence<'_>, at: usize, target: &Mention) -> bool {
    sentence.mention_at(at).is_none_or(|other| other.candidates == target.candidates)
}

/// `write numbers in full (number_made, number_sold)`: names in brackets, as many as there are targets.
pub(super) fn bracketed(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    if !sentence.is_sign(at, '(') {
        return None;
    }
    let names = names_at(sentence, at.saturating_add(1), Plain::Refused)?;
    let closed = sentence.is_sign(names.end, ')');
    let new = names.names.iter().all(|name| sentence.mention_at(name.at).is_none());
    let asked = (0..at).any(|here| {
        sentence.is(here, words::OBLIGING)
            || sentence.is(here, words::POLITE)
            || sentence.is(here, &["write", "spell", "expand", "full", "same"])
    });
    let beside = sentence.mentions.iter().any(|mention| mention.end == at && mention.strong) && names.names.len() == 1;
    let one =
        sentence.mentions.len() == 1 && sentence.mentions.iter().all(|mention| mention.strong && mention.end <= at);
    let many = beside || names.names.len() > 1 || one;
    (closed && new && asked && many).then(|| Sign {
        negated: sentence.negated(at),
        reaches_back: true,
        ..Sign::new(at, at.saturating_add(1), at)
    })
}

/// `X - Y` with nothing else in the sentence.
pub(super) fn dash(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    if !sentence.get(at).is_some_and(|token| ['-', '–', '—'].iter().any(|sign| token.is_sign(*sign))) {
        return None;
    }
    let mut next = at.saturating_add(1);
    // `X - same, Y`
    if sentence.is(next, &["same", "ditto", "likewise"]) && sentence.is_sign(next.saturating_add(1), ',') {
        next = next.saturating_add(2);
    }
    let first = sentence.mention_at(0).is_some_and(|mention| mention.end == at);
    let new = sentence.get(next).is_some_and(is_shaped)
        && sentence.mention_at(next).is_none()
        && name_of(sentence, next).is_some();
    let ends = super::super::names::ends_here(sentence, next.saturating_add(1));
    (first && new && ends).then_some(Sign::new(at, next, at))
}

/// `X to Y` without a verb, where the one is a name and the other is none.
pub(super) fn side_by_side(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    if !sentence.is(at, &["to"]) {
        return None;
    }
    let next = at.saturating_add(1);
    let new =
        sentence.looks_like_name(next) && sentence.mention_at(next).is_none() && name_of(sentence, next).is_some();
    let mut here = at;
    while let Some(before) = here.checked_sub(1) {
        if sentence.mention_at(before).is_some_and(|mention| mention.strong) {
            break;
        }
        let idle = sentence.is(before, words::FILLERS)
            || words::kinds_of(sentence.lower(before)).is_some()
            || sentence.is(before, &["of", "in", "same", "on", "that", "this"]);
        if !idle {
            return None;
        }
        here = before;
    }
    let moved = sentence.has(0..at, words::MOVE_PROPER) || tells(sentence);
    (new && here > 0 && !moved).then(|| Sign { negated: sentence.negated(at), ..Sign::new(at, next, at) })
}
