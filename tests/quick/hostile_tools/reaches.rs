//! A tool reaches what it was given: not its neighbour's directory, and no machine by any of its names.

use super::machine::{Machine, directory, guest, offers};
use serde_json::{Value, json};
use std::net::TcpListener;

#[test]
fn tool_that_tries_another_tools_directory_finds_its_own_alone() {
    let machine = Machine::new();
    machine.approved("hostile", &guest("hostile-guest"), &directory("docs", "read"));
    machine.approved("wasi", &guest("hostile-wasi-guest"), &directory("other", "write"));
    let grants = ["--grant", "docs=docs", "--grant", "other=other:rw"];
    let ways = json!({ "operations": [
        ["readdir", 0],
        ["readdir", 1],
        ["open-at", 0, "../other/other.txt", "r"],
        ["open-at", 0, "/other/other.txt", "r"],
        ["open-at", 0, "other/other.txt", "r"],
        ["open-at", 0, "docs.txt", "w"],
    ] });
    let shut = |answers: &Value| {
        let answers = answers["answers"].as_array().unwrap();
        assert!(answers[0].to_string().contains("docs.txt"), "{answers:?}");
        for (number, answer) in answers.iter().enumerate().skip(1) {
            assert!(answer["err"].is_string(), "{number}: {answer}");
        }
    };
    let read = |path: &str| json!({ "attempt": "file-read", "text": path, "number": 0 });

    // By command: what a person names for one call, and what the manifest asks for, whichever is less.
    shut(&machine.call("Hostile", &ways, &["--grant", "docs=docs"]));
    for more in [&grants[..], &["--grant", "docs=other", "--grant", "other=docs"]] {
        let said = machine.exits(&[&["tool", "call", "Hostile", "--input", &ways.to_string()], more].concat(), 3);
        assert!(said.contains("`hostile` asks for no directory `other`"), "{said}");
    }

    // In one server, each with its own.
    for (offer, code) in [("hostile=docs,other", 3), ("hostile=other", 3), ("hostile", 2), ("hostile=docs,docs", 2)] {
        machine.exits(&[&["mcp"], &grants[..], &["--tool", offer]].concat(), code);
    }
    let mut server = machine.mcp(&[&grants[..], &["--tool", "hostile=docs", "--tool", "wasi=other"]].concat());
    assert!(offers(&mut server, "Hostile") && offers(&mut server, "HostileWasi"));
    for _ in 0..2 {
        shut(&server.call("Hostile", ways.clone())["structuredContent"]);
        for path in ["../docs/docs.txt", "/docs/docs.txt", "docs/docs.txt"] {
            let came = server.call("HostileWasi", read(path))["structuredContent"]["came"].clone();
            assert!(came["error"].is_string(), "{path}: {came}");
        }
        let own = server.call("HostileWasi", read("other.txt"))["structuredContent"]["came"].clone();
        assert!(own["error"].is_null(), "{own}");
    }
    assert_eq!(std::fs::read_to_string(machine.base().join("docs/docs.txt")).unwrap(), "text\n");
}

#[test]
fn tool_that_tries_the_network_reaches_no_machine_that_was_not_approved_by_name_or_address() {
    let machine = Machine::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = |host: &str, port: u16| {
        format!(
            "[[network]]\nhost = \"{host}\"\nport = {port}\nscheme = \"http\"\nmethods = [\"GET\"]\nreason = \"asks\"\n"
        )
    };
    // What a person took for public names and addresses.
    let asks = [asked("localhost", port), asked("127.0.0.1", port), asked("[::1]", port), asked("169.254.169.254", 80)];
    machine.approved("net", &guest("hostile-net-guest"), &asks.concat());
    machine.approved("wasi", &guest("hostile-wasi-guest"), "");
    let at = |host: &str| json!({ "scheme": "http", "authority": host, "path": "/" });
    let with = |host: &str| at(&format!("{host}:{port}"));
    let inward = [with("localhost"), with("LOCALHOST"), with("127.0.0.1"), with("[::1]"), at("169.254.169.254")];
    let elsewhere = [
        at("api.example.com"),
        with("localhost.example.com"),
        with("127.1"),
        with("2130706433"),
        with("0x7f.0.0.1"),
        with("[::ffff:127.0.0.1]"),
        with("user@localhost"),
        at("localhost"),
        at("127.0.0.1:1"),
    ];
    let input = json!({ "requests": inward.iter().chain(&elsewhere).collect::<Vec<_>>() });
    let unreached = |answers: &Value| {
        let answers = answers["answers"].as_array().unwrap();
        assert_eq!(answers.len(), inward.len() + elsewhere.len(), "{answers:?}");
        for (number, answer) in answers.iter().enumerate() {
            let why = answer["err"].as_str().unwrap_or_else(|| panic!("{number}: {answer}"));
            match number < inward.len() {
                true => assert_eq!(why, "DestinationIpProhibited", "{}", inward[number]),
                false => assert!(why == "HttpRequestDenied" || why.starts_with("guest:"), "{number}: {why}"),
            }
        }
        assert!(listener.accept().is_err(), "a connection was made");
    };
    let raw = [
        (json!({ "attempt": "sockets" }), "access-denied"),
        (json!({ "attempt": "resolve", "text": "localhost" }), "access-denied"),
    ];
    let refused = |came: &Value, why: &str| assert!(came.to_string().contains(why), "{came}");

    unreached(&machine.call("HostileNet", &input, &[]));
    raw.iter().for_each(|(input, why)| refused(&machine.call("HostileWasi", input, &[]), why));
    let mut server = machine.mcp(&["--tool", "net", "--tool", "wasi"]);
    unreached(&server.call("HostileNet", input)["structuredContent"]);
    raw.iter().for_each(|(input, why)| refused(&server.call("HostileWasi", input.clone())["structuredContent"], why));

    // A tool in development was never approved: no request leaves.
    let place =
        machine.project("mine", &guest("hostile-net-guest"), &format!("{}private = true\n", asked("localhost", port)));
    let mut server = machine.mcp(&["--develop", place.to_str().unwrap()]);
    let answer = server.call("HostileNet", json!({ "requests": [with("localhost")] }));
    assert_eq!(answer["structuredContent"]["answers"], json!([{ "err": "HttpRequestDenied" }]), "{answer:#}");
    assert!(listener.accept().is_err(), "a connection was made");
}
