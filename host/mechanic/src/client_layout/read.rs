//! Reads a sentence that names clients with their operations. A word that it does not account for makes it none.
//!
//! ```text
//! split|divide|separate|regroup|reorganize|restructure [the client] into|in [two] [clients] [:] CLIENTS
//! use|create|make|define|have|generate|introduce|provide [two] clients [:] CLIENTS
//! group|arrange|organize|distribute|put the operations into|in|as [two] [clients] [:] CLIENTS
//!
//! CLIENTS    CLIENT, CLIENT and CLIENT
//! CLIENT     [client] [named] Name with|for|holding|having|containing|: [the operations] OPERATIONS [INITIALIZED]
//! OPERATIONS operation, [all] the operations of Interface, the Interface operations, the rest,
//!            [all] the other|remaining operations, everything else
//! INITIALIZED [that is] initialized|constructed|created|instantiated with|by|from PARAMETER, PARAMETER
//!            that takes|taking PARAMETER
//! PARAMETER  name [as name]
//! ```

use super::{Wish, Wished, WishedClient, WishedParameter};
use crate::clause::Clause;
use crate::names;
use crate::tokens::TokenKind;
use crate::words;
use bailiwick_sdk::tasks::EntityKind;

/// Why a sentence that begins as such a request is none that can be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misread {
    /// What was expected, and what stands there.
    pub(crate) problem: String,
}

const SPLIT: &[&str] = &["split", "divide", "separate", "regroup", "reorganize", "reorganise", "restructure"];
const USE: &[&str] = &["use", "create", "make", "define", "have", "generate", "introduce", "provide"];
const GROUP: &[&str] = &["group", "arrange", "organize", "organise", "distribute", "put"];
const WHOLE: &[&str] = &["client", "clients", "sdk", "library", "package", "operations", "methods", "api", "service"];
const OPERATIONS: &[&str] = &["operation", "operations", "method", "methods"];
const CLIENTS: &[&str] = &["client", "clients", "subclient", "subclients", "sub-client", "sub-clients"];
const HOLDS: &[&str] = &["with", "for", "holding", "having", "containing", "has", "gets", "holds", "contains"];
const INITIALIZED: &[&str] = &["initialized", "initialised", "constructed", "created", "instantiated"];

/// A service of some hundred operations, each named, is about as long; a longer sentence is no request.
const LONGEST_REQUEST: usize = 2_000;

/// The wish of a clause; `None` if it does not begin as one.
pub(crate) fn read(clause: &Clause<'_>) -> Option<Result<Wish, Misread>> {
    if clause.len() > LONGEST_REQUEST {
        return None;
    }
    let mut cursor = Cursor { clause, at: 0 };
    let count = cursor.head()?;
    Some(cursor.clients(count))
}

struct Cursor<'a, 'b> {
    clause: &'a Clause<'b>,
    at: usize,
}

impl Cursor<'_, '_> {
    fn word_at(&self, at: usize) -> &str {
        self.clause.tokens.get(at).filter(|token| token.is_word()).map_or("", |token| token.lower.as_str())
    }

    fn is_mark(&self, at: usize, marks: &[char]) -> bool {
        let kind = self.clause.tokens.get(at).map(|token| token.kind);
        matches!(kind, Some(TokenKind::Punctuation(mark)) if marks.contains(&mark))
    }

