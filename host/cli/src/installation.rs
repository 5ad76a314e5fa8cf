//! How this program came onto the machine, told by what lies beside it, and how something else can start it later.

use crate::exit::{Error, Result};
use bailiwick_base::programs::find_program;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The name of the package in every registry.
const PACKAGE: &str = "bailiwick-cli";
/// The same as Python writes it in names of files.
const DISTRIBUTION: &str = "bailiwick_cli-";
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Marks a directory whose content can be made again: <https://bford.info/cachedir/>.
const CACHE_MARK: &str = "CACHEDIR.TAG";

/// An installation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Installation {
    /// What installed it.
    pub(crate) by: By,
    /// Where the program is, without links.
    pub(crate) path: PathBuf,
    /// Whether it lies in a cache, which is cleared now and then.
    pub(crate) cached: bool,
}

/// What installs programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum By {
    /// `uv` or `uvx`, of the wheel.
    Uv,
    /// `pip` or `pipx`, of the wheel.
    Pip,
    /// `npm` or `npx`.
    Npm,
    /// Debian's package manager.
    Dpkg,
    /// `cargo install`.
    Cargo,
    /// It was built from source and runs where cargo put it.
    Source,
    /// It was copied or unpacked.
    Copied,
}

impl By {
    /// In words.
    fn word(self) -> &'static str {
        match self {
            Self::Uv => "uv, from the Python wheel",
            Self::Pip => "pip, from the Python wheel",
            Self::Npm => "npm",
            Self::Dpkg => "the Debian package",
            Self::Cargo => "cargo install",
            Self::Source => "built from source, where cargo put it",
            Self::Copied => "copied or unpacked",
        }
    }
}

/// How a client starts this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Start {
    /// The program.
    pub(crate) command: PathBuf,
    /// Its first arguments.
    pub(crate) arguments: Vec<String>,
}

impl Installation {
    /// That of this process.
    ///
    /// # Errors
    /// The system does not say where the program is.
    pub(crate) fn current() -> Result<Self> {
        let path = std::env::current_exe()
            .map_err(|error| Error::failed(format!("the path of this program cannot be told: {error}")))?;
        Ok(Self::of(&path, cache_home().as_deref()))
    }

    fn of(path: &Path, cache_home: Option<&Path>) -> Self {
        let by = by(path);
        let marked = || path.ancestors().skip(1).any(|directory| directory.join(CACHE_MARK).is_file());
        let cached = match by {
            By::Source => false,
            By::Npm => path.components().any(|part| part.as_os_str() == "_npx"),
            _ => marked() || cache_home.is_some_and(|cache| path.starts_with(cache)),
        };
        Self { by, path: path.to_owned(), cached }
    }

    /// In one line.
    pub(crate) fn text(&self) -> String {
        let place = if self.cached { ", in a cache" } else { "" };
        format!("{VERSION}, {}{place}: {}", self.by.word(), self.path.display())
    }

    /// How a client starts this version when the cache that it may lie in was cleared. Clients often start programs
    /// without the person's `PATH`, so a launcher is named by its whole path.
    ///
    /// # Errors
    /// It lies in a cache, and no launcher is known that would bring it back.
    pub(crate) fn start(&self) -> Result<Start> {
        if !self.cached {
            return Ok(Start { command: self.path.clone(), arguments: Vec::new() });
        }
        let (launcher, arguments) = match self.by {
            By::Uv => ("uvx", vec![format!("{PACKAGE}@{VERSION}")]),
            By::Pip => ("pipx", vec!["run".into(), "--spec".into(), format!("{PACKAGE}=={VERSION}"), PACKAGE.into()]),
            By::Npm => ("npx", vec!["--yes".into(), format!("{PACKAGE}@{VERSION}")]),
            By::Dpkg | By::Cargo | By::Source | By::Copied => {
                return Err(Error::usage(format!("this program lies in a cache: `{}`", self.path.display())).hint(
                    "copy it to a directory that is not cleared, such as `~/.local/bin`, and run it from there",
                ));
            }
        };
        let command = on_path(launcher).unwrap_or_else(|| PathBuf::from(launcher));
        Ok(Start { command, arguments })
    }
}

