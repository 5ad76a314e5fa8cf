//! Says at a terminal how long the step has taken that the last line names, and how far it has come: in a line that is rewritten
//! each second and taken away before anything else is printed. Elsewhere the line that names the step is all there is.

use crate::output;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the line is rewritten.
const TICK: Duration = Duration::from_secs(1);

/// A step that ends sooner shows no such line.
const PATIENCE: Duration = Duration::from_secs(2);

struct Step {
    since: Instant,
    /// How far it has come. May be empty.
    come: String,
}

static STEP: Mutex<Option<Step>> = Mutex::new(None);

fn step() -> MutexGuard<'static, Option<Step>> {
    STEP.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The step that the last line names has begun. Does nothing where lines cannot be replaced.
pub(crate) fn begin() {
    static TICKER: Once = Once::new();
    if output::can_replace_lines() {
        *step() = Some(Step { since: Instant::now(), come: String::new() });
        TICKER.call_once(|| drop(thread::spawn(tick)));
    }
}

/// How far the step has come.
pub(crate) fn come(text: &str) {
    if let Some(step) = step().as_mut() {
        text.clone_into(&mut step.come);
    }
}

/// Nothing is waited for any more. From here on the line is not written.
pub(crate) fn end() {
    step().take();
}

fn tick() {
    loop {
        thread::sleep(TICK);
        // Held while it is written, so that nothing is written after the end.
        if let Some(step) = step().as_ref()
            && let Some(line) = line(step.since.elapsed(), &step.come)
        {
            output::replace(&line);
        }
    }
}

fn line(elapsed: Duration, come: &str) -> Option<String> {
    let seconds = elapsed.as_secs();
    let time = if seconds < 60 { format!("{seconds} s") } else { format!("{} min {} s", seconds / 60, seconds % 60) };
    let come = if come.is_empty() { String::new() } else { format!(", {come}") };
    (elapsed >= PATIENCE).then(|| format!("  … {time}{come}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_that_takes_long_says_how_long_and_how_far_it_has_come() {
        assert_eq!(line(Duration::from_secs(1), "3 MB"), None);
        assert_eq!(line(Duration::from_secs(2), "").as_deref(), Some("  … 2 s"));
        assert_eq!(line(Duration::from_secs(83), "3 of 40 MB").as_deref(), Some("  … 1 min 23 s, 3 of 40 MB"));
    }
}
