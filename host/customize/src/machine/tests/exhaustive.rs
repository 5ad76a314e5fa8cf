//! Not a sample but all of it: every state that a run can reach with a small alphabet of events, and every event in
//! each. Two states are the same when they differ only in what they hand on, such as history, diagnostics and guidance,
//! which decides nothing as long as the context is not full (that is in `context.rs`).

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_sdk::tasks::{Classification, Route};

use super::super::{
    Before, Check, Claims, CodePatch, Customizations, EditScope, Effect, ErrorCode, Event, Input, Keep, NotLandedCause,
    Outcome, Place, Proof, Regeneration, State, TypespecEdit, step,
};
use super::{NotLanded, change, code_patch, error, failed, guidance, item, not_landed, passed};

/// The most steps of a run: the random runs of `properties.rs` count on it.
const LONGEST: usize = 27;

fn classified(routes: &[Route]) -> Event {
    let items = routes.iter().enumerate().map(|(index, route)| item(index, *route)).collect();
    Event::Classified { classification: Classification { items, ..Classification::default() } }
}

fn disturbed() -> Event {
    Event::Disturbed { message: "files changed".to_owned() }
}

/// What can come of an effect. Two messages are enough to tell the same error from another one.
fn answers(effect: &Effect) -> Vec<Event> {
    let edited = |edit| Event::TypespecEdited { edit };
    let patched = |patch| Event::CodePatched { patch };
    let regenerated = |regeneration| Event::Regenerated { regeneration };
    let succeeded = |customizations| regenerated(Regeneration::Succeeded { customizations, diagnostics: Vec::new() });
    let fails = |place, customizations, text: &str| {
        regenerated(Regeneration::Failed { place, customizations, diagnostics: vec![error(text)] })
    };
    match effect {
        Effect::Classify { .. } => {
            [Route::PhaseA, Route::Success, Route::Failure].map(|route| classified(&[route])).to_vec()
        }
        Effect::CheckProof => [Proof::Valid, Proof::Missing].map(|proof| Event::ProofChecked { proof }).to_vec(),
        Effect::EditTypespec { .. } => {
            let advised =
                NotLanded { guidance: Some(guidance()), ..not_landed(NotLandedCause::AgentFailed, "cannot be done") };
            vec![
                edited(TypespecEdit::Landed { changes: vec![change()], renames: Vec::new() }),
                edited(TypespecEdit::NotNeeded { renames: Vec::new() }),
                edited(TypespecEdit::NotLanded(not_landed(NotLandedCause::RefusedByGate, "a"))),
                edited(TypespecEdit::NotLanded(advised)),
            ]
        }
        Effect::Regenerate => vec![
            succeeded(Customizations::Present),
            succeeded(Customizations::Absent),
            fails(Place::Generator, Customizations::Present, "a"),
            fails(Place::Customization, Customizations::Present, "a"),
            disturbed(),
        ],
        Effect::Build => {
            let ended = [passed(), failed("a"), failed("b")];
            let built = ended.map(|build| Event::Built { build, before: Before::default() });
            built.into_iter().chain([disturbed()]).collect()
        }
        Effect::CheckDrift => [passed(), failed("a")].map(|drift| Event::DriftChecked { drift }).to_vec(),
        Effect::PatchCode { .. } => vec![
            patched(CodePatch::Landed { patches: vec![code_patch()] }),
            patched(CodePatch::Guidance(guidance())),
            patched(CodePatch::NotLanded(not_landed(NotLandedCause::RefusedByGate, "a"))),
        ],
        Effect::CheckClaims { .. } => {
            let missing = Claims::Missing { claims: vec!["@@access".to_owned()] };
            [Claims::AllInDiff, missing].map(|claims| Event::ClaimsChecked { claims }).to_vec()
        }
        Effect::Finish { .. } => Vec::new(),
    }
}

/// One event of every kind.
fn kinds() -> Vec<(&'static str, Event)> {
    let edit = TypespecEdit::NotNeeded { renames: Vec::new() };
    let regeneration = Regeneration::Succeeded { customizations: Customizations::Absent, diagnostics: Vec::new() };
    vec![
        ("classify", classified(&[Route::Success])),
        ("classify", Event::ClassifierFailed { message: "no answer".to_owned() }),
        ("checkProof", Event::ProofChecked { proof: Proof::Valid }),
        ("editTypespec", Event::TypespecEdited { edit }),
        ("regenerate", Event::Regenerated { regeneration }),
        ("build", Event::Built { build: passed(), before: Before::default() }),
        ("checkDrift", Event::DriftChecked { drift: passed() }),
        ("patchCode", Event::CodePatched { patch: CodePatch::Guidance(guidance()) }),
        ("checkClaims", Event::ClaimsChecked { claims: Claims::AllInDiff }),
    ]
}

/// What decides how a state goes on.
fn key(state: &State) -> String {
    let mut value = serde_json::to_value(state).expect("serialises");
    let fields = value.as_object_mut().expect("an object");
    // What is only handed on: to agents, to the response.
    for of_no_effect in ["context", "guidance", "report", "build", "specChangeRequired", "customCodeChangeRequired"] {
        fields.remove(of_no_effect).expect("the field is there");
    }
    let ending = state.ending().map(|ending| format!("{:?} {:?}", ending.outcome, ending.code));
    fields.insert("awaiting".to_owned(), format!("{} {ending:?}", state.awaiting().name()).into());
    value.to_string()
}

#[derive(Default)]
struct Walk {
    /// The most steps to the end from each state.
    longest: BTreeMap<String, usize>,
    on_the_way: BTreeSet<String>,
    outcomes: BTreeSet<String>,
}

