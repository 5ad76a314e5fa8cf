//! Configuration of the generator that read OpenAPI before TypeSpec: what its directives rename. People paste it where a
//! name has to be carried over. Each rename is read as a row of a table.
//!
//! Forms: <https://github.com/Azure/autorest/blob/main/docs/generate/built-in-directives.md> (`rename-model`, `where-model` with
//! `rename-property`, `rename-operation`, transformations that set `x-ms-client-name`) and the `rename-mapping` of .NET.

use std::ops::Range;

use super::{Line, Role, Unit};

/// The renames of a text, as the lines that each takes and its row.
pub(super) fn renames(lines: &[Line<'_>]) -> Vec<(Range<usize>, Unit)> {
    let mut found = Vec::new();
    // `Why does the emitter ignore this?`, `Please delete these lines.`: configuration that somebody shows.
    let shown = lines.iter().any(|line| {
        let mut words = line.text.split(|c: char| !c.is_alphanumeric() && c != '\'');
        line.text.trim_end().ends_with('?')
            || words.any(|word| {
                ["why", "delete", "remove", "drop", "ignored", "doesn't", "revert", "reverted", "undone"]
                    .contains(&word.to_lowercase().as_str())
            })
    });
    let mut at = if shown { lines.len() } else { 0 };
    while at < lines.len() {
        let taken = directive(lines, at).or_else(|| transformation(lines, at));
        let taken = taken.map_or_else(|| mapping(lines, at), |one| vec![one]);
        at = taken.last().map_or(at.saturating_add(1), |(lines, _)| lines.end);
        found.extend(taken);
    }
    found
}

/// A line without the mark of its item, as a key and its value. `None` where it is neither.
fn pair<'a>(lines: &[Line<'a>], at: usize) -> Option<(&'a str, &'a str)> {
    let text = lines.get(at)?.text.trim();
    let (key, value) = text.strip_prefix("- ").unwrap_or(text).split_once(':')?;
    let key = key.trim_matches(['\'', '"']);
    let named = key.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c)) && !key.is_empty();
    // What stands behind a name is its format: `Widget.owner: OwnerId|arm-id`.
    let value = value.split_once(" #").map_or(value, |(value, _)| value).trim();
    named.then(|| (key, value.split('|').next().unwrap_or_default().trim().trim_matches(['\'', '"', '`'])))
}

fn value<'a>(lines: &[Line<'a>], at: usize, name: &str) -> Option<&'a str> {
    pair(lines, at).filter(|(key, value)| *key == name && !value.is_empty()).map(|(_, value)| value)
}

