//! A program in place of the server that sends without end: the worker ends with one sentence, and has not taken much memory.

use super::server::arguments;
use super::{Fleet, until};
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;

/// The most memory that a worker may have taken, in MiB: some 40 at rest, 64 of a greeting or 8 of a message, and what comes until
/// that is seen, which on a busy machine takes a while. Without the bound it is 2,000 after three seconds, and more with each.
const MOST: u64 = 800;

/// Listens where a server should, and gives the address.
fn stranger(says: impl Fn(&mut TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("nats://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            says(&mut stream);
        }
    });
    address
}

fn pour(stream: &mut TcpStream, part: &[u8]) {
    while stream.write_all(part).is_ok() {}
}

/// Sends the greeting of a server, and waits until the client has sent its own.
fn greet(stream: &mut TcpStream) {
    let _ = stream.write_all(b"INFO {}\r\n");
    let _ = stream.read(&mut [0; 4096]);
    let _ = stream.write_all(b"PONG\r\n");
}

/// The most memory that a process has taken so far, in MiB.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? / 1024)
}

#[test]
fn worker_ends_in_one_sentence_and_has_taken_little_memory() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let part = vec![b'x'; 1 << 20];
    let greeting = part.clone();
    let servers = [
        ("a greeting without end", stranger(move |stream| pour(stream, &[b"INFO ", &greeting[..]].concat()))),
        (
            "a message without end",
            stranger(move |stream| {
                greet(stream);
                let _ = stream.write_all(b"MSG a 1 1099511627776\r\n");
                pour(stream, &part);
            }),
        ),
        (
            "words without end",
            stranger(|stream| {
                greet(stream);
                pour(stream, &b"PING\r\n".repeat(10_000));
            }),
        ),
    ];
    for (what, address) in servers {
        let mut command = fleet.world.command(&arguments(&fleet, &address, "python"));
        let mut worker = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut most = 0;
        let status = until("the worker has ended", || {
            most = peak(worker.id()).unwrap_or_default().max(most);
            worker.try_wait().unwrap()
        });
        let mut said = String::new();
        worker.stderr.unwrap().read_to_string(&mut said).unwrap();
        println!("{what}: {most} MiB");
        let errors = said.lines().filter(|line| line.starts_with("error: ")).count();
        assert!(status.code() == Some(1) && errors == 1, "{what}: {status} {said}");
        assert!(most < MOST, "{what}: {most} MiB: {said}");
        assert!(said.contains("sent more than is read"), "{what}: {said}");
    }
    fleet.assert_untouched();
}
