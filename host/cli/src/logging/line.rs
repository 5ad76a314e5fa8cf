//! The way to stderr: one event, one line, and nothing in it that a terminal would obey.

use crate::arguments::LogFormat;
use crate::pipeline::{Kind, Reader, escape_commands};
use crate::secrets;
use bailiwick_audit::{plain_json, printable};
use std::borrow::Cow;
use std::io::{self, Write};
use tracing_subscriber::fmt::MakeWriter;

/// Makes a writer for each event.
pub(super) struct Stderr(pub(super) LogFormat);

/// Collects an event and writes it when it is whole.
pub(super) struct Line {
    format: LogFormat,
    bytes: Vec<u8>,
}

impl<'a> MakeWriter<'a> for Stderr {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line { format: self.0, bytes: Vec::new() }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if !self.bytes.is_empty() {
            // A log that cannot be written must not end the work.
            let shown = shown(self.format, &self.bytes);
            let _ = io::stderr().lock().write_all(secrets::hidden(&shown).as_bytes());
        }
    }
}

/// The event on one line. Names, paths and errors in it may come from a tool, a file or a model: an end of line would
/// let them pretend to be another event.
fn shown(format: LogFormat, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let plain = match format {
        LogFormat::Text => printable(text),
        LogFormat::Json => plain_json(text),
    };
    let kind = match format {
        LogFormat::Text => Kind::Text,
        LogFormat::Json => Kind::Json,
    };
    let plain = escape_commands(&plain, Reader::of_this_process(), kind).map_or(plain, Cow::Owned);
    format!("{plain}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};
    use tracing_subscriber::Layer as _;
    use tracing_subscriber::layer::SubscriberExt as _;

    /// Clears a terminal, sets its title, forges an event, turns the order of text round.
    const HOSTILE: &str = "a\u{1b}[2J\u{1b}]0;b\u{7}\r\n2026-01-01T00:00:00Z  INFO forged\u{9b}31m\u{202e}\u{2028}c\0";

    /// Keeps what `shown` makes of each event.
    #[derive(Clone)]
    struct Kept(LogFormat, Arc<Mutex<String>>);

    struct Keeping(Line, Arc<Mutex<String>>);

    impl<'a> MakeWriter<'a> for Kept {
        type Writer = Keeping;

        fn make_writer(&'a self) -> Keeping {
            Keeping(Stderr(self.0).make_writer(), self.1.clone())
        }
    }

    impl Write for Keeping {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Drop for Keeping {
        fn drop(&mut self) {
            let bytes = std::mem::take(&mut self.0.bytes);
            self.1.lock().unwrap().push_str(&shown(self.0.format, &bytes));
        }
    }

    /// Logs hostile text in every way there is, and gives the lines.
    fn logged(format: LogFormat) -> Vec<String> {
        let kept = Kept(format, Arc::default());
        let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(kept.clone());
        let layer = match format {
            LogFormat::Text => layer.boxed(),
            LogFormat::Json => layer.json().flatten_event(true).boxed(),
        };
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let span = tracing::info_span!("span", text = HOSTILE, shown = %HOSTILE, later = tracing::field::Empty);
            span.record("later", tracing::field::display(HOSTILE));
            let _within = span.enter();
            tracing::info!(text = HOSTILE, shown = %HOSTILE, debug = ?HOSTILE, "message");
            tracing::info!("{HOSTILE}");
        });
        kept.1.lock().unwrap().lines().map(str::to_owned).collect()
    }

    fn harmless(line: &str) -> bool {
        !line.chars().any(|c| c.is_control() || matches!(c, '\u{2028}'..='\u{202e}'))
    }

    #[test]
    fn hostile_text_stays_on_its_line_and_reaches_no_terminal_raw() {
        let lines = logged(LogFormat::Text);
        assert_eq!(lines.len(), 2, "{lines:#?}");
        assert!(lines.iter().all(|line| harmless(line)), "{lines:#?}");
        assert!(lines[1].contains("forged"), "{lines:#?}");
    }

    #[test]
    fn json_lines_parse_one_by_one_and_mean_what_was_logged() {
        let lines = logged(LogFormat::Json);
        assert_eq!(lines.len(), 2, "{lines:#?}");
        assert!(lines.iter().all(|line| harmless(line)), "{lines:#?}");
        let event: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!((&event["text"], &event["shown"]), (&HOSTILE.into(), &HOSTILE.into()));
        assert_eq!(event["message"], "message");
        assert_eq!(event["spans"][0]["later"], HOSTILE);
        let event: serde_json::Value = serde_json::from_str(&lines[1]).unwrap();
        assert_eq!(event["message"], HOSTILE);
    }
}
