//! `tsp-location.yaml`: where a package says which specification it was generated from.
//!
//! The rules are `tsp-client`'s: backslashes count as slashes, trailing slashes do not count, `additionalDirectories`
//! is often present without a value and may be a single string, and a file with `batch` describes other packages.

// A repository writes the file.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_base::files::plain;
use std::path::{Component, Path};

use serde_yaml_ng::Value;

use super::error::TypespecError;
use super::yaml;

/// The content of `tsp-location.yaml`. Paths are relative, with slashes, without `.`, `..` and a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TspLocation {
    /// The project in the specification repository: `specification/widget/WidgetManager`.
    pub directory: String,
    /// The commit it was generated from. See [`crate::checkout`].
    pub commit: String,
    /// `owner/name`. Not used with local clones, and not always well formed in the wild.
    pub repo: String,
    /// Directories of the specification repository that the project imports from.
    pub additional_directories: Vec<String>,
    /// The file to start from, relative to the project; else `client.tsp` or `main.tsp`.
    pub entrypoint_file: Option<String>,
    /// The emitter's package file in the SDK repository; else `eng/emitter-package.json`.
    pub emitter_package_json_path: Option<String>,
}

impl TspLocation {
    /// Reads the file of a package.
    ///
    /// # Errors
    /// [`TypespecError::NoLocation`], and those of [`TspLocation::parse`].
    pub fn read(package: &Path) -> Result<Self, TypespecError> {
        let path = package.join("tsp-location.yaml");
        match plain::read(&path) {
            Ok(bytes) => {
                let text = String::from_utf8(bytes).map_err(|_| malformed("it is not UTF-8"))?;
                Self::parse(&text)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(TypespecError::NoLocation { package: package.to_owned() })
            }
            Err(error) => Err(TypespecError::io(&path, "read")(error)),
        }
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`TypespecError::MalformedLocation`], [`TypespecError::IncompleteLocation`], [`TypespecError::Batch`],
    /// [`TypespecError::OutsideRepository`].
    pub fn parse(text: &str) -> Result<Self, TypespecError> {
        let document: Value = yaml::parse(text.trim_start_matches('\u{feff}')).map_err(malformed)?;
        if !document.is_mapping() {
            return Err(malformed("it is not a list of fields"));
        }
        if let Some(batch) = present(&document, "batch") {
            return Err(TypespecError::Batch { packages: strings(batch, "batch")? });
        }
        let mandatory =
            |field: &'static str| optional(&document, field)?.ok_or(TypespecError::IncompleteLocation { field });
        let location = Self {
            directory: inside(&mandatory("directory")?)?,
            // Forty digits without a letter are a number to YAML, and one that is too large to be kept exactly.
            commit: match document.get("commit") {
                Some(Value::Number(_)) => written(text, "commit").ok_or_else(|| malformed("`commit` is not text"))?,
                _ => mandatory("commit")?,
            },
            repo: mandatory("repo")?,
            additional_directories: match present(&document, "additionalDirectories") {
                Some(value) => {
                    strings(value, "additionalDirectories")?.iter().map(|one| inside(one)).collect::<Result<_, _>>()?
                }
                None => Vec::new(),
            },
            entrypoint_file: optional(&document, "entrypointFile")?.map(|path| inside(&path)).transpose()?,
            emitter_package_json_path: optional(&document, "emitterPackageJsonPath")?
                .map(|path| emitter_package(&path))
                .transpose()?,
        };
        Ok(location)
    }

    /// The last part of the project's directory, which `tsp-client` names its copy after.
    #[must_use]
    pub fn project_name(&self) -> &str {
        last_part(&self.directory)
    }
}

/// Whether `repo` has the form that pipelines need, `owner/name`. Local clones do without: in the wild it is also
/// `../azure-rest-api-specs` (Azure/azure-sdk-for-js#33912) or a whole URL.
#[must_use]
pub fn is_repository_name(repo: &str) -> bool {
    let harmless = |part: &str| {
        !part.is_empty()
            && part.chars().all(|one| one.is_ascii_alphanumeric() || "-_.".contains(one))
            && part.chars().any(|one| one != '.')
    };
    repo.split_once('/').is_some_and(|(owner, name)| harmless(owner) && harmless(name))
}

/// The last part of a normalised path.
pub(super) fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn malformed(reason: impl Into<String>) -> TypespecError {
    TypespecError::MalformedLocation { reason: reason.into().replace('\n', " ") }
}

/// A field with a value; `additionalDirectories:` alone has none.
fn present<'a>(document: &'a Value, field: &str) -> Option<&'a Value> {
    document.get(field).filter(|value| !value.is_null())
}

