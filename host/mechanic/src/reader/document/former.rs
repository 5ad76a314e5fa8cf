//! Names that things had before a change that the request tells of, and the wish to have them again.

use std::ops::Range;

use super::super::lexicon as words;
use super::super::names::is_shaped;
use super::super::rename::is_statement;
use super::super::sentence::{Sentence, same_name};
use super::super::token::Token;
use super::{Ask, Closed, Document, Doubt, doubt};

/// A name that a thing had.
#[derive(Debug, Clone)]
pub(super) struct Former {
    target: usize,
    name: String,
    /// The sentence that tells of it, by its place and by its number.
    told: Range<usize>,
    sentence: usize,
}

/// Verbs by which a thing gets a name that it had.
const RESTORING: &[&str] = &["restore", "reinstate", "preserve", "recover"];
/// What the name is called that a thing had.
const EARLIER: &[&str] = list! {
    "old" "original" "previous" "former" "legacy" "earlier" "prior" "shipped" "released" "ga" "published"
};
/// What may stand between the verb and the name, and behind it.
const BETWEEN: &[&str] = list! {
    "the" "their" "its" "both" "all" "two" "three" "four" "five" "back" "client" "class" "model" "enum" "type" "property" "operation" "method"
};
const BEHIND: &[&str] = list! { "with" "via" "by" "using" "for" "in" "again" "back" "please" "there" };
/// Words by which the sentence speaks of something else, of some of the names alone, or only thinks of it.
const OTHERWISE: &[&str] = list! {
    "why" "avoid" "refuse" "stop" "mistake" "sense" "pointless" "considered" "consider" "possible" "wire" "file" "folder" "branch"
    "samples" "docs" "changelog" "readme" "one" "first" "second" "latter" "except" "only" "if" "once" "when" "later" "maybe"
};

