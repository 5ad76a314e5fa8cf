//! A renamed property, method or enum member.

use super::{becomes, doubts, error, missing_property, property, run};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

const HEAD: &str = "from typing import Any, List, Optional\nfrom ._models import Part, Widget\n\n";

#[track_caller]
fn member_becomes(body: &str, diagnostics: &[Diagnostic], expected: &str) {
    becomes(&format!("{HEAD}{body}"), &[property()], diagnostics, &format!("{HEAD}{expected}"));
}

#[track_caller]
fn member_doubts(body: &str, diagnostics: &[Diagnostic], about: &str) {
    doubts(&format!("{HEAD}{body}"), &[property()], diagnostics, about);
}

#[test]
fn accesses_on_annotated_values_follow_and_those_on_others_stay() {
    member_becomes(
        "def f(widget: Widget, part: Part, other: Optional[\"Widget\"], many: List[Widget]) -> str:\n    display_name = part.display_name\n    # widget.display_name\n    text = \"display_name\"\n    for one in many:\n        text += one.display_name + many[0].display_name\n    return widget.display_name + other.display_name + display_name + text\n",
        &[missing_property(9), missing_property(10)],
        "def f(widget: Widget, part: Part, other: Optional[\"Widget\"], many: List[Widget]) -> str:\n    display_name = part.display_name\n    # widget.display_name\n    text = \"display_name\"\n    for one in many:\n        text += one.title + many[0].title\n    return widget.title + other.title + display_name + text\n",
    );
}

#[test]
fn constructors_and_their_results_follow() {
    member_becomes(
        "def f(display_name: str) -> Widget:\n    made = Widget(display_name=display_name)\n    print(dict(display_name=1), Part(display_name=made.display_name))\n    return made\n",
        &[error(5, None, "No overload variant of \"Widget\" matches argument type \"str\""), missing_property(6)],
        "def f(display_name: str) -> Widget:\n    made = Widget(title=display_name)\n    print(dict(display_name=1), Part(display_name=made.title))\n    return made\n",
    );
}

#[test]
fn derived_classes_follow_and_keep_their_own_parameters() {
    member_becomes(
        "class Fancy(Widget):\n    def __init__(self, *, display_name: str, **kwargs: Any) -> None:\n        super().__init__(display_name=display_name, **kwargs)\n\n    def label(self) -> str:\n        return f\"{self.display_name}!\" + Fancy(display_name=\"x\").display_name\n",
        &[missing_property(9)],
        "class Fancy(Widget):\n    def __init__(self, *, display_name: str, **kwargs: Any) -> None:\n        super().__init__(title=display_name, **kwargs)\n\n    def label(self) -> str:\n        return f\"{self.title}!\" + Fancy(display_name=\"x\").title\n",
    );
}

#[test]
fn attributes_of_self_follow_their_assignment() {
    member_becomes(
        "class Summary:\n    def __init__(self, widget: Widget, part: Part) -> None:\n        self._widget = widget\n        self._part = part\n\n    @property\n    def widget(self) -> Widget:\n        return self._widget\n\n    def label(self) -> str:\n        return f\"{self._widget.display_name} {self._part.display_name} {self.widget.display_name}\"\n",
        &[missing_property(14)],
        "class Summary:\n    def __init__(self, widget: Widget, part: Part) -> None:\n        self._widget = widget\n        self._part = part\n\n    @property\n    def widget(self) -> Widget:\n        return self._widget\n\n    def label(self) -> str:\n        return f\"{self._widget.title} {self._part.display_name} {self.widget.title}\"\n",
    );
}

#[test]
fn access_by_name_follows_where_the_receiver_is_certain() {
    member_becomes(
        "def f(widget: Widget, part: Part) -> None:\n    setattr(widget, \"display_name\", getattr(part, \"display_name\"))\n    print(hasattr(widget, \"display_name\"), widget.display_name)\n",
        &[missing_property(6)],
        "def f(widget: Widget, part: Part) -> None:\n    setattr(widget, \"title\", getattr(part, \"display_name\"))\n    print(hasattr(widget, \"title\"), widget.title)\n",
    );
}

