//! Wishes that stand beside each other in a sentence: `Rename A to B and hide C.`, `A should be B, and C should be internal.`

use super::super::lexicon as words;
use super::super::sentence::LONGEST;
use super::super::token::{Kind, Token, tokenize};
use std::ops::Range;

/// Verbs of orders.
const VERBS: &[&str] = &["rename", "hide", "move", "make", "mark", "expose", "unhide", "relocate"];

/// Words that may hold for all of a sentence, wherever they stand.
const SHARED: &[&str] = list! {
    "python" "java" "kotlin" "c#" "csharp" ".net" "dotnet" "net" "javascript" "typescript" "js" "ts" "go" "golang" "rust"
    "sdk" "sdks" "language" "languages" "everywhere" "only" "if" "unless" "when" "once" "until" "after" "before"
    "because" "since" "so" "except" "or" "either" "neither" "nor" "maybe" "perhaps" "would" "could" "might" "may"
    "both" "same" "respectively" "later" "instead" "rather" "than" "as" "eventually" "someday" "soon"
};

/// Each wish of a sentence, for itself. Where a word may hold for all of them (a language, a condition, a negation in
/// front, a question) the sentence stays whole.
pub(super) fn wishes_beside(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let part = text.get(span.clone()).unwrap_or_default();
    let tokens = tokenize(part);
    if tokens.len() > LONGEST
        || tokens.iter().any(|token| token.is(SHARED) || token.is(words::REPORTING) || token.is_sign('?'))
    {
        return vec![span];
    }
    let mut spans = Vec::new();
    let (mut start, mut from) = (span.start, 0_usize);
    let joints: Vec<Range<usize>> = (1..tokens.len()).filter_map(|at| joint(&tokens, at)).collect();
    for (number, joint) in joints.iter().enumerate() {
        let next = joints.get(number.saturating_add(1)).map_or(tokens.len(), |next| next.start);
        let (Some(left), Some(right)) = (tokens.get(from..joint.start), tokens.get(joint.end..next)) else { continue };
        if !is_wish(left) || !is_wish(right) || is_listed(right, tokens.get(next..).unwrap_or_default()) {
            continue;
        }
        let bound = |at: usize| tokens.get(at).map_or(part.len(), |token| token.span.start);
        let before = part.get(..bound(joint.start)).unwrap_or_default().trim_end().len();
        spans.push(start..span.start.saturating_add(before));
        start = span.start.saturating_add(bound(joint.end));
        from = joint.end;
    }
    // What stands behind the last wish may be said of all of them.
    let last = tokens.get(from..).unwrap_or_default();
    let told = last.iter().any(|token| token.is_sign(',') || token.is_sign('–') || token.is_sign('—'));
    let orders = is_order(last);
    if spans.is_empty() || told && !orders {
        return vec![span];
    }
    spans.push(start..span.end);
    spans
}

/// `, and`, `and then`, `but`, `+`, or a comma alone: the tokens between two wishes.
fn joint(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let is = |at: usize, list: &[&str]| tokens.get(at).is_some_and(|token| token.is(list));
    let sign = |at: usize| tokens.get(at).is_some_and(|token| [',', '+', '&'].iter().any(|sign| token.is_sign(*sign)));
    // `while you are there` goes with what it stands in front of.
    let idle = |at: usize| is(at, &["while"]) && is(at.saturating_add(1), &["you", "you're", "we", "we're", "at"]);
    let word = |at: usize| is(at, &["and", "then", "but", "while", "whereas"]) && !idle(at);
    // It begins in front of it.
    if !sign(at) && !word(at) || sign(at.saturating_sub(1)) || word(at.saturating_sub(1)) {
        return None;
    }
    let words = (at..tokens.len()).take_while(|&here| sign(here) || word(here)).count();
    Some(at..at.saturating_add(words))
}

/// `C` of `A should be B, C and D should be internal`: the first of several things that something is wished of.
fn is_listed(right: &[Token], rest: &[Token]) -> bool {
    let named = right.iter().all(|token| token.quoted || token.looks_like_name() || !token.is_text());
    named && !rest.is_empty()
}

/// Whether words are a wish of their own.
fn is_wish(part: &[Token]) -> bool {
    is_order(part) || is_said_of_a_thing(part)
}

/// `please hide C`, `while you are there make C internal`, and neither `do not hide C` nor `the tests hide C`.
fn is_order(part: &[Token]) -> bool {
    let idle = |token: &&Token| {
        token.is(words::POLITE) || token.is(&["also", "while", "you", "we", "are", "you're", "at", "it", "there"])
    };
    let turned = part.iter().any(|token| token.is(words::NEGATIONS));
    let first = part.iter().filter(|token| token.is_text()).find(|token| !idle(token));
    !turned && first.is_some_and(|first| first.is(VERBS))
}

/// `the model A should be B`, `A -> B`, `C stays`: what begins with a name and says what shall be of it.
fn is_said_of_a_thing(part: &[Token]) -> bool {
    let mut rest = part
        .iter()
        .skip_while(|token| token.is(&["the", "its", "our", "also"]) || words::kinds_of(&token.lower).is_some());
    let named = rest.next().is_some_and(|token| {
        token.is_text() && (token.quoted || token.looks_like_name() || token.text.starts_with(char::is_uppercase))
    });
    let verb = rest.find(|token| !(words::kinds_of(&token.lower).is_some() && token.kind == Kind::Word));
    let shall = verb.is_some_and(|verb| {
        verb.kind == Kind::Arrow
            || verb.is(words::OBLIGING)
            || verb.is(words::KEEPING)
            || verb.is(&["becomes", "has", "have", "can"])
    });
    named && shall && rest.next().is_some_and(Token::is_text)
        || named && verb.is_some_and(|verb| verb.is(words::KEEPING))
}
