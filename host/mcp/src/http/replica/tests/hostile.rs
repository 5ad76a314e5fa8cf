//! Calls that no replica sent, and addresses at which no replica listens.

use super::super::{PATH, TICKET, Ticket};
use super::world::{ISSUER, Replica, World, call, caller, keys};
use crate::keys::Keys;
use crate::replicas::now;
use crate::replicas::wire::{Asks, Forwarded, Frame, Frames};
use crate::tool::Answer;
use bailiwick_runs::Owner;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

pub(super) fn what(owner: Owner, tool: &str, id: &str) -> Forwarded {
    Forwarded {
        tool: tool.into(),
        arguments: json!({ "runId": id }).as_object().unwrap().clone(),
        owner,
        sees_all: true,
        program: "a program".into(),
        client: "test".into(),
        asks: vec![Asks::Person],
        responses: None,
        state: None,
        roots: None,
    }
}

pub(super) fn ticket(to: &Replica, word: &str) -> Ticket {
    Ticket { to: to.replicas.name().into(), at: now(), word: word.into() }
}

/// Sends a call by hand; the status, and the answer if there is one.
pub(super) async fn sent(
    to: &Replica,
    ticket: &Ticket,
    under: [&Keys; 2],
    sealed_for: &str,
    what: &Forwarded,
) -> (u16, String) {
    let header = under[0].seal(Ticket::ABOUT, &serde_json::to_vec(ticket).unwrap()).unwrap();
    let body = under[1].seal(sealed_for, &serde_json::to_vec(what).unwrap()).unwrap();
    let (header, web) = (URL_SAFE_NO_PAD.encode(header), reqwest::Client::builder().no_proxy().build().unwrap());
    let url = format!("http://{}{PATH}", to.address);
    let response = web.post(url).header(TICKET, header).body(body).send().await.unwrap();
    let status = response.status().as_u16();
    let own = keys();
    let mut frames = Frames::new(ticket, &own, 1 << 20);
    frames.add(&response.bytes().await.unwrap());
    let answer = loop {
        match frames.next() {
            Ok(Some(Frame::Alive)) => {}
            other => break other,
        }
    };
    let said = match answer {
        Ok(Some(Frame::Answer(Ok(Answer::Structured { value, .. })))) => value["status"].to_string(),
        Ok(Some(Frame::Answer(Err(failure)))) => failure.message,
        other => format!("{other:?}"),
    };
    (status, said)
}

#[tokio::test(flavor = "multi_thread")]
async fn call_that_was_forged_or_repeated_or_changed_is_refused() {
    let world = World::new();
    let (one, other) = (world.replica("one").await, world.replica("other").await);
    let id = one.pending("anna").await.to_string();
    let show = what(caller("anna").owner, "azsdk_run_show", &id);
    let revert = what(caller("anna").owner, "azsdk_run_revert", &id);
    let (own, strange) = (keys(), Keys::shared([b"a key of others that is long enough.".as_slice()]).unwrap());
    let good = ticket(&one, "a");
    assert_eq!(sent(&one, &good, [&own, &own], &good.call(), &show).await, (200, "\"pending\"".into()));
    // The same once more, and a call of another ticket behind it.
    assert_eq!(sent(&one, &good, [&own, &own], &good.call(), &revert).await.0, 401, "repeated");
    let fresh = ticket(&one, "b");
    assert_eq!(sent(&one, &fresh, [&own, &own], &good.call(), &revert).await.0, 401, "the body of another");
    let fresh = ticket(&one, "c");
    assert_eq!(sent(&one, &fresh, [&own, &strange], &fresh.call(), &revert).await.0, 401, "a forged body");
    let fresh = ticket(&one, "d");
    assert_eq!(sent(&one, &fresh, [&strange, &own], &fresh.call(), &revert).await.0, 401, "a forged ticket");
    let old = Ticket { at: now() - 100, ..ticket(&one, "e") };
    assert_eq!(sent(&one, &old, [&own, &own], &old.call(), &revert).await.0, 401, "an old ticket");
    let elsewhere = ticket(&other, "f");
    assert_eq!(sent(&one, &elsewhere, [&own, &own], &elsewhere.call(), &revert).await.0, 401, "for another replica");
    let web = reqwest::Client::builder().no_proxy().build().unwrap();
    let bare = web.post(format!("http://{}{PATH}", one.address)).body("{}").send().await.unwrap();
    assert_eq!(bare.status().as_u16(), 401, "without a ticket");
    assert_eq!(world.file(), "after");
}

