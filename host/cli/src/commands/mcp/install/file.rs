//! One entry in a JSON file that others write, too: comments, order and layout of everything else stay.

use crate::exit::{Error, Result};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};
use serde_json::Value;
use std::fs::{File, Metadata};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// No client's configuration is larger.
const LARGEST: u64 = 4 * 1024 * 1024;

/// What becomes of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// It is new.
    Added,
    /// There was another of that name, or one that differed.
    Replaced,
    /// It is there as it should be.
    Nothing,
}

impl Change {
    /// As people read it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Replaced => "replaced",
            Self::Nothing => "unchanged",
        }
    }
}

/// A file as it is to be.
#[derive(Debug)]
pub(super) struct Edited {
    path: PathBuf,
    /// What was there; `None` if nothing was.
    before: Option<String>,
    /// Its text.
    pub(super) text: String,
    /// What that changes.
    pub(super) change: Change,
    /// Members of the entry that are not this program's, and stay.
    pub(super) kept: Vec<String>,
    within: Option<PathBuf>,
}

/// The file with `entry` as the member `name` of its object `servers`.
///
/// A file of a project lies `within` it. The author of the project made its links, so one that leads out of the project is
/// refused.
pub(super) fn edit(path: &Path, within: Option<&Path>, servers: &str, name: &str, entry: &Value) -> Result<Edited> {
    let unusable = |reason: String| {
        Error::usage(format!("`{}` cannot be edited: {reason}", path.display()))
            .hint("mend the file, or use `--print` and enter the server yourself")
    };
    stays(path, within).map_err(|error| unusable(error.to_string()))?;
    let before = read(path).map_err(&unusable)?;
    let (text, change) = with_entry(before.as_deref(), servers, name, entry).map_err(&unusable)?;
    let kept = kept(&text, servers, name, entry).map_err(unusable)?;
    Ok(Edited { path: path.to_owned(), before, text, change, kept, within: within.map(Path::to_owned) })
}

/// Whether a file, which need not be there yet, lies beneath the directory that it is to lie in.
fn stays(path: &Path, within: Option<&Path>) -> std::io::Result<()> {
    let Some(within) = within else { return Ok(()) };
    let there = path.ancestors().find(|path| path.symlink_metadata().is_ok()).unwrap_or(path);
    match there.canonicalize()?.starts_with(within.canonicalize()?) {
        true => Ok(()),
        false => Err(std::io::Error::other("a link leads out of the project")),
    }
}

/// Members of the entry in `text` that `entry` does not have.
fn kept(text: &str, servers: &str, name: &str, entry: &Value) -> std::result::Result<Vec<String>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root = CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| error.to_string())?;
    let read = root.to_serde_value().unwrap_or_default();
    let members = read[servers][name].as_object().into_iter().flatten().map(|(member, _)| member);
    Ok(members.filter(|member| entry.get(member.as_str()).is_none()).cloned().collect())
}

/// The text with the entry; `None` stands for no file. The error is a reason for a person.
fn with_entry(
    before: Option<&str>,
    servers: &str,
    name: &str,
    entry: &Value,
) -> std::result::Result<(String, Change), String> {
    let text = before.filter(|text| !text.trim().is_empty()).unwrap_or("{}\n");
    // A byte order mark is not JSON's, and editors write one.
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    };
    let root = CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| error.to_string())?;
    let object = root.object_value().ok_or("it is not a JSON object")?;
    once(&object, servers)?;
    let list = match object.get(servers) {
        Some(property) => property.object_value().ok_or_else(|| format!("its `{servers}` is not a JSON object"))?,
        None => object.object_value_or_set(servers),
    };
    once(&list, name)?;
    let change = match list.get(name) {
        Some(property) => renew(&property, entry),
        None => {
            list.append(name, input(entry));
            Change::Added
        }
    };
    Ok((format!("{mark}{root}"), change))
}

/// Of two members with one name most readers take the last, and some the first.
fn once(object: &CstObject, name: &str) -> std::result::Result<(), String> {
    let named = |member: &CstObjectProp| member.name().and_then(|name| name.decoded_value().ok());
    let count = object.properties().iter().filter(|member| named(member).as_deref() == Some(name)).count();
    if count > 1 { Err(format!("it has `{name}` more than once")) } else { Ok(()) }
}

