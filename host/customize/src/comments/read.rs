//! Reads the JSON that GitHub's and APIView's interfaces give.

// Any person can write what is read here.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use serde::Deserialize;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use thiserror::Error;

/// A file of so many bytes, so many comments, and a comment of so many characters.
const BYTES: usize = 8 << 20;
const COMMENTS: usize = 500;
const CHARACTERS: usize = 20_000;
/// The line that a comment is about is shown up to here.
const LINE_CHARACTERS: usize = 300;

/// The comments of one review, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Review {
    /// All of them.
    pub comments: Vec<Comment>,
}

/// One comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// What the review calls it.
    pub id: String,
    /// The file and line, or the element of the API.
    pub place: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// Whether it is read, or why not.
    pub standing: Standing,
    /// What is read: the line, the element, the comment and the answers to it.
    pub request: String,
}

/// Whether a comment is read for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It begins a thread, and is read with the answers to it.
    Open,
    /// It is resolved.
    Resolved,
    /// It answers this comment, and is read with it.
    Answers(String),
    /// It has no words.
    Empty,
}

/// Why a file is not a review.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CommentsError {
    /// Larger than any review.
    #[error("the review has more than {BYTES} bytes")]
    TooLarge,
    /// No JSON.
    #[error("the review is not JSON: {reason}")]
    NotJson {
        /// What is wrong.
        reason: String,
    },
    /// JSON of another shape.
    #[error("the review is not a list of comments")]
    NotAList,
    /// More comments than a review has.
    #[error("the review has {count} comments, and at most {COMMENTS} are read at once")]
    TooMany {
        /// How many there are.
        count: usize,
    },
    /// Neither of the two forms.
    #[error("comment {number} is neither GitHub's (`id`, `body`) nor APIView's (`id`, `commentText`): {reason}")]
    Malformed {
        /// Which, from 1.
        number: usize,
        /// What is wrong.
        reason: String,
    },
    /// A comment that is too long.
    #[error("comment {number} has more than {CHARACTERS} characters")]
    TooLong {
        /// Which, from 1.
        number: usize,
    },
}

impl CommentsError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        matches!(self, Self::NotJson { .. } | Self::NotAList | Self::Malformed { .. }).then(|| {
            "export it with `gh api --paginate repos/OWNER/REPO/pulls/NUMBER/comments`, or as JSON from APIView".into()
        })
    }
}

/// Of both forms what is used. Everything else in a comment is passed over.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Raw {
    id: Value,
    // GitHub
    body: Option<String>,
    path: Option<String>,
    line: Option<u64>,
    #[serde(rename = "original_line")]
    original_line: Option<u64>,
    #[serde(rename = "diff_hunk")]
    diff_hunk: Option<String>,
    #[serde(rename = "in_reply_to_id")]
    in_reply_to: Option<Value>,
    user: Option<User>,
    // of `gh pr view --json comments`
    author: Option<User>,
    // APIView
    comment_text: Option<String>,
    element_id: Option<String>,
    is_resolved: Option<bool>,
    is_deleted: Option<bool>,
    created_by: Option<String>,
}

#[derive(Deserialize)]
struct User {
    login: Option<String>,
}

/// Reads a review. A list may stand alone, or as `comments` of an object.
///
/// # Errors
/// The first element that is not a comment, and everything that is too large.
pub fn read(text: &str) -> Result<Review, CommentsError> {
    if text.len() > BYTES {
        return Err(CommentsError::TooLarge);
    }
    let value = serde_json::from_str(text).map_err(|error| CommentsError::NotJson { reason: error.to_string() })?;
    let mut list = match value {
        Value::Array(list) => list,
        Value::Object(mut object) => match object.remove("comments") {
            Some(Value::Array(list)) => list,
            _ => return Err(CommentsError::NotAList),
        },
        _ => return Err(CommentsError::NotAList),
    };
    // `gh api --paginate --slurp` makes a list of pages.
    if list.iter().all(Value::is_array) {
        list = list
            .into_iter()
            .filter_map(|page| if let Value::Array(page) = page { Some(page) } else { None })
            .flatten()
            .collect();
    }
    if list.len() > COMMENTS {
        return Err(CommentsError::TooMany { count: list.len() });
    }
    let raws = list.into_iter().zip(1..).map(|(value, number)| raw(value, number)).collect::<Result<Vec<_>, _>>()?;
    let threads = Threads::of(&raws);
    Ok(Review { comments: raws.iter().enumerate().map(|(place, one)| threads.comment(place, one)).collect() })
}

