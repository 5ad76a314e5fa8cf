//! The wishes of a request as people count them: by the marks of a list, by its lines, or by their order in a sentence.

use std::collections::HashMap;

use super::{Ask, Asked, Said, line_of, wish};

/// How a sentence picks a wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Which {
    /// Counted from zero.
    Nth(usize),
    Last,
    /// What stands in front of it: `2.`, `(b)`.
    Label(String),
    /// `the rename`
    Kind(Kind),
    /// Some of them, which cannot be told.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Rename,
    Hide,
    Move,
}

impl Which {
    /// `the rename`, `the hiding`
    pub(super) fn of_kind(sentence: &Said, at: usize) -> Option<Self> {
        let kind = if sentence.is(at, &["rename", "renaming"]) {
            Kind::Rename
        } else if sentence.is(at, &["hide", "hiding"]) {
            Kind::Hide
        } else if sentence.is(at, &["move", "moving"]) {
            Kind::Move
        } else {
            return None;
        };
        Some(Self::Kind(kind))
    }
}

impl Kind {
    fn is_of(self, ask: &Ask) -> bool {
        match ask {
            Ask::Rename { .. } => self == Self::Rename,
            Ask::Hide { .. } => self == Self::Hide,
            Ask::Move { .. } => self == Self::Move,
            _ => false,
        }
    }
}

/// The marks in front of the lines and parts of a list.
struct Mark {
    at: usize,
    label: String,
    indent: usize,
    /// Where what it marks ends.
    end: usize,
}

/// The wishes of a request in their order, and how they can be counted.
pub(super) struct Things<'a> {
    asked: &'a [Asked],
    places: &'a [Option<usize>],
    /// Indices of the wishes, as they stand in the request.
    order: Vec<usize>,
    /// The wishes that people count: `None` where one is not read, or several stand together.
    slots: Vec<Option<usize>>,
    /// The wishes behind each mark; `None` where a mark stands twice, or a list stands in another.
    labels: HashMap<String, Option<Vec<usize>>>,
    is_labelled: bool,
}

impl<'a> Things<'a> {
    pub(super) fn of(request: &str, asked: &'a [Asked], places: &'a [Option<usize>]) -> Self {
        let place = |at: usize| places.get(at).copied().flatten();
        let mut order: Vec<usize> = (0..asked.len()).filter(|&at| place(at).is_some()).collect();
        order.sort_by_key(|&at| place(at));
        let marks = marks(request);
        let nested = marks.iter().any(|mark| marks.first().is_some_and(|first| first.indent != mark.indent));
        let mut labels: HashMap<String, Option<Vec<usize>>> = HashMap::new();
        for mark in &marks {
            let inside = |at: &usize| place(*at).is_some_and(|place| (mark.at..mark.end).contains(&place));
            let behind: Vec<usize> = order.iter().copied().filter(inside).collect();
            let first = !labels.contains_key(&mark.label);
            labels.insert(mark.label.clone(), (first && !nested).then_some(behind));
        }
        let is_labelled =
            labels.values().filter(|wishes| wishes.as_ref().is_none_or(|one| !one.is_empty())).count() > 1;
        let slots = slots(request, asked, places, &order);
        Self { asked, places, order, slots, labels, is_labelled }
    }

    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    /// Whether wishes stand behind this mark or its like.
    pub(super) fn has_label(&self, label: &str) -> bool {
        self.is_labelled && self.labels.contains_key(label)
    }

    /// `number 2` of a list without numbers.
    pub(super) fn counted(&self, number: &str) -> Which {
        match number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
            Some(at) if !self.is_labelled => Which::Nth(at),
            _ => Which::Unknown,
        }
    }

    /// The wishes that are picked; `None` where it cannot be told.
    pub(super) fn chosen(&self, which: &Which) -> Option<Vec<usize>> {
        let label = |label: &str| {
            let wishes = self.labels.get(label)?.clone()?;
            (wishes.len() == 1).then_some(wishes)
        };
        let digits = self.labels.keys().all(|label| label.chars().all(|c| c.is_ascii_digit()));
        match which {
            Which::Nth(at) if self.is_labelled && digits => label(&at.saturating_add(1).to_string()),
            Which::Nth(at) if !self.is_labelled => self.slots.get(*at).copied().flatten().map(|wish| vec![wish]),
            Which::Last if !self.is_labelled => self.slots.last().copied().flatten().map(|wish| vec![wish]),
            Which::Label(text) => label(text),
            Which::Kind(kind) => {
                let of_kind = |at: &usize| self.asked.get(*at).and_then(wish).is_some_and(|ask| kind.is_of(ask));
                let chosen: Vec<usize> = self.order.iter().copied().filter(of_kind).collect();
                (chosen.len() == 1).then_some(chosen)
            }
            Which::Nth(_) | Which::Last | Which::Unknown => None,
        }
    }

    /// The first token behind the wishes that a sentence gives itself.
    pub(super) fn behind_wishes(&self, sentence: &Said) -> usize {
        let last = self.places.iter().flatten().filter(|place| sentence.span.contains(place)).max();
        last.map_or(0, |last| {
            (0..sentence.tokens.len()).find(|&at| sentence.place(at) > *last).unwrap_or(sentence.tokens.len())
        })
    }
}

