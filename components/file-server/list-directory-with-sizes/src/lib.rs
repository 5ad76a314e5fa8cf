//! `list_directory_with_sizes`: the names in a directory and how large the files are.

use bailiwick_tool_sdk::private::serde_json::{Value, json};
use bailiwick_tool_sdk::{Effects, EntryKind, Grants, Schema, Tool, ToolError, export_tool, input, output};
use file_kit::listing;
use file_kit::tree::{DIRECTORY_LIMIT, cut, hidden, marker, together, undecodable};
use serde::Deserialize;

/// How wide names are shown at least.
const NAME_WIDTH: usize = 30;
/// How wide sizes are.
const SIZE_WIDTH: usize = 10;

/// What a list is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SortBy {
    /// The name.
    Name,
    /// The size, the largest first.
    Size,
}

impl Schema for SortBy {
    fn schema() -> Value {
        json!({"type": "string", "enum": ["name", "size", null]})
    }
}

input! {
    /// What `list_directory_with_sizes` is given.
    pub struct Input {
        /// The directory.
        pub path: String,
        /// What to sort by: `name`, as without it, or `size`, the largest first.
        pub sort_by: Option<SortBy>,
    }
}

output! {
    /// What `list_directory_with_sizes` answers.
    pub struct Output {
        /// A line for each name, and the sums.
        pub content: String,
        /// What was left out.
        pub note: Option<String>,
    }
}

/// Lists a directory with sizes.
pub struct ListDirectoryWithSizes;

/// A name with what is shown of it.
struct Line {
    name: String,
    kind: EntryKind,
    /// In bytes; 0 for what has none, or cannot be reached.
    size: u64,
}

impl Tool for ListDirectoryWithSizes {
    const NAME: &'static str = "list_directory_with_sizes";
    const DESCRIPTION: &'static str = "Lists the names in a directory as list_directory does, with the size of each file, \
        and how many files and directories there are and how large the files are together.";
    const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let directory = grants.resolve(&input.path)?.open_directory()?;
        let mut names = listing::entries(&directory, DIRECTORY_LIMIT, &input.path)?;
        let rest = cut(&mut names, &input.path);
        let mut lines: Vec<Line> = names
            .entries
            .into_iter()
            .map(|entry| {
                let sized = matches!(entry.kind, EntryKind::File | EntryKind::Link);
                let info = sized.then(|| directory.info(&entry.name, &input.path).ok()).flatten();
                let size = info.filter(|info| info.kind == EntryKind::File).map_or(0, |info| info.size);
                Line { name: entry.name, kind: entry.kind, size }
            })
            .collect();
        if input.sort_by == Some(SortBy::Size) {
            lines.sort_by_key(|line| std::cmp::Reverse(line.size));
        }
        Ok(Output {
            content: written(&lines, if rest.is_some() { Those::First } else { Those::All }),
            note: together([rest, undecodable(names.undecodable), hidden(names.hidden)]),
        })
    }
}

/// Which names of the directory are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Those {
    All,
    First,
}

fn written(lines: &[Line], those: Those) -> String {
    let mut shown: Vec<String> = lines.iter().map(shown).collect();
    let directories = lines.iter().filter(|line| line.kind == EntryKind::Directory).count();
    let total = lines.iter().map(|line| line.size).fold(0, u64::saturating_add);
    shown.push(String::new());
    // A sum of some must not look like that of all.
    let of = if those == Those::First { " of these" } else { "" };
    shown.push(format!("Total{of}: {} files, {directories} directories", lines.len() - directories));
    shown.push(format!("Combined size{of}: {}", size(total)));
    shown.join("\n")
}

fn shown(line: &Line) -> String {
    let size = match line.kind {
        EntryKind::Directory => String::new(),
        _ => format!("{:>SIZE_WIDTH$}", size(line.size)),
    };
    format!("{} {:<NAME_WIDTH$} {size}", marker(line.kind), line.name)
}

/// `1.50 KB`: units of 1024.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    let mut unit = 0;
    let mut divisor = 1_u64 << 10;
    if bytes < divisor {
        return format!("{bytes} B");
    }
    while unit + 1 < UNITS.len() && bytes >= divisor << 10 {
        divisor <<= 10;
        unit += 1;
    }
    let hundredths = (u128::from(bytes) * 100 + u128::from(divisor / 2)) / u128::from(divisor);
    format!("{}.{:02} {}", hundredths / 100, hundredths % 100, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_in_the_unit_that_fits() {
        for (bytes, expected) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.00 KB"),
            (1536, "1.50 KB"),
            (1 << 20, "1.00 MB"),
            ((1 << 20) - 1, "1024.00 KB"),
            (5 << 40, "5.00 TB"),
            (5 << 50, "5120.00 TB"),
        ] {
            assert_eq!(size(bytes), expected, "{bytes}");
        }
    }

    #[test]
    fn lines_stand_in_columns_and_sums_below() {
        let line = |name: &str, kind, size| Line { name: name.to_owned(), kind, size };
        let lines = [line("a", EntryKind::Directory, 0), line("b.txt", EntryKind::File, 10)];
        let expected = format!(
            "[DIR] {:<30} \n[FILE] {:<30} {:>10}\n\nTotal: 1 files, 1 directories\nCombined size: 10 B",
            "a", "b.txt", "10 B"
        );
        assert_eq!(written(&lines, Those::All), expected);
        assert!(
            written(&lines, Those::First)
                .ends_with("Total of these: 1 files, 1 directories\nCombined size of these: 10 B")
        );
    }
}

export_tool!(ListDirectoryWithSizes);
