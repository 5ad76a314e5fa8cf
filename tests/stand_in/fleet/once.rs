//! Workers of a server that end when there is nothing to do, and what `doctor` says of a server.

use super::server::{Server, arguments};
use super::{Fleet, until, verdicts};
use serde_json::{Value, json};

#[test]
fn worker_with_once_does_what_is_there_and_ends() {
    let fleet = Fleet::in_five_languages(5, |_| json!({}));
    let (path, manifest) = fleet.plan_all("generate");
    let server = Server::start();
    let address = server.address();
    let once = |languages: &str| {
        let arguments = [&arguments(&fleet, &address, languages)[..], &["--once"]].concat();
        fleet.world.bailiwick(&arguments).exits(0).stderr
    };
    // A server that no fleet has used has nothing to do.
    assert!(!once("python").contains("begun"));
    let mut run = fleet.start(&["fleet", "run", path.to_str().unwrap(), "--queue", &address]);
    server.until_it_has(5);
    let said = once("python,java");
    assert_eq!(said.matches("begun: ").count(), 2, "{said}");
    assert_eq!(run.try_wait().unwrap(), None, "the packages of other languages wait");
    let said = once("java,csharp,javascript,go");
    assert_eq!(said.matches("begun: ").count(), 3, "{said}");
    assert_eq!(until("the fleet has ended", || run.try_wait().unwrap()).code(), Some(0));
    assert!(!once("python").contains("begun"));
    let found = verdicts(&fleet.report(&manifest));
    assert!(found.iter().all(|(_, verdict)| verdict == "succeeded"), "{found:?}");
    fleet.assert_untouched();
}

#[test]
fn doctor_says_how_soon_the_server_of_a_queue_writes_to_its_disk() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let asked = |monitor: &str| {
        let checks = fleet.world.bailiwick(&["--json", "doctor", "--queue-monitor", monitor]).json()["checks"].clone();
        let name = format!("queue {monitor}");
        checks.as_array().unwrap().iter().find(|check| check["name"] == name.as_str()).unwrap().clone()
    };
    let hint = "`sync_interval: always` in its configuration";
    let late = Server::start();
    let found = asked(&late.monitor());
    assert_eq!(found["found"], "it writes to its disk only every 120 seconds");
    assert_eq!((&found["status"], &found["hint"]), (&"note".into(), &hint.into()));
    let at_once = Server::with(tempfile::tempdir().unwrap(), "", "sync_interval: always");
    let found = asked(&at_once.monitor());
    assert_eq!(found["found"], "it writes to its disk before it acknowledges");
    assert_eq!((&found["status"], &found["hint"]), (&"good".into(), &Value::Null));
    // The port of the clients is not the one that can be asked, and a server that is gone cannot be asked either.
    let monitor = at_once.monitor();
    drop(at_once);
    for monitor in [late.address().trim_start_matches("nats://"), &monitor] {
        assert_eq!(asked(monitor)["status"], "note", "{monitor}");
    }
}
