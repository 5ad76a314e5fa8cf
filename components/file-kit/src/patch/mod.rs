//! From a text and a request to the new text, or to the reason why not. Nothing here touches a file.
//!
//! [`exact`], [`tolerant`] and [`numbers`] are the ways a piece is looked for, from the strictest on; [`indent`] keeps
//! indentation, and [`nearest`] finds the hint when nothing matches.

mod exact;
mod indent;
mod nearest;
mod numbers;
mod tolerant;

use bailiwick_tool_sdk::ToolError;
use bailiwick_tool_sdk::diff::{self, Edit};
use bailiwick_tool_sdk::lines::{BOM, Lines, ending, with_endings_of};
use numbers::Replacement;
use std::num::NonZeroU32;
use std::ops::Range;

/// What a caller asks for.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The text to replace.
    pub old: &'a str,
    /// The text to put there.
    pub new: &'a str,
    /// The first line, counted from 1, in which it may be.
    pub start: Option<NonZeroU32>,
    /// The last line, itself included.
    pub end: Option<NonZeroU32>,
    /// How many places may be replaced.
    pub places: Places,
    /// What the caller calls these things.
    pub words: &'static Words,
}

/// The words of a tool for what it is given, for its messages.
#[derive(Debug)]
pub struct Words {
    /// The text to replace.
    pub old: &'static str,
    /// The text to put there.
    pub new: &'static str,
    /// What to do when several places match.
    pub several: &'static str,
}

/// A request that does not contradict itself.
pub struct Request<'a> {
    old: &'a str,
    new: &'a str,
    start: Option<usize>,
    end: Option<usize>,
    places: Places,
    words: &'static Words,
}

/// How many places may be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    /// One, and it has to be the only one.
    One,
    /// Every one.
    All,
}

/// How the old text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// As it stands.
    Exact,
    /// But for line endings.
    LineEndings,
    /// But for whitespace.
    Whitespace,
    /// Without the line numbers that were pasted along.
    LineNumbers,
}

/// The new text and how it came about.
#[derive(Debug)]
pub struct Patched {
    /// The whole text.
    pub text: String,
    /// What was replaced, in order and apart.
    pub edits: Vec<Edit>,
    /// How the places were found.
    pub matching: Matching,
    /// The line of the first place, counted from 1.
    pub line: u32,
}

/// Why nothing is replaced.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The request makes no sense for this text.
    Invalid(String),
    /// Several places match, at these lines.
    Ambiguous(Vec<usize>),
    /// None does. The words say where it was looked for and what is nearest.
    NoMatch(String),
}

impl Refusal {
    /// The error for the file shown as `shown`, in the tool's own `words`.
    pub fn for_file(self, shown: &str, words: &Words) -> ToolError {
        let old = words.old;
        match self {
            Self::Invalid(why) => ToolError::invalid_input(format!("`{shown}` was not changed: {why}")),
            Self::Ambiguous(mut lines) => {
                let places = lines.len();
                lines.dedup();
                let shown_lines: Vec<String> = lines.iter().take(20).map(ToString::to_string).collect();
                ToolError::ambiguous(format!(
                    "`{old}` appears multiple times in `{shown}`, {places} in all, in lines {}; nothing was written; {}",
                    shown_lines.join(", "),
                    words.several
                ))
            }
            Self::NoMatch(why) => ToolError::no_match(format!("`{old}` was not found in `{shown}`{why}")),
        }
    }
}

impl<'a> Request<'a> {
    /// # Errors
    /// Invalid input when there is nothing to look for or to change, or the range ends before it starts.
    pub fn new(asked: &Asked<'a>) -> Result<Self, ToolError> {
        let words = asked.words;
        // The mark stays in the file whether or not the caller saw it, so it is not part of either text.
        let strip = |text: &'a str| text.strip_prefix(BOM).unwrap_or(text);
        let (old, new) = (strip(asked.old), strip(asked.new));
        if old.is_empty() {
            return Err(ToolError::invalid_input(format!("`{}` is empty, so there is nothing to look for", words.old)));
        }
        if old == new {
            return Err(ToolError::invalid_input(format!("`{}` and `{}` are the same", words.old, words.new)));
        }
        let line = |line: Option<NonZeroU32>| line.map(|line| line.get() as usize);
        let (start, end) = (line(asked.start), line(asked.end));
        if let (Some(start), Some(end)) = (start, end)
            && end < start
        {
            return Err(ToolError::invalid_input(format!("`endLine` {end} comes before `startLine` {start}")));
        }
        Ok(Self { old, new, start, end, places: asked.places, words })
    }
}

