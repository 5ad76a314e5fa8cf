//! From a classification and its edit to a plan.

use bailiwick_sdk::tasks::{
    Change, Classification, Directive, EntityKind, ItemVerdict, Language, ManualGuidance, Route, Scope,
};

use super::{ActionKind, Plan, PlanOutcome, PlannedAction};
use crate::machine::EditScope;
use crate::response::{ChangedFile, Origin, unified};
use crate::surface::{LanguageEffect, Surface};

/// What became of the edit of `client.tsp`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlannedEdit {
    /// The file before, with its content after; `None` where nothing is edited.
    pub file: Option<EditedFile>,
    /// Items that cannot be carried out, by their ids, with the reason.
    pub refused: Vec<(String, ManualGuidance)>,
    /// What is left for a person when it is carried out.
    pub by_hand: Vec<ManualGuidance>,
    /// How the public surface changes by it.
    pub surface: Option<Surface>,
    /// The same for each language of a specification without a package.
    pub effects: Vec<LanguageEffect>,
    /// Whether the compiler has read it.
    pub compiled: bool,
}

/// A file before and after an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedFile {
    /// The path, with its grant.
    pub path: String,
    /// Before; `None` when there was no such file.
    pub before: Option<Vec<u8>>,
    /// After.
    pub after: Vec<u8>,
}

impl Plan {
    /// The plan for a package of `language` with this edit scope.
    #[must_use]
    pub fn new(language: Language, scope: EditScope, classification: &Classification, edit: &PlannedEdit) -> Self {
        let (mut actions, mut guidance, mut settled) = (Vec::new(), Vec::new(), Vec::new());
        for item in &classification.items {
            let refused = edit.refused.iter().find(|(id, _)| *id == item.id).map(|(_, guidance)| guidance);
            match (item.route, refused) {
                (Route::PhaseA, Some(refused)) => guidance.push(refused.clone()),
                (Route::PhaseA, None) => {
                    for action in actions_of(item, language, edit) {
                        match left_out(&action, item, scope) {
                            Some(reason) => guidance.push(reason),
                            None => actions.push(action),
                        }
                    }
                }
                (Route::Success, _) => settled.push(item.reason.clone()),
                (Route::Failure, _) => {
                    guidance.push(item.guidance.clone().unwrap_or_else(|| without_words(item)));
                }
            }
        }
        guidance.extend(edit.by_hand.iter().cloned());
        let outcome = match (actions.is_empty(), guidance.is_empty()) {
            (false, _) => PlanOutcome::Planned,
            (true, false) => PlanOutcome::Guidance,
            (true, true) => PlanOutcome::Nothing,
        };
        let diff = edit.file.as_ref().map(|file| {
            unified(&[ChangedFile {
                path: file.path.clone(),
                origin: Origin::Agent,
                before: file.before.clone(),
                after: Some(file.after.clone()),
            }])
        });
        Self {
            outcome,
            background: classification.background.clone(),
            candidates: PlannedAction::all(&classification.candidates, language),
            guidance,
            settled,
            needs_scope: needs_scope(language, classification, &actions),
            obstacle: None,
            diff: diff.unwrap_or_default(),
            public_surface: edit.surface.clone(),
            effects: edit.effects.clone(),
            compiled: edit.compiled,
            actions,
        }
    }
}

impl Plan {
    /// The plan of a caller who allows changes for these languages beside the package's.
    #[must_use]
    pub fn allowing(mut self, language: Language, allowed: &[Language]) -> Self {
        let is_allowed = |one: &Language| *one == language || allowed.contains(one);
        let covered = |needed: &String| match needed.as_str() {
            "all" => Language::ALL.iter().all(is_allowed),
            tokens => Language::ALL
                .iter()
                .filter(|one| tokens.split(',').any(|token| token == one.scope_token()))
                .all(is_allowed),
        };
        self.needs_scope = self.needs_scope.filter(|needed| !covered(needed));
        self
    }

    /// The plan of a package with something in the way of its generation.
    #[must_use]
    pub fn obstructed(mut self, obstacle: Option<String>) -> Self {
        self.obstacle = obstacle.filter(|_| self.outcome == PlanOutcome::Planned);
        self
    }
}

fn actions_of(item: &ItemVerdict, language: Language, edit: &PlannedEdit) -> Vec<PlannedAction> {
    if !item.directives.is_empty() {
        return item.directives.iter().map(|directive| PlannedAction::of(directive, language)).collect();
    }
    // What a classifier describes in no directive is seen by the edit alone.
    let kind = if edit.file.is_some() { ActionKind::Edit } else { ActionKind::Repair };
    vec![PlannedAction { basis: item.text.clone(), ..PlannedAction::empty(kind) }]
}

