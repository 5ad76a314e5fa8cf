//! What a reading would have to be wrong about, and whether the text excludes it.
//!
//! A clause asks only if everything that governs it is known to license a wish: words in front of it that are of no such
//! class (`Ben told me to`, `it would break people to`) make it a tale, an option or somebody else's business. Behind it
//! nothing may put it off, judge it or place it outside of the client.

mod classes;

use super::document::{Ask, Doubt};
use super::lexicon as words;
use super::sentence::{Sentence, Zone};
use super::token::{Kind, Token};
use super::zones::is_boundary;
use classes::{
    GERUND_WISHES, GOING_ON, JUDGED, JUDGED_PHRASES, LICENSING, OTHERS, PASSING, PREDICATES, SETTLING, SURFACE, TIMES,
    TOLD, WISHED, WISHES,
};

/// What speaks against a reading.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Objection {
    pub(super) doubt: Doubt,
    /// The word that raises it.
    pub(super) at: usize,
}

fn open(at: usize) -> Option<Objection> {
    Some(Objection { doubt: Doubt::Undecided, at })
}

fn condition(at: usize) -> Option<Objection> {
    Some(Objection { doubt: Doubt::Condition, at })
}

/// What speaks against a reading that rests on some places of a sentence and is about some targets.
pub(super) fn objection(sentence: &Sentence<'_>, ask: &Ask, places: &[usize], bare: bool) -> Option<Objection> {
    let place = match ask {
        Ask::Move { to, .. } => sentence.lookup.by_reference(to),
        _ => None,
    };
    let targets: Vec<usize> = ask.target().into_iter().chain(place).collect();
    let core = Core::of(sentence, places, &targets)?;
    let seen = matches!(ask, Ask::Hide { .. } | Ask::Show { .. });
    // A sentence in another language has its sign, and no words that are known here.
    let bare = bare || sentence.tokens.iter().any(|token| token.is(words::RENAMING_ELSEWHERE));
    let governed = || core.governed(sentence).or_else(|| core.turned(sentence, seen));
    if bare { None } else { governed() }
        .or_else(|| core.weakened(sentence))
        .or_else(|| core.introduced(sentence))
        .or_else(|| core.continued(sentence))
}

/// The part of a sentence that a reading rests on.
struct Core {
    start: usize,
    /// Behind the last place.
    end: usize,
    /// The verb that governs the target, where one stands in front of it.
    verb: Option<usize>,
}

impl Core {
    fn of(sentence: &Sentence<'_>, places: &[usize], targets: &[usize]) -> Option<Self> {
        let mut start = places.iter().copied().min()?;
        let mut end = places.iter().copied().max()?.saturating_add(1);
        for target in targets {
            // In another clause the target is what this one speaks of, and governs nothing.
            let clause = sentence.clause_start(start);
            let mentioned = sentence.mentions.iter().filter(|mention| {
                mention.candidates.contains(target)
                    && !places.contains(&mention.at)
                    && (sentence.clause_start(mention.at) == clause || mention.at > start)
            });
            let near = mentioned.min_by_key(|mention| {
                let behind = mention.at.saturating_sub(end);
                start.saturating_sub(mention.end).saturating_add(behind)
            });
            if let Some(mention) = near {
                start = start.min(mention.at);
                end = end.max(mention.end);
            }
        }
        // `so it must not be part of the public API`: the pronoun is what it is about.
        let clause = sentence.clause_start(start);
        let named = (clause..end).any(|at| {
            sentence.mention_at(at).is_some_and(|mention| mention.candidates.iter().any(|one| targets.contains(one)))
        });
        let pronoun =
            (clause..start).rev().find(|&at| sentence.is(at, &["it", "this", "that", "they", "them", "these"]));
        if let Some(at) = pronoun.filter(|_| !named) {
            start = at;
        }
        let mut here = start;
        let mut noun = start;
        let mut verb = None;
        let mut determined = false;
        if sentence.is(start, PREDICATES) && sentence.mention_at(start).is_none() {
            verb = Some(start);
        }
        for _ in 0..10 {
            let Some(before) = here.checked_sub(1).filter(|_| verb.is_none()) else { break };
            let quote = sentence.get(before).is_some_and(|token| {
                ['"', '`', '*', '\'', '“', '‘', '_', '&', '/'].iter().any(|sign| token.is_sign(*sign))
            });
            let other = sentence.mention_at(before).is_some();
            if sentence.is(before, PREDICATES) && !other && !super::rename::is_noun(sentence, before) {
                verb = Some(before);
                break;
            }
            let word = sentence.get(before).is_some_and(Token::is_text);
            let ends = !quote && !word
                || sentence.is(before, words::MODALS)
                || sentence.is(before, words::CONDITIONS)
                || sentence.is(before, &["to", "that", "not", "i", "we", "you", "they"])
                || contracted(sentence.lower(before));
            if ends {
                break;
            }
            let part = quote
                || other
                || sentence.is(before, words::FILLERS)
                || words::kinds_of(sentence.lower(before)).is_some()
                || sentence
                    .is(before, &["name", "names", "of", "on", "and", "both", "all", "these", "this", "from", "in"]);
            determined |= sentence.is(before, &["the", "this", "our", "a", "these", "both"]);
            here = before;
            if part && !determined || sentence.is(before, &["the", "this", "our", "a", "these", "both"]) {
                noun = before;
            }
        }
        Some(Self { start: verb.unwrap_or(noun), end, verb })
    }

