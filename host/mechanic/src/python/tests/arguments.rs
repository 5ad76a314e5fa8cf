//! What calls are given by name, where no type checker says anything and drift names the place.

use super::{becomes, doubts, error};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

fn rename(kind: EntityKind) -> Rename {
    Rename { kind, container: Some("FindRequest".into()), old: "part_name".into(), new: "name".into() }
}

fn drift(line: u32, column: u32) -> Diagnostic {
    let message = "\"PartsClient._find\" takes no argument \"part_name\" any more, it is called \"name\" now; the type checker lets any name pass";
    Diagnostic {
        code: Some("renamed-argument".into()),
        symbol: Some("part_name".into()),
        tool: "drift".into(),
        ..error(line, Some(column), message)
    }
}

#[test]
fn argument_that_drift_names_follows_and_another_of_the_name_does_not() {
    let text = "def f(self, part_name):\n    other(part_name=1)\n    return self._find(part_name=part_name, top=1)\n";
    for kind in [EntityKind::Property, EntityKind::Parameter] {
        becomes(text, &[rename(kind)], &[drift(3, 23)], &text.replace("_find(part_name=", "_find(name="));
    }
    doubts(text, &[rename(EntityKind::Property)], &[drift(3, 3)], "is not certain");
    doubts(
        text,
        &[rename(EntityKind::Parameter)],
        &[error(3, Some(12), "Unexpected keyword argument")],
        "not repaired",
    );
}

#[test]
fn key_of_a_dictionary_follows_where_it_is_unpacked_into_that_call_and_used_for_nothing_else() {
    let text = "def f(self):\n    options = {\"part_name\": 1}\n    return self._find(**options)\n";
    let renames = [rename(EntityKind::Property)];
    becomes(text, &renames, &[drift(2, 16)], &text.replace("part_name", "name"));
    let inline = "def f(self):\n    return self._find(**{\"part_name\": 1})\n";
    becomes(inline, &renames, &[drift(2, 26)], &inline.replace("part_name", "name"));
    for used in [
        text.replace("return", "log(options)\n    return"),
        text.replace("return", "other(**options)\n    return"),
        text.replace("(self)", "(self, options)"),
    ] {
        doubts(&used, &renames, &[drift(2, 16)], "is not certain");
    }
}

#[test]
fn key_of_a_dictionary_that_makes_a_model_follows() {
    let text = "\
from ._models import Widget as Generated


class Widget(Generated):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)


def make(label=None) -> Widget:
    result = {\"size\": 1}
    if label:
        result[\"display_name\"] = label
    return Widget(**result)
";
    let said =
        "the hand-written constructor of `Widget` has `display_name` here, which is `title` in generated code now";
    let kept = Diagnostic { tool: "drift".into(), code: Some("renamed-keyword".into()), ..error(12, None, said) };
    becomes(text, &[super::property()], std::slice::from_ref(&kept), &text.replace("display_name", "title"));
    let used = text.replace("    return", "    print(result)\n    return");
    doubts(&used, &[super::property()], &[kept], "is not certain");
}

#[test]
fn member_that_moved_is_reached_where_drift_says_that_it_is_now() {
    let text = "class Settings:\n    def get(self, name):\n        return self._client.get_setting(self._client.get_setting.x, name)\n";
    let told = |column, now: &str| Diagnostic {
        code: Some("moved-member".into()),
        symbol: Some("get_setting".into()),
        tool: "drift".into(),
        ..error(
            3,
            Some(column),
            &format!(
                "\"VaultClient\" has no attribute \"get_setting\" any more, it is \"{now}\" now; the type checker takes the value on trust"
            ),
        )
    };
    becomes(
        text,
        &[],
        &[told(16, "settings.get_setting")],
        &text.replace("return self._client.get", "return self._client.settings.get"),
    );
    let lost = Diagnostic { code: Some("lost-member".into()), ..told(16, "settings.get_setting") };
    doubts(text, &[], &[lost], "does not come from a rename");
}