#[test]
fn error_vouches_for_a_receiver_that_only_the_type_checker_knows() {
    member_becomes(
        "from ._operations import Generated\n\n\nclass Operations(Generated):\n    def find(self, display_name: str) -> Optional[Widget]:\n        for widget in self.list_widgets():\n            if widget.display_name.casefold() == display_name.casefold():\n                return widget\n        return None\n\n    def line(self, part: Part) -> str:\n        return f\"{part.display_name} by {part.manufacturer.display_name}\"\n",
        &[missing_property(10)],
        "from ._operations import Generated\n\n\nclass Operations(Generated):\n    def find(self, display_name: str) -> Optional[Widget]:\n        for widget in self.list_widgets():\n            if widget.title.casefold() == display_name.casefold():\n                return widget\n        return None\n\n    def line(self, part: Part) -> str:\n        return f\"{part.display_name} by {part.manufacturer.display_name}\"\n",
    );
}

#[test]
fn column_tells_two_receivers_of_one_line_apart() {
    let body = "from ._operations import find\n\n\ndef f() -> object:\n    return find(1).display_name, find(\"2\").display_name\n";
    member_doubts(body, &[missing_property(8)], "not certain");
    member_becomes(
        body,
        &[error(8, Some(34), "\"Widget\" has no attribute \"display_name\"")],
        "from ._operations import find\n\n\ndef f() -> object:\n    return find(1).display_name, find(\"2\").title\n",
    );
}

#[test]
fn uncertain_receiver_is_left_to_a_person() {
    let error = [missing_property(4)];
    for body in [
        // The type checker does not check a function without annotations.
        "x: str = Widget().display_name\ndef f(widget):\n    return widget.display_name\n",
        "x: str = Widget().display_name\nfrom ._operations import Base\nclass C(Base):\n    def f(self):\n        return self.find().display_name\n",
        "x: str = Widget().display_name\ndef f(widget: Any) -> str:\n    return widget.display_name\n",
        "x: str = Widget().display_name\ndef f(widget: Any) -> str:\n    return getattr(widget, \"display_name\")\n",
        "import json\nx: str = json.loads(\"\").display_name + Widget().display_name\n",
    ] {
        member_doubts(body, &error, "not certain");
    }
    for (body, about) in [
        ("x: str = Widget().display_name\ny = \"{0.display_name}\".format(x)\n", "format string"),
        (
            "x: str = Widget().display_name\nfrom operator import attrgetter\ny = attrgetter(\"display_name\")\n",
            "attrgetter",
        ),
        (
            "x: str = Widget().display_name\nclass Own(Widget):\n    def display_name(self) -> str:\n        return \"\"\n",
            "of its own",
        ),
    ] {
        member_doubts(body, &error, about);
    }
}

#[test]
fn errors_with_another_cause_stop_the_repair() {
    member_doubts(
        "x: str = Widget().display_name\ny: int = \"\"\n",
        &[missing_property(4), error(5, None, "Incompatible types in assignment (expression has type \"str\")")],
        "not come from a rename",
    );
    member_doubts("x: str = \"display_name\"\n", &[missing_property(4)], "(`display_name` is `title`)");
}

#[test]
fn attribute_inside_of_an_f_string_follows_an_error_at_the_string() {
    let head = "from ._models import Widget\nfrom . import find\n\n";
    let at = |line, column| error(line, Some(column), "\"Widget\" has no attribute \"display_name\"");
    let body = "def f() -> None:\n    raise ValueError(f\"no `{find().display_name}`\")\n";
    becomes(
        &format!("{head}{body}"),
        &[property()],
        &[at(5, 22)],
        &format!("{head}{}", body.replace("display_name", "title")),
    );
    // Two of one line could be meant.
    let two = "def f() -> None:\n    print(f\"{find(1).display_name} {find(2).display_name}\")\n";
    doubts(&format!("{head}{two}"), &[property()], &[at(5, 11)], "not certain");
}

#[test]
fn file_with_a_syntax_error_is_left_alone() {
    member_doubts("def f(:\n", &[missing_property(4)], "parsed");
}

#[test]
fn repair_over_the_limit_is_left_to_a_person() {
    let body = |count: usize| (0..count).map(|_| "print(Widget().display_name)\n").collect::<String>();
    let errors = |count: u32| (0..count).map(|line| missing_property(4 + line)).collect::<Vec<_>>();
    assert!(run(&format!("{HEAD}{}", body(19)), &[property()], &errors(19)).is_ok());
    member_doubts(&body(20), &errors(20), "the limit");
}

