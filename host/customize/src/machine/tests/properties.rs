//! Properties over random runs, judged by an observer that sees only effects and events, never the state's own books.

use bailiwick_sdk::tasks::{Classification, Route};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::super::{
    Before, Checked, Claims, CodePatch, Customizations, EditScope, Effect, ErrorCode, Event, Input, Keep,
    NotLandedCause, Outcome, Place, Proof, Regeneration, State, TypespecEdit, step,
};
use super::{change, code_patch, error, failed, guidance, item, not_landed, passed};

/// No run can take more steps than this: two attempts of each phase with their validations and classifications.
const STEP_BOUND: usize = 40;

/// What an observer of effects and events knows.
#[derive(Default)]
struct Observer {
    phase_a: u32,
    phase_b: u32,
    /// Regeneration, build and drift check that passed since the last landing, in order.
    passed_in_order: u32,
    landed: bool,
    classifier_agrees: bool,
    claims_hold: bool,
    proof_valid: bool,
    customizations: bool,
    /// An attempt of Phase A is over which regenerated, or failed inside a customization.
    regenerated_in_phase_a: bool,
    last_event_was_classification: bool,
}

impl Observer {
    fn event(&mut self, event: &Event) {
        self.last_event_was_classification = matches!(event, Event::Classified { .. } | Event::ClassifierFailed { .. });
        match event {
            Event::Classified { classification } => {
                let items = &classification.items;
                self.classifier_agrees = !items.is_empty() && items.iter().all(|item| item.route == Route::Success);
            }
            Event::ClassifierFailed { .. } | Event::Aborted { .. } => self.classifier_agrees = false,
            Event::ProofChecked { proof } => self.proof_valid = *proof == Proof::Valid,
            Event::TypespecEdited { edit: TypespecEdit::Landed { .. } }
            | Event::CodePatched { patch: CodePatch::Landed { .. } } => {
                self.landed = true;
                self.passed_in_order = 0;
            }
            Event::TypespecEdited { .. } | Event::CodePatched { .. } => {}
            Event::Regenerated { regeneration } => {
                let (passed, customizations) = match regeneration {
                    Regeneration::Succeeded { customizations, .. } => (1, customizations),
                    Regeneration::Failed { customizations, .. } => (0, customizations),
                };
                self.passed_in_order = passed;
                self.customizations = *customizations == Customizations::Present;
                let inside = matches!(regeneration, Regeneration::Failed { place: Place::Customization, .. });
                self.regenerated_in_phase_a |= self.phase_a > 0 && (passed == 1 || inside);
            }
            Event::Disturbed { .. } => self.passed_in_order = 0,
            Event::Built { build, .. } => self.check(build, 1),
            Event::DriftChecked { drift } => self.check(drift, 2),
            Event::ClaimsChecked { claims } => self.claims_hold = *claims == Claims::AllInDiff,
        }
    }

    fn check(&mut self, checked: &Checked, after: u32) {
        let passed = matches!(checked, Checked::Passed { .. }) && self.passed_in_order == after;
        // A failed check leaves the regeneration, if there was one.
        self.passed_in_order = if passed { after + 1 } else { self.passed_in_order.min(1) };
    }

    fn effect(&mut self, effect: &Effect, scope: EditScope, state: &State) {
        match effect {
            Effect::EditTypespec { .. } => {
                assert_ne!(scope, EditScope::CustomCode);
                self.phase_a += 1;
            }
            // Under `CustomCode` an attempt of Phase A starts with the regeneration.
            Effect::Regenerate if scope == EditScope::CustomCode && self.last_event_was_classification => {
                self.phase_a += 1;
            }
            Effect::PatchCode { .. } => {
                assert_ne!(scope, EditScope::SpecInputs);
                assert!(!self.last_event_was_classification, "direct route to Phase B");
                assert!(self.regenerated_in_phase_a, "Phase B before Phase A");
                assert!(self.customizations, "nothing to repair");
                self.phase_b += 1;
            }
            Effect::Finish { ending } => self.finish(ending.outcome, state),
            _ => {}
        }
        assert!(self.phase_a <= 2, "a third attempt of Phase A");
        assert!(self.phase_b <= 2, "a third attempt of Phase B");
        assert_eq!(u32::from(state.attempts().phase_a), self.phase_a);
        assert_eq!(u32::from(state.attempts().phase_b), self.phase_b);
    }

