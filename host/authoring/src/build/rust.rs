//! Tools in Rust: fetched, compiled to a core module, made a component.

use super::{Builder, crates, made, needed};
use crate::error::AuthoringError;
use crate::project::Project;
use bailiwick_guests::{Cargo, Component, Target, Toolchain};
use bailiwick_toolchains::{Child, Crates};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compiling the standard library along takes minutes on a small machine.
const DEADLINE: Duration = Duration::from_secs(30 * 60);

/// How a component begins: the magic of WebAssembly, a version, and the layer that is a component's.
const COMPONENT: [u8; 8] = [0, b'a', b's', b'm', 13, 0, 1, 0];

/// What of cargo's home holds packages and says where they come from. Tokens lie in neither.
const OF_CARGO_HOME: [&str; 4] = ["registry", "git", "config.toml", "config"];

impl Builder<'_> {
    pub(super) async fn rust(&mut self, project: &Project, scratch: &Path) -> Result<Vec<u8>, AuthoringError> {
        let module = module_name(project)?;
        needed(project, "Cargo.lock")?;
        let own = own_target(&project.directory)?;
        let toolchain = Toolchain::find_for(own).ok_or(AuthoringError::NoCompiler(own))?;
        let wasm = toolchain.target();
        (self.on_line)(&format!("building with {toolchain}"));
        let Cargo { program, mut environment, arguments, reads } = toolchain.cargo();
        let cargo_home = cargo_home();
        environment.push(("CARGO_HOME", cargo_home.clone().into()));
        let mut read = reads;
        read.push(project.directory.clone());
        read.extend(crates::local(&project.directory)?);
        let fetched = |further| Crates {
            cargo: &program,
            further,
            project: &project.directory,
            home: &cargo_home,
            environment: &environment,
            read: read.clone(),
        };
        self.toolchains.crates(&fetched(&[])).await?;
        if !arguments.is_empty() {
            // The standard library's crates for this target, too. Alone it would leave out what only build scripts need.
            let further = [&["--target", wasm.name()], arguments].concat();
            self.toolchains.crates(&fetched(&further)).await?;
        }

        let target = self.target.clone().unwrap_or_else(|| project.directory.join("target"));
        fs::create_dir_all(&target).map_err(AuthoringError::io(&target, "created"))?;
        let target = target.canonicalize().map_err(AuthoringError::io(&target, "read"))?;
        environment.push(("CARGO_TARGET_DIR", target.clone().into()));
        environment.push(("RUSTFLAGS", flags(wasm, &[(&project.directory, "tool"), (&cargo_home, "cargo")]).into()));
        read.extend(OF_CARGO_HOME.iter().filter_map(|part| cargo_home.join(part).canonicalize().ok()));
        let words = ["build", "--release", "--locked", "--offline", "--lib", "--target", wasm.name()];
        let child = Child {
            path: program.parent().map(Path::to_owned).into_iter().collect(),
            program: &program,
            arguments: words.iter().chain(arguments).map(OsString::from).collect(),
            directory: &project.directory,
            environment,
            read,
            list: Vec::new(),
            write: vec![target.clone()],
            scratch,
            deadline: DEADLINE,
        };
        self.run("cargo", child).await?;
        let built = made(&target.join(wasm.name()).join("release").join(format!("{module}.wasm")), "cargo")?;
        match wasm {
            Target::Unknown => Ok(Component::of_module(&built)?.bytes),
            // The linker of this target makes components. Another file was built by another linker.
            Target::Wasip2 if built.starts_with(&COMPONENT) => Ok(built),
            Target::Wasip2 => {
                Err(AuthoringError::file(&project.directory, "its `wasm32-wasip2` build is not a component"))
            }
        }
    }
}

fn cargo_home() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = set("CARGO_HOME").or_else(|| set("HOME").map(|home| home.join(".cargo")));
    let home = home.unwrap_or_else(|| PathBuf::from("/nonexistent"));
    home.canonicalize().unwrap_or(home)
}

/// A person who reads a panic of a tool needs no directory of the machine that built it.
fn flags(target: Target, hidden: &[(&Path, &str)]) -> String {
    let mut flags = target.flags().to_owned();
    for (directory, name) in hidden {
        // Flags are split at spaces; a directory that has some is left as it is.
        let directory = directory.display().to_string();
        if !directory.contains(' ') {
            flags.push_str(&format!(" --remap-path-prefix={directory}={name}"));
        }
    }
    flags
}

/// The target that the project itself names in `.cargo/config.toml`, if it is one that tools can be built for.
fn own_target(directory: &Path) -> Result<Option<Target>, AuthoringError> {
    let path = directory.join(".cargo/config.toml");
    if !path.is_file() {
        return Ok(None);
    }
    let table = crates::manifest(&path)?;
    let Some(named) = table.get("build").and_then(|build| build.get("target")) else { return Ok(None) };
    let known = |target: &Target| named.as_str() == Some(target.name());
    match Target::ALL.into_iter().find(known) {
        Some(target) => Ok(Some(target)),
        None => {
            Err(AuthoringError::file(&path, "`build.target` is neither `wasm32-unknown-unknown` nor `wasm32-wasip2`"))
        }
    }
}

/// What cargo calls the module: the library's name, else the package's.
fn module_name(project: &Project) -> Result<String, AuthoringError> {
    let path = needed(project, "Cargo.toml")?;
    let table = crates::manifest(&path)?;
    let name = |part: &str| table.get(part)?.get("name")?.as_str();
    let name = name("lib").or_else(|| name("package"));
    name.map(|name| name.replace('-', "_")).ok_or_else(|| AuthoringError::file(&path, "it names no package"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_of_the_machine_are_not_told_unless_their_name_has_a_space() {
        let hidden = [(Path::new("/home/me/tool"), "tool"), (Path::new("/home/my self"), "cargo")];
        let flags = flags(Target::Unknown, &hidden);
        assert!(flags.ends_with(" --remap-path-prefix=/home/me/tool=tool"), "{flags}");
    }

    #[test]
    fn project_names_its_target_or_leaves_the_choice() {
        let project = tempfile::tempdir().unwrap();
        assert_eq!(own_target(project.path()).unwrap(), None);
        fs::create_dir(project.path().join(".cargo")).unwrap();
        let named = |text: &str| {
            fs::write(project.path().join(".cargo/config.toml"), text).unwrap();
            own_target(project.path())
        };
        assert_eq!(named("[net]\noffline = true\n").unwrap(), None);
        assert_eq!(named("[build]\ntarget = \"wasm32-wasip2\"\n").unwrap(), Some(Target::Wasip2));
        assert_eq!(named("[build]\ntarget = \"wasm32-unknown-unknown\"\n").unwrap(), Some(Target::Unknown));
        let refused = named("[build]\ntarget = \"wasm32-wasip1\"\n").unwrap_err().to_string();
        assert!(refused.contains("`build.target` is neither"), "{refused}");
    }
}