/// Replaces what `request` names in `text`.
///
/// # Errors
/// A [`Refusal`]; nothing is changed then.
pub fn patch(text: &str, request: &Request<'_>) -> Result<Patched, Refusal> {
    let lines = Lines::new(text);
    let region = region(&lines, request)?;
    let bytes = lines.span(region.start).start..lines.span(region.end - 1).end;
    let (matching, places, old, new) = find(text, &lines, &bytes, request)?;
    if places.len() > 1 && request.places == Places::One {
        return Err(Refusal::Ambiguous(places.iter().map(|place| lines.at(place.start) + 1).collect()));
    }
    let mut edits: Vec<Edit> = Vec::with_capacity(places.len());
    for place in exact::apart(places) {
        let edit = if matching.1 == Way::Whitespace {
            tolerant::edit(text, &lines, &place, &old, &new)
        } else {
            plain_edit(text, place, &new)
        };
        // Whole lines of two places can touch; what would reach into the place before is left for another call.
        if edits.last().is_none_or(|last| last.span.end <= edit.span.start) {
            edits.push(edit);
        }
    }
    let patched = diff::apply(text, &edits);
    if patched == text {
        return Err(Refusal::Invalid(format!("it already reads as `{}` has it", request.words.new)));
    }
    let line = edits.first().map_or(0, |edit| lines.at(edit.span.start)) + 1;
    Ok(Patched { text: patched, edits, matching: matching.0, line: u32::try_from(line).unwrap_or(u32::MAX) })
}

/// The lines, counted from 0, in which a place may be.
fn region(lines: &Lines<'_>, request: &Request<'_>) -> Result<Range<usize>, Refusal> {
    let start = request.start.unwrap_or(1) - 1;
    if start >= lines.count() {
        return Err(Refusal::Invalid(format!("it has {} lines, so line {} is past its end", lines.count(), start + 1)));
    }
    Ok(start..request.end.unwrap_or(usize::MAX).min(lines.count()))
}

/// How a place is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Literally,
    Whitespace,
}

type Found = ((Matching, Way), Vec<Range<usize>>, String, String);

/// Where the old text is by the strictest way that finds it, and the old and new text without line numbers.
fn find(text: &str, lines: &Lines<'_>, bytes: &Range<usize>, request: &Request<'_>) -> Result<Found, Refusal> {
    if let Some((matching, way, places)) = search(text, bytes, request.old) {
        return Ok(((matching, way), places, request.old.to_owned(), request.new.to_owned()));
    }
    let mut elsewhere = String::new();
    if let Some(stripped) = numbers::strip(request.old)
        && !stripped.text.trim().is_empty()
        && let Some((_, way, mut places)) = search(text, bytes, &stripped.text)
    {
        let first_word = stripped.text.len() - stripped.text.trim_start().len();
        let blank = if way == Way::Whitespace { stripped.text[..first_word].matches('\n').count() } else { 0 };
        let line = |place: &Range<usize>| lines.at(place.start) + 1;
        if let [place] = places.as_slice()
            && line(place) != stripped.first + blank
        {
            elsewhere = format!("; without its line numbers it would match line {}", line(place));
            places.clear();
        }
        if !places.is_empty() {
            let count = stripped.text.split_inclusive('\n').count();
            let new = match numbers::replacement(request.new, stripped.first, count) {
                Replacement::AsIs => request.new.to_owned(),
                Replacement::Without(new) => new,
                Replacement::Unclear => {
                    return Err(Refusal::Invalid(format!(
                        "some lines of `{}` have line numbers and some have none; give both texts without",
                        request.words.new
                    )));
                }
            };
            return Ok(((Matching::LineNumbers, way), places, stripped.text, new));
        }
    }
    Err(no_match(text, lines, bytes, request, &elsewhere))
}

/// Where `old` is, by the strictest way that finds it.
fn search(text: &str, bytes: &Range<usize>, old: &str) -> Option<(Matching, Way, Vec<Range<usize>>)> {
    let literal = exact::places(text, bytes, old);
    if !literal.is_empty() {
        return Some((Matching::Exact, Way::Literally, literal));
    }
    let but_for_endings = exact::places_but_for_endings(text, bytes, old);
    if !but_for_endings.is_empty() {
        return Some((Matching::LineEndings, Way::Literally, but_for_endings));
    }
    let tolerant = tolerant::places(text, bytes, old);
    (!tolerant.is_empty()).then_some((Matching::Whitespace, Way::Whitespace, tolerant))
}

/// Puts `new` at `place` as it is, but for line endings and for the end of the file, which keeps its line feed.
fn plain_edit(text: &str, place: Range<usize>, new: &str) -> Edit {
    let mut with = with_endings_of(text, &place, new);
    let last = ending(&text[place.clone()]);
    if place.end == text.len() && !with.is_empty() && ending(&with).is_empty() {
        with.push_str(last);
    }
    Edit { span: place, with }
}

fn no_match(text: &str, lines: &Lines<'_>, bytes: &Range<usize>, request: &Request<'_>, elsewhere: &str) -> Refusal {
    let region = lines.at(bytes.start)..lines.at(bytes.end.max(1) - 1) + 1;
    let narrowed = request.start.is_some() || request.end.is_some();
    let mut why = if narrowed { format!(" in lines {} to {}", region.start + 1, region.end) } else { String::new() };
    why.push_str("; nothing was written");
    let outside = narrowed.then(|| search(text, &(0..text.len()), request.old)).flatten();
    if !elsewhere.is_empty() {
        why.push_str(elsewhere);
    } else if let Some(first) = outside.as_ref().and_then(|(_, _, places)| places.first()) {
        why.push_str(&format!("; it is outside that range, at line {}", lines.at(first.start) + 1));
    } else if let Some(nearest) = nearest::describe(lines, region, request.old) {
        why.push_str("; ");
        why.push_str(&nearest);
    } else {
        why.push_str(", and no line there is like it");
    }
    Refusal::NoMatch(why)
}

#[cfg(test)]
mod tests;