impl Document<'_> {
    /// Takes in `X was Y`, `the former name of X, Y`, `Renamed model Y to X`, `changed from Y to X`.
    pub(super) fn former_names(&mut self, sentence: &Sentence<'_>, span: &Range<usize>) {
        // `Accepted, no mitigation needed`, above what is told.
        if self.closed != Closed::Nothing {
            return;
        }
        let mut found = self.renamed_to(sentence);
        if found.is_empty() {
            found.extend(self.called_before(sentence));
        }
        let number = self.sentence;
        self.former.extend(found.into_iter().map(|(target, name)| Former {
            target,
            name,
            told: span.clone(),
            sentence: number,
        }));
    }

    /// `X was Y`, `X used to be called Y`, `the former name of X, Y`
    fn called_before(&self, sentence: &Sentence<'_>) -> Option<(usize, String)> {
        let name = |at: usize| {
            let token = sentence.get(at).filter(|token| is_shaped(token) && token.looks_like_name())?;
            let next = at.saturating_add(1);
            let ends = !sentence.is_text(next)
                || sentence
                    .is(next, &["there", "before", "in", "earlier", "previously", "until", "then", "and", "but"]);
            ends.then(|| last_part(&token.text))
        };
        sentence.mentions.iter().filter(|mention| mention.strong).find_map(|mention| {
            let mut at = mention.end;
            let of = (0..mention.at).any(|here| {
                sentence.is(here, &["former", "old", "previous"]) && sentence.is(here.saturating_add(1), &["name"])
            });
            if sentence.phrase(at, &["used", "to", "be"]) {
                at = at.saturating_add(3);
            } else if sentence.is(at, &["was"]) || of && (sentence.is(at, &["is"]) || !sentence.is_text(at)) {
                at = at.saturating_add(1);
            } else {
                return None;
            }
            if sentence.is(at, &["called", "named", "spelled"]) {
                at = at.saturating_add(1);
            }
            Some((sentence.settle(mention, &self.focus).ok()?, name(at)?))
        })
    }

    /// `Renamed Y to X`, `has been changed from Y to X`, where X is there and Y is not.
    fn renamed_to(&self, sentence: &Sentence<'_>) -> Vec<(usize, String)> {
        let tells = (0..sentence.tokens.len()).any(|at| {
            sentence.is(at, &["renamed", "changed", "replaced"]) && is_statement(sentence, at) && !sentence.negated(at)
        });
        // Other types in one place: nothing has another name.
        let exchanged = sentence.any(&["return", "base", "parameter", "parameters", "argument", "arguments"]);
        if !tells || exchanged {
            return Vec::new();
        }
        let of_types = sentence.any(&["type", "enum", "model", "struct", "class", "interface", "union"]);
        let pair = |to: usize| {
            let (old, new) = (sentence.get(to.checked_sub(1)?)?, to.saturating_add(1));
            let is_new = |at: usize| sentence.mention_at(at).filter(|mention| mention.strong);
            let names = sentence.is(to, &["to", "by"]) && old.looks_like_name() && is_shaped(old);
            let target = match sentence.settle(is_new(new).filter(|_| names)?, &self.focus) {
                Ok(one) => one,
                // `Type of x changed from A to B`
                Err(several) if of_types => {
                    let mut types = several.into_iter().filter(|&one| self.lookup.entity(one).kind.is_type());
                    types.next().filter(|_| types.next().is_none())?
                }
                Err(_) => return None,
            };
            let name = last_part(&old.text);
            let is_there = self.lookup.find(&name).iter().any(|&one| one != target);
            let entity = self.lookup.entity(target);
            (!is_there && !same_name(&name, &entity.name)).then_some((target, name))
        };
        (0..sentence.tokens.len()).filter_map(pair).collect()
    }

    /// Whether a verb orders something of this language and nothing of the sentence speaks of anything else.
    fn orders_here(&self, sentence: &Sentence<'_>, verb: usize) -> bool {
        let before = verb.checked_sub(1);
        let decorated =
            || sentence.tokens.iter().take(verb).any(|token| token.lower.trim_start_matches('@') == "clientname");
        let ordered = sentence.clause_start(verb) == verb
            || before.is_some_and(|at| {
                sentence.is(at, words::POLITE) || sentence.is(at, &["to"]) && decorated() || !sentence.is_text(at)
            });
        let here = sentence.languages.iter().all(|(at, language, _)| {
            let led = at.checked_sub(1).is_some_and(|before| sentence.is(before, &["for", "in"]));
            *language == self.language && (led || *at < verb)
        });
        ordered
            && here
            && !sentence.negated(verb)
            && !sentence.any(OTHERWISE)
            && !sentence.tokens.iter().any(|token| token.is_sign('?'))
            && !is_statement(sentence, verb)
    }

    /// `Restore the name A on W, now B`: A is what B had, or shall have.
    fn restored_from_now(&self, sentence: &Sentence<'_>) -> Option<Ask> {
        let count = sentence.tokens.len();
        let verb =
            (0..count).find(|&at| sentence.is(at, &["restore", "reinstate"]) && self.orders_here(sentence, at))?;
        let now = (verb..count).find(|&at| {
            sentence.is(at, &["now", "currently", "today"]) && sentence.mention_at(at.saturating_add(1)).is_some()
        })?;
        let mention = sentence.mention_at(now.saturating_add(1)).filter(|mention| mention.strong)?;
        let target = sentence.settle(mention, &self.focus).ok()?;
        let free = |at: &usize| {
            let name = |token: &Token| is_shaped(token) && token.looks_like_name() && token.quoted;
            let named = at.checked_sub(1).is_some_and(|before| sentence.is(before, &["name"]));
            named && sentence.mention_at(*at).is_none() && sentence.get(*at).is_some_and(name)
        };
        let name = (verb..now).find(free).and_then(|at| sentence.get(at)).map(|token| last_part(&token.text))?;
        (self.lookup.find(&name).is_empty() && doubt(sentence).is_none()).then_some(Ask::Rename { target, name })
    }

    /// Whether a wish for the names of before speaks of several; `None` where there is no such wish.
    fn restoring(&self, sentence: &Sentence<'_>) -> Option<bool> {
        let count = sentence.tokens.len();
        let ends = |at: usize| {
            let next = at.saturating_add(1);
            let led = !sentence.is(at, &["for", "in"])
                || sentence.languages.iter().any(|(place, ..)| *place == next)
                || sentence.is(next, &["client.tsp"]);
            !sentence.is_text(at) || sentence.is(at, BEHIND) && led
        };
        // `the two old names`
        let names = |from: usize, earlier: bool| {
            let end = (from..count).find(|&at| !sentence.is(at, BETWEEN) && !sentence.is(at, EARLIER))?;
            let said = !earlier || (from..end).any(|at| sentence.is(at, EARLIER));
            let several = sentence.is(end, &["names"]);
            let of = sentence.is(end.saturating_add(1), &["of"])
                && sentence.mention_at(end.saturating_add(2)).is_some_and(|mention| mention.strong);
            let named = several || sentence.is(end, &["name"]);
            (said && named && (of || ends(end.saturating_add(1)))).then_some(several)
        };
        // Directly behind what is told.
        let follows = self.former.iter().any(|one| one.sentence.saturating_add(1) == self.sentence);
        (0..count).filter(|&at| self.orders_here(sentence, at)).find_map(|at| {
            let next = at.saturating_add(1);
            let pronoun = |at: usize| sentence.is(at, &["it", "them", "these", "both"]);
            let several = sentence.is(next, &["them", "these", "both"]);
            if sentence.is(at, &["restore", "reinstate"]) && pronoun(next) && ends(next.saturating_add(1)) {
                return Some(several).filter(|_| follows);
            }
            if sentence.is(at, &["bring", "get", "rename"])
                && pronoun(next)
                && sentence.is(next.saturating_add(1), &["back"])
                && ends(next.saturating_add(2))
            {
                return Some(several).filter(|_| follows);
            }
            if sentence.phrase(at, &["rename", "back"]) {
                return names(next.saturating_add(1), false);
            }
            names(next, true).filter(|_| sentence.is(at, RESTORING))
        })
    }

    /// `make sure that the op name is the same as in the legacy SDK: X was Y there`
    fn same_as_before(&self, sentence: &Sentence<'_>) -> bool {
        let first = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at) && !sentence.is(at, words::POLITE));
        (0..sentence.tokens.len()).any(|at| {
            let next = at.saturating_add(1);
            let name = (at.saturating_sub(4)..at).find(|&here| sentence.is(here, &["name", "names"]));
            let of_it = name.is_some_and(|name| {
                name.checked_sub(1).is_some_and(|of| !sentence.is(of, &["package", "wire", "file", "module"]))
            });
            let earlier = (next..next.saturating_add(5)).any(|here| sentence.is(here, EARLIER));
            sentence.is(at, &["same"]) && sentence.is(next, &["as", "with"]) && of_it && earlier
        }) && first
            .is_some_and(|at| sentence.is(at, &["add", "make", "ensure", "use"]) && self.orders_here(sentence, at))
    }

    /// `Restore the old name`, `bring it back`, `Use clientName to restore the original names.`
    pub(super) fn restored(&mut self, sentence: &Sentence<'_>) -> Option<Vec<Ask>> {
        if sentence.is_turned() {
            return None;
        }
        if let Some(restored) = self.restored_from_now(sentence) {
            return Some(vec![restored]);
        }
        if self.former.is_empty() {
            return None;
        }
        let several = match self.restoring(sentence) {
            Some(several) => several,
            None if self.same_as_before(sentence) => true,
            None => return None,
        };
        // What the sentence itself names is what it is about.
        let spelled =
            |at: usize| sentence.get(at).is_some_and(|token| token.looks_like_name() && !token.text.starts_with('@'));
        let named: Vec<_> = sentence.mentions.iter().filter(|mention| mention.strong && spelled(mention.at)).collect();
        let is_named = |one: &&Former| named.iter().any(|mention| mention.candidates.contains(&one.target));
        let former: Vec<Former> = match named.as_slice() {
            [] => self.former.clone(),
            _ => self.former.iter().filter(is_named).cloned().collect(),
        };
        let known = |target: usize| former.iter().any(|one| one.target == target);
        if !named.iter().all(|mention| mention.candidates.iter().any(|&one| known(one))) {
            return None;
        }
        let twice = former
            .iter()
            .any(|one| former.iter().any(|other| other.target == one.target && !same_name(&other.name, &one.name)));
        if former.len() > 1 && !several || twice {
            return Some(vec![Ask::Unsure(Doubt::Unclear)]);
        }
        // The sentences that tell of the change are answered with it.
        let told = |span: &Range<usize>| former.iter().any(|one| one.told == *span);
        if self.hunks.is_empty() {
            self.found.asked.retain(|asked| asked.ask.target().is_some() || !told(&asked.span));
            self.last = 0..0;
        }
        Some(former.into_iter().map(|one| Ask::Rename { target: one.target, name: one.name }).collect())
    }
}

fn last_part(text: &str) -> String {
    text.trim_start_matches('*').rsplit(['.', '#']).next().unwrap_or(text).to_owned()
}
