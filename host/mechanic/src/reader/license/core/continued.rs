//! What stands behind the core of a wish.

use super::super::super::lexicon as words;
use super::super::super::sentence::{Sentence, Zone};
use super::super::super::zones::is_boundary;
use super::super::classes::{GOING_ON, MONTHS, TIMES};
use super::super::{Objection, condition, judged, on_the_surface, open, restricted, votes_against};
use super::Core;

impl Core {
    /// What stands behind it.
    pub(in crate::reader::license) fn continued(&self, sentence: &Sentence<'_>) -> Option<Objection> {
        let count = sentence.tokens.len();
        if let Some(at) = (self.end..count).find(|&at| votes_against(sentence, at)) {
            return open(at);
        }
        // `…, but it is too late`
        let but = (self.end..count).find(|&at| sentence.is(at, &["but"]));
        let turns = but.filter(|&but| {
            let named = sentence.mentions.iter().any(|mention| mention.strong && mention.at > but);
            // `…, but we keep it`
            let kept = (but..count).any(|at| {
                let object = at.saturating_add(1);
                sentence.is(at, words::KEEPING)
                    && sentence.is(object, &["it", "this", "that", "them"])
                    && (object.saturating_add(1)..count).all(|next| !sentence.is_text(next))
            });
            let denied = kept
                || sentence.has(but..count, super::super::super::standing::BAD)
                || sentence.has(but..count, &["unfortunately"]);
            !named && denied
        });
        if let Some(at) = turns {
            return open(at);
        }
        // `in June: show it then`
        let last = (0..count).rev().find(|&at| sentence.is_text(at)).filter(|&at| sentence.is(at, &["then"]));
        let dated = (0..self.start).any(|at| {
            sentence.is(at, &["in", "on", "by", "until", "after"])
                && (1..3).any(|step| {
                    sentence.is(at.saturating_add(step), MONTHS) || sentence.is(at.saturating_add(step), TIMES)
                })
        });
        if let Some(at) = last.filter(|_| dated) {
            return condition(at);
        }
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
                    && !sentence.is(at.saturating_add(1), &["least", "once", "last"])
                    && !sentence.is(at.saturating_sub(1), &["now", "agreed", "settled", "decided"])
                    && sentence.zone(at) != Zone::Comparison
                    && sentence.zone(at) != Zone::Reason;
                // `hide X from the docs`, `use Y from another package`
                let hidden_from = sentence.is(at, &["from"])
                    && sentence.has(at.saturating_add(1)..at.saturating_add(3), &["other", "another", "different"])
                    || sentence.is(at, &["from"])
                        && sentence.has(at.saturating_add(1)..at.saturating_add(4).min(end), words::ELSEWHERE);
                if hidden_from || placed && !on_the_surface(sentence, at, end) {
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
            // `…, in the logs`, and not `…, but On is the ending`
            let ending = sentence.get(from).is_some_and(|token| token.text.starts_with(char::is_uppercase));
            // `…, at present`
            let now = sentence.is(from, &["at"]) && sentence.is(from.saturating_add(1), &["present", "the", "least"]);
            let placed = sentence.is(from, &["in", "on", "at", "inside", "within"]) && !ending && !now;
            if placed && sentence.zone(from) == Zone::Main && !on_the_surface(sentence, from, end) {
                return open(from);
            }
            // `…, after GA`
            if sentence.is(from, &["after", "once", "until"]) && !sentence.is(from.saturating_add(1), &["all", "that"])
            {
                return condition(from);
            }
            let bad = sentence.is(from, &["which", "that", "this", "it"])
                && (from..end).any(|at| sentence.is(at, super::super::super::standing::BAD) && !sentence.negated(at));
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
