//! What a request asks that neither an action nor a remark answers: a run that does the rest must not end as a success.
//!
//! Readings are looked for sentence by sentence, and a form that none of them knows is passed over. Here the whole is counted
//! instead: each order, and each thing that stands beside what is done, has to be answered by something.

mod behind;
mod forms;
mod idle;
mod passed_over;

use std::ops::Range;

use bailiwick_sdk::tasks::{EntityKind, Language};

use self::behind::{follows_suit, is_an_order, keeps_the_old, orders_more, wants_a_quality, widens};
use self::forms::{
    goes_on, has_row, is_about_a_set, is_about_spelling, is_meant, misses, misses_a_text, obliges_nothing_known,
};
use self::idle::{is_idle, is_settled};
pub(super) use self::passed_over::passes_over;
use super::clauses::part_end;
use super::document::{Ask, Asked, Findings, Veto, Why, sentence_spans};
use super::lexicon as words;
use super::other_names::gives_others_another_name;
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
    let acts: Vec<&Asked> = found.asked.iter().filter(|one| !matches!(one.ask, Ask::Unsure(_))).collect();
    let place = |behind: bool| match (acts.is_empty(), behind) {
        (true, _) => Place::Alone,
        (false, false) => Place::Before,
        (false, true) => Place::Behind,
    };
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
            // What stands in front of the first action introduces it.
            let behind = acts.iter().any(|one| one.span.start < span.start);
            let beside = |other: &Range<usize>| other.start < span.end && span.start < other.end;
            let here: Vec<&Asked> = found.asked.iter().filter(|one| beside(&one.span)).collect();
            let answered = !acts.is_empty() && found.answered.iter().any(beside);
            let left = match here.len() {
                _ if answered => false,
                // A sentence that makes clients says itself where every operation goes.
                _ if here.iter().any(|one| matches!(one.ask, Ask::Unsure(_) | Ask::Clients(_))) => false,
                0 => answers.leaves_an_order(&sentence, place(behind)),
                _ if here.iter().any(|one| gives_others_another_name(&sentence, one)) => true,
                _ if orders_more(&sentence, &here) || keeps_the_old(&sentence, 0..sentence.tokens.len()) => true,
                count => answers.leaves_a_thing(&sentence, count),
            };
            if left {
                open.push(span);
            }
        }
    }
    open
}

/// Where a sentence stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In a request without an action.
    Alone,
    /// In front of the first action.
    Before,
    Behind,
}

struct Answers<'a> {
    found: &'a Findings,
    lookup: &'a Lookup<'a>,
}

