//! Reads one sentence: what it asks for, or why it asks for nothing the mechanic does.

use super::clause::Clause;
use super::client_layout;
use super::entities::Lookup;
use super::explain::explain;
use super::intents::{Intent, Refusal, Verb};
use super::matcher::{Match, matches};
use super::place::SaidPlace;
use super::resolve::resolve;
use super::tokens::{Token, TokenKind};
use super::words::{self, NamedLanguage, stop_kind};
use bailiwick_sdk::tasks::{Language, SpecIndex};

/// What a sentence is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reading {
    /// It asks for something.
    Request(Intent),
    /// It asks to put right what a log below it reports.
    Fix,
    /// Courtesy or talk about a log.
    Talk,
    /// It is not acted on.
    Refused(Refusal),
}

/// Everything a sentence is read against.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) index: &'a SpecIndex,
    pub(crate) lookup: &'a Lookup<'a>,
    pub(crate) language: Language,
}

impl Reader<'_> {
    /// Reads a sentence. `tokens` end with its final punctuation, if it has one.
    pub(crate) fn read(&self, tokens: &[Token]) -> Reading {
        let question = tokens.last().is_some_and(|token| token.kind == TokenKind::Punctuation('?'));
        let tokens = without_label(tokens, self.language);
        if is_talk(tokens) {
            return Reading::Talk;
        }
        let (request, reason) = match split_reason(tokens) {
            Ok(parts) => parts,
            Err(word) => return Reading::Refused(Refusal::Reason { word }),
        };
        if let Some(word) = reason.and_then(|reason| self.reason_that_asks(reason)) {
            return Reading::Refused(Refusal::Reason { word });
        }
        if request.iter().all(Token::is_punctuation) {
            return Reading::Talk;
        }
        let clause = Clause::new(request, self.lookup, self.language);
        if let Some(wish) = client_layout::read(&clause) {
            return self.regroup(&clause, wish);
        }
        if question && !(0..clause.len()).any(|at| clause.is(at, words::ASKING)) {
            return Reading::Refused(Refusal::Question { sentence: clause.text() });
        }
        self.decide(&clause)
    }

    fn regroup(&self, clause: &Clause<'_>, wish: Result<client_layout::Wish, client_layout::Misread>) -> Reading {
        let outcome = match wish {
            Ok(wish) => client_layout::resolve(&wish, self.lookup, self.index, self.language),
            // A negation or another language says more than where the reading ended.
            Err(misread) => Err(match explain(clause) {
                stopped @ (Refusal::Stop { .. } | Refusal::OtherLanguage { .. }) => stopped,
                _ => Refusal::Structure { problem: misread.problem },
            }),
        };
        outcome.map_or_else(Reading::Refused, Reading::Request)
    }

    fn decide(&self, clause: &Clause<'_>) -> Reading {
        let found = matches(clause);
        // A reading in which the target exists is worth more than one in which it does not.
        let known: Vec<&Match> =
            found.iter().filter(|one| one.target.as_ref().is_none_or(|target| !target.candidates.is_empty())).collect();
        let placed: Vec<&Match> =
            known.iter().copied().filter(|one| one.place.as_ref().is_none_or(SaidPlace::exists)).collect();
        let known = if placed.is_empty() { known } else { placed };
        let mut readings: Vec<Reading> = Vec::new();
        let considered = if known.is_empty() { found.iter().collect() } else { known };
        for one in considered {
            let reading = match (one.verb, &one.target) {
                (Verb::Fix, _) => Reading::Fix,
                (Verb::Nothing, _) => Reading::Request(Intent::Nothing),
                (_, Some(target)) => match resolve(self, one, target, clause) {
                    Ok(intent) => Reading::Request(intent),
                    Err(refusal) => Reading::Refused(refusal),
                },
                (verb, None) => Reading::Refused(Refusal::MissingTarget { verb, sentence: clause.text() }),
            };
            if !readings.contains(&reading) {
                readings.push(reading);
            }
        }
        match readings.len() {
            0 => Reading::Refused(explain(clause)),
            1 => readings.swap_remove(0),
            _ if readings.iter().all(|reading| matches!(reading, Reading::Refused(_))) => readings.swap_remove(0),
            _ => Reading::Refused(Refusal::TwoReadings { sentence: clause.text() }),
        }
    }

    /// The word of a reason that asks for something itself or restricts what is asked.
    fn reason_that_asks(&self, reason: &[Token]) -> Option<String> {
        let mut begins = true;
        for token in reason {
            let word = token.lower.as_str();
            let joins = matches!(token.kind, TokenKind::Punctuation(',' | ':' | '(' | '-' | '–' | '—'));
            if token.is_word() {
                let restricts = stop_kind(word).is_some_and(|kind| {
                    use words::StopKind as S;
                    matches!(kind, S::Negation | S::Exception | S::Condition)
                });
                let other_language =
                    words::language(word).is_some_and(|named| named != NamedLanguage::Ours(self.language));
                let asks = words::CORE_VERBS.contains(&word)
                    || begins
                        && (words::OTHER_VERBS.contains(&word) || ["please", "pls", "plz", "kindly"].contains(&word));
                if restricts || other_language || asks {
                    return Some(token.text.clone());
                }
            }
            begins = joins || ["and", "also", "please", "then", "or"].contains(&word);
        }
        None
    }
}

