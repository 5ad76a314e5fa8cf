//! The configurations that tell `tsc` what to compile: the one that it is given, and those that the commit has.

// An emitter may have written them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::super::{Configured, content_of, open_package};
use super::strictness::{CHAIN, extended, json, normal};
use crate::recorded::{InCommit, Recorded};

/// Configurations in the order in which they are taken.
const CONFIGURATIONS: [&str; 2] = ["tsconfig.src.json", "tsconfig.json"];

/// The configuration that the code of the package is compiled with. In Azure's repository `tsconfig.json` only refers to
/// others, and compiling it compiles nothing.
pub(super) fn configuration(package: &Path) -> Option<String> {
    let open = open_package(package).ok();
    first(&mut |file| {
        let content = open.as_ref().and_then(|open| content_of(open, file).ok().flatten());
        // What is there and cannot be read is there.
        package.join(file).is_file().then(|| String::from_utf8(content.unwrap_or_default()).unwrap_or_default())
    })
}

/// The configurations of the package that the commit has; `None` where it has none, or git does not tell.
pub(super) fn recorded(recorded: &Recorded) -> Option<Configured> {
    let (mut texts, mut is_known) = (BTreeMap::new(), true);
    let mut read = |file: &str| match recorded.text(file) {
        InCommit::Known(text) => {
            texts.insert(file.to_owned(), text.clone());
            Some(text)
        }
        InCommit::Absent => None,
        InCommit::Unknown => {
            is_known = false;
            None
        }
    };
    let first = first(&mut read)?;
    follow(&first, &mut read);
    is_known.then_some(Configured { first, texts })
}

/// Reads the configurations of the package that the one at `first` extends, and itself.
fn follow(first: &str, read: &mut dyn FnMut(&str) -> Option<String>) {
    let mut waiting = vec![first.to_owned()];
    for _ in 0..CHAIN {
        let Some(file) = waiting.pop() else { return };
        let Some(text) = read(&file) else { continue };
        let directory = Path::new(&file).parent().unwrap_or(Path::new(""));
        for name in extended(&json(&text)) {
            // What lies outside the package, no emitter of it writes.
            let Some(found) = normal(&directory.join(name.replace('\\', "/"))) else { continue };
            waiting.extend([format!("{}.json", found.display()), found.display().to_string()]);
        }
    }
}

/// The configuration that comes first among those that `read` knows.
fn first(read: &mut dyn FnMut(&str) -> Option<String>) -> Option<String> {
    let (name, text) = CONFIGURATIONS.into_iter().find_map(|name| read(name).map(|text| (name, text)))?;
    Some(referred(&text, read).unwrap_or_else(|| name.to_owned()))
}

/// The first configuration of sources, or else the first of all, that a configuration without files of its own refers to.
fn referred(text: &str, read: &mut dyn FnMut(&str) -> Option<String>) -> Option<String> {
    let content: Value = serde_json::from_str(text).ok()?;
    let files = content.get("files").and_then(Value::as_array);
    if files.is_none_or(|files| !files.is_empty()) || content.get("include").is_some() {
        return None;
    }
    let references = content.get("references")?.as_array()?;
    let paths = references.iter().filter_map(|one| one.get("path")?.as_str());
    let mut found = Vec::new();
    // What lies outside the package, no emitter of it writes, and git is not asked for it.
    for path in paths.filter_map(|path| Some(normal(Path::new(path))?.display().to_string())) {
        let names = [path.clone(), format!("{path}/tsconfig.json")];
        found.extend(names.into_iter().find(|name| read(name).is_some()));
    }
    let of_sources = |path: &&String| path.rsplit('/').next().is_some_and(|name| name.starts_with("tsconfig.src."));
    found.iter().find(of_sources).or(found.first()).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read of these files, and the first configuration.
    fn of(files: &[(&str, &str)]) -> (Option<String>, Vec<String>) {
        let mut names = Vec::new();
        let mut read = |name: &str| {
            let (_, text) = files.iter().find(|(file, _)| *file == name)?;
            names.push(name.to_owned());
            Some((*text).to_owned())
        };
        let found = first(&mut read);
        if let Some(found) = &found {
            follow(found, &mut read);
        }
        names.sort();
        names.dedup();
        (found, names)
    }

    #[test]
    fn configuration_that_only_refers_to_others_gives_the_first_of_the_sources() {
        let (tests, esm, cjs) =
            ("config/tsconfig.test.node.json", "config/tsconfig.src.esm.json", "config/tsconfig.src.cjs.json");
        let refer = |paths: &[&str], more: &str| {
            let paths: Vec<String> = paths.iter().map(|path| format!("{{\"path\":\"./{path}\"}}")).collect();
            format!("{{\"references\":[{}],\"files\":[]{more}}}", paths.join(","))
        };
        let all = refer(&[tests, esm, cjs], "");
        let own = refer(&[tests, esm, cjs], ",\"include\":[\"src\"]");
        let directory = refer(&["tools/"], "");
        let with = |text: &str, further: &[&str]| {
            let further = further.iter().map(|name| (*name, "{}"));
            of(&[("tsconfig.json", text)].into_iter().chain(further).collect::<Vec<_>>()).0.unwrap()
        };
        assert_eq!(with(&all, &[]), "tsconfig.json", "none of them is there");
        assert_eq!(with(&all, &[tests, esm, cjs]), esm);
        assert_eq!(with(&directory, &["tools/tsconfig.json"]), "tools/tsconfig.json");
        assert_eq!(with(&own, &[tests, esm, cjs]), "tsconfig.json", "it has files of its own");
        assert_eq!(with(&all, &[tests, esm, cjs, "tsconfig.src.json"]), "tsconfig.src.json");
        assert_eq!(of(&[]).0, None);
    }

    #[test]
    fn all_configurations_of_the_package_are_read_and_a_circle_of_them_ends() {
        let (_, names) = of(&[
            ("tsconfig.json", "{\"references\":[{\"path\":\"config/tsconfig.src.json\"}],\"files\":[]}"),
            ("config/tsconfig.src.json", "{\"extends\":[\"../../../tsconfig.json\",\"./base\",\"..\\\\more.json\"]}"),
            ("config/base.json", "{\"extends\":\"./tsconfig.src.json\"}"),
            ("more.json", "{}"),
            ("other.json", "{}"),
        ]);
        assert_eq!(names, ["config/base.json", "config/tsconfig.src.json", "more.json", "tsconfig.json"]);
    }
}
