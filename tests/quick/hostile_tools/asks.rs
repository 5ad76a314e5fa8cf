//! A tool gets what its manifest asks for and a person approved, and only that one tool does.

use super::liar::Liar;
use super::machine::{Machine, directory, guest, offers};
use serde_json::{Value, json};

/// A component that wants something of this host that no host has, and has a function beside.
const WANTS: &str = r#"(component
    (import "acme:keys/vault@1.0.0" (instance $vault (export "open" (func (result u32)))))
    (alias export $vault "open" (func $open))
    (core func $lowered (canon lower (func $open)))
    (func $all (result u32) (canon lift (core func $lowered)))
    (export "all" (func $all)))"#;

#[test]
fn tool_that_asks_for_more_than_its_manifest_gets_nothing_of_it() {
    let machine = Machine::new();
    let wants = wat::parse_str(WANTS).unwrap();
    // A manifest grants what is written in it. What no manifest can ask for is never granted.
    let net = machine.project("net", &guest("hostile-net-guest"), "");
    let vault = machine.project("vault", &wants, &directory("docs", "write"));
    let alone = machine.base().join("alone.wasm");
    std::fs::write(&alone, wants).unwrap();
    for (place, import) in [(&net, "wasi:http/"), (&vault, "acme:keys/vault@1.0.0"), (&alone, "acme:keys/vault@1.0.0")]
    {
        let place = place.to_str().unwrap();
        for command in [&["tool", "add", place, "--name", "more"][..], &["tool", "inspect", place]] {
            let said = machine.exits(command, 3);
            assert!(said.contains(import) && said.contains("hint: "), "{said}");
        }
    }
    assert!(!machine.base().join("state/tools/added.json").exists());
    let honest = machine.project("honest", &Liar::new("Honest").component(), "");
    let [net, honest] = [net, honest].map(|place| place.to_str().unwrap().to_owned());
    let mut server = machine.mcp(&["--develop", &honest, "--develop", &net, "--grant", "docs=docs:rw"]);
    assert!(!offers(&mut server, "HostileNet"));
    drop(server);

    // One variable was asked for: the others are not there, and neither is the time.
    let asks = "[[environment]]\nname = \"BAILIWICK_STATE_DIR\"\nreason = \"says where\"\n";
    machine.approved("wasi", &guest("hostile-wasi-guest"), asks);
    // Later builds of the author are not approved.
    machine.project("wasi", &guest("hostile-wasi-guest"), "[clocks]\nreason = \"r\"\n[random]\nreason = \"r\"\n");
    let environment = |output: &Value| {
        let came = &output["came"];
        let names: Vec<_> = came["variables"].as_array().unwrap().iter().map(|one| one[0].clone()).collect();
        assert_eq!(names, ["BAILIWICK_STATE_DIR"], "{came}");
        assert_eq!((&came["arguments"], &came["directory"]), (&json!([]), &Value::Null));
    };
    let attempt = |what: &str| json!({ "attempt": what, "number": 8 });
    environment(&machine.call("HostileWasi", &attempt("environment"), &[]));
    let mut server = machine.mcp(&["--tool", "wasi"]);
    environment(&server.call("HostileWasi", attempt("environment"))["structuredContent"]);
    for what in ["clocks", "random"] {
        let by_command = machine.call("HostileWasi", &attempt(what), &[]);
        assert_eq!(server.call("HostileWasi", attempt(what))["structuredContent"], by_command, "the same to everybody");
    }
}

#[test]
fn tool_that_was_exchanged_behind_its_name_is_not_used() {
    let machine = Machine::new();
    machine.approved("one", &guest("hostile-guest"), &directory("docs", "read"));
    machine.approved("two", &Liar::new("Two").component(), &directory("other", "write"));
    let arguments = ["--grant", "docs=docs", "--grant", "other=other:rw", "--tool", "one=docs", "--tool", "two=other"];
    let look = json!({ "operations": [["readdir", 0], ["readdir", 1]] });
    let granted = ["--grant", "docs=docs"];
    let before = machine.call("Hostile", &look, &granted);
    let mut server = machine.mcp(&arguments);
    assert_eq!(server.call("Hostile", look.clone())["structuredContent"], before);

    let refused = |why: &str| {
        let hostile = ["tool", "call", "Hostile", "--input", "{\"operations\":[]}", "--grant", "docs=docs"];
        let two = ["tool", "call", "Two", "--input", "{}", "--grant", "other=other:rw"];
        for command in [&hostile[..], &two, &[&["mcp"], &arguments[..]].concat()] {
            let said = machine.exits(command, 3);
            assert!(said.contains(why) && said.contains("hint: "), "{command:?}: {said}");
        }
    };
    let exchange = |a: &std::path::Path, b: &std::path::Path| {
        let [first, second] = [a, b].map(|file| std::fs::read(file).unwrap());
        std::fs::write(a, second).unwrap();
        std::fs::write(b, first).unwrap();
    };

    // The files of the store, each in the other's place.
    let (one, two) = (machine.kept("one"), machine.kept("two"));
    exchange(&one, &two);
    refused("is not the one that was added");
    // What was read before may be served on; what is read anew is not, whether it is called or listed.
    let answer = server.call("Hostile", look.clone());
    assert!(answer["isError"] == true || answer["structuredContent"] == before, "{answer:#}");
    machine.added("Three", &Liar::new("Three").component());
    server.wait_for(|message| message["method"] == "notifications/tools/list_changed");
    assert!(!offers(&mut server, "Hostile") && !offers(&mut server, "Two"));
    exchange(&one, &two);

    // What the index says of them, each under the other's name, with the approvals where they were.
    let index = machine.base().join("state/tools/added.json");
    let honest = std::fs::read_to_string(&index).unwrap();
    let mut edited: Value = serde_json::from_str(&honest).unwrap();
    let [first, second] = ["one", "two"].map(|name| edited["components"][name]["current"].clone());
    edited["components"]["one"]["current"] = second;
    edited["components"]["two"]["current"] = first;
    std::fs::write(&index, edited.to_string()).unwrap();
    refused("is not what was approved");
    std::fs::write(&index, honest).unwrap();
    assert_eq!(machine.call("Hostile", &look, &granted), before);
    server.wait_for(|message| message["method"] == "notifications/tools/list_changed");
    assert_eq!(server.call("Hostile", look)["structuredContent"], before);
}