/// Drops `API review feedback:` and the like. Another language's label stays, and stops the request.
fn without_label(tokens: &[Token], language: Language) -> &[Token] {
    let Some(colon) = tokens.iter().position(|token| token.kind == TokenKind::Punctuation(':')) else {
        return tokens;
    };
    let label = tokens[..colon].iter().all(|token| {
        token.is_word()
            && (words::LABELS.contains(&token.lower.as_str())
                || words::language(&token.lower) == Some(NamedLanguage::Ours(language)))
    });
    if label { &tokens[colon + 1..] } else { tokens }
}

/// Whether every word is courtesy, or every word is talk about a log.
fn is_talk(tokens: &[Token]) -> bool {
    let all = |list: &[&str]| {
        tokens.iter().all(|token| token.is_punctuation() || token.is_word() && list.contains(&token.lower.as_str()))
    };
    let announces = tokens.last().is_some_and(|token| token.kind == TokenKind::Punctuation(':'));
    all(words::COURTESY)
        || all(words::LOG_TALK)
        || announces && all(&[words::COURTESY, words::LOG_TALK, words::INTRODUCTION].concat())
}

/// A sentence as what it asks and the reason it gives, if it gives one.
type Split<'a> = (&'a [Token], Option<&'a [Token]>);

/// Takes the reason apart. A reason at the front ends at the first comma; without one the sentence cannot be read.
fn split_reason(tokens: &[Token]) -> Result<Split<'_>, String> {
    let reason = |at: usize| {
        let word =
            |ahead: usize| tokens.get(at + ahead).filter(|token| token.is_word()).map(|token| token.lower.as_str());
        words::REASONS.iter().find_map(|phrase| {
            let length = phrase.split(' ').count();
            phrase.split(' ').enumerate().all(|(ahead, part)| word(ahead) == Some(part)).then_some(length)
        })
    };
    let Some((at, length)) = (0..tokens.len()).find_map(|at| reason(at).map(|length| (at, length))) else {
        return Ok((tokens, None));
    };
    let leading =
        tokens[..at].iter().all(|token| token.is_punctuation() || words::FILLERS.contains(&token.lower.as_str()));
    if !leading {
        return Ok((&tokens[..at], Some(&tokens[at + length..])));
    }
    let comma = tokens.iter().position(|token| token.kind == TokenKind::Punctuation(','));
    match comma {
        Some(comma) if comma > at => Ok((&tokens[comma + 1..], Some(&tokens[at + length..comma]))),
        _ => Err(tokens[at].text.clone()),
    }
}
