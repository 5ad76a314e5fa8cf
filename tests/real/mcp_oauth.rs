//! The server as a protected resource: which access tokens it takes. The issuer is a stand-in over PyJWT
//! (`mcp-clients/python/issuer.py`); the client of the flow is the Python SDK's.

use bailiwick_tests::{HttpServer, Issuer, Reply, exchange, hello, python_client, request, server};
use serde_json::{Value, json};
use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;

/// Sent where a token would be; it is never accepted.
const NO_TOKEN: &str = "no-token-of-anybody";

fn base() -> tempfile::TempDir {
    tempfile::Builder::new().prefix("bailiwick-mcp-").tempdir().unwrap()
}

fn protected(base: &Path, issuer: &str, further: &[&str]) -> HttpServer {
    let arguments = [&["--log", "trace", "mcp", "--http", "--oauth-issuer", issuer], further].concat();
    let mut command = server(base, &[]);
    // The level of logs stands before the command.
    let mut anew = std::process::Command::new(command.get_program());
    anew.args(arguments).current_dir(base);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => anew.env(name, value),
            None => anew.env_remove(name),
        };
    }
    command = anew;
    HttpServer::over(command, Some(NO_TOKEN))
}

fn shown(server: &HttpServer, token: &str) -> Reply {
    let mut headers = server.usual();
    headers.retain(|(name, _)| *name != "Authorization");
    headers.push(("Authorization", format!("Bearer {token}")));
    server.post(&headers, &hello())
}

