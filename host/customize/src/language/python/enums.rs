//! Constants that hold a member of an enum which people wrote.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeSet;

use bailiwick_sdk::syntax::{field, nodes};
use tree_sitter::Node;

use super::overrides::Source;

/// What each member of an enum has.
const OF_ENUMS: [&str; 2] = ["name", "value"];

/// Whether each member of an enum has a member of this name.
pub(super) fn gives(name: &str) -> bool {
    OF_ENUMS.contains(&name)
}

/// Whether all that an object is given holds one of these constants, or is taken from the object: `version =
/// options.pop("version", DEFAULT)`.
pub(super) fn is_member(source: &Source<'_>, all: &[Node<'_>], object: Node<'_>, plain: &BTreeSet<&str>) -> bool {
    let said = source.of(object);
    let is_it = |node: &&Node<'_>| {
        node.kind() == "assignment" && field(**node, "left").is_some_and(|left| source.of(left) == said)
    };
    let given: Vec<_> =
        all.iter().filter(|_| !plain.is_empty()).filter(is_it).filter_map(|node| field(*node, "right")).collect();
    let is_plain = |right: &Node<'_>| {
        let is_own = field(*right, "object").is_some_and(|object| source.of(object) == said);
        let holds = |node: Node<'_>| node.kind() == "identifier" && plain.contains(source.of(node));
        is_own || nodes(*right).into_iter().any(holds)
    };
    !given.is_empty() && given.iter().all(is_plain)
}

/// The constants of files that hold a member of an enum which one of them defines: `DEFAULT = ApiVersion.V1`.
pub(super) fn constants<'t>(texts: &[&'t str]) -> BTreeSet<&'t str> {
    let is_enum = |class: &str| {
        let defines = |line: &str| {
            let bases = line.strip_prefix("class ").and_then(|rest| rest.strip_prefix(class)?.strip_prefix('('));
            bases.is_some_and(|bases| bases.split([',', ')']).any(|base| base.trim().ends_with("Enum")))
        };
        texts.iter().any(|text| text.lines().any(defines))
    };
    let member = |line: &'t str| {
        let (name, value) = line.split_once(" = ")?;
        let (class, member) = value.trim().split_once('.')?;
        let is_name = |text: &str| !text.is_empty() && text.chars().all(|one| one.is_alphanumeric() || one == '_');
        (is_name(name) && is_name(class) && is_name(member) && is_enum(class)).then_some(name)
    };
    texts.iter().copied().flat_map(str::lines).filter_map(member).collect()
}

#[cfg(test)]
mod tests {
    use super::super::asked::lines;
    use super::*;

    #[test]
    fn value_that_what_holds_a_member_of_an_enum_is_asked_for_is_no_member_of_generated_code() {
        // The shape of the clients of Key Vault.
        let enums = "class ApiVersion(str, Enum, metaclass=Meta):\n    V1 = \"1\"\nDEFAULT_VERSION = ApiVersion.V1\nOTHER = Part.V1\n";
        let plain = constants(&[enums, "class Part(Model): ...\n"]);
        assert_eq!(plain.iter().copied().collect::<Vec<_>>(), ["DEFAULT_VERSION"]);
        let text = "class Client:\n    def __init__(self, **kwargs):\n        self.version = kwargs.pop(\"version\", DEFAULT_VERSION)\n        if hasattr(self.version, \"value\"):\n            self.version = self.version.value\n";
        assert_eq!(lines(text, "value", &plain), BTreeSet::new());
        assert_eq!(lines(text, "value", &BTreeSet::new()), BTreeSet::from([4]));
        for other in [
            text.replace("DEFAULT_VERSION", "OTHER"),
            text.replace("        if", "        self.version = kwargs.get(\"setting\")\n        if"),
            text.replace("hasattr(self.version", "hasattr(setting"),
        ] {
            assert_eq!(lines(&other, "value", &plain).len(), 1, "{other}");
        }
    }
}
