//! Clients of their own: which operations each gets, and what it is initialized with.

use std::ops::Range;

use super::super::license;
use super::super::sentence::Sentence;
use super::client_wishes::{is_getting, is_own_client, is_refused, new_client};
use super::{Ask, Document, Doubt, NewClient};
use bailiwick_sdk::tasks::{ClientOperation, ClientParameter, EntityKind};

/// What is known of the words that clients are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// They are a sentence of a request.
    Sentence,
    /// They stand behind `Decision:`.
    Decision,
    /// They are several sentences about one client, and the first one wishes it.
    Joined,
}

impl<'a> Document<'a> {
    /// `split the client in two: AClient with the operations of A, BClient with everything else`.
    pub(super) fn clients(&self, sentence: &Sentence<'_>, standing: Standing) -> Option<Ask> {
        // `PartsClient should become SparePartsClient, please.`
        let is_group = |target: usize| self.lookup.entity(target).kind == EntityKind::Interface;
        let renames = super::super::rename::renames(sentence, &self.focus);
        if renames.iter().any(|rename| rename.target.as_ref().is_ok_and(|target| is_group(*target))) {
            return None;
        }
        let decided = standing == Standing::Decision;
        let joined = standing == Standing::Joined;
        let attribute = |at: usize| {
            sentence.is(at, &["separate"]) && sentence.is(at.saturating_sub(1), &["a", "one", "two", "three"])
        };
        let verb = (0..sentence.tokens.len()).filter(|&at| !attribute(at)).find(|&at| {
            sentence.is(
                at,
                &[
                    "split",
                    "divide",
                    "separate",
                    "break",
                    "group",
                    "use",
                    "create",
                    "make",
                    "define",
                    "have",
                    "regroup",
                    "provide",
                    "generate",
                    "want",
                    "need",
                    "give",
                    "introduce",
                    "add",
                    "offer",
                ],
            )
        });
        // `we would like a second client`
        let liked = || {
            (1..sentence.tokens.len()).find(|&at| {
                let before = (at.saturating_sub(2)..at).any(|here| sentence.is(here, &["would", "i'd", "we'd"]));
                sentence.is(at, &["like"]) && before
                    || sentence.is(at, &["be"]) && sentence.phrase(at.saturating_sub(2), &["there", "should"])
            })
        };
        // `two clients, please: …`
        let wished = || (0..sentence.tokens.len()).find(|&at| sentence.is(at, super::words::POLITE));
        // `Decision: two clients, XClient with a, YClient with b`
        let first = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at)).unwrap_or(0);
        let led = || (decided && sentence.is(first, &["a", "an", "two", "three"])).then_some(first);
        // `X gets its own client, XClient`
        let getting = || {
            let own = (0..sentence.tokens.len()).any(|at| is_own_client(sentence, at));
            let verb = (0..sentence.tokens.len()).find(|&at| is_getting(sentence, at))?;
            (own || new_client(sentence).is_some()).then_some(verb)
        };
        let verb = verb
            .or_else(liked)
            .or_else(getting)
            .or_else(wished)
            .or_else(led)
            .or_else(|| joined.then_some(0))
            .map(|verb| if sentence.is(verb, super::words::POLITE) { 0 } else { verb })?;
        let gets = is_getting(sentence, verb);
        let named = sentence.any(&["client", "clients"]) || decided || joined || gets;
        if !named || sentence.negated(verb) {
            return None;
        }
        let mut found: Vec<(usize, String)> = Vec::new();
        for (at, token) in sentence.tokens.iter().enumerate() {
            let fits = (at > verb || joined)
                && token.is_text()
                && token.text.ends_with("Client")
                && token.text.len() > 6
                && token.text.starts_with(char::is_uppercase)
                && !token.text.contains('.');
            if fits && !found.iter().any(|(_, name)| *name == token.text) {
                found.push((at, token.text.clone()));
            }
        }
        // `a separate client for y, called X`
        let separate = gets || joined || (0..sentence.tokens.len()).any(|at| is_own_client(sentence, at));
        // `a single XClient with all that YClient has today`: one that is there already is not made.
        if separate
            && let Some(new) = new_client(sentence)
            && found.len() > 1
        {
            found.retain(|(at, _)| *at == new);
        }
        let ordered = |at: usize| {
            let start = sentence.clause_start(at);
            let first = (start..at).all(|at| !sentence.is_text(at) || sentence.is(at, super::words::FILLERS));
            let wanted = sentence.is(at, &["want", "need", "like"]);
            first
                || sentence.has(start..at, super::words::POLITE)
                || sentence
                    .has(start..at, &["should", "must", "would", "let's", "could", "can", "shall", "i'd", "we'd"])
                || wanted && sentence.has(start..at, &["we", "i"])
        };
        // `a and b leave the client and become one of their own`: the client of today would have to lose them.
        let leaves = sentence.any(&["leave", "leaves", "move", "moves", "moved"])
            || (0..sentence.tokens.len()).any(|at| sentence.phrase(at, &["out", "of"]));
        if found.len() == 1 && leaves && separate {
            return Some(Ask::Unsure(Doubt::Unclear));
        }
        let told = license::verdict(sentence).is_some() || license::puts_off(sentence) || is_refused(sentence);
        let alone = found.len() == 1 && separate && !told;
        let lone = gets && !alone;
        if lone || !gets && !joined && !ordered(verb) || !(found.len() > 1 || alone) {
            return None;
        }
        let announced = [("two", 2_usize), ("2", 2), ("three", 3), ("3", 3), ("four", 4), ("4", 4)]
            .iter()
            .find(|(word, _)| {
                (0..sentence.tokens.len())
                    .any(|at| sentence.is(at, &[word]) && !sentence.is(at.saturating_add(1), &["operations"]))
            })
            .map(|(_, count)| *count);
        // `… with getFoo and hide getBar`
        let more = (verb..sentence.tokens.len())
            .any(|at| sentence.is(at, &["and", "then"]) && sentence.is(at.saturating_add(1), super::wishes::ORDERS));
        if more || sentence.any(&["except", "excluding", "unless", "but"]) {
            return Some(Ask::Unsure(Doubt::Unclear));
        }
        if let Some(count) = announced.filter(|count| *count != found.len() && !alone) {
            let problem = format!("the request announces {count} clients and names {}", found.len());
            return Some(Ask::Unsure(Doubt::Structure(problem)));
        }
        let declared = self.index.customizations.iter().any(|one| one.decorator == "client");
        let name = |one: &'a ClientOperation| if declared { one.reference.as_str() } else { one.source.as_str() };
        let all: Vec<&str> = self.index.clients.iter().flat_map(|client| &client.operations).map(name).collect();
        let mut clients: Vec<NewClient> = Vec::new();
        let mut rests: Vec<usize> = Vec::new();
        for (number, (at, name)) in found.iter().enumerate() {
            let end = found.get(number.saturating_add(1)).map_or(sentence.tokens.len(), |(next, _)| *next);
            // `a and b get a client of their own, XClient`
            let read = match self.client(sentence, at.saturating_add(1)..end, name, &all) {
                Ok((client, _)) if alone && client.operations.is_empty() => self.client(sentence, 0..*at, name, &all),
                read => read,
            };
            match read {
                Ok((mut client, rest)) => {
                    // `what A offers today, i.e. b and c`: named twice, and once too often for nothing.
                    let mut known: Vec<String> = Vec::new();
                    client.operations.retain(|one| {
                        let new = !alone || !known.contains(one);
                        known.push(one.clone());
                        new
                    });
                    if rest {
                        rests.push(number);
                    }
                    clients.push(client);
                }
                Err(doubt) => return Some(Ask::Unsure(doubt)),
            }
        }
        if clients.iter().any(|client| client.operations.is_empty()) && rests.is_empty() {
            let problem = "a client would hold no operation".to_owned();
            return Some(Ask::Unsure(Doubt::Structure(problem)));
        }
        if let [number] = rests.as_slice() {
            let taken: Vec<String> = clients.iter().flat_map(|client| self.sources_of(client)).collect();
            let left = all.iter().filter(|one| !taken.contains(&self.source_of(one))).map(|one| (*one).to_owned());
            if let Some(client) = clients.get_mut(*number) {
                client.operations.extend(left);
            }
        }
        // A client that is divided leaves nothing behind; one that is added leaves the client of today as it is.
        let divided = sentence.is(verb, &["split", "divide", "separate", "break", "group", "regroup"]);
        let taken: Vec<String> = clients.iter().flat_map(|client| self.sources_of(client)).collect();
        let is_left = |one: &&&str| !taken.contains(&self.source_of(one));
        let left: Vec<String> = all.iter().filter(is_left).take(10).map(|source| format!("`{source}`")).collect();
        if divided && rests.is_empty() && !left.is_empty() {
            let problem =
                format!("no client gets {}, and what no client holds is gone from the library", left.join(", "));
            return Some(Ask::Unsure(Doubt::Structure(problem)));
        }
        if rests.len() > 1 {
            let problem = "two clients get the rest of the operations".to_owned();
            return Some(Ask::Unsure(Doubt::Structure(problem)));
        }
        Some(Ask::Clients(clients))
    }

    /// Whether what begins here stands behind `Decision:`, `Agreed:` or the arrow of minutes.
    pub(super) fn is_decision(&self, start: usize) -> bool {
        let before = self.text.get(..start).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default().trim().to_lowercase();
        let line = line.trim_start_matches(['-', '*', ' ']).trim_end_matches(['*', ' ']);
        ["decision:", "decided:", "agreed:", "outcome:", "conclusion:", "resolution:", "=>", "→"].contains(&line)
    }

    /// What is known of the sentence that begins here.
    pub(super) fn standing(&self, start: usize) -> Standing {
        if self.is_decision(start) { Standing::Decision } else { Standing::Sentence }
    }

    /// One client of several, from behind its name up to the next one's; with it whether it gets what is left over.
    pub(super) fn client(
        &self,
        sentence: &Sentence<'_>,
        part: Range<usize>,
        name: &str,
        all: &[&str],
    ) -> Result<(NewClient, bool), Doubt> {
        let (at, end) = (part.start, part.end);
        let mut client = NewClient { name: name.to_owned(), operations: Vec::new(), parameters: Vec::new() };
        // What it is initialized with stands behind what it holds.
        let initialized =
            (at..end).find(|&here| sentence.is(here, &["initialized", "initialised", "takes", "taking", "specifies"]));
        for here in at..initialized.unwrap_or(end) {
            let Some(mention) = sentence.mentions.iter().find(|mention| mention.at == here) else {
                let unknown = sentence.get(here).filter(|token| token.looks_like_name() && token.is_text());
                if let Some(token) = unknown.filter(|_| sentence.mention_at(here).is_none()) {
                    return Err(Doubt::Unknown(token.text.clone()));
                }
                continue;
            };
            // `the operations of A`: a noun, and no group of that name.
            if !mention.strong && super::words::kinds_of(sentence.lower(here)).is_some() {
                continue;
            }
            let mut mention = mention.clone();
            mention.candidates.retain(|&one| {
                matches!(
                    self.lookup.entity(one).kind,
                    EntityKind::Operation | EntityKind::Interface | EntityKind::Namespace
                )
            });
            if mention.candidates.is_empty() {
                continue;
            }
            let text = || sentence.get(here).map(|token| token.text.clone()).unwrap_or_default();
            if mention.candidates.iter().any(|&one| self.lookup.entity(one).client.is_some()) {
                mention.candidates.retain(|&one| self.lookup.entity(one).client.is_some());
            }
            // An operation of the service, and what a client of `client.tsp` holds of it, are one.
            let mut sources: Vec<String> = Vec::new();
            mention.candidates.retain(|&one| {
                let source = self.source_of(&self.lookup.entity(one).reference);
                let new = !sources.contains(&source);
                sources.push(source);
                new
            });
            // `the operations of A (get, list)`
            if mention.candidates.len() > 1 {
                let outer: Vec<usize> = sentence
                    .mentions
                    .iter()
                    .filter(|other| other.at < here && other.candidates.len() == 1)
                    .flat_map(|other| other.candidates.iter().copied())
                    .filter(|&outer| self.lookup.entity(outer).kind == EntityKind::Interface)
                    .collect();
                let inside = |one: &usize| outer.iter().any(|&outer| self.lookup.holds(outer, *one));
                if mention.candidates.iter().filter(|one| inside(one)).count() == 1 {
                    mention.candidates.retain(inside);
                }
            }
            let [one] = mention.candidates.as_slice() else { return Err(Doubt::Ambiguous(text(), mention.candidates)) };
            let one = *one;
            let entity = self.lookup.entity(one);
            if entity.kind == EntityKind::Operation {
                client.operations.push(self.named_by_a_client(&entity.reference));
            } else if (client.operations.is_empty()
                || !sentence.is(here.saturating_sub(1), &["in", "on", "from", "of"]))
                && !self.names_an_operation(sentence, here)
                && !self.lists_some_of_it(sentence, here, one)
            {
                let prefix = format!("{}.", entity.reference);
                let is_inside = |one: &&&str| one.starts_with(&prefix) || self.source_of(one).starts_with(&prefix);
                client.operations.extend(all.iter().filter(is_inside).map(|one| (*one).to_owned()));
            }
        }
        if let Some(from) = initialized {
            let named = |here: usize| {
                sentence.get(here).filter(|token| {
                    token.is_text() && (token.looks_like_name() || sentence.is(here.saturating_sub(1), &["as"]))
                })
            };
            let declared =
                (from.saturating_add(1)..end).find_map(|here| named(here).map(|token| (here, token.text.clone())));
            let (place, declared) = declared.ok_or(Doubt::MissingName)?;
            let name = (place..end)
                .find(|&here| sentence.is(here, &["as"]))
                .and_then(|here| sentence.get(here.saturating_add(1)))
                .map(|token| token.text.clone());
            client.parameters.push(ClientParameter { declared: self.declared_name(&declared), name });
        }
        // `and nothing else`
        let rest = (at..end).any(|here| {
            sentence.is(here, &["rest", "else", "remaining", "others", "remainder", "other"])
                && !sentence.has(here.saturating_sub(4)..here, &["nothing", "no", "not"])
        });
        Ok((client, rest))
    }

    /// The service's own operation behind one that a client refers to.
    pub(super) fn source_of(&self, reference: &str) -> String {
        let operations = || self.index.clients.iter().flat_map(|client| &client.operations);
        operations()
            .find(|one| one.reference == reference)
            .map_or_else(|| reference.to_owned(), |one| one.source.clone())
    }

    /// An operation as a client that `client.tsp` declares holds it, and as the service has it where none does.
    fn named_by_a_client(&self, reference: &str) -> String {
        if !self.index.customizations.iter().any(|one| one.decorator == "client") {
            return self.source_of(reference);
        }
        let operations = || self.index.clients.iter().flat_map(|client| &client.operations);
        let found = operations().find(|one| one.reference == reference);
        let found = found.or_else(|| operations().find(|one| one.source == reference));
        found.map_or_else(|| reference.to_owned(), |one| one.reference.clone())
    }

    /// The service's own operations that a client gets.
    fn sources_of(&self, client: &NewClient) -> Vec<String> {
        client.operations.iter().map(|one| self.source_of(one)).collect()
    }

    /// A parameter's name in the specification.
    pub(super) fn declared_name(&self, name: &str) -> String {
        let found = self.lookup.find(name);
        let parameter = found.iter().find(|&&at| self.lookup.entity(at).kind == EntityKind::Parameter);
        parameter.map_or_else(|| name.to_owned(), |&at| self.lookup.entity(at).name.clone())
    }

    /// `the operations of A (get, list)`: not all of the group, but those that are named behind it.
    fn lists_some_of_it(&self, sentence: &Sentence<'_>, at: usize, group: usize) -> bool {
        let is_inside =
            |one: &usize| self.lookup.entity(*one).kind == EntityKind::Operation && self.lookup.holds(group, *one);
        let bracket = (at..at.saturating_add(3)).any(|here| sentence.is_sign(here, '('));
        let behind = sentence.mentions.iter().filter(|mention| mention.at > at && mention.at < at.saturating_add(8));
        bracket && behind.flat_map(|mention| &mention.candidates).any(is_inside)
    }

    /// Whether a group's name is followed by an operation's own: `Widgets.getStatistics` is one name.
    pub(super) fn names_an_operation(&self, sentence: &Sentence<'_>, at: usize) -> bool {
        sentence.get(at).is_some_and(|token| token.text.contains('.'))
    }
}
