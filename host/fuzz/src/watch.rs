//! The text that is being read, in a file, for when the process ends or stands still.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A text of 64 KB is read in some milliseconds; unoptimised, on a machine that does other things, in a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// Writes down what is read, and ends the process when one text takes too long.
pub(crate) struct Watch {
    file: PathBuf,
    read: Arc<AtomicU64>,
}

impl Watch {
    pub(crate) fn start(name: &str) -> Self {
        let file = std::env::temp_dir().join(format!("bailiwick-fuzz-{name}-{}", std::process::id()));
        let read = Arc::new(AtomicU64::new(0));
        let (watched, shown) = (Arc::downgrade(&read), file.clone());
        std::thread::spawn(move || {
            let mut before = u64::MAX;
            while let Some(read) = watched.upgrade() {
                let now = read.load(Ordering::Relaxed);
                if now == before {
                    tell(&format!("a text takes longer than {PATIENCE:?}: {}", shown.display()));
                    std::process::abort();
                }
                before = now;
                drop(read);
                std::thread::sleep(PATIENCE);
            }
        });
        Self { file, read }
    }

    pub(crate) fn file(&self) -> String {
        self.file.display().to_string()
    }

    /// Says what is read next.
    pub(crate) fn next(&self, text: &[u8]) {
        self.read.fetch_add(1, Ordering::Relaxed);
        if let Err(error) = fs::write(&self.file, text) {
            panic!("`{}` cannot be written: {error}", self.file());
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // A reader that panics prints the text.
        let _ = fs::remove_file(&self.file);
    }
}

/// Prints a message to a person who waits at a terminal.
#[expect(clippy::print_stderr, reason = "a test has no other way to say how far it is")]
pub(crate) fn tell(what: &str) {
    eprintln!("fuzz: {what}");
}
