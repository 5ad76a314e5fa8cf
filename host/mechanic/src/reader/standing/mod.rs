//! What a sentence says of the standing of what it names: turned down, put off, done, told of others, or meant for another
//! place than the client. Whatever reading it has, it is for a person then.

mod classes;

use classes::{ARTIFACTS, ASKING, CLOSED, GERUNDS, INNER, NAMING, OTHER_ACTS};
pub(super) use classes::{AWAITED, BAD};

use super::lexicon as words;
use super::sentence::{Sentence, Zone};
use super::token::Kind;

/// Whether a sentence itself says that what it names is not asked for here and now.
pub(super) fn is_closed(sentence: &Sentence<'_>) -> bool {
    is_labelled(sentence)
        || is_turned_down(sentence)
        || asks_for_another_act(sentence)
        || is_quoted_speech(sentence)
        || names_an_artifact(sentence)
}

/// Whether words above something (`Rejected:`, `## Out of scope`) say that it is not to be done.
pub(super) fn closes(sentence: &Sentence<'_>) -> bool {
    says_closed(sentence, 0, sentence.tokens.len())
}

/// Whether a word says of what stands beside it that it is not to be done.
pub(super) fn is_closing(word: &str) -> bool {
    CLOSED.contains(&word)
}

pub(super) fn says_closed(sentence: &Sentence<'_>, start: usize, end: usize) -> bool {
    (start..end).any(|at| {
        let v2 = sentence
            .lower(at)
            .strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()));
        let negated = sentence.is(at, &["don't", "not", "never"])
            && sentence.is(at.saturating_add(1), &["forget", "hesitate", "miss", "abbreviate"]);
        // `our auditors don't want people to do that: …`: a reason in front of what is asked.
        let reason = at > start.saturating_add(1)
            && sentence.is(at, &["don't", "never", "won't"])
            && sentence.is_text(at.saturating_sub(1))
            && !sentence.is(at.saturating_sub(1), &["please", "but", "and", "so", "better"]);
        sentence.mention_at(at).is_none_or(|mention| !mention.strong)
            && !negated
            && !reason
            && !at.checked_sub(1).is_some_and(|before| sentence.is(before, &["be", "yet"]))
            && (v2
                || CLOSED
                    .iter()
                    .any(|phrase| sentence.says(at, phrase) && at.saturating_add(phrase.split(' ').count()) <= end))
    })
}

/// `Rejected: …`, `[on hold] …`: a few words without a name in front of what is said.
fn is_labelled(sentence: &Sentence<'_>) -> bool {
    let bracket = sentence.is_sign(0, '[');
    // `6:1` is the result of a vote.
    let digit = |at: usize| sentence.get(at).is_some_and(|token| token.text.starts_with(|c: char| c.is_ascii_digit()));
    let end = (0..sentence.tokens.len())
        .filter(|&at| bracket || !(digit(at.saturating_sub(1)) && digit(at.saturating_add(1))))
        .find(|&at| sentence.get(at).is_some_and(|token| token.is_sign(if bracket { ']' } else { ':' })));
    let Some(end) = end.filter(|&end| end <= 12) else { return false };
    // `As in Java: …`
    if sentence.is(0, &["as", "like"]) {
        return says_closed(sentence, 0, end);
    }
    let named = sentence.mentions.iter().any(|mention| mention.strong && mention.at < end);
    let others = sentence.languages.iter().any(|(at, language, role)| {
        *at < end && *role == super::sentence::LanguageRole::Other && *language != sentence.language
    });
    // `error: "x" is not defined, use "y"`: the words of a tool.
    let tool = end == 1 && sentence.is(0, &["error", "warning", "help"]);
    !named && (others || tool || says_closed(sentence, 0, end))
}

