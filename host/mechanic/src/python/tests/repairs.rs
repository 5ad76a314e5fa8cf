//! Repairs as data: the tests check them and `docs/reference/mechanic.md` shows them.

use super::{class, error, missing_class, missing_property, patched, property, repair};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

/// What a build reports, and which rename is behind it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Behind {
    /// The model `AnalyzeResult` is `WidgetAnalysis` now.
    Class,
    /// The property `display_name` of `Widget` is `title` now.
    Property,
    /// The member `ACTIVE` of `WidgetStatus` is `IN_USE` now.
    Member,
    /// The method `delete_widget` is `_delete_widget` now, for its operation is hidden.
    Method,
}

impl Behind {
    pub(crate) const ALL: [Self; 4] = [Self::Class, Self::Property, Self::Member, Self::Method];

    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Class => "the model `AnalyzeResult` becomes `WidgetAnalysis`",
            Self::Property => "the property `display_name` of `Widget` becomes `title`",
            Self::Member => "the enum member `WidgetStatus.ACTIVE` becomes `IN_USE`",
            Self::Method => "the operation `delete_widget` is hidden and becomes `_delete_widget`",
        }
    }

    fn rename(self) -> Rename {
        let member = |kind, container: &str, old: &str, new: &str| Rename {
            kind,
            container: Some(container.into()),
            old: old.into(),
            new: new.into(),
        };
        match self {
            Self::Class => class(),
            Self::Property => property(),
            Self::Member => member(EntityKind::EnumMember, "WidgetStatus", "ACTIVE", "IN_USE"),
            Self::Method => member(EntityKind::Operation, "WidgetsOperations", "delete_widget", "_delete_widget"),
        }
    }

    fn diagnostic(self, line: u32) -> Diagnostic {
        match self {
            Self::Class => missing_class(line),
            Self::Property => missing_property(line),
            Self::Member => error(line, None, "\"type[WidgetStatus]\" has no attribute \"ACTIVE\""),
            Self::Method => error(line, None, "\"Mine\" has no attribute \"delete_widget\""),
        }
    }
}

/// A file that is repaired: what it shows, the rename, the line that the build reports, the file before and after.
pub(crate) const REPAIRED: &[(&str, Behind, u32, &str, &str)] = &[
    (
        "imports, annotations and calls follow; comments and strings stay",
        Behind::Class,
        1,
        "from ._models import AnalyzeResult\n\n\ndef make(x: \"AnalyzeResult\") -> AnalyzeResult:\n    # An AnalyzeResult is made here.\n    return AnalyzeResult(\"AnalyzeResult\")\n",
        "from ._models import WidgetAnalysis\n\n\ndef make(x: \"WidgetAnalysis\") -> WidgetAnalysis:\n    # An AnalyzeResult is made here.\n    return WidgetAnalysis(\"AnalyzeResult\")\n",
    ),
    (
        "a base class follows, and what a module exports",
        Behind::Class,
        1,
        "from ._models import AnalyzeResult\n\n__all__ = [\"AnalyzeResult\", \"Other\"]\n\n\nclass Other(AnalyzeResult):\n    pass\n",
        "from ._models import WidgetAnalysis\n\n__all__ = [\"WidgetAnalysis\", \"Other\"]\n\n\nclass Other(WidgetAnalysis):\n    pass\n",
    ),
    (
        "a class imported under another name keeps its uses",
        Behind::Class,
        1,
        "from ._models import AnalyzeResult as Result\n\n\ndef f(x: Result) -> Result:\n    return x\n",
        "from ._models import WidgetAnalysis as Result\n\n\ndef f(x: Result) -> Result:\n    return x\n",
    ),
    (
        "a parameter of the same name is something else",
        Behind::Class,
        1,
        "from ._models import AnalyzeResult\n\n\ndef g(AnalyzeResult: int) -> int:\n    return AnalyzeResult\n",
        "from ._models import WidgetAnalysis\n\n\ndef g(AnalyzeResult: int) -> int:\n    return AnalyzeResult\n",
    ),
    (
        "an access follows where the type of the value is known; the same name of another model stays",
        Behind::Property,
        5,
        "from ._models import Part, Widget\n\n\ndef f(widget: Widget, part: Part) -> str:\n    return widget.display_name + part.display_name\n",
        "from ._models import Part, Widget\n\n\ndef f(widget: Widget, part: Part) -> str:\n    return widget.title + part.display_name\n",
    ),
    (
        "arguments of a constructor and `getattr` follow",
        Behind::Property,
        5,
        "from ._models import Widget\n\n\ndef f(display_name: str) -> str:\n    return Widget(display_name=display_name).display_name\n\n\ndef g(widget: Widget) -> object:\n    return getattr(widget, \"display_name\")\n",
        "from ._models import Widget\n\n\ndef f(display_name: str) -> str:\n    return Widget(title=display_name).title\n\n\ndef g(widget: Widget) -> object:\n    return getattr(widget, \"title\")\n",
    ),
    (
        "an enum member follows, by attribute and by name",
        Behind::Member,
        3,
        "from ._enums import PartStatus, WidgetStatus\n\nx = [WidgetStatus.ACTIVE, PartStatus.ACTIVE, WidgetStatus[\"ACTIVE\"]]\n",
        "from ._enums import PartStatus, WidgetStatus\n\nx = [WidgetStatus.IN_USE, PartStatus.ACTIVE, WidgetStatus[\"IN_USE\"]]\n",
    ),
    (
        "a hand-written method goes on calling the hidden operation",
        Behind::Method,
        6,
        "from ._operations import WidgetsOperations\n\n\nclass Mine(WidgetsOperations):\n    def remove(self, name: str) -> None:\n        self.delete_widget(name)\n",
        "from ._operations import WidgetsOperations\n\n\nclass Mine(WidgetsOperations):\n    def remove(self, name: str) -> None:\n        self._delete_widget(name)\n",
    ),
];

