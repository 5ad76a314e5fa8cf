//! Servers that ask for a certificate: a worker without the right one is refused in one sentence, and with it works.

use super::server::{Server, arguments};
use super::{Fleet, until, verdicts};
use base64::Engine as _;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::Value;
use std::path::Path;

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority() -> Authority {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

fn write(path: &Path, what: &str, bytes: &[u8]) {
    let text = base64::engine::general_purpose::STANDARD.encode(bytes);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    let text = format!("-----BEGIN {what}-----\n{}\n-----END {what}-----\n", lines.join("\n"));
    std::fs::write(path, text).unwrap();
}

/// Writes `NAME.crt` and `NAME.key`, signed by an authority.
fn issue(authority: &Authority, directory: &Path, name: &str) {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["127.0.0.1".to_owned(), "localhost".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, authority).unwrap();
    write(&directory.join(format!("{name}.crt")), "CERTIFICATE", certificate.der());
    write(&directory.join(format!("{name}.key")), "PRIVATE KEY", &key.serialize_der());
}

#[test]
fn worker_without_the_certificate_is_refused_in_one_sentence_and_with_it_works() {
    let (ours, another) = (authority(), authority());
    let kept = tempfile::tempdir().unwrap();
    write(&kept.path().join("ca.crt"), "CERTIFICATE", ours.der());
    issue(&ours, kept.path(), "server");
    issue(&ours, kept.path(), "worker");
    issue(&another, kept.path(), "stranger");
    let tls = "tls { cert_file: \"server.crt\", key_file: \"server.key\", ca_file: \"ca.crt\", verify: true }";
    let fleet = Fleet::of(2, |_| Value::Null);
    for name in ["ca.crt", "worker.crt", "worker.key", "stranger.crt", "stranger.key"] {
        std::fs::copy(kept.path().join(name), fleet.world.base().join(name)).unwrap();
    }
    let (path, manifest) = fleet.plan("generate", &[]);
    let server = Server::with(kept, tls, "");
    let address = server.address_with_tls();
    let ca = ["--queue-ca", "ca.crt"];
    let signed = |name: &'static str| -> [&'static str; 4] {
        match name {
            "worker" => ["--queue-certificate", "worker.crt", "--queue-key", "worker.key"],
            _ => ["--queue-certificate", "stranger.crt", "--queue-key", "stranger.key"],
        }
    };
    let run = ["fleet", "run", path.to_str().unwrap(), "--queue", &address];
    let working = arguments(&fleet, &address, "python");
    let unfit = ["--queue-certificate", "worker.crt", "--queue-key", "stranger.key"];
    let missing = ["--queue-certificate", "none.crt", "--queue-key", "worker.key"];
    for (command, with, said) in [
        (&working[..], &ca[..], "the server asks for a certificate, and none was given"),
        (&run, &ca, "the server asks for a certificate, and none was given"),
        (&working, &[&ca[..], &signed("stranger")].concat(), "the server does not accept the certificate"),
        (&working, &[&ca[..], &unfit].concat(), "the certificate to sign in with and its key do not belong together"),
        (&working, &missing, "`none.crt` cannot be read"),
        (&working, &signed("worker"), "the certificate of the server is not one that is trusted"),
        (&working, &[&["--queue-ca", "stranger.crt"], &signed("worker")[..]].concat(), "is not one that is trusted"),
    ] {
        // As on a machine that trusts the authority, so that what `--queue-ca` names is seen to be in place of that.
        let trusted = fleet.world.base().join(if with.contains(&"stranger.crt") { "ca.crt" } else { "worker.crt" });
        let environment = [("SSL_CERT_FILE", trusted.to_str().unwrap())];
        let answer = fleet.world.bailiwick_with(&[command, with].concat(), &environment).exits(1);
        let errors: Vec<&str> = answer.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
        assert!(errors.len() == 1 && errors[0].contains(said), "{with:?}: {}", answer.stderr);
        assert!(answer.stderr.contains("--queue-certificate") || with == missing, "{}", answer.stderr);
    }
    let mut run = fleet.start(&[&run[..], &ca, &signed("worker")].concat());
    server.until_it_has(2);
    let _ = fleet.world.bailiwick(&[&working[..], &ca, &signed("worker"), &["--once"]].concat()).exits(0);
    assert_eq!(until("the fleet has ended", || run.try_wait().unwrap()).code(), Some(0));
    let found = verdicts(&fleet.report(&manifest));
    assert!(found.iter().all(|(_, verdict)| verdict == "succeeded"), "{found:?}");
    fleet.assert_untouched();
}
