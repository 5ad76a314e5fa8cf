//! The tests of seed 000 phase 9 that concern the machine, on scripted events, and properties over random and over all
//! events. `docs/contributing/test-matrix.md` says which test shows what.

mod context;
mod errors;
mod exhaustive;
mod limits;
mod properties;
mod repair;
mod scenarios;
mod scope;
mod stall;
mod success;

use bailiwick_sdk::tasks::{
    Classification, CodePatchDetail, Diagnostic, ItemVerdict, ManualGuidance, Route, Severity, TypeSpecChange,
};

use super::{
    Before, Checked, Claims, CodePatch, Customizations, EditScope, Effect, Ending, ErrorCode, Event, Input, Keep,
    NotLanded, NotLandedCause, Outcome, Place, Proof, Regeneration, State, TypespecEdit, step,
};

/// A run under a scripted driver.
struct Run {
    state: State,
    /// The names of all effects so far.
    effects: Vec<&'static str>,
}

impl Run {
    fn begin(scope: EditScope) -> Self {
        Self::with_request(scope, "hide deleteWidget from the Python SDK")
    }

    fn with_request(scope: EditScope, request: &str) -> Self {
        Self::with_input(&Input { request: request.to_owned(), scope, keep: Keep::Partial })
    }

    fn with_input(input: &Input) -> Self {
        let (state, effect) = State::begin(input);
        Self { state, effects: vec![effect.name()] }
    }

    fn send(&mut self, event: Event) -> &mut Self {
        let (state, effect) = step(self.state.clone(), event);
        self.effects.push(effect.name());
        self.state = state;
        self
    }

    /// Asserts what the machine waits for, so that a script that went astray fails where it did.
    fn awaits(&mut self, effect: &str) -> &mut Self {
        assert_eq!(self.state.awaiting().name(), effect, "{:?}", self.effects);
        self
    }

    fn classified(&mut self, routes: &[Route]) -> &mut Self {
        let items = routes.iter().enumerate().map(|(index, route)| item(index, *route)).collect();
        self.awaits("classify")
            .send(Event::Classified { classification: Classification { items, ..Classification::default() } })
    }

    fn phase_a(&mut self) -> &mut Self {
        self.classified(&[Route::PhaseA])
    }

    fn landed(&mut self) -> &mut Self {
        let edit = TypespecEdit::Landed { changes: vec![change()], renames: Vec::new() };
        self.awaits("editTypespec").send(Event::TypespecEdited { edit })
    }

    fn no_edit(&mut self) -> &mut Self {
        self.awaits("editTypespec")
            .send(Event::TypespecEdited { edit: TypespecEdit::NotNeeded { renames: Vec::new() } })
    }

    fn typespec_not_landed(&mut self, cause: NotLandedCause, message: &str) -> &mut Self {
        let edit = TypespecEdit::NotLanded(not_landed(cause, message));
        self.awaits("editTypespec").send(Event::TypespecEdited { edit })
    }

    fn regenerated(&mut self, customizations: Customizations) -> &mut Self {
        let regeneration = Regeneration::Succeeded { customizations, diagnostics: Vec::new() };
        self.awaits("regenerate").send(Event::Regenerated { regeneration })
    }

    fn regeneration_fails(&mut self, place: Place, message: &str) -> &mut Self {
        let regeneration =
            Regeneration::Failed { place, customizations: Customizations::Present, diagnostics: vec![error(message)] };
        self.awaits("regenerate").send(Event::Regenerated { regeneration })
    }

    fn built(&mut self) -> &mut Self {
        self.awaits("build").send(Event::Built { build: passed(), before: Before::default() })
    }

    fn build_fails(&mut self, message: &str) -> &mut Self {
        let build = failed(message);
        self.awaits("build").send(Event::Built { build, before: Before::default() })
    }

    fn no_drift(&mut self) -> &mut Self {
        let drift = passed();
        self.awaits("checkDrift").send(Event::DriftChecked { drift })
    }

