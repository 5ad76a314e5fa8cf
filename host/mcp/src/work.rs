//! Work that outlives the call that began it, as those see it who wait for it.

use crate::call::Call;
use crate::failure::Failure;
use crate::path_redaction::PathRedaction;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How work ended.
#[derive(Debug)]
pub enum Ended<T> {
    /// It came to something, be it success or not.
    Finished(T),
    /// It was taken back; both repositories are as before.
    Cancelled,
    /// It could not be carried out.
    Failed(Failure),
}

/// The messages so far. Lines that no listener can use any more are dropped; `dropped` counts them.
#[derive(Debug, Default)]
pub struct Lines {
    dropped: usize,
    kept: Vec<String>,
}

/// Most lines that are kept for a listener that comes late.
const KEPT_LINES: usize = 200;

impl Lines {
    /// What was said after the first `seen` lines, and how many there are now.
    #[must_use]
    pub fn after(&self, seen: usize) -> (Vec<String>, usize) {
        let skipped = seen.saturating_sub(self.dropped).min(self.kept.len());
        (self.kept[skipped..].to_vec(), self.count())
    }

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> usize {
        self.dropped + self.kept.len()
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

/// Something at work.
pub struct Work<T> {
    lines: watch::Sender<Lines>,
    /// How many lines callers were told of.
    told: AtomicUsize,
    ended: watch::Sender<Option<Arc<Ended<T>>>>,
    /// Cancelled when it is taken back.
    pub(crate) cancel: CancellationToken,
}

impl<T> Work<T> {
    pub(crate) fn new(cancel: CancellationToken) -> Self {
        Self {
            lines: watch::Sender::new(Lines::default()),
            told: AtomicUsize::new(0),
            ended: watch::Sender::new(None),
            cancel,
        }
    }

    pub(crate) fn say(&self, line: &str) {
        self.lines.send_modify(|lines| lines.push(line));
    }

    pub(crate) fn close(&self, ended: Ended<T>) {
        self.ended.send_replace(Some(Arc::new(ended)));
    }

    /// How it ended; `None` while it is at work.
    #[must_use]
    pub fn ended(&self) -> Option<Arc<Ended<T>>> {
        self.ended.borrow().clone()
    }

    /// What was said last.
    #[must_use]
    pub fn last_line(&self) -> Option<String> {
        self.lines.borrow().last().map(str::to_owned)
    }

    /// Everything that is said, from the beginning, and how it ended.
    #[must_use]
    pub fn follow(&self) -> Follower<T> {
        Follower { lines: self.lines.subscribe(), ended: self.ended.subscribe(), seen: 0 }
    }

    /// Takes it back and waits until it has ended, which it may have done otherwise meanwhile.
    pub async fn end(&self) -> Arc<Ended<T>> {
        self.cancel.cancel();
        let mut follower = self.follow();
        loop {
            if let News::Over(ended) = follower.next().await {
                return ended;
            }
        }
    }

    /// The same for a caller who comes later: the messages not reported yet, but at least the latest.
    fn follow_on(&self) -> Follower<T> {
        let follower = self.follow();
        let latest = follower.lines.borrow().count().saturating_sub(1);
        Follower { seen: self.told.load(Ordering::Relaxed).min(latest), ..follower }
    }

    /// Waits for its end, passing on what it says; `None` when the time is over or a caller who only waits is gone.
    pub(crate) async fn wait(
        &self,
        within: Duration,
        role: Role,
        call: &Call,
        conceal: &PathRedaction,
    ) -> Option<Arc<Ended<T>>> {
        let mut follower = self.follow_on();
        let late = tokio::time::sleep(within);
        tokio::pin!(late);
        loop {
            tokio::select! {
                news = follower.next() => match news {
                    News::Said(lines) => {
                        let before = follower.seen - lines.len();
                        for (index, line) in lines.iter().enumerate() {
                            call.reporter.say_as(before + index + 1, &conceal.everything(line)).await;
                        }
                        self.told.fetch_max(follower.seen, Ordering::Relaxed);
                    }
                    News::Over(over) => return Some(over),
                },
                () = &mut late => return None,
                () = call.taken_back() => return match role {
                    Role::Began => Some(self.end().await),
                    Role::Waits => None,
                },
                () = call.unheard.cancelled() => return match role {
                    // The call was taken back before its connection ended.
                    Role::Began if call.cancelled.is_cancelled() => Some(self.end().await),
                    Role::Began | Role::Waits => None,
                },
            }
        }
    }
}

/// Who takes work back by taking back a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The caller that began the work.
    Began,
    /// A caller that only waits for it.
    Waits,
}

/// What is new about work.
#[derive(Debug)]
pub enum News<T> {
    /// This was said.
    Said(Vec<String>),
    /// It ended, and nothing more is said.
    Over(Arc<Ended<T>>),
}

/// A listener of some work.
pub struct Follower<T> {
    lines: watch::Receiver<Lines>,
    ended: watch::Receiver<Option<Arc<Ended<T>>>>,
    seen: usize,
}

impl<T> Follower<T> {
    /// Waits for the next news. Nothing is lost when this is dropped before it is ready.
    pub async fn next(&mut self) -> News<T> {
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
                return News::Over(Arc::new(Ended::Failed(Failure::new("the work was forgotten"))));
            }
        }
    }
}
