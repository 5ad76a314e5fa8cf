//! What is said of wishes that stand elsewhere in the request, without naming them: `the first no, the second yes`, `both were
//! voted down`, `Not that name`, `it was a joke`.
//!
//! Nothing here adds a wish. A wish that is turned down is dropped, one of which it is not certain waits for a person, and one
//! that waited for a decision is made where the decision is certainly for it.

mod afterword;
mod list;
mod picks;
mod polls;
mod refusals;
mod replaced;

use std::collections::HashMap;
use std::ops::Range;

use bailiwick_sdk::tasks::Language;

use self::list::Things;
use super::document::{Ask, Asked, Doubt, Findings};
use super::lexicon;
use super::sentence::same_name;
use super::token::{Token, tokenize};
use crate::entities::Lookup;

/// What is decided about a wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// It is to be made.
    Accepted,
    /// Nothing is said against it.
    Kept,
    Refused,
    /// It cannot be told.
    Open,
    /// Something is turned round, and perhaps not the wish.
    Unsaid,
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

    fn is_number(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_text() && token.text.chars().all(|c| c.is_ascii_digit()))
    }

    /// Whether a phrase, whose words stand between spaces, begins at a token.
    fn says(&self, at: usize, phrase: &str) -> bool {
        phrase.split(' ').enumerate().all(|(offset, word)| self.is(at.saturating_add(offset), &[word]))
    }

    /// Where the token stands in the request.
    fn place(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.span.end, |token| self.span.start.saturating_add(token.span.start))
    }

    /// Whether it speaks of other languages alone.
    fn is_of_others(&self, language: Language) -> bool {
        let named = |(at, token): (usize, &Token)| {
            let word = token.lower.as_str();
            // `go ahead`
            let verb = ["go", "net", "node"].contains(&word)
                && (token.text == word || self.is(at.saturating_add(1), &["ahead"]));
            lexicon::language(word).filter(|_| !verb)
        };
        let mut languages = self.tokens.iter().enumerate().filter_map(named).peekable();
        languages.peek().is_some() && languages.all(|one| one != language)
    }
}

/// The sentences of a request, line by line: what people say of wishes stands on one line.
fn sentences(request: &str) -> Vec<Said> {
    let mut said = Vec::new();
    let mut start = 0_usize;
    for line in request.split_inclusive('\n') {
        // What somebody else wrote is what is decided about.
        if !line.trim_start().starts_with('>') {
            for part in parts(line) {
                let span = start.saturating_add(part.start)..start.saturating_add(part.end);
                said.push(Said { tokens: tokenize(line.get(part).unwrap_or_default()), span });
            }
        }
        start = start.saturating_add(line.len());
    }
    said
}

/// The sentences of a line. Marks of lists belong to what they mark.
fn parts(line: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0_usize;
    for (at, sign) in line.char_indices().filter(|(_, c)| ['.', '!', '?', ';'].contains(c)) {
        let end = at.saturating_add(sign.len_utf8());
        let spaced = line.get(end..).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        let mark = line.get(start..at).is_some_and(|before| before.trim().chars().all(|c| c.is_ascii_digit()));
        if spaced && !mark {
            parts.push(start..end);
            start = end;
        }
    }
    parts.push(start..line.len());
    parts
}

/// Carries what is said of wishes to them.
pub(super) fn apply(request: &str, language: Language, found: &mut Findings, lookup: &Lookup<'_>) {
    if found.asked.iter().all(|asked| wish(asked).is_none()) && found.log.is_empty() {
        return;
    }
    let said = sentences(request);
    // `^ ignore, a typo of mine`: nothing is to follow from the log.
    found.retracted |= !found.log.is_empty() && said.iter().any(ignores);
    let mut asked = std::mem::take(&mut found.asked);
    replaced::replace(&said, language, &mut asked);
    let verdicts = verdicts(request, language, &said, &asked, lookup);
    for (mut asked, verdict) in asked.into_iter().zip(verdicts) {
        match verdict {
            Some(Verdict::Refused) => {
                found.aside.push(asked.span.clone());
                found.background.push(asked.span.clone());
                found.judged = true;
                found.refused.push(asked);
                continue;
            }
            Some(Verdict::Open | Verdict::Unsaid) => {
                found.aside.push(asked.span.clone());
                asked.hold(Doubt::Undecided);
            }
            Some(Verdict::Accepted) => release(&mut asked),
            Some(Verdict::Kept) | None => {}
        }
        found.asked.push(asked);
    }
}

/// The same for wishes that came later: nothing is dropped and nothing is made, but for what waits.
pub(super) fn hold(request: &str, language: Language, found: &mut Findings, lookup: &Lookup<'_>) {
    let said = sentences(request);
    // What was refused before keeps its place in the order.
    let refused = found.refused.len();
    let all: Vec<Asked> = found.refused.iter().chain(&found.asked).cloned().collect();
    let verdicts = verdicts(request, language, &said, &all, lookup);
    for (asked, verdict) in found.asked.iter_mut().zip(verdicts.into_iter().skip(refused)) {
        if matches!(verdict, Some(Verdict::Refused | Verdict::Open | Verdict::Unsaid)) {
            asked.hold(Doubt::Undecided);
        }
    }
}

/// What is decided about each wish.
fn verdicts(
    request: &str,
    language: Language,
    said: &[Said],
    asked: &[Asked],
    lookup: &Lookup<'_>,
) -> Vec<Option<Verdict>> {
    let mut spans: HashMap<Range<usize>, Vec<Token>> = HashMap::new();
    let places: Vec<Option<usize>> = asked
        .iter()
        .map(|one| {
            let tokens = spans
                .entry(one.span.clone())
                .or_insert_with(|| tokenize(request.get(one.span.clone()).unwrap_or_default()));
            place(tokens, one, lookup)
        })
        .collect();
    let things = Things::of(request, asked, &places);
    let ours = said.iter().filter(|sentence| !sentence.is_of_others(language));
    let mut verdicts = picks::verdicts(&things, ours, asked);
    let polled = polls::verdicts(request, said, asked, &places);
    let doubted = afterword::verdicts(request, said, asked, &places, lookup);
    for (verdict, (polled, doubted)) in verdicts.iter_mut().zip(polled.into_iter().zip(doubted)) {
        *verdict = polled.or(*verdict).or(doubted);
    }
    verdicts
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

/// Where the request gives a wish: what it is about, or else its new name. Of several wishes of one sentence each has its own.
fn place(tokens: &[Token], asked: &Asked, lookup: &Lookup<'_>) -> Option<usize> {
    let ask = wish(asked)?;
    let entity = ask.target().map(|target| lookup.entity(target));
    let called = entity.map(|entity| {
        let client = entity.client.as_ref().map_or(entity.name.as_str(), |client| client.name.as_str());
        [entity.name.as_str(), client]
    });
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
