//! What a request asks that neither an action nor a remark answers: a run that does the rest must not end as a success.
//!
//! Readings are looked for sentence by sentence, and a form that none of them knows is passed over. Here the whole is counted
//! instead: each order, and each thing that stands beside what is done, has to be answered by something.

use std::ops::Range;

use bailiwick_sdk::tasks::{EntityKind, Language};

use super::clauses::part_end;
use super::document::{Ask, Findings, sentence_spans};
use super::lexicon as words;
use super::sentence::{Mention, Sentence, Zone, same_name};
use super::structure::{Role, units};
use super::targets::Focus;
use super::token::{Kind, tokenize};
use crate::entities::Lookup;

/// The pieces of a request that nothing answers.
pub(super) fn unanswered(
    request: &str,
    found: &Findings,
    language: Language,
    lookup: &Lookup<'_>,
) -> Vec<Range<usize>> {
    if found.closed || found.retracted || found.to_tools {
        return Vec::new();
    }
    let acts = found.asked.iter().any(|one| !matches!(one.ask, Ask::Unsure(_)));
    let answers = Answers { found, lookup };
    let mut open = Vec::new();
    for unit in units(request) {
        if !matches!(unit.role, Role::Prose | Role::Item) {
            continue;
        }
        for part in sentence_spans(request.get(unit.span.clone()).unwrap_or_default()) {
            let span = unit.span.start.saturating_add(part.start)..unit.span.start.saturating_add(part.end);
            let tokens = tokenize(request.get(span.clone()).unwrap_or_default());
            let sentence = Sentence::new(&tokens, lookup, language);
            let beside = |other: &Range<usize>| other.start < span.end && span.start < other.end;
            let here: Vec<&Ask> = found.asked.iter().filter(|one| beside(&one.span)).map(|one| &one.ask).collect();
            let left = match here.len() {
                // A sentence that makes clients says itself where every operation goes.
                _ if here.iter().any(|ask| matches!(ask, Ask::Unsure(_) | Ask::Clients(_))) => false,
                0 => answers.leaves_an_order(&sentence, acts),
                count => answers.leaves_a_thing(&sentence, count),
            };
            if left {
                open.push(span);
            }
        }
    }
    open
}

struct Answers<'a> {
    found: &'a Findings,
    lookup: &'a Lookup<'a>,
}