    fn finish(&self, outcome: Outcome, state: &State) {
        match outcome {
            Outcome::Success => {
                assert!(self.classifier_agrees);
                let recorded = self.proof_valid && !self.landed;
                assert!(recorded || self.passed_in_order == 3, "unvalidated success");
                assert!(self.claims_hold || !self.landed, "claims were not checked");
            }
            Outcome::Partial => {
                assert!(self.landed && self.passed_in_order >= 1);
                assert!(self.claims_hold);
                assert!(!state.guidance().is_empty());
            }
            Outcome::Failure => assert!(!state.guidance().is_empty()),
        }
    }
}

fn message() -> impl Strategy<Value = String> {
    prop_oneof![Just("same".to_owned()), "[a-z]{1,8}", Just("long ".repeat(3_000))]
}

fn customizations() -> impl Strategy<Value = Customizations> {
    prop_oneof![
        3 => Just(Customizations::Present),
        1 => Just(Customizations::Absent)
    ]
}

fn checked() -> impl Strategy<Value = Checked> {
    prop_oneof![Just(passed()), message().prop_map(|text| failed(&text))]
}

fn cause() -> impl Strategy<Value = NotLandedCause> {
    prop_oneof![
        Just(NotLandedCause::RefusedByGate),
        Just(NotLandedCause::DoesNotCompile),
        Just(NotLandedCause::AgentFailed)
    ]
}

fn classified() -> BoxedStrategy<Event> {
    let route = prop_oneof![
        6 => Just(Route::PhaseA),
        6 => Just(Route::Success),
        1 => Just(Route::Failure)
    ];
    let items = prop::collection::vec(route, 0..3);
    prop_oneof![
        20 => items.prop_map(|routes| Event::Classified {
            classification: Classification {
                items: routes.into_iter().enumerate().map(|(n, route)| item(n, route)).collect(),
                ..Classification::default()
            },
        }),
        1 => message().prop_map(|message| Event::ClassifierFailed { message })
    ]
    .boxed()
}

fn edited() -> BoxedStrategy<Event> {
    prop_oneof![
        3 => Just(TypespecEdit::Landed { changes: vec![change()], renames: Vec::new() }),
        1 => Just(TypespecEdit::NotNeeded { renames: Vec::new() }),
        1 => (cause(), message())
            .prop_map(|(cause, text)| TypespecEdit::NotLanded(not_landed(cause, &text)))
    ]
    .prop_map(|edit| Event::TypespecEdited { edit })
    .boxed()
}

fn regenerated() -> BoxedStrategy<Event> {
    let place = prop_oneof![Just(Place::Generator), Just(Place::Customization)];
    prop_oneof![
        3 => customizations().prop_map(|customizations| Regeneration::Succeeded {
            customizations,
            diagnostics: Vec::new(),
        }),
        1 => (place, customizations(), message()).prop_map(|(place, customizations, text)| {
            Regeneration::Failed { place, customizations, diagnostics: vec![error(&text)] }
        })
    ]
    .prop_map(|regeneration| Event::Regenerated { regeneration })
    .boxed()
}

fn patched() -> BoxedStrategy<Event> {
    prop_oneof![
        4 => Just(CodePatch::Landed { patches: vec![code_patch()] }),
        1 => Just(CodePatch::Guidance(guidance())),
        1 => (cause(), message())
            .prop_map(|(cause, text)| CodePatch::NotLanded(not_landed(cause, &text)))
    ]
    .prop_map(|patch| Event::CodePatched { patch })
    .boxed()
}

fn proof() -> BoxedStrategy<Event> {
    prop_oneof![Just(Proof::Valid), Just(Proof::Missing)].prop_map(|proof| Event::ProofChecked { proof }).boxed()
}

