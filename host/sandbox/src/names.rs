//! How names of files are compared with rules: in any letter case, with `*` for any run of characters.

use icu_normalizer::ComposingNormalizerBorrowed;
use std::borrow::Cow;
use std::path::{Component, Path};

/// One component of a path, in the form in which it is compared.
pub(crate) type Name<'a> = Cow<'a, [u8]>;

/// The components of a path below a root. `.` counts for nothing.
pub(crate) fn of(path: &Path) -> impl Iterator<Item = Name<'_>> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(folded(name.as_encoded_bytes())),
        _ => None,
    })
}

/// The last `count` of them, in order.
pub(crate) fn last_of(path: &Path, count: usize) -> Vec<Name<'_>> {
    let names = path.components().rev().filter_map(|component| match component {
        Component::Normal(name) => Some(folded(name.as_encoded_bytes())),
        _ => None,
    });
    let mut names: Vec<Name<'_>> = names.take(count).collect();
    names.reverse();
    names
}

/// A name without the differences that some filesystem overlooks, or that are invisible: letter case, characters that
/// have no shape, and whether an accent is a character of its own. Letter case in ASCII is left to [`fits`].
///
/// A directory of ext4 that ignores case, and HFS+, take `.\u{200c}git` and `.ſſh` for `.git` and `.ssh`. What a Mac has
/// packed has its accents apart, and what a person types has them in one.
pub(crate) fn folded(name: &[u8]) -> Name<'_> {
    if name.is_ascii() {
        return Cow::Borrowed(name);
    }
    let Ok(text) = std::str::from_utf8(name) else { return Cow::Borrowed(name) };
    // To upper case first: some small letters, such as `ſ`, have a capital and are the small form of another letter.
    let folded = text.chars().filter(|c| !bailiwick_audit::is_invisible(*c));
    let folded: String = folded.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    const COMPOSED: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
    Cow::Owned(COMPOSED.normalize(&folded).into_owned().into_bytes())
}

