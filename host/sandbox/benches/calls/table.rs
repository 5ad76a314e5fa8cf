//! Rows of a table, and which of them are wanted.

use std::time::Duration;

/// Medians and tails of some times.
pub(crate) struct Times {
    pub(crate) p50: Duration,
    p99: Duration,
}

impl Times {
    /// Of `count` rounds, after a tenth as many that are not counted.
    pub(crate) fn of(count: usize, mut once: impl FnMut() -> Duration) -> Self {
        for _ in 0..count / 10 {
            once();
        }
        Self::from((0..count).map(|_| once()).collect::<Vec<_>>())
    }
}

impl From<Vec<Duration>> for Times {
    fn from(mut times: Vec<Duration>) -> Self {
        times.sort();
        Self { p50: times[times.len() / 2], p99: times[times.len() * 99 / 100] }
    }
}

/// Rows whose name contains a word, or all.
pub(crate) struct Selection(Option<String>);

impl Selection {
    pub(crate) fn new(word: Option<String>) -> Self {
        Self(word)
    }

    /// The name, if the row is wanted.
    pub(crate) fn row(&self, name: &str) -> Option<String> {
        self.0.as_ref().is_none_or(|word| name.contains(word.as_str())).then(|| name.to_owned())
    }
}

/// Prints one row, with the peer's median and the ratio to it where there is a peer.
pub(crate) fn print(name: Option<String>, times: &Times, peer: Option<&Times>) {
    let Some(name) = name else { return };
    let (peer, ratio) = match peer {
        Some(peer) => (format!("{:.1?}", peer.p50), format!("{:.1}", times.p50.as_secs_f64() / peer.p50.as_secs_f64())),
        None => (String::new(), String::new()),
    };
    println!("| {name} | {:.1?} | {:.1?} | {peer} | {ratio} |", times.p50, times.p99);
}
