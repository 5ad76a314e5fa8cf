use super::*;

use std::fs::{Permissions, set_permissions, write};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use command::{KeyCommand, LIMITS, Limits};

fn found(dialect: Dialect, origin: Origin, variables: &[(&str, &str)]) -> Result<(Secret, KeySource), SettingsError> {
    let look =
        |name: &str| variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| OsString::from(value));
    find(dialect, origin, &look).map(|found| found.expect("there is a key"))
}

fn own(dialect: Dialect, variables: &[(&str, &str)]) -> Result<(Secret, KeySource), SettingsError> {
    found(dialect, Origin::Flag, variables)
}

fn fault(line: &str, limits: Limits) -> CommandFault {
    KeyCommand::parse(line.as_ref(), Dialect::OpenAi).and_then(|command| command.run(limits)).unwrap_err()
}

#[test]
fn key_file_is_used_only_if_its_owner_alone_may_read_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("key");
    write(&path, "canary-1\n").unwrap();
    let name = path.to_str().unwrap();
    for (mode, usable) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o660, false)] {
        set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let outcome = own(Dialect::OpenAi, &[(KEY_FILE, name), ("OPENAI_API_KEY", "other")]);
        assert_eq!(outcome.is_ok(), usable, "{mode:o}");
        if let Ok((key, source)) = outcome {
            assert_eq!(Some(key), Secret::new("canary-1"), "the file is used, not the variable");
            assert_eq!(source, KeySource::File(path.clone()));
        }
    }
    set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    write(&path, "k".repeat(20_000)).unwrap();
    for unusable in [directory.path().join("none"), directory.path().to_owned(), path] {
        let error = own(Dialect::OpenAi, &[(KEY_FILE, unusable.to_str().unwrap())]).unwrap_err();
        assert!(error.to_string().contains("BAILIWICK_KEY_FILE"), "{error}");
    }
}

#[test]
fn command_prints_the_key_in_its_first_line_and_goes_before_the_variable() {
    let variables = [(KEY_COMMAND, r"printf ' %s\r\nurl: x\n' 'sk-a/b+c=='"), ("OPENAI_API_KEY", "other")];
    let (key, source) = own(Dialect::OpenAi, &variables).unwrap();
    assert_eq!((key.expose(), source), ("sk-a/b+c==", KeySource::Command));
}

#[test]
fn command_gets_the_name_of_the_provider_in_any_word_and_no_shell() {
    for (dialect, name) in [
        (Dialect::OpenAi, "openai"),
        (Dialect::OpenAiResponses, "openai"),
        (Dialect::Azure, "azure"),
        (Dialect::Anthropic, "anthropic"),
        (Dialect::Gemini, "gemini"),
        (Dialect::Ollama, "ollama"),
        (Dialect::OpenAiCompatible, "openai-compatible"),
    ] {
        let (key, _) = own(dialect, &[(KEY_COMMAND, "echo k/{provider}/{provider}")]).unwrap();
        assert_eq!(key.expose(), format!("k/{name}/{name}"));
    }
    let (key, _) = own(Dialect::OpenAi, &[(KEY_COMMAND, "echo '$HOME;`id`'*|&&x")]).unwrap();
    assert_eq!(key.expose(), "$HOME;`id`*|&&x");
}

