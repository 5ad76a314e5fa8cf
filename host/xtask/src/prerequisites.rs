//! What has to be on the machine before anything else. It is looked for first, since a build takes minutes.

use crate::process::first_line;
use anyhow::{Result, bail};
use std::process::Command;

/// A program, and what it is for.
pub(crate) struct Needed {
    program: &'static str,
    purpose: &'static str,
}

/// What the real toolchains stand on.
pub(crate) const TOOLCHAINS: [Needed; 4] = [
    Needed { program: "git", purpose: "the repositories of the demo and the tests" },
    Needed { program: "node", purpose: "the TypeSpec compiler" },
    Needed { program: "npm", purpose: "installing the TypeSpec compiler and the emitters" },
    Needed { program: "python3", purpose: "the Python emitter and the checks of Python packages" },
];

/// What the Java toolchain stands on, beside those.
pub(crate) const JAVA: [Needed; 2] = [
    Needed { program: "javac", purpose: "the Java emitter's customization classes and building Java packages" },
    Needed { program: "mvn", purpose: "the Java emitter's customization classes and building Java packages" },
];

/// What the tests of Go packages stand on, beside those.
pub(crate) const GO: [Needed; 1] = [Needed { program: "go", purpose: "building Go packages; version 1.23 or newer" }];

/// What linting stands on.
pub(crate) const LINTERS: [Needed; 2] = [
    Needed { program: "cargo-fmt", purpose: "checking the formatting; `rustup component add rustfmt` installs it" },
    Needed { program: "cargo-clippy", purpose: "the lints; `rustup component add clippy` installs it" },
];

/// Checks that each of `needed` runs.
///
/// # Errors
/// When one does not, with all that are missing.
pub(crate) fn check(needed: &[Needed]) -> Result<()> {
    // Go alone has a command for it.
    let version = |program: &str| if program == "go" { "version" } else { "--version" };
    let runs = |program: &str| first_line(Command::new(program).arg(version(program))).is_some();
    let missing: Vec<String> = needed
        .iter()
        .filter(|needed| !runs(needed.program))
        .map(|needed| format!("`{}` (for {})", needed.program, needed.purpose))
        .collect();
    if !missing.is_empty() {
        bail!("not installed, or not in PATH: {}", missing.join(", "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_program_is_named_with_its_purpose() {
        let needed = [
            Needed { program: "git", purpose: "nothing here" },
            Needed { program: "no-such-program", purpose: "the test" },
        ];
        let error = check(&needed).unwrap_err().to_string();
        assert!(error.contains("`no-such-program` (for the test)") && !error.contains("`git`"), "{error}");
    }
}
