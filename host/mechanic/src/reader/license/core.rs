//! What governs the part of a sentence that a reading rests on, and what stands in front of it and behind it.

mod continued;

use super::super::lexicon as words;
use super::super::names::opens_a_pair;
use super::super::sentence::{Mention, Sentence, Zone};
use super::classes::{GERUND_WISHES, LICENSING, OPINIONS, OTHERS, PREDICATES, TOLD, WISHED, WISHES};
use super::{Objection, condition, contracted, is_rule, judged, on_the_surface, open, restricted, votes_against};
use bailiwick_sdk::tasks::EntityKind;

/// Who changes names that are not the client's.
const SERVICES: &[&str] = &["service", "server", "backend", "portal", "cli", "swagger"];

/// `After GA …`, `once the beta is out, …`: something that has not come, and no talk that was.
fn awaits(sentence: &Sentence<'_>, from: usize, end: usize) -> bool {
    let was = list! {
        "discussion" "meeting" "call" "review" "sync" "session" "chat" "talk" "talks" "feedback" "comments" "thread" "workshop"
        "rebranding" "regeneration" "mail" "survey" "study" "conversation" "presentation" "demo"
    };
    let idle = sentence.is(from.saturating_add(1), &["all", "again", "more", "and"]);
    sentence.is(from, &["after", "once"])
        && !idle
        && (!sentence.has(from..end, was) || sentence.has(from..end, &["next", "tomorrow", "tomorrow's", "coming"]))
}

/// `A to b and C to d`: the new name of a pair that the next one follows.
fn is_a_pair(sentence: &Sentence<'_>, at: usize) -> bool {
    let object = |mention: &Mention| mention.strong && mention.end.saturating_add(1) == at;
    sentence.mentions.iter().any(object) && opens_a_pair(sentence, at.saturating_add(1))
}

/// `keep A, B and C out of …`: a thing that stands in one list with the first thing of a clause behind it.
fn is_listed(sentence: &Sentence<'_>, mention: &Mention, clause: usize) -> bool {
    let next = sentence.mentions.iter().find(|other| other.at >= clause && other.strong);
    mention.strong
        && mention.end <= clause
        && next.is_some_and(|next| {
            (mention.end..next.at).all(|at| {
                sentence.is_sign(at, ',') || sentence.is(at, &["and", "or"]) || sentence.mention_at(at).is_some()
            })
        })
}

/// The part of a sentence that a reading rests on.
pub(super) struct Core {
    start: usize,
    /// Behind the last place.
    end: usize,
    /// The verb that governs the target, where one stands in front of it.
    verb: Option<usize>,
}

