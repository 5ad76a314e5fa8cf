//! The recorded unified difference, read back into rows of two sides.
//!
//! The numbers in a hunk's header say how many lines belong to it, so no line of a file can pretend to begin another file.

use crate::model::{FileDiff, GeneratedFile, Row};

/// The name of a file that is not there.
const NOTHING: &str = "/dev/null";

/// What a recorded difference holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parsed {
    pub(crate) files: Vec<FileDiff>,
    pub(crate) generated: Vec<GeneratedFile>,
    pub(crate) more_generated: u64,
}

/// Reads what [`bailiwick_customize::response::unified`] wrote.
pub(crate) fn parse(text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let lines = lines(text);
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        if let Some(old) = line.strip_prefix("--- ") {
            let Some(new) = lines.get(at).and_then(|line| line.strip_prefix("+++ ")) else { continue };
            at += 1;
            parsed.files.push(header(old, new));
        } else if let Some((old, new)) = line.strip_prefix("@@ ").and_then(hunk) {
            let Some(file) = parsed.files.last_mut() else { continue };
            at += read_hunk(&lines[at..], old, new, file);
        } else if let Some(rest) = line.strip_prefix("Binary files ") {
            let names = rest.strip_suffix(" differ").unwrap_or(rest);
            let (old, new) = both_names(names).unwrap_or((names, names));
            let mut file = header(old, new);
            file.change.push_str(", not text");
            parsed.files.push(file);
        } else if let Some(rest) = line.strip_prefix("# generated: ") {
            // The counts hold no space that a path could not hold too; the last two parts are ours.
            let (path, change) = split_summary(rest);
            parsed.generated.push(GeneratedFile { path: path.to_owned(), change: change.to_owned() });
        } else if let Some(rest) = line.strip_prefix("# and ") {
            parsed.more_generated = rest.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        }
    }
    parsed
}

/// Lines as the difference was made of them: a carriage return alone ends one too. Another end than `\n` is shown.
fn lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find(['\n', '\r']) {
        let (line, terminator) = (&rest[..end], &rest[end..]);
        let (shown, length) = match terminator.as_bytes() {
            [b'\r', b'\n', ..] => ("␍", 2),
            [b'\r', ..] => ("␍", 1),
            _ => ("", 1),
        };
        lines.push(format!("{line}{shown}"));
        rest = &terminator[length..];
    }
    if !rest.is_empty() {
        lines.push(rest.to_owned());
    }
    lines
}

fn header(old: &str, new: &str) -> FileDiff {
    let change = match (old == NOTHING, new == NOTHING) {
        (true, _) => "added",
        (_, true) => "removed",
        _ => "changed",
    };
    let path =
        if new == NOTHING { old.strip_prefix("a/").unwrap_or(old) } else { new.strip_prefix("b/").unwrap_or(new) };
    FileDiff { path: path.to_owned(), change: change.to_owned(), ..FileDiff::default() }
}

/// Both names of `a/x and b/x`. They are the same file's, wherever a path has an ` and ` of its own.
fn both_names(names: &str) -> Option<(&str, &str)> {
    let same = |(old, new): &(&str, &str)| match (old.strip_prefix("a/"), new.strip_prefix("b/")) {
        (Some(old), Some(new)) => old == new,
        _ => *old == NOTHING || *new == NOTHING,
    };
    names.match_indices(" and ").map(|(at, and)| (&names[..at], &names[at + and.len()..])).find(same)
}

/// First line and number of lines of both sides of `-1,2 +1,3 @@`.
fn hunk(header: &str) -> Option<((usize, usize), (usize, usize))> {
    let mut parts = header.split(' ');
    let (old, new) = (range(parts.next()?, '-')?, range(parts.next()?, '+')?);
    (parts.next() == Some("@@")).then_some((old, new))
}

fn range(text: &str, sign: char) -> Option<(usize, usize)> {
    let text = text.strip_prefix(sign)?;
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    Some((start.parse().ok()?, count.parse().ok()?))
}

/// Reads the lines of a hunk into rows and returns how many lines it took.
fn read_hunk(lines: &[String], old: (usize, usize), new: (usize, usize), file: &mut FileDiff) -> usize {
    let (mut before, mut after) = (old.0, new.0);
    let (mut left_before, mut left_after) = (old.1, new.1);
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    file.rows.push(Row::Gap { at: (before, after) });
    let mut taken = 0;
    for line in lines {
        if left_before == 0 && left_after == 0 {
            // The last line of either side may lack its end.
            taken += usize::from(line.starts_with("\\ "));
            break;
        }
        let mut characters = line.chars();
        let sign = characters.next();
        let text = characters.as_str().to_owned();
        match sign {
            Some('-') if left_before > 0 => {
                removed.push((before, text));
                before = before.saturating_add(1);
                left_before -= 1;
            }
            Some('+') if left_after > 0 => {
                added.push((after, text));
                after = after.saturating_add(1);
                left_after -= 1;
            }
            Some(' ') if left_before > 0 && left_after > 0 => {
                pair(&mut removed, &mut added, file);
                file.rows.push(Row::Same { at: (before, after), text });
                (before, after) = (before.saturating_add(1), after.saturating_add(1));
                (left_before, left_after) = (left_before - 1, left_after - 1);
            }
            Some('\\') => {}
            // The text does not follow the format: reading goes on at the next header.
            _ => break,
        }
        taken += 1;
    }
    pair(&mut removed, &mut added, file);
    taken
}

