//! A key from a real Secret Service (GNOME's keyring, in a session bus and a home directory of its own) through
//! `BAILIWICK_KEY_COMMAND`, with the command that `docs/concepts/models.md` names.

use std::ffi::OsString;
use std::process::Command;

use bailiwick_models::keys::{CommandFault, KEY_COMMAND};
use bailiwick_models::{Secret, Settings, SettingsError};

const KEY: &str = "sk-canary/x+y==";

/// What that page says to set.
const LOOKUP: &str = "secret-tool lookup service bailiwick account {provider}";

/// What the test needs, which are Debian's `dbus`, `gnome-keyring` and `libsecret-tools`.
const PROGRAMS: [&str; 3] = ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"];

/// Unlocks a keyring, puts a key into it and starts the second half of the test beside it.
const SESSION: &str = r#"set -e
printf password | gnome-keyring-daemon --unlock --components=secrets > /dev/null
printf %s "$KEY_TO_STORE" | secret-tool store --label=bailiwick service bailiwick account openai
unset KEY_TO_STORE
"$0" --exact secret_service::within_the_session --ignored --nocapture
"#;

fn installed(program: &str) -> bool {
    std::env::split_paths(&std::env::var_os("PATH").unwrap()).any(|directory| directory.join(program).is_file())
}

#[test]
fn key_comes_out_of_a_keyring() {
    let missing: Vec<_> = PROGRAMS.into_iter().filter(|program| !installed(program)).collect();
    if !missing.is_empty() {
        // `cargo xtask test` sets it where it found or installed them.
        assert!(std::env::var_os("BAILIWICK_KEYRING_REQUIRED").is_none(), "not installed: {missing:?}");
        eprintln!(
            "left out: `{}` not installed; Debian has them in dbus, gnome-keyring, libsecret-tools",
            missing.join("`, `")
        );
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let output = Command::new("dbus-run-session")
        .args(["--", "sh", "-c", SESSION])
        .arg(std::env::current_exe().unwrap())
        .env("HOME", home.path())
        .env("XDG_RUNTIME_DIR", home.path())
        .env("KEY_TO_STORE", KEY)
        .env_remove("XDG_DATA_HOME")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    assert!(!said.contains("canary"), "{said}");
}

#[test]
#[ignore = "started by `key_comes_out_of_a_keyring` within a session that has a keyring"]
fn within_the_session() {
    let environment = |name: &str| (name == KEY_COMMAND).then(|| OsString::from(LOOKUP));
    for choice in ["openai:m", "openai-responses:m"] {
        let settings = Settings::resolve(choice.parse().unwrap(), &environment).unwrap();
        assert_eq!(settings.key, Secret::new(KEY));
    }
    let error = Settings::resolve("anthropic:m".parse().unwrap(), &environment).unwrap_err();
    let fault = CommandFault::Failed { program: "secret-tool".into(), status: "exit code 1".into() };
    assert_eq!(error, SettingsError::KeyCommand { fault });
}
