//! Reads a whole request into items, each with what it asks for or why it is not acted on.

use super::apiview;
use super::entities::Lookup;
use super::independent_items;
use super::intents::{Intent, Refusal};
use super::log_items;
use super::sentences::{Reader, Reading};
use super::text::parts;
use super::tokens::{Token, tokenize};
use super::work;
use bailiwick_sdk::tasks::{Entity, EntityKind, Language, SpecIndex};

/// One item of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) text: String,
    pub(crate) outcome: Result<Intent, Refusal>,
}

/// Reads a request. There is always at least one item. Reading an item's text again yields the item.
pub(crate) fn read(request: &str, language: Language, index: &SpecIndex) -> Vec<Item> {
    let lookup = Lookup::new(index);
    let reader = Reader { index, lookup: &lookup, language };
    let rewritten = apiview::rewritten(request, &lookup);
    let parts = parts(&rewritten);
    let whole = |refusal: Refusal| vec![Item { text: request.trim().to_owned(), outcome: Err(refusal) }];

    let mut items: Vec<Item> = Vec::new();
    let mut asked: Vec<Intent> = Vec::new();
    let mut fix = false;
    // What items are about that are not understood, and stand alone.
    let mut doubtful: Vec<(String, Vec<&Entity>)> = Vec::new();
    for paragraph in &parts.prose {
        let read = read_paragraph(&reader, &paragraph.text);
        fix |= read.fix;
        if let Some(Err(refusal)) =
            read.items.iter().map(|item| &item.outcome).find(|outcome| outcome.as_ref().is_err_and(Refusal::spreads))
        {
            match independent_items::about(&paragraph.text, &lookup)
                .filter(|_| paragraph.is_item && parts.prose.len() > 1)
            {
                Some(entities) => doubtful.push((paragraph.text.clone(), entities)),
                // What is not understood may restrict everything that stands beside it.
                None => return whole(refusal.clone()),
            }
        }
        for item in read.items {
            if let Ok(intent) = &item.outcome {
                work::steps(asked.len());
                // The same thing asked twice is one item.
                if asked.contains(intent) {
                    continue;
                }
                if let Some(refusal) = asked.iter().find_map(|other| contradiction(other, intent, language)) {
                    return whole(refusal);
                }
                asked.push(intent.clone());
            }
            items.push(item);
        }
    }
    for item in &mut items {
        let Ok(intent) = &item.outcome else { continue };
        work::steps(doubtful.len());
        if let Some((text, _)) = doubtful.iter().find(|(_, entities)| independent_items::touches(intent, entities)) {
            let first = intent.describe(language);
            item.outcome = Err(Refusal::Contradiction { first, second: format!("`{text}`") });
        }
    }
    // Remarks that ask for nothing are no items beside requests.
    if items.iter().any(|item| item.outcome != Ok(Intent::Nothing)) {
        items.retain(|item| item.outcome != Ok(Intent::Nothing));
    }
    if fix || (items.is_empty() && !parts.log.is_empty()) {
        let names = asked.iter().filter_map(|intent| match intent {
            Intent::Rename { new, .. } => Some(new.clone()),
            _ => None,
        });
        let beside = if items.is_empty() { None } else { Some(names.collect()) };
        items.extend(log_items::read(request, &parts.log, beside, language, index));
    }
    if items.is_empty() { whole(Refusal::Empty) } else { items }
}

#[derive(Default)]
struct ParagraphReading {
    items: Vec<Item>,
    fix: bool,
}

impl ParagraphReading {
    fn is_refused(&self) -> bool {
        self.items.iter().any(|item| item.outcome.is_err())
    }
}

fn read_paragraph(reader: &Reader<'_>, text: &str) -> ParagraphReading {
    let joined = read_sentences(reader, text);
    if !joined.is_refused() || !text.contains('\n') {
        return joined;
    }
    // Lines without a dot at their end are sentences of their own, if each is understood alone.
    let mut lines = ParagraphReading::default();
    for line in text.lines() {
        let mut read = read_sentences(reader, line);
        lines.items.append(&mut read.items);
        lines.fix |= read.fix;
    }
    if lines.is_refused() { joined } else { lines }
}

fn read_sentences(reader: &Reader<'_>, text: &str) -> ParagraphReading {
    let tokens = tokenize(text);
    let mut read = ParagraphReading::default();
    for sentence in sentences(&tokens) {
        let (Some(first), Some(last)) = (sentence.first(), sentence.last()) else { continue };
        let outcome = match reader.read(sentence) {
            Reading::Talk => continue,
            Reading::Fix => {
                read.fix = true;
                continue;
            }
            Reading::Request(intent) => Ok(intent),
            Reading::Refused(refusal) => Err(refusal),
        };
        read.items.push(Item { text: text[first.start..last.end].to_owned(), outcome });
    }
    // Sentences of one paragraph may qualify each other: one that is refused stops the others.
    if read.items.len() > 1
        && let Some(refused) = read.items.iter().find(|item| item.outcome.is_err())
    {
        read.items = vec![Item { text: text.trim().to_owned(), outcome: refused.outcome.clone() }];
    }
    read
}

/// Sentences, each with the punctuation that ends it.
fn sentences(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    tokens.split_inclusive(Token::ends_sentence).filter(|sentence| sentence.iter().any(|token| !token.is_punctuation()))
}

/// Why two requests cannot both be followed.
fn contradiction(first: &Intent, second: &Intent, language: Language) -> Option<Refusal> {
    let contradict = match (first, second) {
        (Intent::Rename { target, new }, Intent::Rename { target: other, new: name }) => {
            target.reference == other.reference || new == name && target.container == other.container
        }
        (Intent::Move { target, .. }, Intent::Move { target: other, .. }) => target.reference == other.reference,
        // Whoever declares the clients anew does it in one request, and decorates them in the next.
        (Intent::Regroup { plan }, other) | (other, Intent::Regroup { plan }) if !plan.done => match other {
            Intent::Regroup { .. } | Intent::Move { .. } => true,
            Intent::Hide { target } | Intent::Rename { target, .. } => !matches!(
                target.kind,
                EntityKind::Model
                    | EntityKind::Property
                    | EntityKind::Enum
                    | EntityKind::EnumMember
                    | EntityKind::Union
            ),
            Intent::Refresh { .. } | Intent::Nothing => false,
        },
        _ => false,
    };
    contradict.then(|| Refusal::Contradiction { first: first.describe(language), second: second.describe(language) })
}
