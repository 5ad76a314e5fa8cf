//! The machine's Go, with the modules of one package and what compiling them gives.
//!
//! Modules are fetched before anything that an agent wrote is looked at, as `go.mod` and `go.sum` of the package name
//! them, and are compiled once: a build has no network, and the standard library alone takes half a minute.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_base::files::plain;
use bailiwick_base::programs::find_program;
use serde::Deserialize;
use serde_json::{Value, json};

use super::OnProgress;
use super::cache::{Cache, Failure, Key, Recipe};
use super::error::ToolchainError;
use super::install::{Installer, Purpose, Step};
use super::node::write;
use super::registries::Manager;

/// Modules of Azure ask for it.
const OLDEST: (u32, u32) = (1, 23);

const HINT: &str = "for Go packages install Go 1.23 or newer (https://go.dev/dl), and put `go` on the PATH";

/// Packages that are not imported from outside their module.
const PRIVATE: [&str; 4] = ["internal", "testdata", "examples", "fake"];

/// Go, and the modules of a package without a network.
#[derive(Debug, Clone)]
pub struct Go {
    /// The set's directory.
    pub root: PathBuf,
    /// The `go` command.
    pub executable: PathBuf,
    /// Go's own directory, with compiler and standard library.
    pub home: PathBuf,
    /// `go1.26.8`.
    pub version: String,
    /// Digest of Go's version, `go.mod` and `go.sum`.
    pub digest: String,
}

impl Go {
    /// What builds begin with: a copy of it, because a build writes to its cache.
    #[must_use]
    pub fn warm_cache(&self) -> PathBuf {
        self.root.join("cache")
    }

    /// What a child that runs Go reads.
    #[must_use]
    pub fn read(&self) -> Vec<PathBuf> {
        vec![self.home.clone(), self.root.join("modules")]
    }

    /// The variables of a child that compiles into this cache.
    #[must_use]
    pub fn environment(&self, cache: &Path) -> Vec<(&'static str, OsString)> {
        let mut environment = settings(&self.root.join("modules"), cache);
        // Neither a checksum database nor a proxy can be asked; what is there was compared with `go.sum`.
        environment.extend([("GOPROXY", "off".into()), ("GOSUMDB", "off".into()), ("GOENV", "off".into())]);
        environment.push(("GOROOT", self.home.clone().into()));
        environment
    }
}

/// How every Go command here is run: this very Go, no C compiler, one module, nothing asked of version control.
fn settings(modules: &Path, cache: &Path) -> Vec<(&'static str, OsString)> {
    let mut settings: Vec<(&'static str, OsString)> = [
        ("GOTOOLCHAIN", "local"),
        ("GOWORK", "off"),
        ("GOFLAGS", "-mod=readonly -buildvcs=false -modcacherw"),
        ("GOTELEMETRY", "off"),
        ("CGO_ENABLED", "0"),
        ("GO111MODULE", "on"),
    ]
    .map(|(name, value)| (name, OsString::from(value)))
    .into();
    settings.push(("GOMODCACHE", modules.into()));
    settings.push(("GOCACHE", cache.into()));
    settings
}

/// The directory of the module that a package belongs to, within its repository.
#[must_use]
pub fn module_directory(package: &Path) -> Option<&Path> {
    for directory in package.ancestors() {
        if directory.join("go.mod").is_file() {
            return Some(directory);
        }
        if directory.join(".git").exists() {
            return None;
        }
    }
    None
}

/// The repository that a module lies in; the module itself where there is none.
fn repository(module: &Path) -> &Path {
    module.ancestors().find(|directory| directory.join(".git").exists()).unwrap_or(module)
}

#[derive(Deserialize)]
struct Found {
    #[serde(rename = "GOROOT")]
    root: PathBuf,
    #[serde(rename = "GOVERSION")]
    version: String,
    /// Where modules come from, by the caller's environment or by a file that `go env -w` wrote into the home directory.
    #[serde(flatten)]
    sources: BTreeMap<String, String>,
}

/// The settings that say where modules come from.
const SOURCES: [&str; 7] = ["GOPROXY", "GOSUMDB", "GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOINSECURE", "GOVCS"];

