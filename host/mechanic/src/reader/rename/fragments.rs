//! Names that stand alone, for what the sentences before are about.

use super::super::cross_check::spells;
use super::super::lexicon as words;
use super::super::names::{NewName, is_convention, is_ending, is_file, is_shaped, name_of, resembles, suits};
use super::super::sentence::{Sentence, Zone, same_name};
use super::super::targets::{Focus, Found, PLACING};
use super::super::token::Kind;
use super::Rename;
use super::back::{is_of_another_kind, is_of_its_parameter, subject};

/// Names that stand alone, for what the sentences before are about: `PortName, please.`
pub(super) fn fragments(sentence: &Sentence<'_>, focus: &Focus) -> Vec<Rename> {
    if sentence.tokens.iter().any(|token| token.kind == Kind::Arrow || token.is_sign('=')) {
        return Vec::new();
    }
    let mut start = 0;
    while start < sentence.tokens.len() {
        let end = piece_end(sentence, start);
        if is_labelled(sentence, start) {
            return Vec::new();
        }
        if let Some(found) = fragment(sentence, start, end, focus) {
            return found;
        }
        start = end.saturating_add(1);
    }
    Vec::new()
}

/// `Milestone: X`: a label that speaks of something else than names.
pub(super) fn is_labelled(sentence: &Sentence<'_>, start: usize) -> bool {
    let Some(colon) = start.checked_sub(1).filter(|&at| sentence.is_sign(at, ':')) else {
        return false;
    };
    let label = sentence.clause_start(colon.saturating_sub(1))..colon;
    let single = label.len() <= 2 && label.clone().any(|at| sentence.is_text(at));
    let speaks = label.clone().any(|at| {
        sentence.mention_at(at).is_some()
            || sentence.languages.iter().any(|(place, ..)| *place == at)
            || sentence.is(at, words::POLITE)
            || sentence.is(
                at,
                list! {
                    "suggestion" "suggested" "proposal" "proposed" "name" "new" "better" "preferred" "wish"
                    "recommended" "nit" "comment" "request" "reply" "decision" "verdict" "fix" "minor" "naming"
                    "change" "rename" "me" "instead" "so" "hence" "thus" "therefore" "then"
                    "line" "conclusion" "outcome" "consensus" "resolution" "result" "answer" "summary" "final" "decided" "agreed" "settled" "chosen"
                },
            )
    });
    single && !speaks
}

fn piece_end(sentence: &Sentence<'_>, start: usize) -> usize {
    (start..sentence.tokens.len())
        .find(|&at| {
            let sign = |token: &super::super::token::Token| {
                [';', '—', '–', '-', '.', '!', '?', ':', '(', ')', '…'].iter().any(|sign| token.is_sign(*sign))
            };
            sentence.get(at).is_some_and(|token| sign(token) || token.is_sign(',') && !joins_names(sentence, at))
        })
        .unwrap_or(sentence.tokens.len())
}

/// A capital between names: `PartKind, Standard, Economy`.
fn listed(sentence: &Sentence<'_>, at: usize) -> bool {
    let capital = |at: usize| sentence.get(at).is_some_and(|token| token.text.starts_with(char::is_uppercase));
    let comma = |at: usize| sentence.is_sign(at, ',') || sentence.is(at, &["and"]);
    let named = |at: usize| sentence.looks_like_name(at) || capital(at);
    let before = at > 1 && comma(at.saturating_sub(1)) && named(at.saturating_sub(2));
    let behind = comma(at.saturating_add(1)) && named(at.saturating_add(2));
    capital(at) && (before || behind)
}

fn joins_names(sentence: &Sentence<'_>, at: usize) -> bool {
    let named = |at: Option<usize>| {
        at.is_some_and(|at| {
            (name_of(sentence, at).is_some() || listed(sentence, at))
                && sentence
                    .get(at)
                    .is_some_and(|token| token.looks_like_name() || token.text.starts_with(char::is_uppercase))
        })
    };
    named(at.checked_sub(1)) && named(Some(at.saturating_add(1)))
}

/// What may stand beside a name that stands alone.
const BESIDE: &[&str] = list! {
    "it" "is" "shall" "be" "would" "do" "will" "enough" "better" "fits" "works" "is" "then" "for" "in" "here"
    "also" "please" "pls" "so" "that" "should" "as" "too" "and" "sounds" "me" "us" "good" "nicer" "clearer"
    "reads" "more" "makes" "sense" "the" "clean" "suffices" "suffice" "wins" "might" "use" "hmm" "ok" "okay"
    "yes" "agreed" "there" "a" "an" "proper" "suitable" "nice" "right" "correct" "fitting" "natural" "choice"
    "option" "term" "word" "class" "type" "seems" "feels" "much" "far" "best" "great" "fine" "by" "hence" "thus"
    "therefore" "or" "method" "property" "field" "model" "enum" "really" "say" "convention" "conventions" "mgmt"
    "guideline" "guidelines" "standard" "rule" "are" "was" "one" "prefer" "preferred" "proposal" "proposed"
    "name" "new" "go" "with" "let's" "we" "i" "i'd" "thanks" "thx" "perhaps" "simply" "just" "instead" "not"
    "exactly"
};

