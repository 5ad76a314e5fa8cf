//! Wishes that are told and not made: between quotation marks, by a tool, with their refusal behind them.

use std::ops::Range;

use super::super::document::{Ask, Asked};
use super::super::lexicon as words;
use super::super::sentence::{Sentence, same_name};
use super::super::token::tokenize;
use crate::entities::Lookup;
use bailiwick_sdk::tasks::{EntityKind, Language};

/// `Feedback: "please hide X".`: all that names the target stands in a quotation of several words.
pub(super) fn is_quoted(request: &str, one: &Asked, lookup: &Lookup<'_>, language: Language) -> bool {
    let Some(target) = one.ask.target() else { return false };
    let paragraph = paragraph(request, one.span.start);
    let quotations = quotations(request, paragraph);
    let Some(text) = request.get(one.span.clone()) else { return false };
    let quoted = |at: usize| quotations.iter().any(|range| range.contains(&at));
    if !(one.span.clone()).any(quoted) {
        return false;
    }
    let tokens = tokenize(text);
    let sentence = Sentence::new(&tokens, lookup, language);
    let inside =
        |at: usize| sentence.get(at).is_some_and(|token| quoted(one.span.start.saturating_add(token.span.start)));
    // The new name stands there, too: `"X should be Y"`, and not `the one that the docs call "add part"`.
    let wished = match &one.ask {
        Ask::Rename { name, .. } => (0..sentence.tokens.len())
            .any(|at| inside(at) && sentence.get(at).is_some_and(|token| same_name(&token.text, name))),
        _ => true,
    };
    let mut named = sentence.mentions.iter().filter(|mention| mention.candidates.contains(&target)).peekable();
    // `"X is long. Make it y." (forum)`, among other voices
    let voices = self::quotations(request, 0..request.len()).len();
    if named.peek().is_none() && wished && voices > 1 && quoted(one.span.start) {
        return true;
    }
    wished && named.peek().is_some() && named.all(|mention| inside(mention.at))
}

/// The paragraph around a place.
fn paragraph(text: &str, at: usize) -> Range<usize> {
    let start = text.get(..at).and_then(|before| before.rfind("\n\n")).map_or(0, |end| end.saturating_add(2));
    let end = text.get(at..).and_then(|rest| rest.find("\n\n")).map_or(text.len(), |end| at.saturating_add(end));
    start..end
}

/// Where several words stand between a pair of double quotation marks.
fn quotations(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let Some(part) = text.get(within.clone()) else { return Vec::new() };
    let mut found = Vec::new();
    let mut open = None;
    for (at, sign) in part.char_indices() {
        match (sign, open) {
            ('"' | '“' | '„', None) => open = Some(at),
            ('"' | '”' | '“', Some(start)) => {
                let inner = part.get(start..at).unwrap_or_default();
                if inner.split_whitespace().count() > 2 {
                    found.push(within.start.saturating_add(start)..within.start.saturating_add(at));
                }
                open = None;
            }
            _ => {}
        }
    }
    found
}

/// `X -> Y ❌`, `X -> Y: +3 / -5`, `rename X to Y - moved to sprint 15`: the refusal stands behind the wish.
pub(super) fn is_refused_behind(sentence: &Sentence<'_>) -> bool {
    let count = sentence.tokens.len();
    let crossed =
        (0..count).any(|at| ['❌', '🚫', '👎', '✗', '✘', '✖', '⛔'].iter().any(|sign| sentence.is_sign(at, *sign)));
    let moved = (1..count).any(|at| {
        sentence.is(at, &["moved", "postponed", "pushed", "shifted"])
            && sentence.is(at.saturating_add(1), &["to"])
            && (at.saturating_add(2)..at.saturating_add(5).min(count)).any(|next| {
                sentence
                    .is(next, &["sprint", "iteration", "icebox", "backlog", "milestone", "quarter", "next", "later"])
            })
    });
    let number = |at: usize| sentence.get(at).and_then(|token| token.text.parse::<u32>().ok());
    let outvoted = (0..count).any(|at| {
        let votes = sentence.is_sign(at, '+') && sentence.is_sign(at.saturating_add(3), '-');
        let (pro, con) = (number(at.saturating_add(1)), number(at.saturating_add(4)));
        votes && pro.zip(con).is_some_and(|(pro, con)| con >= pro)
    });
    crossed || moved || outvoted
}

/// `X.PEND = "pending"`, `Pos: "positive"`, `X vs. Y`: a value of today beside its name, or a comparison.
pub(super) fn is_a_value_of_today(sentence: &Sentence<'_>, ask: &Ask, lookup: &Lookup<'_>) -> bool {
    let Ask::Rename { target, name } = ask else { return false };
    let member = lookup.entity(*target).kind == EntityKind::EnumMember;
    let wished = sentence.any(words::RENAME_PROPER) || sentence.any(words::OBLIGING) || sentence.any(words::POLITE);
    let versus = sentence.any(&["vs", "vs.", "versus"]);
    let valued = (1..sentence.tokens.len()).any(|at| {
        let given = sentence.is_sign(at.saturating_sub(1), '=') || sentence.is_sign(at.saturating_sub(1), ':');
        let value = sentence.get(at).is_some_and(|token| token.quoted && same_name(&token.text, name));
        given && value && sentence.get(at).is_some_and(|token| token.text == token.lower)
    });
    !wished && (versus || member && valued)
}

/// `The bot wants me to rename X`, `Sonar's view: X should be Y`: a program proposes it, or somebody without a say.
pub(super) fn is_proposed_by_a_tool(sentence: &Sentence<'_>) -> bool {
    let tools = list! {
        "bot" "bots" "copilot" "sonar" "sonarcloud" "sonarqube" "chatgpt" "gpt" "llm" "intern" "autocomplete" "plugin"
        "checker" "script" "tool"
    };
    let first = sentence.mentions.first().map_or(sentence.tokens.len(), |mention| mention.at);
    (0..first).any(|at| {
        let word = sentence.lower(at);
        let bare = word.trim_end_matches("'s").trim_end_matches("’s");
        let next = at.saturating_add(1);
        let proposes = sentence.has(
            next..next.saturating_add(3).min(sentence.tokens.len()),
            list! {
                "wants" "wanted" "thinks" "says" "said" "proposes" "proposed" "suggests" "suggested" "complains" "would"
                "view" "opinion" "idea"
            },
        );
        tools.contains(&bare) && (bare != word || proposes)
    }) || (0..sentence.tokens.len()).any(|at| {
        let who = at.saturating_add(2)..at.saturating_add(5).min(sentence.tokens.len());
        sentence.phrase(at, &["according", "to"]) && sentence.has(who, tools)
    })
}