fn optional(document: &Value, field: &'static str) -> Result<Option<String>, TypespecError> {
    let Some(value) = present(document, field) else {
        return Ok(None);
    };
    let text = scalar(value).ok_or_else(|| malformed(format!("`{field}` is not text")))?;
    let text = text.trim();
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

/// A commit of digits only is a number to YAML.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A field of the outermost level as it is written.
fn written(text: &str, field: &str) -> Option<String> {
    let value = text.lines().find_map(|line| line.strip_prefix(field)?.trim_start().strip_prefix(':'))?;
    value.split_whitespace().next().map(str::to_owned)
}

fn strings(value: &Value, field: &'static str) -> Result<Vec<String>, TypespecError> {
    let not_a_list = || malformed(format!("`{field}` is not a list of directories"));
    match value {
        Value::String(text) => Ok(vec![text.clone()]),
        Value::Sequence(items) => {
            items.iter().filter(|item| !item.is_null()).map(|item| scalar(item).ok_or_else(not_a_list)).collect()
        }
        _ => Err(not_a_list()),
    }
}

/// A path in its normal form, or an error if it is absolute or leads upwards.
fn inside(path: &str) -> Result<String, TypespecError> {
    let slashes = path.replace('\\', "/");
    let outside = || TypespecError::OutsideRepository { path: path.to_owned() };
    let mut parts = Vec::new();
    for component in Path::new(&slashes).components() {
        match component {
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::CurDir => {}
            _ => return Err(outside()),
        }
    }
    // `C:/…` is absolute where people write backslashes.
    let drive = parts.first().is_some_and(|first| first.ends_with(':'));
    if parts.is_empty() || drive {
        return Err(outside());
    }
    Ok(parts.join("/"))
}

/// Where an emitter's package file may lie. It says which programs are installed and generate code, so it lies with the
/// repository's own engineering files, and never in a package, which generators, builds and agents write.
const EMITTERS: &str = "eng/";

fn emitter_package(path: &str) -> Result<String, TypespecError> {
    let relative = inside(path)?;
    match relative.strip_prefix(EMITTERS) {
        Some(name) if !name.is_empty() => Ok(relative),
        _ => Err(TypespecError::EmitterOutsideEng { path: path.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WHOLE: &str =
        "directory: specification\\widget\\WidgetManager\\\ncommit: 6f1c\nrepo: Azure/azure-rest-api-specs\n";

    #[test]
    fn backslashes_and_trailing_slashes_are_normalised() {
        let location = TspLocation::parse(&format!(
            "{WHOLE}additionalDirectories:\n- specification/widget/Shared/\n- .\\specification\\common\nentrypointFile: ./client.tsp\nemitterPackageJsonPath: eng\\typespec-package.json\n"
        ))
        .unwrap();
        assert_eq!(location.directory, "specification/widget/WidgetManager");
        assert_eq!(location.project_name(), "WidgetManager");
        assert_eq!(location.additional_directories, ["specification/widget/Shared", "specification/common"]);
        assert_eq!(location.entrypoint_file.as_deref(), Some("client.tsp"));
        assert_eq!(location.emitter_package_json_path.as_deref(), Some("eng/typespec-package.json"));
    }

    #[test]
    fn additional_directories_may_be_null_empty_or_one_string() {
        for (text, count) in [
            ("additionalDirectories:", 0),
            ("additionalDirectories: []", 0),
            ("additionalDirectories: [~]", 0),
            ("additionalDirectories: specification/common/", 1),
        ] {
            let location = TspLocation::parse(&format!("{WHOLE}{text}\n")).unwrap();
            assert_eq!(location.additional_directories.len(), count, "{text}");
        }
    }

    #[test]
    fn commit_that_looks_like_a_number_is_kept_as_written() {
        for commit in ["12345678", "0012", "1e10", "12e4567", "1234567890123456789012345678901234567890"] {
            let text = format!("directory: a/b\ncommit: {commit} # pinned\nrepo: x/y\n");
            assert_eq!(TspLocation::parse(&text).unwrap().commit, commit);
        }
    }

    #[test]
    fn repository_that_is_not_a_name_is_read_and_told() {
        for (repo, is_name) in [
            ("Azure/azure-rest-api-specs", true),
            ("Azure/azure-rest-api-specs-pr", true),
            ("../azure-rest-api-specs", false),
            ("https://github.com/Azure/azure-rest-api-specs", false),
            ("azure-rest-api-specs", false),
            ("<replace with your value>", false),
        ] {
            let location = TspLocation::parse(&format!("directory: a\ncommit: x\nrepo: '{repo}'\n")).unwrap();
            assert_eq!((location.repo.as_str(), is_repository_name(&location.repo)), (repo, is_name));
        }
    }

    #[test]
    fn windows_line_ends_a_byte_order_mark_quotes_and_comments_do_not_matter() {
        let text = "\u{feff}# generated\r\ndirectory: \"specification/w/W/\" # here\r\ncommit: 'abc'\r\nrepo: Azure/azure-rest-api-specs\r\nadditionalDirectories:\r\n";
        let location = TspLocation::parse(text).unwrap();
        assert_eq!((location.directory.as_str(), location.commit.as_str()), ("specification/w/W", "abc"));
        assert!(location.additional_directories.is_empty());
    }

    #[test]
    fn optional_fields_without_a_value_count_as_left_out_and_unknown_ones_are_ignored() {
        let location =
            TspLocation::parse(&format!("{WHOLE}entrypointFile:\nemitterPackageJsonPath: ''\ncleanup: true\n"))
                .unwrap();
        assert_eq!((location.entrypoint_file, location.emitter_package_json_path), (None, None));
    }

    #[test]
    fn batch_beside_other_fields_and_an_empty_one_are_refused_alike() {
        for text in ["directory: a\ncommit: x\nrepo: y/z\nbatch: [./a]\n", "batch: ./a\n", "batch: []\n"] {
            assert!(matches!(TspLocation::parse(text), Err(TypespecError::Batch { .. })), "{text}");
        }
        let location = TspLocation::parse(&format!("{WHOLE}batch:\n")).unwrap();
        assert_eq!(location.project_name(), "WidgetManager", "a batch without a value does not count");
    }

    #[test]
    fn field_that_stands_twice_is_an_error_and_no_guess() {
        let error = TspLocation::parse(&format!("{WHOLE}directory: other\n")).unwrap_err();
        assert!(matches!(error, TypespecError::MalformedLocation { .. }), "{error}");
    }

    #[test]
    fn missing_and_empty_fields_are_named() {
        for (text, field) in [
            ("commit: x\nrepo: y\n", "directory"),
            ("directory:\ncommit: x\nrepo: y\n", "directory"),
            ("directory: a\nrepo: y\n", "commit"),
            ("directory: a\ncommit: x\nrepo: ''\n", "repo"),
        ] {
            let error = TspLocation::parse(text).unwrap_err();
            assert_eq!(error.to_string(), format!("`tsp-location.yaml` has no `{field}`"));
        }
    }

    #[test]
    fn malformed_files_are_one_clean_sentence() {
        for text in ["directory: [", "- a\n- b\n", "", "directory: {a: b}\ncommit: x\nrepo: y\n", "\t"] {
            let error = TspLocation::parse(text).unwrap_err();
            assert!(matches!(error, TypespecError::MalformedLocation { .. }), "{text:?}: {error}");
            assert!(!error.to_string().contains('\n'));
            assert!(error.hint().is_some());
        }
    }

    #[test]
    fn batch_file_is_refused_and_its_packages_named() {
        let error = TspLocation::parse("batch:\n  - ./azure-widget\n  - ./azure-part\n").unwrap_err();
        assert_eq!(error.to_string(), "`tsp-location.yaml` is a batch file for ./azure-widget, ./azure-part");
    }

    #[test]
    fn paths_out_of_the_repository_are_refused() {
        for path in ["../x", "/etc", "a/../../b", "C:\\specs\\a", ".", "..\\x"] {
            let text = format!("directory: '{path}'\ncommit: x\nrepo: y\n");
            let error = TspLocation::parse(&text).unwrap_err();
            assert!(matches!(error, TypespecError::OutsideRepository { .. }), "{path}: {error}");
        }
    }

    #[test]
    fn package_file_of_an_emitter_lies_beneath_eng() {
        let parsed = |path: &str| TspLocation::parse(&format!("{WHOLE}emitterPackageJsonPath: '{path}'\n"));
        for (path, kept) in [
            ("eng/emitter-package.json", "eng/emitter-package.json"),
            ("./eng\\typespec\\other.json", "eng/typespec/other.json"),
        ] {
            assert_eq!(parsed(path).unwrap().emitter_package_json_path.as_deref(), Some(kept));
        }
        for path in [
            "sdk/widget/azure-widget/e/emitter-package.json",
            "emitter-package.json",
            "eng",
            "engine/x.json",
            "Eng/x.json",
        ] {
            let error = parsed(path).unwrap_err();
            assert!(matches!(error, TypespecError::EmitterOutsideEng { .. }), "{path}: {error}");
            assert!(error.hint().is_some());
        }
        assert!(matches!(parsed("eng/../sdk/x.json").unwrap_err(), TypespecError::OutsideRepository { .. }));
    }

    proptest! {
        #[test]
        fn any_text_gives_an_answer_and_never_a_path_outside(text in "\\PC{0,200}", path in "[a./\\\\:-]{0,20}") {
            let _ = TspLocation::parse(&text);
            if let Ok(location) = TspLocation::parse(&format!("directory: \"{}\"\ncommit: x\nrepo: y\n", path.replace('\\', "\\\\"))) {
                prop_assert!(!location.directory.starts_with('/'));
                prop_assert!(location.directory.split('/').all(|part| !part.is_empty() && part != "." && part != ".."));
            }
        }
    }
}