/// `was rejected`, `A -> B (declined)`, `it would be wrong to`: a judgement on what the sentence names.
fn is_turned_down(sentence: &Sentence<'_>) -> bool {
    let count = sentence.tokens.len();
    let arrow = sentence.tokens.iter().position(|token| token.kind == Kind::Arrow);
    let tail = arrow.is_some_and(|at| {
        let end = sentence.tokens.len();
        (at..end).any(|here| {
            sentence.zone(here) == Zone::Main
                && sentence.mention_at(here).is_none()
                && (sentence.is(
                    here,
                    list! {
                        "no" "nope" "nah" "rejected" "declined" "vetoed" "withdrawn" "postponed" "thumbsdown"
                        "votes" "kidding"
                    },
                ) && !sentence.is_text(here.saturating_add(1)))
        }) || sentence.is(0, &["no"]) && sentence.is(1, &["to"])
    });
    let closed = (0..count).any(|at| {
        sentence.is(at, &["is", "was", "were", "got", "been", "are"])
            && sentence.is(
                at.saturating_add(1),
                list! {
                    "rejected" "declined" "refused" "vetoed" "withdrawn" "closed" "postponed" "deferred" "parked"
                    "denied" "abandoned"
                },
            )
    });
    // A judgement beside a verb or a noun of changing.
    let judged = (0..count).any(|at| {
        sentence.is(at, BAD)
            && sentence.zone(at) != Zone::Reason
            && (sentence.is(at.saturating_add(1), &["to"]) && verb_behind(sentence, at.saturating_add(2))
                || sentence.is(at.saturating_add(1), &["would", "is"])
                    && (at..count).any(|here| verb_behind(sentence, here))
                || sentence.has(0..at, GERUNDS))
    });
    let back = (0..count).any(|at| {
        sentence.is(at, &["undo", "revert", "rollback"])
            && sentence.clause_start(at) <= at
            && !sentence.negated(at)
            && !returns(sentence, at)
            && (sentence.has(at..sentence.clause_end(at), &["to"]) || arrow.is_some())
    });
    let instance = (0..count).any(|at| {
        sentence.phrase(at, &["one", "could"])
            || sentence.phrase(at, &["one", "might"])
            || sentence.phrase(at, &["example", "of"])
    });
    let stays = (0..count).any(|at| {
        sentence.is(at, words::KEEPING)
            && (1..=2).any(|step| sentence.is(at.saturating_add(step), words::PUBLICITY))
            && !sentence.negated(at)
    }) && sentence.has(0..count, words::HIDING);
    // `half of us would hide it`
    let others_would = (1..count).any(|at| {
        sentence.is(at, &["would", "could", "might"])
            && sentence.is(at.saturating_add(1), ASKING)
            && at
                .checked_sub(1)
                .is_some_and(|who| !sentence.is(who, &["i", "we", "you", "that", "it", "which", "who", "please"]))
            && sentence.clause_start(at) != at
    });
    // `I'd hate to see X renamed`
    let disliked = (0..count).any(|at| {
        sentence.is(at, &["hate", "dislike", "regret", "oppose", "opposed", "object", "afraid"])
            && sentence.mention_at(at).is_none()
            // `a nested object`
            && !(sentence.is(at, &["object"])
                && at.checked_sub(1).is_some_and(|before| {
                    !sentence.is(before, &["i", "we", "they", "would", "to", "strongly", "customers", "users"])
                }))
    }) && !sentence.is_turned();
    // `hide it or make it …`: a choice.
    let choice = (1..count).any(|at| {
        sentence.is(at, &["or"])
            && (sentence.is(at.saturating_add(1), ASKING)
                || sentence.is(
                    at.saturating_add(1),
                    &["make", "remove", "keep", "leave", "drop", "delete", "document", "mark"],
                ))
            && sentence.mention_at(at.saturating_add(1)).is_none()
    });
    let after = arrow.is_some_and(|at| {
        sentence.is(
            at.saturating_add(2),
            list! {
                "was" "were" "relationship" "mapping" "conversion" "transition" "edge" "link" "dependency"
                "association" "is" "had"
            },
        )
    });
    choice || disliked || stays || others_would || tail || closed || judged || back || instance || after
}

/// `revert NewName to OldName`: the name behind `to` is the specification's own.
fn returns(sentence: &Sentence<'_>, at: usize) -> bool {
    let own = |text: &str| {
        let candidates = sentence.mentions.iter().flat_map(|mention| &mention.candidates);
        candidates.copied().any(|one| super::sentence::same_name(&sentence.lookup.entity(one).name, text))
    };
    let called = |to: usize| sentence.phrase(to, &["to", "what", "the"]);
    (at..sentence.tokens.len()).any(|to| {
        called(to)
            || sentence.is(to, &["to"]) && sentence.get(to.saturating_add(1)).is_some_and(|token| own(&token.text))
    })
}

fn verb_behind(sentence: &Sentence<'_>, at: usize) -> bool {
    (at..at.saturating_add(2)).any(|here| sentence.is(here, ASKING) && sentence.mention_at(here).is_none())
}

/// `please confirm that`, `ask the others to`: the change is what it speaks of, and another act what it asks for.
fn asks_for_another_act(sentence: &Sentence<'_>) -> bool {
    let first = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at));
    (0..sentence.tokens.len()).any(|at| {
        let begins = Some(at) == first
            || at.checked_sub(1).is_some_and(|before| {
                sentence.is(before, words::POLITE)
                    || sentence.is(before, &["you"])
                        && before > 0
                        && sentence.is(before.saturating_sub(1), &["can", "could", "would", "will"])
            });
        begins
            && sentence.is(at, OTHER_ACTS)
            && sentence.mention_at(at).is_none()
            && !sentence.is(at.saturating_add(1), &["and"])
            && !(sentence.is(at, &["ask"])
                && sentence.is(at.saturating_add(1), &["for", "to", "that", "you", "whether"]))
            && !sentence.get(at.saturating_add(1)).is_some_and(|token| token.kind == Kind::Arrow)
    })
}