#[test]
fn command_gets_no_key_and_nothing_on_stdin() {
    // Tests share their environment: the variable is looked up by name in a child of its own.
    let program = std::env::current_exe().unwrap();
    let child = |variable: &str| {
        let mut command = std::process::Command::new(&program);
        command.args(["--exact", "keys::tests::child_of_the_test_of_variables", "--nocapture", "--ignored"]);
        command.env(variable, "canary-of-the-environment").output().unwrap()
    };
    for variable in variables() {
        let output = child(variable);
        assert!(output.status.success(), "{variable}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
#[ignore = "started by `command_gets_no_key_and_nothing_on_stdin` with a key in its environment"]
fn child_of_the_test_of_variables() {
    let line = r#"sh -c 'cat; env | grep -c canary-of-the-environment; echo'"#;
    let printed = KeyCommand::parse(line.as_ref(), Dialect::OpenAi).unwrap().run(LIMITS).unwrap();
    assert_eq!(printed, "0");
}

#[test]
fn command_that_gives_no_key_is_named_by_what_it_did() {
    let program = "sh".to_owned();
    assert_eq!(
        fault("sh -c 'echo canary-1; exit 3'", LIMITS),
        CommandFault::Failed { program, status: "exit code 3".into() }
    );
    let program = "sh".to_owned();
    assert_eq!(fault("sh -c 'kill -9 $$'", LIMITS), CommandFault::Failed { program, status: "signal 9".into() });
    assert_eq!(fault("true", LIMITS), CommandFault::Silent("true".into()));
    assert_eq!(fault(r"printf '\ncanary-1'", LIMITS), CommandFault::Silent("printf".into()));
    assert!(matches!(fault("/no/such/program x", LIMITS), CommandFault::Start { .. }));
    assert_eq!(fault("echo 'x", LIMITS), CommandFault::OpenQuote);
    for empty in [" ", "''", "# x"] {
        assert_eq!(fault(empty, LIMITS), CommandFault::NoWords, "{empty:?}");
    }
    for line in ["echo 'canary 1'", r"printf 'canary-\377'", "echo schlüssel-1"] {
        let error = own(Dialect::OpenAi, &[(KEY_COMMAND, line)]).unwrap_err();
        assert_eq!(error, SettingsError::BadKey(KeySource::Command));
        assert!(!error.to_string().contains("canary"), "{error}");
    }
}

#[test]
fn command_that_prints_or_takes_without_end_is_ended() {
    let few = Limits { output_bytes: 10_000, ..LIMITS };
    assert!(matches!(fault("yes", few), CommandFault::TooMuch { bytes: 10_000, .. }));
    let brief = Limits { deadline: Duration::from_millis(100), ..LIMITS };
    for line in ["sleep 600", "sh -c 'trap : TERM; while :; do sleep 0.1; done'", "sh -c 'exec >&-; exec sleep 600'"] {
        assert!(matches!(fault(line, brief), CommandFault::TooLong { .. }), "{line}");
    }
}

#[test]
fn what_a_command_leaves_in_the_background_is_not_waited_for() {
    let (key, _) = own(Dialect::OpenAi, &[(KEY_COMMAND, "sh -c 'sleep 60 2> /dev/null & echo canary-1'")]).unwrap();
    assert_eq!(key.expose(), "canary-1");
}

#[test]
fn file_and_command_at_once_are_refused_before_either_is_used() {
    let directory = tempfile::tempdir().unwrap();
    let made = directory.path().join("made");
    let command = format!("touch {}", made.display());
    let error = own(Dialect::OpenAi, &[(KEY_FILE, "/no/such/file"), (KEY_COMMAND, &command)]).unwrap_err();
    assert_eq!(error, SettingsError::TwoKeys);
    assert!(!made.exists());
    // Empty is as good as not set.
    own(Dialect::OpenAi, &[(KEY_FILE, ""), (KEY_COMMAND, "echo canary-1")]).unwrap();
}

#[test]
fn agent_file_gets_the_key_of_the_provider_it_names_and_no_other() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("key");
    write(&path, "canary-1\n").unwrap();
    set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    for refused in [(KEY_FILE, path.to_str().unwrap()), (KEY_COMMAND, "echo canary-1")] {
        let error = found(Dialect::Gemini, Origin::AgentFile, &[refused]).unwrap_err();
        assert_eq!(error, SettingsError::WhoseKey { variable: refused.0 });
        found(Dialect::Gemini, Origin::Environment, &[refused]).unwrap();
    }
    for allowed in [("GEMINI_API_KEY", "canary-1"), (KEY_COMMAND, "echo canary-{provider}")] {
        found(Dialect::Gemini, Origin::AgentFile, &[allowed]).unwrap();
    }
}
