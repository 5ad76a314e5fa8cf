//! Python. What a rename changes is shown in more detail in `python/tests/repairs.rs`.

use super::Break::{Duplicate, Import, Reference, Reserved};
use super::Outcome::{Becomes, Left};
use super::{Example, Renamed};
use bailiwick_sdk::tasks::EntityKind::{Model, Operation, Property};

const FILE: &str = "sdk/azure/widget/models/_patch.py";
const MODEL: Renamed = (Model, "", "AnalyzeResult", "WidgetAnalysis");

const MODELS: &str = "sdk/azure/widget/models/_models.py";
const WIDGET: &str = "class Widget(_Model):\n    title: str = rest_field(name=\"displayTitle\", visibility=[])\n";

const ANALYZE: Renamed = (Operation, "", "analyze", "inspect");
const CLIENT_PATCH: &str = "sdk/azure/widget/_patch.py";
const OPERATIONS: &str = "sdk/azure/widget/_operations/_operations.py";
const OPERATIONS_PATCH: &str = "sdk/azure/widget/_operations/_patch.py";

pub(super) const EXAMPLES: &[Example] = &[
    Example {
        of: Duplicate,
        what: "a property that only reads the key which a generated field of its type reads by now",
        renames: &[],
        errors: &[(FILE, 6, 0, "override", "Cannot override writeable attribute with read-only property", "")],
        files: &[(
            FILE,
            "from ._models import Widget as Generated\n\n\nclass Widget(Generated):\n    @property\n    def title(self) -> str:\n        \"\"\"The title.\"\"\"\n        return self[\"displayTitle\"]\n\n    def shout(self) -> str:\n        return self.title.upper()\n",
        )],
        generated: &[(MODELS, WIDGET)],
        outcome: Becomes(
            "from ._models import Widget as Generated\n\n\nclass Widget(Generated):\n    def shout(self) -> str:\n        return self.title.upper()\n",
        ),
    },
    Example {
        of: Duplicate,
        what: "a member that differs from the generated one",
        renames: &[],
        errors: &[(FILE, 6, 0, "override", "Cannot override writeable attribute with read-only property", "")],
        files: &[(
            FILE,
            "from ._models import Widget as Generated\n\n\nclass Widget(Generated):\n    @property\n    def title(self) -> str:\n        return self[\"name\"]\n\n    def shout(self) -> str:\n        return self.title.upper()\n",
        )],
        generated: &[(MODELS, WIDGET)],
        outcome: Left("is not the same"),
    },
    Example {
        of: Import,
        what: "a generated model or enum of the package, and names of `typing`",
        renames: &[],
        errors: &[
            (FILE, 4, 0, "name-defined", "Name \"WidgetStatus\" is not defined", "WidgetStatus"),
            (FILE, 4, 0, "name-defined", "Name \"Optional\" is not defined", "Optional"),
        ],
        files: &[(
            FILE,
            "from ._models import Widget\n\n\ndef f(widget: Widget) -> Optional[WidgetStatus]:\n    return widget.status\n",
        )],
        generated: &[
            (MODELS, WIDGET),
            ("sdk/azure/widget/models/_enums.py", "class WidgetStatus(str, Enum):\n    ACTIVE = \"active\"\n"),
        ],
        outcome: Becomes(
            "from ._models import Widget\nfrom ._enums import WidgetStatus\nfrom typing import Optional\n\n\ndef f(widget: Widget) -> Optional[WidgetStatus]:\n    return widget.status\n",
        ),
    },
    Example {
        of: Import,
        what: "a name that the package's models do not have",
        renames: &[],
        errors: &[(FILE, 4, 0, "name-defined", "Name \"WidgetStatus\" is not defined", "WidgetStatus")],
        files: &[(
            FILE,
            "from ._models import Widget\n\n\ndef f(widget: Widget) -> WidgetStatus:\n    return widget.status\n",
        )],
        generated: &[(MODELS, WIDGET)],
        outcome: Left("not come from a rename"),
    },
    Example {
        of: Reference,
        what: "classes, with their imports, annotations, calls and what the module exports",
        renames: &[MODEL],
        errors: &[(
            FILE,
            1,
            0,
            "attr-defined",
            "Module \"azure.widget.models._models\" has no attribute \"AnalyzeResult\"",
            "AnalyzeResult",
        )],
        files: &[(
            FILE,
            "from ._models import AnalyzeResult\n\n__all__ = [\"AnalyzeResult\"]\n\n\ndef f(x: \"AnalyzeResult\") -> AnalyzeResult:\n    return x\n",
        )],
        generated: &[],
        outcome: Becomes(
            "from ._models import WidgetAnalysis\n\n__all__ = [\"WidgetAnalysis\"]\n\n\ndef f(x: \"WidgetAnalysis\") -> WidgetAnalysis:\n    return x\n",
        ),
    },
    Example {
        of: Reference,
        what: "a hand-written class that takes the place of the generated one",
        renames: &[MODEL],
        errors: &[(
            FILE,
            1,
            0,
            "attr-defined",
            "Module \"azure.widget.models._models\" has no attribute \"AnalyzeResult\"",
            "AnalyzeResult",
        )],
        files: &[(
            FILE,
            "from ._models import AnalyzeResult as Generated\n\n\nclass AnalyzeResult(Generated):\n    pass\n",
        )],
        generated: &[],
        outcome: Left("takes its place"),
    },
    Example {
        of: Reference,
        what: "what the type checker says of overloads around a missing class goes with it; docstrings that refer to the class follow",
        renames: &[MODEL],
        errors: &[
            (FILE, 8, 0, "name-defined", "Name \"_models.AnalyzeResult\" is not defined", ""),
            (FILE, 10, 0, "overload-cannot-match", "Overloaded function signature 2 will never be matched", ""),
        ],
        files: &[(
            FILE,
            "from typing import Union, overload\nfrom .. import models as _models\n\n\n@overload\ndef f(\n    x: bytes,\n) -> _models.AnalyzeResult: ...\n@overload\ndef f(x: str) -> str: ...\ndef f(x: Union[bytes, str]) -> object:\n    \"\"\"Reads.\n\n    :rtype: ~azure.widget.models.AnalyzeResult or str\n    \"\"\"\n    return x\n",
        )],
        generated: &[],
        outcome: Becomes(
            "from typing import Union, overload\nfrom .. import models as _models\n\n\n@overload\ndef f(\n    x: bytes,\n) -> _models.WidgetAnalysis: ...\n@overload\ndef f(x: str) -> str: ...\ndef f(x: Union[bytes, str]) -> object:\n    \"\"\"Reads.\n\n    :rtype: ~azure.widget.models.WidgetAnalysis or str\n    \"\"\"\n    return x\n",
        ),
    },
    Example {
        of: Reference,
        what: "the internal methods of a renamed operation, where generated code has the new ones and the old ones no longer",
        renames: &[ANALYZE],
        errors: &[(OPERATIONS_PATCH, 6, 16, "misc", "\"_begin_analyze\" undefined in superclass", "")],
        files: &[(
            OPERATIONS_PATCH,
            "from ._operations import WidgetMixin as Generated\n\n\nclass WidgetMixin(Generated):\n    def begin_analyze(self, name: str) -> object:\n        return super()._begin_analyze(name)\n",
        )],
        generated: &[(OPERATIONS, "class WidgetMixin:\n    def _begin_inspect(self, name): ...\n")],
        outcome: Becomes(
            "from ._operations import WidgetMixin as Generated\n\n\nclass WidgetMixin(Generated):\n    def begin_analyze(self, name: str) -> object:\n        return super()._begin_inspect(name)\n",
        ),
    },
    Example {
        of: Reference,
        what: "a method that takes the place of a renamed operation, where it takes what the generated one takes",
        renames: &[ANALYZE],
        errors: &[(OPERATIONS_PATCH, 6, 16, "misc", "\"analyze\" undefined in superclass", "")],
        files: &[(
            OPERATIONS_PATCH,
            "from ._operations import WidgetMixin as Generated\n\n\nclass WidgetMixin(Generated):\n    def analyze(self, name: str) -> object:\n        return super().analyze(name)\n",
        )],
        generated: &[(OPERATIONS, "class WidgetMixin:\n    def inspect(self, name): ...\n")],
        outcome: Becomes(
            "from ._operations import WidgetMixin as Generated\n\n\nclass WidgetMixin(Generated):\n    def inspect(self, name: str) -> object:\n        return super().inspect(name)\n",
        ),
    },
    Example {
        of: Reference,
        what: "a method that takes the place of a renamed operation and does not call it, which no build reports",
        renames: &[ANALYZE],
        errors: &[(
            OPERATIONS_PATCH,
            5,
            0,
            "renamed-override",
            "`analyze` overrides nothing any more: the operation is called `inspect` now",
            "",
        )],
        files: &[(
            OPERATIONS_PATCH,
            "from ._operations import WidgetMixin as Generated\n\n\nclass WidgetMixin(Generated):\n    def analyze(self, name: str) -> object:\n        return None\n",
        )],
        generated: &[(OPERATIONS, "class WidgetMixin:\n    def inspect(self, name): ...\n")],
        outcome: Becomes(
            "from ._operations import WidgetMixin as Generated\n\n\nclass WidgetMixin(Generated):\n    def inspect(self, name: str) -> object:\n        return None\n",
        ),
    },
    Example {
        of: Reference,
        what: "an import from a module that is left in the package and whose class meets the one that a newer emitter writes elsewhere",
        renames: &[],
        errors: &[(
            CLIENT_PATCH,
            8,
            9,
            "assignment",
            "Incompatible types in assignment (expression has type \"azure.widget._serialization.Serializer\", variable has type \"azure.widget._utils.serialization.Serializer\")",
            "",
        )],
        files: &[(
            CLIENT_PATCH,
            "from ._client import WidgetClient as Generated\nfrom ._serialization import Serializer\n\n\nclass WidgetClient(Generated):\n    def __init__(self, endpoint: str) -> None:\n        super().__init__(endpoint)\n        self._serialize = Serializer()\n",
        )],
        generated: &[
            ("sdk/azure/widget/_serialization.py", "class Serializer: ...\n"),
            ("sdk/azure/widget/_utils/serialization.py", "class Serializer: ...\n"),
        ],
        outcome: Becomes(
            "from ._client import WidgetClient as Generated\nfrom ._utils.serialization import Serializer\n\n\nclass WidgetClient(Generated):\n    def __init__(self, endpoint: str) -> None:\n        super().__init__(endpoint)\n        self._serialize = Serializer()\n",
        ),
    },
    Example {
        of: Reference,
        what: "a class that only has the name of one in a module that moved",
        renames: &[],
        errors: &[(
            CLIENT_PATCH,
            5,
            1,
            "assignment",
            "Incompatible types in assignment (expression has type \"azure.widget._serialization.Serializer\", variable has type \"azure.widget._utils.serialization.Deserializer\")",
            "",
        )],
        files: &[(
            CLIENT_PATCH,
            "from ._serialization import Serializer\nfrom ._utils.serialization import Deserializer\n\none: Deserializer\none = Serializer()\n",
        )],
        generated: &[("sdk/azure/widget/_utils/serialization.py", "class Serializer: ...\nclass Deserializer: ...\n")],
        outcome: Left("not come from a rename"),
    },
    Example {
        of: Reference,
        what: "a method of the name of a renamed operation that takes something else",
        renames: &[ANALYZE],
        errors: &[(OPERATIONS_PATCH, 6, 16, "misc", "\"analyze\" undefined in superclass", "")],
        files: &[(
            OPERATIONS_PATCH,
            "from ._operations import WidgetMixin as Generated\n\n\nclass WidgetMixin(Generated):\n    def analyze(self, path: str) -> object:\n        return super().analyze(path)\n",
        )],
        generated: &[(OPERATIONS, "class WidgetMixin:\n    def inspect(self, name): ...\n")],
        outcome: Left("a decision about the public surface"),
    },
    Example {
        of: Reference,
        what: "modules and classes that a newer emitter writes elsewhere, where generated code has them",
        renames: &[],
        errors: &[
            (
                OPERATIONS_PATCH,
                1,
                1,
                "attr-defined",
                "Module \"azure.widget._operations._operations\" has no attribute \"WidgetOperationsMixin\"; maybe \"_WidgetOperationsMixin\"?",
                "",
            ),
            (OPERATIONS_PATCH, 2, 0, "ModuleNotFoundError", "No module named 'azure.widget._model_base'", ""),
        ],
        files: &[(
            OPERATIONS_PATCH,
            "from ._operations import WidgetOperationsMixin as Generated\nfrom .._model_base import _deserialize\n\n__all__ = [\"WidgetOperationsMixin\"]\n\n\nclass WidgetOperationsMixin(Generated):\n    read = _deserialize\n",
        )],
        generated: &[
            (OPERATIONS, "class _WidgetOperationsMixin: ...\n"),
            ("sdk/azure/widget/_utils/model_base.py", "def _deserialize(x): ...\n"),
        ],
        outcome: Becomes(
            "from ._operations import _WidgetOperationsMixin as Generated\nfrom .._utils.model_base import _deserialize\n\n__all__ = [\"_WidgetOperationsMixin\"]\n\n\nclass _WidgetOperationsMixin(Generated):\n    read = _deserialize\n",
        ),
    },
    Example {
        of: Reserved,
        what: "a property whose new name Python keeps for itself gets the emitter's suffix",
        renames: &[(Property, "Widget", "display_name", "class_property")],
        errors: &[(FILE, 5, 0, "attr-defined", "\"Widget\" has no attribute \"display_name\"", "display_name")],
        files: &[(
            FILE,
            "from ._models import Widget\n\n\ndef f(widget: Widget) -> str:\n    return widget.display_name\n",
        )],
        generated: &[],
        outcome: Becomes(
            "from ._models import Widget\n\n\ndef f(widget: Widget) -> str:\n    return widget.class_property\n",
        ),
    },
];
