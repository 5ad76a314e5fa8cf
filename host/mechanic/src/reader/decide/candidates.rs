//! What a request may ask for and does not say for certain. Nothing of it is done before a person confirms it.

use std::ops::Range;

use bailiwick_sdk::tasks::{Change, Directive, Scope};

use super::super::document::{Ask, Asked, Doubt, Findings};
use super::super::license;
use super::super::sentence::Sentence;
use super::super::suggested::suggested;
use super::super::token::tokenize;
use super::super::{Item, Outcome, root};
use super::{Decider, same_ask};
use crate::check::check_all;

impl Decider<'_> {
    /// The readings that something speaks against, and what the names of the text suggest where nothing was read, as far as
    /// the specification allows them beside what is done.
    pub(super) fn candidates(&self, found: &Findings, asked: &[Asked], items: &[Item]) -> Vec<Directive> {
        if found.retracted || found.closed || found.to_tools {
            return Vec::new();
        }
        let done: Vec<&Directive> = items
            .iter()
            .flat_map(|item| match &item.outcome {
                Outcome::Act(directives) | Outcome::Done(directives) => directives.as_slice(),
                Outcome::Nothing | Outcome::Guide(_) => &[],
            })
            .collect();
        let mut readings: Vec<(Ask, Option<Scope>, String)> = Vec::new();
        let mut add = |reading: Ask, scope: Option<Scope>, basis: String| {
            if !readings.iter().any(|(known, ..)| same_ask(known, &reading)) {
                readings.push((reading, scope, basis));
            }
        };
        let suggested = suggested(self.request, self.language, self.lookup, root(self.index, self.lookup));
        let guided = items.iter().any(|item| matches!(item.outcome, Outcome::Guide(_)));
        for one in asked {
            let (scope, text) = (self.scope(one, found), self.slice(&one.span));
            match &one.ask {
                Ask::Unsure(Doubt::Held(held)) => {
                    let undecided = *held.doubt.plain() == Doubt::Undecided;
                    if !(undecided && self.is_turned_down(&text)) {
                        add(held.reading.clone(), scope, text);
                    }
                }
                Ask::Unsure(_) => {
                    let beside = |span: &Range<usize>| span.start < one.span.end && one.span.start < span.end;
                    for (reading, span) in suggested.iter().filter(|(_, span)| beside(span)) {
                        add(reading.clone(), scope.clone(), self.slice(span));
                    }
                }
                certain => add(certain.clone(), scope, text),
            }
        }
        if asked.is_empty() && guided {
            for (reading, span) in suggested {
                add(reading, found.scope.clone(), self.slice(&span));
            }
        }
        let directive = |(reading, scope, basis): (Ask, Option<Scope>, String)| {
            let target = reading.target()?;
            let stays = found.vetoes.iter().any(|veto| veto.target == target);
            Some(Directive { change: self.change(&reading).filter(|_| !stays)?, scope, basis })
        };
        let mut candidates: Vec<Directive> = readings.into_iter().filter_map(directive).collect();
        let does = |change: &Change| (std::mem::discriminant(change), change.target().map(str::to_owned));
        candidates.retain(|one| !done.iter().any(|known| does(&known.change) == does(&one.change)));
        let all: Vec<&Directive> = done.iter().copied().chain(&candidates).collect();
        let checked = check_all(&all, self.index, self.language);
        let mut fits = checked.into_iter().skip(done.len()).map(|intent| intent.is_ok_and(|intent| !intent.is_done()));
        candidates.retain(|_| fits.next().unwrap_or(false));
        candidates
    }

    /// Whether the names of a request suggest a change, although no sentence was read and nothing is taken back.
    pub(super) fn is_suggested(&self, found: &Findings) -> bool {
        let stays = |ask: &Ask| found.vetoes.iter().any(|veto| ask.target() == Some(veto.target));
        !(found.retracted || found.closed || found.to_tools)
            && suggested(self.request, self.language, self.lookup, root(self.index, self.lookup))
                .iter()
                .any(|(ask, _)| !stays(ask))
    }

    /// Whether words of a text turn something down: what is refused is not meant.
    fn is_turned_down(&self, text: &str) -> bool {
        let tokens = tokenize(text);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        sentence.is_turned() || sentence.any(license::JUDGED)
    }
}
