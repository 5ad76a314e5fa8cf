//! A renamed class.

use bailiwick_sdk::tasks::Diagnostic;

use super::{becomes, class, doubts, error, missing_class};

#[test]
fn imports_annotations_bases_calls_and_exports_of_a_class_follow() {
    becomes(
        r#"from typing import Annotated, List, Literal, Optional, cast

from ._models import AnalyzeResult, Widget

__all__: List[str] = ["AnalyzeResult", "Other"]


class Other(AnalyzeResult):
    """Like AnalyzeResult."""

    result: "Optional[AnalyzeResult]" = None
    kind: Literal["AnalyzeResult"] = "AnalyzeResult"
    note: "Annotated[Optional[AnalyzeResult], 1]" = None
    more: Annotated[Optional["AnalyzeResult"], "AnalyzeResult", str("AnalyzeResult")] = None


def make(x: object) -> List["AnalyzeResult"]:
    # An AnalyzeResult is made here.
    name = "AnalyzeResult"
    assert isinstance(x, AnalyzeResult)
    return [AnalyzeResult(name), cast("AnalyzeResult", x)]
"#,
        &[class()],
        &[missing_class(3)],
        r#"from typing import Annotated, List, Literal, Optional, cast

from ._models import WidgetAnalysis, Widget

__all__: List[str] = ["WidgetAnalysis", "Other"]


class Other(WidgetAnalysis):
    """Like AnalyzeResult."""

    result: "Optional[WidgetAnalysis]" = None
    kind: Literal["AnalyzeResult"] = "AnalyzeResult"
    note: "Annotated[Optional[WidgetAnalysis], 1]" = None
    more: Annotated[Optional["WidgetAnalysis"], "AnalyzeResult", str("AnalyzeResult")] = None


def make(x: object) -> List["WidgetAnalysis"]:
    # An AnalyzeResult is made here.
    name = "AnalyzeResult"
    assert isinstance(x, WidgetAnalysis)
    return [WidgetAnalysis(name), cast("WidgetAnalysis", x)]
"#,
    );
}

#[test]
fn alias_keeps_its_uses() {
    becomes(
        "from ._models import AnalyzeResult as Result\n\nAnalyzeResult = 3\n\n\ndef f(x: Result) -> Result:\n    return x\n",
        &[class()],
        &[missing_class(1)],
        "from ._models import WidgetAnalysis as Result\n\nAnalyzeResult = 3\n\n\ndef f(x: Result) -> Result:\n    return x\n",
    );
}

#[test]
fn local_names_and_classes_of_other_packages_stay() {
    becomes(
        "from ._models import AnalyzeResult\n\n\ndef f() -> None:\n    from other.models import AnalyzeResult\n    print(AnalyzeResult)\n\n\ndef g(AnalyzeResult: int) -> int:\n    return AnalyzeResult\n\n\ndef h() -> type:\n    return AnalyzeResult\n",
        &[class()],
        &[missing_class(1)],
        "from ._models import WidgetAnalysis\n\n\ndef f() -> None:\n    from other.models import AnalyzeResult\n    print(AnalyzeResult)\n\n\ndef g(AnalyzeResult: int) -> int:\n    return AnalyzeResult\n\n\ndef h() -> type:\n    return WidgetAnalysis\n",
    );
}

#[test]
fn class_reached_through_a_module_follows() {
    becomes(
        "from typing import Literal\nfrom .. import models as _models\n\n\ndef f(x: _models.AnalyzeResult, y: \"_models.AnalyzeResult\", z: Literal[\"AnalyzeResult\"]) -> object:\n    return getattr(_models, \"AnalyzeResult\")\n",
        &[class()],
        &[error(5, None, "Name \"_models.AnalyzeResult\" is not defined")],
        "from typing import Literal\nfrom .. import models as _models\n\n\ndef f(x: _models.WidgetAnalysis, y: \"_models.WidgetAnalysis\", z: Literal[\"AnalyzeResult\"]) -> object:\n    return getattr(_models, \"WidgetAnalysis\")\n",
    );
}

#[test]
fn windows_line_ends_stay() {
    becomes(
        "from ._models import AnalyzeResult\r\n\r\nx = AnalyzeResult\r\n",
        &[class()],
        &[missing_class(1)],
        "from ._models import WidgetAnalysis\r\n\r\nx = WidgetAnalysis\r\n",
    );
}

#[test]
fn hand_written_class_that_takes_the_place_of_the_generated_one_is_left_to_a_person() {
    doubts(
        "from ._models import AnalyzeResult as Generated\n\n__all__ = [\"AnalyzeResult\"]\n\n\nclass AnalyzeResult(Generated):\n    pass\n",
        &[class()],
        &[missing_class(1)],
        "takes its place",
    );
}

#[test]
fn clash_with_the_new_name_is_left_to_a_person() {
    doubts("from ._models import AnalyzeResult\n\nWidgetAnalysis = 1\n", &[class()], &[missing_class(1)], "already");
}

#[test]
fn type_comment_is_left_to_a_person() {
    doubts(
        "from ._models import AnalyzeResult\n\nx = []  # type: list[AnalyzeResult]\n",
        &[class()],
        &[missing_class(1)],
        "comment",
    );
}

#[test]
fn class_that_an_attribute_gives_follows_where_an_error_names_this_very_place() {
    let text = "class A:\n    def f(self):\n        return self._models.AnalyzeResult(), other.AnalyzeResult\n";
    let drift = |column| Diagnostic {
        code: Some("renamed-member".into()),
        tool: "drift".into(),
        ..error(
            3,
            Some(column),
            "a generated module has no attribute \"AnalyzeResult\" any more, it is called \"WidgetAnalysis\" now",
        )
    };
    becomes(text, &[class()], &[drift(16)], &text.replace("_models.AnalyzeResult", "_models.WidgetAnalysis"));
    doubts(text, &[class()], &[drift(3)], "is not certain");
    let other = "Argument 1 has incompatible type \"object\"; expected \"AnalyzeResult\"";
    doubts(text, &[class()], &[error(3, Some(16), other)], "is not certain");
}
