//! A client that several sentences, or a list, make up together: one wishes it, another names it or says what it holds.

use std::ops::Range;

use super::super::sentence::Sentence;
use super::super::token::tokenize;
use super::clients::Standing;
use super::{Ask, Asked, Document, Doubt};

/// A client that is wished for, as far as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClientWish {
    /// From the sentence that wishes it to the last one that goes on about it.
    span: Range<usize>,
    unit: usize,
    sentence: usize,
    /// The sentences that go on about it.
    more: usize,
}

/// The most sentences and items that go on about one client.
const MOST: usize = 40;

impl Document<'_> {
    /// Whether a sentence goes on about the client that the sentences before wish for. It is read with them then.
    pub(super) fn goes_on_about_a_client(&mut self, sentence: &Sentence<'_>, span: &Range<usize>) -> bool {
        let Some(wish) = self.client_wish.clone() else { return false };
        let near = wish.more < MOST && self.unit <= wish.unit.saturating_add(wish.more).saturating_add(1);
        let names = names_only(sentence) && (self.item || sentence.mentions.len() > 1);
        if near && (names || speaks_of_it(sentence)) {
            self.client_wish =
                Some(ClientWish { span: wish.span.start..span.end, more: wish.more.saturating_add(1), ..wish });
            return true;
        }
        self.end_of_client_wish();
        false
    }

    /// Remembers that a sentence wishes for a client that it does not make up alone.
    pub(super) fn wishes_for_a_client(&mut self, sentence: &Sentence<'_>, span: &Range<usize>, count: usize) {
        let made = self.found.asked.iter().skip(count).any(|asked| matches!(asked.ask, Ask::Clients(_)));
        let acts = self.found.asked.iter().skip(count).any(|asked| asked.ask.target().is_some());
        if !made && !acts && self.closed == super::Closed::Nothing && is_client_wish(sentence) {
            let (unit, sentence) = (self.unit, self.sentence);
            self.client_wish = Some(ClientWish { span: span.clone(), unit, sentence, more: 0 });
        }
    }

    /// What the sentences about a client come to together.
    pub(super) fn end_of_client_wish(&mut self) {
        let Some(wish) = self.client_wish.take().filter(|wish| wish.more > 0) else { return };
        let text = self.slice(&wish.span);
        let tokens = tokenize(text);
        let joined = Sentence::new(&tokens, self.lookup, self.language);
        let ask = self.clients(&joined, Standing::Joined).unwrap_or(Ask::Unsure(Doubt::Unclear));
        let inside = |asked: &Asked| {
            wish.span.contains(&asked.span.start)
                && matches!(asked.ask, Ask::Unsure(_))
                && asked.span.end <= wish.span.end
        };
        self.found.asked.retain(|asked| !inside(asked));
        let scope = match super::super::scopes::said(&joined) {
            super::super::scopes::Said::For(scope) => self.here(&joined, scope),
            super::super::scopes::Said::Nothing => self.section.clone(),
        };
        let (span, unit, sentence) = (wish.span, wish.unit, wish.sentence);
        self.found.asked.push(Asked { ask, span, scope, unit, sentence, feature: false });
    }
}

/// An item that is nothing but names.
fn names_only(sentence: &Sentence<'_>) -> bool {
    let mut texts = (0..sentence.tokens.len()).filter(|&at| sentence.is_text(at)).peekable();
    texts.peek().is_some() && texts.all(|at| sentence.mention_at(at).is_some() || sentence.is(at, &["and"]))
}

/// `It has a, b and nothing else.`, `Its name: XClient.`, `Call it XClient.`, `Contents: a, b.`
fn speaks_of_it(sentence: &Sentence<'_>) -> bool {
    let first = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at)).unwrap_or(0);
    let new = new_client(sentence).is_some();
    let holds = list! {
        "has" "holds" "contains" "gets" "offers" "consists" "includes" "takes" "exposes" "carries" "comprises"
    };
    let told = sentence.is(first, &["it", "this", "that"]) && sentence.is(first.saturating_add(1), holds);
    let label = sentence
        .is(first, &["contents", "content", "operations", "methods", "members", "holds", "with", "containing"])
        && sentence.is_sign(first.saturating_add(1), ':');
    let named = new
        && (sentence.any(&["name", "named", "call", "called", "class"])
            || sentence.tokens.iter().filter(|token| token.is_text()).count() <= 3);
    (told || label || named) && !sentence.any(super::words::KEEPING)
}