pub(super) async fn ensure(
    cache: &Cache,
    installer: &Installer,
    package: &Path,
    on_progress: OnProgress<'_>,
) -> Result<Go, ToolchainError> {
    let executable =
        find_program("go", installer.path()).ok_or(ToolchainError::Missing { program: "go", hint: HINT })?;
    let found = ask(installer, &executable).await?;
    let unusable = |reason: String| ToolchainError::Go { reason };
    if !is_new_enough(&found.version) {
        let (major, minor) = OLDEST;
        return Err(unusable(format!("`{}` is older than {major}.{minor}", found.version)));
    }
    let home = found.root.canonicalize().map_err(ToolchainError::io(&found.root, "read"))?;
    let module =
        module_directory(package).ok_or_else(|| unusable(format!("`{}` has no `go.mod`", package.display())))?;
    let read = |name: &str| plain::read(&module.join(name));
    let modules = read("go.mod").map_err(ToolchainError::io(&module.join("go.mod"), "read"))?;
    let sums = read("go.sum").unwrap_or_default();
    let key = Key::new(
        "go",
        "the Go modules",
        &[
            found.version.as_bytes(),
            home.as_os_str().as_encoded_bytes(),
            &modules,
            &sums,
            b"with what `go mod tidy` reads of all that may be imported",
        ],
    );
    // The machine's command may be a link or a script elsewhere, which a confined child cannot read.
    let own = home.join("bin/go");
    let executable = if own.is_file() { own } else { executable };
    let recipe = Modules {
        installer,
        executable: &executable,
        home: &home,
        module,
        files: [&modules, &sums],
        sources: &found.sources,
    };
    let (root, _) = cache.ensure(&key, on_progress, &recipe).await?;
    Ok(Go { root, executable, home, version: found.version, digest: key.digest })
}

async fn ask(installer: &Installer, executable: &Path) -> Result<Found, ToolchainError> {
    let extra = [("GOTOOLCHAIN", OsString::from("local")), ("GOWORK", "off".into())];
    let arguments = [&["env", "-json", "GOROOT", "GOVERSION"][..], &SOURCES].concat();
    let asked = installer.ask(executable, &arguments, &extra).await;
    let asked = asked.map_err(|failure| match failure {
        Failure::Passing(reason) => ToolchainError::Go { reason: format!("`go env` fails: {reason}") },
        Failure::Lasting(error) => error,
    })?;
    serde_json::from_str(&asked.stdout.text)
        .map_err(|_| ToolchainError::Go { reason: "`go env` does not say where Go is".to_owned() })
}

/// `go1.23`, `go1.26.8`, `devel go1.27-abc`.
fn is_new_enough(version: &str) -> bool {
    let number = version.split("go").nth(1).unwrap_or_default();
    let mut parts = number.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (parts.next(), parts.next()) else { return false };
    (major, minor) >= OLDEST
}

struct Modules<'a> {
    installer: &'a Installer,
    executable: &'a Path,
    /// Go's own directory.
    home: &'a Path,
    module: &'a Path,
    /// `go.mod` and `go.sum`.
    files: [&'a [u8]; 2],
    /// Where modules come from.
    sources: &'a BTreeMap<String, String>,
}

#[async_trait]
impl Recipe for Modules<'_> {
    async fn install(&self, at: &Path, _: OnProgress<'_>) -> Result<Value, Failure> {
        for directory in ["module", "modules", "cache"] {
            let directory = at.join(directory);
            std::fs::create_dir(&directory).map_err(ToolchainError::io(&directory, "created"))?;
        }
        let own = at.join("module/go.mod");
        write(&own, self.files[0])?;
        write(&at.join("module/go.sum"), self.files[1])?;
        // In the module's own directory, which relative replacements start from, and with copies of its files.
        let modfile = format!("-modfile={}", own.display());
        self.go(at, self.module, &["mod", "download", &modfile]).await?;
        // Whatever fails here makes the first build slower, or a generation say what it lacks.
        let imports = self.importable(at, &modfile).await.unwrap_or_default();
        let warmed = !imports.is_empty() && self.warm_up(at, &imports).await.is_ok();
        let tidied = self.fetch_for_tidy(at, &imports).await;
        Ok(json!({ "tidied": tidied, "warmed": warmed }))
    }
}