    /// What stands in front of it in its clause.
    fn governed(&self, sentence: &Sentence<'_>) -> Option<Objection> {
        let from = self.opened(sentence);
        let gerund = self.verb.is_some_and(|verb| sentence.lower(verb).ends_with("ing"));
        let has = |list: &[&str]| (from..self.start).any(|at| sentence.is(at, list));
        let by_verb = |list: &[&str]| self.verb.is_some_and(|verb| sentence.is(verb, list));
        let governs = |at: usize| {
            let token = sentence.get(at).filter(|token| token.is_text())?;
            let known = token.is(LICENSING)
                || token.is(PREDICATES)
                || token.is(words::FILLERS)
                || token.is(words::POLITE)
                || token.is(words::TYPES)
                || words::kinds_of(&token.lower).is_some()
                // `it would help if`: a wish; a condition has a zone of its own.
                || token.is(&["if"]) && sentence.zone(at) == Zone::Main
                || sentence.get(at.saturating_add(1)).is_some_and(|next| next.is_sign('/'))
                || sentence.mention_at(at).is_some()
                || sentence.languages.iter().any(|(place, ..)| *place == at)
                || sentence.zone(at) == Zone::Reason && self.verb.is_none()
                || token.looks_like_name()
                || contracted(&token.lower)
                || token.lower.chars().all(|c| c.is_ascii_digit())
                // `the accountants want`
                || sentence.is(at.saturating_add(1), WISHED)
                    && at.checked_sub(1).is_some_and(|before| sentence.is(before, &["the", "our", "all", "most"]));
            (!known).then_some(at)
        };
        if let Some(at) = (from..self.start).find_map(governs) {
            return open(at);
        }
        if self.verb.is_some() {
            let asked = has(&["could", "can", "would", "please", "pls"])
                && sentence.tokens.iter().any(|token| token.is_sign('?'));
            let others = has(OTHERS) && !has(WISHED) && !by_verb(WISHED) && !has(words::OBLIGING) && !asked;
            let own = has(&["i", "we", "you", "it"]) && !has(WISHES) && !by_verb(WISHES);
            if others || own {
                return open(from);
            }
        }
        let praised = (self.end..sentence.tokens.len()).any(|at| {
            sentence.is(
                at,
                list! {
                    "nice" "great" "good" "better" "best" "helpful" "appreciated" "help" "helps" "sense" "fixes"
                },
            ) && !sentence.negated(at)
        });
        if gerund && !has(GERUND_WISHES) && !praised { open(self.start) } else { None }
    }

    /// Where its clause begins, past an introduction without a comma: `As a user of the package I expect …`.
    fn opened(&self, sentence: &Sentence<'_>) -> usize {
        let from = sentence.clause_start(self.start);
        let introduces = sentence
            .is(from, &["as", "for", "from", "with", "per", "given", "following", "during", "since", "to", "at"]);
        let person = |&at: &usize| {
            sentence.is(at, &["i", "we", "you", "please", "i'd", "we'd", "it", "let's"])
                || sentence.is(at, &["the", "our"]) && sentence.mention_at(at.saturating_add(1)).is_some()
        };
        (from..self.start).find(person).filter(|_| introduces).unwrap_or(from)
    }

