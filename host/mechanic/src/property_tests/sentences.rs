//! Sentences made from the forms of the grammar, each with the intent it was made from.

use super::choices::Choices;
use crate::intents::{Verb, can_be_hidden, can_be_renamed};
use crate::patterns::{Part, Pattern, patterns};
use crate::{sample, words};
use bailiwick_sdk::tasks::{Entity, EntityKind, Language};

/// A sentence as its pieces. Between two pieces anything may stand that changes nothing.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    pub(super) pieces: Vec<Piece>,
    pub(super) language: Language,
    /// As [`super::asked`] tells it.
    pub(super) intent: String,
    /// The reference of what it is about.
    pub(super) target: String,
}

#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) role: Role,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Words of the language.
    Words,
    Target,
    Name,
}

impl Sentence {
    pub(super) fn text(&self) -> String {
        let pieces: Vec<&str> = self.pieces.iter().map(|piece| piece.text.as_str()).collect();
        pieces.join(" ").replace(" 's", "'s").replace(" 'S", "'S")
    }

    /// The sentence with something more before the piece of this number.
    pub(super) fn with(&self, gap: usize, text: &str) -> Self {
        let mut longer = self.clone();
        longer.pieces.insert(gap.min(self.pieces.len()), Piece { text: text.to_owned(), role: Role::Words });
        longer
    }
}

/// What may stand anywhere: it changes nothing.
const FILLERS: &[&str] = &["", "please", "the", "just", "also", ",", "now", "a", "kindly", "our"];

/// What may stand anywhere and names the package's own language or library.
const SCOPES: &[&str] = &[
    "in {L}",
    "for {L}",
    "for the {L} SDK",
    "from the {L} client library",
    "in the client",
    "across the {L} package",
    "for {L} users",
    "in the SDK for {L}",
];

/// Where operations are moved to, as the decorator names it.
const PLACE: &str = "Contoso.WidgetManager";

const REASONS: &[&str] =
    &["because it is dangerous", "since customers lose data", "so that people use the portal", "due to feedback"];

/// One sentence, as the choices say. The first choice of each kind is the plainest.
pub(super) fn sentence(choices: &mut Choices) -> Sentence {
    let language = choices.of(&Language::ALL);
    let forms: Vec<Pattern> =
        patterns().into_iter().filter(|form| matches!(form.verb, Verb::Hide | Verb::Rename | Verb::Move)).collect();
    let form = &forms[choices.below(forms.len())];
    let target = target(form.verb, choices);
    let (name, written) = new_name(&target, choices);
    let reference = target.reference.clone();
    let intent = match form.verb {
        Verb::Hide => format!("hide {reference}"),
        Verb::Move => format!("move {reference} {PLACE}"),
        _ => format!("rename {reference} {written}"),
    };
    let mut pieces = Vec::new();
    if choices.rarely() {
        pieces.push(words_of(choices.of(words::LEAD_INS)));
    }
    for part in &form.parts {
        if let Some(piece) = piece(part, &target, name, language, choices) {
            pieces.push(piece);
        }
    }
    let mut sentence = Sentence { pieces, language, intent, target: reference };
    for _ in 0..choices.below(4) {
        let gap = choices.below(sentence.pieces.len() + 1);
        let filler = if choices.rarely() {
            choices.of(SCOPES).replace("{L}", named(language))
        } else {
            choices.of(FILLERS).to_owned()
        };
        let possessive = sentence.pieces.get(gap).is_some_and(|piece| piece.text == "'s");
        if !filler.is_empty() && !possessive && (gap > 0 || filler != ",") {
            sentence = sentence.with(gap, &filler);
        }
    }
    if choices.rarely() {
        sentence = sentence.with(usize::MAX, choices.of(REASONS));
    }
    sentence
}

fn words_of(text: impl Into<String>) -> Piece {
    Piece { text: text.into(), role: Role::Words }
}

pub(super) fn named(language: Language) -> &'static str {
    match language {
        Language::Python => "Python",
        Language::Java => "Java",
        Language::Dotnet => ".NET",
        Language::Javascript => "JavaScript",
        Language::Go => "Golang",
    }
}