fn raw(value: Value, number: usize) -> Result<Raw, CommentsError> {
    let malformed = |reason: String| CommentsError::Malformed { number, reason };
    let raw: Raw = serde_json::from_value(value).map_err(|error| malformed(error.to_string()))?;
    if !matches!(raw.id, Value::String(_) | Value::Number(_)) {
        return Err(malformed("its `id` is neither a number nor a string".into()));
    }
    let text = match (&raw.body, &raw.comment_text) {
        (Some(_), Some(_)) => return Err(malformed("it has both `body` and `commentText`".into())),
        (None, None) => return Err(malformed("it has neither `body` nor `commentText`".into())),
        (Some(text), None) | (None, Some(text)) => text,
    };
    if text.chars().nth(CHARACTERS).is_some() {
        return Err(CommentsError::TooLong { number });
    }
    Ok(raw)
}

impl Raw {
    fn id(&self) -> String {
        word(&self.id)
    }

    fn text(&self) -> &str {
        if self.is_deleted == Some(true) {
            return "";
        }
        self.body.as_deref().or(self.comment_text.as_deref()).unwrap_or_default().trim()
    }

    fn author(&self) -> Option<String> {
        let login = self.user.as_ref().or(self.author.as_ref()).and_then(|user| user.login.clone());
        login.or_else(|| self.created_by.clone()).filter(|name| !name.trim().is_empty())
    }

    fn place(&self) -> Option<String> {
        match (&self.path, self.line.or(self.original_line)) {
            (Some(path), Some(line)) => Some(format!("{path}:{line}")),
            (Some(path), None) => Some(path.clone()),
            (None, _) => self.element_id.clone(),
        }
    }
}

fn word(value: &Value) -> String {
    #[cfg(test)]
    words::one_more();
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// How the comments of a file belong together, by their places in it. Ids are compared once: a file can have long ones.
struct Threads<'a> {
    all: &'a [Raw],
    /// The first comment with the id of each.
    named: Vec<usize>,
    /// The comment that each one answers.
    answered: Vec<Option<usize>>,
    /// Elements of APIView whose conversation is resolved.
    resolved: HashSet<&'a str>,
}

impl<'a> Threads<'a> {
    fn of(all: &'a [Raw]) -> Self {
        let mut first = HashMap::new();
        let named: Vec<usize> =
            all.iter().enumerate().map(|(place, raw)| *first.entry(raw.id()).or_insert(place)).collect();
        let replied: Vec<Option<usize>> =
            all.iter().map(|raw| first.get(&word(raw.in_reply_to.as_ref()?)).copied()).collect();
        let mut spoken = HashMap::new();
        for (place, raw) in all.iter().enumerate() {
            if let Some(element) =
                raw.element_id.as_deref().filter(|_| raw.comment_text.is_some() && !raw.text().is_empty())
            {
                spoken.entry(element).or_insert(place);
            }
        }
        let conversations = Conversations { named: &named, replied: &replied };
        let answered = all.iter().zip(0..).map(|(raw, place)| match raw.in_reply_to {
            Some(_) => conversations.answered(place),
            // Comments of APIView on one element are one conversation.
            None => {
                let element = raw.element_id.as_deref().filter(|_| raw.comment_text.is_some())?;
                let first = spoken.get(element).and_then(|first| named.get(*first));
                first.copied().filter(|first| Some(first) != named.get(place))
            }
        });
        let answered = answered.collect();
        // APIView marks one comment of an element, and means all of them.
        let marked = all.iter().filter(|raw| raw.comment_text.is_some() && raw.is_resolved == Some(true));
        Self { all, answered, resolved: marked.filter_map(|raw| raw.element_id.as_deref()).collect(), named }
    }

