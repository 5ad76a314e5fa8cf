//! `eng/swagger_to_sdk_config.json`. Keys that are not used here are left alone.

// A repository writes the file.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_base::files::plain;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::command;
use super::error::ScriptError;

const FILE: &str = "eng/swagger_to_sdk_config.json";

/// No configuration is larger.
const LARGEST: u64 = 4 * 1024 * 1024;

/// What a configured script is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Build the package.
    Build,
    /// Write the entries of the change log.
    Changelog,
    /// Set the version.
    Version,
    /// Bring what else describes the package up to date.
    Metadata,
}

impl Purpose {
    /// The key under `packageOptions`.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Build => "buildScript",
            Self::Changelog => "updateChangelogContentScript",
            Self::Version => "updateVersionScript",
            Self::Metadata => "updateMetadataScript",
        }
    }
}

/// What is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Script {
    /// A command line, split; at least one word. Words may hold `{packagePath}` and its like.
    Command(Vec<String>),
    /// A PowerShell script, which gets values as `-PackagePath` and its like. Canonical, beneath the repository.
    PowerShell(PathBuf),
}

impl Script {
    /// As a person would type it.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Command(words) => command::shown(words.iter().map(String::as_str)),
            Self::PowerShell(path) => command::shown(["pwsh", "-File", &path.to_string_lossy()]),
        }
    }
}

/// The file of one repository, read once: what it says cannot change while a run is under way.
#[derive(Debug, Clone, Default)]
pub struct SdkConfiguration {
    repository: PathBuf,
    options: Map<String, Value>,
}

impl SdkConfiguration {
    /// Reads the file of a repository, whose path is canonical. A repository without one configures nothing.
    ///
    /// # Errors
    /// [`ScriptError::Malformed`].
    pub fn read(repository: &Path) -> Result<Self, ScriptError> {
        let malformed = |reason: String| ScriptError::Malformed { reason };
        let bytes = match plain::beneath(repository, FILE, LARGEST) {
            Ok((bytes, _)) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::from(b"{}"),
            Err(error) => return Err(malformed(error.to_string())),
        };
        let text = String::from_utf8(bytes).map_err(|_| malformed("it is not UTF-8".to_owned()))?;
        Self::parse(repository, &text)
    }

    /// The text of such a file.
    pub(super) fn parse(repository: &Path, text: &str) -> Result<Self, ScriptError> {
        let malformed = |reason: String| ScriptError::Malformed { reason };
        let document: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| malformed(format!("it is not JSON: {error}")))?;
        let Value::Object(mut document) = document else {
            return Err(malformed("it is not a JSON object".to_owned()));
        };
        let options = match document.remove("packageOptions") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(options)) => options,
            Some(_) => return Err(malformed("its `packageOptions` is not an object".to_owned())),
        };
        Ok(Self { repository: repository.to_owned(), options })
    }

    /// What is configured for a purpose: `command`, or `path` where that is missing or empty.
    ///
    /// # Errors
    /// [`ScriptError::Entry`].
    pub fn script(&self, purpose: Purpose) -> Result<Option<Script>, ScriptError> {
        let key = purpose.key();
        let entry = match self.options.get(key) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Object(entry)) => entry,
            Some(_) => return Err(entry_error(key, "it is not an object".to_owned())),
        };
        if let Some(line) = text(entry, key, "command")? {
            let words = command::split(line).map_err(|reason| entry_error(&format!("{key}/command"), reason))?;
            return Ok(Some(Script::Command(words)));
        }
        let Some(path) = text(entry, key, "path")? else { return Ok(None) };
        self.power_shell(path).map(Some).map_err(|reason| entry_error(&format!("{key}/path"), reason))
    }

    /// The same where it has to be there.
    ///
    /// # Errors
    /// [`ScriptError::NotConfigured`], [`ScriptError::Entry`].
    pub fn required(&self, purpose: Purpose) -> Result<Script, ScriptError> {
        self.script(purpose)?.ok_or(ScriptError::NotConfigured { key: purpose.key() })
    }

    fn power_shell(&self, path: &str) -> Result<Script, String> {
        let relative = path.replace('\\', "/");
        let found = self.repository.join(&relative).canonicalize().ok().filter(|found| found.is_file());
        let Some(found) = found else { return Err(format!("there is no `{relative}` in the repository")) };
        if !found.starts_with(&self.repository) {
            return Err(format!("`{relative}` leads out of the repository"));
        }
        if found.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("ps1")) {
            return Err(format!("`{relative}` is not a PowerShell script"));
        }
        Ok(Script::PowerShell(found))
    }
}

/// A text that says something.
fn text<'a>(entry: &'a Map<String, Value>, key: &str, field: &str) -> Result<Option<&'a str>, ScriptError> {
    match entry.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
        Some(_) => Err(entry_error(&format!("{key}/{field}"), "it is not text".to_owned())),
    }
}