    /// A negation in front of it that its reading does not count, or two of them.
    fn turned(&self, sentence: &Sentence<'_>, seen: bool) -> Option<Objection> {
        let from = sentence.clause_start(self.start);
        let mut negations = (from..if seen { self.end } else { self.start })
            .filter(|&at| {
                sentence.is(at, words::NEGATIONS)
                    && !sentence.is_idle_negation(at)
                    && sentence.mention_at(at).is_none()
                    && !sentence.phrase(at, &["don't", "forget"])
                    && !sentence.phrase(at, &["no", "longer"])
            })
            .skip(usize::from(seen));
        negations.next().and_then(open)
    }

    /// `X could be called Y`, `X may be renamed`: what is possible.
    fn weakened(&self, sentence: &Sentence<'_>) -> Option<Objection> {
        let polite = sentence.tokens.last().is_some_and(|token| token.is_sign('?'))
            || sentence.tokens.iter().any(|token| token.is(words::POLITE));
        let from = sentence.clause_start(self.start);
        let soft = (from..self.end).find(|&at| {
            sentence.mention_at(at).is_none()
                && (sentence.is(at, &["may", "might"])
                    || sentence.phrase(at, &["have", "to"])
                        && at.checked_sub(1).is_some_and(|before| {
                            sentence.is(before, &["would"]) || sentence.lower(before).ends_with("'d")
                        })
                    || sentence.is(at, &["help"]) && !(from..at).any(|before| sentence.is(before, words::MODALS))
                    || sentence.is(at, &["could"]) && !sentence.is(at.saturating_add(1), &["you", "we", "i"]))
        });
        soft.filter(|_| !polite).and_then(open)
    }

    /// What stands in front of its clause: `On the wire, …`, `In case the board agrees, …`.
    fn introduced(&self, sentence: &Sentence<'_>) -> Option<Objection> {
        let own = sentence.clause_start(self.start);
        let mut from = 0;
        while from < own {
            let end = sentence.clause_end(from).max(from.saturating_add(1));
            let sign = sentence.get(end).is_some_and(|token| token.is_sign(':'));
            let inverted = sentence.is(from, &["should", "had", "were"])
                && sentence.get(end).is_some_and(|token| token.is_sign(','));
            if inverted {
                return condition(from);
            }
            if sentence.is(from, &["whoever", "whatever", "whenever", "imagine", "suppose"]) {
                return open(from);
            }
            let told = (from..end).find(|&at| sentence.is(at, TOLD) && sentence.mention_at(at).is_none());
            // `After GA: …`
            if sign && sentence.is(from, &["after", "once", "until", "when"]) {
                return condition(from);
            }
            if let Some(at) = told.filter(|_| sign) {
                return open(at);
            }
            let placed = sentence.is(from, &["in", "on", "at", "inside", "within", "under"]);
            if placed && !on_the_surface(sentence, from, end) {
                return open(from);
            }
            let named = (from..end).any(|at| sentence.mention_at(at).is_some_and(|mention| mention.strong));
            if let Some(doubt) =
                restricted(sentence, from, end).or_else(|| (!named).then(|| judged(sentence, from, end))?)
            {
                return Some(doubt);
            }
            from = end.saturating_add(1);
        }
        // `In the portal X should be …`
        let placed = sentence.is(own, &["in", "on", "at", "inside", "within", "under"]);
        if placed && own < self.start && !on_the_surface(sentence, own, self.start) {
            return open(own);
        }
        restricted(sentence, own, self.end)
    }

