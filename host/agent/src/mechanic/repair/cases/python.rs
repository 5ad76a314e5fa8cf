//! Python. What a rename changes is shown in more detail in `python/tests/repairs.rs`.

use super::Break::{Reference, Reserved};
use super::Outcome::{Becomes, Left};
use super::{Example, Renamed};
use crate::tasks::EntityKind::{Model, Property};

const FILE: &str = "sdk/azure/widget/models/_patch.py";
const MODEL: Renamed = (Model, "", "AnalyzeResult", "WidgetAnalysis");

pub(super) const EXAMPLES: &[Example] = &[
    Example {
        of: Reference,
        what: "classes, with their imports, annotations, calls and what the module exports",
        renames: &[MODEL],
        errors: &[(
            FILE, 1, 0, "attr-defined", "Module \"azure.widget.models._models\" has no attribute \"AnalyzeResult\"",
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
            FILE, 1, 0, "attr-defined", "Module \"azure.widget.models._models\" has no attribute \"AnalyzeResult\"",
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
