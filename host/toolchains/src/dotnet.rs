//! The .NET SDK of this machine. It is large, versioned by `global.json`, and installed only by the user.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::cache::{Failure, Key};
use super::children::refuse_shell_characters;
use super::error::ToolchainError;
use super::install::Installer;

/// What to do where there is none.
pub(super) const HINT: &str = "install the .NET SDK, 8 or newer (on Debian Microsoft's package `dotnet-sdk-8.0`), so that `dotnet` is on the \
     path; `bailiwick package customize --dry-run` reads a request without it";

/// The first with the options that a build is given.
const OLDEST: u32 = 8;

/// Emitters whose packages are built with it; the newer ones also generate with it.
#[must_use]
pub fn is_emitter(name: &str) -> bool {
    ["@azure-typespec/http-client-csharp", "@typespec/http-client-csharp", "@azure-tools/typespec-csharp"]
        .iter()
        .any(|emitter| name == *emitter || name.strip_prefix(emitter).is_some_and(|rest| rest == "-mgmt"))
}

/// A .NET SDK.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dotnet {
    /// The `dotnet` program, canonical.
    pub program: PathBuf,
    /// The directory it lies in, with the SDK.
    pub root: PathBuf,
    /// Packages that were restored before, which are only read. A build has no network.
    pub packages: Option<PathBuf>,
    /// What `dotnet --version` says.
    pub version: String,
    /// Digest of the program and its version.
    pub digest: String,
}

impl Dotnet {
    /// The variables of a child with this scratch directory: whatever would be written into the home goes there, nothing
    /// is reported (telemetry), nothing outlives the build, and messages are in the language that is read here.
    #[must_use]
    pub fn environment(&self, scratch: &Path) -> Vec<(&'static str, OsString)> {
        let mut variables: Vec<(&'static str, OsString)> = [
            ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
            ("DOTNET_SKIP_FIRST_TIME_EXPERIENCE", "1"),
            ("DOTNET_NOLOGO", "1"),
            ("DOTNET_CLI_UI_LANGUAGE", "en"),
            ("DOTNET_CLI_USE_MSBUILD_SERVER", "0"),
            ("DOTNET_EnableDiagnostics", "0"),
            // It would reserve its machine code in a file of 2 TiB in memory, which the limit of file sizes refuses.
            ("DOTNET_EnableWriteXorExecute", "0"),
            ("MSBUILDDISABLENODEREUSE", "1"),
            ("UseSharedCompilation", "false"),
        ]
        .map(|(name, value)| (name, OsString::from(value)))
        .to_vec();
        variables.push(("DOTNET_ROOT", self.root.clone().into()));
        variables.push(("DOTNET_CLI_HOME", scratch.join("home").into()));
        variables.push(("NUGET_HTTP_CACHE_PATH", scratch.join("nuget-http").into()));
        let packages = self.packages.clone().unwrap_or_else(|| scratch.join("packages"));
        variables.push(("NUGET_PACKAGES", packages.into()));
        variables
    }

    /// What a child that builds reads. A .NET runtime asks `/proc/self/maps` for the bounds of its stack and does not start
    /// without, and `dotnet` starts others (the compiler is one), whose process ids are not known before: so all of `/proc`,
    /// where Landlock keeps the environment and the memory of processes outside out of reach.
    #[must_use]
    pub fn read(&self) -> Vec<PathBuf> {
        let mut read = vec![self.root.clone(), PathBuf::from("/proc")];
        read.extend(self.packages.clone());
        read
    }
}

/// What this machine has.
pub(super) async fn find(installer: &Installer) -> Result<Dotnet, ToolchainError> {
    let found = installer.find("dotnet", HINT)?;
    // A package manager's link in `/usr/bin` leads to the directory with the SDK.
    let program = found.canonicalize().map_err(ToolchainError::io(&found, "read"))?;
    let root = program.parent().unwrap_or(&program).to_owned();
    refuse_shell_characters(&root)?;
    // Asking must not leave anything in the user's home.
    let quiet = ["DOTNET_SKIP_FIRST_TIME_EXPERIENCE", "DOTNET_CLI_TELEMETRY_OPTOUT", "DOTNET_NOLOGO"];
    let quiet = quiet.map(|name| (name, OsString::from("1")));
    let answer = installer.ask(&program, &["--version"], &quiet).await.map_err(|failure| match failure {
        Failure::Passing(reason) => ToolchainError::Dotnet { reason: format!("`{}`: {reason}", program.display()) },
        Failure::Lasting(error) => error,
    })?;
    let version = read_version(&answer.stdout.text).map_err(|reason| ToolchainError::Dotnet { reason })?;
    let digest = Key::new("dotnet", "", &[program.as_os_str().as_encoded_bytes(), version.as_bytes()]).digest;
    Ok(Dotnet { packages: packages(installer), program, root, version, digest })
}

/// What `dotnet --version` prints, if it is new enough: older ones do not know the options of the build.
fn read_version(output: &str) -> Result<String, String> {
    let version = output.lines().next().unwrap_or_default().trim();
    let number = version.split('.').next().and_then(|number| number.parse::<u32>().ok());
    match number {
        Some(number) if number >= OLDEST => Ok(version.to_owned()),
        Some(_) => Err(format!("it is version {version}, and {OLDEST} is the oldest that will do")),
        None => Err("`dotnet --version` did not say which it is".to_owned()),
    }
}

/// Where `dotnet restore` of this user puts packages, if it did.
fn packages(installer: &Installer) -> Option<PathBuf> {
    let place = installer
        .variable("NUGET_PACKAGES")
        .map(PathBuf::from)
        .or_else(|| Some(Path::new(installer.variable("HOME")?).join(".nuget/packages")))?;
    place.canonicalize().ok().filter(|place| place.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emitters_are_told_by_name_and_not_by_its_beginning() {
        for name in ["@azure-typespec/http-client-csharp", "@azure-typespec/http-client-csharp-mgmt"] {
            assert!(is_emitter(name), "{name}");
        }
        assert!(!is_emitter("@azure-typespec/http-client-csharpx"));
        assert!(!is_emitter("@typespec/http-client-python"));
    }

    #[test]
    fn version_is_read_and_old_ones_are_refused_with_the_reason() {
        assert_eq!(read_version("8.0.404\n").as_deref(), Ok("8.0.404"));
        assert_eq!(read_version("6.0.1\n").unwrap_err(), "it is version 6.0.1, and 8 is the oldest that will do");
        assert!(read_version("").is_err() && read_version("A fatal error occurred.").is_err());
    }

    #[test]
    fn nothing_is_written_into_the_home_and_restored_packages_are_found() {
        let mut dotnet = Dotnet {
            program: "/d/dotnet".into(),
            root: "/d".into(),
            packages: Some("/home/u/.nuget/packages".into()),
            version: "8.0.100".into(),
            digest: String::new(),
        };
        let value = |dotnet: &Dotnet, name: &str| {
            let all = dotnet.environment(Path::new("/s"));
            all.into_iter().find(|(found, _)| *found == name).unwrap().1
        };
        assert_eq!(value(&dotnet, "DOTNET_CLI_HOME"), "/s/home");
        assert_eq!(value(&dotnet, "NUGET_PACKAGES"), "/home/u/.nuget/packages");
        assert!(dotnet.read().contains(&PathBuf::from("/home/u/.nuget/packages")));
        assert_eq!(value(&dotnet, "DOTNET_EnableWriteXorExecute"), "0", "a limited child would be stopped");
        dotnet.packages = None;
        assert_eq!(value(&dotnet, "NUGET_PACKAGES"), "/s/packages");
    }
}