impl Answers<'_> {
    /// `rename A.x to y, the same goes for B`: beside what was read of a sentence it names something that nothing was said of.
    fn leaves_a_thing(&self, sentence: &Sentence<'_>, count: usize) -> bool {
        sentence.mentions.iter().any(|mention| self.is_left(sentence, mention))
            || count == 1 && sentence.any(&["accordingly", "analogously", "correspondingly"])
    }

    /// `B must not be public either`: a sentence of which nothing was read, and which orders something or names one thing more.
    fn leaves_an_order(&self, sentence: &Sentence<'_>, acts: bool) -> bool {
        let mut from = 0;
        while from < sentence.tokens.len() {
            let end = part_end(sentence, from);
            let joins = acts && sentence.has(from..end, JOINING);
            let left = sentence
                .mentions
                .iter()
                .any(|mention| (from..end).contains(&mention.at) && self.is_left(sentence, mention));
            let polite = |at: usize| sentence.is(at, words::POLITE) && !sentence.is(at.saturating_add(1), LOOKING);
            let asked = (0..sentence.tokens.len()).any(polite);
            let wished = (obliges(sentence, from..end) || asked) && !sentence.is_turned();
            // `A.b: name`
            let row = |mention: &Mention| {
                let word = mention.end.saturating_add(1);
                (from..end).contains(&mention.at)
                    && sentence.is_sign(mention.end, ':')
                    && sentence.is_text(word)
                    && !(word.saturating_add(1)..sentence.tokens.len()).any(|at| sentence.is_text(at))
                    && !is_idle(sentence, word..word.saturating_add(1))
            };
            let labelled = acts && sentence.mentions.iter().any(row);
            let orders = is_order(sentence, from) && (!acts || joins || sentence.has(from..end, ALL));
            let idle = is_idle(sentence, from..end);
            let said = acts && !is_settled(sentence);
            // `the parameters must be in another order`
            let nameless = acts
                && !sentence.mentions.iter().any(|mention| mention.strong)
                && sentence.has(from..end, words::OBLIGING)
                && !sentence.has(from..end, OF_PEOPLE)
                && !is_settled(sentence);
            if orders && (!acts || !idle) || nameless && !idle || left && !idle && (said || wished || joins || labelled)
            {
                return true;
            }
            from = end;
        }
        false
    }

    /// Whether a thing that is named is neither changed, nor kept, nor a part or a place of what is.
    fn is_left(&self, sentence: &Sentence<'_>, mention: &Mention) -> bool {
        let aside = is_aside(sentence, mention.at);
        // `rename A.x to y, while B.x should be z`
        let wished = sentence.has(mention.at..sentence.clause_end(mention.at), words::OBLIGING);
        let main = match sentence.zone(mention.at) {
            Zone::Main => true,
            Zone::Comparison => wished,
            Zone::Reason | Zone::Condition => false,
        };
        if !mention.strong || aside || !main || sentence.qualifies(mention) {
            return false;
        }
        let alone = sentence.mentions.iter().filter(|other| other.strong).count() == 1;
        let clause = sentence.clause_start(mention.at)..part_end(sentence, mention.at);
        if is_idle(sentence, clause) || alone && sentence.any(words::KEEPING) {
            return false;
        }
        // Another thing may be called what this one is called from now on.
        let given = |ask: &Ask| {
            let text = sentence.get(mention.at).map_or("", |token| token.text.as_str());
            matches!(ask, Ask::Rename { name, .. } if same_name(name, text))
        };
        if self.found.asked.iter().any(|asked| given(&asked.ask)) {
            return false;
        }
        let meant: Vec<usize> = match sentence.settle(mention, &Focus::default()) {
            Ok(one) => vec![one],
            Err(several) => several,
        };
        !meant.iter().any(|&one| self.is_answered(one))
    }

    fn is_answered(&self, one: usize) -> bool {
        let near = |other: usize| other == one || self.lookup.holds(one, other) || self.lookup.holds(other, one);
        let entity = self.lookup.entity(one);
        let kept = self.found.vetoes.iter().any(|(vetoed, _)| near(*vetoed));
        kept || self.found.asked.iter().any(|asked| match &asked.ask {
            Ask::Rename { target, .. } | Ask::Hide { target } | Ask::Show { target } => near(*target),
            Ask::Move { target, to } => near(*target) || entity.reference == *to || entity.name == *to,
            Ask::Clients(_) => {
                matches!(
                    entity.kind,
                    EntityKind::Operation | EntityKind::Parameter | EntityKind::Interface | EntityKind::Namespace
                )
            }
            Ask::Unsure(_) => false,
        })
    }
}

/// Whether a thing is named in brackets, in code, or only beside another one: `as getPart has it`, `to tell it from B`.
fn is_aside(sentence: &Sentence<'_>, at: usize) -> bool {
    let (mut brackets, mut code) = (0_usize, false);
    for token in sentence.tokens.get(..at).unwrap_or_default() {
        match token.kind {
            Kind::Sign('(') => brackets = brackets.saturating_add(1),
            Kind::Sign(')') => brackets = brackets.saturating_sub(1),
            Kind::Sign('{') => code = true,
            _ => {}
        }
    }
    let compared = at.checked_sub(1).is_some_and(|before| {
        sentence.is(before, &["like", "as", "than", "from", "beside", "besides", "unlike", "versus", "vs"])
    });
    // `(B too)`
    let joined = sentence.has(sentence.clause_start(at)..sentence.clause_end(at), JOINING);
    brackets > 0 && !joined || code || compared
}

/// Who has to do something, and what stands for the change itself.
const OF_PEOPLE: &[&str] = list! {
    "it" "this" "that" "these" "those" "they" "we" "i" "you" "he" "she" "users" "customers" "people" "nobody" "nothing" "team" "who"
    "which" "everyone" "everything" "someone"
};

/// What is asked politely and changes nothing.
const LOOKING: &[&str] = &["see", "note", "find", "look", "check", "read", "compare"];

/// Words that an order has for more than what was read.
const ALL: &[&str] =
    list! { "all" "every" "everything" "everywhere" "each" "other" "others" "rest" "remaining" "whole" "any" };

/// Words that join one thing more to what was asked.
const JOINING: &[&str] = list! {
    "too" "also" "either" "likewise" "ditto" "same" "equally" "similarly" "accordingly" "analogously" "forget" "plus"
};

/// Verbs that begin an order about the library.
const CHANGING: &[&str] = list! {
    "rename" "hide" "unhide" "show" "expose" "move" "remove" "delete" "drop" "make" "set" "give" "take" "revert" "undo"
    "restore" "update" "use" "mark" "swap" "switch" "group" "put" "turn" "replace" "change" "call" "name" "let" "get"
    "convert" "split" "merge" "deprecate" "unexport" "export" "exclude" "adopt" "apply" "align" "shorten" "expand" "fix"
    "add" "document" "flatten" "bring" "treat" "prefix" "relocate" "introduce" "extract" "publish"
};

