//! What a lock file of npm's may say: every package has its digest, and lies beneath the directory it is installed into.
//!
//! A person approves a set by the digest of its lock file. That pins what is installed only if every package in it is
//! pinned.

use serde_json::{Map, Value};

use super::local::LocalPackage;

/// The locks of the SDK repositories have some hundred packages.
const MOST_PACKAGES: usize = 20_000;

/// A lock file, read and found usable.
#[derive(Debug)]
pub(super) struct LockFile {
    packages: Map<String, Value>,
}

impl LockFile {
    /// The error is one reason, for a person.
    pub(super) fn read(lock: &[u8], local: &[LocalPackage]) -> Result<Self, String> {
        let mut lock: Value =
            serde_json::from_slice(lock).map_err(|error| format!("its lock file is not JSON: {error}"))?;
        let Some(Value::Object(packages)) = lock.get_mut("packages").map(Value::take) else {
            return Err("its lock file has no `packages`; npm 7 or newer writes them".to_owned());
        };
        if packages.len() > MOST_PACKAGES {
            return Err(format!("its lock file has more than {MOST_PACKAGES} packages"));
        }
        for (place, package) in &packages {
            check(place, package, local).map_err(|reason| {
                let place: String = place.chars().take(120).flat_map(char::escape_debug).collect();
                format!("its lock file has `{place}`, {reason}")
            })?;
        }
        Ok(Self { packages })
    }

    /// How many packages are installed.
    pub(super) fn count(&self) -> usize {
        self.packages.keys().filter(|place| !place.is_empty()).count()
    }

    /// The version of a package at the outermost level.
    pub(super) fn version(&self, name: &str) -> Option<&str> {
        self.packages.get(&format!("node_modules/{name}"))?["version"].as_str()
    }

    /// Whether what lies at that place is the package of this name and not another one under its name.
    pub(super) fn is_itself(&self, name: &str) -> bool {
        self.packages.get(&format!("node_modules/{name}")).is_some_and(|package| {
            let named = package["name"].as_str();
            package["link"] != Value::Bool(true) && named.is_none_or(|other| other == name)
        })
    }
}

fn check(place: &str, package: &Value, local: &[LocalPackage]) -> Result<(), String> {
    if place.is_empty() {
        return Ok(());
    }
    let beneath = |path: &str| path.split('/').all(|part| !matches!(part, "" | "." | "..")) && !path.contains('\\');
    if !beneath(place) {
        return Err("which leads out of the directory".to_owned());
    }
    let own = |path: &str| local.iter().any(|one| one.directory == path);
    let resolved = match &package["resolved"] {
        Value::Null => None,
        Value::String(resolved) => Some(resolved.as_str()),
        _ => return Err("whose source is not a text".to_owned()),
    };
    if package["link"] == Value::Bool(true) {
        return match resolved {
            Some(directory) if own(directory) => Ok(()),
            _ => Err("a link to a directory that the package file does not name".to_owned()),
        };
    }
    if own(place) {
        return Ok(());
    }
    if resolved.is_some_and(|source| !source.starts_with("https://") && !source.starts_with("http://")) {
        return Err("which comes from no registry".to_owned());
    }
    // A package that its parent's tarball contains is covered by the parent's digest.
    if package["integrity"].is_string() || package["inBundle"] == Value::Bool(true) {
        Ok(())
    } else {
        Err("which has no digest".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(place: &str, package: &Value) -> Result<LockFile, String> {
        LockFile::read(json!({ "packages": { "": {}, place: package } }).to_string().as_bytes(), &[])
    }

    #[test]
    fn packages_of_a_registry_with_a_digest_are_taken() {
        let lock = read("node_modules/@s/x", &json!({ "version": "1.2.3", "integrity": "sha512-x" })).unwrap();
        assert_eq!((lock.count(), lock.version("@s/x")), (1, Some("1.2.3")));
        assert!(lock.is_itself("@s/x"));
        let other = json!({ "name": "evil", "version": "1.2.3", "integrity": "sha512-x" });
        assert!(!read("node_modules/@s/x", &other).unwrap().is_itself("@s/x"));
        let resolved = json!({ "resolved": "https://example.com/x.tgz", "integrity": "sha512-x" });
        read("node_modules/x/node_modules/y", &resolved).unwrap();
        read("node_modules/x", &json!({ "inBundle": true })).unwrap();
    }

    #[test]
    fn packages_that_are_not_pinned_or_lie_elsewhere_are_refused() {
        for (place, package, reason) in [
            ("../x", json!({ "integrity": "sha512-x" }), "leads out"),
            ("/etc/x", json!({ "integrity": "sha512-x" }), "leads out"),
            ("node_modules/../../x", json!({ "integrity": "sha512-x" }), "leads out"),
            ("node_modules/x", json!({ "version": "1.0.0" }), "no digest"),
            ("node_modules/x", json!({ "link": true, "resolved": "../x" }), "a link"),
            ("node_modules/x", json!({ "link": true, "resolved": "x" }), "a link"),
            ("node_modules/x", json!({ "resolved": "git+ssh://g/x.git#1", "integrity": "sha512-x" }), "no registry"),
            ("node_modules/x", json!({ "resolved": "file:x.tgz", "integrity": "sha512-x" }), "no registry"),
            ("x", json!({ "version": "1.0.0" }), "no digest"),
        ] {
            let refused = read(place, &package).unwrap_err();
            assert!(refused.contains(reason), "{place} {package}: {refused}");
        }
        for other in ["{}", "[]", "1", "null", "\"packages\""] {
            assert!(LockFile::read(other.as_bytes(), &[]).unwrap_err().contains("no `packages`"), "{other}");
        }
        assert!(LockFile::read(b"[", &[]).unwrap_err().contains("not JSON"));
    }
}
