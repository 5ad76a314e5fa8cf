//! Type annotations, as a small tree that quotes do not matter in.

/// An annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Annotation {
    /// A dotted name.
    Name(String),
    /// `Head[a, b]`.
    Generic(String, Vec<Annotation>),
    /// `a | b`.
    Union(Vec<Annotation>),
    /// Anything else: a call, a literal, a list of argument types.
    Other,
}

impl Annotation {
    /// Reads an annotation from its source text.
    pub(crate) fn parse(text: &str) -> Self {
        let mut reader = Reader { characters: text.chars().collect(), at: 0, depth: 0 };
        let found = reader.union();
        reader.space();
        if reader.at == reader.characters.len() { found } else { Self::Other }
    }
}

struct Reader {
    characters: Vec<char>,
    at: usize,
    depth: usize,
}

/// Annotations nested deeper than this are not read.
const DEEPEST: usize = 32;

impl Reader {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn space(&mut self) {
        // Quotes of forward references count as space, so that `"A[B]"` and `A["B"]` read like `A[B]`.
        while self.peek().is_some_and(|c| c.is_whitespace() || c == '"' || c == '\'') {
            self.at += 1;
        }
    }

    fn takes(&mut self, wanted: char) -> bool {
        self.space();
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn union(&mut self) -> Annotation {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Annotation::Other;
        }
        let mut parts = vec![self.one()];
        while self.takes('|') {
            parts.push(self.one());
        }
        self.depth -= 1;
        if parts.len() == 1 { parts.remove(0) } else { Annotation::Union(parts) }
    }

    fn one(&mut self) -> Annotation {
        self.space();
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.') {
            self.at += 1;
        }
        let name: String = self.characters[start..self.at].iter().collect();
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Annotation::Other;
        }
        if !self.takes('[') {
            return Annotation::Name(name);
        }
        // What `Literal` holds are values, whatever they look like.
        if name.rsplit('.').next() == Some("Literal") {
            self.skip_bracket();
            return Annotation::Other;
        }
        let mut arguments = Vec::new();
        loop {
            if self.takes(']') {
                return Annotation::Generic(name, arguments);
            }
            arguments.push(if self.takes('[') {
                self.skip_bracket();
                Annotation::Other
            } else {
                self.union()
            });
            if !self.takes(',') {
                return if self.takes(']') { Annotation::Generic(name, arguments) } else { Annotation::Other };
            }
        }
    }

    /// Goes behind the bracket that closes the one just taken.
    fn skip_bracket(&mut self) {
        let mut depth = 1;
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(text: &str) -> Annotation {
        Annotation::Name(text.into())
    }

    #[test]
    fn annotations_are_read_through_quotes() {
        let optional = Annotation::Generic("Optional".into(), vec![name("Widget")]);
        for text in ["Optional[Widget]", "\"Optional[Widget]\"", "Optional[\"Widget\"]", " Optional[ Widget ] "] {
            assert_eq!(Annotation::parse(text), optional, "{text}");
        }
        assert_eq!(Annotation::parse("Widget | None"), Annotation::Union(vec![name("Widget"), name("None")]));
        assert_eq!(Annotation::parse("_models.Widget"), name("_models.Widget"));
        assert_eq!(Annotation::parse("Literal[\"Widget\"]"), Annotation::Other);
        assert_eq!(
            Annotation::parse("Callable[[Widget], str]"),
            Annotation::Generic("Callable".into(), vec![Annotation::Other, name("str")])
        );
        assert_eq!(Annotation::parse("f(x)"), Annotation::Other);
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "[A-Za-z\\[\\]|,.\"' ]{0,60}") {
            let _ = Annotation::parse(&text);
        }
    }
}
