use super::*;
use crate::http::{RuleError, rule::Reach};
use http::HeaderValue;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn rule(scheme: Scheme, host: &str, port: Option<u16>, methods: &[&str]) -> Rule {
    Rule::new(scheme, host, port, methods.iter().copied(), Reach::Public).unwrap()
}

fn rules() -> Vec<Rule> {
    vec![
        rule(Scheme::Https, "api.example.com", None, &["GET"]),
        rule(Scheme::Https, "api.example.com", Some(8443), &["GET", "POST"]),
        rule(Scheme::Https, "*.wide.example", None, &["GET"]),
        rule(Scheme::Http, "192.0.2.7", None, &["GET"]),
        rule(Scheme::Http, "[2001:db8::7]", None, &["GET"]),
        rule(Scheme::Https, "xn--bcher-kva.example", None, &["GET"]),
    ]
}

fn checked(method: &str, address: &str) -> Result<Target, DenialReason> {
    // What cannot be written as an address at all never comes this far.
    let Ok(address) = address.parse::<Uri>() else { return Err(DenialReason::Request) };
    check(&rules(), &[], &OutgoingRequest { method, address: &address, headers: &HeaderMap::new() })
}

#[test]
fn request_that_a_rule_is_about_goes_to_the_host_that_the_rule_names() {
    for (method, address, host, port) in [
        ("GET", "https://api.example.com/a?b=c", "api.example.com", 443),
        ("GET", "https://api.example.com:443/", "api.example.com", 443),
        ("POST", "https://api.example.com:8443/", "api.example.com", 8443),
        ("GET", "https://API.Example.COM/", "api.example.com", 443),
        ("GET", "https://a.wide.example/", "a.wide.example", 443),
        ("GET", "https://a.b.wide.example/", "a.b.wide.example", 443),
        ("GET", "http://192.0.2.7/", "192.0.2.7", 80),
        ("GET", "http://[2001:DB8:0::7]/", "[2001:db8::7]", 80),
        ("GET", "https://xn--bcher-kva.example/", "xn--bcher-kva.example", 443),
    ] {
        let target = checked(method, address).unwrap_or_else(|reason| panic!("{address}: {reason:?}"));
        assert_eq!((target.host.to_string().as_str(), target.port), (host, port), "{address}");
    }
}

#[test]
fn request_beside_every_rule_is_refused_with_the_reason() {
    use DenialReason::{Host, Method, Request};
    for (method, address, reason) in [
        ("GET", "http://api.example.com/", Host),
        ("GET", "https://api.example.com:444/", Host),
        ("GET", "https://api.example.com:80/", Host),
        ("GET", "ftp://api.example.com/", Host),
        ("GET", "https://example.com/", Host),
        ("GET", "https://xapi.example.com/", Host),
        ("GET", "https://api.example.com.evil.example/", Host),
        ("GET", "https://wide.example/", Host),
        ("GET", "https://evilwide.example/", Host),
        ("GET", "https://.wide.example/", Request),
        ("GET", "https://a.wide.example.evil/", Host),
        ("GET", "https://192.0.2.7/", Host),
        ("GET", "http://192.0.2.8/", Host),
        ("GET", "http://[::ffff:192.0.2.7]/", Host),
        ("GET", "http://[2001:db8::8]/", Host),
        ("POST", "https://api.example.com/", Method),
        ("get", "https://api.example.com/", Method),
        ("HEAD", "https://api.example.com/", Method),
        ("CONNECT", "https://api.example.com/", Method),
        ("GET", "https://user@api.example.com/", Request),
        ("GET", "https://evil.example@api.example.com/", Request),
        ("GET", "https://api.example.com@evil.example/", Request),
        ("GET", "https://api.example.com:8443@evil.example/", Request),
        ("GET", "https://api.example.com./", Request),
        ("GET", "https://api..example.com/", Request),
        ("GET", "https://api.example.com:/", Request),
        ("GET", "https://api.example.com:0443/", Request),
        ("GET", "https://api.example.com:65979/", Request),
        ("GET", "https://api.example.com:+443/", Request),
        ("GET", "https://api%2eexample.com/", Request),
        ("GET", "https://bücher.example/", Request),
        ("GET", "https://api。example。com/", Request),
        ("GET", "http://3221225991/", Request),
        ("GET", "http://0xc0000207/", Request),
        ("GET", "http://0300.0.2.7/", Request),
        ("GET", "http://192.0.519/", Request),
        ("GET", "http://192.0.2.07/", Request),
        ("GET", "http://192.0.2.7.1/", Request),
        ("GET", "http://0x7f.1/", Request),
        ("GET", "http://[2001:db8::7%25eth0]/", Request),
        ("GET", "http://[2001:db8::7]evil.example/", Request),
        ("GET", "http://2001:db8::7/", Request),
    ] {
        assert_eq!(checked(method, address).map(|target| target.host), Err(reason), "{method} {address}");
    }
}