/// The wishes as they are counted without marks: the lines of a list, or what one line gives.
fn slots(request: &str, asked: &[Asked], places: &[Option<usize>], order: &[usize]) -> Vec<Option<usize>> {
    let place = |at: usize| places.get(at).copied().flatten().unwrap_or_default();
    let lines: Vec<usize> = order.iter().map(|&wish| line_of(request, place(wish)).start).collect();
    let unread = |start: usize, end: usize| {
        asked
            .iter()
            .enumerate()
            .any(|(at, one)| places.get(at).is_none_or(Option::is_none) && one.span.start < end && start < one.span.end)
    };
    let (Some(&first), Some(&last)) = (lines.first(), lines.last()) else { return Vec::new() };
    if first == last {
        let line = line_of(request, first);
        let known = !unread(line.start, line.end);
        return order.iter().map(|&wish| known.then_some(wish)).collect();
    }
    let is_item = |text: &str| ["- ", "* ", "• ", "+ "].iter().any(|bullet| text.trim_start().starts_with(bullet));
    let mut slots: Vec<Option<usize>> = Vec::new();
    let (mut start, mut above) = (0_usize, 0_usize);
    for line in request.split_inclusive('\n') {
        let end = start.saturating_add(line.len());
        let here: Vec<usize> =
            order.iter().zip(&lines).filter(|(_, at)| **at == start).map(|(wish, _)| *wish).collect();
        let counts = is_item(line) || !here.is_empty() || unread(start, end);
        if start < first {
            // Items right above the first wish are counted, too.
            above = if is_item(line) { above.saturating_add(1) } else { 0 };
        } else if start <= last && counts {
            slots.push(match here.as_slice() {
                [one] if !unread(start, end) => Some(*one),
                _ => None,
            });
        }
        start = end;
    }
    std::iter::repeat_n(None, above).chain(slots).collect()
}

/// The marks of lists, at the start of a line or in it: `2.`, `(b)`, `#3`, `ii)`.
fn marks(request: &str) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let mut start = 0_usize;
    let mut blank = false;
    let is_mark = |mark: &str| {
        !mark.is_empty()
            && (mark.chars().all(|c| c.is_ascii_digit()) && mark.len() < 3
                || mark.len() == 1
                || mark.chars().all(|c| "ivx".contains(c)))
    };
    for line in request.split_inclusive('\n') {
        let text = line.trim_start_matches([' ', '\t', '>', '*', '-', '_', '|']);
        let indent = line.len().saturating_sub(text.len());
        let bare = text.trim_start_matches(['#', '[', '(']);
        let mark: String = bare.chars().take(4).take_while(char::is_ascii_alphanumeric).collect();
        let behind = bare.get(mark.len()..).unwrap_or_default();
        let marked = [". ", ") ", "] ", ": ", ".** ", " |"].iter().any(|end| behind.starts_with(end))
            || bare.len() < text.len() && behind.starts_with(' ');
        // What a mark marks ends with its paragraph.
        let ends = blank && indent == 0;
        if ends || marked && is_mark(&mark) {
            marks.iter_mut().filter(|known| known.end == usize::MAX).for_each(|known| known.end = start);
        }
        if marked && is_mark(&mark) {
            marks.push(Mark { at: start, label: mark.to_lowercase(), indent, end: usize::MAX });
        }
        for (open, _) in line.match_indices('(').filter(|(open, _)| *open > indent) {
            let spaced = line.get(..open).is_some_and(|before| before.ends_with(char::is_whitespace));
            let inner: String = line.get(open.saturating_add(1)..).unwrap_or_default().chars().take(5).collect();
            if let Some((mark, _)) = inner.split_once(')').filter(|(mark, _)| spaced && is_mark(mark)) {
                let label = mark.to_lowercase();
                // `(ii)` further down picks what it marks.
                if marks.iter().all(|known| known.label != label) {
                    let at = start.saturating_add(open);
                    marks.iter_mut().filter(|known| known.end == usize::MAX).for_each(|known| known.end = at);
                    let indent = marks.first().map_or(indent, |first| first.indent);
                    marks.push(Mark { at, label, indent, end: usize::MAX });
                }
            }
        }
        blank = line.trim().is_empty();
        start = start.saturating_add(line.len());
    }
    marks
}
