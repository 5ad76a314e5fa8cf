//! Shapes of real `_patch.py` files: overloads, wrapped operations, operations of a client itself, docstrings.

use super::{FILE, LIMITS, Python, class, error, patched};
use crate::repair::{Case, Reader, Text};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

const GENERATED: &str = "sdk/azure/widget/models/_operations.py";

fn operation(new: &str) -> Rename {
    Rename { kind: EntityKind::Operation, container: None, old: "analyze".into(), new: new.into() }
}

fn coded(line: u32, code: &str, message: &str) -> Diagnostic {
    Diagnostic { code: Some(code.into()), ..error(line, None, message) }
}

/// The file after the repair, or the reasons for none.
fn run(text: &str, generated: &str, renames: &[Rename], errors: &[Diagnostic]) -> Result<String, String> {
    let of = |path: &str, text: &str| [Text { path: path.to_owned(), text: text.to_owned() }];
    let (files, generated) = (of(FILE, text), of(GENERATED, generated));
    let case = Case {
        files: &files,
        generated: &generated,
        package: "azure-widget",
        renames,
        diagnostics: errors,
        limits: LIMITS,
    };
    match Python.repair(&case) {
        Ok(hunks) => Ok(patched(text, &hunks)),
        Err(doubts) => Err(doubts.into_iter().map(|doubt| doubt.issue).collect::<Vec<_>>().join("; ")),
    }
}

#[track_caller]
fn left(outcome: Result<String, String>, about: &str) {
    let reason = outcome.unwrap_err();
    assert!(reason.contains(about), "{reason}");
}

const OVERLOADED: &str = "\
from typing import Union, overload
from .. import models as _models


class Operations:
    @overload
    def make(
        self, body: _models.AnalyzeResult, *, size: int
    ) -> _models.AnalyzeResult: ...

    @overload
    def make(self, body: bytes) -> bytes: ...

    def make(self, body: Union[_models.AnalyzeResult, bytes]) -> object:
        return body

    def other(self, body: bytes) -> bytes:
        return body
";

fn undefined(line: u32) -> Diagnostic {
    coded(line, "name-defined", "Name \"_models.AnalyzeResult\" is not defined")
}

#[test]
fn error_in_the_last_line_of_a_head_with_its_body_behind_the_colon_is_explained() {
    let repaired = run(OVERLOADED, "", &[class()], &[undefined(8), undefined(9), undefined(14)]);
    assert_eq!(repaired, Ok(OVERLOADED.replace("AnalyzeResult", "WidgetAnalysis")));
}

#[test]
fn what_follows_from_an_unknown_name_in_the_same_overloads_does_not_stop_the_repair() {
    let never = "Overloaded function signature 2 will never be matched: signature 1's parameter type(s) are the same";
    let follows =
        |line, code: &str, message: &str| run(OVERLOADED, "", &[class()], &[undefined(9), coded(line, code, message)]);
    for (line, code, message) in [
        (12, "overload-cannot-match", never),
        (11, "overload-cannot-match", never),
        (14, "misc", "Overloaded function implementation does not accept all possible arguments of signature 1"),
        (14, "override", "Signature of \"make\" incompatible with supertype \"Generated\""),
        (15, "return-value", "Incompatible return value type (got \"list[Any]\", expected \"bytes\")"),
        (15, "misc", "Class cannot subclass \"Base\" (has type \"Any\")"),
        (18, "assignment", "Incompatible import of \"X\" (imported name has type \"type[AnalyzeResult]\")"),
    ] {
        assert!(follows(line, code, message).is_ok(), "{message}");
    }
    for (line, code, message) in [
        // Another definition, and other causes in the same one.
        (18, "overload-cannot-match", never),
        (15, "return-value", "Incompatible return value type (got \"int\", expected \"bytes\")"),
        (15, "misc", "\"_make\" undefined in superclass"),
        (18, "assignment", "Incompatible types in assignment (expression has type \"X\"), no AnalyzeResult"),
        (15, "attr-defined", "\"bytes\" has no attribute \"title\""),
        (15, "name-defined", "Name \"_models.Part\" is not defined"),
        (15, "call-arg", "Missing named argument \"size\" for \"Part\""),
    ] {
        left(follows(line, code, message), "not come from a rename");
    }
    let elsewhere = Diagnostic { file: Some("sdk/azure/widget/_client.py".into()), ..coded(12, "misc", never) };
    left(run(OVERLOADED, "", &[class()], &[undefined(9), elsewhere]), "not come from a rename");
}

