//! Replicas that share a NATS server and no directory: what becomes of a run when the server is killed, loses its disk and comes
//! back, and when a replica is killed.

use super::super::ownership::UNKNOWN_RUN;
use super::*;
use crate::fleet::server::Server;

const UNCERTAIN: &str = "as far as this replica knows";
const AWAY: &str = "the registry of this server's replicas cannot be reached";

/// What a subject is told of a run until this is in it. Meanwhile nothing is said that is wrong.
fn until(subject: &Subject<'_>, tool: &str, run: &str, wanted: &str) {
    let patience = Instant::now() + PATIENCE;
    loop {
        let told = status(subject, tool, run).to_string();
        if told.contains(wanted) {
            return;
        }
        assert!(told.contains(UNCERTAIN) || told.contains(AWAY), "{told}");
        assert!(Instant::now() < patience, "{wanted}: {told}");
        std::thread::sleep(BETWEEN);
    }
}

#[test]
fn run_is_found_again_though_the_server_of_the_registry_loses_its_disk_and_is_put_back_though_its_replica_is_killed() {
    let mut server = Server::start();
    let common = Common::over(Some(server.address()));
    let (one, other) = (common.replica("state"), common.replica("state-2"));
    let (before, names) = common.begin(&common.subject(&one, "alice"));
    let [alice, bob] = ["alice", "bob"].map(|name| common.subject(&other, name));
    for run in &names {
        assert_eq!(status(&alice, "azsdk_run_wait", run)["status"], "running");
        exist_for_nobody_like(&bob, &common.world, run, UNKNOWN_WORKFLOW);
    }

    server.kill();
    for run in [names[1].as_str(), UNKNOWN_RUN] {
        let told = status(&alice, "azsdk_run_wait", run).to_string();
        assert!(told.contains(AWAY), "{told}");
    }
    let own = common.subject(&one, "alice");
    assert_eq!(status(&own, "azsdk_run_wait", &names[1])["status"], "running", "its own replica needs no server");
    let arguments = json!({ "packagePath": common.world.package(), "customizationRequest": REQUEST });
    let refused = own.call("azsdk_package_customize_code", arguments).to_string();
    assert!(refused.contains(AWAY), "{refused}");

    server.again_without_its_disk();
    for run in &names {
        until(&alice, "azsdk_run_wait", run, "\"running\"");
        exist_for_nobody_like(&bob, &common.world, run, UNKNOWN_WORKFLOW);
    }

    // `kill -9`
    drop(own);
    drop(one);
    let run = &names[1];
    let told = status(&alice, "azsdk_run_show", run).to_string();
    assert!(told.contains("which does not answer"), "{told}");
    let next = common.replica("state");
    for server in [&next, &other] {
        assert_eq!(status(&common.subject(server, "alice"), "azsdk_run_show", run)["status"], "reverted");
        before.assert_same(&common.world.snapshot());
        let told = status(&common.subject(server, "bob"), "azsdk_run_show", run).to_string();
        assert!(told.contains("there is no run"), "{told}");
    }
}

#[test]
fn server_that_would_see_a_password_in_the_clear_or_cannot_be_reached_is_refused_before_anyone_is_served() {
    let common = Common::new();
    let login = common.world.base().join("login");
    std::fs::write(&login, "replica\nsecret-password\n").unwrap();
    let start = |registry: &str, further: &[&str]| {
        let key = common.key.to_str().unwrap();
        let arguments = [&["--http", "--state-key", key, "--replicas", registry][..], further].concat();
        let mut command = server(common.world.base(), &arguments);
        let output = command.env("BAILIWICK_MCP_TOKEN_FILE", &common.key).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!said.contains("secret-password") && !said.contains("listening"), "{said}");
        (output.status.code(), said)
    };
    let (login, directory) = (login.to_str().unwrap(), common.registry.as_str());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("nats://{}", listener.local_addr().unwrap());
    drop(listener);
    for (registry, further, code, expected) in [
        ("nats://replica:secret-password@127.0.0.1:4222", &[][..], 2, "a login in an address"),
        ("nats://registry.example:4222", &[], 2, "without TLS"),
        ("http://127.0.0.1:4222", &[], 2, "not the address of a server"),
        ("nats://127.0.0.1:4222", &["--replicas-login", login], 2, "can be read by others"),
        (directory, &["--replicas-login", login], 2, "is a directory"),
        (&silent, &[], 1, "cannot be reached"),
    ] {
        let (ended, said) = start(registry, further);
        assert!(ended == Some(code) && said.contains(expected), "{registry}: {ended:?} {said}");
    }
    std::fs::set_permissions(login, std::fs::Permissions::from_mode(0o600)).unwrap();
    let (ended, said) = start(&silent, &["--replicas-login", login]);
    assert!(ended == Some(1) && said.contains("hint: "), "{ended:?} {said}");
}