    /// Passes over articles, courtesy, brackets and the package's own language.
    fn skip(&mut self) {
        loop {
            let scope = if self.names_language() { self.clause.scope_phrase(self.at) } else { Vec::new() };
            if let Some(end) = scope.into_iter().max() {
                self.at = end;
            } else if words::FILLERS.contains(&self.word_at(self.at))
                || self.is_mark(self.at, &['(', ')', '[', ']'])
                || self.clause.is_own_language(self.at)
            {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    /// Whether the phrase that begins here names the language, and not merely `for the client`.
    fn names_language(&self) -> bool {
        let first = (self.at + 1..self.at + 4).find(|&at| !words::FILLERS.contains(&self.word_at(at)));
        first.is_some_and(|at| self.clause.is_own_language(at))
    }

    fn take(&mut self, list: &[&str]) -> bool {
        self.skip();
        let found = list.contains(&self.word_at(self.at));
        self.at += usize::from(found);
        found
    }

    fn take_mark(&mut self, marks: &[char]) -> bool {
        self.skip();
        let found = self.is_mark(self.at, marks);
        self.at += usize::from(found);
        found
    }

    fn take_phrase(&mut self, phrase: &[&str]) -> bool {
        self.skip();
        let fits = phrase.iter().enumerate().all(|(ahead, word)| self.word_at(self.at + ahead) == *word);
        self.at += if fits { phrase.len() } else { 0 };
        fits
    }

    /// What comes before the first client; the number of clients it announces.
    fn head(&mut self) -> Option<Option<usize>> {
        while words::LEAD_INS.iter().any(|phrase| {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            self.take_phrase(&phrase)
        }) {}
        let must_say_clients = if self.take(SPLIT) {
            while self.take(WHOLE) {}
            let _ = self.take(&["up"]);
            if !self.take(&["into", "in", "between"]) {
                return None;
            }
            false
        } else if self.take(GROUP) {
            let _ = self.take(&["all"]);
            if !self.take(OPERATIONS) || !self.take(&["into", "in", "as"]) {
                return None;
            }
            false
        } else if self.take(USE) {
            true
        } else {
            return None;
        };
        self.skip();
        let count = number(self.word_at(self.at));
        self.at += usize::from(count.is_some());
        let _ = self.take(&["separate", "different", "distinct", "individual"]);
        let said = self.take(&["clients", "subclients", "sub-clients"]);
        let _ = said && self.take(&["named", "called"]);
        let _ = self.take_mark(&[':', ',', '-', '–', '—']);
        // `use the name X` and `make deleteWidget internal` are other requests.
        (said || (!must_say_clients && self.begins_client())).then_some(count)
    }

    fn clients(&mut self, count: Option<usize>) -> Result<Wish, Misread> {
        let mut clients = vec![self.client()?];
        while self.separator() {
            clients.push(self.client()?);
        }
        while self.take_mark(&['.', '!', '?']) {}
        if let Some(token) = self.clause.tokens.get(self.at) {
            return Err(Misread { problem: format!("`{}` is not understood where it stands", token.text) });
        }
        match count {
            Some(count) if count != clients.len() => {
                Err(Misread { problem: format!("it announces {count} clients and names {}", clients.len()) })
            }
            _ => Ok(Wish { clients }),
        }
    }

    /// A comma, `and`, or both, if anything follows.
    fn separator(&mut self) -> bool {
        let start = self.at;
        let comma = self.take_mark(&[',', '-', '–', '—']);
        let and = self.take(&["and"]);
        self.skip();
        let found = (comma || and) && self.at < self.clause.len();
        if !found {
            self.at = start;
        }
        found
    }

    /// A name as written, if one stands here: quoted, or a word that is none of the vocabulary's.
    fn name(&mut self) -> Option<String> {
        self.skip();
        let token = self.clause.tokens.get(self.at)?;
        let quoted = token.kind == TokenKind::Quoted;
        let known = words::stop_kind(&token.lower).is_some() || words::language(&token.lower).is_some();
        if !quoted && (!token.is_word() || known) {
            return None;
        }
        self.at += 1;
        Some(token.text.clone())
    }

    fn client_name(&mut self) -> Option<String> {
        self.skip();
        if CLIENTS.contains(&self.word_at(self.at)) {
            self.at += 1;
            let _ = self.take(&["named", "called"]);
        }
        let name = self.name()?;
        let _ = self.take(&["client", "class", "subclient", "sub-client"]);
        let holds = self.take(HOLDS) || self.take_mark(&[':']);
        (holds && name.starts_with(char::is_uppercase) && names::is_identifier(&name)).then_some(name)
    }

    fn begins_client(&self) -> bool {
        let mut ahead = Cursor { clause: self.clause, at: self.at };
        ahead.client_name().is_some()
    }

    fn client(&mut self) -> Result<WishedClient, Misread> {
        let Some(name) = self.client_name() else {
            let found = self.clause.tokens.get(self.at.min(self.clause.len().saturating_sub(1)));
            let near = found.map_or(String::new(), |token| format!(", near `{}`", token.text));
            return Err(Misread { problem: format!("a client is expected as `NameClient with …`{near}") });
        };
        let mut operations = Vec::new();
        loop {
            operations.push(self.operations()?);
            let start = self.at;
            // What follows the comma may be how the client is initialized, or the next client.
            if !self.separator() || self.begins_initialization() || self.begins_client() {
                self.at = start;
                break;
            }
        }
        let start = self.at;
        let _ = self.separator();
        let parameters = match self.initialization() {
            Some(parameters) => parameters?,
            None => {
                self.at = start;
                Vec::new()
            }
        };
        Ok(WishedClient { name, operations, parameters })
    }

    fn operations(&mut self) -> Result<Wished, Misread> {
        if self.take_phrase(&["everything", "else"]) {
            return Ok(Wished::Rest);
        }
        let all = self.take(&["all"]);
        self.skip();
        if self.take_phrase(&["rest"]) {
            let _ = self.take_phrase(&["of", "the", "operations"]) || self.take_phrase(&["of", "the", "methods"]);
            return Ok(Wished::Rest);
        }
        if self.take(&["other", "remaining"]) {
            return if self.take(OPERATIONS) { Ok(Wished::Rest) } else { Err(self.unexpected()) };
        }
        let noun = self.take(OPERATIONS);
        if noun && self.take(&["of", "in", "from"]) {
            let name = self.name().ok_or_else(|| self.unexpected())?;
            let _ = self.take(&["interface", "group"]);
            return Ok(Wished::Interface(name));
        }
        let name = self.name().ok_or_else(|| self.unexpected())?;
        let is_interface = self.names_kind(&name, EntityKind::Interface);
        let possessive =
            self.clause.tokens.get(self.at).is_some_and(|token| token.kind == TokenKind::Possessive) && is_interface;
        self.at += usize::from(possessive);
        if is_interface && !noun && self.take(OPERATIONS) {
            return Ok(Wished::Interface(name));
        }
        if all || possessive {
            return Err(self.unexpected());
        }
        Ok(Wished::Operation(name))
    }

    fn names_kind(&self, name: &str, kind: EntityKind) -> bool {
        let lookup = self.clause.lookup;
        lookup.find(name).into_iter().any(|at| lookup.entity(at).kind == kind)
    }

    fn begins_initialization(&self) -> bool {
        let mut ahead = Cursor { clause: self.clause, at: self.at };
        ahead.initialized()
    }

    fn initialized(&mut self) -> bool {
        if self.take_phrase(&["that", "takes"]) || self.take_phrase(&["which", "takes"]) || self.take(&["taking"]) {
            return true;
        }
        let _ = self.take_phrase(&["that", "is"]) || self.take_phrase(&["which", "is"]) || self.take(&["is"]);
        self.take(INITIALIZED) && self.take(&["with", "by", "from"])
    }

    fn initialization(&mut self) -> Option<Result<Vec<WishedParameter>, Misread>> {
        if !self.initialized() {
            return None;
        }
        let mut parameters = Vec::new();
        loop {
            let Some(declared) = self.parameter_name() else { return Some(Err(self.unexpected())) };
            let name = if self.take(&["as"]) {
                match self.parameter_name() {
                    Some(name) => Some(name),
                    None => return Some(Err(self.unexpected())),
                }
            } else {
                None
            };
            parameters.push(WishedParameter { declared, name });
            let start = self.at;
            if !self.separator() || self.begins_client() {
                self.at = start;
                return Some(Ok(parameters));
            }
        }
    }

    fn parameter_name(&mut self) -> Option<String> {
        let nouns = ["parameter", "argument"];
        let _ = self.take(&nouns);
        let name = self.name().filter(|name| names::is_identifier(name))?;
        let _ = self.take(&nouns);
        Some(name)
    }

    fn unexpected(&self) -> Misread {
        let problem = match self.clause.tokens.get(self.at.saturating_sub(usize::from(self.at == self.clause.len()))) {
            Some(token) => format!("it is not understood near `{}`", token.text),
            None => "it ends too early".to_owned(),
        };
        Misread { problem }
    }
}

fn number(word: &str) -> Option<usize> {
    match word {
        "two" => Some(2),
        "three" => Some(3),
        "four" => Some(4),
        "five" => Some(5),
        digits => digits.parse().ok().filter(|count| *count <= 20),
    }
}