/// Puts removed lines beside those that stand in their place.
fn pair(removed: &mut Vec<(usize, String)>, added: &mut Vec<(usize, String)>, file: &mut FileDiff) {
    file.removed += removed.len();
    file.added += added.len();
    let (mut old, mut new) = (removed.drain(..), added.drain(..));
    loop {
        let row = (old.next(), new.next());
        if row == (None, None) {
            return;
        }
        file.rows.push(Row::Differs { old: row.0, new: row.1 });
    }
}

/// `sdk/a b.py changed, +2 -1 lines` into path and change.
fn split_summary(text: &str) -> (&str, &str) {
    let words = [" changed, ", " added, ", " removed, "];
    let at = words.iter().filter_map(|word| text.rfind(word)).max();
    at.map_or((text, ""), |at| (&text[..at], text[at..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_customize::response::{ChangedFile, Origin, unified};

    fn changed(path: &str, origin: Origin, before: Option<&str>, after: Option<&str>) -> ChangedFile {
        let bytes = |text: &str| text.as_bytes().to_vec();
        ChangedFile { path: path.into(), origin, before: before.map(bytes), after: after.map(bytes) }
    }

    /// Both sides as the rows have them, without what is left out between hunks.
    fn sides(file: &FileDiff) -> (Vec<String>, Vec<String>) {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for row in &file.rows {
            match row {
                Row::Gap { .. } => {}
                Row::Same { text, .. } => {
                    old.push(text.clone());
                    new.push(text.clone());
                }
                Row::Differs { old: left, new: right } => {
                    old.extend(left.iter().map(|(_, text)| text.clone()));
                    new.extend(right.iter().map(|(_, text)| text.clone()));
                }
            }
        }
        (old, new)
    }

    #[test]
    fn what_was_written_is_read_back_with_both_sides_beside_each_other() {
        let files = [
            changed("sdk/_patch.py", Origin::Agent, Some("a\nold\nb\n"), Some("a\nnew\nmore\nb")),
            changed("spec/client.tsp", Origin::Agent, None, Some("x\n")),
            changed("sdk/gone.py", Origin::Agent, Some("x\n"), None),
            changed("sdk/a b.py", Origin::Generator, Some("a\n"), Some("b\nc\n")),
        ];
        let parsed = parse(&unified(&files));
        let names: Vec<_> = parsed.files.iter().map(|file| (file.path.as_str(), file.change.as_str())).collect();
        assert_eq!(names, [("sdk/_patch.py", "changed"), ("spec/client.tsp", "added"), ("sdk/gone.py", "removed")]);
        assert_eq!((parsed.files[0].added, parsed.files[0].removed), (3, 2));
        assert_eq!(
            parsed.files[0].rows[2],
            Row::Differs { old: Some((2, "old".into())), new: Some((2, "new".into())) }
        );
        let generated = GeneratedFile { path: "sdk/a b.py".into(), change: "changed, +2 -1 lines".into() };
        assert_eq!(parsed.generated, [generated]);
    }

    #[test]
    fn lines_that_look_like_headers_or_end_in_odd_ways_stay_in_their_file() {
        let before = "-- a/spec/main.tsp\n++ b/x\n@@ -1 +1 @@\nlone\rreturn\r\n# generated: x changed, \nend";
        let after = "++ b/spec/main.tsp\n-- x\n--- y\n+++ z\n@@ -1,9 +1,9 @@\nlone\rreturned\n# and 7 more\n";
        let files = [
            changed("sdk/evil.py", Origin::Agent, Some(before), Some(after)),
            changed("sdk/next.py", Origin::Agent, Some("1\n"), Some("2\n")),
        ];
        let parsed = parse(&unified(&files));
        let names: Vec<_> = parsed.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(names, ["sdk/evil.py", "sdk/next.py"]);
        let (old, new) = sides(&parsed.files[0]);
        assert_eq!(old, lines(before));
        assert_eq!(new, lines(after));
        assert_eq!((parsed.generated.len(), parsed.more_generated), (0, 0));
    }

    #[test]
    fn random_text_is_read_without_a_panic_and_hunks_over_their_numbers_end() {
        for text in
            ["@@ -1,9 +1 @@\n-a", "--- a\n+++ b\n@@ -1,3 +1,3 @@\n x\n?\n y", "--- \n+++ \n@@ -0,0 +1 @@\n\\", "\r\r\r"]
        {
            let _ = parse(text);
        }
        let parsed = parse("Binary files a/x and b/x and b/x and b/x differ\nBinary files a/y and /dev/null differ\n");
        let names: Vec<_> = parsed.files.iter().map(|file| (file.path.as_str(), file.change.as_str())).collect();
        assert_eq!(names, [("x and b/x", "changed, not text"), ("y", "removed, not text")]);
        let parsed = parse("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+++ c\n");
        assert_eq!(parsed.files[0].added, 1);
        assert_eq!(parse(&format!("# generated: {} changed, +1 -1 lines", "x ".repeat(9))).generated.len(), 1);
    }
}