#[tokio::test(flavor = "multi_thread")]
async fn replica_that_says_more_of_a_caller_than_is_so_here_widens_nothing() {
    let world = World::new();
    let one = world.replica("one").await;
    let id = one.pending("anna").await.to_string();
    let own = keys();
    let mut word = 0;
    let mut send = async |owner: Owner, tool: &str| {
        word += 1;
        let ticket = ticket(&one, &format!("word {word}"));
        sent(&one, &ticket, [&own, &own], &ticket.call(), &what(owner, tool, &id)).await
    };
    // All of these say of themselves that they see everybody's runs.
    assert_eq!(send(caller("anna").owner, "azsdk_run_show").await.1, "\"pending\"");
    assert_eq!(send(caller("olga").owner, "azsdk_run_show").await.1, "\"pending\"", "an operator here");
    let (status, said) = send(caller("bob").owner, "azsdk_run_show").await;
    assert!(status == 200 && said.contains("there is no run"), "{said}");
    assert_eq!(send(Owner::Local, "azsdk_run_show").await.0, 403, "no token of this server is one");
    let elsewhere = Owner::Subject { issuer: "https://other.example".into(), subject: "anna".into() };
    assert_eq!(send(elsewhere, "azsdk_run_show").await.0, 403, "another issuer's");
    assert_eq!(ISSUER, "https://issuer.example");
    let (_, said) = send(caller("anna").owner, "azsdk_run_list").await;
    assert!(said.contains("is not about a run"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn program_at_the_address_of_a_replica_reads_nothing_and_is_not_believed() {
    let world = World::new();
    let (mut one, other) = (world.replica("one").await, world.replica("other").await);
    let id = one.pending("anna").await.to_string();
    let address = one.address;
    one.kill().await;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = TcpListener::bind(address).await.unwrap();
    let hears = heard.clone();
    // The connection of one call is not taken for the next.
    let answers = [
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 8\r\n\r\n\0\0\0\x04true",
        "HTTP/1.1 307 Temporary Redirect\r\nConnection: close\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
    ];
    tokio::spawn(async move {
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut piece = [0; 16 * 1024];
            let count = stream.read(&mut piece).await.unwrap();
            hears.lock().unwrap().extend_from_slice(&piece[..count]);
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
            while !matches!(stream.read(&mut piece).await, Ok(0) | Err(_)) {}
        }
    });
    for answer in answers {
        let said = other.ask("azsdk_run_revert", &id, call("anna")).await;
        assert!(said.contains("which does not answer"), "{answer}: {said}");
    }
    let heard = String::from_utf8_lossy(&heard.lock().unwrap()).to_lowercase();
    assert!(heard.starts_with("post /replica"), "{heard}");
    for secret in ["anna", "issuer.example", id.as_str(), "azsdk", "authorization", "bearer"] {
        assert!(!heard.contains(secret), "`{secret}` in {heard}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn program_at_the_address_of_a_replica_that_sends_a_byte_at_a_time_is_given_up() {
    let mut world = World::new();
    world.silence = Duration::from_secs(1);
    let (mut one, other) = (world.replica("one").await, world.replica("other").await);
    let id = one.pending("anna").await.to_string();
    let address = one.address;
    one.kill().await;
    let listener = TcpListener::bind(address).await.unwrap();
    let gone = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        // A call is small: it comes at once.
        assert_ne!(stream.read(&mut [0; 16 * 1024]).await.unwrap(), 0);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n\0\0\xff\xff").await;
        // What it sends is never silent for long, and no frame of it is ever whole.
        while stream.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let asked = other.ask("azsdk_run_revert", &id, call("anna"));
    let said = tokio::time::timeout(Duration::from_secs(60), asked).await.expect("a stranger keeps a call without end");
    assert!(said.contains("stopped answering in the middle"), "{said}");
    gone.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn long_answer_over_a_slow_connection_is_waited_for_as_long_as_something_of_it_comes() {
    let mut world = World::new();
    world.silence = Duration::from_secs(5);
    let (mut one, other) = (world.replica("one").await, world.replica("other").await);
    let id = one.pending("anna").await.to_string();
    let address = one.address;
    one.kill().await;
    let listener = TcpListener::bind(address).await.unwrap();
    let slow = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut heard = vec![0; 64 * 1024];
        let length = stream.read(&mut heard).await.unwrap();
        let heard = String::from_utf8_lossy(&heard[..length]).into_owned();
        let header = heard.lines().find_map(|line| line.strip_prefix(TICKET)?.strip_prefix(": ")).unwrap();
        let sealed = URL_SAFE_NO_PAD.decode(header.trim()).unwrap();
        let ticket: Ticket = serde_json::from_slice(&keys().open(Ticket::ABOUT, &sealed).unwrap()).unwrap();
        let answer = Frame::Answer(Ok(Answer::Text("long ".repeat(10_000))));
        let [alive, answer] = [Frame::Alive, answer]
            .iter()
            .enumerate()
            .map(|(place, frame)| frame.sent(&ticket, place as u64, &keys()).unwrap())
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").await.unwrap();
        stream.write_all(&alive).await.unwrap();
        for piece in answer.chunks(answer.len() / 7) {
            tokio::time::sleep(Duration::from_secs(1)).await;
            stream.write_all(piece).await.unwrap();
        }
    });
    let said = other.ask("azsdk_run_show", &id, call("anna")).await;
    assert!(said.contains("long long"), "{said}");
    slow.await.unwrap();
}
