//! What a run changed, as text.

use std::time::{Duration, Instant};

use similar::{ChangeTag, TextDiff};

/// How long one file's comparison, and those of all generated files together, may look for the smallest difference; past
/// it the diff is right but longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Generated files that are listed one by one.
const LISTED: usize = 50;

/// A file that differs from before the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// The path, with its grant: `sdk/azure/widget/_patch.py`.
    pub path: String,
    /// Who wrote the change.
    pub origin: Origin,
    /// Before the run; `None` when there was no such file.
    pub before: Option<Vec<u8>>,
    /// Now; `None` when the file is gone.
    pub after: Option<Vec<u8>>,
}

/// Who wrote a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// An agent, through the gate. Shown in full.
    Agent,
    /// The emitter. Summed up.
    Generator,
}

/// The unified diff of a run: an agent's changes in full, the generator's as one comment line per file.
#[must_use]
pub fn unified(files: &[ChangedFile]) -> String {
    let mut text = String::new();
    for file in files.iter().filter(|file| file.origin == Origin::Agent) {
        text.push_str(&full(file));
    }
    let generated: Vec<&ChangedFile> = files.iter().filter(|file| file.origin == Origin::Generator).collect();
    let deadline = Instant::now() + PATIENCE;
    for file in generated.iter().take(LISTED) {
        text.push_str(&summary(file, deadline));
    }
    if generated.len() > LISTED {
        text.push_str(&format!("# and {} more generated files\n", generated.len() - LISTED));
    }
    text
}

fn full(file: &ChangedFile) -> String {
    let path = printable(&file.path);
    let name = |side: &str, content: Option<&Vec<u8>>| match content {
        Some(_) => format!("{side}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let (old, new) = (name("a", file.before.as_ref()), name("b", file.after.as_ref()));
    match (text_of(file.before.as_deref()), text_of(file.after.as_deref())) {
        (Some(before), Some(after)) => {
            let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(before, after);
            diff.unified_diff().header(&old, &new).to_string()
        }
        _ => format!("Binary files {old} and {new} differ\n"),
    }
}

fn summary(file: &ChangedFile, deadline: Instant) -> String {
    let path = printable(&file.path);
    let what = match (&file.before, &file.after) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    };
    if file.before.is_some() && file.before == file.after {
        return format!("# generated: {path} has the same content and another mode\n");
    }
    let counts = match (text_of(file.before.as_deref()), text_of(file.after.as_deref())) {
        (Some(before), Some(after)) => {
            let diff = TextDiff::configure().deadline(deadline).diff_lines(before, after);
            let count = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count();
            format!("+{} -{} lines", count(ChangeTag::Insert), count(ChangeTag::Delete))
        }
        _ => "not text".to_owned(),
    };
    format!("# generated: {path} {what}, {counts}\n")
}

/// An absent file as an empty text, and `None` for content that is not text.
fn text_of(bytes: Option<&[u8]>) -> Option<&str> {
    let bytes = bytes.unwrap_or_default();
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// A path that cannot pretend to be another line of the diff.
fn printable(path: &str) -> String {
    path.chars().map(|character| if character.is_control() { '?' } else { character }).collect()
}
