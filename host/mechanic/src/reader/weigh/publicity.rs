//! What is said of a thing and a word of what is public, and of the words around both.

use std::collections::BTreeSet;
use std::ops::Range;

use bailiwick_sdk::tasks::Access;

use super::super::lexicon;
use super::super::sentence::Sentence;
use super::super::visibility::{Wish, wish_at};
use super::features::{Features, Nearest, Scene};
use super::text::Thing;

impl Scene<'_> {
    /// What being public or not has beside what a rename has.
    pub(super) fn seen(&self, features: &mut Features, thing: &Thing, near: Nearest) {
        let client = |thing: &Thing| self.entity(thing).client.as_ref();
        let hidden = |thing: &Thing| client(thing).is_some_and(|client| client.access == Access::Internal);
        features.when("hidden", hidden(thing));
        features.when("absent", client(thing).is_none());
        features.of("hiddens", self.things.iter().filter(|thing| hidden(thing)).count().min(3));
        if let Some(placed) = self.sentences.get(near.name.sentence) {
            features.when("negated", placed.sentence.negated(near.name.at));
            features.of("wish", word_of(wish_at(&placed.sentence, near.name.at)));
        }
        let of = |at: usize| word_of(self.told.get(at).and_then(|told| told.seen));
        features.of("wishhere", of(near.name.sentence));
        features.of("wishthing", of(near.thing.sentence));
        features.when("below", self.heads.get(near.thing.sentence).copied().flatten() == Some(near.name.sentence));
        if let Some(told) = self.told.get(near.name.sentence) {
            features.of("name+0", told.word(near.name.at));
        }
        self.classes(features, near);
    }

    /// Of what kinds the words of both are.
    fn classes(&self, features: &mut Features, near: Nearest) {
        let (Some(of_name), Some(of_thing)) =
            (self.sentences.get(near.name.sentence), self.sentences.get(near.thing.sentence))
        else {
            return;
        };
        let clause = |sentence: &Sentence<'_>, at: usize| sentence.clause_start(at)..sentence.clause_end(at);
        let within = clause(&of_name.sentence, near.name.at);
        let is_apart = near.name.sentence != near.thing.sentence;
        features.pairs("clauseclass", &classes(&of_name.sentence, within.clone()));
        if is_apart || !within.contains(&near.thing.at) {
            let clause = clause(&of_thing.sentence, near.thing.at);
            features.pairs("thingclauseclass", &classes(&of_thing.sentence, clause));
        }
        let of = |at: usize| self.told.get(at).map(|told| &told.classes);
        let sentences = [
            ("class", of(near.name.sentence)),
            ("nextclass", of(near.name.sentence.saturating_add(1))),
            ("thingclass", of(near.thing.sentence).filter(|_| is_apart)),
        ];
        for (what, classes) in sentences {
            classes.into_iter().for_each(|classes| features.pairs(what, classes));
        }
    }

    /// The words of the whole request, and of the thing's sentence.
    pub(super) fn more_wording(&self, features: &mut Features, near: Nearest) {
        const SHORT: usize = 12;
        let Some(of_thing) = self.told.get(near.thing.sentence) else { return };
        if near.name.sentence != near.thing.sentence {
            features.each("thingword", &of_thing.each);
        }
        if self.told.len() <= SHORT {
            let all: BTreeSet<String> = self.told.iter().flat_map(|told| told.each.iter().cloned()).collect();
            features.each("all", &all);
        }
    }
}

fn word_of(seen: Option<Wish>) -> &'static str {
    match seen {
        None => "none",
        Some(Wish::Hide) => "hide",
        Some(Wish::Show) => "show",
        Some(Wish::Keep) => "keep",
    }
}

/// Words that explain a name.
const GLOSSES: &[&str] = list! {
    "means" "mean" "meaning" "short for" "stands for" "stand for" "abbreviation" "abbreviates" "abbreviated" "mapped" "maps" "alias"
};

/// The kinds of words of a part of a sentence.
pub(super) fn classes(sentence: &Sentence<'_>, part: Range<usize>) -> BTreeSet<&'static str> {
    const CLASSES: [(&str, &[&str]); 26] = [
        ("polite", lexicon::POLITE),
        ("not", lexicon::NEGATIONS),
        ("refused", lexicon::REFUSED),
        ("keep", lexicon::KEEPING),
        ("approve", lexicon::APPROVING),
        ("modal", lexicon::MODALS),
        ("oblige", lexicon::OBLIGING),
        ("condition", lexicon::CONDITIONS),
        ("doubt", lexicon::DOUBTS),
        ("report", lexicon::REPORTING),
        ("retract", lexicon::RETRACTIONS),
        ("postpone", lexicon::POSTPONING),
        ("reverse", lexicon::REVERSING),
        ("agree", lexicon::AGREEING),
        ("rename", lexicon::RENAME_PROPER),
        ("hide", lexicon::HIDING),
        ("public", lexicon::PUBLICITY),
        ("surface", lexicon::SURFACE),
        ("remove", lexicon::REMOVING),
        ("move", lexicon::MOVING),
        ("elsewhere", lexicon::ELSEWHERE),
        ("standing", lexicon::STANDINGS),
        ("follow", lexicon::FOLLOWING),
        ("others", lexicon::OTHERS),
        ("wire", lexicon::WIRE),
        ("gloss", GLOSSES),
    ];
    let holds = |list: &&[&str]| part.clone().any(|at| list.iter().any(|phrase| sentence.says(at, phrase)));
    CLASSES.iter().filter(|(_, list)| holds(list)).map(|(class, _)| *class).collect()
}
