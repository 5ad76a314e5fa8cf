//! Changes that a text tells and a sentence above it asks for: `Please implement this draft of the release notes:`.

use super::super::lexicon as words;
use super::super::license;
use super::super::names::{ends_here, name_of, resembles};
use super::super::sentence::{Sentence, Zone};
use super::super::structure::{Role, Unit};
use super::super::token::{Token, tokenize};
use super::Document;
use super::sentences::sentence_spans;
use super::text::oblige;

/// What tells changes.
const TEXTS: &[&str] =
    list! { "changelog" "notes" "draft" "announcement" "changes" "list" "items" "entries" "summary" };

/// Verbs of making what a text tells.
const CARRYING_OUT: &[&str] = list! {
    "implement" "apply" "execute" "realize" "realise" "bring" "make" "match" "reflect" "perform" "do" "carry" "follow" "want"
};

/// Verbs of dealing with a text itself.
const READING: &[&str] = list! {
    "review" "proofread" "check" "read" "note" "publish" "send" "translate" "write" "edit" "verify" "approve" "comment" "discuss"
    "your" "yours" "when" "whenever" "migrate" "migrating" "upgrade" "upgrading" "see" "find" "look" "forward" "announce" "explain" "compare"
};

impl Document<'_> {
    /// Whether a sentence asks for all that is told below it.
    pub(super) fn carries_out(&self, sentence: &Sentence<'_>, ends_with_colon: bool) -> bool {
        let count = sentence.tokens.len();
        let text = sentence.any(TEXTS);
        let ahead = sentence.any(&["this", "these", "following", "below", "attached"]) || ends_with_colon;
        let verb = (0..count).find(|&at| {
            let started = sentence.clause_start(at) == at;
            let asked = sentence.has(sentence.clause_start(at)..sentence.clause_end(at), words::POLITE)
                || sentence.is(at.saturating_sub(1), &["let's", "should", "must", "to"])
                || sentence.phrase(at.saturating_sub(1), &["we", "want"]);
            sentence.is(at, CARRYING_OUT) && sentence.mention_at(at).is_none() && (started || asked)
        });
        // `In the next beta the following changes:`
        let coming = ends_with_colon
            && sentence.any(&["following", "these"])
            && sentence.any(&["changes"])
            && (0..count).any(|at| {
                sentence.is(at, &["next", "upcoming", "coming"])
                    && sentence.is(at.saturating_add(1), &["beta", "preview", "release"])
            });
        // What stands for the package and for no other text.
        let elsewhere = sentence.tokens.iter().any(|token| token.is(words::ELSEWHERE) && !token.is(TEXTS));
        let others = sentence.languages.iter().any(|(_, language, _)| *language != self.language);
        let held = sentence.tokens.iter().any(|token| token.is_sign('?'))
            || sentence.any(READING)
            || sentence.any(words::DOUBTS)
            || sentence.any(words::NEGATIONS)
            || sentence.zones.contains(&Zone::Condition)
            || license::puts_off(sentence);
        let named = sentence.mentions.iter().any(|mention| mention.strong && !sentence.qualifies(mention));
        text && ahead && (verb.is_some() || coming) && !elsewhere && !others && !held && (!named || ends_with_colon)
    }
}

impl Document<'_> {
    /// Looks at all sentences for what they say of the others.
    pub(super) fn look_ahead(&mut self, units: &[Unit]) {
        let mut pairs = 0_usize;
        for unit in units.iter().filter(|unit| matches!(unit.role, Role::Prose | Role::Item)).take(super::MOST_UNITS) {
            let text = self.slice(&unit.span);
            for span in sentence_spans(text) {
                let tokens = tokenize(text.get(span).unwrap_or_default());
                let sentence = Sentence::new(&tokens, self.lookup, self.language);
                self.ahead |= is_ahead(&sentence);
                pairs = pairs.saturating_add(named_so(&sentence).len());
            }
        }
        self.paired = pairs > 1;
        self.find_tables_of_types(units);
    }
}

