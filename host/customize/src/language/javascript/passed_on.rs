//! What a package passes on to its users: what its entry points export, and what those export in turn.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::super::{content_of, open_package};
use super::EXTENSIONS;
use super::layout::SOURCES;
use super::module::Module;

/// No package has more modules that pass names on.
const MOST: usize = 10_000;

/// A name in a module, and the name under which users import it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    here: String,
    outside: String,
}

/// What users can import of a package.
pub(super) struct PassedOn {
    /// Modules, with the one name that is passed on, or all of them under their own names.
    visits: BTreeSet<(String, Option<Name>)>,
    /// The names that entry points and what they pass on as a whole declare.
    declared: BTreeSet<String>,
}

impl PassedOn {
    /// What the entry points of a package pass on; `None` where it has none that can be read.
    pub(super) fn of(package: &Path) -> Option<Self> {
        let package = open_package(package).ok()?;
        let read = |path: &str| {
            content_of(&package, path).ok().flatten().map(|text| String::from_utf8_lossy(&text).into_owned())
        };
        Self::from(&read)
    }

    fn from(read: &impl Fn(&str) -> Option<String>) -> Option<Self> {
        let mut visits: BTreeSet<_> = entries(read).into_iter().map(|entry| (entry, None)).collect();
        let mut open: Vec<(String, Option<Name>)> = visits.iter().cloned().collect();
        let mut declared = BTreeSet::new();
        if open.is_empty() {
            return None;
        }
        while let Some((path, asked)) = open.pop() {
            let text = read(&path).unwrap_or_default();
            let Some(source) = Module::parse(&text) else { continue };
            if asked.is_none() {
                declared.extend(source.declared().into_iter().map(|(name, _)| name));
            }
            let mut next: Vec<(String, Option<Name>)> = Vec::new();
            for one in source.exports() {
                let outside = match &asked {
                    None => one.name,
                    Some(asked) if asked.here == one.name => asked.outside.clone(),
                    Some(_) => continue,
                };
                let from = one.source.and_then(|from| resolved(&path, &from, read));
                next.extend(from.map(|from| (from, Some(Name { here: one.original, outside }))));
            }
            let all = source.exports_all().into_iter().filter_map(|from| resolved(&path, &from, read));
            next.extend(all.map(|from| (from, asked.clone())));
            for one in next {
                if visits.len() < MOST && visits.insert(one.clone()) {
                    open.push(one);
                }
            }
        }
        Some(Self { visits, declared })
    }

    /// Whether users can import what a module exports under a name.
    pub(super) fn has(&self, module: &str, name: &str) -> bool {
        let is_it = |asked: &Option<Name>| asked.as_ref().is_none_or(|asked| asked.here == name);
        self.visits.iter().any(|(path, asked)| path == module && is_it(asked))
    }

    /// Whether users can import something by this name.
    pub(super) fn calls_something(&self, name: &str) -> bool {
        self.declared.contains(name)
            || self.visits.iter().any(|(_, asked)| asked.as_ref().is_some_and(|asked| asked.outside == name))
    }
}

/// The modules that users import: the index of the sources, and those that the manifest names.
fn entries(read: &impl Fn(&str) -> Option<String>) -> Vec<String> {
    let manifest: Value = serde_json::from_str(&read("package.json").unwrap_or_default()).unwrap_or_default();
    let mut entries = vec![format!("{SOURCES}index.ts"), format!("{SOURCES}index.js")];
    let named = ["/exports", "/tshy/exports"].into_iter().filter_map(|of| manifest.pointer(of));
    let mut open: Vec<&Value> = named.collect();
    while let Some(value) = open.pop() {
        match value {
            Value::String(path) => entries.push(path.trim_start_matches("./").to_owned()),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    entries.retain(|entry| entry.starts_with(SOURCES) && read(entry).is_some());
    entries.sort();
    entries.dedup();
    entries
}

/// The file behind `./models/index.js` in a module.
fn resolved(module: &str, from: &str, read: &impl Fn(&str) -> Option<String>) -> Option<String> {
    if !from.starts_with('.') {
        return None;
    }
    let mut parts: Vec<&str> = module.split('/').collect();
    parts.pop();
    for part in from.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    // The compiled file is named, and the source has the same name.
    let stem = EXTENSIONS.iter().find_map(|end| path.strip_suffix(&format!(".{end}"))).unwrap_or(&path);
    let files = EXTENSIONS.iter().map(|end| format!("{stem}.{end}"));
    let indexes = EXTENSIONS.iter().map(|end| format!("{path}/index.{end}"));
    files.chain(indexes).find(|file| read(file).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_followed_from_the_entry_points_through_modules_that_pass_them_on() {
        let read = |path: &str| {
            let text = match path {
                "package.json" => {
                    r#"{"tshy": {"exports": {".": "./src/index.ts", "./api": "./src/api/index.ts"}},
                        "exports": {"./x": {"import": "./dist/x.js"}}}"#
                }
                "src/index.ts" => {
                    "import { Model } from \"./models/index.js\";\nexport { Model as Shape };\n\
                     export { Client } from \"./client\";\n"
                }
                "src/models/index.ts" => "export * from \"./models.js\";\nexport * from \"./index.js\";\n",
                "src/client.ts" => "export class Client {}\nexport class Inner {}\n",
                "src/api/index.ts" => "export * from \"../operations.js\";\n",
                "src/operations.ts" => "export function getWidget() {}\n",
                "src/models/models.ts" | "src/internal.ts" => "",
                _ => return None,
            };
            Some(text.to_owned())
        };
        assert_eq!(entries(&read), ["src/api/index.ts", "src/index.ts"]);
        let passed = PassedOn::from(&read).unwrap();
        for (module, name, has) in [
            ("src/client.ts", "Client", true),
            ("src/client.ts", "Inner", false),
            ("src/models/models.ts", "Model", true),
            ("src/models/models.ts", "Other", false),
            ("src/operations.ts", "getWidget", true),
            ("src/index.ts", "Shape", true),
            ("src/internal.ts", "helper", false),
        ] {
            assert_eq!(passed.has(module, name), has, "{module} {name}");
        }
        let known = ["Shape", "Client", "getWidget"];
        assert!(known.iter().all(|name| passed.calls_something(name)), "{:?}", passed.declared);
        assert!(!["Model", "Inner"].iter().any(|name| passed.calls_something(name)));
        assert!(PassedOn::from(&|_: &str| None).is_none());
    }
}
