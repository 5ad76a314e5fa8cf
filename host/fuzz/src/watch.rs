//! The text that is being read, in a file, for when the process ends or stands still.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A text of 64 KB is read in some milliseconds; unoptimised, on a machine that does other things, in a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// Writes down what is read, and ends the process when one text takes too long.
pub(crate) struct Watch {
    file: PathBuf,
    read: Arc<AtomicU64>,
    kept: AtomicBool,
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
        Self { file, read, kept: AtomicBool::new(false) }
    }

    pub(crate) fn file(&self) -> String {
        self.file.display().to_string()
    }

    /// Says what is read next.
    pub(crate) fn next(&self, text: &[u8]) {
        self.read.fetch_add(1, Ordering::Relaxed);
        self.write(text);
    }

    /// Leaves a text in the file when this is dropped, byte for byte: it belongs into the corpus.
    pub(crate) fn keep(&self, text: &[u8]) {
        self.write(text);
        self.kept.store(true, Ordering::Relaxed);
    }

    fn write(&self, text: &[u8]) {
        if let Err(error) = fs::write(&self.file, text) {
            panic!("`{}` cannot be written: {error}", self.file());
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.kept.load(Ordering::Relaxed) {
            let _ = fs::remove_file(&self.file);
        }
    }
}

/// Prints a message to a person who waits at a terminal.
#[expect(clippy::print_stderr, reason = "a test has no other way to say how far it is")]
pub(crate) fn tell(what: &str) {
    eprintln!("fuzz: {what}");
}