#[test]
fn token_is_taken_if_the_issuer_gave_it_out_for_this_server_and_now() {
    let (base, issuer) = (base(), Issuer::start());
    let server = protected(base.path(), &issuer.url("good"), &["--oauth-scope", "mcp:use"]);
    let aud = server.url();
    let usual = json!({ "aud": aud, "scope": "other mcp:use" });
    let with = |changes: Value| {
        let mut claims = usual.clone();
        claims.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        claims
    };
    let mut tokens = Vec::new();
    let mut judge = |token: String, status: u16, about: &str, what: &Value| {
        let reply = shown(&server, &token);
        assert_eq!(reply.status, status, "{what}: {reply:?}");
        let challenge = reply.header("WWW-Authenticate").unwrap_or_default();
        match status {
            200 => assert_eq!(reply.message()["result"]["serverInfo"]["name"], "bailiwick", "{what}: {reply:?}"),
            _ => {
                assert!(
                    challenge.starts_with("Bearer error=") && challenge.contains("resource_metadata="),
                    "{reply:?}"
                );
                assert!(reply.body.contains(about), "{what}: {reply:?}");
                assert!(!reply.body.contains("serverInfo"), "{reply:?}");
            }
        }
        tokens.push(token);
    };
    for good in [
        json!({ "key": "ec" }),
        json!({ "key": "ec384" }),
        json!({ "key": "rsa" }),
        json!({ "key": "pss" }),
        json!({ "key": "ed" }),
        json!({ "header": { "typ": "JWT" } }),
        json!({ "header": { "typ": "application/at+jwt" } }),
        json!({ "claims": with(json!({ "aud": ["https://elsewhere.example", aud] })) }),
        json!({ "claims": with(json!({ "scope": null, "scp": ["mcp:use"] })) }),
        // Clocks may differ by a minute.
        json!({ "claims": with(json!({ "exp": "-20" })) }),
        json!({ "claims": with(json!({ "nbf": "+20", "iat": "+20" })) }),
    ] {
        let mut good = good;
        if good.get("claims").is_none() {
            good["claims"] = usual.clone();
        }
        judge(issuer.mint(&good), 200, "", &good);
    }
    for (changes, about) in [
        (json!({ "exp": "-3600" }), "expired"),
        (json!({ "exp": null }), "lacks"),
        (json!({ "exp": "tomorrow" }), "lacks"),
        (json!({ "nbf": "+3600" }), "not valid yet"),
        (json!({ "nbf": "soon" }), "lacks"),
        (json!({ "iat": "+3600" }), "not valid yet"),
        (json!({ "aud": "https://elsewhere.example/mcp" }), "another server"),
        (json!({ "aud": format!("{aud}/") }), "another server"),
        (json!({ "aud": [] }), "another server"),
        (json!({ "aud": null }), "lacks"),
        (json!({ "iss": issuer.url("oidc") }), "another issuer"),
        (json!({ "iss": format!("{}/", issuer.url("good")) }), "another issuer"),
        (json!({ "iss": [issuer.url("good"), "https://elsewhere.example"] }), "lacks"),
        (json!({ "iss": null }), "lacks"),
        (json!({ "sub": null }), "lacks"),
        (json!({ "sub": 5 }), "lacks"),
        (json!({ "sub": "" }), "lacks"),
    ] {
        let token = json!({ "claims": with(changes.clone()) });
        judge(issuer.mint(&token), 401, about, &changes);
    }
    for scope in [json!(null), json!(""), json!("mcp:user"), json!("MCP:USE")] {
        let token = json!({ "claims": with(json!({ "scope": scope })) });
        judge(issuer.mint(&token), 403, "does not allow", &scope);
    }
    for (how, about) in [
        (json!({ "how": "unsigned" }), "not signed"),
        (json!({ "how": "unsigned", "header": { "alg": "None" } }), "not signed"),
        (json!({ "how": "pem-as-secret", "key": "rsa" }), "not signed"),
        (json!({ "how": "modulus-as-secret", "key": "rsa" }), "not signed"),
        (json!({ "how": "stolen", "key": "rsa" }), "signature"),
        (json!({ "key": "short" }), "signature"),
        (json!({ "header": { "kid": "nobody" } }), "does not have"),
        (json!({ "header": { "kid": "http://192.0.2.1/keys" } }), "does not have"),
        (json!({ "header": { "kid": "../../etc/passwd" } }), "does not have"),
        (json!({ "header": { "kid": "x".repeat(9000) } }), "does not have"),
        // The name of another key of the issuer, of another kind.
        (json!({ "key": "ec", "header": { "kid": "rsa" } }), "does not have"),
        (json!({ "header": { "kid": null } , "key": "short" }), "does not have"),
        (json!({ "header": { "typ": "secevent+jwt" } }), "not an access token"),
        (json!({ "header": { "crit": ["exp"] } }), "not supported"),
        (
            json!({ "header": { "kid": null, "jku": "http://192.0.2.1/keys" }, "how": "stolen", "key": "rsa" }),
            "does not have",
        ),
    ] {
        let mut token = how.clone();
        token["claims"] = usual.clone();
        judge(issuer.mint(&token), 401, about, &how);
    }
    let good = issuer.mint(&json!({ "claims": usual }));
    let parts: Vec<_> = good.split('.').collect();
    for (token, about) in [
        ("a.b.c".to_owned(), "no"),
        (parts[..2].join("."), "not a JSON Web Token"),
        (format!("{good}.{}", parts[2]), "no"),
        (format!("{}.{}.", parts[0], parts[1]), "the "),
        (format!("{}.{}.{}", parts[0], parts[1], parts[2].to_uppercase()), "the "),
        ("x".repeat(17 * 1024), "too long"),
        (NO_TOKEN.to_owned(), "not a JSON Web Token"),
        ("é".to_owned(), "no"),
    ] {
        judge(token.clone(), 401, about, &json!(token.chars().take(80).collect::<String>()));
    }
    judge(good, 200, "", &json!("and the server goes on"));
    let asked = issuer.asked();
    assert_eq!(asked.iter().filter(|path| path.contains("keys")).count(), 1, "whatever they name: {asked:?}");
    // The longest of what is said, at the level that says most, has none of them.
    let said = server.said();
    for token in tokens.iter().filter(|token| token.len() > 20) {
        let signature = token.rsplit('.').next().unwrap();
        assert!(!said.contains(token) && (signature.len() < 20 || !said.contains(signature)), "{said}");
    }
}

