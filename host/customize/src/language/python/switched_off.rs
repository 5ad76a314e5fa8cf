//! Lines and names with which a Python file switches the type checker off for itself.

// An emitter may have written the file.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::syntax::parse;
use icu_normalizer::ComposingNormalizerBorrowed;
use sha2::{Digest, Sha256};
use tree_sitter::Node;

use super::constants::{CONSTANTS, hidden};
use super::never::{may_be_named, never_returning};

/// Whether a file is a stub: the checker reads it in place of the module of its name, here or in another distribution.
pub(super) fn is_stub(path: &str) -> bool {
    path.ends_with(".pyi")
}

/// What a stub stands for: each with other contents is another one.
pub(super) fn stub(content: &[u8]) -> String {
    let digest = Sha256::digest(content);
    digest.iter().take(16).fold("a stub of digest ".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

/// The lines, as they stand there. Those that concern one line or one function's body of generated code belong to what emitters
/// write; `no_type_check`, code beside `TYPE_CHECKING` that is no import and no type, and `NoReturn` are what they do not write.
pub(super) fn switched_off(text: &str) -> Vec<String> {
    let lines = || text.split(['\n', '\r']).map(|line| line.trim_start_matches('\u{feff}').trim());
    // mypy reads these anywhere in a file.
    let mut found: Vec<String> = lines().filter(|line| line.starts_with("# mypy:")).map(str::to_owned).collect();
    // Before the first statement, this one is about the whole file. A lone backslash is not a statement.
    let top = lines().take_while(|line| line.is_empty() || line.starts_with('#') || *line == "\\");
    found.extend(top.filter(|line| is_ignore(line)).map(str::to_owned));
    found.extend(other_encoding(text));
    let text = &with_plain_names(text);
    if text.split(|one| !is_part_of_name(one)).any(|word| word == "no_type_check") {
        found.push("no_type_check".to_owned());
    }
    let (has_constant, may_not_return) = (CONSTANTS.iter().any(|name| text.contains(name)), may_be_named(text));
    if has_constant || may_not_return {
        let tree = parse(&tree_sitter_python::LANGUAGE.into(), text);
        let is_found = |may: bool, look: fn(Node<'_>, &str) -> bool| {
            may && tree.as_ref().is_none_or(|tree| look(tree.root_node(), text))
        };
        let is_hidden = is_found(has_constant, |root, text| !hidden(root, text).is_empty());
        found.extend(is_hidden.then(|| "code that `TYPE_CHECKING` hides".to_owned()));
        let never_returns = is_found(may_not_return, |root, text| !never_returning(root, text).is_empty());
        found.extend(never_returns.then(|| "code behind what never returns (`NoReturn`, `Never`)".to_owned()));
    }
    found
}

pub(super) fn is_part_of_name(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}

/// The text with each name as Python compares names, which NFKC makes the same. Other characters stay: a wide quote ends no string.
fn with_plain_names(text: &str) -> String {
    let normalizer = ComposingNormalizerBorrowed::new_nfkc();
    let mut plain = String::with_capacity(text.len());
    for part in text.split_inclusive(|one| !is_part_of_name(one)) {
        let name = part.trim_end_matches(|one| !is_part_of_name(one));
        let normalized = normalizer.normalize(name);
        plain.push_str(if normalized.chars().all(is_part_of_name) { &normalized } else { name });
        plain.push_str(part.get(name.len()..).unwrap_or_default());
    }
    plain
}

/// An encoding, named in one of the first two lines, in which other characters than those that are seen here may stand.
fn other_encoding(text: &str) -> Option<String> {
    const CODING: &str = "coding";
    let mut lines = text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'));
    let named = lines.by_ref().take(2).filter(|line| line.trim_start_matches('\u{feff}').trim().starts_with('#'));
    let names = named
        .flat_map(|line| line.match_indices(CODING).filter_map(|(at, _)| line.get(at.saturating_add(CODING.len())..)));
    let names = names.filter_map(|rest| rest.strip_prefix([':', '=']));
    let mut names = names.map(|rest| rest.trim_start().to_ascii_lowercase().replace('_', "-"));
    let is_plain = |name: &str| ["utf-8", "utf8", "ascii", "us-ascii"].iter().any(|plain| name.starts_with(plain));
    names.find(|name| !is_plain(name)).map(|name| {
        let is_part = |one: &char| one.is_ascii_alphanumeric() || ['-', '.'].contains(one);
        format!("{CODING}: {}", name.chars().take_while(is_part).collect::<String>())
    })
}

/// `# type: ignore`, with or without codes, alone or behind another comment.
fn is_ignore(line: &str) -> bool {
    line.split('#').any(|comment| {
        let word = comment.trim_start().strip_prefix("type:");
        word.is_some_and(|rest| rest.trim_start().starts_with("ignore"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_about_a_whole_file_are_found_and_what_emitters_write_is_not() {
        for (text, line) in [
            ("# coding=utf-8\n# mypy: ignore-errors\nx = 1\n", "# mypy: ignore-errors"),
            ("x = 1\r# mypy: disable-error-code=misc\r", "# mypy: disable-error-code=misc"),
            ("\u{feff}#type:ignore\nx = 1\n", "#type:ignore"),
            ("# a\n\n#  type: ignore[attr-defined]\nx = 1\n", "#  type: ignore[attr-defined]"),
            ("# pylint: disable=a # type: ignore\nimport b\n", "# pylint: disable=a # type: ignore"),
            ("import typing\n@typing.no_type_check\ndef a(): ...\n", "no_type_check"),
            ("# a\n  \\\n\n# type: ignore\nx = 1\n", "# type: ignore"),
            ("@\u{ff4e}\u{ff4f}_type_check\ndef a(): ...\n", "no_type_check"),
            ("assert not typing.TYPE_CHECKING\nx = 1\n", "code that `TYPE_CHECKING` hides"),
            ("a = \"\u{ff02}\"\nassert not TYPE_CHECKING\nb = \"\u{ff02}\"\n", "code that `TYPE_CHECKING` hides"),
            ("if not \u{ff34}YPE_CHECKING:\n    x.no_such()\n", "code that `TYPE_CHECKING` hides"),
            ("def a():\n    if MYPY:\n        return\n    b()\n", "code that `TYPE_CHECKING` hides"),
            ("from typing import NoReturn\n", "code behind what never returns (`NoReturn`, `Never`)"),
            (
                "import typing as t\ndef a() -> t.Ne\u{ff56}er: ...\n",
                "code behind what never returns (`NoReturn`, `Never`)",
            ),
            ("# vim: set fileencoding=UTF_7 :\nx = 1\n", "coding: utf-7"),
            ("#!python\r\n# coding: punycode\r\nx = 1\r\n", "coding: punycode"),
        ] {
            assert_eq!(switched_off(text), [line], "{text}");
        }
        for text in [
            "# pylint: disable=too-many-lines\n# coding=utf-8\nfrom .a import B  # type: ignore\n",
            "# -*- coding: utf-8 -*-\n# encoding: ascii\n# coding: utf-7\nx = 1\n",
            "class Version(str, Enum):\n    PY3 = \"py3\"\n",
            "if TYPE_CHECKING:\n    # pylint: disable=unused-import\n    from . import models as _models\n\nx = 1\n",
            "# pyright: reportUnnecessaryTypeIgnoreComment=false\nx = 1\n# type: ignore\n",
            "\"\"\"A model.\n\n# type: ignore\n\"\"\"\nx = not_no_type_check\n",
        ] {
            assert_eq!(switched_off(text), [] as [&str; 0], "{text}");
        }
    }
}
