//! Writing an answer as JSON.

use crate::Schema;
use crate::escape::write_string;
use crate::schema::camel_case;
use std::fmt::Write;
use std::num::NonZeroU32;

/// A type that can be (part of) an answer; [`output!`](crate::output) declares one.
pub trait Output: Schema + Sized {
    /// Appends this value's JSON. The value is used up, so that one that has its JSON already can hand it over.
    fn write_json(self, out: &mut String);

    /// Whether an object leaves the property out.
    fn is_absent(&self) -> bool {
        false
    }

    /// About how many bytes the JSON has; an answer that fits is written without growing the buffer.
    fn size_hint(&self) -> usize {
        16
    }

    /// This value's JSON.
    fn to_json(self) -> String {
        let mut out = String::with_capacity(self.size_hint());
        self.write_json(&mut out);
        out
    }
}

impl Output for String {
    fn write_json(self, out: &mut String) {
        write_string(&self, out);
    }

    fn size_hint(&self) -> usize {
        self.as_str().size_hint()
    }
}

impl Output for &str {
    fn write_json(self, out: &mut String) {
        write_string(self, out);
    }

    fn size_hint(&self) -> usize {
        // Source text has about one character to escape, mostly the line feed, in sixteen.
        self.len() + self.len() / 8 + 64
    }
}

impl Output for bool {
    fn write_json(self, out: &mut String) {
        out.push_str(if self { "true" } else { "false" });
    }
}

macro_rules! number {
    ($($type:ty),*) => {
        $(impl Output for $type {
            fn write_json(self, out: &mut String) {
                // Writing to a string cannot fail.
                let _ = write!(out, "{self}");
            }
        })*
    };
}

number!(u32, u64, i64, NonZeroU32);

/// JSON has no infinity and no NaN; those are `null`, which the schema of a number refuses.
impl Output for f64 {
    fn write_json(self, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = if self.is_finite() { write!(out, "{self}") } else { write!(out, "null") };
    }
}

impl<T: Output> Output for Option<T> {
    fn write_json(self, out: &mut String) {
        match self {
            Some(value) => value.write_json(out),
            None => out.push_str("null"),
        }
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }

    fn size_hint(&self) -> usize {
        self.as_ref().map_or(0, Output::size_hint)
    }
}

impl<T: Output> Output for Vec<T> {
    fn write_json(self, out: &mut String) {
        out.push('[');
        for (index, value) in self.into_iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            value.write_json(out);
        }
        out.push(']');
    }

    fn size_hint(&self) -> usize {
        self.iter().map(|value| value.size_hint() + 1).sum::<usize>() + 2
    }
}

/// Opens an object.
pub fn open(out: &mut String) {
    out.push('{');
}

/// Writes one property of the object that was opened last, its name in camel case, unless it is absent.
pub fn field(out: &mut String, name: &str, value: impl Output) {
    if value.is_absent() {
        return;
    }
    if !out.ends_with('{') {
        out.push(',');
    }
    write_string(&camel_case(name), out);
    out.push(':');
    value.write_json(out);
}

/// Closes the object.
pub fn close(out: &mut String) {
    out.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_within_braces_does_not_confuse_the_commas() {
        let mut out = String::new();
        open(&mut out);
        field(&mut out, "first_one", "{");
        field(&mut out, "left_out", None::<u32>);
        field(&mut out, "second", vec![1_u32, 2]);
        close(&mut out);
        assert_eq!(out, r#"{"firstOne":"{","second":[1,2]}"#);
    }
}
