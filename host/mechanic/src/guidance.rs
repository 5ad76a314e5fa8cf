//! Turns a refusal into guidance: what was asked, where to look, what to do by hand, and why it was not done.

use super::intents::{Refusal, can_be_hidden, can_be_renamed};
use super::nameless::SPEAKS_OF;
use super::out_of_reach;
use bailiwick_sdk::tasks::{Entity, EntityKind, Language, ManualGuidance};

const CLIENT_FILE: &str = "spec/client.tsp";

/// The forms to rephrase a request in, for guidance about wording.
const FORMS: &str = "`hide the operation Widgets.deleteWidget` or `rename the model Foo to Bar`";

/// Where an entity is declared, as `path:line`.
pub(crate) fn place(entity: &Entity) -> String {
    format!("{}:{}", entity.file, entity.line)
}

fn places(entities: &[Entity]) -> Vec<String> {
    let mut files = vec![CLIENT_FILE.to_owned()];
    for entity in entities.iter().take(10) {
        let place = place(entity);
        if !files.contains(&place) {
            files.push(place);
        }
    }
    files
}

fn listed(entities: &[Entity]) -> String {
    let names: Vec<String> =
        entities.iter().take(10).map(|entity| format!("the {} `{}`", entity.kind.noun(), entity.reference)).collect();
    names.join(", ")
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(200).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The guidance for a refusal.
pub(crate) fn guidance(refusal: &Refusal, language: Language) -> ManualGuidance {
    let files = match refusal {
        Refusal::NotFound { near: entities, .. }
        | Refusal::Ambiguous { candidates: entities, .. }
        | Refusal::Unclear { about: entities, .. }
        | Refusal::Decoration { near: entities, .. }
        | Refusal::KindMismatch { found: entities, .. } => places(entities),
        Refusal::CannotHide { target }
        | Refusal::StaysPublic { target, .. }
        | Refusal::HeldPublic { target, .. }
        | Refusal::CannotShow { target }
        | Refusal::CannotRename { target }
        | Refusal::NotInClient { target }
        | Refusal::OutOfReach { target, .. }
        | Refusal::Collision { other: target, .. } => places(std::slice::from_ref(target.as_ref())),
        Refusal::Analyzer { diagnostic, .. } if diagnostic.file.is_some() => {
            vec![CLIENT_FILE.to_owned(), diagnostic.place()]
        }
        Refusal::Log { diagnostics } => {
            let mut files: Vec<String> = Vec::new();
            for place in
                diagnostics.iter().filter(|one| one.file.is_some()).map(bailiwick_sdk::tasks::Diagnostic::place)
            {
                if files.len() < 10 && !files.contains(&place) {
                    files.push(place);
                }
            }
            if files.is_empty() { vec![CLIENT_FILE.to_owned()] } else { files }
        }
        _ => vec![CLIENT_FILE.to_owned()],
    };
    ManualGuidance {
        issue: issue(refusal, language),
        files,
        approach: approach(refusal, language),
        reason: reason(refusal),
    }
}

fn issue(refusal: &Refusal, language: Language) -> String {
    match refusal {
        Refusal::Condition { sentence } => {
            format!("the request waits for something that only a person can check: `{}`", shortened(sentence))
        }
        Refusal::Undecided { sentence } => format!("the request leaves a decision open: `{}`", shortened(sentence)),
        Refusal::NotFound { text, near } if near.is_empty() => {
            format!("the TypeSpec project declares nothing called `{text}`")
        }
        Refusal::NotFound { text, near } => {
            format!("the TypeSpec project declares nothing called `{text}`; did you mean {}?", listed(near))
        }
        Refusal::MissingName { sentence } => format!("the request gives no new name: `{}`", shortened(sentence)),
        Refusal::Ambiguous { text, candidates } => format!("`{text}` can mean {}", listed(candidates)),
        Refusal::KindMismatch { text, noun, found } => format!("`{text}` is no {noun}: it is {}", listed(found)),
        Refusal::CannotHide { target } => {
            format!("the {} `{}` cannot be hidden by one decorator", target.kind.noun(), target.reference)
        }
        Refusal::StaysPublic { target, operations } => {
            let listed = operations.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(", ");
            let kind = target.kind.noun();
            format!(
                "the {kind} `{}` stays public, because public operations take or return it: {listed}",
                target.reference
            )
        }
        Refusal::HeldPublic { target, properties } => {
            let listed = properties.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(", ");
            let kind = target.kind.noun();
            format!(
                "the {kind} `{}` stays public, because properties of public models have it: {listed}",
                target.reference
            )
        }
        Refusal::CannotShow { target } => {
            format!("the {} `{}` cannot be made public by one decorator", target.kind.noun(), target.reference)
        }
        Refusal::CannotRename { target } => {
            format!("the {} `{}` cannot be renamed by one `@@clientName`", target.kind.noun(), target.reference)
        }
        Refusal::OutOfReach { target, name, also } => out_of_reach::issue(target, name.as_deref(), also, language),
        Refusal::NotInClient { target } => {
            format!("the {language} client has no {} `{}`", target.kind.noun(), target.reference)
        }
        Refusal::BadName { name, problem } => format!("the new name `{name}` {problem}"),
        Refusal::Collision { name, other } => {
            format!("the name `{name}` is already that of the {} `{}`", other.kind.noun(), other.reference)
        }
        Refusal::Elsewhere { place, sentence } => {
            format!("this speaks of `{place}`, and this package is another one: `{}`", shortened(sentence))
        }
        Refusal::Question { sentence } => {
            format!("this is a question rather than a request: `{}`", shortened(sentence))
        }
        Refusal::Contradiction { first, second } => {
            format!(
                "two parts of the request contradict each other: `{}` and `{}`",
                shortened(first),
                shortened(second)
            )
        }
        Refusal::Place { problem, .. } => format!("the operation cannot be moved so: {problem}"),
        Refusal::Structure { problem } => format!("the clients cannot be made up so: {problem}"),
        Refusal::Decoration { decorator, problem, near } => {
            let near = if near.is_empty() { String::new() } else { format!("; close to it: {}", listed(near)) };
            format!("`@{}` cannot be written so: {problem}{near}", decorator.name())
        }
        Refusal::NoEffect { decorator, language, .. } => {
            format!("`@{}` changes nothing in the {language} library", decorator.name())
        }
        Refusal::Analyzer { diagnostic, .. } => {
            format!("the analyzer reports {}: {}", diagnostic.code.as_deref().unwrap_or("a name"), diagnostic.message)
        }
        Refusal::Log { diagnostics } => match diagnostics.iter().find(|one| one.is_error()) {
            Some(first) if diagnostics.iter().filter(|one| one.is_error()).count() == 1 => {
                format!("the log reports an error at {}: {}", first.place(), first.message)
            }
            Some(first) => format!(
                "the log reports {} errors, the first at {}: {}",
                diagnostics.iter().filter(|one| one.is_error()).count(),
                first.place(),
                first.message
            ),
            None => "the request is a log without an error in a known form".into(),
        },
        Refusal::Empty => "the request asks for nothing".into(),
        Refusal::Unclear { sentence, .. } => format!("it is not certain what is asked here: `{}`", shortened(sentence)),
        Refusal::Held { refusal, words, .. } => match words.as_ref().filter(|words| !words.is_empty()) {
            Some(words) => format!("{}; in doubt is `{}`", issue(refusal, language), shortened(words)),
            None => issue(refusal, language),
        },
    }
}

fn approach(refusal: &Refusal, language: Language) -> String {
    let scope = language.scope_token();
    match refusal {
        Refusal::Ambiguous { candidates, .. } => match candidates.first() {
            Some(only) if candidates.len() == 1 => {
                format!("if this is meant, give it as {}{}", options(only), one_by_one(only))
            }
            Some(first) => format!(
                "say which one is meant, for example `{}`, or name it in full: {}{}",
                short_reference(first),
                options(first),
                one_by_one(first)
            ),
            None => "say which one is meant by its full name".into(),
        },
        Refusal::NotFound { .. } => {
            "name the operation, model or property as the TypeSpec files declare it, with its interface or model in front: `Widgets.deleteWidget`".into()
        }
        Refusal::KindMismatch { .. } => "leave the noun out, or name the thing that was meant with what holds it".into(),
        Refusal::CannotHide { target } if target.kind == EntityKind::Interface => {
            format!("hide its operations one by one, each as `hide the operation {}.<operation>`", target.name)
        }
        Refusal::CannotHide { target } => format!(
            "hide the operation or model that carries it, or take it out of the {language} client with `@@scope({}, \"!{scope}\");` if the service allows it",
            target.reference
        ),
        Refusal::StaysPublic { .. } => {
            "hide these operations too, in the same request; otherwise leave the type public".into()
        }
        Refusal::HeldPublic { .. } => {
            "hide the models of these properties too, in the same request; otherwise leave the type public".into()
        }
        Refusal::CannotShow { .. } => "show the operation, model, enum or union that carries it".into(),
        Refusal::CannotRename { .. } => format!("use `@@clientNamespace` or `@client` in {CLIENT_FILE}, then regenerate and build"),
        Refusal::OutOfReach { target, name, .. } => out_of_reach::approach(target, name.as_deref(), language),
        Refusal::NotInClient { .. } => {
            format!("check the `@scope` and `@client` decorators in {CLIENT_FILE} that keep it out of the {language} client")
        }
        Refusal::BadName { .. } | Refusal::MissingName { .. } => {
            "choose a name and put it in quotes: `rename the property Widget.displayName to \"title\"`".into()
        }
        Refusal::Collision { other, .. } => format!("choose another name, or rename `{}` first", other.reference),
        Refusal::Contradiction { .. } => {
            "say which of the two counts, or give the change itself: `--rename TARGET=NAME`, `--hide TARGET`, `--show TARGET`".into()
        }
        Refusal::Condition { .. } | Refusal::Undecided { .. } | Refusal::Question { .. } => {
            "decide it, then say the decision, or give it as `--rename TARGET=NAME`, `--hide TARGET` or `--move TARGET=CLIENT`".into()
        }
        Refusal::Elsewhere { .. } => {
            "ask for it where that package or tool is made; if this package is meant, give it as `--rename TARGET=NAME`, `--hide TARGET`, `--show TARGET` or `--move TARGET=CLIENT`".into()
        }
        Refusal::Decoration { decorator, .. } => {
            format!("look up `@{}` in what `bailiwick knowledge` prints", decorator.name())
        }
        Refusal::NoEffect { .. } => "leave it out, or write it by hand where the library says it in its own code".into(),
        Refusal::Place { approach, .. } => approach.clone(),
        Refusal::Structure { .. } => format!(
            "say it as `split the client into FooClient with getFoo, listFoos and BarClient with the other operations, initialized with barId`, or declare the clients in {CLIENT_FILE} with `@client` and `@clientInitialization` for \"{scope}\"; then regenerate and build"
        ),
        Refusal::Analyzer { .. } => format!(
            "choose a name and ask for it (`rename the model Foo to Bar`), or write `@@clientName(<type>, \"<name>\", \"{scope}\");` into {CLIENT_FILE}; where the type is hand-written, rename it there"
        ),
        Refusal::Log { .. } => {
            "correct the places named by hand, or say what the specification should change: a name, or what is hidden".into()
        }
        Refusal::Held { option, .. } => {
            format!("the likely reading is `{option}`: give this option if it is meant and decided, or say what is")
        }
        Refusal::Unclear { about, .. } if !about.is_empty() => {
            let options = about.iter().map(options).collect::<Vec<_>>().join("; ");
            format!("{SPEAKS_OF}{}: say what shall become of it, or give it as {options}", listed(about))
        }
        Refusal::Empty
        | Refusal::Unclear { .. } => format!(
            "say it as {FORMS}, give it as `--rename TARGET=NAME`, `--hide TARGET`, `--show TARGET` or `--move TARGET=CLIENT`, or edit {CLIENT_FILE} by hand (`@@access(<target>, Access.internal, \"{scope}\");`, `@@clientName(<target>, \"<name>\", \"{scope}\");`), then regenerate and build"
        ),
    }
}

/// What stands for hiding a group, which no option does.
fn one_by_one(entity: &Entity) -> &'static str {
    if entity.kind == EntityKind::Interface { "; a group is hidden by hiding its operations one by one" } else { "" }
}

