//! One plan, by the guest in the sandbox and by the oracle on the twin, and all that differs afterwards.

use super::held::MOST_WRITTEN;
use super::oracle::Twin;
use super::plan::Plan;
use super::world::{GRANTED, Ground, Picture, World};
use crate::common;
use bailiwick_sandbox::{Access, Capabilities, Grant, Grants, Limits, Reserved, Sandbox, Tool};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// A sandbox and the guest in it, compiled once.
fn shared() -> &'static (Sandbox, Tool) {
    static SHARED: OnceLock<(Sandbox, Tool)> = OnceLock::new();
    SHARED.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(super::GUEST);
        let bytes = std::fs::read(path).expect("the hostile guest is not built yet; run `cargo xtask guests` first");
        let sandbox = common::sandbox();
        let tool = common::block_on(sandbox.load(&bytes, &Capabilities::built_in())).unwrap();
        (sandbox, tool)
    })
}

/// Carries a plan out in both places.
///
/// # Errors
/// What differs, for a person to read.
pub(crate) fn check(ground: Ground, plan: &Plan) -> Result<(), String> {
    let canary = ground.directory();
    std::fs::write(canary.path().join("secret"), "the secret\n").unwrap();
    let (world, twin) = (World::new(ground, canary.path()), World::new(ground, canary.path()));
    let (before, canary_before) = (world.picture(), Picture::of(canary.path()));

    let answers = ask(&world, plan)?;
    let after = world.picture();

    let mut findings = Vec::new();
    let mut oracle = Twin::new(&twin);
    for (operation, answer) in plan.0.iter().zip(&answers) {
        let expected = oracle.answer(operation);
        if !expected.allows(answer) {
            findings.push(format!("{operation} came to {answer} and not to {expected:?}"));
            // From here on the two hold different things open.
            break;
        }
    }
    oracle.end();
    let outside = |place: &Path| !place.starts_with("granted") && !place.starts_with("other");
    findings.extend(before.differences(&after, outside).into_iter().map(|line| format!("never to be changed: {line}")));
    findings.extend(canary_before.differences(&Picture::of(canary.path()), |_| true));
    if findings.is_empty() {
        findings.extend(after.differences(&twin.picture(), |_| true));
    }
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n")) }
}

/// The guest's answers, one for each operation.
fn ask(world: &World, plan: &Plan) -> Result<Vec<Value>, String> {
    let (sandbox, tool) = shared();
    let grants = GRANTED.iter().map(|(tree, writable)| {
        let access = if *writable { Access::ReadWrite } else { Access::ReadOnly };
        // What is hidden has tests of its own, and the oracle knows nothing of it.
        let grant = Grant::open(tree, &world.at(tree), access, &Reserved::none()).unwrap();
        grant.showing(".envrc").unwrap().showing("**/.git/config").unwrap()
    });
    let grants = Grants::new(grants.collect()).unwrap();
    let limits = Limits { deadline: Duration::from_secs(120), written_bytes: MOST_WRITTEN, ..common::limits() };
    let input = json!({ "operations": plan.0 }).to_string();
    let outcome = common::block_on(sandbox.call(tool, &grants, &input, &limits)).outcome;
    let output: Value = serde_json::from_str(&outcome.map_err(|error| format!("the call failed: {error:?}"))?).unwrap();
    let answers = output["answers"].as_array().unwrap().clone();
    if answers.len() == plan.0.len() { Ok(answers) } else { Err(format!("{} answers", answers.len())) }
}
