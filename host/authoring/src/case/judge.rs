//! What came of a call, held against what a case expects.

use super::{Case, Expect, tree};
use crate::error::AuthoringError;
use bailiwick_tools::Manifest;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How much of a value a person is shown.
const SHOWN: usize = 400;

/// What a call answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Its output.
    Output(Value),
    /// An error that the caller can read, by kind; `host` where the call was ended from outside.
    Error {
        /// In kebab case.
        kind: String,
        /// One sentence.
        message: String,
    },
}

impl Case {
    /// Makes the directories of `manifest` beneath `root`, with the files of `before`.
    ///
    /// # Errors
    /// A file lies in a directory that the manifest does not ask for, or cannot be written.
    pub fn lay_out(&self, manifest: &Manifest, root: &Path) -> Result<(), AuthoringError> {
        let asked = |name: &str| manifest.directories.iter().any(|directory| directory.name == name);
        let files = self.before.keys().chain(self.after.keys()).filter_map(|path| path.split('/').next());
        if let Some(name) = files.chain(self.access.keys().map(String::as_str)).find(|name| !asked(name)) {
            return Err(AuthoringError::Case {
                path: self.file.clone(),
                case: Some(self.name.clone()),
                reason: format!("`tool.toml` asks for no directory `{}`", name.escape_debug()),
            });
        }
        for directory in &manifest.directories {
            let path = root.join(&directory.name);
            fs::create_dir_all(&path).map_err(AuthoringError::io(&path, "created"))?;
        }
        tree::lay_out(root, &self.before)
    }

    /// What is not as the case says, a sentence each; nothing if all is.
    ///
    /// # Errors
    /// A file that the call left cannot be read.
    pub fn judge(&self, answer: &Answer, root: &Path) -> Result<Vec<String>, AuthoringError> {
        let mut wrong: Vec<String> = self.expect.judge(answer).into_iter().collect();
        let mut expected: BTreeMap<&str, &[u8]> =
            self.before.iter().map(|(path, content)| (path.as_str(), content.as_slice())).collect();
        for (path, content) in &self.after {
            match content {
                Some(content) => expected.insert(path, content),
                None => expected.remove(path.as_str()),
            };
        }
        let found = tree::files(root)?;
        for (path, content) in &expected {
            match found.get(*path) {
                None => wrong.push(format!("`{path}` is not there")),
                Some(other) if other != content => {
                    wrong.push(format!("`{path}` is {}, and has to be {}", shown(other), shown(content)));
                }
                Some(_) => {}
            }
        }
        let more = found.keys().filter(|path| !expected.contains_key(path.as_str()));
        wrong.extend(more.map(|path| format!("`{}` is there, and nothing says so", path.escape_debug())));
        Ok(wrong)
    }
}

impl Expect {
    fn judge(&self, answer: &Answer) -> Option<String> {
        match (self, answer) {
            (Self::Output(expected), Answer::Output(output)) if expected == output => None,
            (Self::Output(expected), Answer::Output(output)) => Some(format!(
                "it answered {}, and has to answer {}",
                cut(&output.to_string()),
                cut(&expected.to_string())
            )),
            (Self::Output(_), Answer::Error { kind, message }) => Some(format!("it failed, {kind}: {}", cut(message))),
            (Self::Error { kind, .. }, Answer::Output(output)) => {
                Some(format!("it answered {}, and has to fail, {kind}", cut(&output.to_string())))
            }
            (Self::Error { kind, message }, Answer::Error { kind: found, message: said }) => {
                if kind != found {
                    return Some(format!("it failed, {found}: {}; and has to fail, {kind}", cut(said)));
                }
                let missing = message.as_ref().filter(|words| !said.contains(words.as_str()))?;
                Some(format!("its message is `{}`, and has to have `{missing}`", cut(said)))
            }
        }
    }
}

fn shown(content: &[u8]) -> String {
    match std::str::from_utf8(content) {
        Ok(text) => format!("`{}`", cut(&text.escape_debug().to_string())),
        Err(_) => format!("{} bytes that are not text", content.len()),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn case(expect: Expect) -> Case {
        Case {
            file: "tests/a.toml".into(),
            name: "a".into(),
            tool: None,
            input: json!({}),
            access: BTreeMap::new(),
            before: BTreeMap::from([("notes/kept".into(), b"1".to_vec()), ("notes/gone".into(), b"2".to_vec())]),
            expect,
            after: BTreeMap::from([("notes/made".into(), Some(b"3".to_vec())), ("notes/gone".into(), None)]),
        }
    }

    fn output(value: Value) -> Answer {
        Answer::Output(value)
    }

    #[test]
    fn files_have_to_be_as_the_case_says_and_no_others_there() {
        let root = tempfile::tempdir().unwrap();
        let case = case(Expect::Output(json!({})));
        tree::lay_out(root.path(), &case.before).unwrap();
        let wrong = case.judge(&output(json!({})), root.path()).unwrap();
        assert_eq!(wrong, ["`notes/made` is not there", "`notes/gone` is there, and nothing says so"]);
        fs::remove_file(root.path().join("notes/gone")).unwrap();
        fs::write(root.path().join("notes/made"), "3").unwrap();
        assert!(case.judge(&output(json!({})), root.path()).unwrap().is_empty());
        fs::write(root.path().join("notes/kept"), "other").unwrap();
        std::os::unix::fs::symlink("/etc", root.path().join("notes/link")).unwrap();
        let wrong = case.judge(&output(json!({})), root.path()).unwrap();
        assert_eq!(
            wrong,
            [
                "`notes/kept` is `other`, and has to be `1`",
                "`notes/link (no plain file)` is there, and nothing says so"
            ]
        );
    }

    #[test]
    fn answers_and_errors_are_told_apart() {
        let refused =
            |message: Option<&str>| Expect::Error { kind: "not-found".into(), message: message.map(Into::into) };
        let failed = |kind: &str| Answer::Error { kind: kind.into(), message: "`x` is gone".into() };
        assert_eq!(refused(None).judge(&failed("not-found")), None);
        assert_eq!(refused(Some("gone")).judge(&failed("not-found")), None);
        assert!(refused(Some("else")).judge(&failed("not-found")).is_some());
        assert!(refused(None).judge(&failed("failed")).is_some());
        assert!(refused(None).judge(&output(json!({}))).is_some());
        let expected = Expect::Output(json!({ "a": 1, "b": [true] }));
        assert_eq!(expected.judge(&output(json!({ "b": [true], "a": 1 }))), None);
        assert!(expected.judge(&output(json!({ "a": 1 }))).is_some());
        assert!(expected.judge(&failed("failed")).is_some());
    }
}
