//! What is said of wishes that stand elsewhere in the request, without naming them: `the first no, the second yes`, `both were
//! voted down`, `Not that name`, `it was a joke`.
//!
//! Nothing here adds a wish. A wish that is turned down is dropped, one of which it is not certain waits for a person, and one
//! that waited for a decision is made where the decision is for it.

mod afterword;
mod picks;
mod polls;

use std::ops::Range;

use super::document::{Ask, Asked, Doubt, Findings, sentence_spans};
use super::sentence::same_name;
use super::token::{Token, tokenize};
use crate::entities::Lookup;

/// What is decided about a wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Accepted,
    Refused,
    /// It cannot be told.
    Open,
}

/// A sentence of the request, and where it stands.
struct Said {
    span: Range<usize>,
    tokens: Vec<Token>,
}

impl Said {
    fn is(&self, at: usize, list: &[&str]) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(list))
    }

    fn is_sign(&self, at: usize, sign: char) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_sign(sign))
    }

    fn is_text(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::is_text)
    }

    /// Whether a phrase, whose words stand between spaces, begins at a token.
    fn says(&self, at: usize, phrase: &str) -> bool {
        phrase.split(' ').enumerate().all(|(offset, word)| self.is(at.saturating_add(offset), &[word]))
    }

    /// Where the token stands in the request.
    fn place(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.span.end, |token| self.span.start.saturating_add(token.span.start))
    }
}

/// The sentences of a request, line by line: what people say of wishes stands on one line.
fn sentences(request: &str) -> Vec<Said> {
    let mut said = Vec::new();
    let mut start = 0_usize;
    for line in request.split_inclusive('\n') {
        // What somebody else wrote is what is decided about.
        if !line.trim_start().starts_with('>') {
            for part in sentence_spans(line) {
                let span = start.saturating_add(part.start)..start.saturating_add(part.end);
                said.push(Said { tokens: tokenize(line.get(part).unwrap_or_default()), span });
            }
        }
        start = start.saturating_add(line.len());
    }
    said
}

/// Carries what is said of wishes to them.
pub(super) fn apply(request: &str, found: &mut Findings, lookup: &Lookup<'_>) {
    if found.asked.iter().all(|asked| wish(asked).is_none()) && found.log.is_empty() {
        return;
    }
    let said = sentences(request);
    // `^ ignore, a typo of mine`: nothing is to follow from the log.
    found.retracted |= !found.log.is_empty() && said.iter().any(ignores);
    // What was refused before keeps its place in the order.
    let mut asked = std::mem::take(&mut found.refused);
    let refused = asked.len();
    asked.append(&mut found.asked);
    let places: Vec<Option<usize>> = asked.iter().map(|asked| place(request, asked, lookup)).collect();
    let mut verdicts = picks::verdicts(request, &said, &asked, &places);
    for (verdict, polled) in verdicts.iter_mut().zip(polls::verdicts(request, &said, &places)) {
        *verdict = polled.or(*verdict);
    }
    for (verdict, doubted) in verdicts.iter_mut().zip(afterword::verdicts(request, &said, &asked, &places, lookup)) {
        *verdict = verdict.or(doubted);
    }
    for (at, (mut asked, verdict)) in asked.into_iter().zip(verdicts).enumerate() {
        match verdict {
            _ if at < refused => found.refused.push(asked),
            Some(Verdict::Refused) => {
                found.aside.push(asked.span.clone());
                found.background.push(asked.span.clone());
                found.judged = true;
                found.refused.push(asked);
            }
            Some(Verdict::Open) => {
                found.aside.push(asked.span.clone());
                asked.hold(Doubt::Undecided);
                found.asked.push(asked);
            }
            Some(Verdict::Accepted) => {
                release(&mut asked);
                found.asked.push(asked);
            }
            None => found.asked.push(asked),
        }
    }
}

/// `Ignore that.`, `^ ignore, …`
fn ignores(sentence: &Said) -> bool {
    let first = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at));
    first.is_some_and(|at| {
        let next = at.saturating_add(1);
        sentence.is(at, &["ignore", "disregard"])
            && (!sentence.is_text(next) || sentence.is(next, &["this", "that", "it", "these", "those"]))
    })
}

/// What waited for a decision alone is made.
fn release(asked: &mut Asked) {
    if let Ask::Unsure(Doubt::Held(held)) = &asked.ask
        && matches!(held.doubt, Doubt::Undecided | Doubt::Unclear)
    {
        asked.ask = held.reading.clone();
    }
}

/// What is wished, held back or not.
fn wish(asked: &Asked) -> Option<&Ask> {
    match &asked.ask {
        Ask::Unsure(Doubt::Held(held)) => Some(&held.reading),
        Ask::Unsure(_) | Ask::Clients(_) => None,
        ask => Some(ask),
    }
}

/// Where the request gives a wish: its new name, or else what it is about. Of several wishes of one sentence each has its own.
fn place(request: &str, asked: &Asked, lookup: &Lookup<'_>) -> Option<usize> {
    let ask = wish(asked)?;
    let text = request.get(asked.span.clone())?;
    let entity = ask.target().map(|target| lookup.entity(target));
    let called = entity.map(|entity| {
        let client = entity.client.as_ref().map_or(entity.name.as_str(), |client| client.name.as_str());
        [entity.name.as_str(), client]
    });
    let tokens = tokenize(text);
    let last = |token: &Token| token.text.rsplit(['.', '#', ':']).next().unwrap_or_default().to_owned();
    let new = |token: &&Token| matches!(ask, Ask::Rename { name, .. } if same_name(&last(token), name));
    let old = |token: &&Token| called.is_some_and(|names| names.iter().any(|name| same_name(&last(token), name)));
    let at = tokens.iter().find(old).or_else(|| tokens.iter().find(new)).map_or(0, |token| token.span.start);
    Some(asked.span.start.saturating_add(at))
}

/// The line of a place.
fn line_of(request: &str, place: usize) -> Range<usize> {
    let start = request.get(..place).and_then(|before| before.rfind('\n')).map_or(0, |at| at.saturating_add(1));
    let end =
        request.get(place..).and_then(|rest| rest.find('\n')).map_or(request.len(), |at| at.saturating_add(place));
    start..end
}
