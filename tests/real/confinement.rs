//! Building runs code that an agent or anyone may just have edited: it is confined, and the run says what it tried.

use bailiwick_tests::World;
use std::net::TcpListener;

/// Adds statements that run when the models are imported.
fn plant(world: &World, code: &str) {
    let path = world.package().join("azure/widget/models/_patch.py");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("from typing import", &format!("{code}\nfrom typing import"), 1)).unwrap();
    world.commit();
}

fn customize(world: &World) -> serde_json::Value {
    let package = world.package();
    let arguments = [
        "--json",
        "package",
        "customize",
        "--package-path",
        package.to_str().unwrap(),
        "--customization-request",
        "hide operation deleteWidget",
    ];
    let answer = world.bailiwick_with(&arguments, &[("OPENAI_API_KEY", "sk-canary-of-the-test")]);
    assert!(!answer.stdout.contains("sk-canary"), "{}", answer.stdout);
    answer.exits(1).json()
}

#[track_caller]
fn assert_said(response: &serde_json::Value, what: &str) {
    assert_eq!(response["success"], false);
    let said = response["buildResult"]["errorMessages"].as_array().unwrap();
    assert!(
        said.iter().any(|line| line.as_str().unwrap().contains(what)),
        "the run does not say `{what}`: {response:#}"
    );
}

#[test]
fn write_outside_the_package_at_import_is_stopped_and_said() {
    let world = World::new();
    let target = world.base().join("escaped.txt");
    let home = std::env::var("HOME").unwrap();
    let home_target = format!("{home}/.bailiwick-escape-test");
    plant(
        &world,
        &format!(
            "for _path in [{target:?}, {home_target:?}]:\n    try:\n        open(_path, 'w').write('escaped')\n    except OSError:\n        pass"
        ),
    );
    let response = customize(&world);
    assert!(!target.exists() && !std::path::Path::new(&home_target).exists());
    assert_said(&response, "escaped.txt");
}

#[test]
fn key_in_the_environment_is_not_there_and_the_attempt_is_said() {
    let world = World::new();
    plant(&world, "import os\n_key = os.environ['OPENAI_API_KEY']");
    let response = customize(&world);
    assert_said(&response, "OPENAI_API_KEY");
}

#[test]
fn connection_at_import_is_stopped_and_said() {
    let world = World::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    plant(
        &world,
        &format!(
            "import socket\ntry:\n    socket.create_connection(('127.0.0.1', {port}), timeout=2)\nexcept OSError:\n    pass"
        ),
    );
    let response = customize(&world);
    assert!(listener.accept().is_err(), "the build reached the network");
    assert_said(&response, "127.0.0.1");
}
