//! Requests that take a customization of `client.tsp` back and give neither a name nor a place: `remove that client name`, `stop
//! renaming X`, `Put it back where it came from`.
//!
//! Only what `client.tsp` customizes in this language is meant, and only where the sentence speaks of nothing else.

use super::super::lexicon as words;
use super::super::rename::is_statement;
use super::super::sentence::{Sentence, same_name};
use super::{Ask, Document};

/// Verbs that end something.
const ENDING: &[&str] = list! {
    "drop" "remove" "removing" "undo" "revert" "delete" "discard" "retire" "kill" "lose" "scrap" "abandon" "lift" "rid" "reverse"
    "reset"
};
/// A name that only the client has.
const CUSTOMIZED: &[&str] = list! {
    "rename" "renaming" "clientname" "@clientname" "@@clientname" "alias" "override"
};
/// What makes a name one of the client.
const OF_THE_CLIENT: &[&str] = list! { "client" "custom" "special" "customized" "different" "separate" "extra" };
/// What may stand behind a noun that ends what is said of it.
const BEHIND: &[&str] = list! {
    "of" "for" "to" "in" "on" "from" "again" "please" "and" "we" "that" "which" "here" "now" "too" "then" "there" "line" "lines"
    "annotation" "entry" "decorator" "rule" "customization" "customisation" "directive"
};
/// Words with which a sentence waits for something, or speaks of a part of what it names.
const OPEN: &[&str] = list! {
    "if" "when" "once" "until" "unless" "maybe" "perhaps" "why" "or" "except" "but" "nobody" "considered" "could" "might" "would"
    "approval" "refuse" "told" "some" "say" "says" "they"
};

impl Document<'_> {
    /// `stop renaming X`, `remove that client name`: the specification's own name.
    pub(super) fn undone(&self, sentence: &Sentence<'_>) -> Option<(Ask, Vec<usize>)> {
        let customized = |one: usize| self.is_customized(one);
        let target = self.only_one(sentence, &customized)?;
        let verb = (0..sentence.tokens.len())
            .find(|&at| self.ends_a_name(sentence, at, target) || self.stops_renaming(sentence, at, target))?;
        let name = self.lookup.entity(target).name.clone();
        (!is_open(sentence, verb)).then(|| (Ask::Rename { target, name }, vec![verb]))
    }

    /// `Put it back where it came from`, `X should be on Y again, where the spec has it`.
    pub(super) fn brought_back(&self, sentence: &Sentence<'_>) -> Option<(Ask, Vec<usize>)> {
        let moved = |one: usize| self.lookup.is_relocated(one);
        let target = self.only_one(sentence, &moved)?;
        let place = self.lookup.entity(target).container.clone()?;
        // `it`, or the operation itself.
        let object = |at: usize| {
            let own = sentence.mentions.iter().find(|mention| mention.at == at && mention.candidates.contains(&target));
            // `The breakpoint in X: put it back`
            let it = sentence.is(at, &["it"])
                && sentence.mentions.iter().all(|mention| !mention.candidates.contains(&target));
            if it { Some(at.saturating_add(1)) } else { own.map(|mention| mention.end) }
        };
        let verb = (0..sentence.tokens.len()).find(|&at| {
            let puts = sentence.is(at, &["put", "move", "bring", "return", "take"]) && wished(sentence, at);
            let behind = object(at.saturating_add(1)).filter(|_| puts);
            let returned = behind
                .is_some_and(|behind| sentence.is(behind, &["back"]) && is_origin(sentence, behind.saturating_add(1)));
            returned || object(at).is_some_and(|modal| self.shall_lie_there_again(sentence, modal, &place))
        })?;
        (!is_open(sentence, verb)).then(|| (Ask::Move { target, to: place }, vec![verb]))
    }

    /// `should be on Y again, where the spec has it`
    fn shall_lie_there_again(&self, sentence: &Sentence<'_>, modal: usize, place: &str) -> bool {
        let be = modal.saturating_add(1);
        let on = be.saturating_add(1);
        if !sentence.is(modal, words::OBLIGING) || !sentence.is(be, &["be", "live", "sit", "go"]) {
            return false;
        }
        let there = sentence.mentions.iter().find(|mention| {
            mention.at > on
                && mention.at <= on.saturating_add(2)
                && mention.candidates.iter().any(|&one| self.lookup.entity(one).reference == place)
        });
        // `on the main client`, where the specification has it outside of every group.
        let root = self.lookup.by_reference(place).is_some_and(|one| Some(one) == self.root);
        let main = sentence.phrase(on, &["on", "the", "main", "client"])
            || sentence.phrase(on, &["on", "the", "root", "client"]);
        let again = match there {
            None if root && main => on.saturating_add(4),
            Some(mention) if sentence.is(on, &["on", "in", "under"]) => mention.end,
            Some(_) => return false,
            None => on,
        };
        sentence.is(again, &["again", "back"]) && is_origin(sentence, again.saturating_add(1))
    }

    /// The one thing of this kind that a sentence names, or that the sentences before are about where it names none.
    fn only_one(&self, sentence: &Sentence<'_>, is: &dyn Fn(usize) -> bool) -> Option<usize> {
        let (mut named, mut others): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for mention in sentence.mentions.iter().filter(|mention| mention.strong) {
            let all = mention.candidates.iter().copied();
            match all.clone().filter(|&one| is(one)).collect::<Vec<_>>().as_slice() {
                [one] => named.push(*one),
                [] => others.extend(all),
                _ => return None,
            }
        }
        named.sort_unstable();
        named.dedup();
        let free = sentence.tokens.iter().enumerate().any(|(at, token)| {
            token.is_text() && (token.quoted || token.looks_like_name()) && sentence.mention_at(at).is_none()
        });
        let here = sentence.languages.iter().all(|(_, language, _)| *language == self.language);
        let one = match (named.as_slice(), self.focus.subject.as_slice()) {
            ([one], _) => *one,
            ([], [one]) => *one,
            _ => return None,
        };
        // What holds it may be named beside it.
        let beside = others.iter().all(|&other| self.lookup.holds(other, one));
        (is(one) && here && !free && beside).then_some(one)
    }

    /// `remove that client name`, `get rid of the alias of X`
    fn ends_a_name(&self, sentence: &Sentence<'_>, at: usize, target: usize) -> bool {
        let noun = (at.saturating_add(1)..at.saturating_add(7)).find(|&here| {
            let of_the_client = here.checked_sub(1).is_some_and(|before| {
                sentence.is(before, OF_THE_CLIENT)
                    || sentence.lower(before).ends_with("-specific")
                    || sentence.lower(before).ends_with("-only")
            });
            sentence.is(here, CUSTOMIZED) || sentence.is(here, &["name"]) && of_the_client
        });
        sentence.is(at, ENDING)
            && !is_a_thing(sentence, at)
            && wished(sentence, at)
            && noun.is_some_and(|noun| self.is_all_of(sentence, noun.saturating_add(1), target))
    }

    /// `stop renaming X`, where nothing speaks for the name of the client.
    fn stops_renaming(&self, sentence: &Sentence<'_>, at: usize, target: usize) -> bool {
        let todays = self.lookup.entity(target).client.as_ref().map_or("", |client| client.name.as_str());
        let named = self.text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| same_name(word, todays));
        sentence.is(at, &["stop"])
            && sentence.is(at.saturating_add(1), &["renaming", "aliasing"])
            && !named
            && wished(sentence, at)
            && self.is_all_of(sentence, at.saturating_add(2), target)
    }

    /// Whether the rest of a sentence is a thing, for whom, and courtesy.
    fn is_all_of(&self, sentence: &Sentence<'_>, from: usize, target: usize) -> bool {
        (from..sentence.tokens.len()).all(|at| {
            let itself = sentence.mention_at(at).is_some_and(|mention| mention.candidates.contains(&target));
            itself
                || !sentence.is_text(at)
                || sentence.is(at, words::POLITE)
                || sentence.is(at, &["of", "for", "on", "in", "from", "the", "client", "sdk", "again", "now"])
                || sentence.languages.iter().any(|(place, ..)| *place == at)
                || words::kinds_of(sentence.lower(at)).is_some()
        })
    }
}

