//! Constants of Python that hold a member of an enum which people wrote: `DEFAULT_VERSION = ApiVersion.V1`.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeSet;

use crate::syntax::{field, nodes};
use tree_sitter::Node;

/// What each member of an enum has.
const OF_ENUMS: [&str; 2] = ["name", "value"];

/// Whether each member of an enum has a member of this name.
#[must_use]
pub fn gives(name: &str) -> bool {
    OF_ENUMS.contains(&name)
}

/// Whether all that an object is given holds one of these constants, or is taken from the object: `version =
/// options.pop("version", DEFAULT)`.
#[must_use]
pub fn is_member(text: &str, all: &[Node<'_>], object: Node<'_>, plain: &BTreeSet<&str>) -> bool {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let said = of(object);
    let is_it =
        |node: &&Node<'_>| node.kind() == "assignment" && field(**node, "left").is_some_and(|left| of(left) == said);
    let given: Vec<_> =
        all.iter().filter(|_| !plain.is_empty()).filter(is_it).filter_map(|node| field(*node, "right")).collect();
    let is_plain = |right: &Node<'_>| {
        let is_own = field(*right, "object").is_some_and(|object| of(object) == said);
        let holds = |node: Node<'_>| node.kind() == "identifier" && plain.contains(of(node));
        is_own || nodes(*right).into_iter().any(holds)
    };
    !given.is_empty() && given.iter().all(is_plain)
}

/// The constants of files that hold a member of an enum which one of them defines: `DEFAULT = ApiVersion.V1`.
#[must_use]
pub fn constants<'t>(texts: &[&'t str]) -> BTreeSet<&'t str> {
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
