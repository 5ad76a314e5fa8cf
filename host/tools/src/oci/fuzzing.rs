//! Answers as any registry may send them, and what it delivers.

use std::time::Duration;

use bailiwick_fuzz::Target;

use super::{Limits, Reference, artifact, attached, challenge};
use crate::signature::{TrustedKeys, said_key};
use crate::{Digest, Manifest};

const WORDS: &[&str] = &[
    "\"schemaVersion\":2",
    "\"mediaType\":\"",
    "\"layers\":[",
    "\"digest\":\"sha256:",
    "\"size\":",
    "\"subject\":{",
    "Bearer realm=\"",
    "service=\"",
    "Basic ",
    "\\\"",
    "localhost:5000/",
    "@sha256:",
    ":latest",
    "[tool]",
    "[[functions]]",
    "name = ",
    "a.b = ",
    "{a={",
    "untrusted comment: ",
    "RW",
];

#[test]
fn registries() {
    Target { name: "registries", words: WORDS }.run(|bytes| {
        let limits = Limits {
            component_bytes: 1 << 20,
            manifest_bytes: 1 << 16,
            signature_bytes: 1 << 12,
            answer_bytes: 1 << 16,
            idle: Duration::from_secs(1),
            deadline: Duration::from_secs(1),
        };
        let _ = artifact::Parts::read(bytes, &limits);
        let _ = attached::read(bytes, &Digest::of(b""), &limits);
        let text = String::from_utf8_lossy(bytes);
        challenge::Challenge::read(text.lines());
        let _ = text.trim().parse::<Reference>();
    });
}

#[test]
fn manifests_and_signatures() {
    Target { name: "manifests", words: WORDS }.run(|bytes| {
        let text = String::from_utf8_lossy(bytes);
        let _ = Manifest::parse(&text);
        let _ = said_key(bytes);
        let _ = TrustedKeys::parse([("ghcr.io/a".to_owned(), text.lines().map(str::to_owned).collect())]);
    });
}