const WRAPPING: &str = "\
from ._operations import Generated


class Client(Generated):
    def analyze(self, name: str) -> object:
        return super()._analyze(name)

    def start(self, name: str) -> object:
        self._analyze_initial(name)
        return self.analyze(name)
";

fn wrapping_errors() -> [Diagnostic; 2] {
    [
        error(6, Some(16), "\"_analyze\" undefined in superclass"),
        error(9, Some(9), "\"Client\" has no attribute \"_analyze_initial\""),
    ]
}

#[test]
fn internal_methods_of_an_operation_follow_where_generated_code_has_them() {
    let now = "class Generated:\n    def _inspect(self): ...\n    def _inspect_initial(self): ...\n";
    let wanted = WRAPPING.replace("()._analyze(", "()._inspect(").replace("_analyze_initial", "_inspect_initial");
    // Also where the specification names another class than the emitter.
    let named = Rename { container: Some("WidgetsOperations".into()), ..operation("inspect") };
    for rename in [operation("inspect"), named] {
        assert_eq!(run(WRAPPING, now, &[rename], &wrapping_errors()), Ok(wanted.clone()));
    }
    for generated in [
        "",
        "class Generated:\n    def inspect(self): ...\n",
        &format!("{now}    def _analyze(self): ...\n    def _analyze_initial(self): ...\n"),
        "def _inspect(): ...\ndef _inspect_initial(): ...\n",
    ] {
        let outcome = run(WRAPPING, generated, &[operation("inspect")], &wrapping_errors());
        left(outcome, "2 errors name what has another name now");
    }
}

#[test]
fn long_running_operation_that_became_internal_with_its_rename_is_called_as_generated_code_has_it() {
    let text = "from ._operations import Generated\n\n\nclass Client(Generated):\n    def start(self, name: str) -> object:\n        return self.begin_analyze(name)\n";
    let errors = [error(6, Some(16), "\"Client\" has no attribute \"begin_analyze\"")];
    for (method, wanted) in [("begin_inspect", "begin_inspect"), ("_begin_inspect", "_begin_inspect")] {
        let generated = format!("class Generated:\n    def {method}(self): ...\n");
        let repaired = run(text, &generated, &[operation("inspect")], &errors);
        assert_eq!(repaired, Ok(text.replace("begin_analyze", wanted)));
    }
}

#[test]
fn wrapper_goes_on_calling_a_hidden_operation_and_its_callers_go_on_calling_the_wrapper() {
    let text = "from ._operations import Generated\n\n\nclass Client(Generated):\n    def analyze(self, name: str) -> object:\n        return super().analyze(name)\n\n    def twice(self, name):\n        return self.analyze(name), self.analyze(name)\n";
    let generated = "class Generated:\n    def _analyze(self): ...\n";
    let errors = [error(6, Some(16), "\"analyze\" undefined in superclass")];
    let known = Rename { container: Some("Generated".into()), ..operation("_analyze") };
    for rename in [operation("_analyze"), known] {
        let repaired = run(text, generated, &[rename], &errors);
        assert_eq!(repaired, Ok(text.replace("super().analyze", "super()._analyze")));
    }
}

#[test]
fn method_of_the_old_name_that_is_not_known_to_take_the_place_of_the_renamed_one_is_left_to_a_person() {
    let text = WRAPPING.replace("_analyze(", "analyze(").replace("_analyze_initial", "other");
    let errors = [error(6, Some(16), "\"analyze\" undefined in superclass")];
    for generated in [
        // Other parameters, and a class that is not the one.
        "class Generated:\n    def inspect(self): ...\n",
        "class Generated: ...\n\n\nclass Other:\n    def inspect(self, name): ...\n",
    ] {
        left(run(&text, generated, &[operation("inspect")], &errors), "decision about the public surface");
    }
}

