//! Says on stderr that a model is answering: in one line that is rewritten on a terminal, and seldom elsewhere.

use crate::output;
use bailiwick_models::Answering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a line is printed where none can be taken back. A short answer prints none.
const SELDOM: Duration = Duration::from_secs(10);

/// What a provider tells how far an answer has come.
pub(crate) fn watch(name: String) -> Arc<dyn Fn(Answering) + Send + Sync> {
    let replaces = output::can_replace_lines();
    let seldom = Mutex::new(Seldom { last: None });
    Arc::new(move |answering| {
        let now = Instant::now();
        let mut seldom = seldom.lock().unwrap_or_else(PoisonError::into_inner);
        match (answering, replaces) {
            (Answering::Coming { characters }, true) => output::passing(&line(&name, characters)),
            (Answering::Over, true) => output::passing(""),
            (Answering::Coming { characters }, false) if seldom.is_due(now) => {
                output::progress(&line(&name, characters));
            }
            (Answering::Coming { .. }, false) => {}
            (Answering::Over, false) => seldom.last = None,
        }
    })
}

fn line(name: &str, characters: usize) -> String {
    format!("{name} is answering: {characters} characters so far")
}

struct Seldom {
    /// When a line was printed last, or when the answer began.
    last: Option<Instant>,
}

impl Seldom {
    fn is_due(&mut self, now: Instant) -> bool {
        let due = self.last.is_some_and(|last| now.duration_since(last) >= SELDOM);
        if due || self.last.is_none() {
            self.last = Some(now);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_is_due_only_after_a_while_and_then_again() {
        let start = Instant::now();
        let mut seldom = Seldom { last: None };
        let due: Vec<u64> = (0..35).filter(|second| seldom.is_due(start + Duration::from_secs(*second))).collect();
        assert_eq!(due, [10, 20, 30]);
    }
}
