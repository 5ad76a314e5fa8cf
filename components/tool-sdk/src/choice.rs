//! One of a few words, in input and output.

use crate::escape::write_string;
use serde_json::{Value, json};

/// Declares one of a few words: an enum that is a string in JSON, `LastFirst` as `last-first`, with the schema that says
/// so. It can stand in [`input!`](crate::input) and in [`output!`](crate::output).
///
/// ```
/// use bailiwick_tool_sdk::{Output, Schema, choice};
///
/// choice! {
///     /// In which order.
///     pub enum Order {
///         /// As they come.
///         AsFound,
///         /// By name.
///         Sorted,
///     }
/// }
///
/// assert_eq!(Order::AsFound.to_json(), r#""as-found""#);
/// assert_eq!(Order::schema()["enum"][1], "sorted");
/// ```
#[macro_export]
macro_rules! choice {
    ($(#[$meta:meta])* $visibility:vis enum $name:ident {
        $($(#[doc = $doc:literal])* $variant:ident),* $(,)?
    }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, $crate::private::serde::Deserialize)]
        #[serde(crate = "::bailiwick_tool_sdk::private::serde", rename_all = "kebab-case")]
        $(#[$meta])*
        $visibility enum $name { $($(#[doc = $doc])* $variant),* }
        impl $crate::Schema for $name {
            fn schema() -> $crate::private::serde_json::Value {
                $crate::private::words(&[$(::std::stringify!($variant)),*])
            }
        }
        impl $crate::Output for $name {
            fn write_json(self, out: &mut ::std::string::String) {
                $crate::private::word(match self { $(Self::$variant => ::std::stringify!($variant)),* }, out);
            }
        }
    };
}

/// The schema of these variants.
pub fn words(variants: &[&str]) -> Value {
    json!({"type": "string", "enum": variants.iter().map(|variant| kebab_case(variant)).collect::<Vec<_>>()})
}

/// Writes a variant as JSON.
pub fn word(variant: &str, out: &mut String) {
    write_string(&kebab_case(variant), out);
}

/// `LastFirst` as `last-first`, which is how serde reads it.
fn kebab_case(pascal: &str) -> String {
    let mut kebab = String::with_capacity(pascal.len() + 4);
    for (index, character) in pascal.char_indices() {
        if character.is_uppercase() && index > 0 {
            kebab.push('-');
        }
        kebab.push(character.to_ascii_lowercase());
    }
    kebab
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as bailiwick_tool_sdk;
    use bailiwick_tool_sdk::{Output, Schema};

    #[test]
    fn words_are_those_that_serde_reads() {
        for variant in ["One", "LastFirst", "Utf8", "AB"] {
            #[derive(serde::Deserialize, PartialEq, Debug)]
            #[serde(rename_all = "kebab-case")]
            enum Known {
                One,
                LastFirst,
                Utf8,
                AB,
            }
            let mut json = String::new();
            word(variant, &mut json);
            let read: Known = serde_json::from_str(&json).unwrap();
            assert_eq!(format!("{read:?}"), variant);
        }
    }

    #[test]
    fn word_that_may_be_left_out_may_be_null() {
        assert_eq!(words(&["A"])["enum"], json!(["a"]));
        let schema = <Option<bool> as Schema>::schema();
        assert_eq!(schema["type"], json!(["boolean", "null"]));
        assert_eq!(<Option<Word> as Schema>::schema()["enum"], json!(["a", null]));
        assert_eq!(Some(Word).to_json(), "\"a\"");
    }

    struct Word;
    impl Schema for Word {
        fn schema() -> Value {
            words(&["A"])
        }
    }
    impl Output for Word {
        fn write_json(self, out: &mut String) {
            word("A", out);
        }
    }
}
