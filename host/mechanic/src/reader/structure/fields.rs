//! Records of fields: `Name: …`, `New name: …`, and the same as headings of a form with a line below each. They say what
//! the columns of a table say, and are read as its row.

use super::{Line, Role, Unit};

/// The fields that say what a thing is called.
const CURRENT: &[&str] = list! {
    "current name" "old name" "name today" "existing name" "present name" "name now" "name" "symbol" "property" "model"
    "operation" "method" "class" "type" "parameter" "element" "item" "identifier" "api" "member" "enum" "field"
};

/// The fields that say what it shall be called.
const WANTED: &[&str] = list! {
    "new name" "proposed name" "suggested name" "desired name" "wanted name" "requested name" "preferred name" "better name"
    "rename to" "change to" "should be" "proposal" "suggestion" "new"
};

/// Fields beside them.
const BESIDE: &[&str] = list! {
    "language" "languages" "sdk" "sdks" "library" "libraries" "applies to" "kind" "status" "decision" "verdict" "resolution"
    "approved" "container" "parent" "holder" "group" "client" "interface"
};

/// One field: where its line is, its name in small letters and what it says.
struct Field {
    first: usize,
    last: usize,
    name: String,
    value: String,
}

/// The records of a text, as the lines that each takes and its row.
pub(super) fn records(lines: &[Line<'_>]) -> Vec<(std::ops::Range<usize>, Unit)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let mut fields: Vec<Field> = Vec::new();
        let mut next = at;
        while let Some(field) = field(lines, next) {
            next = field.last.saturating_add(1);
            fields.push(field);
            // Headings stand apart.
            while lines.get(next).is_some_and(|line| line.text.trim().is_empty()) && heads(lines, next) {
                next = next.saturating_add(1);
            }
        }
        let count = |names: &[&str]| fields.iter().filter(|field| names.contains(&field.name.as_str())).count();
        let twice = fields.iter().any(|one| fields.iter().filter(|other| other.name == one.name).count() > 1);
        let above = lines.get(..at).unwrap_or_default().iter().rev().find(|line| !line.text.trim().is_empty());
        let is_example = above.is_some_and(|line| {
            let label = line.text.trim().trim_end_matches([':', '.']).to_lowercase();
            ["ex", "example", "e.g", "for example", "for instance"].contains(&label.as_str())
        });
        if count(CURRENT) > 0 && count(WANTED) == 1 && !twice && !is_example {
            found.extend(record(lines, &fields));
        }
        at = next.max(at.saturating_add(1));
    }
    found
}

/// Whether the next line with text is the heading of a field.
fn heads(lines: &[Line<'_>], from: usize) -> bool {
    let next = lines.iter().skip(from).find(|line| !line.text.trim().is_empty());
    next.is_some_and(|line| line.text.trim_start().starts_with('#'))
}

fn known(name: &str) -> bool {
    [CURRENT, WANTED, BESIDE].iter().any(|list| list.contains(&name))
}

fn field(lines: &[Line<'_>], at: usize) -> Option<Field> {
    let text = lines.get(at)?.text.trim();
    if text.starts_with('#') {
        let name = text.trim_matches(['#', ' ', ':', '*']).to_lowercase();
        let value = (at.saturating_add(1)..lines.len())
            .find(|&at| lines.get(at).is_some_and(|line| !line.text.trim().is_empty()))?;
        let alone = lines.get(value.saturating_add(1)).is_none_or(|line| line.text.trim().is_empty());
        let text = lines.get(value)?.text.trim();
        let short = alone && !text.starts_with(['#', '`', '|', '>']) || text.trim_matches('`').split('`').count() == 1;
        return (known(&name) && short && text.split_whitespace().count() <= 6).then(|| Field {
            first: at,
            last: value,
            name,
            value: text.to_owned(),
        });
    }
    let text = text.trim_start_matches(['-', '*', '•', ' ']);
    let (name, value) = text.split_once(':')?;
    let name = name.trim_matches(['*', ' ']).to_lowercase();
    let value = value.trim_matches(['*', ' ']);
    (known(&name) && !value.is_empty() && value.split_whitespace().count() <= 6).then(|| Field {
        first: at,
        last: at,
        name,
        value: value.to_owned(),
    })
}

fn record(lines: &[Line<'_>], fields: &[Field]) -> Option<(std::ops::Range<usize>, Unit)> {
    let (first, last) = (fields.first()?.first, fields.last()?.last);
    let (from, to) = (lines.get(first)?.span(0), lines.get(last)?.span(0));
    let heads = fields.iter().map(|field| field.name.clone()).collect();
    let cells = fields.iter().map(|field| field.value.clone()).collect();
    Some((first..last.saturating_add(1), Unit { role: Role::Row { heads, cells }, span: from.start..to.end }))
}
