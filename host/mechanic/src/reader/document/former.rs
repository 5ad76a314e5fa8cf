//! Names that things had before a change that the request tells of, and the wish to have them again.

use std::ops::Range;

use super::super::names::is_shaped;
use super::super::rename::is_statement;
use super::super::sentence::{Sentence, same_name};
use super::super::token::Token;
use super::{Ask, Closed, Document, Doubt, doubt};

/// A name that a thing had.
#[derive(Debug, Clone)]
pub(super) struct Former {
    target: usize,
    name: String,
    /// The sentence that tells of it.
    told: Range<usize>,
}

/// Verbs by which a thing gets a name that it had.
const RESTORING: &[&str] = list! { "restore" "restores" "reinstate" "preserve" "preserves" "keep" "keeps" "retain" "mitigate" "recover" "re-add" };
/// What the name is called that a thing had.
const EARLIER: &[&str] = list! {
    "old" "original" "previous" "former" "legacy" "existing" "earlier" "prior" "shipped" "released" "ga" "stable" "published"
};

impl Document<'_> {
    /// Takes in `X was Y`, `the former name of X, Y`, `Renamed model Y to X`, `changed from Y to X`.
    pub(super) fn former_names(&mut self, sentence: &Sentence<'_>, span: &Range<usize>) {
        // `Accepted, no mitigation needed`, above what is told.
        if self.closed != Closed::Nothing {
            return;
        }
        let mut found = self.renamed_to(sentence);
        for at in 0..sentence.tokens.len() {
            let was = sentence.is(at, &["was"])
                || sentence.phrase(at, &["used", "to", "be"])
                || sentence.is(at, &["former", "old", "previous"]) && sentence.is(at.saturating_add(1), &["name"]);
            if !was {
                continue;
            }
            let mention = sentence.mentions.iter().find(|mention| mention.strong);
            let Some(target) = mention.and_then(|mention| sentence.settle(mention, &self.focus).ok()) else { continue };
            let behind = mention.map_or(0, |mention| mention.end);
            let name = (behind..sentence.tokens.len()).find_map(|here| {
                let token = sentence.get(here)?;
                (is_shaped(token) && token.looks_like_name()).then(|| last_part(&token.text))
            });
            found.extend(name.map(|name| (target, name)));
        }
        for (target, name) in found {
            self.former.retain(|one| one.target != target);
            self.former.push(Former { target, name, told: span.clone() });
        }
    }

    /// `Renamed Y to X`, `has been changed from Y to X`, where X is there and Y is not.
    fn renamed_to(&self, sentence: &Sentence<'_>) -> Vec<(usize, String)> {
        let tells = (0..sentence.tokens.len()).any(|at| {
            sentence.is(at, &["renamed", "changed", "replaced"]) && is_statement(sentence, at) && !sentence.negated(at)
        });
        if !tells {
            return Vec::new();
        }
        let of_types = sentence.any(&["type", "enum", "model", "struct", "class", "interface", "union"]);
        let pair = |to: usize| {
            let (old, new) = (sentence.get(to.checked_sub(1)?)?, to.saturating_add(1));
            let is_new = |at: usize| sentence.mention_at(at).filter(|mention| mention.strong);
            let names = sentence.is(to, &["to", "by"]) && old.looks_like_name() && is_shaped(old);
            let target = match sentence.settle(is_new(new).filter(|_| names)?, &self.focus) {
                Ok(one) => one,
                // `Type of x changed from A to B`
                Err(several) if of_types => {
                    let mut types = several.into_iter().filter(|&one| self.lookup.entity(one).kind.is_type());
                    types.next().filter(|_| types.next().is_none())?
                }
                Err(_) => return None,
            };
            let name = last_part(&old.text);
            let is_there = self.lookup.find(&name).iter().any(|&one| one != target);
            let entity = self.lookup.entity(target);
            (!is_there && !same_name(&name, &entity.name)).then_some((target, name))
        };
        (0..sentence.tokens.len()).filter_map(pair).collect()
    }

    /// `Restore the name A on W, now B`: A is what B had, or shall have.
    fn restored_from_now(&self, sentence: &Sentence<'_>) -> Option<Ask> {
        let verb = (0..sentence.tokens.len()).find(|&at| {
            sentence.is(at, &["restore", "reinstate", "keep", "preserve"])
                && !sentence.negated(at)
                && !is_statement(sentence, at)
        })?;
        let now = (verb..sentence.tokens.len()).find(|&at| {
            sentence.is(at, &["now", "currently", "today"]) && sentence.mention_at(at.saturating_add(1)).is_some()
        })?;
        let mention = sentence.mention_at(now.saturating_add(1)).filter(|mention| mention.strong)?;
        let target = sentence.settle(mention, &self.focus).ok()?;
        let free = |at: &usize| {
            let name = |token: &Token| is_shaped(token) && token.looks_like_name() && token.quoted;
            sentence.mention_at(*at).is_none() && sentence.get(*at).is_some_and(name)
        };
        let mut names = (verb..now).filter(free);
        let (Some(name), None) = (names.next(), names.next()) else { return None };
        let name = sentence.get(name).map(|token| last_part(&token.text))?;
        // `(RULE001)` stands in brackets.
        (self.lookup.find(&name).is_empty() && doubt(sentence).is_none()).then_some(Ask::Rename { target, name })
    }

    /// `Restore the old name`, `bring it back`, `Use clientName to restore the original names.`
    pub(super) fn restored(&mut self, sentence: &Sentence<'_>) -> Option<Vec<Ask>> {
        if sentence.is_turned() {
            return None;
        }
        if let Some(restored) = self.restored_from_now(sentence) {
            return Some(vec![restored]);
        }
        if self.former.is_empty() {
            return None;
        }
        let count = sentence.tokens.len();
        let name = |at: usize| sentence.is(at, &["name", "names"]);
        let at = (0..count).find(|&at| {
            let near = at..at.saturating_add(7).min(count);
            let earlier = near.clone().any(|here| sentence.is(here, EARLIER)) && near.clone().any(name);
            // `make sure that the name is the same as in the legacy SDK`
            let same = sentence.is(at, &["same"])
                && sentence.is(at.saturating_add(1), &["as", "with"])
                && near.clone().any(|here| sentence.is(here, EARLIER))
                && sentence.has(0..at, &["clientname", "@clientname", "@@clientname", "rename", "ensure", "sure"]);
            let restores = same
                || sentence.is(at, RESTORING) && earlier
                || sentence.is(at, &["restore", "reinstate"])
                    && sentence.has(at..count, &["name", "it", "that", "them"])
                || sentence.is(at, &["rename"]) && sentence.is(at.saturating_add(1), &["back"])
                || sentence.is(at, &["rename"])
                    && sentence.is(at.saturating_add(1), &["it", "them", "these", "both"])
                    && sentence.is(at.saturating_add(2), &["back"])
                || sentence.is(at, &["bring", "get", "put", "want", "have"])
                    && sentence.is(at.saturating_add(1), &["it", "that", "the", "them"])
                    && sentence.has(at..at.saturating_add(6), &["back"]);
            restores && !sentence.negated(at) && !is_statement(sentence, at)
        })?;
        let many = sentence.any(&["names", "them", "these", "those", "both", "all"]);
        // What the sentence itself names is what it is about.
        let named = |one: &&Former| {
            sentence.mentions.iter().any(|mention| mention.strong && mention.candidates.contains(&one.target))
        };
        let mut former: Vec<Former> = self.former.iter().filter(named).cloned().collect();
        if former.is_empty() {
            if sentence.mentions.iter().any(|mention| mention.strong && mention.at > at) {
                return None;
            }
            former.clone_from(&self.former);
        }
        if former.len() > 1 && !many {
            return Some(vec![Ask::Unsure(Doubt::Unclear)]);
        }
        // The sentences that tell of the change are answered with it.
        let told = |span: &Range<usize>| former.iter().any(|one| one.told == *span);
        if self.hunks.is_empty() {
            self.found.asked.retain(|asked| asked.ask.target().is_some() || !told(&asked.span));
            self.last = 0..0;
        }
        Some(former.into_iter().map(|one| Ask::Rename { target: one.target, name: one.name }).collect())
    }
}

fn last_part(text: &str) -> String {
    text.trim_start_matches('*').rsplit(['.', '#']).next().unwrap_or(text).to_owned()
}
