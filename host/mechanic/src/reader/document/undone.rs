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
    "drop" "dropping" "remove" "removing" "undo" "undoing" "revert" "reverting" "delete" "deleting" "discard" "retire" "kill"
    "lose" "scrap" "abandon" "lift" "rid" "reverse" "reset"
};
/// Verbs that undo whatever they are said of.
const UNDOING: &[&str] = list! { "undo" "undoing" "revert" "reverting" "reverse" };
/// A name that only the client has.
const CUSTOMIZED: &[&str] = list! {
    "rename" "renaming" "renames" "clientname" "@clientname" "@@clientname" "alias" "override"
};
/// What makes a name one of the client.
const OF_THE_CLIENT: &[&str] = list! { "client" "custom" "special" "customized" "different" "separate" "extra" };
/// What a client calls a thing, in a sentence that goes before.
const CALLING: &[&str] = list! {
    "name" "named" "names" "called" "calls" "alias" "rename" "renamed" "clientname" "@@clientname" "override"
};
/// Words that say of a place that it was left.
const EARLIER: &[&str] = &["back", "again"];
/// Words with which a sentence waits for something, or speaks of a part of what it names.
const OPEN: &[&str] = list! {
    "if" "when" "once" "until" "unless" "maybe" "perhaps" "why" "or" "except" "but" "nobody" "considered" "could" "might"
};

impl Document<'_> {
    /// `Revert it`, `stop renaming X`, `X can go`, where X is an alias: the specification's own name.
    pub(super) fn undone(&self, sentence: &Sentence<'_>) -> Option<(Ask, Vec<usize>)> {
        let customized = |one: usize| self.is_customized(one);
        let target = self.only_one(sentence, &customized)?;
        let verb = (0..sentence.tokens.len()).find(|&at| {
            self.ends_a_name(sentence, at)
                || self.reverts_what_is_called(sentence, at, target)
                || stops_renaming(sentence, at)
                || self.says_not_but(sentence, at, target)
        })?;
        let name = self.lookup.entity(target).name.clone();
        (!is_open(sentence, verb)).then(|| (Ask::Rename { target, name }, vec![verb]))
    }

    /// `Put it back where it came from`, `It should be on X again`, where the specification has it in X.
    pub(super) fn brought_back(&self, sentence: &Sentence<'_>) -> Option<(Ask, Vec<usize>)> {
        let moved = |one: usize| self.lookup.is_relocated(one);
        let target = self.only_one(sentence, &moved)?;
        let place = self.lookup.entity(target).container.clone()?;
        let verb = (0..sentence.tokens.len()).find(|&at| {
            let puts = sentence.is(at, &["put", "move", "bring", "return", "take"]) && wished(sentence, at);
            let shall = sentence.is(at, words::OBLIGING)
                && sentence.is(at.saturating_add(1), &["be", "live", "sit", "go", "return"]);
            let origin = (at..sentence.tokens.len()).any(|here| {
                sentence.phrase(here, &["where", "it", "came"])
                    || sentence.phrase(here, &["where", "it", "was"])
                    || sentence.phrase(here, &["where", "it", "belongs"])
                    || sentence.phrase(here, &["where", "the", "spec"])
                    || sentence.phrase(here, &["where", "the", "specification"])
            });
            (puts && sentence.has(at..sentence.tokens.len(), EARLIER)
                || shall && sentence.has(at..sentence.tokens.len(), EARLIER))
                && origin
        })?;
        (!is_open(sentence, verb)).then(|| (Ask::Move { target, to: place }, vec![verb]))
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

    /// `remove that client name`, `get rid of the alias`
    fn ends_a_name(&self, sentence: &Sentence<'_>, at: usize) -> bool {
        let behind = at..at.saturating_add(7);
        let named = behind.clone().any(|here| {
            let of_the_client = here.checked_sub(1).is_some_and(|before| {
                sentence.is(before, OF_THE_CLIENT)
                    || sentence.lower(before).ends_with("-specific")
                    || sentence.lower(before).ends_with("-only")
            });
            sentence.is(here, CUSTOMIZED) || sentence.is(here, &["name"]) && of_the_client
        });
        sentence.is(at, ENDING) && named && wished(sentence, at)
    }

    /// `Revert it`, behind a sentence that speaks of what the client calls it.
    fn reverts_what_is_called(&self, sentence: &Sentence<'_>, at: usize, target: usize) -> bool {
        let pronoun = sentence.is(at.saturating_add(1), &["it", "that", "this"])
            || sentence.phrase(at.saturating_add(1), &["of", "it"])
            || sentence.phrase(at.saturating_add(1), &["of", "that"]);
        let ends = sentence.is(at, UNDOING) || sentence.phrase(at.saturating_sub(1), &["get", "rid"]);
        let verb = if sentence.is(at, &["rid"]) { at.saturating_sub(1) } else { at };
        ends && pronoun && self.called_so == Some(target) && wished(sentence, verb)
    }

    /// `users should see X, not Y`, where the specification says X and the client says Y.
    fn says_not_but(&self, sentence: &Sentence<'_>, at: usize, target: usize) -> bool {
        let entity = self.lookup.entity(target);
        let text = |at: usize| sentence.get(at).map_or("", |token| token.text.as_str());
        let own = |at: usize| same_name(text(at), &entity.name);
        let todays = |at: usize| entity.client.as_ref().is_some_and(|client| same_name(text(at), &client.name));
        let behind = at.saturating_add(1);
        let comma = sentence.is_sign(behind, ',');
        let not = behind.saturating_add(usize::from(comma));
        own(at)
            && comma
            && sentence.is(not, &["not"])
            && todays(not.saturating_add(1))
            && (0..at).any(|here| sentence.is(here, words::OBLIGING) || sentence.is(here, &["want", "expect"]))
    }

    /// Takes in what a sentence says of a thing that the client calls otherwise than the specification.
    pub(super) fn hears_what_is_called(&mut self, sentence: &Sentence<'_>) {
        if let [one] = self.focus.subject.as_slice() {
            if self.is_customized(*one) && sentence.any(CALLING) {
                self.called_so = Some(*one);
            } else if !sentence.mentions.is_empty() && self.called_so != Some(*one) {
                self.called_so = None;
            }
        }
    }
}

/// `stop renaming X`
fn stops_renaming(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["stop"]) && sentence.is(at.saturating_add(1), &["renaming", "aliasing"]) && wished(sentence, at)
}

/// Whether a verb is said as a wish: in front of its clause, behind `please`, `should`, `I ask for` or `let's`.
fn wished(sentence: &Sentence<'_>, at: usize) -> bool {
    let start = sentence.clause_start(at);
    let led = at.checked_sub(1).is_some_and(|before| {
        sentence.is(before, words::POLITE)
            || sentence.is(before, words::OBLIGING)
            || sentence.is(before, &["let's", "lets", "request", "propose", "recommend", "so", "and"])
            || sentence.phrase(before.saturating_sub(1), &["ask", "to"])
            || sentence.phrase(before.saturating_sub(1), &["like", "to"])
    });
    (start == at || led) && !sentence.negated(at) && !is_statement(sentence, at)
}

fn is_open(sentence: &Sentence<'_>, verb: usize) -> bool {
    sentence.negated(verb) || sentence.any(OPEN) || sentence.tokens.iter().any(|token| token.is_sign('?'))
}
