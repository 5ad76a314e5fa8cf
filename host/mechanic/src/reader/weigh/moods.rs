//! What a request's words say of wishing: asking, refusing, telling, keeping.

use super::features::{Features, Nearest, Scene};

/// Kinds of words that say whether something is wished, in the name's sentence and anywhere.
const MOODS: [&str; 16] = [
    "polite",
    "not",
    "refused",
    "keep",
    "modal",
    "oblige",
    "condition",
    "doubt",
    "report",
    "retract",
    "postpone",
    "agree",
    "rename",
    "elsewhere",
    "wire",
    "gloss",
];
pub(super) const HERE: [&str; 16] = [
    "here polite",
    "here not",
    "here refused",
    "here keep",
    "here modal",
    "here oblige",
    "here condition",
    "here doubt",
    "here report",
    "here retract",
    "here postpone",
    "here agree",
    "here rename",
    "here elsewhere",
    "here wire",
    "here gloss",
];
pub(super) const ANYWHERE: [&str; 16] = [
    "any polite",
    "any not",
    "any refused",
    "any keep",
    "any modal",
    "any oblige",
    "any condition",
    "any doubt",
    "any report",
    "any retract",
    "any postpone",
    "any agree",
    "any rename",
    "any elsewhere",
    "any wire",
    "any gloss",
];

impl Scene<'_> {
    /// Of what kinds the words of the name's sentence are, and those of the whole request.
    pub(super) fn moods(&self, features: &mut Features, near: Nearest) {
        let here = self.told.get(near.name.sentence);
        for (mood, here_too) in MOODS.iter().zip(HERE) {
            features.when(here_too, here.is_some_and(|told| told.classes.contains(mood)));
        }
        for (mood, anywhere) in MOODS.iter().zip(ANYWHERE) {
            features.when(anywhere, self.told.iter().any(|told| told.classes.contains(mood)));
        }
    }
}
