//! A tool that imports all of WASI 0.2 and tries what of it is meant to be inert or bounded.
//!
//! `{"attempt": "<name>", "text": "…", "number": n}` runs one attempt and answers `{"came": …}` with what it came to; an
//! error is the name of its code. The attempts are the arms of [`attempt`], each with a test in
//! `host/sandbox/tests/it/whole_wasi`.

mod files;

use bailiwick_tool_sdk::{Effects, Grants, Output, Schema, Tool, ToolError, export_tool, input, output};
use serde_json::{Value, json};
use wasip2::sockets::network::{ErrorCode, IpAddressFamily};
use wasip2::{cli, clocks, io, random, sockets};

/// Any JSON at all.
#[derive(serde::Deserialize)]
#[serde(transparent)]
pub struct Json(Value);

impl Schema for Json {
    fn schema() -> Value {
        json!({})
    }
}

impl Output for Json {
    fn write_json(self, out: &mut String) {
        out.push_str(&self.0.to_string());
    }
}

input! {
    /// What `HostileWasi` is given.
    pub struct Input {
        /// What to try.
        pub attempt: String,
        /// A path, a name, a text: whatever the attempt needs.
        pub text: Option<String>,
        /// A length, a time in milliseconds, a count.
        pub number: Option<u64>,
    }
}

output! {
    /// What `HostileWasi` answers.
    pub struct Came {
        /// What the attempt came to.
        pub came: Json,
    }
}

/// Tries what is meant to be inert.
pub struct HostileWasi;

impl Tool for HostileWasi {
    const NAME: &'static str = "HostileWasi";
    const DESCRIPTION: &'static str = "Tries all of WASI. For tests only.";
    const EFFECTS: Effects = Effects::READS.union(Effects::WRITES).union(Effects::DESTRUCTIVE);
    type Input = Input;
    type Output = Came;

    fn call(_: &Grants, input: Input) -> Result<Came, ToolError> {
        let text = input.text.unwrap_or_default();
        let came = attempt(&input.attempt, &text, input.number.unwrap_or(0));
        let came = came.ok_or_else(|| ToolError::invalid_input(format!("there is no attempt `{}`", input.attempt)))?;
        Ok(Came { came: Json(came) })
    }
}

export_tool!(HostileWasi);

fn attempt(name: &str, text: &str, number: u64) -> Option<Value> {
    Some(match name {
        "environment" => json!({
            "variables": cli::environment::get_environment(),
            "arguments": cli::environment::get_arguments(),
            "directory": cli::environment::initial_cwd(),
        }),
        "terminals" => json!([
            cli::terminal_stdin::get_terminal_stdin().is_some(),
            cli::terminal_stdout::get_terminal_stdout().is_some(),
            cli::terminal_stderr::get_terminal_stderr().is_some(),
        ]),
        "stdin" => match cli::stdin::get_stdin().blocking_read(100) {
            Ok(bytes) => json!(bytes),
            Err(error) => json!(files::stream(error)),
        },
        "print" => print(text, number),
        "exit" => {
            print(text, 1);
            cli::exit::exit(if number == 0 { Ok(()) } else { Err(()) });
            json!("still here")
        }
        "sockets" => json!([
            sockets::tcp_create_socket::create_tcp_socket(IpAddressFamily::Ipv4).map(|_| ()).map_err(code),
            sockets::tcp_create_socket::create_tcp_socket(IpAddressFamily::Ipv6).map(|_| ()).map_err(code),
            sockets::udp_create_socket::create_udp_socket(IpAddressFamily::Ipv4).map(|_| ()).map_err(code),
        ]),
        "resolve" => {
            let network = sockets::instance_network::instance_network();
            json!(sockets::ip_name_lookup::resolve_addresses(&network, text).map(|_| ()).map_err(code))
        }
        "networks" => {
            let all: Vec<_> = (0..number).map(|_| sockets::instance_network::instance_network()).collect();
            json!(all.len())
        }
        "clocks" => {
            let wall = || {
                let now = clocks::wall_clock::now();
                (now.seconds, now.nanoseconds)
            };
            let before = (wall(), clocks::monotonic_clock::now());
            clocks::monotonic_clock::subscribe_duration(number * 1_000_000).block();
            json!([before, (wall(), clocks::monotonic_clock::now())])
        }
        "sleep-for-ever" => {
            clocks::monotonic_clock::subscribe_duration(u64::MAX).block();
            json!("woke")
        }
        "poll-for-ever" => {
            let never: Vec<_> = (0..8).map(|_| clocks::monotonic_clock::subscribe_instant(u64::MAX)).collect();
            json!(io::poll::poll(&never.iter().collect::<Vec<_>>()))
        }
        "poll-in-a-loop" => loop {
            let ready = clocks::monotonic_clock::subscribe_duration(0);
            io::poll::poll(&[&ready]);
        },
        "poll" => {
            let stdin = cli::stdin::get_stdin();
            let pollables = [
                clocks::monotonic_clock::subscribe_duration(u64::MAX),
                stdin.subscribe(),
                clocks::monotonic_clock::subscribe_duration(0),
            ];
            json!(io::poll::poll(&pollables.each_ref()))
        }
        "poll-the-same" => {
            let ready = clocks::monotonic_clock::subscribe_duration(0);
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            json!(io::poll::poll(&vec![&ready; number]).len())
        }
        "pollables" => {
            let all: Vec<_> = (0..number).map(|_| clocks::monotonic_clock::subscribe_duration(0)).collect();
            json!(all.len())
        }
        "streams" => {
            let all: Vec<_> = (0..number).map(|_| cli::stdout::get_stdout()).collect();
            json!(all.len())
        }
        "random" => json!([
            random::random::get_random_bytes(number),
            random::random::get_random_u64(),
            random::insecure::get_insecure_random_bytes(number),
            random::insecure::get_insecure_random_u64(),
            random::insecure_seed::insecure_seed(),
        ]),
        "random-in-a-loop" => loop {
            random::random::get_random_bytes(number);
        },
        _ => return files::attempt(name, text, number),
    })
}

fn code(code: ErrorCode) -> String {
    code.name().to_owned()
}

/// Writes a text to both streams so many times.
fn print(text: &str, times: u64) -> Value {
    for stream in [cli::stdout::get_stdout(), cli::stderr::get_stderr()] {
        for _ in 0..times {
            if let Err(error) = stream.blocking_write_and_flush(text.as_bytes()) {
                return json!(files::stream(error));
            }
        }
    }
    json!(times)
}
