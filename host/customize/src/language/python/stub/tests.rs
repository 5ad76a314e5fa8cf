use super::*;
use proptest::prelude::*;

/// As `@typespec/http-client-python` 0.28 writes it.
const STUB: &str = r#"# coding=utf-8
# --------------------------------------------------------------------------
# Copyright (c) Microsoft Corporation. All rights reserved.
# --------------------------------------------------------------------------
"""Customize generated code here.

Follow our quickstart for examples: https://aka.ms/azsdk/python/dpcodegen/python/customize
"""


__all__: list[str] = []  # Add all objects you want publicly available to users at this package level


def patch_sdk():
    """Do not remove from this file.

    `patch_sdk` is a last resort escape hatch that allows you to do customizations
    you can't accomplish using the techniques described in
    https://aka.ms/azsdk/python/dpcodegen/python/customize
    """
"#;

#[test]
fn stubs_of_all_ages_are_not_customization() {
    for text in [
        STUB,
        &STUB.replace('\n', "\r\n"),
        &format!("\u{feff}{STUB}"),
        &STUB.replace("__all__: list[str] = []", "from typing import List\n\n__all__: List[str] = []"),
        &STUB.replace("list[str] = []  # Add all", "list[str] = []  # Add \"all\" = ['x']"),
        &STUB.replace("__all__: list[str] = []", "__all__ = ()"),
        &STUB.replace("__all__: list[str] = []", "__all__: list[str] = [\n    # nothing yet\n]"),
        &STUB.replace("__all__: list[str] = []", "__all__: list[str] = []\n__all__ += []"),
        "def patch_sdk(): pass\n",
        "def patch_sdk() -> None:\n    ...\n",
        "# only comments\n",
        "",
    ] {
        assert!(is_stub(text), "{text}");
    }
}

#[test]
fn whatever_does_something_is_a_customization() {
    for text in [
        // Names in every form of `__all__`.
        &STUB.replace("list[str] = []", "list[str] = [\"Widget\"]"),
        &STUB.replace("__all__: list[str] = []", "__all__ = (\"Widget\",)"),
        &STUB.replace("__all__: list[str] = []", "__all__ = []\n__all__ += [\"Widget\"]"),
        &STUB.replace("__all__: list[str] = []", "__all__ = []\n__all__.extend(names)"),
        &STUB.replace("list[str] = []", "list[str] = [\n    # first\n    'Widget',\n]"),
        // An empty `__all__` and a `patch_sdk` that does something.
        &format!("{STUB}    from . import _models\n    _models.Widget.label = property(lambda self: self.name)\n"),
        "def patch_sdk(): apply()\n",
        "__all__ = []\ndef patch_sdk():\n    pass\n    pass; apply()\n",
        // Code beside an empty `__all__`.
        &format!("{STUB}\n\nclass Widget:\n    pass\n"),
        &format!("{STUB}\n\ndef helper():\n    pass\n"),
        &format!("from ._models import Widget\n{STUB}"),
        "import os\n",
        "x = 1\n",
        // Strings other than a docstring.
        "print(\"\"\"\ndef patch_sdk(): pass\n\"\"\")\n",
        // What cannot be read.
        "__all__ = [\n",
        "\"\"\"never ends\n",
        "    x = 1\n",
    ] {
        assert!(!is_stub(text), "{text}");
    }
}

#[test]
fn strings_end_where_python_ends_them() {
    for text in [r#"'it\'s'"#, r#"r'\'"'"#, r#""""a "quoted" word""""#, "'''a\n'b'\n'''", r#"b"x" "y""#, "\"a\\\nb\""] {
        let statements = split(text).unwrap();
        assert_eq!(statements.len(), 1, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_has_an_answer(text in "(\\PC|\n|\"|'|\\\\|\\[|#){0,60}") {
        is_stub(&text);
    }

    #[test]
    fn stub_with_any_assignment_is_customized(name in "[a-z]{1,8}", value in "[0-9]{1,4}") {
        let text = format!("{STUB}\nx_{name} = {value}\n");
        prop_assert!(!is_stub(&text));
    }
}