fn piece(part: &Part, target: &Entity, name: &str, language: Language, choices: &mut Choices) -> Option<Piece> {
    let words = |text: &str| Some(words_of(text));
    match part {
        Part::Word { optional: true, .. } | Part::Kind if choices.coin() => None,
        Part::Subject { optional } if !optional.is_empty() && choices.coin() => None,
        Part::Word { words: known, .. } => words(choices.of(known)),
        Part::Target => Some(Piece { text: spelled(target, choices), role: Role::Target }),
        Part::Name => Some(Piece { text: name.to_owned(), role: Role::Name }),
        Part::Place => words(choices.of(&["the root client", "the main client", "root client"])),
        Part::Internal => words(choices.of(words::INTERNAL)),
        Part::Visible => words(choices.of(words::VISIBLE)),
        Part::Kind => words(choices.of(nouns(target.kind))),
        Part::Public => {
            let surface = ["the public API", "the public API surface", "the {L} public API", "{L}'s public surface"];
            Some(words_of(choices.of(&surface).replace("{L}", named(language))))
        }
        Part::Subject { .. } => {
            Some(words_of(choices.of(&["the {L} SDK", "our client"]).replace("{L}", named(language))))
        }
    }
}

/// Nouns that people use for a kind.
fn nouns(kind: EntityKind) -> &'static [&'static str] {
    match kind {
        EntityKind::Operation => &["operation", "method", "function", "endpoint"],
        EntityKind::Model => &["model", "class", "type"],
        EntityKind::Property => &["property", "field"],
        EntityKind::Enum => &["enum", "type"],
        EntityKind::EnumMember => &["value", "member"],
        EntityKind::Union => &["union", "enum"],
        EntityKind::Interface => &["interface", "group"],
        EntityKind::Parameter => &["parameter", "argument"],
        EntityKind::Scalar => &["scalar"],
        EntityKind::Namespace => &["namespace"],
    }
}

fn target(verb: Verb, choices: &mut Choices) -> Entity {
    let mut fit = sample::index().entities;
    // `replace name of Widget name` can be read in two ways, and `part` is a word of the forms as well.
    fit.retain(|one| one.reference != "Contoso.WidgetManager.Widget.name" && one.name != "Part");
    fit.retain(|one| match verb {
        Verb::Hide => can_be_hidden(one.kind),
        // The group that it moves to has an operation of the other name.
        Verb::Move => one.kind == EntityKind::Operation && one.name != "getStatistics",
        _ => can_be_renamed(one.kind),
    });
    fit.swap_remove(choices.below(fit.len()))
}

/// A target as people write it.
fn spelled(target: &Entity, choices: &mut Choices) -> String {
    let index = sample::index();
    let name = target.name.as_str();
    let noun = choices.of(nouns(target.kind));
    let path = target.reference.trim_start_matches("Contoso.WidgetManager.").replace("::parameters.", ".");
    let shared = |one: &&Entity| one.name.to_lowercase() == name.to_lowercase();
    let alone = index.entities.iter().filter(shared).count() == 1 && !["name", "id", "status"].contains(&name);
    let mut forms = vec![path.clone(), format!("`{path}`"), format!("the {noun} {path}"), format!("{noun} `{path}`")];
    if alone {
        forms.extend([
            name.to_owned(),
            format!("`{name}`"),
            format!("\"{name}\""),
            format!("“{name}”"),
            format!("``{name}``"),
            format!("the {noun} {name}"),
            format!("the {name} {noun}"),
            bailiwick_sdk::python_names::snake(name),
        ]);
    }
    if let Some((holder, _)) = path.rsplit_once('.') {
        forms.extend([
            format!("the {name} {noun} of {holder}"),
            format!("{name} of {holder}"),
            format!("{holder}'s {name}"),
            format!("the {name} {noun} in `{holder}`"),
        ]);
    }
    choices.of(&forms).clone()
}

/// A new name as people write it, and as it is written into the decorator.
fn new_name(target: &Entity, choices: &mut Choices) -> (&'static str, &'static str) {
    let pascal = target.kind.is_type() || target.name.starts_with(char::is_uppercase);
    let (name, types, members) = choices.of(&[
        ("GadgetInfo", "GadgetInfo", "gadgetInfo"),
        ("gadget_info", "GadgetInfo", "gadgetInfo"),
        ("gadgetInfo", "GadgetInfo", "gadgetInfo"),
        ("GADGET_INFO", "GadgetInfo", "gadgetInfo"),
        ("`GadgetInfo`", "GadgetInfo", "gadgetInfo"),
        ("'gadgetInfo'", "GadgetInfo", "gadgetInfo"),
        ("\"gadget\"", "Gadget", "gadget"),
        ("`gadget`", "Gadget", "gadget"),
    ]);
    (name, if pascal { types } else { members })
}