    /// What stands behind it.
    fn continued(&self, sentence: &Sentence<'_>) -> Option<Objection> {
        let count = sentence.tokens.len();
        let mut end = sentence.clause_end(self.end.saturating_sub(1)).max(self.end).min(count);
        // The quotes and brackets of the last name.
        let mut from = self.end;
        while sentence.get(from).is_some_and(|token| {
            !token.is_text() && !is_boundary(token)
                || words::kinds_of(&token.lower).is_some()
                || token.is(words::SURFACE)
        }) {
            from = from.saturating_add(1);
        }
        if from < end {
            let token = sentence.get(from)?;
            let known = token.is(GOING_ON)
                || token.is(words::POLITE)
                || token.is(words::FILLERS)
                || words::kinds_of(&token.lower).is_some()
                || sentence.mention_at(from).is_some()
                || sentence.languages.iter().any(|(place, ..)| *place == from)
                || token.looks_like_name()
                || token.is(words::RENAMING_ELSEWHERE)
                || token.lower.ends_with("ly")
                || token.lower.ends_with("wise");
            if !known {
                return open(from);
            }
            let told = sentence.is(from, &["is", "are", "has", "have", "was", "were", "will"])
                && self.verb.is_some_and(|verb| verb > 0);
            if told && !sentence.is(from.saturating_add(1), &["better", "more", "clearer", "preferable", "preferred"]) {
                return open(from);
            }
            for at in from..end {
                let placed = sentence.is(at, &["in", "on", "at", "inside", "within"])
                    && sentence.zone(at) != Zone::Comparison
                    && sentence.zone(at) != Zone::Reason;
                if placed && !on_the_surface(sentence, at, end) {
                    return open(at);
                }
                let when = sentence.is(at, &["when", "whenever", "wherever"])
                    && !sentence.is(at.saturating_add(1), &["you", "possible"]);
                if when {
                    return condition(at);
                }
                // `as an experiment`
                let role = sentence.is(at, &["as"]) && sentence.is(at.saturating_add(1), &["a", "an"]);
                if role && sentence.zone(at) == Zone::Main {
                    return open(at);
                }
            }
            if let Some(doubt) = restricted(sentence, from, end) {
                return Some(doubt);
            }
        }
        while end < count {
            let from = end.saturating_add(1);
            end = sentence.clause_end(from).max(from).min(count);
            if sentence.is(from, &["said", "says", "wrote", "claims", "claimed", "thinks", "argues"]) {
                return open(from);
            }
            let bad = sentence.is(from, &["which", "that", "this", "it"])
                && (from..end).any(|at| sentence.is(at, super::standing::BAD) && !sentence.negated(at));
            if bad {
                return open(from);
            }
            if (from..end).any(|at| sentence.mention_at(at).is_some_and(|mention| mention.strong)) {
                continue;
            }
            if let Some(doubt) = restricted(sentence, from, end).or_else(|| judged(sentence, from, end)) {
                return Some(doubt);
            }
        }
        None
    }
}

/// Whether words above something say that it is told, judged or put off: `Not agreed:`, `Minutes of last year:`.
pub(super) fn closes(sentence: &Sentence<'_>) -> bool {
    let count = sentence.tokens.len();
    let past = |at: usize| sentence.is(at, &["last"]) && sentence.is(at.saturating_add(1), TIMES);
    (0..count).any(|at| sentence.is(at, TOLD) && sentence.mention_at(at).is_none() || past(at))
        || judged(sentence, 0, count).is_some()
        || restricted(sentence, 0, count).is_some()
}

/// Whether a sentence about nothing of its own judges what stands before it, or puts it off.
pub(super) fn verdict(sentence: &Sentence<'_>) -> Option<Objection> {
    let count = sentence.tokens.len();
    let mut from = 0;
    while from < count {
        let end = sentence.clause_end(from).max(from.saturating_add(1)).min(count);
        if let Some(doubt) = judged(sentence, from, end) {
            return Some(doubt);
        }
        from = end.saturating_add(1);
    }
    // `Needs Ben's ok.`
    let waits = sentence.is(0, &["needs", "requires", "depends", "awaits"]);
    if waits {
        return open(0);
    }
    let asks = sentence.tokens.last().is_some_and(|token| token.is_sign('?'))
        && sentence.tokens.iter().any(|token| {
            token.is(&["think", "opinion", "opinions", "objections", "agree", "agreed", "thoughts", "okay", "views"])
        });
    asks.then_some(Objection { doubt: Doubt::Question, at: 0 })
}

/// A judgement, or that there is none yet, in a part without a name.
fn judged(sentence: &Sentence<'_>, from: usize, end: usize) -> Option<Objection> {
    let says =
        |at: usize, phrase: &&str| sentence.says(at, phrase) && at.saturating_add(phrase.split(' ').count()) <= end;
    for at in from..end {
        if sentence.zone(at) == Zone::Reason || sentence.zone(at) == Zone::Comparison {
            continue;
        }
        let alone = sentence.is(at, &["open"]) && end.saturating_sub(from) == 1;
        if sentence.is(at, JUDGED) || alone || JUDGED_PHRASES.iter().any(|phrase| says(at, phrase)) {
            return open(at);
        }
        let bare = sentence.is(at, &["no", "nope", "nah", "not"])
            && (at.saturating_add(1)..end).all(|next| !sentence.get(next).is_some_and(Token::is_text))
            && (from..at).all(|before| {
                !sentence.get(before).is_some_and(Token::is_text)
                    || sentence.is(before, &["a", "hmm", "so", "oh", "but", "then", "is", "the", "answer"])
            });
        if bare {
            return open(at);
        }
        let outvoted = sentence.is(at, &["against"])
            && at
                .checked_sub(1)
                .and_then(|before| sentence.get(before))
                .is_some_and(|token| token.text.chars().all(|c| c.is_ascii_digit()));
        if outvoted {
            return open(at);
        }
        let negation = sentence.is(at, words::NEGATIONS) && !sentence.is_idle_negation(at)
            || sentence.is(at, &["still", "hardly"]);
        if negation
            && (at.saturating_add(1)..at.saturating_add(5).min(end)).any(|next| {
                sentence.is(next, SETTLING)
                    && !(sentence.is(at, &["still"]) && sentence.is(next, &["wanted", "so", "worth", "going"]))
            })
            && !sentence.is(at, &["still"])
        {
            return open(at);
        }
    }
    None
}

