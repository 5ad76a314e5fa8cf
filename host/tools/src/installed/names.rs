//! Names that are free: never those of another tool, nor such as would pass for them.

use bailiwick_audit::is_invisible;

use super::{Problem, Result};

/// Names that belong to this program's own tools, now or later.
const OURS: [&str; 2] = ["azsdk_", "bailiwick"];

/// Names that an agent or a server has without any component: how an agent ends, and the file tools over grants.
const TAKEN: [&str; 15] = [
    "Exit",
    "create_directory",
    "directory_tree",
    "edit_file",
    "get_file_info",
    "list_allowed_directories",
    "list_directory",
    "list_directory_with_sizes",
    "move_file",
    "read_file",
    "read_media_file",
    "read_multiple_files",
    "read_text_file",
    "search_files",
    "write_file",
];

/// Refuses a name that another tool has, or that a person could not type or tell from another one.
///
/// # Errors
/// It is refused.
pub fn free(name: &str, known: &[String]) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
        let shown: String = name.chars().take(64).filter(|c| !is_invisible(*c)).collect();
        return Err(Problem::usage(format!("`{shown}` is not a valid name of a tool"))
            .hint("use up to 64 letters, digits, `-` and `_`"));
    }
    let own = folded(name);
    if OURS.iter().any(|ours| own.starts_with(ours)) {
        return Err(Problem::usage(format!("names like `{name}` belong to bailiwick's own tools")));
    }
    let others = known.iter().map(String::as_str).chain(TAKEN);
    if let Some(other) = others.into_iter().find(|other| folded(other) == own) {
        let hint = match TAKEN.contains(&other) {
            true => "it is a name of bailiwick's own, which no other tool may have".to_owned(),
            false => {
                "`bailiwick tool list` shows them; `bailiwick tool remove NAME` takes an added one away".to_owned()
            }
        };
        return Err(Problem::usage(format!("`{name}` is taken: there is a tool `{other}` already")).hint(hint));
    }
    Ok(())
}

/// A name without what a reader or a model mixes up: letter case, and `-` for `_`.
fn folded(name: &str) -> String {
    name.to_ascii_lowercase().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_that_would_pass_for_another_ones_is_taken() {
        let known = ["ReadFile".to_owned(), "change-log".to_owned()];
        for name in
            ["readfile", "Change_Log", "exit", "READ-TEXT-FILE", "Bailiwick-x", "AZSDK-run", "", "a b", "\u{202e}x"]
        {
            assert!(free(name, &known).is_err(), "{name}");
        }
        free("ReadFiles", &known).unwrap();
    }
}
