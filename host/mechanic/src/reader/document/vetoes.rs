//! What shall stay, or be again, as it is.

use super::super::lexicon as words;
use super::super::names::{Plain, names_at};
use super::super::rename::is_statement;
use super::super::sentence::{Sentence, Zone, same_name};
use super::super::targets::Found;
use super::super::token::Kind;
use super::{Ask, Document};

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
            let keeps = sentence.is(at, words::KEEPING) && sentence.zone(at) == Zone::Main && !gerund && !attribute
                || sentence.phrase(at, &["hands", "off"])
                || sentence.phrase(at, &["do", "not", "touch"])
                || sentence.phrase(at, &["don't", "touch"])
                || sentence.is(at, words::APPROVING) && self.approves(sentence, at)
                || sentence.phrase(at, &["still", "being", "discussed"])
                || sentence.is(at, words::RENAME_PROPER) && sentence.negated(at)
                || sentence.is(at, &["undecided", "exception"])
                || sentence.is(at, &["change", "touch", "rename", "move"]) && sentence.negated(at);
            let start = sentence.clause_start(at);
            let end = sentence.clause_end(at);
            // `keep X?`
            let asked = sentence.is_sign(end, '?');
            if !keeps || wire || asked {
                continue;
            }
            let other_language = sentence
                .languages
                .iter()
                .any(|(place, language, _)| *place >= start && *place < end && *language != self.language)
                && !sentence
                    .languages
                    .iter()
                    .any(|(place, language, _)| *place >= start && *place < end && *language == self.language);
            if other_language {
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
                if sentence.has(start..end, &["it", "that", "this"])
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
                    self.found.vetoes.extend(subject.into_iter().map(|one| (one, count)));
                }
                continue;
            }
            if targets.is_empty()
                && negative
                && sentence.has(start..end, &["type", "it", "this", "that", "them", "class", "model", "name", "method"])
            {
                let subject = self.focus.subject.clone();
                self.found.vetoes.extend(subject.into_iter().map(|one| (one, count)));
                only = true;
                continue;
            }
            self.found.vetoes.extend(targets.iter().map(|&one| (one, count)));
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

    /// `drop the rename of X`, `X back to its own name`.
    pub(super) fn dropped(&self, sentence: &Sentence<'_>) -> Option<Ask> {
        let at = (0..sentence.tokens.len()).find(|&at| {
            sentence.is(at, &["drop", "remove", "undo", "revert", "delete", "discard", "retire"])
                && sentence.has(
                    at..at.saturating_add(6),
                    &["rename", "renaming", "renames", "clientname", "@clientname", "alias", "override"],
                )
                || sentence.is(at, &["drop", "undo", "revert", "discard"])
                    && sentence.has(at..at.saturating_add(6), &["custom", "customized", "special", "name"])
                || sentence.is(at, &["take", "lift"])
                    && sentence.has(at..at.saturating_add(6), &["override", "rename", "alias", "decorator"])
                    && sentence.has(at..at.saturating_add(7), &["off", "back", "out", "away"])
                || sentence.is(at, &["revert", "restore", "reset"])
                    && (at..sentence.tokens.len())
                        .any(|to| sentence.is(to, &["to"]) && self.names_itself(sentence, to.saturating_add(1)))
                || sentence.phrase(at, &["back", "to"])
                    && !sentence.is(at.saturating_add(2), &["normal", "work", "you", "me", "us"])
                    // `move X back to Widgets`: where it goes, and no name.
                    && !(0..at).any(|verb| sentence.is(verb, super::super::lexicon::MOVE_PROPER))
                    && self.names_itself(sentence, at.saturating_add(2))
        })?;
        if sentence.negated(at) || is_statement(sentence, at) {
            return None;
        }
        let target = match sentence.targets_between(at, sentence.tokens.len(), &self.focus) {
            Found::These(targets) => targets,
            _ => match sentence.targets_between(0, at, &self.focus) {
                Found::These(targets) => targets,
                _ => match sentence.target_after(at, &self.focus) {
                    Found::These(targets) => targets,
                    _ => self.focus.subject.clone(),
                },
            },
        };
        let [target] = target.as_slice() else { return None };
        Some(Ask::Rename { target: *target, name: self.lookup.entity(*target).name.clone() })
    }

    /// Whether the name behind a token is the specification's own of what is spoken of.
    pub(super) fn names_itself(&self, sentence: &Sentence<'_>, at: usize) -> bool {
        let Some(names) = names_at(sentence, at, Plain::Allowed) else { return false };
        let [name] = names.names.as_slice() else { return false };
        // `X should go back to Y`: what is called so itself goes nowhere.
        let others = sentence.mentions.iter().filter(|mention| mention.at != name.at);
        let named = others.filter_map(|mention| sentence.settle(mention, &self.focus).ok());
        let mut spoken_of = named.chain(self.focus.subject.iter().copied());
        spoken_of.any(|one| same_name(&self.lookup.entity(one).name, &name.text))
    }
}
