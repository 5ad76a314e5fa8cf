//! `docs/contributing/crash-points.md`: one row for each command, with what was found after the kills.

use crate::Seen;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;

const PAGE: &str = "../docs/contributing/crash-points.md";
const HEAD: &str = "# Crash points

Each command was killed with SIGKILL before a system call that changes a file or waits for the disk. Then the next
command was started, which repairs what is left, and the directories were compared byte for byte. `tests/crash` writes
this page:

```sh
BAILIWICK_REWRITE_SNAPSHOTS=1 BAILIWICK_CRASH_POINTS=all cargo test -p bailiwick-tests --test crash -- --test-threads 1
```

Without `BAILIWICK_CRASH_POINTS` the test kills each command before a few of these calls, different ones each day, and fails
if it finds an outcome that is not in the table. How many calls a command makes differs a little from run to run.

| command | calls that change something | killed before | found afterwards (times) |
|---|---|---|---|
";

static PAGE_LOCK: Mutex<()> = Mutex::new(());

/// Compares what was seen of a command with its row, or writes the row.
pub(crate) fn told(seen: &Seen) {
    let _alone = PAGE_LOCK.lock();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    let mut rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let start = format!("| `{}` |", seen.command);
    let row = row(seen);
    if std::env::var_os("BAILIWICK_REWRITE_SNAPSHOTS").is_some() {
        match rows.iter_mut().find(|known| known.starts_with(&start)) {
            Some(known) => *known = &row,
            None => rows.push(&row),
        }
        rows.sort_unstable();
        std::fs::write(path, format!("{HEAD}{}\n", rows.join("\n"))).unwrap();
        return;
    }
    assert!(page.starts_with(HEAD), "`docs/contributing/crash-points.md` is not what the test writes");
    let known = rows.iter().find(|known| known.starts_with(&start)).unwrap_or_else(|| panic!("no row for: {row}"));
    for outcome in seen.outcomes.keys() {
        assert!(known.contains(outcome), "`{}`: `{outcome}` is not in docs/contributing/crash-points.md", seen.command);
    }
}

fn row(seen: &Seen) -> String {
    let total: usize = seen.calls.values().sum();
    let mut calls = format!("{total}:");
    for (name, times) in &seen.calls {
        let _ = write!(calls, " {times} {name},");
    }
    let outcomes: Vec<String> = seen.outcomes.iter().map(|(outcome, times)| format!("{outcome} ({times})")).collect();
    format!("| `{}` | {} | {} | {} |", seen.command, calls.trim_end_matches(','), seen.tried, outcomes.join("; "))
}
