//! Who may talk to the HTTP server: by hand, over a socket.

use bailiwick_tests::{HttpServer, hello, server};

fn base() -> tempfile::TempDir {
    let base = tempfile::Builder::new().prefix("bailiwick-mcp-").tempdir().unwrap();
    std::fs::create_dir(base.path().join("docs")).unwrap();
    std::fs::write(base.path().join("docs/a.txt"), "one\n").unwrap();
    base
}

fn post(server: &HttpServer, headers: &[(&str, String)], body: &str) -> (u16, String) {
    let reply = server.post(headers, body);
    (reply.status, format!("{}\n{}", reply.head, reply.body))
}

fn with(
    mut headers: Vec<(&'static str, String)>,
    name: &'static str,
    value: Option<&str>,
) -> Vec<(&'static str, String)> {
    headers.retain(|(header, _)| *header != name);
    headers.extend(value.map(|value| (name, value.to_owned())));
    headers
}

#[test]
fn only_clients_of_this_machine_with_the_token_are_served() {
    let base = base();
    let server = HttpServer::start(base.path(), &["--grant", "docs=docs"]);
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    assert!(server.token.len() >= 64, "it cannot be guessed");
    let (status, answer) = post(&server, &server.usual(), &hello());
    assert_eq!(status, 200, "{answer}");
    assert!(answer.contains("bailiwick"), "{answer}");
    let wrong = "Bearer ".to_owned() + &"0".repeat(server.token.len());
    let short = format!("Bearer {}", &server.token[..server.token.len() - 1]);
    let long = format!("Bearer {}0", server.token);
    for (name, value, expected) in [
        ("Authorization", None, 401),
        ("Authorization", Some("Bearer "), 401),
        ("Authorization", Some(wrong.as_str()), 401),
        ("Authorization", Some(short.as_str()), 401),
        ("Authorization", Some(long.as_str()), 401),
        ("Authorization", Some(server.token.as_str()), 401),
        ("Host", Some("attacker.example"), 403),
        ("Origin", Some("http://attacker.example"), 403),
        ("Origin", Some("null"), 403),
    ] {
        let (status, answer) = post(&server, &with(server.usual(), name, value), &hello());
        assert_eq!(status, expected, "{name}: {value:?}: {answer}");
        assert!(!answer.contains("serverInfo"), "{answer}");
    }
    let (status, _) = post(&server, &server.usual(), &" ".repeat(17 << 20));
    assert!(status == 413 || status == 0, "{status}");
    assert_eq!(post(&server, &server.usual(), &hello()).0, 200, "and the server goes on");
}

#[test]
fn token_of_a_file_is_used_and_not_printed_and_the_file_has_to_be_private() {
    use std::os::unix::fs::PermissionsExt;
    let base = base();
    let file = base.path().join("token");
    let token = "an-own-token-of-more-than-32-characters";
    std::fs::write(&file, format!("{token}\n")).unwrap();
    let mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o600);
    let mut command = server(base.path(), &["--http"]);
    command.env("BAILIWICK_MCP_TOKEN_FILE", &file);
    let running = HttpServer::over(command, Some(token));
    assert_eq!(post(&running, &running.usual(), &hello()).0, 200);
    drop(running);
    let refused = |expected: &str| {
        let mut command = server(base.path(), &["--http"]);
        let output = command.env("BAILIWICK_MCP_TOKEN_FILE", &file).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected) && !said.contains(token), "{said}");
    };
    mode(0o644);
    refused("others can read or change it");
    mode(0o600);
    std::fs::write(&file, "short").unwrap();
    refused("too short");
}

#[test]
fn address_that_others_can_reach_takes_a_word() {
    let base = base();
    let output = server(base.path(), &["--http", "0.0.0.0:0"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("--allow-remote"), "{said}");
    let output = server(base.path(), &["--allow-remote"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "it means nothing without `--http`");
}

#[test]
fn key_of_replicas_is_in_a_private_file_and_long_enough() {
    use std::os::unix::fs::PermissionsExt;
    let base = base();
    let file = |name: &str, text: &str, mode: u32| {
        let path = base.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let key = "a-key-of-replicas-of-more-than-32-characters";
    let good = file("good", &format!("{key}\n"), 0o600);
    let other = file("other", "another-key-of-more-than-32-characters\n", 0o600);
    let running = HttpServer::start(base.path(), &["--state-key", &good, "--state-key", &other]);
    assert_eq!(post(&running, &running.usual(), &hello()).0, 200);
    assert!(!running.said().contains(key));
    drop(running);
    let open = file("open", key, 0o640);
    let short = file("short", "a-key-with-less-than-32-bytes", 0o600);
    for (files, expected) in [
        (vec![open.as_str()], "others can read or change it"),
        (vec![&good, &short], "too short"),
        (vec![&good, &good], "two keys are the same"),
        (vec![base.path().to_str().unwrap()], "it is not a file"),
        (vec!["absent"], "No such file"),
    ] {
        let keys = files.iter().flat_map(|file| ["--state-key", file]);
        let output = server(base.path(), &["--http"]).args(keys).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{files:?}: {said}");
        assert!(said.contains(expected) && said.contains("hint: ") && !said.contains(key), "{files:?}: {said}");
    }
    // A registry of replicas needs a key, a token that all of them take, and an address.
    let (registry, token) = (base.path().join("registry"), file("token", key, 0o600));
    std::fs::create_dir(&registry).unwrap();
    let registry = registry.to_str().unwrap();
    for (arguments, expected) in [
        (vec!["--replicas", registry], "--state-key"),
        (vec!["--state-key", &good, "--replicas", registry], "a token that all of them take"),
        (vec!["--state-key", &good, "--replica-address", "127.0.0.1:1"], "--replicas"),
    ] {
        let output = server(base.path(), &[&["--http"], &arguments[..]].concat()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(expected), "{arguments:?}: {said}");
    }
    for (address, mode, expected) in [("127.0.0.1:0", 0o755, "0700"), ("0.0.0.0:0", 0o700, "--replica-address")] {
        std::fs::set_permissions(registry, std::fs::Permissions::from_mode(mode)).unwrap();
        let mut command = server(base.path(), &["--http", address, "--allow-remote", "--state-key", &good]);
        let output = command.args(["--replicas", registry]).env("BAILIWICK_MCP_TOKEN_FILE", &token).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(expected), "{address}: {said}");
    }
    let output = server(base.path(), &["--state-key", &good]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "it means nothing without `--http`");
}