fn entry_error(key: &str, reason: String) -> ScriptError {
    ScriptError::Entry { key: key.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Repository(tempfile::TempDir);

    impl Repository {
        fn with(content: &str) -> Self {
            let directory = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(directory.path().join("eng/scripts")).unwrap();
            std::fs::write(directory.path().join(FILE), content).unwrap();
            for name in ["build.ps1", "build.sh"] {
                std::fs::write(directory.path().join("eng/scripts").join(name), "").unwrap();
            }
            Self(directory)
        }

        fn root(&self) -> PathBuf {
            self.0.path().canonicalize().unwrap()
        }

        fn read(&self) -> Result<SdkConfiguration, ScriptError> {
            SdkConfiguration::read(&self.root())
        }

        fn script(entry: &str) -> Result<Option<Script>, ScriptError> {
            let repository = Self::with(&format!("{{\"packageOptions\": {{\"buildScript\": {entry}}}}}"));
            repository.read()?.script(Purpose::Build)
        }
    }

    fn command(words: &[&str]) -> Option<Script> {
        Some(Script::Command(words.iter().map(|word| (*word).to_owned()).collect()))
    }

    #[test]
    fn command_is_read_and_wins_over_a_path() {
        for entry in [
            r#"{"command": "generator build {packagePath}"}"#,
            r#"{"command": "generator build {packagePath}", "path": ""}"#,
            r#"{"command": "generator build {packagePath}", "path": "./eng/scripts/build.ps1"}"#,
        ] {
            assert_eq!(
                Repository::script(entry).unwrap(),
                command(&["generator", "build", "{packagePath}"]),
                "{entry}"
            );
        }
    }

    #[test]
    fn path_is_read_where_the_command_is_missing_or_empty() {
        for entry in [
            r#"{"path": "./eng/scripts/build.ps1"}"#,
            r#"{"command": "", "path": "eng\\scripts\\build.ps1"}"#,
            r#"{"command": "  ", "path": "eng/scripts/build.ps1"}"#,
            r#"{"command": null, "path": "eng/scripts/build.ps1"}"#,
        ] {
            let Some(Script::PowerShell(path)) = Repository::script(entry).unwrap() else { panic!("{entry}") };
            assert!(path.ends_with("eng/scripts/build.ps1"));
        }
    }

    #[test]
    fn neither_of_both_configures_nothing() {
        for entry in ["{}", "null", r#"{"command": "", "path": ""}"#, r#"{"envs": {}}"#] {
            assert_eq!(Repository::script(entry).unwrap(), None, "{entry}");
        }
        let other = Repository::with(r#"{"packageOptions": {"packageFolderFromFileSearch": {"searchRegex": "x"}}}"#);
        let error = other.read().unwrap().required(Purpose::Version).unwrap_err();
        assert_eq!(error.to_string(), "the SDK repository configures no `updateVersionScript`");
        assert!(error.hint().is_some());
    }

    #[test]
    fn repository_without_the_file_configures_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let configuration = SdkConfiguration::read(directory.path()).unwrap();
        assert_eq!(configuration.script(Purpose::Build).unwrap(), None);
    }

    #[test]
    fn malformed_file_is_one_clean_sentence() {
        for content in ["", "{", "[]", "\"x\"", r#"{"packageOptions": []}"#, "{\"a\": 1}}", "// c\n{}"] {
            let error = Repository::with(content).read().unwrap_err();
            let text = error.to_string();
            assert!(text.starts_with("`eng/swagger_to_sdk_config.json` cannot be used: "), "{content}: {text}");
            assert!(!text.contains('\n') && error.hint().is_some());
        }
        Repository::with("\u{feff}{}").read().unwrap();
    }

    #[test]
    fn entry_of_another_form_is_named() {
        for (entry, about) in [
            ("\"mvn package\"", "`packageOptions/buildScript` in"),
            (r#"{"command": ["mvn"]}"#, "buildScript/command"),
            (r#"{"command": "mvn && x"}"#, "`&&` needs a shell"),
            (r#"{"command": "mvn \"x"}"#, "has no end"),
            (r#"{"path": 5}"#, "buildScript/path"),
            (r#"{"path": "eng/scripts/none.ps1"}"#, "there is no `eng/scripts/none.ps1`"),
            (r#"{"path": "eng/scripts/build.sh"}"#, "not a PowerShell script"),
            (r#"{"path": "eng"}"#, "there is no `eng`"),
        ] {
            let error = Repository::script(entry).unwrap_err();
            assert!(error.to_string().contains(about), "{entry}: {error}");
            assert!(error.hint().is_some());
        }
    }

    #[test]
    fn script_outside_the_repository_is_refused() {
        let repository = Repository::with(r#"{"packageOptions": {"buildScript": {"path": "eng/link.ps1"}}}"#);
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("x.ps1"), "").unwrap();
        std::os::unix::fs::symlink(outside.path().join("x.ps1"), repository.root().join("eng/link.ps1")).unwrap();
        let error = repository.read().unwrap().script(Purpose::Build).unwrap_err();
        assert!(error.to_string().contains("leads out of the repository"), "{error}");
    }

    #[test]
    fn every_purpose_has_its_key() {
        for (purpose, key) in [
            (Purpose::Build, "buildScript"),
            (Purpose::Changelog, "updateChangelogContentScript"),
            (Purpose::Version, "updateVersionScript"),
            (Purpose::Metadata, "updateMetadataScript"),
        ] {
            let content = format!("{{\"packageOptions\": {{\"{key}\": {{\"command\": \"a b\"}}}}}}");
            let configuration = Repository::with(&content).read().unwrap();
            assert_eq!(configuration.script(purpose).unwrap(), command(&["a", "b"]));
        }
    }
}