/// The options that a thing can be named in.
fn options(entity: &Entity) -> String {
    let reference = &entity.reference;
    let mut options = Vec::new();
    if can_be_renamed(entity.kind) {
        options.push(format!("`--rename {reference}=NAME`"));
    }
    if can_be_hidden(entity.kind) {
        options.push(format!("`--hide {reference}`"));
    }
    if entity.kind == EntityKind::Operation {
        options.push(format!("`--move {reference}=CLIENT`"));
    }
    if options.is_empty() { format!("a change of `{reference}` in {CLIENT_FILE}") } else { options.join(", ") }
}

fn short_reference(entity: &Entity) -> String {
    let parts: Vec<&str> = entity.reference.rsplitn(3, '.').collect();
    match parts.as_slice() {
        [name, holder, ..] => format!("{} {holder}.{name}", entity.kind.noun()),
        _ => entity.reference.clone(),
    }
}

fn reason(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Condition { .. } => "a change that waits for something is not made before it".into(),
        Refusal::Undecided { .. } => "a decision that was not taken is not taken here".into(),
        Refusal::Elsewhere { .. } => "a wish for another place is not carried out here".into(),
        Refusal::Contradiction { .. } => "which of them counts cannot be told for certain".into(),
        Refusal::NotFound { .. } => "a name that is nearly right is not taken for another".into(),
        Refusal::Ambiguous { candidates, .. } if candidates.len() == 1 => {
            "one thing has this name, and that it is meant is not certain".into()
        }
        Refusal::Ambiguous { candidates, .. } => {
            format!("{} things have this name, and choosing one would be a guess", candidates.len())
        }
        Refusal::KindMismatch { noun, .. } => {
            format!("the noun `{noun}` contradicts what has this name, so one of the two is wrong")
        }
        Refusal::CannotHide { .. } | Refusal::CannotShow { .. } => {
            "`@@access` works on operations, models, enums and unions".into()
        }
        Refusal::StaysPublic { .. } => {
            "`@@access` on a type has no effect as long as a public operation takes or returns it".into()
        }
        Refusal::HeldPublic { .. } => {
            "`@@access` on a type has no effect as long as a property of a public model has it".into()
        }
        Refusal::CannotRename { .. } => {
            "such a name is part of the structure of the client, and several decorators would have to agree".into()
        }
        Refusal::OutOfReach { target, .. } => out_of_reach::reason(target),
        Refusal::NotInClient { .. } => "a decorator on something that the client does not have changes nothing".into(),
        Refusal::BadName { .. } | Refusal::MissingName { .. } => {
            "a name that was not asked for is never invented".into()
        }
        Refusal::Collision { .. } => "two things of one name in one place do not build".into(),
        Refusal::Place { .. } => "nothing is moved that is not certain to change this language and no other".into(),
        Refusal::Structure { .. } => {
            "which operation belongs where is a decision, and no operation may be left without a client".into()
        }
        Refusal::Decoration { .. } => "the compiler would refuse it, or it would say something else".into(),
        Refusal::NoEffect { reason, .. } => (*reason).to_owned(),
        Refusal::Analyzer { problem, .. } => problem.clone(),
        Refusal::Log { .. } => "no rename that the specification has made explains all of these errors".into(),
        Refusal::Question { .. } | Refusal::Empty => {
            "without a request there is nothing that could be done without guessing".into()
        }
        Refusal::Unclear { .. } => "nothing is done that is not certainly asked for".into(),
        Refusal::Held { refusal, .. } => reason(refusal),
    }
}

/// One sentence for the verdict of a refused item.
pub(crate) fn verdict_reason(refusal: &Refusal, language: Language) -> String {
    issue(refusal, language)
}