/// A file that is left to a person: why, the rename, the line that the build reports, a word of the doubt, the file.
pub(crate) const LEFT: &[(&str, Behind, u32, &str, &str)] = &[
    (
        "a hand-written class takes the place of the generated one; whether it is renamed along is a decision about the public surface",
        Behind::Class,
        1,
        "takes its place",
        "from ._models import AnalyzeResult as Generated\n\n\nclass AnalyzeResult(Generated):\n    pass\n",
    ),
    (
        "the new name is taken",
        Behind::Class,
        1,
        "already",
        "from ._models import AnalyzeResult\n\nWidgetAnalysis = 1\n",
    ),
    (
        "a type comment names the class, and comments are not edited",
        Behind::Class,
        1,
        "comment",
        "from ._models import AnalyzeResult\n\nx = []  # type: list[AnalyzeResult]\n",
    ),
    (
        "a function without annotations is not checked",
        Behind::Property,
        2,
        "not certain",
        "from ._models import Widget\nx: str = Widget().display_name\n\n\ndef f(widget):\n    return widget.display_name\n",
    ),
    (
        "a format string may reach the property",
        Behind::Property,
        2,
        "format string",
        "from ._models import Widget\nx: str = Widget().display_name\ny = \"{0.display_name}\".format(x)\n",
    ),
    (
        "a derived class has a member of that name of its own",
        Behind::Property,
        2,
        "of its own",
        "from ._models import Widget\nx: str = Widget().display_name\n\n\nclass Own(Widget):\n    def display_name(self) -> str:\n        return \"\"\n",
    ),
    (
        "the line of the error does not say the name",
        Behind::Property,
        1,
        "what has another name now",
        "x: str = \"display_name\"\n",
    ),
    ("the file has a syntax error", Behind::Property, 1, "parsed", "def f(:\n"),
];

fn outcome(behind: Behind, line: u32, text: &str) -> Result<String, String> {
    match repair(text, &[behind.rename()], &[behind.diagnostic(line)]) {
        Ok(hunks) => Ok(patched(text, &hunks)),
        Err(doubts) => Err(doubts.into_iter().map(|doubt| doubt.issue).collect::<Vec<_>>().join("; ")),
    }
}

#[test]
fn every_documented_repair_is_made() {
    for (what, behind, line, before, after) in REPAIRED {
        assert_eq!(outcome(*behind, *line, before).as_deref(), Ok(*after), "{what}");
    }
}

#[test]
fn every_documented_doubt_stops_the_repair() {
    for (what, behind, line, about, text) in LEFT {
        let doubts = outcome(*behind, *line, text).expect_err(what);
        assert!(doubts.contains(about), "{what}: {doubts}");
    }
}
