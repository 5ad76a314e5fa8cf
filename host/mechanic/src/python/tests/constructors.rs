//! Constructors that people wrote in front of generated ones, as `azure-eventgrid` has them.

use super::{FILE, LIMITS, Python, error, missing_property, patched};
use crate::repair::{Case, Reader, Text};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

const MODELS: &str = "\
from typing import Any, Mapping, overload
from ._models import Widget as InternalWidget


class Widget(InternalWidget):
    \"\"\"A widget.

    :ivar display_name: The display_name. Required.
    :vartype display_name: str
    :ivar size: See :attr:`display_name`.
    \"\"\"

    @overload
    def __init__(
        self,
        *,
        display_name: str,
        size: int,
    ):
        \"\"\"
        :keyword str display_name: What people see.
        :paramtype display_name: str
        \"\"\"

    @overload
    def __init__(self, mapping: Mapping[str, Any]): ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
";

const USES: &str = "\
from typing import Any
from ...models import Widget


def copy(widget: Widget, display_name: str) -> Any:
    return Widget(
        display_name=widget.display_name,
        size=1,
    )
";

const USES_FILE: &str = "sdk/azure/widget/aio/_operations/_patch.py";

fn property() -> Rename {
    Rename {
        kind: EntityKind::Property,
        container: Some("Widget".into()),
        old: "display_name".into(),
        new: "title".into(),
    }
}

fn drift(file: &str, line: u32) -> Diagnostic {
    let message =
        "the hand-written constructor of `Widget` has `display_name` here, which is `title` in generated code now";
    Diagnostic {
        file: Some(file.into()),
        tool: "drift".into(),
        code: Some("renamed-keyword".into()),
        ..error(line, None, message)
    }
}

/// Both files after the repair, or the reasons for none.
fn run(models: &str, errors: &[Diagnostic]) -> Result<[String; 2], String> {
    let files = [(FILE, models), (USES_FILE, USES)].map(|(path, text)| Text { path: path.into(), text: text.into() });
    let (renames, limits) = ([property()], LIMITS);
    let case =
        Case { files: &files, generated: &[], package: "azure-widget", renames: &renames, diagnostics: errors, limits };
    let hunks = Python.repair(&case).map_err(|doubts| {
        doubts
            .into_iter()
            .map(|doubt| format!("{} at {}", doubt.issue, doubt.places.join(" ")))
            .collect::<Vec<_>>()
            .join("; ")
    })?;
    Ok([FILE, USES_FILE].map(|path| {
        let text = files.iter().find(|one| one.path == path).map(|one| one.text.as_str()).unwrap();
        patched(text, &hunks.iter().filter(|hunk| hunk.path == path).cloned().collect::<Vec<_>>())
    }))
}

#[test]
fn overload_docstrings_and_calls_follow_what_the_constructor_hands_on() {
    let in_uses = Diagnostic { file: Some(USES_FILE.into()), ..missing_property(7) };
    for errors in [vec![in_uses.clone()], vec![in_uses, drift(FILE, 17), drift(USES_FILE, 7)]] {
        let [models, uses] = run(MODELS, &errors).unwrap();
        let wanted = MODELS
            .replace(":ivar display_name:", ":ivar title:")
            .replace(":vartype display_name", ":vartype title")
            .replace("        display_name: str,", "        title: str,")
            .replace(":keyword str display_name", ":keyword str title")
            .replace(":paramtype display_name", ":paramtype title");
        assert_eq!(models, wanted);
        assert_eq!(uses, USES.replace("display_name=widget.display_name", "title=widget.title"));
    }
}

#[test]
fn constructor_that_takes_the_keyword_itself_keeps_it_and_unclear_ones_are_left_to_a_person() {
    let in_uses = Diagnostic { file: Some(USES_FILE.into()), ..missing_property(7) };
    let own = MODELS.replace("*args: Any, **kwargs: Any", "*args: Any, display_name: str = \"\", **kwargs: Any");
    let own = own.replace("(*args, **kwargs)", "(*args, display_name=display_name, **kwargs)");
    let [models, uses] = run(&own, std::slice::from_ref(&in_uses)).unwrap();
    let kept = own.replace("display_name=display_name", "title=display_name");
    assert_eq!(
        models,
        kept.replace(":ivar display_name:", ":ivar title:").replace(":vartype display_name", ":vartype title")
    );
    assert_eq!(uses, USES.replace("widget.display_name", "widget.title"));

    let changed = MODELS.replace("        super()", "        kwargs[\"display_name\"] = \"\"\n        super()");
    for (models, about) in [
        (MODELS.replace("super().__init__(*args, **kwargs)", "self.kwargs = kwargs"), "passes this argument on"),
        (changed, "passes this argument on"),
        (MODELS.replace("        size: int,", "        title: int,"), "`title` already"),
    ] {
        let said = run(&models, &[in_uses.clone(), drift(FILE, 17)]).unwrap_err();
        assert!(said.contains(about) && said.contains("models/_patch.py:17"), "{said}");
    }
}

#[test]
fn keyword_that_is_looked_up_is_told_with_its_place() {
    let looked_up = "\
from ._models import Widget as G


class Widget(G):
    def __init__(self, **kwargs):
        kwargs[\"display_name\"] = \"\"
        super().__init__(**kwargs)
";
    let said = run(looked_up, &[drift(FILE, 6), Diagnostic { file: Some(USES_FILE.into()), ..missing_property(7) }]);
    let said = said.unwrap_err();
    assert!(said.contains("`display_name` is `title`") && said.contains("models/_patch.py:6"), "{said}");
}