/// The name of a client that there is not yet.
pub(super) fn new_client(sentence: &Sentence<'_>) -> Option<usize> {
    let mut found = (0..sentence.tokens.len()).filter(|&at| {
        sentence.mention_at(at).is_none()
            && sentence.get(at).is_some_and(|token| {
                token.is_text()
                    && token.text.ends_with("Client")
                    && token.text.len() > 6
                    && token.text.starts_with(char::is_uppercase)
                    && !token.text.contains('.')
            })
    });
    let first = found.next()?;
    let text = |at: usize| sentence.get(at).map(|token| token.text.as_str());
    found.all(|other| text(other) == text(first)).then_some(first)
}

/// Whether a sentence wishes for a client of its own: `X gets its own client`, `we want a client with a and b`.
fn is_client_wish(sentence: &Sentence<'_>) -> bool {
    let own = (0..sentence.tokens.len()).any(|at| is_own_client(sentence, at));
    let new = new_client(sentence).is_some();
    let gets = (0..sentence.tokens.len()).any(|at| is_getting(sentence, at));
    let coming = (0..sentence.tokens.len()).any(|at| {
        sentence.is(at, &["will"])
            && sentence
                .is(at.saturating_add(1), &["ship", "have", "get", "offer", "provide", "add", "introduce", "make"])
    });
    let wish = gets
        || coming
        || sentence.any(super::words::OBLIGING)
        || sentence.any(super::words::POLITE)
        || sentence.any(&["want", "like", "need", "wish", "let's", "so", "decided", "agreed"])
        || own && sentence.tokens.len() < 12;
    let open = sentence.tokens.iter().any(|token| token.is_sign('?')) || super::doubt(sentence).is_some();
    (own || new && gets) && wish && !open && !is_refused(sentence)
}

/// `X gets Y`, `they become a client`
pub(super) fn is_getting(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["gets", "get", "becomes", "become", "receives", "forms", "form"])
        && sentence.mention_at(at).is_none()
}

/// `its own client`, `a client class of its own`, `a dedicated client`, `a client with a and b`
pub(super) fn is_own_client(sentence: &Sentence<'_>, at: usize) -> bool {
    let front =
        list! { "own" "separate" "dedicated" "standalone" "second" "single" "new" "extra" "additional" "another" };
    let before = (1..=2).any(|step| at.checked_sub(step).is_some_and(|here| sentence.is(here, front)));
    if before && new_client(sentence) == Some(at) {
        return true;
    }
    if !sentence.is(at, &["client", "clients"]) || sentence.mention_at(at).is_some() {
        return false;
    }
    let behind = at.saturating_add(1 + usize::from(sentence.is(at.saturating_add(1), &["class"])));
    let of_own = sentence.is(behind, &["of"]) && sentence.is(behind.saturating_add(2), &["own"]);
    let holding = sentence.is(behind, &["with", "that", "which", "holding", "containing", "for"])
        && sentence.is(at.saturating_sub(1), &["a", "one"]);
    before || of_own || holding
}

/// A negation, and not `and nothing else`, `no access to the rest` or `not more and not less`.
pub(super) fn is_refused(sentence: &Sentence<'_>) -> bool {
    (0..sentence.tokens.len()).any(|at| {
        let closing = (1..=4).any(|step| {
            sentence.is(
                at.saturating_add(step),
                &["else", "more", "less", "other", "others", "rest", "further", "beyond", "members", "besides"],
            )
        });
        sentence.is(at, super::words::NEGATIONS) && !sentence.is_idle_negation(at) && !closing
    })
}