impl Answers<'_> {
    /// `rename A.x to y, the same goes for B`: beside what was read of a sentence it names something that nothing was said of.
    fn leaves_a_thing(&self, sentence: &Sentence<'_>, count: usize) -> bool {
        sentence.mentions.iter().any(|mention| self.is_left(sentence, mention) || self.follows(sentence, mention))
            || count == 1 && (sentence.any(&["accordingly", "analogously", "correspondingly"]) || goes_on(sentence))
    }

    /// `B must not be public either`: a sentence of which nothing was read, and which orders something or names one thing more.
    fn leaves_an_order(&self, sentence: &Sentence<'_>, place: Place) -> bool {
        let mut from = 0;
        while from < sentence.tokens.len() {
            let end = part_end(sentence, from);
            if self.is_open(sentence, from..end, place) {
                return true;
            }
            from = end;
        }
        false
    }

    fn is_open(&self, sentence: &Sentence<'_>, part: Range<usize>, place: Place) -> bool {
        let idle = is_idle(sentence, part.clone());
        let polite = |at: usize| asks_politely(sentence, at) && !sentence.is(at.saturating_add(1), LOOKING);
        let asked = (0..sentence.tokens.len()).any(polite);
        let wished = (obliges(sentence, part.clone()) || asked) && !sentence.is_turned();
        let here = |mention: &&Mention| part.contains(&mention.at);
        let left = sentence.mentions.iter().filter(here).any(|mention| self.is_left(sentence, mention));
        let order = is_order(sentence, part.start);
        if place == Place::Alone {
            return order || left && wished && !idle || follows_suit(sentence);
        }
        let behind = place == Place::Behind
            && (misses_a_text(sentence, &part)
                || is_an_order(sentence, &part)
                || wants_a_quality(sentence, &part)
                || widens(sentence, &part));
        if behind || keeps_the_old(sentence, part.clone()) {
            return true;
        }
        let joins = sentence.has(part.clone(), JOINING);
        // `please make sure`, `please apply what is marked`
        let known =
            part.clone().any(|at| sentence.is(at, &["it", "this", "that", "these", "them", "sure", "what", "all"]));
        let more = joins || asked && !known || sentence.has(part.clone(), ALL);
        let named =
            left && (wished || joins || order || has_row(sentence, &part) || !is_settled(sentence, part.clone()));
        let plain = place == Place::Behind && self.asks_plainly(sentence, part.clone());
        !idle && (order && more || named || obliges_nothing_known(sentence, part) || plain)
    }

    /// A part behind an action that asks for something without a name that is certainly one.
    fn asks_plainly(&self, sentence: &Sentence<'_>, part: Range<usize>) -> bool {
        let plain = |mention: &&Mention| part.contains(&mention.at) && !mention.strong;
        let named = sentence
            .mentions
            .iter()
            .filter(plain)
            .any(|mention| is_meant(sentence, mention, &part) && !self.is_answered_or_new(sentence, mention));
        let unnamed = !sentence.mentions.iter().any(|mention| mention.strong);
        named || unnamed && (self.asks_for_a_set(sentence, part.clone()) || misses(sentence, part))
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
        let unheard = |veto: &Veto| matches!(veto.why, Why::Unheard(_)) && mention.candidates.contains(&veto.target);
        let named = mention.strong || self.found.vetoes.iter().any(unheard);
        if !named || aside || !main || sentence.qualifies(mention) {
            return false;
        }
        let alone = sentence.mentions.iter().filter(|other| other.strong).count() == 1;
        let clause = sentence.clause_start(mention.at)..part_end(sentence, mention.at);
        if is_idle(sentence, clause) || alone && sentence.any(words::KEEPING) {
            return false;
        }
        !self.is_answered_or_new(sentence, mention)
    }

    /// `and result too`, behind what was read of the sentence.
    fn follows(&self, sentence: &Sentence<'_>, mention: &Mention) -> bool {
        let next = mention.end;
        let joined = sentence.is(next, &["too", "likewise"]) || sentence.phrase(next, &["as", "well"]);
        joined && !self.is_answered_or_new(sentence, mention)
    }

    /// Whether a name is one that is given, or one of things that something was said of.
    fn is_answered_or_new(&self, sentence: &Sentence<'_>, mention: &Mention) -> bool {
        // Another thing may be called what this one is called from now on.
        let given = |ask: &Ask| {
            let text = sentence.get(mention.at).map_or("", |token| token.text.as_str());
            matches!(ask, Ask::Rename { name, .. } if same_name(name, text))
        };
        if self.found.asked.iter().any(|asked| given(&asked.ask)) {
            return true;
        }
        let meant: Vec<usize> = match sentence.settle(mention, &Focus::default()) {
            Ok(one) => vec![one],
            Err(several) => several,
        };
        meant.iter().any(|&one| self.is_answered(one))
    }

    /// A rule about spelling beside a new name is its reason.
    fn asks_for_a_set(&self, sentence: &Sentence<'_>, part: Range<usize>) -> bool {
        let renames = self.found.asked.iter().any(|one| matches!(one.ask, Ask::Rename { .. }));
        let wished = obliges(sentence, part.clone()) || sentence.has(part.clone(), &["love", "like", "want"]);
        let asked = part.clone().any(|at| asks_politely(sentence, at))
            || sentence.has(part.clone(), JOINING)
            || wished && sentence.has(part.clone(), ALL);
        is_about_a_set(sentence, &part) || is_about_spelling(sentence, &part) && (!renames || asked)
    }

    fn is_answered(&self, one: usize) -> bool {
        let near = |other: usize| other == one || self.lookup.holds(one, other) || self.lookup.holds(other, one);
        let entity = self.lookup.entity(one);
        let kept = self.found.vetoes.iter().any(|veto| veto.why == Why::Kept && near(veto.target));
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
    // `(B too)`, `(and B)`
    let clause = sentence.clause_start(at)..sentence.clause_end(at);
    let joined = sentence.is(clause.start, &["and"]) || sentence.has(clause, JOINING);
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

/// `please`, and not `thanks`.
fn asks_politely(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, words::POLITE) && !sentence.is(at, &["thanks", "thx", "ty"])
}

/// `X should …`, `I want X …`, `X has to go`: a wish about a thing.
fn obliges(sentence: &Sentence<'_>, clause: Range<usize>) -> bool {
    // `customers need it`: how it is used.
    let used = |at: usize| {
        sentence.is(at, &["need", "needs"])
            && (at.saturating_sub(2)..at).any(|before| sentence.is(before, &["they", "customers", "users", "people"]))
    };
    clause.into_iter().any(|at| {
        sentence.is(at, words::OBLIGING) && !used(at)
            || asks_politely(sentence, at)
            || sentence.is(at, &["want", "becomes", "become", "wish", "prefer", "expect"])
            || sentence.is(at, &["would", "'d"]) && sentence.is(at.saturating_add(1), &["like", "love", "prefer", "be"])
            || sentence.is(at, &["has", "have", "is", "are"]) && sentence.is(at.saturating_add(1), &["to"])
            || sentence.is(at, &["not", "nothing", "n't"]) && sentence.is(at.saturating_add(1), &["for"])
            || sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow)
    })
}
