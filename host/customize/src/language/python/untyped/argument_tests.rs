//! Arguments and members that generated code has no more, where the type checker lets any name pass.

use super::*;

const HEAD: &str = "\
from ._operations import _PartsClientOperationsMixin as _Generated
from ._client import PartsClient
class _PartsClientOperationsMixin(_Generated):
    def own(self, part_name): ...
";

fn client(name: &str) -> Generated {
    let method = |method: &str, name: &str| format!("    def {method}(self, *, {name}=None, **kwargs: Any): ...\n");
    let operations = [("PartsClient", "_find"), ("_PartsClientOperationsMixin", "_find")]
        .map(|(class, called)| format!("class {class}:\n{}", method(called, name)));
    let others = format!("class ShelvesOperations:\n{}", method("_find", "part_name"));
    Generated::read(&[
        ("azure/p/_client.py".to_owned(), operations[0].clone()),
        ("azure/p/_operations.py".to_owned(), format!("{}{others}", operations[1])),
    ])
}

/// The lines, with the name of now.
fn found(method: &str, renames: &[Rename]) -> Vec<(u32, Option<String>)> {
    let own = [("azure/p/_patch.py".to_owned(), format!("{HEAD}{method}"))];
    let read = || Ok::<_, std::convert::Infallible>((client("part_name"), client("name")));
    let found = gone(&own, renames, true, read).unwrap();
    let told = found.into_iter().map(|one| match one.what {
        What::Argument(rename) => (one.line, rename.map(|rename| rename.new.clone())),
        other => panic!("{other:?}"),
    });
    told.collect()
}

fn rename(kind: EntityKind, container: Option<&str>, old: &str, new: &str) -> Rename {
    Rename { kind, container: container.map(str::to_owned), old: old.into(), new: new.into() }
}

fn renamed(kind: EntityKind) -> Rename {
    rename(kind, Some("FindRequest"), "part_name", "name")
}

#[test]
fn argument_that_a_generated_method_takes_no_more_is_found_however_it_is_given() {
    let at = |lines: &[u32]| lines.iter().map(|line| (*line, Some("name".to_owned()))).collect::<Vec<_>>();
    for given in [
        "    def f(self):\n        self._find(part_name=1)\n",
        "    def f(self):\n        super()._find(part_name=1)\n",
        "    def f(self, client: PartsClient):\n        client._find(part_name=1)\n",
        "    def f(self, anything):\n        anything._find(part_name=1)\n",
        "    def f(self):\n        partial(self._find, part_name=1)\n",
        "    def f(self):\n        self._find(**{\"part_name\": 1})\n",
    ] {
        for kind in [EntityKind::Property, EntityKind::Parameter] {
            assert_eq!(found(given, &[renamed(kind)]), at(&[6]), "{given}");
        }
        assert_eq!(found(given, &[]), [(6, None)], "{given}");
    }
    let unpacked = "    def f(self):\n        options = {\"part_name\": 1}\n        self._find(**options)\n";
    assert_eq!(found(unpacked, &[renamed(EntityKind::Property)]), at(&[6]));
}

#[test]
fn argument_that_another_method_of_the_name_takes_is_left_alone() {
    for other in [
        "    def f(self):\n        self.own(part_name=1)\n",
        "    def f(self):\n        self._find(name=1)\n",
        "    def f(self, shelves: ShelvesOperations):\n        shelves._find(part_name=1)\n",
        "    def _find(self, **kwargs): ...\n    def f(self):\n        self._find(part_name=1)\n",
        "class Own:\n    def _find(self, part_name): ...\ndef f(own):\n    own._find(part_name=1)\n",
        "    def f(self):\n        options = {\"part_name\": 1}\n        return options\n",
    ] {
        let own = other.replace("shelves: ShelvesOperations", "shelves: \"ShelvesOperations\"");
        let own = format!("{own}from ._operations import ShelvesOperations\n");
        assert_eq!(found(&own, &[renamed(EntityKind::Property)]), [], "{other}");
    }
}

