//! The sentences of a piece, one after the other: what stands above and around each, and what it leaves for the next.

use bailiwick_sdk::tasks::{Language, Scope};

use super::super::lexicon as words;
use super::super::license;
use super::super::moves::place_below;
use super::super::rename;
use super::super::sentence::{LONGEST, Sentence};
use super::super::standing;
use super::super::structure::is_heading;
use super::super::token::{Kind, Token, tokenize};
use super::super::visibility::{Wish, wished};
use super::pieces::is_code_like;
use super::sentences::sentence_spans;
use super::{Ask, Closed, Document, Doubt, Listed, doubt, groups, phrases, plain, removed, told};

/// `[NoImplInPublicApi]`, alone: what a tool calls its rule.
fn is_a_rule(tokens: &[Token]) -> bool {
    let inner = tokens.iter().skip_while(|token| token.is_sign('`'));
    let inner: Vec<&Token> = inner.filter(|token| !token.is_sign('`') && !token.is_sign('.')).collect();
    matches!(inner.as_slice(), [open, rule, close] if open.is_sign('[') && close.is_sign(']') && rule.is_text() && !rule.quoted)
}

/// The languages of a heading that names nothing else: `## Java`, `For Java and .NET:`.
fn section(sentence: &Sentence<'_>) -> Option<Scope> {
    let named = |at: usize| sentence.languages.iter().any(|(place, ..)| *place == at);
    let idle = |at: usize| {
        named(at)
            || sentence.get(at).is_none_or(|token| !token.is_text())
            || sentence.is(at, words::FILLERS)
            || sentence.is(
                at,
                &["for", "in", "and", "sdk", "sdks", "client", "library", "package", "changes", "api", "review"],
            )
    };
    let mut languages: Vec<Language> = sentence.languages.iter().map(|(_, language, _)| *language).collect();
    languages.dedup();
    ((0..sentence.tokens.len()).all(idle) && !languages.is_empty()).then_some(Scope::Only(languages))
}

/// The words right behind a thing and an arrow that write the thing's name out, where they say something of a wish
/// otherwise: `X.pend -> pending`.
fn spelled_out(sentence: &Sentence<'_>) -> Vec<usize> {
    let arrows = sentence.mentions.iter().filter(|mention| mention.strong).filter_map(|mention| {
        let arrow = sentence.get(mention.end).filter(|token| token.kind == Kind::Arrow);
        let word = mention.end.saturating_add(1);
        let token = arrow.and_then(|_| sentence.get(word))?;
        let plain = token.kind == Kind::Word && !token.quoted && !token.called;
        let written = mention.candidates.iter().any(|&one| {
            let (short, long) = (&sentence.lookup.entity(one).name, &token.text);
            long.chars().count() > short.chars().count() && long.to_lowercase().starts_with(&short.to_lowercase())
        });
        (plain && written).then_some(word)
    });
    arrows.collect()
}

/// `Apply client customizations to address the feedback.`: a task whose content stands below.
fn is_a_task(sentence: &Sentence<'_>) -> bool {
    const TASKS: &[&str] = &["apply", "address", "resolve", "incorporate", "implement", "handle"];
    const FEEDBACK: &[&str] = &["comments", "feedback", "remarks", "findings"];
    let first = usize::from(sentence.is(0, words::POLITE));
    let named = sentence.mentions.iter().any(|mention| mention.strong)
        || (0..sentence.tokens.len()).any(|at| sentence.get(at).is_some_and(|token| token.quoted));
    sentence.is(first, TASKS) && sentence.any(FEEDBACK) && !named && !sentence.is_turned() && doubt(sentence).is_none()
}

/// `Do not change anything that other languages see.`: of no thing, and for no language that is at hand.
fn leaves_other_languages(sentence: &Sentence<'_>) -> bool {
    let others = (1..sentence.tokens.len()).any(|at| {
        sentence.is(at.saturating_sub(1), &["other"])
            && sentence.is(at, &["languages", "sdks", "libraries", "emitters"])
    });
    let named = sentence.mentions.iter().any(|mention| mention.strong);
    sentence.is_turned() && others && sentence.any(&["anything", "everything", "what", "whatever"]) && !named
}

/// `Item 4 - …`, `Topic 2: …`
fn begins_a_topic(sentence: &Sentence<'_>) -> bool {
    let number = |at: usize| sentence.get(at).is_some_and(|token| token.text.chars().all(|c| c.is_ascii_digit()));
    sentence.is(0, &["item", "topic", "point", "issue", "agenda", "row", "section", "pt"]) && number(1)
        || sentence.is(0, &["next", "other"]) && sentence.is(1, &["topic", "item", "point"])
}