impl Walk {
    /// The most steps that a run can take from here.
    fn from(&mut self, state: &State) -> usize {
        let key = key(state);
        if let Some(&known) = self.longest.get(&key) {
            return known;
        }
        assert!(self.on_the_way.insert(key.clone()), "a run can come back to where it was: {key}");
        self.strays(state);
        let mut longest = 0;
        for event in answers(state.awaiting()) {
            let (next, effect) = step(state.clone(), event.clone());
            rules(state, &event, &next, &effect);
            longest = longest.max(1 + self.from(&next));
        }
        if let Some(ending) = state.ending() {
            self.outcomes.insert(format!("{:?} {:?}", ending.outcome, ending.code));
        }
        self.on_the_way.remove(&key);
        self.longest.insert(key, longest);
        longest
    }

    /// What answers another effect ends the run, an interruption ends it with its own code, and an end stays.
    fn strays(&self, state: &State) {
        let aborted = Event::Aborted { code: ErrorCode::Cancelled, message: "cancelled".to_owned() };
        if state.ending().is_some() {
            for (_, event) in kinds().into_iter().chain([("", aborted)]) {
                assert_eq!(&step(state.clone(), event).0, state, "an ended run changed");
            }
            return;
        }
        let code = |event| step(state.clone(), event).0.ending().map(|ending| (ending.outcome, ending.code));
        for (answers, event) in kinds() {
            if answers != state.awaiting().name() {
                assert_eq!(code(event), Some((Outcome::Failure, Some(ErrorCode::UnexpectedError))));
            }
        }
        assert_eq!(code(aborted), Some((Outcome::Failure, Some(ErrorCode::Cancelled))));
    }
}

/// What holds of every single step.
fn rules(before: &State, event: &Event, after: &State, effect: &Effect) {
    let context = || format!("{:?} --{event:?}--> {effect:?}", before.awaiting());
    let attempts = after.attempts();
    assert!(attempts.phase_a <= 2 && attempts.phase_b <= 2, "a third attempt: {}", context());
    assert!(attempts.phase_a >= before.attempts().phase_a && attempts.phase_b >= before.attempts().phase_b);
    if let Effect::PatchCode { .. } = effect {
        let of_a_validation = matches!(before.awaiting(), Effect::Regenerate | Effect::Build | Effect::CheckDrift);
        let again = matches!(before.awaiting(), Effect::PatchCode { .. });
        assert!(of_a_validation || again, "Phase B without a validation that failed: {}", context());
        assert!(attempts.phase_a > 0 && after.scope().edits_code(), "{}", context());
        let failure = after.failure().expect("a repair has a failure to mend");
        assert_eq!(failure.customizations, Customizations::Present, "{}", context());
        if attempts.phase_b == 1 {
            let generator = matches!(
                event,
                Event::Regenerated { regeneration: Regeneration::Failed { place: Place::Generator, .. } }
            );
            assert!(!generator, "Phase B after a failed regeneration: {}", context());
        }
    }
    if let Effect::EditTypespec { .. } = effect {
        assert!(matches!(before.awaiting(), Effect::Classify { .. }), "Phase A is the classifier's: {}", context());
        assert!(after.scope().edits_specification());
    }
    let Effect::Finish { ending } = effect else { return };
    match ending.outcome {
        Outcome::Success => {
            assert!(after.checks().all_passed() || after.rests_on_recorded_proof(), "{}", context());
            assert!(after.items().iter().all(|item| item.route == Route::Success), "{}", context());
            assert_eq!(ending.code, None);
        }
        Outcome::Partial if ending.code == Some(ErrorCode::ChangedMeanwhile) => {
            assert!(matches!(event, Event::Disturbed { .. }) && after.build().is_none(), "{}", context());
            assert!(!after.guidance().is_empty(), "{}", context());
        }
        Outcome::Partial => {
            assert_eq!(after.checks().regeneration, Check::Passed, "{}", context());
            assert!(!after.guidance().is_empty() && ending.code.is_some(), "{}", context());
            let left_to_a_person =
                after.keep() != Keep::WhatBuilds || ending.code == Some(ErrorCode::CustomCodeChangeRequired);
            assert!(after.checks().all_passed() || left_to_a_person, "{}", context());
        }
        Outcome::Failure => assert!(!after.guidance().is_empty() && ending.code.is_some(), "{}", context()),
    }
}

#[test]
fn every_event_in_every_reachable_state_keeps_the_rules_and_every_run_ends() {
    let mut walk = Walk::default();
    for scope in [EditScope::All, EditScope::SpecInputs, EditScope::CustomCode] {
        for keep in [Keep::WhatBuilds, Keep::Partial] {
            let (state, _) = State::begin(&Input { request: "a request".to_owned(), scope, keep });
            let longest = walk.from(&state);
            assert!(longest <= LONGEST, "{longest} steps under {scope}");
        }
    }
    assert!(walk.longest.len() > 1_000, "{} states", walk.longest.len());
    // Every code that the workflow itself gives is given somewhere.
    for code in [
        "Success None",
        "Partial Some(ManualGuidance)",
        "Partial Some(PhaseALimit)",
        "Partial Some(ChangedMeanwhile)",
        "Failure Some(PhaseALimit)",
        "Failure Some(PhaseBLimit)",
        "Failure Some(StallDetected)",
        "Failure Some(RefusedByGate)",
        "Failure Some(UnverifiedSuccess)",
        "Failure Some(ClaimNotInDiff)",
        "Failure Some(RegenerateFailed)",
        "Failure Some(BuildNoCustomizationsFailed)",
    ] {
        assert!(walk.outcomes.contains(code), "no run ends with {code}");
    }
}