/// `Neither is done yet, please make it true.`, `the library should be made to match`: what is told is to be made.
fn is_ahead(sentence: &Sentence<'_>) -> bool {
    let count = sentence.tokens.len();
    let phrases = [
        "make it true",
        "make this true",
        "make that true",
        "made to match",
        "ahead of the code",
        "still have to be made",
        "still have to be done",
        "still to be made",
        "still to be done",
        "still need to be made",
        "still need to be done",
        "have yet to be made",
        "still has to be done",
        "still has to be made",
    ];
    let said = (0..count).any(|at| phrases.iter().any(|phrase| sentence.says(at, phrase)));
    let open = sentence.tokens.iter().any(|token| token.is_sign('?'))
        || sentence.any(words::DOUBTS)
        || sentence.any(&["don't", "never", "won't"])
        || sentence.zones.contains(&Zone::Condition);
    said && !open
}

/// Where a sentence says `X is Y` or `X is called Y`, with a name that goes on from the one of today and that nothing has.
pub(super) fn named_so(sentence: &Sentence<'_>) -> Vec<usize> {
    let elsewhere = [words::WIRE, words::ELSEWHERE, words::REPORTING].iter().any(|list| sentence.any(list))
        || sentence.any(&["already", "today", "now", "currently", "was", "were", "used", "there", "if", "when"])
        || sentence.languages.iter().any(|(_, language, _)| *language != sentence.language)
        || sentence.tokens.iter().any(|token| token.is_sign('?'))
        || sentence.is_turned();
    if elsewhere {
        return Vec::new();
    }
    let named = sentence.mentions.iter().filter(|mention| mention.strong && sentence.is(mention.end, &["is"]));
    let paired = named.filter(|mention| {
        let next = mention.end.saturating_add(1);
        let name = next.saturating_add(usize::from(sentence.is(next, &["called", "named"])));
        let free = sentence.mention_at(name).is_none() && ends_here(sentence, name.saturating_add(1));
        let new = name_of(sentence, name).filter(|_| free && sentence.looks_like_name(name));
        new.is_some_and(|new| {
            mention.candidates.iter().any(|&one| resembles(&sentence.lookup.entity(one).name, &new.text))
        })
    });
    paired.map(|mention| mention.end).collect()
}

/// `X is Y` as a wish: it shall be so.
pub(super) fn name_so(tokens: &mut Vec<Token>, places: &[usize]) {
    for &at in places.iter().rev() {
        let Some(token) = tokens.get_mut(at) else { continue };
        (token.lower, token.text) = ("should".to_owned(), "should".to_owned());
        let be = Token { lower: "be".to_owned(), text: "be".to_owned(), ..token.clone() };
        tokens.insert(at.saturating_add(1), be);
    }
}

/// Makes a wish of what a line tells as done: `Renamed X to Y`, `X is no longer public`, `X has been renamed to Y`.
pub(super) fn wish(tokens: &mut Vec<Token>) {
    const DONE: [(&str, &str); 9] = [
        ("renamed", "rename"),
        ("moved", "move"),
        ("hid", "hide"),
        ("hidden", "hide"),
        ("made", "make"),
        ("exposed", "expose"),
        ("relocated", "relocate"),
        ("unexported", "unexport"),
        ("changed", "change"),
    ];
    let first = tokens.iter().position(Token::is_text).unwrap_or(0);
    let done = tokens.get(first).and_then(|token| DONE.iter().find(|(done, _)| token.lower == *done));
    if let Some((_, order)) = done {
        set_at(tokens, first, order);
        return;
    }
    let been = tokens.iter().position(|token| token.is(&["been"])).filter(|at| *at > 0);
    if let Some(at) = been {
        set_at(tokens, at, "be");
        set_at(tokens, at.saturating_sub(1), "should");
        return;
    }
    oblige(tokens);
}

fn set_at(tokens: &mut [Token], at: usize, word: &str) {
    if let Some(token) = tokens.get_mut(at) {
        (token.lower, token.text) = (word.to_owned(), word.to_owned());
    }
}
