//! Cuts a stream of bytes into its pieces.

// A server of models writes the answer.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use crate::wire::Framing;

/// Cuts bytes into pieces, however they come apart on the way: within a line end, within a character.
pub(crate) struct Frames {
    framing: Framing,
    /// The line that is not at its end yet.
    line: Vec<u8>,
    /// The data of the event that is not at its end yet.
    data: Option<Vec<u8>>,
    /// A `\n` that follows belongs to the line end before it.
    after_return: bool,
}

impl Frames {
    pub(crate) fn new(framing: Framing) -> Self {
        Self { framing, line: Vec::new(), data: None, after_return: false }
    }

    /// Takes in bytes and gives out every piece that is at its end.
    pub(crate) fn take(&mut self, bytes: &[u8], mut piece: impl FnMut(&[u8])) {
        for &byte in bytes {
            let second = std::mem::replace(&mut self.after_return, byte == b'\r') && byte == b'\n';
            match byte {
                _ if second => {}
                b'\n' | b'\r' => self.end_of_line(&mut piece),
                byte => self.line.push(byte),
            }
        }
    }

    /// Gives out what stands there when no more bytes come: a server may leave out the last line end, and what was cut
    /// off is no JSON.
    pub(crate) fn end(&mut self, mut piece: impl FnMut(&[u8])) {
        self.end_of_line(&mut piece);
        if self.framing == Framing::Events {
            self.end_of_line(&mut piece);
        }
    }

    fn end_of_line(&mut self, piece: &mut impl FnMut(&[u8])) {
        let line = std::mem::take(&mut self.line);
        match self.framing {
            Framing::Lines if line.trim_ascii().is_empty() => {}
            Framing::Lines => piece(line.trim_ascii()),
            Framing::Events if line.is_empty() => {
                if let Some(data) = self.data.take() {
                    piece(data.trim_ascii());
                }
            }
            // The names of events are repeated in their data; comments and everything else mean nothing here.
            Framing::Events => {
                if let Some(more) = line.strip_prefix(b"data:") {
                    let data = self.data.get_or_insert_default();
                    if !data.is_empty() {
                        data.push(b'\n');
                    }
                    data.extend_from_slice(more.strip_prefix(b" ").unwrap_or(more));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(framing: Framing, chunks: &[&[u8]]) -> Vec<String> {
        let mut frames = Frames::new(framing);
        let mut pieces = Vec::new();
        for chunk in chunks {
            frames.take(chunk, |piece| pieces.push(String::from_utf8(piece.to_vec()).unwrap()));
        }
        pieces
    }

    #[test]
    fn events_are_the_same_wherever_the_bytes_come_apart() {
        for end in ["\n", "\r\n", "\r"] {
            let text =
                [": hello", "", "event: a", "data: {\"ä\":1}", "", "data: x", "data:y", "", "", "data: [DONE]", "", ""];
            let text = text.join(end);
            let expected = ["{\"ä\":1}", "x\ny", "[DONE]"];
            assert_eq!(pieces(Framing::Events, &[text.as_bytes()]), expected, "{end:?}");
            for at in 0..text.len() {
                let (before, after) = text.as_bytes().split_at(at);
                assert_eq!(pieces(Framing::Events, &[before, after]), expected, "{end:?} at {at}");
            }
            let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(pieces(Framing::Events, &bytes), expected, "{end:?}");
        }
    }

    #[test]
    fn piece_without_its_end_is_given_out_at_the_end_alone() {
        for (framing, text) in [(Framing::Events, "data: {}"), (Framing::Events, "data: {}\n"), (Framing::Lines, "{}")]
        {
            assert!(pieces(framing, &[text.as_bytes()]).is_empty(), "{text:?}");
            let mut frames = Frames::new(framing);
            let mut pieces = Vec::new();
            frames.take(text.as_bytes(), |_| panic!("{text:?}"));
            frames.end(|piece| pieces.push(piece.to_vec()));
            assert_eq!(pieces, [b"{}"], "{text:?}");
        }
        assert_eq!(pieces(Framing::Lines, &[b"{}\r\n\n {} \n{"]), ["{}", "{}"]);
    }
}