#[test]
fn method_that_nothing_has_any_more_is_found_whatever_it_is_asked_of() {
    let operations = |name: &str, method: &str| {
        let text = format!("class {name}:\n    def {method}(self, **kwargs): ...\n");
        ("azure/p/_operations.py".to_owned(), text)
    };
    let found = |own: &str, method: &str, renames: &[Rename]| {
        let class = "_PartsClientOperationsMixin";
        let (before, now) = (operations(class, method), operations(class, "_look_up"));
        let read = || Ok::<_, std::convert::Infallible>((Generated::read(&[before]), Generated::read(&[now])));
        let own = [("azure/p/_operations/_patch.py".to_owned(), own.to_owned())];
        let found = gone(&own, renames, true, read).unwrap();
        found.into_iter().map(|one| (one.line, matches!(one.what, What::Renamed(_)))).collect::<Vec<_>>()
    };
    // The shape of the pages of `azure-search-documents`.
    let own = "\
class _PartsClientOperationsMixin(_Generated):
    def all(self):
        return Pages(self)
class Pages:
    def __init__(self, client):
        self._client = client
    def next(self):
        return self._client._find(1)
";
    let look_up = rename(EntityKind::Operation, None, "find", "look_up");
    assert_eq!(found(own, "_find", std::slice::from_ref(&look_up)), [(8, true)]);
    assert_eq!(found(own, "_find", &[]), [(8, false)]);
    for other in [own.replace("def next", "def _find"), own.replace("_find", "_find_all"), own.replace("_find", "read")]
    {
        assert_eq!(found(&other, "_find", std::slice::from_ref(&look_up)), [], "{other}");
    }
    assert_eq!(found(&own.replace("_find", "read"), "read", &[]), [], "any file may have it");
}

#[test]
fn property_of_what_a_generated_method_hands_to_a_function_is_found() {
    let code = |name: &str| {
        let models = format!(
            "class Part:\n    {name}: str = rest_field()\nclass Shelf:\n    label: str = rest_field()\n    parts: Optional[list[\"_models.Part\"]] = rest_field()\n"
        );
        let methods = "class _Mixin:\n    def list_parts(self, **kwargs) -> ItemPaged[\"_models.Part\"]: ...\n    def list_shelves(self) -> ItemPaged[\"_models.Shelf\"]: ...\n    def get_part(self) -> _models.Part: ...\n    def get_shelf(self) -> _models.Shelf: ...\n";
        let file = |path: &str, text: String| (format!("azure/p/{path}"), text);
        Generated::read(&[file("models/_models.py", models), file("_operations/_operations.py", methods.to_owned())])
    };
    let found = |line: &str| {
        let head = "from ._operations import _Mixin as _Generated\nclass _Mixin(_Generated):\n    def f(self):\n";
        let own = [("azure/p/_operations/_patch.py".to_owned(), format!("{head}        return {line}\n"))];
        let renames = [rename(EntityKind::Property, Some("Part"), "label", "caption")];
        let read = || Ok::<_, std::convert::Infallible>((code("label"), code("caption")));
        gone(&own, &renames, true, read).unwrap().len()
    };
    for wanted in [
        "self.list_parts(cls=lambda objs: [x.label for x in objs])",
        "super().list_parts(cls=lambda objs: {x.label: 1 for x in objs if x.label})",
        "self.get_part(cls=lambda response, part, headers: part.label)",
        "[x.label for x in self.list_parts()]",
        "self.get_shelf(cls=lambda _, shelf, __: [x.label for x in shelf.parts])",
    ] {
        assert_ne!(found(wanted), 0, "{wanted}");
    }
    for other in [
        "self.list_shelves(cls=lambda objs: [x.label for x in objs])",
        "self.list_parts(cls=lambda objs: [x.label for x in others])",
        "self.list_parts(cls=lambda objs: [y.label for x in objs])",
        "self.get_part(cls=lambda part, response, headers: part.label)",
        "self.get_part(other=lambda response, part, headers: part.label)",
        "[x.label for x in x]",
    ] {
        assert_eq!(found(other), 0, "{other}");
    }
}