impl Modules<'_> {
    async fn go(&self, at: &Path, directory: &Path, arguments: &[&str]) -> Result<String, Failure> {
        let mut environment = settings(&at.join("modules"), &at.join("cache"));
        environment.push(("GOENV", "off".into()));
        environment.push(("GOROOT", self.home.into()));
        let sources = SOURCES.iter().filter_map(|name| Some((*name, self.sources.get(*name)?)));
        environment.extend(sources.filter(|(_, value)| !value.is_empty()).map(|(name, value)| (name, value.into())));
        let step = Step {
            purpose: Purpose::Fetch(Manager::Go),
            program: self.executable,
            arguments,
            directory,
            environment,
            // Replacements with a relative path lie in the module's repository.
            read: vec![self.home.to_owned(), repository(self.module).to_owned()],
            set: at,
            write: Vec::new(),
            hosts: BTreeSet::new(),
        };
        let finished = self.installer.run(step).await?;
        Ok(finished.stdout.text)
    }

    /// Fetches what `go mod tidy` looks into beyond the modules of a build: those that only tests of other modules import.
    /// The emitter runs it after each generation, when the code may import more than it does now. Where one cannot be had,
    /// the generation says which.
    async fn fetch_for_tidy(&self, at: &Path, imports: &[String]) -> bool {
        let directory = at.join("tidy");
        let own = format!("-modfile={}", directory.join("go.mod").display());
        let laid_out = || {
            std::fs::create_dir_all(&directory).is_ok()
                && write(&directory.join("go.mod"), self.files[0]).is_ok()
                && write(&directory.join("go.sum"), self.files[1]).is_ok()
        };
        // As it stands, with replacements that start from it; and as if it imported all that it may.
        laid_out()
            && self.go(at, self.module, &["mod", "tidy", &own]).await.is_ok()
            && laid_out()
            && write(&directory.join("imports.go"), importing(imports).as_bytes()).is_ok()
            && self.go(at, &directory, &["mod", "tidy"]).await.is_ok()
    }

    /// The packages that importers of the directly required modules may name.
    async fn importable(&self, at: &Path, modfile: &str) -> Option<Vec<String>> {
        let own = at.join("module/go.mod").display().to_string();
        let file = self.go(at, self.module, &["mod", "edit", "-json", &own]).await.ok()?;
        let file: Value = serde_json::from_str(&file).ok()?;
        let required = file["Require"].as_array()?;
        let patterns: Vec<String> = required
            .iter()
            .filter(|one| one["Indirect"] != true)
            .filter_map(|one| Some(format!("{}/...", one["Path"].as_str()?)))
            .collect();
        if patterns.is_empty() {
            return None;
        }
        let mut arguments = vec!["list", "-e", modfile, "-f", "{{if ne .Name \"main\"}}{{.ImportPath}}{{end}}"];
        arguments.extend(patterns.iter().map(String::as_str));
        let listed = self.go(at, self.module, &arguments).await.ok()?;
        let public = |path: &&str| !path.is_empty() && !path.split('/').any(|part| PRIVATE.contains(&part));
        Some(listed.lines().map(str::trim).filter(public).map(str::to_owned).collect())
    }

    /// Compiles and vets a package that imports them all.
    async fn warm_up(&self, at: &Path, imports: &[String]) -> Result<(), Failure> {
        let module = at.join("module");
        write(&module.join("warmup.go"), importing(imports).as_bytes())?;
        self.go(at, &module, &["build", QUICK, "./..."]).await?;
        self.go(at, &module, &["vet", QUICK, "./..."]).await?;
        Ok(())
    }
}

/// A Go file that imports all of these.
fn importing(imports: &[String]) -> String {
    let mut code = "package warmup\n\nimport (\n".to_owned();
    for import in imports {
        // Writing to a string cannot fail.
        let _ = writeln!(code, "\t_ \"{import}\"");
    }
    code + ")\n"
}

/// No code is optimised: a third less work for the compiler. Tests run with imports that were built so, and are as right though
/// slower.
pub const QUICK: &str = "-gcflags=all=-N -l";

/// Copies a directory with everything in it; a cache holds directories and files alone.
pub fn copy_cache(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_cache(&entry.path(), &target)?;
        } else if entry.file_name() != OsStr::new("trim.txt") {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_unknown_versions_are_told_from_new_ones() {
        for (version, expected) in [
            ("go1.26.8", true),
            ("go1.23", true),
            ("go1.22.9", false),
            ("go1.19.8", false),
            ("devel go1.27-abcdef", true),
            ("go2.0", true),
            ("tinygo", false),
            ("", false),
        ] {
            assert_eq!(is_new_enough(version), expected, "{version}");
        }
    }

    #[test]
    fn module_is_looked_for_up_to_the_repository_and_not_beyond() {
        let directory = tempfile::tempdir().unwrap();
        let package = directory.path().join("repo/sdk/w/azw");
        std::fs::create_dir_all(&package).unwrap();
        std::fs::create_dir(directory.path().join("repo/.git")).unwrap();
        std::fs::write(directory.path().join("go.mod"), "module outside\n").unwrap();
        assert_eq!(module_directory(&package), None);
        std::fs::write(directory.path().join("repo/sdk/w/go.mod"), "module w\n").unwrap();
        assert_eq!(module_directory(&package), Some(directory.path().join("repo/sdk/w").as_path()));
    }

    #[test]
    fn builds_have_neither_a_network_nor_another_toolchain() {
        let go = Go {
            root: "/set".into(),
            executable: "/go/bin/go".into(),
            home: "/go".into(),
            version: "go1.26.8".into(),
            digest: String::new(),
        };
        let environment = go.environment(Path::new("/scratch/cache"));
        for (name, value) in [
            ("GOPROXY", "off"),
            ("GOTOOLCHAIN", "local"),
            ("GOMODCACHE", "/set/modules"),
            ("GOCACHE", "/scratch/cache"),
        ] {
            assert!(environment.iter().any(|one| one.0 == name && one.1 == value), "{name}");
        }
        let flags = environment.iter().find(|one| one.0 == "GOFLAGS").unwrap();
        assert!(flags.1.to_string_lossy().contains("-mod=readonly"), "a build must not change `go.mod`");
    }
}
