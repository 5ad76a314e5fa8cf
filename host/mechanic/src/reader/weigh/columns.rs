//! What the last step knows of a thing and a name: what is said of the two, as numbers.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::features::Features;
use super::moods::{ANYWHERE, HERE};
use super::spelled::Spelled;
use super::weights::Second;

/// What is counted of a pair; less than nothing where it is not.
const COUNTED: &[&str] = list! {
    "sentences" "units" "rank" "things" "names" "thingshere" "nameshere" "tokens" "meanings" "shared" "overlap" "alike" "aliker"
};
/// What holds of a pair or does not.
const HOLDS: &[&str] = list! {
    "same" "before" "quoted" "called" "known" "thingquoted" "qualifies" "strong" "settled" "holds" "holdshere" "heldhere" "held"
    "adds" "drops" "sameletters" "clientname" "taken" "tells" "thingtells" "turned" "thingturned" "short" "background"
};
/// What a pair is one of several of.
const ONE_OF: &[&str] = list! {
    "kind=operation" "kind=type" "kind=parameter" "kind=property" "kind=group" "kind=member"
    "case=pascal" "case=lower" "case=snake" "case=shouted" "case=camel"
    "namerole=prose" "namerole=aside" "namerole=row" "namerole=log" "namerole=quote" "namerole=item" "namerole=code"
    "thingrole=prose" "thingrole=aside" "thingrole=row" "thingrole=log" "thingrole=quote" "thingrole=item" "thingrole=code"
    "zone=Main" "zone=Reason" "zone=Comparison" "zone=Condition"
    "doubt=none" "doubt=condition" "doubt=question" "doubt=undecided"
    "thingdoubt=none" "thingdoubt=condition" "thingdoubt=question" "thingdoubt=undecided"
};
/// What follows from how the name is spelled beside the others of the request.
const SPELLED: [&str; 8] = [
    "the only thing spelled out",
    "the only name spelled out",
    "another thing is spelled out",
    "another name is spelled out",
    "nothing is spelled out",
    "spelled out*done",
    "spelled out*open",
    "spelled out*score",
];
/// Where nothing is counted.
const NOTHING: f64 = -1.0;

/// What is said of a thing and a name without a look at the others.
#[derive(Debug)]
pub(super) struct Alone {
    pub(super) spelled: Spelled,
    values: Vec<f64>,
}

/// How the others of the request are spelled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    /// The name spells out another thing, too.
    pub(super) other_thing: bool,
    /// Another name spells out the thing.
    pub(super) other_name: bool,
    /// Some name spells out some thing.
    pub(super) any: bool,
}

impl Alone {
    pub(super) fn of(features: &Features, old: &str, new: &str) -> Self {
        let mut said: HashMap<&str, &str> = HashMap::new();
        for feature in &features.0 {
            let (what, value) = feature.split_once('=').unwrap_or((feature, ""));
            // What is crossed comes behind what it is made of.
            said.entry(what).or_insert(value);
        }
        let counted = COUNTED.iter().map(|what| said.get(what).and_then(|value| value.parse().ok()).unwrap_or(NOTHING));
        let holds = holds().map(|what| is(said.contains_key(what)));
        let one_of = ONE_OF.iter().map(|what| {
            let (what, value) = what.split_once('=').unwrap_or_default();
            is(said.get(what) == Some(&value))
        });
        Self { spelled: Spelled::of(old, new), values: counted.chain(holds).chain(one_of).collect() }
    }

    /// The values of all columns, in the order of [`names`].
    pub(super) fn columns(&self, score: f64, second: &Second, beside: Beside) -> Vec<f64> {
        let fuller = self.spelled.is_fuller();
        let Beside { other_thing, other_name, any } = beside;
        let spelled = [
            is(fuller && !other_thing),
            is(fuller && !other_name),
            is(!fuller && other_thing),
            is(!fuller && other_name),
            is(!any),
            is(fuller && second.done),
            is(fuller && second.open),
            is(fuller) * score,
        ];
        let how = Spelled::ALL.iter().map(|(one, _)| is(*one == self.spelled));
        let rules = second.values(score).into_iter().map(|(_, value)| value);
        rules.chain(how).chain(spelled).chain(self.values.iter().copied()).collect()
    }
}

/// What the columns are called.
pub(super) fn names() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let rules = Second::default().values(0.0).into_iter().map(|(what, _)| what);
        let how = Spelled::ALL.iter().map(|(_, what)| *what);
        let said = COUNTED.iter().copied().chain(holds()).chain(ONE_OF.iter().copied());
        rules.chain(how).chain(SPELLED).chain(said).collect()
    })
}

fn holds() -> impl Iterator<Item = &'static str> {
    HOLDS.iter().copied().chain(HERE).chain(ANYWHERE)
}

fn is(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_has_a_value_under_a_name_of_its_own() {
        let features = Features(["rank=2", "same", "kind=property", "rank=2&sentences=1"].map(str::to_owned).to_vec());
        let alone = Alone::of(&features, "cnt", "count");
        let beside = Beside { other_thing: true, other_name: false, any: true };
        let values = alone.columns(1.5, &Second::default(), beside);
        assert_eq!(values.len(), names().len());
        let value = |name: &str| {
            let at: Vec<usize> = (0..names().len()).filter(|at| names()[*at] == name).collect();
            assert_eq!(at.len(), 1, "{name}");
            values[at[0]]
        };
        let told = ["score", "rank", "units", "same", "kind=property", "kind=type", "spelled out"].map(value);
        assert_eq!(told, [1.5, 2.0, NOTHING, 1.0, 1.0, 0.0, 1.0]);
        let others = ["the only thing spelled out", "the only name spelled out", "spelled out*score"].map(value);
        assert_eq!(others, [0.0, 1.0, 1.5]);
        for name in names() {
            value(name);
        }
    }
}
