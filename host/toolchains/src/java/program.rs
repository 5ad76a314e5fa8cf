//! The JDK and Maven of this machine.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::super::cache::Failure;
use super::super::children::refuse_shell_characters;
use super::super::error::ToolchainError;
use super::super::install::Installer;
use super::super::node::write;

/// The emitter's generator runs from here on.
const OLDEST: u32 = 17;

const JDK_HINT: &str = "install a JDK, 17 or newer (on Debian `apt install openjdk-17-jdk-headless`)";
const MAVEN_HINT: &str = "install Maven 3.8 or newer (on Debian `apt install maven`)";

/// A JDK and Maven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseJava {
    /// The JDK's directory, canonical.
    pub home: PathBuf,
    /// The `mvn` program.
    pub maven: PathBuf,
    /// Maven's directory, canonical.
    pub maven_home: PathBuf,
    /// Where distributions keep what belongs into both directories.
    pub configuration: Vec<PathBuf>,
    /// Versions, for example `Apache Maven 3.8.7, Java 17.0.15`.
    pub description: String,
}

impl BaseJava {
    /// What a child that runs Java or Maven reads of the machine.
    pub(super) fn read(&self) -> Vec<PathBuf> {
        [&self.home, &self.maven_home].into_iter().chain(&self.configuration).cloned().collect()
    }
}

/// Whether Maven may fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Network<'a> {
    /// With the caller's own settings, which name mirrors and proxies.
    Allowed {
        settings: Option<&'a Path>,
    },
    None,
}

/// What this machine has.
pub(super) async fn find(installer: &Installer) -> Result<BaseJava, ToolchainError> {
    let maven = installer.find("mvn", MAVEN_HINT)?;
    installer.find("javac", JDK_HINT)?;
    // Maven says which JDK it found, by `JAVA_HOME` or the path.
    let answer = installer.ask(&maven, &["-Dstyle.color=never", "--version"], &[]).await;
    let answer = answer.map_err(|failure| match failure {
        Failure::Passing(reason) => ToolchainError::Java { reason: format!("`{}` failed: {reason}", maven.display()) },
        Failure::Lasting(error) => error,
    })?;
    let found = read_version(&answer.stdout.text).map_err(|reason| ToolchainError::Java { reason })?;
    let canonical = |path: &str| Path::new(path).canonicalize().map_err(ToolchainError::io(Path::new(path), "read"));
    let (home, maven_home) = (canonical(&found.home)?, canonical(&found.maven_home)?);
    if !home.join("bin/javac").is_file() {
        let reason = format!("`{}`, which Maven runs with, has no compiler", home.display());
        return Err(ToolchainError::Java { reason });
    }
    for path in [&maven, &home] {
        refuse_shell_characters(path)?;
    }
    let description = format!("{}, Java {}", found.maven, found.java);
    Ok(BaseJava { configuration: configuration(), home, maven, maven_home, description })
}

/// Debian and its kin link configuration and security policies of both to `/etc`.
fn configuration() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir("/etc") else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name == "java" || name.starts_with("java-") || name == "maven"
        })
        .collect();
    found.sort();
    found
}

#[derive(Debug, PartialEq, Eq)]
struct Version {
    maven: String,
    maven_home: String,
    java: String,
    home: String,
}

/// What `mvn --version` prints.
fn read_version(output: &str) -> Result<Version, String> {
    // Maven up to 3.8 resets the colour even when it is told to use none.
    let plain: String = output.replace("\u{1b}[0m", "").replace("\u{1b}[1m", "").replace("\u{1b}[m", "");
    let after = |start: &str| plain.lines().find_map(|line| line.trim().strip_prefix(start).map(str::trim));
    let maven = plain.lines().map(str::trim).find(|line| line.starts_with("Apache Maven "));
    let java = after("Java version:").and_then(|line| line.split(',').next()).map(str::trim);
    let home = after("Java version:").and_then(|line| line.split_once("runtime:")).map(|(_, home)| home.trim());
    let (Some(maven), Some(maven_home), Some(java), Some(home)) = (maven, after("Maven home:"), java, home) else {
        return Err("`mvn --version` did not say which Maven and which Java it is".to_owned());
    };
    let number: u32 = java.split(['.', '-', '+']).next().and_then(|part| part.parse().ok()).unwrap_or_default();
    if number < OLDEST {
        return Err(format!("Maven runs with Java {java}, and {OLDEST} is the oldest that will do"));
    }
    let maven = maven.split(" (").next().unwrap_or(maven).to_owned();
    Ok(Version { maven, maven_home: maven_home.to_owned(), java: java.to_owned(), home: home.to_owned() })
}

/// Writes `mvn` into `bin`: the machine's, with the repository beside `bin`.
pub(super) fn write_maven(bin: &Path, base: &BaseJava, network: Network<'_>) -> Result<(), ToolchainError> {
    let further = match network {
        Network::Allowed { settings: None } => "--strict-checksums".to_owned(),
        Network::Allowed { settings: Some(file) } => {
            refuse_shell_characters(file)?;
            let directory = file.parent().unwrap_or(file).display();
            format!(
                "--strict-checksums --settings '{}' '-Dsettings.security={directory}/settings-security.xml'",
                file.display()
            )
        }
        Network::None => "--offline --settings \"$set/settings.xml\"".to_owned(),
    };
    let script = format!(
        "#!/bin/sh\nset=$(cd \"$(dirname \"$0\")/..\" && pwd)\n\
         exec '{}' --batch-mode -Dstyle.color=never \"-Dmaven.repo.local=$set/repository\" {further} \"$@\"\n",
        base.maven.display()
    );
    let path = bin.join("mvn");
    write(&path, script.as_bytes())?;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, mode).map_err(ToolchainError::io(&path, "written"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "\u{1b}[0mApache Maven 3.9.9 (8e8579a9e76f7d015ee5ec7bfcdc97d260186937)\nMaven home: /usr/share/maven\n\
        Java version: 17.0.15, vendor: Debian, runtime: /usr/lib/jvm/java-17-openjdk-amd64\n";

    #[test]
    fn versions_and_homes_are_read_through_the_colours() {
        let found = read_version(ANSWER).unwrap();
        assert_eq!(found.maven, "Apache Maven 3.9.9");
        assert_eq!(found.maven_home, "/usr/share/maven");
        assert_eq!(found.java, "17.0.15");
        assert_eq!(found.home, "/usr/lib/jvm/java-17-openjdk-amd64");
    }

    #[test]
    fn old_java_is_refused_with_the_reason() {
        let reason = read_version(&ANSWER.replace("17.0.15", "1.8.0_402")).unwrap_err();
        assert_eq!(reason, "Maven runs with Java 1.8.0_402, and 17 is the oldest that will do");
        assert!(read_version("").is_err());
    }
}
