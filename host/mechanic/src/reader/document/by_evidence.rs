//! What the names of a whole request say together.

use super::super::evidence::Evidence;
use super::super::sentence::{Sentence, same_name};
use super::super::structure::{Role, Unit};
use super::super::token::tokenize;
use super::sentences::sentence_spans;
use super::{Ask, Asked, Document, Doubt, Findings, MOST_UNITS};

impl Document<'_> {
    /// Names that nothing was read of, each with the one thing that it spells out: where what people write of both is a
    /// wish and nothing speaks against it, that is the reading.
    pub(super) fn by_evidence(&mut self, units: &[Unit]) {
        if self.found.retracted || self.found.closed || self.found.judged {
            return;
        }
        let mut gathered = Evidence::default();
        for (number, unit) in units.iter().enumerate().take(MOST_UNITS) {
            if matches!(unit.role, Role::Aside | Role::Suggestion | Role::Row { .. }) {
                continue;
            }
            let text = self.slice(&unit.span);
            let own = matches!(unit.role, Role::Prose | Role::Item);
            for span in sentence_spans(text) {
                let Some(part) = text.get(span.clone()) else { continue };
                let start = unit.span.start.saturating_add(span.start);
                let tokens = tokenize(part);
                let sentence = Sentence::new(&tokens, self.lookup, self.language);
                gathered.add(&sentence, number, own, start..start.saturating_add(part.len()));
            }
        }
        let acted = |found: &Findings, target: usize| {
            found.asked.iter().any(|asked| match &asked.ask {
                Ask::Rename { target: other, .. }
                | Ask::Hide { target: other }
                | Ask::Show { target: other }
                | Ask::Move { target: other, .. } => *other == target,
                _ => false,
            })
        };
        self.found.wished |= gathered.is_open();
        self.found.proposed = gathered.names();
        for (target, name, span, unit) in gathered.pairs(self.lookup, self.language) {
            // One name answers one wish.
            let given = self.found.asked.iter().any(
                |asked| matches!(&asked.ask, Ask::Rename { name: other, .. } if same_name(last_of(other), last_of(&name))),
            );
            let vetoed = self.found.vetoes.iter().any(|veto| veto.target == target);
            // What the same piece leaves open is not settled by the names alone.
            let open = self.found.asked.iter().any(|asked| {
                asked.unit == unit
                    && matches!(&asked.ask, Ask::Unsure(doubt) if matches!(doubt.plain(), Doubt::Undecided | Doubt::Condition))
            });
            if acted(&self.found, target) || given || vetoed || open {
                continue;
            }
            // What was not clear of these words is clear now.
            self.found.asked.retain(|asked| {
                !(asked.unit == unit
                    && matches!(asked.ask, Ask::Unsure(Doubt::Unclear | Doubt::Unknown(_)))
                    && !asked.feature)
            });
            let said = self.found.asked.len();
            self.found.asked.push(Asked {
                ask: Ask::Rename { target, name },
                span,
                scope: gathered.scope(self.language),
                unit,
                sentence: usize::MAX.saturating_sub(said),
                feature: false,
            });
        }
    }
}

/// A name without the path in front of it.
fn last_of(name: &str) -> &str {
    name.rsplit(['.', '#']).next().unwrap_or(name)
}
