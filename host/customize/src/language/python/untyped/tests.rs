//! Old names behind values that the type checker takes on trust: what is found, and what is left alone.

use super::*;

const BASE: &str = "\
from .._generated import PartsClient as _Client
from .._generated import models as _models

class Base:
    def __init__(self, **kwargs: Any) -> None:
        given = kwargs.get(\"client\")
        if given:
            self._client = given
            self._models = kwargs.get(\"models\") or _models
            return
        self._client = _Client(credential=None)
        self._models = _models
";
const OWN: &str = "\
from ._shared import Base
from ._models import Part
from ._generated import models as _models
class Parts(Base):
    def get(self, name):
        part = self._client.get_part(name)
        label = part.label
        return Part(part.widget.title, label=self._models.Label(text=\"a\"))
    async def make(self):
        answer = await self._client.make_part(parameters=self._models.Part(label=\"b\"))
        return answer.label, self.label, answer.other.label
    def partial(self):
        return partial(self._client.get_part, cls=lambda part: part.label)
    def typed(self, part: \"_models.Part\", widget: Union[\"_models.Widget\", \"_models.Other\"]):
        return part.label, widget.title  # type: ignore
";
const CLIENT: &str = "\
class _PartsClientOperationsMixin:
    def find_part(self, name) -> _models.Part: ...
    def make_part(self, parameters) -> _models.Part: ...
class PartsClient(_PartsClientOperationsMixin): ...
";
const MODELS: &str = "\
class Part(_Model):
    widget: Optional[\"_models.Widget\"] = rest_field()
    caption: str = rest_field()
    other: \"_models.Other\" = rest_field()
class Widget(_Model):
    heading: str = rest_field()
class Other(_Model):
    label: str = rest_field()
    title: str = rest_field()
class Caption(_Model):
    text: str = rest_field()
class Internal(_Model): ...
";

const EXPORTS: &str = "from ._models import Part, Widget, Other, Caption\n";

fn found(own: &[(&str, &str)], rename: &Rename) -> Vec<(usize, u32)> {
    let text = |(path, text): &(&str, &str)| (format!("azure/p/{path}"), (*text).to_owned());
    let own: Vec<Text> = own.iter().map(text).collect();
    let generated = [
        ("_generated/_client.py", CLIENT),
        ("_generated/__init__.py", ""),
        ("_generated/models/__init__.py", EXPORTS),
        ("_generated/models/_models.py", MODELS),
    ];
    let generated: Vec<Text> = generated.iter().map(text).collect();
    let renames = [rename.clone()];
    let read = || Ok::<_, std::convert::Infallible>((Generated::default(), Generated::read(&generated)));
    let found = gone(&own, &renames, false, read).unwrap();
    found.into_iter().map(|one| (one.file, one.line)).collect()
}

#[test]
fn operation_that_moved_and_group_that_has_another_name_are_missed_where_no_rename_tells() {
    let own = "\
from ._shared import Base
class Parts(Base):
    def get(self, name, other):
        self._client.shelves.list(name)
        self._client.find_part(name)
        other.shelves.find_part(name)
        return self._client.send(name), self._client.models.find_part(name)
";
    let client = |body: &str| {
        let text = format!(
            "class PartsClient:\n    def __init__(self):\n{body}class ModelsOperations:\n    def find_part(self): ...\n"
        );
        Generated::read(&[
            ("azure/p/_generated/_client.py".to_owned(), text),
            ("azure/p/_generated/__init__.py".to_owned(), String::new()),
        ])
    };
    let models = "        self.models = ModelsOperations(1)\n";
    let before = format!(
        "{models}        self.shelves = ShelvesOperations(1)\n    def find_part(self, name) -> str: ...\n    def send(self): ...\n"
    );
    let after = format!("{models}        self.racks = RacksOperations(1)\n    def send(self): ...\n");
    let text = |path: &str, text: &str| (format!("azure/p/{path}"), text.to_owned());
    let own = [text("_client.py", own), text("_shared/base.py", BASE)];
    let read = || Ok::<_, std::convert::Infallible>((client(&before), client(&after)));
    let found: Vec<_> =
        gone(&own, &[], true, read).unwrap().into_iter().map(|one| (one.line, one.name, one.what)).collect();
    assert_eq!(found, [(4, "shelves".to_owned(), What::Lost(None)), (5, "find_part".to_owned(), What::Lost(None))]);
}

#[test]
fn operation_and_group_are_found_again_where_one_place_alone_has_them() {
    let code = |members: &str, groups: &str| {
        let text = format!("class PartsClient:\n{members}{groups}");
        Generated::read(&[
            ("azure/p/_generated/_client.py".to_owned(), text),
            ("azure/p/_generated/__init__.py".to_owned(), String::new()),
        ])
    };
    let group = |class: &str, methods: &[&str]| {
        let methods: String = methods.iter().map(|name| format!("    def {name}(self): ...\n")).collect();
        format!("class {class}Operations:\n{methods}")
    };
    let init = |groups: &[(&str, &str)]| {
        let lines = groups.iter().map(|(name, class)| format!("        self.{name} = {class}Operations(1)\n"));
        format!("    def __init__(self):\n        self.x = 1\n{}", lines.collect::<String>())
    };
    let own = "from ._shared import Base\nclass Parts(Base):\n    def get(self):\n        self._client.find_part()\n        self._client.shelves.all()\n";
    let before = code(
        &format!("{}    def find_part(self): ...\n", init(&[("shelves", "Shelves"), ("boxes", "Boxes")])),
        &format!("{}{}", group("Shelves", &["all", "one"]), group("Boxes", &["open"])),
    );
    let found = |groups: &[(&str, &str)], classes: &[String]| {
        let own = [("azure/p/_client.py", own), ("azure/p/_shared/base.py", BASE)];
        let own = own.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let now = code(&init(groups), &classes.concat());
        let read = || Ok::<_, std::convert::Infallible>((before.clone(), now));
        let told = gone(&own, &[], true, read).unwrap().into_iter().map(|one| match one.what {
            What::Lost(now) => now.unwrap_or_default(),
            other => panic!("{other:?}"),
        });
        told.collect::<Vec<_>>()
    };
    let racks = group("Racks", &["all", "one"]);
    let boxes = [("boxes", "Boxes"), ("racks", "Racks")];
    assert_eq!(found(&boxes, &[racks.clone(), group("Boxes", &["open", "find_part"])]), ["boxes.find_part", "racks"]);
    let twice = [group("Racks", &["all", "one", "find_part"]), group("Boxes", &["open", "find_part"])];
    assert_eq!(found(&boxes, &twice), ["", ""], "two groups have it, and none is the old one");
    let shelves = [("boxes", "Boxes"), ("racks", "Racks"), ("other", "Other")];
    assert_eq!(found(&shelves, &[racks, group("Other", &["all", "one"]), group("Boxes", &["open"])]), ["", ""]);
}

fn rename(kind: EntityKind, container: Option<&str>, old: &str, new: &str) -> Rename {
    Rename { kind, container: container.map(str::to_owned), old: old.into(), new: new.into() }
}

const PACKAGE: [(&str, &str); 2] = [("_client.py", OWN), ("_shared/base.py", BASE)];

#[test]
fn operation_of_a_client_in_an_untyped_attribute_is_found_under_its_old_name() {
    let of = |container| found(&PACKAGE, &rename(EntityKind::Operation, container, "get_part", "find_part"));
    assert_eq!(of(None), [(0, 6), (0, 13)]);
    assert_eq!(of(Some("Widgets")), []);
    let there = rename(EntityKind::Operation, None, "make_part", "build_part");
    assert_eq!(found(&PACKAGE, &there), [], "the client has it still");
}

#[test]
fn type_that_an_untyped_module_gives_is_found_under_its_old_name() {
    let label = rename(EntityKind::Model, None, "Label", "Caption");
    assert_eq!(found(&PACKAGE, &label), [(0, 8)]);
    assert_eq!(found(&PACKAGE, &rename(EntityKind::Model, None, "Part", "Piece")), [], "there is one still");
}

#[test]
fn property_of_an_answer_and_keyword_of_a_model_are_found_and_members_of_other_things_are_not() {
    let own = OWN.replace("get_part", "find_part");
    let package = [("_client.py", own.as_str()), PACKAGE[1]];
    let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
    assert_eq!(found(&package, &label), [(0, 7), (0, 10), (0, 11), (0, 15)]);
    let title = rename(EntityKind::Property, Some("Widget"), "title", "heading");
    assert_eq!(found(&package, &title), [(0, 8)], "one of the two classes of the last line has it still");
    assert_eq!(found(&package, &rename(EntityKind::Property, Some("Label"), "label", "caption")), []);
}

#[test]
fn class_that_became_internal_is_found_where_a_module_of_generated_code_is_to_give_it() {
    let own = OWN.replace("get_part", "find_part").replace("_models.Part(", "_models.Hidden(");
    let package = [("_client.py", own.as_str()), PACKAGE[1]];
    let any = rename(EntityKind::Operation, None, "list_all", "_list_all");
    assert_eq!(found(&package, &any), [], "nothing is called so");
    let own = own.replace("Hidden", "Internal");
    let package = [("_client.py", own.as_str()), PACKAGE[1]];
    assert_eq!(found(&package, &any), [(0, 10)]);
}

#[test]
fn class_that_a_person_wrote_under_the_name_of_a_generated_one_is_another() {
    let own = "from ._models import Part\ndef f(part: Optional[Part], other: \"Part\"):\n    return part.label, other.label\n";
    let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
    assert_eq!(found(&[("_client.py", own)], &label), []);
}

#[test]
fn names_that_are_given_one_another_in_a_circle_come_to_an_end() {
    let lines = "        a, b = b, a\n        a = b.x or a.x or b\n        b = a.x or b.x or a\n".repeat(40);
    let own = format!("class Parts:\n    def f(self, a, b):\n{lines}        return a.label\n");
    let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
    assert_eq!(found(&[("_client.py", &own)], &label), []);
}

#[test]
fn large_file_whose_every_line_says_the_name_comes_to_an_end() {
    let lines = "        a = b.x or a.x or b\n        b = a.label or b.label or a.Part\n".repeat(2000);
    let own = format!("class Parts:\n    def f(self, a, b):\n{lines}");
    let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
    assert_eq!(found(&[("_client.py", &own)], &label), []);
}

#[test]
fn every_place_of_a_large_file_is_found() {
    let method = "    def get(self, name):\n        part = self._client.find_part(name)\n        return part.label\n";
    let own = format!("from ._shared import Base\nclass Parts(Base):\n{}", method.repeat(1000));
    let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
    assert_eq!(found(&[("_client.py", &own), PACKAGE[1]], &label).len(), 1000);
}

#[test]
fn name_that_may_stand_for_a_hand_written_object_is_left_alone() {
    let own = "\
from ._shared import Base
from ._generated import models as _models
class PartInfo: ...
class Parts(Base):
    def get(self, name):
        part = self._client.find_part(name)
        part = PartInfo._from_generated(part)
        return part.label
    def either(self, part: Union[_models.Part, PartInfo]):
        return part.label
    def later(self, part: PartInfo):
        label = part.label
        part = self._client.find_part(label)
";
    let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
    assert_eq!(found(&[("_client.py", own), PACKAGE[1]], &label), []);
}

#[test]
fn classes_that_extend_the_generated_one_of_their_name_in_several_files_come_to_an_end() {
    let own = "class Parts(_ops.Parts):\n    def get(self):\n        return self._client.find_part(\"a\").label\n";
    let paths: Vec<String> = (0..8).map(|at| format!("operations_{at}/_patch.py")).collect();
    let package: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), own)).collect();
    let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
    assert_eq!(found(&package, &label), []);
}

#[test]
fn class_that_a_person_puts_in_the_place_of_a_generated_one_is_not_judged() {
    let patch = "class Part(_Part):\n    label: str\n";
    let own = OWN.replace("get_part", "find_part");
    let package = [("_client.py", own.as_str()), PACKAGE[1], ("_generated/models/_patch.py", patch)];
    let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
    assert_eq!(found(&package, &label), []);
}