#[test]
fn rule_that_is_wider_than_it_looks_is_refused() {
    let made = |host: &str| Rule::new(Scheme::Https, host, None, ["GET"], Reach::Public);
    for host in ["*", "*.com", "*.*.com", "a.*.com", "*a.example.com", "**.example.com", "*.1.2.3.4", "*.[::1]", "*."] {
        assert!(matches!(made(host), Err(RuleError::Wide(_) | RuleError::Host { .. })), "{host}");
    }
    for host in [
        "",
        "a b",
        "bücher.example",
        "127.1",
        "0x7f000001",
        "[::1%1]",
        "https://a.example",
        "a.example:443",
        "a.example/x",
        "-a.example",
        "a_b.example.",
        "[::1",
        "::1",
    ] {
        assert!(matches!(made(host), Err(RuleError::Host { .. })), "{host}");
    }
    for method in ["", "get", "CONNECT", "TRACE", "GET ", "GET\r\nX: y", "*"] {
        let rule = Rule::new(Scheme::Https, "a.example", None, [method], Reach::Public);
        assert!(matches!(rule, Err(RuleError::Method(_))), "{method:?}");
    }
    assert_eq!(Rule::new(Scheme::Https, "a.example", None, [], Reach::Public), Err(RuleError::NoMethod));
    assert_eq!(Rule::new(Scheme::Https, "a.example", Some(0), ["GET"], Reach::Public), Err(RuleError::Port));
}

#[test]
fn header_of_the_connection_is_refused() {
    let address: Uri = "https://api.example.com/".parse().unwrap();
    let checked = |name: &'static str| {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_static("x"));
        check(&rules(), &[], &OutgoingRequest { method: "GET", address: &address, headers: &headers })
            .map(|target| target.port)
    };
    for name in [
        "host",
        "connection",
        "transfer-encoding",
        "te",
        "trailer",
        "upgrade",
        "expect",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "http2-settings",
    ] {
        assert_eq!(checked(name), Err(DenialReason::Request), "{name}");
    }
    assert_eq!(checked("authorization"), Ok(443));
}

#[test]
fn secret_goes_to_its_own_host_over_tls_and_never_with_a_part_of_the_answer() {
    let rules = [
        rule(Scheme::Https, "api.example.com", None, &["GET"]),
        rule(Scheme::Http, "api.example.com", None, &["GET"]),
        rule(Scheme::Https, "other.example.com", None, &["GET"]),
    ];
    let secrets = [HeaderSecret::new("API.example.com", "Authorization", "Bearer ", "sk-canary").unwrap()];
    let checked = |address: &str, header: &'static str| {
        let mut headers = HeaderMap::new();
        headers.insert(header, HeaderValue::from_static("bytes=0-3"));
        let address: Uri = address.parse().unwrap();
        check(&rules, &secrets, &OutgoingRequest { method: "GET", address: &address, headers: &headers })
            .map(|target| target.secrets.len())
    };
    assert_eq!(checked("https://api.example.com/", "x-range"), Ok(1));
    assert_eq!(checked("http://api.example.com/", "range"), Ok(0));
    assert_eq!(checked("https://other.example.com/", "range"), Ok(0));
    assert_eq!(checked("https://api.example.com/", "range"), Err(DenialReason::Request));
    assert_eq!(checked("https://api.example.com/", "if-range"), Err(DenialReason::Request));
}

