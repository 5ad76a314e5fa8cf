//! What the words of a whole request are worth for whether nothing is asked, and how often that is right of authors whom they
//! were not learned from.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::examples::{Expected, Whole, read_whole};
use super::learn::{Model, Row, learn};
use super::{PARTS, columns, said_enough};
use crate::process::say;
use crate::repository;

/// How strongly requests count against small weights.
const COUNTS: f64 = 0.3;
/// The most weights: the largest ones, which are then learned again without the others.
const MOST: usize = 1900;
/// What the reader says of each request.
const EACH: &str = "any";
/// From which probabilities on the table says what would be taken for nothing.
const LIMITS: [f64; 7] = [0.4, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9];

/// What was learned of a request.
struct Learned {
    /// What is said, in its order.
    kept: Vec<String>,
    model: Model,
}

impl Learned {
    fn of(authors: &[&Vec<Whole>]) -> Self {
        let mut kept = said_enough(authors.iter().map(|requests| requests.iter().map(|one| &one.features)));
        // The bias is for what is said of each.
        kept.retain(|what| what != EACH);
        let requests = || authors.iter().copied().flatten();
        let model = model_of(&kept, requests());
        if kept.len() <= MOST {
            return Self { kept, model };
        }
        let mut largest: Vec<(f64, String)> = model.weights.iter().map(|worth| worth.abs()).zip(kept).collect();
        largest.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let mut kept: Vec<String> = largest.into_iter().take(MOST).map(|(_, what)| what).collect();
        kept.sort();
        let model = model_of(&kept, requests());
        Self { kept, model }
    }

    /// How likely nothing is asked, from 0 to 1.
    fn probability(&self, request: &Whole) -> f64 {
        1.0 / (1.0 + (-self.model.score(&columns(&self.kept, &request.features))).exp())
    }

    /// As the reader reads it.
    fn written(&self) -> String {
        let mut text = format!("{EACH}\t{:.3}\n", self.model.bias);
        for (what, worth) in self.kept.iter().zip(&self.model.weights) {
            let _ = writeln!(text, "{what}\t{worth:.3}");
        }
        text
    }
}

fn model_of<'a>(kept: &[String], requests: impl Iterator<Item = &'a Whole>) -> Model {
    let row = |one: &Whole| Row {
        values: columns(kept, &one.features),
        meant: one.expected == Expected::Nothing,
        counts: COUNTS,
    };
    learn(&requests.map(row).collect::<Vec<_>>(), kept.len())
}

/// Learns from requests in which the rules find no action, and writes what it is worth into the reader.
///
/// # Errors
/// When a directory cannot be read, or no request of it asks for nothing.
pub(super) fn run(authors: &[PathBuf]) -> Result<()> {
    let mut all: Vec<Vec<Whole>> = authors.iter().map(|one| read_whole(one)).collect::<Result<_>>()?;
    let is_acted_on = |one: &Whole| one.features.iter().any(|what| matches!(what.as_str(), "item=act" | "item=done"));
    all.iter_mut().for_each(|requests| requests.retain(|one| !is_acted_on(one)));
    let requests: usize = all.iter().map(Vec::len).sum();
    let of_nothing = all.iter().flatten().filter(|one| one.expected == Expected::Nothing).count();
    ensure!(of_nothing > 0, "no request of these authors asks for nothing");
    say(format!("learning from {requests} requests of {} authors, of which {of_nothing} ask for nothing", all.len()));
    for (limit, counts) in LIMITS.iter().zip(judge(&all)) {
        let [actions, guidance, nothing] = counts;
        say(format!(
            "from {limit:.2} on: {nothing} that ask for nothing, {guidance} for a person, {actions} that want actions"
        ));
    }
    let learned = Learned::of(&all.iter().collect::<Vec<_>>());
    let path = repository::root().join("host/mechanic/src/reader/weigh/whole.txt");
    std::fs::write(&path, learned.written())?;
    say(format!("wrote {} with {} weights", path.display(), learned.kept.len()));
    Ok(())
}

/// How many requests are taken for nothing from each limit on, by what is expected of them. Each author is judged by what the
/// others teach.
fn judge(authors: &[Vec<Whole>]) -> [[usize; 3]; LIMITS.len()] {
    let mut counts = [[0; 3]; LIMITS.len()];
    for part in 0..PARTS.min(authors.len()) {
        let others = authors.iter().enumerate().filter(|(author, _)| author % PARTS != part);
        let learned = Learned::of(&others.map(|(_, requests)| requests).collect::<Vec<_>>());
        for request in authors.iter().skip(part).step_by(PARTS).flatten() {
            let likely = learned.probability(request);
            for (_, count) in LIMITS.iter().zip(&mut counts).filter(|(limit, _)| likely >= **limit) {
                count[request.expected as usize] += 1;
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three authors who write each text three times.
    fn authors() -> Vec<Vec<Whole>> {
        let text = |what: &str, expected| {
            let said = ["any", what, "word=the"].map(str::to_owned).to_vec();
            Whole { features: said, expected }
        };
        let author = |own: &str| {
            (0..3)
                .flat_map(|_| {
                    [
                        text("word=thanks", Expected::Nothing),
                        text("word=please", Expected::Guidance),
                        text(own, Expected::Actions),
                    ]
                })
                .collect()
        };
        ["word=one", "word=two", "word=three"].map(author).into()
    }

    #[test]
    fn words_of_several_authors_tell_what_asks_for_nothing_and_those_of_one_author_do_not() {
        let authors = authors();
        let learned = Learned::of(&authors.iter().collect::<Vec<_>>());
        assert_eq!(learned.kept, ["word=please", "word=thanks", "word=the"]);
        let likely = |number: usize| learned.probability(&authors[0][number]);
        assert!(likely(0) > likely(2) && likely(2) > likely(1), "{} {} {}", likely(0), likely(2), likely(1));
        let text = learned.written();
        assert!(text.starts_with("any\t-") && text.lines().count() == 4, "{text}");
    }

    #[test]
    fn each_author_is_judged_by_what_the_others_teach() {
        let counts = judge(&authors());
        let likely: Vec<usize> =
            counts.iter().map(|[actions, guidance, nothing]| actions + guidance + nothing).collect();
        assert!(likely.is_sorted_by(|one, other| one >= other), "{likely:?}");
        // Two authors are too few to learn a word from.
        let from_half = LIMITS.iter().zip(&counts).filter(|(limit, _)| **limit >= 0.5);
        assert!(from_half.map(|(_, of)| of.iter().sum::<usize>()).all(|count| count == 0), "{counts:?}");
    }
}
