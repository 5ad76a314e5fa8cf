//! Where the time of a piece of work goes: named spans, measured from its beginning.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Spans of one piece of work. Clones add to the same spans.
#[derive(Debug, Clone)]
pub struct Timeline {
    began: Instant,
    spans: Arc<Mutex<Vec<Span>>>,
}

/// Who works in a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The host, or the programs that it waits for meanwhile.
    Host,
    /// A program that the host started.
    Program,
}

/// A part of the work. Spans may lie inside others and beside others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// What was done.
    pub name: Cow<'static, str>,
    /// Who did it.
    pub by: By,
    /// From the beginning of the work.
    pub start: Duration,
    /// How long it took; `None` while it goes on.
    pub length: Option<Duration>,
}

impl Timeline {
    /// One whose work begins now.
    #[must_use]
    pub fn begin() -> Self {
        Self { began: Instant::now(), spans: Arc::default() }
    }

    /// Since the work began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// A span that lasts until what is returned is dropped.
    pub fn span(&self, name: impl Into<Cow<'static, str>>, by: By) -> Open {
        let start = self.elapsed();
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        spans.push(Span { name: name.into(), by, start, length: None });
        Open { timeline: self.clone(), number: spans.len() - 1 }
    }

    /// All spans, in the order in which they began.
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How long at least one program worked so far. Two at once count once.
    #[must_use]
    pub fn by_programs(&self) -> Duration {
        let now = self.elapsed();
        let spans = self.spans();
        let mut times: Vec<(Duration, Duration)> = spans
            .iter()
            .filter(|span| span.by == By::Program)
            .map(|span| (span.start, span.length.map_or(now, |length| span.start + length)))
            .collect();
        times.sort();
        let (mut total, mut reached) = (Duration::ZERO, Duration::ZERO);
        for (start, end) in times {
            total += end.saturating_sub(start.max(reached));
            reached = reached.max(end);
        }
        total
    }
}

/// A span that goes on until this is dropped.
#[derive(Debug)]
#[must_use]
pub struct Open {
    timeline: Timeline,
    number: usize,
}

impl Drop for Open {
    fn drop(&mut self) {
        let now = self.timeline.elapsed();
        let mut spans = self.timeline.spans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(span) = spans.get_mut(self.number) {
            span.length = Some(now.saturating_sub(span.start));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_millis(20);

    #[test]
    fn time_of_programs_that_run_at_once_counts_once_and_that_of_the_host_does_not() {
        let timeline = Timeline::begin();
        let host = timeline.span("build", By::Host);
        std::thread::sleep(PAUSE);
        let (one, other) = (timeline.span("import", By::Program), timeline.clone().span("mypy", By::Program));
        std::thread::sleep(PAUSE);
        drop(one);
        std::thread::sleep(PAUSE);
        drop(other);
        drop(host);
        let (spans, programs) = (timeline.spans(), timeline.by_programs());
        assert_eq!(spans.iter().map(|span| span.name.as_ref()).collect::<Vec<_>>(), ["build", "import", "mypy"]);
        let length = |number: usize| spans[number].length.unwrap();
        assert!(programs >= PAUSE * 2 && programs < length(1) + length(2), "{programs:?} {spans:?}");
        assert!(length(0) >= programs + PAUSE, "{spans:?}");
    }

    #[test]
    fn program_that_goes_on_counts_until_now() {
        let timeline = Timeline::begin();
        let _open = timeline.span("node", By::Program);
        std::thread::sleep(PAUSE);
        assert!(timeline.by_programs() >= PAUSE);
        assert_eq!(timeline.spans()[0].length, None);
    }
}
