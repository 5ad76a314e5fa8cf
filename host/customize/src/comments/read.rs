//! Reads the JSON that GitHub's and APIView's interfaces give.

// Any person can write what is read here.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use serde::Deserialize;
use serde_json::Value;
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
    Ok(Review { comments: raws.iter().map(|one| comment(one, &raws)).collect() })
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

    /// Whether its conversation is resolved. APIView marks one comment of an element, and means all of them.
    fn is_resolved(&self, all: &[Self]) -> bool {
        let marked = |one: &Self| one.is_resolved == Some(true);
        let same_element = |one: &&Self| self.element_id.is_some() && one.element_id == self.element_id;
        marked(self) || all.iter().filter(same_element).any(|one| one.comment_text.is_some() && marked(one))
    }

    /// Whether answers lead back to this comment and it is the first of them: then none begins the conversation.
    fn begins_a_circle(&self, all: &[Raw]) -> bool {
        let place = |one: &Raw| all.iter().position(|other| other.id() == one.id());
        let (own, mut here) = (place(self), self);
        for _ in 0..all.len() {
            let Some(id) = here.in_reply_to.as_ref().map(word) else { return false };
            let Some(next) = all.iter().find(|other| other.id() == id) else { return false };
            if next.id() == self.id() {
                return true;
            }
            if place(next) < own {
                return false;
            }
            here = next;
        }
        false
    }

    /// The comment that this one answers. Comments of APIView on one element are one conversation.
    fn answers<'a>(&self, all: &'a [Raw]) -> Option<&'a Raw> {
        if let Some(id) = &self.in_reply_to {
            let id = word(id);
            let answered = all.iter().find(|other| other.id() == id && other.id() != self.id());
            return answered.filter(|_| !self.begins_a_circle(all));
        }
        let element = self.element_id.as_ref().filter(|_| self.comment_text.is_some())?;
        let spoken = |other: &&Raw| other.comment_text.is_some() && !other.text().is_empty();
        let first = all.iter().find(|other| other.element_id.as_ref() == Some(element) && spoken(other))?;
        (first.id() != self.id()).then_some(first)
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn comment(raw: &Raw, all: &[Raw]) -> Comment {
    let standing = match raw.answers(all) {
        _ if raw.is_resolved(all) => Standing::Resolved,
        _ if raw.is_deleted == Some(true) => Standing::Empty,
        Some(first) => Standing::Answers(first.id()),
        None if raw.text().is_empty() => Standing::Empty,
        None => Standing::Open,
    };
    let request = if standing == Standing::Open { request(raw, all) } else { String::new() };
    Comment { id: raw.id(), place: raw.place(), author: raw.author(), standing, request }
}

/// A thread as people paste one: the line, the element, what is said, and what is answered.
fn request(raw: &Raw, all: &[Raw]) -> String {
    let mut lines = Vec::new();
    if let Some(line) = raw.diff_hunk.as_deref().and_then(commented_line) {
        let number = raw.line.or(raw.original_line).map(|number| format!(" {number}")).unwrap_or_default();
        lines.push(format!("Line{number}: {line}"));
    }
    lines.extend(raw.element_id.as_ref().map(|element| format!("ElementId: {}", on_one_line(element))));
    // Without a line or an element it is a text like any other.
    let label = if lines.is_empty() { "" } else { "Comment: " };
    lines.push(format!("{label}{}", raw.text()));
    let answers = all.iter().filter(|other| !other.text().is_empty());
    for answer in answers.filter(|other| other.answers(all).is_some_and(|first| first.id() == raw.id())) {
        lines.push(format!("Reply: {}", answer.text()));
    }
    lines.join("\n")
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
