//! One reader under attack.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

use crate::watch::{Watch, tell};
use crate::{change, corpus, on_small_stack};

/// Texts that `cargo test` tries of each target.
const FEW: u32 = 64;

/// Texts between two looks at the clock.
const BATCH: u32 = 64;

/// A reader of foreign text.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name of its directory in `host/fuzz/corpus`.
    pub name: &'static str,
    /// Words that mean something in its format.
    pub words: &'static [&'static str],
}

impl Target {
    /// Has `read` read the corpus and changed copies of it: a few, or for as long as `BAILIWICK_FUZZ_SECONDS` says.
    ///
    /// # Panics
    /// When `read` does, with the smallest text for which it was found to.
    pub fn run(self, read: impl Fn(&[u8]) + Send + Sync + 'static) {
        let read: Arc<Read> = Arc::new(read);
        let seconds = std::env::var("BAILIWICK_FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
        match seconds {
            None => self.batch(0, crate::cases(FEW), &read, None),
            Some(seconds) => self.batches(Duration::from_secs(seconds), &read),
        }
    }

    /// [`Self::run`] for a reader of text.
    ///
    /// # Panics
    /// As [`Self::run`].
    pub fn run_text(self, read: impl Fn(&str) + Send + Sync + 'static) {
        self.run(move |bytes| read(&String::from_utf8_lossy(bytes)));
    }

    fn batches(self, time: Duration, read: &Arc<Read>) {
        let watch = Arc::new(Watch::start(self.name));
        let given = std::env::var("BAILIWICK_FUZZ_SEED").ok().and_then(|seed| seed.parse().ok());
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let first: u64 = given.unwrap_or(now);
        tell(&format!("{}: seed {first}, what is being read stands in {}", self.name, watch.file()));
        let (started, mut batches) = (Instant::now(), 0);
        while started.elapsed() < time {
            self.batch(first.wrapping_add(batches), BATCH, read, Some(watch.clone()));
            batches += 1;
        }
        tell(&format!("{}: {} texts, nothing found", self.name, batches * u64::from(BATCH)));
    }

    fn batch(self, seed: u64, cases: u32, read: &Arc<Read>, watch: Option<Arc<Watch>>) {
        let read = read.clone();
        on_small_stack(move || self.attack(seed, cases, &*read, watch.as_deref()));
    }

    fn attack(self, seed: u64, cases: u32, read: &Read, watch: Option<&Watch>) {
        let corpus = corpus::read(self.name);
        let one = |text: &[u8]| {
            if let Some(watch) = watch {
                watch.next(text);
            }
            read(text);
        };
        corpus.iter().for_each(|text| one(text));
        let config = Config {
            cases,
            rng_seed: RngSeed::Fixed(seed),
            failure_persistence: None,
            max_shrink_iters: 2000,
            ..Config::default()
        };
        let strategy = (any::<prop::sample::Index>(), change::changes());
        let found = TestRunner::new(config).run(&strategy, |(seed, changes)| {
            let text = change::changed(seed.get(&corpus).clone(), &changes, self.words, &corpus);
            one(&text);
            Ok(())
        });
        match found {
            Ok(()) => {}
            Err(TestError::Fail(reason, (seed, changes))) => {
                let text = change::changed(seed.get(&corpus).clone(), &changes, self.words, &corpus);
                if let Some(watch) = watch {
                    watch.keep(&text);
                    tell(&format!("{}: the smallest text found stands in {}", self.name, watch.file()));
                }
                panic!("{}: {reason} for {:?}", self.name, String::from_utf8_lossy(&text));
            }
            Err(TestError::Abort(reason)) => panic!("{}: {reason}", self.name),
        }
    }
}

type Read = dyn Fn(&[u8]) + Send + Sync;
