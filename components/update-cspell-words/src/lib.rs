//! `UpdateCspellWords`: adds words to the spelling dictionary of a granted directory, `.vscode/cspell.json`, and leaves
//! every byte around the list of words as it is.
//!
//! - [`update`]: from a text and words to the edits, or to the reason why not.
//! - [`words`]: what can be a word, which are there already, and where the others belong.
//! - [`config`]: the file, read as JSON with comments and with the place of everything in it.
//! - [`list`]: putting items into a list as a person would, in the style the list has.

mod config;
#[cfg(test)]
mod fuzzing;
mod list;
mod update;
mod words;

use bailiwick_tool_sdk::{Effects, ErrorKind, Grants, Tool, ToolError, diff, export_tool, input, output};

/// The file, beneath a granted directory.
const CONFIG: &str = ".vscode/cspell.json";
/// The largest file that is updated.
const FILE_LIMIT: u64 = 8 << 20;

input! {
    /// What `UpdateCspellWords` is given.
    pub struct Input {
        /// The words to add, one in each string.
        pub words: Vec<String>,
        /// The name of the granted directory whose `.vscode/cspell.json` is meant. May be left out when there is only one.
        pub grant: Option<String>,
    }
}

output! {
    /// What `UpdateCspellWords` answers.
    pub struct Output {
        /// The file.
        pub file_path: String,
        /// Whether the file was not there before.
        pub created: bool,
        /// The words that were added, in their order in the file.
        pub added: Vec<String>,
        /// The words that were there already, perhaps in another letter case.
        pub already_present: Vec<String>,
        /// What changed, as a unified diff; empty when nothing did.
        pub diff: String,
    }
}

/// Adds words to the spelling dictionary.
pub struct UpdateCspellWords;

impl Tool for UpdateCspellWords {
    const NAME: &'static str = "UpdateCspellWords";
    const DESCRIPTION: &'static str = "Adds words to the list `words` in `.vscode/cspell.json` of a granted directory, \
        so that the spelling checker takes them for correct. Words that are there already, in whatever letter case, \
        are not added again. In a sorted list each word goes where it belongs; to a list that is not sorted the words \
        are appended in order. Comments, formatting and everything else in the file stay. A file that is missing is \
        made. To correct a misspelt text use CodePatch.";
    const EFFECTS: Effects = Effects::READS.union(Effects::WRITES).union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let words = words::checked(&input.words)?;
        let grant = choose(&grants.names(), input.grant.as_deref())?;
        let file_path = format!("{grant}/{CONFIG}");
        let place = grants.resolve(&file_path)?;
        let (before, created) = match place.read_text(FILE_LIMIT) {
            Ok(text) => (text, false),
            Err(error) if error.kind == ErrorKind::NotFound => (String::new(), true),
            Err(error) => return Err(error),
        };
        let update = if created { Ok(update::fresh(words)) } else { update::update(&before, words) };
        let update =
            update.map_err(|problem| ToolError::failed(format!("`{file_path}` was not changed: {problem}")))?;
        let mut diff = String::new();
        if !update.edits.is_empty() {
            place.write(diff::apply(&before, &update.edits).as_bytes())?;
            diff = diff::unified(&file_path, &before, &update.edits);
        }
        Ok(Output { created, added: update.added, already_present: update.already_present, diff, file_path })
    }
}

/// The grant that is meant.
fn choose<'a>(names: &[&'a str], given: Option<&str>) -> Result<&'a str, ToolError> {
    let all = || names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match (names, given) {
        ([], _) => Err(ToolError::not_permitted(format!("`{CONFIG}` cannot be reached: no directory was granted"))),
        (names, Some(given)) => names.iter().find(|name| **name == given).copied().ok_or_else(|| {
            ToolError::not_permitted(format!("`{given}` is no granted directory; `grant` is one of {}", all()))
        }),
        ([only], None) => Ok(only),
        (_, None) => Err(ToolError::invalid_input(format!(
            "several directories are granted, and each can have a `{CONFIG}`; say which is meant with `grant`, one of {}",
            all()
        ))),
    }
}

export_tool!(UpdateCspellWords);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_grant_need_not_be_named_and_several_must_be() {
        assert_eq!(choose(&["sdk"], None).unwrap(), "sdk");
        assert_eq!(choose(&["sdk", "spec"], Some("spec")).unwrap(), "spec");
        for (names, given, kind) in [
            (&["sdk", "spec"][..], None, ErrorKind::InvalidInput),
            (&["sdk", "spec"], Some("other"), ErrorKind::NotPermitted),
            (&["sdk"], Some("sdk/sub"), ErrorKind::NotPermitted),
            (&["sdk"], Some(".."), ErrorKind::NotPermitted),
            (&["sdk"], Some(""), ErrorKind::NotPermitted),
            (&[], None, ErrorKind::NotPermitted),
        ] {
            assert_eq!(choose(names, given).unwrap_err().kind, kind, "{names:?} {given:?}");
        }
    }
}