const IN_PLACE: &str = "\
from typing import overload

from ._operations import ClientOperationsMixin as Generated


class ClientOperationsMixin(Generated):
    @overload
    def analyze(self, name: str) -> object: ...

    @overload
    def analyze(self, name: bytes) -> object: ...

    def analyze(self, name, **kwargs):
        return super().analyze(name, **kwargs)

    def twice(self, name: str) -> object:
        return self.analyze(name), self.analyze(name)


class Client(ClientOperationsMixin):
    def once(self) -> object:
        return super().analyze(\"\")
";

#[test]
fn method_that_takes_the_place_of_a_renamed_one_follows_with_its_overloads_and_calls() {
    let errors = [
        error(14, Some(16), "\"analyze\" undefined in superclass"),
        error(22, Some(16), "\"analyze\" undefined in superclass"),
    ];
    for (class, underscore) in
        [("ClientOperationsMixin", ""), ("_ClientOperationsMixin", ""), ("ClientOperationsMixin", "_")]
    {
        let text = IN_PLACE.replace("analyze(", &format!("{underscore}analyze("));
        let generated = format!("class {class}:\n    def {underscore}inspect(self, name: str, **kwargs: Any): ...\n");
        let named = |one: &Diagnostic| Diagnostic {
            message: one.message.replace("analyze", &format!("{underscore}analyze")),
            ..one.clone()
        };
        let repaired = run(&text, &generated, &[operation("inspect")], &errors.each_ref().map(named));
        assert_eq!(repaired, Ok(text.replace("analyze", "inspect")));
    }
    // A public method around an operation that is internal now.
    let generated = "class ClientOperationsMixin:\n    def _inspect(self, name: str, **kwargs: Any): ...\n";
    let wrapper = IN_PLACE.replace("super().analyze", "super()._inspect");
    assert_eq!(run(IN_PLACE, generated, &[operation("_inspect")], &errors), Ok(wrapper));
    // A base further up has it.
    let generated =
        "class ClientOperationsMixin(_Base): ...\n\n\nclass _Base:\n    def inspect(self, name, **kwargs): ...\n";
    assert_eq!(run(IN_PLACE, generated, &[operation("inspect")], &errors), Ok(IN_PLACE.replace("analyze", "inspect")));
    // The class has one of the new name already, and the generated one is still there.
    let generated = "class ClientOperationsMixin:\n    def inspect(self, name, **kwargs): ...\n";
    let both = IN_PLACE.replace("def twice", "def inspect");
    left(run(&both, generated, &[operation("inspect")], &errors), "decision about the public surface");
    let still = format!("{generated}    def analyze(self, name, **kwargs): ...\n");
    left(run(IN_PLACE, &still, &[operation("inspect")], &errors), "decision about the public surface");
}

fn lacks(line: u32, name: &str, suggested: &str) -> Diagnostic {
    error(
        line,
        Some(1),
        &format!("Module \"azure.widget.models._operations\" has no attribute \"{name}\"; maybe {suggested}?"),
    )
}

#[test]
fn builder_of_a_renamed_operation_follows_where_its_module_declares_the_new_one() {
    let text = "from ._operations import (\n    build_widgets_analyze_request,\n    JSON,\n)\n\nrequest = build_widgets_analyze_request()\n";
    let errors = [lacks(1, "build_widgets_analyze_request", "\"build_widgets_inspect_request\"")];
    let repaired = run(text, "def build_widgets_inspect_request(): ...\n", &[operation("inspect")], &errors);
    assert_eq!(repaired, Ok(text.replace("analyze", "inspect")));
    for generated in ["", "def build_parts_inspect_request(): ...\n"] {
        left(run(text, generated, &[operation("inspect")], &errors), "(`analyze` is `inspect`)");
    }
    // What generated code shows of an internal operation.
    let internal = Rename { old: "_analyze".into(), ..operation("_inspect") };
    let generated = "def build_widgets_inspect_request(): ...\n";
    assert_eq!(run(text, generated, &[internal], &errors), Ok(text.replace("analyze", "inspect")));
}

#[test]
fn internal_method_of_a_client_that_another_client_has_too_follows() {
    let text = "\
from ._client import ChatClient as Generated


class ChatClient(Generated):
    def get_info(self) -> object:
        return self._get_model_info()
";
    let rename = Rename {
        kind: EntityKind::Operation,
        container: Some("_ChatClientOperationsMixin".into()),
        old: "_get_model_info".into(),
        new: "_get_info".into(),
    };
    let generated = "class _ChatClientOperationsMixin:\n    def _get_info(self): ...\n\n\nclass _ImageClientOperationsMixin:\n    \
                     def _get_model_info(self): ...\n";
    let errors = [error(6, Some(16), "\"ChatClient\" has no attribute \"_get_model_info\"")];
    let wanted = text.replace("self._get_model_info", "self._get_info");
    assert_eq!(run(text, generated, std::slice::from_ref(&rename), &errors), Ok(wanted));
    let other = [error(6, Some(16), "\"ImageClient\" has no attribute \"_get_model_info\"")];
    left(run(text, generated, &[rename], &other), "(`_get_model_info` is `_get_info`)");
}

const MIXIN: &str = "\
from ._operations import WidgetClientOperationsMixin as Generated

__all__ = [\"WidgetClientOperationsMixin\"]


class WidgetClientOperationsMixin(Generated):
    pass


made = WidgetClientOperationsMixin()
";

#[test]
fn class_in_the_place_of_one_that_the_emitter_calls_otherwise_now_keeps_its_place() {
    let errors = [lacks(1, "WidgetClientOperationsMixin", "\"_WidgetClientOperationsMixin\" or \"WidgetClientABC\"")];
    let generated = "class _WidgetClientOperationsMixin: ...\nclass WidgetClientABC: ...\n";
    let wanted = MIXIN.replace("WidgetClientOperationsMixin", "_WidgetClientOperationsMixin");
    assert_eq!(run(MIXIN, generated, &[], &errors), Ok(wanted));
    // With another client's name, too, where the module has no other.
    let errors = [lacks(1, "WidgetClientOperationsMixin", "\"_GadgetClientOperationsMixin\"")];
    let generated = "class _GadgetClientOperationsMixin: ...\n";
    let wanted = MIXIN.replace("WidgetClientOperationsMixin", "_GadgetClientOperationsMixin");
    assert_eq!(run(MIXIN, generated, &[], &errors), Ok(wanted));
}

#[test]
fn suggestion_that_generated_code_does_not_prove_is_not_followed() {
    for (suggested, generated) in [
        ("\"_GadgetClientOperationsMixin\"", ""),
        (
            "\"_GadgetClientOperationsMixin\"",
            "class _GadgetClientOperationsMixin: ...\nclass _PartClientOperationsMixin: ...\n",
        ),
        ("\"_GadgetMixin\"", "class _GadgetMixin: ...\n"),
        (
            "\"_GadgetClientOperationsMixin\" or \"WidgetClientABC\"",
            "class _GadgetClientOperationsMixin: ...\nclass WidgetClientABC: ...\n",
        ),
    ] {
        let errors = [lacks(1, "WidgetClientOperationsMixin", suggested)];
        left(run(MIXIN, generated, &[], &errors), "not come from a rename");
    }
    // A model of a similar name is another model.
    let text = "from ._operations import StartRequest\n";
    let errors = [lacks(1, "StartRequest", "\"_StartRequest\"")];
    left(run(text, "class _StartRequest: ...\n", &[], &errors), "not come from a rename");
}

#[test]
fn mixin_that_is_exported_itself_or_whose_new_name_is_taken_is_left_to_a_person() {
    let errors = [lacks(1, "WidgetClientOperationsMixin", "\"_WidgetClientOperationsMixin\"")];
    let generated = "class _WidgetClientOperationsMixin: ...\n";
    let exporting =
        "from ._operations import WidgetClientOperationsMixin\n\n__all__ = [\"WidgetClientOperationsMixin\"]\n";
    left(run(exporting, generated, &[], &errors), "exports a class of generated code");
    let taken = MIXIN.replace("made", "_WidgetClientOperationsMixin");
    left(run(&taken, generated, &[], &errors), "already");
}

const DOCUMENTED: &str = "\
from .. import models as _models


def make(body: _models.AnalyzeResult) -> None:
    # See azure.widget.models.AnalyzeResult.
    \"\"\"Makes an AnalyzeResult of a :class:`~azure.widget.models.AnalyzeResult`.

    :type body: ~azure.widget.models.AnalyzeResult or list[~azure.widget.models.AnalyzeResult]
    :rtype: ~azure.part.models.AnalyzeResult or ~azure.widget.models.AnalyzeResults
    \"\"\"
    print(\"~azure.widget.models.AnalyzeResult\")
";

#[test]
fn references_of_docstrings_to_the_class_follow_and_other_words_stay() {
    let repaired = run(DOCUMENTED, "", &[class()], &[undefined(4)]).unwrap();
    let changed: Vec<&str> =
        repaired.lines().zip(DOCUMENTED.lines()).filter(|(new, old)| new != old).map(|(new, _)| new).collect();
    assert_eq!(
        changed,
        [
            "def make(body: _models.WidgetAnalysis) -> None:",
            "    \"\"\"Makes an AnalyzeResult of a :class:`~azure.widget.models.WidgetAnalysis`.",
            "    :type body: ~azure.widget.models.WidgetAnalysis or list[~azure.widget.models.WidgetAnalysis]",
        ]
    );
}

#[test]
fn references_to_a_class_that_no_code_names_by_its_old_name_stay() {
    let other = Rename { old: "Part".into(), new: "Piece".into(), ..class() };
    let text = DOCUMENTED.replace("list[~azure.widget.models.AnalyzeResult]", "~azure.widget.models.Part");
    let repaired = run(&text, "", &[class(), other], &[undefined(4)]).unwrap();
    assert!(repaired.contains("~azure.widget.models.WidgetAnalysis or ~azure.widget.models.Part"), "{repaired}");
}

#[test]
fn documentation_that_would_pass_the_limits_stays_as_it_is() {
    let line = "    :type body: ~azure.widget.models.AnalyzeResult\n";
    let text = DOCUMENTED.replace("    :rtype", &format!("{}    :rtype", line.repeat(20)));
    let repaired = run(&text, "", &[class()], &[undefined(4)]);
    assert_eq!(repaired, Ok(text.replace("_models.AnalyzeResult", "_models.WidgetAnalysis")));
}

#[test]
fn what_a_variable_is_declared_as_decides_whatever_is_assigned_to_it() {
    let property = super::property();
    let text = "from typing import Any, Union\nfrom ._models import Part, Widget\n\n\ndef f(*args: Any) -> None:\n    part: Union[Part, bytes] = Part()\n    part = args[0]\n    if isinstance(part, Part):\n        print(part.display_name, Widget().display_name)\n";
    let errors = [super::missing_property(9)];
    assert_eq!(
        run(text, "", std::slice::from_ref(&property), &errors),
        Ok(text.replace("Widget().display_name", "Widget().title"))
    );
    // What the type checker found out beyond the declaration counts where it names the column.
    let text = "from ._models import Base, Widget\n\n\ndef f(base: Base) -> None:\n    if isinstance(base, Widget):\n        print(base.display_name)\n";
    let errors = [error(6, Some(15), "\"Widget\" has no attribute \"display_name\"")];
    assert_eq!(run(text, "", &[property], &errors), Ok(text.replace(".display_name", ".title")));
}

const MOVED: &str = "sdk/azure/widget/models/_utils/model_base.py";

/// A repair of imports of `_model_base`, which no import finds any more, with these generated files.
fn moved(text: &str, generated: &[(&str, &str)], tool: &str) -> Result<String, String> {
    let of = |(path, text): &(&str, &str)| Text { path: (*path).to_owned(), text: (*text).to_owned() };
    let mut failed = coded(1, "ModuleNotFoundError", "No module named 'azure.widget.models._model_base'");
    failed.tool = tool.to_owned();
    let case = Case {
        files: &[of(&(FILE, text))],
        generated: &generated.iter().map(of).collect::<Vec<_>>(),
        package: "azure-widget",
        renames: &[],
        diagnostics: &[failed],
        limits: LIMITS,
    };
    let told = |doubts: Vec<crate::repair::Doubt>| doubts.into_iter().map(|doubt| doubt.issue).collect::<String>();
    let hunks = Python.repair(&case).map_err(told)?;
    Ok(crate::repair::cases::patched(FILE, text, &hunks))
}

#[test]
fn imports_of_modules_that_moved_follow_in_every_form() {
    let declares = &[(MOVED, "if True:\n    Model = object\ndef rest_field(): ...\n")];
    for (text, wanted) in [
        ("from ._model_base import Model, rest_field\n", "from ._utils.model_base import Model, rest_field\n"),
        ("from ._model_base import (\n    Model as M,\n)\n", "from ._utils.model_base import (\n    Model as M,\n)\n"),
        ("from . import _model_base\n", "from ._utils import model_base as _model_base\n"),
        ("from . import _model_base as base\n", "from ._utils import model_base as base\n"),
        (
            "from . import _model_base, _client as c\n",
            "from ._utils import model_base as _model_base\nfrom . import _client as c\n",
        ),
        (
            "from . import _client, _model_base\n",
            "from ._utils import model_base as _model_base\nfrom . import _client\n",
        ),
    ] {
        assert_eq!(moved(text, declares, "import").as_deref(), Ok(wanted));
    }
}

#[test]
fn import_of_a_module_that_is_not_proved_to_have_moved_stays() {
    let text = "from ._model_base import Model\n";
    let declares = (MOVED, "class Model: ...\n");
    let old = ("sdk/azure/widget/models/_model_base.py", "class Model: ...\n");
    for (generated, tool, about) in [
        (&[][..], "import", "not come from a rename"),
        (&[(MOVED, "class Other: ...\n")][..], "import", "has no `Model`"),
        (&[declares, old][..], "import", "not come from a rename"),
        (&[declares][..], "mypy", "not come from a rename"),
    ] {
        left(moved(text, generated, tool), about);
    }
    let nested = "if True:\n    from . import _model_base, _client\n";
    left(moved(nested, &[declares], "import"), "`_model_base` is `_utils.model_base` now");
    left(moved("from ..other._model_base import Model\n", &[declares], "import"), "not come from a rename");
}

/// What azure-healthinsights-radiologyinsights does: the class that users see keeps a generated client, into which the
/// operations are mixed.
#[test]
fn operation_of_a_client_that_is_kept_follows_where_the_build_misses_it() {
    let text = "from ._client import Client as _Client\n\n\nclass Client:\n    def __init__(self, **kwargs):\n        self._client = _Client(**kwargs)\n\n    def begin_analyze(self, body):\n        return self._client._analyze_initial(body)\n";
    let rename = |old: &str, new: &str, container: &str| Rename {
        kind: EntityKind::Operation,
        container: Some(container.into()),
        old: old.into(),
        new: new.into(),
    };
    let renames = [rename("_analyze_initial", "_inspect_initial", "_ClientOperationsMixin")];
    let missed = error(9, None, "\"Client\" has no attribute \"_analyze_initial\"");
    let files = [Text { path: FILE.to_owned(), text: text.to_owned() }];
    let repaired = |generated: &str, errors: &[Diagnostic]| {
        let generated =
            [Text { path: "sdk/azure/widget/_operations/_operations.py".into(), text: generated.to_owned() }];
        let case = Case {
            files: &files,
            generated: &generated,
            package: "azure-widget",
            renames: &renames,
            diagnostics: errors,
            limits: LIMITS,
        };
        Python.repair(&case).map(|hunks| patched(text, &hunks))
    };
    let now = "class _ClientOperationsMixin:\n    def _inspect_initial(self, body): ...\n";
    let wanted = text.replace("_analyze_initial", "_inspect_initial");
    assert_eq!(repaired(now, std::slice::from_ref(&missed)), Ok(wanted));
    // While generated code has the old name somewhere, it may be that one.
    let both = format!("{now}class Other:\n    def _analyze_initial(self): ...\n");
    assert!(repaired(&both, &[missed]).is_err());
}
