//! The dependency tables of an emitter's package file: the only part of that file that npm gets.
//!
//! An SDK repository's `eng/emitter-package.json` is a whole npm package file. npm would run its `scripts`, follow its
//! `workspaces` and link its `bin`. So a new file is written from the tables that name dependencies, and everything else
//! is left out. What it names is bounded and is a package of a registry, a tarball behind `https:`, or a directory that
//! the repository carries (see [`super::local`]).

use serde_json::{Map, Value};

/// The tables of dependencies. `npm ci` compares all four with the lock file, so none of them can be left out.
const TABLES: [&str; 4] = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/// Where a directory of the repository may be named. npm does not install what only `peerDependencies` name as such.
const WITH_DIRECTORIES: [&str; 3] = ["dependencies", "devDependencies", "optionalDependencies"];

/// Versions that dependencies of dependencies get; part of what the lock file was made from.
const OVERRIDES: &str = "overrides";

/// Says which peer dependencies may be missing; part of what the lock file was made from.
const PEER_META: &str = "peerDependenciesMeta";

/// The largest package file of an SDK repository has some thirty entries.
const MOST_ENTRIES: usize = 2_000;
const LONGEST_NAME: usize = 214;
const LONGEST_VERSION: usize = 512;
const DEEPEST: usize = 8;

/// The dependency tables of a package file, as a package file of their own.
///
/// The error is one reason, for a person.
pub(super) fn tables(package: &[u8]) -> Result<Vec<u8>, String> {
    let package: Value = serde_json::from_slice(package).map_err(|error| format!("it is not JSON: {error}"))?;
    let mut left = MOST_ENTRIES;
    let mut kept = Map::new();
    for table in TABLES {
        let Some(entries) = object(&package, table)? else { continue };
        for (name, asked) in entries {
            count(&mut left)?;
            if !is_name(name) {
                return Err(format!("`{table}` names `{}`, which is not a package name", shown(name)));
            }
            let asked = asked.as_str().ok_or_else(|| format!("`{name}` in `{table}` has no version"))?;
            let directory = asked.starts_with("file:") && WITH_DIRECTORIES.contains(&table);
            if !directory {
                version(name, asked)?;
            }
        }
        kept.insert(table.to_owned(), Value::Object(entries.clone()));
    }
    if let Some(entries) = object(&package, OVERRIDES)? {
        overrides(entries, DEEPEST, &mut left)?;
        kept.insert(OVERRIDES.to_owned(), Value::Object(entries.clone()));
    }
    if let Some(entries) = object(&package, PEER_META)? {
        let mut meta = Map::new();
        for (name, entry) in entries {
            count(&mut left)?;
            if is_name(name) && entry["optional"] == Value::Bool(true) {
                meta.insert(name.clone(), serde_json::json!({ "optional": true }));
            }
        }
        kept.insert(PEER_META.to_owned(), Value::Object(meta));
    }
    serde_json::to_vec_pretty(&Value::Object(kept)).map_err(|error| error.to_string())
}

fn object<'a>(package: &'a Value, table: &str) -> Result<Option<&'a Map<String, Value>>, String> {
    match &package[table] {
        Value::Null => Ok(None),
        Value::Object(entries) => Ok(Some(entries)),
        _ => Err(format!("its `{table}` is not an object")),
    }
}

fn count(left: &mut usize) -> Result<(), String> {
    *left = left.checked_sub(1).ok_or_else(|| format!("it names more than {MOST_ENTRIES} packages"))?;
    Ok(())
}

fn overrides(entries: &Map<String, Value>, depth: usize, left: &mut usize) -> Result<(), String> {
    for (name, asked) in entries {
        count(left)?;
        if name.len() > LONGEST_NAME + LONGEST_VERSION {
            return Err("a name in its `overrides` is too long".to_owned());
        }
        match asked {
            Value::String(asked) => version(name, asked)?,
            Value::Object(_) if depth == 0 => return Err("its `overrides` are nested too deeply".to_owned()),
            Value::Object(entries) => overrides(entries, depth - 1, left)?,
            _ => return Err(format!("`{}` in `overrides` has no version", shown(name))),
        }
    }
    Ok(())
}

/// A version, a range, a tag, another package by `npm:`, a reference to a direct dependency (`$name`), or a tarball.
/// Git repositories are refused, because npm runs git for them and prepares what it finds there.
fn version(name: &str, asked: &str) -> Result<(), String> {
    let refused = |what: &str| {
        Err(format!(
            "its dependency `{}` is `{}`, {what}; versions, `npm:`, `file:` directories beneath the file's own and \
             `https:` tarballs are taken",
            shown(name),
            shown(asked)
        ))
    };
    if asked.len() > LONGEST_VERSION || asked.chars().any(char::is_control) {
        return refused("which is not a version");
    }
    let asked = asked.trim();
    if let Some(rest) = asked.strip_prefix("npm:") {
        let scoped = rest.strip_prefix('@').unwrap_or(rest);
        let extra = if rest.starts_with('@') { scoped.replacen('/', "", 1) } else { scoped.to_owned() };
        return if extra.contains(['/', ':', '\\']) { refused("which is not a package") } else { Ok(()) };
    }
    if let Some(reference) = asked.strip_prefix('$') {
        return if is_name(reference) { Ok(()) } else { refused("which is not a reference") };
    }
    if asked.starts_with("https://") {
        let path = asked.split(['?', '#']).next().unwrap_or_default();
        let tarball = path.ends_with(".tgz") || path.ends_with(".tar.gz");
        return if tarball { Ok(()) } else { refused("which may be a git repository") };
    }
    if asked.contains(['/', ':', '\\']) { refused("which is a path or a git repository") } else { Ok(()) }
}

