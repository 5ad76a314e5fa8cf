//! Sentences that ask for one change of the sample service, made from its declarations.

/// How a clause that asks is made up; turns attach to the one or the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `rename X to Y`
    Imperative,
    /// `renaming X to Y`
    Gerund,
    /// `X should be called Y`
    Statement,
}

/// What a sentence asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    Rename,
    Hide,
    Move,
}

/// A target and, for a rename, the name that it shall get.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject {
    pub(super) asks: Asks,
    /// As the sentences call it.
    pub(super) target: &'static str,
    pub(super) reference: &'static str,
    /// The new name, or the new place.
    pub(super) other: &'static str,
}

const fn subject(asks: Asks, target: &'static str, reference: &'static str, other: &'static str) -> Subject {
    Subject { asks, target, reference, other }
}

/// Pairs of subjects that ask for the same: each can take the other's place.
pub(super) const SUBJECTS: &[[Subject; 2]] = &[
    [
        subject(Asks::Rename, "AnalyzeResult", "Contoso.WidgetManager.AnalyzeResult", "HealthReport"),
        subject(Asks::Rename, "Manufacturer", "Contoso.WidgetManager.Manufacturer", "Producer"),
    ],
    [
        subject(Asks::Rename, "`Widget.displayName`", "Contoso.WidgetManager.Widget.displayName", "`caption`"),
        subject(Asks::Rename, "`Part.displayName`", "Contoso.WidgetManager.Part.displayName", "`label_text`"),
    ],
    [
        subject(Asks::Hide, "delete_widget", "Contoso.WidgetManager.Widgets.deleteWidget", ""),
        subject(Asks::Hide, "`delete_part`", "Contoso.WidgetManager.Parts.deletePart", ""),
    ],
    [
        subject(Asks::Move, "listWidgets", "Contoso.WidgetManager.Widgets.listWidgets", "Parts"),
        subject(Asks::Move, "analyze_widget", "Contoso.WidgetManager.Widgets.analyzeWidget", "Parts"),
    ],
];

/// Clauses, with `{t}` for the target and `{n}` for the name or the place.
pub(super) const FRAMES: &[(Asks, Form, &str)] = &[
    (Asks::Rename, Form::Imperative, "rename {t} to {n}"),
    (Asks::Rename, Form::Imperative, "change the name of {t} to {n}"),
    (Asks::Rename, Form::Imperative, "expose {t} as {n}"),
    (Asks::Rename, Form::Imperative, "call {t} {n}"),
    (Asks::Rename, Form::Imperative, "use {n} as the name of {t}"),
    (Asks::Rename, Form::Gerund, "renaming {t} to {n}"),
    (Asks::Rename, Form::Gerund, "calling {t} {n}"),
    (Asks::Rename, Form::Statement, "{t} should be called {n}"),
    (Asks::Rename, Form::Statement, "{t} needs to be renamed to {n}"),
    (Asks::Rename, Form::Statement, "{t} should be {n}"),
    (Asks::Rename, Form::Statement, "{t} -> {n}"),
    (Asks::Rename, Form::Statement, "{n} is a better name for {t}"),
    (Asks::Hide, Form::Imperative, "hide {t}"),
    (Asks::Hide, Form::Imperative, "make {t} internal"),
    (Asks::Hide, Form::Imperative, "remove {t} from the public API"),
    (Asks::Hide, Form::Gerund, "hiding {t}"),
    (Asks::Hide, Form::Gerund, "making {t} internal"),
    (Asks::Hide, Form::Statement, "{t} should be hidden"),
    (Asks::Hide, Form::Statement, "{t} should not be public"),
    (Asks::Hide, Form::Statement, "{t} must not be part of the public surface"),
    (Asks::Move, Form::Imperative, "move {t} to {n}"),
    (Asks::Move, Form::Imperative, "put {t} into the {n} group"),
    (Asks::Move, Form::Gerund, "moving {t} to {n}"),
    (Asks::Move, Form::Statement, "{t} should live in {n}"),
    (Asks::Move, Form::Statement, "{t} belongs on {n}"),
];