/// What a person chose, and an entry has only at first.
const CHOSEN: [&str; 1] = ["tools"];
/// What an entry of a server elsewhere has, and one that is started has not.
const ELSEWHERE: [&str; 2] = ["url", "headers"];

/// Brings an entry of this name up to date: what else a person wrote in it, such as `env`, stays.
fn renew(property: &CstObjectProp, entry: &Value) -> Change {
    let (Some(there), Some(wanted)) = (property.object_value(), entry.as_object()) else {
        property.set_value(input(entry));
        return Change::Replaced;
    };
    let mut change = Change::Nothing;
    for (name, value) in wanted {
        match there.get(name) {
            None => {
                there.append(name, input(value));
            }
            Some(_) if CHOSEN.contains(&name.as_str()) => continue,
            Some(member) if member.value().and_then(|value| value.to_serde_value()).as_ref() == Some(value) => continue,
            Some(member) => member.set_value(input(value)),
        }
        change = Change::Replaced;
    }
    for name in ELSEWHERE {
        if let Some(member) = there.get(name) {
            member.remove();
            change = Change::Replaced;
        }
    }
    change
}

/// `None` where there is no such file.
fn read(path: &Path) -> std::result::Result<Option<String>, String> {
    let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
    // Opening a pipe of that name must not block.
    let file = match std::fs::OpenOptions::new().read(true).custom_flags(nonblocking).open(path) {
        Ok(file) => file,
        // It would be replaced by a file, against the purpose of the link.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && path.is_symlink() => {
            return Err("it is a link that leads nowhere".into());
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let found = file.metadata().map_err(|error| error.to_string())?;
    if !found.is_file() {
        return Err("it is not a regular file".into());
    }
    if found.len() > LARGEST {
        return Err(format!("it is larger than {LARGEST} bytes"));
    }
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(Some(text))
}

impl Edited {
    /// Replaces the file as a whole, or not at all. Where a link leads elsewhere, the file there is replaced. `false` if
    /// the file is no longer the one that was edited: then nothing was written.
    pub(super) fn write(&self) -> Result<bool> {
        let written = || -> std::io::Result<bool> {
            stays(&self.path, self.within.as_deref())?;
            let path = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
            let directory = path.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(directory)?;
            // Others that do the same wait; an editor is found out by what it wrote.
            let locked = File::open(directory)?;
            rustix::fs::flock(&locked, rustix::fs::FlockOperation::LockExclusive)?;
            if read(&self.path).map_err(std::io::Error::other)? != self.before {
                return Ok(false);
            }
            let mut file = tempfile::NamedTempFile::new_in(directory)?;
            file.write_all(self.text.as_bytes())?;
            // A new one is the person's alone: other entries may come to hold keys.
            let found = path.metadata().ok();
            if let Some(found) = &found {
                owned_alike(found, file.as_file())?;
            }
            let mode = found.map_or(0o600, |found| found.permissions().mode() & 0o7777);
            file.as_file().set_permissions(std::fs::Permissions::from_mode(mode))?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            Ok(true)
        };
        written().map_err(|error| Error::failed(format!("`{}` cannot be written: {error}", self.path.display())))
    }
}

/// Gives `file` the owner and group of what it takes the place of: root that runs this for another user must
/// not take their configuration from them.
fn owned_alike(found: &Metadata, file: &File) -> std::io::Result<()> {
    let own = file.metadata()?;
    let owner = (found.uid() != own.uid()).then_some(found.uid());
    let group = (found.gid() != own.gid()).then_some(found.gid());
    match (owner, group) {
        (None, None) => Ok(()),
        (owner, group) => std::os::unix::fs::fchown(file, owner, group)
            .map_err(|error| std::io::Error::new(error.kind(), format!("it would no longer be its owner's: {error}"))),
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => {
            CstInputValue::Object(members.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn edited(before: Option<&str>, entry: &Value) -> (Result<Edited>, tempfile::TempDir) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deep/mcp.json");
        if let Some(before) = before {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, before).unwrap();
        }
        (edit(&path, None, "servers", "ours", entry), directory)
    }

    #[test]
    fn comments_order_and_other_servers_stay_and_a_second_time_changes_nothing() {
        let before = "{\n  // mine\n  \"inputs\": [],\n  \"servers\": {\n    \"other\": { \"command\": \"x\" } // keep\n  }\n}\n";
        let entry = json!({ "command": "/b", "args": ["mcp"] });
        let (first, _kept) = edited(Some(before), &entry);
        let first = first.unwrap_or_else(|error| panic!("{}", error.message));
        assert_eq!(first.change, Change::Added);
        for part in ["// mine", "\"inputs\": []", "\"other\": { \"command\": \"x\" }", "// keep", "\"ours\""] {
            assert!(first.text.contains(part), "{part}: {}", first.text);
        }
        first.write().unwrap_or_else(|error| panic!("{}", error.message));
        let again =
            edit(&first.path, None, "servers", "ours", &entry).unwrap_or_else(|error| panic!("{}", error.message));
        assert_eq!((again.change, &again.text), (Change::Nothing, &first.text));
        let other = json!({ "command": "/c", "args": [] });
        let other =
            edit(&first.path, None, "servers", "ours", &other).unwrap_or_else(|error| panic!("{}", error.message));
        assert_eq!(other.change, Change::Replaced);
        assert!(other.text.contains("/c") && !other.text.contains("/b") && other.text.contains("// keep"));
    }

    #[test]
    fn file_that_is_not_there_or_empty_is_made_for_its_owner_alone() {
        for before in [None, Some(""), Some(" \n")] {
            let (made, _kept) = edited(before, &json!({ "command": "/b" }));
            let made = made.unwrap_or_else(|error| panic!("{}", error.message));
            made.write().unwrap_or_else(|error| panic!("{}", error.message));
            let read: Value = serde_json::from_str(&std::fs::read_to_string(&made.path).unwrap()).unwrap();
            assert_eq!(read, json!({ "servers": { "ours": { "command": "/b" } } }));
            if before.is_none() {
                assert_eq!(made.path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            }
        }
    }

    #[test]
    fn what_a_person_wrote_into_the_entry_stays() {
        let before = "{ \"servers\": { \"ours\": {\n  // of the office\n  \"env\": { \"HTTPS_PROXY\": \"x\" }, \"command\": \"/old\",\n  \"tools\": [\"ReadFile\"], \"url\": \"http://127.0.0.1/mcp\", \"disabled\": true } } }\n";
        let entry = json!({ "command": "/b", "args": ["mcp"], "tools": ["*"] });
        let (first, _kept) = edited(Some(before), &entry);
        let first = first.unwrap_or_else(|error| panic!("{}", error.message));
        assert_eq!(first.change, Change::Replaced);
        assert!(first.text.contains("// of the office"), "{}", first.text);
        let plain = first.text.replace("// of the office", "");
        let read: Value = serde_json::from_str(&plain).unwrap();
        let expected = json!({
            "env": { "HTTPS_PROXY": "x" }, "command": "/b", "tools": ["ReadFile"], "disabled": true, "args": ["mcp"]
        });
        assert_eq!(read["servers"]["ours"], expected);
        assert_eq!(first.kept, ["env", "disabled"]);
        first.write().unwrap_or_else(|error| panic!("{}", error.message));
        let again =
            edit(&first.path, None, "servers", "ours", &entry).unwrap_or_else(|error| panic!("{}", error.message));
        assert_eq!((again.change, &again.text), (Change::Nothing, &first.text));
    }

    #[test]
    fn link_is_followed_where_it_leads_and_refused_where_it_leads_nowhere() {
        let directory = tempfile::tempdir().unwrap();
        let (link, real) = (directory.path().join("mcp.json"), directory.path().join("dotfiles.json"));
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let entry = json!({ "command": "/b" });
        assert!(
            edit(&link, None, "servers", "ours", &entry).is_err_and(|error| error.message.contains("leads nowhere"))
        );
        assert!(link.is_symlink() && !real.exists());
        std::fs::write(&real, "{}").unwrap();
        let edited = edit(&link, None, "servers", "ours", &entry).unwrap_or_else(|error| panic!("{}", error.message));
        edited.write().unwrap_or_else(|error| panic!("{}", error.message));
        assert!(link.is_symlink() && std::fs::read_to_string(&real).unwrap().contains("/b"));
    }

    #[test]
    fn link_of_a_project_leads_nowhere_else() {
        let directory = tempfile::tempdir().unwrap();
        let [project, home] = ["project", "home"].map(|name| directory.path().join(name));
        let entry = json!({ "command": "/b" });
        let [file, new] = ["own.json", "mcp.json"].map(|name| home.join(name));
        for (place, to) in [(".vscode/mcp.json", &file), (".vscode", &home), (".vscode/mcp.json", &new)] {
            let _ = (std::fs::remove_dir_all(&project), std::fs::remove_dir_all(&home));
            std::fs::create_dir_all(&home).unwrap();
            std::fs::create_dir_all(project.join(place).parent().unwrap()).unwrap();
            std::fs::write(&file, "{}").unwrap();
            std::os::unix::fs::symlink(to, project.join(place)).unwrap();
            let path = project.join(".vscode/mcp.json");
            let edited = edit(&path, Some(&project), "servers", "ours", &entry);
            assert!(edited.is_err(), "{place}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), "{}");
            assert!(!new.exists());
        }
        // One that stays in the project may be, and one that was put there meanwhile may not.
        let _ = std::fs::remove_dir_all(&project);
        std::fs::create_dir_all(project.join("shared")).unwrap();
        std::os::unix::fs::symlink("shared", project.join(".vscode")).unwrap();
        let edit = || edit(&project.join(".vscode/mcp.json"), Some(&project), "servers", "ours", &entry);
        assert!(edit().is_ok_and(|edited| edited.write().is_ok()) && project.join("shared/mcp.json").exists());
        std::fs::write(project.join("shared/mcp.json"), "{}").unwrap();
        let edited = edit().unwrap_or_else(|error| panic!("{}", error.message));
        std::fs::remove_file(project.join(".vscode")).unwrap();
        std::os::unix::fs::symlink(&home, project.join(".vscode")).unwrap();
        std::fs::write(home.join("mcp.json"), "{}").unwrap();
        assert!(edited.write().is_err());
        assert_eq!(std::fs::read_to_string(home.join("mcp.json")).unwrap(), "{}");
    }

    #[test]
    fn file_of_another_user_keeps_its_owner() {
        if !rustix::process::geteuid().is_root() {
            eprintln!("cannot run here: only root can give files away");
            assert!(std::env::var_os("CI").is_none(), "only root can give files away");
            return;
        }
        let (edited, _kept) = edited(Some("{}"), &json!({ "command": "/b" }));
        let edited = edited.unwrap_or_else(|error| panic!("{}", error.message));
        std::os::unix::fs::chown(&edited.path, Some(1234), Some(2345)).unwrap();
        std::fs::set_permissions(&edited.path, std::fs::Permissions::from_mode(0o640)).unwrap();
        edited.write().unwrap_or_else(|error| panic!("{}", error.message));
        let found = edited.path.metadata().unwrap();
        assert_eq!((found.uid(), found.gid(), found.permissions().mode() & 0o7777), (1234, 2345, 0o640));
        assert!(std::fs::read_to_string(&edited.path).unwrap().contains("/b"));
    }

    #[test]
    fn file_that_is_not_a_configuration_is_refused_and_stays() {
        for before in ["{ \"servers\": ", "[]", "{ \"servers\": [] }", "\"text\""] {
            let (refused, kept) = edited(Some(before), &json!({ "command": "/b" }));
            assert!(refused.is_err(), "{before}");
            assert_eq!(std::fs::read_to_string(kept.path().join("deep/mcp.json")).unwrap(), before);
        }
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    use super::*;

    /// Files of MCP clients, which they and people write.
    #[test]
    fn client_configurations() {
        const WORDS: &[&str] = &[
            "{\"mcpServers\":{",
            "\"bailiwick\":{",
            "\"command\":\"a\",",
            "\"args\":[",
            "\"url\":\"http://a\",",
            "// c\n",
            "/* c */",
            ",",
            "[[[[",
            "{\"a\":",
            "\\ud800",
            "'a'",
            "0x1",
        ];
        let entry = serde_json::json!({ "command": "bailiwick", "args": ["mcp"] });
        Target { name: "client_configurations", words: WORDS }.run_text(move |text| {
            let Ok((once, _)) = with_entry(Some(text), "mcpServers", "bailiwick", &entry) else { return };
            // A second time nothing is left to do.
            let (twice, change) = with_entry(Some(&once), "mcpServers", "bailiwick", &entry).unwrap();
            assert_eq!((twice, change), (once, Change::Nothing));
        });
    }
}