/// `Decision: …`
fn is_decided(tokens: &[Token]) -> bool {
    let label = list! { "decision" "decided" "agreed" "outcome" "conclusion" "resolution" "result" "verdict" };
    tokens.first().is_some_and(|token| token.is(label)) && tokens.get(1).is_some_and(|token| token.is_sign(':'))
}

/// `is called`, `are renamed`
fn calls(tokens: &[Token]) -> bool {
    tokens.windows(2).any(|pair| {
        matches!(pair, [is, verb] if is.is(&["is", "are"]) && verb.is(&["called", "named", "renamed", "hidden", "moved"]))
    })
}

/// `X goes to Y and is called Z` as a decision: it shall be so.
fn decide(tokens: &mut Vec<Token>) {
    let verb = |token: &Token| {
        [("goes", "go"), ("moves", "move")].iter().find(|(told, _)| token.is(&[told])).map(|(_, order)| *order)
    };
    let told = tokens.iter().enumerate().find_map(|(at, token)| verb(token).map(|order| (at, order)));
    if calls(tokens) {
        oblige(tokens);
    }
    if let Some((at, order)) = told
        && let Some(token) = tokens.get_mut(at)
    {
        let modal = Token { lower: "should".to_owned(), text: "should".to_owned(), ..token.clone() };
        (token.lower, token.text) = (order.to_owned(), order.to_owned());
        tokens.insert(at, modal);
    }
}

/// `X is called Y` as a criterion: it shall be so.
pub(super) fn oblige(tokens: &mut Vec<Token>) {
    let Some(at) = tokens.iter().position(|token| token.is(&["is", "are", "was", "were"])) else { return };
    if let Some(token) = tokens.get_mut(at) {
        token.lower = "should".to_owned();
        let be = Token {
            lower: "be".to_owned(),
            text: "be".to_owned(),
            span: token.span.end..token.span.end,
            ..token.clone()
        };
        tokens.insert(at.saturating_add(1), be);
    }
}

/// `hide the following operations: A, B` as `hide the operations A, B`.
fn join_the_list(tokens: &mut Vec<Token>) {
    let Some(colon) = tokens.iter().position(|token| token.is_sign(':')) else { return };
    let kind = |token: &Token| words::kinds_of(&token.lower).is_some();
    let noun = colon.checked_sub(1).filter(|&at| tokens.get(at).is_some_and(kind));
    let ahead =
        noun.unwrap_or(colon).checked_sub(1).filter(|&at| tokens.get(at).is_some_and(|one| one.is(&["following"])));
    let name = tokens.get(colon.saturating_add(1)).is_some_and(|token| token.quoted || token.looks_like_name());
    let arrow = tokens.iter().any(|token| token.kind == Kind::Arrow);
    if let Some(at) = ahead.filter(|_| name && !arrow) {
        tokens.remove(colon);
        tokens.remove(at);
    }
}

impl<'a> Document<'a> {
    /// Sentences, one after the other.
    pub(super) fn prose(&mut self, text: &str, offset: usize) {
        // `Please change`, code, `to`, code.
        let plain: Vec<String> = text.to_lowercase().split(|c: char| !c.is_alphabetic()).map(str::to_owned).collect();
        let words: Vec<&str> = plain.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        let joins = ["to", "into", "with", "should", "expect", "want", "like", "prefer", "must"];
        let idle = [
            "and", "i", "we", "would", "be", "it", "is", "this", "read", "instead", "rather", "have", "see", "a", "the",
        ];
        let joined = !words.is_empty()
            && words.iter().any(|word| joins.contains(word))
            && words.iter().all(|word| joins.contains(word) || idle.contains(word));
        if joined && self.coded && !self.focus.subject.is_empty() {
            self.before = Some(self.focus.subject.clone());
            self.wanted = Some(true);
            return;
        }
        if let Some(wanted) = self.wanted.take_if(|_| !text.trim().is_empty() && is_code_like(text)) {
            self.example(text, &(offset..offset.saturating_add(text.len())), wanted);
            return;
        }
        let plain = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        if words::TO_TOOLS.iter().any(|phrase| plain.contains(phrase)) {
            self.found.background.push(offset..offset.saturating_add(text.len()));
            self.found.to_tools = true;
            return;
        }
        if self.closed == Closed::Nothing && standing::quotes_several(text) {
            self.closed = Closed::Paragraph;
            self.found.closed = true;
        }
        for span in sentence_spans(text) {
            let Some(part) = text.get(span.clone()) else { continue };
            let start = offset.saturating_add(span.start);
            self.sentence(part, start);
        }
        if self.closed == Closed::Paragraph {
            self.closed = Closed::Nothing;
        }
    }