/// A time that has not come, a condition in several words, a choice.
fn restricted(sentence: &Sentence<'_>, from: usize, end: usize) -> Option<Objection> {
    let says = |at: usize, phrase: &str| sentence.says(at, phrase);
    for at in from..end {
        if sentence.mention_at(at).is_some() || sentence.zone(at) == Zone::Comparison {
            continue;
        }
        let waits = list! {
            "as soon as" "in case" "in the event" "subject to" "on condition" "provided that" "depending on"
            "only if" "only when" "only where" "only once" "only after" "as long as" "not before" "not until"
            "api version" "api versions" "service version"
        }
        .iter()
        .any(|phrase| says(at, phrase) && !says(at, "in case you"));
        if waits {
            return condition(at);
        }
        let next = at.saturating_add(1);
        let numbered = |at: usize| {
            sentence
                .lower(at)
                .strip_prefix('v')
                .is_some_and(|rest| rest.chars().next().is_some_and(|c| c.is_ascii_digit()))
        };
        let later = sentence.is(at, &["next"]) && sentence.is(next, TIMES)
            || sentence.is(at, &["major"]) && sentence.is(next, &["version", "release"])
            || sentence.is(at, &["future", "later", "eventually", "someday", "tomorrow", "sometime"])
                && !sentence.is(next, &["than", "proof", "readers"])
            || says(at, "one day")
            || says(at, "some day")
            || says(at, "some point")
            || says(at, "down the road")
            || says(at, "another day")
            || sentence.is(at, PASSING)
            || numbered(at) && end.saturating_sub(from) == 1
            || sentence.is(at, &["in", "with", "for", "until", "till"]) && numbered(next);
        let polite = sentence.is(at, &["later"]) && sentence.is(at.saturating_sub(1), &["sooner", "no", "not"]);
        if later && !polite {
            return open(at);
        }
        let choice = sentence.is(at, &["or"])
            && sentence.is(
                next,
                list! {
                    "leave" "keep" "not" "drop" "document" "remove" "delete" "deprecate" "live" "wait" "should" "do"
                    "maybe" "else" "alternatively" "accept" "reject" "stay" "whether"
                },
            );
        if choice || sentence.is(at, &["either"]) && (at..end).any(|here| sentence.is(here, &["or"])) {
            return open(at);
        }
        let supposed = sentence.is(at, &["imagine", "suppose", "pretend", "hypothetically", "supposedly", "allegedly"])
            || says(at, "for example")
            || says(at, "for instance")
            || sentence.is(at, &["e.g"]) && at == 0;
        if supposed {
            return open(at);
        }
    }
    None
}

/// Whether a word of place leads to the client, or to what the request itself is.
fn on_the_surface(sentence: &Sentence<'_>, at: usize, end: usize) -> bool {
    let last = end.min(at.saturating_add(7));
    (at.saturating_add(1)..last).any(|here| {
        sentence.is(here, SURFACE)
            || sentence.mention_at(here).is_some()
            || words::kinds_of(sentence.lower(here)).is_some()
            || sentence.languages.iter().any(|(place, ..)| *place == here)
            || sentence.get(here).is_some_and(|token| token.looks_like_name() || token.kind == Kind::Arrow)
    }) && !(at.saturating_add(1)..last).any(|here| {
        sentence.is(
            here,
            list! {
                "sample" "samples" "test" "tests" "docs" "documentation" "readme" "changelog" "fork" "wiki" "branch"
                "prototype" "mock" "portal" "cli" "docstring" "docstrings" "swagger" "wire" "rest" "spec"
                "specification" "openapi" "json" "payload" "backend"
            },
        )
    })
}

fn contracted(word: &str) -> bool {
    ["'d", "'ll", "'ve", "'re"].iter().any(|ending| word.ends_with(ending))
}