fn claims() -> BoxedStrategy<Event> {
    let missing = Claims::Missing { claims: vec!["a claim".to_owned()] };
    prop_oneof![4 => Just(Claims::AllInDiff), 1 => Just(missing)]
        .prop_map(|claims| Event::ClaimsChecked { claims })
        .boxed()
}

/// One possible answer for each effect; a step takes the one that fits.
fn answers() -> impl Strategy<Value = [Event; 8]> {
    (classified(), proof(), edited(), regenerated(), checked(), checked(), patched(), claims()).prop_map(
        |(one, two, three, four, build, drift, seven, eight)| {
            let build = Event::Built { build, before: Before::default() };
            let drift = Event::DriftChecked { drift };
            [one, two, three, four, build, drift, seven, eight]
        },
    )
}

fn scope() -> impl Strategy<Value = EditScope> {
    prop_oneof![
        2 => Just(EditScope::All),
        1 => Just(EditScope::SpecInputs),
        1 => Just(EditScope::CustomCode)
    ]
}

fn index_of(effect: &Effect) -> usize {
    match effect {
        Effect::Classify { .. } => 0,
        Effect::CheckProof => 1,
        Effect::EditTypespec { .. } => 2,
        Effect::Regenerate => 3,
        Effect::Build => 4,
        Effect::CheckDrift => 5,
        Effect::PatchCode { .. } => 6,
        Effect::CheckClaims { .. } | Effect::Finish { .. } => 7,
    }
}

fn begin(scope: EditScope) -> (State, Effect) {
    let input = Input { request: "a request".to_owned(), scope, keep: Keep::Partial };
    State::begin(&input)
}

/// Steps a state and its copy that went through JSON, which must not differ.
fn step_both(state: State, event: &Event) -> (State, Effect) {
    let text = serde_json::to_string(&state).expect("serialises");
    let copy: State = serde_json::from_str(&text).expect("deserialises");
    assert_eq!(copy, state);
    let event_text = serde_json::to_string(event).expect("serialises");
    let event_copy: Event = serde_json::from_str(&event_text).expect("deserialises");
    let from_copy = step(copy, event_copy);
    let next = step(state, event.clone());
    assert_eq!(from_copy, next);
    next
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None, rng_seed: RngSeed::Fixed(2026), ..ProptestConfig::with_cases(bailiwick_fuzz::cases(250))
    })]

    #[test]
    fn every_run_keeps_the_rules_and_ends(
        scope in scope(),
        script in prop::collection::vec(answers(), STEP_BOUND),
    ) {
        let (mut state, mut effect) = begin(scope);
        let mut observer = Observer::default();
        for answers in script {
            if state.ending().is_some() {
                break;
            }
            let event = answers[index_of(&effect)].clone();
            observer.event(&event);
            (state, effect) = step_both(state, &event);
            observer.effect(&effect, scope, &state);
        }
        prop_assert!(state.ending().is_some(), "still waiting for {}", effect.name());
    }

    #[test]
    fn events_in_any_order_never_break_the_rules(
        scope in scope(),
        script in prop::collection::vec((answers(), 0..8_usize, 0..12_usize), 30),
    ) {
        let (mut state, mut effect) = begin(scope);
        let mut observer = Observer::default();
        for (answers, stray, chance) in script {
            let ended = state.ending().cloned();
            let index = if chance == 0 { stray } else { index_of(&effect) };
            let event = answers[index].clone();
            let fits = index == index_of(&effect) && ended.is_none();
            if fits {
                observer.event(&event);
            }
            (state, effect) = step_both(state, &event);
            if let Some(ended) = ended {
                prop_assert_eq!(state.ending(), Some(&ended), "an ended run changed");
            } else if fits {
                observer.effect(&effect, scope, &state);
            } else {
                let code = state.ending().and_then(|ending| ending.code);
                prop_assert_eq!(code, Some(ErrorCode::UnexpectedError));
            }
        }
        prop_assert!(state.ending().is_some());
    }
}
