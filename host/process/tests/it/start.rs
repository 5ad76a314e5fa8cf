//! What cannot start is refused with the right error, and what can starts as it was described.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use bailiwick_process::{Confinement, ProcessError, Supervisor};

use crate::{command, helper, place, rules, run, text};

#[tokio::test]
async fn missing_program_is_not_found() {
    let place = place();
    for confinement in [Confinement::Unconfined, Confinement::Confined(rules(&place.inside))] {
        for name in ["no-such-program-here", "/no/such/program"] {
            let error = run(&command(name, &[], confinement.clone())).await.unwrap_err();
            assert!(matches!(error, ProcessError::NotFound { .. }), "{error:?}");
            assert_eq!(error.to_string(), format!("there is no program `{name}`"));
            assert!(error.hint().is_some());
        }
    }
}

#[tokio::test]
async fn program_outside_the_rules_is_not_permitted() {
    let place = place();
    let program = place.outside.join("program");
    fs::copy(helper(), &program).unwrap();
    let confined = Confinement::Confined(rules(&place.inside));
    let error = run(&command(&program, &[], confined)).await.unwrap_err();
    assert!(matches!(error, ProcessError::NotPermitted { .. }), "{error:?}");
}

#[tokio::test]
async fn missing_interpreter_is_told_from_a_missing_program() {
    let place = place();
    let script = place.inside.join("script");
    fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let error = run(&command(&script, &[], Confinement::Unconfined)).await.unwrap_err();
    assert!(matches!(&error, ProcessError::Start { reason, .. } if reason.contains("interpreter")), "{error:?}");
}

#[tokio::test]
async fn missing_directory_is_named() {
    let mut command = command("true", &[], Confinement::Unconfined);
    command.directory = "/no/such/directory".into();
    let error = run(&command).await.unwrap_err();
    assert!(matches!(&error, ProcessError::Directory { directory, .. } if text(directory) == "/no/such/directory"));
}

#[tokio::test]
async fn missing_helper_is_an_error_of_its_own() {
    let missing = Supervisor::new("/no/such/helper".into());
    let error = missing.run(&command("true", &[], Confinement::Unconfined), &mut |_, _| ()).await.unwrap_err();
    assert!(matches!(error, ProcessError::Helper { .. }), "{error:?}");
}

#[tokio::test]
async fn program_that_is_not_a_helper_is_an_error_and_not_a_success() {
    let other = Supervisor::new("/bin/true".into());
    let error = other.run(&command("true", &[], Confinement::Unconfined), &mut |_, _| ()).await.unwrap_err();
    assert!(matches!(error, ProcessError::Helper { .. }), "{error:?}");
}

#[tokio::test]
async fn relative_program_counts_from_the_directory_and_no_shell_reads_arguments() {
    let place = place();
    fs::write(place.inside.join("tool"), "#!/bin/sh\nprintf '%s|' \"$PWD\" \"$@\"\n").unwrap();
    fs::set_permissions(place.inside.join("tool"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = command("./tool", &["$(id)", "a b", ";", ""], Confinement::Confined(rules(&place.inside)));
    command.directory.clone_from(&place.inside);
    let finished = run(&command).await.unwrap();
    assert_eq!(finished.stdout.text, format!("{}|$(id)|a b|;||", text(&place.inside)));
}
