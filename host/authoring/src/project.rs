//! A directory with `tool.toml`.

use crate::error::AuthoringError;
use bailiwick_base::files::Replace;
use bailiwick_tools::{Digest, Manifest};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A directory with `tool.toml`, read.
#[derive(Debug, Clone)]
pub struct Project {
    /// Canonical.
    pub directory: PathBuf,
    /// What its manifest says.
    pub manifest: Manifest,
}

/// A component that was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// Where it lies, beside the manifest.
    pub path: PathBuf,
    /// Its digest, which the manifest has now.
    pub digest: Digest,
    /// How large it is.
    pub bytes: usize,
}

impl Project {
    /// Reads the project in `directory`.
    ///
    /// # Errors
    /// There is no manifest, or it cannot be used.
    pub fn open(directory: &Path) -> Result<Self, AuthoringError> {
        let directory = directory.canonicalize().map_err(AuthoringError::io(directory, "read"))?;
        let path = directory.join(bailiwick_tools::manifest::FILE);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(AuthoringError::NoProject(directory)),
            text => text.map_err(AuthoringError::io(&path, "read"))?,
        };
        let manifest = Manifest::parse(&text).map_err(|source| AuthoringError::Manifest { path, source })?;
        Ok(Self { directory, manifest })
    }

    /// Where its component lies.
    #[must_use]
    pub fn component(&self) -> PathBuf {
        self.directory.join(&self.manifest.component)
    }

    /// Puts a component beside the manifest and its digest into it; whatever else the manifest says stays as it is,
    /// comments too.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(&mut self, component: &[u8]) -> Result<Built, AuthoringError> {
        let digest = Digest::of(component);
        let path = self.component();
        put(&path, component)?;
        let manifest = self.directory.join(bailiwick_tools::manifest::FILE);
        let text = fs::read_to_string(&manifest).map_err(AuthoringError::io(&manifest, "read"))?;
        let changed = with_digest(&text, &digest);
        self.manifest =
            Manifest::parse(&changed).map_err(|source| AuthoringError::Manifest { path: manifest.clone(), source })?;
        if self.manifest.digest.as_ref() != Some(&digest) {
            return Err(AuthoringError::file(
                &manifest,
                "has its `digest` where it cannot be replaced; put it on a line of its own",
            ));
        }
        if changed != text {
            put(&manifest, changed.as_bytes())?;
        }
        Ok(Built { path, digest, bytes: component.len() })
    }
}

/// Replaces a file that others may read.
fn put(path: &Path, content: &[u8]) -> Result<(), AuthoringError> {
    Replace { mode: 0o666, durable: false }.write(path, content).map_err(AuthoringError::io(path, "written"))
}

/// The text of a manifest with this digest: its own line is replaced, else one is put behind that of `component`.
fn with_digest(text: &str, digest: &Digest) -> String {
    // Only the keys before the first table are the manifest's own.
    let own = text.lines().take_while(|line| !line.trim_start().starts_with('[')).count();
    let is = |line: &str, key: &str| {
        line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    match lines[..own].iter().position(|line| is(line, "digest")) {
        Some(at) => {
            // A digest has no number sign, so what follows one is a comment.
            let comment = lines[at].find('#').map(|start| format!(" {}", &lines[at][start..])).unwrap_or_default();
            lines[at] = format!("digest = \"{digest}\"{comment}");
        }
        None => {
            let behind = lines[..own].iter().position(|line| is(line, "component")).map_or(0, |at| at + 1);
            lines.insert(behind, format!("digest = \"{digest}\""));
        }
    }
    lines.join(ending) + ending
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_put_in_its_place_and_comments_stay() {
        let digest = Digest::of(b"x");
        let line = format!("digest = \"{digest}\"");
        for (before, after) in [
            (
                "# a\ncomponent = 'a.wasm' # b\n\n[limits]\n",
                format!("# a\ncomponent = 'a.wasm' # b\n{line}\n\n[limits]\n"),
            ),
            ("digest = \"sha256:0\" # c\nname = 'x'\n", format!("{line} # c\nname = 'x'\n")),
            ("name = 'x'\n[other]\ndigest = 'y'\n", format!("{line}\nname = 'x'\n[other]\ndigest = 'y'\n")),
            ("digestive = 1\r\ncomponent = 'a'\r\n", format!("digestive = 1\r\ncomponent = 'a'\r\n{line}\r\n")),
        ] {
            assert_eq!(with_digest(before, &digest), after);
            assert_eq!(with_digest(&after, &digest), after, "again");
        }
    }

    #[test]
    fn component_of_a_project_is_written_beside_its_manifest_with_its_digest() {
        let directory = tempfile::tempdir().unwrap();
        let manifest = directory.path().join("tool.toml");
        let text = "schema = 1\nname = \"a\"\nversion = \"1\"\ndescription = \"d\"\ncomponent = \"a.wasm\"\n";
        fs::write(&manifest, text).unwrap();
        let mut project = Project::open(directory.path()).unwrap();
        let built = project.finish(b"bytes").unwrap();
        assert_eq!(fs::read(&built.path).unwrap(), b"bytes");
        assert_eq!(Project::open(directory.path()).unwrap().manifest.digest, Some(built.digest));
    }
}