/// An issuer may give a subject as many names of programs as it asks for.
#[test]
fn subject_with_many_programs_keeps_no_other_subject_out() {
    let (base, issuer) = (base(), Issuer::start());
    let server = protected(base.path(), &issuer.url("good"), &[]);
    let token = |subject: &str, program: usize| {
        let claims = json!({ "aud": server.url(), "sub": subject, "client_id": format!("program-{program}") });
        issuer.mint(&json!({ "claims": claims }))
    };
    let tokens: Vec<String> = (0..9).map(|program| token("alice", program)).collect();
    // Requests whose bodies do not come.
    let open = |program: usize| {
        let mut headers = server.usual();
        headers.retain(|(name, _)| *name != "Authorization");
        headers.push(("Authorization", format!("Bearer {}", tokens[program])));
        let whole = request("POST", "/mcp", &headers, &hello());
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(&whole.as_bytes()[..whole.len() - 1]).unwrap();
        stream
    };
    // More than the subject may have: those below take a place for a moment, too.
    let _open: Vec<TcpStream> = (0..160).map(|number| open(number % 8)).collect();
    let refused = |program: usize, about: &str| {
        let asked = (0..100).map(|_| shown(&server, &tokens[program])).find(|reply| reply.status != 200);
        let reply = asked.expect("it is refused");
        assert!(reply.status == 503 && reply.body.contains(about), "{reply:?}");
    };
    refused(0, "too many requests");
    refused(8, "too many programs");
    let other = shown(&server, &token("bob", 0));
    assert_eq!(other.status, 200, "{other:?}");
}

#[test]
fn issuer_that_cannot_be_trusted_admits_no_client_and_the_server_goes_on() {
    let issuer = Issuer::start();
    for name in ["oidc", "other", "huge", "redirect", "broken", "plain", "slow"] {
        let base = base();
        let server = protected(base.path(), &issuer.url(name), &[]);
        let token = issuer.mint(&json!({ "issuer": name, "claims": { "aud": server.url() } }));
        let expected = if name == "oidc" { 200 } else { 503 };
        assert_eq!(shown(&server, &token).status, expected, "{name}: {}", server.said());
        assert_eq!(shown(&server, &token).status, expected, "{name}: and at once, without asking again");
        // A stranger learns where to go all the same.
        let headers = [("Host", server.address.clone())];
        let reply = server.post(&headers, &hello());
        assert_eq!(reply.status, 401, "{name}: {reply:?}");
        let challenge = reply.header("WWW-Authenticate").unwrap();
        let place = format!("http://{}/.well-known/oauth-protected-resource/mcp", server.address);
        assert_eq!(challenge, format!("Bearer resource_metadata=\"{place}\""));
    }
}