fn is_key(lines: &[Line<'_>], at: usize, name: &str) -> bool {
    pair(lines, at).is_some_and(|(key, value)| key == name && value.is_empty())
}

fn row(lines: &[Line<'_>], taken: Range<usize>, cells: &[(&str, &str)]) -> Option<(Range<usize>, Unit)> {
    let last = taken.end.checked_sub(1)?;
    let span = lines.get(taken.start)?.span(0).start..lines.get(last)?.span(0).end;
    let heads = cells.iter().map(|(head, _)| (*head).to_owned()).collect();
    let cells = cells.iter().map(|(_, cell)| (*cell).to_owned()).collect();
    Some((taken, Unit { role: Role::Row { heads, cells }, span }))
}

/// `rename-model:` or another of its kind above `from:` and `to:`, below `where-model:` where it is inside of one.
fn directive(lines: &[Line<'_>], at: usize) -> Option<(Range<usize>, Unit)> {
    const KINDS: [&str; 4] = ["rename-model", "rename-operation", "rename-property", "rename-enum"];
    let holder = value(lines, at, "where-model").or_else(|| value(lines, at, "where-operation"));
    let head = if holder.is_some() { at.saturating_add(1) } else { at };
    if !KINDS.iter().any(|kind| is_key(lines, head, kind)) {
        return None;
    }
    let (first, second) = (head.saturating_add(1), head.saturating_add(2));
    let from = value(lines, first, "from").or_else(|| value(lines, second, "from"))?;
    let to = value(lines, second, "to").or_else(|| value(lines, first, "to"))?;
    let taken = at..second.saturating_add(1);
    match holder {
        Some(holder) => row(lines, taken, &[("model", holder), ("from", from), ("to", to)]),
        None => row(lines, taken, &[("from", from), ("to", to)]),
    }
}

/// `where: $.definitions.Widget.properties.size` above `transform: $["x-ms-client-name"] = "count"`.
fn transformation(lines: &[Line<'_>], at: usize) -> Option<(Range<usize>, Unit)> {
    let next = at.saturating_add(1);
    let path = lines.get(at)?.text.trim().trim_start_matches("- ").strip_prefix("where:")?.trim();
    let transform = lines.get(next)?.text.trim().strip_prefix("transform:")?.trim();
    let (change, end) = match transform {
        ">" | ">-" | "|" | "|-" => (lines.get(next.saturating_add(1))?.text.trim(), next.saturating_add(2)),
        change => (change, next.saturating_add(1)),
    };
    let (place, name) = change.split_once('=')?;
    let mut place = steps(place);
    if place.pop() != Some("x-ms-client-name") {
        return None;
    }
    let name = name.trim().trim_end_matches(';').trim().trim_matches(['\'', '"', '`']);
    let path: Vec<&str> = steps(path).into_iter().chain(place).collect();
    match path.as_slice() {
        ["definitions", model] => row(lines, at..end, &[("from", model), ("to", name)]),
        ["definitions", model, "properties", property] => {
            row(lines, at..end, &[("model", model), ("from", property), ("to", name)])
        }
        _ => None,
    }
}

/// The steps of a path: `$.definitions.Widget["properties"].size`.
fn steps(path: &str) -> Vec<&str> {
    let parts = path.split(['.', '[', ']']).map(|part| part.trim_matches(['\'', '"', '$', ' ']));
    parts.filter(|part| !part.is_empty()).collect()
}

/// The lines below `rename-mapping:`, which the generator of .NET has. One that gives a format alone, `Widget.owner: -|arm-id`, renames nothing.
fn mapping(lines: &[Line<'_>], at: usize) -> Vec<(Range<usize>, Unit)> {
    if !is_key(lines, at, "rename-mapping") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let outer = lines.get(at).map_or(0, Line::indent);
    for at in at.saturating_add(1)..lines.len() {
        let inside = |line: &Line<'_>| line.text.trim().is_empty() || line.indent() > outer;
        if !lines.get(at).is_some_and(inside) {
            break;
        }
        let idle = |line: &Line<'_>| line.text.trim().is_empty() || line.text.trim().starts_with('#');
        if lines.get(at).is_some_and(idle) {
            continue;
        }
        let Some((from, to)) = pair(lines, at).filter(|(_, to)| !to.is_empty() && !to.contains(' ')) else { break };
        let taken = at..at.saturating_add(1);
        if to == "-" {
            let span = lines.get(at).map(|line| line.span(0)).unwrap_or_default();
            found.push((taken, Unit { role: Role::Aside, span }));
        } else {
            found.extend(row(lines, taken, &[("language", "csharp"), ("from", from), ("to", to)]));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::units;
    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        let cells = |unit: Unit| match unit.role {
            Role::Row { cells, .. } => Some(cells),
            _ => None,
        };
        units(text).into_iter().filter_map(cells).collect()
    }

    #[test]
    fn directives_that_rename_are_rows_with_the_old_and_the_new_name() {
        let text = "directive:\n  - rename-model:\n      from: Widget\n      to: 'Gadget'\n  - where-model: Widget\n    rename-property:\n      from: sz\n      to: size\n  - rename-operation:\n      from: Widgets_Get\n      to: Widgets_Fetch\n";
        let wanted = [vec!["Widget", "Gadget"], vec!["Widget", "sz", "size"], vec!["Widgets_Get", "Widgets_Fetch"]];
        assert_eq!(rows(text), wanted);
        assert_eq!(rows(&format!("Please keep these:\n\n```yaml\n{text}```\n")), wanted);
    }

    #[test]
    fn transformation_that_sets_a_client_name_is_a_row() {
        let text = "  - from: widget.json\n    where: $.definitions.Widget.properties.sz\n    transform: $[\"x-ms-client-name\"] = \"size\";\n  - from: widget.json\n    where: $.definitions.Widget\n    transform: >\n      $.properties.cnt['x-ms-client-name'] = 'count'\n";
        assert_eq!(rows(text), [["Widget", "sz", "size"], ["Widget", "cnt", "count"]]);
        assert_eq!(rows("where: $.definitions.Widget\ntransform: $.description = \"new\""), Vec::<Vec<String>>::new());
    }

    #[test]
    fn mapping_renames_what_it_gives_a_name_and_not_what_it_gives_a_format() {
        let text = "rename-mapping:\n  Widget: Gadget\n  Widget.owner: OwnerId|arm-id\n  Widget.createdAt: -|date-time\n  Color.Red: Crimson # warmer\n\nThanks: all";
        let net = |from: &str, to: &str| vec!["csharp".to_owned(), from.to_owned(), to.to_owned()];
        let wanted = [net("Widget", "Gadget"), net("Widget.owner", "OwnerId"), net("Color.Red", "Crimson")];
        assert_eq!(rows(text), wanted);
        assert_eq!(rows(&format!("{text}\nWhy is that ignored?")), Vec::<Vec<String>>::new());
        assert_eq!(rows(&text.replace("  Color", "  # colours\n\n  Color")), wanted);
    }

    #[test]
    fn configuration_that_renames_nothing_and_prose_are_no_rows() {
        for text in [
            "directive:\n  - remove-model: Widget",
            "from: Ann\nto: Ben",
            "rename-model: is a directive\nfrom: x\nto: y",
        ] {
            assert_eq!(rows(text), Vec::<Vec<String>>::new(), "{text}");
        }
    }
}