#[test]
fn secret_that_could_be_seen_or_misread_is_refused() {
    for (host, header, prefix, secret) in [
        ("*.example.com", "Authorization", "", "sk-canary"),
        ("api.example.com", "Host", "", "sk-canary"),
        ("api.example.com", "Transfer-Encoding", "", "sk-canary"),
        ("api.example.com", "Content-Length", "", "123456789"),
        ("api.example.com", "a b", "", "sk-canary"),
        ("api.example.com", "Authorization", "Bearer\r\nX: ", "sk-canary"),
        ("api.example.com", "Authorization", "", "sk-can\r\nX: y"),
        ("api.example.com", "Authorization", "", "short"),
        ("api.example.com", "Authorization", "", " "),
    ] {
        let error = HeaderSecret::new(host, header, prefix, secret).unwrap_err();
        assert!(!error.to_string().contains("sk-can"), "{error}");
    }
    let secret = HeaderSecret::new("api.example.com", "Authorization", "Bearer ", "sk-canary").unwrap();
    assert!(!format!("{secret:?}").contains("canary"));
}

/// Pieces that parsers disagree about.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "api.example.com",
        "evil.example",
        "wide.example",
        "a",
        ".",
        "@",
        ":",
        "443",
        "8443",
        "80",
        "[",
        "]",
        "::1",
        "127.0.0.1",
        "%2e",
        "%00",
        "\\",
        "/",
        "?",
        "#",
        "xn--",
        "0x7f",
        "2130706433",
        "-",
        "_",
        "*",
        " ",
        "\t",
        "\r\n",
        "\u{ff0e}",
        "ü",
        ",",
        ";",
        "//",
        "..",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(5), cases: 4000, ..ProptestConfig::default() })]

    /// Whatever is let pass goes to a place of a rule, and no reader understands it in another way: the whole authority is that host
    /// in another case, with that port or none.
    #[test]
    fn what_passes_is_exactly_a_place_of_a_rule(scheme in prop::sample::select(vec!["http", "https"]), pieces in prop::collection::vec(piece(), 1..6)) {
        let authority: String = pieces.concat();
        let Ok(address) = Uri::builder().scheme(scheme).authority(authority.as_str()).path_and_query("/").build() else {
            return Ok(());
        };
        let headers = HeaderMap::new();
        if let Ok(target) = check(&rules(), &[], &OutgoingRequest { method: "GET", address: &address, headers: &headers }) {
            let host = target.host.to_string();
            let known = ["api.example.com", "192.0.2.7", "[2001:db8::7]", "xn--bcher-kva.example"].contains(&host.as_str())
                || host.ends_with(".wide.example");
            prop_assert!(known, "{}", authority);
            let read = [host.clone(), format!("{host}:{}", target.port)];
            prop_assert!(read.contains(&authority.to_ascii_lowercase()), "{} is not {}", authority, host);
            let ports: &[u16] = if host == "api.example.com" { &[443, 8443] } else { &[443, 80] };
            prop_assert!(ports.contains(&target.port));
        }
    }

    #[test]
    fn no_host_is_read_from_what_is_not_one_in_whole(text in "\\PC{0,40}") {
        if let Ok(host) = Host::parse(&text) {
            let again = Host::parse(&host.to_string());
            prop_assert_eq!(again, Ok(host));
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.[]:".contains(&byte)));
        }
    }
}
