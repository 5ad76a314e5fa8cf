//! The specification's own name for a thing that the client calls otherwise: a rename that is taken back.

use bailiwick_sdk::tasks::Language;

use super::super::lexicon as words;
use super::super::names::{Plain, names_at};
use super::super::rename::is_statement;
use super::super::sentence::{Sentence, same_name};
use super::super::targets::Found;
use super::{Ask, Document, undone};

/// What makes a name of the client differ from the specification's.
const CUSTOMIZED: &[&str] = list! {
    "rename" "renaming" "renames" "clientname" "@clientname" "@@clientname" "alias" "override" "customization" "customisation"
};

/// Verbs that undo.
const UNDOING: &[&str] = list! { "drop" "remove" "undo" "revert" "delete" "discard" "retire" };

/// Whose name it is, in front of `name`.
const OWN: &[&str] = list! { "original" "own" "spec's" "specification's" "service's" "typespec" "spec" "rest" "real" };

impl Document<'_> {
    /// `drop the rename of X`, `X back to its own name`, `the original name again`, with the word that says it.
    pub(super) fn returned(&self, sentence: &Sentence<'_>) -> Option<(Ask, Vec<usize>)> {
        if let Some(at) = self.undoing(sentence) {
            let target = match sentence.targets_between(at, sentence.tokens.len(), &self.focus) {
                Found::These(targets) => targets,
                _ => match sentence.targets_between(0, at, &self.focus) {
                    Found::These(targets) => targets,
                    _ => match sentence.target_after(at, &self.focus) {
                        Found::These(targets) => targets,
                        _ => self.focus.subject.clone(),
                    },
                },
            };
            let [target] = target.as_slice() else { return None };
            return Some((self.own_name(*target), Vec::new()));
        }
        let at = self.own_name_wished(sentence)?;
        let mut named = self.named_here(sentence);
        named.retain(|&one| self.is_customized(one));
        named.sort_unstable();
        named.dedup();
        // What was spoken of last that has such a name.
        let spoken_of = || {
            let all = self.focus.subject.iter().chain(&self.focus.holders).copied();
            all.filter(|&one| self.is_customized(one)).take(1).collect::<Vec<_>>()
        };
        let targets = if named.is_empty() { spoken_of() } else { named };
        let [target] = targets.as_slice() else { return None };
        // Another name is another wish.
        let another = sentence.tokens.iter().enumerate().any(|(at, token)| {
            token.is_text() && token.looks_like_name() && sentence.mention_at(at).is_none() && !token.text.contains('.')
        });
        let itself = sentence
            .mentions
            .iter()
            .rev()
            .find(|mention| mention.at > at && mention.candidates.contains(target))
            .map(|one| one.at);
        let places = [Some(at), itself].into_iter().flatten().collect();
        (self.is_customized(*target) && !another).then(|| (self.own_name(*target), places))
    }

    /// The rename to what the specification calls a thing.
    fn own_name(&self, target: usize) -> Ask {
        Ask::Rename { target, name: self.lookup.entity(target).name.clone() }
    }

    /// Whether the client calls a thing otherwise than the specification.
    pub(super) fn is_customized(&self, one: usize) -> bool {
        let entity = self.lookup.entity(one);
        entity.client.as_ref().is_some_and(|client| !same_name(&client.name, &entity.name))
    }

    /// A verb that undoes a rename.
    fn undoing(&self, sentence: &Sentence<'_>) -> Option<usize> {
        let at = (0..sentence.tokens.len()).find(|&at| {
            let behind = at..at.saturating_add(6);
            let customized = |here: usize| sentence.is(here, CUSTOMIZED) && undone::ends_there(sentence, here);
            sentence.is(at, UNDOING) && !undone::is_a_thing(sentence, at) && behind.clone().any(customized)
                || sentence.is(at, &["drop", "undo", "revert", "discard"])
                    && sentence.has(behind.clone(), &["custom", "customized", "special", "name"])
                || sentence.is(at, &["take", "lift"])
                    && sentence.has(behind.clone(), &["override", "rename", "alias", "decorator"])
                    && sentence.has(at..at.saturating_add(7), &["off", "back", "out", "away"])
                || sentence.is(at, &["revert", "restore", "reset", "return"])
                    && (at..sentence.tokens.len())
                        .any(|to| sentence.is(to, &["to"]) && self.names_itself(sentence, to.saturating_add(1)))
                || sentence.phrase(at, &["back", "to"])
                    && !sentence.is(at.saturating_add(2), &["normal", "work", "you", "me", "us"])
                    // `move X back to Widgets`: where it goes, and no name.
                    && !(0..at).any(|verb| sentence.is(verb, words::MOVE_PROPER))
                    && self.names_itself(sentence, at.saturating_add(2))
        })?;
        // `They ask to remove the rename, we refuse.`
        let refused = sentence.any(&["refuse", "refused", "disagree"]) || sentence.has(0..at, &["they"]);
        (!sentence.negated(at) && !is_statement(sentence, at) && !refused).then_some(at)
    }

    /// The verb of a sentence that wishes the specification's own name for what it speaks of, or the end of a customization.
    fn own_name_wished(&self, sentence: &Sentence<'_>) -> Option<usize> {
        let count = sentence.tokens.len();
        let verb = (0..count).find(|&at| {
            let before =
                (0..at).rev().find(|&before| !sentence.is(before, &["rather", "also", "just", "really", "simply"]));
            let wished = sentence.clause_start(at) == at
                || before.is_some_and(|before| {
                    sentence.lower(before).ends_with("'d")
                        || sentence.is(at, &["want", "prefer", "need"]) && sentence.is(before, &["we", "i"])
                        || sentence.is(before, words::POLITE)
                        || sentence.is(before, words::OBLIGING)
                        || sentence
                            .is(before, &["let's", "lets", "to", "and", "would", "should", "must", "can", "could"])
                });
            let does = sentence.is(
                at,
                &[
                    "like", "want", "prefer", "need", "revert", "reset", "change", "rename", "use", "give", "get",
                    "go", "have", "restore", "return", "bring", "be", "become",
                ],
            ) || sentence.is(at, UNDOING) && sentence.is(at.saturating_add(1), &["it", "that", "this"]);
            wished && does && sentence.mention_at(at).is_none() && !is_statement(sentence, at)
        })?;
        if sentence.negated(verb) {
            return None;
        }
        let own = (0..count).any(|at| {
            let next = at.saturating_add(1);
            // `the original name of the file`: of something else.
            let other = |name: usize| {
                sentence.is(name.saturating_add(1), &["of"])
                    && sentence.mention_at(name.saturating_add(2)).is_none()
                    && sentence.mention_at(name.saturating_add(3)).is_none()
                    && !sentence.is(name.saturating_add(2), &["it", "this", "that"])
            };
            // `the original X`, where X is that name
            let named = |here: usize| {
                sentence.mention_at(here).is_some_and(|mention| {
                    let text = sentence.get(mention.at).map_or("", |token| token.text.as_str());
                    mention
                        .candidates
                        .iter()
                        .any(|&one| self.is_customized(one) && same_name(&self.lookup.entity(one).name, text))
                })
            };
            sentence.is(at, &["original", "spec's", "own"]) && named(next)
                // `what the specification calls it`
                || sentence.phrase(at, &["what", "the"])
                    && sentence.is(at.saturating_add(2), &["spec", "specification", "service", "typespec", "tsp"])
                    && sentence.is(at.saturating_add(3), &["calls", "has", "says", "uses"])
                || sentence.is(at, OWN)
                && (next..next.saturating_add(2)).any(|here| sentence.is(here, &["name", "names", "term"]) && !other(here))
                || sentence.is(at, &["name"])
                    && sentence.is(next, &["in", "from", "of"])
                    && sentence.has(
                        next..next.saturating_add(4),
                        &["spec", "specification", "typespec", "tsp", "service", "rest"],
                    )
        });
        // `give us X back`, where X is that name: what the client calls it now is not what is wished.
        let object = sentence.mentions.iter().find(|mention| mention.strong && mention.at > verb);
        let again = (sentence.any(&["again", "back"])
            || sentence.is(verb, &["restore"])
            || sentence.any(&["rather"]) && sentence.any(&["than"]))
            && object.is_some_and(|mention| {
                let text = sentence.get(mention.at).map_or("", |token| token.text.as_str());
                let last = text.rsplit(['.', '#']).next().unwrap_or(text);
                let itself = |&one: &usize| self.is_customized(one) && same_name(&self.lookup.entity(one).name, last);
                let beside = sentence.is(mention.at.saturating_sub(1), &["of", "for", "than", "not", "from"]);
                !beside && mention.at < sentence.clause_end(verb) && mention.candidates.iter().any(itself)
            });
        // `the last release has X, so we must go back to that name`
        let that = sentence.any(&["back"])
            && (verb..count).any(|at| sentence.phrase(at, &["that", "name"]))
            && sentence.mentions.iter().rev().find(|mention| mention.strong && mention.end <= verb).is_some_and(
                |mention| {
                    let text = sentence.get(mention.at).map_or("", |token| token.text.as_str());
                    mention
                        .candidates
                        .iter()
                        .any(|&one| self.is_customized(one) && same_name(&self.lookup.entity(one).name, text))
                },
            );
        let again = again || that;
        let ended = sentence.is(verb, UNDOING) && (sentence.has(0..verb, CUSTOMIZED) || self.renamed_before);
        (own || again || ended).then_some(verb)
    }

    /// Whether the name behind a token is the specification's own of what is spoken of.
    fn names_itself(&self, sentence: &Sentence<'_>, at: usize) -> bool {
        let Some(names) = names_at(sentence, at, Plain::Allowed) else { return false };
        let [name] = names.names.as_slice() else { return false };
        // `X should go back to Y`: what is called so itself goes nowhere.
        let others = sentence.mentions.iter().filter(|mention| mention.at != name.at);
        let named = others.filter_map(|mention| sentence.settle(mention, &self.focus).ok());
        let mut spoken_of = named.chain(self.focus.subject.iter().copied());
        spoken_of.any(|one| same_name(&self.lookup.entity(one).name, &name.text))
    }

    /// `Java has to come off this list`, of the decorator that is quoted above.
    pub(super) fn taken_off(&self, sentence: &Sentence<'_>) -> Option<(Ask, Vec<usize>)> {
        let target = self.decorated?;
        let off = (0..sentence.tokens.len()).find(|&at| {
            sentence.is(at, &["off", "from", "out"])
                && (1..5).any(|step| sentence.is(at.saturating_add(step), &["list", "scope", "decorator"]))
        })?;
        let clause = sentence.clause_start(off)..off;
        let named: Vec<Language> = sentence
            .languages
            .iter()
            .filter(|(at, ..)| clause.contains(at))
            .map(|(_, language, _)| *language)
            .collect();
        let wished = clause.clone().any(|at| {
            sentence.is(at, words::OBLIGING)
                || sentence.is(at, words::POLITE)
                || sentence.phrase(at, &["has", "to"])
                || sentence.is(at, &["take", "remove", "drop"]) && sentence.clause_start(at) == at
        });
        let verb = clause.clone().find(|&at| sentence.is(at, &["come", "go", "take", "remove", "drop", "be"]))?;
        (wished && named == [self.language] && !sentence.negated(off)).then(|| (self.own_name(target), vec![verb]))
    }
}