/// Whether a noun ends what is named, unlike in `the rename detection`.
pub(super) fn ends_there(sentence: &Sentence<'_>, at: usize) -> bool {
    let next = at.saturating_add(1);
    !sentence.is_text(next) || sentence.is(next, BEHIND) || sentence.mention_at(next).is_some()
}

/// `drop has an alias`, `drop: …`: an operation of that name, and no verb.
pub(super) fn is_a_thing(sentence: &Sentence<'_>, at: usize) -> bool {
    let next = at.saturating_add(1);
    sentence.is(next, &["has", "is", "was", "carries", "got", "stays", "needs"])
        || sentence.is(next, words::MODALS)
        || [':', '(', ','].iter().any(|sign| sentence.is_sign(next, *sign))
}

/// `where it came from`, and nothing behind it.
fn is_origin(sentence: &Sentence<'_>, at: usize) -> bool {
    let from = at.saturating_add(usize::from(sentence.is(at, &["to"]) || sentence.is_sign(at, ',')));
    let length = if sentence.phrase(from, &["where", "it", "came"]) {
        3_usize.saturating_add(usize::from(sentence.is(from.saturating_add(3), &["from"])))
    } else if sentence.phrase(from, &["where", "it"]) && sentence.is(from.saturating_add(2), &["was", "belongs", "is"])
    {
        3
    } else if sentence.phrase(from, &["where", "the"])
        && sentence.is(from.saturating_add(2), &["spec", "specification"])
        && sentence.phrase(from.saturating_add(3), &["has", "it"])
    {
        5
    } else {
        return false;
    };
    (from.saturating_add(length)..sentence.tokens.len())
        .all(|here| !sentence.is_text(here) || sentence.is(here, words::POLITE))
}

/// Whether a verb is said as a wish: in front of its sentence, behind `please`, `I ask to` or `let's`.
fn wished(sentence: &Sentence<'_>, at: usize) -> bool {
    let start = sentence.clause_start(at);
    let led = at.checked_sub(1).is_some_and(|before| {
        sentence.is(before, words::POLITE)
            || sentence.is(before, &["let's", "lets", "request", "propose", "get"])
            || sentence.phrase(before.saturating_sub(2), &["i", "ask", "to"])
            || sentence.phrase(before.saturating_sub(2), &["like", "you", "to"])
    });
    (start == at || led) && !sentence.negated(at) && !is_statement(sentence, at)
}

fn is_open(sentence: &Sentence<'_>, verb: usize) -> bool {
    sentence.negated(verb) || sentence.any(OPEN) || sentence.tokens.iter().any(|token| token.is_sign('?'))
}