    fn drifted(&mut self, message: &str) -> &mut Self {
        let drift = failed(message);
        self.awaits("checkDrift").send(Event::DriftChecked { drift })
    }

    /// Regenerates without customization files, builds, and finds no drift.
    fn validated(&mut self) -> &mut Self {
        self.regenerated(Customizations::Absent).built().no_drift()
    }

    fn patched(&mut self) -> &mut Self {
        let patch = CodePatch::Landed { patches: vec![code_patch()] };
        self.awaits("patchCode").send(Event::CodePatched { patch })
    }

    fn patch_judged_infeasible(&mut self) -> &mut Self {
        let patch = CodePatch::Guidance(guidance());
        self.awaits("patchCode").send(Event::CodePatched { patch })
    }

    fn proof(&mut self, proof: Proof) -> &mut Self {
        self.awaits("checkProof").send(Event::ProofChecked { proof })
    }

    fn claims_hold(&mut self) -> &mut Self {
        let claims = Claims::AllInDiff;
        self.awaits("checkClaims").send(Event::ClaimsChecked { claims })
    }

    fn ending(&self) -> &Ending {
        self.state.ending().unwrap_or_else(|| panic!("not ended after {:?}", self.effects))
    }

    fn ends(&self, outcome: Outcome, code: Option<ErrorCode>) -> &Self {
        let ending = self.ending();
        assert_eq!((ending.outcome, ending.code), (outcome, code), "{ending:?}");
        self
    }

    fn attempts(&self) -> (u8, u8) {
        let attempts = self.state.attempts();
        (attempts.phase_a, attempts.phase_b)
    }

    fn entered_phase_b(&self) -> bool {
        self.effects.contains(&"patchCode")
    }
}

fn item(index: usize, route: Route) -> ItemVerdict {
    ItemVerdict {
        id: format!("{index}"),
        text: format!("item {index} of the request"),
        route,
        reason: format!("because of {route:?}"),
        directives: Vec::new(),
        guidance: (route == Route::Failure).then(guidance),
    }
}

fn guidance() -> ManualGuidance {
    ManualGuidance {
        issue: "the customization builds its own pipeline".to_owned(),
        files: vec!["sdk/azure/widget/_patch.py:12".to_owned()],
        approach: "rewrite `__init__` by hand".to_owned(),
        reason: "not a mechanical change".to_owned(),
    }
}

fn change() -> TypeSpecChange {
    TypeSpecChange {
        decorator_name: "access".to_owned(),
        target: "Contoso.Widgets.deleteWidget".to_owned(),
        scope: "python".to_owned(),
        file_path: "spec/client.tsp".to_owned(),
    }
}

fn code_patch() -> CodePatchDetail {
    CodePatchDetail {
        file_path: "sdk/azure/widget/_patch.py".to_owned(),
        old_content_preview: "self.display_name".to_owned(),
        new_content_preview: "self.title".to_owned(),
        replacement_count: 1,
    }
}

fn error(message: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: Some("sdk/azure/widget/_patch.py".to_owned()),
        line: Some(3),
        column: Some(18),
        code: Some("attr-defined".to_owned()),
        message: message.to_owned(),
        symbol: None,
        tool: "mypy".to_owned(),
    }
}

fn not_landed(cause: NotLandedCause, message: &str) -> NotLanded {
    NotLanded { cause, diagnostics: vec![error(message)], guidance: None }
}

fn passed() -> Checked {
    Checked::Passed { diagnostics: Vec::new() }
}

fn failed(message: &str) -> Checked {
    Checked::Failed { diagnostics: vec![error(message)] }
}

/// What the awaited attempt is, for assertions on its number.
fn attempt_of(effect: &Effect) -> Option<u8> {
    match effect {
        Effect::EditTypespec { attempt, .. } | Effect::PatchCode { attempt, .. } => Some(*attempt),
        _ => None,
    }
}
