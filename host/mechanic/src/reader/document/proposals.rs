//! What somebody else is told to propose: it waits for a sentence that adopts it.

use super::super::lexicon as words;
use super::super::license;
use super::super::rename::renames;
use super::super::sentence::Sentence;
use super::super::targets::Found;
use super::super::token::{Token, tokenize};
use super::super::visibility::{Wish, visibility};
use super::{Ask, Document, doubt};

/// Verbs of proposing.
const PROPOSING: &[&str] = &["proposed", "suggested", "recommended", "proposes", "suggests", "recommends"];

/// The verb of `Ana proposed to rename X to Y.`, and neither `we suggest` nor `as suggested`.
fn verb(sentence: &Sentence<'_>) -> Option<usize> {
    let own = list! { "i" "we" "not" "be" "as" "is" "was" "were" "been" "has" "have" };
    let verb = (1..sentence.tokens.len()).find(|&at| sentence.is(at, PROPOSING))?;
    let open = sentence.is_turned() || sentence.any(words::KEEPING) || doubt(sentence).is_some();
    (!sentence.is(verb.saturating_sub(1), own) && sentence.is_text(verb.saturating_sub(1)) && !open).then_some(verb)
}

impl Document<'_> {
    /// What a sentence tells of somebody's proposal, as if it were asked for (`Y for X`, `to hide X`), and where that begins.
    pub(super) fn proposed(&mut self, sentence: &Sentence<'_>) -> Option<(Vec<Ask>, usize)> {
        let verb = verb(sentence)?;
        let rest = verb.saturating_add(1);
        let ordered = sentence.is(rest, &["to"]);
        let order = sentence.tokens.iter().skip(rest.saturating_add(usize::from(ordered))).cloned();
        let lead = tokenize("use").into_iter().map(|token| Token { span: 0..0, ..token });
        let tokens: Vec<Token> = lead.filter(|_| !ordered).chain(order).collect();
        let inner = Sentence::new(&tokens, self.lookup, self.language);
        let mut found: Vec<(Ask, Vec<usize>)> = Vec::new();
        for rename in renames(&inner, &self.focus).iter().filter(|rename| !rename.negated) {
            found.extend(self.rename(rename, &inner).map(|ask| (ask, vec![rename.at, rename.name.at])));
        }
        if let Some(seen) = visibility(&inner, &self.focus).filter(|seen| found.is_empty() && seen.wish == Wish::Hide)
            && let Found::These(targets) = seen.targets
        {
            found.extend(targets.into_iter().map(|target| (Ask::Hide { target }, vec![seen.at])));
        }
        let licensed = |(ask, places): &(Ask, Vec<usize>)| {
            ask.target().is_some() && license::objection(&inner, ask, places, false).is_none()
        };
        let start = sentence.get(rest)?.span.start;
        let sure = !found.is_empty() && found.iter().all(licensed);
        sure.then(|| (found.into_iter().map(|(ask, _)| ask).collect(), start))
    }
}
