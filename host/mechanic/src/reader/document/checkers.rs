//! Names that a checker suggests in its output (`"qty" is unclear, consider "quantity"`), and the sentence that asks for them.

use super::super::lexicon as words;
use super::super::license;
use super::super::sentence::{Sentence, Zone};
use super::{Ask, Document, Doubt};
use std::ops::Range;

/// A name that a line of output suggests.
#[derive(Debug, Clone)]
pub(super) struct Suggested {
    target: usize,
    name: String,
    span: Range<usize>,
}

/// The name in quotes and the one that the words between them suggest for it.
fn suggestion(line: &str) -> Option<(&str, &str)> {
    let quote = |c: char| ['"', '\'', '`'].contains(&c);
    let mut parts = line.split(quote);
    let (_, old, between, new) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let lower = between.to_lowercase();
    let suggests = ["consider", "prefer", "suggest", "rename", "should be", "did you mean"];
    let names = crate::names::is_identifier(old)
        && crate::names::is_identifier(new)
        && !words::TYPES.contains(&new.to_lowercase().as_str());
    let other = list! {
        "not " "n't " "instead of" "rather than" "over" "deprecated" "defined" "declared" "unused" "never" "import" "missing"
        "unknown" "cannot" "type"
    };
    let denied = other.iter().any(|word| lower.contains(word));
    (names && !denied && suggests.iter().any(|word| lower.contains(word))).then_some((old, new))
}

impl Document<'_> {
    /// Remembers what a line of output suggests.
    pub(super) fn suggests(&mut self, text: &str, span: &Range<usize>) {
        let Some((old, new)) = suggestion(text) else { return };
        let mut found = self.lookup.find(old);
        // A member of the type that the line above is about.
        if found.len() > 1
            && let Some(last) = self.suggested.last()
        {
            found.retain(|&one| self.lookup.holds(last.target, one));
        }
        match found.as_slice() {
            [target] => self.suggested.push(Suggested { target: *target, name: new.to_owned(), span: span.clone() }),
            _ => self.unsuggested = true,
        }
    }

    /// `Please apply the suggestions`, `follow the checker for the first`: the suggestions are asked for.
    pub(super) fn takes_suggestions(&mut self, sentence: &Sentence<'_>, span: &Range<usize>) -> bool {
        if self.suggested.is_empty() {
            return false;
        }
        let count = sentence.tokens.len();
        let tool = sentence.any(list! {
            "linter" "lint" "analyzer" "analyser" "checker" "tool" "warnings" "suggestions" "suggested" "suggests" "proposes" "hints" "eslint"
            "pylint" "checkstyle"
        });
        let verb = (0..count).any(|at| {
            let asked = sentence.clause_start(at) == at
                || sentence.is(at.saturating_sub(1), &["please", "let's", "should", "must", "you", "we"]);
            sentence.is(at, &["do", "follow", "apply", "accept", "adopt", "implement", "fix"]) && asked
        });
        let held = sentence.any(words::NEGATIONS)
            || sentence.any(words::DOUBTS)
            || sentence.tokens.iter().any(|token| token.is_sign('?')) && !sentence.any(words::POLITE)
            || sentence.zones.contains(&Zone::Condition)
            || sentence.any(words::ELSEWHERE)
            || sentence.any(&["wrong", "nonsense", "but", "except", "only", "config", "rule", "rules"])
            || license::puts_off(sentence)
            || license::verdict(sentence).is_some()
            || sentence.languages.iter().any(|(_, language, _)| *language != self.language)
            || sentence.mentions.iter().any(|mention| mention.strong);
        if !tool || !verb || held {
            return false;
        }
        let number = |word: &str| match word {
            "two" | "2" => Some(2),
            "three" | "3" => Some(3),
            "four" | "4" => Some(4),
            _ => None,
        };
        let first = (0..count).find(|&at| sentence.is(at, &["first", "last", "second", "third"]));
        let taken = match first {
            None => Some(self.suggested.len()),
            Some(at) if sentence.is(at, &["first"]) => Some(number(sentence.lower(at.saturating_add(1))).unwrap_or(1)),
            Some(_) => None,
        };
        let Some(taken) = taken.filter(|taken| !self.unsuggested && *taken <= self.suggested.len()) else {
            self.ask(Ask::Unsure(Doubt::Unclear), span.clone(), None);
            return true;
        };
        for one in self.suggested.clone().into_iter().take(taken) {
            self.ask(Ask::Rename { target: one.target, name: one.name }, one.span, None);
        }
        self.found.background.push(span.clone());
        true
    }
}
