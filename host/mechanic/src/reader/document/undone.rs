//! A customization of `client.tsp` that a request wants gone, said in words that give no name and no place: `Revert it`, `stop
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
/// How a sentence speaks of what the client calls a thing.
const CALLING: &[&str] = list! { "name" "alias" "rename" "renamed" "clientname" "@@clientname" "override" };
/// What may stand behind a noun that ends what is said of it.
const BEHIND: &[&str] = list! {
    "of" "for" "to" "in" "on" "from" "again" "please" "and" "we" "that" "which" "here" "now" "too" "then" "there"
};
/// Words with which a sentence waits for something, or speaks of a part of what it names.
const OPEN: &[&str] = list! {
    "if" "when" "once" "until" "unless" "maybe" "perhaps" "why" "or" "except" "but" "nobody" "considered" "could" "might" "would"
    "approval" "refuse" "told" "some" "say" "says" "they"
};

impl Document<'_> {
    /// `Revert it`, `stop renaming X`, `remove that client name`: the specification's own name.
    pub(super) fn undone(&self, sentence: &Sentence<'_>) -> Option<(Ask, Vec<usize>)> {
        let customized = |one: usize| self.is_customized(one);
        let target = self.only_one(sentence, &customized)?;
        let verb = (0..sentence.tokens.len()).find(|&at| {
            ends_a_name(sentence, at)
                || self.reverts_what_is_called(sentence, at, target)
                || stops_renaming(sentence, at)
                || self.says_not_but(sentence, at, target)
        })?;
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
            if sentence.is(at, &["it"]) { Some(at.saturating_add(1)) } else { own.map(|mention| mention.end) }
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

    /// `Revert it`, behind a sentence that speaks of the name that the client has.
    fn reverts_what_is_called(&self, sentence: &Sentence<'_>, at: usize, target: usize) -> bool {
        let next = at.saturating_add(1);
        let alone = sentence.is(next, &["it", "that", "this"]) && !sentence.is_text(next.saturating_add(1));
        let begins = (0..at).all(|before| !sentence.is_text(before) || sentence.is(before, words::POLITE));
        sentence.is(at, &["undo", "revert"])
            && alone
            && begins
            && self.called_so == Some((target, self.sentence.saturating_sub(1)))
    }

    /// `users should see X, not Y`, where the specification says X and the client says Y.
    fn says_not_but(&self, sentence: &Sentence<'_>, at: usize, target: usize) -> bool {
        let entity = self.lookup.entity(target);
        let text = |at: usize| sentence.get(at).map_or("", |token| token.text.as_str());
        let own = |at: usize| same_name(text(at), &entity.name);
        let todays = |at: usize| entity.client.as_ref().is_some_and(|client| same_name(text(at), &client.name));
        let comma = at.saturating_add(1);
        let last = comma.saturating_add(2);
        let alone = !sentence.is_text(last.saturating_add(1));
        let who = (0..sentence.tokens.len())
            .find(|&here| sentence.is_text(here) && !sentence.languages.iter().any(|(place, ..)| *place == here));
        let speaks =
            who.is_some_and(|who| sentence.is(who, &["users", "customers", "people", "callers", "it", "we", "i"]));
        own(at)
            && sentence.is_sign(comma, ',')
            && sentence.is(comma.saturating_add(1), &["not"])
            && todays(last)
            && alone
            && speaks
            && (0..at).any(|here| sentence.is(here, words::OBLIGING) || sentence.is(here, &["want"]))
    }

    /// Takes in what a sentence says of a thing that the client calls otherwise than the specification.
    pub(super) fn hears_what_is_called(&mut self, sentence: &Sentence<'_>) {
        // `… and there is a typo above it`: something else could be meant.
        let several = sentence.any(&["and", "there", "which", "while"]);
        self.called_so = match self.focus.subject.as_slice() {
            [one] if self.is_customized(*one) && sentence.any(CALLING) && !several => Some((*one, self.sentence)),
            _ => None,
        };
    }
}

/// `remove that client name`, `get rid of the alias`
fn ends_a_name(sentence: &Sentence<'_>, at: usize) -> bool {
    let object = (at.saturating_add(1)..at.saturating_add(7)).any(|here| {
        let of_the_client = here.checked_sub(1).is_some_and(|before| {
            sentence.is(before, OF_THE_CLIENT)
                || sentence.lower(before).ends_with("-specific")
                || sentence.lower(before).ends_with("-only")
        });
        ends_there(sentence, here) && (sentence.is(here, CUSTOMIZED) || sentence.is(here, &["name"]) && of_the_client)
    });
    sentence.is(at, ENDING) && !is_a_thing(sentence, at) && object && wished(sentence, at)
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

/// `stop renaming X`
fn stops_renaming(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["stop"])
        && sentence.is(at.saturating_add(1), &["renaming", "aliasing"])
        && !(at..sentence.tokens.len()).any(|here| sentence.is(here, &["to", "into"]))
        && wished(sentence, at)
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