/// Whether `name` is what `pattern`, one component, stands for.
pub(crate) fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut here) = (0, 0);
    // Where the last `*` stands, and where what comes after it was tried last.
    let mut star: Option<(usize, usize)> = None;
    while here < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, here));
                at += 1;
            }
            Some(byte) if byte.eq_ignore_ascii_case(&name[here]) => {
                at += 1;
                here += 1;
            }
            _ => match &mut star {
                Some((stands, tried)) => {
                    *tried += 1;
                    (at, here) = (*stands + 1, *tried);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

/// Whether `names` begin with all components of `rule`.
pub(crate) fn begin_with(names: &[Name<'_>], rule: &str) -> bool {
    let mut names = names.iter();
    rule.split('/').all(|part| names.next().is_some_and(|name| fits(part.as_bytes(), name)))
}

/// Whether `names` end with all components of `rule`.
pub(crate) fn end_with(names: &[Name<'_>], rule: &str) -> bool {
    let mut names = names.iter().rev();
    rule.rsplit('/').all(|part| names.next().is_some_and(|name| fits(part.as_bytes(), name)))
}

/// Whether `names` end with the first components of `rule` but not with all: a directory there may hold what the rule
/// is about, which comes to lie elsewhere when the directory moves.
pub(crate) fn lead_to(names: &[Name<'_>], rule: &str) -> bool {
    rule.match_indices('/').any(|(end, _)| end_with(names, &rule[..end]))
}

/// By which of its components a rule is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    ByFirst,
    ByLast,
}

/// A list of rules, by a letter that one component of each begins or ends with: every component of every path is looked
/// up, and nearly all of them are in no rule.
pub(crate) struct Rules {
    by_start: Vec<Vec<&'static str>>,
    /// Those that begin with `*`.
    by_end: Vec<Vec<&'static str>>,
    /// Those that also end with it.
    others: Vec<&'static str>,
    found: Found,
}

impl Rules {
    pub(crate) fn new(rules: &[&'static str], found: Found) -> Self {
        let (mut by_start, mut by_end, mut others) = (vec![Vec::new(); 256], vec![Vec::new(); 256], Vec::new());
        for rule in rules {
            let key = match found {
                Found::ByFirst => rule.split('/').next(),
                Found::ByLast => rule.rsplit('/').next(),
            };
            match key.unwrap_or(rule).as_bytes() {
                [] | [b'*'] | [b'*', .., b'*'] => others.push(*rule),
                [b'*', .., letter] => by_end[usize::from(letter.to_ascii_lowercase())].push(*rule),
                [letter, ..] => by_start[usize::from(letter.to_ascii_lowercase())].push(*rule),
            }
        }
        Self { by_start, by_end, others, found }
    }

    /// The rule about `names`: that they begin with, or that they end with.
    pub(crate) fn about(&self, names: &[Name<'_>]) -> Option<&'static str> {
        let name = match self.found {
            Found::ByFirst => names.first(),
            Found::ByLast => names.last(),
        }?;
        let starts = &self.by_start[usize::from(name.first()?.to_ascii_lowercase())];
        let ends = &self.by_end[usize::from(name.last()?.to_ascii_lowercase())];
        starts.iter().chain(ends).chain(&self.others).copied().find(|rule| match self.found {
            Found::ByFirst => begin_with(names, rule),
            Found::ByLast => end_with(names, rule),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stars_stand_for_any_run_of_characters_and_letters_for_either_case() {
        for (pattern, name) in [
            (".env", ".ENV"),
            ("emitter-package*.json", "emitter-package.json"),
            ("emitter-package*.json", "Emitter-Package-lock.JSON"),
            ("*.pem", ".pem"),
            ("*.pem", "a.pem.pem"),
            ("*", "x"),
            ("a*b*c", "a-b-b-c"),
        ] {
            assert!(fits(pattern.as_bytes(), name.as_bytes()), "{pattern} {name}");
        }
        for (pattern, name) in
            [(".env", ".envrc"), (".env", "a.env"), ("*.pem", "a.pem2"), ("a*b", "a-c"), (".env.*", ".env"), ("a", "")]
        {
            assert!(!fits(pattern.as_bytes(), name.as_bytes()), "{pattern} {name}");
        }
    }

    #[test]
    fn what_some_filesystem_takes_for_the_same_name_is_the_same_name() {
        for name in [".ſſh", ".\u{200c}ssh", ".s\u{ad}sh", ".SſH", ".ßh"] {
            assert!(fits(b".ssh", &folded(name.as_bytes())), "{name:?}");
        }
        assert!(fits(b".aws", &folded(".aws".as_bytes())));
        assert!(fits(b"*.key", &folded("ä.\u{212a}ey".as_bytes())), "the sign for kelvin");
        assert!(!fits(b".ssh", &folded(b".ss\xffh")) && !fits(b".ssh", &folded(".ssħ".as_bytes())));
    }

    #[test]
    fn rules_of_several_components_are_met_at_any_depth() {
        let names = |path: &'static str| of(Path::new(path)).collect::<Vec<_>>();
        assert!(begin_with(&names(".GitHub/workflows/x.yml"), ".github/workflows"));
        assert!(!begin_with(&names(".github"), ".github/workflows"));
        assert!(end_with(&names("a/.docker/config.json"), ".docker/config.json"));
        assert!(!end_with(&names("config.json"), ".docker/config.json"));
        assert!(lead_to(&names("a/.github"), ".github/workflows") && !lead_to(&names("a"), ".github/workflows"));
        assert!(!lead_to(&names(".github/workflows"), ".github/workflows"));
    }

    proptest! {
        #[test]
        fn pattern_with_one_star_is_a_beginning_and_an_end(before in "[a-c.]{0,3}", after in "[a-c.]{0,3}", name in "[a-c.]{0,8}") {
            let expected = name.len() >= before.len() + after.len() && name.starts_with(&before) && name.ends_with(&after);
            prop_assert_eq!(fits(format!("{before}*{after}").as_bytes(), name.as_bytes()), expected);
        }
    }
}
