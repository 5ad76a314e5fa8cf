//! The compiler that stays, from outside: between calls of a server it is one process, and it ends with the server.

use std::time::{Duration, Instant};

use bailiwick_tests::{Mcp, World, server};
use serde_json::{Value, json};

/// A server whose temporary files lie in the world, so that the world knows the processes that work there.
fn served(world: &World, more: &[&'static str]) -> Mcp {
    let temporary = world.base().join("temporary");
    std::fs::create_dir_all(&temporary).unwrap();
    let mut command = server(world.base(), &world.serving(more));
    command.env("TMPDIR", temporary);
    Mcp::over(command, json!({}))
}

/// A dry run, after `client.tsp` got one more line with a name that no other run has, so that no kept index answers.
fn planned(world: &World, client: &mut Mcp, line: &str) -> Value {
    let file = world.project().join("client.tsp");
    let own = world.base().file_name().unwrap().to_str().unwrap();
    std::fs::write(&file, format!("{}// {line} {own}\n", world.client())).unwrap();
    let request = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
    let arguments = json!({ "packagePath": world.package(), "customizationRequest": request, "dryRun": true });
    let mut answer = client.call("azsdk_package_customize_code", arguments);
    assert_eq!(answer["structuredContent"]["status"], "finished", "{answer:#}");
    // No two have the same.
    answer["structuredContent"].as_object_mut().unwrap().remove("runId");
    answer
}

/// The compilers that stay.
fn residents(world: &World) -> Vec<u32> {
    let stays = |number: &u32| {
        std::fs::read(format!("/proc/{number}/cmdline"))
            .is_ok_and(|text| String::from_utf8_lossy(&text).contains("--requests\0"))
    };
    world.processes().into_iter().filter(stays).collect()
}

fn soon_gone(world: &World) {
    let started = Instant::now();
    while !residents(world).is_empty() {
        assert!(started.elapsed() < Duration::from_secs(60), "a compiler outlives its server");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn compiler_stays_between_the_calls_of_a_server_and_ends_with_it() {
    let world = World::standing_in();
    let mut client = served(&world, &[]);
    planned(&world, &mut client, "one");
    let first = residents(&world);
    assert_eq!(first.len(), 1, "no compiler stayed");
    planned(&world, &mut client, "two");
    assert_eq!(residents(&world), first, "another process answered");
    let renamed =
        format!("{}@@clientName(Contoso.WidgetManager.AnalyzeResult, \"Analysis\", \"python\");\n", world.client());
    std::fs::write(world.project().join("client.tsp"), &renamed).unwrap();
    let answer = planned(&world, &mut client, "three");
    assert_eq!(residents(&world), first, "another process answered");

    // A new compiler says the same. The line is another, because an index is kept for the first.
    let mut without = served(&world, &["--no-resident"]);
    std::fs::write(world.project().join("client.tsp"), &renamed).unwrap();
    let cold = planned(&world, &mut without, "fours");
    assert_eq!(cold.to_string().replace("// fours", "// three"), answer.to_string());
    assert_eq!(residents(&world), first, "a compiler stayed that was not to");
    assert!(without.close().success());

    assert!(client.close().success());
    soon_gone(&world);
}

#[test]
fn compiler_that_stays_ends_with_a_server_that_is_killed() {
    let world = World::standing_in();
    let mut client = served(&world, &[]);
    planned(&world, &mut client, "one");
    assert_eq!(residents(&world).len(), 1, "no compiler stayed");
    client.signal(rustix::process::Signal::KILL);
    soon_gone(&world);
}
