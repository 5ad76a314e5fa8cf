//! How large a patch is, and whether it stays in its directory. git is asked again before it is applied anywhere.

// Another machine wrote it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

/// Files of a difference as `git diff-tree -p --binary` writes it, and lines that it adds and removes in them, all beneath
/// `directory`.
pub(crate) fn size(patch: &[u8], directory: &str) -> Result<(usize, usize), String> {
    let (mut files, mut lines) = (0_usize, 0_usize);
    // Lines of the hunk that are still to come on either side.
    let mut rest = (0_usize, 0_usize);
    for line in patch.split(|byte| *byte == b'\n') {
        match (line.first(), rest) {
            (Some(b'-'), (before, after)) if before > 0 => {
                rest = (before.saturating_sub(1), after);
                lines = lines.saturating_add(1);
            }
            (Some(b'+'), (before, after)) if after > 0 => {
                rest = (before, after.saturating_sub(1));
                lines = lines.saturating_add(1);
            }
            (Some(b' '), (before, after)) if before > 0 && after > 0 => {
                rest = (before.saturating_sub(1), after.saturating_sub(1));
            }
            // "\ No newline at end of file"
            (Some(b'\\'), _) => {}
            (_, (0, 0)) => {
                if let Some(named) = line.strip_prefix(b"diff --git ") {
                    files = files.saturating_add(1);
                    if !is_inside(named, directory) {
                        return Err("its patch changes files outside of its directory".to_owned());
                    }
                } else if let Some(ranges) = line.strip_prefix(b"@@ -") {
                    rest = hunk(ranges).ok_or("its patch cannot be read")?;
                }
            }
            _ => return Err("its patch cannot be read".to_owned()),
        }
    }
    if rest == (0, 0) { Ok((files, lines)) } else { Err("its patch breaks off".to_owned()) }
}

/// `a/DIRECTORY/x b/DIRECTORY/x`, both sides the same, as there are no renames; in quotes where a name needs them.
fn is_inside(named: &[u8], directory: &str) -> bool {
    let Ok(named) = std::str::from_utf8(named) else { return false };
    let sides = match named.strip_prefix('"') {
        Some(quoted) => quoted.split_once("\" \"").and_then(|(from, to)| Some((from, to.strip_suffix('"')?))),
        None => named
            .split_at_checked(named.len().saturating_sub(1) / 2)
            .and_then(|(from, to)| Some((from, to.strip_prefix(' ')?))),
    };
    let within = |side: &str, letter: &str| {
        let file = side.strip_prefix(letter).and_then(|rest| rest.strip_prefix(directory)?.strip_prefix('/'));
        file.filter(|file| !file.split('/').any(|part| matches!(part, "" | "." | ".."))).map(str::to_owned)
    };
    sides.is_some_and(|(from, to)| {
        let from = within(from, "a/");
        from.is_some() && from == within(to, "b/")
    })
}

/// How many lines either side of a hunk has: `12,3 +14,2 @@ …`, where a missing number is 1.
fn hunk(ranges: &[u8]) -> Option<(usize, usize)> {
    let ranges = std::str::from_utf8(ranges).unwrap_or_else(|error| {
        std::str::from_utf8(ranges.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default()
    });
    let (before, rest) = ranges.split_once(" +")?;
    let (after, _) = rest.split_once(" @@")?;
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok());
    Some((count(before)?, count(after)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PATCH: &str = "diff --git a/sdk/a/x.py b/sdk/a/x.py\nindex 1..2 100644\n--- a/sdk/a/x.py\n+++ b/sdk/a/x.py\n\
                         @@ -1,3 +1,3 @@ def f():\n one\n-two\n+--- three\n four\n\\ No newline at end of file\n\
                         diff --git a/sdk/a/y z.bin b/sdk/a/y z.bin\nnew file mode 100644\nGIT binary patch\nliteral 3\nKcmZQzU\n\n\
                         diff --git \"a/sdk/a/\\303\\244\" \"b/sdk/a/\\303\\244\"\n--- /dev/null\n+++ \"b/sdk/a/\\303\\244\"\n@@ -0,0 +1 @@\n+x\n";

    #[test]
    fn files_and_lines_are_counted_as_git_counts_them() {
        assert_eq!(size(PATCH.as_bytes(), "sdk/a"), Ok((3, 3)));
        assert_eq!(size(b"", "sdk/a"), Ok((0, 0)));
    }

    #[test]
    fn patch_that_leads_elsewhere_or_breaks_off_is_refused() {
        for (from, to) in [
            ("a/sdk/a/x.py b/sdk/a/x.py", "a/sdk/b/x.py b/sdk/b/x.py"),
            ("a/sdk/a/x.py b/sdk/a/x.py", "a/sdk/a/x.py b/sdk/b/x.py"),
            ("a/sdk/a/x.py b/sdk/a/x.py", "a/sdk/a/../x.py b/sdk/a/../x.py"),
            ("a/sdk/a/x.py b/sdk/a/x.py", "a/sdk/abc b/sdk/abc"),
            ("a/sdk/a/x.py b/sdk/a/x.py", "/etc/passwd /etc/passwd"),
            ("-1,3 +1,3", "-1,9 +1,3"),
            ("-1,3 +1,3", "-1,3 +1,99999999999999999999"),
        ] {
            let hostile = PATCH.replace(from, to);
            assert_ne!(hostile, PATCH);
            assert!(size(hostile.as_bytes(), "sdk/a").is_err(), "{to}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = size(&bytes, "sdk/a");
        }
    }
}