    /// The first comment with the id of the one that the comment at `place` answers.
    fn answers(&self, place: usize) -> Option<usize> {
        self.answered.get(place).copied().flatten()
    }

    fn is_resolved(&self, raw: &Raw) -> bool {
        raw.is_resolved == Some(true)
            || raw.element_id.as_deref().is_some_and(|element| self.resolved.contains(element))
    }

    fn comment(&self, place: usize, raw: &Raw) -> Comment {
        let standing = match self.answers(place).and_then(|first| self.all.get(first)) {
            _ if self.is_resolved(raw) => Standing::Resolved,
            _ if raw.is_deleted == Some(true) => Standing::Empty,
            Some(first) => Standing::Answers(first.id()),
            None if raw.text().is_empty() => Standing::Empty,
            None => Standing::Open,
        };
        let request = if standing == Standing::Open { self.request(place, raw) } else { String::new() };
        Comment { id: raw.id(), place: raw.place(), author: raw.author(), standing, request }
    }

    /// A thread as people paste one: the line, the element, what is said, and what is answered.
    fn request(&self, place: usize, raw: &Raw) -> String {
        let mut lines = Vec::new();
        if let Some(line) = raw.diff_hunk.as_deref().and_then(commented_line) {
            let number = raw.line.or(raw.original_line).map(|number| format!(" {number}")).unwrap_or_default();
            lines.push(format!("Line{number}: {line}"));
        }
        lines.extend(raw.element_id.as_ref().map(|element| format!("ElementId: {}", on_one_line(element))));
        // Without a line or an element it is a text like any other.
        let label = if lines.is_empty() { "" } else { "Comment: " };
        lines.push(format!("{label}{}", raw.text()));
        let own = self.named.get(place);
        let answers = self.all.iter().enumerate().filter(|(_, other)| !other.text().is_empty());
        for (_, answer) in answers.filter(|(other, _)| self.answers(*other).is_some_and(|first| Some(&first) == own)) {
            lines.push(format!("Reply: {}", answer.text()));
        }
        lines.join("\n")
    }
}

/// Comments that answer others by an id.
struct Conversations<'a> {
    named: &'a [usize],
    /// The first comment with the id that each one replies to.
    replied: &'a [Option<usize>],
}

impl Conversations<'_> {
    /// The comment that the one at `place` answers: another one, and not where it begins the conversation.
    fn answered(&self, place: usize) -> Option<usize> {
        let answered = self.replied.get(place).copied().flatten()?;
        (Some(&answered) != self.named.get(place) && !self.begins_a_circle(place)).then_some(answered)
    }

    /// Whether answers lead back to this comment and it is the first of them: then none begins the conversation.
    fn begins_a_circle(&self, place: usize) -> bool {
        let Some(own) = self.named.get(place) else { return false };
        let mut here = place;
        for _ in self.replied {
            match self.replied.get(here).copied().flatten() {
                Some(next) if next == *own => return true,
                Some(next) if next > *own => here = next,
                _ => return false,
            }
        }
        false
    }
}

/// The line that a comment of a diff stands at: the last one of its hunk.
fn commented_line(hunk: &str) -> Option<String> {
    let line = hunk.lines().last().filter(|line| !line.starts_with("@@"))?;
    let line = line.strip_prefix(['+', '-', ' ']).unwrap_or(line).trim();
    (!line.is_empty()).then(|| line.chars().take(LINE_CHARACTERS).collect())
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Counts how often an id is read as text, so that a test can say how the work grows.
#[cfg(test)]
pub(super) mod words {
    use std::cell::Cell;

    thread_local!(static READ: Cell<usize> = const { Cell::new(0) });

    pub(super) fn one_more() {
        READ.set(READ.get() + 1);
    }

    /// How often since the last time.
    pub(crate) fn taken() -> usize {
        READ.take()
    }
}