/// What npm takes for a package name, upper case included, as old packages have it.
pub(super) fn is_name(name: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['.', '_'])
            && part.chars().all(|one| one.is_ascii_alphanumeric() || "-_.~".contains(one))
    };
    let parts = match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| part(scope) && part(name)),
        None => part(name),
    };
    parts && name.len() <= LONGEST_NAME && name != "node_modules"
}

/// A text of the file in a message: short, and without control characters.
fn shown(text: &str) -> String {
    text.chars().take(100).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kept(package: &Value) -> Value {
        serde_json::from_slice(&tables(package.to_string().as_bytes()).unwrap()).unwrap()
    }

    fn refused(package: &Value) -> String {
        tables(package.to_string().as_bytes()).unwrap_err()
    }

    #[test]
    fn only_dependency_tables_remain_of_a_package_file() {
        let package = json!({
            "name": "x",
            "scripts": { "preinstall": "touch /tmp/x" },
            "bin": { "node": "./evil.js" },
            "workspaces": ["../../*"],
            "config": { "registry": "http://x" },
            "publishConfig": {}, "gypfile": true, "main": "x.js", "bundleDependencies": ["a"],
            "dependencies": { "a": "1.0.0", "@s/b": "^2 || 3.x", "c": "latest", "d": "npm:@s/other@1", "e": "file:e" },
            "devDependencies": { "f": "https://example.com/f-1.0.0.tgz" },
            "peerDependencies": { "g": "*" },
            "peerDependenciesMeta": { "g": { "optional": true, "scripts": "x" } },
            "overrides": { "h": "1.0.0", "i": { ".": "2.0.0", "j": "$a" } },
        });
        let kept = kept(&package);
        let names: Vec<_> = kept.as_object().unwrap().keys().map(String::as_str).collect();
        let mut expected =
            vec!["dependencies", "devDependencies", "overrides", "peerDependencies", "peerDependenciesMeta"];
        let mut names = names;
        names.sort_unstable();
        expected.sort_unstable();
        assert_eq!(names, expected);
        for table in ["dependencies", "devDependencies", "peerDependencies", "overrides"] {
            assert_eq!(kept[table], package[table], "{table}");
        }
        assert_eq!(kept["peerDependenciesMeta"], json!({ "g": { "optional": true } }));
    }

    #[test]
    fn git_repositories_and_paths_are_refused_in_every_table() {
        for asked in [
            "owner/repo",
            "github:owner/repo",
            "git+https://example.com/x.git",
            "git://example.com/x",
            "git@example.com:x/y",
            "ssh://example.com/x",
            "https://github.com/owner/repo",
            "https://github.com/owner/repo.git#main",
            "http://example.com/x.tgz",
            "../x",
            "/etc",
            "~/x",
            "link:x",
            "workspace:*",
            "npm:../x",
        ] {
            for table in TABLES {
                let reason = refused(&json!({ table: { "x": asked } }));
                assert!(reason.contains("are taken"), "{table} {asked}: {reason}");
            }
            let reason = refused(&json!({ "overrides": { "x": { "y": asked } } }));
            assert!(reason.contains("are taken"), "{asked}: {reason}");
        }
        for table in ["peerDependencies", "overrides"] {
            assert!(refused(&json!({ table: { "x": "file:x" } })).contains("are taken"), "{table}");
        }
    }

    #[test]
    fn names_that_lead_elsewhere_and_what_is_too_much_are_refused() {
        for name in ["..", "../x", "@typespec/http-/../../x", "@typespec/..", "a/b", "", ".bin", "node_modules", "a b"]
        {
            assert!(refused(&json!({ "dependencies": { name: "1" } })).contains("not a package name"), "{name}");
        }
        let many: Map<String, Value> = (0..=MOST_ENTRIES).map(|one| (format!("p{one}"), json!("1"))).collect();
        assert!(refused(&json!({ "dependencies": many })).contains("more than"));
        let deep = (0..20).fold(json!("1"), |inner, _| json!({ "x": inner }));
        assert!(refused(&json!({ "overrides": deep })).contains("deeply"));
        assert!(refused(&json!({ "dependencies": { "x": "1".repeat(600) } })).contains("not a version"));
        assert!(refused(&json!({ "dependencies": [] })).contains("not an object"));
        assert!(refused(&json!({ "dependencies": { "x": {} } })).contains("has no version"));
        let unbounded = "[".repeat(100_000);
        assert!(tables(unbounded.as_bytes()).unwrap_err().starts_with("it is not JSON"));
    }
}