/// Whether a paragraph reports several sentences between quotation marks: `"Rename it. Thanks." is what Ben wrote.`
pub(super) fn quotes_several(text: &str) -> bool {
    let mut parts = text.splitn(3, ['"', '“', '”']);
    let (before, Some(inner), Some(behind)) = (parts.next().unwrap_or_default(), parts.next(), parts.next()) else {
        return false;
    };
    let outside = format!("{before} {behind}").to_lowercase();
    let mut words = outside.split(|c: char| !c.is_alphanumeric());
    let reported = words.any(|word| words::REPORTING.contains(&word) || ["said", "says", "wrote"].contains(&word));
    reported && [". ", "! ", "? ", ": ", "; "].iter().any(|end| inner.contains(end))
}

/// A wish between quotation marks, in a sentence that is not all quotation.
fn is_quoted_speech(sentence: &Sentence<'_>) -> bool {
    let mark = |at: usize| {
        sentence.get(at).is_some_and(|token| ['"', '“', '”', '„', '«', '»'].iter().any(|sign| token.is_sign(*sign)))
    };
    let mut from = None;
    for at in 0..sentence.tokens.len() {
        if !mark(at) {
            continue;
        }
        match from.take() {
            None => from = Some(at),
            Some(start) => {
                // `"…" is what somebody suggested`
                let reported = sentence.any(words::REPORTING) || sentence.any(&["said", "says", "wrote", "proposes"]);
                let long = at.saturating_sub(start) > 3;
                let asks = sentence.has(start..at, ASKING) || reported && long;
                let outside = sentence
                    .tokens
                    .iter()
                    .enumerate()
                    .any(|(here, token)| token.is_text() && !(start..at).contains(&here));
                if asks && outside {
                    return true;
                }
            }
        }
    }
    false
}

/// `the folder X`, `their own helper X`.
fn names_an_artifact(sentence: &Sentence<'_>) -> bool {
    // `rename your test that uses X`
    let verb = (0..sentence.tokens.len())
        .find(|&at| sentence.is(at, words::RENAME_PROPER) || sentence.is(at, words::MOVE_PROPER));
    let object = verb.is_some_and(|verb| {
        (verb..verb.saturating_add(4))
            .take_while(|&at| sentence.mention_at(at).is_none())
            .any(|at| is_artifact(sentence, at) && sentence.get(at).is_some_and(|token| token.kind == Kind::Word))
    });
    object
        || sentence.mentions.iter().any(|mention| {
            mention.at.checked_sub(1).is_some_and(|before| {
                sentence.is(before, ARTIFACTS)
                    && sentence.mention_at(before).is_none()
                    && sentence.zone(before) == Zone::Main
                    || sentence.is(before, &["for"]) && before > 0 && sentence.is(before.saturating_sub(1), ARTIFACTS)
                    || is_inner(sentence, mention.end, before)
            })
        })
}

fn is_artifact(sentence: &Sentence<'_>, at: usize) -> bool {
    let one = sentence.lower(at).strip_suffix('s').unwrap_or_default();
    sentence.is(at, ARTIFACTS) || ARTIFACTS.contains(&one) && sentence.get(at).is_some_and(|token| !token.quoted)
}

/// Whether a sentence asks for something that is not there yet: `add an overload of X`.
pub(super) fn creates(sentence: &Sentence<'_>) -> bool {
    (0..sentence.tokens.len()).any(|at| {
        sentence.is(at, &["add", "create", "implement", "introduce", "provide", "write", "build"])
            && sentence.mention_at(at).is_none()
            && sentence.is(at.saturating_add(1), &["a", "an", "another", "some", "one", "two", "new"])
            // `X needs its own client`
            || sentence.is(at, &["its", "their"])
                && sentence.is(at.saturating_add(1), &["own"])
                && sentence.is(at.saturating_add(2), &["client", "group", "subclient", "sub-client"])
    })
}

/// `the base class of X should be`: something of the thing, and not the thing.
fn is_inner(sentence: &Sentence<'_>, end: usize, of: usize) -> bool {
    let prepositions = &["of", "for", "above", "below", "near"];
    let Some(noun) = of.checked_sub(1).filter(|_| sentence.is(of, prepositions)) else { return false };
    let Some(token) = sentence.get(noun).filter(|token| token.kind == Kind::Word && !token.quoted) else {
        return false;
    };
    let kind = words::kinds_of(&token.lower).is_some();
    let inner =
        sentence.is(noun, INNER) || kind && noun.checked_sub(1).is_some_and(|before| sentence.is(before, INNER));
    // `the doc string of X`
    let article = (1..=2).any(|step| {
        noun.checked_sub(step).is_some_and(|before| {
            sentence.is(before, &["the", "its"])
                && (before.saturating_add(1)..noun).all(|at| {
                    sentence.is_text(at) && sentence.mention_at(at).is_none() && !sentence.looks_like_name(at)
                })
        })
    });
    let other =
        article && !kind && !token.is(NAMING) && !token.is(words::FILLERS) && sentence.mention_at(noun).is_none();
    (inner || other) && sentence.is(end, words::OBLIGING)
}
