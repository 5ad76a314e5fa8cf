//! Text without paths of this machine, but for those that the client itself gave.

use std::path::{Path, PathBuf};

/// Knows which paths may be said.
#[derive(Debug, Clone, Default)]
pub struct PathRedaction {
    given: Vec<String>,
    places: Vec<(String, String)>,
}

impl PathRedaction {
    /// Lets paths beneath `given` stand and calls `places` by other names.
    #[must_use]
    pub fn new<'a>(given: impl IntoIterator<Item = &'a Path>, places: &[(PathBuf, &str)]) -> Self {
        let given = given.into_iter().filter_map(text).collect();
        let mut places: Vec<_> = places
            .iter()
            .filter_map(|(path, name)| Some((text(path)?, format!("<{name}>"))))
            .filter(|(path, _)| path.len() > 1)
            .collect();
        // The innermost first.
        places.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        Self { given, places }
    }

    /// Renames the known places and leaves everything else: for text that quotes files, in which `/widgets` may be a route.
    #[must_use]
    pub fn places(&self, text: &str) -> String {
        self.rewrite(text, |_| None)
    }

    /// Also shortens every other absolute path that begins with a directory of this machine to its last name: for errors.
    #[must_use]
    pub fn everything(&self, text: &str) -> String {
        self.rewrite(text, |path| {
            let first = path.split('/').nth(1).filter(|first| !first.is_empty())?;
            let here = Path::new("/").join(first).is_dir();
            here.then(|| format!("…/{}", path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()))
        })
    }

    fn rewrite(&self, text: &str, other: impl Fn(&str) -> Option<String>) -> String {
        let mut written = String::with_capacity(text.len());
        let mut rest = text;
        let mut before = None;
        while let Some(character) = rest.chars().next() {
            let starts = character == '/' && !rest.starts_with("//") && begins(&text[..text.len() - rest.len()]);
            let length = if starts { self.length(rest, before) } else { character.len_utf8() };
            let (piece, following) = rest.split_at(length);
            match starts.then(|| self.instead(piece, &other)).flatten() {
                Some(instead) => written.push_str(&instead),
                None => written.push_str(piece),
            }
            before = piece.chars().next_back();
            rest = following;
        }
        written
    }

    /// A path ends with its quote; without one at a space, unless a path with spaces in it is known to stand there.
    fn length(&self, rest: &str, before: Option<char>) -> usize {
        let known = self.given.iter().chain(self.places.iter().map(|(path, _)| path));
        let known = known.filter(|path| beneath(rest, path)).map(String::len).max().unwrap_or(0);
        let quote = before.filter(|quote| matches!(quote, '`' | '"' | '\''));
        let end = rest[known..].find(|character: char| match quote {
            Some(quote) => character == quote || character == '\n',
            None => {
                character.is_whitespace() || matches!(character, '`' | '"' | '\'' | ',' | ';' | ')' | ']' | '>' | ':')
            }
        });
        end.map_or(rest.len(), |end| known + end).max(1)
    }

    fn instead(&self, path: &str, other: impl Fn(&str) -> Option<String>) -> Option<String> {
        if self.given.iter().any(|given| beneath(path, given)) {
            return None;
        }
        match self.places.iter().find(|(place, _)| beneath(path, place)) {
            Some((place, name)) => Some(format!("{name}{}", &path[place.len()..])),
            None => other(path),
        }
    }
}

fn text(path: &Path) -> Option<String> {
    let text = path.to_str()?.trim_end_matches('/');
    text.starts_with('/').then(|| text.to_owned())
}

/// Component by component.
fn beneath(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| {
        rest.is_empty() || !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
    })
}

/// Whether a slash behind this text begins a path. Several slashes in a row are one, and those of a `file:` address belong to none.
fn begins(before: &str) -> bool {
    let plain = before.trim_end_matches('/');
    match plain.chars().next_back() {
        _ if plain.len() < before.len() && plain.ends_with("file:") => true,
        // The name of a host stands behind the slashes of another address.
        Some(':') if plain.len() < before.len() => false,
        last => !last.is_some_and(within_a_path),
    }
}

fn within_a_path(before: char) -> bool {
    before.is_alphanumeric() || matches!(before, '/' | '.' | '_' | '-' | '~' | '…' | '>' | '}' | '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conceal() -> PathRedaction {
        let places = [(PathBuf::from("/usr/state"), "state"), (PathBuf::from("/usr"), "home")];
        PathRedaction::new([Path::new("/usr/work/my package")], &places)
    }

    #[test]
    fn paths_of_this_machine_are_named_or_shortened_in_errors() {
        for (said, expected) in [
            ("cannot open `/usr/state/runs/a b/x.json`: denied", "cannot open `<state>/runs/a b/x.json`: denied"),
            ("cannot open `/etc/deep/secret name`: denied", "cannot open `…/secret name`: denied"),
            ("/usr/work/other, /usr/statement", "<home>/work/other, <home>/statement"),
            ("at=/tmp/bailiwick-1/x:3:4", "at=…/x:3:4"),
            (
                "`/usr/work/my package/tsp-location.yaml` is missing",
                "`/usr/work/my package/tsp-location.yaml` is missing",
            ),
            ("in /usr/work/my package/a.py: no", "in /usr/work/my package/a.py: no"),
            ("`/usr/work/my package2/a`", "`<home>/work/my package2/a`"),
            ("see https://example.com/tmp/a and sdk/tmp/a.py", "see https://example.com/tmp/a and sdk/tmp/a.py"),
            ("the route /widgets/{id} stays", "the route /widgets/{id} stays"),
            ("no file:///usr/state/venv | ///usr/state/venv", "no file://<state>/venv | //<state>/venv"),
            ("at file:/tmp/x.mjs:3 and (//tmp/y)", "at file:…/x.mjs:3 and (/…/y)"),
            ("//host.example/tmp/a", "//host.example/tmp/a"),
        ] {
            assert_eq!(conceal().everything(said), expected);
        }
    }

    #[test]
    fn quoted_files_keep_unknown_places() {
        assert_eq!(conceal().places("+#!/bin/sh\n+# /usr/state/a /tmp/x"), "+#!/bin/sh\n+# <state>/a /tmp/x");
    }
}
