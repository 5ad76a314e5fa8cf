//! Workers of a NATS server, each of which could be another machine: the same report as without one, whatever is killed
//! and whatever the server loses.

use super::server::{EVERY, Server, end, worker};
use super::{Fleet, kill, of_five, until, verdict, verdicts};
use serde_json::{Value, json};

#[test]
fn report_is_the_same_though_a_worker_is_killed_and_the_server_loses_its_disk() {
    let packages = super::proof::packages();
    let fleet = Fleet::in_five_languages(packages, |number| {
        if number == 1 { json!({ "generate": [["error: gives up"]] }) } else { json!({ "takes": 300 }) }
    });
    let (path, manifest) = fleet.plan_all("generate");
    let mut server = Server::start();
    let address = server.address();
    let mut run = fleet.start(&["fleet", "run", path.to_str().unwrap(), "--queue", &address, "--queue-lease", "5"]);
    let (first, second) = (worker(&fleet, &server, EVERY), worker(&fleet, &server, EVERY));
    let results = fleet.world.base().join("state/fleets").join(manifest["fleet"].as_str().unwrap()).join("results");
    let count = || std::fs::read_dir(&results).into_iter().flatten().count();
    until("a package is done", || (count() > 0).then_some(()));
    kill(first.id());
    first.wait_with_output().unwrap();
    let third = worker(&fleet, &server, EVERY);
    until("a few more are done", || (count() > 2).then_some(()));
    server.lose_everything();
    let status = until("the fleet has ended", || run.try_wait().unwrap());
    assert_eq!(status.code(), Some(1), "a package has failed");
    end(second);
    end(third);
    let report = fleet.report(&manifest);
    let found = verdicts(&report);
    for number in 0..packages {
        let expected = if number == 1 { "failed" } else { "succeeded" };
        assert_eq!(verdict(&found, &of_five(number)), expected, "{report:#}");
    }
    assert_eq!(report["complete"], true);
    fleet.assert_untouched();
    // The same on this machine alone: what differs is how long it took, and which attempt it was.
    let (path, again) = fleet.plan_all("generate");
    let _ = fleet.run(&path, &["--workers", "2"]).exits(1);
    let alike = |report: &Value| -> Vec<Value> {
        let told = |row: &Value| json!([row["package"], row["verdict"], row["message"], row["changed"]]);
        report["rows"].as_array().unwrap().iter().map(told).collect()
    };
    assert_eq!(alike(&report), alike(&fleet.report(&again)));
}

#[test]
fn worker_uses_no_model_that_was_not_allowed_to_it() {
    let fleet = Fleet::in_five_languages(1, |_| json!({}));
    let (path, manifest) = fleet.plan("fix", &["--model", "openai:gpt-5@http://127.0.0.1:9/v1"]);
    let server = Server::start();
    let address = server.address();
    let run = ["fleet", "run", path.to_str().unwrap(), "--queue", &address, "--queue-lease", "5"];
    let mut run = fleet.start(&run);
    let only = worker(&fleet, &server, EVERY);
    let status = until("the fleet has ended", || run.try_wait().unwrap());
    assert_eq!(status.code(), Some(1), "the package has failed");
    end(only);
    let report = fleet.report(&manifest);
    assert!(report["rows"][0]["message"].as_str().unwrap().contains("may not use the model"), "{report:#}");
    fleet.assert_untouched();
}

#[test]
fn worker_takes_its_languages_alone_and_a_cancelled_fleet_ends() {
    let fleet = Fleet::in_five_languages(5, |_| json!({}));
    let (path, manifest) = fleet.plan_all("generate");
    let name = manifest["fleet"].as_str().unwrap();
    let server = Server::start();
    let address = server.address();
    let mut run = fleet.start(&["fleet", "run", path.to_str().unwrap(), "--queue", &address, "--queue-lease", "5"]);
    let only = worker(&fleet, &server, "python");
    until("the package of its language is done", || {
        let standing = fleet.world.bailiwick(&["--json", "fleet", "status", name]);
        let standing = (standing.code == 0).then(|| standing.json())?;
        (standing["verdicts"]["succeeded"].as_u64() == Some(1)).then_some(())
    });
    let _ = fleet.world.bailiwick(&["fleet", "cancel", name]).exits(0);
    assert_eq!(run.wait().unwrap().code(), Some(1));
    end(only);
    let found = verdicts(&fleet.report(&manifest));
    assert_eq!(found.iter().filter(|(_, verdict)| verdict == "cancelled").count(), 4, "{found:?}");
    // They are made again where a person wants that.
    let rest = worker(&fleet, &server, EVERY);
    let again = ["fleet", "resume", name, "--retry", "cancelled", "--queue", &address, "--queue-lease", "5"];
    let _ = fleet.world.bailiwick(&again).exits(0);
    end(rest);
    let found = verdicts(&fleet.report(&manifest));
    assert!(found.iter().all(|(_, verdict)| verdict == "succeeded"), "{found:?}");
    fleet.assert_untouched();
}

#[test]
fn queue_that_would_show_a_password_or_send_it_in_the_clear_is_refused() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let (path, _) = fleet.plan("generate", &[]);
    let login = fleet.world.base().join("login");
    std::fs::write(&login, "worker\nsecret-password\n").unwrap();
    let run = |queue: &str, further: &[&str]| {
        let arguments = [&["fleet", "run", path.to_str().unwrap(), "--queue", queue], further].concat();
        let answer = fleet.world.bailiwick(&arguments);
        assert!(!answer.stderr.contains("secret-password"), "{}", answer.stderr);
        (answer.code, answer.stderr)
    };
    for (queue, further, said) in [
        ("nats://worker:secret-password@127.0.0.1:4222", &[][..], "a login in an address"),
        ("nats://queue.example:4222", &[], "without TLS"),
        ("nats://127.0.0.1:4222", &["--queue-login", "login"], "can be read by others"),
    ] {
        let (code, stderr) = run(queue, further);
        assert!(code == 2 && stderr.contains(said), "{queue}: {code} {stderr}");
    }
    fleet.assert_untouched();
}
