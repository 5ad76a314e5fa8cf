//! A tool that writes, prints and answers without end does not fill a screen, memory or context.

use super::liar::Liar;
use super::machine::{Machine, guest};
use bailiwick_tests::text;
use serde_json::{Value, json};

/// 32 MiB of an answer, which begins as an answer would.
const FLOOD: &str = "
    (drop (memory.grow (i32.const 520)))
    (memory.fill (i32.const 65536) (i32.const 32) (i32.const 33554432))
    (i32.store (i32.const 132) (i32.const 65536))
    (i32.store (i32.const 136) (i32.const 33554432))";

#[test]
fn tool_that_floods_is_stopped_and_what_came_of_it_is_bounded() {
    let machine = Machine::new();
    machine.added("Flood", &Liar { invoke: FLOOD, ..Liar::new("Flood") }.component());
    machine.added("rich", &guest("hostile-rich-guest"));
    machine.approved("wasi", &guest("hostile-wasi-guest"), "");
    let attack = |name: &str, count: u32| json!({ "attack": name, "count": count, "text": "x".repeat(100) });
    // What is printed by a guest goes nowhere, so it takes nothing.
    let print = json!({ "attempt": "print", "text": "spam".repeat(1000), "number": 10_000 });
    let floods = [
        ("Flood", json!({}), "the output is longer than"),
        ("HostileRich", attack("log", 100_000), "the tool sent more than"),
        ("HostileRich", attack("progress", 100_000), "the tool sent more than"),
        ("HostileRich", attack("many-parts", 100_000), "parts"),
        ("HostileRich", attack("large-part", 40 << 20), ""),
    ];

    for (tool, input, why) in &floods {
        let said = machine.exits(&["tool", "call", tool, "--input", &input.to_string()], 1);
        assert!(said.contains(why), "{tool} {}: {said}", input["attack"]);
        assert!(said.len() < 3 << 20, "{tool} {}: {} bytes", input["attack"], said.len());
    }
    assert_eq!(machine.call("HostileWasi", &print, &[]), json!({ "came": 10_000 }));
    assert!(!machine.exits(&["tool", "call", "HostileWasi", "--input", &print.to_string()], 0).contains("spam"));

    let mut server = machine.mcp(&["--tool", "Flood", "--tool", "rich", "--tool", "wasi"]);
    let _ = server.request("logging/setLevel", json!({ "level": "debug" }));
    for (tool, input, why) in floods {
        server.aside.clear();
        let mut params = json!({ "name": tool, "arguments": input });
        params["_meta"]["progressToken"] = json!("here");
        let answer = server.request("tools/call", params);
        let result = &answer["result"];
        assert!(result["isError"] == true && text(result).contains(why), "{tool}: {result:#}");
        assert!(result.to_string().len() < 4096, "{tool}: {} bytes", result.to_string().len());
        let heard: usize = server.aside.iter().map(|one| one.to_string().len()).sum();
        assert!(server.aside.len() <= 1_000 && heard < 1 << 20, "{tool}: {} notices", server.aside.len());
    }
    assert_eq!(server.call("HostileWasi", print)["structuredContent"], json!({ "came": 10_000 }));
    let calm = server.call("HostileRich", attack("nothing", 1));
    assert_eq!(calm["isError"].as_bool(), Some(false), "{calm:#}");
    assert_eq!(server.close().code(), Some(0));
    let spam = |message: &Value| message.to_string().contains("spam");
    assert!(!server.aside.iter().any(spam));
}