fn fragment(sentence: &Sentence<'_>, start: usize, end: usize, focus: &Focus) -> Option<Vec<Rename>> {
    let backed = (start..end)
        .any(|at| at > start && (sentence.is(at, words::POLITE) || sentence.is(at, &["it", "would", "will", "shall"])));
    let names: Vec<NewName> = (start..end)
        .filter(|&at| sentence.is_text(at) && !is_described(sentence, at))
        .filter_map(|at| {
            let token = sentence.get(at)?;
            // A word that is only capital needs courtesy or a verb beside it.
            let spelled = focus
                .subject
                .iter()
                .chain(&focus.mentioned)
                .chain(
                    sentence.mentions.iter().filter(|mention| mention.at < at).flat_map(|mention| &mention.candidates),
                )
                .any(|&one| resembles(&sentence.lookup.entity(one).name, &token.text));
            let sole = (start..end).filter(|&other| sentence.is_text(other)).count() == 1;
            let explains = sentence.zone(at) != Zone::Main;
            // `Ignore it`: a capital at the start, with an object.
            let verb = !token.looks_like_name()
                && sentence.is(at.saturating_add(1), &["it", "this", "that", "them", "these", "those"]);
            let sure = !explains
                && !verb
                && (token.looks_like_name()
                    || is_shaped(token) && (backed && sole_name(sentence, start, end) || spelled)
                    || spelled && sole);
            let alone =
                !(0..sentence.tokens.len()).any(|other| (other < start || other >= end) && sentence.is_text(other));
            // `X is fine` approves of X as it is.
            let approved = sentence.has(at..end, words::APPROVING);
            // `AbortResult`, below a member: a heading.
            let kind = |one: usize| sentence.lookup.entity(one).kind;
            let another = sentence.is_sign(0, '*')
                && sentence.mention_at(at).is_some_and(|mention| {
                    mention.strong
                        && !focus.subject.is_empty()
                        && mention
                            .candidates
                            .iter()
                            .all(|&one| kind(one).is_type() && focus.subject.iter().all(|&of| !kind(of).is_type()))
                });
            // What an operation or a type is called today is no new name for another one.
            let taken = sentence.mention_at(at).is_some_and(|mention| {
                mention.strong
                    && mention.candidates.iter().all(|one| !focus.subject.contains(one))
                    && mention.candidates.iter().any(|&one| {
                        let entity = sentence.lookup.entity(one);
                        // `begin_create_x`, as the language calls it.
                        let begun =
                            ["begin_", "begin", "Begin"].iter().find_map(|start| token.text.strip_prefix(start));
                        let called = begun.unwrap_or(&token.text).trim_end_matches("Async");
                        (entity.kind.is_type() || entity.kind == bailiwick_sdk::tasks::EntityKind::Operation)
                            && focus.subject.iter().any(|&of| kind(of) == entity.kind)
                            && (same_name(&entity.name, &token.text) || same_name(&entity.name, called))
                    })
            });
            // `in Part.`: where the thing is that was quoted.
            let placed = at.checked_sub(1).is_some_and(|before| sentence.is(before, PLACING))
                && sentence.mention_at(at).is_some_and(|mention| mention.strong);
            let known = another
                || taken
                || placed
                || (!alone || approved)
                    && sentence.mention_at(at).is_some_and(|mention| {
                        mention.strong && !mention.candidates.iter().any(|one| focus.subject.contains(one))
                    });
            // `a Part`: one of them.
            let one = at.checked_sub(1).is_some_and(|before| sentence.is(before, &["a", "an"])) && !token.quoted;
            (sure
                && !one
                && !known
                && (!token.is(BESIDE) && !token.is(words::NEVER_NAMES) || listed(sentence, at))
                && !token.is(words::HIDING)
                && !token.is(words::PUBLICITY)
                && !token.is(words::FEATURES))
            .then(|| bare_name(sentence, at))
            .flatten()
        })
        .collect();
    let language = |at: usize| sentence.languages.iter().any(|(place, ..)| *place == at);
    let others = (start..end).filter(|&at| {
        sentence.get(at).is_some_and(|token| {
            token.is_text() && !token.is(BESIDE) && !token.is(words::FILLERS) && !token.is(words::POLITE)
        }) && !language(at)
            && !is_comparative(sentence, at)
            && !names.iter().any(|name| name.at == at)
            && sentence.zone(at) == Zone::Main
    });
    // `We use X`, `see the comment (X)`: not said of what is spoken of.
    let stated =
        (start..end).any(|at| sentence.is(at, &["we", "i", "they"]) && sentence.is(at.saturating_add(1), &["use"]));
    let aside = start.checked_sub(1).and_then(|at| sentence.get(at)).is_some_and(|token| token.is_sign('('))
        && !sentence.tokens.iter().any(|token| {
            token.is_sign('?')
                || token.is(&["spell", "spelled", "spelt", "write", "written", "called", "named"])
                || token.is(words::POLITE)
                || token.is(words::OBLIGING)
        })
        && !names.iter().all(|name| {
            focus.subject.iter().chain(&focus.mentioned).any(|&one| {
                let own = &sentence.lookup.entity(one).name;
                spells(own, &name.text) || same_name(own, &name.text)
            })
        });
    // `X isn't public, Y is`: what is so.
    let ellipsis = end.checked_sub(1).is_some_and(|last| {
        sentence.is(last, &["is", "are", "was", "does", "did", "has"])
            && names.iter().any(|name| name.at.saturating_add(1) == last)
    });
    // `In Java it is X`
    let elsewhere = sentence.has(start..end, &["is", "are", "was"]) && sentence.is_about_others(start);
    if stated || aside || ellipsis || elsewhere {
        return None;
    }
    if names.is_empty() || others.count() > 0 || sentence.has(start..end, words::NEGATIONS) {
        return None;
    }
    // One that has the name already is not renamed by saying its name.
    let stands = |name: &NewName| {
        sentence.mention_at(name.at).is_some_and(|mention| {
            mention.candidates.iter().any(|&at| {
                let entity = sentence.lookup.entity(at);
                let today = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
                focus.subject.contains(&at) && crate::names::key(today) == crate::names::key(&name.text)
            })
        })
    };
    if names.iter().any(stands) {
        return None;
    }
    // `"Infos"?`: a word of its name, and no other name.
    let asked = sentence.tokens.last().is_some_and(|token| token.is_sign('?'));
    let own_word = |name: &NewName| {
        focus.subject.iter().any(|&one| {
            let words = crate::names::words(&sentence.lookup.entity(one).name);
            words.len() > 1 && words.iter().any(|word| word.eq_ignore_ascii_case(&name.text))
        })
    };
    if asked && names.iter().all(own_word) {
        return None;
    }
    let first = names.first().map(|name| name.text.clone()).unwrap_or_default();
    let test = |at: usize| suits(sentence.lookup.entity(at).kind, &first, sentence.language);
    // What the sentence itself names before counts more than what was spoken of.
    let own = sentence.targets_fitting(0, start, focus, &test);
    let found = match own {
        Found::Nothing => subject(focus, &names, sentence.lookup, &test),
        other => other,
    };
    let Found::These(subject) = found else { return None };
    // `That last parameter is long. X would do.`: the operation that has it gets no name.
    if subject.iter().any(|&one| is_of_its_parameter(sentence, focus, one, &first)) {
        return None;
    }
    if subject.len() != names.len() || is_of_another_kind(sentence, start, end, &subject) {
        return None;
    }
    let alternatives = sentence.has(start..end, &["or"]);
    let at = names.first()?.at;
    Some(
        subject
            .into_iter()
            .zip(names)
            .map(|(target, name)| Rename { target: Ok(target), name, alternatives, negated: false, at, bare: true })
            .collect(),
    )
}

