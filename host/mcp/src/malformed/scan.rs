//! The id of a message of any length, found while it passes by and without keeping it.

use rmcp::model::RequestId;

/// The longest id, and the longest name of a member that is looked at, in bytes.
const LONGEST: usize = 256;

/// Where in a message the next byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Between values, names and punctuation.
    Between,
    /// In a text.
    Text,
    /// In a text, after a backslash.
    Escaped,
}

/// What the next value of the outermost object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member {
    /// A name comes next.
    Name,
    /// The value of `id`.
    Id,
    /// Any other value.
    Other,
}

/// A message that passes by. What it says holds for text that is JSON; of anything else it says something.
#[derive(Debug)]
pub(crate) struct Scan {
    place: Place,
    member: Member,
    first: Option<u8>,
    depth: usize,
    deepest: usize,
    /// A name or the value of `id`, as it is written.
    kept: Vec<u8>,
    id: Option<Vec<u8>>,
    has_method: bool,
}

impl Default for Scan {
    fn default() -> Self {
        Self {
            place: Place::Between,
            member: Member::Name,
            first: None,
            depth: 0,
            deepest: 0,
            kept: Vec::new(),
            id: None,
            has_method: false,
        }
    }
}

impl Scan {
    /// The next bytes of the message.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.take(*byte);
        }
    }

    /// Whether it is an object.
    pub(crate) fn is_object(&self) -> bool {
        self.first == Some(b'{')
    }

    /// Whether it is a list.
    pub(crate) fn is_array(&self) -> bool {
        self.first == Some(b'[')
    }

    /// How deep its values lie within each other.
    pub(crate) fn deepest(&self) -> usize {
        self.deepest
    }

    /// Whether there is a method.
    pub(crate) fn has_method(&self) -> bool {
        self.has_method
    }

    /// Whether there is an id, of whatever kind.
    pub(crate) fn has_id(&self) -> bool {
        self.id.is_some()
    }

    /// The id, if it is one that a request may have.
    pub(crate) fn id(&self) -> Option<RequestId> {
        let id = self.id.as_ref().filter(|id| id.len() <= LONGEST)?;
        serde_json::from_slice(id).ok()
    }

    fn take(&mut self, byte: u8) {
        let outermost = self.depth == 1 && self.is_object();
        match self.place {
            Place::Escaped => {
                self.place = Place::Text;
                self.keep(outermost, byte);
            }
            Place::Text => {
                self.keep(outermost, byte);
                match byte {
                    b'\\' => self.place = Place::Escaped,
                    b'"' => self.place = Place::Between,
                    _ => {}
                }
            }
            Place::Between => self.between(outermost, byte),
        }
    }

    fn between(&mut self, outermost: bool, byte: u8) {
        if self.first.is_none() && !byte.is_ascii_whitespace() && byte != 0xef && byte != 0xbb && byte != 0xbf {
            self.first = Some(byte);
        }
        match byte {
            b'"' => {
                self.place = Place::Text;
                self.keep(outermost, byte);
            }
            b':' if outermost && self.member == Member::Name => {
                self.member = match self.kept.as_slice() {
                    b"\"id\"" => Member::Id,
                    b"\"method\"" => {
                        self.has_method = true;
                        Member::Other
                    }
                    _ => Member::Other,
                };
                self.kept.clear();
            }
            b',' if outermost => self.end_of_member(),
            b'{' | b'[' => {
                // An id that is an object or array is present but invalid.
                self.keep(outermost, byte);
                self.depth = self.depth.saturating_add(1);
                self.deepest = self.deepest.max(self.depth);
            }
            b'}' | b']' => {
                if outermost {
                    self.end_of_member();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            byte if byte.is_ascii_whitespace() => {}
            byte => self.keep(outermost, byte),
        }
    }

    fn end_of_member(&mut self) {
        let kept = std::mem::take(&mut self.kept);
        if self.member == Member::Id {
            self.id = Some(kept);
        }
        self.member = Member::Name;
    }

    /// One byte more than the longest, so that it is seen to be too long.
    fn keep(&mut self, outermost: bool, byte: u8) {
        if outermost && self.member != Member::Other && self.kept.len() <= LONGEST {
            self.kept.push(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(message: &str) -> Option<RequestId> {
        let mut whole = Scan::default();
        whole.feed(message.as_bytes());
        let mut pieces = Scan::default();
        message.as_bytes().chunks(3).for_each(|piece| pieces.feed(piece));
        assert_eq!(whole.id(), pieces.id(), "{message}");
        whole.id()
    }

    #[test]
    fn id_is_found_wherever_it_stands_and_only_outside() {
        for message in [
            r#"{"id":7,"method":"a","params":{"id":8}}"#,
            r#"{"method":"a","params":{"id":8,"x":[{"id":9}]},"jsonrpc":"2.0","id":7}"#,
            r#"{ "method" : "a" , "params" : { "x" : "\"id\":9}" } , "id" : 7 }"#,
            r#"{"method":"\",\"id\":5,\"x\":\"","id":7}"#,
            r#"{"params":"{\\","id":7,"method":"id"}"#,
        ] {
            assert_eq!(id(message), Some(RequestId::Number(7)), "{message}");
        }
        assert_eq!(id(r#"{"id":"a\"b,}","method":"a"}"#), Some(RequestId::String("a\"b,}".into())));
        for message in [
            r#"{"method":"a","params":{"id":8}}"#,
            r#"[{"id":8}]"#,
            r#"{"id":null}"#,
            r#"{"id":[7]}"#,
            r#"{"id":1.5}"#,
            r#"{"Id":7}"#,
            r#""id":7"#,
        ] {
            assert_eq!(id(message), None, "{message}");
        }
        assert_eq!(id(&format!(r#"{{"id":"{}"}}"#, "x".repeat(400))), None);
    }

    #[test]
    fn depth_does_not_need_a_stack() {
        let mut scan = Scan::default();
        scan.feed("[".repeat(1 << 20).as_bytes());
        assert_eq!(scan.deepest(), 1 << 20);
    }
}