    fn begins_a_line(&self, start: usize) -> bool {
        let line = self.text.get(..start).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
        !line.chars().any(char::is_alphanumeric)
    }

    /// `Not accepted`, on a line of its own above indented ones.
    fn stands_above(&self, text: &str, start: usize) -> bool {
        let before = self.text.get(..start).unwrap_or_default();
        let rest = self.text.get(start.saturating_add(text.len())..).unwrap_or_default();
        let alone = before.is_empty() || before.ends_with('\n');
        let mut lines = rest.split('\n');
        let ends = lines.next().is_some_and(|line| line.trim().is_empty());
        let indented = lines.next().is_some_and(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
        alone && ends && indented && text.split_whitespace().count() <= 3 && !text.ends_with(['.', '?', '!', ','])
    }

    fn sentence(&mut self, text: &str, start: usize) {
        let mut tokens = tokenize(text);
        // `@somebody hide X`: whom it speaks to.
        if tokens.len() > 2 && tokens.first().is_some_and(|token| token.text.starts_with('@') && !token.called) {
            tokens.remove(0);
        }
        if !tokens.iter().any(Token::is_text) {
            return;
        }
        if is_a_rule(&tokens) {
            self.found.background.push(start..start.saturating_add(text.len()));
            return;
        }
        if self.asks_for_decorators(text, start) {
            return;
        }
        let span = start..start.saturating_add(text.len());
        if tokens.len() > LONGEST {
            self.ask(Ask::Unsure(Doubt::Unclear), span, None);
            return;
        }
        // `s/x/y/g`
        let flag = tokens.len() == 7 && tokens.first().is_some_and(|token| token.is(&["s"]));
        if flag && tokens.last().is_some_and(|token| token.is(&["g", "i", "gi"])) {
            tokens.pop();
        }
        plain::pairs(&mut tokens, self.language);
        phrases::rephrase(&mut tokens);
        if self.listed {
            plain::labelled(&mut tokens);
        }
        if is_heading(text) {
            plain::counted(&mut tokens);
        } else {
            plain::nothing_but_a_pair(&mut tokens);
        }
        let keeps_names = text.ends_with(':') && plain::keeps_names(&mut tokens, self.language);
        join_the_list(&mut tokens);
        // `- x to y` below `Please rename these:`
        let to = tokens.iter().position(|token| token.is(&["to"])).filter(|at| *at > 0);
        if to.is_some() && self.listed && !tokens.iter().any(|token| token.is(words::RENAMING)) {
            let verb = tokenize("rename").into_iter().map(|token| Token { span: 0..0, ..token });
            tokens.splice(0..0, verb);
        }
        let begins = |sentence: &Sentence<'_>| sentence.mentions.first().is_some_and(|first| first.at < 2);
        if self.item && self.criteria && begins(&Sentence::new(&tokens, self.lookup, self.language)) {
            oblige(&mut tokens);
        }
        if self.item && (self.told || self.ahead) {
            told::wish(&mut tokens);
        }
        if self.paired {
            let places = told::named_so(&Sentence::new(&tokens, self.lookup, self.language));
            told::name_so(&mut tokens, &places);
        }
        if self.is_decision(start) || is_decided(&tokens) {
            decide(&mut tokens);
        }
        let spelled = spelled_out(&Sentence::new(&tokens, self.lookup, self.language));
        for at in spelled {
            if let Some(token) = tokens.get_mut(at) {
                token.quoted = true;
            }
        }
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        self.sentence = self.sentence.saturating_add(1);
        if begins_a_topic(&sentence) && self.begins_a_line(start) {
            self.topic = self.sentence;
        }
        if self.closed == Closed::Nothing && !self.item && self.carries_out(&sentence, text.ends_with(':')) {
            self.told = true;
            self.found.background.push(span);
            return;
        }
        if self.closed == Closed::Nothing && (is_a_task(&sentence) || leaves_other_languages(&sentence)) {
            self.found.answered.push(span.clone());
            self.found.background.push(span);
            return;
        }
        if self.closed == Closed::Nothing
            && (self.takes_suggestions(&sentence, &span) || self.widens_a_scope(&sentence, &span))
        {
            return;
        }
        if self.closed == Closed::Nothing && self.takes_the_name_of_a_block(&sentence) {
            self.found.background.push(span);
            return;
        }
        if !self.item || text.ends_with(':') {
            self.removing =
                if text.ends_with(':') || is_heading(text) { removed::removal_below(&sentence) } else { None };
        }
        self.renaming = text.ends_with(':')
            && (keeps_names
                || (0..tokens.len())
                    .any(|at| sentence.is(at, words::RENAME_PROPER) && !rename::is_statement(&sentence, at)))
            && !sentence.is_turned()
            && doubt(&sentence).is_none()
            && !license::closes(&sentence)
            || self.renaming && self.listed;
        let here = sentence.languages.iter().all(|(_, language, _)| *language == self.language);
        let heads = self.head == Some(span.end);
        // `Nobody calls these. Please hide them.`, and nothing stands above that they could be.
        let points = heads && (self.focus.subject.is_empty() || is_heading(text));
        let above =
            (text.ends_with(':') || points) && here && doubt(&sentence).is_none() && !license::closes(&sentence);
        let wished = || {
            let seen = wished(&sentence).filter(|_| sentence.mentions.is_empty());
            seen.map(|wish| if wish == Wish::Show { Listed::Shown } else { Listed::Hidden })
        };
        let place = place_below(&sentence).filter(|_| above);
        let placed = place.is_some();
        if above {
            self.seen = place.map(Listed::MovedTo).or_else(wished);
        } else if !self.item {
            self.seen = None;
        }
        if placed || heads && self.seen.is_some() {
            self.found.answered.push(span.clone());
            self.found.background.push(span);
            return;
        }
        let heading = is_heading(text) || self.stands_above(text, start);
        self.questioned = !heading && doubt(&sentence) == Some(Doubt::Question);
        if heading || text.ends_with(':') {
            let section = section(&sentence);
            if heading || section.is_some() {
                self.section.clone_from(&section);
            }
            if section.is_some() {
                if self.closed != Closed::All {
                    self.closed = Closed::Nothing;
                }
                self.found.background.push(span);
                return;
            }
        }
        if heading || text.ends_with(':') {
            // `Breaking changes (draft)`, above what still has to be made.
            let closes = !self.ahead && (standing::closes(&sentence) || license::closes(&sentence))
                || !heading && license::holds_paragraph(&sentence);
            // `Please revert these renames:` asks for something.
            let closes = closes && self.removing != Some(removed::Removal::Ordered);
            self.found.closed |= closes;
            self.closed = match closes {
                _ if self.closed == Closed::All => Closed::All,
                // Nothing else stands above a part of the request.
                true if self.unit == 0 && self.single => Closed::All,
                true if heading => Closed::Section,
                true => Closed::Behind(self.unit),
                false if heading || !matches!(self.closed, Closed::Section | Closed::Paragraph) => Closed::Nothing,
                false => self.closed,
            };
        }
        if heads {
            self.leaves_what_is_below(&sentence);
        }
        if self.closed == Closed::Nothing && !text.ends_with(':') && license::holds_paragraph(&sentence) {
            self.closed = Closed::Paragraph;
            self.found.closed = true;
        }
        self.beside_hunks(&sentence);
        if self.goes_on_about_a_client(&sentence, &span) {
            return;
        }
        // `## Feature request template`
        if heading && sentence.mentions.iter().all(|mention| !mention.strong) && !self.item {
            self.found.background.push(span);
            return;
        }
        let count = self.found.asked.len();
        if self.is_decision(start) || tokens.first().is_some_and(|token| token.kind == Kind::Arrow) {
            self.decided.push(self.sentence);
        }
        let group = self.group(&sentence);
        let answered = self.found.answered.len();
        self.read_sentence(&sentence, &span);
        match group {
            Some(groups::Group::For(scope)) => {
                for asked in self.found.asked.iter_mut().skip(count) {
                    asked.scope = Some(scope.clone());
                }
            }
            Some(groups::Group::Unclear) => self.hold_group(count),
            None => {}
        }
        self.wishes_for_a_client(&sentence, &span, count);
        self.remember_languages(&sentence);
        if self.found.asked.len() > count {
            self.last = count..self.found.asked.len();
        } else {
            // What agrees does not put off, however short it is.
            if self.found.answered.len() == answered {
                self.judges(&sentence);
            }
            self.found.background.push(span);
        }
        if text.trim_end_matches(['*', '_', ' ']).ends_with('?') && self.asks_about_another(&sentence) {
            self.aside = self.sentence;
        }
        self.renamed_before |= rename::tells(&sentence);
        self.remember(&sentence, count);
    }
}