/// Whether a clause begins with a verb that orders a change.
fn is_order(sentence: &Sentence<'_>, from: usize) -> bool {
    let first = (from..sentence.tokens.len())
        .find(|&at| sentence.is_text(at) && !sentence.is(at, LEADING) && !sentence.is(at, words::POLITE));
    let Some(first) = first else { return false };
    let next = first.saturating_add(1);
    let more = (next..sentence.tokens.len()).filter(|&at| sentence.is_text(at)).count();
    // `Use of X is rare`, `Change: none`, `Set A, set B`: a noun.
    let noun = sentence.is(next, &["of", "is", "are", "was", "has", "in"]) || sentence.is_sign(next, ':');
    sentence.is(first, CHANGING)
        && sentence.mention_at(first).is_none_or(|mention| !mention.strong)
        && sentence.zone(first) == Zone::Main
        && !is_aside(sentence, first)
        && !noun
        && more > 0
}

/// Words in front of an order.
const LEADING: &[&str] = list! {
    "and" "then" "also" "so" "hence" "therefore" "just" "finally" "next" "now" "secondly" "lastly" "could" "can" "would" "you"
    "we" "i" "i'd" "we'd" "want" "like" "to" "let's" "lets" "someone" "somebody" "hi" "hello" "hey" "team" "all"
};

/// `X should …`, `I want X …`, `X has to go`: a wish about a thing.
fn obliges(sentence: &Sentence<'_>, clause: Range<usize>) -> bool {
    let polite = |at: usize| sentence.is(at, words::POLITE) && !sentence.is(at, &["thanks", "thx", "ty"]);
    clause.into_iter().any(|at| {
        sentence.is(at, words::OBLIGING)
            || polite(at)
            || sentence.is(at, &["want", "becomes", "become", "wish", "prefer", "expect"])
            || sentence.is(at, &["would", "'d"]) && sentence.is(at.saturating_add(1), &["like", "love", "prefer", "be"])
            || sentence.is(at, &["has", "have", "is", "are"]) && sentence.is(at.saturating_add(1), &["to"])
            || sentence.is(at, &["not", "nothing", "n't"]) && sentence.is(at.saturating_add(1), &["for"])
            || sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow)
    })
}

/// Whether a clause leaves things as they are, praises them, tells of them, or is about other languages or the wire.
fn is_idle(sentence: &Sentence<'_>, clause: Range<usize>) -> bool {
    let has = |list: &[&str]| sentence.has(clause.clone(), list);
    let at = clause.start;
    // `do not hide B`
    let refused = |at: usize| {
        let not = sentence.is(at, &["don't", "dont", "never"]) || sentence.phrase(at, &["do", "not"]);
        let verb = if sentence.is(at, &["do"]) { at.saturating_add(2) } else { at.saturating_add(1) };
        not && sentence.is(verb, CHANGING)
    };
    has(words::KEEPING)
        || has(words::APPROVING)
        || clause.clone().any(refused)
        || has(words::WIRE)
        || has(words::ELSEWHERE)
        || has(TELLING)
        || sentence.is_about_others(at)
        || clause.clone().any(|at| sentence.zone(at) == Zone::Condition)
}

/// Whether anything in a sentence that orders nothing says that there is nothing to do: `B.c: no change`, `B is clear`.
fn is_settled(sentence: &Sentence<'_>) -> bool {
    let whole = 0..sentence.tokens.len();
    let last = (0..sentence.tokens.len()).rev().find(|&at| sentence.is_text(at));
    is_idle(sentence, whole)
        || sentence.any(SETTLED)
        || last.is_some_and(|at| sentence.is(at, &["no", "not"]))
        || sentence.any(&["no", "not", "without"])
            && sentence.any(&["change", "changes", "objection", "objections", "affected"])
}

/// Words of what needs no change.
const SETTLED: &[&str] = list! {
    "clear" "known" "done" "skip" "skipped" "wording" "objections" "denied" "declined" "rejected" "discussed" "reserved" "confuse"
    "approved" "official" "agreed" "everybody" "everyone" "became" "thank" "thanks" "see" "matter" "unaffected" "excluded"
};

/// Words of what was, and of what somebody does who is not asked.
const TELLING: &[&str] = list! {
    "was" "were" "had" "been" "did" "already" "myself" "ourselves" "me" "i'll" "we'll" "asked" "told" "said" "added"
    "introduced" "checked" "noticed" "found" "saw" "merged" "instead"
};
