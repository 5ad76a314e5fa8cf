//! The page on which a person decides: who is let in, what a page of another site can do, and that decisions are those of
//! the command line.

use bailiwick_tests::{Mcp, Reply, World, binary, cache_of, exchange, reply, request, text};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const HIDE: &str = "hide operation deleteWidget from the Python SDK";

struct Server {
    child: Child,
    /// Host and port.
    address: String,
    /// The path of the link that works once.
    enter: String,
}

impl Server {
    fn start(world: &World) -> Self {
        let mut child = Command::new(binary())
            .arg("review")
            .env("BAILIWICK_STATE_DIR", world.state())
            .env("BAILIWICK_CACHE_DIR", cache_of(world.base()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let link = line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("no link in `{line}`"));
        let (address, path) = link.split_once('/').unwrap();
        Self { child, address: address.to_owned(), enter: format!("/{path}") }
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, String)]) -> Reply {
        self.ask_with(method, path, headers, "")
    }

    fn ask_with(&self, method: &str, path: &str, headers: &[(&str, String)], body: &str) -> Reply {
        exchange(&self.address, request(method, path, headers, body).as_bytes())
    }

    fn host(&self) -> (&'static str, String) {
        ("Host", self.address.clone())
    }

    fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[self.host()])
    }

    /// As the browser sends the form of a page.
    fn post(&self, path: &str) -> Reply {
        let origin = ("Origin", format!("http://{}", self.address));
        self.ask("POST", path, &[self.host(), origin, ("Sec-Fetch-Site", "same-origin".into())])
    }

    /// As the browser sends the form of this page.
    fn answer(&self, path: &str, page: &Reply) -> Reply {
        let value = page.body.split_once("name=\"shown\" value=\"").and_then(|(_, rest)| rest.split_once('"'));
        let shown = value.map(|(value, _)| format!("shown={value}")).unwrap_or_default();
        let origin = ("Origin", format!("http://{}", self.address));
        let kind = ("Content-Type", "application/x-www-form-urlencoded".to_owned());
        self.ask_with("POST", path, &[self.host(), origin, ("Sec-Fetch-Site", "same-origin".into()), kind], &shown)
    }

    /// The address behind the link, which is used up.
    fn home(&self) -> String {
        let reply = self.get(&self.enter);
        assert_eq!(reply.status, 303, "{reply:?}");
        reply.header("location").unwrap().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn status(world: &World, run: &str) -> String {
    let shown = world.bailiwick(&["--json", "run", "show", run]).exits(0).json();
    shown["status"].as_str().unwrap().to_owned()
}

fn pending(world: &World) -> String {
    world.customize_with(HIDE, &[]).exits(0).json()["runId"].as_str().unwrap().to_owned()
}

#[test]
fn person_looks_at_a_run_and_reverts_it_and_approves_another() {
    let world = World::standing_in();
    let before = world.snapshot();
    let run = pending(&world);
    let server = Server::start(&world);
    let home = server.home();
    let overview = server.get(&home);
    assert!(overview.status == 200 && overview.body.contains(&format!("href=\"run/{run}/\"")), "{overview:?}");
    let page = server.get(&format!("{home}run/{run}/"));
    assert!(page.body.contains(HIDE) && page.body.contains("href=\"revert\""), "{}", page.body);
    // To look at the question changes nothing.
    let question = server.get(&format!("{home}run/{run}/revert"));
    assert!(question.body.contains("<form class=\"decide\" method=\"post\">"), "{}", question.body);
    assert_eq!(status(&world, &run), "pending");
    assert_eq!(server.post(&format!("{home}run/{run}/revert")).status, 303);
    assert_eq!(status(&world, &run), "reverted");
    before.assert_same(&world.snapshot());
    // It is refused a second time, in words.
    let again = server.post(&format!("{home}run/{run}/approve"));
    assert!(again.status == 409 && again.body.contains("reverted"), "{again:?}");
    let closed = server.get(&format!("{home}run/{run}/"));
    assert!(!closed.body.contains("href=\"revert\""), "{}", closed.body);

    let second = pending(&world);
    let question = format!("{home}run/{second}/approve");
    assert_eq!(server.answer(&question, &server.get(&question)).status, 303);
    assert_eq!(status(&world, &second), "approved");
}

#[test]
fn what_somebody_changed_after_a_run_is_named_before_it_is_approved_and_after() {
    let world = World::standing_in();
    let run = pending(&world);
    let server = Server::start(&world);
    let home = server.home();
    let asked = || server.get(&format!("{home}run/{run}/approve")).body;
    let show = || world.bailiwick(&["run", "show", &run]).exits(0).stdout;
    const SAID: &str = "files changed after the run, and not by it: ";
    assert!(!asked().contains(SAID) && !show().contains(SAID));
    let edited = world.project().join("client.tsp");
    std::fs::write(&edited, world.client() + "// planted after the review\n").unwrap();
    for said in [asked(), show(), world.bailiwick(&["run", "approve", &run]).exits(0).stdout] {
        assert!(said.contains(&format!("{SAID}`spec/client.tsp`")), "{said}");
    }
    assert_eq!(status(&world, &run), "approved");
}

#[test]
fn file_that_changes_while_a_person_is_asked_about_a_run_is_not_approved_with_it() {
    let world = World::standing_in();
    let run = pending(&world);
    let edit = |text: &str| std::fs::write(world.project().join("client.tsp"), world.client() + text).unwrap();
    edit("// before the question\n");
    let mut client = Mcp::legacy(world.base(), &world.serving(&[]), json!({ "elicitation": {} }));
    let ask = |client: &mut Mcp| {
        let id = client.begin("tools/call", json!({ "name": "azsdk_run_approve", "arguments": { "runId": run } }));
        let asked = client.wait_for(|message| message["method"] == "elicitation/create");
        let message = asked["params"]["message"].as_str().unwrap();
        assert!(message.contains("files changed after the run, and not by it: `spec/client.tsp`"), "{asked:#}");
        (id, asked["id"].clone())
    };
    let say_yes = |client: &mut Mcp, question: &Value| {
        let result = json!({ "action": "accept", "content": { "approve": true } });
        client.send_text(&json!({ "jsonrpc": "2.0", "id": question, "result": result }).to_string());
    };
    let (id, question) = ask(&mut client);
    let shown = world.bailiwick(&["--json", "run", "show", &run]).exits(0).json();
    let generated = shown["changed"].as_array().unwrap().iter().find(|file| file["root"] == "sdk").unwrap();
    std::fs::write(world.package().join(generated["path"].as_str().unwrap()), "planted = True\n").unwrap();
    say_yes(&mut client, &question);
    let refused = client.answer(id)["result"].clone();
    assert_eq!(refused["isError"], true, "{refused:#}");
    assert!(text(&refused).contains("while the question about it was open"), "{refused:#}");
    assert_eq!(status(&world, &run), "pending");
}

#[test]
fn file_that_changes_while_the_page_asks_about_a_run_is_not_approved_with_it() {
    let world = World::standing_in();
    let run = pending(&world);
    let server = Server::start(&world);
    let question = format!("{}run/{run}/approve", server.home());
    let edited = world.project().join("client.tsp");
    let refused = |reply: &Reply| {
        assert_eq!(reply.status, 409, "{reply:?}");
        for said in ["Files changed while this was asked", "`spec/client.tsp`", "<form"] {
            assert!(reply.body.contains(said), "{said}: {}", reply.body);
        }
        assert_eq!(status(&world, &run), "pending");
    };
    let mut page = server.get(&question);
    // The second time it is the same file, and another text.
    for text in ["// planted\n", "// planted anew\n"] {
        std::fs::write(&edited, world.client() + text).unwrap();
        page = server.answer(&question, &page);
        refused(&page);
    }
    // Who was shown nothing decides nothing.
    refused(&server.post(&question));
    // What the run did not touch is not a part of the question, and what was shown can be approved.
    std::fs::write(world.project().join("of-a-person.md"), "new").unwrap();
    assert_eq!(server.answer(&question, &page).status, 303);
    assert_eq!(status(&world, &run), "approved");
}

#[test]
fn link_lets_one_browser_in_once_and_nothing_is_there_without_the_secret() {
    let world = World::standing_in();
    let run = pending(&world);
    let server = Server::start(&world);
    let refused = |path: &str, status: u16| {
        for reply in [server.get(path), server.post(path)] {
            assert!([status, 404, 405].contains(&reply.status), "{path}: {reply:?}");
            assert!(!reply.body.contains(&run) && !reply.body.contains("Widget"), "{path}: {reply:?}");
        }
    };
    // Before the link was used it is not used up by a wrong one.
    refused("/enter/0000000000000000000000000000000000000000000000000000000000000000", 403);
    let home = server.home();
    refused(&server.enter, 403);
    let guessed = home.replace(&home[1..5], "0000");
    for path in
        ["/", "//", "/run/", &format!("/run/{run}/"), &guessed, &format!("{guessed}run/{run}/"), "/../", "/%2e%2e/"]
    {
        refused(path, 404);
    }
    assert_eq!(status(&world, &run), "pending");
    let page = server.get(&format!("{home}run/{run}/"));
    // The address of a page is not told to another site, kept in a cache, shown in a frame or written into the page.
    for (header, value) in [
        ("referrer-policy", "same-origin"),
        ("cache-control", "no-store"),
        ("content-security-policy", "frame-ancestors 'none'"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(page.header(header), Some(value), "{}", page.head);
    }
    assert!(page.body.contains("default-src 'none'") && !page.body.contains(home.trim_matches('/')), "{}", page.body);
    assert!(!page.body.contains("<script"), "{}", page.body);
}

#[test]
fn page_of_another_site_makes_a_browser_decide_nothing() {
    let world = World::standing_in();
    let run = pending(&world);
    let server = Server::start(&world);
    let home = server.home();
    let path = format!("{home}run/{run}/approve");
    let own = format!("http://{}", server.address);
    let port = server.address.rsplit(':').next().unwrap();
    let origin = |text: &str| ("Origin", text.to_owned());
    let cases: Vec<Vec<(&str, String)>> = vec![
        // A name that leads here, as a page of that name would be sent here.
        vec![("Host", format!("evil.example:{port}")), origin(&format!("http://evil.example:{port}"))],
        vec![("Host", "127.0.0.1".into()), origin("http://127.0.0.1")],
        vec![origin(&own)],
        vec![server.host(), server.host(), origin(&own)],
        // Another site, a page without an origin, one of this machine, and one that is told apart by the browser alone.
        vec![server.host(), origin("https://evil.example")],
        vec![server.host(), origin("null")],
        vec![server.host()],
        vec![server.host(), origin("http://127.0.0.1:1")],
        vec![server.host(), origin(&own), ("Sec-Fetch-Site", "same-site".into())],
        vec![server.host(), origin(&own), ("Sec-Fetch-Site", "cross-site".into())],
        // Two, of which one is right.
        vec![server.host(), origin(&own), origin("https://evil.example")],
        vec![
            server.host(),
            origin(&own),
            ("Sec-Fetch-Site", "same-origin".into()),
            ("Sec-Fetch-Site", "cross-site".into()),
        ],
    ];
    for headers in cases {
        let reply = server.ask("POST", &path, &headers);
        assert!([400, 403].contains(&reply.status), "{headers:?}: {reply:?}");
    }
    for method in ["PUT", "DELETE", "OPTIONS", "HEAD"] {
        let reply = server.ask(method, &path, &[server.host(), origin(&own)]);
        assert_eq!(reply.status, 403, "{method}: {reply:?}");
    }
    assert_eq!(status(&world, &run), "pending");
}

#[test]
fn programs_that_keep_connections_open_give_way_and_do_not_keep_the_person_out() {
    let world = World::standing_in();
    let server = Server::start(&world);
    let home = server.home();
    let mut idle: Vec<TcpStream> = (0..200).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    assert_eq!(server.get(&home).status, 200);
    let oldest = &mut idle[0];
    // Without a bound it would be open for as long as it likes, and this would wait for the limit.
    oldest.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    assert!(matches!(oldest.read(&mut [0]), Ok(0)), "the server keeps every connection");
}

#[test]
fn form_that_is_never_whole_or_too_long_decides_nothing_and_does_not_keep_the_server_from_ending() {
    let world = World::standing_in();
    let run = pending(&world);
    let mut server = Server::start(&world);
    let path = format!("{}run/{run}/approve", server.home());
    let begin = |length: usize| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let (host, own) = (&server.address, format!("http://{}", server.address));
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {own}\r\nContent-Length: {length}\r\n\r\nshown=");
        stream.write_all(head.as_bytes()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    };
    let mut long = begin(1 << 20);
    long.write_all(&[b'a'; 8 << 10]).unwrap();
    assert_eq!(reply(&mut long).status, 413);
    assert_eq!(reply(&mut begin(100)).status, 408);
    assert_eq!(status(&world, &run), "pending");
    let _open: Vec<TcpStream> = (0..4).map(|_| begin(100)).collect();
    let interrupted = Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let ended = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        server.child.try_wait().unwrap().is_some()
    });
    assert!(ended, "forms that are never whole keep the server from ending");
}
