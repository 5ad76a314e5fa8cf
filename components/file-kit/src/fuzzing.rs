//! Patterns, pieces to replace and the texts they meet, as a model or a client may write them.

use bailiwick_fuzz::Target;
use bailiwick_tool_sdk::diff;

use crate::glob::Glob;
use crate::patch::{Asked, Places, Request, Words, patch};
use crate::path_glob::PathGlob;

#[test]
fn globs() {
    const WORDS: &[&str] = &[
        "*", "**", "**/", "/**", "?", "[a-z]", "[!a]", "[^", "[]", "]", "{a,b}", "{", ",", "}", "./", "..", "\\", "a/b",
    ];
    Target { name: "globs", words: WORDS }.run_text(|text| {
        // The first line is the pattern; the others are paths.
        let mut lines = text.lines();
        let pattern: String = lines.next().unwrap_or_default().chars().take(1024).collect();
        let plain = !pattern.contains(['*', '?', '[', '{']);
        let (one, path) = (Glob::new(&pattern), PathGlob::new(&pattern));
        if plain {
            assert!(one.as_ref().is_ok_and(|one| one.matches(&pattern)) || one.is_err(), "`{pattern}`");
            let bare = pattern.strip_prefix("./").unwrap_or(&pattern);
            assert!(path.as_ref().is_ok_and(|path| path.matches(bare)) || pattern.len() > 1024, "`{pattern}`");
        }
        for name in lines.map(|line| line.chars().take(4096).collect::<String>()) {
            let found = one.as_ref().is_ok_and(|one| one.matches(&name));
            // What no `/`, brace or `**` makes a path is the same pattern for both.
            if let (Ok(_), Ok(path), false) = (&one, &path, pattern.contains('{') || pattern.contains("**")) {
                assert_eq!(path.matches(&name), found && !name.contains('/'), "`{pattern}` of `{name}`");
            }
        }
    });
}

#[test]
fn code_patches() {
    const WORDS: &[&str] = &["~~~", "\r\n", "\n", "\t", "    ", "1: ", "  12\t", "1| ", "a", "\u{feff}", "}\n", "\n\n"];
    const NAMES: Words = Words { old: "old", new: "new", several: "say more" };
    Target { name: "code_patches", words: WORDS }.run_text(|text| {
        let mut parts = text.split("~~~");
        let [text, old, new] = [(); 3].map(|()| parts.next().unwrap_or_default());
        for places in [Places::One, Places::All] {
            let Ok(request) = Request::new(&Asked { old, new, start: None, end: None, places, words: &NAMES }) else {
                return;
            };
            let Ok(patched) = patch(text, &request) else { continue };
            let ends = patched.edits.windows(2).all(|two| two[0].span.end <= two[1].span.start);
            assert!(ends && places != Places::One || patched.edits.len() == 1, "{:?}", patched.edits);
            assert_eq!(diff::apply(text, &patched.edits), patched.text);
            assert!(patched.line >= 1 && patched.line as usize <= text.lines().count().max(1));
            assert_ne!(patched.text, text);
        }
    });
}
