//! What each thing that is said of a pair is worth: `weights.txt`, which `cargo xtask weights` learns.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::Aim;

/// The lowest score, in log odds; its negative is the highest.
pub(super) const LEAST: f64 = -11.5;

/// A line is the kind of wish, what is said and what it is worth, with tabs between.
const TEXT: &str = include_str!("weights.txt");

/// The weights of both steps of a kind of wish.
#[derive(Default)]
pub(super) struct Weights {
    worth: HashMap<&'static str, f64>,
}

/// What the second step knows of a pair beside its score.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Second {
    /// The rules do it.
    pub(super) done: bool,
    /// The rules read it and are not sure.
    pub(super) open: bool,
    /// The rules give the thing another name.
    pub(super) other_name: bool,
    /// The rules give the name to another thing.
    pub(super) other_thing: bool,
    /// The rules do something else with the thing.
    pub(super) other_wish: bool,
    /// The rules carry out some wish of that kind.
    pub(super) any: bool,
    /// The request says that the thing stays as it is.
    pub(super) kept: bool,
    /// A sentence asks something of the thing that the rules do not read.
    pub(super) unheard: bool,
    /// The best score of the name with another thing.
    pub(super) thing_rival: f64,
    /// The best score of the thing with another name.
    pub(super) name_rival: f64,
}

impl Second {
    /// Each value under its name in the file.
    pub(super) fn values(&self, score: f64) -> [(&'static str, f64); 16] {
        let is = |holds: bool| if holds { 1.0 } else { 0.0 };
        let gap = (self.thing_rival - score).max(0.0);
        [
            ("score", score),
            ("done", is(self.done)),
            ("done*score", is(self.done) * score),
            ("open", is(self.open)),
            ("open*score", is(self.open) * score),
            ("other name", is(self.other_name)),
            ("other thing", is(self.other_thing)),
            ("other thing*score", is(self.other_thing) * score),
            ("other wish", is(self.other_wish)),
            ("any", is(self.any)),
            ("kept", is(self.kept)),
            ("unheard", is(self.unheard)),
            ("thing rival", self.thing_rival),
            ("name rival", self.name_rival),
            ("gap", gap),
            ("done*gap", is(self.done) * gap),
        ]
    }
}

impl Weights {
    /// The weights of a kind of wish.
    pub(super) fn get(aim: Aim) -> &'static Self {
        static WEIGHTS: OnceLock<HashMap<&'static str, Weights>> = OnceLock::new();
        static NONE: OnceLock<Weights> = OnceLock::new();
        let all = WEIGHTS.get_or_init(|| {
            let mut all: HashMap<&'static str, Self> = HashMap::new();
            for (aim, rest) in TEXT.lines().filter_map(|line| line.split_once('\t')) {
                let of_aim = all.entry(aim).or_default();
                if let Some((what, worth)) =
                    rest.rsplit_once('\t').and_then(|(what, worth)| Some((what, worth.parse().ok()?)))
                {
                    of_aim.worth.insert(what, worth);
                }
            }
            all
        });
        all.get(aim.word()).unwrap_or_else(|| NONE.get_or_init(Self::default))
    }

    fn worth(&self, what: &str) -> f64 {
        self.worth.get(what).copied().unwrap_or_default()
    }

    /// The log odds of a pair by what is said of it.
    pub(super) fn first(&self, features: &[String]) -> f64 {
        let sum: f64 = features.iter().map(|one| self.worth(one)).sum();
        (sum + self.worth("first")).clamp(LEAST, -LEAST)
    }

    /// Whether three of four of these words have a weight. What was learned of other words says nothing of a text, such as one in
    /// another language.
    pub(super) fn know_most_of<'a>(&self, words: impl Iterator<Item = &'a str>) -> bool {
        let words: Vec<&str> = words.filter(|word| word.starts_with(char::is_alphabetic)).collect();
        let known = words.iter().filter(|word| self.worth.contains_key(format!("word={word}").as_str()));
        known.count().saturating_mul(4) >= words.len().saturating_mul(3)
    }

    /// How likely a pair is meant, from 0 to 1.
    pub(super) fn second(&self, score: f64, second: &Second) -> f64 {
        let sum: f64 =
            second.values(score).iter().map(|(what, value)| self.worth(&format!("second {what}")) * value).sum();
        1.0 / (1.0 + (-(sum + self.worth("second"))).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_and_what_the_rules_say_decide_together() {
        let weights = Weights::get(Aim::Name);
        let rules = |done| Second { done, thing_rival: LEAST, name_rival: LEAST, ..Second::default() };
        let likely = |score, done| weights.second(score, &rules(done));
        assert!(likely(4.0, false) > likely(0.0, false));
        assert!(likely(0.0, true) > likely(0.0, false));
        let rival = Second { thing_rival: 6.0, ..rules(true) };
        assert!(weights.second(0.0, &rival) < likely(0.0, true));
    }
}