#[test]
fn session_of_one_subject_does_not_exist_for_another() {
    let (base, issuer) = (base(), Issuer::start());
    let server = protected(base.path(), &issuer.url("good"), &["--tool-requests"]);
    let token = |subject: &str| issuer.mint(&json!({ "claims": { "aud": server.url(), "sub": subject } }));
    let (one, other) = (token("one"), token("other"));
    let begun = shown(&server, &one);
    let session = begun.header("Mcp-Session-Id").unwrap().to_owned();
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {} }).to_string();
    let within = |token: &str, session: &str| {
        let mut headers = server.usual();
        headers.retain(|(name, _)| *name != "Authorization");
        headers.push(("Authorization", format!("Bearer {token}")));
        headers.push(("Mcp-Session-Id", session.to_owned()));
        headers.push(("Mcp-Protocol-Version", "2025-11-25".into()));
        headers
    };
    assert_eq!(server.post(&within(&other, &session), &list).status, 404);
    assert_eq!(server.post(&within(&one, "00000000-0000-0000-0000-000000000000"), &list).status, 404);
    let deletion = request("DELETE", "/mcp", &within(&other, &session), "");
    assert_eq!(exchange(&server.address, deletion.as_bytes()).status, 404);
    let listening = request("GET", "/mcp", &within(&other, &session), "");
    assert_eq!(exchange(&server.address, listening.as_bytes()).status, 404);
    // Names with a line break in them, of which one could be made of another.
    let named = |subject: &str, program: &str| {
        issuer.mint(&json!({ "claims": { "aud": server.url(), "sub": subject, "client_id": program } }))
    };
    let broken = shown(&server, &named("one", "a\n")).header("Mcp-Session-Id").unwrap().to_owned();
    assert_eq!(server.post(&within(&named("one\na", ""), &broken), &list).status, 404);
    assert_eq!(server.post(&within(&named("one", "a\n"), &broken), &list).status, 200);
    // Only what is still there can be ended.
    let deletion = request("DELETE", "/mcp", &within(&one, &session), "");
    assert!(exchange(&server.address, deletion.as_bytes()).status < 300);
    assert_eq!(server.post(&within(&one, &session), &list).status, 404);

    // Nor does a question that was put to one subject have an answer of another's.
    let asked = |token: &str, again: &Value| {
        let mut params = json!({
            "name": "bailiwick_request_tool",
            "arguments": { "tool": "elsewhere", "whatFor": "to look" },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
                "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
            },
        });
        params.as_object_mut().unwrap().extend(again.as_object().unwrap().clone());
        let mut headers = server.usual();
        headers.retain(|(name, _)| *name != "Authorization");
        headers.push(("Authorization", format!("Bearer {token}")));
        headers.push(("Mcp-Protocol-Version", "2026-07-28".into()));
        headers.push(("Mcp-Method", "tools/call".into()));
        headers.push(("Mcp-Name", "bailiwick_request_tool".into()));
        let call = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params });
        server.post(&headers, &call.to_string()).message()["result"].clone()
    };
    let question = asked(&one, &json!({}));
    let yes = json!({ "approve": { "action": "accept", "content": { "approve": true } } });
    let again = json!({ "requestState": question["requestState"].as_str().unwrap(), "inputResponses": yes });
    let refused = asked(&other, &again);
    assert!(refused["isError"] == true && refused.to_string().contains("does not answer a question"), "{refused:#}");
    assert_eq!(asked(&one, &again)["structuredContent"]["state"], "waits");
}

#[test]
fn python_client_finds_the_issuer_gets_a_token_and_is_let_in() {
    let (base, issuer) = (base(), Issuer::start());
    let server = protected(base.path(), &issuer.url("good"), &["--oauth-scope", "mcp:use"]);
    let document = request("GET", "/.well-known/oauth-protected-resource/mcp", &[("Host", server.address.clone())], "");
    let document = exchange(&server.address, document.as_bytes());
    assert_eq!(
        document.message(),
        json!({
            "resource": server.url(),
            "authorization_servers": [issuer.url("good")],
            "bearer_methods_supported": ["header"],
            "resource_name": "bailiwick",
            "scopes_supported": ["mcp:use"],
        })
    );
    for (mode, secret) in [("legacy", "a-secret-of-a-test"), ("auto", "a-secret-of-a-test"), ("auto", "wrong")] {
        let credentials = json!({ "client_id": "machine", "client_secret": secret, "issuer": issuer.url("good") });
        let given = json!({ "scenario": "listed", "mode": mode, "url": server.url(), "credentials": credentials });
        let output = python_client().arg(given.to_string()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), secret != "wrong", "{mode}: {said}");
        if output.status.success() {
            let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(outcome["outcome"]["server"]["name"], "bailiwick", "{outcome:#}");
        }
    }
}

#[test]
fn settings_that_cannot_be_used_are_refused_before_the_server_listens() {
    let base = base();
    for (arguments, about) in [
        (&["--http", "--oauth-issuer", "http://login.example"][..], "neither https nor on this machine"),
        (&["--http", "--oauth-issuer", "login.example"], "is not a URL"),
        (&["--http", "--oauth-issuer", "https://a.example?b"], "has a query"),
        (&["--http", "--oauth-issuer", "https://a.example", "--oauth-audience", "mcp"], "audience `mcp` is not a URL"),
        (&["--http", "--oauth-issuer", "https://a.example", "--oauth-scope", "a b"], "scope `a b`"),
        (&["--oauth-issuer", "https://a.example"], "--http"),
        (&["--http", "--oauth-scope", "a"], "--oauth-issuer"),
    ] {
        let output = server(base.path(), arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(about) && !said.contains("listening"), "{arguments:?}: {said}");
    }
}