/// Why the edit scope leaves an action out.
fn left_out(action: &PlannedAction, item: &ItemVerdict, scope: EditScope) -> Option<ManualGuidance> {
    let (what, allowing) = match (action.action, scope) {
        (ActionKind::Repair, EditScope::SpecInputs) => ("customization code", EditScope::CustomCode),
        (ActionKind::Repair, _) | (_, EditScope::All | EditScope::SpecInputs) => return None,
        (_, EditScope::CustomCode) => ("`client.tsp`", EditScope::SpecInputs),
    };
    Some(ManualGuidance {
        issue: item.reason.clone(),
        files: action.files.clone(),
        approach: format!("ask again with the edit scope `{}` or `{allowing}`", EditScope::All),
        reason: format!("the edit scope `{scope}` leaves {what} as it is"),
    })
}

/// A classifier owes guidance with every failure; one that gave none is answered for.
fn without_words(item: &ItemVerdict) -> ManualGuidance {
    ManualGuidance {
        issue: item.text.clone(),
        files: Vec::new(),
        approach: "do it by hand, or ask for it in other words or as a directive".into(),
        reason: item.reason.clone(),
    }
}

impl PlannedAction {
    fn empty(action: ActionKind) -> Self {
        Self {
            action,
            kind: None,
            target: None,
            name: None,
            to: None,
            decorator: None,
            value: None,
            operations: Vec::new(),
            parameters: Vec::new(),
            files: Vec::new(),
            scope: None,
            basis: String::new(),
        }
    }

    /// Directives as actions for a package of `language`.
    #[must_use]
    pub fn all(directives: &[Directive], language: Language) -> Vec<Self> {
        directives.iter().map(|one| Self::of(one, language)).collect()
    }

    /// A directive as an action for a package of `language`.
    #[must_use]
    pub fn of(directive: &Directive, language: Language) -> Self {
        let on = |action, kind: EntityKind, target: &str| Self {
            kind: Some(kind_word(kind).to_owned()),
            target: Some(target.to_owned()),
            ..Self::empty(action)
        };
        let action = match &directive.change {
            Change::Rename { kind, target, name } => {
                Self { name: Some(name.clone()), ..on(ActionKind::Rename, *kind, target) }
            }
            Change::Hide { kind, target } => on(ActionKind::Hide, *kind, target),
            Change::Show { kind, target } => on(ActionKind::Show, *kind, target),
            Change::Move { kind, target, to } => Self { to: Some(to.clone()), ..on(ActionKind::Move, *kind, target) },
            Change::Decorate { kind, target, decoration } => Self {
                decorator: Some(decoration.decorator()),
                // The form of a list of directives, which has the decorator apart.
                value: serde_json::to_value(decoration)
                    .ok()
                    .and_then(|mut form| form.get_mut("value").map(serde_json::Value::take)),
                ..on(ActionKind::Decorate, *kind, target)
            },
            Change::Undecorate { kind, target, decorator } => {
                Self { decorator: Some(*decorator), ..on(ActionKind::Undecorate, *kind, target) }
            }
            Change::Client { name, operations, parameters } => Self {
                name: Some(name.clone()),
                operations: operations.clone(),
                parameters: parameters.clone(),
                ..Self::empty(ActionKind::Client)
            },
            Change::Repair { files } => Self { files: files.clone(), ..Self::empty(ActionKind::Repair) },
        };
        Self { scope: scope_words(directive, language), basis: directive.basis.clone(), ..action }
    }
}

/// The languages that planned items change, where there are more than the package's own.
fn needs_scope(language: Language, classification: &Classification, actions: &[PlannedAction]) -> Option<String> {
    if actions.iter().all(|action| action.scope.is_none()) {
        return None;
    }
    let items = classification.items.iter().filter(|item| item.route == Route::PhaseA);
    let scopes: Vec<&Scope> = items.flat_map(|item| &item.directives).filter_map(|one| one.scope.as_ref()).collect();
    let changed = |one: &Language| *one == language || scopes.iter().any(|scope| scope.covers(*one));
    let languages: Vec<Language> = Language::ALL.into_iter().filter(changed).collect();
    let tokens: Vec<&str> = languages.iter().map(|one| one.scope_token()).collect();
    if languages.len() == Language::ALL.len() { Some("all".into()) } else { Some(tokens.join(",")) }
}

/// `None` for the package's language alone.
fn scope_words(directive: &Directive, language: Language) -> Option<String> {
    let scope = directive.scope.as_ref()?;
    let alone = Language::ALL.into_iter().all(|one| scope.covers(one) == (one == language));
    (!alone).then(|| scope.argument().unwrap_or_else(|| "all".to_owned()))
}

fn kind_word(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::EnumMember => "member",
        other => other.noun(),
    }
}