fn by(path: &Path) -> By {
    let above = |levels: usize| path.ancestors().nth(levels).unwrap_or(Path::new("/"));
    if let Some(tool) = installer_of_wheel(above(2)) {
        return if tool == "uv" { By::Uv } else { By::Pip };
    }
    let manifest = std::fs::read_to_string(above(2).join("package.json")).unwrap_or_default();
    let named = serde_json::from_str::<serde_json::Value>(&manifest).ok();
    if named.is_some_and(|named| named["name"].as_str().is_some_and(|name| name.starts_with(PACKAGE))) {
        return By::Npm;
    }
    if path == Path::new("/usr/bin/bailiwick") && Path::new("/var/lib/dpkg/info/bailiwick-cli.list").is_file() {
        return By::Dpkg;
    }
    if above(2).join(".crates.toml").is_file() && above(1).ends_with("bin") {
        return By::Cargo;
    }
    if path.ancestors().skip(1).any(|directory| directory.join(".rustc_info.json").is_file()) {
        return By::Source;
    }
    By::Copied
}

/// What a Python environment says it got this program from.
fn installer_of_wheel(environment: &Path) -> Option<String> {
    let directories = |path: PathBuf| path.read_dir().into_iter().flatten().flatten();
    directories(environment.join("lib"))
        .flat_map(|python| directories(python.path().join("site-packages")))
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(DISTRIBUTION) && name.ends_with(".dist-info")
        })
        .map(|entry| std::fs::read_to_string(entry.path().join("INSTALLER")).unwrap_or_default().trim().to_owned())
        .next()
}

fn cache_home() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))
}

fn on_path(program: &str) -> Option<PathBuf> {
    find_program(program, &std::env::var_os("PATH")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(program: &str, beside: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let base = tempfile::tempdir().unwrap();
        for (path, text) in beside.iter().chain([&(program, "")]) {
            let path = base.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let program = base.path().join(program);
        (base, program)
    }

    fn of(program: &str, beside: &[(&str, &str)]) -> (Installation, tempfile::TempDir) {
        let (base, program) = laid_out(program, beside);
        (Installation::of(&program, Some(&base.path().join("home/.cache"))), base)
    }

    const INSTALLER: &str = "lib/python3.12/site-packages/bailiwick_cli-0.1.0.dist-info/INSTALLER";

    #[test]
    fn program_in_a_cache_of_uv_npm_or_pipx_is_started_by_its_launcher_at_this_version() {
        let uv = format!("uv/archive-v0/x/{INSTALLER}");
        let (uvx, _base) = of("uv/archive-v0/x/bin/bailiwick", &[(&uv, "uv\n"), ("uv/CACHEDIR.TAG", "")]);
        assert_eq!((uvx.by, uvx.cached), (By::Uv, true));
        assert_eq!(uvx.start().unwrap_or_else(|_| panic!()).arguments, [format!("bailiwick-cli@{VERSION}")]);
        let manifest = "npm/_npx/1/node_modules/bailiwick-cli-linux-x64/package.json";
        let (npx, _base) = of(
            "npm/_npx/1/node_modules/bailiwick-cli-linux-x64/bin/bailiwick",
            &[(manifest, r#"{ "name": "bailiwick-cli-linux-x64" }"#)],
        );
        assert_eq!((npx.by, npx.cached), (By::Npm, true));
        assert_eq!(npx.start().unwrap_or_else(|_| panic!()).arguments[1], format!("bailiwick-cli@{VERSION}"));
        let pip = format!("home/.cache/pipx/x/{INSTALLER}");
        let (pipx, _base) = of("home/.cache/pipx/x/bin/bailiwick", &[(&pip, "pip\n")]);
        assert_eq!((pipx.by, pipx.cached), (By::Pip, true));
    }

    #[test]
    fn real_installation_is_started_by_its_own_path() {
        let tool = format!("share/uv/tools/bailiwick-cli/{INSTALLER}");
        for (program, beside, by) in [
            ("share/uv/tools/bailiwick-cli/bin/bailiwick", (tool.as_str(), "uv\n"), By::Uv),
            ("cargo/bin/bailiwick", ("cargo/.crates.toml", ""), By::Cargo),
            ("target/debug/bailiwick", ("target/.rustc_info.json", "{}"), By::Source),
            ("opt/bailiwick", ("opt/README.md", ""), By::Copied),
        ] {
            let (installation, _base) = of(program, &[beside]);
            assert_eq!((installation.by, installation.cached), (by, false), "{program}");
            let start = installation.start().unwrap_or_else(|_| panic!("{program}"));
            assert_eq!((start.command, start.arguments), (installation.path, Vec::new()));
        }
    }

    #[test]
    fn copy_in_a_cache_is_refused() {
        let (copied, _base) = of("home/.cache/x/bailiwick", &[]);
        assert!(copied.start().is_err_and(|error| error.message.contains("lies in a cache")));
    }
}
