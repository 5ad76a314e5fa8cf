//! What shall stay, or be again, as it is.

use super::super::clauses::part_start;
use super::super::lexicon as words;
use super::super::sentence::{Sentence, Zone};
use super::super::targets::Found;
use super::super::token::Kind;
use super::{Document, Veto};

impl<'a> Document<'a> {
    /// `X stays`, `leave X alone`, `X is fine`: what shall not be changed.
    pub(super) fn vetoes(&mut self, sentence: &Sentence<'_>) -> bool {
        let mut only = false;
        let wire = sentence.any(&["wire", "json", "rest", "payload", "contract", "protocol", "serialized", "service"]);
        for at in 0..sentence.tokens.len() {
            let gerund = sentence.lower(at.saturating_add(1)).ends_with("ing");
            // `my remaining remark`: which one, and no verb.
            let attribute = sentence.is(at, &["remaining"])
                && at.checked_sub(1).is_some_and(|before| {
                    sentence.is(before, &["my", "our", "the", "only", "one", "last", "other", "two", "three"])
                });
            // `it has not been renamed yet`
            let missed = at.checked_sub(1).is_some_and(|before| sentence.is(before, &["been"]));
            let keeps = sentence.is(at, words::KEEPING) && sentence.zone(at) == Zone::Main && !gerund && !attribute
                || sentence.phrase(at, &["hands", "off"])
                || sentence.phrase(at, &["do", "not", "touch"])
                || sentence.phrase(at, &["don't", "touch"])
                || sentence.is(at, words::APPROVING) && self.approves(sentence, at)
                || sentence.phrase(at, &["still", "being", "discussed"])
                || sentence.is(at, words::RENAME_PROPER) && sentence.negated(at) && !missed
                || sentence.is(at, &["undecided", "exception"])
                || sentence.is(at, &["change", "touch", "rename", "move"]) && sentence.negated(at);
            let start = part_start(sentence, at);
            let end = sentence.clause_end(at);
            // `keep X?`
            let asked = sentence.is_sign(end, '?');
            // `there is no reason any more to keep it internal`
            let denied = (at.saturating_sub(8).max(start)..at).any(|here| {
                sentence.is(here, &["no"]) && sentence.is(here.saturating_add(1), &["reason", "need", "point"])
            });
            // `keep X out of the public API`: it is not to be seen.
            if !keeps || wire || asked || denied || sentence.keeps_out(at) {
                continue;
            }
            // `the others keep it`: other languages.
            // `The package name can stay`: a name of its own that no decorator changes.
            let own = (start..at).any(|here| {
                sentence.is(
                    here,
                    &["package", "module", "assembly", "file", "folder", "repository", "repo", "nuget", "artifact"],
                ) && sentence.mention_at(here).is_none()
            });
            // `other teams keep it so`
            let own = own
                || sentence.has(start..at, &["other"])
                    && sentence.has(start..at, &["teams", "libraries", "packages", "services"]);
            // `The other languages come later and can keep it.`
            let clause = sentence.clause_start(at);
            let own = own
                || (clause..at).any(|here| {
                    let noun = &["languages", "sdks", "clients", "libraries", "packages"];
                    let count = sentence.is(here.saturating_add(1), &["two", "three", "four", "2", "3", "4"]);
                    sentence.is(here, &["other", "remaining"])
                        && sentence.is(here.saturating_add(if count { 2 } else { 1 }), noun)
                });
            let others = own
                || (start..at).take(3).any(|here| {
                    sentence.is(here, &["others"])
                        && here.checked_sub(1).is_none_or(|before| sentence.is(before, &["the", "all"]))
                });
            if others
                || sentence.is_about_others(at)
                || sentence.is_about_the_left_out(at)
                || introduced_for_others(sentence, at)
            {
                continue;
            }
            let mut targets: Vec<usize> = Vec::new();
            let mentions: Vec<_> = sentence
                .mentions
                .iter()
                .filter(|mention| mention.at >= start && mention.at < end && !sentence.qualifies(mention))
                .collect();
            for mention in &mentions {
                match sentence.settle(mention, &self.focus) {
                    Ok(one) => targets.push(one),
                    Err(several) => targets.extend(several),
                }
            }
            let negative = sentence.is(at, words::RENAME_PROPER) || sentence.is(at, &["change", "touch", "move"]);
            let arrows = (start..end).any(|here| sentence.get(here).is_some_and(|token| token.kind == Kind::Arrow));
            if arrows && !negative {
                continue;
            }
            let count = self.sentence;
            if targets.is_empty() && !negative {
                // `leave it`: what was spoken of.
                // `keep it generated`: how it shall be, and not that it stays.
                let object = at.saturating_add(1);
                let how = object.saturating_add(1);
                let made = sentence.is(object, &["it", "that", "this", "them"])
                    && how < end
                    && sentence.lower(how).ends_with("ed")
                    && !sentence.is(how, &["unchanged", "untouched", "exposed", "named", "called"]);
                // `leave the fields that refer to it`: things of another kind.
                let noun =
                    (object..object.saturating_add(3).min(end)).find_map(|here| words::kinds_of(sentence.lower(here)));
                let another = noun.is_some_and(|kinds| {
                    self.focus.subject.iter().all(|&one| !kinds.contains(&self.lookup.entity(one).kind))
                });
                if !made
                    && !another
                    && sentence.has(start..end, &["it", "that", "this"])
                    && sentence.is(at, words::KEEPING)
                    && mentions.is_empty()
                    && !sentence.is(at, &["left"])
                {
                    let subject = match sentence.targets_between(0, start, &self.focus) {
                        Found::These(targets) => targets,
                        // Something of the sentence itself that nothing is known of.
                        _ if start > 2 => Vec::new(),
                        _ => self.focus.subject.clone(),
                    };
                    self.found.vetoes.extend(subject.into_iter().map(|one| Veto::kept(one, count)));
                }
                continue;
            }
            if targets.is_empty()
                && negative
                && sentence.has(start..end, &["type", "it", "this", "that", "them", "class", "model", "name", "method"])
            {
                // `The connections will follow, do not touch them`: something of its own.
                let own = sentence.mentions.iter().any(|mention| mention.end <= start);
                if own {
                    only = true;
                    continue;
                }
                // `the methods on it, one does not touch them`
                let noun = (0..at).find_map(|here| words::kinds_of(sentence.lower(here)));
                let mut subject = self.focus.subject.clone();
                subject.retain(|&one| noun.is_none_or(|kinds| kinds.contains(&self.lookup.entity(one).kind)));
                self.found.vetoes.extend(subject.into_iter().map(|one| Veto::kept(one, count)));
                only = true;
                continue;
            }
            self.found.vetoes.extend(targets.iter().map(|&one| Veto::kept(one, count)));
            only |= negative && sentence.clause_end(at) >= sentence.tokens.len().saturating_sub(1);
        }
        // A sentence with a veto and an arrow or a verb besides is read on.
        only && !sentence.tokens.iter().any(|token| token.kind == Kind::Arrow)
    }

    pub(super) fn approves(&self, sentence: &Sentence<'_>, at: usize) -> bool {
        let start = sentence.clause_start(at);
        let copula = sentence.has(start..at, &["is", "are", "looks", "look", "be"])
            || at.saturating_add(1) >= sentence.tokens.len();
        copula && !sentence.negated(at) && !sentence.has(start..at, words::OBLIGING)
    }
}

/// `For Python and .NET, it can stay as it is`: the languages stand in front of the clause.
fn introduced_for_others(sentence: &Sentence<'_>, at: usize) -> bool {
    let end = sentence.clause_end(0);
    let before = || sentence.languages.iter().filter(|(place, ..)| *place < end);
    sentence.is(0, &["for", "in", "on"])
        && sentence.is_sign(end, ',')
        && sentence.clause_start(at) == end.saturating_add(1)
        && before().next().is_some()
        && before().all(|(_, language, _)| *language != sentence.language)
}