/// `partId reads like the id of a row`: what people take a name for, which is no proposal.
fn is_described(sentence: &Sentence<'_>, at: usize) -> bool {
    let verb = at.saturating_add(1);
    sentence.is(verb, &["reads", "sounds", "looks", "feels", "seems"])
        && sentence.is(verb.saturating_add(1), &["like", "as", "to"])
}

/// Whether nothing but courtesy stands beside a name.
fn sole_name(sentence: &Sentence<'_>, start: usize, end: usize) -> bool {
    (start..end)
        .filter(|&at| {
            sentence
                .get(at)
                .is_some_and(|token| token.is_text() && !token.is(words::POLITE) && !token.is(words::FILLERS))
        })
        .count()
        <= 2
}

/// `would be friendlier`
pub(super) fn is_comparative(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.lower(at).ends_with("er")
        && at
            .checked_sub(1)
            .is_some_and(|before| sentence.is(before, &["be", "is", "reads", "sounds", "feels", "seems", "looks"]))
}

fn bare_name(sentence: &Sentence<'_>, at: usize) -> Option<NewName> {
    let token = sentence.get(at).filter(|_| !is_ending(sentence, at))?;
    let last = token.text.rsplit(['.', '#']).next().unwrap_or(&token.text);
    let language = sentence.languages.iter().any(|(place, ..)| *place == at);
    (crate::names::is_identifier(last) && !is_convention(last) && !is_file(&token.text) && !language && last.len() > 1)
        .then(|| NewName { at, text: token.text.clone() })
}
