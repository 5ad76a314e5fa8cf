//! Bounded views of an unbounded stream: the kept head and tail, and lines.

use std::collections::VecDeque;

use crate::outcome::Captured;

/// Longest line handed to a caller, in bytes. The rest of a longer one is left out there; the capture keeps it.
pub(crate) const LINE_BYTES: usize = 8 * 1024;

/// Keeps the first and the last half of `limit` bytes of all that is pushed.
#[derive(Debug)]
pub(crate) struct Capture {
    head: Vec<u8>,
    head_limit: usize,
    tail: VecDeque<u8>,
    tail_limit: usize,
    omitted: u64,
}

impl Capture {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            head: Vec::new(),
            head_limit: limit / 2,
            tail: VecDeque::new(),
            tail_limit: limit - limit / 2,
            omitted: 0,
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.head_limit - self.head.len()));
        self.head.extend_from_slice(first);
        let (skipped, last) = rest.split_at(rest.len().saturating_sub(self.tail_limit));
        let overflow = (self.tail.len() + last.len()).saturating_sub(self.tail_limit);
        self.tail.drain(..overflow);
        self.tail.extend(last);
        self.omitted += (skipped.len() + overflow) as u64;
    }

    pub(crate) fn finish(mut self) -> Captured {
        let mut omitted_bytes = self.omitted;
        if omitted_bytes > 0 {
            // The two cuts may have split characters; what is left of those counts as omitted too.
            while self.tail.front().is_some_and(|byte| is_continuation(*byte)) {
                self.tail.pop_front();
                omitted_bytes += 1;
            }
            omitted_bytes += drop_cut_character(&mut self.head) as u64;
        }
        let (front, back) = self.tail.as_slices();
        let text = if omitted_bytes == 0 {
            self.head.extend_from_slice(front);
            self.head.extend_from_slice(back);
            String::from_utf8_lossy(&self.head).into_owned()
        } else {
            format!(
                "{}\n[{omitted_bytes} bytes omitted]\n{}",
                String::from_utf8_lossy(&self.head),
                String::from_utf8_lossy(&[front, back].concat())
            )
        };
        Captured { text, omitted_bytes }
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// Removes an unfinished character from the end and returns how many bytes that were.
fn drop_cut_character(bytes: &mut Vec<u8>) -> usize {
    let back = bytes.iter().rev().take(3).position(|byte| !is_continuation(*byte));
    let Some(back) = back else {
        return 0;
    };
    let present = back + 1;
    // The first byte of a character says in its leading ones how many bytes it has.
    let needed = bytes[bytes.len() - present].leading_ones() as usize;
    if needed <= present {
        return 0;
    }
    bytes.truncate(bytes.len() - present);
    present
}

/// Cuts a byte stream into lines without their ends, none longer than [`LINE_BYTES`].
#[derive(Debug, Default)]
pub(crate) struct Lines {
    line: Vec<u8>,
    cut: bool,
}

impl Lines {
    pub(crate) fn push(&mut self, bytes: &[u8], emit: &mut dyn FnMut(&str)) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, ended) = match piece.split_last() {
                Some((b'\n', text)) => (text, true),
                _ => (piece, false),
            };
            let room = LINE_BYTES - self.line.len();
            self.cut |= text.len() > room;
            self.line.extend_from_slice(&text[..text.len().min(room)]);
            if ended {
                self.emit(emit);
            }
        }
    }

    /// Hands over a last line that has no end.
    pub(crate) fn finish(&mut self, emit: &mut dyn FnMut(&str)) {
        if !self.line.is_empty() {
            self.emit(emit);
        }
    }

    fn emit(&mut self, emit: &mut dyn FnMut(&str)) {
        if self.cut {
            drop_cut_character(&mut self.line);
            self.line.extend_from_slice("…".as_bytes());
        } else if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        emit(&String::from_utf8_lossy(&self.line));
        self.line.clear();
        self.cut = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{Capture, LINE_BYTES, Lines};
    use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

    fn lines_of(chunks: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        let mut seen = Vec::new();
        for chunk in chunks {
            lines.push(chunk, &mut |line| seen.push(line.to_owned()));
        }
        lines.finish(&mut |line| seen.push(line.to_owned()));
        seen
    }

    #[test]
    fn character_split_between_reads_is_one_character() {
        assert_eq!(lines_of(&[b"na\xc3", b"\xafve\r\nx"]), ["naïve", "x"]);
    }

    #[test]
    fn invalid_bytes_are_replaced_and_neighbours_stay() {
        assert_eq!(lines_of(&[b"a\xffb\n\n"]), ["a\u{fffd}b", ""]);
    }

    #[test]
    fn line_over_the_limit_is_cut_once_and_the_next_is_whole() {
        let long = vec![b'x'; LINE_BYTES * 3];
        let seen = lines_of(&[&long, b"\nnext\n"]);
        assert_eq!(seen.len(), 2);
        assert_eq!(seen[0].len(), LINE_BYTES + "…".len());
        assert_eq!(seen[1], "next");
    }

    #[test]
    fn cuts_inside_characters_leave_valid_text_and_are_counted() {
        let mut capture = Capture::new(8);
        capture.push("aéïbbbbbbïccc".as_bytes());
        let captured = capture.finish();
        assert_eq!(captured.text, "aé\n[10 bytes omitted]\nccc");
        assert_eq!(captured.omitted_bytes, 10);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn capture_keeps_all_or_exactly_head_and_tail(
            chunks in proptest::collection::vec(proptest::collection::vec(0x20_u8..0x7f, 0..40), 0..12),
            limit in 0_usize..120,
        ) {
            let all = chunks.concat();
            let mut capture = Capture::new(limit);
            for chunk in &chunks { capture.push(chunk); }
            let captured = capture.finish();
            prop_assert_eq!(captured.omitted_bytes, all.len().saturating_sub(limit) as u64);
            if all.len() <= limit {
                prop_assert_eq!(captured.text.as_bytes(), &all[..]);
            } else {
                let (head, tail) = (limit / 2, limit - limit / 2);
                let text = captured.text.as_bytes();
                prop_assert!(text.starts_with(&all[..head]));
                prop_assert!(text.ends_with(&all[all.len() - tail..]));
            }
        }

        #[test]
        fn lines_do_not_depend_on_how_the_stream_was_read(
            bytes in proptest::collection::vec(any::<u8>(), 0..200), at in 0_usize..200,
        ) {
            let (left, right) = bytes.split_at(at.min(bytes.len()));
            prop_assert_eq!(lines_of(&[left, right]), lines_of(&[&bytes]));
        }
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    use super::{Capture, LINE_BYTES, Lines};

    /// What a child prints, in pieces as the pipe gives them.
    #[test]
    fn outputs() {
        const WORDS: &[&str] = &["\n", "\r\n", "\u{1f600}", "\u{0}", "x", "\u{1b}[2J"];
        Target { name: "outputs", words: WORDS }.run(|bytes| {
            let first = usize::from(bytes.first().copied().unwrap_or(1)).max(1);
            let (mut lines, mut capture, mut seen) = (Lines::default(), Capture::new(first), Vec::new());
            for piece in bytes.chunks(first) {
                lines.push(piece, &mut |line| seen.push(line.to_owned()));
                capture.push(piece);
            }
            lines.finish(&mut |line| seen.push(line.to_owned()));
            // A byte that is not valid UTF-8 becomes three.
            assert!(seen.iter().all(|line| line.len() <= 3 * LINE_BYTES + 3 && !line.contains('\n')));
            let mut whole = Vec::new();
            let mut at_once = Lines::default();
            at_once.push(bytes, &mut |line| whole.push(line.to_owned()));
            at_once.finish(&mut |line| whole.push(line.to_owned()));
            assert_eq!(seen, whole, "lines depend on how they arrive");
            let captured = capture.finish();
            assert!(captured.omitted_bytes <= bytes.len() as u64);
            assert_eq!(captured.omitted_bytes == 0, captured.text == String::from_utf8_lossy(bytes));
        });
    }
}
