//! One customization as those see it who wait for it.

use crate::failure::Failure;
use bailiwick_customize::response::Response;
use bailiwick_runs::RunId;
use std::sync::{Arc, OnceLock};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How a customization ended.
#[derive(Debug)]
pub enum Ended {
    /// It came to a response, be it success or not.
    Finished(Box<Response>),
    /// It was taken back; both repositories are as before.
    Cancelled,
    /// It could not be carried out.
    Failed(Failure),
}

/// What was said so far. Lines that nobody can use any more are dropped; `dropped` counts them.
#[derive(Debug, Default)]
pub struct Lines {
    dropped: usize,
    kept: Vec<String>,
}

/// So many lines are kept for somebody who begins to listen late.
const KEPT_LINES: usize = 200;

impl Lines {
    /// What was said after the first `seen` lines, and how many there are now.
    #[must_use]
    pub fn after(&self, seen: usize) -> (Vec<String>, usize) {
        let skipped = seen.saturating_sub(self.dropped).min(self.kept.len());
        (self.kept[skipped..].to_vec(), self.dropped + self.kept.len())
    }

    /// The latest.
    #[must_use]
    pub fn last(&self) -> Option<&str> {
        self.kept.last().map(String::as_str)
    }

    fn push(&mut self, line: &str) {
        if self.kept.len() == KEPT_LINES {
            self.kept.remove(0);
            self.dropped += 1;
        }
        self.kept.push(line.to_owned());
    }
}

/// One customization.
pub struct Job {
    /// What it is called until its run has begun, and afterwards too.
    provisional: RunId,
    run: OnceLock<RunId>,
    lines: watch::Sender<Lines>,
    ended: watch::Sender<Option<Arc<Ended>>>,
    pub(super) cancel: CancellationToken,
}

impl Job {
    pub(super) fn new(cancel: CancellationToken) -> Result<Self, Failure> {
        let provisional =
            RunId::unrecorded().map_err(|error| Failure::new(format!("the system has no random bytes: {error}")))?;
        Ok(Self {
            provisional,
            run: OnceLock::new(),
            lines: watch::Sender::new(Lines::default()),
            ended: watch::Sender::new(None),
            cancel,
        })
    }

    /// The run's name, or the provisional one before the run has begun: while toolchains are installed.
    #[must_use]
    pub fn id(&self) -> &RunId {
        self.run.get().unwrap_or(&self.provisional)
    }

    pub(super) fn is_called(&self, id: &RunId) -> bool {
        self.run.get() == Some(id) || self.provisional == *id
    }

    pub(super) fn began(&self, run: &RunId) {
        let _ = self.run.set(run.clone());
    }

    pub(super) fn run(&self) -> Option<&RunId> {
        self.run.get()
    }

    pub(super) fn say(&self, line: &str) {
        self.lines.send_modify(|lines| lines.push(line));
    }

    pub(super) fn close(&self, ended: Ended) {
        self.ended.send_replace(Some(Arc::new(ended)));
    }

    /// How it ended; `None` while it is at work.
    #[must_use]
    pub fn ended(&self) -> Option<Arc<Ended>> {
        self.ended.borrow().clone()
    }

    /// What was said last.
    #[must_use]
    pub fn last_line(&self) -> Option<String> {
        self.lines.borrow().last().map(str::to_owned)
    }

    /// Everything that is said, from the beginning, and how it ended.
    #[must_use]
    pub fn follow(&self) -> Follower {
        Follower { lines: self.lines.subscribe(), ended: self.ended.subscribe(), seen: 0 }
    }

    /// Takes it back and waits until it has ended, which it may have done otherwise meanwhile.
    pub async fn end(&self) -> Arc<Ended> {
        self.cancel.cancel();
        let mut follower = self.follow();
        loop {
            if let News::Over(ended) = follower.next().await {
                return ended;
            }
        }
    }
}

/// What is new about a customization.
#[derive(Debug)]
pub enum News {
    /// This was said.
    Said(Vec<String>),
    /// It ended, and nothing more is said.
    Over(Arc<Ended>),
}

/// Somebody who listens to one customization.
pub struct Follower {
    lines: watch::Receiver<Lines>,
    ended: watch::Receiver<Option<Arc<Ended>>>,
    seen: usize,
}

impl Follower {
    /// Waits for the next news. Nothing is lost when this is dropped before it is ready.
    pub async fn next(&mut self) -> News {
        loop {
            // The end is looked at first: everything was said before it.
            let over = self.ended.borrow_and_update().clone();
            let (new, count) = self.lines.borrow_and_update().after(self.seen);
            self.seen = count;
            if !new.is_empty() {
                return News::Said(new);
            }
            if let Some(over) = over {
                return News::Over(over);
            }
            let gone = tokio::select! {
                changed = self.lines.changed() => changed.is_err(),
                changed = self.ended.changed() => changed.is_err(),
            };
            if gone && self.ended.borrow().is_none() {
                return News::Over(Arc::new(Ended::Failed(Failure::new("the customization was forgotten"))));
            }
        }
    }
}
