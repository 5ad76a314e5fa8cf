//! 200 clients of one server over HTTP, beside the same clients of two replicas on the same machine.
//!
//! The clients are 8 programs each of 25 persons, every one with a token of its own and a connection that stays. Each asks,
//! again and again and all at once, about the run of its person, at the replica that has it or at the other one. An answer
//! about anything else, or none, ends the measurement: nothing is lost. `cargo xtask bench replicas` runs it with the
//! release binary.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod client;

use bailiwick_tests::{HttpServer, Issuer, World, server};
use client::Client;
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Barrier;
use std::time::{Duration, Instant};

const PERSONS: usize = 25;
const PROGRAMS: usize = 8;
/// Calls of one client in a round.
const CALLS: usize = 25;
/// Rounds, of which the first one warms up.
const ROUNDS: usize = 4;
const AUDIENCE: &str = "http://mcp.example/mcp";
/// Stands where a token of the server's own would be printed.
const NO_TOKEN: &str = "no-token-of-anybody";

/// A person with the run that is asked about.
struct Person {
    tokens: Vec<String>,
    run: String,
    /// Which server has it.
    home: usize,
}

/// At which server a client asks.
#[derive(Clone, Copy)]
enum At {
    Home,
    Elsewhere,
    /// In turns, as a balancer sends it.
    Both,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if !wanted.is_empty() && !wanted.iter().any(|word| "replicas".contains(word.as_str())) {
        return;
    }
    let (world, issuer) = (World::standing_in(), Issuer::start());
    let base = world.base();
    let key = base.join("key");
    std::fs::write(&key, "a-key-of-replicas-of-more-than-32-characters").expect("a file");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).expect("its mode");
    println!(
        "| {} clients | calls a second | p50 | p99 | longest | asked again | memory of each server, before and after |",
        PERSONS * PROGRAMS
    );
    println!("|---|---|---|---|---|---|---|");
    let alone = [started(&world, &issuer, "alone", &[])];
    let persons = persons(&world, &issuer, &alone, "alone");
    measure("one server", &alone, &persons, At::Home);
    drop(alone);
    let registry = base.join("registry");
    let further = ["--state-key", path(&key), "--replicas", path(&registry)];
    let two = ["first", "second"].map(|state| started(&world, &issuer, state, &further));
    let persons = self::persons(&world, &issuer, &two, "two");
    measure("two replicas, each client at the one that has its run", &two, &persons, At::Home);
    measure("two replicas, each client at the other one", &two, &persons, At::Elsewhere);
    measure("two replicas, each client at both in turns", &two, &persons, At::Both);
}

fn path(path: &Path) -> &str {
    path.to_str().expect("text")
}

fn started(world: &World, issuer: &Issuer, state: &str, further: &[&str]) -> HttpServer {
    let issuer = issuer.url("good");
    let own = ["--http", "--oauth-issuer", &issuer, "--oauth-audience", AUDIENCE, "--answer-within", "600"];
    let mut command = server(world.base(), &world.serving(&[&own, further].concat()));
    command.env("BAILIWICK_STATE_DIR", world.base().join(state));
    HttpServer::over(command, Some(NO_TOKEN))
}

/// Every person with a run of their own, one after the other, as all are on the same package.
fn persons(world: &World, issuer: &Issuer, servers: &[HttpServer], prefix: &str) -> Vec<Person> {
    let person = |number: usize| {
        let token = |program: usize| {
            let claims = json!({
                "aud": AUDIENCE, "sub": format!("{prefix}-{number}"), "client_id": format!("program-{program}"), "exp": "+36000",
            });
            issuer.mint(&json!({ "issuer": "good", "claims": claims }))
        };
        let tokens: Vec<_> = (0..PROGRAMS).map(token).collect();
        let home = number % servers.len();
        let mut client = Client::connect(servers[home].address(), &tokens[0]);
        let (built, _) = client.call("azsdk_package_build_code", &json!({ "packagePath": world.package() }));
        let run = built["structuredContent"]["runId"].as_str().unwrap_or_else(|| panic!("{built:#}")).to_owned();
        Person { tokens, run, home }
    };
    (0..PERSONS).map(person).collect()
}

fn measure(what: &str, servers: &[HttpServer], persons: &[Person], at: At) {
    let before: Vec<_> = servers.iter().map(memory).collect();
    let (mut times, mut refused, mut took) = (Vec::new(), 0, Duration::ZERO);
    for round in 0..ROUNDS {
        let begun = Instant::now();
        let (measured, again) = asked(servers, persons, at);
        if round > 0 {
            took += begun.elapsed();
            times.extend(measured);
            refused += again;
        }
    }
    assert_eq!(times.len(), PERSONS * PROGRAMS * CALLS * (ROUNDS - 1), "every call is answered");
    times.sort();
    let percentile = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
    let memory: Vec<_> =
        servers.iter().map(memory).zip(before).map(|(now, then)| format!("{then} → {now} MiB")).collect();
    println!(
        "| {what} | {:.0} | {:.1?} | {:.1?} | {:.1?} | {refused} | {} |",
        times.len() as f64 / took.as_secs_f64(),
        percentile(50),
        percentile(99),
        times[times.len() - 1],
        memory.join(", ")
    );
}

/// All clients at once; how long each call took, and how often one was refused and made again.
fn asked(servers: &[HttpServer], persons: &[Person], at: At) -> (Vec<Duration>, usize) {
    let together = Barrier::new(PERSONS * PROGRAMS);
    let (mut times, mut refused) = (Vec::new(), 0);
    std::thread::scope(|scope| {
        let clients = persons.iter().flat_map(|person| person.tokens.iter().map(move |token| (person, token)));
        let threads: Vec<_> =
            clients.map(|(person, token)| scope.spawn(|| one(servers, person, token, at, &together))).collect();
        for thread in threads {
            let (own, again) = thread.join().expect("a client");
            times.extend(own);
            refused += again;
        }
    });
    (times, refused)
}

fn one(servers: &[HttpServer], person: &Person, token: &str, at: At, together: &Barrier) -> (Vec<Duration>, usize) {
    let other = (person.home + 1) % servers.len();
    let places = match at {
        At::Home => vec![person.home],
        At::Elsewhere => vec![other],
        At::Both => vec![person.home, other],
    };
    let mut clients: Vec<_> = places.iter().map(|place| Client::connect(servers[*place].address(), token)).collect();
    let arguments = json!({ "runId": person.run });
    together.wait();
    let mut times = Vec::with_capacity(CALLS);
    for call in 0..CALLS {
        let place = call % clients.len();
        let (result, time) = clients[place].call("azsdk_run_show", &arguments);
        assert_eq!(result["structuredContent"]["runId"], person.run.as_str(), "{result:#}");
        times.push(time);
    }
    (times, clients.iter().map(|client| client.refused).sum())
}

/// The memory that is this process' own or its share of what others have too, in MiB.
fn memory(server: &HttpServer) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", server.process())).expect("Linux");
    let line = text.lines().find_map(|line| line.strip_prefix("Rss:")).expect("Rss");
    let kibibytes: u64 = line.split_whitespace().next().expect("a number").parse().expect("a number");
    kibibytes / 1024
}