impl Core {
    pub(super) fn of(sentence: &Sentence<'_>, places: &[usize], targets: &[usize]) -> Option<Self> {
        let mut start = places.iter().copied().min()?;
        let mut end = places.iter().copied().max()?.saturating_add(1);
        for target in targets {
            // In another clause the target is what this one speaks of, and governs nothing.
            let clause = sentence.clause_start(start);
            let mentioned = sentence.mentions.iter().filter(|mention| {
                mention.candidates.contains(target)
                    && !places.contains(&mention.at)
                    // `so that users can write client.query()`
                    && (sentence.zone(mention.at) != Zone::Reason || sentence.zone(start) == Zone::Reason)
                    && (sentence.clause_start(mention.at) == clause
                        || mention.at > start
                        || is_listed(sentence, mention, clause))
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
        // `the method must not be part of the public API`
        let noun = (clause..start).find(|&at| {
            let determined = at.checked_sub(1).is_some_and(|before| sentence.is(before, &["the", "this", "that"]));
            words::kinds_of(sentence.lower(at)).is_some()
                && (determined || at == clause)
                && sentence.is(at.saturating_add(1), words::MODALS)
        });
        if let Some(at) = pronoun.or(noun).filter(|_| !named) {
            start = at;
        }
        let mut here = start;
        let mut noun = start;
        let mut verb = None;
        let mut determined = false;
        let mut crossed = false;
        if sentence.is(start, PREDICATES) && sentence.mention_at(start).is_none() {
            verb = Some(start);
        }
        for _ in 0..10 {
            let Some(before) = here.checked_sub(1).filter(|_| verb.is_none()) else { break };
            let quote = sentence.get(before).is_some_and(|token| {
                ['"', '`', '*', '\'', '“', '‘', '_', '&', '/'].iter().any(|sign| token.is_sign(*sign))
            });
            let other = sentence.mention_at(before).is_some();
            if sentence.is(before, PREDICATES) && !other && !super::super::rename::is_noun(sentence, before) {
                verb = Some(before);
                break;
            }
            let word = sentence.is_text(before);
            let ends = !quote && !word
                || sentence.is(before, words::MODALS)
                || sentence.is(before, words::CONDITIONS)
                || sentence.is(before, &["to", "that", "not", "i", "we", "you", "they"])
                || sentence.is(before, OPINIONS)
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
            // `In JSON X is …`: what leads to a word of its own is no part of the thing.
            crossed |= !part;
            if part && !determined && !(crossed && sentence.is(before, &["in", "on", "from"]))
                || sentence.is(before, &["the", "this", "our", "a", "these", "both"])
            {
                noun = before;
            }
        }
        Some(Self { start: verb.unwrap_or(noun), end, verb })
    }

    /// Where it begins.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// Whether its clause tells what was, in a sentence that wishes nothing.
    pub(super) fn is_past(&self, sentence: &Sentence<'_>) -> bool {
        let from = sentence.clause_start(self.start);
        let settled = list! {
            "agreed" "decided" "settled" "concluded" "voted" "approved" "accepted" "chosen" "requested" "asked" "wanted" "meant"
            "supposed" "to" "told" "suggested" "proposed" "preferred"
        };
        let was = (from..self.end).any(|at| {
            sentence.is(at, &["was", "were"])
                && !sentence.has(at..at.saturating_add(4).min(sentence.tokens.len()), settled)
        });
        let wishes = [words::OBLIGING, words::POLITE, words::RENAME_PROPER, words::MODALS]
            .iter()
            .any(|list| sentence.any(list))
            || sentence.any(&[
                "back", "again", "want", "wants", "need", "needs", "let's", "let", "restore", "undo", "revert", "so",
            ]);
        // `My second thought was X.`
        let chosen = sentence.any(&["thought", "proposal", "suggestion", "choice", "preference"]);
        was && !wishes && !chosen
    }

    /// What stands in front of it in its clause.
    pub(super) fn governed(&self, sentence: &Sentence<'_>) -> Option<Objection> {
        let from = self.opened(sentence);
        if let Some(at) = (0..self.start).rev().take(6).find(|&at| votes_against(sentence, at)) {
            return open(at);
        }
        let gerund = self.verb.is_some_and(|verb| sentence.lower(verb).ends_with("ing"));
        let has = |list: &[&str]| sentence.has(from..self.start, list);
        let by_verb = |list: &[&str]| self.verb.is_some_and(|verb| sentence.is(verb, list));
        let governs = |at: usize| {
            let token = sentence.get(at).filter(|token| token.is_text())?;
            let known = token.is(LICENSING)
                || token.is(PREDICATES)
                || token.is(words::FILLERS)
                || token.is(words::POLITE)
                || token.is(words::TYPES)
                || words::kinds_of(&token.lower).is_some()
                // `the main client has to be X`
                || token.is(&["root", "main", "top-level"])
                    && words::kinds_of(sentence.lower(at.saturating_add(1))).is_some()
                // `it would help if`: a wish; a condition has a zone of its own.
                || token.is(&["if"]) && sentence.zone(at) == Zone::Main
                || sentence.phrase(at, &["except", "that"])
                || sentence.get(at.saturating_add(1)).is_some_and(|next| next.is_sign('/'))
                || sentence.mention_at(at).is_some()
                || sentence.languages.iter().any(|(place, ..)| *place == at)
                || sentence.zone(at) == Zone::Reason && self.verb.is_none()
                || token.looks_like_name()
                || contracted(&token.lower)
                // `@team can we have X`
                || token.text.starts_with('@')
                || is_rule(sentence, at)
                // `rename A to Gadget and B to …`: the name in front.
                || at > 1
                    && sentence.is(at.saturating_sub(1), &["to", "as", "into"])
                    && sentence.has(from..at, words::RENAME_PROPER)
                    && (token.text.starts_with(char::is_uppercase) || is_a_pair(sentence, at))
                || token.lower.chars().all(|c| c.is_ascii_digit())
                // `should be called Y instead of X`
                || sentence.is(at, &["called", "named"])
                    && sentence.is(at.saturating_sub(1), &["be"])
                    && (sentence.phrase(at.saturating_add(2), &["instead", "of"])
                        || sentence.phrase(at.saturating_add(2), &["rather", "than"]))
                // `the accountants want`
                || sentence.is(at.saturating_add(1), WISHED)
                    && at.checked_sub(1).is_some_and(|before| sentence.is(before, &["the", "our", "all", "most"]));
            (!known).then_some(at)
        };
        if let Some(at) = (from..self.start).find_map(governs) {
            return open(at);
        }
        // `the service should rename X`, `the JSON field X`: what is no matter of the client.
        let foreign = (from..self.start).find(|&at| {
            let next = at.saturating_add(1);
            sentence.mention_at(at).is_none()
                && (sentence.is(at, SERVICES) && (Some(next) == self.verb || sentence.is(next, words::MODALS))
                    || sentence.is(at, words::ON_THE_WIRE) && words::kinds_of(sentence.lower(next)).is_some())
        });
        let inside = (self.start..self.end).find(|&at| {
            sentence.is(at, words::ON_THE_WIRE)
                && sentence.mention_at(at).is_none()
                && words::kinds_of(sentence.lower(at.saturating_add(1))).is_some()
        });
        if let Some(at) = foreign.or(inside) {
            return open(at);
        }
        if self.verb.is_some() {
            // `can someone please rename X`, with or without its sign of a question
            let asked = has(&["could", "can", "would", "please", "pls"])
                && sentence.tokens.iter().any(|token| token.is_sign('?'))
                || has(&["can", "could", "would"]) && has(words::POLITE);
            let others = has(OTHERS) && !has(WISHED) && !by_verb(WISHED) && !has(words::OBLIGING) && !asked;
            // `we take Y for X`
            let takes = by_verb(&["take", "adopt", "pick", "choose"]) && sentence.has(self.start..self.end, &["for"]);
            let own = has(&["i", "we", "you", "it"]) && !has(WISHES) && !by_verb(WISHES) && !takes;
            if others || own {
                return open(from);
            }
        }
        let praised = (self.end..sentence.tokens.len()).any(|at| {
            sentence.is(
                at,
                list! {
                    "nice" "great" "good" "better" "best" "helpful" "appreciated" "help" "helps" "sense" "fixes" "ok" "okay"
                    "fine" "approved" "agreed"
                },
            ) && !sentence.negated(at)
        });
        if gerund && !has(GERUND_WISHES) && !praised { open(self.start) } else { None }
    }

    /// Where its clause begins, past an introduction without a comma: `As a user of the package I expect …`.
    pub(super) fn opened(&self, sentence: &Sentence<'_>) -> usize {
        let from = sentence.clause_start(self.start);
        let introduces = sentence.is(
            from,
            &["as", "for", "from", "with", "per", "given", "following", "during", "since", "to", "at", "after"],
        );
        let person = |&at: &usize| {
            sentence.is(at, &["i", "we", "you", "please", "i'd", "we'd", "it", "let's"])
                || sentence.is(at, &["the", "our"]) && sentence.mention_at(at.saturating_add(1)).is_some()
                || sentence.is(at, &["the"])
                    && sentence.is(at.saturating_add(1), &["former", "latter", "first", "second"])
        };
        // `For the GA don't publish X`: an order begins there.
        let placed_order = |at: &usize| {
            sentence.is(from, &["for"])
                && sentence.is(*at, &["don't", "dont", "do", "please"])
                && !sentence.has(from..*at, words::ELSEWHERE)
        };
        let first = (from..self.start).find(|at| person(at) || placed_order(at));
        // `For our package this means that X becomes Y`
        let means =
            (from..self.start).find(|&at| sentence.is(at, &["means"]) && sentence.is(at.saturating_add(1), &["that"]));
        let applied = sentence.is(from, &["applied", "for"])
            && (from..from.saturating_add(5)).any(|at| {
                sentence.is(at, &["library", "package", "client", "sdk", "us"])
                    || sentence.mention_at(at).is_some_and(|mention| {
                        mention.candidates.iter().any(|&one| sentence.lookup.entity(one).kind == EntityKind::Namespace)
                    })
            });
        if let Some(means) = means.filter(|_| applied) {
            return means.saturating_add(2).min(self.start);
        }
        // `I talked to Sam and we want X`: the last of those who speak.
        let second = (from..self.start).rev().find(|&at| {
            sentence.is(at, &["we", "i", "please", "let's", "i'd", "we'd"])
                && at.checked_sub(1).is_some_and(|before| sentence.is(before, &["and", "so", "but", "then"]))
        });
        let turned = second.is_some_and(|second| sentence.has(from..second, words::NEGATIONS));
        if let Some(second) = second.filter(|_| !turned) {
            return second;
        }
        // `In the same spirit I would …`
        let placed =
            first.is_some_and(|first| sentence.is(from, &["in", "on"]) && on_the_surface(sentence, from, first));
        first.filter(|_| introduces || placed).unwrap_or(from)
    }

    /// A negation in front of it that its reading does not count, or two of them.
    pub(super) fn turned(&self, sentence: &Sentence<'_>, seen: bool) -> Option<Objection> {
        let from = sentence.clause_start(self.start);
        // `Neither X nor Y`: one negation.
        let repeats = |at: usize| sentence.is(at, &["nor"]) && sentence.is(from, &["neither"]);
        let mut negations = (from..if seen { self.end } else { self.start })
            .filter(|&at| {
                sentence.is(at, words::NEGATIONS)
                    && !sentence.is_idle_negation(at)
                    && sentence.mention_at(at).is_none()
                    && !repeats(at)
                    && !sentence.phrase(at, &["don't", "forget"])
                    && !sentence.phrase(at, &["no", "longer"])
            })
            .skip(usize::from(seen));
        negations.next().and_then(open)
    }

    /// `X could be called Y`, `X may be renamed`: what is possible.
    pub(super) fn weakened(&self, sentence: &Sentence<'_>) -> Option<Objection> {
        // `we would appreciate it if X could read Y`
        let hoped = (0..self.end).any(|at| sentence.is(at, &["if"]) && sentence.zone(at) == Zone::Main)
            && sentence.any(&["appreciate", "grateful", "glad", "happy", "great", "nice", "help", "helpful"]);
        let polite =
            hoped || sentence.tokens.last().is_some_and(|token| token.is_sign('?')) || sentence.any(words::POLITE);
        let from = sentence.clause_start(self.start);
        // `I would have called it X`: what was not done.
        let untold = (from..self.end).find(|&at| {
            sentence.is(at, &["have"])
                && sentence.is(at.saturating_add(1), &["called", "named", "picked", "chosen", "used", "gone"])
                && at.checked_sub(1).is_some_and(|before| {
                    sentence.is(before, &["would", "might", "could"]) || sentence.lower(before).ends_with("'d")
                })
        });
        if let Some(at) = untold {
            return open(at);
        }
        let soft = (from..self.end).find(|&at| {
            sentence.mention_at(at).is_none()
                && (sentence.is(at, &["may", "might"])
                    || sentence.phrase(at, &["have", "to"])
                        && at.checked_sub(1).is_some_and(|before| {
                            sentence.is(before, &["would"]) || sentence.lower(before).ends_with("'d")
                        })
                    || sentence.is(at, &["help"]) && !sentence.has(from..at, words::MODALS)
                    || sentence.is(at, &["could"]) && !sentence.is(at.saturating_add(1), &["you", "we", "i"]))
        });
        // `something like Y`, `something shorter, e.g. Y`: the name is left open.
        let vague = (from.saturating_sub(3)..self.end).find(|&at| {
            let next = at.saturating_add(1);
            sentence.is(at, &["something", "sth"])
                && (sentence.is(next, &["like", "more", "less"]) || sentence.lower(next).ends_with("er"))
                || sentence.is(at, &["e.g"]) && sentence.is_sign(at.saturating_sub(1), ',')
        });
        // `call it Y or so`
        let vague = vague.or((self.end..sentence.tokens.len()).find(|&at| sentence.phrase(at, &["or", "so"])));
        soft.filter(|_| !polite).or(vague).and_then(open)
    }

    /// What stands in front of its clause: `On the wire, …`, `In case the board agrees, …`.
    pub(super) fn introduced(&self, sentence: &Sentence<'_>) -> Option<Objection> {
        let own = sentence.clause_start(self.start);
        let mut from = 0;
        while from < own {
            let end = sentence.clause_end(from).max(from.saturating_add(1));
            let sign = sentence.is_sign(end, ':');
            let inverted = sentence.is(from, &["should", "had", "were"]) && sentence.is_sign(end, ',');
            if inverted {
                return condition(from);
            }
            // `To reproduce, rename X.`
            let tries = [
                "reproduce",
                "repro",
                "test",
                "verify",
                "check",
                "see",
                "try",
                "simulate",
                "trigger",
                "replicate",
                "demonstrate",
            ];
            if sentence.is(from, &["to"]) && sentence.is(from.saturating_add(1), &tries) {
                return open(from);
            }
            if sentence.is(from, &["whoever", "whatever", "whenever", "imagine", "suppose"]) {
                return open(from);
            }
            if awaits(sentence, from, end.min(self.start)) {
                return condition(from);
            }
            let told = (from..end).find(|&at| sentence.is(at, TOLD) && sentence.mention_at(at).is_none());
            // `The names were: X -> Y`
            if sign && sentence.is(end.saturating_sub(1), &["was", "were"]) {
                return open(from);
            }
            // `After GA: …`
            if sign && sentence.is(from, &["after", "once", "until", "when"]) {
                return condition(from);
            }
            // `Ana wrote that X should be Y, and Z should be internal`: told as well.
            let goes_on = |at: usize| sentence.is(at.saturating_add(1), &["that"]) && sentence.is(own, &["and"]);
            if let Some(at) = told.filter(|&at| sign || goes_on(at)) {
                return open(at);
            }
            let placed = sentence.is(from, &["in", "on", "at", "inside", "within", "under"])
                && !sentence.phrase(from, &["under", "the", "name"])
                && !sentence.says(from, "at the same time");
            let meant = sentence.is(from, &["for"]) && sentence.has(from..end, words::ELSEWHERE);
            if meant || placed && !on_the_surface(sentence, from, end) {
                return open(from);
            }
            // `No, please hide it.`: the answer to a question, and a wish of its own.
            let answers = sentence.is(from, &["no", "nope", "nah"])
                && from.saturating_add(1) == end
                && from == 0
                && sentence.is(own, words::POLITE);
            let named = (from..end).any(|at| sentence.mention_at(at).is_some_and(|mention| mention.strong))
                || answers
                // `others wait for it, so let's show it`: a reason for what is asked.
                || sentence.phrase(own, &["so", "let's"])
                || sentence.phrase(own, &["so", "please"]);
            if let Some(doubt) =
                restricted(sentence, from, end).or_else(|| (!named).then(|| judged(sentence, from, end))?)
            {
                return Some(doubt);
            }
            from = end.saturating_add(1);
        }
        if own < self.start && awaits(sentence, own, self.start) {
            return condition(own);
        }
        // `In the portal X should be …`
        let placed = sentence.is(own, &["in", "on", "at", "inside", "within", "under"])
            && !sentence.phrase(own, &["under", "the", "name"])
            && !sentence.says(own, "at the same time");
        // `In the enum for the state X should be …`: the place is a kind of thing.
        let near = own.saturating_add(2)..own.saturating_add(4);
        let kind = sentence.is(own.saturating_add(1), &["the", "our", "this"])
            && near.clone().any(|at| {
                sentence.mention_at(at).is_none()
                    && (words::kinds_of(sentence.lower(at)).is_some()
                        || sentence.languages.iter().any(|(place, ..)| *place == at)
                        || sentence.is(at, &["sdk", "library", "package", "client"]))
            })
            && !sentence.has(own..self.start, words::ELSEWHERE);
        if placed && own < self.start && !kind && !on_the_surface(sentence, own, self.start) {
            return open(own);
        }
        restricted(sentence, own, self.end)
    }
}