#[test]
fn enum_members_and_methods_follow() {
    let member = Rename {
        kind: EntityKind::EnumMember,
        container: Some("WidgetStatus".into()),
        old: "ACTIVE".into(),
        new: "IN_USE".into(),
    };
    becomes(
        "from ._enums import PartStatus, WidgetStatus\n\nx = [WidgetStatus.ACTIVE, PartStatus.ACTIVE, WidgetStatus[\"ACTIVE\"], \"ACTIVE\"]\n",
        &[member],
        &[error(3, None, "\"type[WidgetStatus]\" has no attribute \"ACTIVE\"")],
        "from ._enums import PartStatus, WidgetStatus\n\nx = [WidgetStatus.IN_USE, PartStatus.ACTIVE, WidgetStatus[\"IN_USE\"], \"ACTIVE\"]\n",
    );
    let method = Rename {
        kind: EntityKind::Operation,
        container: Some("WidgetsOperations".into()),
        old: "analyze_widget".into(),
        new: "inspect_widget".into(),
    };
    becomes(
        "from ._operations import WidgetsOperations as Generated\nfrom ._operations import WidgetsOperations\n\n\nclass Mine(WidgetsOperations):\n    def analyze(self) -> object:\n        return self.begin_analyze_widget(1).result()\n",
        &[method],
        &[error(7, None, "\"Mine\" has no attribute \"begin_analyze_widget\"")],
        "from ._operations import WidgetsOperations as Generated\nfrom ._operations import WidgetsOperations\n\n\nclass Mine(WidgetsOperations):\n    def analyze(self) -> object:\n        return self.begin_inspect_widget(1).result()\n",
    );
}

#[test]
fn type_that_a_missing_attribute_got_from_its_first_value_follows() {
    // The shape of `SearchField.hidden`.
    let body = "class Fancy(Widget):\n    def reset(self, label: str, name: str | None) -> None:\n        self.display_name = label\n        self.display_name = None\n        name = None\n";
    let unfit = |line| Diagnostic {
        code: Some("assignment".into()),
        ..error(
            line,
            Some(29),
            "Incompatible types in assignment (expression has type \"None\", variable has type \"str\")",
        )
    };
    member_becomes(body, &[unfit(7)], &body.replace("display_name", "title"));
    member_doubts(body, &[unfit(8)], "does not come from a rename");
}

#[test]
fn type_that_the_metaclass_of_an_enum_answers_with_for_a_missing_member_follows() {
    let rename = Rename {
        kind: EntityKind::EnumMember,
        container: Some("WidgetStatus".into()),
        old: "ACTIVE".into(),
        new: "RUNNING".into(),
    };
    let text = "from ._enums import WidgetStatus\n\n\ndef f() -> str:\n    return g(WidgetStatus.ACTIVE)\n\n\ndef h(other: Enum) -> str:\n    return g(other)\n";
    let unfit = |line| Diagnostic {
        code: Some("arg-type".into()),
        ..error(line, Some(14), "Argument 1 to \"g\" has incompatible type \"Enum\"; expected \"str\"")
    };
    becomes(text, std::slice::from_ref(&rename), &[unfit(5)], &text.replace("ACTIVE", "RUNNING"));
    doubts(text, &[rename], &[unfit(9)], "does not come from a rename");
}

#[test]
fn value_of_a_member_of_an_enum_that_people_wrote_stays() {
    let rename = Rename { old: "value".into(), new: "content".into(), ..property() };
    let text = "from ._models import Widget\n\n\nclass ApiVersion(str, Enum):\n    V1 = \"1\"\n\n\nDEFAULT = ApiVersion.V1\n\n\nclass Client:\n    def __init__(self, **kwargs):\n        self.version = kwargs.pop(\"version\", DEFAULT)\n        if hasattr(self.version, \"value\"):\n            self.version = self.version.value\n\n\ndef f(widget: Widget) -> str:\n    return widget.value\n";
    let missing = error(19, None, "\"Widget\" has no attribute \"value\"");
    let renamed = text.replace("widget.value", "widget.content");
    becomes(text, std::slice::from_ref(&rename), std::slice::from_ref(&missing), &renamed);
    doubts(&text.replace("DEFAULT)", "None)"), &[rename], &[missing], "is not certain");
}
